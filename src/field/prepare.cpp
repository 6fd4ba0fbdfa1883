// Implements contrast, detail, sharpness and cleaning of pictures, before anything is drawn.
//
// All steps work on one plane of lightness. Colors follow by the ratio of the new lightness to the
// old one. A picture in inks thus keeps its hues.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.hpp"
#include "core/preconditions.hpp"
#include "core/text/number_text.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/field.hpp"
#include "dapple/units.hpp"
#include "field/blur.hpp"
#include "field/contrast.hpp"
#include "field/curve_table.hpp"
#include "field/despeckle.hpp"
#include "field/detail.hpp"
#include "field/fill_rows.hpp"
#include "field/prepared_values.hpp"

namespace dapple {
namespace {

Plane<float> values_of(const ImageView& image, const Channels& channels, Context& context) {
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

// Returns the lightness of the values that values_of() made.
Lightness lightness_of(const ImageView& image, const Channels& channels, const Plane<float>& values,
                       Context& context) {
  Lightness made;
  if (channels.alpha >= 0) made.alpha = image.plane(static_cast<std::size_t>(channels.alpha));
  const auto from = values.values();
  const bool to_encode = image.encoding() == Encoding::linear;
  made.value = made_of(values, context, [&](std::size_t i) {
    return std::min(to_encode ? to_srgb()(from[i]) : from[i], 1.0f);
  });
  return made;
}

void require_memory(const ImageView& image, double copies, const Context& context) {
  context.require_memory(4.0 * (copies + 8) * image.width() * image.height(),
                         "preparing a picture of this size");
}

// Returns false if the picture needs no change.
bool prepare(Lightness& picture, const ImageView& image, const PrepareOptions& options,
             Context& context) {
  bool changed = false;
  const auto follow = [&](const Curve& curve) {
    if (curve.empty()) return;
    apply(curve, picture, context);
    changed = true;
  };
  if (options.tones_from.image) {
    const Image& other = *options.tones_from.image;
    const Channels channels = choose_channels(other, "luminance");
    const Plane<float> values = values_of(other, channels, context);
    follow(matching_tones(picture, lightness_of(other, channels, values, context), context));
  }
  double detail = options.detail;
  if (options.contrast.automatic) {
    follow(automatic_contrast(picture, context));
    detail += lacking_detail(picture, context);
  } else if (options.contrast.factor != 1) {
    follow(contrast_by(options.contrast.factor));
  }
  const int shorter = std::min(image.width(), image.slice_height());
  if (detail > 0) {
    add_detail(picture.value, shorter, detail, context);
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
          // Black has no hue to keep.
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
  const double factor = parse_number<double>(text).value_or(-1);
  if (!(factor >= 0 && factor <= most)) {
    throw Error(ErrorKind::usage, "must be auto, none or a factor from 0 to " + shortest(most) +
                                      ", not '" + std::string(text) + "'");
  }
  value = {false, factor};
}

void describe(PrepareOptions& options, OptionList& list) {
  list.group("Preparation");
  list.add("profile", options.profile,
           "Colors of files with a color profile: convert them to sRGB, or ignore the profile");
  list.add("rotate", options.rotate,
           "Turns the picture clockwise by 90, 180, 270 or any other number of degrees, before "
           "`crop`; empty corners get no dots")
      .essential()
      .metavar("DEGREES")
      .unit("degrees")
      .range(-360, 360);
  list.add("crop", options.crop,
           "Part of the picture to use, as 800x600+40+20 (width x height + left + top, in pixels, "
           "or percent such as 50%x80%; without + from the middle), or as proportions such as 3:2; "
           "`mask` and `weight` cover the whole picture and are cropped with it")
      .essential()
      .metavar("WxH+X+Y|A:B");
  list.add("tones-from", options.tones_from,
           "Picture whose distribution of tones is copied (histogram matching)");
  list.add("contrast", options.contrast,
           "auto: stretches the tones to black and white if the picture needs it, corrects a dull "
           "or dark middle tone (at night only the lights rise) and adds detail if there is "
           "little; none: no change; X: a factor, above 1 for more contrast")
      .essential()
      .metavar("auto|none|X");
  list.add("detail", options.detail,
           "Strengthens small, faint structure such as hair and bark, without halos; 1 doubles it")
      .essential()
      .range(0, 10);
  list.add("sharpen", options.sharpen, "Makes edges crisper; 1 doubles their steps").range(0, 10);
  list.add("blur", options.blur, "Softens the picture with a Gaussian of this standard deviation")
      .metavar("LENGTH");
  list.add("clean", options.clean, "For scans: makes the paper white and removes specks");
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

Plane<float> prepared_values(const ImageView& image, const Channels& channels,
                             const PrepareOptions& options, Context& context) {
  require_memory(image, 1, context);
  Plane<float> values = values_of(image, channels, context);
  Lightness picture = lightness_of(image, channels, values, context);
  if (!prepare(picture, image, options, context)) return values;
  if (image.encoding() != Encoding::linear) return std::move(picture.value);
  const auto lightness = picture.value.values();
  return made_of(values, context, [&](std::size_t i) { return to_linear()(lightness[i]); });
}

}  // namespace dapple
