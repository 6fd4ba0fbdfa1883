// Samples several classes of points with distances of their own, in a plane or a volume (Wei 2010).
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "sample/box_space/obstacles.hpp"
#include "sample/class_shares.hpp"
#include "sample/fixed_points.hpp"
#include "sample/settle_order.hpp"
#include "sample/solve_radius.hpp"
#include "sample/spaces.hpp"

namespace dapple {
namespace {

template <std::size_t D>
double power(double v) {
  return D == 2 ? v * v : v * v * v;
}

// Returns a small `room` itself, otherwise a torus for about 20000 points and the coarsest class.
template <std::size_t D>
box_space::Room<D> trial_of(const box_space::Room<D>& room) {
  if (box_space::cubes_of_radii(room) < 2 * trial_points_of_classes) return room;
  box_space::Room<D> trial = room;
  trial.wrap = true;
  trial.obstacles = nullptr;
  double coarsest = 0;
  double density = 0;
  for (std::size_t c = 0; c < room.classes(); ++c) {
    coarsest = std::max(coarsest, room.radius(c));
    density += 1 / power<D>(room.radius(c));
  }
  const double cubes = trial_points_of_classes / density;
  const double side = std::max(side_of(cubes, D), 8 * coarsest);
  for (double& of : trial.side) of = std::min(of, side);
  return trial;
}

template <std::size_t D>
HeadStarts search_in(const box_space::Room<D>& room, const std::vector<double>& wanted,
                     Context& context) {
  box_space::require_memory(room, context);
  box_space::Room<D> trial = trial_of(room);
  return search_by_trials(wanted, [&](const std::vector<double>& head_start) {
    trial.head_start = head_start;
    return box_space::throw_darts(trial, context).class_id;
  });
}

template <std::size_t D>
box_space::Room<D> scaled(box_space::Room<D> room, double factor) {
  for (auto& row : room.distance) {
    for (double& distance : row) distance *= factor;
  }
  return room;
}

// Returns the factor on all distances of `room` at which about `count` points fit.
template <std::size_t D>
double scale_expecting(const box_space::Room<D>& room, std::size_t count) {
  // A side that is shorter than a distance counts as long as the distance.
  const double longest = *std::max_element(room.side.begin(), room.side.end());
  return radius_expecting(static_cast<double>(count), 2 * longest / room.radius(0),
                          [&](double factor) {
                            return class_packing * box_space::cubes_of_radii(scaled(room, factor));
                          });
}

// Points and the room that they fill.
template <std::size_t D>
struct Filled {
  box_space::Room<D> room;
  box_space::Sampled<D> points;
};

// Places exactly `count` points; the distances of `room` give about this many.
template <std::size_t D>
Filled<D> so_many(const box_space::Room<D>& room, std::size_t count, Context& context) {
  auto enough = fewest_enough(count, 1, broad_sides(room.side, room.radius(0)), [&](double factor) {
    return box_space::throw_darts(scaled(room, factor), context);
  });
  box_space::Sampled<D>& made = enough.made;
  box_space::order_by_windows(made);
  made.at.resize(count);
  made.class_id.resize(count);
  made.window.resize(count);
  return {scaled(room, enough.radius), std::move(made)};
}

template <std::size_t D>
std::optional<box_space::Obstacles<D>> obstacles_of(const FixedPoints& kept,
                                                    const box_space::Room<D>& room) {
  if (kept.points == nullptr || kept.points->empty()) return std::nullopt;
  return box_space::obstacles_of<D>(D == 2 ? in_the_plane(*kept.points) : *kept.points, room.side,
                                    room.classes(), kept.rule);
}

template <std::size_t D>
box_space::Room<D> room_of(const Space& space, const ClassRadii& classes) {
  box_space::Room<D> room;
  room.side[0] = space.domain.width;
  room.side[1] = space.domain.height;
  if constexpr (D == 3) room.side[2] = space.depth;
  room.wrap = space.domain.wrap;
  room.distance = class_distances(classes, D);
  return room;
}

template <std::size_t D>
Points sample_in(const Space& space, const ClassRadii& classes, const spaces::Request& request,
                 Context& context) {
  box_space::Room<D> room = room_of<D>(space, classes);
  const std::vector<double> wanted = wanted_shares(classes, D);
  const auto obstacles = obstacles_of(request.kept, room);
  if (obstacles) room.obstacles = &*obstacles;
  const auto stage = context.stage("sample");
  const auto count = static_cast<std::size_t>(request.count);
  if (count > 0) room = scaled(room, scale_expecting(room, count));
  const auto fill = [&](const std::vector<double>& head_start) -> Filled<D> {
    room.head_start = head_start;
    if (count > 0) return so_many(room, count, context);
    return {room, box_space::throw_darts(room, context)};
  };
  Filled<D> filled =
      with_good_shares(search_in(room, wanted, context), fill,
                       [](const Filled<D>& of) { return std::span(of.points.class_id); });
  box_space::Sampled<D>& found = filled.points;
  warn_of_shares(found.class_id, wanted, context);
  if (request.progressive) box_space::order_classes(filled.room, found, context);
  Points points;
  points.domain = space.domain;
  if constexpr (D == 3) points.depth = space.depth;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto class_id = static_cast<std::size_t>(found.class_id[i]);
    points.add({found.at[i][0], found.at[i][1]}, static_cast<float>(filled.room.radius(class_id)));
    if constexpr (D == 3) points.z.push_back(found.at[i][2]);
  }
  points.class_id = std::move(found.class_id);
  if (request.progressive) rank_as_they_stand(points);
  ClassRadii made = classes;
  for (std::size_t c = 0; c < made.radii.size(); ++c) made.radii[c] = filled.room.radius(c);
  points.radii = std::make_shared<const Radii>(std::move(made));
  return points;
}

template <std::size_t D>
Certificate certify_in(const Points& points, const ClassRadii& classes, const FixedPoints& kept,
                       double tolerance, Context& context) {
  box_space::Room<D> room = room_of<D>(Space::box(points.domain, points.depth), classes);
  const auto obstacles = obstacles_of(kept, room);
  if (obstacles) room.obstacles = &*obstacles;
  box_space::Sampled<D> found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    box_space::VecD<D> at{points.x[i], points.y[i]};
    if constexpr (D == 3) at[2] = points.z[i];
    found.at.push_back(at);
  }
  found.class_id = points.class_id;
  return box_space::prove(room, found, tolerance, context);
}

}  // namespace

