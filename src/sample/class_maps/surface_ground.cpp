#include "sample/class_maps/surface_ground.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dapple/error.hpp"
#include "sample/surface/obstacles.hpp"
#include "sample/surface/sampled.hpp"
#include "sample/surface/tiles.hpp"

namespace dapple::class_maps {
namespace {

Coordinates<3> array_of(const Vec3& v) {
  return {v.x, v.y, v.z};
}
Vec3 vector_of(const Coordinates<3>& v) {
  return {v[0], v[1], v[2]};
}

surface::Weights between(const surface::Weights& a, const surface::Weights& b) {
  return {0.5 * (a.s + b.s), 0.5 * (a.t + b.t)};
}

double least_of(const Mesh& mesh, std::span<const SurfaceRadius> radii) {
  double least = std::numeric_limits<double>::infinity();
  for (const SurfaceRadius& radius : radii) {
    surface::require_radius(mesh, radius);
    least = std::min(least, surface::least_radius(mesh, radius));
  }
  return least;
}

}  // namespace

SurfaceGround::SurfaceGround(const Mesh& mesh, const SurfaceOptions& options,
                             std::span<const SurfaceRadius> radii, Context& context)
    : mesh_(mesh),
      frame_(surface::frame_of(mesh, least_of(mesh, radii))),
      least_cosine_(surface::cosine_of_gate(options.normal_angle)) {
  surface::require_room(frame_);
  surface::Triangles triangles = surface::canonical_triangles(mesh, frame_, context);
  triangles_ = std::move(triangles.all);
  without_area_ = triangles.without_area;
  if (triangles_.empty()) {
    throw Error(ErrorKind::input, "has no face with an area, so there is nowhere to put points");
  }
  for (const surface::Triangle& t : triangles_) normals_.push_back(surface::normal_of(t));
  surface::LinearParts made = surface::linear_parts(mesh, triangles_, frame_, radii, context);
  parts_ = std::move(made.parts);
  radii_ = std::move(made.radii);
  least_ = std::numeric_limits<double>::infinity();
  for (const auto& of_class : radii_) {
    double integral = 0;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const auto& [a, b, c] = of_class[p];
      least_ = std::min(least_, static_cast<double>(std::min({a, b, c})));
      const double r =
          (static_cast<double>(a) + static_cast<double>(b) + static_cast<double>(c)) / 3;
      integral += parts_[p].area / (r * r);
    }
    integrals_.push_back(integral);
  }
  std::vector<Bounds<3>> boxes;
  for (const Cell& whole : wholes()) {
    const Region of = region(whole);
    Bounds<3>& box =
        boxes.emplace_back(Bounds<3>{array_of(of.corners[0]), array_of(of.corners[0])});
    for (const Vec3& corner : of.corners) {
      const Coordinates<3> at = array_of(corner);
      for (std::size_t a = 0; a < 3; ++a) {
        box.low[a] = std::min(box.low[a], at[a]);
        box.high[a] = std::max(box.high[a], at[a]);
      }
    }
  }
  tree_ = BoxTree(std::move(boxes));
}

Frame<3> SurfaceGround::frame() const {
  // A flat mesh has no extent across its plane.
  const auto side = [](double extent) { return std::max(extent, 1.0); };
  return {{}, {side(frame_.extent.x), side(frame_.extent.y), side(frame_.extent.z)}};
}

double SurfaceGround::distance(const At& a, const At& b) const {
  if (!affects(sheet_of(a), b)) return std::numeric_limits<double>::infinity();
  return length(vector_of(a.at) - vector_of(b.at));
}

std::vector<SurfaceGround::Cell> SurfaceGround::wholes() const {
  std::vector<Cell> cells;
  for (std::uint32_t p = 0; p < parts_.size(); ++p) {
    cells.push_back({p, {{{0, 0}, {1, 0}, {0, 1}}}, parts_[p].key});
  }
  return cells;
}

SurfaceGround::Region SurfaceGround::region(const Cell& cell) const {
  const surface::Piece& part = parts_[cell.part];
  Region of;
  for (std::size_t i = 0; i < 3; ++i) of.corners[i] = surface::place_of(part, cell.corners[i]);
  of.middle = (of.corners[0] + of.corners[1] + of.corners[2]) * (1.0 / 3);
  for (const Vec3& corner : of.corners) of.reach = std::max(of.reach, length(corner - of.middle));
  const auto& [a, b, c] = cell.corners;
  of.area = part.area * std::abs((b.s - a.s) * (c.t - a.t) - (b.t - a.t) * (c.s - a.s));
  of.normal = normal_of(cell.part);
  return of;
}

