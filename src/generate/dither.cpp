// Dithering with a mask (ordered dither): every pixel is compared with the mask's threshold at its
// place, so pixels are independent of each other. What is compared is the share of light that the
// brighter of two levels must have; averages are then right as the eye, a lens or a smaller size
// takes them, which a comparison of encoded values misses by up to 0.29 of full scale.
#include "dapple/dither.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>

#include "core/parallel.hpp"
#include "dapple/error.hpp"
#include "generate/dither_palette.hpp"
#include "generate/registry.hpp"

namespace dapple {

void describe(DitherOptions& o, OptionList& list) {
  list.group("Dither");
  list.add("levels", o.levels, "Levels of each channel, evenly spaced in encoded values")
      .range(2, 256);
  list.add("palette", o.palette,
           "Colours to use instead: #hex,#hex,... or a GIMP palette (.gpl) or list (.hex)")
      .metavar("FILE|#hex,...");
  list.add("grey", o.grey, "Take the luminance first");
  list.add("linear", o.linear, "Averages are right in linear light; off: in encoded values");
  list.add("strength", o.strength, "0: nearest level or colour, 1: full dither").range(0, 1);
  list.group("Mask of the dither");
  list.add("mask", o.mask, "Threshold texture; without one, a blue-noise mask is made");
  list.add("size", o.size, "Of the mask that is made").metavar("N|WxH").unit("pixels");
}

namespace {

constexpr int rows_an_item = 16;

// ---- thresholds --------------------------------------------------------------------------------

// Thresholds in 0..1 of one channel, repeated over the plane from a shifted origin.
struct Thresholds {
  std::shared_ptr<const Plane<float>> values;
  int shift_x = 0;
  int shift_y = 0;

