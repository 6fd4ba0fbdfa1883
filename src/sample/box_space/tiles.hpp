// A room cut into tiles, which is what threads work on: a lattice for each class.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/constants.hpp"
#include "sample/box_space/box_domain.hpp"

namespace dapple::space {

// Least edge of a tile, and longest of a root block, in radii of its class.
template <std::size_t D>
constexpr double least_tile_edge = D == 2 ? 8 : 4;
constexpr double most_root_edge = 2.2;

constexpr double near_radius = near_in_floats;
// For radii that vary: of two that meet, the distance may be half of the larger.
constexpr double near_varied_radius = 1.000008;

// How many times more often a room that is narrower than the least radius, here 1, is hit where it
// holds as many points a length as a wide one: else windows pass in which next to no dart falls.
template <std::size_t D>
double narrowness(const VecD<D>& side) {
  double times = 1;
  for (const double of : side) times /= std::clamp(of, 1e-12, 1.0);
  return times;
}

// Blocks of a higher level are a dart in their middle, and then count as covered: a hundred
// thousandth of a radius.
constexpr int last_level = 16;

template <std::size_t D>
struct BlockSize {
  VecD<D> edge;
  VecF<D> half;
  double part_room;          // of a part
  std::array<int, D> times;  // that roots are halved along each side, to be of this level
  int halved = 0;            // bit a: blocks of this level are, along axis a
};

template <std::size_t D>
struct Lattice {
  std::array<std::int32_t, D> tiles{};  // along each side
  std::array<std::int32_t, D> roots{};  // of a tile
  VecD<D> edge{};                       // of a tile, in the unit of the tiles
  std::uint32_t first = 0;              // of its tiles
  double rate = 1;                      // darts in a unit of room at rate 1

  std::int32_t root_count() const {
    std::int32_t count = 1;
    for (const std::int32_t n : roots) count *= n;
    return count;
  }
  // Of blocks of each level, and of one beyond the last.
  std::array<BlockSize<D>, last_level + 2> levels;

  // Of the tiles and roots.
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
  std::int32_t class_id = 0;  // or the level, where r varies
  std::uint32_t first_neighbor = 0;
  std::uint32_t end_neighbor = 0;
};

// A tile, or its image on a torus, with places that may hold off some of another.
template <std::size_t D>
struct Neighbor {
  std::uint32_t tile;
  float limit;    // between points of the two
  VecF<D> shift;  // from the middle of the one to that of the other
};

// Tiles of a volume where r varies: leaves of trees of eight children, whose roots are the lattice
// of the highest level.
struct Grades {
  struct Node {
    float most = 0;           // the largest radius in it, in units
    std::int32_t child = -1;  // the first of eight; below 0: a leaf
    std::uint32_t tile = none;
  };
  static constexpr std::uint32_t none = 0xffffffff;  // nothing may be placed in it
  std::vector<Node> nodes;
  std::vector<std::array<std::int32_t, 3>> at;  // of each tile, in its lattice
  std::vector<float> most;                      // and its largest radius, in units

  bool empty() const { return nodes.empty(); }
};

template <std::size_t D>
struct Tiles {
  double unit = 1;  // the least radius: all else is in it
  bool wrap = false;
  VecD<D> side{};
  std::vector<Lattice<D>> lattices;  // of each class
  std::vector<Tile> tiles;
  std::vector<Neighbor<D>> neighbors;
  // Where r varies, lattices are levels of radii that double, and only some of their tiles are
  // there, which fill the room together.
  Grades grades;

  const Lattice<D>& lattice(const Tile& tile) const {
    return lattices[static_cast<std::size_t>(tile.class_id)];
  }
  std::array<std::int32_t, D> place(std::uint32_t tile) const;
  VecD<D> middle(std::uint32_t tile) const;
  // The tile of a class that holds a place, in units.
  std::uint32_t holding(std::int32_t class_id, const VecD<D>& at) const;
  std::span<const Neighbor<D>> neighbors_of(const Tile& tile) const {
    return std::span(neighbors).subspan(tile.first_neighbor,
                                        tile.end_neighbor - tile.first_neighbor);
  }
};

// Which tiles of a lattice lie, along one axis, nearer than `reach` to what is from `low` to
// `high`, and how far their middles are from its own: images on a torus count as tiles.
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
    // An image farther than that is of no place the nearest one.
    const double most = 0.5 * (side + edge + (high - low)) * 1.001;
    if (gap >= reach || (wrap && std::abs(shift) > most)) continue;
    const std::int32_t tile = ((i % count) + count) % count;
    steps.push_back({tile, shift, gap});
  }
  return steps;
}
// body(tile, shift) for each tile of a lattice, or image of one, nearer than `reach` to a box.
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

// `farther`: how much farther than the distances of points tiles look for each other.
template <std::size_t D>
Tiles<D> make_tiles(const Room<D>& room, Context& context, double farther = 1);
// Where r varies. (grades.cpp)
Tiles<3> make_graded_tiles(const Room<3>& room, double farther);
// Those where places may be nearer to one of a radius, in units, than the rule of the room allows
// times `farther`, with how far their middles are from it.
std::vector<Neighbor<3>> graded_tiles_near(const Room<3>& room, const Tiles<3>& tiles,
                                           const VecD<3>& at, double radius, double farther);
// The tile of a place, in units; none where nothing may be placed.
std::uint32_t graded_tile(const Tiles<3>& tiles, const VecD<3>& at);

// Places of a volume, in units from the middle of a tile, as its field sees them.
class Graded {
 public:
  Graded(const Room<3>& room, const Tiles<3>& tiles, std::uint32_t tile)
      : field_(*room.field), unit_(tiles.unit), middle_(tiles.middle(tile)), side_(room.side) {
    // Floats may lie so far beyond the box that they are in.
    margin_ = 1e-6 * tiles.lattice(tiles.tiles[tile]).edge[0];
  }
  // In units; 0 where nothing may be placed in the box.
  struct Bounds {
    float least = 0;
    float most = 0;
  };
  Bounds bounds(const HalfBox<3>& box) const;
  bool allows_all(const HalfBox<3>& box) const;
  // At a place of the volume, in its own unit; infinite where nothing may be placed.
  double radius(const VecD<3>& place) const {
    return field_.radius({place[0], place[1], place[2]});
  }
  // A radius, in units, by which places are held off.
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

}  // namespace dapple::space
