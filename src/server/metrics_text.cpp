#include "server/metrics_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

std::string_view name_of(MetricsText::Type type) {
    switch (type) {
        case MetricsText::Type::counter:
            return "counter";
        case MetricsText::Type::gauge:
            return "gauge";
        case MetricsText::Type::histogram:
            return "histogram";
    }
    return "untyped";
}

void append_escaped(std::string& out, std::string_view text, bool with_quotes) {
    for (const char c : text) {
        if (c == '\n') {
            out += "\\n";
        } else if (c == '\\' || (c == '"' && with_quotes)) {
            out += '\\';
            out += c;
        } else {
            out += c;
        }
    }
}

template <class Number>
void append_number(std::string& out, Number value) {
    std::array<char, 32> digits;
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    out.append(digits.data(), end);
}

double seconds(std::chrono::nanoseconds duration) {
    return std::chrono::duration<double>(duration).count();
}

}  // namespace

void MetricsText::family(std::string_view name, Type type, std::string_view help) {
    name_ = name;
    out_ += "# HELP ";
    out_ += name;
    out_ += ' ';
    append_escaped(out_, help, false);
    out_ += "\n# TYPE ";
    out_ += name;
    out_ += ' ';
    out_ += server::name_of(type);
    out_ += '\n';
}

/// `end` is the bucket's, in a label of its own.
void MetricsText::begin_sample(std::string_view suffix, Labels labels, std::string_view end) {
    out_ += name_;
    out_ += suffix;
    char separator = '{';
    const auto append_label = [&](std::string_view key, std::string_view value) {
        out_ += separator;
        separator = ',';
        out_ += key;
        out_ += "=\"";
        append_escaped(out_, value, true);
        out_ += '"';
    };
    for (const auto& [key, value] : labels) {
        append_label(key, value);
    }
    if (!end.empty()) {
        append_label("le", end);
    }
    out_ += separator == ',' ? "} " : " ";
}

void MetricsText::sample(std::uint64_t value, Labels labels) {
    begin_sample("", labels);
    append_number(out_, value);
    out_ += '\n';
}

void MetricsText::sample(double value, Labels labels) {
    begin_sample("", labels);
    append_number(out_, value);
    out_ += '\n';
}

void MetricsText::sample(const HistogramTotal& total, Labels labels) {
    std::uint64_t so_far = 0;
    for (std::size_t i = 0; i != total.buckets.size(); ++i) {
        so_far += total.buckets[i];
        std::string end;
        if (i + 1 == total.buckets.size()) {
            end = "+Inf";
        } else {
            append_number(end, seconds(DurationHistogram::end_of(i)));
        }
        begin_sample("_bucket", labels, end);
        append_number(out_, so_far);
        out_ += '\n';
    }
    begin_sample("_sum", labels);
    append_number(out_, seconds(total.sum));
    out_ += '\n';
    begin_sample("_count", labels);
    append_number(out_, so_far);
    out_ += '\n';
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