RadiusBounds SurfaceGround::bounds(std::size_t class_id, const Cell& cell, const Region&) const {
  RadiusBounds found{std::numeric_limits<double>::infinity(), 0};
  for (const surface::Weights& corner : cell.corners) {
    const double r = value(class_id, cell.part, corner);
    found.min = std::min(found.min, r);
    found.max = std::max(found.max, r);
  }
  return found;
}

// Halves the longest edge.
std::array<SurfaceGround::Cell, 2> SurfaceGround::halves_of(const Cell& cell) const {
  const Region of = region(cell);
  std::size_t first = 0;
  double longest = -1;
  for (std::size_t i = 0; i < 3; ++i) {
    const double edge = length(of.corners[(i + 1) % 3] - of.corners[i]);
    if (edge > longest) {
      longest = edge;
      first = i;
    }
  }
  const std::size_t second = (first + 1) % 3;
  std::array<Cell, 2> halves{cell, cell};
  halves[0].corners[second] = halves[1].corners[first] =
      between(cell.corners[first], cell.corners[second]);
  for (std::size_t i = 0; i < 2; ++i) halves[i].key = hash(cell.key, i);
  return halves;
}

bool SurfaceGround::is_in_ball(const Region& region, const Coordinates<3>& at,
                               double square) const {
  return std::all_of(region.corners.begin(), region.corners.end(), [&](const Vec3& corner) {
    const Vec3 d = corner - vector_of(at);
    return dot(d, d) < square;
  });
}

double SurfaceGround::square_distance(const Region& region, const Coordinates<3>& at) const {
  const double gap = std::max(0.0, length(vector_of(at) - region.middle) - region.reach);
  return gap * gap;
}

Bounds<3> SurfaceGround::around(const Region& region) const {
  const Vec3& m = region.middle;
  const double r = region.reach;
  return {{m.x - r, m.y - r, m.z - r}, {m.x + r, m.y + r, m.z + r}};
}

SurfaceGround::At SurfaceGround::place_in(const Cell& cell, double s, double t) const {
  const auto& [a, b, c] = cell.corners;
  At made;
  made.part = cell.part;
  made.weights = {a.s + s * (b.s - a.s) + t * (c.s - a.s), a.t + s * (b.t - a.t) + t * (c.t - a.t)};
  made.at = array_of(surface::place_of(parts_[cell.part], made.weights));
  return made;
}

SurfaceGround::At SurfaceGround::draw(const Cell& cell, const Region&, Random& random) const {
  double s = random.uniform();
  double t = random.uniform();
  if (s + t > 1) {
    s = 1 - s;
    t = 1 - t;
  }
  return place_in(cell, s, t);
}

SurfaceGround::At SurfaceGround::middle(const Cell& cell, const Region&) const {
  return place_in(cell, 1.0 / 3, 1.0 / 3);
}

SurfaceGround::At SurfaceGround::seen(const Vec3& place, std::int32_t triangle) const {
  const Vec3 p = (place - frame_.origin) * (1 / frame_.radius);
  At found;
  found.at = array_of(p);
  double least = std::numeric_limits<double>::infinity();
  std::uint32_t nearest = std::numeric_limits<std::uint32_t>::max();
  tree_.find_nearest(found.at, least, [&](std::uint32_t number) {
    const surface::Piece& part = parts_[number];
    const auto of = static_cast<std::size_t>(part.triangle);
    if (triangle >= 0 && triangles_[of].index != triangle) return;
    const surface::Weights weights = surface::nearest_in(part.a, part.e1, part.e2, p);
    const Vec3 d = surface::place_of(part, weights) - p;
    // The first one of two parts that meet at the place counts.
    const double square = dot(d, d);
    if (square > least || (square == least && number > nearest)) return;
    least = square;
    nearest = number;
    found.part = number;
    found.weights = weights;
  });
  return found;
}

double SurfaceGround::off(const At& at) const {
  return length(surface::place_of(parts_[at.part], at.weights) - vector_of(at.at));
}

void SurfaceGround::add_to(Points& points, const At& at) const {
  const auto triangle = static_cast<std::size_t>(parts_[at.part].triangle);
  surface::add_point(mesh_, frame_, triangles_[triangle],
                     surface::place_of(parts_[at.part], at.weights), points);
}

}  // namespace dapple::class_maps
