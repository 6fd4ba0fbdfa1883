// Defines the ground of classes on the unit sphere, with one radius or a map of radii each.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/deterministic_math.hpp"
#include "dapple/certificate.hpp"
#include "sample/class_maps/classes.hpp"
#include "sample/sphere/cells.hpp"
#include "sample/sphere/latlong_radius.hpp"
#include "sample/sphere/sphere.hpp"

namespace dapple::class_maps {

class SphereGround : public OneSheet {
 public:
  static constexpr std::size_t dimensions = 2;
  static constexpr std::size_t coordinates = 3;
  static constexpr double widest_root = 6;
  using At = Coordinates<3>;
  using Cell = sphere::Cell;
  using Region = sphere::Shape;

  // Radii and maps are in the unit of the sphere, whose radius is `sphere`. Throws as
  // LatLongRadius does.
  SphereGround(std::span<const SurfaceRadius> radii, double sphere, Context& context);

  std::size_t class_count() const { return radii_.size(); }
  double least() const { return least_; }
  double integral(std::size_t class_id) const;
  double radius(std::size_t class_id, const At& at) const {
    const Radius& of = radii_[class_id];
    return of.map == nullptr ? of.even : of.map->at(vector(at));
  }
  // Fixed points may lie beside the sphere.
  Frame<3> frame() const { return {{-1.6, -1.6, -1.6}, {3.2, 3.2, 3.2}}; }
  double distance(const At& a, const At& b) const { return length(vector(a) - vector(b)); }

  static constexpr bool has_domain = false;
  double unit() const { return sphere_; }
  At seen(const Vec3& place) const {
    return {place.x / sphere_, place.y / sphere_, place.z / sphere_};
  }
  Place place(const Place& at) const { return at.xyz() * sphere_; }
  void add_to(Points& points, const At& at) const {
    sphere::add_direction(points, vector(at), sphere_);
  }

  const std::vector<Cell>& wholes() const { return wholes_; }
  Region region(const Cell& cell) const { return Region(cell); }
  RadiusBounds bounds(std::size_t class_id, const Cell& cell, const Region& region) const;
  template <class Body>
  bool any_part(const Cell& cell, const Body& body) const {
    const auto halves = sphere::halves_of(cell, Region(cell));
    return body(halves[0]) || body(halves[1]);
  }
  double extent(const Region& region) const { return 2 * region.reach; }
  double mean(const Cell& cell, const Region&, double rate, double r) const {
    return rate * sphere::area_of(cell) / (r * r);
  }
  bool is_in_ball(const Region& region, const At& at, double square) const {
    return region.is_in_ball(vector(at), square);
  }
  double square_distance(const Region& region, const At& at) const {
    const double gap = std::max(0.0, length(vector(at) - region.middle) - region.reach);
    return gap * gap;
  }
  Bounds<3> around(const Region& region) const {
    const Vec3& m = region.middle;
    const double r = region.reach;
    return {{m.x - r, m.y - r, m.z - r}, {m.x + r, m.y + r, m.z + r}};
  }
  At draw(const Cell& cell, const Region&, Random& random) const {
    const double depth = cell.low + (cell.high - cell.low) * random.uniform();
    const double turns = cell.west + (cell.east - cell.west) * random.uniform();
    const Vec3 at = sphere::place_on(cell.south, depth, direction(turns));
    return {at.x, at.y, at.z};
  }
  At middle(const Cell&, const Region& region) const {
    return {region.middle.x, region.middle.y, region.middle.z};
  }

 private:
  struct Radius {
    double even = 0;
    std::unique_ptr<const sphere::LatLongRadius> map = nullptr;
  };
  static Vec3 vector(const At& at) { return {at[0], at[1], at[2]}; }

  double sphere_;  // its radius
  std::vector<Radius> radii_;
  double least_;
  std::vector<Cell> wholes_;
};

}  // namespace dapple::class_maps
