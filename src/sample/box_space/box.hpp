// Defines a block: a box of two to four dimensions cut into parts. A part is live until one ball is
// known to cover it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "sample/conflict.hpp"
#include "sample/engine/places.hpp"

namespace dapple::box_space {

// Parts along each side of a block. A block has 16, 64 or 16 parts if D is 2, 3 or 4, which are
// bits of one number. Part (i, j, k) is bit i + n (j + n k).
template <std::size_t D>
constexpr int parts_a_side = D < 4 ? 4 : 2;
template <std::size_t D>
constexpr int part_count = D == 3 ? 64 : 16;
template <std::size_t D>
constexpr std::uint64_t all_parts = D == 3 ? ~std::uint64_t{0} : 0xffff;

// Returns the index of a part along each side.
template <std::size_t D>
constexpr std::array<int, D> part_of(int bit) {
  std::array<int, D> at{};
  for (int& i : at) {
    i = bit % parts_a_side<D>;
    bit /= parts_a_side<D>;
  }
  return at;
}

// A position or a length along each axis. Floats are relative to the center of a tile.
template <std::size_t D>
using VecD = std::array<double, D>;
template <std::size_t D>
using VecF = std::array<float, D>;

template <std::size_t D>
constexpr int all_axes = (1 << D) - 1;
// Returns the axes along which a box is so short that halves are not nearer to cubes; bit a stands
// for axis a. If the domain is narrower than the radius, boxes are almost flat along an axis. Every
// halving would then double the number of boxes side by side.
template <std::size_t D, class Lengths>
constexpr int short_axes(const Lengths& lengths) {
  constexpr int much = 8;
  const auto longest = *std::max_element(lengths.begin(), lengths.end());
  int axes = 0;
  for (std::size_t a = 0; a < D; ++a) axes |= (much * lengths[a] < longest ? 1 : 0) << a;
  return axes;
}

template <std::size_t D>
struct Block {
  std::uint64_t live = all_parts<D>;
  std::uint64_t key = 0;
  std::array<std::int32_t, D> at{};  // in blocks of its level, from the low corner of its tile
  // Blocks of level n + 1 are halves of blocks of level n along all axes that are not short.
  std::int32_t level = 0;
  std::uint32_t root = 0;  // index in its tile of the level-0 block that contains it
  bool crossed = false;    // a face or a forbidden region crosses it, so its darts are tested
  bool mapped = false;     // a root whose live parts are in its map
  float least = 0;         // bounds of r over the block, if r varies
  float most = 0;
};

// Returns the live parts of child n of a block that is halved along every axis. Each part is halved
// too and becomes 2^D parts. Bit a of n selects the upper half along axis a.
template <std::size_t D>
constexpr std::uint64_t live_of_half(std::uint64_t live, int n) {
  if constexpr (D == 4) return (live >> n & 1) != 0 ? all_parts<D> : 0;
  // Part (i, j, k) moves to (2i, 2j, 2k), the low corner of its eight, so its bit number doubles.
  live >>= 2 * (n & 1) + 8 * (n >> 1 & 1) + 32 * (n >> 2);
  live = (live & 0x110011) | (live & 0x220022) << 1;
  live = (live & 0x50005) | (live & 0x500050) << 4;
  if constexpr (D == 2) return (live & 0x505) * 0x33;
  return ((live & 0x505) | (live & 0x5050000) << 16) * 0x330033;
}

// Bits from one part to the next along each axis, and the parts with index 0 along each axis.
template <std::size_t D>
constexpr auto part_strides = [] {
  std::array<int, D> of{};
  for (std::size_t a = 0; a < D; ++a) of[a] = a == 0 ? 1 : of[a - 1] * parts_a_side<D>;
  return of;
}();
template <std::size_t D>
constexpr auto first_parts = [] {
  std::array<std::uint64_t, D> of{};
  for (int bit = 0; bit < part_count<D>; ++bit) {
    for (std::size_t a = 0; a < D; ++a) {
      if (part_of<D>(bit)[a] == 0) of[a] |= std::uint64_t{1} << bit;
    }
  }
  return of;
}();
// As above, but only the axes in `halved` are halved. The bits of n are a subset of `halved`.
template <std::size_t D>
constexpr std::uint64_t live_of_half(std::uint64_t live, int n, int halved) {
  if (halved == all_axes<D>) return live_of_half<D>(live, n);
  for (std::size_t a = 0; a < D; ++a) {
    if ((halved >> a & 1) == 0) continue;
    constexpr int side = parts_a_side<D>;
    const int stride = part_strides<D>[a];
    live >>= (n >> a & 1) * stride * side / 2;
    std::uint64_t wider = 0;
    for (int i = 0; i < side / 2; ++i) {
      const std::uint64_t part = live >> (i * stride) & first_parts<D>[a];
      wider |= (part | part << stride) << (2 * i * stride);
    }
    live = wider;
  }
  return live;
}
// Returns the first part of each row along `axis` in which any part is live.
template <std::size_t D>
constexpr std::uint64_t joined_along(std::uint64_t live, std::size_t axis) {
  std::uint64_t joined = 0;
  for (int i = 0; i < parts_a_side<D>; ++i) joined |= live >> (i * part_strides<D>[axis]);
  return joined & first_parts<D>[axis];
}

// ---- vector code (box_lanes.cpp) ----

using engine::Places;

// Computes the conflict distance of a place. By the rules mean and max, the `limit` of the place is
// its radius, and `own` the radius of another point. The distance is then at least half of either
// radius, so floats are precise enough in the tiles of both. By the rule candidate, the `limit` of
// the place is the distance. It has the size of a register.
struct ConflictLimits {
  ConflictRule rule = ConflictRule::candidate;
  float own = 0;

