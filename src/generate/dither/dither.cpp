// Dithers pictures: options, and the choice of the method. With a mask (ordered dither) every pixel
// is compared with the threshold at its place, so pixels are independent. The value compared is the
// share of light that the brighter of two levels must have. Averages are then right for the eye, a
// lens or a smaller size. A comparison of encoded values misses them by up to 0.29 of full scale.
#include "dapple/dither.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/operation.hpp"
#include "dapple/extend/options.hpp"
#include "draw/frame_sequence.hpp"
#include "field/resample.hpp"
#include "generate/dither/palette.hpp"
#include "generate/dither/parts.hpp"

namespace dapple {

constexpr int most_pixels = 1 << 20;  // along a side of the result

void describe(DitherOptions& o, OptionList& list) {
  describe(o.prepare, list);
  list.group("Size of the result");
  list.add("width", o.width,
           "Width of the result, whose height keeps the proportions unless it is given; 0: that of "
           "the picture")
      .essential()
      .unit("pixels")
      .range(0, most_pixels);
  list.add("height", o.height,
           "Height of the result; the width keeps the proportions unless it is given; 0: that of "
           "the picture")
      .unit("pixels")
      .range(0, most_pixels);
  list.add("fit", o.fit, "Size within which the result is as large as its proportions allow")
      .metavar("WxH")
      .unit("pixels")
      .check(flat_size);
  list.add("cover", o.cover,
           "Size that the result fills, as for a panel: what protrudes is cut off on both sides")
      .essential()
      .metavar("WxH")
      .unit("pixels")
      .check(flat_size);
  list.group("Dither");
  list.add("levels", o.levels, "Number of levels per channel, evenly spaced in encoded values")
      .essential()
      .range(2, 256);
  list.add("palette", o.palette,
           "Colors to use instead of `levels`, such as #223344,navy,white, or a palette file "
           "(.gpl, .hex, .act, .ase, .pal) or measurements (.ti3)")
      .essential()
      .metavar("FILE|COLOR,...")
      .or_words();
  list.add("palette-from", o.palette_from,
           "Picture whose colors to use: all of up to 256, or of up to `colours`, otherwise those "
           "that mix its other colors best");
  list.add("colours", o.colors,
           "Number of colors in a palette made for the image, or for `palette-from`, instead of "
           "`levels` and `palette`")
      .essential()
      .alias("colors")
      .metavar("N")
      .range(0, 256)
      .check([](std::string_view text) { return text == "1" ? "must be 0 or 2 to 256" : ""; });
  list.add("method", o.method,
           "mask: fine grain without pattern, stable from frame to frame; bayer: the classic "
           "regular pattern; the others: error diffusion, sharp, at most one thread per channel "
           "and frame; atkinson loses a quarter of the error, so contrast is higher")
      .essential();
  list.add(
      "serpentine", o.serpentine,
      "Pass over every other row to the left, so that error diffusion has fewer patterns; off: "
      "all rows to the right");
  list.add("grey", o.gray, "Convert the image to gray (luminance) first").alias("gray");
  list.add("linear", o.linear, "Keep averages right in linear light; off: in encoded values");
  list.add("mixing", o.mixing,
           "Space in which a given palette keeps averages: both: as near as it can in linear light "
           "and in encoded values, which most programs average when they scale a picture; light: "
           "right in linear light alone, for prints and e-paper panels");
  list.add("perceptual", o.perceptual,
           "Measure how similar palette colors look in Oklab; off: in RGB values");
  list.add("strength", o.strength,
           "Share of the range between two levels or colors that is dithered; the rest takes the "
           "nearer one; 1 keeps tones exact, lower values have less grain, 0 takes the nearest")
      .essential()
      .range(0, 1);
  list.add("noise", o.noise,
           "Noise between `levels`: uniform has the least grain, triangular the same grain at "
           "every tone");
  list.add(
      "channels", o.channels,
      "independent: one mask each for red, green and blue; locked: the same mask for all three");
  list.add("alpha", o.alpha,
           "What happens to transparency: keep leaves it, dither makes it 0 or 1 by dithering, "
           "threshold makes it 0 or 1 at one half");
  list.group("Mask of the dither");
  o.mask.frames = true;
  list.add("mask", o.mask,
           "Threshold texture to dither with, of any kind; default: a generated blue-noise mask")
      .essential();
  list.add("slices", o.slices,
           "Number of frames in `mask`, a strip of frames below each other or side by side")
      .metavar("N")
      .range(1, 100000);
  list.add("size", o.size, "Size of the generated mask; bayer needs powers of two")
      .metavar("N|WxH")
      .unit("pixels")
      .check(at_most_deep);
  list.group("Device");
  list.add("device-palette", o.device_palette,
           "Colors to write instead of those of `palette`, in the same order: `palette` holds what "
           "the colors of a device look like, and this the values that the device takes for them")
      .metavar("FILE|COLOR,...")
      .or_words();
}

namespace {

using namespace dithering;

bool by_mask(const DitherOptions& options) {
  return options.method == DitherMethod::mask || options.method == DitherMethod::bayer;
}

constexpr std::array pairs{
    PairRule{"fit", Pair::excludes, "cover or width or height", "which sets the size"},
    PairRule{"cover", Pair::excludes, "width or height", "which sets the size"},
    PairRule{"device-palette", Pair::needs, "palette"},
    PairRule{"levels", Pair::excludes, "palette or palette-from or colours",
             "which sets the colors"},
    PairRule{"colours", Pair::excludes, "palette", "which sets the colors"},
    PairRule{"palette-from", Pair::excludes, "palette", "which sets the colors"},
    PairRule{"mixing", Pair::needs, "palette or palette-from"},
    PairRule{"mixing", Pair::excludes, "linear false", "which averages encoded values"},
    PairRule{"perceptual", Pair::needs, "palette or palette-from or colours"},
    PairRule{"noise", Pair::needs, "method mask|bayer"},
    PairRule{"noise", Pair::excludes, "palette or palette-from or colours"},
    PairRule{"serpentine", Pair::excludes, "method mask|bayer", "which passes on no error"},
    PairRule{"channels", Pair::needs, "method mask"},
    PairRule{"channels", Pair::excludes, "palette or palette-from or colours",
             "which need only one mask"},
    PairRule{"channels", Pair::excludes, "grey", "which leaves only one channel"},
    PairRule{"mask", Pair::needs, "method mask"},
    PairRule{"slices", Pair::needs, "mask"},
    PairRule{"size", Pair::needs, "method mask|bayer"},
    PairRule{"size", Pair::excludes, "mask", "which has its own size"},
};

// The size to which the picture is resampled, and the part of it around the middle that stays.
struct Target {
  int width, height;
  int kept_width, kept_height;
};

int side_of(double length) {
  return static_cast<int>(std::clamp(std::round(length), 1.0, 1.0 * most_pixels));
}

Target target_of(int width, int height, const DitherOptions& options) {
  const auto scaled = [&](double scale) {
    return Target{side_of(width * scale), side_of(height * scale), 0, 0};
  };
  Target target{width, height, 0, 0};
  if (!options.fit.empty()) {
    target = scaled(std::min(1.0 * options.fit.pixel_width() / width,
                             1.0 * options.fit.pixel_height() / height));
  } else if (!options.cover.empty()) {
    const Target least{options.cover.pixel_width(), options.cover.pixel_height(), 0, 0};
    target = scaled(std::max(1.0 * least.width / width, 1.0 * least.height / height));
    target = {std::max(target.width, least.width), std::max(target.height, least.height),
              least.width, least.height};
    return target;
  } else if (options.width > 0 && options.height > 0) {
    target = {options.width, options.height, 0, 0};
  } else if (options.width > 0) {
    target = scaled(1.0 * options.width / width);
  } else if (options.height > 0) {
    target = scaled(1.0 * options.height / height);
  }
  target.kept_width = target.width;
  target.kept_height = target.height;
  return target;
}

Image of_size(const Image& image, const Target& target, Context& context) {
  Image made = resized(image, target.width, target.height, context);
  if (target.kept_width == target.width && target.kept_height == target.height) return made;
  PrepareOptions middle;
  middle.crop.rule = Crop::Rule::size;
  middle.crop.width.value = target.kept_width;
  middle.crop.height.value = target.kept_height;
  return framed(made, middle, Interpolation::smooth, context);
}

// The planes of color, and the value of Image::hints.palette.
struct Dithered {
  std::vector<Plane<float>> planes;
  Colors palette;
};

Dithered to_levels(const Picture& picture, const DitherOptions& options,
                   std::span<const Thresholds> thresholds, Context& context) {
  Dithered result;
  result.planes = by_mask(options) ? levels_by_mask(picture, options, thresholds, context)
                                   : levels_by_diffusion(picture, options, context);
  if (picture.channels() > 1 || picture.alpha() != nullptr) return result;
  const Levels levels(options.levels, false);
  for (int k = 0; k < levels.count(); ++k) {
    const auto v = static_cast<std::uint8_t>(std::lround(levels.encoded(k) * 255));
    result.palette.push_back({v, v, v});
  }
  return result;
}

Dithered to_palette(const Picture& picture, Colors colors, const DitherOptions& options,
                    std::span<const Thresholds> thresholds, Context& context) {
  Dithered result;
  result.planes = by_mask(options)
                      ? palette_by_mask(picture, options, colors, thresholds[0], context)
                      : palette_by_diffusion(picture, options, colors, context);
  result.palette = std::move(colors);
  return result;
}

// Replaces colors by those of the device.
void replace(Dithered& dithered, Colors device) {
  std::unordered_map<std::uint32_t, std::size_t> places;
  const auto key = [](const palette::Rgb8& c) { return c[0] + 256u * c[1] + 65536u * c[2]; };
  for (std::size_t i = 0; i < device.size(); ++i) places.emplace(key(dithered.palette[i]), i);
  const auto byte = [](float v) { return static_cast<std::uint8_t>(std::lround(v * 255)); };
  for (std::size_t i = 0; i < dithered.planes[0].size(); ++i) {
    palette::Rgb8 color;
    for (std::size_t c = 0; c < 3; ++c) color[c] = byte(dithered.planes[c].values()[i]);
    const palette::Rgb8& other = device[places.at(key(color))];
    for (std::size_t c = 0; c < 3; ++c) {
      dithered.planes[c].values()[i] = static_cast<float>(other[c]) / 255.0f;
    }
  }
  dithered.palette = std::move(device);
}

Plane<float> dither_alpha(const Picture& picture, const DitherOptions& options,
                          std::span<const Thresholds> thresholds, Context& context) {
  const Plane<float>& alpha = *picture.alpha();
  if (options.alpha == DitherAlpha::keep) return alpha;
  if (options.alpha == DitherAlpha::dither) {
    return by_mask(options) ? coverage_by_mask(alpha, picture.slices(), thresholds.back(), context)
                            : coverage_by_diffusion(alpha, picture.slices(), options, context);
  }
  Plane<float> result(alpha.width(), alpha.height());
  std::transform(alpha.values().begin(), alpha.values().end(), result.values().begin(),
                 [](float a) { return a >= 0.5f ? 1.0f : 0.0f; });
  return result;
}

// Gives invisible pixels a single color, which files can make transparent.
void hide(Dithered& dithered, const Plane<float>& alpha) {
  for (std::size_t c = 0; c < 3; ++c) {
    const float v = static_cast<float>(dithered.palette[0][c]) / 255.0f;
    const std::span<float> plane = dithered.planes[c].values();
    for (std::size_t i = 0; i < plane.size(); ++i) {
      if (alpha.values()[i] <= 0) plane[i] = v;
    }
  }
}

}  // namespace

Image dither(const Image& image, const DitherOptions& options, Context& context) {
  check(options);
  require_planes(image);
  if (options.mask.image) require_planes(*options.mask.image);
  if (options.palette_from.image) require_planes(*options.palette_from.image);
  const bool named_palette = !options.palette.path.empty() || options.palette.text != nullptr;
  check_together(pairs, options);
  if (changes_frame(options.prepare)) {
    DitherOptions rest = options;
    rest.prepare.crop = {};
    rest.prepare.rotate = 0;
    return dither(framed(image, options.prepare, Interpolation::smooth, context), rest, context);
  }
  const Target target = target_of(image.width(), image.slice_height(), options);
  if (target.kept_width != image.width() || target.kept_height != image.slice_height()) {
    DitherOptions rest = options;
    rest.width = rest.height = 0;
    rest.fit = rest.cover = {};
    return dither(of_size(image, target, context), rest, context);
  }
  if (changes_tones(options.prepare)) {
    DitherOptions rest = options;
    rest.prepare = {};
    return dither(prepared(image, options.prepare, context, Picture::channel_of(image)), rest,
                  context);
  }
  Colors colors;
  Colors device;
  if (named_palette) colors = palette::parse(options.palette);
  if (!options.device_palette.path.empty() || options.device_palette.text) {
    device = palette::parse(options.device_palette);
    if (device.size() != colors.size()) {
      throw Error(ErrorKind::usage, "`device-palette` must have a color for each of the " +
                                        std::to_string(colors.size()) +
                                        " different colors of `palette`, in their order, not " +
                                        std::to_string(device.size()));
    }
  }
  // The memory holds the result in floats and a copy for the caller.
  context.require_memory(static_cast<double>(image.width()) * image.height() * 32, "the dither");
  const Picture picture(image, options.gray, options.linear && image.encoding != Encoding::data);
  const bool from_picture = options.palette_from.image != nullptr;
  const bool with_palette = named_palette || from_picture || options.colors > 0;

  std::vector<Thresholds> thresholds;
  if (by_mask(options)) {
    const bool for_alpha = picture.alpha() != nullptr && options.alpha == DitherAlpha::dither;
    const int channels = (with_palette ? 1 : picture.channels()) + (for_alpha ? 1 : 0);
    thresholds = make_thresholds(options, channels, picture.slices(), context);
  }
  if (options.colors > 0 || from_picture) {
    const auto stage = context.stage("palette");
    const Picture other(from_picture ? *options.palette_from.image : image, options.gray,
                        picture.linear());
    const auto most = static_cast<int>(palette::most_colors);
    const int count = options.colors > 0 ? options.colors : most;
    colors = find_colors(other, count, context);
  }

  const auto stage = context.stage("dither");
  Dithered dithered = with_palette
                          ? to_palette(picture, std::move(colors), options, thresholds, context)
                          : to_levels(picture, options, thresholds, context);
  if (!device.empty()) replace(dithered, std::move(device));
  Image result;
  if (picture.alpha() != nullptr) {
    Plane<float> alpha = dither_alpha(picture, options, thresholds, context);
    if (with_palette) hide(dithered, alpha);
    dithered.planes.push_back(std::move(alpha));
  }
  result.names = dithered.planes.size() >= 3 ? std::vector<std::string>{"R", "G", "B"}
                                             : std::vector<std::string>{"Y"};
  if (picture.alpha() != nullptr) result.names.emplace_back("A");
  result.channels = std::move(dithered.planes);
  result.hints.palette = std::move(dithered.palette);
  result.slices = image.slices;
  for (const auto& entry : image.metadata) {
    if (entry.first == durations_key) result.metadata.push_back(entry);
  }
  result.encoding = image.encoding == Encoding::data ? Encoding::data : Encoding::srgb;
  result.type = PixelType::u8;
  return result;
}

namespace {

class DitherJob : public Job {
 public:
  void describe(OptionList& list) override {
    dapple::describe(options_, list);
    list.add("pack", bits_,
             "Bits of a pixel in arrays (.raw, .h, .c, .npy and others): they hold indices of the "
             "palette or of gray levels, packed as controllers of panels read them; 0: arrays hold "
             "values")
        .metavar("1|2|4")
        .range(0, 4)
        .check([](std::string_view text) { return text == "3" ? "must be 1, 2 or 4" : ""; });
    describe_colorspace(list);
  }
  Result run(const Image* input, Context& context) override {
    ImageMade made{dither(*input, options_, context)};
    made.bits = bits_;
    return {std::nullopt, std::move(made)};
  }

