#pragma once

#include <optional>
#include <string>

namespace openenv {
inline namespace v0 {

/// What `GET /metadata` tells of an environment.
struct EnvironmentMetadata {
    std::string name;
    std::string description;
    std::optional<std::string> readme_content;  ///< Markdown
    std::optional<std::string> version = "1.0.0";
    std::optional<std::string> author;
    std::optional<std::string> documentation_url;
};

}  // namespace v0
}  // namespace openenv
