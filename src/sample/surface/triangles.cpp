#include "sample/surface/triangles.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/parallel.hpp"
#include "core/radix_sort.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
namespace {

constexpr double farthest = 1e18;  // squares of squares of lengths stay finite
// Least width: the columns of points cannot tell apart the radii of smaller meshes.
constexpr double least_extent = 1e-30;

bool usable(double value) {
  return std::abs(value) <= farthest;  // false for NaN
}

void validate_columns(const Mesh& mesh) {
  for (const Mesh::Column& column : mesh.columns) {
    if (column.values.size() == mesh.vertices.size()) continue;
    throw Error(ErrorKind::input, "has " + std::to_string(column.values.size()) + " values of " +
                                      column.name + " for " + std::to_string(mesh.vertices.size()) +
                                      " vertices");
  }
  if (!mesh.uv.empty() && mesh.uv.size() != mesh.triangles.size()) {
    throw Error(ErrorKind::input, "has texture coordinates for " + std::to_string(mesh.uv.size()) +
                                      " of " + std::to_string(mesh.triangles.size()) +
                                      " triangles");
  }
  constexpr double farthest_copy = 1e6;  // doubles still tell pixels apart
  for (std::size_t i = 0; i < mesh.uv.size(); ++i) {
    for (const Vec2& p : mesh.uv[i]) {
      if (std::abs(p.x) <= farthest_copy && std::abs(p.y) <= farthest_copy) continue;
      throw Error(ErrorKind::input, "triangle " + std::to_string(i + 1) +
                                        " has texture coordinates " + shortest(p.x) + ", " +
                                        shortest(p.y) +
                                        ": they must be numbers between -1e6 and 1e6");
    }
  }
}

void require_extent(const Mesh& mesh) {
  const Vec3 extent = surface::frame_of(mesh, 1).extent;
  const double widest = std::max({extent.x, extent.y, extent.z});
  if (widest >= least_extent) return;
  if (widest > 0) {
    throw Error(ErrorKind::input,
                "is " + shortest(widest) +
                    " wide, but must be at least 1e-30 wide: save it larger, or in another unit");
  }
  const Vec3& p = mesh.vertices[static_cast<std::size_t>(mesh.triangles.front()[0])];
  throw Error(ErrorKind::input, "has no extent: all corners of its faces lie at " + shortest(p.x) +
                                    ", " + shortest(p.y) + ", " + shortest(p.z) +
                                    "; check for a scale of 0 in the program that made it");
}

}  // namespace

void surface::require_usable(const Mesh& mesh) {
  if (mesh.triangles.empty()) {
    throw Error(ErrorKind::input, "holds no triangles, so there is no surface to put points on");
  }
  if (const auto& unit = mesh.meters_per_unit; unit && !(*unit > 0 && std::isfinite(*unit))) {
    throw Error(ErrorKind::input,
                "has a unit of " + shortest(*unit) + " meters, but it must be above 0");
  }
  if (mesh.vertices.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) ||
      mesh.triangles.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw Error(ErrorKind::limit, "has more than 2147483647 vertices or triangles");
  }
  if (!mesh.face.empty() && mesh.face.size() != mesh.triangles.size()) {
    throw Error(ErrorKind::input, "has " + std::to_string(mesh.face.size()) + " face numbers for " +
                                      std::to_string(mesh.triangles.size()) + " triangles");
  }
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3& p = mesh.vertices[i];
    if (usable(p.x) && usable(p.y) && usable(p.z)) continue;
    throw Error(ErrorKind::input, "vertex " + std::to_string(i + 1) + " is at " + shortest(p.x) +
                                      ", " + shortest(p.y) + ", " + shortest(p.z) +
                                      ": coordinates must be numbers between -1e18 and 1e18");
  }
  const auto count = static_cast<std::int32_t>(mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (const std::int32_t corner : mesh.triangles[i]) {
      if (corner >= 0 && corner < count) continue;
      throw Error(ErrorKind::input, "triangle " + std::to_string(i + 1) + " names vertex " +
                                        std::to_string(corner + 1) +
                                        ", but the number of vertices is " + std::to_string(count));
    }
  }
  validate_columns(mesh);
  require_extent(mesh);
}

