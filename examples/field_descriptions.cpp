/// Every way to describe a field, for docs/models.md. Reads an order with mistakes in it, prints
/// what is wrong, then a correct one as JSON, then the schema.

#include <openenv/model/model.hpp>

#include <array>
#include <cstdio>
#include <exception>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace {

// [enum]
enum class Size { small, large };
constexpr auto enum_names(Size) {
    return openenv::names<Size>({{Size::small, "small"}, {Size::large, "large"}});
}
// [/enum]

// [nested]
struct Topping {
    std::string name;
    int grams = 20;

    static constexpr auto fields = openenv::fields(
        openenv::field("name", &Topping::name).length(1, 40),
        openenv::field("grams", &Topping::grams).ge(1).or_default()
    );
};
// [/nested]

// [union]
struct Pickup {
    openenv::Literal<"pickup"> how;
    std::string name;

    static constexpr auto fields =
        openenv::fields(openenv::field("how", &Pickup::how), openenv::field("name", &Pickup::name));
};

struct Delivery {
    openenv::Literal<"delivery"> how;
    std::string street;

    static constexpr auto fields = openenv::fields(
        openenv::field("how", &Delivery::how), openenv::field("street", &Delivery::street)
    );
};
// [/union]

// [check]
std::optional<std::string> no_swearing(const std::string& text) {
    if (text.find("darn") != std::string::npos) {
        return "mind your language";
    }
    return std::nullopt;
}
// [/check]

// [order]
struct Order {
    std::string dish;
    Size size = Size::small;
    int count = 1;
    double tip = 0.0;
    std::string sauce = "none";
    std::optional<std::string> note;
    std::vector<Topping> toppings;
    std::array<double, 2> where = {0, 0};
    std::map<std::string, int> extras;
    std::variant<Pickup, Delivery> how;
    openenv::Bytes photo;
    openenv::Json anything;

    static constexpr auto extra_fields = openenv::ExtraFields::forbid;
    static constexpr std::string_view description = "What a guest wants.";
    static constexpr auto fields = openenv::fields(
        openenv::field("dish", &Order::dish).describe("In lower case").pattern("^[a-z ]+$"),
        openenv::field("size", &Order::size).or_default(),
        openenv::field("count", &Order::count).ge(1).le(10).or_default(),
        openenv::field("tip", &Order::tip).ge(0).multiple_of(0.5).or_default(),
        openenv::field("sauce", &Order::sauce).choices("none", "mild", "hot").or_default(),
        openenv::field("note", &Order::note).max_length(80),
        openenv::field("toppings", &Order::toppings).max_length(5).or_default(),
        openenv::field("where", &Order::where).or_default(),
        openenv::field("extras", &Order::extras).or_hidden_default(),
        openenv::field("how", &Order::how),
        openenv::field("photo", &Order::photo).or_hidden_default(),
        openenv::field("anything", &Order::anything).or_default()
    );
};
// [/order]

// [whole]
struct Booking {
    int from = 0;
    int to = 0;

    static void check(const Booking& booking) {
        if (booking.from > booking.to) {
            throw std::invalid_argument("a table is left after it is taken");
        }
    }
    static constexpr auto fields =
        openenv::fields(openenv::field("from", &Booking::from), openenv::field("to", &Booking::to));
};
// [/whole]

struct Complaint {
    std::string text;

    // [checked]
    static constexpr auto fields =
        openenv::fields(openenv::field("text", &Complaint::text).check(no_swearing));
    // [/checked]
};

template <class T>
void show(std::string_view text) {
    // [read]
    T value;
    openenv::model::ValidationErrors errors;
    if (openenv::model::read(text, value, errors)) {
        std::puts(openenv::model::to_json(value).c_str());
    } else {
        std::puts(errors.to_json().c_str());
    }
    // [/read]
}

}  // namespace

int main() {
    try {
        show<Order>(R"({"dish":"Soup","count":"11","sauce":"cold","how":{"how":"mail"},"tipp":1})");
        show<Order>(R"({"dish":"soup","count":"2","how":{"how":"pickup","name":"Ada"}})");
        show<Complaint>(R"({"text":"darn soup"})");
        show<Booking>(R"({"from":20,"to":19})");
        std::puts(openenv::model::schema<Order>().dump().c_str());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
