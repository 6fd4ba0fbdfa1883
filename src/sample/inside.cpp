// Samples points in the solid that a closed mesh encloses.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/constants.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "dapple/units.hpp"
#include "sample/box_space/obstacles.hpp"
#include "sample/box_space/solid.hpp"
#include "sample/box_space/throw_counted.hpp"
#include "sample/certify/proved.hpp"
#include "sample/fixed_points.hpp"
#include "sample/samplers.hpp"
#include "sample/settle_order.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
namespace {

using Found = box_space::Points<3>;

// The border of a solid or a box has the effect of a layer this thick, in distances.
constexpr double border = 0.32;

double expected_count(const box_space::Solid& solid, double radius) {
  return even_packing_3d *
         ((solid.volume() / radius + border * solid.area()) / (radius * radius) + 1);
}

using ThereAlready = std::optional<box_space::Obstacles<3>>;

ThereAlready obstacles_of(const FixedPoints& kept, const box_space::Solid& solid) {
  require_rule(kept.rule);
  if (kept.points == nullptr || kept.points->empty()) return std::nullopt;
  box_space::Obstacles<3> made = box_space::obstacles_of<3>(*kept.points, {}, 1, kept.rule);
  const Vec2 origin = kept.points->origin;
  for (box_space::VecD<3>& at : made.at)
    at = solid.seen({at[0] + origin.x, at[1] + origin.y, at[2]});
  return made;
}

box_space::Room<3> room_of(const box_space::Solid& solid, double radius,
                           const ThereAlready& obstacles) {
  box_space::Room<3> room;
  room.side = solid.side();
  room.distance = {{radius}};
  room.solid = &solid;
  room.obstacles = obstacles ? &*obstacles : nullptr;
  return room;
}

Found throw_all(const box_space::Solid& solid, double radius, const ThereAlready& obstacles,
                bool progressive, Context& context) {
  // Coordinates on so coarse a grid would break the distances.
  constexpr double finest = 1e-9;
  if (!(solid.farthest() * 2.3e-16 < finest * radius)) {
    throw Error(ErrorKind::input, "lies too far from the origin for points " + shortest(radius) +
                                      " apart: its coordinates reach " +
                                      shortest(solid.farthest()) + "; move it to the origin");
  }
  return box_space::throw_points(room_of(solid, radius, obstacles), progressive, context);
}

}  // namespace

SurfacePoints sample_inside(const Mesh& mesh, std::int64_t count, double radius, Context& context,
                            bool progressive, const FixedPoints& kept) {
  validate(mesh);
  require_number("the number of points", static_cast<double>(count), 0);
  if (count == 0) require_above_0("the radius of points without a count", radius);
  context.require_memory(120 * static_cast<double>(count), "sampling a solid");
  const auto stage = context.stage("sample");
  const box_space::Solid solid(mesh, context);
  const ThereAlready obstacles = obstacles_of(kept, solid);
  const auto make = [&](double r) { return throw_all(solid, r, obstacles, progressive, context); };
  Found found;
  if (count > 0) {
    const double longest = *std::max_element(solid.side().begin(), solid.side().end());
    const double first = radius_expecting(static_cast<double>(count), 4 * longest,
                                          [&](double r) { return expected_count(solid, r); });
    auto enough =
        box_space::throw_counted(count, first, broad_sides(solid.side(), first), progressive, make);
    found = std::move(enough.made);
    radius = enough.radius;
  } else {
    found = make(radius);
  }
  SurfacePoints points;
  points.radius = radius;
  points.r.assign(found.at.size(), static_cast<float>(radius));
  for (const box_space::VecD<3>& at : found.at) {
    const Vec3 place = solid.place(at);
    points.x.push_back(place.x);
    points.y.push_back(place.y);
    points.z.push_back(place.z);
  }
  if (progressive) rank_as_they_stand(points);
  return points;
}

Certificate certify_inside(const SurfacePoints& points, const Mesh& mesh, Context& context,
                           double tolerance, const FixedPoints& kept) {
  validate(mesh);
  require_above_0("the radius of points in a solid", points.radius);
  surface::require_places(points);
  const box_space::Solid solid(mesh, context);
  Found found;
  std::int64_t outside = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 place{points.x[i], points.y[i], points.z[i]};
    if (!solid.holds(place)) ++outside;
    found.at.push_back(solid.seen(place));
  }
  found.class_id.resize(points.size());
  const ThereAlready obstacles = obstacles_of(kept, solid);
  Certificate made =
      box_space::prove(room_of(solid, points.radius, obstacles), found, tolerance, context);
  made.outside = outside;
  made.volume = solid.volume();
  const Place& hole = made.hole_place;
  made.hole_place = solid.place({hole.x, hole.y, hole.z});
  return made;
}

void verify_inside(const SurfacePoints& points, const Mesh& mesh, Context& context, bool counted,
                   const FixedPoints& kept) {
  constexpr double tolerance = 1e-5;
  const Certificate proof = certify_inside(points, mesh, context, tolerance, kept);
  if (proof.outside > 0) {
    throw Error(ErrorKind::verification,
                std::to_string(proof.outside) + " points are not in the solid");
  }
  require_proved(proof, {.required = "the radius", .counted = counted}, context);
}

}  // namespace dapple
