#include "sample/surface/tiles.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "core/parallel.hpp"
#include "core/radix_sort.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "dapple/units.hpp"
#include "sample/surface/even_patches.hpp"

namespace dapple::surface {
namespace {

constexpr std::int32_t most_tiles_a_side = 1 << 18;
// Slightly more than a radius, as bounds are rounded.
constexpr double reach = 1.001;

// Moves the lowest 21 bits of v to every third bit.
std::uint64_t every_third(std::uint64_t v) {
  v = (v | v << 32) & 0x001f00000000ffffULL;
  v = (v | v << 16) & 0x001f0000ff0000ffULL;
  v = (v | v << 8) & 0x100f00f00f00f00fULL;
  v = (v | v << 4) & 0x10c30c30c30c30c3ULL;
  return (v | v << 2) & 0x1249249249249249ULL;
}

void bound(Tile& tile, const std::vector<Piece>& pieces) {
  tile.most = 0;
  for (std::uint32_t i = tile.first; i < tile.end; ++i) {
    const Piece& piece = pieces[i];
    tile.most = std::max(tile.most, piece.most() / static_cast<float>(tile.unit));
    for (const Vec3& corner : {piece.a, piece.a + piece.e1, piece.a + piece.e2}) {
      const Vec3 from_middle = tile.seen(corner);
      const float p[3] = {static_cast<float>(from_middle.x), static_cast<float>(from_middle.y),
                          static_cast<float>(from_middle.z)};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        tile.low[axis] = std::min(tile.low[axis], p[axis]);
        tile.high[axis] = std::max(tile.high[axis], p[axis]);
      }
    }
  }
}

// Finds tiles by level, class and place.
class TileMap {
  // Returns the slot of the tile, or the slot that it would take.
  template <class Self>
  static auto* slot(Self& self, std::int32_t level, std::int32_t class_id,
                    const std::array<std::int32_t, 3>& at) {
    std::size_t i =
        static_cast<std::size_t>(mix(morton(at) ^ static_cast<std::uint64_t>(level) << 58)) +
        static_cast<std::size_t>(class_id);
    for (;; ++i) {
      auto& found = self.slots_[i & (self.slots_.size() - 1)];
      if (found == none) return &found;
      const Tile& tile = self.tiles_[found];
      if (tile.level == level && tile.class_id == class_id && tile.at == at) return &found;
    }
  }

 public:
  explicit TileMap(const std::vector<Tile>& tiles) : tiles_(tiles) { lay_out(); }
  static constexpr std::uint32_t none = 0xffffffff;
  // Returns the tile, or `none` if there is no such tile.
  std::uint32_t find(std::int32_t level, std::int32_t class_id,
                     const std::array<std::int32_t, 3>& at) const {
    return *slot(*this, level, class_id, at);
  }
  // Adds the last of the tiles, which must be new.
  void add_last() {
    if (2 * tiles_.size() > slots_.size()) return lay_out();
    add(tiles_.size() - 1);
  }

 private:
  void add(std::size_t i) {
    const Tile& tile = tiles_[i];
    *slot(*this, tile.level, tile.class_id, tile.at) = static_cast<std::uint32_t>(i);
  }
  void lay_out() {
    slots_.assign(std::bit_ceil(4 * tiles_.size() + 1024), none);
    for (std::size_t i = 0; i < tiles_.size(); ++i) add(i);
  }

  const std::vector<Tile>& tiles_;
  std::vector<std::uint32_t> slots_;
};

// Returns the indices of pieces, sorted by key.
std::vector<HashedNumber> by_key(const std::vector<Piece>& pieces) {
  std::vector<HashedNumber> order(pieces.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = {pieces[i].key, static_cast<std::uint32_t>(i)};
  }
  sort_by_hash(order);
  return order;
}

// Creates tiles as pieces arrive in them; `end` of a tile counts its pieces.
class TileFinder {
 public:
  TileFinder(std::vector<Tile>& made, const Context& context)
      : made_(made), map_(made), context_(context) {}

