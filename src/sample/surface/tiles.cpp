#include "sample/surface/tiles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/constants.hpp"
#include "core/parallel.hpp"
#include "core/portable.hpp"
#include "core/random.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"

namespace dapple::surface {
namespace {

constexpr std::int32_t most_tiles_a_side = 1 << 18;
// A little more than a radius: bounds are rounded.
constexpr float reach = 1.001f;

double longest_edge(const Piece& piece) {
  return std::max({length(piece.e1), length(piece.e2), length(piece.e2 - piece.e1)});
}

// The two halves by the middle of the longest edge, the first of equal ones.
std::pair<Piece, Piece> halves(const Piece& piece) {
  const double l1 = length(piece.e1);
  const double l2 = length(piece.e2);
  const double l3 = length(piece.e2 - piece.e1);
  Piece one = piece;
  Piece two = piece;
  if (l1 >= l2 && l1 >= l3) {
    one.e1 = piece.e1 * 0.5;
    two.a = piece.a + one.e1;
    two.e1 = one.e1;
    two.e2 = piece.e2 - one.e1;
  } else if (l2 >= l3) {
    one.e2 = piece.e2 * 0.5;
    two.a = piece.a + one.e2;
    two.e1 = piece.e1 - one.e2;
    two.e2 = one.e2;
  } else {
    const Vec3 middle = (piece.e1 + piece.e2) * 0.5;
    one.e2 = middle;
    two.e1 = middle;
  }
  for (auto [half, number] : {std::pair{&one, 0}, std::pair{&two, 1}}) {
    half->key = hash(piece.key, static_cast<std::uint64_t>(number));
    half->area = 0.5 * piece.area;
    half->longest = longest_edge(*half);
  }
  return {one, two};
}

float ball_of(const Piece& piece) {
  const Vec3 middle = (piece.e1 + piece.e2) * (1.0 / 3);
  constexpr double rounding = 1.00001;
  return static_cast<float>(
      rounding * std::max({length(middle), length(piece.e1 - middle), length(piece.e2 - middle)}));
}

void cut(const Piece& piece, std::vector<Piece>& into) {
  if (piece.longest <= piece_edge) {
    into.push_back(piece);
    into.back().ball = ball_of(piece);
    return;
  }
  const auto [one, two] = halves(piece);
  cut(one, into);
  cut(two, into);
}

// About what cut() makes of a triangle: halves of an even triangle are of some 2.2 square radii,
// and a needle makes one for every 2 radii of its length.
double expected_pieces(const Triangle& t) {
  return t.longest <= piece_edge ? 1 : std::max(t.area, t.longest) / 1.5;
}

std::vector<Piece> cut_pieces(const std::vector<Triangle>& triangles, Context& context) {
  double expected = 0;
  for (const Triangle& t : triangles) expected += expected_pieces(t);
  context.require_memory(expected * 3 * sizeof(Piece),
                         "a surface of " + shortest(std::round(expected)) + " pieces");
  constexpr std::size_t group = 1024;
  std::vector<std::vector<Piece>> parts((triangles.size() + group - 1) / group);
  parallel_for(context, parts.size(), [&](std::size_t g) {
    const std::size_t end = std::min(triangles.size(), (g + 1) * group);
    for (std::size_t i = g * group; i < end; ++i) {
      const Triangle& t = triangles[i];
      cut({t.a, t.e1, t.e2, t.area, t.longest, 0, t.key, static_cast<std::int32_t>(i)}, parts[g]);
    }
  });
  std::vector<Piece> pieces;
  std::size_t count = 0;
  for (const auto& part : parts) count += part.size();
  pieces.reserve(count);
  for (auto& part : parts) {
    pieces.insert(pieces.end(), part.begin(), part.end());
    part = {};
  }
  return pieces;
}

// Bits of v, of 21, to every third place.
std::uint64_t every_third(std::uint64_t v) {
  v = (v | v << 32) & 0x001f00000000ffffULL;
  v = (v | v << 16) & 0x001f0000ff0000ffULL;
  v = (v | v << 8) & 0x100f00f00f00f00fULL;
  v = (v | v << 4) & 0x10c30c30c30c30c3ULL;
  return (v | v << 2) & 0x1249249249249249ULL;
}

void bound(Tile& tile, const std::vector<Piece>& pieces) {
  const Vec3 middle = tile.middle();
  for (std::uint32_t i = tile.first; i < tile.end; ++i) {
    const Piece& piece = pieces[i];
    for (const Vec3& corner : {piece.a, piece.a + piece.e1, piece.a + piece.e2}) {
      const Vec3 from_middle = corner - middle;
      const float p[3] = {static_cast<float>(from_middle.x), static_cast<float>(from_middle.y),
                          static_cast<float>(from_middle.z)};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        tile.low[axis] = std::min(tile.low[axis], p[axis]);
        tile.high[axis] = std::max(tile.high[axis], p[axis]);
      }
    }
  }
}

void sort_into_tiles(Tiles& made) {
  struct Place {
    std::uint64_t code, key;
    std::uint32_t index;
    bool operator<(const Place& other) const {
      return code != other.code ? code < other.code : key < other.key;
    }
  };
  std::vector<Place> places(made.pieces.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Piece& piece = made.pieces[i];
    const Vec3 middle = piece.a + (piece.e1 + piece.e2) * (1.0 / 3);
    places[i] = {morton(lattice_place(middle)), piece.key, static_cast<std::uint32_t>(i)};
  }
  std::sort(places.begin(), places.end());
  std::vector<Piece> sorted;
  sorted.reserve(made.pieces.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Piece& piece = made.pieces[places[i].index];
    sorted.push_back(piece);
    if (i == 0 || places[i].code != places[i - 1].code) {
      const Vec3 middle = piece.a + (piece.e1 + piece.e2) * (1.0 / 3);
      Tile tile;
      tile.at = lattice_place(middle);
      tile.first = static_cast<std::uint32_t>(i);
      tile.low.fill(1e9f);
      tile.high.fill(-1e9f);
      made.tiles.push_back(tile);
    }
    made.tiles.back().end = static_cast<std::uint32_t>(i + 1);
  }
  made.pieces = std::move(sorted);
}

// Tiles by their place.
class TileMap {
 public:
  explicit TileMap(const std::vector<Tile>& tiles)
      : tiles_(tiles), slots_(std::bit_ceil(2 * tiles.size() + 1), none) {
    for (std::uint32_t i = 0; i < tiles.size(); ++i) *slot_of(tiles[i].at) = i;
  }
  static constexpr std::uint32_t none = 0xffffffff;
  // none: there is no tile.
  std::uint32_t find(const std::array<std::int32_t, 3>& at) const { return *slot_of(at); }

