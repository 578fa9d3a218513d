#pragma once

#include <cctype>
#include <cstdlib>
#include <list>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace openenv {
namespace test {

/// One variable of this process: set, or unset by nothing, as long as this object lives.
class Variable {
public:
    Variable(std::string name, const std::optional<std::string>& value) : name_(std::move(name)) {
        if (const char* before = std::getenv(name_.c_str())) {
            before_ = before;
        }
        put(value);
    }
    ~Variable() { put(before_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    void put(const std::optional<std::string>& value) const {
        value ? ::setenv(name_.c_str(), value->c_str(), 1) : ::unsetenv(name_.c_str());
    }

    const std::string name_;
    std::optional<std::string> before_;
};

/// Takes the proxies away that the machine of the test may have.
class NoProxies {
public:
    NoProxies() {
        for (std::string name :
             {"http_proxy", "https_proxy", "ws_proxy", "wss_proxy", "no_proxy"}) {
            unset_.emplace_back(name, std::nullopt);
            for (char& c : name) {
                c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
            }
            unset_.emplace_back(name, std::nullopt);
        }
    }

private:
    std::list<Variable> unset_;
};

/// All variables of this process, in their order.
[[nodiscard]] inline std::vector<std::string> all_variables() {
    std::vector<std::string> all;
    for (char** entry = ::environ; *entry != nullptr; ++entry) {
        all.emplace_back(*entry);
    }
    return all;
}

}  // namespace test
}  // namespace openenv