  // Adds a piece and returns its tile.
  std::uint32_t add(std::int32_t level, std::int32_t class_id,
                    const std::array<std::int32_t, 3>& at) {
    context_.check();
    // Most pieces lie in the same tile as the piece before.
    if (made_.empty() || made_[last_].level != level || made_[last_].class_id != class_id ||
        made_[last_].at != at) {
      last_ = map_.find(level, class_id, at);
      if (last_ == TileMap::none) last_ = make(level, class_id, at);
    }
    ++made_[last_].end;
    return last_;
  }

 private:
  std::uint32_t make(std::int32_t level, std::int32_t class_id,
                     const std::array<std::int32_t, 3>& at) {
    Tile& tile = made_.emplace_back();
    tile.set_level(level);
    tile.class_id = class_id;
    tile.at = at;
    tile.low.fill(1e9f);
    tile.high.fill(-1e9f);
    map_.add_last();
    return static_cast<std::uint32_t>(made_.size() - 1);
  }

  std::vector<Tile>& made_;
  TileMap map_;
  const Context& context_;
  std::uint32_t last_ = 0;
};

// Creates the tiles that hold pieces, and returns the tile of each piece.
std::vector<std::uint32_t> find_tiles(Tiles& made, const Context& context) {
  TileFinder finder(made.tiles, context);
  std::vector<std::uint32_t> tile_of(made.pieces.size());
  for (std::size_t i = 0; i < tile_of.size(); ++i) {
    const Piece& piece = made.pieces[i];
    const std::int32_t level = level_of(static_cast<double>(piece.least()));
    const auto at = lattice_place(middle_of(piece), std::ldexp(1.0, level));
    tile_of[i] = finder.add(level, piece.class_id, at);
  }
  return tile_of;
}

// Returns the indices of tiles, sorted by level, class and place on the curve.
std::vector<std::uint32_t> along_the_curve(const std::vector<Tile>& tiles) {
  using Place = std::tuple<std::int32_t, std::int32_t, std::uint64_t, std::uint32_t>;
  std::vector<Place> places;
  places.reserve(tiles.size());
  for (std::uint32_t t = 0; t < tiles.size(); ++t) {
    places.emplace_back(tiles[t].level, tiles[t].class_id, morton(tiles[t].at), t);
  }
  std::sort(places.begin(), places.end());
  std::vector<std::uint32_t> numbers;
  numbers.reserve(places.size());
  for (const Place& place : places) numbers.push_back(std::get<3>(place));
  return numbers;
}

// Permutes in place (piece i moves to to[i]); a second array would cost more than the swaps.
void move_to(std::vector<Piece>& pieces, std::vector<std::uint32_t>& to) {
  for (std::uint32_t i = 0; i < to.size(); ++i) {
    while (to[i] != i) {
      const std::uint32_t there = to[i];
      std::swap(pieces[i], pieces[there]);
      std::swap(to[i], to[there]);
    }
  }
}

// Sorts the tiles. Returns the first piece of each tile, in the old order of tiles.
std::vector<std::uint32_t> sort_tiles(std::vector<Tile>& made) {
  std::vector<Tile> tiles;
  tiles.reserve(made.size());
  std::vector<std::uint32_t> begin(made.size());
  std::uint32_t first = 0;
  for (const std::uint32_t t : along_the_curve(made)) {
    Tile& tile = tiles.emplace_back(made[t]);
    begin[t] = tile.first = first;
    first = tile.end += first;
  }
  made = std::move(tiles);
  return begin;
}

void sort_into_tiles(Tiles& made, const Context& context) {
  const std::vector<std::uint32_t> tile_of = find_tiles(made, context);
  std::vector<std::uint32_t> next = sort_tiles(made.tiles);
  std::vector<std::uint32_t> to(made.pieces.size());
  for (const auto& [key, i] : by_key(made.pieces)) to[i] = next[tile_of[i]]++;
  context.check();
  move_to(made.pieces, to);
}

constexpr std::size_t tile_group = 64;
template <class Body>
void for_tiles(const Tiles& made, Context& context, const Body& body) {
  const std::size_t groups = (made.tiles.size() + tile_group - 1) / tile_group;
  parallel_for(context, groups, [&](std::size_t g) {
    const std::size_t end = std::min(made.tiles.size(), (g + 1) * tile_group);
    for (std::size_t i = g * tile_group; i < end; ++i) body(i);
  });
}

// Creates the tiles. Returns the pieces tile by tile, in each in the order of arrival.
std::vector<HashedNumber> by_tile(const EvenPieces& pieces, Tiles& made, const Context& context) {
  TileFinder finder(made.tiles, context);
  std::vector<std::uint32_t> tile_of(pieces.all.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < tile_of.size(); ++i) {
    if (pieces.all[i].is_none()) continue;
    tile_of[i] = finder.add(0, 0, pieces.all[i].at());
    ++count;
  }
  std::vector<std::uint32_t> next = sort_tiles(made.tiles);
  std::vector<HashedNumber> order(count);
  for (std::size_t i = 0; i < tile_of.size(); ++i) {
    if (pieces.all[i].is_none()) continue;
    order[next[tile_of[i]]++] = {pieces.all[i].key, static_cast<std::uint32_t>(i)};
  }
  return order;
}

// Keeps the first of the pieces with one key.
void leave_out_twice(Tiles& made) {
  std::uint32_t left = 0;
  for (Tile& tile : made.tiles) {
    const std::uint32_t first = left;
    for (std::uint32_t i = tile.first; i < tile.end; ++i) {
      if (left > first && made.pieces[left - 1].key == made.pieces[i].key) continue;
      made.pieces[left++] = made.pieces[i];
    }
    tile.first = first;
    tile.end = left;
  }
  made.pieces.resize(left);
}

// Makes each piece at its final position, sorted by key in its tile.
void make_in_tiles(EvenPieces& pieces, Tiles& made, Context& context) {
  std::vector<HashedNumber> order = by_tile(pieces, made, context);
  pieces.all = {};
  made.pieces.resize(order.size());
  std::atomic<bool> twice = false;
  for_tiles(made, context, [&](std::size_t t) {
    const Tile& tile = made.tiles[t];
    const std::span<HashedNumber> of_tile(order.data() + tile.first, tile.end - tile.first);
    std::stable_sort(of_tile.begin(), of_tile.end(),
                     [](const HashedNumber& a, const HashedNumber& b) { return a.key < b.key; });
    for (std::size_t i = 0; i < of_tile.size(); ++i) {
      made.pieces[tile.first + i] = pieces.piece(of_tile[i]);
      if (i > 0 && of_tile[i].key == of_tile[i - 1].key) twice = true;
    }
  });
  if (twice) leave_out_twice(made);
}

// Bounds for all tiles of a level and class: how far pieces extend beyond their cubes, and their
// largest radius.
struct Level {
  std::int32_t level = 0;
  std::int32_t class_id = 0;
  double unit = 1;
  double out = 0;  // `out` and `most` are in the unit of the frame
  double most = 0;
};
std::vector<Level> levels_of(const std::vector<Tile>& tiles) {
  std::vector<Level> levels;
  for (const Tile& tile : tiles) {
    if (levels.empty() || levels.back().level != tile.level ||
        levels.back().class_id != tile.class_id) {
      levels.push_back({tile.level, tile.class_id, tile.unit, 0, 0});
    }
    Level& level = levels.back();
    level.most = std::max(level.most, static_cast<double>(tile.most) * tile.unit);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto beyond = static_cast<double>(std::max(-tile.low[axis], tile.high[axis]));
      level.out = std::max(level.out, (beyond - tile_edge / 2) * tile.unit);
    }
  }
  return levels;
}

