#include "bench/link.hpp"

#include "bench/messages.hpp"

#include <algorithm>

namespace openenv::bench {

CommonFrames::CommonFrames(const Plan& plan)
    : reset(message_frame("reset", plan.reset)), close(close_frame()) {
    for (const std::string& action : plan.actions) {
        steps.push_back(message_frame("step", action));
    }
    if (plan.batch && plan.actions.size() == 1) {
        std::vector<BatchEntry> entries;
        for (std::size_t session = 0; session < *plan.batch; ++session) {
            entries.push_back({session, plan.actions[0]});
        }
        batch_step = batch_frame("step", entries);
        batch_size = *plan.batch;
    }
}

std::size_t Link::alive() const {
    const auto count = std::count_if(members.begin(), members.end(), [](const Member& member) {
        return member.alive;
    });
    return static_cast<std::size_t>(count);
}

bool Link::waits() const {
    return stage == Stage::opening || stage == Stage::resetting || stage == Stage::stepping ||
           stage == Stage::closing;
}

const char* Link::stage_text() const {
    switch (stage) {
        case Stage::opening:
            return connection.stage_text();
        case Stage::resetting:
            return "resetting";
        case Stage::stepping:
            return "stepping";
        case Stage::closing:
        case Stage::parting:
            return "closing";
        case Stage::unused:
        case Stage::ready:
        case Stage::ended:
            break;
    }
    return "doing nothing";
}

void Link::ask(Member& member) {
    member.asked = true;
    ++asked;
}

void Link::send_reset(const Plan& plan, const CommonFrames& frames, Clock::time_point now) {
    stage = Stage::resetting;
    asked_at = now;
    const bool some = std::any_of(members.begin(), members.end(), [](const Member& member) {
        return member.alive && member.done;
    });
    std::vector<BatchEntry> entries;
    for (std::size_t number = 0; number < members.size(); ++number) {
        Member& member = members[number];
        if (member.alive && (member.done || !some)) {
            ask(member);
            member.done = false;
            member.actions = 0;
            entries.push_back({number, plan.reset});
        }
    }
    connection.send(plan.batch ? batch_frame("reset", entries) : frames.reset);
}

void Link::send_step(const Plan& plan, const CommonFrames& frames, Clock::time_point now) {
    stage = Stage::stepping;
    asked_at = now;
    if (plan.batch) {
        const bool is_common = alive() == frames.batch_size && members.size() == frames.batch_size;
        connection.send(is_common ? frames.batch_step : batch_of_steps(plan));
    } else {
        connection.send(frames.steps[members[0].actions % frames.steps.size()]);
    }
    for (Member& member : members) {
        if (member.alive) {
            ask(member);
            ++member.actions;
        }
    }
}

std::string Link::batch_of_steps(const Plan& plan) const {
    std::vector<BatchEntry> entries;
    for (std::size_t number = 0; number < members.size(); ++number) {
        if (members[number].alive) {
            const std::size_t action = members[number].actions % plan.actions.size();
            entries.push_back({number, plan.actions[action]});
        }
    }
    return batch_frame("step", entries);
}

void Link::send_close(const CommonFrames& frames, Clock::time_point now) {
    stage = Stage::closing;
    asked_at = now;
    connection.send(frames.close);
}

}  // namespace openenv::bench
