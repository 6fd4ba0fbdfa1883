// Dithers to levels by a mask. Uniform noise takes one of the two levels around the wanted value.
// Its variance falls to 0 at each level, which shows as bands of smooth and grainy areas.
// Triangular noise takes one of three levels. A value lies at s, 0..1, of the step from level 0 to
// level 1. The outer levels have the shares:
//
//     p(-1) = (1/2 - s)^2 / 2 if s < 1/2,   p(2) = (s - 1/2)^2 / 2 if s > 1/2.
//
// Rounding after a difference of two uniform numbers gives the same (Lipshitz, Wannamaker,
// Vanderkooy 1992), with a variance of a quarter of a step everywhere. Two things differ here. The
// shares of levels 0 and 1 are solved for, so the mean is exact if steps differ in size, as in
// linear light. No level beyond black or white is used, so black and white keep their mean. The
// variance falls only in the last half step (Gjøl 2016 blends to uniform noise there). The
// threshold of a single mask selects a level by the shares, the brightest level first.
#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "generate/dither/parts.hpp"

namespace dapple::dithering {
namespace {

constexpr std::size_t roots = 255;  // cells of Levels::start_

// The levels that a threshold t can pick: base + (t < cut[0]) + (t < cut[1]).
struct Choice {
  std::array<float, 2> cut{};
  int base = 0;
};

Choice uniform_choice(const Levels& levels, float wanted) {
  const Levels::Step step = levels.step(wanted);
  return {{step.share, 0}, step.low};
}

Choice triangular_choice(const Levels& levels, float wanted) {
  const Levels::Step step = levels.step(wanted);
  const int low = step.low;
  const double s = step.share;
  double outer = 0.5 * (s - 0.5) * (s - 0.5);
  const int far = s < 0.5 ? low - 1 : low + 2;
  if (far < 0 || far >= levels.count()) return {{step.share, 0}, low};
  // The near levels restore the mean that the far one changes, with shares of at least 0.
  const double from = levels.wanted(low);
  const double size = levels.wanted(low + 1) - from;
  const double reach = (levels.wanted(far) - from) / size;  // in steps
  outer = std::min(outer, s < 0.5 ? (1 - s) / (1 - reach) : s / reach);
  const double upper = s - outer * reach;
  if (s < 0.5) {
    return {{static_cast<float>(1 - outer), static_cast<float>(upper)}, low - 1};
  }
  return {{static_cast<float>(outer + upper), static_cast<float>(outer)}, low};
}

}  // namespace

Levels::Levels(int count, bool linear) {
  for (int k = 0; k < count; ++k) {
    // Levels are rounded as in files, so that the mean of the file is right.
    const float v =
        std::round(255.0f * static_cast<float>(k) / static_cast<float>(count - 1)) / 255.0f;
    encoded_.push_back(v);
    wanted_.push_back(linear ? srgb_to_linear(v) : v);
  }
  std::size_t level = 0;
  for (std::size_t i = 0; i <= roots; ++i) {
    const double root = static_cast<double>(i) / roots;
    while (level + 2 < wanted_.size() && wanted_[level + 1] <= root * root) ++level;
    start_.push_back(static_cast<std::uint8_t>(level));
  }
}

Levels::Step Levels::step(float wanted) const {
  auto low = static_cast<std::size_t>(start_[static_cast<std::size_t>(std::sqrt(wanted) * roots)]);
  while (low + 2 < wanted_.size() && wanted_[low + 1] <= wanted) ++low;
  const float share = (wanted - wanted_[low]) / (wanted_[low + 1] - wanted_[low]);
  return {static_cast<int>(low), std::clamp(share, 0.0f, 1.0f)};
}

float Levels::drawn(float wanted, float strength) const {
  if (strength >= 1) return wanted;
  const Step around = step(wanted);
  const float share = strength > 0 ? std::clamp((around.share - 0.5f) / strength + 0.5f, 0.0f, 1.0f)
                                   : (around.share < 0.5f ? 0.0f : 1.0f);
  const auto low = static_cast<std::size_t>(around.low);
  return wanted_[low] + share * (wanted_[low + 1] - wanted_[low]);
}

std::vector<Plane<float>> levels_by_mask(const Picture& picture, const DitherOptions& options,
                                         std::span<const Thresholds> thresholds, Context& context) {
  const Levels levels(options.levels, picture.linear());
  const bool triangular = options.noise == DitherNoise::triangular;
  const auto choice = triangular ? triangular_choice : uniform_choice;
  std::array<Choice, 256> by_byte;
  for (std::size_t i = 0; i < 256; ++i) {
    const float v = static_cast<float>(i) / 255.0f;
    by_byte[i] = choice(levels, picture.linear() ? srgb_to_linear(v) : v);
  }
  const int width = picture.width();
  std::vector<Plane<float>> result(static_cast<std::size_t>(picture.channels()),
                                   Plane<float>(width, picture.height()));
  const auto rows = static_cast<std::size_t>(picture.height());
  constexpr std::size_t band = 16;
  const auto strength = static_cast<float>(options.strength);
  const float offset = 0.5f - 0.5f * strength;
  const auto pick = [&](const Choice& c, float of_mask) {
    const float threshold = strength * of_mask + offset;
    int level = c.base + (threshold < c.cut[0] ? 1 : 0);
    if (triangular) level += threshold < c.cut[1] ? 1 : 0;
    return levels.encoded(level);
  };
  const auto dither_band = [&](std::size_t item) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(width));
    std::vector<float> wanted(static_cast<std::size_t>(width));
    for (std::size_t row = item * band; row < std::min(rows, (item + 1) * band); ++row) {
      const int y = static_cast<int>(row);
      for (std::size_t c = 0; c < result.size(); ++c) {
        float* to = result[c].row(y);
        const auto of_mask =
            thresholds[c].row(y / picture.slice_height(), y % picture.slice_height());
        const bool plain = picture.read_bytes(static_cast<int>(c), y, bytes.data());
        if (!plain) picture.read_row(static_cast<int>(c), y, wanted.data());
        along_row(of_mask, thresholds[c].period(), width, [&](int x, int count, const float* t) {
          const std::uint8_t* byte = bytes.data() + x;
          for (int i = 0; plain && i < count; ++i) to[x + i] = pick(by_byte[byte[i]], t[i]);
          for (int i = 0; !plain && i < count; ++i) {
            to[x + i] = pick(choice(levels, wanted[static_cast<std::size_t>(x + i)]), t[i]);
          }
        });
      }
    }
  };
  parallel_for(context, (rows + band - 1) / band, dither_band);
  return result;
}

Plane<float> coverage_by_mask(const Plane<float>& coverage, int slices,
                              const Thresholds& thresholds, Context& context) {
  Plane<float> result(coverage.width(), coverage.height());
  const int slice_height = coverage.height() / slices;
  parallel_for(context, static_cast<std::size_t>(coverage.height()), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    const float* from = coverage.row(y);
    float* to = result.row(y);
    along_row(thresholds.row(y / slice_height, y % slice_height), thresholds.period(),
              coverage.width(), [&](int x, int count, const float* t) {
                for (int i = 0; i < count; ++i) to[x + i] = t[i] < from[x + i] ? 1.0f : 0.0f;
              });
  });
  return result;
}

}  // namespace dapple::dithering
