#include "support/http_request.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace openenv {
namespace test {

namespace {

bool same_name(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) {
        return lower(x) == lower(y);
    });
}

const std::string* find_header(const Headers& headers, std::string_view name) {
    for (const auto& [key, value] : headers) {
        if (same_name(key, name)) {
            return &value;
        }
    }
    return nullptr;
}

void receive_more(Socket& socket, std::string& buffer) {
    const std::string more = socket.receive_some();
    if (more.empty()) {
        throw std::runtime_error("the connection ended within a reply: " + buffer);
    }
    buffer += more;
}

std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find("\r\n");
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
    return line;
}

}  // namespace

std::string HttpReply::header(std::string_view name) const {
    const std::string* value = find_header(headers, name);
    return value ? *value : std::string();
}

bool HttpReply::has_header(std::string_view name) const {
    return find_header(headers, name) != nullptr;
}

HttpReply read_http_head(Socket& socket, std::string& buffer) {
    std::size_t end = buffer.find("\r\n\r\n");
    while (end == std::string::npos) {
        receive_more(socket, buffer);
        end = buffer.find("\r\n\r\n");
    }
    const std::string head = buffer.substr(0, end);
    buffer.erase(0, end + 4);

    HttpReply reply;
    std::string_view rest = head;
    const std::string status_line(take_line(rest));
    if (!status_line.starts_with("HTTP/1.1 ") || status_line.size() < 12) {
        throw std::runtime_error("not a reply of HTTP/1.1: " + status_line);
    }
    reply.status = std::stoi(status_line.substr(9, 3));
    while (!rest.empty()) {
        const std::string_view line = take_line(rest);
        const std::size_t colon = line.find(':');
        std::string_view value = line.substr(colon + 1);
        value.remove_prefix(std::min(value.size(), value.find_first_not_of(' ')));
        reply.headers.emplace_back(line.substr(0, colon), value);
    }
    return reply;
}

HttpReply read_http_reply(Socket& socket, std::string& buffer) {
    HttpReply reply = read_http_head(socket, buffer);
    if (reply.has_header("transfer-encoding")) {
        throw std::runtime_error("a chunked reply");
    }
    const std::string length = reply.header("content-length");
    const std::size_t size = length.empty() ? 0 : std::stoul(length);
    while (buffer.size() < size) {
        receive_more(socket, buffer);
    }
    reply.body = buffer.substr(0, size);
    buffer.erase(0, size);
    return reply;
}

HttpReply http(
    std::uint16_t port,
    std::string_view method,
    std::string_view target,
    std::string_view body,
    Headers headers
) {
    std::string request(method);
    request += " ";
    request += target;
    request += " HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n";
    if (!body.empty() && find_header(headers, "content-type") == nullptr) {
        headers.emplace_back("content-type", "application/json");
    }
    if (!body.empty() || method != "GET") {
        headers.emplace_back("content-length", std::to_string(body.size()));
    }
    for (const auto& [name, value] : headers) {
        request += name + ": " + value + "\r\n";
    }
    request += "\r\n";
    request += body;
    return http_bytes(port, request);
}

HttpReply http_get(std::uint16_t port, std::string_view target) {
    return http(port, "GET", target);
}

HttpReply http_post(std::uint16_t port, std::string_view target, std::string_view body) {
    return http(port, "POST", target, body);
}

HttpReply http_bytes(std::uint16_t port, std::string_view bytes) {
    Socket socket(port);
    socket.send(bytes);
    std::string buffer;
    return read_http_reply(socket, buffer);
}

}  // namespace test
}  // namespace openenv
