#include "sample/surface/curvature.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "dapple/context.hpp"
#include "sample/surface/triangles.hpp"

namespace dapple::surface {
namespace {

constexpr double rare = 0.02;

// Numbers of vertices that are equal for equal places.
class PlaceNumbers {
 public:
  explicit PlaceNumbers(const Mesh& mesh) : number_(mesh.vertices.size()) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order(mesh.vertices.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = {add_to_key(0, mesh.vertices[i]), static_cast<std::uint32_t>(i)};
    }
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i > 0 && order[i].first != order[i - 1].first) ++count_;
      number_[order[i].second] = count_;
    }
    ++count_;
  }
  std::size_t count() const { return count_; }
  std::size_t operator[](std::int32_t vertex) const {
    return number_[static_cast<std::size_t>(vertex)];
  }

 private:
  std::vector<std::uint32_t> number_;
  std::uint32_t count_ = 0;
};

struct Corner {
  Vec3 one, other;  // edges from the corner to the corners that follow
};
std::array<Corner, 3> corners_of(const Triangle& t) {
  const Vec3 e3 = t.e2 - t.e1;
  return {{{t.e1, t.e2}, {e3, t.e1 * -1}, {t.e2 * -1, e3 * -1}}};
}

// Adds up triangles by key, so that sums do not depend on their order in the mesh.
class Bending {
 public:
  Bending(const Mesh& mesh, const std::vector<Triangle>& triangles)
      : mesh_(mesh), triangles_(triangles), places_(mesh) {
    find_normals();
    add_up();
  }

  // Returns the curvature at a vertex, in one over the unit of the triangles.
  double at(std::int32_t vertex) const {
    const std::size_t place = places_[vertex];
    return area_[place] > 0 ? std::sqrt(squares_[place] / area_[place]) : 0;
  }

  double exceeded_by(double share) const {
    std::vector<std::pair<double, double>> bends;
    double all = 0;
    for (std::size_t i = 0; i < area_.size(); ++i) {
      if (!(area_[i] > 0)) continue;
      bends.emplace_back(std::sqrt(squares_[i] / area_[i]), area_[i]);
      all += area_[i];
    }
    std::sort(bends.begin(), bends.end());
    double rest = share * all;
    for (auto i = bends.rbegin(); i != bends.rend(); ++i) {
      rest -= i->second;
      if (rest <= 0) return i->first;
    }
    return 0;
  }

 private:
  std::array<std::size_t, 3> places_of(const Triangle& t) const {
    const auto& vertices = mesh_.triangles[static_cast<std::size_t>(t.index)];
    std::array<std::size_t, 3> found{};
    for (std::size_t c = 0; c < 3; ++c) found[c] = places_[vertices[t.corner[c]]];
    return found;
  }

  // Uses weights that are exact on a sphere (Max 1999).
  void find_normals() {
    normals_.resize(places_.count());
    for (const Triangle& t : triangles_) {
      const std::array<std::size_t, 3> place = places_of(t);
      const std::array<Corner, 3> corners = corners_of(t);
      for (std::size_t c = 0; c < 3; ++c) {
        const auto& [a, b] = corners[c];
        const double weight = length(cross(a, b)) / (dot(a, a) * dot(b, b));
        normals_[place[c]] = normals_[place[c]] + t.normal * weight;
      }
    }
    for (Vec3& n : normals_) {
      const double size = length(n);
      if (size > 0) n = n * (1 / size);
    }
  }

  void add_up() {
    squares_.assign(places_.count(), 0);
    area_.assign(places_.count(), 0);
    for (const Triangle& t : triangles_) {
      const std::array<std::size_t, 3> place = places_of(t);
      const Vec3 d1 = normals_[place[1]] - normals_[place[0]];
      const Vec3 d2 = normals_[place[2]] - normals_[place[0]];
      // The squared turn of the normal, which is linear on the triangle, along two axes of it.
      const double g11 = dot(t.e1, t.e1);
      const double g12 = dot(t.e1, t.e2);
      const double g22 = dot(t.e2, t.e2);
      const double bend2 =
          (g22 * dot(d1, d1) - 2 * g12 * dot(d1, d2) + g11 * dot(d2, d2)) / (g11 * g22 - g12 * g12);
      for (const std::size_t p : place) {
        squares_[p] += t.area * std::max(0.0, bend2);
        area_[p] += t.area;
      }
    }
  }

  const Mesh& mesh_;
  const std::vector<Triangle>& triangles_;
  PlaceNumbers places_;
  std::vector<Vec3> normals_;
  std::vector<double> squares_, area_;
};

}  // namespace

Curvature curvature_of(const Mesh& mesh, Context& context) {
  const Frame frame = frame_of(mesh, 1);
  const Triangles triangles = canonical_triangles(mesh, frame, context);
  constexpr double bytes_a_vertex = 80;
  context.require_memory(static_cast<double>(mesh.vertices.size()) * bytes_a_vertex,
                         "the curvature of the mesh");
  const Bending bending(mesh, triangles.all);
  Curvature found;
  found.high = bending.exceeded_by(rare);
  found.of_vertex.reserve(mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    found.of_vertex.push_back(static_cast<float>(bending.at(static_cast<std::int32_t>(i))));
  }
  return found;
}

}  // namespace dapple::surface
