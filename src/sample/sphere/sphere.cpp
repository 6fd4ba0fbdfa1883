// Samples points on a sphere, with one radius or a map of radii: darts are thrown one after the
// other without end.
#include "sample/sphere/sphere.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "core/deterministic_math.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "sample/certify/proved.hpp"
#include "sample/fixed_points.hpp"
#include "sample/settle_order.hpp"
#include "sample/solve_radius.hpp"
#include "sample/spaces.hpp"
#include "sample/sphere/darts.hpp"
#include "sample/sphere/latlong_radius.hpp"
#include "sample/sphere/proof.hpp"
#include "sample/surface/patches.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
namespace sphere {
namespace {

constexpr double smallest_sphere = 1e-20;  // radii of its points are floats above 0
constexpr double largest_sphere = 1e17;    // places are no farther out than those of meshes

}  // namespace

void require_sphere(double radius) {
  require_above_0("the radius of a sphere", radius);
  if (radius >= smallest_sphere && radius <= largest_sphere) return;
  throw Error(ErrorKind::usage,
              "the radius of a sphere must be from 1e-20 to 1e17, not " + shortest(radius));
}

std::vector<Point> obstacles_of(const FixedPoints& kept, double sphere) {
  std::vector<Point> obstacles;
  if (kept.points == nullptr || kept.points->empty()) return obstacles;
  require_rule(kept.rule);
  const Points& points = *kept.points;
  require_columns(points);
  const std::vector<double>& z = column_z(points);
  const auto refuse = [](const std::string& why) {
    throw Error(ErrorKind::input, Problem{"keep", why});
  };
  if (z.size() != points.size()) refuse("needs points with a column z, in the unit of the sphere");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 place{points.x[i] + points.origin.x, points.y[i] + points.origin.y, z[i]};
    const float r = points.radius.empty() ? 0 : points.radius[i];
    obstacles.push_back({place * (1 / sphere), r > 0 ? static_cast<double>(r) / sphere : 0});
    // A point far from the sphere belongs to another sphere. A point in the center is equally near
    // all places.
    const double from_middle = length(obstacles.back().at);
    if (from_middle > 0.5 && from_middle < 1.5) continue;
    refuse("point " + std::to_string(i + 1) + at_place(place) + " is " +
           shortest(from_middle * sphere) +
           " from the center, but must be at 0.5 to 1.5 times the radius of the sphere, which is " +
           shortest(sphere));
  }
  return obstacles;
}

void add_direction(Points& points, const Vec3& direction, double sphere) {
  points.x.push_back(direction.x * sphere);
  points.y.push_back(direction.y * sphere);
  points.z.push_back(direction.z * sphere);
  points.nx.push_back(static_cast<float>(direction.x));
  points.ny.push_back(static_cast<float>(direction.y));
  points.nz.push_back(static_cast<float>(direction.z));
}

void require_on_sphere(const Points& points, double sphere) {
  surface::require_places(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 at = Vec3{points.x[i], points.y[i], points.z[i]} * (1 / sphere);
    if (std::abs(length(at) - 1) < 1e-9) continue;
    throw Error(ErrorKind::input, "point " + std::to_string(i + 1) + " is not on the sphere");
  }
}

}  // namespace sphere

namespace {

constexpr double whole = 4 * std::numbers::pi;  // area of the unit sphere
constexpr double farthest = 2.5;    // largest useful radius: the unit sphere has the diameter 2
constexpr double packing = 0.6975;  // points of a maximal set per square of their distance

// Returns a radius grown by a number of steps, each of a factor of sqrt 2.
double grown(double radius, int steps) {
  for (int i = 0; i < steps; ++i) radius *= std::numbers::sqrt2;
  return radius;
}

// Settings for darts other than radii.
struct How {
  bool progressive = false;
  std::vector<sphere::Point> obstacles = {};
  ConflictRule rule = ConflictRule::mean;  // for obstacles, if there is one radius
};

// Throws Error(input) if an obstacle conflicts with no place: it belongs to another sphere.
void require_near(const std::vector<sphere::Point>& obstacles, double radius, ConflictRule rule) {
  for (std::size_t i = 0; i < obstacles.size(); ++i) {
    const double own = obstacles[i].r;
    const double off = std::abs(length(obstacles[i].at) - 1);
    if (off < (own > 0 ? conflict_distance(rule, own, radius) : radius)) continue;
    throw Error(ErrorKind::input,
                Problem{"keep", "point " + std::to_string(i + 1) +
                                    " is farther from the sphere than the distance that it keeps"});
  }
}

// Throws points, progressively or at once. make(steps, there) throws points around `there` with
// radii grown by `steps`. least() returns the least radius, which an order needs.
template <class Make, class Least>
sphere::Sampled throw_all(const How& how, const Make& make, const Least& least) {
  sphere::There there{{}, how.obstacles};
  if (!how.progressive) return make(0, there);
  // Maximal sets of ever smaller radii, each around the earlier ones. So each prefix is spaced as a
  // maximal set of at most twice as many points.
  const double least_radius = least();
  int passes = 0;
  while (grown(least_radius, passes) < 2) ++passes;
  sphere::Sampled all;
  for (; passes >= 0; --passes) {
    there.own = all.at;
    sphere::Sampled found = make(passes, there);
    sphere::order_by_windows(found);
    all.at.insert(all.at.end(), found.at.begin(), found.at.end());
    all.window.insert(all.window.end(), found.window.begin(), found.window.end());
  }
  return all;
}

sphere::Sampled throw_even(double radius, const How& how, Context& context) {
  radius = std::min(radius, farthest);
  require_near(how.obstacles, radius, how.rule);
  const auto make = [&](int steps, const sphere::There& there) {
    return sphere::throw_darts(grown(radius, steps), how.rule, there, context);
  };
  return throw_all(how, make, [&] { return radius; });
}

// Throws points with a map; the radii before the slope are multiplied by `factor`.
sphere::Sampled throw_by_map(double sphere, const SurfaceRadius& radius, double factor,
                             const How& how, Context& context) {
  const auto radii_after = [&](int steps) {
    return sphere::LatLongRadius(surface::scaled_by(radius, grown(factor, steps)), sphere, context);
  };
  const auto make = [&](int steps, const sphere::There& there) {
    const sphere::LatLongRadius radii = radii_after(steps);
    if (steps == 0) require_near(how.obstacles, radii.most(), radius.rule);
    if (radii.least() < radii.most()) {
      return sphere::throw_darts(radii, radius.rule, there, context);
    }
    return sphere::throw_darts(std::min(radii.least(), farthest), radius.rule, there, context);
  };
  return throw_all(how, make, [&] { return radii_after(0).least(); });
}

// Returns the points as places of the unit sphere.
std::vector<sphere::Point> places_of(const Points& points, double sphere, double radius) {
  sphere::require_on_sphere(points, sphere);
  std::vector<sphere::Point> places;
  for (std::size_t i = 0; i < points.size(); ++i) {
    places.push_back({Vec3{points.x[i], points.y[i], points.z[i]} * (1 / sphere), radius});
  }
  return places;
}

// Scales the places of a proof on the unit sphere.
Certificate scaled(Certificate proof, double sphere) {
  proof.worst_pair_place = proof.worst_pair_place.xyz() * sphere;
  proof.hole_place = proof.hole_place.xyz() * sphere;
  return proof;
}

// Returns the factor on the radii of a map, or if there is one radius the radius, at which about
// `count` points fit.
double first_factor(double sphere, const SurfaceRadius& radius, double count, Context& context) {
  if (surface::is_one(radius)) return std::sqrt(packing * whole / count);
  double factor = 1;
  // The slope limit keeps r at some places whatever the factor, so several steps are needed.
  for (int look = 0; look < 3; ++look) {
    const sphere::LatLongRadius radii(surface::scaled_by(radius, factor), sphere, context);
    factor *= std::sqrt(packing * radii.squares() / count);
  }
  return factor;
}

}  // namespace

