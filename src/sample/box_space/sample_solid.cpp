// Samples points in the solid that a closed mesh encloses.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "core/constants.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "sample/box_space/obstacles.hpp"
#include "sample/box_space/solid.hpp"
#include "sample/box_space/throw_counted.hpp"
#include "sample/fixed_points.hpp"
#include "sample/settle_order.hpp"
#include "sample/spaces.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
namespace {

using Found = box_space::Sampled<3>;

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
  box_space::require_fine(solid, radius);
  return box_space::throw_points(room_of(solid, radius, obstacles), progressive, context);
}

}  // namespace

Points spaces::sample_solid(const Space& space, double radius, const Request& request,
                            Context& context) {
  const auto count = static_cast<double>(request.count);
  require_number("the number of points", count, 0);
  if (count == 0) require_above_0("the radius of points without a count", radius);
  context.require_memory(120 * count, "sampling a solid");
  const auto stage = context.stage("sample");
  const box_space::Solid solid(*space.mesh, context);
  const ThereAlready obstacles = obstacles_of(request.kept, solid);
  const auto make = [&](double r) {
    return throw_all(solid, r, obstacles, request.progressive, context);
  };
  Found found;
  if (count > 0) {
    const double longest = *std::max_element(solid.side().begin(), solid.side().end());
    const double first =
        radius_expecting(count, 4 * longest, [&](double r) { return expected_count(solid, r); });
    auto enough = box_space::throw_counted(request.count, first, broad_sides(solid.side(), first),
                                           request.progressive, make);
    found = std::move(enough.made);
    radius = enough.radius;
  } else {
    found = make(radius);
  }
  Points points;
  points.radii = std::make_shared<const Radii>(radius);
  points.radius.assign(found.at.size(), static_cast<float>(radius));
  for (const box_space::VecD<3>& at : found.at) {
    const Vec3 place = solid.place(at);
    points.x.push_back(place.x);
    points.y.push_back(place.y);
    points.z.push_back(place.z);
  }
  if (request.progressive) rank_as_they_stand(points);
  return points;
}

Certificate spaces::certify_solid(const Points& points, double radius, const FixedPoints& kept,
                                  double tolerance, Context& context) {
  require_above_0("the radius of points in a solid", radius);
  surface::require_places(points);
  const box_space::Solid solid(*points.space->mesh, context);
  Found found;
  std::int64_t outside = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 place{points.x[i], points.y[i], points.z[i]};
    if (!solid.holds(place)) ++outside;
    found.at.push_back(solid.seen(place));
  }
  found.class_id.resize(points.size());
  const ThereAlready obstacles = obstacles_of(kept, solid);
  Certificate made = box_space::prove(room_of(solid, radius, obstacles), found, tolerance, context);
  made.outside = outside;
  made.volume = solid.volume();
  const Place& hole = made.hole_place;
  made.hole_place = solid.place({hole.x, hole.y, hole.z});
  return made;
}

}  // namespace dapple
