// Makes points of classes with one map per class, from the options of `sample`.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/constants.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "sample/fixed_points.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

std::string size_of(const Image& map) {
  return std::to_string(map.width()) + " x " + std::to_string(map.height()) + " pixels";
}

void require_maps(const std::vector<NamedMap>& classes) {
  for (const NamedMap& one : classes) {
    const auto refuse = [&](const std::string& why) {
      throw Error(ErrorKind::input, Problem{"class", "the map of " + one.name + " " + why});
    };
    if (one.map.image == nullptr) refuse("was not read");
    const Image& first = *classes.front().map.image;
    if (one.map.image->width() != first.width() || one.map.image->height() != first.height()) {
      refuse("has " + size_of(*one.map.image) + ", but the map of " + classes.front().name +
             " has " + size_of(first) + ": scale them to one size");
    }
  }
}

DensityField field_of(const NamedMap& one, const PointsOptions& options, Context& context) {
  const Image& map = *one.map.image;
  FieldOptions how = options.field;
  how.radius = one.radius;
  how.count = 0;
  const Scale scale{static_cast<double>(std::min(map.width(), map.height())), css_pixels_per_mm};
  const DensityField field =
      make_field(map, how, options.sample.wrap, scale, default_count, context);
  return inset_field(field, options, context);
}

std::string names_of(const std::vector<NamedMap>& classes) {
  std::string names;
  for (const NamedMap& one : classes) names += (names.empty() ? "" : ",") + one.name;
  return names;
}

}  // namespace

PointSet mapped_class_points(const PointsOptions& options, Context& context) {
  const std::vector<NamedMap>& maps = options.class_maps;
  require_maps(maps);
  std::vector<DensityField> fields;
  for (std::size_t c = 0; c < maps.size(); ++c) {
    const auto count = static_cast<double>(maps.size());
    const auto part = context.part(0.2 * static_cast<double>(c) / count,
                                   0.2 * static_cast<double>(c + 1) / count);
    fields.push_back(field_of(maps[c], options, context));
  }
  ClassOptions classes;
  classes.distance = options.class_distance;
  classes.certify = options.sample.certify;
  classes.shares = shares_of_classes(options.scatter.classes, maps.size(), "class");
  const FixedPoints there = kept_of(options);
  const auto part = context.part(0.2, 1);
  PointSet points =
      sample_classes(fields, classes, count_of_new(options.field.count, options), context, there);
  points.metadata.emplace_back(class_names_key, names_of(maps));
  ScatterOptions columns = options.scatter;
  columns.classes.clear();
  const auto radius_of = [&](std::size_t class_id, Vec2 at) { return fields[class_id].radius(at); };
  // The radii are scaled if a count is requested.
  const double scale =
      points.empty() ? 1
                     : static_cast<double>(points.radius.front()) /
                           radius_of(static_cast<std::size_t>(points.class_id.front()), points[0]);
  const bool have_class = there.points != nullptr && !there.points->class_id.empty();
  return with_kept(
      std::move(points), options, columns, fields.front().domain().shorter_side(),
      [&](PointSet& all, std::size_t i) {
        // Fixed points without a class form a class of their own.
        if (!have_class) all.class_id.resize(all.size(), static_cast<std::int32_t>(maps.size()));
        if (all.radius[i] > 0) return;
        double r = std::numeric_limits<double>::infinity();
        for (std::size_t c = 0; c < maps.size(); ++c) {
          const bool is_its = !have_class || static_cast<std::size_t>(all.class_id[i]) == c;
          if (is_its) r = std::min(r, radius_of(c, all[i]));
        }
        // If its class is not allowed at the place, its radius is the least of a class.
        const Domain& domain = fields.front().domain();
        for (std::size_t c = 0; c < maps.size() && !std::isfinite(r); ++c) {
          r = fields[c].radius_bounds({0, 0, domain.width, domain.height}).min;
        }
        all.radius[i] = static_cast<float>(scale * r);
      },
      context);
}

}  // namespace dapple
