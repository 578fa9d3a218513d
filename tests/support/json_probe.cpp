/// Reads JSON texts from standard input and says what our reader makes of each; the other side of
/// tests/interop/json_differential.py.
///
/// Input: for each text its size in decimal, a newline, and its bytes. Output: one line for each,
/// "ok <value as JSON>", or "error <offset in code points> <message>".

#include <openenv/base/json.hpp>
#include <openenv/base/json_reader.hpp>

#include <cmath>
#include <iostream>
#include <string>

namespace {

/// Prints a value so that nothing is lost: numbers that are not finite keep their Python names, and
/// all text is ASCII.
void print(std::ostream& out, const openenv::Json& value);

void print_text(std::ostream& out, const std::string& text) {
    // Bytes rather than characters: the other side compares what it encodes the same way.
    out << '"' << std::hex;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        out << (byte < 16 ? "0" : "") << static_cast<unsigned>(byte);
    }
    out << std::dec << '"';
}

void print(std::ostream& out, const openenv::Json& value) {
    if (value.is_number() && !std::isfinite(value.as_double())) {
        const double number = value.as_double();
        out << (std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity");
    } else if (value.is_string()) {
        print_text(out, value.as_string());
    } else if (value.is_array()) {
        out << '[';
        const char* separator = "";
        for (const openenv::Json& element : value.elements()) {
            out << separator;
            print(out, element);
            separator = ",";
        }
        out << ']';
    } else if (value.is_object()) {
        out << '{';
        const char* separator = "";
        for (const auto& [key, member] : value.items()) {
            out << separator;
            print_text(out, key);
            out << ':';
            print(out, member);
            separator = ",";
        }
        out << '}';
    } else {
        out << value.dump();
    }
}

/// Reads the text twice, by value and by passing over it; both must agree.
void probe(std::ostream& out, const std::string& text) {
    openenv::JsonReader reader(text);
    const openenv::Json value = openenv::Json::read(reader);
    reader.finish();
    const std::string printed = value.dump();
    openenv::JsonReader again(printed);
    again.skip();
    openenv::JsonReader passing(text);
    passing.skip();
    passing.finish();
    if (reader.error_text() != passing.error_text()) {
        out << "disagree " << reader.error_text() << " / " << passing.error_text() << '\n';
    } else if (!reader.ok()) {
        out << "error " << reader.error_char() << ' ' << reader.error_text() << '\n';
    } else if (!again.finish()) {
        out << "unreadable " << printed << '\n';
    } else {
        out << "ok ";
        print(out, value);
        out << '\n';
    }
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    std::string size;
    while (std::getline(std::cin, size)) {
        std::string text(std::stoul(size), '\0');
        std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
        probe(std::cout, text);
    }
    return 0;
}
