// From the slices of a volume to r(x) in space: what DensityField is in the plane.
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

// How r(x) follows from the values of voxels.
struct VolumeRules {
  bool wrap = false;
  double r_min = 0;                   // r is no smaller; 0: no limit
  double r_max = 0;                   // and no larger; 0: no limit
  std::optional<double> slope = 1.0;  // L of r(x) <= r(y) + L |x - y|; none: as it is
  // Between the centers of voxels: trilinear, or each voxel as a cube of one value.
  Interpolation interpolation = Interpolation::smooth;
};

// r(x) of a volume of voxels of side 1, from the origin. Immutable; copying is cheap (shared
// storage). Some 9 bytes a voxel; building is linear, and sequential where the slope is limited.
class VolumeField {
 public:
  // r = scale / cbrt(density), then limits, then the slope. density: >= 0, finite; where it is 0,
  // nothing may be placed in the voxel. Throws Error(input) where it is 0 everywhere, Error(usage)
  // for other values or sizes that do not fit, Error(limit) where memory would not do.
  static VolumeField from_density(Voxels density, double scale, const VolumeRules& rules,
                                  Context& context);
  // r of each voxel; <= 0 or not finite: nothing may be placed there.
  static VolumeField from_radius(Voxels radius, const VolumeRules& rules, Context& context);

  // This field with r multiplied by `factor` before limits and slope, or after them.
  VolumeField scaled(double factor, Context& context) const;
  VolumeField times(double factor) const;

  const std::array<double, 3>& side() const;
  bool wrap() const;
  // r at a place of the volume, up to and with its far sides; +inf where nothing may be placed.
  double radius(const Vec3& place) const;
  // Bounds of r over the places of a box within the volume where something may be placed, equal to
  // its least and largest value in boxes of a few voxels: trilinear functions have those at
  // corners.
  // {+inf, 0} where nothing may be placed in all of the box.
  RadiusBounds bounds(const Vec3& low, const Vec3& high) const;
  // Whether something may be placed everywhere in a box.
  bool allows_all(const Vec3& low, const Vec3& high) const;
  double least() const;  // bounds over all of the volume
  double largest() const;
  // Integral of 1 / r^3 over the voxels: 0.73 times this is the number of points to expect.
  double integral() const;

 private:
  struct Data;
  VolumeField(std::shared_ptr<const Data> data, double times)
      : data_(std::move(data)), times_(times) {}
  static VolumeField build(std::shared_ptr<Data> data, double scale, Context& context);
  std::shared_ptr<const Data> data_;
  double times_ = 1;
};

// The whole stage: what each slice of `map` asks for as read_demand() reads it, then r(x) as the
// options say, in voxels: `as density` and `as tone` in proportion to points a volume, so that r =
// scale / cbrt(demand), with `scale` such that r is radius.min where most is asked for, and at most
// radius.max; `as radius` from radius.min to radius.max. Where no radius is given, such that
// options.count or else `default_count` points are expected. Throws as make_field() does, and
// Error(usage) for options that are of the plane: `mask`, `weight` and the preparation of pictures.
VolumeField make_volume_field(const Image& map, const FieldOptions& options, bool wrap,
                              std::int64_t default_count, Context& context);

}  // namespace dapple
