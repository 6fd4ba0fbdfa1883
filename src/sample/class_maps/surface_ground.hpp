// Defines the ground of classes on the surface of a mesh, with radii by place each.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dapple/certificate.hpp"
#include "sample/class_maps/box_tree.hpp"
#include "sample/surface/patches.hpp"

namespace dapple::class_maps {

// A place on the surface. Its coordinates may be beside the surface, if it is a fixed point.
struct SurfacePlace {
  Coordinates<3> at;
  std::uint32_t part = 0;
  surface::Weights weights = {0, 0};
};
inline const Coordinates<3>& coordinates_of(const SurfacePlace& place) {
  return place.at;
}

// Places and radii are in the unit of the frame, the least radius of all classes.
class SurfaceGround {
 public:
  static constexpr std::size_t dimensions = 2;
  static constexpr std::size_t coordinates = 3;
  static constexpr double widest_root = 6;
  using At = SurfacePlace;
  using Sheet = std::array<float, 3>;  // the normal
  // A part of a part of the surface, with the weights of its corners there.
  struct Cell {
    std::uint32_t part = 0;
    std::array<surface::Weights, 3> corners = {};
    std::uint64_t key = 0;
  };
  struct Region {
    std::array<Vec3, 3> corners;
    Vec3 middle;
    double reach = 0;  // from the middle
    double area = 0;
    Sheet normal = {};
  };

  // Throws Error(usage) or Error(input) for radii that do not fit the mesh.
  SurfaceGround(const Mesh& mesh, const SurfaceOptions& options,
                std::span<const SurfaceRadius> radii, Context& context);

  std::size_t class_count() const { return radii_.size(); }
  double least() const { return least_; }
  double integral(std::size_t class_id) const { return integrals_[class_id]; }
  double radius(std::size_t class_id, const At& at) const {
    return value(class_id, at.part, at.weights);
  }
  Frame<3> frame() const;
  double distance(const At& a, const At& b) const;
  Sheet sheet_of(const At& at) const { return normal_of(at.part); }
  bool affects(const Sheet& a, const Sheet& b) const {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > least_cosine_;
  }
  bool affects(const Sheet& sheet, const At& at) const { return affects(sheet, sheet_of(at)); }
  bool affects(const Sheet& sheet, const Region& of) const { return affects(sheet, of.normal); }

  std::vector<Cell> wholes() const;
  Region region(const Cell& cell) const;
  RadiusBounds bounds(std::size_t class_id, const Cell& cell, const Region& region) const;
  template <class Body>
  bool any_part(const Cell& cell, const Body& body) const {
    const auto halves = halves_of(cell);
    return body(halves[0]) || body(halves[1]);
  }
  double extent(const Region& region) const { return 2 * region.reach; }
  double mean(const Cell&, const Region& region, double rate, double r) const {
    return rate * region.area / (r * r);
  }
  bool is_in_ball(const Region& region, const Coordinates<3>& at, double square) const;
  double square_distance(const Region& region, const Coordinates<3>& at) const;
  Bounds<3> around(const Region& region) const;
  At draw(const Cell& cell, const Region& region, Random& random) const;
  At middle(const Cell& cell, const Region& region) const;

  static constexpr bool has_domain = false;
  std::int64_t without_area() const { return without_area_; }
  double unit() const { return frame_.radius; }
  // Returns the nearest place of the surface, or of a triangle of the mesh, with the coordinates of
  // `place` itself. off() returns how far it is from them.
  At seen(const Vec3& place, std::int32_t triangle = -1) const;
  double off(const At& at) const;
  Place place(const Place& at) const { return frame_.place(at.xyz()); }
  void add_to(Points& points, const At& at) const;

 private:
  double value(std::size_t class_id, std::uint32_t part, const surface::Weights& at) const {
    const std::array<float, 3>& r = radii_[class_id][part];
    return static_cast<double>(r[0]) + at.s * static_cast<double>(r[1] - r[0]) +
           at.t * static_cast<double>(r[2] - r[0]);
  }
  const Sheet& normal_of(std::uint32_t part) const {
    return normals_[static_cast<std::size_t>(parts_[part].triangle)];
  }
  At place_in(const Cell& cell, double s, double t) const;
  std::array<Cell, 2> halves_of(const Cell& cell) const;

  const Mesh& mesh_;
  surface::Frame frame_;
  std::vector<surface::Triangle> triangles_;
  std::int64_t without_area_ = 0;
  std::vector<Sheet> normals_;  // of triangles
  float least_cosine_;
  std::vector<surface::Piece> parts_;
  std::vector<std::vector<std::array<float, 3>>> radii_;  // of each class, at the corners of parts
  double least_ = 1;
  std::vector<double> integrals_;
  BoxTree tree_;  // of parts
};

}  // namespace dapple::class_maps
