// Makes volumes, and classes with radii of their own, from the options of `sample`.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/constants.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "sample/certify/proved.hpp"
#include "sample/classes.hpp"
#include "sample/fixed_points.hpp"
#include "sample/samplers.hpp"
#include "sample/settle_order.hpp"

namespace dapple {
namespace {

Domain domain_of(const PointsOptions& options) {
  return {static_cast<double>(options.size.pixel_width(css_pixels_per_mm)),
          static_cast<double>(options.size.pixel_height(css_pixels_per_mm)), options.sample.wrap};
}

// Returns true if the size is a square that stands for a cube, or its form in four dimensions.
bool is_one_side(const PointsOptions& options) {
  const Size& size = options.size;
  return options.dimensions > 2 && size.is_flat() && size.width == size.height;
}
double depth_of(const PointsOptions& options) {
  return is_one_side(options) ? options.size.width : options.size.depth;
}
double extent_of(const PointsOptions& options) {
  return is_one_side(options) ? options.size.width : options.size.extent;
}

Scale scale_of(const PointsOptions& options) {
  const Domain domain = domain_of(options);
  double shorter = domain.shorter_side();
  if (is_volume(options, nullptr)) shorter = std::min(shorter, depth_of(options));
  if (has_four_dimensions(options)) shorter = std::min(shorter, extent_of(options));
  return {shorter, css_pixels_per_mm};
}

[[noreturn]] void refuse(const std::string& option, const std::string& why) {
  throw Error(ErrorKind::usage, Problem{option, why});
}

// Throws Error(usage) for options that work only in the plane.
void refuse_in_volume(const PointsOptions& options) {
  const SampleOptions& how = options.sample;
  const std::string why = "works only in the plane: leave it or the depth of `size` out";
  if (how.method != SampleMethod::darts) refuse("method", why + "; volumes work only with darts");
  if (!how.settle) refuse("settle", why + "; points in volumes do not move");
  if (options.wang > 0) refuse("wang", why);
  if (!options.window.empty()) refuse("window", why);
  if (options.inset.value != 0) refuse("inset", why);
  if (options.size.unit != Unit::px) {
    refuse("size", "must be in pixels if it has a depth, such as 64x64x32");
  }
  if (options.class_radius.empty() && !options.scatter.classes.empty()) {
    refuse("classes", why + "; or give each class a distance by `class-radius`");
  }
}

// Makes a volume whose radii the slices of `map` give; each slice is one pixel deep.
PointSet varied_points(const Image& map, const PointsOptions& options, Context& context) {
  const SampleOptions& how = options.sample;
  const FieldOptions& wanted = options.field;
  const VolumeField field = make_volume_field(map, wanted, how.wrap, default_count, context);
  const bool counted = wanted.count > 0 || wanted.radius.empty();
  const std::int64_t count = wanted.count > 0 ? wanted.count : counted ? default_count : 0;
  const FixedPoints kept = kept_of(options);
  VolumeSet set = sample_volume(field, how.conflict, count_of_new(count, options), context,
                                how.progressive, kept);
  if (how.certify && !set.points.empty()) {
    constexpr double tolerance = 2e-5;
    require_proved(certify_volume(set.points, set.field, how.conflict, context, tolerance, kept),
                   {.required = "the radius", .counted = counted}, context);
  }
  const auto& side = set.field.side();
  return with_kept(
      std::move(set.points), options, options.scatter, *std::min_element(side.begin(), side.end()),
      [&](PointSet& points, std::size_t i) {
        if (points.radius[i] > 0) return;
        const double r = set.field.radius({points.x[i], points.y[i], column_z(points)[i]});
        points.radius[i] = static_cast<float>(std::isfinite(r) ? r : set.field.least());
      },
      context);
}

double one_radius(const PointsOptions& options) {
  const LengthRange& radius = options.field.radius;
  if (!(radius.min == radius.max)) {
    refuse("radius",
           "must be one length in a volume without a MAP of slices, such as `radius` 6, not " +
               to_text(radius));
  }
  return radius.min.pixels(scale_of(options));
}

}  // namespace

bool has_four_dimensions(const PointsOptions& options) {
  return options.dimensions == 4 || options.size.extent != 1;
}

bool is_volume(const PointsOptions& options, const Image* map) {
  const int dimensions = options.dimensions;
  if (map != nullptr) {
    if (dimensions == 4) {
      refuse("dimensions", "must be at most 3 with a MAP, because its slices form a volume");
    }
    return dimensions == 3;
  }
  const Size& size = options.size;
  const std::string text = "`size` " + to_text(size);
  if (dimensions == 2 && !size.is_flat())
    refuse("dimensions", "is 2, but " + text + " has a depth");
  if (dimensions == 3 && size.extent != 1) {
    refuse("dimensions", "is 3, but " + text + " has four sides");
  }
  if (dimensions == 3 && size.depth == 1 && !is_one_side(options)) {
    refuse("dimensions", "is 3, so `size` needs a depth, such as " + to_text(size) + "x64");
  }
  if (dimensions == 4 && size.extent == 1 && !is_one_side(options)) {
    refuse("dimensions",
           "is 4, so `size` needs four sides, such as 64x64x64x64, or one side for all");
  }
  return !size.is_flat() || dimensions > 2;
}

PointSet volume_points(const PointsOptions& options, const Image* map, Context& context) {
  refuse_in_volume(options);
  if (map != nullptr) return varied_points(*map, options, context);
  const double radius = one_radius(options);
  std::int64_t count = options.field.count;
  if (radius > 0 && count > 0) {
    refuse("count",
           "cannot be combined with `radius`, which also sets the number of points: leave one of "
           "them out");
  }
  if (radius == 0 && count == 0) count = default_count;
  const Domain domain = domain_of(options);
  const double depth = depth_of(options);
  const bool progressive = options.sample.progressive;
  const FixedPoints kept = kept_of(options);
  count = count_of_new(count, options);
  PointSet points = has_four_dimensions(options)
                        ? sample_4d({domain.width, domain.height, depth, extent_of(options)},
                                    domain.wrap, count, radius, context, progressive, kept)
                        : sample_volume(domain, depth, count, radius, context, progressive, kept);
  double apart = radius;
  if (!(apart > 0) && !points.empty()) apart = static_cast<double>(points.radius.front());
  if (options.sample.certify && !points.empty()) {
    verify_volume(points, apart, context, count > 0, kept);
  }
  return with_kept(
      std::move(points), options, options.scatter, scale_of(options).shorter_side,
      [&](PointSet& all, std::size_t i) {
        if (!(all.radius[i] > 0)) all.radius[i] = static_cast<float>(apart);
      },
      context);
}

std::vector<Length> class_radii_of(std::string_view text) {
  std::vector<Length> radii;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    Length radius;
    from_text(text.substr(0, end), radius);
    if (!(radius.value > 0)) {
      throw Error(ErrorKind::usage, "a radius must be above 0, not " + to_text(radius));
    }
    radii.push_back(radius);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return radii;
}

std::vector<double> shares_of_classes(std::string_view text, std::size_t classes,
                                      const std::string& by) {
  if (text.empty()) return {};
  std::vector<double> shares = shares_of(text);
  if (shares.size() == classes) return shares;
  refuse("classes", "has " + std::to_string(shares.size()) + " shares, but `" + by + "` has " +
                        std::to_string(classes) + " classes: give one share per class");
}

PointSet class_points(const PointsOptions& options, const Image* map, Context& context) {
  const bool deep = is_volume(options, map);
  if (map != nullptr) refuse("class-radius", "works only without a map: leave the map out");
  if (deep) refuse_in_volume(options);
  if (has_four_dimensions(options)) {
    refuse("class-radius",
           "works only in the plane and in volumes, because points in four dimensions have one "
           "radius");
  }
  ClassOptions classes;
  for (const Length& radius : class_radii_of(options.class_radius)) {
    classes.radii.push_back(radius.pixels(scale_of(options)));
  }
  classes.distance = options.class_distance;
  classes.certify = options.sample.certify;
  classes.progressive = options.sample.progressive;
  classes.shares = shares_of_classes(options.scatter.classes, classes.radii.size());
  const FixedPoints there = kept_of(options);
  PointSet points = sample_classes(domain_of(options), deep ? depth_of(options) : 0, classes,
                                   count_of_new(options.field.count, options), context, there);
  ScatterOptions columns = options.scatter;
  columns.classes.clear();
  // The radii are scaled if there is a count.
  const double scale = points.empty()
                           ? 1
                           : static_cast<double>(points.radius.front()) /
                                 classes.radii[static_cast<std::size_t>(points.class_id.front())];
  const double finest = *std::min_element(classes.radii.begin(), classes.radii.end());
  const bool have_class = there.points != nullptr && !there.points->class_id.empty();
  return with_kept(
      std::move(points), options, columns, scale_of(options).shorter_side,
      [&](PointSet& all, std::size_t i) {
        // Fixed points without a class form a class of their own.
        if (!have_class)
          all.class_id.resize(all.size(), static_cast<std::int32_t>(classes.radii.size()));
        if (all.radius[i] > 0) return;
        const double r =
            have_class ? classes.radii[static_cast<std::size_t>(all.class_id[i])] : finest;
        all.radius[i] = static_cast<float>(scale * r);
      },
      context);
}

}  // namespace dapple
