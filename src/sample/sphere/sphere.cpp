// Samples points on a sphere, with one radius or a map of radii: darts are thrown one after the
// other without end.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/deterministic_math.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "dapple/units.hpp"
#include "sample/certify/proved.hpp"
#include "sample/fixed_points.hpp"
#include "sample/samplers.hpp"
#include "sample/settle_order.hpp"
#include "sample/solve_radius.hpp"
#include "sample/sphere/darts.hpp"
#include "sample/sphere/latlong_radius.hpp"
#include "sample/sphere/proof.hpp"
#include "sample/surface/patches.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
namespace {

constexpr double whole = 4 * std::numbers::pi;  // area of the unit sphere
constexpr double smallest_sphere = 1e-20;       // radii of its points are floats above 0
constexpr double largest_sphere = 1e17;         // places are no farther out than those of meshes
constexpr double farthest = 2.5;    // largest useful radius: the unit sphere has the diameter 2
constexpr double packing = 0.6975;  // points of a maximal set per square of their distance

void require_sphere(double radius) {
  require_above_0("the radius of a sphere", radius);
  if (radius >= smallest_sphere && radius <= largest_sphere) return;
  throw Error(ErrorKind::usage,
              "the radius of a sphere must be from 1e-20 to 1e17, not " + shortest(radius));
}

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

// Returns the points of `keep` in the frame of the unit sphere.
std::vector<sphere::Point> obstacles_of(const FixedPoints& kept, double sphere) {
  std::vector<sphere::Point> obstacles;
  if (kept.points == nullptr || kept.points->empty()) return obstacles;
  require_rule(kept.rule);
  const PointSet& points = *kept.points;
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
sphere::Points throw_all(const How& how, const Make& make, const Least& least) {
  sphere::There there{{}, how.obstacles};
  if (!how.progressive) return make(0, there);
  // Maximal sets of ever smaller radii, each around the earlier ones. So each prefix is spaced as a
  // maximal set of at most twice as many points.
  const double least_radius = least();
  int passes = 0;
  while (grown(least_radius, passes) < 2) ++passes;
  sphere::Points all;
  for (; passes >= 0; --passes) {
    there.own = all.at;
    sphere::Points found = make(passes, there);
    sphere::order_by_windows(found);
    all.at.insert(all.at.end(), found.at.begin(), found.at.end());
    all.window.insert(all.window.end(), found.window.begin(), found.window.end());
  }
  return all;
}

sphere::Points throw_even(double radius, const How& how, Context& context) {
  radius = std::min(radius, farthest);
  require_near(how.obstacles, radius, how.rule);
  const auto make = [&](int steps, const sphere::There& there) {
    return sphere::throw_darts(grown(radius, steps), how.rule, there, context);
  };
  return throw_all(how, make, [&] { return radius; });
}

// Throws points with a map; the radii before the slope are multiplied by `factor`.
sphere::Points throw_by_map(double sphere, const SurfaceRadius& radius, double factor,
                            const How& how, Context& context) {
  const auto radii_after = [&](int steps) {
    return sphere::Radii(surface::scaled_by(radius, grown(factor, steps)), sphere, context);
  };
  const auto make = [&](int steps, const sphere::There& there) {
    const sphere::Radii radii = radii_after(steps);
    if (steps == 0) require_near(how.obstacles, radii.most(), radius.rule);
    if (radii.least() < radii.most()) {
      return sphere::throw_darts(radii, radius.rule, there, context);
    }
    return sphere::throw_darts(std::min(radii.least(), farthest), radius.rule, there, context);
  };
  return throw_all(how, make, [&] { return radii_after(0).least(); });
}

SurfacePoints on_sphere(double sphere, const sphere::Points& found) {
  SurfacePoints points;
  for (const Vec3& at : found.at) {
    points.x.push_back(at.x * sphere);
    points.y.push_back(at.y * sphere);
    points.z.push_back(at.z * sphere);
    points.nx.push_back(static_cast<float>(at.x));
    points.ny.push_back(static_cast<float>(at.y));
    points.nz.push_back(static_cast<float>(at.z));
  }
  return points;
}

// Keeps the first `count` points, or all if `count` is 0.
void keep_first(sphere::Points& found, std::int64_t count, bool progressive) {
  if (count == 0) return;
  if (!progressive) sphere::order_by_windows(found);
  found.at.resize(static_cast<std::size_t>(count));
}

void require_sphere_and_count(double sphere, std::int64_t count, Context& context) {
  require_sphere(sphere);
  require_number("the number of points", static_cast<double>(count), 0);
  context.require_memory(120 * static_cast<double>(count), "sampling a sphere");
}

// Returns the points as places of the unit sphere.
std::vector<sphere::Point> places_of(const SurfacePoints& points, double sphere) {
  surface::require_places(points);
  std::vector<sphere::Point> places;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 at = Vec3{points.x[i], points.y[i], points.z[i]} * (1 / sphere);
    places.push_back({at, points.radius / sphere});
    if (std::abs(length(at) - 1) < 1e-9) continue;
    throw Error(ErrorKind::input, "point " + std::to_string(i + 1) + " is not on the sphere");
  }
  return places;
}

// Scales the places of a proof on the unit sphere.
Certificate scaled(Certificate proof, double sphere) {
  proof.worst_pair_place = proof.worst_pair_place.xyz() * sphere;
  proof.hole_place = proof.hole_place.xyz() * sphere;
  return proof;
}

}  // namespace