HeadStarts search_in_plane(const std::vector<std::vector<double>>& distances,
                           const std::vector<double>& wanted, Context& context) {
  box_space::Room<2> room;
  room.distance = distances;
  // The room holds so many points that its trial is a torus.
  double density = 0;
  for (std::size_t c = 0; c < room.classes(); ++c) density += 1 / power<2>(room.radius(c));
  const double side = std::sqrt(4 * trial_points_of_classes / density);
  room.side = {side, side};
  return search_in(room, wanted, context);
}

Points spaces::sample_classes(const Space& space, const ClassRadii& classes, const Request& request,
                              Context& context) {
  const auto count = static_cast<double>(request.count);
  require_domain(space.domain);
  require_classes(classes);
  require_rule(request.kept.rule);
  require_number("the number of points", count, 0);
  require_number("the depth of a volume", space.depth, 0);
  context.require_memory(120 * count, "sampling classes of points");
  return space.depth == 0 ? sample_in<2>(space, classes, request, context)
                          : sample_in<3>(space, classes, request, context);
}

Certificate spaces::certify_classes(const Points& points, const ClassRadii& classes,
                                    const FixedPoints& kept, double tolerance, Context& context) {
  require_domain(points.domain);
  require_classes(classes);
  require_columns(points);
  require_inside(points);
  require_class_of_each(points, classes.radii.size());
  return points.z.empty() ? certify_in<2>(points, classes, kept, tolerance, context)
                          : certify_in<3>(points, classes, kept, tolerance, context);
}

}  // namespace dapple
