#include <openenv/base/json_members.hpp>
#include <openenv/base/json_reader.hpp>

#include <optional>

namespace openenv {
inline namespace v0 {

std::string_view raw_member(std::string_view object, std::string_view key) {
    std::string_view found;
    JsonReader reader(object);
    reader.enter_object();
    while (const std::optional<std::string_view> name = reader.next_key()) {
        const bool wanted = *name == key;
        const std::string_view value = reader.skip();
        if (wanted) {
            found = value;
        }
    }
    return reader.ok() ? found : std::string_view();
}

}  // namespace v0
}  // namespace openenv