void validate(const Mesh& mesh) {
  surface::require_usable(mesh);
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (surface::has_area(mesh, i)) return;
  }
  throw Error(ErrorKind::input, "has no face with an area, so there is nowhere to put points");
}

namespace surface {
namespace {

// Areas below this share of the longest edge squared count as rounding error.
constexpr double no_area = 1e-12;

bool before(const Vec3& a, const Vec3& b) {
  if (a.x != b.x) return a.x < b.x;
  return a.y != b.y ? a.y < b.y : a.z < b.z;
}

// The corners of a triangle, sorted from the least on.
struct Corners {
  std::array<Vec3, 3> at;
  std::array<std::uint8_t, 3> corner{0, 1, 2};  // corners of the triangle of the mesh
  bool turned = false;                          // true if sorting reversed the orientation

  Corners(const Mesh& mesh, std::size_t index) {
    const auto& corners = mesh.triangles[index];
    for (std::size_t i = 0; i < 3; ++i) {
      at[i] = mesh.vertices[static_cast<std::size_t>(corners[i])];
    }
    order(0, 1);
    order(1, 2);
    order(0, 1);
  }

  std::uint64_t key() const {
    return hash(add_to_key(add_to_key(add_to_key(0, at[0]), at[1]), at[2]), turned ? 1 : 0);
  }

