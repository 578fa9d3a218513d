#include <openenv/net/message_stream.hpp>

#include <utility>

namespace openenv {
inline namespace v0 {
namespace net {

MessageStream::MessageStream(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

MessageStream::~MessageStream() {
    impl_->abort();
}

io_awaitable<bool> MessageStream::read(std::string& message) {
    return impl_->read(message);
}

io_awaitable<bool> MessageStream::write(std::string_view text) {
    return impl_->write(text);
}

bool MessageStream::write_at_once(std::string_view text) {
    return impl_->write_at_once(text);
}

void MessageStream::gather_answer() {
    impl_->gather_answer();
}

void MessageStream::close(CloseCode code, std::string_view reason) {
    impl_->close(code, reason);
}

void MessageStream::close_later(
    std::chrono::milliseconds delay, CloseCode code, std::string_view reason
) {
    impl_->close_later(delay, code, reason);
}

void MessageStream::on_peer_close(std::function<void()> handler) {
    impl_->on_peer_close = std::move(handler);
}

const StreamEnd& MessageStream::end() const noexcept {
    return impl_->end;
}

void MessageStream::abort() noexcept {
    impl_->abort();
}

const std::string& MessageStream::features() const noexcept {
    return impl_->features;
}

const Peer& MessageStream::peer() const noexcept {
    return impl_->peer;
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
