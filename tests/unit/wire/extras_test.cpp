#include "support/expect_json.hpp"

#include <openenv/wire/frame.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <variant>

namespace openenv {
namespace {

using test::equals_json;
using test::has_errors;
using wire::Features;
using wire::Frame;
using wire::FrameError;
using wire::FrameErrorCode;
using wire::FrameKind;

constexpr Features kAll{.ids = true, .deadline = true, .batch = true};

/// Lifetime: the result refers to `text`.
Frame accepted(std::string_view text, Features granted = kAll) {
    const auto parsed = wire::parse_frame(text, granted);
    if (const auto* error = std::get_if<FrameError>(&parsed)) {
        ADD_FAILURE() << text << " was refused: " << error->message << " " << error->errors;
        return {};
    }
    return std::get<Frame>(parsed);
}

FrameError refused(std::string_view text, Features granted = kAll) {
    const auto parsed = wire::parse_frame(text, granted);
    if (std::holds_alternative<Frame>(parsed)) {
        ADD_FAILURE() << text << " was accepted";
        return {};
    }
    return std::get<FrameError>(parsed);
}

std::string batch_of(std::string_view type, std::string_view entries) {
    return R"({"type":")" + std::string(type) + R"(","x":{"batch":[)" + std::string(entries) +
           "]}}";
}

TEST(Features, AreReadFromAListAndWritten) {
    EXPECT_EQ(wire::parse_features("ids, deadline,batch"), kAll);
    EXPECT_EQ(wire::parse_features(" IDS ,, teleport"), (Features{.ids = true}));
    EXPECT_EQ(wire::parse_features(""), Features());
    EXPECT_EQ(wire::parse_features("id s,idsx"), Features());
    EXPECT_EQ(wire::to_text(kAll), "ids, deadline, batch");
    EXPECT_EQ(wire::to_text({}), "");
    EXPECT_EQ((kAll & Features{.batch = true}), (Features{.batch = true}));
}

TEST(Extras, AreAnUnknownKeyWhereNothingWasGranted) {
    const FrameError error = refused(R"({"type":"state","x":{"id":1}})", {});
    EXPECT_THAT(Json::parse(error.errors), has_errors({"extra_forbidden @ x"}));
}

TEST(Extras, HoldOnlyWhatWasGranted) {
    EXPECT_THAT(
        Json::parse(refused(R"({"type":"state","x":{"id":1}})", {.deadline = true}).errors),
        has_errors({"extra_forbidden @ x,id"})
    );
    EXPECT_THAT(
        Json::parse(
            refused(R"({"type":"step","data":{},"x":{"timeout_s":1}})", {.ids = true}).errors
        ),
        has_errors({"extra_forbidden @ x,timeout_s"})
    );
    EXPECT_THAT(
        Json::parse(refused(R"({"type":"state","x":{"batch":[]}})", {.ids = true}).errors),
        has_errors({"extra_forbidden @ x,batch"})
    );
}

TEST(Extras, NameACall) {
    EXPECT_EQ(accepted(R"({"type":"state","x":{"id":7}})").extras.call.id, "7");
    EXPECT_EQ(accepted(R"({"type":"state","x":{"id":"a\n7"}})").extras.call.id, R"("a\n7")");
    EXPECT_EQ(accepted(R"({"type":"state","x":{}})").extras.call.id, "");
    EXPECT_EQ(
        accepted(R"({"type":"state","x":{"id":9007199254740991}})").extras.call.id,
        "9007199254740991"
    );
}

TEST(Extras, RefuseIdsThatAreNone) {
    const std::string long_id = R"(")" + std::string(129, 'i') + R"(")";
    for (const std::string& id :
         {std::string("-1"),
          std::string("1.5"),
          std::string("null"),
          std::string("9007199254740992"),
          std::string("[1]"),
          long_id}) {
        const std::string text = R"({"type":"state","x":{"id":)" + id + "}}";
        EXPECT_THAT(Json::parse(refused(text).errors), has_errors({"value_error @ x,id"})) << id;
    }
}

TEST(Extras, LimitTheTimeOfACall) {
    const std::string text = R"({"type":"step","data":{},"x":{"timeout_s":1.5,"extra":{"a":[1]}}})";
    const Frame frame = accepted(text);
    EXPECT_EQ(frame.extras.call.timeout_s, 1.5);
    EXPECT_EQ(frame.extras.call.extra, R"({"a":[1]})");
    for (const char* time : {"0", "-1", "1e300", "NaN", "Infinity", "\"1\"", "null", "true"}) {
        const std::string bad = R"({"type":"state","x":{"timeout_s":)" + std::string(time) + "}}";
        EXPECT_THAT(Json::parse(refused(bad).errors), has_errors({"value_error @ x,timeout_s"}))
            << time;
    }
    EXPECT_THAT(
        Json::parse(refused(R"({"type":"step","data":{},"x":{"extra":[]}})").errors),
        has_errors({"dict_type @ x,extra"})
    );
    EXPECT_THAT(
        Json::parse(refused(R"({"type":"reset","x":{"extra":{}}})").errors),
        has_errors({"extra_forbidden @ x,extra"})
    );
    EXPECT_THAT(
        Json::parse(refused(R"({"type":"close","x":{"timeout_s":1}})").errors),
        has_errors({"extra_forbidden @ x,timeout_s"})
    );
}

TEST(Extras, AreAnObject) {
    for (const char* x : {"null", "[]", "1", "\"ids\""}) {
        const std::string text = R"({"type":"state","x":)" + std::string(x) + "}";
        EXPECT_THAT(Json::parse(refused(text).errors), has_errors({"dict_type @ x"})) << x;
    }
}

TEST(Extras, AreNamedByErrorsOfTheirMessage) {
    EXPECT_EQ(refused(R"({"type":"step","x":{"id":7}})").id, "7");
    EXPECT_EQ(refused(R"({"type":"bogus","x":{"id":"a"}})").id, R"("a")");
    EXPECT_EQ(refused(R"({"type":"step","x":{"id":-7}})").id, "");
    EXPECT_EQ(refused(R"({"type":"step","x":{"id":7})").id, "");
    const std::string frame = wire::error_frame(refused(R"({"type":"bogus","x":{"id":"a"}})"));
    EXPECT_EQ(Json::parse(frame)["x"]["id"], "a");
}

TEST(Extras, ASecondKeyOfTheSameNameCounts) {
    EXPECT_EQ(accepted(R"({"type":"state","x":5,"x":{"id":1,"id":2}})").extras.call.id, "2");
}

TEST(Extras, AreReadWhereverTheyStand) {
    EXPECT_EQ(accepted(R"({"x":{"id":1},"type":"state"})").extras.call.id, "1");
    EXPECT_EQ(
        accepted(R"({"x":{"timeout_s":2},"data":{},"type":"step"})").extras.call.timeout_s, 2
    );
    // Read for one kind of message, and then it is another.
    const Frame step = accepted(R"({"type":"mcp","x":{"timeout_s":2},"data":{},"type":"step"})");
    EXPECT_EQ(step.kind, FrameKind::step);
    EXPECT_EQ(step.extras.call.timeout_s, 2);
    EXPECT_THAT(
        Json::parse(refused(R"({"type":"step","x":{"timeout_s":2},"type":"mcp","data":{}})").errors
        ),
        has_errors({"extra_forbidden @ x,timeout_s"})
    );
    EXPECT_THAT(
        Json::parse(refused(R"({"type":"state","x":{"id":-1},"x":5})").errors),
        has_errors({"dict_type @ x"})
    );
    EXPECT_EQ(refused(R"({"type":"state","x":{"id":-1,"id":})").code, FrameErrorCode::invalid_json);
    EXPECT_EQ(
        refused(R"({"type":"step","x":{"batch":[{"session":0.5,})").code,
        FrameErrorCode::invalid_json
    );
}

TEST(Batch, HoldsItsEntries) {
    const std::string text = batch_of(
        "step",
        R"({"session":0,"data":{"a":1}},{"data":{},"session":65535,"id":3,"timeout_s":2,"extra":{}})"
    );
    const Frame frame = accepted(text);
    EXPECT_EQ(frame.kind, FrameKind::step);
    EXPECT_EQ(frame.data, "");
    ASSERT_TRUE(frame.extras.batch);
    ASSERT_EQ(frame.extras.batch->size(), 2U);
    const wire::BatchEntry& first = frame.extras.batch->front();
    EXPECT_EQ(first.session, 0U);
    EXPECT_EQ(first.data, R"({"a":1})");
    EXPECT_EQ(first.call.id, "");
    const wire::BatchEntry& second = frame.extras.batch->back();
    EXPECT_EQ(second.session, 65535U);
    EXPECT_EQ(second.call.id, "3");
    EXPECT_EQ(second.call.timeout_s, 2.0);
    EXPECT_EQ(second.call.extra, "{}");
}

TEST(Batch, GivesAResetWithoutDataAnEmptyObject) {
    const std::string text = batch_of("reset", R"({"session":1})");
    EXPECT_EQ(accepted(text).extras.batch->front().data, "{}");
}

TEST(Batch, MayBeEmpty) {
    const std::string text = batch_of("state", "");
    EXPECT_TRUE(accepted(text).extras.batch->empty());
}

TEST(Batch, IsRefusedAsAWhole) {
    struct Row {
        const char* type;
        const char* entries;
        const char* error;
    };
    for (const Row& row :
         {Row{"step", "5", "dict_type @ x,batch,0"},
          Row{"step", R"({"data":{}})", "missing @ x,batch,0,session"},
          Row{"step", R"({"session":0})", "missing @ x,batch,0,data"},
          Row{"step", R"({"session":0,"data":[]})", "dict_type @ x,batch,0,data"},
          Row{"step", R"({"session":65536,"data":{}})", "value_error @ x,batch,0,session"},
          Row{"step", R"({"session":"0","data":{}})", "value_error @ x,batch,0,session"},
          Row{"step", R"({"session":-1,"data":{}})", "value_error @ x,batch,0,session"},
          Row{"state", R"({"session":0},{"session":1},{"session":0})", "value_error @ x,batch,2"},
          Row{"state", R"({"session":0,"data":{}})", "extra_forbidden @ x,batch,0,data"},
          Row{"close", R"({"session":0,"timeout_s":1})", "extra_forbidden @ x,batch,0,timeout_s"},
          Row{"mcp", R"({"session":0})", "extra_forbidden @ x,batch"}}) {
        const std::string text = row.type == std::string("mcp")
                                     ? R"({"type":"mcp","data":{},"x":{"batch":[]}})"
                                     : batch_of(row.type, row.entries);
        EXPECT_THAT(Json::parse(refused(text).errors), has_errors({row.error})) << row.entries;
    }
    EXPECT_THAT(
        Json::parse(refused(R"({"type":"step","data":{},"x":{"batch":[]}})").errors),
        has_errors({"extra_forbidden @ data"})
    );
    EXPECT_THAT(
        Json::parse(refused(R"({"type":"step","x":{"batch":{}}})").errors),
        has_errors({"list_type @ x,batch"})
    );
}

TEST(Batch, HasAMostOfEntries) {
    std::string entries;
    for (int i = 0; i < 100'000; ++i) {
        entries += (i == 0 ? "" : ",") + (R"({"session":)" + std::to_string(i % 65536) + "}");
    }
    EXPECT_THAT(
        Json::parse(refused(batch_of("state", entries)).errors), has_errors({"too_long @ x,batch"})
    );
}

TEST(Batch, HasAFormer) {
    const std::string text =
        R"({"type":"state","x":{"batch":[],"former":{"min":2,"max":64,"within_s":0.5}}})";
    const Frame frame = accepted(text);
    ASSERT_TRUE(frame.extras.former);
    EXPECT_EQ(frame.extras.former->min, 2U);
    EXPECT_EQ(frame.extras.former->max, 64U);
    EXPECT_EQ(frame.extras.former->within_s, 0.5);
    struct Row {
        const char* former;
        const char* error;
    };
    for (const Row& row :
         {Row{R"({"min":0})", "value_error @ x,former,min"},
          Row{R"({"max":0})", "value_error @ x,former,max"},
          Row{R"({"max":1.5})", "value_error @ x,former,max"},
          Row{R"({"within_s":0})", "value_error @ x,former,within_s"},
          Row{R"({"min":3,"max":2})", "value_error @ x,former"},
          Row{R"({"most":2})", "extra_forbidden @ x,former,most"},
          Row{"7", "dict_type @ x,former"}}) {
        const std::string bad =
            R"({"type":"state","x":{"batch":[],"former":)" + std::string(row.former) + "}}";
        EXPECT_THAT(Json::parse(refused(bad).errors), has_errors({row.error})) << row.former;
    }
    EXPECT_THAT(
        Json::parse(refused(R"({"type":"state","x":{"former":{}}})").errors),
        has_errors({"value_error @ x"})
    );
}

TEST(ErrorFrame, NamesTheIdAndThePhaseOfATimeout) {
    FrameError error{FrameErrorCode::execution_error, "late"};
    error.id = "7";
    error.timeout = "queued";
    EXPECT_THAT(Json::parse(wire::error_frame(error)), equals_json(R"({
        "type":"error","data":{"message":"late","code":"EXECUTION_ERROR"},
        "x":{"id":7,"timeout":"queued"}})"));
    EXPECT_THAT(
        Json::parse(wire::capacity_frame(1, 1, "\"a\""))["x"], equals_json(R"({"id":"a"})")
    );
    EXPECT_THAT(Json::parse(wire::factory_frame("m", "f", "1"))["x"], equals_json(R"({"id":1})"));
}

}  // namespace
}  // namespace openenv