 private:
  void order(std::size_t i, std::size_t j) {
    if (!before(at[j], at[i])) return;
    std::swap(at[i], at[j]);
    std::swap(corner[i], corner[j]);
    turned = !turned;
  }
};

Triangle triangle_between(const Corners& corners, std::size_t index, std::uint64_t key,
                          const Frame& frame) {
  const std::array<Vec3, 3>& p = corners.at;
  Triangle t;
  t.corner = corners.corner;
  t.key = key;
  const double scale = 1 / frame.radius;
  t.a = (p[0] - frame.origin) * scale;
  t.e1 = (p[1] - frame.origin) * scale - t.a;
  t.e2 = (p[2] - frame.origin) * scale - t.a;
  const Vec3 e3 = t.e2 - t.e1;
  t.longest = std::sqrt(std::max({dot(t.e1, t.e1), dot(t.e2, t.e2), dot(e3, e3)}));
  const Vec3 across = cross(t.e1, t.e2);
  const double size = length(across);
  t.area = 0.5 * size;
  t.normal = size > 0 ? across * ((corners.turned ? -1 : 1) / size) : Vec3{};
  t.index = static_cast<std::int32_t>(index);
  return t;
}

}  // namespace

Triangle canonical(const Mesh& mesh, std::size_t index, std::uint64_t key, const Frame& frame) {
  return triangle_between(Corners(mesh, index), index, key, frame);
}
Triangle canonical(const Mesh& mesh, std::size_t index, const Frame& frame) {
  const Corners corners(mesh, index);
  return triangle_between(corners, index, corners.key(), frame);
}
bool has_area(const Triangle& t) {
  return t.area > no_area * t.longest * t.longest;
}

bool has_area(const Mesh& mesh, std::size_t triangle) {
  const std::array<Vec3, 3> p = Corners(mesh, triangle).at;
  const Vec3 e1 = p[1] - p[0];
  const Vec3 e2 = p[2] - p[0];
  const double longest = std::max({length(e1), length(e2), length(e2 - e1)});
  return 0.5 * length(cross(e1, e2)) > no_area * longest * longest;
}

std::uint64_t key_of(const Mesh& mesh, std::size_t triangle) {
  return Corners(mesh, triangle).key();
}

std::uint64_t add_to_key(std::uint64_t key, const Vec3& p) {
  for (const double value : {p.x, p.y, p.z}) {
    key = hash(key, std::bit_cast<std::uint64_t>(value + 0.0));  // -0 is 0
  }
  return key;
}

double sum_in_any_order(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double area_of(const Mesh& mesh) {
  std::vector<double> areas;
  areas.reserve(mesh.triangles.size());
  for (const auto& t : mesh.triangles) {
    std::array<Vec3, 3> p;
    for (std::size_t i = 0; i < 3; ++i) p[i] = mesh.vertices[static_cast<std::size_t>(t[i])];
    // Sorted, so that it does not matter with which corner the file begins.
    std::sort(p.begin(), p.end(), [](const Vec3& a, const Vec3& b) {
      return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
    });
    areas.push_back(0.5 * length(cross(p[1] - p[0], p[2] - p[0])));
  }
  return sum_in_any_order(std::move(areas));
}

Frame frame_of(const Mesh& mesh, double radius) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Vec3 least{infinity, infinity, infinity};
  Vec3 most{-infinity, -infinity, -infinity};
  for (const auto& triangle : mesh.triangles) {
    for (const std::int32_t corner : triangle) {
      const Vec3& p = mesh.vertices[static_cast<std::size_t>(corner)];
      least = {std::min(least.x, p.x), std::min(least.y, p.y), std::min(least.z, p.z)};
      most = {std::max(most.x, p.x), std::max(most.y, p.y), std::max(most.z, p.z)};
    }
  }
  return {least, (most - least) * (1 / radius), radius};
}

Triangles canonical_triangles(const Mesh& mesh, const Frame& frame, Context& context) {
  context.require_memory(static_cast<double>(mesh.triangles.size()) * 2 * sizeof(Triangle),
                         "the mesh");
  // Triangles are large and may be millions, so each is made at its final position.
  std::vector<HashedNumber> order(mesh.triangles.size());
  constexpr std::size_t group = 4096;
  const auto for_each = [&](const auto& body) {
    parallel_for(context, (order.size() + group - 1) / group, [&](std::size_t g) {
      const std::size_t end = std::min(order.size(), (g + 1) * group);
      for (std::size_t i = g * group; i < end; ++i) body(i);
    });
  };
  for_each([&](std::size_t i) { order[i] = {key_of(mesh, i), static_cast<std::uint32_t>(i)}; });
  sort_by_hash(order);
  Triangles triangles;
  triangles.all.resize(order.size());
  for_each([&](std::size_t i) {
    triangles.all[i] = canonical(mesh, order[i].number, order[i].key, frame);
  });
  triangles.without_area = static_cast<std::int64_t>(
      std::erase_if(triangles.all, [](const Triangle& t) { return !has_area(t); }));
  const auto same = [](const Triangle& a, const Triangle& b) { return a.key == b.key; };
  triangles.all.erase(std::unique(triangles.all.begin(), triangles.all.end(), same),
                      triangles.all.end());
  return triangles;
}

void leave_out_twins(Triangles& triangles, const Context& context) {
  const auto corners = [](const Triangle& t) {
    return std::tuple(t.a.x, t.a.y, t.a.z, t.e1.x, t.e1.y, t.e1.z, t.e2.x, t.e2.y, t.e2.z);
  };
  std::vector<std::size_t> order(triangles.all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    context.check();
    return corners(triangles.all[a]) < corners(triangles.all[b]);
  });
  std::vector<bool> is_twin(order.size());
  for (std::size_t i = 1; i < order.size(); ++i) {
    is_twin[order[i]] = corners(triangles.all[order[i - 1]]) == corners(triangles.all[order[i]]);
  }
  std::size_t left = 0;
  for (std::size_t i = 0; i < is_twin.size(); ++i) {
    if (!is_twin[i]) triangles.all[left++] = triangles.all[i];
  }
  triangles.all.resize(left);
}

}  // namespace surface
}  // namespace dapple
