// Makes masks of the frequencies that an MRI scanner measures: a full center, and around it points
// of variable density, whose distances grow linearly from the center (Lustig, Donoho, Pauly 2007).
//
// Difference: the cells of the grid are thinned by weighted sample elimination (Yuksel 2015), so
// that the number of samples is exact.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/constants.hpp"
#include "core/morton.hpp"
#include "core/preconditions.hpp"
#include "core/random.hpp"
#include "core/text/number_text.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/mask.hpp"
#include "sample/darts/near_lists.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

// Cells move by up to this much for the elimination, so that those of a ring are not equal.
constexpr double jitter = 0.25;

// Returns how far a cell lies outside the full cells [first, end), in half sides of the grid.
double outside(int cell, int first, int end, int side) {
  const int cells = cell < first ? first - cell : cell >= end ? cell - end + 1 : 0;
  return 2.0 * cells / side;
}

// Returns the slope at which the cells expect `wanted` samples. A cell at distance d from the
// center is 1 / (1 + slope d)^2 samples.
double slope_for(const std::vector<double>& distances, double wanted) {
  double low = 0;
  double high = 1;
  const auto expected = [&](double slope) {
    double sum = 0;
    for (const double d : distances) sum += 1 / ((1 + slope * d) * (1 + slope * d));
    return sum;
  };
  while (expected(high) > wanted && high < 1e9) high *= 2;
  for (int step = 0; step < 40; ++step) {
    const double middle = 0.5 * (low + high);
    (expected(middle) > wanted ? low : high) = middle;
  }
  return high;
}

}  // namespace

Plane<std::int32_t> sampling_mask(const SamplingMaskOptions& options, Context& context) {
  const auto refuse = [](const char* option, const std::string& why) {
    throw Error(ErrorKind::usage, Problem{option, why});
  };
  const auto sides_of = [](const Size& size) {
    return size.empty() ? std::array{0, 0} : std::array{size.pixel_width(), size.pixel_height()};
  };
  const auto [width, height] = sides_of(options.grid);
  const auto [full_width, full_height] = sides_of(options.calibration);
  if (width < 1 || height < 1) refuse("grid", "must have sides of at least 1, such as 256x256");
  if (!(options.acceleration > 1)) {
    refuse("acceleration", "must be above 1, got " + shortest(options.acceleration));
  }
  if (full_width > width || full_height > height) {
    refuse("calibration", "is larger than `grid`: give at most " + to_text(options.grid));
  }
  context.require_pixels(width, height, "the grid");
  const double cells = static_cast<double>(width) * height;
  const auto count = static_cast<std::size_t>(std::llround(cells / options.acceleration));
  const std::size_t full =
      static_cast<std::size_t>(full_width) * static_cast<std::size_t>(full_height);
  if (count < std::max<std::size_t>(full, 1)) {
    refuse("acceleration", shortest(options.acceleration) + " leaves " + std::to_string(count) +
                               " samples of " + shortest(cells) +
                               " cells, but `calibration` takes " + std::to_string(full) +
                               ": make one of them smaller");
  }
  context.require_memory(cells * (150 + 60 * options.acceleration), "the grid");
  // The frequency 0 is the cell at half of each side, rounded down.
  const int left = width / 2 - full_width / 2;
  const int top = height / 2 - full_height / 2;
  Plane<std::int32_t> mask(width, height);
  std::vector<double> distances;
  Points open, center;
  open.domain = center.domain = {static_cast<double>(width), static_cast<double>(height), false};
  const Random random(context.seed, stream_of("sampling mask"));
  std::uint64_t drawn = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double dx = outside(x, left, left + full_width, width);
      const double dy = outside(y, top, top + full_height, height);
      if (dx == 0 && dy == 0 && full > 0) {
        center.add({x + 0.5, y + 0.5}, 1);
        continue;
      }
      distances.push_back(std::sqrt(dx * dx + dy * dy));
      const double move_x = jitter * (2 * to_unit(random.at(drawn++)) - 1);
      const double move_y = jitter * (2 * to_unit(random.at(drawn++)) - 1);
      open.add({x + 0.5 + move_x, y + 0.5 + move_y}, 1);
    }
  }
  const double slope = slope_for(distances, static_cast<double>(count - full));
  for (std::size_t i = 0; i < open.size(); ++i) {
    open.radius[i] = static_cast<float>(1 + slope * distances[i]);
  }
  Points all = picked(open, morton_order(open.x, open.y));
  for (std::size_t i = 0; i < center.size(); ++i) all.add(center[i], 1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    mask(static_cast<int>(all.x[i]), static_cast<int>(all.y[i])) = 1;
  }
  for (const std::uint32_t i : elimination_order(all, ConflictRule::mean, hexagonal_spacing,
                                                 count - full, context, center.size())) {
    mask(static_cast<int>(all.x[i]), static_cast<int>(all.y[i])) = 0;
  }
  return mask;
}

}  // namespace dapple
