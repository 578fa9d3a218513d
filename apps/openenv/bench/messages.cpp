#include "bench/messages.hpp"

#include "bench/frame.hpp"

namespace openenv::bench {
namespace {

std::string client_frame(Opcode opcode, std::string_view payload) {
    std::string frame;
    append_client_frame(frame, opcode, payload);
    return frame;
}

std::string beginning(std::string_view type) {
    return R"({"type":")" + std::string(type) + '"';
}

}  // namespace

std::string message_frame(std::string_view type, std::string_view data) {
    std::string text = beginning(type);
    text.append(R"(,"data":)").append(data).append("}");
    return client_frame(Opcode::text, text);
}

std::string batch_frame(std::string_view type, std::span<const BatchEntry> entries) {
    std::string text = beginning(type) + R"(,"x":{"batch":[)";
    std::string_view separator;
    for (const BatchEntry& entry : entries) {
        text.append(separator).append(R"({"session":)").append(std::to_string(entry.session));
        text.append(R"(,"data":)").append(entry.data).append("}");
        separator = ",";
    }
    text += "]}}";
    return client_frame(Opcode::text, text);
}

std::string close_frame() {
    return client_frame(Opcode::close, "\x03\xe8");
}

std::string pong_frame(std::string_view payload) {
    return client_frame(Opcode::pong, payload);
}

}  // namespace openenv::bench
