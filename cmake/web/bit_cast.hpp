// Defines std::bit_cast, which libc++ 13, the C++ library of emscripten 3.1.6, lacks. The toolchain
// includes this file before every source.
#pragma once

#ifdef __cplusplus
#include <version>
#ifndef __cpp_lib_bit_cast
namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

}  // namespace std
#endif
#endif
