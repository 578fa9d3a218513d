// GET /metrics: what it counts, and that Prometheus can read it.
#include "integration/support/admission.hpp"
#include "integration/support/eventually.hpp"
#include "integration/support/metrics_page.hpp"
#include "integration/support/probe_environment.hpp"
#include "support/http_request.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

namespace openenv {
namespace test {
namespace {

using Labels = MetricsPage::Labels;

Labels call(const char* kind, const char* outcome, const char* from = "session") {
    return {{"kind", kind}, {"outcome", outcome}, {"from", from}};
}

TEST(Metrics, ArePrometheusTextEvenWhereNamesAreOdd) {
    LogCapture log;
    Probe probe;
    EnvironmentEntry entry = probe_entry(probe);
    entry.name = "a \"name\"\\with\nall";
    RunningServer server(std::move(entry));
    const MetricsPage page = MetricsPage::of(server.port());
    const Labels info{
        {"version", "0.1.0"}, {"environment", "a \"name\"\\with\nall"}, {"execution", "pooled"}};
    EXPECT_EQ(page.value("openenv_build_info", info), 1);
    EXPECT_EQ(page.type("openenv_call_seconds"), "histogram");
    EXPECT_EQ(http(server.port(), "POST", "/metrics").status, 405);
}

TEST(Metrics, CallsAreCountedByKindAndOutcome) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe));
    const auto session = open_session(server.port());  // asks for the state
    (void)session->ask(R"({"type":"reset","data":{}})");
    (void)session->ask(Probe::kStep);
    (void)session->ask(Probe::kStep);
    (void)session->ask(R"({"type":"step","data":{"what":7}})");
    (void)session->ask(R"({"type":"step","data":{"what":"throw"}})");
    EXPECT_EQ(http_post(server.port(), "/step", R"({"action":{"what":"echo"}})").status, 200);
    EXPECT_EQ(http_post(server.port(), "/reset", "{}").status, 200);
    const MetricsPage page = MetricsPage::of(server.port());
    EXPECT_EQ(page.value("openenv_calls_total", call("state", "ok")), 1);
    EXPECT_EQ(page.value("openenv_calls_total", call("reset", "ok")), 1);
    EXPECT_EQ(page.value("openenv_calls_total", call("step", "ok")), 2);
    EXPECT_EQ(page.value("openenv_calls_total", call("step", "invalid")), 1);
    EXPECT_EQ(page.value("openenv_calls_total", call("step", "failed")), 1);
    EXPECT_EQ(page.value("openenv_calls_total", call("step", "ok", "http")), 1);
    EXPECT_EQ(page.value("openenv_calls_total", call("reset", "ok", "http")), 1);
    EXPECT_EQ(page.value("openenv_call_seconds_count", {{"kind", "step"}}), 4);
    EXPECT_GT(page.value("openenv_call_seconds_sum", {{"kind", "step"}}), 0);
    EXPECT_EQ(page.value("openenv_messages_received_total", {{"transport", "websocket"}}), 6);
    EXPECT_EQ(page.value("openenv_messages_sent_total", {{"transport", "websocket"}}), 6);
    EXPECT_GT(page.value("openenv_sent_bytes_total", {{"transport", "websocket"}}), 6 * 20);
    EXPECT_GE(page.value("openenv_messages_received_total", {{"transport", "http"}}), 2);
}

TEST(Metrics, SessionsAreCountedByStateAndByTheirEnd) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(8));
    const auto idle = open_session(server.port());
    const auto busy = open_session(server.port());
    busy->send_text(Probe::kWait);
    probe.gate.wait_for_arrivals(1);
    const auto closing = open_session(server.port());
    close_session(*closing);
    EXPECT_TRUE(eventually([&] { return server.active_sessions() == 2; }));
    const MetricsPage page = MetricsPage::of(server.port());
    EXPECT_EQ(page.value("openenv_sessions_active"), 2);
    EXPECT_EQ(page.value("openenv_sessions_max"), 8);
    EXPECT_EQ(page.value("openenv_sessions", {{"state", "idle"}}), 1);
    EXPECT_EQ(page.value("openenv_sessions", {{"state", "busy"}}), 1);
    EXPECT_EQ(page.value("openenv_sessions", {{"state", "creating"}}), 0);
    EXPECT_EQ(page.value("openenv_sessions_opened_total"), 3);
    EXPECT_TRUE(eventually([&] {
        const MetricsPage later = MetricsPage::of(server.port());
        return later.value("openenv_sessions_closed_total", {{"reason", "close_requested"}}) == 1;
    }));
    EXPECT_EQ(page.value("openenv_session_creation_seconds_count"), 3);
    EXPECT_GE(page.value("openenv_connections"), 2);
    probe.gate.open();
    EXPECT_EQ(busy->receive_json()["type"], "observation");
}