Points spaces::sample_sphere(double sphere, const SurfaceRadius& radius, const Request& request,
                             Context& context) {
  const auto count = static_cast<double>(request.count);
  sphere::require_sphere(sphere);
  require_number("the number of points", count, 0);
  context.require_memory(120 * count, "sampling a sphere");
  const How how{request.progressive, sphere::obstacles_of(request.kept, sphere), request.kept.rule};
  const bool is_even = surface::is_one(radius);
  if (is_even && count == 0) {
    require_above_0("the radius of points without a count", radius.even);
  }
  const auto stage = context.stage("sample");
  // With a map, `factor` multiplies its radii; otherwise it is the radius.
  const auto throw_points = [&](double factor) {
    return is_even ? throw_even(factor, how, context)
                   : throw_by_map(sphere, radius, factor, how, context);
  };
  double factor = is_even ? radius.even / sphere : 1;
  sphere::Sampled found;
  if (count > 0) {
    const double all = count + static_cast<double>(how.obstacles.size());
    auto enough = fewest_enough(static_cast<std::size_t>(request.count),
                                first_factor(sphere, radius, all, context), 2, throw_points);
    found = std::move(enough.made);
    factor = enough.radius;
    if (!request.progressive) sphere::order_by_windows(found);
    found.at.resize(static_cast<std::size_t>(request.count));
  } else {
    found = throw_points(factor);
  }
  Points points;
  for (const Vec3& at : found.at) sphere::add_direction(points, at, sphere);
  SurfaceRadius made = is_even ? SurfaceRadius(count > 0 ? factor * sphere : radius.even)
                               : surface::scaled_by(radius, factor);
  if (is_even) {
    points.radius.assign(found.size(), static_cast<float>(made.even));
  } else {
    const sphere::LatLongRadius radii(made, sphere, context);
    for (const Vec3& at : found.at) {
      points.radius.push_back(static_cast<float>(radii.at(at) * sphere));
    }
  }
  points.radii = std::make_shared<const Radii>(std::move(made));
  if (request.progressive) rank_as_they_stand(points);
  return points;
}

Certificate spaces::certify_sphere(const Points& points, const SurfaceRadius& radius,
                                   const FixedPoints& kept, double tolerance, Context& context) {
  const double sphere = points.space->radius;
  sphere::require_sphere(sphere);
  require_number("the tolerance of a proof", tolerance, 1e-5);
  const auto stage = context.stage("certify");
  if (surface::is_one(radius)) {
    require_above_0("the radius of points on a sphere", radius.even);
    const double even = std::min(radius.even / sphere, farthest);
    return scaled(sphere::prove(even, kept.rule, places_of(points, sphere, even),
                                sphere::obstacles_of(kept, sphere), tolerance, context),
                  sphere);
  }
  std::vector<sphere::Point> places = places_of(points, sphere, 0);
  const sphere::LatLongRadius radii(radius, sphere, context);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double given =
        points.radius.size() == places.size() ? static_cast<double>(points.radius[i]) : 0;
    const double asked = radii.at(places[i].at) * sphere;
    if (!(std::abs(given - asked) < 1e-6 * asked)) {
      throw Error(ErrorKind::input, "point " + std::to_string(i + 1) +
                                        " has a radius that does not match the map at its place");
    }
    places[i].r = given / sphere;
  }
  return scaled(sphere::prove(radii, radius.rule, places, sphere::obstacles_of(kept, sphere),
                              tolerance, context),
                sphere);
}

}  // namespace dapple
