#pragma once

#include <openenv/base/json.hpp>

#include <gmock/gmock.h>

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace openenv {
inline namespace v0 {

/// How GoogleTest shows a value.
inline void PrintTo(const Json& value, std::ostream* out) {
    *out << value.dump();
}

}  // namespace v0

namespace test {

// Matchers of parsed JSON. `expected` is JSON text, blanks and line breaks as you like; what does
// not fit is told place by place.
//   EXPECT_THAT(reply.json(), equals_json(R"({"status":"healthy"})"));

/// Equal, with 1 and 1.0 kept apart; the order of an object's keys does not count.
[[nodiscard]] testing::Matcher<const Json&> equals_json(std::string_view expected);

/// As equals_json, but objects may have more members than expected, at every depth.
[[nodiscard]] testing::Matcher<const Json&> contains_json(std::string_view expected);

/// An array of validation errors in exactly this order, each as "type @ loc", where the parts of
/// the location are joined by commas: "int_parsing @ table,a"; "dict_type @" for an empty one.
[[nodiscard]] testing::Matcher<const Json&> has_errors(std::vector<std::string> expected);

/// The error frame of a message that did not fit, with exactly these errors.
[[nodiscard]] testing::Matcher<const Json&> is_validation_error(std::vector<std::string> expected);

/// An error frame with that code, whatever it says.
[[nodiscard]] testing::Matcher<const Json&> is_error(std::string_view code);

}  // namespace test
}  // namespace openenv
