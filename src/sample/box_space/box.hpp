// A block: a box of two to four sides cut into parts, each of which is live until one ball is known
// to cover it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "sample/conflict.hpp"

namespace dapple::space {

// Along each side, so that 16, 64 and 16 parts are bits of one number. Part (i, j, k) is bit
// i + n (j + n k).
template <std::size_t D>
constexpr int parts_a_side = D < 4 ? 4 : 2;
template <std::size_t D>
constexpr int part_count = D == 3 ? 64 : 16;
template <std::size_t D>
constexpr std::uint64_t all_parts = D == 3 ? ~std::uint64_t{0} : 0xffff;

// The index along each side of a part.
template <std::size_t D>
constexpr std::array<int, D> part_of(int bit) {
  std::array<int, D> at{};
  for (int& i : at) {
    i = bit % parts_a_side<D>;
    bit /= parts_a_side<D>;
  }
  return at;
}

// A place or a length along each axis: floats count from the middle of a tile.
template <std::size_t D>
using VecD = std::array<double, D>;
template <std::size_t D>
using VecF = std::array<float, D>;

template <std::size_t D>
constexpr int all_axes = (1 << D) - 1;
// Along which a box is so much shorter than along others that halves of it would not be nearer to
// cubes: bit a for axis a. Where rooms are narrower than points are apart, boxes are next to
// nothing along an axis, and every halving would double the number of those that lie side by side.
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
  // Blocks of level n + 1 are halves of those of level n, along all axes but short ones.
  std::int32_t level = 0;
  std::uint32_t root = 0;  // the block of level 0 that it is a part of, of the tile
  bool crossed =
      false;            // by faces of a solid, or partly forbidden: not all of its live parts count
  bool mapped = false;  // a root: its map tells what is live
  float least = 0;      // bounds of r over it, where r varies
  float most = 0;
};

// The live parts of the n-th of the blocks that a block is halved into, where each part of it is
// halved too. Bit a of n: the half along axis a.
template <std::size_t D>
constexpr std::uint64_t live_of_half(std::uint64_t live, int n) {
  if constexpr (D == 4) return (live >> n & 1) != 0 ? all_parts<D> : 0;
  // Part (i, j, k) becomes the low corner of its eight at (2i, 2j, 2k), at twice its number.
  live >>= 2 * (n & 1) + 8 * (n >> 1 & 1) + 32 * (n >> 2);
  live = (live & 0x110011) | (live & 0x220022) << 1;
  live = (live & 0x50005) | (live & 0x500050) << 4;
  if constexpr (D == 2) return (live & 0x505) * 0x33;
  return ((live & 0x505) | (live & 0x5050000) << 16) * 0x330033;
}

// Along each axis: from which bit to which it is from part to part, and the first of them all.
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
// The same of blocks that are halved along some axes, bits of `halved`, which n is among.
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
// Of the parts that follow each other along an axis the first, where any of them is live.
template <std::size_t D>
constexpr std::uint64_t joined_along(std::uint64_t live, std::size_t axis) {
  std::uint64_t joined = 0;
  for (int i = 0; i < parts_a_side<D>; ++i) joined |= live >> (i * part_strides<D>[axis]);
  return joined & first_parts<D>[axis];
}

// ---- vector code (box_lanes.cpp) ----

// Columns of places, from the middle of a tile, with the distance below which each holds others
// off, and a number that it has somewhere, where that is asked for. Behind the last of each stands
// room for a vector.
template <std::size_t D>
struct Places {
  std::array<std::vector<float>, D> at;
  std::vector<float> limit;
  std::vector<std::int32_t> number;
  std::size_t count = 0;
  bool numbered = false;

  void clear() { count = 0; }
  void make_room(std::size_t more) {
    if (limit.size() < count + more + most_lanes) resize(count + more + most_lanes);
  }
  void add(const VecF<D>& place, float its_limit, std::int32_t its_number) {
    for (std::size_t a = 0; a < D; ++a) at[a][count] = place[a];
    limit[count] = its_limit;
    if (numbered) number[count] = its_number;
    ++count;
  }

 private:
  static constexpr std::size_t most_lanes = 16;
  void resize(std::size_t least) {
    const std::size_t size = least + least / 2;
    for (auto& column : at) column.resize(size);
    limit.resize(size);
    if (numbered) number.resize(size);
  }
};

// How near a place of radius `own` holds off one with the radius that stands as its limit: mean or
// max, where the distance is at least half of either, as fine as floats from the middle of either's
// tile are.
struct ConflictLimits {
  ConflictRule rule = ConflictRule::mean;
  float own = 0;

  float limit(float radius) const {
    return rule == ConflictRule::max ? std::max(radius, own) : (radius + own) * 0.5f;
  }
};

// A box by its middle and half of its sides.
template <std::size_t D>
struct HalfBox {
  VecF<D> middle, half;
};
// Of a part of a box, in its own numbers.
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

// Adds the places `first` to `end` that, moved by `shift`, lie nearer to the box than `limit`,
// which becomes theirs.
template <std::size_t D>
void gather(const HalfBox<D>& box, const VecF<D>& shift, float limit, const Places<D>& from,
            std::size_t first, std::size_t end, Places<D>& into);
// Those of `from`, from number `first` on, nearer to the box than their limit, in order.
template <std::size_t D>
void select_near(const Places<D>& from, std::size_t first, const HalfBox<D>& box, Places<D>& found);
// The numbers of those nearer to a place than their limit, in order, as the first of `numbers`;
// returns how many.
template <std::size_t D>
std::size_t numbers_near(const Places<D>& places, const VecF<D>& at,
                         std::vector<std::int32_t>& numbers);
template <std::size_t D>
bool any_near(const Places<D>& places, const VecF<D>& at);
// Of the live parts of a box, those that no single ball round one of the places covers.
template <std::size_t D>
std::uint64_t uncovered(std::uint64_t live, const HalfBox<D>& box, const Places<D>& places);

// The same in space where each place has a radius of its own as its limit, which it keeps.
void gather(const HalfBox<3>& box, const VecF<3>& shift, const ConflictLimits& reach,
            const Places<3>& from, std::size_t first, std::size_t end, Places<3>& into);
void select_near(const Places<3>& from, std::size_t first, const HalfBox<3>& box,
                 const ConflictLimits& reach, Places<3>& found);
std::size_t numbers_near(const Places<3>& places, const VecF<3>& at, const ConflictLimits& reach,
                         std::vector<std::int32_t>& numbers);
bool any_near(const Places<3>& places, const VecF<3>& at, const ConflictLimits& reach);
std::uint64_t uncovered(std::uint64_t live, const HalfBox<3>& box, const Places<3>& places,
                        const ConflictLimits& reach);

}  // namespace dapple::space
