// Makes r(x) in space from the slices of a volume, as DensityField does in the plane.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "dapple/field.hpp"
#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// Values of voxels, x fastest, then y, then z.
struct Voxels {
  int width = 0;
  int height = 0;
  int depth = 0;
  std::vector<float> values = {};
};

// The rules by which r(x) follows from the values of voxels.
struct VolumeRules {
  bool wrap = false;
  double r_min = 0;                   // lower limit of r; 0: no limit
  double r_max = 0;                   // upper limit of r; 0: no limit
  std::optional<double> slope = 1.0;  // L of r(x) <= r(y) + L |x - y|; none: r as given
  // Between the centers of voxels: trilinear, or each voxel as a cube of one value.
  Interpolation interpolation = Interpolation::smooth;
};

// r(x) of a volume of voxels of side 1, from the origin. Immutable; copying is cheap (shared
// storage). About 9 bytes per voxel. Building is linear, and sequential if the slope is limited.
class VolumeField {
 public:
  // Sets r = scale / cbrt(density), then applies the limits, then the slope. density: >= 0, finite;
  // 0 allows no points in the voxel. Throws Error(input) if it is 0 everywhere, Error(usage) for
  // other values or sizes that do not fit, Error(limit) if memory is too small.
  static VolumeField from_density(Voxels density, double scale, const VolumeRules& rules,
                                  Context& context);
  // Takes r of each voxel; <= 0 or not finite: the voxel allows no points.
  static VolumeField from_radius(Voxels radius, const VolumeRules& rules, Context& context);

  // Return this field with r multiplied by `factor`, before limits and slope, or after them.
  VolumeField scaled(double factor, Context& context) const;
  VolumeField times(double factor) const;

  const std::array<double, 3>& side() const;
  bool wrap() const;
  // Returns r at a place of the volume, including its far sides; +inf if it allows no points.
  double radius(const Vec3& place) const;
  // Returns bounds of r over the allowed places of a box within the volume; {+inf, 0} if there are
  // none. In boxes of a few voxels they equal the least and largest value, which trilinear
  // functions have at corners.
  RadiusBounds bounds(const Vec3& low, const Vec3& high) const;
  // Returns true if points are allowed everywhere in a box.
  bool allows_all(const Vec3& low, const Vec3& high) const;
  double least() const;  // bounds over the whole volume
  double largest() const;
  // Returns the integral of 1 / r^3 over the voxels; 0.73 times it is the expected number of
  // points.
  double integral() const;

 private:
  struct Data;
  VolumeField(std::shared_ptr<const Data> data, double times)
      : data_(std::move(data)), times_(times) {}
  static VolumeField build(std::shared_ptr<Data> data, double scale, Context& context);
  std::shared_ptr<const Data> data_;
  double times_ = 1;
};

// Reads target_density() of each slice of `map`, then makes r(x) in voxels. `as density` and `as
// tone`: points per volume are proportional to it, r = scale / cbrt(target density). `scale` makes
// r = radius.min at the highest density; r is at most radius.max. `as radius`: r is from radius.min
// to radius.max. Without a radius, options.count or else `default_count` points are expected.
// Throws as make_field() does, and Error(usage) for options of the plane: `mask`, `weight` and the
// preparation of pictures.
VolumeField make_volume_field(const Image& map, const FieldOptions& options, bool wrap,
                              std::int64_t default_count, Context& context);

}  // namespace dapple
