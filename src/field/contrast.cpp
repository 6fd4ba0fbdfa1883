// Implements curves of lightness: automatic contrast, a factor, the tones of another picture.
#include "field/contrast.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/deterministic_math.hpp"
#include "dapple/context.hpp"
#include "field/fill_rows.hpp"

namespace dapple {
namespace {

constexpr std::size_t bins = 4096;

// Returns the share of pixels that are at most as light as each bin.
std::vector<double> shares_of(const Lightness& picture, const Context& context) {
  std::vector<double> shares(bins, 0.0);
  const auto values = picture.value.values();
  constexpr std::size_t between_checks = 1 << 20;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % between_checks == 0) context.check();
    if (!picture.counts(i)) continue;
    shares[static_cast<std::size_t>(values[i] * (bins - 1) + 0.5f)] += 1;
  }
  double sum = 0;
  for (double& share : shares) share = sum += share;
  if (sum > 0) {
    for (double& share : shares) share /= sum;
  }
  return shares;
}

// Returns the lightness that the given share of pixels does not exceed.
double level_at(const std::vector<double>& shares, double share) {
  const auto found = std::lower_bound(shares.begin(), shares.end(), share);
  return static_cast<double>(std::min(found, shares.end() - 1) - shares.begin()) / (bins - 1);
}

template <class Value>
Curve curve_of(const Value& value) {
  Curve curve(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    curve[i] = static_cast<float>(value(static_cast<double>(i) / (bins - 1)));
  }
  return curve;
}

// A linear stretch that sets black and white.
struct Stretch {
  double low = 0;
  double high = 1;
  double gain = 1;

  double operator()(double v) const { return std::clamp((v - low) * gain, 0.0, 1.0); }
};

// Returns true if most of the picture's edge has about this lightness, as paper around a drawing.
bool is_background(const Lightness& picture, double level) {
  constexpr double most = 0.75;    // share of the edge
  constexpr double spread = 0.02;  // of scanned paper
  const int width = picture.value.width();
  const int height = picture.value.height();
  std::int64_t edge = 0;
  std::int64_t like = 0;
  const auto look = [&](int x, int y) {
    ++edge;
    const std::size_t i =
        static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    const double value = static_cast<double>(picture.value.values()[i]);
    if (picture.counts(i) && std::abs(value - level) <= spread) ++like;
  };
  for (int x = 0; x < width; ++x) {
    look(x, 0);
    look(x, height - 1);
  }
  for (int y = 0; y < height; ++y) {
    look(0, y);
    look(width - 1, y);
  }
  return static_cast<double>(like) > most * static_cast<double>(edge);
}

// Returns the level that becomes white, if `lightest` is the lightest tone that counts. A tone that
// stands alone and has many pixels, such as a pale spot of a drawing, keeps some ink, unless it is
// the background.
double white_of(const Lightness& picture, const std::vector<double>& shares, double low,
                double lightest) {
  constexpr double few = 0.01;  // share of pixels that may become white
  constexpr double many = 0.03;
  constexpr double pale = 0.9;   // lightness of such a tone
  constexpr double near = 0.05;  // share of the range, in which a tone that stands alone is most
  const auto lighter_than = [&](double level) {
    const auto bin = static_cast<std::ptrdiff_t>(level * (bins - 1) + 0.5) - 1;
    return 1 - (bin < 0 ? 0 : shares[static_cast<std::size_t>(bin)]);
  };
  const double lifted = lighter_than(lightest);
  const double alone = lifted / lighter_than(lightest - near * (lightest - low));
  const double share = std::clamp((lifted - few) / (many - few), 0.0, 1.0) *
                       std::clamp((alone - 0.5) / 0.25, 0.0, 1.0);
  if (share == 0 || is_background(picture, lightest)) return lightest;
  return std::min(1.0, low + (lightest - low) / (1 - share * (1 - pale)));
}

Stretch stretch_of(const Lightness& picture, const std::vector<double>& shares) {
  constexpr double ends = 0.005;   // share of pixels that may turn black, and white
  constexpr double full = 0.04;    // share of the scale that may stay empty at an end
  constexpr double most_gain = 8;  // beyond this gain there is only noise
  Stretch made{level_at(shares, ends), level_at(shares, 1 - ends), 0};
  if (!(made.high > made.low)) return made;
  if (made.low < full) made.low = 0;
  made.high = made.high > 1 - full ? 1 : white_of(picture, shares, made.low, made.high);
  made.gain = std::min(1 / (made.high - made.low), most_gain);
  return made;
}

