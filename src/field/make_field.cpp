// Implements the whole stage: from an image and its options to the field.
#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/preconditions.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/field.hpp"
#include "field/plane_sum.hpp"
#include "field/reconstruct.hpp"
#include "field/space/radii.hpp"

namespace dapple {
namespace {

constexpr double packing = varied_packing;  // a first guess, for every method
constexpr double demand_read = 0.3;         // share of the time of a field

}  // namespace

RadiusRange radii_in_pixels(const FieldOptions& options, const Scale& scale) {
  check(options);
  RadiusRange radii;
  if (options.radius.empty()) return radii;
  radii.min = options.radius.min.pixels(scale);
  const double max = options.radius.max.pixels(scale);
  if (!(radii.min > 0)) {
    throw Error(ErrorKind::usage, Problem{"radius", "must be above 0, such as 4px or 2:20"});
  }
  if (max < radii.min) {
    throw Error(ErrorKind::usage,
                Problem{"radius", "must give the smallest radius first, such as 2:20, not " +
                                      to_text(options.radius)});
  }
  if (options.radius.max != options.radius.min) radii.max = max;
  return radii;
}

void require_one(const FieldOptions& options, const RadiusRange& radii) {
  if (options.count == 0 || radii.min == 0 || radii.max > 0) return;
  throw Error(ErrorKind::usage,
              "give `radius` or `count`, not both (a range such as `radius 2:20` may limit the "
              "distances of `count`)");
}

void nothing_to_place(const FieldOptions& options) {
  const std::string start = "nothing to place: the map is ";
  if (options.map.as == MapKind::tone) {
    throw Error(ErrorKind::input,
                start +
                    "white everywhere, after levels, mask, transparency and white cut-off; try "
                    "`invert`, `as density` or another `channel`");
  }
  if (options.map.as == MapKind::density) {
    throw Error(ErrorKind::input,
                start +
                    "black everywhere, after levels, mask and transparency; try `invert`, "
                    "`as tone` or another `channel`");
  }
  throw Error(ErrorKind::input, start + "masked or transparent everywhere");
}

void refuse_radius_map_without_range() {
  throw Error(ErrorKind::usage,
              "`as radius` needs a range of radii, for black and white, such as `radius 2:20`");
}

namespace {

DensityField expecting(DensityField field, std::int64_t count, Context& context) {
  return scaled_to_count(std::move(field), context, [&](const DensityField& of) {
    return std::sqrt(packing * of.integral() / static_cast<double>(count));
  });
}

Plane<float> between_pixels(Plane<float> map, const FieldOptions& options, double spacing,
                            double points, bool wrap, Context& context) {
  if (options.map.interpolation == Interpolation::nearest) return map;
  const int cells = cells_for(static_cast<double>(map.size()), spacing, points, Cells::of_fields);
  return on_cells(std::move(map), cells, wrap, context);
}

DensityField from_radius_map(Plane<float> values, const Domain& domain, const RadiusRange& radii,
                             const FieldOptions& options, Context& context) {
  if (radii.max == 0) refuse_radius_map_without_range();
  double least = radii.max;
  double points = 0;
  for (float& v : values.values()) {
    if (v < 0) continue;
    const double r = radii.min + static_cast<double>(v) * (radii.max - radii.min);
    least = std::min(least, r);
    points += packing / (r * r);
    v = static_cast<float>(r);
  }
  if (options.count > 0) {
    const double wanted = static_cast<double>(options.count);
    least *= std::sqrt(points / wanted);
    points = wanted;
  }
  values = between_pixels(std::move(values), options, least, points, domain.wrap, context);
  return DensityField::from_radius(std::move(values), domain, options.slope, context);
}

}  // namespace

DensityField make_field(const ImageView& map, const FieldOptions& options, bool wrap,
                        const Scale& scale, std::int64_t default_count, Context& context) {
  if (changes_frame(options.map.prepare)) {
    const FramedMap part = framed(map.copied(), options.map, context);
    FieldOptions rest = options;
    rest.map = part.options;
    return make_field(part.image, rest, wrap, scale, default_count, context);
  }
  const auto stage = context.stage("field");
  const Domain domain{static_cast<double>(map.width()), static_cast<double>(map.height()), wrap};
  context.require_memory(domain.area() * 20, "a density field of this size");
  const RadiusRange radii = radii_in_pixels(options, scale);
  Plane<float> demand = [&] {
    const auto part = context.part(0, demand_read);
    return target_density(map, options.map, context);
  }();
  context.progress(demand_read);
  const float highest = *std::max_element(demand.values().begin(), demand.values().end());
  if (highest < 0 || (highest == 0 && options.map.as != MapKind::radius)) nothing_to_place(options);

  // If a number of points is given, the field is made at least twice.
  const bool counted =
      options.map.as == MapKind::radius ? options.count > 0 : options.count > 0 || radii.min == 0;
  const double first_made = counted ? 0.5 * (1 + demand_read) : 1;
  const auto for_count = [&](DensityField field, std::int64_t count) {
    const auto part = context.part(first_made, 1);
    DensityField expected = expecting(std::move(field), count, context);
    context.progress(1);
    return expected;
  };
  std::optional<Context::Part> part(std::in_place, context, demand_read, first_made);
  if (options.map.as == MapKind::radius) {
    DensityField field = from_radius_map(std::move(demand), domain, radii, options, context);
    part.reset();
    return counted ? for_count(std::move(field), options.count) : field;
  }
  require_one(options, radii);
  const double sum = sum_of(demand, context);
  // `unit` is the radius at target density 1.
  const auto smoothly = [&](double unit, double points) {
    return between_pixels(std::move(demand), options,
                          unit / std::sqrt(static_cast<double>(highest)), points, wrap, context);
  };
  if (!counted) {
    // A target density above 1 is relative: the densest place gets the smallest radius.
    const double unit = radii.min * std::sqrt(std::max(1.0, static_cast<double>(highest)));
    return DensityField::from_density(smoothly(unit, packing * sum / (unit * unit)), domain, unit,
                                      options.slope, 0, radii.max, context);
  }
  const std::int64_t count = options.count > 0 ? options.count : default_count;
  require_number("the default number of points", static_cast<double>(count), 1);
  const double first = std::sqrt(packing * sum / static_cast<double>(count));
  DensityField field =
      DensityField::from_density(smoothly(first, static_cast<double>(count)), domain, first,
                                 options.slope, radii.max > 0 ? radii.min : 0, radii.max, context);
  part.reset();
  return for_count(std::move(field), count);
}

DensityField make_constant_field(Domain domain, const FieldOptions& options, const Scale& scale,
                                 std::int64_t default_count) {
  const RadiusRange radii = radii_in_pixels(options, scale);
  if (radii.max > 0) {
    throw Error(ErrorKind::usage,
                "a range of radii needs an image to choose from it; give one `radius` or an image");
  }
  require_one(options, radii);
  if (radii.min > 0) return DensityField::constant(domain, radii.min);
  require_domain(domain);
  const std::int64_t count = options.count > 0 ? options.count : default_count;
  require_number("the default number of points", static_cast<double>(count), 1);
  return DensityField::constant(domain,
                                std::sqrt(packing * domain.area() / static_cast<double>(count)));
}

}  // namespace dapple
