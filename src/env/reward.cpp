#include <openenv/env/reward.hpp>
#include <openenv/env/types.hpp>

#include <type_traits>

namespace openenv {
inline namespace v0 {

double Reward::as_number() const noexcept {
    return std::visit(
        [](auto held) -> double {
            if constexpr (std::is_same_v<decltype(held), std::monostate>) {
                return 0.0;
            } else {
                return static_cast<double>(held);
            }
        },
        value_
    );
}

namespace model {

bool ValueTraits<Reward>::read(ReadContext& context, Reward& out, const Constraints&) {
    JsonReader& reader = context.reader();
    switch (reader.peek()) {
        case JsonToken::null:
            out = Reward();
            return reader.read_null();
        case JsonToken::boolean:
            out = reader.read_bool();
            return reader.ok();
        case JsonToken::number: {
            const JsonNumber number = reader.read_number();
            if (number.kind == JsonNumber::Kind::int64) {
                out = number.int64;
            } else {
                out = number.real;
            }
            return reader.ok();
        }
        default:
            return context.fail_next("float_type", "Input should be a valid number");
    }
}

void ValueTraits<Reward>::write(JsonWriter& writer, const Reward& value) {
    std::visit(
        [&writer](auto held) {
            using Held = decltype(held);
            if constexpr (std::is_same_v<Held, bool>) {
                writer.boolean(held);
            } else if constexpr (std::is_same_v<Held, std::int64_t>) {
                writer.integer(held);
            } else if constexpr (std::is_same_v<Held, double>) {
                writer.number(held);
            } else {
                writer.null();
            }
        },
        value.value()
    );
}

Json ValueTraits<Reward>::describe(SchemaBuilder&, const Constraints&) {
    const auto type = [](const char* name) { return Json::object({{"type", name}}); };
    Json members = Json::array({type("boolean"), type("integer"), type("number"), type("null")});
    return Json::object({{"anyOf", std::move(members)}});
}

}  // namespace model

}  // namespace v0
}  // namespace openenv
