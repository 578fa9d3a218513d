#include "bench/recorder.hpp"

#include "bench/process.hpp"

#include <fmt/format.h>

#include <exception>
#include <unistd.h>
#include <utility>

namespace openenv::bench {

Recorder::Recorder(const Plan& plan) : plan_(plan) {
    report_.url = plan.connection.url.websocket_text();
    report_.asked = plan.sessions;
    report_.connections = plan.connections();
    report_.open_loop = plan.pace.is_open_loop();
    if (plan.server) {
        probe_.emplace(*plan.server);
    }
}

void Recorder::begin(Clock::time_point now) {
    begin_ = now;
    client_cpu_before_ = cpu_time_of(::getpid());
    if (probe_) {
        probe_->begin();
    }
}

void Recorder::end(Clock::time_point now) {
    end_ = now;
    report_.elapsed = now - *begin_;
    report_.client_cpu = cpu_time_of(::getpid()) - client_cpu_before_;
    if (probe_) {
        end_server();
    }
}

void Recorder::end_server() {
    try {
        report_.server = probe_->end();
    } catch (const std::exception& error) {
        report_.problems.push_back(fmt::format("{}: the server ended in the run", error.what()));
        return;
    }
    if (report_.server->cpu.count() == 0) {
        report_.problems.push_back(fmt::format(
            "process {} used no CPU time: it did not do this work, or the run was too short",
            *plan_.server
        ));
    }
}

void Recorder::look() {
    if (probe_ && is_measuring()) {
        probe_->look();
    }
}

bool Recorder::counts(Clock::time_point due) const {
    return begin_ && due >= *begin_ && (!end_ || due < *end_);
}

void Recorder::connected(Link& link, Clock::time_point now) {
    link.connect_time = now - link.start;
    if (!plan_.completed_only) {
        report_.connect.record(link.connect_time);
    }
}

void Recorder::opened(const Link& link) {
    report_.opened += link.alive();
}

void Recorder::reset_answered(Link& link, Clock::time_point now) {
    ++report_.episodes;
    link.reset_time = now - link.asked_at;
    if (!plan_.completed_only) {
        report_.reset.record(link.reset_time);
    }
}

void Recorder::step_answered(Link& link, Clock::time_point now) {
    ++all_steps_;
    if (plan_.steps ? counts(link.due) : is_measuring()) {
        ++report_.steps;
    }
    link.step_time = now - link.due;
    if (counts(link.due) && !plan_.completed_only) {
        report_.step.record(link.step_time);
    }
}

void Recorder::gave_up(const Link& link, Clock::time_point now) {
    for (Clock::time_point due = link.due; due < *end_; due += plan_.pace.between()) {
        for (std::size_t member = link.alive(); member > 0; --member) {
            ++report_.backlog;
            report_.step.record(now - due);
        }
    }
}

void Recorder::completed(const Link& link, Clock::time_point now) {
    for (std::size_t member = link.alive(); member > 0; --member) {
        ++report_.completed;
        report_.session.record(now - link.start);
    }
    if (plan_.completed_only) {
        report_.connect.record(link.connect_time);
        report_.reset.record(link.reset_time);
        report_.step.record(link.step_time);
    }
}

void Recorder::failed(const Trouble& trouble, std::uint64_t sessions) {
    report_.failures.add(trouble, sessions);
}

Report Recorder::finish(Clock::time_point began, Clock::time_point ended) {
    report_.whole = ended - began;
    return std::move(report_);
}

}  // namespace openenv::bench
