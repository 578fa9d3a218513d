#include "bench/report.hpp"

#include "bench/comparison.hpp"
#include "bench/report_text.hpp"
#include "bench/study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace openenv::bench {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

Report one_that_went_well() {
    Report report;
    report.url = "ws://h:1/ws";
    report.asked = report.opened = report.completed = report.connections = 2;
    report.steps = 1000;
    report.episodes = 2;
    report.elapsed = 2s;
    report.whole = 4s;
    report.connect.record(1ms);
    report.reset.record(2ms);
    report.step.record(40us);
    report.session.record(3s);
    report.client_cpu = 10ms;
    report.server = ServerFigures{7, 20ms, 3, 2048};
    return report;
}

TEST(FailureTally, CountsByReasonAndCodeAndKeepsTheFirstText) {
    FailureTally tally;
    tally.add(Trouble(Reason::closed, "first"));
    tally.add(Trouble(Reason::error_frame, "no", "EXECUTION_ERROR"), 3);
    tally.add(Trouble(Reason::closed, "second"));
    tally.add(Trouble(Reason::error_frame, "no", "SESSION_ERROR"));
    ASSERT_EQ(tally.kinds().size(), 3U);
    EXPECT_EQ(tally.kinds()[0].count, 2U);
    EXPECT_EQ(tally.kinds()[0].example, "first");
    EXPECT_EQ(tally.kinds()[1].count, 3U);
    EXPECT_EQ(tally.count(), 6U);
}

