// Cuts a domain into tiles, which are the work items of threads: one lattice for each class.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/constants.hpp"
#include "sample/box_space/box_domain.hpp"

namespace dapple::box_space {

// Least edge of a tile, and longest of a root block, in radii of its class.
template <std::size_t D>
constexpr double least_tile_edge = D == 2 ? 8 : 4;
constexpr double most_root_edge = 2.2;

constexpr double near_radius = near_in_floats;
// For radii that vary: the distance of two points may be half of the larger radius.
constexpr double near_varied_radius = 1.000008;

// Returns the factor on the rate of darts in a domain narrower than 1, the least radius. It holds
// as many points per length as a wide domain, so that otherwise most windows get almost no dart.
template <std::size_t D>
double narrowness(const VecD<D>& side) {
  double times = 1;
  for (const double of : side) times /= std::clamp(of, 1e-12, 1.0);
  return times;
}

// A block above this level, about 1e-5 radii wide, gets one dart at its center. It then counts as
// covered.
constexpr int last_level = 16;

template <std::size_t D>
struct BlockSize {
  VecD<D> edge;
  VecF<D> half;
  double part_room;          // size of a part
  std::array<int, D> times;  // halvings of a root along each side to reach this level
  int halved = 0;            // bit a: blocks of this level are halved along axis a
};

template <std::size_t D>
struct Lattice {
  std::array<std::int32_t, D> tiles{};  // along each side
  std::array<std::int32_t, D> roots{};  // number along each side of a tile
  VecD<D> edge{};                       // edges of a tile, in units
  std::uint32_t first = 0;              // index of its first tile
  double rate = 1;                      // darts per unit volume at rate 1

  std::int32_t root_count() const {
    std::int32_t count = 1;
    for (const std::int32_t n : roots) count *= n;
    return count;
  }
  // Sizes of the blocks of each level, and of one level beyond the last.
  std::array<BlockSize<D>, last_level + 2> levels;

  // Computes `levels` from the edges of tiles and the number of roots.
  void measure_levels() {
    std::array<int, D> times{};
    for (BlockSize<D>& size : levels) {
      size.times = times;
      size.part_room = 1.0 / part_count<D>;
      for (std::size_t a = 0; a < D; ++a) {
        size.edge[a] = std::ldexp(edge[a] / roots[a], -times[a]);
        size.half[a] = static_cast<float>(0.5 * size.edge[a]);
        size.part_room *= size.edge[a];
      }
      size.halved = all_axes<D> & ~short_axes<D>(size.edge);
      for (std::size_t a = 0; a < D; ++a) times[a] += size.halved >> a & 1;
    }
  }
};

struct Tile {
  std::int32_t class_id = 0;  // or the level, if r varies
  std::uint32_t first_neighbor = 0;
  std::uint32_t end_neighbor = 0;
};

// A tile, or its image on a torus, with places that may conflict with those of another tile.
template <std::size_t D>
struct Neighbor {
  std::uint32_t tile;
  float limit;    // conflict distance between points of the two tiles
  VecF<D> shift;  // from the center of the other tile to that of this one
};

// The tiles of a volume if r varies. They are the leaves of octrees, whose roots are the lattice of
// the highest level.
struct Grades {
  struct Node {
    float most = 0;           // largest radius in the node, in units
    std::int32_t child = -1;  // first of eight children; below 0: a leaf
    std::uint32_t tile = none;
  };
  static constexpr std::uint32_t none = 0xffffffff;  // no point is allowed in the node
  std::vector<Node> nodes;
  std::vector<std::array<std::int32_t, 3>> at;  // indices of each tile in its lattice
  std::vector<float> most;                      // largest radius in each tile, in units

  bool empty() const { return nodes.empty(); }
};

template <std::size_t D>
struct Tiles {
  double unit = 1;  // the least radius; other lengths are multiples of it
  bool wrap = false;
  VecD<D> side{};
  std::vector<Lattice<D>> lattices;  // one per class
  std::vector<Tile> tiles;
  std::vector<Neighbor<D>> neighbors;
  // If r varies, each lattice is a level, and radii double from level to level. Each level has only
  // some of its tiles; all of these together fill the domain.
  Grades grades;

