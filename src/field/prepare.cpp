// Contrast, detail, sharpness and cleaning of pictures, before anything is drawn from them.
//
// All of it works on one plane of lightness; colors follow by the ratio of what it was to what it
// is, so that a picture in inks keeps its hues.
#include "dapple/prepare.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "core/doors.hpp"
#include "core/parallel.hpp"
#include "core/portable.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "field/blur.hpp"
#include "field/despeckle.hpp"
#include "field/prepared_values.hpp"
#include "field/srgb_curve.hpp"

namespace dapple {
namespace {

// ---- lightness ----------------------------------------------------------------------------------

template <class Value>
Plane<float> made_of(const Plane<float>& like, Context& context, const Value& value) {
  Plane<float> made = Plane<float>::unset(like.width(), like.height());
  const auto width = static_cast<std::size_t>(like.width());
  parallel_for(
      context, static_cast<std::size_t>(like.height()),
      [&](std::size_t y) {
        for (std::size_t i = y * width; i < (y + 1) * width; ++i) made.values()[i] = value(i);
      },
      16);
  return made;
}

// The lightness of pixels, encoded for the eye, and where they count.
struct Lightness {
  Plane<float> value;  // 0..1
  const Plane<float>* alpha = nullptr;

  bool counts(std::size_t i) const { return alpha == nullptr || alpha->values()[i] >= 0.5f; }
};

Plane<float> values_of(const Image& image, const Channels& channels, Context& context) {
  Plane<float> made = Plane<float>::unset(image.width(), image.height());
  parallel_for(
      context, static_cast<std::size_t>(image.height()),
      [&](std::size_t row) {
        const int y = static_cast<int>(row);
        read_row(image, channels, y, made.row(y));
      },
      16);
  return made;
}

// Of the values that values_of() made.
Lightness lightness_of(const Image& image, const Channels& channels, const Plane<float>& values,
                       Context& context) {
  Lightness made;
  if (channels.alpha >= 0) made.alpha = &image.channels[static_cast<std::size_t>(channels.alpha)];
  const auto from = values.values();
  const bool to_encode = image.encoding == Encoding::linear;
  made.value = made_of(values, context, [&](std::size_t i) {
    return std::min(to_encode ? to_srgb()(from[i]) : from[i], 1.0f);
  });
  return made;
}

// ---- contrast -----------------------------------------------------------------------------------

constexpr std::size_t bins = 4096;

// How many pixels are at most how light, as shares.
std::vector<double> shares_of(const Lightness& picture) {
  std::vector<double> shares(bins, 0.0);
  const auto values = picture.value.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
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

// The lightness that this share of pixels does not exceed.
double level_at(const std::vector<double>& shares, double share) {
  const auto found = std::lower_bound(shares.begin(), shares.end(), share);
  return static_cast<double>(std::min(found, shares.end() - 1) - shares.begin()) / (bins - 1);
}

using Curve = std::vector<float>;  // of lightness, a value for each bin

void apply(const Curve& curve, Lightness& picture, Context& context) {
  const auto values = picture.value.values();
  const auto width = static_cast<std::size_t>(picture.value.width());
  parallel_for(
      context, static_cast<std::size_t>(picture.value.height()),
      [&](std::size_t y) {
        for (std::size_t i = y * width; i < (y + 1) * width; ++i) {
          const float place = values[i] * (bins - 1);
          const auto k = std::min(static_cast<std::size_t>(place), bins - 2);
          values[i] = curve[k] + (place - static_cast<float>(k)) * (curve[k + 1] - curve[k]);
        }
      },
      16);
}

// Automatic contrast, as is told in prepare.hpp; empty where the picture needs none.
Curve automatic(const Lightness& picture) {
  constexpr double ends = 0.005;    // share of pixels that may turn black, and white
  constexpr double full = 0.04;     // of the scale left empty at an end is no fault
  constexpr double most_gain = 8;   // beyond, there is noise only
  constexpr double drawing = 0.94;  // a middle lighter than that is paper
  constexpr double dark = 0.40;     // middles of pictures that are not dull
  constexpr double light = 0.68;
  constexpr double night = 0.08;  // a middle darker than that is meant to be
  constexpr double dusk = 0.2;    // and one from here on is not
  constexpr double least_power = 0.6;
  constexpr double most_power = 2;
  const std::vector<double> shares = shares_of(picture);
  double low = level_at(shares, ends);
  double high = level_at(shares, 1 - ends);
  if (!(high > low)) return {};
  if (low < full) low = 0;
  if (high > 1 - full) high = 1;
  const double gain = std::min(1 / (high - low), most_gain);
  const double middle = std::clamp((level_at(shares, 0.5) - low) * gain, 0.0, 1.0);
  double power = 1;
  if (middle > night && middle < drawing) {
    const double wanted = std::clamp(middle, dark, light);
    if (wanted != middle) {
      const double towards_dusk = std::min((middle - night) / (dusk - night), 1.0);
      power = std::clamp(portable_log(wanted) / portable_log(middle),
                         1 + towards_dusk * (least_power - 1), most_power);
    }
  }
  if (low == 0 && high == 1 && power == 1) return {};
  Curve curve(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    const double v = static_cast<double>(i) / (bins - 1);
    const double stretched = std::clamp((v - low) * gain, 0.0, 1.0);
    curve[i] = static_cast<float>(stretched > 0 ? portable_pow(stretched, power) : 0.0);
  }
  return curve;
}

Curve by_factor(double factor) {
  Curve curve(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    const double v = static_cast<double>(i) / (bins - 1);
    curve[i] = static_cast<float>(std::clamp(0.5 + factor * (v - 0.5), 0.0, 1.0));
  }
  return curve;
}

// The curve after which the picture has the shares of light and dark of another.
Curve matching(const Lightness& picture, const Lightness& other) {
  const std::vector<double> from = shares_of(picture);
  const std::vector<double> to = shares_of(other);
  Curve curve(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    const double before = i == 0 ? 0 : from[i - 1];
    curve[i] = static_cast<float>(level_at(to, 0.5 * (before + from[i])));
  }
  return curve;
}

// ---- detail and sharpness -----------------------------------------------------------------------

// Means over squares of 2 reach + 1 pixels a side, those inside the picture.
Plane<float> box_means(const Plane<float>& plane, int reach, Context& context) {
  const int width = plane.width();
  const int height = plane.height();
  Plane<float> across = Plane<float>::unset(width, height);
  const auto mean = [reach](auto read, auto write, int size) {
    double sum = 0;
    for (int i = 0; i < std::min(reach, size); ++i) sum += static_cast<double>(read(i));
    for (int i = 0; i < size; ++i) {
      if (i + reach < size) sum += static_cast<double>(read(i + reach));
      if (i - reach - 1 >= 0) sum -= static_cast<double>(read(i - reach - 1));
      const int count = std::min(i + reach, size - 1) - std::max(i - reach, 0) + 1;
      write(i, static_cast<float>(sum / count));
    }
  };
  parallel_for(
      context, static_cast<std::size_t>(height),
      [&](std::size_t row) {
        const int y = static_cast<int>(row);
        mean([&](int x) { return plane(x, y); }, [&](int x, float v) { across(x, y) = v; }, width);
      },
      16);
  Plane<float> result = Plane<float>::unset(width, height);
  parallel_for(
      context, static_cast<std::size_t>(width),
      [&](std::size_t column) {
        const int x = static_cast<int>(column);
        mean([&](int y) { return across(x, y); }, [&](int y, float v) { result(x, y) = v; },
             height);
      },
      64);
  return result;
}

// He, Sun, Tang 2013, equations 5, 6 and 8 with the picture as its own guide.
Plane<float> without_detail(const Plane<float>& picture, int reach, float edge, Context& context) {
  const auto in = picture.values();
  const Plane<float> means = box_means(picture, reach, context);
  const Plane<float> squares = box_means(
      made_of(picture, context, [&](std::size_t i) { return in[i] * in[i]; }), reach, context);
  const Plane<float> slope = made_of(picture, context, [&](std::size_t i) {
    const float m = means.values()[i];
    const float variance = std::max(0.0f, squares.values()[i] - m * m);
    return variance / (variance + edge * edge);
  });
  const Plane<float> offset = made_of(
      picture, context, [&](std::size_t i) { return (1 - slope.values()[i]) * means.values()[i]; });
  const Plane<float> slopes = box_means(slope, reach, context);
  const Plane<float> offsets = box_means(offset, reach, context);
  return made_of(picture, context,
                 [&](std::size_t i) { return slopes.values()[i] * in[i] + offsets.values()[i]; });
}

// What the base lacks of the picture, so many times more.
void add_difference(Plane<float>& picture, const Plane<float>& base, double times,
                    Context& context) {
  const auto more = static_cast<float>(times);
  picture = made_of(picture, context, [&](std::size_t i) {
    const float v = picture.values()[i];
    return std::clamp(v + more * (v - base.values()[i]), 0.0f, 1.0f);
  });
}

// ---- all of it ----------------------------------------------------------------------------------

void require_memory(const Image& image, double copies, const Context& context) {
  context.require_memory(4.0 * (copies + 8) * image.width() * image.height(),
                         "a picture that is prepared");
}

// False where the picture needs nothing.
bool prepare(Lightness& picture, const Image& image, const PrepareOptions& options,
             Context& context) {
  bool changed = false;
  const auto follow = [&](const Curve& curve) {
    if (curve.empty()) return;
    apply(curve, picture, context);
    changed = true;
  };
  if (options.tones_from.image) {
    const Image& other = *options.tones_from.image;
    require_planes(other);
    const Channels channels = choose_channels(other, "luminance");
    const Plane<float> values = values_of(other, channels, context);
    follow(matching(picture, lightness_of(other, channels, values, context)));
  }
  if (options.contrast.automatic) {
    follow(automatic(picture));
  } else if (options.contrast.factor != 1) {
    follow(by_factor(options.contrast.factor));
  }
  const int shorter = std::min(image.width(), image.slice_height());
  if (options.detail > 0) {
    constexpr double reach = 0.02;  // of the shorter side
    constexpr float edge = 0.1f;    // of lightness: steps that high are no detail
    const int pixels = std::max(2, static_cast<int>(std::lround(reach * shorter)));
    add_difference(picture.value, without_detail(picture.value, pixels, edge, context),
                   options.detail, context);
    changed = true;
  }
  if (options.sharpen > 0) {
    const double sigma = std::max(1.0, shorter / 800.0);
    add_difference(picture.value, gaussian_blurred(picture.value, sigma, context), options.sharpen,
                   context);
    changed = true;
  }
  const double blur = options.blur.pixels({static_cast<double>(shorter), 0});
  if (blur > 0) {
    picture.value = gaussian_blurred(picture.value, blur, context);
    changed = true;
  }
  if (options.clean) {
    clean_scan(picture.value, context);
    changed = true;
  }
  return changed;
}

Image with_lightness(const Image& image, const Channels& channels, const Plane<float>& before,
                     const Plane<float>& after, Context& context) {
  Image made = image;
  const bool gray = channels.color.size() == 1;
  const bool to_encode = image.encoding == Encoding::linear;
  parallel_for(
      context, static_cast<std::size_t>(image.height()),
      [&](std::size_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < image.width(); ++x) {
          const float was = before(x, y);
          const float is = after(x, y);
          if (was == is) continue;
          // Blacks have no hue to keep.
          constexpr float black = 0.02f;
          const float ratio = (is + black) / (was + black);
          for (const int c : channels.color) {
            float& v = made.channels[static_cast<std::size_t>(c)](x, y);
            float encoded = to_encode ? to_srgb()(std::max(v, 0.0f)) : v;
            encoded = gray ? is : std::clamp(is + (encoded - was) * ratio, 0.0f, 1.0f);
            v = to_encode ? to_linear()(encoded) : encoded;
          }
        }
      },
      16);
  return made;
}

}  // namespace

std::string to_text(const Contrast& value) {
  if (value.automatic) return "auto";
  return value.factor == 1 ? "none" : shortest(value.factor);
}

void from_text(std::string_view text, Contrast& value) {
  if (text == "auto" || text == "none") {
    value = {text == "auto", 1};
    return;
  }
  constexpr double most = 100;
  double factor = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, factor);
  if (error != std::errc{} || end != last || !(factor >= 0 && factor <= most)) {
    throw Error(ErrorKind::usage, "auto, none or a factor from 0 to " + shortest(most) + ", not '" +
                                      std::string(text) + "'");
  }
  value = {false, factor};
}