// The change of the middle tone after black and white are set.
struct Middle {
  static constexpr double skin = 0.75;       // lightness of skin in the light of a flash
  static constexpr double most_rise = 0.05;  // of skin

  double power = 1;
  double sky = 1;   // lightness above which the lights of a night begin
  double lift = 0;  // lights rise 1 + lift times as steeply from `sky` on
  double from = 0;  // the middle tone; lighter tones rise less if skin would rise too far

  double operator()(double v) const {
    if (v > sky && lift > 0) {
      const double u = (v - sky) / (1 - sky);
      v = sky + (1 - sky) * u * (1 + lift) / (1 + lift * u);
    }
    return v > 0 && power != 1 ? portable_pow(v, power) - held_back(v) : v;
  }

 private:
  // A power that makes a dark picture lighter would leave its faces nearly white. This is largest
  // at skin and falls linearly to 0 at the middle tone and at white.
  double held_back(double v) const {
    if (power >= 1 || v <= from || from >= skin) return 0;
    const double excess = portable_pow(skin, power) - (skin + most_rise);
    if (excess <= 0) return 0;
    return excess * (v < skin ? (v - from) / (skin - from) : (1 - v) / (1 - skin));
  }
};

Middle middle_of(const std::vector<double>& shares, const Stretch& stretch) {
  constexpr double drawing = 0.94;  // a middle tone lighter than this is paper
  constexpr double dark = 0.40;     // darkest middle tone if it was as dark before
  constexpr double calm = 0.50;     // darkest middle tone otherwise
  constexpr double light = 0.68;
  constexpr double night = 0.08;  // a middle tone darker than this is meant to be dark
  constexpr double dusk = 0.2;    // from this middle tone on, a picture is no night
  constexpr double least_power = 0.6;
  constexpr double most_power = 2;
  constexpr double most_lift = 1.5;
  constexpr double lights = 0.75;  // share of a night's pixels that are darker than its lights
  Middle made;
  const double was = level_at(shares, 0.5);
  const double middle = stretch(was);
  if (middle >= drawing) return made;
  const double to_dusk = std::clamp((middle - night) / (dusk - night), 0.0, 1.0);
  if (to_dusk < 1) {
    made.sky = stretch(level_at(shares, lights));
    made.lift = most_lift * (1 - to_dusk);
  }
  const double darkest = std::clamp(was, dark, calm);
  const double wanted = std::clamp(middle, darkest, light);
  if (middle > night && wanted != middle) {
    const double power = portable_log(wanted) / portable_log(middle);
    // A picture that was at least this light before black was set is lightened without limit.
    const double least = was >= darkest ? 0 : 1 + to_dusk * (least_power - 1);
    made.power = std::clamp(power, least, most_power);
    made.from = middle;
  }
  return made;
}

}  // namespace

Curve automatic_contrast(const Lightness& picture, const Context& context) {
  const std::vector<double> shares = shares_of(picture, context);
  const Stretch stretch = stretch_of(picture, shares);
  if (stretch.gain == 0) return {};
  const Middle middle = middle_of(shares, stretch);
  if (stretch.low == 0 && stretch.high == 1 && middle.power == 1 && middle.lift == 0) return {};
  return curve_of([&](double v) { return middle(stretch(v)); });
}

Curve contrast_by(double factor) {
  return curve_of([=](double v) { return std::clamp(0.5 + factor * (v - 0.5), 0.0, 1.0); });
}

Curve matching_tones(const Lightness& picture, const Lightness& other, const Context& context) {
  const std::vector<double> from = shares_of(picture, context);
  const std::vector<double> to = shares_of(other, context);
  Curve curve(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    const double before = i == 0 ? 0 : from[i - 1];
    curve[i] = static_cast<float>(level_at(to, 0.5 * (before + from[i])));
  }
  return curve;
}

void apply(const Curve& curve, Lightness& picture, Context& context) {
  const auto values = picture.value.values();
  make_again(picture.value, context, [&](std::size_t i) {
    const float place = values[i] * (bins - 1);
    const auto k = std::min(static_cast<std::size_t>(place), bins - 2);
    return curve[k] + (place - static_cast<float>(k)) * (curve[k + 1] - curve[k]);
  });
}

}  // namespace dapple