 private:
  // Of the tile, or where it would be.
  template <class Self>
  static auto* slot(Self& self, const std::array<std::int32_t, 3>& at) {
    std::size_t i = mix(morton(at));
    for (;; ++i) {
      auto& found = self.slots_[i & (self.slots_.size() - 1)];
      if (found == none || self.tiles_[found].at == at) return &found;
    }
  }
  std::uint32_t* slot_of(const std::array<std::int32_t, 3>& at) { return slot(*this, at); }
  const std::uint32_t* slot_of(const std::array<std::int32_t, 3>& at) const {
    return slot(*this, at);
  }

  const std::vector<Tile>& tiles_;
  std::vector<std::uint32_t> slots_;
};

bool within_reach(const Tile& tile, const Tile& other) {
  const auto moved = shift(other.at, tile.at);
  float gap2 = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const float gap = std::max({0.0f, other.low[axis] + moved[axis] - tile.high[axis],
                                tile.low[axis] - other.high[axis] - moved[axis]});
    gap2 += gap * gap;
  }
  return gap2 <= reach * reach;
}

// A piece reaches 2 radii out of its tile at the most, so only the 26 tiles round it can matter.
std::vector<std::uint32_t> neighbors_near(const Tiles& made, const TileMap& map, const Tile& tile) {
  std::vector<std::uint32_t> found;
  for (int z = -1; z <= 1; ++z) {
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) {
        if (x == 0 && y == 0 && z == 0) continue;
        const std::uint32_t other = map.find({tile.at[0] + x, tile.at[1] + y, tile.at[2] + z});
        if (other == TileMap::none || !within_reach(tile, made.tiles[other])) continue;
        found.push_back(other);
      }
    }
  }
  return found;
}

