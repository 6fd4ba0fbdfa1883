// Points of a volume: a maximal set of one radius, or of r(x), or as many as asked for, and in an
// order of which every beginning is well spaced.
#include "dapple/volume_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "core/doors.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "sample/certify/proved.hpp"
#include "sample/leave_out.hpp"
#include "sample/space/throw_counted.hpp"

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

space::Room<3> room_of(const VolumeField& field, ConflictRule rule) {
  if (rule != ConflictRule::mean && rule != ConflictRule::max) {
    throw Error(ErrorKind::usage, Problem{"conflict", "is mean or max in a volume"});
  }
  space::Room<3> room;
  room.side = field.side();
  room.wrap = field.wrap();
  room.distance = {{field.least()}};
  room.field = &field;
  room.rule = rule;
  return room;
}

PointSet points_of(const Found& found, const space::Along<3>& side, bool wrap, bool progressive,
                   const std::function<double(const space::Along<3>&)>& radius_at) {
  PointSet points;
  points.domain = {side[0], side[1], wrap};
  points.depth = side[2];
  for (const space::Along<3>& at : found.at) {
    points.add({at[0], at[1]}, static_cast<float>(radius_at(at)));
    points.z.push_back(at[2]);
  }
  if (progressive) rank_as_they_stand(points);
  return points;
}

VolumeCertificate prove(const PointSet& points, const space::Room<3>& room, double tolerance,
                        Context& context) {
  validate(points);
  Found found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    found.at.push_back({points.x[i], points.y[i], points.z[i]});
  }
  found.klass.resize(points.size());
  const auto proved = space::prove(room, found, tolerance, context);
  VolumeCertificate made{proved.violations, proved.closest, proved.holes, {}};
  std::copy(proved.hole_place.begin(), proved.hole_place.end(), made.hole_place);
  return made;
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
  const auto throw_all = [&](double r) {
    return space::throw_points(room_of(volume, r), progressive, context);
  };
  Found found;
  if (count > 0) {
    const double first = radius_of_count(volume, static_cast<double>(count));
    auto enough =
        space::throw_counted(count, first, broad_sides(volume.side, first), progressive, throw_all);
    found = std::move(enough.made);
    radius = enough.radius;
  } else {
    found = throw_all(radius);
  }
  return points_of(found, volume.side, volume.wrap, progressive,
                   [&](const space::Along<3>&) { return radius; });
}

VolumeSet sample_volume(const VolumeField& field, ConflictRule rule, std::int64_t count,
                        Context& context, bool progressive) {
  require_number("the number of points", static_cast<double>(count), 0);
  const auto stage = context.stage("sample");
  const auto throw_all = [&](const VolumeField& of) {
    return space::throw_points(room_of(of, rule), progressive, context);
  };
  VolumeSet made{{}, field};
  Found found;
  if (count > 0) {
    auto enough = space::throw_counted(count, 1, 3, progressive, [&](double scale) {
      return throw_all(field.scaled(scale, context));
    });
    found = std::move(enough.made);
    made.field = field.scaled(enough.radius, context);
  } else {
    found = throw_all(field);
  }
  made.points =
      points_of(found, field.side(), field.wrap(), progressive, [&](const space::Along<3>& at) {
        return made.field.radius({at[0], at[1], at[2]});
      });
  return made;
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
  const Volume volume{{points.domain.width, points.domain.height, points.depth},
                      points.domain.wrap};
  return prove(points, room_of(volume, radius), tolerance, context);
}

VolumeCertificate certify_volume(const PointSet& points, const VolumeField& field,
                                 ConflictRule rule, Context& context, double tolerance) {
  require_columns(points);
  require_number("the tolerance of a proof of radii that vary", tolerance, 2e-5);
  const std::array<double, 3> side{points.domain.width, points.domain.height, points.depth};
  if (points.z.size() != points.size() || side != field.side()) {
    throw Error(ErrorKind::input, "points of a volume need a column z, and the size of its field");
  }
  return prove(points, room_of(field, rule), tolerance, context);
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
