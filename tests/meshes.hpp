// Meshes that tests and benchmarks share.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "dapple/mesh.hpp"

namespace dapple {

// Round the z axis, of radii 1 and .4, as so many rings of so many pairs of triangles.
inline Mesh torus(int around, int across) {
  constexpr double circle = 6.283185307179586;
  Mesh mesh;
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      const double s = circle * i / around;
      const double t = circle * j / across;
      const double r = 1 + 0.4 * std::cos(t);
      mesh.vertices.push_back({r * std::cos(s), r * std::sin(s), 0.4 * std::sin(t)});
    }
  }
  const auto at = [&](int i, int j) { return (i % around) * across + j % across; };
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return mesh;
}

struct Builder {
  Mesh mesh;
  std::int32_t vertex(double x, double y, double z) {
    mesh.vertices.push_back({x, y, z});
    return static_cast<std::int32_t>(mesh.vertices.size()) - 1;
  }
  void triangle(std::int32_t a, std::int32_t b, std::int32_t c) {
    mesh.triangles.push_back({a, b, c});
  }
  void quad(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
    triangle(a, b, c);
    triangle(a, c, d);
  }
  void alone(const Vec3& a, const Vec3& b, const Vec3& c) {
    const std::int32_t first = vertex(a.x, a.y, a.z);
    vertex(b.x, b.y, b.z);
    vertex(c.x, c.y, c.z);
    triangle(first, first + 1, first + 2);
  }
};

// The unit square as n x n pairs of triangles whose inner corners are shaken.
inline Mesh square(int n, double shake) {
  Builder b;
  Random random(7, Stream::tests);
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      const bool inner = i > 0 && i < n && j > 0 && j < n;
      const double dx = inner ? shake * (2 * random.uniform() - 1) : 0;
      const double dy = inner ? shake * (2 * random.uniform() - 1) : 0;
      b.vertex((i + dx) / n, (j + dy) / n, 0);
    }
  }
  const auto id = [&](int i, int j) { return i * (n + 1) + j; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) b.quad(id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1));
  }
  return b.mesh;
}

inline Mesh cube() {
  Builder b;
  for (int i = 0; i < 8; ++i) b.vertex(i & 1, i >> 1 & 1, i >> 2 & 1);
  b.quad(0, 2, 3, 1);
  b.quad(4, 5, 7, 6);
  b.quad(0, 1, 5, 4);
  b.quad(2, 6, 7, 3);
  b.quad(0, 4, 6, 2);
  b.quad(1, 3, 7, 5);
  return b.mesh;
}

// Two squares that face away from each other, nearer than the radius.
inline Mesh sheets() {
  Builder b;
  for (const double z : {0.0, 0.01}) {
    const std::int32_t first = b.vertex(0, 0, z);
    b.vertex(1, 0, z);
    b.vertex(1, 1, z);
    b.vertex(0, 1, z);
    if (z > 0) b.quad(first, first + 1, first + 2, first + 3);
    if (z == 0) b.quad(first, first + 3, first + 2, first + 1);
  }
  return b.mesh;
}

// Triangles anywhere, of any size, among them needles, repeated ones and some without area.
inline Mesh soup() {
  Builder b;
  Random random(11, Stream::tests);
  const auto place = [&] { return Vec3{random.uniform(), random.uniform(), random.uniform()}; };
  for (int i = 0; i < 60; ++i) {
    const Vec3 a = place();
    const double size = std::pow(10.0, -3 * random.uniform());
    b.alone(a, a + (place() - Vec3{0.5, 0.5, 0.5}) * size,
            a + (place() - Vec3{0.5, 0.5, 0.5}) * size);
  }
  for (int i = 0; i < 10; ++i) {  // needles, 10^4 : 1
    const Vec3 a = place();
    b.alone(a, a + Vec3{0.8, 0, 0}, a + Vec3{0.8, 8e-5, 0});
  }
  const Mesh once = b.mesh;
  for (int i = 0; i < 5; ++i) {
    const auto& t = once.triangles[static_cast<std::size_t>(i)];
    b.triangle(t[1], t[2], t[0]);
    b.triangle(t[0], t[0], t[1]);
  }
  return b.mesh;
}

