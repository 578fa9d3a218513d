/// Compares with what pydantic made of the same inputs; see tests/golden/pydantic/record.py.

#include "unit/model/golden_fixtures.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace openenv {
namespace {

const Json& recorded() {
    static const Json all = [] {
        std::ifstream file(OPENENV_GOLDEN_DIR "/pydantic/recorded.json");
        std::stringstream text;
        text << file.rdbuf();
        return Json::parse(text.str());
    }();
    return all;
}

/// What our side makes of a case, in the recorder's form.
template <class T>
Json outcome(const std::string& text) {
    T value{};
    model::ValidationErrors errors;
    if (model::read(text, value, errors)) {
        return Json::object({{"text", text}, {"value", Json::parse(model::to_json(value))}});
    }
    return Json::object({{"text", text}, {"errors", Json::parse(errors.to_json())}});
}

template <class T>
void compare(std::string_view name) {
    const Json& entry = recorded()["models"][name];
    EXPECT_EQ(model::schema<T>(), entry["schema"]);
    EXPECT_GT(entry["cases"].size(), 8U);
    for (const Json& expected : entry["cases"].elements()) {
        const Json actual = outcome<T>(expected["text"].as_string());
        EXPECT_EQ(actual, expected)
            << "ours:   " << actual.dump() << "\nbut not " << expected.dump();
    }
}

TEST(Pydantic, MoveAction) {
    compare<fixtures::MoveAction>("MoveAction");
}
TEST(Pydantic, Numbers) {
    compare<fixtures::Numbers>("Numbers");
}
TEST(Pydantic, Texts) {
    compare<fixtures::Texts>("Texts");
}
TEST(Pydantic, Containers) {
    compare<fixtures::Containers>("Containers");
}
TEST(Pydantic, Unions) {
    compare<fixtures::Unions>("Unions");
}
TEST(Pydantic, Strict) {
    compare<fixtures::Strict>("Strict");
}
TEST(Pydantic, Holder) {
    compare<fixtures::Holder>("Holder");
}
TEST(Pydantic, Open) {
    compare<fixtures::Open>("Open");
}
TEST(Pydantic, Tree) {
    compare<fixtures::Tree>("Tree");
}
TEST(Pydantic, Checked) {
    compare<fixtures::Checked>("Checked");
}

}  // namespace
}  // namespace openenv
