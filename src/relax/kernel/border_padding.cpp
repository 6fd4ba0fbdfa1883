// Mirrors the picture around itself by at least five spacings of the tone at its rim. Dots still
// line up along the outer border, and on even tones their rows would reach through the margin. So
// dots next to that border are shaken while the others settle (KernelOptions::shaken). Then the
// dots are cut along a slightly bent frame with the right ink inside. Two flows of the dots inside
// correct the rest; more would line the dots up with the frame.
#include "relax/kernel/border_padding.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/memory_limits.hpp"
#include "core/modulo.hpp"
#include "field/plane_sum.hpp"
#include "field/resample.hpp"
#include "relax/cut_pixels.hpp"
#include "relax/kernel/border_warp.hpp"
#include "relax/kernel/kernel.hpp"

namespace dapple {
namespace {

// Returns the width of the margin. Rows of crystals reach farther than rows of less even dots.
double margin_spacings(double regularity) {
  return 5 + 5 * std::max(0.0, 2 * regularity - 1);
}
// Returns the share of each flow that is taken. Crystals line up sooner, so their share is smaller.
double rim_flow(double regularity) {
  return std::clamp(0.9 - 1.6 * (regularity - 0.5), 0.5, 0.9);
}
constexpr double widest_spacing = 2;  // of a light rim, in mean spacings
constexpr double rim = 2;             // depth of the rim whose tone counts, in mean spacings
constexpr int rim_flows = 2;
constexpr double most_pixels = 8;  // per spacing; so few dots show no more detail

// Returns the mean spacing of the dots of the picture, in pixels of `density`.
double mean_spacing(const Plane<float>& density, std::int64_t count) {
  return std::sqrt(static_cast<double>(density.size()) / static_cast<double>(count));
}

// Returns the width of the margin beyond a rim, which lies between the given corners.
int margin_of(const Plane<float>& density, double mean, double spacings, int x0, int y0, int x1,
              int y1) {
  double sum = 0;
  for (int y = y0; y < y1; ++y) {
    for (int x = x0; x < x1; ++x) sum += static_cast<double>(density(x, y));
  }
  const double area = static_cast<double>(x1 - x0) * (y1 - y0);
  const double widest = widest_spacing * mean;
  return static_cast<int>(
      std::ceil(spacings * std::min(sum > 0 ? std::sqrt(area / sum) : widest, widest)));
}

struct Margins {
  int left = 0, right = 0, top = 0, bottom = 0;
};

Margins margins_of(const Plane<float>& density, double mean, double spacings) {
  const int width = density.width();
  const int height = density.height();
  const int deep = std::max(1, static_cast<int>(std::lround(rim * mean)));
  const int across = std::min(deep, width);
  const int down = std::min(deep, height);
  return {margin_of(density, mean, spacings, 0, 0, across, height),
          margin_of(density, mean, spacings, width - across, 0, width, height),
          margin_of(density, mean, spacings, 0, 0, width, down),
          margin_of(density, mean, spacings, 0, height - down, width, height)};
}

Plane<float> continued(const Plane<float>& density, const Margins& margins) {
  Plane<float> larger = Plane<float>::unset(density.width() + margins.left + margins.right,
                                            density.height() + margins.top + margins.bottom);
  for (int y = 0; y < larger.height(); ++y) {
    const float* from = density.row(mirrored(y - margins.top, density.height()));
    float* to = larger.row(y);
    for (int x = 0; x < larger.width(); ++x) {
      to[x] = from[mirrored(x - margins.left, density.width())];
    }
  }
  return larger;
}

// Returns the `count` dots that are most inside a frame with its corner at 0. If dots from beyond
// the frame are needed, they are mirrored into it.
Points cut(const Points& dots, std::size_t count, double width, double height) {
  std::vector<std::pair<double, std::size_t>> outside(dots.size());  // distance from the frame
  for (std::size_t i = 0; i < dots.size(); ++i) {
    outside[i] = {
        std::max(std::max(-dots.x[i], dots.x[i] - width), std::max(-dots.y[i], dots.y[i] - height)),
        i};
  }
  if (count < dots.size()) {
    const auto first_out = outside.begin() + static_cast<std::ptrdiff_t>(count);
    std::nth_element(outside.begin(), first_out, outside.end());
    outside.erase(first_out, outside.end());
  }
  std::sort(outside.begin(), outside.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  const auto within = [](double there, double side) {
    const double mirrored = there < 0 ? -there : there > side ? 2 * side - there : there;
    return std::clamp(mirrored, 0.0, std::nextafter(side, 0.0));
  };
  Points inside;
  inside.domain = {width, height, false};
  for (const auto& [distance, i] : outside) {
    inside.add({within(dots.x[i], width), within(dots.y[i], height)}, 0);
    if (!dots.class_id.empty()) inside.class_id.push_back(dots.class_id[i]);
  }
  return inside;
}

// Returns the dots of the picture and of its margin, relative to the picture's corner.
Points relaxed_with_padding(const Plane<float>& density, std::int64_t count, const DotSplit& split,
                            const Margins& margins, const KernelOptions& options,
                            Context& context) {
  const Plane<float> larger = continued(density, margins);
  const double per_dot = sum_of(density) / static_cast<double>(count);
  const std::int64_t all = std::max(count, std::int64_t{std::llround(sum_of(larger) / per_dot)});
  std::vector<Plane<float>> shares;
  for (const Plane<float>& share : split.shares) shares.push_back(continued(share, margins));
  KernelOptions shaken = options;
  shaken.shaken = true;
  Points dots = relaxed_dots(larger, all, {shares, split.inks, split.rounds}, shaken, context);
  for (std::size_t i = 0; i < dots.size(); ++i) {
    dots.x[i] -= margins.left;
    dots.y[i] -= margins.top;
  }
  return dots;
}

Points cut_out(const Plane<float>& density, std::int64_t count, const DotSplit& split,
               const KernelOptions& options, Context& context) {
  const Margins margins =
      margins_of(density, mean_spacing(density, count), margin_spacings(options.regularity));
  context.require_memory((20.0 + 4.0 * static_cast<double>(split.shares.size())) *
                             (density.width() + margins.left + margins.right) *
                             (static_cast<double>(density.height()) + margins.top + margins.bottom),
                         "a picture with a border around it");
  constexpr double relaxed = 0.9;  // share of the time
  Points dots = [&] {
    const auto part = context.part(0, relaxed);
    return relaxed_with_padding(density, count, split, margins, options, context);
  }();
  bend_frame(dots, density);
  dots = cut(dots, static_cast<std::size_t>(count), density.width(), density.height());
  give_back_memory();
  const InkOfDots ink(dots, density, split);
  const auto part = context.part(relaxed, 1);
  even_tone(dots, density, ink.in(options), rim_flows, rim_flow(options.regularity), context);
  if (split.rounds) complete_rounds(dots);
  return dots;
}

}  // namespace

Points cut_out_dots(const Plane<float>& density, std::int64_t count, const DotSplit& split,
                    const KernelOptions& options, Context& context) {
  std::vector<Plane<float>> shares;
  const auto cut_out_of = [&](const Plane<float>& map) {
    const auto fits = [&](const Plane<float>& share) {
      return share.width() == map.width() && share.height() == map.height();
    };
    if (std::all_of(split.shares.begin(), split.shares.end(), fits)) {
      return cut_out(map, count, split, options, context);
    }
    for (const Plane<float>& share : split.shares) {
      shares.push_back(resample(share, map.width(), map.height(), context));
    }
    return cut_out(map, count, {shares, split.inks, split.rounds}, options, context);
  };
  const double mean = mean_spacing(density, count);
  if (mean <= most_pixels) return cut_out_of(density);
  // A margin of five spacings this wide would add very many pixels.
  const auto side = [&](int pixels) {
    return std::max(1, static_cast<int>(std::lround(pixels * most_pixels / mean)));
  };
  Plane<float> smaller = resample(density, side(density.width()), side(density.height()), context);
  const Domain domain = domain_of(density);
  const double wide = domain.width / smaller.width();
  const double high = domain.height / smaller.height();
  for (float& d : smaller.values()) d *= static_cast<float>(wide * high);
  Points dots = cut_out_of(smaller);
  scale(dots, wide, high);
  dots.domain = domain;
  return dots;
}

}  // namespace dapple