inline Vec3 corner(const Mesh& mesh, std::size_t triangle, std::size_t i) {
  return mesh.vertices[static_cast<std::size_t>(mesh.triangles[triangle][i])];
}
inline Vec3 across(const Mesh& mesh, std::size_t t) {
  return cross(corner(mesh, t, 1) - corner(mesh, t, 0), corner(mesh, t, 2) - corner(mesh, t, 0));
}
inline Vec3 place(const Points& points, std::size_t i) {
  return {points.x[i], points.y[i], points.z[i]};
}
inline Vec3 normal(const Points& points, std::size_t i) {
  return {points.nx[i], points.ny[i], points.nz[i]};
}

// Places on a mesh by chance, as many on any area; what has no area to speak of gets none.
class RandomPlaces {
 public:
  struct Place {
    Vec3 at, normal;
  };
  explicit RandomPlaces(const Mesh& mesh) : mesh_(mesh), sums_(1, 0.0) {
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const double area = 0.5 * length(across(mesh, t));
      const double longest = std::max({length(corner(mesh, t, 1) - corner(mesh, t, 0)),
                                       length(corner(mesh, t, 2) - corner(mesh, t, 0)),
                                       length(corner(mesh, t, 2) - corner(mesh, t, 1))});
      sums_.push_back(sums_.back() + (area > 1e-12 * longest * longest ? area : 0));
    }
  }
  Place next() {
    const double at = random_.uniform() * sums_.back();
    const auto t = static_cast<std::size_t>(
        std::upper_bound(sums_.begin() + 1, sums_.end() - 1, at) - sums_.begin() - 1);
    double s = random_.uniform();
    double w = random_.uniform();
    if (s + w > 1) {
      s = 1 - s;
      w = 1 - w;
    }
    const Vec3 a = corner(mesh_, t, 0);
    const Vec3 n = across(mesh_, t);
    return {a + (corner(mesh_, t, 1) - a) * s + (corner(mesh_, t, 2) - a) * w, n * (1 / length(n))};
  }

 private:
  const Mesh& mesh_;
  std::vector<double> sums_;
  Random random_{3, Stream::tests};
};

// The same mesh with faces, vertices and first corners in another order.
struct Reordered {
  Mesh mesh;
  std::vector<std::size_t> triangle;  // of the first mesh, for each
  std::vector<std::size_t> first;     // of its corners
};
inline Reordered in_another_order(const Mesh& mesh) {
  Random random(5, Stream::tests);
  const auto shuffle = [&](std::vector<std::size_t>& values) {
    std::iota(values.begin(), values.end(), std::size_t{0});
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[random.below(static_cast<std::uint32_t>(i))]);
    }
  };
  std::vector<std::size_t> order(mesh.vertices.size());
  shuffle(order);
  Reordered made;
  std::vector<std::int32_t> now(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    now[order[i]] = static_cast<std::int32_t>(i);
    made.mesh.vertices.push_back(mesh.vertices[order[i]]);
  }
  made.triangle.resize(mesh.triangles.size());
  shuffle(made.triangle);
  for (const std::size_t t : made.triangle) {
    const std::size_t first = random.below(3);
    made.first.push_back(first);
    std::array<std::int32_t, 3> corners{};
    for (std::size_t c = 0; c < 3; ++c) {
      corners[c] = now[static_cast<std::size_t>(mesh.triangles[t][(c + first) % 3])];
    }
    made.mesh.triangles.push_back(corners);
  }
  return made;
}

// A place of the unit sphere: every other one near a pole, where parallels are short.
inline Vec3 random_direction(Random& random, int i) {
  const double turn = 2 * std::numbers::pi * random.uniform();
  const double depth = i % 2 == 0 ? 2 * random.uniform() : std::pow(10.0, -9 * random.uniform());
  const double rho = std::sqrt(depth * (2 - depth));
  const double z = i % 4 == 1 ? 1 - depth : depth - 1;
  return {rho * std::cos(turn), rho * std::sin(turn), z};
}

}  // namespace dapple
