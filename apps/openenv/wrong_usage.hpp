#pragma once

#include <stdexcept>

namespace cli {

/// What was typed, on the command line or in a script, is wrong; the text says where.
class WrongUsage : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace cli
