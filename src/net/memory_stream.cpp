#include <openenv/net/memory_stream.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>

#include <array>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace net {

namespace {

/// What is sent and not yet read at most, but for one message of any size.
constexpr std::size_t kMostUnread = 256 * 1024;
constexpr std::uint16_t kTooBig = 1009;  // RFC 6455 section 7.4.1

class End;

/// What both ends share: the messages on their way, and how to wake the other one.
/// Thread: any, under the lock; none is held while somebody waits.
class Link {
public:
    /// What a look for the next message finds.
    struct Taken {
        enum class What { nothing, message, close, gone };
        What what = What::nothing;
        StreamEnd close = {};  ///< what the other end said last
    };

    void attach(std::size_t side, IoExecutor io, const std::weak_ptr<End>& end) {
        sides_[side].emplace(Side{io, end});
    }

    /// From now on nobody posts to that side's executor, which may go.
    void detach(std::size_t side) noexcept {
        const std::scoped_lock lock(mutex_);
        Side& own = *sides_[side];
        own.attached = false;
        own.unread.clear();
        own.unread_bytes = 0;
        wake(1 - side);
    }

    enum class Put { sent, full, ended };
    /// Sends a message to the other side, unless it is full.
    [[nodiscard]] Put put(std::size_t side, std::string_view text) {
        const std::scoped_lock lock(mutex_);
        Side& other = *sides_[1 - side];
        if (!other.attached || other.closed_by_peer || sides_[side]->closed) {
            return Put::ended;
        }
        if (!other.unread.empty() && other.unread_bytes + text.size() > kMostUnread) {
            sides_[side]->wants_room = true;
            return Put::full;
        }
        other.unread.emplace_back(text);
        other.unread_bytes += text.size();
        wake(1 - side);
        return Put::sent;
    }

    /// Says the last word of a side.
    void put_close(std::size_t side, std::uint16_t code, std::string_view reason) {
        const std::scoped_lock lock(mutex_);
        Side& other = *sides_[1 - side];
        if (!other.closed_by_peer) {
            other.closed_by_peer = StreamEnd{code, std::string(reason)};
            wake(1 - side);
        }
    }

    /// The next message for a side goes into `message`. A close is found once.
    [[nodiscard]] Taken take(std::size_t side, std::string& message) {
        const std::scoped_lock lock(mutex_);
        Side& own = *sides_[side];
        Side& other = *sides_[1 - side];
        if (!own.unread.empty()) {
            message = std::move(own.unread.front());
            own.unread.pop_front();
            own.unread_bytes -= message.size();
            if (std::exchange(other.wants_room, false)) {
                wake(1 - side);
            }
            return {Taken::What::message};
        }
        if (own.closed_by_peer) {
            own.closed = true;
            return {Taken::What::close, *own.closed_by_peer};
        }
        return {other.attached ? Taken::What::nothing : Taken::What::gone};
    }

    /// Called first thing by whoever was woken, so that what comes after wakes again.
    void woken(std::size_t side) {
        const std::scoped_lock lock(mutex_);
        sides_[side]->waking = false;
    }

private:
    struct Side {
        IoExecutor io;
        std::weak_ptr<End> end;
        bool attached = true;
        bool waking = false;      // a wake-up is on its way
        bool wants_room = false;  // its writer waits
        bool closed = false;      // it has read the other's last word
        std::deque<std::string> unread = {};
        std::size_t unread_bytes = 0;
        std::optional<StreamEnd> closed_by_peer = {};
    };

    /// Under the lock: so the executor is there still.
    void wake(std::size_t side);

    std::mutex mutex_;
    std::array<std::optional<Side>, 2> sides_;  // set before anything else happens
};

/// One end. What its peer does reaches it as a wake-up on its own thread.
class End final : public MessageStream::Impl, public std::enable_shared_from_this<End> {
public:
    End(std::shared_ptr<Link> link, std::size_t side, const MemoryEnd& settings)
        : link_(std::move(link)),
          side_(side),
          settings_(settings),
          readable_(settings.io, TimePoint::max()),
          writable_(settings.io, TimePoint::max()),
          clock_(settings.io) {}