  const float* row(int y) const { return values->row((y + shift_y) % values->height()); }
  int start() const { return shift_x; }
};

// A file's value v stands for the middle of its step: 8 bits (v + 0.5) / 256, so that black never
// and white always passes and the mean is not shifted.
Plane<float> thresholds_of(const Plane<float>& values, PixelType type) {
  const double steps = type == PixelType::u8 ? 256 : type == PixelType::u16 ? 65536 : 0;
  Plane<float> thresholds(values.width(), values.height());
  for (int y = 0; y < values.height(); ++y) {
    for (int x = 0; x < values.width(); ++x) {
      double v = values(x, y);
      if (!std::isfinite(v)) {
        throw Error(ErrorKind::input, "the mask's pixel at " + std::to_string(x) + "," +
                                          std::to_string(y) + " is not a finite number");
      }
      if (steps > 0) v = (std::round(v * (steps - 1)) + 0.5) / steps;
      // Below 1, so that white passes everywhere.
      thresholds(x, y) = static_cast<float>(std::clamp(v, 0.0, 1 - 0x1p-24));
    }
  }
  return thresholds;
}

// Says so where a mask's values are not spread evenly: tones would come out wrong.
void warn_if_uneven(const Plane<float>& thresholds, Context& context) {
  std::array<std::size_t, 16> bins{};
  for (const float t : thresholds.values()) ++bins[static_cast<std::size_t>(t * 16)];
  double below = 0;
  double worst = 0;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    below += static_cast<double>(bins[i]) / static_cast<double>(thresholds.size());
    worst = std::max(worst, std::abs(below - static_cast<double>(i + 1) / 16));
  }
  if (worst > 0.04 + 1 / static_cast<double>(thresholds.size())) {
    context.warn("the mask's values are not evenly spread, so tones will be off by up to " +
                 std::to_string(static_cast<int>(std::lround(100 * worst))) + " %");
  }
}

// One set of thresholds a channel.
std::vector<Thresholds> make_thresholds(const DitherOptions& options, std::size_t channels,
                                        Context& context) {
  Image made;
  const Image* mask = options.mask.image.get();
  if (mask == nullptr) {
    MaskOptions mask_options;
    mask_options.size = options.size;
    mask_options.channels = static_cast<int>(channels);
    mask_options.bits = MaskBits::f32;
    made = make_mask(mask_options, context);
    mask = &made;
  }
  if (mask->channels.empty() || mask->channels.front().empty()) {
    throw Error(ErrorKind::input, "the mask is empty", options.mask.path);
  }
  const std::size_t own = mask->channels.size() >= channels ? channels : 1;
  std::vector<Thresholds> thresholds;
  for (std::size_t c = 0; c < own; ++c) {
    auto plane = std::make_shared<Plane<float>>(thresholds_of(mask->channels[c], mask->type));
    warn_if_uneven(*plane, context);
    thresholds.push_back({std::move(plane), 0, 0});
  }
  // Blue noise has no correlation with itself from afar: shifted copies do as independent masks.
  for (std::size_t c = own; c < channels; ++c) {
    const Plane<float>& plane = *thresholds[0].values;
    const double part = 0.381966 * static_cast<double>(c);
    thresholds.push_back({thresholds[0].values, static_cast<int>(plane.width() * part),
                          static_cast<int>(plane.height() * (1 - part))});
  }
  return thresholds;
}

// The mask's threshold at `strength`: drawn towards one half, the border between two levels.
float weakened(float threshold, float strength) {
  return 0.5f + strength * (threshold - 0.5f);
}

// ---- the picture -------------------------------------------------------------------------------

// The picture as encoded values 0..1: R G B or Y, and its alpha.
struct Source {
  std::vector<Plane<float>> channels;
  const Plane<float>* alpha = nullptr;
  bool eight_bits = false;  // every value is a multiple of 1/255
};

void check_finite(const Plane<float>& plane, std::string_view name) {
  for (int y = 0; y < plane.height(); ++y) {
    for (int x = 0; x < plane.width(); ++x) {
      if (std::isfinite(plane(x, y))) continue;
      throw Error(ErrorKind::input, "pixel " + std::to_string(x) + "," + std::to_string(y) +
                                        " holds " + shortest(plane(x, y)) + " in channel " +
                                        std::string(name));
    }
  }
}

Plane<float> encoded_plane(const Plane<float>& plane, Encoding encoding, Context& context) {
  Plane<float> out(plane.width(), plane.height());
  parallel_for(context, static_cast<std::size_t>(plane.height()), [&](std::size_t y) {
    const float* from = plane.row(static_cast<int>(y));
    float* to = out.row(static_cast<int>(y));
    for (int x = 0; x < plane.width(); ++x) {
      const float v = std::clamp(from[x], 0.0f, 1.0f);
      to[x] = encoding == Encoding::linear ? linear_to_srgb(v) : v;
    }
  });
  return out;
}

// Luminance by the weights of Rec. 709: of light, or of encoded values.
Plane<float> luminance_plane(std::span<const Plane<float>> rgb, bool linear, Context& context) {
  Plane<float> out(rgb[0].width(), rgb[0].height());
  parallel_for(context, static_cast<std::size_t>(out.height()), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    const auto value = [&](std::size_t c, int x) {
      const float v = rgb[c](x, y);
      return linear ? srgb_to_linear(v) : v;
    };
    for (int x = 0; x < out.width(); ++x) {
      const float sum = 0.2126f * value(0, x) + 0.7152f * value(1, x) + 0.0722f * value(2, x);
      out(x, y) = std::clamp(linear ? linear_to_srgb(sum) : sum, 0.0f, 1.0f);
    }
  });
  return out;
}

Source read_source(const Image& image, bool grey, bool linear, Context& context) {
  Source source;
  std::vector<int> colours{image.find("R"), image.find("G"), image.find("B")};
  if (std::find(colours.begin(), colours.end(), -1) != colours.end()) {
    const int y = image.find("Y");
    colours = {y >= 0 ? y : 0};
  }
  for (const int c : colours) {
    const auto i = static_cast<std::size_t>(c);
    check_finite(image.channels[i], i < image.names.size() ? image.names[i] : std::to_string(c));
    source.channels.push_back(encoded_plane(image.channels[i], image.encoding, context));
  }
  source.eight_bits = image.type == PixelType::u8 && image.encoding != Encoding::linear;
  if (grey && source.channels.size() == 3) {
    Plane<float> luminance = luminance_plane(source.channels, linear, context);
    source.channels.clear();
    source.channels.push_back(std::move(luminance));
    source.eight_bits = false;
  }
  if (const int a = image.find("A"); a >= 0) {
    source.alpha = &image.channels[static_cast<std::size_t>(a)];
    check_finite(*source.alpha, "A");
  }
  return source;
}

// ---- levels ------------------------------------------------------------------------------------

