#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
    #include <emmintrin.h>
#endif

/// Tight loops over text that the JSON reader and writer share.
namespace openenv {
inline namespace v0 {
namespace detail {

/// True for a byte that a JSON string holds as it is and that is a character on its own.
inline bool is_plain(char c) noexcept {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

/// The first byte in [at, end) that is not plain: a quote, a backslash, a control character or the
/// start of a longer UTF-8 sequence.
inline const char* find_special(const char* at, const char* end) noexcept {
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i backslash = _mm_set1_epi8('\\');
    const __m128i blank = _mm_set1_epi8(0x20);
    const auto hits = [&](__m128i block) {
        // The comparison is signed: it finds control characters and bytes from 0x80 in one go.
        return _mm_or_si128(
            _mm_cmplt_epi8(block, blank),
            _mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, backslash))
        );
    };
    const auto load = [](const char* where) {
        __m128i block;
        std::memcpy(&block, where, sizeof block);
        return block;
    };
    const char* const long_from = end - at >= 80 ? at + 16 : end;
    for (; end - at >= 16; at += 16) {
        if (at == long_from) {
            // Not a short text, it seems: four blocks at once, until one of them has a hit.
            for (; end - at >= 64; at += 64) {
                const __m128i a = _mm_or_si128(hits(load(at)), hits(load(at + 16)));
                const __m128i b = _mm_or_si128(hits(load(at + 32)), hits(load(at + 48)));
                if (_mm_movemask_epi8(_mm_or_si128(a, b)) != 0) {
                    break;
                }
            }
            if (end - at < 16) {
                break;
            }
        }
        const int mask = _mm_movemask_epi8(hits(load(at)));
        if (mask != 0) {
            return at + __builtin_ctz(static_cast<unsigned>(mask));
        }
    }
    if (end - at >= 8) {
        const __m128i block = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(at));
        const unsigned mask = static_cast<unsigned>(_mm_movemask_epi8(hits(block))) & 0xFFU;
        if (mask != 0) {
            return at + __builtin_ctz(mask);
        }
        at += 8;
    }
#else
    constexpr std::uint64_t ones = 0x0101010101010101U;
    constexpr std::uint64_t high = 0x8080808080808080U;
    const auto has_zero = [](std::uint64_t word) { return (word - ones) & ~word & high; };
    for (; end - at >= 8; at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, sizeof word);
        const std::uint64_t below_blank = (word - ones * 0x20U) & ~word & high;
        if (((word & high) | below_blank | has_zero(word ^ (ones * '"')) |
             has_zero(word ^ (ones * '\\'))) != 0) {
            break;
        }
    }
#endif
    while (at != end && is_plain(*at)) {
        ++at;
    }
    return at;
}

/// The end of the UTF-8 sequence at `at` (whose first byte is 0x80 or more), or `at` if it is none.
inline const char* sequence_end(const char* at, const char* end) noexcept {
    const auto byte = [at](int i) { return static_cast<unsigned char>(at[i]); };
    const auto follows = [&](int i) { return (byte(i) & 0xC0U) == 0x80U; };
    const unsigned char lead = byte(0);
    if (lead < 0xC2) {
        return at;
    }
    if (lead < 0xE0) {
        return end - at >= 2 && follows(1) ? at + 2 : at;
    }
    if (lead < 0xF0) {
        if (end - at < 3 || !follows(1) || !follows(2) || (lead == 0xE0 && byte(1) < 0xA0) ||
            (lead == 0xED && byte(1) >= 0xA0)) {
            return at;
        }
        return at + 3;
    }
    if (lead > 0xF4 || end - at < 4 || !follows(1) || !follows(2) || !follows(3) ||
        (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) >= 0x90)) {
        return at;
    }
    return at + 4;
}

/// The end of the run of UTF-8 sequences that starts at `at` with a byte of 0x80 or more; stops at
/// the first ASCII byte, at `end`, or where the text is not UTF-8.
inline const char* non_ascii_run_end(const char* at, const char* end) noexcept {
    while (at != end && static_cast<unsigned char>(*at) >= 0x80) {
        const char* const next = sequence_end(at, end);
        if (next == at) {
            break;
        }
        at = next;
    }
    return at;
}

}  // namespace detail
}  // namespace v0
}  // namespace openenv
