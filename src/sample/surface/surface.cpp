// Samples points on the surface of a mesh: from triangles to tiles to darts.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "core/constants.hpp"
#include "core/plural_text.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/sample.hpp"
#include "sample/certify/proved.hpp"
#include "sample/geodesic/cover.hpp"
#include "sample/settle_order.hpp"
#include "sample/spaces.hpp"
#include "sample/surface/even_patches.hpp"
#include "sample/surface/sampled.hpp"
#include "sample/surface/throwing/windows.hpp"
#include "sample/surface/winding.hpp"

namespace dapple {
namespace surface {
namespace {

// All resident memory per point, at a million points on 100,000 triangles (tests/bench).
constexpr double bytes_a_point = 500;

// Returns the weights of the second and the third corner of the triangle at a place in it.
Weights in_triangle(const Triangle& triangle, const Vec3& place) {
  const Weights w = EdgeProducts(triangle.e1, triangle.e2, place - triangle.a).foot();
  std::array<double, 3> weights{};
  weights[triangle.corner[0]] = 1 - w.s - w.t;
  weights[triangle.corner[1]] = w.s;
  weights[triangle.corner[2]] = w.t;
  return {std::clamp(weights[1], 0.0, 1.0), std::clamp(weights[2], 0.0, 1.0)};
}

void reserve(Points& points, std::size_t count) {
  for (auto* column : {&points.x, &points.y, &points.z}) column->reserve(count);
  for (auto* column : {&points.nx, &points.ny, &points.nz, &points.radius, &points.u, &points.v}) {
    column->reserve(count);
  }
  for (auto* column : {&points.triangle, &points.face}) column->reserve(count);
}

}  // namespace

void add_point(const Mesh& mesh, const Frame& frame, const Triangle& triangle, const Vec3& place,
               Points& points) {
  const Vec3 at = frame.place(place);
  points.x.push_back(at.x);
  points.y.push_back(at.y);
  points.z.push_back(at.z);
  points.nx.push_back(static_cast<float>(triangle.normal.x));
  points.ny.push_back(static_cast<float>(triangle.normal.y));
  points.nz.push_back(static_cast<float>(triangle.normal.z));
  points.triangle.push_back(triangle.index);
  const auto index = static_cast<std::size_t>(triangle.index);
  points.face.push_back(mesh.face.empty() ? triangle.index : mesh.face[index]);
  const Weights weights = in_triangle(triangle, place);
  points.u.push_back(static_cast<float>(weights.s));
  points.v.push_back(static_cast<float>(weights.t));
}

namespace {

// The fixed points, each with its nearest triangle and a radius. They stay at their places.
class Around {
 public:
  Around(const Points& kept, const Mesh& mesh, const Frame& frame, const Triangles& triangles,
         const Tiles& tiles, const SurfaceRadius& radius)
      : points_(kept), every_(kept.size()) {
    std::iota(every_.begin(), every_.end(), 0u);
    float most = 1;
    for (const Tile& tile : tiles.tiles) {
      most = std::max(most, tile.most * static_cast<float>(tile.unit));
    }
    for (float& r : points_.radius) {
      if (!(r > 0)) r = most * static_cast<float>(frame.radius);
    }
    const OnSurface found = locate(make_cells(points_, every_, frame, radius), tiles);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (found.triangle[i] == OnSurface::nowhere) refuse(kept, i);
      if (!(kept.radius[i] > 0))
        points_.radius[i] = static_cast<float>(found.radius[i] * frame.radius);
      const double own = static_cast<double>(kept.radius[i]) / frame.radius;
      feet_.push_back({found.triangle[i], found.place[i],
                       own > 0 ? conflict_distance(radius.rule, own, 1) : 1});
      add_point(mesh, frame, triangles.all[static_cast<std::size_t>(found.triangle[i])],
                found.place[i], points_on_);
    }
    points_on_.x = kept.x;
    points_on_.y = kept.y;
    points_on_.z = kept.z;
    points_on_.radius = points_.radius;
    points_on_.class_id = kept.class_id;
    cells_.emplace(make_cells(points_, every_, frame, radius));
    obstacles_.emplace(Obstacles{*cells_, found.triangle});
  }

  const Obstacles* obstacles() const { return &*obstacles_; }
  std::span<const geodesic::Foot> feet() const { return feet_; }
  const Points& points() const { return points_on_; }

 private:
  [[noreturn]] static void refuse(const Points& kept, std::size_t i) {
    throw Error(ErrorKind::input, "point " + std::to_string(i + 1) + " of `keep`" +
                                      at_place({kept.x[i], kept.y[i], kept.z[i]}) +
                                      " is farther from the mesh than the distance between points: "
                                      "is it from another mesh, or in another unit?");
  }

