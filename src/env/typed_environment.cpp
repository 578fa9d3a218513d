#include <openenv/env/typed_environment.hpp>

#include <cmath>

namespace openenv {
inline namespace v0 {

const char* name_of(Execution policy) noexcept {
    switch (policy) {
        case Execution::pooled:
            return "pooled";
        case Execution::pinned:
            return "pinned";
        case Execution::single_thread:
            return "single_thread";
        case Execution::inline_fast:
            return "inline_fast";
        case Execution::awaitable:
            return "awaitable";
    }
    return "unknown";
}

namespace detail {

CallOutcome failed(std::string& out, std::size_t start, std::string_view text) {
    out.resize(start);
    out += text;
    return CallOutcome::failed;
}

ResultWriter::ResultWriter(std::string& out, const Observation& observation)
    : out_(out), observation_(observation), writer_(out) {
    writer_.begin_object();
    writer_.ready_key(R"(,"observation":)");
    writer_.begin_object();
    writer_.ready_key(R"(,"metadata":)");
    metadata_at_ = out.size();
    writer_.json(observation.metadata);
    metadata_size_ = out.size() - metadata_at_;
}

void ResultWriter::finish(ResultForm form) {
    writer_.end_object();
    writer_.ready_key(R"(,"reward":)");
    const Reward& reward = observation_.reward;
    if (form == ResultForm::http && !reward.is_null()) {
        writer_.number(reward.as_number());
    } else {
        model::write(writer_, reward);
    }
    writer_.ready_key(R"(,"done":)");
    writer_.boolean(observation_.done);
    if (!observation_.metadata.empty()) {
        writer_.ready_key(R"(,"metadata":)");
        writer_.raw(std::string_view(out_).substr(metadata_at_, metadata_size_));
    } else if (form == ResultForm::http) {
        writer_.ready_key(R"(,"metadata":)");
        writer_.null();
    }
    writer_.end_object();
}

bool is_non_finite(const Reward& reward) noexcept {
    return !std::isfinite(reward.as_number());
}

}  // namespace detail
}  // namespace v0
}  // namespace openenv
