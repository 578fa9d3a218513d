#pragma once

#include <openenv/base/json.hpp>
#include <openenv/client/step_result.hpp>

#include <string>

namespace cli {

using StepResult = openenv::StepResult<openenv::Json>;

/// One line of JSON: observation, reward, done, and metadata where the server sent some. Safe to
/// print.
[[nodiscard]] std::string result_line(const StepResult& result);

/// {"state": ...} in one line.
[[nodiscard]] std::string state_line(const openenv::Json& state);

/// For people: the observation member by member, without metadata, then reward and done. Safe to
/// print: nothing in it can pass for a line of ours.
[[nodiscard]] std::string describe_result(const StepResult& result);

/// An object for people, each line behind `indent`: short values as JSON, the lines of texts as
/// lines, long arrays and objects part by part.
[[nodiscard]] std::string describe_object(const openenv::Json& object, const std::string& indent);

}  // namespace cli
