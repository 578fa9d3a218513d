/// Any bytes as several structs: reading must end with a value or with errors that are JSON, and a
/// value that was read must be written as JSON.

#include "unit/model/golden_fixtures.hpp"

#include <openenv/base/utf8.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void require(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "%s\n", what);
        std::abort();
    }
}

void require_json(const std::string& text) {
    require(openenv::is_utf8(text), "what is written is not UTF-8");
    openenv::JsonReader reader(text);
    reader.skip();
    require(reader.finish(), "what is written is not JSON");
}

template <class T>
void read_as(const std::string& text) {
    T value{};
    openenv::model::ValidationErrors errors;
    if (openenv::model::read(text, value, errors)) {
        require(errors.empty(), "a good value has errors");
        require_json(openenv::model::to_json(value));
    } else {
        require(!errors.empty(), "a refused value has no errors");
        require_json(errors.to_json());
        require_json(errors.to_json(openenv::model::kBodyErrors));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(data, data + size);
    read_as<fixtures::MoveAction>(text);
    read_as<fixtures::Numbers>(text);
    read_as<fixtures::Texts>(text);
    read_as<fixtures::Containers>(text);
    read_as<fixtures::Unions>(text);
    read_as<fixtures::Open>(text);
    read_as<fixtures::Tree>(text);
    return 0;
}
