// Whether this is a build with sanitizers, which take terabytes of address space and many times the
// processor's time.
#pragma once

namespace dapple::test {

constexpr bool is_sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
  return __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
  return false;
#endif
}

// Whether it is ThreadSanitizer, to which a run on one thread shows nothing: bytes are compared in
// other builds.
constexpr bool is_thread_sanitized() {
#if defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
  return __has_feature(thread_sanitizer);
#else
  return false;
#endif
}

}  // namespace dapple::test
