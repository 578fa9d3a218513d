/// Descriptions of structs that must not compile, one for each MISTAKE_... that the tests define;
/// without any, the file compiles. CMakeLists.txt says what the compiler must say.

#include <openenv/model/model.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using openenv::field;
using openenv::fields;

enum class Nameless { one };
enum class Color { red, blue };
constexpr auto enum_names(Color) {
#if defined(MISTAKE_ENUM_NAME_TWICE)
    return openenv::names<Color>({{Color::red, "red"}, {Color::blue, "red"}});
#else
    return openenv::names<Color>({{Color::red, "red"}, {Color::blue, "blue"}});
#endif
}

struct Undescribed {
    int x = 0;
};

struct Base {
    int inherited = 0;
    static constexpr auto fields = openenv::fields(field("inherited", &Base::inherited));
};

/// Inherits from Subject's base by way of another struct.
struct Middle : Base {
    int middle = 0;
    static constexpr auto fields =
        openenv::fields(openenv::inherit<Base>(), field("middle", &Middle::middle));
};

#if defined(MISTAKE_FORGOTTEN_INHERIT)
struct Leaf : Base {
    int leaf = 0;
    static constexpr auto fields = openenv::fields(field("leaf", &Leaf::leaf));
};
#elif defined(MISTAKE_FORGOTTEN_SECOND_BASE)
struct Other {
    std::string other;
    static constexpr auto fields = openenv::fields(field("other", &Other::other));
};
struct Leaf : Base, Other {
    int leaf = 0;
    static constexpr auto fields =
        openenv::fields(openenv::inherit<Base>(), field("leaf", &Leaf::leaf));
};
#elif defined(MISTAKE_FORGOTTEN_MIDDLE)
struct Leaf : Middle {
    int leaf = 0;
    static constexpr auto fields =
        openenv::fields(openenv::inherit<Base>(), field("leaf", &Leaf::leaf));
};
#elif defined(MISTAKE_NO_FIELDS_LISTED)
struct Leaf {
    static constexpr auto fields = openenv::fields();
};
#elif defined(MISTAKE_BOUND_BEYOND_INT64)
struct Leaf {
    std::uint64_t leaf = 0;
    static constexpr auto fields =
        openenv::fields(field("leaf", &Leaf::leaf).le(std::uint64_t{1} << 63U));
};
#elif defined(MISTAKE_CHOICE_BEYOND_INT64)
struct Leaf {
    std::uint64_t leaf = 0;
    static constexpr auto fields =
        openenv::fields(field("leaf", &Leaf::leaf).choices(1, std::uint64_t{1} << 63U));
};
#else
struct Leaf : Middle {
    int leaf = 0;

    #if defined(MISTAKE_CHECK_OF_STRUCT_RETURNS_POINTER)
    static const char* check(const Leaf&) { return nullptr; }
    #elif defined(MISTAKE_CHECK_OF_STRUCT_NOT_STATIC)
    std::optional<std::string> check() const { return std::nullopt; }
    #elif defined(MISTAKE_CHECK_OF_STRUCT_TAKES_FIELD)
    static std::optional<std::string> check(int) { return std::nullopt; }
    #else
    static std::optional<std::string> check(const Leaf&) { return std::nullopt; }
    #endif
    static constexpr auto fields = openenv::fields(
        openenv::inherit<Middle>(),
    #if defined(MISTAKE_CHECK_RETURNS_POINTER)
        field("leaf", &Leaf::leaf).check([](int) -> const char* { return nullptr; })
    #else
        field("leaf", &Leaf::leaf).le(9223372036854775807U)
    #endif
    );
};
#endif

/// Its members have the names by which a struct also tells about itself.
struct Product {
    std::string description;
    std::string schema_title;
    bool check = false;
    static constexpr auto fields = openenv::fields(
        field("description", &Product::description),
        field("schema_title", &Product::schema_title),
        field("check", &Product::check)
    );
};

