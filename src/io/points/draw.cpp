// Draws points as a picture.
#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/preconditions.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/regions.hpp"
#include "dapple/space.hpp"
#include "draw/class_colors.hpp"

namespace dapple {
namespace {

constexpr double map_side = 1024;  // pixels of the longer side of a picture of a map

// Returns points of regions in pixels of their picture: a map north up, or a drawing in its units.
Points in_picture(Points points) {
  const Regions& regions = *points.space->regions;
  const Box bounds = bounds_of(regions);
  const double scale = regions.y_up ? map_side / std::max(bounds.width(), bounds.height()) : 1;
  points.domain = {std::nextafter(bounds.width() * scale, INFINITY),
                   std::nextafter(bounds.height() * scale, INFINITY)};
  for (double& x : points.x) x = std::min((x - bounds.x0) * scale, bounds.width() * scale);
  for (double& y : points.y) {
    const double down = regions.y_up ? bounds.y1 - y : y - bounds.y0;
    y = std::min(down * scale, bounds.height() * scale);
  }
  for (float& r : points.radius) r *= static_cast<float>(scale);
  for (float& size : points.object_size) size *= static_cast<float>(scale);
  points.space = nullptr;
  return points;
}

}  // namespace

Drawing draw_points(const Points& points) {
  if (points.space != nullptr && points.space->regions != nullptr) {
    return draw_points(in_picture(points));
  }
  if (points.space != nullptr && points.space->kind == SpaceKind::cloud) {
    throw Error(ErrorKind::usage,
                "a cloud with coordinates below 0 has no drawing: write .ply, .csv, .json or .npy");
  }
  validate(points);
  if (std::any_of(points.class_id.begin(), points.class_id.end(), [](auto c) { return c < 0; })) {
    throw Error(ErrorKind::input, "the class of a point must be at least 0");
  }
  Drawing drawing;
  drawing.width = points.domain.width * mm_per_css_pixel;
  drawing.height = points.domain.height * mm_per_css_pixel;
  drawing.metadata = points.metadata;
  const int layers = points.class_id.empty()
                         ? 1
                         : 1 + *std::max_element(points.class_id.begin(), points.class_id.end());
  // Many classes (such as an id per point) would make too many layers, so colors repeat instead.
  // Named classes are always layers.
  const bool have_names =
      std::any_of(points.metadata.begin(), points.metadata.end(),
                  [](const auto& entry) { return entry.first == class_names_key; });
  const auto colors = static_cast<int>(class_colors.size());
  const int drawn = have_names ? layers : std::min(layers, colors);
  for (int i = 0; i < drawn; ++i) {
    Layer& layer = drawing.layers.emplace_back();
    layer.name = points.class_id.empty() ? "points" : name_of_class(points, i);
    layer.color = class_colors[static_cast<std::size_t>(i % colors)];
  }
  // Dots without a radius get a third of the mean spacing, which keeps them apart in even sets.
  const double mean_spacing =
      points.empty() ? 0 : std::sqrt(points.domain.area() / static_cast<double>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double r = !points.object_size.empty() ? static_cast<double>(points.object_size[i])
                     : points.radius[i] > 0      ? static_cast<double>(points.radius[i])
                                                 : mean_spacing / 1.5;
    const int layer = points.class_id.empty() ? 0 : points.class_id[i] % drawn;
    drawing.layers[static_cast<std::size_t>(layer)].discs.push_back(
        {points[i] * mm_per_css_pixel, 0.5 * r * mm_per_css_pixel});
  }
  return drawing;
}

}  // namespace dapple
