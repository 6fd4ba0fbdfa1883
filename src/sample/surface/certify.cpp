// The proof of a set on a surface: exact distances of pairs, and cover by branch and bound over the
// triangles, from the points alone.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/doors.hpp"
#include "core/parallel.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "dapple/surface.hpp"
#include "dapple/units.hpp"
#include "sample/surface/block.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
namespace surface {
namespace {

// Pairs farther apart than this do not count as neighbors.
constexpr float pair_reach = 1.25f;
constexpr std::size_t group_size = 32;

constexpr double smallest_block = 1e-6;

// The points in cubes of lattices, level by level, in the order of a curve on which the cubes of
// one level that make one of a higher level follow each other.
struct Cells {
  struct Cell : Tile {
    std::uint64_t code = 0;
    std::size_t first = 0, end = 0;
  };
  struct Level {
    std::int32_t level = 0;
    std::size_t first = 0, end = 0;  // of its cells
  };
  std::vector<Cell> cells;
  std::vector<Level> levels;
  Places places;  // number: the point; from the middle of its cell

  // Of one level, those in the cube of a level that is not lower: its first, and the one behind.
  std::pair<std::size_t, std::size_t> within(const Level& of, std::int32_t level,
                                             const std::array<std::int32_t, 3>& at) const {
    const int up = 3 * (level - of.level);
    const std::uint64_t code = curve_place(at);
    const auto begin = cells.begin() + static_cast<std::ptrdiff_t>(of.first);
    const auto end = cells.begin() + static_cast<std::ptrdiff_t>(of.end);
    const auto first = std::lower_bound(
        begin, end, code, [&](const Cell& cell, std::uint64_t c) { return cell.code >> up < c; });
    auto behind = first;
    while (behind != end && behind->code >> up == code) ++behind;
    return {static_cast<std::size_t>(first - cells.begin()),
            static_cast<std::size_t>(behind - cells.begin())};
  }
};

Vec3 place_in(const Frame& frame, const SurfacePoints& points, std::size_t i) {
  return (Vec3{points.x[i], points.y[i], points.z[i]} - frame.origin) * (1 / frame.radius);
}

// In the lattice, whose places are 0 and up but for rounding.
std::array<std::int32_t, 3> cell_of(const Vec3& place, double unit) {
  std::array<std::int32_t, 3> at = lattice_place(place, unit);
  for (std::int32_t& along : at) along = std::max(along, 0);
  return at;
}

Cells make_cells(const SurfacePoints& points, const Frame& frame, Apart apart) {
  struct Entry {
    std::int32_t level;
    std::int32_t index;
    std::uint64_t code;
    bool operator<(const Entry& other) const {
      if (level != other.level) return level < other.level;
      return code != other.code ? code < other.code : index < other.index;
    }
  };
  const auto in_units = [&](std::size_t i) {
    return apart == Apart::one ? 1 : static_cast<double>(points.r[i]) / frame.radius;
  };
  std::vector<Entry> order(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::int32_t level = level_of(in_units(i));
    const auto at = cell_of(place_in(frame, points, i), std::ldexp(1.0, level));
    order[i] = {level, static_cast<std::int32_t>(i), curve_place(at)};
  }
  std::sort(order.begin(), order.end());
  Cells made;
  made.places.make_room(points.size());
  for (const auto& [level, index, code] : order) {
    const auto i = static_cast<std::size_t>(index);
    const Vec3 p = place_in(frame, points, i);
    if (made.levels.empty() || made.levels.back().level != level) {
      made.levels.push_back({level, made.cells.size(), 0});
    }
    const bool is_first = made.levels.back().first == made.cells.size();
    if (is_first || made.cells.back().code != code) {
      Cells::Cell cell;
      cell.set_level(level);
      cell.at = cell_of(p, cell.unit);
      cell.code = code;
      cell.first = made.places.count;
      constexpr float half = static_cast<float>(tile_edge) / 2;
      cell.low = {-half, -half, -half};
      cell.high = {half, half, half};
      cell.most = apart == Apart::one ? 1 : 2;
      made.cells.push_back(cell);
      made.levels.back().end = made.cells.size();
    }
    Cells::Cell& cell = made.cells.back();
    const Vec3 seen = cell.seen(p);
    made.places.add(static_cast<float>(seen.x), static_cast<float>(seen.y),
                    static_cast<float>(seen.z), static_cast<float>(in_units(i) / cell.unit), index);
    cell.end = made.places.count;
  }
  return made;
}

struct Proof {
  const SurfacePoints& points;
  const Frame& frame;
  const Tiles& tiles;
  const Cells& cells;
  ConflictRule rule;
  float cover_radius;

