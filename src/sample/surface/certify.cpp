// Proves a set on a surface from the points alone: exact distances of pairs, and coverage by branch
// and bound over the triangles.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "core/constants.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/mesh.hpp"
#include "dapple/radii.hpp"
#include "dapple/sample.hpp"
#include "dapple/space.hpp"
#include "sample/certify/proved.hpp"
#include "sample/geodesic/closest_points.hpp"
#include "sample/geodesic/cover.hpp"
#include "sample/spaces.hpp"
#include "sample/surface/even_patches.hpp"
#include "sample/surface/obstacles.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
namespace surface {
namespace {

// Pairs farther apart than this do not count as neighbors.
constexpr float pair_reach = 1.25f;

// The places of points on faces, for distances along the surface.
struct GeodesicDiscs {
  geodesic::Net net;
  std::vector<std::int32_t> face;    // the face of each point
  std::vector<Vec3> place;           // in the unit of the frame; the foot of a fixed point
  std::vector<geodesic::Foot> feet;  // feet of the fixed points
  std::vector<std::pair<std::int32_t, std::uint32_t>> by_face;  // the other points
  geodesic::ObstaclesAlong there;

  GeodesicDiscs(const Mesh& mesh, const Points& points, std::size_t kept, ConflictRule rule,
                const Triangles& triangles, const Frame& frame, Context& context)
      : net(geodesic::make_net(mesh, triangles, frame, context)) {
    std::vector<std::int32_t> faces(mesh.triangles.size(), -1);
    for (std::size_t f = 0; f < triangles.all.size(); ++f) {
      faces[static_cast<std::size_t>(triangles.all[f].index)] = static_cast<std::int32_t>(f);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      const bool known = i < points.triangle.size() && points.triangle[i] >= 0 &&
                         static_cast<std::size_t>(points.triangle[i]) < faces.size();
      face.push_back(known ? faces[static_cast<std::size_t>(points.triangle[i])] : -1);
      if (face.back() < 0) {
        throw Error(ErrorKind::input, "point " + std::to_string(i + 1) +
                                          " must name one triangle of the mesh with an area, "
                                          "because distances along the surface start from it");
      }
      const Vec3 p{points.x[i], points.y[i], points.z[i]};
      place.push_back((p - frame.origin) * (1 / frame.radius));
      if (i >= kept) continue;
      const Triangle& of = triangles.all[static_cast<std::size_t>(face.back())];
      place.back() = geodesic::place_of_foot(of, place.back());
      const double own = static_cast<double>(points.radius[i]) / frame.radius;
      feet.push_back({face.back(), place.back(), conflict_distance(rule, own, 1)});
    }
    for (std::size_t i = kept; i < face.size(); ++i) {
      by_face.emplace_back(face[i], static_cast<std::uint32_t>(i));
    }
    std::sort(by_face.begin(), by_face.end());
  }
  // Returns the discs of the points near a tile. The numbers of these points become those of discs.
  std::vector<geodesic::Disc> discs(Places& near, double reach) const {
    std::vector<geodesic::Disc> found;
    geodesic::PathFinder finder(net);
    for (std::size_t n = 0; n < near.count; ++n) {
      const auto i = static_cast<std::size_t>(near.number[n]);
      found.push_back(finder.disc(face[i], place[i], reach, true));
      near.number[n] = static_cast<std::int32_t>(n);
    }
    return found;
  }
};

struct Proof {
  const Points& points;
  const Frame& frame;
  const Tiles& tiles;
  const Cells& cells;
  const SurfaceRadius& radius;
  std::size_t kept;  // the first points are fixed: pairs of them do not count
  float cover_radius;
  const GeodesicDiscs* along;  // nullptr: distances are measured in space