// The two levels round a value and how much of the brighter one it takes.
struct Step {
  float low = 0, high = 0, share = 0;
};

class Levels {
 public:
  Levels(int count, bool linear) : linear_(linear) {
    for (int k = 0; k < count; ++k) {
      // As they are written, so that the mean of what is written is right.
      const float encoded =
          std::round(255.0f * static_cast<float>(k) / static_cast<float>(count - 1)) / 255.0f;
      encoded_.push_back(encoded);
      light_.push_back(light(encoded));
    }
    for (std::size_t v = 0; v < table_.size(); ++v) {
      table_[v] = compute(static_cast<float>(v) / 255.0f);
    }
  }

  Step at(float encoded, bool eight_bits) const {
    return eight_bits ? table_[static_cast<std::size_t>(encoded * 255.0f + 0.5f)]
                      : compute(encoded);
  }

 private:
  float light(float encoded) const { return linear_ ? srgb_to_linear(encoded) : encoded; }

  Step compute(float encoded) const {
    const auto above = std::upper_bound(encoded_.begin(), encoded_.end(), encoded);
    const std::size_t high = std::clamp<std::size_t>(
        static_cast<std::size_t>(above - encoded_.begin()), 1, encoded_.size() - 1);
    const float from = light_[high - 1];
    const float share = (light(encoded) - from) / (light_[high] - from);
    return {encoded_[high - 1], encoded_[high], std::clamp(share, 0.0f, 1.0f)};
  }

  bool linear_;
  std::vector<float> encoded_, light_;
  std::array<Step, 256> table_;
};

std::vector<Plane<float>> dither_levels(const Source& source, const DitherOptions& options,
                                        std::span<const Thresholds> thresholds, Context& context) {
  const Levels levels(options.levels, options.linear);
  const auto strength = static_cast<float>(options.strength);
  std::vector<Plane<float>> result;
  for (std::size_t c = 0; c < source.channels.size(); ++c) {
    const Plane<float>& plane = source.channels[c];
    Plane<float> out(plane.width(), plane.height());
    parallel_for(context, static_cast<std::size_t>(plane.height()), [&](std::size_t row) {
      const int y = static_cast<int>(row);
      const float* threshold = thresholds[c].row(y);
      const int period = thresholds[c].values->width();
      int t = thresholds[c].start() % period;
      for (int x = 0; x < plane.width(); ++x) {
        const Step step = levels.at(plane(x, y), source.eight_bits);
        out(x, y) = weakened(threshold[t], strength) < step.share ? step.high : step.low;
        if (++t == period) t = 0;
      }
    });
    result.push_back(std::move(out));
  }
  return result;
}

// ---- palettes ----------------------------------------------------------------------------------

// Mixtures of recent colours, by their exact values.
class Memory {
 public:
  Memory(const palette::Mixer& mixer, double strength)
      : mixer_(mixer), strength_(strength), slots_(4096) {}

  const palette::Mixture& mix(const std::array<float, 3>& rgb) {
    std::uint64_t key = 0;
    for (const float v : rgb) key = key * 0x9e3779b97f4a7c15ULL + std::bit_cast<std::uint32_t>(v);
    Slot& slot = slots_[(key * 0x9e3779b97f4a7c15ULL) >> 52];
    if (!slot.used || slot.rgb != rgb) {
      last_ = mixer_.mix({rgb[0], rgb[1], rgb[2]}, last_);
      slot = {true, rgb, last_};
      if (strength_ < 1) slot.mixture.weaken(strength_);
    }
    return slot.mixture;
  }

 private:
  struct Slot {
    bool used = false;
    std::array<float, 3> rgb{};
    palette::Mixture mixture;
  };
  const palette::Mixer& mixer_;
  double strength_;
  palette::Mixture last_;
  std::vector<Slot> slots_;
};

// The colour whose share of the mixture the threshold falls into, the brightest first.
int choose(const palette::Mixture& mixture, double threshold) {
  double sum = 0;
  for (int i = mixture.count - 1; i > 0; --i) {
    const palette::Part& part = mixture.parts[static_cast<std::size_t>(i)];
    sum += part.weight;
    if (threshold < sum) return part.colour;
  }
  return mixture.parts[0].colour;
}

