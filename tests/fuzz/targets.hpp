// What reads text or bytes from outside, as functions of bytes. A target returns for any bytes at
// all: dapple::Error is an answer, whatever else is thrown, crashes or hangs is a fault.
#pragma once

#include <span>
#include <string_view>

namespace dapple::fuzz {

struct Target {
  std::string_view name;  // of its folder in corpus/
  int mutations;          // that the replay test makes of each file
  void (*run)(std::string_view bytes);
};

std::span<const Target> targets();

}  // namespace dapple::fuzz
