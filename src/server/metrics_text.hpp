#pragma once

#include "server/counters.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

/// Histograms of several threads, added up.
struct HistogramTotal {
    std::array<std::uint64_t, DurationHistogram::kBuckets> buckets{};
    std::chrono::nanoseconds sum{};

    void add(const DurationHistogram& histogram) noexcept {
        for (std::size_t i = 0; i != buckets.size(); ++i) {
            buckets[i] += histogram.in_bucket(i);
        }
        sum += histogram.sum();
    }
};

/// Appends metrics to a text in the format that Prometheus reads (text exposition, 0.0.4): a
/// family, then its samples. Lifetime: the text outlives the writer.
class MetricsText {
public:
    static constexpr const char* kContentType = "text/plain; version=0.0.4; charset=utf-8";

    using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;
    enum class Type { counter, gauge, histogram };

    explicit MetricsText(std::string& out) noexcept : out_(out) {}

    /// `name` is kept until the next family begins.
    void family(std::string_view name, Type type, std::string_view help);
    void sample(std::uint64_t value, Labels labels = {});
    void sample(double value, Labels labels = {});
    void sample(const HistogramTotal& total, Labels labels = {});

private:
    void begin_sample(std::string_view suffix, Labels labels, std::string_view end = {});

    std::string& out_;
    std::string_view name_;
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
