// Points of a volume: a maximal set of one radius, or as many as asked for, and in an order of
// which every beginning is well spaced.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/doors.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "sample/certify/proved.hpp"
#include "sample/fewest_enough.hpp"
#include "sample/space/room.hpp"

namespace dapple {
namespace {

using Found = space::Points<3>;

// Points of a maximal set times the cube of their distance, in a torus; a border has the effect of
// so much more room, in distances (docs/quality.md).
constexpr double packing = 0.7335;
constexpr double border = 0.64;
// What a side counts that is next to nothing: points of a line fill 0.7476 of it (Renyi 1958),
// those of a plane 0.696 in squares.
constexpr double thread = 0.97;

struct Volume {
  space::Along<3> side;
  bool wrap = false;
};

double expected_count(const Volume& volume, double radius) {
  double room = packing;
  for (const double side : volume.side) {
    room *=
        volume.wrap ? std::max(side / radius, border) : std::max(side / radius + border, thread);
  }
  return room;
}

double radius_of_count(const Volume& volume, double count) {
  const double longest = *std::max_element(volume.side.begin(), volume.side.end());
  return radius_expecting(count, 2 * longest, [&](double r) { return expected_count(volume, r); });
}

space::Room<3> room_of(const Volume& volume, double radius) {
  space::Room<3> room;
  room.side = volume.side;
  room.wrap = volume.wrap;
  room.distance = {{radius}};
  return room;
}

Found throw_all(const Volume& volume, double radius, bool progressive, Context& context) {
  const space::Room<3> room = room_of(volume, radius);
  return progressive ? space::throw_progressively(room, context)
                     : space::throw_darts(room, context);
}

}  // namespace

PointSet sample_volume(const Domain& domain, double depth, std::int64_t count, double radius,
                       Context& context, bool progressive) {
  require_domain(domain);
  require_above_0("the depth of a volume", depth);
  require_number("the number of points", static_cast<double>(count), 0);
  const Volume volume{{domain.width, domain.height, depth}, domain.wrap};
  if (count == 0) require_above_0("the radius of points without a number", radius);
  context.require_memory(120 * static_cast<double>(count), "points of a volume");
  const auto stage = context.stage("sample");
  Found found;
  if (count > 0) {
    const double first = radius_of_count(volume, static_cast<double>(count));
    auto enough =
        fewest_enough(static_cast<std::size_t>(count), first, broad_sides(volume.side, first),
                      [&](double r) { return throw_all(volume, r, progressive, context); });
    found = std::move(enough.made);
    radius = enough.radius;
    if (!progressive) order_by_windows(found);
    found.at.resize(static_cast<std::size_t>(count));
  } else {
    found = throw_all(volume, radius, progressive, context);
  }
  PointSet points;
  points.domain = domain;
  points.depth = depth;
  for (const space::Along<3>& at : found.at) {
    points.add({at[0], at[1]}, static_cast<float>(radius));
    points.z.push_back(at[2]);
  }
  if (progressive) {
    points.rank.resize(points.size());
    std::iota(points.rank.begin(), points.rank.end(), 0);
  }
  return points;
}

VolumeCertificate certify_volume(const PointSet& points, double radius, Context& context,
                                 double tolerance) {
  require_domain(points.domain);
  require_above_0("the depth of a volume", points.depth);
  require_above_0("the radius of points in a volume", radius);
  require_columns(points);
  if (points.z.size() != points.size()) {
    throw Error(ErrorKind::input, "points of a volume need a column z");
  }
  validate(points);
  const Volume volume{{points.domain.width, points.domain.height, points.depth},
                      points.domain.wrap};
  Found found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    found.at.push_back({points.x[i], points.y[i], points.z[i]});
  }
  found.klass.resize(points.size());
  const auto proved = space::prove(room_of(volume, radius), found, tolerance, context);
  VolumeCertificate made{proved.violations, proved.closest, proved.holes, {}};
  std::copy(proved.hole_place.begin(), proved.hole_place.end(), made.hole_place);
  return made;
}

void verify(const VolumeCertificate& proof, bool counted, Context& context) {
  require_proved({proof.violations, proof.closest, "the radius", proof.holes,
                  "another point" + at_place(proof.hole_place)},
                 counted, context);
}

void verify_volume(const PointSet& points, double radius, Context& context, bool counted) {
  verify(certify_volume(points, radius, context), counted, context);
}

}  // namespace dapple
