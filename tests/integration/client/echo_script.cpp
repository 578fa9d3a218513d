#include "integration/client/echo_script.hpp"

namespace openenv {
namespace test {

Json numbered(int k) {
    Json action = Json::object();
    action["k"] = k;
    return action;
}

Json waiting(int k) {
    Json action = numbered(k);
    action["wait"] = true;
    return action;
}

void echo(ScriptedPeer& peer, Gate& gate) {
    for (;;) {
        const Json question = Json::parse(peer.read());
        if (question["type"] == "close") {
            peer.wait_for_close();
            return;
        }
        if (question["type"] == "state") {
            peer.send(state_frame());
            continue;
        }
        if (question["data"].contains("wait")) {
            gate.pass();
        }
        peer.send(observation_frame(question["data"].dump()));
    }
}

void echo(ScriptedPeer& peer) {
    Gate open;
    open.open();
    echo(peer, open);
}

void fall_silent(ScriptedPeer& peer, Gate& gate) {
    (void)peer.answer(observation_frame());
    gate.pass();
}

ClientOptions quick(std::chrono::milliseconds message_timeout) {
    ClientOptions options;
    options.message_timeout = message_timeout;
    return options;
}

ClientOptions quick(Reconnect reconnect) {
    ClientOptions options = quick();
    options.reconnect = reconnect;
    return options;
}

ClientOptions watchful() {
    ClientOptions options = quick();
    options.ping_interval = std::chrono::milliseconds(100);
    options.ping_timeout = std::chrono::seconds(1);
    options.close_timeout = std::chrono::milliseconds(100);
    return options;
}

}  // namespace test
}  // namespace openenv