bool within_reach(const Tiles& made, const Tile& tile, const Tile& other) {
  const Vec3 moved = tile.seen(other.middle());
  const std::array<double, 3> move{moved.x, moved.y, moved.z};
  const double scale = other.unit / tile.unit;
  double gap2 = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double low = static_cast<double>(other.low[axis]) * scale + move[axis];
    const double high = static_cast<double>(other.high[axis]) * scale + move[axis];
    const double gap = std::max({0.0, low - static_cast<double>(tile.high[axis]),
                                 static_cast<double>(tile.low[axis]) - high});
    gap2 += gap * gap;
  }
  const float other_most = made.apart == Apart::given ? made.asked(tile, other.class_id)
                                                      : other.most * static_cast<float>(scale);
  const auto apart = static_cast<double>(apart_by(made.apart, tile.most, other_most));
  return gap2 <= apart * apart * (reach * reach);
}

// Returns neighbors of the tile's level and above. link_levels() adds those of lower levels.
std::vector<std::uint32_t> neighbors_near(const Tiles& made, const TileMap& map,
                                          const std::vector<Level>& levels, const Tile& tile) {
  std::vector<std::uint32_t> found;
  for (const Level& level : levels) {
    if (level.level < tile.level) continue;
    // No rule requires more than the larger radius.
    const double around =
        level.out + reach * std::max(level.most, static_cast<double>(tile.most) * tile.unit);
    for_cubes_near(tile, level.unit, around, std::numeric_limits<std::int32_t>::min(),
                   [&](const std::array<std::int32_t, 3>& at) {
                     const std::uint32_t other = map.find(level.level, level.class_id, at);
                     if (other == TileMap::none || &made.tiles[other] == &tile) return;
                     if (within_reach(made, tile, made.tiles[other])) found.push_back(other);
                   });
  }
  return found;
}

