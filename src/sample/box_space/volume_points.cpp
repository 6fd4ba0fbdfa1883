// Samples points of a volume: a maximal set of one radius or of r(x), or a requested number. Can
// order them so that each prefix is well spaced. In 4-D only one radius is possible.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "core/constants.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "sample/box_space/obstacles.hpp"
#include "sample/box_space/throw_counted.hpp"
#include "sample/certify/proved.hpp"
#include "sample/fixed_points.hpp"
#include "sample/settle_order.hpp"

namespace dapple {
namespace {

using Found = box_space::Points<3>;

// The border of a box acts like `border` radii more length per side (docs/quality.md).
template <std::size_t D>
constexpr double packing = D == 3 ? even_packing_3d : even_packing_4d;
template <std::size_t D>
constexpr double border = D == 3 ? 0.64 : 0.63;
// A side of almost 0 counts as this many radii. Points fill 0.7476 of a line (Renyi 1958), and
// 0.696 of a plane in squares.
constexpr double thread = 0.97;

template <std::size_t D>
struct Volume {
  box_space::VecD<D> side;
  bool wrap = false;
  const box_space::Obstacles<D>* obstacles = nullptr;
};

template <std::size_t D>
std::optional<box_space::Obstacles<D>> obstacles_of(const FixedPoints& kept,
                                                    const box_space::VecD<D>& side) {
  require_rule(kept.rule);
  if (kept.points == nullptr || kept.points->empty()) return std::nullopt;
  return box_space::obstacles_of<D>(*kept.points, side, 1, kept.rule);
}
template <std::size_t D>
const box_space::Obstacles<D>* address(const std::optional<box_space::Obstacles<D>>& obstacles) {
  return obstacles ? &*obstacles : nullptr;
}

template <std::size_t D>
double expected_count(const Volume<D>& volume, double radius) {
  double room = packing<D>;
  for (const double side : volume.side) {
    room *= volume.wrap ? std::max(side / radius, border<D>)
                        : std::max(side / radius + border<D>, thread);
  }
  return room;
}

template <std::size_t D>
double radius_of_count(const Volume<D>& volume, double count) {
  const double longest = *std::max_element(volume.side.begin(), volume.side.end());
  return radius_expecting(count, 2 * longest, [&](double r) { return expected_count(volume, r); });
}

template <std::size_t D>
box_space::Room<D> room_of(const Volume<D>& volume, double radius) {
  box_space::Room<D> room;
  room.side = volume.side;
  room.wrap = volume.wrap;
  room.distance = {{radius}};
  room.obstacles = volume.obstacles;
  return room;
}

box_space::Room<3> room_of(const VolumeField& field, ConflictRule rule,
                           const std::optional<box_space::Obstacles<3>>& obstacles) {
  if (rule != ConflictRule::mean && rule != ConflictRule::max) {
    throw Error(ErrorKind::usage, Problem{"conflict", "must be mean or max in a volume"});
  }
  box_space::Room<3> room;
  room.side = field.side();
  room.wrap = field.wrap();
  room.distance = {{field.least()}};
  room.field = &field;
  room.rule = rule;
  room.obstacles = address(obstacles);
  return room;
}

template <std::size_t D>
PointSet points_of(const box_space::Points<D>& found, const box_space::VecD<D>& side, bool wrap,
                   bool progressive,
                   const std::function<double(const box_space::VecD<D>&)>& radius_at) {
  PointSet points;
  points.domain = {side[0], side[1], wrap};
  points.depth = side[2];
  if constexpr (D == 4) points.extent = side[3];
  for (const box_space::VecD<D>& at : found.at) {
    points.add({at[0], at[1]}, static_cast<float>(radius_at(at)));
    points.z.push_back(at[2]);
    if constexpr (D == 4) points.w.push_back(at[3]);
  }
  if (progressive) rank_as_they_stand(points);
  return points;
}

template <std::size_t D>
Certificate prove(const PointSet& points, const box_space::Room<D>& room, double tolerance,
                  Context& context) {
  validate(points);
  box_space::Points<D> found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    box_space::VecD<D> at{points.x[i], points.y[i], points.z[i]};
    if constexpr (D == 4) at[3] = points.w[i];
    found.at.push_back(at);
  }
  found.class_id.resize(points.size());
  return box_space::prove(room, found, tolerance, context);
}

// Samples points of one radius.
template <std::size_t D>
PointSet even_points(Volume<D> volume, std::int64_t count, double radius, Context& context,
                     bool progressive, const FixedPoints& kept) {
  require_number("the number of points", static_cast<double>(count), 0);
  if (count == 0) require_above_0("the radius of points without a count", radius);
  context.require_memory(120 * static_cast<double>(count), "sampling a volume");
  const auto obstacles = obstacles_of<D>(kept, volume.side);
  volume.obstacles = address(obstacles);
  const auto stage = context.stage("sample");
  const auto throw_all = [&](double r) {
    return box_space::throw_points(room_of(volume, r), progressive, context);
  };
  box_space::Points<D> found;
  if (count > 0) {
    const double first = radius_of_count(volume, static_cast<double>(count));
    auto enough = box_space::throw_counted(count, first, broad_sides(volume.side, first),
                                           progressive, throw_all);
    found = std::move(enough.made);
    radius = enough.radius;
  } else {
    found = throw_all(radius);
  }
  return points_of<D>(found, volume.side, volume.wrap, progressive,
                      [&](const box_space::VecD<D>&) { return radius; });
}

}  // namespace

