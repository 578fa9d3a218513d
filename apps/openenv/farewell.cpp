#include "farewell.hpp"

#include <exception>

namespace cli {

Farewell::~Farewell() {
    try {
        client_.sync().close();
    } catch (const std::exception&) {
        // What counts has been said: a connection that cannot be closed is dropped.
    }
}

}  // namespace cli
