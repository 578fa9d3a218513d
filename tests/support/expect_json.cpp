#include "support/expect_json.hpp"

#include <memory>
#include <utility>

namespace openenv {
namespace test {

namespace {

/// Values longer than that are cut in explanations.
constexpr std::size_t kShownBytes = 400;

std::string shown(const Json& value) {
    std::string text = value.dump();
    if (text.size() > kShownBytes) {
        text.resize(kShownBytes);
        text += "...";
    }
    return text;
}

enum class MoreMembers { differ, allowed };

/// Adds a line to `lines` for every place where `got` is not what was expected.
void compare(
    const Json& got,
    const Json& expected,
    MoreMembers more,
    const std::string& place,
    std::vector<std::string>& lines
) {
    if (got.kind() != expected.kind() || (!got.is_object() && !got.is_array())) {
        if (!(got == expected)) {
            lines.push_back(place + " is " + shown(got) + " instead of " + shown(expected));
        }
        return;
    }
    if (expected.is_array()) {
        if (got.size() != expected.size()) {
            lines.push_back(
                place + " has " + std::to_string(got.size()) + " elements instead of " +
                std::to_string(expected.size()) + ": " + shown(got)
            );
            return;
        }
        for (std::size_t i = 0; i != expected.size(); ++i) {
            compare(got[i], expected[i], more, place + "[" + std::to_string(i) + "]", lines);
        }
        return;
    }
    for (const Json::Member& member : expected.items()) {
        if (const Json* found = got.find(member.key)) {
            compare(*found, member.value, more, place + "." + member.key, lines);
        } else {
            lines.push_back(place + "." + member.key + " is missing");
        }
    }
    for (const Json::Member& member : got.items()) {
        if (more == MoreMembers::differ && !expected.contains(member.key)) {
            lines.push_back(place + "." + member.key + " is too much: " + shown(member.value));
        }
    }
}

class JsonMatcher final : public testing::MatcherInterface<const Json&> {
public:
    JsonMatcher(std::string_view expected, MoreMembers more)
        : expected_(Json::parse(expected)), more_(more) {}

    bool MatchAndExplain(const Json& got, testing::MatchResultListener* listener) const override {
        std::vector<std::string> lines;
        compare(got, expected_, more_, "$", lines);
        for (const std::string& line : lines) {
            *listener << "\n  " << line;
        }
        return lines.empty();
    }

    void DescribeTo(std::ostream* out) const override {
        *out << (more_ == MoreMembers::differ ? "equals " : "contains ") << expected_.dump();
    }

private:
    Json expected_;
    MoreMembers more_;
};

/// "type @ a,0,b" of one validation error.
std::string brief(const Json& error) {
    const Json* type = error.find("type");
    const Json* loc = error.find("loc");
    if (type == nullptr || !type->is_string() || loc == nullptr || !loc->is_array()) {
        return "not a validation error: " + shown(error);
    }
    std::string line = type->as_string() + " @";
    for (std::size_t i = 0; i != loc->size(); ++i) {
        const Json& part = (*loc)[i];
        line += i == 0 ? " " : ",";
        line += part.is_string() ? part.as_string() : part.dump();
    }
    return line;
}

class ErrorsMatcher final : public testing::MatcherInterface<const Json&> {
public:
    explicit ErrorsMatcher(std::vector<std::string> expected) : expected_(std::move(expected)) {}

    bool MatchAndExplain(const Json& got, testing::MatchResultListener* listener) const override {
        if (!got.is_array()) {
            *listener << "which is no array";
            return false;
        }
        std::vector<std::string> lines;
        for (const Json& error : got.elements()) {
            lines.push_back(brief(error));
        }
        if (lines != expected_) {
            *listener << "which says";
            for (const std::string& line : lines) {
                *listener << "\n  " << line;
            }
        }
        return lines == expected_;
    }

    void DescribeTo(std::ostream* out) const override {
        *out << "has exactly these errors:";
        for (const std::string& line : expected_) {
            *out << "\n  " << line;
        }
    }

private:
    std::vector<std::string> expected_;
};

/// Applies a matcher to what is found at a path of keys.
class MemberMatcher final : public testing::MatcherInterface<const Json&> {
public:
    MemberMatcher(std::vector<std::string> path, testing::Matcher<const Json&> inner)
        : path_(std::move(path)), inner_(std::move(inner)) {}

    bool MatchAndExplain(const Json& got, testing::MatchResultListener* listener) const override {
        const Json* value = &got;
        for (const std::string& key : path_) {
            value = value->find(key);
            if (value == nullptr) {
                *listener << "which has no " << key;
                return false;
            }
        }
        return inner_.MatchAndExplain(*value, listener);
    }

    void DescribeTo(std::ostream* out) const override {
        for (const std::string& key : path_) {
            *out << "." << key;
        }
        *out << " ";
        inner_.DescribeTo(out);
    }

private:
    std::vector<std::string> path_;
    testing::Matcher<const Json&> inner_;
};

testing::Matcher<const Json&> member(
    std::vector<std::string> path, testing::Matcher<const Json&> inner
) {
    return testing::Matcher<const Json&>(new MemberMatcher(std::move(path), std::move(inner)));
}

}  // namespace

testing::Matcher<const Json&> equals_json(std::string_view expected) {
    return testing::Matcher<const Json&>(new JsonMatcher(expected, MoreMembers::differ));
}

testing::Matcher<const Json&> contains_json(std::string_view expected) {
    return testing::Matcher<const Json&>(new JsonMatcher(expected, MoreMembers::allowed));
}

testing::Matcher<const Json&> has_errors(std::vector<std::string> expected) {
    return testing::Matcher<const Json&>(new ErrorsMatcher(std::move(expected)));
}

testing::Matcher<const Json&> is_validation_error(std::vector<std::string> expected) {
    return testing::AllOf(
        contains_json(
            R"({"type":"error","data":{"message":"Invalid message","code":"VALIDATION_ERROR"}})"
        ),
        member({"data", "errors"}, has_errors(std::move(expected)))
    );
}

testing::Matcher<const Json&> is_error(std::string_view code) {
    Json frame = Json::object({{"type", "error"}, {"data", Json::object({{"code", code}})}});
    return contains_json(frame.dump());
}

}  // namespace test
}  // namespace openenv
