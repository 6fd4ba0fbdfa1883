// Cuts sets out of larger ones, so that points are as dense at the frame as elsewhere.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "core/preconditions.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "sample/box_space/solid.hpp"
#include "sample/class_shares.hpp"
#include "sample/settle_order.hpp"
#include "sample/spaces.hpp"

namespace dapple::spaces {
namespace {

using Corner = std::array<double, 4>;

// A larger set, and the corner of the window in it. It reaches `slack` beyond the window along x.
struct Larger {
  Points points;
  Corner corner{};
  double slack = 0;
  double grid = 0;  // of the places where the window may start, so that differences are exact
};

std::size_t dimensions_of(const Space& space) {
  return space.kind == SpaceKind::plane ? 2 : space.extent > 0 ? 4 : 3;
}

Corner sides_of(const Space& space) {
  return {space.domain.width, space.domain.height, space.depth, space.extent};
}

double content_of(const Space& space) {
  const Corner sides = sides_of(space);
  const auto end = sides.begin() + static_cast<std::ptrdiff_t>(dimensions_of(space));
  return std::accumulate(sides.begin(), end, 1.0, std::multiplies<>());
}

// Returns the points of the larger set that lie in the window along all axes from `first` on.
std::vector<std::size_t> rows_within(const Larger& larger, const Space& window, std::size_t first) {
  const Points& points = larger.points;
  const std::array<const std::vector<double>*, 4> columns{&points.x, &points.y, &points.z,
                                                          &points.w};
  const Corner sides = sides_of(window);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < points.size(); ++i) {
    bool inside = true;
    for (std::size_t a = first; a < dimensions_of(window) && inside; ++a) {
      const double at = (*columns[a])[i] - larger.corner[a];
      inside = at >= 0 && at < sides[a];
    }
    if (inside) rows.push_back(i);
  }
  return rows;
}

Points cut(Larger larger, const Space& window) {
  Points& points = larger.points;
  keep_points(points, rows_within(larger, window, 0));
  const std::array<std::vector<double>*, 4> columns{&points.x, &points.y, &points.z, &points.w};
  for (std::size_t a = 0; a < dimensions_of(window); ++a) {
    for (double& at : *columns[a]) at -= larger.corner[a];
  }
  points.domain = window.domain;
  points.depth = window.depth;
  points.extent = window.extent;
  points.origin = {};
  if (!points.rank.empty()) rank_as_they_stand(points);
  return std::move(points);
}

// Moves the points of a box at the bounds of a solid to the solid, and drops those outside.
Points moved_into(const box_space::Solid& solid, Points points) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 place = solid.place({points.x[i], points.y[i], points.z[i]});
    points.x[i] = place.x;
    points.y[i] = place.y;
    points.z[i] = place.z;
    if (solid.holds(place)) rows.push_back(i);
  }
  keep_points(points, rows);
  points.domain = {};
  points.depth = 0;
  if (!points.rank.empty()) rank_as_they_stand(points);
  return points;
}

// Returns the start of a window of `width` and of `count` points, as far left as possible, or NaN.
double start_of(const std::vector<double>& sorted_x, double width, double last, std::int64_t count,
                double grid) {
  // The number of points changes where a point enters or leaves.
  std::vector<double> events;
  for (const double x : sorted_x) {
    if (x <= last) events.push_back(x);
    if (x >= width) events.push_back(x - width);
  }
  std::sort(events.begin(), events.end());
  for (std::size_t i = 1; i < events.size(); ++i) {
    const double middle = 0.5 * (events[i - 1] + events[i]);
    const double start = grid > 0 ? grid * std::floor(middle / grid) : middle;
    const auto first = std::lower_bound(sorted_x.begin(), sorted_x.end(), start);
    const auto end = std::lower_bound(first, sorted_x.end(), start + width);
    if (end - first == count) return start;
  }
  return NAN;
}

// Calls cut_out(scale, found), which returns a set or reports how many points it found instead.
// Scales the radii until it has exactly `count` points.
template <class CutOut>
Points scaled_to_count(std::int64_t count, double scale, std::size_t dimensions,
                       const CutOut& cut_out) {
  const auto wanted = static_cast<double>(count);
  // The number of points in a window hardly varies, so the first radius nearly always serves.
  constexpr int most_tries = 60;
  for (int i = 0; i < most_tries; ++i) {
    double found = 0;
    Points points = cut_out(scale, found);
    if (points.size() == static_cast<std::size_t>(count)) return points;
    found = std::max(0.5, found);
    // Steps grow, so that radii are not tried again.
    scale *= side_of(found / wanted, dimensions) * (found > wanted ? 1 + 1e-4 * i : 1 - 1e-4 * i);
  }
  throw Error(ErrorKind::limit,
              Problem{"frame", "cut finds no set of " + std::to_string(count) +
                                   " points: take another `count` or `seed`, or `frame fitted`"});
}

// Cuts exactly `count` points out of sets whose radii are scaled: larger_of(scale) makes one.
template <class LargerOf>
Points cut_count(const Space& window, std::int64_t count, double scale, const LargerOf& larger_of) {
  const double width = window.domain.width;
  return scaled_to_count(count, scale, dimensions_of(window), [&](double by, double& found) {
    Larger larger = larger_of(by);
    const double slack = larger.slack;
    std::vector<double> x;
    for (const std::size_t row : rows_within(larger, window, 1)) {
      const double at = larger.points.x[row] - larger.corner[0];
      if (at >= 0 && at <= width + slack) x.push_back(at);
    }
    std::sort(x.begin(), x.end());
    found = static_cast<double>(x.size()) * width / (width + slack);
    const double start = start_of(x, width, slack, count, larger.grid);
    if (!std::isfinite(start)) return Points();
    larger.corner[0] += start;
    return cut(std::move(larger), window);
  });
}

