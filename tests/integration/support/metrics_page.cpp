#include "integration/support/metrics_page.hpp"

#include "support/http_request.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace openenv {
namespace test {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Takes a line apart from its front.
class LineReader {
public:
    explicit LineReader(std::string_view line) : line_(line), rest_(line) {}

    [[nodiscard]] bool at_end() const { return rest_.empty(); }
    [[nodiscard]] bool take(std::string_view text) {
        if (!rest_.starts_with(text)) {
            return false;
        }
        rest_.remove_prefix(text.size());
        return true;
    }
    void need(std::string_view text) {
        if (!take(text)) {
            fail("expected '" + std::string(text) + "'");
        }
    }
    /// [a-zA-Z_:][a-zA-Z0-9_:]*, a label's without the colons.
    [[nodiscard]] std::string name(bool with_colons) {
        std::string out;
        while (!rest_.empty()) {
            const char c = rest_.front();
            const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' ||
                                (with_colons && c == ':');
            const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
            if (!letter && !(digit && !out.empty())) {
                break;
            }
            out += c;
            rest_.remove_prefix(1);
        }
        if (out.empty()) {
            fail("expected a name");
        }
        return out;
    }
    /// The text in quotes, with only the three escapes that there are.
    [[nodiscard]] std::string quoted() {
        need("\"");
        std::string out;
        while (!take("\"")) {
            if (take("\\\\")) {
                out += '\\';
            } else if (take("\\\"")) {
                out += '"';
            } else if (take("\\n")) {
                out += '\n';
            } else if (rest_.empty() || rest_.front() == '\\') {
                fail("a bad escape, or no end of a text");
            } else {
                out += rest_.front();
                rest_.remove_prefix(1);
            }
        }
        return out;
    }
    [[nodiscard]] std::string_view all() { return std::exchange(rest_, {}); }
    [[noreturn]] void fail(const std::string& why) const {
        throw std::runtime_error(why + " in: " + std::string(line_));
    }

private:
    std::string_view line_;
    std::string_view rest_;
};

double number(const LineReader& line, std::string_view text) {
    if (text == "+Inf") {
        return kInfinity;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
        line.fail("not a number");
    }
    return value;
}

std::string without_suffix(const std::string& name, std::string_view suffix) {
    return name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : std::string();
}

}  // namespace

MetricsPage::MetricsPage(std::string_view text) {
    if (text.empty() || text.back() != '\n') {
        throw std::runtime_error("the last line has no end");
    }
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(line.size() + 1);
        if (line.starts_with('#')) {
            read_comment(line);
        } else {
            read_sample(line);
        }
    }
    for (const auto& [family, type] : types_) {
        EXPECT_EQ(type == "counter", family.ends_with("_total")) << family;
    }
    check_histograms();
}

MetricsPage MetricsPage::of(std::uint16_t port) {
    const HttpReply reply = http_get(port, "/metrics");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    return MetricsPage(reply.body);
}

void MetricsPage::read_comment(std::string_view text) {
    LineReader line(text);
    line.need("# ");
    if (line.take("HELP ")) {
        family_ = line.name(true);
        line.need(" ");
        const std::string help(line.all());
        EXPECT_FALSE(help.empty()) << family_;
        EXPECT_TRUE(helps_.emplace(family_, help).second) << "twice: " << family_;
        return;
    }
    line.need("TYPE ");
    const std::string name = line.name(true);
    EXPECT_EQ(name, family_) << "HELP and TYPE are not of the same family";
    line.need(" ");
    const std::string type(line.all());
    EXPECT_TRUE(type == "counter" || type == "gauge" || type == "histogram") << type;
    EXPECT_TRUE(types_.emplace(name, type).second) << "twice: " << name;
}

void MetricsPage::read_sample(std::string_view text) {
    LineReader line(text);
    const std::string name = line.name(true);
    check_family_of(name);
    Labels labels;
    if (line.take("{")) {
        do {
            const std::string label = line.name(false);
            line.need("=");
            EXPECT_TRUE(labels.emplace(label, line.quoted()).second) << "twice: " << text;
        } while (line.take(","));
        line.need("}");
    }
    line.need(" ");
    const double value = number(line, line.all());
    EXPECT_GE(value, 0) << text;
    EXPECT_TRUE(samples_[name].emplace(labels, value).second) << "twice: " << text;
    if (const auto end = labels.find("le"); end != labels.end()) {
        const double bound = number(line, end->second);
        labels.erase(end);
        std::map<double, double>& buckets = buckets_[family_][labels];
        if (!buckets.empty()) {
            EXPECT_GT(bound, buckets.rbegin()->first) << "buckets out of order: " << text;
            EXPECT_GE(value, buckets.rbegin()->second) << "not cumulative: " << text;
        }
        buckets.emplace(bound, value);
    }
}

void MetricsPage::check_family_of(const std::string& name) const {
    const std::string type = this->type(family_);
    if (type != "histogram") {
        EXPECT_EQ(name, family_);
        EXPECT_FALSE(type.empty()) << name << " has no TYPE";
        return;
    }
    EXPECT_TRUE(
        without_suffix(name, "_bucket") == family_ || without_suffix(name, "_sum") == family_ ||
        without_suffix(name, "_count") == family_
    ) << name;
}

void MetricsPage::check_histograms() const {
    for (const auto& [family, type] : types_) {
        if (type != "histogram") {
            EXPECT_TRUE(samples_.contains(family)) << "no sample of " << family;
            continue;
        }
        ASSERT_TRUE(buckets_.contains(family)) << "no buckets of " << family;
        for (const auto& [labels, buckets] : buckets_.at(family)) {
            EXPECT_EQ(buckets.rbegin()->first, kInfinity) << family;
            EXPECT_EQ(buckets.rbegin()->second, value(family + "_count", labels)) << family;
            EXPECT_TRUE(has(family + "_sum", labels)) << family;
        }
    }
}

bool MetricsPage::has(const std::string& name, const Labels& labels) const {
    const auto found = samples_.find(name);
    return found != samples_.end() && found->second.contains(labels);
}

double MetricsPage::value(const std::string& name, const Labels& labels) const {
    if (!has(name, labels)) {
        throw std::runtime_error("no such sample: " + name);
    }
    return samples_.at(name).at(labels);
}

std::string MetricsPage::type(const std::string& family) const {
    const auto found = types_.find(family);
    return found == types_.end() ? std::string() : found->second;
}

}  // namespace test
}  // namespace openenv
