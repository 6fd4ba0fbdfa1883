// The thresholds of detail were judged on 40 photographs and logos (docs/notes/stippling.md).
#include "generate/stipple/default_dots.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/plane.hpp"
#include "field/blur.hpp"
#include "field/plane_sum.hpp"
#include "field/resample.hpp"

namespace dapple::stippling {
namespace {

constexpr double fewest_dots = 10000;
constexpr double least_diameter = 1.6;  // pixels of the output picture

// The detail above which a picture gets 20,000, 30,000 and 40,000 dots.
constexpr std::array<double, 3> detail_limits{0.015, 0.028, 0.038};

// Returns the square of the mean root of |a - b| in a rectangle.
double roughness(const Plane<float>& a, const Plane<float>& b, int left, int top, int right,
                 int bottom) {
  double sum = 0;
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) {
      sum += std::sqrt(std::abs(static_cast<double>(a(x, y)) - static_cast<double>(b(x, y))));
    }
  }
  const double mean = sum / (static_cast<double>(right - left) * (bottom - top));
  return mean * mean;
}

}  // namespace

bool is_night(const Plane<float>& darkness) {
  constexpr float dark = 0.75f;
  constexpr float light = 0.5f;
  std::size_t darks = 0;
  std::size_t lights = 0;
  for (const float d : darkness.values()) {
    darks += d >= dark;
    lights += d <= light;
  }
  return 5 * darks >= 3 * darkness.size() && 1000 * lights >= darkness.size();
}

double detail_of(const Plane<float>& darkness, Context& context) {
  constexpr double least_spacing = 4;  // pixels; a finer raster would not change the figure
  constexpr double tile_side = 10;     // spacings
  double spacing = std::sqrt(static_cast<double>(darkness.size()) / fewest_dots);
  Plane<float> reduced;
  if (spacing > least_spacing) {
    const auto side = [&](int pixels) {
      return std::max(1, static_cast<int>(std::lround(pixels * least_spacing / spacing)));
    };
    reduced = resample(darkness, side(darkness.width()), side(darkness.height()), context);
    spacing = least_spacing;
  }
  const Plane<float>& map = reduced.empty() ? darkness : reduced;
  const Plane<float> blurred = gaussian_blurred(map, 0.5 * spacing, context);
  const auto tiles = [&](int pixels) {
    return std::max(1, static_cast<int>(std::lround(pixels / (tile_side * spacing))));
  };
  const int columns = tiles(map.width());
  const int rows = tiles(map.height());
  std::vector<double> found;
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      found.push_back(roughness(map, blurred, map.width() * i / columns, map.height() * j / rows,
                                map.width() * (i + 1) / columns, map.height() * (j + 1) / rows));
    }
  }
  const auto high = found.begin() + static_cast<std::ptrdiff_t>(9 * (found.size() - 1) / 10);
  std::nth_element(found.begin(), high, found.end());
  return *high;
}

std::int64_t default_dots(const Plane<float>& darkness, const StippleOptions& options,
                          const StippleLayout& layout, Context& context) {
  if (options.dots > 0 || !options.dot_size.empty()) return 0;
  const bool has_pen = options.pen.value > 0;
  if (options.path == DotPath::tsp) return has_pen ? 0 : dots_of_lines;
  if (options.shape == DotShape::point && has_pen) return 0;
  const bool is_dot = options.shape == DotShape::disc || options.shape == DotShape::point;
  if (!is_dot || options.gap.value > 0) return dots_of_shapes;
  const double detail = detail_of(darkness, context);
  double dots = fewest_dots;
  for (const double limit : detail_limits) dots += detail > limit ? fewest_dots : 0;
  // In an output picture of the given size, more dots would merge into gray.
  const double scale = layout.raster_width * layout.place.mm_per_pixel / layout.paper_width;
  const double least_ink = 0.25 * std::numbers::pi * least_diameter * least_diameter;
  const double most = sum_of(darkness, context) * scale * scale / least_ink;
  dots = std::clamp(dots, fewest_dots,
                    std::max(fewest_dots, fewest_dots * std::floor(most / fewest_dots)));
  const bool night = is_night(darkness) && dots < dots_of_night;
  const auto chosen = night ? dots_of_night : static_cast<std::int64_t>(dots);
  context.note(std::to_string(chosen) + " dots " +
               (night ? "for the lights of this dark picture" : "for the detail of this picture") +
               "; `dots` changes it");
  return chosen;
}

}  // namespace dapple::stippling
