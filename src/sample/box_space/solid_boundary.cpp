#include "sample/box_space/solid_boundary.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace dapple::box_space {
namespace {

// In units. Floats relative to the center of a tile have errors below a fifth of it.
constexpr double float_margin = 2e-6;

// Returns the parts that are connected with the lowest one through sides of parts.
std::uint64_t joined_part(std::uint64_t parts) {
  constexpr std::uint64_t not_last_x = 0x7777777777777777;
  constexpr std::uint64_t not_first_x = 0xeeeeeeeeeeeeeeee;
  constexpr std::uint64_t not_last_y = 0x0fff0fff0fff0fff;
  constexpr std::uint64_t not_first_y = 0xfff0fff0fff0fff0;
  std::uint64_t found = parts & -parts;
  for (;;) {
    std::uint64_t wider = found | (found & not_last_x) << 1 | (found & not_first_x) >> 1;
    wider |= (found & not_last_y) << 4 | (found & not_first_y) >> 4 | found << 16 | found >> 16;
    wider &= parts;
    if (wider == found) return found;
    found = wider;
  }
}

// Returns the parts of a block that a box may touch; the box touches the block.
std::uint64_t parts_near(const SolidBox& block, const SolidBox& other, double margin) {
  std::array<int, 3> first, last;
  for (std::size_t a = 0; a < 3; ++a) {
    const double edge = 2 * block.half[a] / parts_a_side<3>;
    const double at = other.middle[a] - (block.middle[a] - block.half[a]);
    const double reach = other.half[a] + 2 * margin;
    const auto part = [&](double v) {
      return static_cast<int>(std::clamp(v / edge, 0.0, parts_a_side<3> - 1.0));
    };
    first[a] = part(at - reach);
    last[a] = part(at + reach);
  }
  const auto row = ((std::uint64_t{2} << (last[0] - first[0])) - 1) << first[0];
  std::uint64_t parts = 0;
  for (int z = first[2]; z <= last[2]; ++z) {
    for (int y = first[1]; y <= last[1]; ++y) parts |= row << (4 * (y + 4 * z));
  }
  return parts;
}

}  // namespace

Border::Border(const Solid& solid, const Tiles<3>& tiles)
    : solid_(solid), tiles_(tiles), margin_(float_margin * tiles.unit) {
  // Each face is counted in the tiles that it crosses, then stored there.
  const Lattice<3>& lattice = tiles.lattices.front();
  const auto for_tiles = [&](std::uint32_t face, const auto& body) {
    const SolidBox bounds = solid.bounds(face);
    std::array<std::int32_t, 3> first, last;
    for (std::size_t a = 0; a < 3; ++a) {
      const double edge = lattice.edge[a] * tiles.unit;
      const double reach = bounds.half[a] + 2 * margin_;
      const auto tile = [&](double at) {
        return static_cast<std::int32_t>(
            std::clamp(std::floor(at / edge), 0.0, static_cast<double>(lattice.tiles[a] - 1)));
      };
      first[a] = tile(bounds.middle[a] - reach);
      last[a] = tile(bounds.middle[a] + reach);
    }
    for (std::int32_t z = first[2]; z <= last[2]; ++z) {
      for (std::int32_t y = first[1]; y <= last[1]; ++y) {
        for (std::int32_t x = first[0]; x <= last[0]; ++x) {
          const auto tile =
              static_cast<std::uint32_t>(x + lattice.tiles[0] * (y + lattice.tiles[1] * z));
          VecD<3> half;
          for (std::size_t a = 0; a < 3; ++a) half[a] = 0.5 * lattice.edge[a];
          if (solid.crosses(face, box(tile, {}, half))) body(tile);
        }
      }
    }
  };
  faces_ = {tiles.tiles.size(), [&](const auto& add) {
              for (std::uint32_t face = 0; face < solid.faces(); ++face) {
                for_tiles(face, [&](std::uint32_t tile) { add(tile, face); });
              }
            }};
}

SolidBox Border::box(std::uint32_t tile, const VecD<3>& middle, const VecD<3>& half) const {
  const VecD<3> of_tile = tiles_.middle(tile);
  SolidBox box;
  for (std::size_t a = 0; a < 3; ++a) {
    box.middle[a] = (of_tile[a] + middle[a]) * tiles_.unit;
    box.half[a] = half[a] * tiles_.unit + margin_;
  }
  return box;
}

void Border::clip(Block<3>& block, const SolidBox& box,
                  std::span<const std::uint32_t> faces) const {
  std::uint64_t crossed = 0;
  bool any = false;
  SolidBox exact = box;
  for (double& half : exact.half) half -= margin_;
  for (const std::uint32_t face : faces) {
    if (!solid_.crosses(face, box)) continue;
    any = true;
    std::uint64_t rest = block.live & ~crossed & parts_near(exact, solid_.bounds(face), margin_);
    for (; rest != 0; rest &= rest - 1) {
      SolidBox part = box_of_part<3>(exact, std::countr_zero(rest));
      for (double& half : part.half) half += margin_;
      if (solid_.crosses(face, part)) crossed |= rest & -rest;
    }
  }
  if (!any) {
    block.crossed = false;
    if (!solid_.holds(box.middle)) block.live = 0;
    return;
  }
  for (std::uint64_t rest = block.live & ~crossed; rest != 0;) {
    const std::uint64_t joined = joined_part(rest);
    if (!solid_.holds(box_of_part<3>(exact, std::countr_zero(rest)).middle)) block.live &= ~joined;
    rest &= ~joined;
  }
  block.crossed = (block.live & crossed) != 0;
}

}  // namespace dapple::box_space
