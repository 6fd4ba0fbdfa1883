// The proof of a set on a surface: exact distances of pairs, and cover by branch and bound over the
// triangles, from the points alone.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/doors.hpp"
#include "core/parallel.hpp"
#include "dapple/error.hpp"
#include "dapple/surface.hpp"
#include "dapple/units.hpp"
#include "sample/surface/block.hpp"

namespace dapple {
namespace surface {
namespace {

// Pairs farther apart than this do not count as neighbors.
constexpr float pair_reach = 1.25f;
constexpr std::size_t group_size = 32;

constexpr double smallest_block = 1e-6;

// The points in cubes of the lattice, in the order of its curve.
struct Cells {
  struct Cell {
    std::array<std::int32_t, 3> at;
    std::uint64_t code;
    std::size_t first, end;
  };
  std::vector<Cell> cells;
  Places places;  // number: the point; from the middle of its cell

  const Cell* find(const std::array<std::int32_t, 3>& at) const {
    const std::uint64_t code = morton(at);
    const auto found =
        std::lower_bound(cells.begin(), cells.end(), code,
                         [](const Cell& cell, std::uint64_t c) { return cell.code < c; });
    return found != cells.end() && found->at == at ? &*found : nullptr;
  }
};

Cells make_cells(const SurfacePoints& points, const Frame& frame) {
  struct Entry {
    std::uint64_t code;
    std::int32_t index;
    bool operator<(const Entry& other) const {
      return code != other.code ? code < other.code : index < other.index;
    }
  };
  const auto in_radii = [&](std::size_t i) {
    return (Vec3{points.x[i], points.y[i], points.z[i]} - frame.origin) * (1 / frame.radius);
  };
  std::vector<Entry> order(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    order[i] = {morton(lattice_place(in_radii(i))), static_cast<std::int32_t>(i)};
  }
  std::sort(order.begin(), order.end());
  Cells made;
  made.places.make_room(points.size());
  for (const auto& [code, index] : order) {
    const Vec3 p = in_radii(static_cast<std::size_t>(index));
    if (made.cells.empty() || made.cells.back().code != code) {
      made.cells.push_back({lattice_place(p), code, made.places.count, 0});
    }
    Tile tile;
    tile.at = made.cells.back().at;
    const Vec3 middle = tile.middle();
    made.places.add(static_cast<float>(p.x - middle.x), static_cast<float>(p.y - middle.y),
                    static_cast<float>(p.z - middle.z), index);
    made.cells.back().end = made.places.count;
  }
  return made;
}

// Places of the cells round a tile within `reach` of its bounds.
void gather_cells(const Cells& cells, const Tile& tile, float reach, Places& into) {
  into.clear();
  for (int z = -1; z <= 1; ++z) {
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) {
        const Cells::Cell* cell = cells.find({tile.at[0] + x, tile.at[1] + y, tile.at[2] + z});
        if (cell != nullptr) {
          gather(tile, cell->at, cells.places, cell->first, cell->end, reach, into);
        }
      }
    }
  }
}

struct Proof {
  const SurfacePoints& points;
  const Frame& frame;
  const Tiles& tiles;
  const Cells& cells;
  float cover_radius;