std::vector<Plane<float>> dither_palette(const Source& source, const DitherOptions& options,
                                         const Thresholds& thresholds, Context& context) {
  const palette::Mixer mixer(palette::parse(options.palette), options.linear);
  const int width = source.channels[0].width();
  const int height = source.channels[0].height();
  std::vector<Plane<float>> result(3, Plane<float>(width, height));
  const auto item = [&](std::size_t index) {
    Memory memory(mixer, options.strength);
    const int first = static_cast<int>(index) * rows_an_item;
    for (int y = first; y < std::min(height, first + rows_an_item); ++y) {
      const float* threshold = thresholds.row(y);
      const int period = thresholds.values->width();
      for (int x = 0; x < width; ++x) {
        std::array<float, 3> rgb;
        for (std::size_t c = 0; c < 3; ++c) {
          rgb[c] = source.channels[source.channels.size() == 3 ? c : 0](x, y);
        }
        const auto& mixture = memory.mix(rgb);
        const int colour = choose(mixture, threshold[x % period]);
        for (std::size_t c = 0; c < 3; ++c) {
          const auto value = mixer.colours()[static_cast<std::size_t>(colour)][c];
          result[c](x, y) = static_cast<float>(value) / 255.0f;
        }
      }
    }
  };
  parallel_for(context, static_cast<std::size_t>((height + rows_an_item - 1) / rows_an_item), item);
  return result;
}

}  // namespace

Image dither(const Image& image, const DitherOptions& options, Context& context) {
  if (image.channels.empty() || image.channels.front().empty()) {
    throw Error(ErrorKind::input, "the image to dither is empty");
  }
  // Source and result in floats, and a copy on the way out.
  context.require_memory(static_cast<double>(image.width()) * image.height() * 28, "the dither");
  const bool with_palette = !options.palette.path.empty() || options.palette.text != nullptr;
  DitherOptions resolved = options;
  resolved.linear = options.linear && image.encoding != Encoding::data;
  const Source source = read_source(image, options.grey, resolved.linear, context);
  const std::vector<Thresholds> thresholds =
      make_thresholds(options, with_palette ? 1 : source.channels.size(), context);

  const auto stage = context.stage("dither");
  Image result;
  result.channels = with_palette ? dither_palette(source, resolved, thresholds[0], context)
                                 : dither_levels(source, resolved, thresholds, context);
  result.names = result.channels.size() == 3 ? std::vector<std::string>{"R", "G", "B"}
                                             : std::vector<std::string>{"Y"};
  if (source.alpha != nullptr) {
    result.channels.push_back(*source.alpha);
    result.names.push_back("A");
  }
  result.encoding = image.encoding == Encoding::data ? Encoding::data : Encoding::srgb;
  result.type = PixelType::u8;
  return result;
}

namespace {

class DitherJob : public Job {
 public:
  void describe(OptionList& list) override { dapple::describe(options_, list); }
  Result run(const Image* input, Context& context) override {
    Result result;
    result.image = dither(*input, options_, context);
    return result;
  }

 private:
  DitherOptions options_;
};

}  // namespace

Operation dither_operation() {
  Operation row;
  row.name = "dither";
  row.summary = "Dithers an image with a mask, to levels or a palette";
  row.details =
      "Every pixel becomes one of few levels or colours, so that areas keep their mean light as "
      "seen from afar. The mask decides where the brighter ones go: blue noise shows no pattern, "
      "and the same mask gives steady results from frame to frame.\n\n"
      "A palette is given inline, as a GIMP palette or as a list of hexadecimal colours. What it "
      "cannot mix is shown as the nearest it can.";
  row.input = InputKind::image;
  row.input_name = "IMAGE";
  row.makes_image = true;
  row.default_extension = "png";
  row.stage = "dither";
  row.examples = {
      {"dither photo.jpg --grey -o print.png", "black and white"},
      {"dither photo.jpg --levels 4 -o small.png", "64 colours: 4 levels of red, green and blue"},
      {"dither photo.jpg --palette '#0f380f,#306230,#8bac0f,#9bbc0f' -o handheld.png",
       "the four greens of a handheld console"},
      {"dither photo.jpg --mask mask.png --strength 0.7 -o out.png", "an own mask, less grain"},
  };
  row.make = []() -> std::unique_ptr<Job> { return std::make_unique<DitherJob>(); };
  return row;
}

}  // namespace dapple
