// What reads text or bytes from outside, as functions of bytes. A target returns for any bytes at
// all: dapple::Error is an answer, whatever else is thrown, crashes or hangs is a fault.
#pragma once

#include <span>
#include <stdexcept>
#include <string_view>

#include "dapple/limits.hpp"

namespace dapple::fuzz {

struct Target {
  std::string_view name;
  std::string_view folder;  // of its seeds in corpus/
  int mutations;            // that the replay test makes of each seed
  void (*run)(std::string_view bytes);
};

std::span<const Target> targets();
// The part of them that reads pictures.
std::span<const Target> image_targets();

// What readers may take of the machine here.
inline const Limits small{1 << 20, 64 << 20};

inline void require(bool holds, const char* promise) {
  if (!holds) throw std::logic_error(promise);
}

}  // namespace dapple::fuzz