// Cuts exactly `count` points in the shape of a solid, which moves along a larger box until it
// holds them.
template <class LargerOf>
Points cut_count(const box_space::Solid& solid, const Space& window, std::int64_t count,
                 double scale, const LargerOf& larger_of) {
  constexpr int starts = 32;
  return scaled_to_count(count, scale, 3, [&](double by, double& found) {
    const Larger larger = larger_of(by);
    Points points;
    for (int i = 0; i < starts; ++i) {
      Larger moved = larger;
      moved.corner[0] += larger.slack * i / starts;
      points = moved_into(solid, cut(std::move(moved), window));
      if (points.size() == static_cast<std::size_t>(count)) break;
      found += static_cast<double>(points.size()) / starts;
    }
    return points;
  });
}

void require_frame(const Space& window, std::int64_t count) {
  require_domain(window.domain);
  require_number("the number of points", static_cast<double>(count), 0);
  if (window.domain.wrap) {
    throw Error(ErrorKind::usage, Problem{"frame", "cut has no effect on a torus"});
  }
}

// Returns the radii times `scale`.
Radii scaled(const Radii& radii, double scale) {
  Radii made = radii;
  if (auto* const even = std::get_if<double>(&made.source)) *even *= scale;
  if (auto* const classes = std::get_if<ClassRadii>(&made.source)) {
    for (double& radius : classes->radii) radius *= scale;
  }
  return made;
}

double largest(const Radii& radii) {
  const auto* const classes = radii.get<ClassRadii>();
  return classes == nullptr ? *radii.get<double>()
                            : *std::max_element(classes->radii.begin(), classes->radii.end());
}

// Returns the factor on the radii at which about `count` points fit into a window.
double first_scale(double content, std::size_t dimensions, const Radii& radii, std::int64_t count) {
  const auto density_of = [&](double packing, double r) {
    for (std::size_t a = 0; a < dimensions; ++a) packing /= r;
    return packing;
  };
  double density = 0;  // points in a unit of space
  if (const auto* const classes = radii.get<ClassRadii>()) {
    for (const double r : classes->radii) density += density_of(class_packing, r);
  } else {
    constexpr std::array packings{even_packing, even_packing_3d, even_packing_4d};
    density = density_of(packings[dimensions - 2], *radii.get<double>());
  }
  return side_of(density * content / static_cast<double>(count), dimensions);
}

}  // namespace

Points cut_from_plane(const Domain& domain, double radius, std::int64_t count, Context& context) {
  require_frame(domain, count);
  const auto larger_of = [&](double r) {
    const double slack = count == 0 ? 0 : std::min(domain.width, 16 * r);
    return Larger{sample_window(r, {0, 0, domain.width + slack, domain.height}, context),
                  {},
                  slack,
                  window_grid(r)};
  };
  if (count == 0) return cut(larger_of(radius), domain);
  return cut_count(domain, count,
                   std::sqrt(even_packing * domain.area() / static_cast<double>(count)), larger_of);
}

Points cut_from_larger(const Space& space, const Radii& radii, const SampleOptions& options,
                       Context& context) {
  std::optional<box_space::Solid> solid;
  Space window = space;
  if (space.kind == SpaceKind::solid) {
    solid.emplace(*space.mesh, context);
    const auto& side = solid->side();
    window = Space::box({side[0], side[1], false}, side[2]);
  }
  require_frame(window, options.count);
  if (window.kind == SpaceKind::box) require_above_0("the depth of a volume", window.depth);
  if (const auto* const classes = radii.get<ClassRadii>()) {
    require_classes(*classes);
  } else if (options.count == 0) {
    require_above_0("the radius of points without a count", *radii.get<double>());
  }
  // The border of the larger set has no effect so many radii from it.
  constexpr double margin = 3;
  SampleOptions how = options;
  how.count = 0;
  how.frame = FrameEdge::fitted;
  // A count finds a single radius.
  const bool finds = options.count > 0 && radii.get<double>() != nullptr;
  const Radii first = finds ? Radii(1.0) : radii;
  const auto larger_of = [&](double scale) {
    const Radii made = scaled(first, scale);
    const double off = margin * largest(made);
    const double slack = options.count == 0 ? 0 : std::min(window.domain.width, 8 * largest(made));
    Space larger = window;
    larger.domain.width += 2 * off + slack;
    larger.domain.height += 2 * off;
    if (larger.depth > 0) larger.depth += 2 * off;
    if (larger.extent > 0) larger.extent += 2 * off;
    return Larger{sample(larger, made, how, context), {off, off, off, off}, slack, 0};
  };
  Points points;
  if (options.count == 0) {
    points = cut(larger_of(1), window);
    if (solid) points = moved_into(*solid, std::move(points));
  } else {
    const double content = solid ? solid->volume() : content_of(window);
    const double scale = first_scale(content, dimensions_of(window), first, options.count);
    points = solid ? cut_count(*solid, window, options.count, scale, larger_of)
                   : cut_count(window, options.count, scale, larger_of);
  }
  if (solid) {
    points.space = std::make_shared<const Space>(space);
    points.meters_per_unit = space.mesh->meters_per_unit;
  }
  return points;
}

}  // namespace dapple::spaces
