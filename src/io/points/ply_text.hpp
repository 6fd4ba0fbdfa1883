// Helpers for the writers of PLY: points in a plane and on a surface.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>

#include "io/images/formats.hpp"

namespace dapple {

// Returns a line `comment dapple.metadata KEY VALUE` per entry.
std::string ply_comments(const Metadata& metadata);

template <class Value>
void append_little_endian(std::string& bytes, Value value) {
  using Bits = std::conditional_t<sizeof(Value) == 8, std::uint64_t, std::uint32_t>;
  put(bytes, std::bit_cast<Bits>(value), sizeof(Value));
}

}  // namespace dapple
