// Blocks against places: differences, products and comparisons of floats lane by lane, so that all
// sets of instructions decide alike.
#include <algorithm>
#include <bit>
#include <cmath>

#include "core/random.hpp"
#include "sample/surface/block.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/surface/block_lanes.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include "core/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple::surface {
namespace HWY_NAMESPACE {
namespace {

using namespace dapple::HWY_NAMESPACE;

using Eight = Lanes<float, 8>;
using Eight32 = Lanes<std::int32_t, Eight::count>;
using Corners = Lanes<float, 16>;

constexpr std::size_t corner_count = 16;  // fifteen, and the last once more

// Weights of the corners along both edges.
struct CornerWeights {
  std::array<float, corner_count> i{}, j{};
};
constexpr CornerWeights corner_weights = [] {
  CornerWeights weights;
  std::size_t n = 0;
  for (int j = 0; j <= parts_a_side; ++j) {
    for (int i = 0; i + j <= parts_a_side; ++i, ++n) {
      weights.i[n] = static_cast<float>(i) / parts_a_side;
      weights.j[n] = static_cast<float>(j) / parts_a_side;
    }
  }
  weights.j[n] = 1;
  return weights;
}();

// The bit 5 j + i for each corner (i, j), for the first eight corners and the other seven.
constexpr auto corner_bits = [] {
  std::array<std::uint32_t, 16> place{};
  std::size_t n = 0;
  for (std::uint32_t j = 0; j <= parts_a_side; ++j) {
    for (std::uint32_t i = 0; i + j <= parts_a_side; ++i) place[n++] = 1u << (5 * j + i);
  }
  place[15] = 0;
  std::array<std::array<std::uint32_t, 256>, 2> table{};
  for (std::size_t bits = 0; bits < 256; ++bits) {
    for (std::size_t b = 0; b < 8; ++b) {
      if ((bits >> b & 1) == 0) continue;
      table[0][bits] |= place[b];
      table[1][bits] |= place[8 + b];
    }
  }
  return table;
}();

// Adds the lanes whose bits are set.
HWY_INLINE void append(Eight x, Eight y, Eight z, Eight32 number, std::uint32_t bits,
                       Places& into) {
  store_kept(x, bits, &into.x[into.count]);
  store_kept(y, bits, &into.y[into.count]);
  store_kept(z, bits, &into.z[into.count]);
  into.count += store_kept(number, bits, &into.number[into.count]);
}

HWY_INLINE std::uint32_t first_bits(std::size_t n) {
  return n < Eight::count ? (1u << n) - 1 : ~0u;
}

void gather(const Tile& tile, const std::array<std::int32_t, 3>& from, const Places& places,
            std::size_t first, std::size_t end, float reach, Places& into) {
  if (first == end) return;
  into.make_room(end - first);
  const std::array<float, 3> moved = shift(from, tile.at);
  const auto inside = [&](Eight p, std::size_t axis) HWY_ATTR {
    return (p >= tile.low[axis] - reach) & (p <= tile.high[axis] + reach);
  };
  for (std::size_t i = first; i < end; i += Eight::count) {
    const Eight x = Eight::load(&places.x[i]) + moved[0];
    const Eight y = Eight::load(&places.y[i]) + moved[1];
    const Eight z = Eight::load(&places.z[i]) + moved[2];
    const std::uint32_t bits =
        bits_of(inside(x, 0) & inside(y, 1) & inside(z, 2)) & first_bits(end - i);
    if (bits != 0) append(x, y, z, Eight32::load(&places.number[i]), bits, into);
  }
}

void select_near(const Places& from, std::size_t first, const std::array<float, 3>& center,
                 float radius, Places& found) {
  found.clear();
  found.make_room(from.count);
  const Eight cx = center[0];
  const Eight cy = center[1];
  const Eight cz = center[2];
  const Eight most = radius * radius;
  for (std::size_t i = first; i < from.count; i += Eight::count) {
    const Eight x = Eight::load(&from.x[i]);
    const Eight y = Eight::load(&from.y[i]);
    const Eight z = Eight::load(&from.z[i]);
    const Eight dx = x - cx;
    const Eight dy = y - cy;
    const Eight dz = z - cz;
    const std::uint32_t bits =
        bits_of(dx * dx + dy * dy + dz * dz < most) & first_bits(from.count - i);
    if (bits != 0) append(x, y, z, Eight32::load(&from.number[i]), bits, found);
  }
}

bool any_near(const Places& places, const std::array<float, 3>& at, float radius) {
  const Eight most = radius * radius;
  for (std::size_t i = 0; i < places.count; i += Eight::count) {
    const Eight dx = Eight::load(&places.x[i]) - at[0];
    const Eight dy = Eight::load(&places.y[i]) - at[1];
    const Eight dz = Eight::load(&places.z[i]) - at[2];
    const std::uint32_t bits = bits_of(dx * dx + dy * dy + dz * dz < most);
    if ((bits & first_bits(places.count - i)) != 0) return true;
  }
  return false;
}

std::uint32_t uncovered(const Block& block, const Places& places, float radius) {
  constexpr std::size_t vectors = corner_count / Corners::count;
  Corners x[vectors], y[vectors], z[vectors];
  for (std::size_t k = 0; k < vectors; ++k) {
    const Corners i = Corners::load(&corner_weights.i[k * Corners::count]);
    const Corners j = Corners::load(&corner_weights.j[k * Corners::count]);
    x[k] = block.ax + (i * block.ux + j * block.vx);
    y[k] = block.ay + (i * block.uy + j * block.vy);
    z[k] = block.az + (i * block.uz + j * block.vz);
  }
  const Corners most = radius * radius;
  std::uint32_t live = block.live;
  for (std::size_t p = 0; p < places.count && live != 0; ++p) {
    std::uint32_t near = 0;
    for (std::size_t k = 0; k < vectors; ++k) {
      const Corners dx = x[k] - places.x[p];
      const Corners dy = y[k] - places.y[p];
      const Corners dz = z[k] - places.z[p];
      near |= bits_of(dx * dx + dy * dy + dz * dz < most) << (k * Corners::count);
    }
    const std::uint32_t at = corner_bits[0][near & 255] | corner_bits[1][near >> 8 & 255];
    const std::uint32_t edge = at >> 1 & at >> 5;
    live &= ~((at & edge & upright_parts) | (edge & at >> 6 & turned_parts) << 16);
  }
  return live;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dapple::surface
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple::surface {

HWY_EXPORT(gather);
HWY_EXPORT(select_near);
HWY_EXPORT(any_near);
HWY_EXPORT(uncovered);

void gather(const Tile& tile, const std::array<std::int32_t, 3>& from, const Places& places,
            std::size_t first, std::size_t end, float reach, Places& into) {
  HWY_DYNAMIC_DISPATCH(gather)(tile, from, places, first, end, reach, into);
}

void select_near(const Places& from, std::size_t first, const std::array<float, 3>& center,
                 float radius, Places& found) {
  HWY_DYNAMIC_DISPATCH(select_near)(from, first, center, radius, found);
}

bool any_near(const Places& places, const std::array<float, 3>& at, float radius) {
  return HWY_DYNAMIC_DISPATCH(any_near)(places, at, radius);
}

std::uint32_t uncovered(const Block& block, const Places& places, float radius) {
  return HWY_DYNAMIC_DISPATCH(uncovered)(block, places, radius);
}

void Places::resize(std::size_t least) {
  const std::size_t size = least + least / 2;
  x.resize(size);
  y.resize(size);
  z.resize(size);
  number.resize(size);
}

namespace {

// Of the piece's frame, in the tile's: rounded once from double, so that neighbors fit together.
void set_place(Block& block, const Tiles& tiles, const Tile& tile) {
  const Piece& piece = tiles.pieces[block.piece];
  const double step = scale_of(block);
  const Vec3 a = place_of(piece, {block.i * step, block.j * step}) - tile.middle();
  const double edge = block.sign * step;
  block.ax = static_cast<float>(a.x);
  block.ay = static_cast<float>(a.y);
  block.az = static_cast<float>(a.z);
  block.ux = static_cast<float>(piece.e1.x * edge);
  block.uy = static_cast<float>(piece.e1.y * edge);
  block.uz = static_cast<float>(piece.e1.z * edge);
  block.vx = static_cast<float>(piece.e2.x * edge);
  block.vy = static_cast<float>(piece.e2.y * edge);
  block.vz = static_cast<float>(piece.e2.z * edge);
}

}  // namespace

Block root_block(const Tiles& tiles, const Tile& tile, std::uint32_t piece) {
  Block block;
  block.piece = piece;
  block.key = tiles.pieces[piece].key;
  set_place(block, tiles, tile);
  return block;
}

Block child_block(const Tiles& tiles, const Tile& tile, const Block& block, int bit) {
  const Part part = part_of(bit);
  const int across = part.turned ? 1 : 0;
  Block child;
  child.piece = block.piece;
  child.level = static_cast<std::int16_t>(block.level + 1);
  child.sign = part.turned ? static_cast<std::int16_t>(-block.sign) : block.sign;
  child.i = parts_a_side * block.i + block.sign * (part.i + across);
  child.j = parts_a_side * block.j + block.sign * (part.j + across);
  child.key = hash(block.key, static_cast<std::uint64_t>(bit));
  set_place(child, tiles, tile);
  return child;
}

int live_part(std::uint32_t live, std::uint32_t n) {
  for (; n > 0; --n) live &= live - 1;
  return std::countr_zero(live);
}

Weights in_piece(const Block& block, int bit, Weights in_part) {
  const Part part = part_of(bit);
  const double step = block.sign * scale_of(block);
  const auto along = [&](int corner, int first, double weight) {
    const double in_block = (first + (part.turned ? 1 - weight : weight)) / parts_a_side;
    return corner * std::abs(step) + in_block * step;
  };
  return {along(block.i, part.i, in_part.s), along(block.j, part.j, in_part.t)};
}

}  // namespace dapple::surface
#endif
