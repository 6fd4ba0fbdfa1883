// Makes the radii of a volume from the slices of a map and its options.
#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/volume_field.hpp"
#include "field/space/radii.hpp"

namespace dapple {
namespace {

void refuse_of_plane(const FieldOptions& options) {
  const auto refuse = [](const char* option, const char* why) {
    throw Error(ErrorKind::usage, Problem{option, why});
  };
  if (options.map.mask.image)
    refuse("mask", "does not work with a volume; black or transparent voxels stay empty");
  if (options.map.weight.image) {
    refuse("weight", "does not work with a volume; multiply the slices by the weights instead");
  }
  if (changes_tones(options.map.prepare) || changes_frame(options.map.prepare)) {
    throw Error(ErrorKind::usage,
                "`rotate`, `crop`, `contrast`, `detail`, `sharpen`, `blur`, `clean` and "
                "`tones-from` do not work "
                "with a volume; leave them out");
  }
}

VolumeField expecting(VolumeField field, double count, Context& context) {
  return scaled_to_count(std::move(field), context, [&](const VolumeField& of) {
    return portable_cbrt(even_packing_3d * of.integral() / count);
  });
}

Voxels voxels_of(Plane<float> demand, const Image& map) {
  const auto values = demand.values();
  return {map.width(), map.slice_height(), map.slices, {values.begin(), values.end()}};
}

VolumeField from_radius_map(Voxels values, const RadiusRange& radii, const VolumeRules& rules,
                            Context& context) {
  if (radii.max == 0) refuse_radius_map_without_range();
  for (float& v : values.values) {
    if (v < 0) continue;  // forbidden
    v = static_cast<float>(radii.min + static_cast<double>(v) * (radii.max - radii.min));
  }
  return VolumeField::from_radius(std::move(values), rules, context);
}

}  // namespace

VolumeField make_volume_field(const Image& map, const FieldOptions& options, bool wrap,
                              std::int64_t default_count, Context& context) {
  const auto stage = context.stage("field");
  refuse_of_plane(options);
  context.require_memory(static_cast<double>(map.width()) * map.height() * 24,
                         "a field for a volume of this size");
  const double shortest_side = std::min({map.width(), map.slice_height(), std::max(map.slices, 1)});
  const RadiusRange radii = radii_in_pixels(options, {shortest_side, css_pixels_per_mm});
  Plane<float> demand = target_density(map, options.map, context);
  const float highest = *std::max_element(demand.values().begin(), demand.values().end());
  if (highest < 0 || (highest == 0 && options.map.as != MapKind::radius)) nothing_to_place(options);
  VolumeRules rules{wrap, 0, 0, options.slope, options.map.interpolation};
  Voxels values = voxels_of(std::move(demand), map);
  if (options.map.as == MapKind::radius) {
    VolumeField field = from_radius_map(std::move(values), radii, rules, context);
    const auto count = static_cast<double>(options.count);
    return count > 0 ? expecting(std::move(field), count, context) : field;
  }
  require_one(options, radii);
  rules.r_max = radii.max;
  if (options.count == 0 && radii.min > 0) {
    // A target density above 1 is relative: the densest place gets the smallest radius.
    const double unit = radii.min * portable_cbrt(std::max(1.0, static_cast<double>(highest)));
    return VolumeField::from_density(std::move(values), unit, rules, context);
  }
  const auto count = static_cast<double>(options.count > 0 ? options.count : default_count);
  require_number("the default number of points", count, 1);
  if (radii.max > 0) rules.r_min = radii.min;
  double sum = 0;
  for (const float v : values.values) sum += static_cast<double>(v);
  return expecting(
      VolumeField::from_density(std::move(values), portable_cbrt(even_packing_3d * sum / count),
                                rules, context),
      count, context);
}

}  // namespace dapple