  Points points_;                     // as given, with a radius each
  Points points_on_;                  // with the columns of the surface
  std::vector<geodesic::Foot> feet_;  // used if all radii are one; the radius is then 1
  std::vector<std::uint32_t> every_;
  std::optional<Cells> cells_;
  std::optional<Obstacles> obstacles_;
};

void require_any(std::size_t faces_with_area) {
  if (faces_with_area > 0) return;
  throw Error(ErrorKind::input, "has no face with an area, so there is nowhere to put points");
}

}  // namespace

Sampled sample_radius(const Mesh& mesh, const SurfaceRadius& radius, const SurfaceOptions& options,
                      Context& context, const Kept* kept) {
  if (!is_one(radius)) require_space(options, "different radii");
  const Frame frame = frame_of(mesh, kept != nullptr ? unit_with(mesh, radius, kept->points.radius)
                                                     : least_radius(mesh, radius));
  const bool along = options.metric == SurfaceMetric::surface;
  const bool straight = is_one(radius) && kept == nullptr && !along;
  Sampled sampled;
  Triangles triangles;  // empty if `straight`
  if (!straight) {
    triangles = canonical_triangles(mesh, frame, context);
    if (along) leave_out_twins(triangles, context);
    require_any(triangles.all.size());
    sampled.without_area = triangles.without_area;
  }
  require_room(frame);
  const auto require_points = [&](double squares) {
    context.require_memory(bytes_a_point * even_packing * squares, "sampling the surface");
  };
  Tiles tiles;
  if (straight) {
    EvenPieces pieces(mesh, frame, context);
    sampled.without_area = pieces.without_area;
    require_any(mesh.triangles.size() - static_cast<std::size_t>(pieces.without_area));
    require_points(pieces.squares);
    tiles = make_tiles(std::move(pieces), options.normal_angle, context);
  } else {
    std::vector<Piece> pieces = make_pieces(mesh, triangles.all, frame, radius, context);
    require_points(most_squares(pieces));
    tiles =
        make_tiles(std::move(pieces), triangles.all, options.normal_angle, radius, frame, context);
  }
  std::optional<Around> around;
  if (kept != nullptr) {
    SurfaceRadius seen = radius;
    seen.classes = kept->classes;
    around.emplace(kept->points, mesh, frame, triangles, tiles, seen);
    // Points slightly off the surface may be near sheets that their tiles do not know.
    for (Tile& tile : tiles.tiles) tile.gated = true;
  }
  Thrown thrown;
  if (along) {
    const geodesic::Net net = geodesic::make_net(mesh, triangles, frame, context);
    const geodesic::ObstaclesAlong there = geodesic::obstacles_along(
        net, tiles, around ? around->feet() : std::span<const geodesic::Foot>(),
        geodesic::near_along, context);
    thrown = throw_darts_along(tiles, net, there, context);
    sampled.cracks = geodesic::count_cracks(net, length(frame.extent));
  } else {
    thrown = throw_darts(tiles, radius.head_start, around ? around->obstacles() : nullptr, context);
  }
  if (around) sampled.kept = around->points();
  reserve(sampled.points, thrown.piece.size());
  for (std::size_t i = 0; i < thrown.piece.size(); ++i) {
    const Piece& piece = tiles.pieces[thrown.piece[i]];
    const Weights& weights = thrown.weights[i];
    const auto number = static_cast<std::size_t>(piece.triangle);
    add_point(mesh, frame, straight ? canonical(mesh, number, 0, frame) : triangles.all[number],
              place_of(piece, weights), sampled.points);
    if (radius.classes.empty()) {
      sampled.points.radius.push_back(
          static_cast<float>(piece.radius(weights.s, weights.t) * frame.radius));
    } else {
      const auto c = static_cast<std::size_t>(piece.class_id);
      sampled.points.class_id.push_back(piece.class_id);
      sampled.points.radius.push_back(static_cast<float>(radius.classes[c][c] * radius.scale));
    }
  }
  sampled.window = thrown.window;
  return sampled;
}

namespace {

void require_classes(const SurfaceRadius& radius) {
  const auto& classes = radius.classes;
  const std::size_t count = classes.size();
  bool good = !varies(radius) && (radius.head_start.empty() || radius.head_start.size() == count);
  for (std::size_t i = 0; i < count && good; ++i) good = classes[i].size() == count;
  for (std::size_t i = 0; i < count && good; ++i) {
    for (std::size_t j = 0; j < count && good; ++j) {
      require_above_0("the distance of two classes on a surface", classes[i][j]);
      good =
          classes[i][j] == classes[j][i] && classes[i][j] <= std::max(classes[i][i], classes[j][j]);
    }
  }
  for (const double darts : radius.head_start) require_number("a head start of a class", darts, 0);
  if (good) return;
  throw Error(ErrorKind::usage,
              "distances of classes on a surface must be a symmetric matrix, at most the larger of "
              "both radii, with a head start for each class or for none, and without other radii");
}

}  // namespace

void require_radius(const Mesh& mesh, const SurfaceRadius& radius) {
  if (is_one(radius)) return require_above_0("the radius of points on a surface", radius.even);
  require_above_0("the scale of radii on a surface", radius.scale);
  if (radius.slope) require_above_0("the slope of radii on a surface", *radius.slope);
  if (radius.rule == ConflictRule::candidate) {
    throw Error(ErrorKind::usage,
                "the rule candidate works only in the plane: on a surface use mean, min or max");
  }
  if (!radius.classes.empty()) return require_classes(radius);
  const std::size_t count = mesh.triangles.size();
  if (radius.texture) {
    require_above_0("the largest radius on a surface", radius.largest);
    if (mesh.uv.size() == count) return;
    throw Error(ErrorKind::input, "has no texture coordinates, which a map needs");
  }
  if (radius.corners.size() != count) {
    throw Error(ErrorKind::usage, "has radii for " + std::to_string(radius.corners.size()) +
                                      " triangles, but the number of triangles is " +
                                      std::to_string(count));
  }
  for (const auto& corners : radius.corners) {
    for (const float r : corners) require_above_0("a radius on a surface", static_cast<double>(r));
  }
}

void require_space(const SurfaceOptions& options, const char* what) {
  if (options.metric == SurfaceMetric::euclidean) return;
  throw Error(ErrorKind::usage,
              Problem{"metric", std::string("must be euclidean for ") + what +
                                    ": distances along the surface work only with one radius"});
}

void warn_about_mesh(const Mesh& mesh, std::int64_t without_area, std::int64_t cracks,
                     const SurfaceOptions& options, Context& context) {
  if (without_area > 0) {
    warn_once(counted(without_area, " face has no area and gets no points",
                      " faces have no area and get no points"),
              context);
  }
  if (cracks > 0) {
    context.warn("faces nearly meet at " + counted(cracks, " edge", " edges") +
                 " without sharing corners, so points on the two sides of the gap ignore each "
                 "other; merge the corners, or use `metric` euclidean");
  }
  warn_about_winding(mesh, options, context);
}

}  // namespace surface