  std::array<float, 3> normal_of(std::size_t i) const {
    return {points.nx[i], points.ny[i], points.nz[i]};
  }
  void pairs_of_cell(const Cells::Cell& cell, Places& near, Places& found,
                     SurfaceCertificate& into) const;
  void cover_of_tile(const Tile& tile, Places& near, SurfaceCertificate& into) const;
  bool has_hole(const Tile& tile, Block& block, const Places& near, Vec3& place) const;
};

void Proof::pairs_of_cell(const Cells::Cell& cell, Places& near, Places& found,
                          SurfaceCertificate& into) const {
  constexpr float half = static_cast<float>(tile_edge) / 2;
  Tile tile;
  tile.at = cell.at;
  tile.low = {-half, -half, -half};
  tile.high = {half, half, half};
  gather_cells(cells, tile, pair_reach, near);
  for (std::size_t k = cell.first; k < cell.end; ++k) {
    const auto i = static_cast<std::size_t>(cells.places.number[k]);
    select_near(near, 0, {cells.places.x[k], cells.places.y[k], cells.places.z[k]}, pair_reach,
                found);
    const Vec3 p{points.x[i], points.y[i], points.z[i]};
    for (std::size_t n = 0; n < found.count; ++n) {
      const auto j = static_cast<std::size_t>(found.number[n]);
      if (j <= i || !tiles.one_sheet(normal_of(i), normal_of(j))) continue;
      const double distance =
          length(Vec3{points.x[j], points.y[j], points.z[j]} - p) / frame.radius;
      if (distance < 1) ++into.violations;
      if (distance >= into.closest) continue;
      into.closest = distance;
      into.worst_pair_place = p;
    }
  }
}

// Ends at the first hole: its border alone could be followed for ever.
bool Proof::has_hole(const Tile& tile, Block& block, const Places& near, Vec3& place) const {
  const Ball ball = ball_round(tiles, block);
  Places found;
  select_near(near, 0, ball.center, cover_radius + ball.radius, found);
  const std::array<float, 3>& normal = tiles.normal(tiles.pieces[block.piece].triangle);
  found.keep_if([&](std::int32_t i) {
    return tiles.one_sheet(normal, normal_of(static_cast<std::size_t>(i)));
  });
  block.live = uncovered(block, found, cover_radius);
  if (block.live == 0) return false;
  if (!any_near(found, ball.center, cover_radius)) {
    place = frame.place(Vec3{ball.center[0], ball.center[1], ball.center[2]} + tile.middle());
    return true;
  }
  // All of so small a block is covered to less than what the tolerance leaves.
  if (longest_edge(tiles, block) < smallest_block) return false;
  for (std::uint32_t rest = block.live; rest != 0; rest &= rest - 1) {
    Block child = child_block(tiles, tile, block, std::countr_zero(rest));
    if (has_hole(tile, child, found, place)) return true;
  }
  return false;
}

void Proof::cover_of_tile(const Tile& tile, Places& near, SurfaceCertificate& into) const {
  gather_cells(cells, tile, cover_radius, near);
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
                           const SurfaceOptions& options, Context& context, double tolerance) {
  using namespace surface;
  check(options);
  validate(mesh);
  require_above_0("the radius of points on a surface", points.radius);
  require_number("the tolerance of a proof", tolerance, 1e-5);
  require_points(points);
  const auto stage = context.stage("certify");
  const Frame frame = frame_of(mesh, points.radius);
  const Triangles triangles = canonical_triangles(mesh, frame, context);
  const Tiles tiles = make_tiles(triangles.all, frame, options.gate, context);
  const Cells cells = make_cells(points, frame);
  const Proof proof{points, frame, tiles, cells, static_cast<float>(1 + tolerance)};
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

namespace {

std::string text_of(const Vec3& place) {
  return shortest(place.x) + ", " + shortest(place.y) + ", " + shortest(place.z);
}

}  // namespace

void verify(const SurfacePoints& points, const Mesh& mesh, const SurfaceOptions& options,
            Context& context, bool counted) {
  const SurfaceCertificate proof = certify(points, mesh, options, context);
  if (proof.violations > 0) {
    throw Error(ErrorKind::verification, std::to_string(proof.violations) +
                                             " pairs of points are too near, the nearest at " +
                                             shortest(proof.closest) + " of the radius, at " +
                                             text_of(proof.worst_pair_place));
  }
  if (proof.maximal()) return;
  const std::string gap = "there is room for another point at " + text_of(proof.hole_place);
  if (!counted) throw Error(ErrorKind::verification, gap);
  context.warn(gap + ", as a set of a given number leaves some");
}

}  // namespace dapple
