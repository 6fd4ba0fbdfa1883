// Defines the ground of classes in a plane or in a box of three dimensions, with a field each.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "dapple/certificate.hpp"
#include "dapple/field.hpp"
#include "dapple/points.hpp"
#include "sample/class_maps/classes.hpp"

namespace dapple::class_maps {

// A block of 2^-level of the domain, cut off at its border. Halves meet the edges of cells on which
// fields of a plane are constant. So a block smaller than a cell has one radius.
template <std::size_t D>
struct Block {
  std::array<std::int64_t, D> at{};
  int level = 0;
  std::uint64_t key = 0;

  // Returns the part in the upper half along each axis whose bit is set.
  Block part(int bits) const {
    Block made{at, level + 1, hash(key, static_cast<std::uint64_t>(bits))};
    for (std::size_t a = 0; a < D; ++a) made.at[a] = 2 * at[a] + ((bits >> a) & 1);
    return made;
  }
};

template <std::size_t D>
class GridGround : public OneSheet {
 public:
  static constexpr std::size_t dimensions = D;
  static constexpr std::size_t coordinates = D;
  static constexpr double widest_root = D == 2 ? 8.8 : 3.4;
  using Field = std::conditional_t<D == 2, DensityField, VolumeField>;
  using At = Coordinates<D>;
  using Cell = Block<D>;
  using Region = Bounds<D>;

  // The fields have one domain.
  explicit GridGround(std::span<const Field> fields);

  std::size_t class_count() const { return fields_.size(); }
  double least() const { return least_; }
  double integral(std::size_t class_id) const { return fields_[class_id].integral(); }
  double radius(std::size_t class_id, const At& at) const;
  Frame<D> frame() const { return {{}, sides_, wrap_}; }
  double distance(const At& a, const At& b) const;

  static constexpr bool has_domain = true;  // places are relative to its corner
  double unit() const { return 1; }
  At seen(const Vec3& place) const {
    if constexpr (D == 2)
      return {place.x, place.y};
    else
      return {place.x, place.y, place.z};
  }
  Place place(const Place& at) const { return at; }
  void add_to(Points& points, const At& at) const {
    points.x.push_back(at[0]);
    points.y.push_back(at[1]);
    if constexpr (D == 3) points.z.push_back(at[2]);
  }

  std::vector<Cell> wholes() const { return {Cell{}}; }
  Region region(const Cell& cell) const {
    const At& side = side_[static_cast<std::size_t>(cell.level)];
    Region made;
    for (std::size_t a = 0; a < D; ++a) {
      made.low[a] = std::min(sides_[a], static_cast<double>(cell.at[a]) * side[a]);
      made.high[a] = std::min(sides_[a], static_cast<double>(cell.at[a] + 1) * side[a]);
    }
    return made;
  }
  RadiusBounds bounds(std::size_t class_id, const Cell& cell, const Region& region) const;
  template <class Body>
  bool any_part(const Cell& cell, const Body& body) const {
    if (is_finest(cell)) return false;
    for (int bits = 0; bits < 1 << D; ++bits) {
      if (body(cell.part(bits))) return true;
    }
    return false;
  }
  double extent(const Region& region) const {
    double longest = 0;
    for (std::size_t a = 0; a < D; ++a) longest = std::max(longest, region.high[a] - region.low[a]);
    return longest;
  }
  double mean(const Cell&, const Region& region, double rate, double r) const {
    for (std::size_t a = 0; a < D; ++a) rate *= (region.high[a] - region.low[a]) / r;
    return rate;
  }
  bool is_in_ball(const Region& region, const At& at, double square) const {
    double far = 0;
    for (std::size_t a = 0; a < D; ++a) {
      const double along = std::max(at[a] - region.low[a], region.high[a] - at[a]);
      far += along * along;
    }
    return far < square;
  }
  double square_distance(const Region& region, const At& at) const {
    double near = 0;
    for (std::size_t a = 0; a < D; ++a) {
      const double along = std::max({0.0, region.low[a] - at[a], at[a] - region.high[a]});
      near += along * along;
    }
    return near;
  }
  Bounds<D> around(const Region& region) const { return region; }
  At draw(const Cell&, const Region& region, Random& random) const {
    At at;
    for (std::size_t a = 0; a < D; ++a) {
      at[a] = region.low[a] + random.uniform() * (region.high[a] - region.low[a]);
    }
    return at;
  }
  At middle(const Cell&, const Region& region) const {
    At at;
    for (std::size_t a = 0; a < D; ++a) at[a] = 0.5 * (region.low[a] + region.high[a]);
    return at;
  }

 protected:
  // Returns true for a block whose parts a double cannot tell apart.
  bool is_finest(const Cell& cell) const {
    return static_cast<std::size_t>(cell.level) + 1 >= side_.size();
  }

 private:
  std::span<const Field> fields_;
  At sides_;  // of the domain
  bool wrap_;
  double least_;
  // Sides of blocks by level. Smaller blocks would be too small for a double to tell apart.
  std::array<At, 64> side_{};
};

}  // namespace dapple::class_maps