    io_awaitable<bool> read(std::string& message) override {
        for (;;) {
            if (ended_) {
                co_return false;
            }
            Link::Taken taken = link_->take(side_, message);
            switch (taken.what) {
                case Link::Taken::What::message:
                    if (message.size() <= settings_.message_bytes) {
                        co_return true;
                    }
                    refuse_size();
                    co_return false;
                case Link::Taken::What::close:
                    meet_close(taken.close);
                    finish(std::move(taken.close));
                    co_return false;
                case Link::Taken::What::gone:
                    finish({0, "the other side has gone"});
                    co_return false;
                case Link::Taken::What::nothing:
                    co_await readable_.async_wait(kAwait);
            }
        }
    }

    io_awaitable<bool> write(std::string_view text) override {
        for (;;) {
            if (ended_ || closing_) {
                co_return false;
            }
            switch (link_->put(side_, text)) {
                case Link::Put::sent:
                    co_return true;
                case Link::Put::ended:
                    co_return false;
                case Link::Put::full:
                    co_await writable_.async_wait(kAwait);
            }
        }
    }

    void close(CloseCode code, std::string_view reason) override {
        if (closing_ || ended_) {
            return;
        }
        closing_ = true;
        link_->put_close(side_, static_cast<std::uint16_t>(code), reason);
        writable_.cancel();
        after(settings_.close_timeout, [](End& self) { self.abort(); });
    }

    void close_later(std::chrono::milliseconds delay, CloseCode code, std::string_view reason)
        override {
        if (closing_ || ended_) {
            return;
        }
        after(delay, [code, text = std::string(reason)](End& self) { self.close(code, text); });
    }

    void abort() noexcept override { finish({0, "ended by this side"}); }

    void on_sweep(TimePoint) override {}  // it keeps its own time, and is watched by nobody

    /// Something has changed at the other side.
    void look() {
        link_->woken(side_);
        readable_.cancel();
        writable_.cancel();
    }

private:
    static constexpr auto kAwait = boost::asio::as_tuple(io_token);

    /// The peer's close has arrived: a handshake it begins, or its answer to ours.
    void meet_close(const StreamEnd& close) {
        const bool peer_began = !std::exchange(closing_, true);
        if (peer_began && on_peer_close) {
            on_peer_close();
        }
        if (peer_began) {
            link_->put_close(side_, close.code, "");
        }
    }

    void refuse_size() {
        link_->put_close(side_, kTooBig, "");
        finish(
            {0,
             "a message is larger than the limit of " + std::to_string(settings_.message_bytes) +
                 " bytes"}
        );
    }

    /// The first reason counts.
    void finish(StreamEnd why) noexcept {
        if (std::exchange(ended_, true)) {
            return;
        }
        end = std::move(why);
        link_->detach(side_);
        readable_.cancel();
        writable_.cancel();
        clock_.cancel();
    }

    template <class Action>
    void after(std::chrono::milliseconds delay, Action action) {
        clock_.expires_after(delay);
        clock_.async_wait([weak = weak_from_this(), action](boost::system::error_code error) {
            const std::shared_ptr<End> self = weak.lock();
            if (self && !error && !self->ended_) {
                action(*self);
            }
        });
    }

    const std::shared_ptr<Link> link_;  // shared with the other end, on its thread
    const std::size_t side_;
    const MemoryEnd settings_;
    IoTimer readable_;  // cancelled to wake the reader; never expires by itself
    IoTimer writable_;
    IoTimer clock_;  // of the close that is planned or under way
    bool closing_ = false;
    bool ended_ = false;
};

void Link::wake(std::size_t side) {
    Side& woken = *sides_[side];
    if (woken.attached && !std::exchange(woken.waking, true)) {
        boost::asio::post(woken.io, [weak = woken.end] {
            if (const std::shared_ptr<End> end = weak.lock()) {
                end->look();
            }
        });
    }
}

}  // namespace

MemoryStreams memory_streams(
    const MemoryEnd& first, const MemoryEnd& second, const std::string& features
) {
    const auto link = std::make_shared<Link>();
    std::array<std::shared_ptr<End>, 2> ends;
    for (std::size_t side = 0; side != ends.size(); ++side) {
        const MemoryEnd& settings = side == 0 ? first : second;
        ends[side] = std::make_shared<End>(link, side, settings);
        ends[side]->features = features;
        link->attach(side, settings.io, ends[side]);
    }
    MemoryStreams streams;
    streams.first = std::make_unique<MessageStream>(std::move(ends[0]));
    streams.second = std::make_unique<MessageStream>(std::move(ends[1]));
    return streams;
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
