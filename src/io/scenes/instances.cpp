#include "io/scenes/instances.hpp"

#include <algorithm>
#include <cmath>

#include "core/deterministic_math.hpp"
#include "sample/orientation.hpp"

namespace dapple {
namespace {

constexpr float usual_size = 0.6f;  // in radii

double middle_of(const std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return 0.5 * (*low + *high);
}

}  // namespace

Instances instances_of(const Points& points) {
  Instances made;
  made.middle = {middle_of(points.x), middle_of(points.y), middle_of(points.z)};
  made.place.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    made.place.push_back({static_cast<float>(points.x[i] - made.middle.x),
                          static_cast<float>(points.y[i] - made.middle.y),
                          static_cast<float>(points.z[i] - made.middle.z)});
    made.size.push_back(points.object_size.empty() ? usual_size * points.radius[i]
                                                   : points.object_size[i]);
    if (!points.turn[0].empty()) {
      made.turn.push_back(
          {points.turn[0][i], points.turn[1][i], points.turn[2][i], points.turn[3][i]});
      continue;
    }
    const double degrees = points.rotation.empty() ? 0 : static_cast<double>(points.rotation[i]);
    const bool upright = points.nx.empty();  // in a solid, which has no normals
    made.turn.push_back(
        turn_to(upright ? Vec3{0, 1, 0} : Vec3{points.nx[i], points.ny[i], points.nz[i]}, degrees));
  }
  return made;
}

Cone make_cone() {
  Cone cone;
  const auto add = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 across = cross(b - a, c - a);
    const Vec3 normal = across * (1 / length(across));
    for (const Vec3& p : {a, b, c}) {
      cone.triangles.push_back(static_cast<std::uint16_t>(cone.corners.size()));
      cone.corners.push_back(
          {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
      cone.normals.push_back({static_cast<float>(normal.x), static_cast<float>(normal.y),
                              static_cast<float>(normal.z)});
    }
  };
  const auto rim = [](int i) {
    const double turn = static_cast<double>(i) / Cone::sides;
    return Vec3{0.5 * portable_cosine(turn), 0, -0.5 * portable_sine(turn)};
  };
  for (int i = 0; i < Cone::sides; ++i) {
    add(rim(i), rim(i + 1), {0, 1, 0});
    add(rim(i + 1), rim(i), {0, 0, 0});
  }
  return cone;
}

std::int32_t count_of_classes(const Points& points) {
  if (points.class_id.empty()) return 1;
  return 1 + *std::max_element(points.class_id.begin(), points.class_id.end());
}

}  // namespace dapple