// Adds neighbors of lower levels, which only the tile with the smaller radii has found.
void link_levels(const std::vector<Tile>& tiles, std::vector<std::vector<std::uint32_t>>& found) {
  for (std::uint32_t i = 0; i < tiles.size(); ++i) {
    for (std::size_t n = 0; n < found[i].size(); ++n) {
      const std::uint32_t other = found[i][n];
      if (tiles[other].level > tiles[i].level) found[other].push_back(i);
    }
  }
}

// A direction, and the cosine of the largest angle between it and a normal of a tile.
struct Cone {
  Vec3 axis;
  double least_cosine = -1;
};

Vec3 normal_of(const Tiles& made, const Piece& piece) {
  const auto& n = made.normals[static_cast<std::size_t>(piece.triangle)];
  return {n[0], n[1], n[2]};
}

Cone cone_of(const Tiles& made, const Tile& tile) {
  Vec3 sum;
  for (std::uint32_t i = tile.first; i < tile.end; ++i) {
    sum = sum + normal_of(made, made.pieces[i]);
  }
  const double size = length(sum);
  if (!(size > 0)) return {};
  Cone cone{sum * (1 / size), 1};
  for (std::uint32_t i = tile.first; i < tile.end; ++i) {
    cone.least_cosine =
        std::min(cone.least_cosine, dot(cone.axis, normal_of(made, made.pieces[i])));
  }
  return cone;
}

double angle_of(double cosine) {
  return portable_acos(std::clamp(cosine, -1.0, 1.0));
}

// Returns false if all normals are within half the gate of one direction, thus of one sheet.
bool needs_gate(const std::vector<Cone>& cones, std::size_t tile,
                std::span<const std::uint32_t> neighbors, double half_gate) {
  const Cone& own = cones[tile];
  const auto leaves = [&](const Cone& cone) {
    return angle_of(dot(own.axis, cone.axis)) + angle_of(cone.least_cosine) >= half_gate;
  };
  if (angle_of(own.least_cosine) >= half_gate) return true;
  return std::any_of(neighbors.begin(), neighbors.end(),
                     [&](std::uint32_t other) { return leaves(cones[other]); });
}

void find_neighbors(Tiles& made, double half_gate, Context& context) {
  std::vector<std::vector<std::uint32_t>> found(made.tiles.size());
  std::vector<Cone> cones(made.tiles.size());
  const TileMap map(made.tiles);
  for_tiles(made, context, [&](std::size_t i) {
    bound(made.tiles[i], made.pieces);
    cones[i] = cone_of(made, made.tiles[i]);
  });
  const std::vector<Level> levels = levels_of(made.tiles);
  for_tiles(made, context,
            [&](std::size_t i) { found[i] = neighbors_near(made, map, levels, made.tiles[i]); });
  if (levels.size() > 1) link_levels(made.tiles, found);
  for_tiles(made, context, [&](std::size_t i) {
    made.tiles[i].gated = needs_gate(cones, i, found[i], half_gate);
  });
  for (std::size_t i = 0; i < made.tiles.size(); ++i) {
    made.tiles[i].first_neighbor = static_cast<std::uint32_t>(made.neighbors.size());
    made.neighbors.insert(made.neighbors.end(), found[i].begin(), found[i].end());
    made.tiles[i].end_neighbor = static_cast<std::uint32_t>(made.neighbors.size());
  }
}