TEST(Metrics, ACallThatIsGivenUpIsSeen) {
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(2);
    config.call_timeout = std::chrono::milliseconds(500);
    RunningServer server(probe_entry(probe), config);
    const auto session = open_session(server.port());
    EXPECT_EQ(session->ask(Probe::kWait)["type"], "error");
    EXPECT_EQ(session->ask(Probe::kStep)["type"], "error");
    const MetricsPage page = MetricsPage::of(server.port());
    EXPECT_EQ(page.value("openenv_abandoned_calls_total"), 1);
    EXPECT_EQ(page.value("openenv_abandoned_threads"), 1);
    EXPECT_EQ(page.value("openenv_calls_total", call("step", "timeout")), 1);
    EXPECT_EQ(page.value("openenv_calls_total", call("step", "refused")), 1);
    EXPECT_EQ(page.value("openenv_sessions", {{"state", "given_up"}}), 1);
    probe.gate.open();
    EXPECT_TRUE(eventually([&] {
        return MetricsPage::of(server.port()).value("openenv_abandoned_threads") == 0;
    }));
}

TEST(Metrics, RefusalsAreCountedByReason) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(1));
    const auto holder = open_session(server.port());
    EXPECT_EQ(try_session(server.port(), 1), nullptr);
    const MetricsPage page = MetricsPage::of(server.port());
    EXPECT_EQ(page.value("openenv_refused_total", {{"reason", "capacity"}}), 1);
    EXPECT_EQ(page.value("openenv_refused_total", {{"reason", "per_peer"}}), 0);
}

TEST(Metrics, TellOfTheProcessAndItsLoops) {
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config();
    config.threads = 2;
    RunningServer server(probe_entry(probe), config);
    EXPECT_TRUE(eventually([&] {
        const MetricsPage page = MetricsPage::of(server.port());
        return page.value("openenv_loop_delay_seconds_count", {{"thread", "0"}}) > 2 &&
               page.value("openenv_loop_delay_seconds_count", {{"thread", "1"}}) > 2;
    }));
    const MetricsPage page = MetricsPage::of(server.port());
    EXPECT_GT(page.value("process_resident_memory_bytes"), 1e6);
    EXPECT_GT(page.value("process_open_fds"), 3);
    EXPECT_GT(page.value("process_start_time_seconds"), 1e9);
    EXPECT_LT(page.value("openenv_loop_last_tick_seconds", {{"thread", "1"}}), 30);
}

TEST(Metrics, AreForThisMachineOrTheToken) {
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config();
    config.token = "sesame-sesame";
    RunningServer closed(probe_entry(probe), config);
    RunningServer open(probe_entry(probe));
    for (const char* path : {"/metrics", "/sessions"}) {
        EXPECT_EQ(http_get(closed.port(), path).status, 401) << path;
        const Headers with_token{
            {"authorization", "Bearer sesame-sesame"}, {"x-forwarded-for", "192.0.2.1"}};
        EXPECT_EQ(http(closed.port(), "GET", path, {}, with_token).status, 200) << path;
        EXPECT_EQ(http_get(open.port(), path).status, 200) << path;
        for (const char* header : {"X-Forwarded-For", "Forwarded", "Origin"}) {
            const Headers foreign{{header, "http://192.0.2.1"}};
            const HttpReply refusal = http(open.port(), "GET", path, {}, foreign);
            EXPECT_EQ(refusal.status, 403) << path << " " << header;
            EXPECT_NE(refusal.body.find("token"), std::string::npos) << refusal.body;
        }
    }
    const std::string text =
        http(
            closed.port(), "GET", "/metrics", {}, {{"authorization", "Bearer sesame-sesame"}}
        ).body;
    EXPECT_EQ(text.find("sesame"), std::string::npos);
    const MetricsPage page(text);
    EXPECT_EQ(page.value("openenv_refused_total", {{"reason", "unauthorized"}}), 2);
}

}  // namespace
}  // namespace test
}  // namespace openenv