  std::array<float, 3> normal_of(std::size_t i) const {
    return {points.nx[i], points.ny[i], points.nz[i]};
  }
  // How far apart two points are to be.
  double asked_of(std::size_t i, std::size_t j) const {
    if (tiles.apart == Apart::one) return frame.radius;
    return conflict_distance(rule, static_cast<double>(points.r[i]),
                             static_cast<double>(points.r[j]));
  }
  void gather_cells(const Tile& tile, std::int32_t least_level, float share, Places& into) const;
  void gather_cell(const Tile& tile, const Cells::Cell& cell, float share, Places& into) const;
  void pairs_of_cell(const Cells::Cell& cell, Places& near, Places& found,
                     SurfaceCertificate& into) const;
  void cover_of_tile(const Tile& tile, Places& near, SurfaceCertificate& into) const;
  bool has_hole(const Tile& tile, Block& block, const Places& near, Vec3& place) const;
};

void Proof::gather_cell(const Tile& tile, const Cells::Cell& cell, float share,
                        Places& into) const {
  if (cell.level == tile.level) {
    gather(tiles.apart, tile, cell.at, cells.places, cell.first, cell.end, share, into);
    return;
  }
  gather_across(tiles.apart, tile, cell.unit, cells.places, cell.first, cell.end, share, into,
                [&](std::size_t k) {
                  return place_in(frame, points, static_cast<std::size_t>(cells.places.number[k]));
                });
}

// Places of the cells round a tile, from one level on, that may be near it.
void Proof::gather_cells(const Tile& tile, std::int32_t least_level, float share,
                         Places& into) const {
  into.clear();
  const Vec3 middle = tile.middle();
  for (const Cells::Level& level : cells.levels) {
    if (level.level < least_level) continue;
    const double unit = std::ldexp(1.0, level.level);
    const double largest = tiles.apart == Apart::one ? unit : 2 * unit;
    const double reach = 1.001 * static_cast<double>(share) *
                         std::max(largest, static_cast<double>(tile.most) * tile.unit);
    const std::int32_t coarse = std::max(level.level, tile.level);
    const auto corner = [&](const std::array<float, 3>& of, double away) {
      const auto along = [&](std::size_t axis) {
        return static_cast<double>(of[axis]) * tile.unit + away;
      };
      return cell_of(middle + Vec3{along(0), along(1), along(2)}, std::ldexp(1.0, coarse));
    };
    const std::array<std::int32_t, 3> low = corner(tile.low, -reach);
    const std::array<std::int32_t, 3> high = corner(tile.high, reach);
    for (std::int32_t z = low[2]; z <= high[2]; ++z) {
      for (std::int32_t y = low[1]; y <= high[1]; ++y) {
        for (std::int32_t x = low[0]; x <= high[0]; ++x) {
          const auto [first, end] = cells.within(level, coarse, {x, y, z});
          for (std::size_t c = first; c < end; ++c) gather_cell(tile, cells.cells[c], share, into);
        }
      }
    }
  }
}

void Proof::pairs_of_cell(const Cells::Cell& cell, Places& near, Places& found,
                          SurfaceCertificate& into) const {
  // Pairs of two levels are those of the finer cell.
  gather_cells(cell, cell.level, pair_reach, near);
  for (std::size_t k = cell.first; k < cell.end; ++k) {
    const auto i = static_cast<std::size_t>(cells.places.number[k]);
    const Reach reach{{cells.places.x()[k], cells.places.y()[k], cells.places.z()[k]},
                      cells.places.r()[k],
                      pair_reach,
                      0};
    select_near(tiles.apart, near, 0, reach, found);
    const Vec3 p{points.x[i], points.y[i], points.z[i]};
    for (std::size_t n = 0; n < found.count; ++n) {
      const auto j = static_cast<std::size_t>(found.number[n]);
      // Those of a level find each other.
      const bool twice = tiles.apart == Apart::one || found.r()[n] < 2;
      if (j == i || (twice && j < i) || !tiles.one_sheet(normal_of(i), normal_of(j))) continue;
      const double asked = asked_of(i, j);
      const double distance = length(Vec3{points.x[j], points.y[j], points.z[j]} - p) / asked;
      if (distance < 1) ++into.violations;
      if (distance >= into.closest) continue;
      into.closest = distance;
      into.worst_pair_place = p;
    }
  }
}

// Ends at the first hole: its border alone could be followed for ever.
bool Proof::has_hole(const Tile& tile, Block& block, const Places& near, Vec3& place) const {
  const Radii radii = radii_of(tiles, tile, block);
  const Reach reach = reach_of(tiles, tile, block, radii.most(), cover_radius);
  Places found;
  select_near(tiles.apart, near, 0, reach, found);
  const std::array<float, 3>& normal = tiles.normal(tiles.pieces[block.piece].triangle);
  found.keep_if([&](std::int32_t i) {
    return tiles.one_sheet(normal, normal_of(static_cast<std::size_t>(i)));
  });
  block.live = uncovered(tiles.apart, block, radii, found, cover_radius);
  if (block.live == 0) return false;
  if (!any_near(tiles.apart, found, {reach.center, radii.in_middle(), cover_radius, 0})) {
    const Vec3 center{reach.center[0], reach.center[1], reach.center[2]};
    place = frame.place(center * tile.unit + tile.middle());
    return true;
  }
  // All of so small a block is covered to less than what the tolerance leaves.
  const double least = static_cast<double>(radii.least()) * tile.unit;
  if (longest_edge(tiles, block) < smallest_block * least) return false;
  for (std::uint32_t rest = block.live; rest != 0; rest &= rest - 1) {
    Block child = child_block(tiles, tile, block, std::countr_zero(rest));
    if (has_hole(tile, child, found, place)) return true;
  }
  return false;
}

void Proof::cover_of_tile(const Tile& tile, Places& near, SurfaceCertificate& into) const {
  gather_cells(tile, std::numeric_limits<std::int32_t>::min(), cover_radius, near);
  for (std::uint32_t p = tile.first; p < tile.end; ++p) {
    Block block = root_block(tiles, tile, p);
    Vec3 place;
    if (!has_hole(tile, block, near, place)) continue;
    if (into.holes == 0) into.hole_place = place;
    ++into.holes;
  }
}

void add_up(SurfaceCertificate& all, const SurfaceCertificate& part) {
  all.violations += part.violations;
  if (part.closest < all.closest) {
    all.closest = part.closest;
    all.worst_pair_place = part.worst_pair_place;
  }
  if (all.holes == 0) all.hole_place = part.hole_place;
  all.holes += part.holes;
}

// prove(i, scratch, certificate) for every i, each group's findings added up in order.
template <class Prove>
void prove_all(std::size_t count, Context& context, SurfaceCertificate& all, const Prove& prove) {
  std::vector<SurfaceCertificate> parts((count + group_size - 1) / group_size);
  parallel_for(context, parts.size(), [&](std::size_t g) {
    Places near, found;
    SurfaceCertificate part;
    part.closest = std::numeric_limits<double>::infinity();
    const std::size_t end = std::min(count, (g + 1) * group_size);
    for (std::size_t i = g * group_size; i < end; ++i) prove(i, near, found, part);
    parts[g] = part;
  });
  for (const SurfaceCertificate& part : parts) add_up(all, part);
}

void require_radii(const SurfacePoints& points) {
  if (points.r.size() != points.size()) {
    throw Error(ErrorKind::input, "points need a radius each where it varies on their surface");
  }
  for (const float r : points.r) {
    require_above_0("the radius of points on a surface", static_cast<double>(r));
  }
}

void require_points(const SurfacePoints& points) {
  const std::size_t count = points.size();
  for (const std::size_t size :
       {points.y.size(), points.z.size(), points.nx.size(), points.ny.size(), points.nz.size()}) {
    if (size != count) throw Error(ErrorKind::input, "points have columns of different lengths");
  }
  for (std::size_t i = 0; i < count; ++i) {
    const double sum = points.x[i] + points.y[i] + points.z[i];
    if (std::isfinite(sum) && std::abs(sum) < 1e18) continue;
    throw Error(ErrorKind::input, "point " + std::to_string(i + 1) + " is nowhere");
  }
}

}  // namespace
}  // namespace surface

