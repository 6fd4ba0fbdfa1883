// Reads the target density of each pixel from an image: channel, levels, tone, invert, gamma,
// alpha, cut-off, mask and weight, in that order.
//
// Levels work on the values that the file stores, as in every image editor. Luminance is Rec. 709
// in linear light, encoded again as the image is. Perceptual darkness is 1 - its sRGB encoding.
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/color.hpp"
#include "core/deterministic_math.hpp"
#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/field.hpp"
#include "dapple/units.hpp"
#include "field/curve_table.hpp"
#include "field/prepared_values.hpp"
#include "field/read_mask.hpp"
#include "field/resample.hpp"

namespace dapple {
namespace {

// Throws at the first value, in reading order, that no map can hold.
void check_values(const ImageView& image, const Channels& channels,
                  const Context* context = nullptr) {
  std::vector<int> all = channels.color;
  if (channels.alpha >= 0) all.push_back(channels.alpha);
  const auto w = static_cast<std::size_t>(image.width());
  std::vector<float> room(image.in_place() ? 0 : w);
  const auto row = [&](int c, int y) {
    return std::span(image.row(static_cast<std::size_t>(c), y, room.data()), w);
  };
  const auto good = [&](int y) {
    int bad = 0;  // without a branch: the loop runs over every image
    for (const int c : all) {
      for (const float v : row(c, y)) bad |= !is_light(v);
    }
    return bad == 0;
  };
  for (int y = 0; y < image.height(); ++y) {
    if (context != nullptr && y % 16 == 0) context->check();
    if (good(y)) continue;
    for (int x = 0; x < image.width(); ++x) {
      for (const int c : all) {
        const float v = row(c, y)[static_cast<std::size_t>(x)];
        if (is_light(v)) continue;
        const std::string& name = image.names()[static_cast<std::size_t>(c)];
        const std::string is = std::isnan(v)   ? "NaN"
                               : std::isinf(v) ? (v > 0 ? "infinite" : "minus infinity")
                                               : "negative (" + shortest(v) + ")";
        throw Error(ErrorKind::input, "channel " + name + " is " + is + " at pixel x = " +
                                          std::to_string(x) + ", y = " + std::to_string(y) +
                                          " (from 0); use `nan zero` to read such values as 0");
      }
    }
  }
}

// Converts a value to target density, before alpha and mask.
class Response {
 public:
  Response(const MapOptions& options, Encoding encoding)
      : options_(options),
        encoding_(encoding),
        black_(static_cast<float>(options.black)),
        scale_(static_cast<float>(1 / (options.white - options.black))),
        power_(static_cast<float>(1 / options.gamma)),
        relative_(options.as == MapKind::density && options.black == 0 && options.white == 1 &&
                  !options.invert) {}

  float operator()(float v) const {
    v = (v - black_) * scale_;
    // A density is a proportion: floats above 1 stay, unless levels or invert define what 1 means.
    v = std::max(v, 0.0f);
    if (!relative_) v = std::min(v, 1.0f);
    if (options_.as == MapKind::tone) v = 1 - lightness(v);
    if (options_.invert) v = 1 - v;
    return power_ == 1 ? v
                       : static_cast<float>(
                             portable_pow(static_cast<double>(v), static_cast<double>(power_)));
  }

 private:
  // Returns the lightness of a value. Values that are not light (`data`) stay as they are.
  float lightness(float v) const {
    if (options_.tone == Tone::perceptual) return encoding_ == Encoding::linear ? to_srgb()(v) : v;
    return encoding_ == Encoding::srgb ? to_linear()(v) : v;
  }