TEST(FailureTally, AServerThatInventsCodesFillsNoMemory) {
    FailureTally tally;
    for (int i = 0; i < 1000; ++i) {
        tally.add(Trouble(Reason::error_frame, std::string(10'000, 'x'), std::to_string(i)));
    }
    EXPECT_EQ(tally.kinds().size(), FailureTally::kMostKinds);
    EXPECT_EQ(tally.kinds().back().code, "...");
    EXPECT_EQ(tally.count(), 1000U);
    EXPECT_LT(tally.kinds()[0].example.size(), 1000U);
}

TEST(Report, IsGoodWhenEverySessionDidEverything) {
    Report report = one_that_went_well();
    EXPECT_TRUE(report.good());
    report.completed = 1;
    EXPECT_FALSE(report.good());
    EXPECT_EQ(report.success_rate(), 0.5);
    report = one_that_went_well();
    report.problems.emplace_back("void");
    EXPECT_FALSE(report.good());
}

TEST(Report, WritesWhatItFoundAsJson) {
    const Json json = to_json(one_that_went_well());
    EXPECT_EQ(json["url"], "ws://h:1/ws");
    EXPECT_EQ(json["good"], true);
    EXPECT_EQ(json["sessions"]["success_rate"], 1.0);
    EXPECT_EQ(json["loop"], "closed");
    EXPECT_EQ(json["latency_from"], "sent");
    EXPECT_EQ(json["steps_per_second"], 500.0);
    EXPECT_EQ(json["sessions_per_second"], 0.5);
    EXPECT_EQ(json["latency_us"]["step"]["count"], 1);
    EXPECT_EQ(json["latency_us"]["step"]["p99"], 40.0);
    EXPECT_EQ(json["client"]["cpu_us_per_step"], 10.0);
    EXPECT_EQ(json["server"]["cpu_us_per_step"], 20.0);
    EXPECT_EQ(json["server"]["threads"], 3);
    EXPECT_EQ(json["server"]["resident_kib"], 2048);
    EXPECT_TRUE(json["failures"].empty());
}

TEST(Report, LeavesOutWhatWasNotMeasured) {
    Report report;
    report.failures.add(Trouble(Reason::capacity, "full", "CAPACITY_REACHED"));
    report.open_loop = true;
    const Json json = to_json(report);
    EXPECT_EQ(json["good"], false);
    EXPECT_EQ(json["latency_from"], "due");
    EXPECT_FALSE(json.contains("server"));
    EXPECT_FALSE(json["client"].contains("cpu_us_per_step"));
    EXPECT_EQ(json["latency_us"]["step"], Json::object({{"count", 0}}));
    EXPECT_EQ(json["failures"][0]["reason"], "capacity");
    EXPECT_EQ(json["failures"][0]["example"], "full");
}

TEST(ReportText, SaysWhatLatencyCountsFromAndWhatFailed) {
    Report report = one_that_went_well();
    EXPECT_THAT(report_text(report), HasSubstr("latency counts from sending"));
    EXPECT_THAT(report_text(report), HasSubstr("2 of 2 completed (100 %)"));
    EXPECT_THAT(report_text(report), HasSubstr("server 20.0 us/step"));
    EXPECT_THAT(report_text(report), Not(HasSubstr("failed")));
    report.open_loop = true;
    report.completed = 1;
    report.failures.add(Trouble(Reason::error_frame, "\x1b[2J", "E\x1b"));
    const std::string text = report_text(report);
    EXPECT_THAT(text, HasSubstr("from when a step was due"));
    EXPECT_THAT(text, HasSubstr("1 x error_frame E"));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(ReportText, TimesAndCountsReadWell) {
    EXPECT_EQ(time_text(38420ns), "38.4 us");
    EXPECT_EQ(time_text(999'600ns), "1.00 ms");
    EXPECT_EQ(time_text(12'340ms), "12.3 s");
    EXPECT_EQ(count_text(7), "7");
    EXPECT_EQ(count_text(1'234'567), "1,234,567");
}

TEST(Spread, OfAnEvenNumberLiesBetweenTheTwoInTheMiddle) {
    EXPECT_EQ(spread_of({4, 1, 3, 2}).median, 2.5);
    EXPECT_EQ(spread_of({9, 1, 5}).median, 5);
    EXPECT_EQ(spread_of({9, 1, 5}).lowest, 1);
    EXPECT_EQ(spread_of({9, 1, 5}).highest, 9);
    EXPECT_EQ(spread_of({}).median, 0);
}

TEST(Comparison, DividesWithinARoundOnly) {
    Comparison comparison{"ws://a/ws", "ws://b/ws", 1, {}};
    // What happens on the machine makes both ten times slower in the second round.
    for (const std::uint64_t steps : {1000U, 100U}) {
        Round round{true, one_that_went_well(), one_that_went_well()};
        round.a.steps = steps * 2;
        round.b.steps = steps;
        comparison.rounds.push_back(round);
    }
    const Json json = to_json(comparison);
    EXPECT_EQ(json["good"], true);
    EXPECT_EQ(json["rounds"].size(), 2U);
    EXPECT_EQ(json["rounds"][1]["first"], "a");
    EXPECT_EQ(json["ratio"]["steps_per_second"]["lowest"], 2.0);
    EXPECT_EQ(json["ratio"]["steps_per_second"]["highest"], 2.0);
    EXPECT_EQ(json["ratio"]["p99_us"]["median"], 1.0);
    EXPECT_EQ(json["ratio"]["server_cpu_us_per_step"]["median"], 0.5);
    EXPECT_THAT(comparison_text(comparison), HasSubstr("2 (2-2)"));
}

TEST(Study, TheLargestBatchIsTheLargestOfWhich95PercentSucceeded) {
    Study study;
    study.grid = {{32, 128}, {1, 5}, 2, R"({"seconds":%})"};
    const auto add = [&study](double wait, std::size_t size, std::uint64_t completed) {
        StudyRun run{wait, size, 1, {}};
        run.report.asked = size;
        run.report.completed = completed;
        run.report.whole = 2s;
        run.report.session.record(1500ms);
        study.runs.push_back(run);
    };
    add(1, 32, 32);
    add(1, 32, 31);
    add(1, 128, 128);
    add(1, 128, 100);
    add(5, 32, 0);
    add(5, 128, 0);
    EXPECT_EQ(study.max_batch(1), 32U);
    EXPECT_EQ(study.max_batch(5), std::nullopt);
    const Json json = to_json(study);
    EXPECT_EQ(json["runs"].size(), 6U);
    EXPECT_EQ(json["cells"].size(), 4U);
    EXPECT_EQ(json["cells"][0]["success_rate"], 0.984375);
    EXPECT_EQ(json["cells"][0]["requests_per_second"], 15.75);
    EXPECT_EQ(json["cells"][0]["p99_s"], 1.5);
    EXPECT_EQ(json["max_batch"][0]["size"], 32);
    EXPECT_TRUE(json["max_batch"][1]["size"].is_null());
    EXPECT_THAT(study_text(study), HasSubstr("largest batch with 95 % success at 5 s: none"));
}

}  // namespace
}  // namespace openenv::bench