void describe(PrepareOptions& options, OptionList& list) {
  list.group("Preparation");
  list.add("tones-from", options.tones_from,
           "Gives the picture as much of each tone as another picture has");
  list.add("contrast", options.contrast,
           "auto: black and white as far as the picture needs them, and a middle tone that is "
           "neither dull nor dark, unless it is night; none; or a factor, above 1 for more")
      .essential()
      .metavar("auto|none|X");
  list.add("detail", options.detail,
           "Brings out what is small and faint, such as hair and bark, without halos; 1 doubles it")
      .essential()
      .range(0, 10);
  list.add("sharpen", options.sharpen, "Makes edges crisper; 1 doubles their steps").range(0, 10);
  list.add("blur", options.blur, "Softens the picture, by a Gaussian of that standard deviation")
      .metavar("LENGTH");
  list.add("clean", options.clean, "For scans: the paper gets white, and specks go");
}

bool changes_tones(const PrepareOptions& options) {
  return !options.tones_from.path.empty() || options.tones_from.image ||
         options.contrast != Contrast{} || options.detail > 0 || options.sharpen > 0 ||
         options.blur.value > 0 || options.clean;
}

Image prepared(const Image& image, const PrepareOptions& options, Context& context,
               const std::string& channel) {
  check(options);
  require_planes(image);
  const Channels channels = choose_channels(image, channel);
  require_memory(image, static_cast<double>(image.channels.size()), context);
  Lightness picture = lightness_of(image, channels, values_of(image, channels, context), context);
  const Plane<float> before = picture.value;
  if (!prepare(picture, image, options, context)) return image;
  return with_lightness(image, channels, before, picture.value, context);
}

Plane<float> prepared_values(const Image& image, const Channels& channels,
                             const PrepareOptions& options, Context& context) {
  require_memory(image, 1, context);
  Plane<float> values = values_of(image, channels, context);
  Lightness picture = lightness_of(image, channels, values, context);
  if (!prepare(picture, image, options, context)) return values;
  if (image.encoding != Encoding::linear) return std::move(picture.value);
  const auto lightness = picture.value.values();
  return made_of(values, context, [&](std::size_t i) { return to_linear()(lightness[i]); });
}

}  // namespace dapple
