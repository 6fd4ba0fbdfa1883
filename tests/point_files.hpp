// Point files in memory, as the tests of their readers ask for them.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "dapple/point_files.hpp"

namespace dapple {

inline Points decode(std::string_view bytes, std::string_view extension) {
  return decode_points(bytes, extension, Limits{});
}

// The message of the error that reading gives; "" where it succeeds.
inline std::string message(std::string_view bytes, std::string_view extension,
                           ErrorKind kind = ErrorKind::input, const Limits& limits = {}) {
  try {
    decode_points(bytes, extension, limits);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "";
}

}  // namespace dapple
