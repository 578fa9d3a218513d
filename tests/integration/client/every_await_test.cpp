// A client is struck at every point where it waits: the work of its loop is done handler by
// handler, and after the n-th something happens to it; n counts up until nothing is left to strike.
#include "support/hang_bound.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>
#include <openenv/provider/provider.hpp>

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace openenv {
namespace test {
namespace {

using Client = GenericEnvClient;

/// What befalls a client.
enum class Blow {
    destroyed,          // and the loop's work is done to its end
    loop_goes_as_well,  // nothing of what is left is ever done
    calls_cancelled,
    closed,
    connection_dropped,
};

constexpr Blow kBlows[] = {
    Blow::destroyed,
    Blow::loop_goes_as_well,
    Blow::calls_cancelled,
    Blow::closed,
    Blow::connection_dropped};

const char* name_of(Blow blow) {
    switch (blow) {
        case Blow::destroyed:
            return "destroyed";
        case Blow::loop_goes_as_well:
            return "loop goes as well";
        case Blow::calls_cancelled:
            return "calls cancelled";
        case Blow::closed:
            return "closed";
        case Blow::connection_dropped:
            return "connection dropped";
    }
    return "?";
}

/// The script of a server of the usual manners.
void serve(ScriptedPeer& peer) {
    if (peer.target().ends_with("/schema")) {
        const std::string document = R"({"action":{},"observation":{},"state":{}})";
        peer.send_bytes(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: " +
            std::to_string(document.size()) + "\r\n\r\n" + document
        );
        return;
    }
    peer.accept();
    for (;;) {
        const Json question = Json::parse(peer.read());
        if (question["type"] == "close") {
            peer.wait_for_close();
            return;
        }
        peer.send(question["type"] == "state" ? state_frame() : observation_frame());
    }
}

/// Knows an address, and takes its time on a worker thread.
class Address final : public Provider {
public:
    explicit Address(std::string url) : url_(std::move(url)) {}
    std::string start() override { return url_; }
    void wait_until_ready(const std::string&, std::chrono::milliseconds) override {}
    void stop() override {}

private:
    const std::string url_;
};

/// One client, the calls that were begun on it, and how many of them have ended.
class Bench {
public:
    Bench(const ScriptedServer& server, bool with_provider) {
        ClientOptions options;
        options.loop = loop_;
        options.message_timeout = kHangBound;
        if (with_provider) {
            options.provider = std::make_shared<Address>(server.url());
            client_ = std::make_unique<Client>(std::move(options));
        } else {
            client_ = std::make_unique<Client>(server.url(), std::move(options));
        }
    }

    [[nodiscard]] Client& client() { return *client_; }
    [[nodiscard]] bool alive() const { return client_ != nullptr; }

    template <class T>
    void begin(Pending<T> call, std::function<void(T)> then = nullptr) {
        ++begun_;
        cancellers_.push_back(call.canceller());
        call.async([this, then = std::move(then)](std::exception_ptr failure, T value) {
            ++ended_;
            if (!failure && then && alive()) {
                then(std::move(value));
            }
        });
    }
    void begin(Pending<void> call, std::function<void()> then = nullptr) {
        ++begun_;
        cancellers_.push_back(call.canceller());
        call.async([this, then = std::move(then)](std::exception_ptr failure) {
            ++ended_;
            if (!failure && then && alive()) {
                then();
            }
        });
    }

    void keep(std::unique_ptr<Client> child) { children_.push_back(std::move(child)); }

    [[nodiscard]] bool all_ended() const { return ended_ == begun_; }
    /// Runs one handler. False when there was none within the bound.
    bool advance() {
        context_->restart();
        return context_->run_one_for(kHangBound) == 1;
    }

    void strike(Blow blow, ScriptedServer& server) {
        switch (blow) {
            case Blow::destroyed:
                children_.clear();
                client_ = nullptr;
                break;
            case Blow::loop_goes_as_well:
                children_.clear();
                client_ = nullptr;
                loop_ = nullptr;
                context_ = nullptr;
                break;
            case Blow::calls_cancelled:
                for (const Canceller& cancel : cancellers_) {
                    cancel();
                }
                break;
            case Blow::closed:
                begin(client_->close());
                break;
            case Blow::connection_dropped:
                server.drop_all();
                break;
        }
    }

    /// Every call has to end; then nothing may be left to do.
    void finish() {
        if (!context_) {
            return;
        }
        while (!all_ended()) {
            ASSERT_TRUE(advance()) << ended_ << " of " << begun_ << " calls have ended";
        }
        children_.clear();
        client_ = nullptr;
        context_->restart();
        context_->run_for(kHangBound);
        EXPECT_TRUE(context_->stopped()) << "something of the client goes on";
    }

private:
    std::unique_ptr<boost::asio::io_context> context_ = std::make_unique<boost::asio::io_context>();
    std::shared_ptr<ClientLoop> loop_ = std::make_shared<ClientLoop>(*context_);
    std::unique_ptr<Client> client_;
    std::vector<std::unique_ptr<Client>> children_;
    std::vector<Canceller> cancellers_;
    std::size_t begun_ = 0;
    std::size_t ended_ = 0;
};

struct Scenario {
    const char* name;
    std::function<void(Bench&)> begin;
    bool with_provider = false;
};

void PrintTo(const Scenario& scenario, std::ostream* out) {
    *out << scenario.name;
}

class EveryAwait : public testing::TestWithParam<Scenario> {};

TEST_P(EveryAwait, AClientMayBeStruckThere) {
    for (const Blow blow : kBlows) {
        std::size_t struck = 0;
        for (bool over = false; !over; ++struck) {
            SCOPED_TRACE(std::string(name_of(blow)) + " after " + std::to_string(struck));
            ScriptedServer server{ScriptedServer::Plain{serve}};
            Bench bench(server, GetParam().with_provider);
            GetParam().begin(bench);
            for (std::size_t i = 0; i != struck && !bench.all_ended(); ++i) {
                ASSERT_TRUE(bench.advance());
            }
            over = bench.all_ended();
            bench.strike(blow, server);
            bench.finish();
        }
        EXPECT_GT(struck, 5U) << name_of(blow) << ": the calls took no work at all";
    }
}

INSTANTIATE_TEST_SUITE_P(
    Client,
    EveryAwait,
    testing::Values(
        Scenario{"connect", [](Bench& bench) { bench.begin(bench.client().connect()); }},
        Scenario{
            "episode",
            [](Bench& bench) {
                bench.begin<Client::Result>(bench.client().reset(), [&bench](Client::Result) {
                    const Json action = Json::object();
                    bench.begin(bench.client().step(action));
                    bench.begin(bench.client().state());
                });
            }},
        Scenario{
            "calls at once",
            [](Bench& bench) {
                const Json action = Json::object();
                bench.begin(bench.client().reset());
                bench.begin(bench.client().step(action));
                bench.begin(bench.client().state());
            }},
        Scenario{
            "children",
            [](Bench& bench) {
                bench.begin<std::unique_ptr<Client>>(
                    bench.client().new_session<Client>(),
                    [&bench](std::unique_ptr<Client> child) {
                        Client& env = *child;
                        bench.keep(std::move(child));
                        bench.begin(env.reset());
                        bench.begin(bench.client().close());
                    }
                );
            }},
        Scenario{
            "close",
            [](Bench& bench) {
                bench.begin<Client::Result>(bench.client().reset(), [&bench](Client::Result) {
                    bench.begin(bench.client().close(), [&bench] {
                        bench.begin(bench.client().reset());
                    });
                });
            }},
        Scenario{
            "close while connecting",
            [](Bench& bench) {
                bench.begin(bench.client().connect());
                bench.begin(bench.client().close());
                bench.begin(bench.client().disconnect());
            }},
        Scenario{"schema", [](Bench& bench) { bench.begin(bench.client().schema()); }},
        Scenario{
            "schema beside a reset",
            [](Bench& bench) {
                bench.begin(bench.client().reset());
                bench.begin(bench.client().schema());
            },
            true},
        Scenario{
            "provider",
            [](Bench& bench) {
                bench.begin<Client::Result>(bench.client().reset(), [&bench](Client::Result) {
                    bench.begin(bench.client().close());
                });
            },
            true}
    ),
    [](const testing::TestParamInfo<Scenario>& chosen) {
        std::string name = chosen.param.name;
        for (char& c : name) {
            c = c == ' ' ? '_' : c;
        }
        return name;
    }
);

}  // namespace
}  // namespace test
}  // namespace openenv