  std::array<float, 3> normal_of(std::size_t i) const {
    return {points.nx[i], points.ny[i], points.nz[i]};
  }
  void pairs_of_cell(const Cells::Cell& cell, Places& near, Places& found, Certificate& into) const;
  void pairs_of_foot(std::size_t i, Certificate& into) const;
  void cover_of_tile(std::size_t tile, Places& near, Certificate& into) const;
  bool has_hole(const Tile& tile, Block& block, const Places& near, Vec3& place) const;
  bool has_hole_along(std::size_t tile, Block& block, const Places& near,
                      const std::vector<geodesic::Disc>& discs, Vec3& place) const;
};

void add_pair(Certificate& into, double distance, const Vec3& place) {
  if (distance < 1) ++into.violations;
  if (distance >= into.closest) return;
  into.closest = distance;
  into.worst_pair_place = place;
}

void Proof::pairs_of_cell(const Cells::Cell& cell, Places& near, Places& found,
                          Certificate& into) const {
  std::size_t of = points.size();
  geodesic::Disc disc;
  std::optional<geodesic::PathFinder> finder;
  if (along != nullptr) finder.emplace(along->net);
  cells.for_pairs(cell, pair_reach, near, found, [&](std::size_t i, std::size_t j) {
    if (i < kept && j < kept) return;
    const Vec3 p{points.x[i], points.y[i], points.z[i]};
    if (along != nullptr) {
      if (along->net.part_of(along->face[i]) != along->net.part_of(along->face[j])) return;
      if (i != of) {
        disc =
            finder->disc(along->face[i], along->place[i], static_cast<double>(pair_reach), false);
      }
      of = i;
      const std::int32_t face = along->face[j];
      const double d =
          disc.distance(face, geodesic::seen_by_sides(along->net, face, along->place[j]));
      return add_pair(into, d, p);
    }
    if (!tiles.one_sheet(normal_of(i), normal_of(j))) return;
    const Vec3 q{points.x[j], points.y[j], points.z[j]};
    add_pair(into, length(q - p) / required_distance(points, radius, i, j), p);
  });
}

// Measures pairs of a fixed point and other points, on the faces that its disc reaches.
void Proof::pairs_of_foot(std::size_t i, Certificate& into) const {
  const geodesic::Foot& foot = along->feet[i];
  geodesic::PathFinder finder(along->net);
  const double reach = static_cast<double>(pair_reach) * foot.limit;
  const geodesic::Disc disc = finder.disc(foot.triangle, foot.place, reach, false);
  for (const std::int32_t face : disc.faces()) {
    const auto [first, end] = std::equal_range(
        along->by_face.begin(), along->by_face.end(), std::pair(face, std::uint32_t{0}),
        [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto at = first; at != end; ++at) {
      const std::size_t j = at->second;
      const double d =
          disc.distance(face, geodesic::seen_by_sides(along->net, face, along->place[j]));
      add_pair(into, d / foot.limit, {points.x[j], points.y[j], points.z[j]});
    }
  }
}

// Returns true at the first free place: following the border of a hole could take forever.
bool Proof::has_hole(const Tile& tile, Block& block, const Places& near, Vec3& place) const {
  const PatchRadii radii = radii_of(tiles, tile, block);
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
  // A block this small is covered, up to less than the tolerance.
  const double least = static_cast<double>(radii.least()) * tile.unit;
  if (longest_edge(tiles, block) < smallest_proved_part * least) return false;
  for (std::uint32_t rest = block.live; rest != 0; rest &= rest - 1) {
    Block child = child_block(tiles, tile, block, std::countr_zero(rest));
    if (has_hole(tile, child, found, place)) return true;
  }
  return false;
}

// As above, but along the surface: the numbers in `near` are those of discs.
bool Proof::has_hole_along(std::size_t number, Block& block, const Places& near,
                           const std::vector<geodesic::Disc>& discs, Vec3& place) const {
  const Tile& tile = tiles.tiles[number];
  const std::vector<std::int32_t>& there = along->there.of_tile[number];
  const auto there_disc = [&](std::int32_t n) -> const geodesic::Disc& {
    return along->there.discs[static_cast<std::size_t>(n)];
  };
  const Reach reach = reach_of(tiles, tile, block, 1, cover_radius);
  Places found;
  select_near(tiles.apart, near, 0, reach, found);
  const Piece& piece = tiles.pieces[block.piece];
  const std::int32_t part = along->net.part_of(piece.triangle);
  found.keep_if([&](std::int32_t n) { return discs[static_cast<std::size_t>(n)].part() == part; });
  const auto most = static_cast<double>(cover_radius);
  geodesic::Parts parts(along->net, piece, block);
  for (std::size_t n = 0; n < there.size() && block.live != 0; ++n) {
    block.live = parts.uncovered(block.live, there_disc(there[n]), most);
  }
  for (std::size_t n = 0; n < found.count && block.live != 0; ++n) {
    block.live =
        parts.uncovered(block.live, discs[static_cast<std::size_t>(found.number[n])], most);
  }
  if (block.live == 0) return false;
  const Weights weights = in_piece(block, middle_part, {2.0 / 3, 2.0 / 3});
  const Vec3 middle = place_of(piece, weights);
  const geodesic::SeenBySides seen = geodesic::seen_by_sides(along->net, piece.triangle, middle);
  const auto holds = [&](const geodesic::Disc& disc) {
    return disc.distance(piece.triangle, seen) < most;
  };
  const bool held =
      std::any_of(found.number.begin(),
                  found.number.begin() + static_cast<std::ptrdiff_t>(found.count),
                  [&](std::int32_t n) { return holds(discs[static_cast<std::size_t>(n)]); }) ||
      std::any_of(there.begin(), there.end(), [&](std::int32_t n) { return holds(there_disc(n)); });
  if (!held) {
    place = frame.place(middle);
    return true;
  }
  if (longest_edge(tiles, block) < smallest_proved_part) return false;
  for (std::uint32_t rest = block.live; rest != 0; rest &= rest - 1) {
    Block child = child_block(tiles, tile, block, std::countr_zero(rest));
    if (has_hole_along(number, child, found, discs, place)) return true;
  }
  return false;
}

void Proof::cover_of_tile(std::size_t number, Places& near, Certificate& into) const {
  const Tile& tile = tiles.tiles[number];
  cells.gather_around(tile, std::numeric_limits<std::int32_t>::min(), cover_radius, near);
  const std::vector<geodesic::Disc> discs =
      along == nullptr ? std::vector<geodesic::Disc>()
                       : along->discs(near, static_cast<double>(cover_radius));
  for (std::uint32_t p = tile.first; p < tile.end; ++p) {
    Block block = root_block(tiles, tile, p);
    Vec3 place;
    const bool open = along == nullptr ? has_hole(tile, block, near, place)
                                       : has_hole_along(number, block, near, discs, place);
    if (!open) continue;
    if (into.holes == 0) {
      into.hole_place = place;
      into.hole_class = tile.class_id;
    }
    ++into.holes;
  }
}

}  // namespace

void require_radii(const Points& points, const SurfaceRadius& radius) {
  if (is_one(radius)) {
    return require_above_0("the radius of points on a surface", radius.even);
  }
  if (!radius.classes.empty()) {
    const auto is_class = [&](std::int32_t c) {
      return c >= 0 && static_cast<std::size_t>(c) < radius.classes.size();
    };
    if (points.class_id.size() == points.size() &&
        std::all_of(points.class_id.begin(), points.class_id.end(), is_class)) {
      return;
    }
    throw Error(ErrorKind::input,
                "each point needs a class, which must be one of those with distances");
  }
  if (points.radius.size() != points.size()) {
    throw Error(ErrorKind::input, "each point needs a radius if the radius varies on the surface");
  }
  for (const float r : points.radius) {
    require_above_0("the radius of points on a surface", static_cast<double>(r));
  }
}

double required_distance(const Points& points, const SurfaceRadius& radius, std::size_t i,
                         std::size_t j) {
  if (!radius.classes.empty()) {
    const auto& row = radius.classes[static_cast<std::size_t>(points.class_id[i])];
    return row[static_cast<std::size_t>(points.class_id[j])] * radius.scale;
  }
  if (!varies(radius)) return radius.even;
  return conflict_distance(radius.rule, static_cast<double>(points.radius[i]),
                           static_cast<double>(points.radius[j]));
}

void require_points(const Points& points) {
  for (const std::size_t size : {points.nx.size(), points.ny.size(), points.nz.size()}) {
    if (size != points.size()) {
      throw Error(ErrorKind::input, "points have columns of different lengths");
    }
  }
  require_places(points);
}

void require_places(const Points& points) {
  if (points.y.size() != points.size() || points.z.size() != points.size()) {
    throw Error(ErrorKind::input, "each point needs x, y and z");
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double sum = points.x[i] + points.y[i] + points.z[i];
    if (std::isfinite(sum) && std::abs(sum) < 1e18) continue;
    throw Error(ErrorKind::input, "point " + std::to_string(i + 1) +
                                      " has a coordinate that is not finite or is beyond 1e18");
  }
}

}  // namespace surface

Certificate spaces::certify_surface(const Points& points, std::size_t kept,
                                    const SurfaceRadius& radius, double tolerance,
                                    Context& context) {
  using namespace surface;
  const Mesh& mesh = *points.space->mesh;
  const SurfaceOptions& options = points.space->surface;
  check(options);
  require_radius(mesh, radius);
  if (!is_one(radius)) require_space(options, "different radii");
  require_number("the tolerance of a proof", tolerance, 1e-5);
  require_points(points);
  kept = std::min(kept, points.size());
  if (kept > 0 && options.metric == SurfaceMetric::surface &&
      points.radius.size() != points.size()) {
    throw Error(ErrorKind::input, "each point needs a radius if some points are kept");
  }
  if (!is_one(radius)) require_radii(points, radius);
  const auto stage = context.stage("certify");
  const auto radii_kept = std::span(points.radius).first(std::min(kept, points.radius.size()));
  const Frame frame = frame_of(mesh, unit_with(mesh, radius, radii_kept));
  const bool by_paths = options.metric == SurfaceMetric::surface;
  const bool straight = is_one(radius) && !by_paths;
  Triangles triangles;  // empty if `straight`
  if (!straight) triangles = canonical_triangles(mesh, frame, context);
  if (by_paths) leave_out_twins(triangles, context);
  require_room(frame);
  SurfaceRadius placed = radius;
  if (radius.placed_classes > 0) placed.classes.resize(radius.placed_classes);
  for (std::vector<double>& row : placed.classes) row.resize(placed.classes.size());
  const Tiles tiles =
      straight ? make_tiles(EvenPieces(mesh, frame, context), options.normal_angle, context)
               : make_tiles(make_pieces(mesh, triangles.all, frame, placed, context), triangles.all,
                            options.normal_angle, placed, frame, context);
  std::optional<GeodesicDiscs> along;
  if (by_paths) {
    along.emplace(mesh, points, kept, radius.rule, triangles, frame, context);
    along->there =
        geodesic::obstacles_along(along->net, tiles, along->feet, 1 + tolerance, context);
  }
  // Along the surface, fixed points are represented by their feet.
  const std::size_t from = along ? kept : 0;
  std::vector<std::uint32_t> every(points.size() - from);
  std::iota(every.begin(), every.end(), static_cast<std::uint32_t>(from));
  const Cells cells = make_cells(points, every, frame, radius);
  const Proof proof{points,
                    frame,
                    tiles,
                    cells,
                    radius,
                    kept,
                    static_cast<float>(1 + tolerance),
                    along ? &*along : nullptr};
  struct Buffers {
    Places near, found;
  };
  Certificate all = prove_each<Buffers>(
      cells.cells.size(), context, [&](std::size_t i, Buffers& buffers, Certificate& into) {
        proof.pairs_of_cell(cells.cells[i], buffers.near, buffers.found, into);
      });
  add_part(all, prove_each<Buffers>(tiles.tiles.size(), context,
                                    [&](std::size_t i, Buffers& buffers, Certificate& into) {
                                      proof.cover_of_tile(i, buffers.near, into);
                                    }));
  add_part(all, prove_each<Buffers>(along ? along->feet.size() : 0, context,
                                    [&](std::size_t i, Buffers&, Certificate& into) {
                                      proof.pairs_of_foot(i, into);
                                    }));
  return all;
}

}  // namespace dapple