 private:
  DitherOptions options_;
  int bits_ = 0;
};

}  // namespace

Operation dither_operation() {
  Operation row;
  row.name = "dither";
  row.summary = "Dithers an image to a few levels or to a palette";
  row.details =
      "Each pixel becomes one of a few levels or colors, and every area keeps its mean light. The "
      "mask decides which pixels become brighter: blue noise shows no pattern, and the same mask "
      "gives stable results from frame to frame.\n\nGive a palette inline or as a file of another "
      "program (GIMP, Adobe, Paint Shop Pro, Paint.NET, lists of hexadecimal colors), or let the "
      "program make one for the image. A color that the palette cannot mix becomes the nearest "
      "color that it can mix. With a palette, .png files are indexed in the order of the "
      "palette.\n\nA lower `strength` gives less grain and larger tone errors. At 0.8, tones in "
      "the first and last tenth between two levels become plain areas. The same rule applies to "
      "mixtures of palette colors.\n\nFor 16-bit or float pictures, ``levels 256` `noise "
      "triangular`` makes 8-bit files without banding in skies and gradients.";
  row.input = InputKind::image;
  row.input_name = "IMAGE";
  row.takes_frames = true;
  row.makes_image = true;
  row.default_extension = "png";
  row.stage = "dither";
  row.examples = {
      {"dither photo.jpg `grey` -o print.png", "black and white"},
      {"dither photo.jpg `levels 4` -o small.png", "64 colors: 4 levels of red, green and blue"},
      {"dither photo.jpg `palette` '#0f380f,#306230,#8bac0f,#9bbc0f' -o handheld.png",
       "the four greens of a handheld console"},
      {"dither photo.jpg `colours` 16 -o indexed.png", "16 colors chosen for the picture"},
      {"dither photo.jpg `cover` 800x480 `grey` `pack` 1 -o panel.raw -o panel.png",
       "the bytes of an e-paper panel, and a picture of them"},
      {"dither photo.jpg `cover` 800x480 `palette` '#232323,#d8d4c8,#b03020' `device-palette` "
       "black,white,red -o panel.bmp",
       "a panel that takes these three colors"},
      {"dither photo.jpg `mask` mask.png `strength` 0.7 -o out.png", "your own mask, less grain"},
      {"dither photo.jpg `grey` `method` floyd-steinberg -o diffused.png", "error diffusion"},
  };
  row.pairs = pairs;
  row.make = []() -> std::unique_ptr<Job> { return std::make_unique<DitherJob>(); };
  return row;
}

}  // namespace dapple