double half_of(double gate_degrees) {
  return gate_degrees < 180 ? gate_degrees / 360 * full_circle / 2 : full_circle;
}

}  // namespace

std::int32_t level_of(double radius) {
  return std::ilogb(radius);
}

// Adds 2, as rounding and neighbors of the first tile make indices below 0.
std::uint64_t morton(const std::array<std::int32_t, 3>& at) {
  return curve_place({at[0] + 2, at[1] + 2, at[2] + 2});
}

std::uint64_t curve_place(const std::array<std::int32_t, 3>& at) {
  const auto along = [&](std::size_t axis) {
    return every_third(static_cast<std::uint64_t>(at[axis]));
  };
  return along(0) | along(1) << 1 | along(2) << 2;
}

std::array<float, 3> shift(const std::array<std::int32_t, 3>& from,
                           const std::array<std::int32_t, 3>& to) {
  std::array<float, 3> moved;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    moved[axis] = static_cast<float>(tile_edge) * static_cast<float>(from[axis] - to[axis]);
  }
  return moved;
}

std::vector<std::vector<double>> classes_in(const Frame& frame, const SurfaceRadius& radius,
                                            double stretch) {
  std::vector<std::vector<double>> classes = radius.classes;
  for (auto& row : classes) {
    for (double& distance : row) distance *= radius.scale * stretch / frame.radius;
  }
  return classes;
}

float cosine_of_gate(double degrees) {
  // The rounded cosine of two normals may be slightly below -1, so an open gate is at -2.
  constexpr float open_gate = -2;
  return degrees < 180 ? static_cast<float>(portable_cosine(degrees / 360)) : open_gate;
}

Apart apart_of(const SurfaceRadius& radius) {
  if (!radius.classes.empty()) return Apart::given;
  if (!varies(radius)) return Apart::one;
  if (radius.rule == ConflictRule::min) return Apart::least;
  return radius.rule == ConflictRule::max ? Apart::most : Apart::mean;
}

void require_room(const Frame& frame) {
  const double widest = std::max({frame.extent.x, frame.extent.y, frame.extent.z});
  if (!(widest < most_tiles_a_side * tile_edge)) {
    throw Error(ErrorKind::limit, "the mesh is " + shortest(std::round(widest)) +
                                      " radii wide, but at most " +
                                      shortest(most_tiles_a_side * tile_edge) +
                                      " are possible: use a larger radius or fewer points");
  }
  // Points have coordinates of the mesh, and doubles of that size are `step` apart.
  const Vec3 far = frame.origin + frame.extent * frame.radius;
  double largest = 0;
  for (const Vec3& p : {frame.origin, far}) {
    largest = std::max({largest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  }
  constexpr double coarsest = 2e-5;  // in radii: the tolerance of proofs
  const double step = largest * std::numeric_limits<double>::epsilon();
  if (step > coarsest * frame.radius) {
    throw Error(ErrorKind::limit, "the mesh has coordinates up to " + shortest(largest) +
                                      ", too coarse for a radius of " + shortest(frame.radius) +
                                      ": move it closer to the origin");
  }
}

Tiles make_tiles(std::vector<Piece> pieces, const std::vector<Triangle>& triangles,
                 double gate_degrees, const SurfaceRadius& radius, const Frame& frame,
                 Context& context) {
  Tiles made;
  made.least_cosine = cosine_of_gate(gate_degrees);
  made.normals.reserve(triangles.size());
  for (const Triangle& t : triangles) made.normals.push_back(normal_of(t));
  made.apart = apart_of(radius);
  made.classes = classes_in(frame, radius);
  made.pieces = std::move(pieces);
  sort_into_tiles(made, context);
  find_neighbors(made, half_of(gate_degrees), context);
  return made;
}

Tiles make_tiles(EvenPieces pieces, double gate_degrees, Context& context) {
  Tiles made;
  made.least_cosine = cosine_of_gate(gate_degrees);
  made.normals = std::move(pieces.normals);
  make_in_tiles(pieces, made, context);
  find_neighbors(made, half_of(gate_degrees), context);
  return made;
}

}  // namespace dapple::surface
