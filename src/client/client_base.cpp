#include "client/call_errors.hpp"
#include "client/self.hpp"

#include <openenv/base/ascii.hpp>
#include <openenv/base/error.hpp>
#include <openenv/client/client_base.hpp>
#include <openenv/client/vector_options.hpp>

#include <cstdlib>
#include <exception>

namespace openenv {
inline namespace v0 {

namespace {

ClientMode mode_of(const ClientOptions& options) {
    const char* variable = std::getenv("OPENENV_CLIENT_MODE");
    const std::string given =
        options.mode.value_or(variable != nullptr && *variable != '\0' ? variable : "simulation");
    const std::string word = ascii_lower(given);
    if (word == "simulation") {
        return ClientMode::simulation;
    }
    if (word == "production") {
        return ClientMode::production;
    }
    throw ConfigError(
        "Invalid mode: '" + given +
        "'. Must be 'simulation' or 'production'. Set via constructor parameter or "
        "OPENENV_CLIENT_MODE environment variable."
    );
}

std::shared_ptr<ClientLoop> make_loop() {
    try {
        return std::make_shared<ClientLoop>();
    } catch (const std::exception& error) {
        client::throw_client_error(Error{
            Errc::network,
            std::string("a client needs a thread and three descriptors of its own, "
                        "unless ClientOptions::loop names one to share: "
            ) + error.what()});
    }
}

std::shared_ptr<client::Self> make_self(
    const std::string& base_url, ClientOptions options, const VectorOptions* many = nullptr
) {
    if (options.loop && options.loop->is_forked()) {
        throw Exception(Error{
            Errc::usage,
            "the ClientLoop in the options was made before the process was forked, and its thread "
            "is the parent's; make a new one in the child"});
    }
    std::shared_ptr<ClientLoop> loop = options.loop ? options.loop : make_loop();
    options.loop = nullptr;  // held by the client, not by what runs on it
    auto core = client::Core::make(loop->state(), base_url, std::move(options));
    std::shared_ptr<client::VectorCore> vector;
    if (many != nullptr) {
        vector = client::VectorCore::make(loop->state(), core, *many);
    }
    return std::make_shared<client::Self>(std::move(loop), std::move(core), std::move(vector));
}

ClientOptions shared_options(const VectorOptions& many) {
    ClientOptions options = many.client;
    options.extensions.batch = many.connection != VectorConnection::many;
    return options;
}

/// A function of a call that makes it.
template <class T>
using Make = net::io_awaitable<T> (client::PendingCall::*)();

/// Keeps the call alive, whatever becomes of the Pending that it was begun with.
template <class T>
net::io_awaitable<T> run(std::shared_ptr<client::PendingCall> call, Make<T> make) {
    co_return co_await ((*call).*make)();
}

template <class T>
Pending<T> pending(std::shared_ptr<client::PendingCall> call, Make<T> make) {
    typename Pending<T>::Work work = [call, make] { return run<T>(call, make); };
    return Pending<T>(std::move(call), std::move(work));
}

}  // namespace

const char* name_of(ClientMode mode) noexcept {
    return mode == ClientMode::production ? "production" : "simulation";
}

ClientBase::ClientBase(std::string base_url, ClientOptions options)
    : self_(nullptr), mode_(mode_of(options)) {
    options.mode = name_of(mode_);  // for its children, whatever the variable says by then
    self_ = make_self(base_url, std::move(options));
}

ClientBase::ClientBase(std::string base_url, const VectorOptions& many)
    : self_(nullptr), mode_(mode_of(many.client)) {
    ClientOptions options = shared_options(many);
    options.mode = name_of(mode_);
    self_ = make_self(base_url, std::move(options), &many);
}

ClientBase::ClientBase(client::OpenedSession opened)
    : self_(std::move(opened.self)), mode_(mode_of(self_->core().options())) {}

ClientBase::~ClientBase() {
    if (self_) {
        self_->abandon();
    }
}

std::shared_ptr<client::PendingCall> ClientBase::make_call(CallOptions options, std::string message)
    const {
    return std::make_shared<client::PendingCall>(self_, options, std::move(message));
}

Pending<void> ClientBase::connect(CallOptions options) {
    return pending(make_call(options), &client::PendingCall::connect);
}

Pending<void> ClientBase::close() {
    return pending(make_call(), &client::PendingCall::close);
}

Pending<void> ClientBase::disconnect() {
    return pending(make_call(), &client::PendingCall::disconnect);
}

Pending<Json> ClientBase::schema(CallOptions options) {
    return pending(make_call(options), &client::PendingCall::schema);
}

std::optional<std::string> ClientBase::base_url() const {
    return self_->core().base_url();
}

}  // namespace v0
}  // namespace openenv