  float limit(float of_place) const {
    if (rule == ConflictRule::candidate) return of_place;
    return rule == ConflictRule::max ? std::max(of_place, own) : (of_place + own) * 0.5f;
  }
};

// A box as its center and half sides.
template <std::size_t D>
struct HalfBox {
  VecF<D> middle, half;
};
// Returns the box of a part, in the number type of `block`.
template <std::size_t D, class Box>
Box box_of_part(const Box& block, int bit) {
  const auto part = part_of<D>(bit);
  Box box;
  for (std::size_t a = 0; a < D; ++a) {
    using Number = std::remove_cvref_t<decltype(box.half[a])>;
    box.half[a] = block.half[a] / parts_a_side<D>;
    box.middle[a] =
        block.middle[a] + box.half[a] * static_cast<Number>(2 * part[a] + 1 - parts_a_side<D>);
  }
  return box;
}

// Appends the places from `first` to `end`, moved by `shift`, that are nearer to the box than their
// limit. By the rule candidate, `reach.own` is and becomes the limit of all.
template <std::size_t D>
void gather(const HalfBox<D>& box, const VecF<D>& shift, ConflictLimits reach,
            const Places<D>& from, std::size_t first, std::size_t end, Places<D>& into);
// Selects the places of `from`, from index `first` on, nearer to the box than their limit.
template <std::size_t D>
void select_near(const Places<D>& from, std::size_t first, const HalfBox<D>& box,
                 ConflictLimits reach, Places<D>& found);
// Writes the numbers of the places nearer to `at` than their limit, in order, to the front of
// `numbers`. Returns how many it wrote.
template <std::size_t D>
std::size_t numbers_near(const Places<D>& places, const VecF<D>& at, ConflictLimits reach,
                         std::vector<std::int32_t>& numbers);
template <std::size_t D>
bool any_near(const Places<D>& places, const VecF<D>& at, ConflictLimits reach);
// Returns the live parts of a box that no single ball around a place covers.
template <std::size_t D>
std::uint64_t uncovered(std::uint64_t live, const HalfBox<D>& box, const Places<D>& places,
                        ConflictLimits reach);

}  // namespace dapple::box_space