PointSet sample_volume(const Domain& domain, double depth, std::int64_t count, double radius,
                       Context& context, bool progressive, const FixedPoints& kept) {
  require_domain(domain);
  require_above_0("the depth of a volume", depth);
  return even_points<3>({{domain.width, domain.height, depth}, domain.wrap}, count, radius, context,
                        progressive, kept);
}

PointSet sample_4d(const std::array<double, 4>& sides, bool wrap, std::int64_t count, double radius,
                   Context& context, bool progressive, const FixedPoints& kept) {
  for (const double side : sides) require_above_0("a side of a space", side);
  return even_points<4>({sides, wrap}, count, radius, context, progressive, kept);
}

VolumeSet sample_volume(const VolumeField& field, ConflictRule rule, std::int64_t count,
                        Context& context, bool progressive, const FixedPoints& kept) {
  require_number("the number of points", static_cast<double>(count), 0);
  const auto obstacles = obstacles_of<3>({kept.points, rule}, field.side());
  const auto stage = context.stage("sample");
  const auto throw_all = [&](const VolumeField& of) {
    return box_space::throw_points(room_of(of, rule, obstacles), progressive, context);
  };
  VolumeSet made{{}, field};
  Found found;
  if (count > 0) {
    auto enough = box_space::throw_counted(count, 1, 3, progressive, [&](double scale) {
      return throw_all(field.scaled(scale, context));
    });
    found = std::move(enough.made);
    made.field = field.scaled(enough.radius, context);
  } else {
    found = throw_all(field);
  }
  made.points = points_of<3>(found, field.side(), field.wrap(), progressive,
                             [&](const box_space::VecD<3>& at) {
                               return made.field.radius({at[0], at[1], at[2]});
                             });
  return made;
}

Certificate certify_volume(const PointSet& points, double radius, Context& context,
                           double tolerance, const FixedPoints& kept) {
  require_domain(points.domain);
  require_above_0("the depth of a volume", points.depth);
  require_above_0("the radius of points in a volume", radius);
  require_columns(points);
  if (points.z.size() != points.size()) {
    throw Error(ErrorKind::input, "points of a volume need a column z");
  }
  const Domain& domain = points.domain;
  if (!points.w.empty()) {
    require_above_0("the extent of a space along w", points.extent);
    Volume<4> volume{{domain.width, domain.height, points.depth, points.extent}, domain.wrap};
    const auto obstacles = obstacles_of<4>(kept, volume.side);
    volume.obstacles = address(obstacles);
    return prove(points, room_of(volume, radius), tolerance, context);
  }
  Volume<3> volume{{domain.width, domain.height, points.depth}, domain.wrap};
  const auto obstacles = obstacles_of<3>(kept, volume.side);
  volume.obstacles = address(obstacles);
  return prove(points, room_of(volume, radius), tolerance, context);
}

Certificate certify_volume(const PointSet& points, const VolumeField& field, ConflictRule rule,
                           Context& context, double tolerance, const FixedPoints& kept) {
  require_columns(points);
  require_number("the tolerance of a proof of radii that vary", tolerance, 2e-5);
  const std::array<double, 3> side{points.domain.width, points.domain.height, points.depth};
  if (points.z.size() != points.size() || side != field.side() || !points.w.empty()) {
    throw Error(ErrorKind::input,
                "points of a volume need a column z, no column w, and the size of the field");
  }
  const auto obstacles = obstacles_of<3>({kept.points, rule}, field.side());
  return prove(points, room_of(field, rule, obstacles), tolerance, context);
}

void verify_volume(const PointSet& points, double radius, Context& context, bool counted,
                   const FixedPoints& kept) {
  constexpr double tolerance = 1e-5;
  const std::size_t dimensions = points.w.empty() ? 3 : 4;
  require_proved(certify_volume(points, radius, context, tolerance, kept),
                 {.required = "the radius", .dimensions = dimensions, .counted = counted}, context);
}

}  // namespace dapple