namespace {

// Returns the radius to begin with; a count scales it.
SurfaceRadius first_radius(const Radii& radii, const Mesh& mesh, const SampleOptions& options) {
  if (const auto* const given = radii.get<SurfaceRadius>()) return *given;
  if (options.count == 0) return *radii.get<double>();
  return std::sqrt(even_packing * surface::area_of(mesh) / static_cast<double>(options.count));
}

}  // namespace

Points spaces::sample_surface(const Space& space, const Radii& radii, const SampleOptions& options,
                              Context& context) {
  check(space.surface);
  const Mesh& mesh = *space.mesh;
  const Points* const fixed = options.keep.points.get();
  std::int64_t count = options.count;
  require_number("the number of points", static_cast<double>(count), 0);
  // Fixed points that are not part of the result do not count.
  if (fixed != nullptr && count > 0 && options.only_new) {
    count += static_cast<std::int64_t>(fixed->size());
  }
  surface::Made made;
  if (const auto* const classes = radii.get<ClassRadii>()) {
    made = surface::make_classes(mesh, count, *classes, options.conflict, space.surface, fixed,
                                 context);
  } else {
    SurfaceRadius radius = first_radius(radii, mesh, options);
    radius.rule = options.conflict;
    surface::require_radius(mesh, radius);
    const auto stage = context.outermost("sample");
    made = surface::make(mesh, count, radius, space.surface, fixed, context);
  }
  surface::warn_about_mesh(mesh, made.without_area, made.cracks, space.surface, context);
  Points& points = made.points;
  points.space = std::make_shared<const Space>(space);
  points.meters_per_unit = mesh.meters_per_unit;
  points.fixed = made.kept;
  points.radii = std::make_shared<const Radii>(made.radius);
  if (made.kept > 0) {
    // The proof needs the fixed points with the data of their faces, and in classes of their own.
    std::vector<std::size_t> rows(made.kept);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    Points there = points;
    keep_points(there, rows);
    points.around = std::make_shared<const Points>(std::move(there));
  }
  if (options.certify) verify(points, context, count > 0);
  if (options.progressive) order_on_surface(points, made.radius, made.kept, context);
  // Fixed points without a class form a class of their own.
  for (std::int32_t& c : points.class_id) {
    if (made.radius.placed_classes > 0) {
      c = std::min(c, static_cast<std::int32_t>(made.radius.placed_classes));
    }
  }
  if (options.only_new && made.kept > 0) {
    std::vector<std::size_t> fresh(points.size() - made.kept);
    std::iota(fresh.begin(), fresh.end(), made.kept);
    keep_points(points, fresh);
    points.fixed = 0;
    if (options.progressive) rank_as_they_stand(points);
  }
  return std::move(made.points);
}

}  // namespace dapple