  const Lattice<D>& lattice(const Tile& tile) const {
    return lattices[static_cast<std::size_t>(tile.class_id)];
  }
  std::array<std::int32_t, D> place(std::uint32_t tile) const;
  VecD<D> middle(std::uint32_t tile) const;
  // Returns the tile of a class that contains a place, in units.
  std::uint32_t holding(std::int32_t class_id, const VecD<D>& at) const;
  std::span<const Neighbor<D>> neighbors_of(const Tile& tile) const {
    return std::span(neighbors).subspan(tile.first_neighbor,
                                        tile.end_neighbor - tile.first_neighbor);
  }
};

// A tile along one axis, or its image on a torus, nearer than `reach` to an interval from `low` to
// `high`. `shift` leads from the center of the interval to the center of the tile.
struct Step {
  std::int32_t tile;
  double shift;
  double gap;
};
template <std::size_t D>
std::vector<Step> steps_along(std::size_t axis, const Lattice<D>& lattice, bool wrap, double low,
                              double high, double reach) {
  const double edge = lattice.edge[axis];
  const std::int32_t count = lattice.tiles[axis];
  const double side = count * edge;
  const double far = wrap ? std::min(reach, side) : reach;
  const auto place = [&](double v) {
    const double most = wrap ? 3.0 * count : count;
    return static_cast<std::int32_t>(std::clamp(std::floor(v / edge), wrap ? -most : -1.0, most));
  };
  std::int32_t first = place(low - far);
  std::int32_t last = place(high + far);
  if (!wrap) {
    first = std::max(first, 0);
    last = std::min(last, count - 1);
  }
  std::vector<Step> steps;
  for (std::int32_t i = first; i <= last; ++i) {
    const double gap = std::max({0.0, i * edge - high, low - (i + 1) * edge});
    const double shift = (i + 0.5) * edge - 0.5 * (low + high);
    // An image beyond this distance is never the nearest image of a place.
    const double most = 0.5 * (side + edge + (high - low)) * 1.001;
    if (gap >= reach || (wrap && std::abs(shift) > most)) continue;
    const std::int32_t tile = ((i % count) + count) % count;
    steps.push_back({tile, shift, gap});
  }
  return steps;
}
// Calls body(tile, shift) for each tile of a lattice, or its image, nearer than `reach` to a box.
template <std::size_t D, class Body>
void for_tiles_near(const Lattice<D>& lattice, bool wrap, const VecD<D>& low, const VecD<D>& high,
                    double reach, const Body& body) {
  std::array<std::vector<Step>, D> steps;
  for (std::size_t a = 0; a < D; ++a) {
    steps[a] = steps_along(a, lattice, wrap, low[a], high[a], reach);
    if (steps[a].empty()) return;
  }
  std::array<std::size_t, D> n{};
  for (;;) {
    double gap2 = 0;
    std::uint32_t tile = 0;
    VecF<D> shift;
    for (std::size_t a = D; a-- > 0;) {
      const Step& step = steps[a][n[a]];
      gap2 += step.gap * step.gap;
      tile = tile * static_cast<std::uint32_t>(lattice.tiles[a]) +
             static_cast<std::uint32_t>(step.tile);
      shift[a] = static_cast<float>(step.shift);
    }
    if (gap2 < reach * reach) body(lattice.first + tile, shift);
    std::size_t a = 0;
    while (a < D && ++n[a] == steps[a].size()) n[a++] = 0;
    if (a == D) return;
  }
}

// Cuts a domain into tiles. `farther` multiplies the distances within which tiles are neighbors.
template <std::size_t D>
Tiles<D> make_tiles(const Room<D>& room, Context& context, double farther = 1);
// As above, but for radii that vary. (graded_octree.cpp)
Tiles<3> make_graded_tiles(const Room<3>& room, double farther);
// Returns the tiles with places that may conflict with a point of `radius` at `at`, both in units.
// `farther` multiplies the distances. Shifts lead from the point to the centers of the tiles.
std::vector<Neighbor<3>> graded_tiles_near(const Room<3>& room, const Tiles<3>& tiles,
                                           const VecD<3>& at, double radius, double farther);
// Returns the tile of a place, in units, or Grades::none if no point is allowed there.
std::uint32_t graded_tile(const Tiles<3>& tiles, const VecD<3>& at);

// Reads the radii of a volume at places in units, relative to the center of a tile.
class Graded {
 public:
  Graded(const Room<3>& room, const Tiles<3>& tiles, std::uint32_t tile)
      : field_(*room.field), unit_(tiles.unit), middle_(tiles.middle(tile)), side_(room.side) {
    // A float may lie this far outside the box that contains it.
    margin_ = 1e-6 * tiles.lattice(tiles.tiles[tile]).edge[0];
  }
  // In units; 0 if no point is allowed in the box.
  struct Bounds {
    float least = 0;
    float most = 0;
  };
  Bounds bounds(const HalfBox<3>& box) const;
  bool allows_all(const HalfBox<3>& box) const;
  // Returns r at a place, both in the unit of the volume; infinite if no point is allowed there.
  double radius(const VecD<3>& place) const {
    return field_.radius({place[0], place[1], place[2]});
  }
  // Returns the radius for conflict tests, in units.
  float taken(double radius) const {
    return static_cast<float>(radius / unit_ * near_varied_radius);
  }

 private:
  std::array<Vec3, 2> corners(const HalfBox<3>& box) const;
  const VolumeField& field_;
  double unit_;
  VecD<3> middle_, side_;
  double margin_;
};

}  // namespace dapple::box_space