struct Subject : Base {
    int number = 0;
    std::string text;
    std::vector<int> list;
    std::optional<std::string> maybe;
    std::map<std::string, int> table;
    Color color = Color::red;
    openenv::Json anything;
#if defined(MISTAKE_MISSING_MEMBER)
    bool forgotten = false;
#endif
#if defined(MISTAKE_C_ARRAY)
    int cells[3] = {};
#endif
#if defined(MISTAKE_POINTER)
    int* pointer = nullptr;
#endif
#if defined(MISTAKE_STRUCT_WITHOUT_FIELDS)
    std::vector<Undescribed> others;
#endif
#if defined(MISTAKE_ENUM_WITHOUT_NAMES)
    Nameless nameless = Nameless::one;
#endif
#if defined(MISTAKE_MAP_WITH_INTEGER_KEYS)
    std::map<int, int> by_number;
#endif
#if defined(MISTAKE_SAME_MEMBER)
    int second = 0;
#endif
#if defined(MISTAKE_ALLOW_WITHOUT_MEMBER)
    static constexpr auto extra_fields = openenv::ExtraFields::allow;
#endif

#if !defined(MISTAKE_INHERITED_FIELDS)
    static constexpr auto fields = openenv::fields(
        openenv::inherit<Base>(),
    #if defined(MISTAKE_C_ARRAY)
        field("cells", &Subject::cells),
    #endif
    #if defined(MISTAKE_POINTER)
        field("pointer", &Subject::pointer),
    #endif
    #if defined(MISTAKE_STRUCT_WITHOUT_FIELDS)
        field("others", &Subject::others),
    #endif
    #if defined(MISTAKE_ENUM_WITHOUT_NAMES)
        field("nameless", &Subject::nameless),
    #endif
    #if defined(MISTAKE_MAP_WITH_INTEGER_KEYS)
        field("by_number", &Subject::by_number),
    #endif
    #if defined(MISTAKE_SAME_MEMBER)
        field("second", &Subject::number),
    #endif
    #if defined(MISTAKE_BOUND_ON_TEXT)
        field("text", &Subject::text).ge(1),
    #elif defined(MISTAKE_CHOICES_OF_ANOTHER_KIND)
        field("text", &Subject::text).choices(1, 2),
    #elif defined(MISTAKE_NAME_TWICE)
        field("number", &Subject::text),
    #elif defined(MISTAKE_NAME_OF_THE_BASE)
        field("inherited", &Subject::text),
    #else
        field("text", &Subject::text).length(1, 5).pattern("^a").choices("ab", "ac"),
    #endif
    #if defined(MISTAKE_LENGTH_ON_NUMBER)
        field("number", &Subject::number).length(1, 2),
    #elif defined(MISTAKE_PATTERN_ON_NUMBER)
        field("number", &Subject::number).pattern("a"),
    #elif defined(MISTAKE_FRACTION_ON_INTEGER)
        field("number", &Subject::number).ge(0.5),
    #elif defined(MISTAKE_CHECK_OF_ANOTHER_TYPE)
        field("number", &Subject::number).check([](const std::string&){}),
    #elif defined(MISTAKE_OBJECT_ON_NUMBER)
        field("number", &Subject::number).object(),
    #else
        field("number", &Subject::number).ge(0).check([](int){}),
    #endif
        field("list", &Subject::list).length(0, 5),
        field("maybe", &Subject::maybe).length(0, 5),
        field("table", &Subject::table),
        field("anything", &Subject::anything).object(),
    #if defined(MISTAKE_CHOICES_ON_ENUM)
        field("color", &Subject::color).choices("red")
    #else
        field("color", &Subject::color)
    #endif
    );
#endif
};

template <class T>
bool reads(std::string_view text) {
    T value;
    openenv::model::ValidationErrors errors;
    return openenv::model::read(text, value, errors);
}

bool read_all(std::string_view text) {
    return reads<Subject>(text) && reads<Leaf>(text) && reads<Product>(text);
}
