// Points of a volume whose radius varies.
#include "dapple/volume_points.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/doors.hpp"
#include "dapple/error.hpp"
#include "sample/fewest_enough.hpp"
#include "sample/space/room.hpp"

namespace dapple {
namespace {

using Found = space::Points<3>;

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

Found throw_all(const VolumeField& field, ConflictRule rule, bool progressive, Context& context) {
  const space::Room<3> room = room_of(field, rule);
  return progressive ? space::throw_progressively(room, context)
                     : space::throw_darts(room, context);
}

}  // namespace

VolumeSet sample_volume(const VolumeField& field, ConflictRule rule, std::int64_t count,
                        Context& context, bool progressive) {
  require_number("the number of points", static_cast<double>(count), 0);
  const auto stage = context.stage("sample");
  VolumeSet made{{}, field};
  Found found;
  if (count > 0) {
    auto enough = fewest_enough(static_cast<std::size_t>(count), 1, 3, [&](double scale) {
      return throw_all(field.scaled(scale, context), rule, progressive, context);
    });
    found = std::move(enough.made);
    made.field = field.scaled(enough.radius, context);
    if (!progressive) order_by_windows(found);
    found.at.resize(static_cast<std::size_t>(count));
  } else {
    found = throw_all(field, rule, progressive, context);
  }
  PointSet& points = made.points;
  points.domain = {field.side()[0], field.side()[1], field.wrap()};
  points.depth = field.side()[2];
  for (const space::Along<3>& at : found.at) {
    points.add({at[0], at[1]}, static_cast<float>(made.field.radius({at[0], at[1], at[2]})));
    points.z.push_back(at[2]);
  }
  if (progressive) {
    points.rank.resize(points.size());
    std::iota(points.rank.begin(), points.rank.end(), 0);
  }
  return made;
}

VolumeCertificate certify_volume(const PointSet& points, const VolumeField& field,
                                 ConflictRule rule, Context& context, double tolerance) {
  require_columns(points);
  require_number("the tolerance of a proof of radii that vary", tolerance, 2e-5);
  const std::array<double, 3> side{points.domain.width, points.domain.height, points.depth};
  if (points.z.size() != points.size() || side != field.side()) {
    throw Error(ErrorKind::input, "points of a volume need a column z, and the size of its field");
  }
  validate(points);
  Found found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    found.at.push_back({points.x[i], points.y[i], points.z[i]});
  }
  found.klass.resize(points.size());
  const auto proved = space::prove(room_of(field, rule), found, tolerance, context);
  VolumeCertificate made{proved.violations, proved.closest, proved.holes, {}};
  std::copy(proved.hole_place.begin(), proved.hole_place.end(), made.hole_place);
  return made;
}

}  // namespace dapple
