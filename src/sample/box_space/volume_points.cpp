// Samples points of a volume: a maximal set of one radius or of r(x), or a requested number. Can
// order them so that each prefix is well spaced. In 4-D only one radius is possible.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/constants.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "sample/box_space/obstacles.hpp"
#include "sample/box_space/throw_counted.hpp"
#include "sample/fixed_points.hpp"
#include "sample/settle_order.hpp"
#include "sample/spaces.hpp"

namespace dapple {
namespace {

using Found = box_space::Sampled<3>;

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
Points points_of(const box_space::Sampled<D>& found, const box_space::VecD<D>& side, bool wrap,
                 const spaces::Request& request, Radii radii,
                 const std::function<double(const box_space::VecD<D>&)>& radius_at) {
  Points points;
  points.domain = {side[0], side[1], wrap};
  points.depth = side[2];
  if constexpr (D == 4) points.extent = side[3];
  for (const box_space::VecD<D>& at : found.at) {
    points.add({at[0], at[1]}, static_cast<float>(radius_at(at)));
    points.z.push_back(at[2]);
    if constexpr (D == 4) points.w.push_back(at[3]);
  }
  if (request.progressive) rank_as_they_stand(points);
  radii.rule = request.kept.rule;
  points.radii = std::make_shared<const Radii>(std::move(radii));
  return points;
}

template <std::size_t D>
Certificate prove(const Points& points, const box_space::Room<D>& room, double tolerance,
                  Context& context) {
  validate(points);
  box_space::Sampled<D> found;
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
Points even_points(Volume<D> volume, double radius, const spaces::Request& request,
                   Context& context) {
  const auto count = static_cast<double>(request.count);
  require_number("the number of points", count, 0);
  if (count == 0) require_above_0("the radius of points without a count", radius);
  context.require_memory(120 * count, "sampling a volume");
  const auto obstacles = obstacles_of<D>(request.kept, volume.side);
  volume.obstacles = address(obstacles);
  const auto stage = context.stage("sample");
  const auto throw_all = [&](double r) {
    return box_space::throw_points(room_of(volume, r), request.progressive, context);
  };
  box_space::Sampled<D> found;
  if (count > 0) {
    const double first = radius_of_count(volume, count);
    auto enough = box_space::throw_counted(request.count, first, broad_sides(volume.side, first),
                                           request.progressive, throw_all);
    found = std::move(enough.made);
    radius = enough.radius;
  } else {
    found = throw_all(radius);
  }
  return points_of<D>(found, volume.side, volume.wrap, request, radius,
                      [&](const box_space::VecD<D>&) { return radius; });
}

template <std::size_t D>
Certificate certify_even(const Points& points, Volume<D> volume, double radius,
                         const FixedPoints& kept, double tolerance, Context& context) {
  const auto obstacles = obstacles_of<D>(kept, volume.side);
  volume.obstacles = address(obstacles);
  return prove(points, room_of(volume, radius), tolerance, context);
}

}  // namespace

Points spaces::sample_box(const Space& box, double radius, const Request& request,
                          Context& context) {
  const Domain& domain = box.domain;
  require_domain(domain);
  require_above_0("the depth of a volume", box.depth);
  if (box.extent == 0) {
    return even_points<3>({{domain.width, domain.height, box.depth}, domain.wrap}, radius, request,
                          context);
  }
  require_above_0("a side of a space", box.extent);
  return even_points<4>({{domain.width, domain.height, box.depth, box.extent}, domain.wrap}, radius,
                        request, context);
}

Points spaces::sample_box(const VolumeField& field, const Request& request, Context& context) {
  require_number("the number of points", static_cast<double>(request.count), 0);
  const ConflictRule rule = request.kept.rule;
  const auto obstacles = obstacles_of<3>(request.kept, field.side());
  const auto stage = context.stage("sample");
  const auto throw_all = [&](const VolumeField& of) {
    return box_space::throw_points(room_of(of, rule, obstacles), request.progressive, context);
  };
  VolumeField scaled = field;
  Found found;
  if (request.count > 0) {
    auto enough = box_space::throw_counted(
        request.count, 1, 3, request.progressive,
        [&](double scale) { return throw_all(field.scaled(scale, context)); });
    found = std::move(enough.made);
    scaled = field.scaled(enough.radius, context);
  } else {
    found = throw_all(field);
  }
  return points_of<3>(found, field.side(), field.wrap(), request, scaled,
                      [&](const box_space::VecD<3>& at) {
                        return scaled.radius({at[0], at[1], at[2]});
                      });
}

Certificate spaces::certify_box(const Points& points, double radius, const FixedPoints& kept,
                                double tolerance, Context& context) {
  const Domain& domain = points.domain;
  require_domain(domain);
  require_above_0("the depth of a volume", points.depth);
  require_above_0("the radius of points in a volume", radius);
  require_columns(points);
  if (points.z.size() != points.size()) {
    throw Error(ErrorKind::input, "points of a volume need a column z");
  }
  if (points.extent == 0) {
    return certify_even<3>(points, {{domain.width, domain.height, points.depth}, domain.wrap},
                           radius, kept, tolerance, context);
  }
  return certify_even<4>(points,
                         {{domain.width, domain.height, points.depth, points.extent}, domain.wrap},
                         radius, kept, tolerance, context);
}

Certificate spaces::certify_box(const Points& points, const VolumeField& field,
                                const FixedPoints& kept, double tolerance, Context& context) {
  require_columns(points);
  require_number("the tolerance of a proof of radii that vary", tolerance, 2e-5);
  const std::array<double, 3> side{points.domain.width, points.domain.height, points.depth};
  if (points.z.size() != points.size() || side != field.side() || !points.w.empty()) {
    throw Error(ErrorKind::input,
                "points of a volume need a column z, no column w, and the size of the field");
  }
  const auto obstacles = obstacles_of<3>(kept, field.side());
  return prove(points, room_of(field, kept.rule, obstacles), tolerance, context);
}

}  // namespace dapple
