#include "server/batch_frames.hpp"

#include <charconv>
#include <chrono>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

constexpr std::string_view kBegin = R"({"type":"batch","x":{"batch":[)";
constexpr std::string_view kEnd = "]}}";
/// Memory of a sent frame that is kept for the next one.
constexpr std::size_t kKeptBytes = 256 * 1024;
/// A frame that has become larger takes no more answers: clients limit what they read.
constexpr std::size_t kLargeFrame = 8 * 1024 * 1024;

void append_number(std::string& out, std::uint32_t number) {
    char digits[16];
    const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), number);
    out.append(digits, end);
}

}  // namespace

BatchFrames::BatchFrames(net::IoExecutor io, std::function<void()> due)
    : timer_(io), due_(std::move(due)) {}

void BatchFrames::begin_entry(std::uint32_t session, std::string_view id) {
    if (waiting_ == 0) {
        frame_ = std::exchange(spare_, {});
        frame_ = kBegin;
    } else {
        frame_ += ',';
    }
    frame_ += R"({"session":)";
    append_number(frame_, session);
    if (!id.empty()) {
        frame_ += R"(,"id":)";
        frame_ += id;
    }
    entry_at_ = frame_.size();
}

void BatchFrames::begin_answer(std::uint32_t session, std::string_view id, std::string_view type) {
    begin_entry(session, id);
    frame_ += R"(,"type":")";
    frame_ += type;
    frame_ += R"(","data":)";
    data_at_ = frame_.size();
}

void BatchFrames::end_answer() {
    frame_ += '}';
    count_answer();
}

void BatchFrames::fail_answer(std::string_view error_frame) {
    frame_.resize(entry_at_);
    append_error(error_frame);
}

void BatchFrames::add_error(
    std::uint32_t session,
    std::string_view id,
    std::string_view error_frame,
    std::string_view timeout
) {
    begin_entry(session, id);
    append_error(error_frame, timeout);
}

/// The members of an error frame become members of the entry.
void BatchFrames::append_error(std::string_view error_frame, std::string_view timeout) {
    if (!timeout.empty()) {
        frame_ += R"(,"timeout":")";
        frame_ += timeout;
        frame_ += '"';
    }
    frame_ += ',';
    frame_ += error_frame.substr(1);
    count_answer();
}

void BatchFrames::count_answer() {
    ++waiting_;
    if (waiting_ == 1 && former_.within_s) {
        const std::chrono::duration<double> within(*former_.within_s);
        timer_.expires_after(std::chrono::duration_cast<std::chrono::nanoseconds>(within));
        timer_.async_wait([this,
                           alive = std::weak_ptr<void>(alive_)](boost::system::error_code error) {
            if (!error && !alive.expired() && waiting_ != 0) {
                seal();
                due_();
            }
        });
    }
    if (waiting_ >= former_.max || frame_.size() >= kLargeFrame) {
        seal();
    }
}

void BatchFrames::form(bool more) {
    if (waiting_ != 0 && (!more || waiting_ >= former_.min)) {
        seal();
    }
}

void BatchFrames::seal() {
    frame_ += kEnd;
    ready_.push_back(std::move(frame_));
    frame_.clear();
    waiting_ = 0;
    timer_.cancel();
}

std::string BatchFrames::take() {
    std::string frame = std::move(ready_.front());
    ready_.pop_front();
    return frame;
}

void BatchFrames::give_back(std::string frame) {
    if (frame.capacity() <= kKeptBytes) {
        spare_ = std::move(frame);
    }
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
