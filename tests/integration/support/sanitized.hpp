#pragma once

namespace openenv {
namespace test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    #define OPENENV_TEST_SANITIZED true
#elif defined(__has_feature)
    #if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
        #define OPENENV_TEST_SANITIZED true
    #endif
#endif
#ifndef OPENENV_TEST_SANITIZED
    #define OPENENV_TEST_SANITIZED false
#endif

/// True in a build whose memory is that of a sanitizer as well.
inline constexpr bool kSanitized = OPENENV_TEST_SANITIZED;

#undef OPENENV_TEST_SANITIZED

#if defined(__SANITIZE_THREAD__)
    #define OPENENV_TEST_THREAD_SANITIZED true
#elif defined(__has_feature)
    #if __has_feature(thread_sanitizer)
        #define OPENENV_TEST_THREAD_SANITIZED true
    #endif
#endif
#ifndef OPENENV_TEST_THREAD_SANITIZED
    #define OPENENV_TEST_THREAD_SANITIZED false
#endif

/// True in a build that ends a forked process which starts a thread.
inline constexpr bool kThreadSanitized = OPENENV_TEST_THREAD_SANITIZED;

#undef OPENENV_TEST_THREAD_SANITIZED

}  // namespace test
}  // namespace openenv
