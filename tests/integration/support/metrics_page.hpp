#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace openenv {
namespace test {

/// The body of GET /metrics, read as strictly as the format is written down (Prometheus text
/// exposition 0.0.4). Whatever is not allowed in it fails the test.
class MetricsPage {
public:
    using Labels = std::map<std::string, std::string>;

    explicit MetricsPage(std::string_view text);
    /// Fetches it; also checks status and content type.
    [[nodiscard]] static MetricsPage of(std::uint16_t port);

    /// The value of one sample. Errors: throws when there is none.
    [[nodiscard]] double value(const std::string& name, const Labels& labels = {}) const;
    [[nodiscard]] bool has(const std::string& name, const Labels& labels = {}) const;
    /// The type of a family; empty when there is none.
    [[nodiscard]] std::string type(const std::string& family) const;

private:
    void read_comment(std::string_view line);
    void read_sample(std::string_view line);
    void check_family_of(const std::string& name) const;
    void check_histograms() const;

    std::string family_;  // the one that is being read
    std::map<std::string, std::string> types_;
    std::map<std::string, std::string> helps_;
    std::map<std::string, std::map<Labels, double>> samples_;
    std::map<std::string, std::map<Labels, std::map<double, double>>> buckets_;
};

}  // namespace test
}  // namespace openenv
