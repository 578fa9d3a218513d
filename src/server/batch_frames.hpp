#pragma once

#include <openenv/net/executors.hpp>
#include <openenv/net/sweeper.hpp>
#include <openenv/wire/frame.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace server {

/// Puts the answers to the entries of batches into frames, as the former says.
/// Thread: the io thread.
class BatchFrames {
public:
    /// `due` is called when time has made a frame of answers that waited.
    BatchFrames(net::IoExecutor io, std::function<void()> due);

    void set_former(const wire::BatchFormer& former) { former_ = former; }

    /// An answer begins: the entry up to its data. What follows is appended to out(), and then
    /// end_answer() or, to take it back, fail_answer() is called.
    void begin_answer(std::uint32_t session, std::string_view id, std::string_view type);
    [[nodiscard]] std::string& out() noexcept { return frame_; }
    void end_answer();
    /// What has been appended since begin_answer().
    [[nodiscard]] std::string_view answer_so_far() const noexcept {
        return std::string_view(frame_).substr(data_at_);
    }
    /// Replaces the answer that was begun by an error frame.
    void fail_answer(std::string_view error_frame);
    /// A whole answer that is an error frame; `timeout` is the phase of a call that ran out of
    /// time.
    void add_error(
        std::uint32_t session,
        std::string_view id,
        std::string_view error_frame,
        std::string_view timeout = {}
    );

    /// Makes a frame of what waits, if it is due. `more` says whether more is to come.
    void form(bool more);

    [[nodiscard]] bool empty() const noexcept { return ready_.empty(); }
    [[nodiscard]] std::string take();
    /// Takes a sent frame's memory for the next one.
    void give_back(std::string frame);

private:
    void begin_entry(std::uint32_t session, std::string_view id);
    void append_error(std::string_view error_frame, std::string_view timeout = {});
    void seal();
    void count_answer();

    wire::BatchFormer former_;
    std::string frame_;         // the one under construction
    std::size_t waiting_ = 0;   // answers in it
    std::size_t entry_at_ = 0;  // where the type of the answer begins
    std::size_t data_at_ = 0;   // where its data begins
    std::deque<std::string> ready_;
    std::string spare_;
    net::IoTimer timer_;
    std::shared_ptr<void> alive_ = std::make_shared<char>();  // weakly held by the timer's handler
    std::function<void()> due_;
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