  const MapOptions& options_;
  Encoding encoding_;
  float black_;
  float scale_;
  float power_;
  bool relative_;
};

void check_options(const MapOptions& options) {
  const bool weighed = options.weight.image || !options.weight.path.empty();
  if (weighed && options.as == MapKind::radius) {
    throw Error(ErrorKind::usage,
                Problem{"weight", "works only with `as tone` or `as density`, not `as radius`"});
  }
  if (options.white > options.black) return;
  throw Error(
      ErrorKind::usage,
      Problem{"white", "must be above `black` " + shortest(options.black) + ", not " +
                           shortest(options.white) + "; to swap light and dark use `invert`"});
}

}  // namespace

Plane<float> read_mask(const ImageView& mask, const std::string& what, int width, int height,
                       NanPolicy nan, Context& context) {
  const double aspect = static_cast<double>(mask.width()) / mask.height();
  const double wanted = static_cast<double>(width) / height;
  const auto size = [](int w, int h) { return std::to_string(w) + "x" + std::to_string(h); };
  if (mask.width() < 1 || std::abs(aspect / wanted - 1) > 0.01) {
    throw Error(ErrorKind::input, "the " + what + " is " + size(mask.width(), mask.height()) +
                                      ", but the image is " + size(width, height) +
                                      "; crop one of them to the aspect ratio of the other");
  }
  const Channels channels = choose_channels(mask, "luminance");
  if (nan == NanPolicy::error) check_values(mask, channels, &context);
  Plane<float> values = Plane<float>::unset(mask.width(), mask.height());
  std::vector<float> room(mask.in_place() ? 0 : static_cast<std::size_t>(mask.width()));
  for (int y = 0; y < mask.height(); ++y) {
    context.check();
    float* row = values.row(y);
    read_row(mask, channels, y, row);
    const float* const alpha =
        channels.alpha < 0 ? nullptr
                           : mask.row(static_cast<std::size_t>(channels.alpha), y, room.data());
    for (int x = 0; x < mask.width(); ++x) {
      row[x] = std::min(row[x], 1.0f);
      if (alpha == nullptr) continue;
      const float a = alpha[x];
      row[x] *= is_light(a) ? std::min(a, 1.0f) : 0.0f;
    }
  }
  return resample(values, width, height, context);
}

Plane<float> values_for_levels(const ImageView& image, const MapOptions& options,
                               Context& context) {
  if (changes_frame(options.prepare)) {
    const FramedMap part = framed(image.copied(), options, context);
    return values_for_levels(part.image, part.options, context);
  }
  const Channels channels = choose_channels(image, options.channel);
  if (changes_tones(options.prepare)) {
    return prepared_values(image, channels, options.prepare, context);
  }
  Plane<float> values = Plane<float>::unset(image.width(), image.height());
  parallel_for(context, static_cast<std::size_t>(image.height()), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    read_row(image, channels, y, values.row(y));
  });
  return values;
}

Plane<float> target_density(const ImageView& image, const MapOptions& options, Context& context) {
  check(options);
  check_options(options);
  if (changes_frame(options.prepare)) {
    const FramedMap part = framed(image.copied(), options, context);
    return target_density(part.image, part.options, context);
  }
  const int w = image.width();
  const int h = image.height();
  const Channels channels = choose_channels(image, options.channel);
  if (options.nan == NanPolicy::error) check_values(image, channels, &context);
  const Plane<float> mask = options.mask.image
                                ? read_mask(*options.mask.image, "mask", w, h, options.nan, context)
                                : Plane<float>();
  const Plane<float> weight =
      options.weight.image ? read_mask(*options.weight.image, "weight", w, h, options.nan, context)
                           : Plane<float>();

  const Response response(options, image.encoding());
  const auto cutoff = static_cast<float>(options.white_cutoff);
  const bool ready = changes_tones(options.prepare);
  Plane<float> demand = ready ? prepared_values(image, channels, options.prepare, context)
                              : Plane<float>::unset(w, h);
  const auto do_row = [&](std::size_t row) {
    const int y = static_cast<int>(row);
    float* out = demand.row(y);
    if (!ready) read_row(image, channels, y, out);
    std::vector<float> room(image.in_place() || channels.alpha < 0 ? 0
                                                                   : static_cast<std::size_t>(w));
    const float* alpha = channels.alpha < 0
                             ? nullptr
                             : image.row(static_cast<std::size_t>(channels.alpha), y, room.data());
    for (int x = 0; x < w; ++x) {
      float v = response(out[x]);
      const float a =
          alpha == nullptr ? 1.0f : (is_light(alpha[x]) ? std::min(alpha[x], 1.0f) : 0.0f);
      const float m = mask.empty() ? 1.0f : mask(x, y);
      if (options.as == MapKind::radius) {
        out[x] = a > 0 && m > 0 ? v : -1.0f;
        continue;
      }
      v *= a;
      if (options.as == MapKind::tone && 1 - v >= cutoff) v = 0;
      v *= m;
      if (!weight.empty()) {
        v *= 2 * weight(x, y);
        if (options.as == MapKind::tone) v = std::min(v, 1.0f);
      }
      out[x] = v;
    }
  };
  parallel_for(context, static_cast<std::size_t>(h), do_row, 64);
  return demand;
}

}  // namespace dapple