SurfacePoints sample_sphere(double sphere, std::int64_t count, double radius, Context& context,
                            bool progressive, const FixedPoints& kept) {
  require_sphere_and_count(sphere, count, context);
  const How how{progressive, obstacles_of(kept, sphere), kept.rule};
  if (count == 0) require_above_0("the radius of points without a count", radius);
  const auto stage = context.stage("sample");
  sphere::Points found;
  double apart = radius / sphere;
  if (count > 0) {
    const double wanted = static_cast<double>(count) + static_cast<double>(how.obstacles.size());
    auto enough =
        fewest_enough(static_cast<std::size_t>(count), std::sqrt(packing * whole / wanted), 2,
                      [&](double r) { return throw_even(r, how, context); });
    found = std::move(enough.made);
    apart = enough.radius;
    keep_first(found, count, progressive);
  } else {
    found = throw_even(apart, how, context);
  }
  SurfacePoints points = on_sphere(sphere, found);
  points.radius = count > 0 ? apart * sphere : radius;
  points.r.assign(found.size(), static_cast<float>(points.radius));
  if (progressive) rank_as_they_stand(points);
  return points;
}

SurfaceSet sample_sphere(double sphere, std::int64_t count, const SurfaceRadius& radius,
                         Context& context, bool progressive, const FixedPoints& kept) {
  if (surface::is_one(radius)) {
    SurfaceSet set{sample_sphere(sphere, count, radius.even, context, progressive, kept), {}};
    set.radius = set.points.radius;
    return set;
  }
  require_sphere_and_count(sphere, count, context);
  const How how{progressive, obstacles_of(kept, sphere), radius.rule};
  const auto stage = context.stage("sample");
  double factor = 1;
  sphere::Points found;
  if (count > 0) {
    // The slope limit keeps r at some places whatever the factor, so several steps are needed.
    for (int look = 0; look < 3; ++look) {
      const sphere::Radii radii(surface::scaled_by(radius, factor), sphere, context);
      const double wanted = static_cast<double>(count) + static_cast<double>(how.obstacles.size());
      factor *= std::sqrt(packing * radii.squares() / wanted);
    }
    auto enough = fewest_enough(static_cast<std::size_t>(count), factor, 2, [&](double by) {
      return throw_by_map(sphere, radius, by, how, context);
    });
    found = std::move(enough.made);
    factor = enough.radius;
    keep_first(found, count, progressive);
  } else {
    found = throw_by_map(sphere, radius, factor, how, context);
  }
  SurfaceSet set{on_sphere(sphere, found), surface::scaled_by(radius, factor)};
  const sphere::Radii radii(set.radius, sphere, context);
  set.points.radius = radii.least() * sphere;
  for (const Vec3& at : found.at) {
    set.points.r.push_back(static_cast<float>(radii.at(at) * sphere));
  }
  if (progressive) rank_as_they_stand(set.points);
  return set;
}

