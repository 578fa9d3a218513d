#include <openenv/env/episode_id.hpp>

#include <cstddef>
#include <cstdint>
#include <random>

namespace openenv {
inline namespace v0 {

namespace {

std::mt19937_64 seeded_generator() {
    std::random_device device;
    std::seed_seq seed{
        device(), device(), device(), device(), device(), device(), device(), device()};
    return std::mt19937_64(seed);
}

}  // namespace

std::string new_episode_id() {
    thread_local std::mt19937_64 generator = seeded_generator();
    constexpr char kDigits[] = "0123456789abcdef";
    std::uint64_t bits = generator();
    std::string id = "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx";
    std::size_t taken = 0;
    for (char& c : id) {
        if (c != 'x' && c != 'y') {
            continue;
        }
        if (taken == 16) {
            bits = generator();
            taken = 0;
        }
        const std::uint64_t digit = bits >> (4 * taken) & 0xF;
        ++taken;
        c = kDigits[c == 'y' ? (digit & 0x3) | 0x8 : digit];
    }
    return id;
}

}  // namespace v0
}  // namespace openenv
