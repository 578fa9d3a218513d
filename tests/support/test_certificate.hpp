#pragma once

#include <string>

namespace openenv {
namespace test {

/// A key and a certificate for `host` that signs itself, as PEM texts.
struct TestCertificate {
    enum class Valid { for_a_day, until_yesterday };

    explicit TestCertificate(const std::string& host, Valid valid = Valid::for_a_day);
    std::string key;
    std::string certificate;
};

}  // namespace test
}  // namespace openenv