// A direction, and how far the normals of a tile are off it at the most.
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

// Normals within half the gate of one direction are all of one sheet.
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

constexpr std::size_t tile_group = 64;

void find_neighbors(Tiles& made, double half_gate, Context& context) {
  const std::size_t groups = (made.tiles.size() + tile_group - 1) / tile_group;
  std::vector<std::vector<std::uint32_t>> found(made.tiles.size());
  std::vector<Cone> cones(made.tiles.size());
  const TileMap map(made.tiles);
  const auto for_tiles = [&](const auto& body) {
    parallel_for(context, groups, [&](std::size_t g) {
      const std::size_t end = std::min(made.tiles.size(), (g + 1) * tile_group);
      for (std::size_t i = g * tile_group; i < end; ++i) body(i);
    });
  };
  for_tiles([&](std::size_t i) {
    bound(made.tiles[i], made.pieces);
    cones[i] = cone_of(made, made.tiles[i]);
  });
  for_tiles([&](std::size_t i) {
    found[i] = neighbors_near(made, map, made.tiles[i]);
    made.tiles[i].gated = needs_gate(cones, i, found[i], half_gate);
  });
  for (std::size_t i = 0; i < made.tiles.size(); ++i) {
    made.tiles[i].first_neighbor = static_cast<std::uint32_t>(made.neighbors.size());
    made.neighbors.insert(made.neighbors.end(), found[i].begin(), found[i].end());
    made.tiles[i].end_neighbor = static_cast<std::uint32_t>(made.neighbors.size());
  }
}

}  // namespace

std::array<std::int32_t, 3> lattice_place(const Vec3& p) {
  const auto along = [](double v) { return static_cast<std::int32_t>(std::floor(v / tile_edge)); };
  return {along(p.x), along(p.y), along(p.z)};
}

// Places are 0 and up, but for rounding and the neighbors of the first: one more for those.
std::uint64_t morton(const std::array<std::int32_t, 3>& at) {
  const auto along = [&](std::size_t axis) {
    return every_third(static_cast<std::uint64_t>(at[axis] + 2));
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

Tiles make_tiles(const std::vector<Triangle>& triangles, const Frame& frame, double gate_degrees,
                 Context& context) {
  const double widest = std::max({frame.extent.x, frame.extent.y, frame.extent.z});
  if (!(widest < most_tiles_a_side * tile_edge)) {
    throw Error(ErrorKind::limit,
                "the mesh is " + shortest(std::round(widest)) + " radii wide, and at most " +
                    shortest(most_tiles_a_side * tile_edge) +
                    " can be told apart: a larger radius or fewer points are needed");
  }
  Tiles made;
  // The cosines of no two normals are below -1, as rounded ones may be by a little.
  constexpr float open_gate = -2;
  made.least_cosine =
      gate_degrees < 180 ? static_cast<float>(portable_cosine(gate_degrees / 360)) : open_gate;
  made.normals.reserve(triangles.size());
  for (const Triangle& t : triangles) {
    made.normals.push_back({static_cast<float>(t.normal.x), static_cast<float>(t.normal.y),
                            static_cast<float>(t.normal.z)});
  }
  made.pieces = cut_pieces(triangles, context);
  sort_into_tiles(made);
  const double half_gate = gate_degrees < 180 ? gate_degrees / 360 * full_circle / 2 : full_circle;
  find_neighbors(made, half_gate, context);
  return made;
}

}  // namespace dapple::surface
