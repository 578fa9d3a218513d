#pragma once

#include "support/gate.hpp"

namespace openenv {
namespace test {

/// Opens a gate at the end of its life: whoever waits there is let go however the test ends. Make
/// it after whatever waits for those.
class OpenAtEnd {
public:
    explicit OpenAtEnd(Gate& gate) noexcept : gate_(gate) {}
    ~OpenAtEnd() { gate_.open(); }
    OpenAtEnd(const OpenAtEnd&) = delete;
    OpenAtEnd& operator=(const OpenAtEnd&) = delete;

private:
    Gate& gate_;
};

}  // namespace test
}  // namespace openenv