Certificate certify_sphere(const SurfacePoints& points, double sphere, Context& context,
                           double tolerance, const FixedPoints& kept) {
  require_sphere(sphere);
  require_above_0("the radius of points on a sphere", points.radius);
  require_number("the tolerance of a proof", tolerance, 1e-5);
  const auto stage = context.stage("certify");
  const double radius = std::min(points.radius / sphere, farthest);
  std::vector<sphere::Point> places = places_of(points, sphere);
  for (sphere::Point& place : places) place.r = radius;
  return scaled(
      sphere::prove(radius, kept.rule, places, obstacles_of(kept, sphere), tolerance, context),
      sphere);
}

Certificate certify_sphere(const SurfacePoints& points, double sphere, const SurfaceRadius& radius,
                           Context& context, double tolerance, const FixedPoints& kept) {
  if (surface::is_one(radius)) return certify_sphere(points, sphere, context, tolerance, kept);
  require_sphere(sphere);
  require_number("the tolerance of a proof", tolerance, 1e-5);
  const auto stage = context.stage("certify");
  std::vector<sphere::Point> places = places_of(points, sphere);
  const sphere::Radii radii(radius, sphere, context);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double given = points.r.size() == places.size() ? static_cast<double>(points.r[i]) : 0;
    const double asked = radii.at(places[i].at) * sphere;
    if (!(std::abs(given - asked) < 1e-6 * asked)) {
      throw Error(ErrorKind::input, "point " + std::to_string(i + 1) +
                                        " has a radius that does not match the map at its place");
    }
    places[i].r = given / sphere;
  }
  return scaled(
      sphere::prove(radii, radius.rule, places, obstacles_of(kept, sphere), tolerance, context),
      sphere);
}

void verify_sphere(const SurfacePoints& points, double sphere, const SurfaceRadius& radius,
                   Context& context, bool counted, const FixedPoints& kept) {
  constexpr double tolerance = 1e-5;
  const Certificate proof = certify_sphere(points, sphere, radius, context, tolerance, kept);
  const bool is_one = surface::is_one(radius) && kept.points == nullptr;
  const std::string_view required = is_one ? "the radius" : "the distance that the rule requires";
  require_proved(proof, {.required = required, .counted = counted}, context);
}

void verify_sphere(const SurfacePoints& points, double sphere, Context& context, bool counted,
                   const FixedPoints& kept) {
  verify_sphere(points, sphere, points.radius, context, counted, kept);
}

Mesh picture_sphere(double radius) {
  constexpr int rings = 90;
  constexpr int sides = 2 * rings;
  Mesh mesh;
  for (int ring = 0; ring <= rings; ++ring) {
    const double depth = 0.5 * ring / rings;
    for (int side = 0; side < sides; ++side) {
      const Vec2 way = direction(static_cast<double>(side) / sides);
      const double rho = radius * portable_sine(depth);
      mesh.vertices.push_back({rho * way.x, rho * way.y, radius * portable_cosine(depth)});
    }
  }
  const auto at = [](int ring, int side) { return ring * sides + side % sides; };
  for (int ring = 0; ring < rings; ++ring) {
    for (int side = 0; side < sides; ++side) {
      mesh.triangles.push_back({at(ring, side), at(ring + 1, side), at(ring + 1, side + 1)});
      mesh.triangles.push_back({at(ring, side), at(ring + 1, side + 1), at(ring, side + 1)});
    }
  }
  return mesh;
}

}  // namespace dapple
