#include "client/owed_answers.hpp"

#include "client/extras.hpp"

#include <openenv/wire/reply.hpp>

#include <algorithm>

namespace openenv {
inline namespace v0 {
namespace client {

bool OwedAnswers::add(std::uint64_t id) {
    if (ids_.size() == kMost) {
        return false;
    }
    ids_.push_back(id);
    return true;
}

bool OwedAnswers::take(std::string_view message) {
    const Result<wire::Reply> reply = wire::parse_reply(message);
    if (!reply) {
        return false;
    }
    const AnswerExtras extras = read_extras(reply->x);
    const auto found = extras.id ? std::find(ids_.begin(), ids_.end(), *extras.id) : ids_.end();
    if (found == ids_.end()) {
        return false;
    }
    ids_.erase(found);
    return true;
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
