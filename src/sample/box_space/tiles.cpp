#include "sample/box_space/tiles.hpp"

#include <algorithm>
#include <cmath>

#include "core/deterministic_math.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "sample/box_space/solid.hpp"

namespace dapple::box_space {
namespace {

// Bytes of blocks, points and other state of the sampler, per cube (square, ...) of a radius.
// Measured as resident memory at a million points, in 4-D at a hundred thousand (tests/bench).
template <std::size_t D>
constexpr double bytes_a_radius = D < 4 ? 400 : 2000;
// Bytes of tiles, per cube of a radius of the box around a solid.
constexpr double bytes_a_box = 20;
constexpr double most_tiles = 1 << 30;

template <std::size_t D>
Lattice<D> make_lattice(const VecD<D>& side, double radius) {
  Lattice<D> made;
  made.rate = narrowness(side);
  for (std::size_t a = 0; a < D; ++a) {
    const double tiles = std::max(1.0, std::floor(side[a] / (least_tile_edge<D> * radius)));
    made.tiles[a] = static_cast<std::int32_t>(std::min(tiles, most_tiles));
    made.edge[a] = side[a] / made.tiles[a];
    made.roots[a] = static_cast<std::int32_t>(
        std::max(1.0, std::ceil(made.edge[a] / (most_root_edge * radius))));
    made.rate /= radius;
  }
  made.measure_levels();
  return made;
}

template <std::size_t D>
void add_neighbors(Tiles<D>& made, std::uint32_t t, std::size_t class_id, double distance) {
  const Lattice<D>& own = made.lattice(made.tiles[t]);
  const auto place = made.place(t);
  VecD<D> low, high;
  for (std::size_t a = 0; a < D; ++a) {
    low[a] = place[a] * own.edge[a];
    high[a] = low[a] + own.edge[a];
  }
  const auto limit = static_cast<float>(distance * near_radius);
  for_tiles_near(made.lattices[class_id], made.wrap, low, high, distance * 1.001,
                 [&](std::uint32_t tile, const VecF<D>& shift) {
                   made.neighbors.push_back({tile, limit, shift});
                 });
}

// Includes a border one radius deep, which is cut into blocks too.
double cubes_of_radii(const Solid& solid, double radius) {
  return 1 + (solid.volume() / radius + solid.area()) / (radius * radius);
}

// Counts a side that is narrower than the usual radius as one radius.
double cubes_of_radii(const VolumeField& field) {
  const auto& side = field.side();
  const double integral = field.integral();
  const double usual = portable_cbrt(side[0] * side[1] * side[2] / integral);
  double points = integral;
  for (const double of : side) points *= std::max(1.0, usual / of);
  return 1 + points;
}

}  // namespace

template <std::size_t D>
std::array<std::int32_t, D> Tiles<D>::place(std::uint32_t tile) const {
  if constexpr (D == 3) {
    if (!grades.empty()) return grades.at[tile];
  }
  const Lattice<D>& of = lattice(tiles[tile]);
  std::array<std::int32_t, D> at;
  std::uint32_t rest = tile - of.first;
  for (std::size_t a = 0; a < D; ++a) {
    const auto count = static_cast<std::uint32_t>(of.tiles[a]);
    at[a] = static_cast<std::int32_t>(rest % count);
    rest /= count;
  }
  return at;
}

template <std::size_t D>
VecD<D> Tiles<D>::middle(std::uint32_t tile) const {
  const Lattice<D>& of = lattice(tiles[tile]);
  const auto at = place(tile);
  VecD<D> middle;
  for (std::size_t a = 0; a < D; ++a) middle[a] = (at[a] + 0.5) * of.edge[a];
  return middle;
}

template <std::size_t D>
std::uint32_t Tiles<D>::holding(std::int32_t class_id, const VecD<D>& at) const {
  const Lattice<D>& of = lattices[static_cast<std::size_t>(class_id)];
  std::uint32_t tile = 0;
  for (std::size_t a = D; a-- > 0;) {
    const auto i = static_cast<std::int32_t>(std::floor(at[a] / of.edge[a]));
    tile = tile * static_cast<std::uint32_t>(of.tiles[a]) +
           static_cast<std::uint32_t>(std::clamp(i, 0, of.tiles[a] - 1));
  }
  return of.first + tile;
}

template <std::size_t D>
double cubes_of_radii(const Room<D>& room) {
  if constexpr (D == 3) {
    if (room.solid != nullptr) return cubes_of_radii(*room.solid, room.radius(0));
    if (room.field != nullptr) return cubes_of_radii(*room.field);
  }
  double points = 0;
  for (std::size_t c = 0; c < room.classes(); ++c) {
    double cubes = 1;
    for (const double side : room.side) cubes *= std::max(1.0, side / room.radius(c));
    points += cubes;
  }
  return points;
}

template <std::size_t D>
void require_memory(const Room<D>& room, Context& context) {
  double points = cubes_of_radii(room);
  if (room.solid != nullptr) {
    double boxes = 1;
    for (const double side : room.side) boxes *= std::max(1.0, side / room.radius(0));
    context.require_memory(bytes_a_radius<D> * points + bytes_a_box * boxes, "sampling a solid");
    points = std::max(points, boxes);
  }
  if (!(points < most_tiles)) {
    throw Error(ErrorKind::limit, "room for " + shortest(std::round(points)) +
                                      " points is too much: use a larger radius or a smaller size");
  }
  context.require_memory(
      bytes_a_radius<D> * points,
      D < 4 ? "sampling a volume"
            : "room for " + shortest(std::round(points)) + " points in four dimensions");
}

template <std::size_t D>
Tiles<D> make_tiles(const Room<D>& room, Context& context, double farther) {
  require_memory(room, context);
  if constexpr (D == 3) {
    if (room.field != nullptr) return make_graded_tiles(room, farther);
  }
  Tiles<D> made;
  made.wrap = room.wrap;
  made.unit = room.radius(0);
  for (std::size_t c = 1; c < room.classes(); ++c) made.unit = std::min(made.unit, room.radius(c));
  for (std::size_t a = 0; a < D; ++a) made.side[a] = room.side[a] / made.unit;
  for (std::size_t c = 0; c < room.classes(); ++c) {
    made.lattices.push_back(make_lattice<D>(made.side, room.radius(c) / made.unit));
  }
  for (std::size_t c = 0; c < room.classes(); ++c) {
    Lattice<D>& lattice = made.lattices[c];
    lattice.first = static_cast<std::uint32_t>(made.tiles.size());
    std::size_t count = 1;
    for (const std::int32_t n : lattice.tiles) count *= static_cast<std::size_t>(n);
    made.tiles.resize(made.tiles.size() + count, {static_cast<std::int32_t>(c)});
  }
  for (std::uint32_t t = 0; t < made.tiles.size(); ++t) {
    Tile& tile = made.tiles[t];
    tile.first_neighbor = static_cast<std::uint32_t>(made.neighbors.size());
    const auto& row = room.distance[static_cast<std::size_t>(tile.class_id)];
    for (std::size_t c = 0; c < room.classes(); ++c) {
      add_neighbors(made, t, c, farther * row[c] / made.unit);
    }
    tile.end_neighbor = static_cast<std::uint32_t>(made.neighbors.size());
  }
  return made;
}

template struct Tiles<2>;
template struct Tiles<3>;
template struct Tiles<4>;
template Tiles<2> make_tiles(const Room<2>&, Context&, double);
template void require_memory(const Room<2>&, Context&);
template double cubes_of_radii(const Room<2>&);
template Tiles<3> make_tiles(const Room<3>&, Context&, double);
template void require_memory(const Room<3>&, Context&);
template double cubes_of_radii(const Room<3>&);
template Tiles<4> make_tiles(const Room<4>&, Context&, double);
template void require_memory(const Room<4>&, Context&);
template double cubes_of_radii(const Room<4>&);

}  // namespace dapple::box_space
