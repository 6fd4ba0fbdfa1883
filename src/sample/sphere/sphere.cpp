// Points on a sphere: darts thrown one after the other, for ever.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/doors.hpp"
#include "core/portable.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "dapple/units.hpp"
#include "sample/certify/proved.hpp"
#include "sample/fewest_enough.hpp"
#include "sample/leave_out.hpp"
#include "sample/samplers.hpp"
#include "sample/sphere/darts.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
namespace {

constexpr double whole = 4 * std::numbers::pi;  // area of the unit sphere
constexpr double smallest_sphere = 1e-20;       // radii of its points are floats above 0
constexpr double largest_sphere = 1e17;         // places are no farther out than those of meshes
constexpr double packing = 0.6975;  // points of a maximal set a square of their distance

void require_sphere(double radius) {
  require_above_0("the radius of a sphere", radius);
  if (radius >= smallest_sphere && radius <= largest_sphere) return;
  throw Error(ErrorKind::usage,
              "the radius of a sphere must be from 1e-20 to 1e17, not " + shortest(radius));
}

// Maximal sets of ever smaller radii, each round those before it, so that every beginning is spaced
// as the set of twice as many points at the most.
sphere::Points throw_progressively(double radius, Context& context) {
  const double step = std::numbers::sqrt2;
  int passes = 0;
  for (double r = radius; r < 2; r *= step) ++passes;
  sphere::Points all;
  for (; passes >= 0; --passes) {
    double r = radius;
    for (int i = 0; i < passes; ++i) r *= step;
    sphere::Points found = sphere::throw_darts(r, all.at, context);
    sphere::order_by_windows(found);
    all.at.insert(all.at.end(), found.at.begin(), found.at.end());
    all.window.insert(all.window.end(), found.window.begin(), found.window.end());
  }
  return all;
}

sphere::Points throw_all(double radius, bool progressive, Context& context) {
  // Nothing is farther away than two.
  radius = std::min(radius, 2.5);
  return progressive ? throw_progressively(radius, context)
                     : sphere::throw_darts(radius, {}, context);
}

}  // namespace

SurfacePoints sample_sphere(double sphere, std::int64_t count, double radius, Context& context,
                            bool progressive) {
  require_sphere(sphere);
  require_number("the number of points", static_cast<double>(count), 0);
  if (count == 0) require_above_0("the radius of points without a number", radius);
  context.require_memory(120 * static_cast<double>(count), "points of a sphere");
  const auto stage = context.stage("sample");
  sphere::Points found;
  double apart = radius / sphere;
  if (count > 0) {
    const auto wanted = static_cast<double>(count);
    auto enough =
        fewest_enough(static_cast<std::size_t>(count), std::sqrt(packing * whole / wanted), 2,
                      [&](double r) { return throw_all(r, progressive, context); });
    found = std::move(enough.made);
    apart = enough.radius;
    if (!progressive) sphere::order_by_windows(found);
    found.at.resize(static_cast<std::size_t>(count));
  } else {
    found = throw_all(apart, progressive, context);
  }
  SurfacePoints points;
  points.radius = count > 0 ? apart * sphere : radius;
  points.r.assign(found.at.size(), static_cast<float>(points.radius));
  for (const Vec3& at : found.at) {
    points.x.push_back(at.x * sphere);
    points.y.push_back(at.y * sphere);
    points.z.push_back(at.z * sphere);
    points.nx.push_back(static_cast<float>(at.x));
    points.ny.push_back(static_cast<float>(at.y));
    points.nz.push_back(static_cast<float>(at.z));
  }
  if (progressive) rank_as_they_stand(points);
  return points;
}

SurfaceCertificate certify_sphere(const SurfacePoints& points, double sphere, Context& context,
                                  double tolerance) {
  require_sphere(sphere);
  require_above_0("the radius of points on a sphere", points.radius);
  require_number("the tolerance of a proof", tolerance, 1e-5);
  surface::require_places(points);
  const auto stage = context.stage("certify");
  std::vector<Vec3> places;
  for (std::size_t i = 0; i < points.size(); ++i) {
    places.push_back(Vec3{points.x[i], points.y[i], points.z[i]} * (1 / sphere));
    if (std::abs(length(places.back()) - 1) < 1e-9) continue;
    throw Error(ErrorKind::input, "point " + std::to_string(i + 1) + " is not on the sphere");
  }
  const double radius = std::min(points.radius / sphere, 2.5);
  const sphere::Proved proved = sphere::prove(radius, places, tolerance, context);
  SurfaceCertificate made;
  made.violations = proved.violations;
  made.closest = proved.closest;
  made.worst_pair_place = proved.worst * sphere;
  made.holes = proved.holes;
  made.hole_place = proved.hole * sphere;
  return made;
}

void verify_sphere(const SurfacePoints& points, double sphere, Context& context, bool counted) {
  const SurfaceCertificate proof = certify_sphere(points, sphere, context);
  require_proved({proof.violations, proof.closest, "the radius", proof.holes,
                  "another point" + at_place(proof.hole_place)},
                 counted, context);
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
