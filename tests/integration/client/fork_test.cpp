// Processes that fork while a client is connected: the connection stays the parent's.
#include "integration/client/echo_script.hpp"
#include "integration/client/outcome.hpp"
#include "integration/support/sanitized.hpp"
#include "support/hang_bound.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace openenv {
namespace test {
namespace {

/// Does `work` in a forked process, which ends as `leave` says with what `work` returns.
/// Returns the exit code, or 128 + N when a signal N ended it: a hang is one.
int in_child(const std::function<int()>& work, void (*leave)(int) = ::_exit) {
    std::fflush(nullptr);  // what is written down is the parent's
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(static_cast<unsigned>(kHangBound.count()));
        int code = 255;
        try {
            code = work();
        } catch (const std::exception& error) {
            std::fprintf(stderr, "in the child: %s\n", error.what());
        }
        leave(code);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

template <class Work>
bool is_refused_in_child(Work work) {
    const Error error = thrown_by<Exception>(std::move(work));
    return error.code == Errc::usage && error.message.find("forked") != std::string::npos;
}

TEST(ForkedClient, IsOfNoUseInTheChildAndGoesOnInTheParent) {
    ScriptedServer server([](ScriptedPeer& peer) { echo(peer); });
    ClientOptions options = quick();
    options.loop = std::make_shared<ClientLoop>();
    auto client = std::make_unique<GenericEnvClient>(server.url(), options);
    auto& env = client->sync();
    env.reset();
    auto call = std::make_optional(client->step(numbered(1)));
    const int code = in_child([&] {
        if (!is_refused_in_child([&] { return env.state(); })) {
            return 1;
        }
        if (!is_refused_in_child([&] { return call->get(); })) {
            return 2;
        }
        if (!is_refused_in_child([&] { env.close(); })) {
            return 3;
        }
        call->canceller()();
        if (!options.loop->is_forked()) {
            return 4;
        }
        if (!is_refused_in_child([&] { return GenericEnvClient(server.url(), options).mode(); })) {
            return 5;
        }
        call.reset();
        client.reset();
        options.loop.reset();
        return 0;
    });
    EXPECT_EQ(code, 0);
    EXPECT_EQ(call->get().observation["k"], 1);
    EXPECT_EQ(env.step(numbered(2)).observation["k"], 2);
    EXPECT_EQ(server.connections(), 1U);
}

TEST(ForkedClient, ANewOneWorksInTheChild) {
    if (kThreadSanitized) {
        GTEST_SKIP() << "ThreadSanitizer allows no threads in a forked process";
    }
    ScriptedServer server([](ScriptedPeer& peer) { echo(peer); });
    GenericEnvClient client(server.url(), quick());
    client.sync().reset();
    const int code = in_child([&] {
        GenericEnvClient own(server.url(), quick());
        own.sync().reset();
        const bool good = own.sync().step(numbered(1)).observation["k"] == 1;
        own.sync().close();
        return good ? 0 : 1;
    });
    EXPECT_EQ(code, 0);
    EXPECT_EQ(client.sync().step(numbered(2)).observation["k"], 2);
    EXPECT_EQ(server.connections(), 2U);
}

TEST(ForkedClient, AChildMayLeaveByExit) {
    if (kSanitized) {
        GTEST_SKIP() << "what the child leaves to the parent counts as leaked";
    }
    ScriptedServer server([](ScriptedPeer& peer) { echo(peer); });
    GenericEnvClient client(server.url(), quick());
    client.sync().reset();
    // A loop that was destroyed on its own thread: the parent waits for that at its exit.
    auto gone = std::make_shared<GenericEnvClient>(server.url(), quick());
    std::promise<void> destroyed;
    GenericEnvClient& env = *gone;
    env.reset().async(
        [&destroyed, mine = std::move(gone)](std::exception_ptr, GenericEnvClient::Result) mutable {
            mine.reset();
            destroyed.set_value();
        }
    );
    std::future<void> is_gone = destroyed.get_future();
    outcome(is_gone);
    EXPECT_EQ(in_child([] { return 0; }, std::exit), 0);
    EXPECT_EQ(client.sync().step(numbered(1)).observation["k"], 1);
}

}  // namespace
}  // namespace test
}  // namespace openenv