SurfaceCertificate certify(const SurfacePoints& points, const Mesh& mesh,
                           const SurfaceRadius& radius, const SurfaceOptions& options,
                           Context& context, double tolerance) {
  using namespace surface;
  check(options);
  validate(mesh);
  require_radius(mesh, radius);
  require_number("the tolerance of a proof", tolerance, 1e-5);
  require_points(points);
  if (varies(radius)) require_radii(points);
  const auto stage = context.stage("certify");
  const Frame frame = frame_of(mesh, least_radius(mesh, radius));
  const Triangles triangles = canonical_triangles(mesh, frame, context);
  require_room(frame);
  const Tiles tiles = make_tiles(make_pieces(mesh, triangles.all, frame, radius, context),
                                 triangles.all, options.gate, apart_of(radius), context);
  const Cells cells = make_cells(points, frame, apart_of(radius));
  const Proof proof{points, frame, tiles, cells, radius.rule, static_cast<float>(1 + tolerance)};
  SurfaceCertificate all;
  all.closest = std::numeric_limits<double>::infinity();
  prove_all(cells.cells.size(), context, all,
            [&](std::size_t i, Places& near, Places& found, SurfaceCertificate& into) {
              proof.pairs_of_cell(cells.cells[i], near, found, into);
            });
  prove_all(tiles.tiles.size(), context, all,
            [&](std::size_t i, Places& near, Places&, SurfaceCertificate& into) {
              proof.cover_of_tile(tiles.tiles[i], near, into);
            });
  return all;
}

SurfaceCertificate certify(const SurfacePoints& points, const Mesh& mesh,
                           const SurfaceOptions& options, Context& context, double tolerance) {
  return certify(points, mesh, points.radius, options, context, tolerance);
}

namespace {

std::string text_of(const Vec3& place) {
  return shortest(place.x) + ", " + shortest(place.y) + ", " + shortest(place.z);
}

}  // namespace

void verify(const SurfacePoints& points, const Mesh& mesh, const SurfaceRadius& radius,
            const SurfaceOptions& options, Context& context, bool counted) {
  const SurfaceCertificate proof = certify(points, mesh, radius, options, context);
  if (proof.violations > 0) {
    throw Error(ErrorKind::verification, std::to_string(proof.violations) +
                                             " pairs of points are too near, the nearest at " +
                                             shortest(proof.closest) + " of what is asked, at " +
                                             text_of(proof.worst_pair_place));
  }
  if (proof.maximal()) return;
  const std::string gap = "there is room for another point at " + text_of(proof.hole_place);
  if (!counted) throw Error(ErrorKind::verification, gap);
  context.warn(gap + ", as a set of a given number leaves some");
}

}  // namespace dapple
