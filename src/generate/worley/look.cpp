// A texture as a picture: levels, a gradient in OKLab (Ottosson 2020), cells of their own shade,
// lines, and a relief lit from the top left (Lambert 1760; highlights by Blinn 1977).
#include <algorithm>
#include <array>
#include <cmath>

#include "core/color.hpp"
#include "core/doors.hpp"
#include "core/parallel.hpp"
#include "core/portable.hpp"
#include "dapple/color.hpp"
#include "dapple/drawing.hpp"
#include "dapple/error.hpp"
#include "generate/worley/outputs.hpp"
#include "generate/worley/texture.hpp"

namespace dapple {

using namespace cells;

namespace {

using Color = std::array<float, 3>;

Color linear_color(std::string_view text) {
  Color c = parse_color(text);
  for (float& v : c) v = srgb_to_linear(v);
  return c;
}

// Linear light for values from 0 to 1.
class Gradient {
 public:
  explicit Gradient(std::vector<std::string> colors) {
    if (colors.empty()) colors = {"black", "white"};
    std::vector<Color> stops;
    for (const std::string& text : colors) stops.push_back(oklab::of_light(linear_color(text)));
    for (std::size_t i = 0; i < table_.size(); ++i) {
      const float at = static_cast<float>(i) / static_cast<float>(table_.size() - 1) *
                       static_cast<float>(stops.size() - 1);
      const std::size_t stop = std::min(static_cast<std::size_t>(at), stops.size() - 1);
      const Color& a = stops[stop];
      const Color& b = stops[std::min(stop + 1, stops.size() - 1)];
      const float t = at - static_cast<float>(stop);
      Color mixed;
      for (std::size_t c = 0; c < 3; ++c) mixed[c] = a[c] + t * (b[c] - a[c]);
      table_[i] = oklab::light_of(mixed);
    }
  }

  const Color& at(float v) const {
    const float place = std::clamp(v, 0.0f, 1.0f) * static_cast<float>(table_.size() - 1);
    return table_[static_cast<std::size_t>(place + 0.5f)];
  }

 private:
  std::array<Color, 4096> table_;
};

// Levels, direction and curve of the values of one channel.
struct Grade {
  float low;
  float high;
  float exponent;
  bool invert;

  Grade(const WorleyLook& look, float lowest, float highest, double unit)
      : low(lowest),
        high(highest),
        exponent(static_cast<float>(1 / look.curve)),
        invert(look.invert_output) {
    if (look.levels.empty()) return;
    const auto level = [&](const Length& length) {
      if (length.unit == Unit::percent) {
        return lowest + static_cast<float>(length.value / 100) * (highest - lowest);
      }
      return static_cast<float>(length.pixels({}) * unit);
    };
    low = level(look.levels.min);
    high = level(look.levels.max);
    if (!(low < high))
      throw Error(ErrorKind::usage, Problem{"levels", "black must be below white"});
  }

  float operator()(float value) const {
    float v = std::clamp((value - low) / (high - low), 0.0f, 1.0f);
    if (invert) v = 1 - v;
    return exponent == 1 ? v
                         : static_cast<float>(
                               portable_pow(static_cast<double>(v), static_cast<double>(exponent)));
  }
};

struct Range {
  float low;
  float high;
  const char* unit;
};

// Whether that depends on the values.
bool has_own_range(Span span) {
  return span == Span::distance || span == Span::count || span == Span::id || span == Span::way ||
         span == Span::slope;
}

// The range that 0 and full scale stand for in a channel of values up to these extremes, in an
// image of this size; those of one output may differ.
Range range_of(std::string_view name, const Extremes& extremes, int width, int height) {
  const float lowest = extremes.lowest;
  const float highest = extremes.highest;
  const float both_sides = std::max({highest, -lowest, 1e-6f});
  const float top = highest > 0 ? highest : 1.0f;
  switch (span_of_channel(name)) {
    case Span::distance:
      return {std::min(lowest, 0.0f), top, " px"};
    case Span::count:
      return {0, top, ""};
    case Span::id:
      return {0, std::max(highest, 1.0f), ""};
    case Span::fraction:
      return {0, 1, ""};
    case Span::color:
      return {0, 1, ""};
    case Span::position:
      return {0, static_cast<float>(name.ends_with(".x") ? width : height), " px"};
    case Span::way:
      return {-both_sides, both_sides, " px"};
    case Span::slope:
      return {-both_sides, both_sides, ""};
    case Span::direction:
    case Span::packed_direction:
      break;
  }
  return {-1, 1, ""};
}

Range range_of(const Image& image, std::size_t channel) {
  Extremes extremes;
  extremes.add(image.channels[channel]);
  return range_of(image.names[channel], extremes, image.width(), image.slice_height());
}

// A range per channel.
void normalize(Image& image, std::span<const Range> ranges, const WorleyLook& look) {
  image.type = PixelType::u16;
  image.hints.integers.clear();
  for (std::size_t c = 0; c < image.channels.size(); ++c) {
    const Range& range = ranges[c];
    Grade grade(look, range.low, range.high, 1);
    if (!is_graded(span_of_channel(image.names[c])))
      grade = Grade(WorleyLook{}, range.low, range.high, 1);
    std::string scale = shortest(grade.invert ? grade.high : grade.low) + ".." +
                        shortest(grade.invert ? grade.low : grade.high) + range.unit;
    if (grade.exponent != 1) scale += ", to the power of " + shortest(grade.exponent);
    image.metadata.emplace_back(scale_key + image.names[c], scale);
    if (span_of_channel(image.names[c]) == Span::packed_direction) continue;
    for (float& value : image.channels[c].values()) value = grade(value);
  }
}

// Light from the top left, above the picture; x right, y down, z towards the eye.
struct Lighting {
  float relief;
  float gloss;

  // Multiplies what is lit; a level place keeps its color.
  float diffuse(float nx, float ny, float nz) const {
    constexpr float lx = -0.485f, ly = -0.485f, lz = 0.728f, ambient = 0.3f;
    return ambient + (1 - ambient) * std::max(nx * lx + ny * ly + nz * lz, 0.0f) / lz;
  }
  // Adds to it: half way between the light and the eye.
  float highlight(float nx, float ny, float nz) const {
    constexpr float hx = -0.261f, hy = -0.261f, hz = 0.929f;
    const float c = std::max(nx * hx + ny * hy + nz * hz, 0.0f);
    const float c4 = c * c * c * c;
    const float c8 = c4 * c4;
    const float c16 = c8 * c8;
    return gloss * c16 * c16 * c8;
  }
};

}  // namespace

Image normalized(const Image& texture, const WorleyLook& look) {
  check(look);
  require_planes(texture);
  std::vector<Range> ranges;
  for (std::size_t c = 0; c < texture.channels.size(); ++c) ranges.push_back(range_of(texture, c));
  Image image = texture;
  normalize(image, ranges, look);
  return image;
}

ImageRows normalized(const ImageRows& texture, const WorleyLook& look) {
  check(look);
  require_number("the height of a texture", texture.height, 1);
  require_number("the rows of a step", texture.step, 1);
  const std::vector<std::string> names = texture.rows(0, 1).names;
  std::vector<Extremes> extremes(names.size());
  const auto has_own = [](const std::string& name) { return has_own_range(span_of_channel(name)); };
  if (std::any_of(names.begin(), names.end(), has_own)) {
    for (int y = 0; y < texture.height; y += texture.step) {
      const Image strip = texture.rows(y, std::min(y + texture.step, texture.height));
      for (std::size_t c = 0; c < names.size(); ++c) {
        if (has_own(names[c])) extremes[c].add(strip.channels[c]);
      }
    }
  }
  std::vector<Range> ranges;
  for (std::size_t c = 0; c < names.size(); ++c) {
    ranges.push_back(range_of(names[c], extremes[c], texture.width, texture.height));
  }
  ImageRows shown = texture;
  shown.rows = [rows = texture.rows, ranges, look](int first, int last) {
    Image strip = rows(first, last);
    normalize(strip, ranges, look);
    return strip;
  };
  return shown;
}

Image worley_picture(std::span<const PointSet> octaves, int width, int height,
                     const WorleyOptions& options, const WorleyLook& look, Context& context) {
  constexpr int samples = 2;  // along each side of a pixel
  check(SiteOptions(), options);
  check(look);
  require_number("the width of a texture", width, 1);
  require_number("the height of a texture", height, 1);
  context.require_pixels(1.0 * samples * width, 1.0 * samples * height, "a cell texture");
  const Gradient gradient(look.gradient);
  const Lighting light{static_cast<float>(look.relief), static_cast<float>(look.gloss)};
  const bool lit = look.relief > 0 || look.gloss > 0;
  WorleyOptions fine = options;
  fine.outputs = {options.outputs.empty() ? "" : options.outputs[0]};
  if (look.variation > 0) fine.outputs.push_back("random");
  if (!look.line_color.empty()) fine.outputs.push_back("lines");
  if (lit) fine.outputs.push_back("normal");
  fine.normal_strength = look.relief > 0 ? look.relief : 1;
  fine.normal_y = NormalY::down;
  const Image texture =
      make_texture(octaves, width * samples, height * samples, samples, fine, context);
  const auto plane = [&](const char* name) -> const Plane<float>* {
    const int i = texture.find(name);
    return i < 0 ? nullptr : &texture.channels[static_cast<std::size_t>(i)];
  };
  const Plane<float>& values = texture.channels[0];
  const Plane<float>* random = look.variation > 0 ? plane("random") : nullptr;
  const Plane<float>* lines = look.line_color.empty() ? nullptr : plane("lines");
  const Plane<float>* normal[3] = {plane("normal.R"), plane("normal.G"), plane("normal.B")};
  const Color line = look.line_color.empty() ? Color{} : linear_color(look.line_color);
  const Range range = range_of(texture, 0);
  const Grade grade(look, range.low, range.high, samples);

  const auto sample = [&](int x, int y) {
    float v = grade(values(x, y));
    if (random) v += static_cast<float>(look.variation) * ((*random)(x, y) - 0.5f);
    Color color = gradient.at(v);
    const float inside = lines ? (*lines)(x, y) : 1;
    for (std::size_t c = 0; c < 3; ++c) color[c] = line[c] + inside * (color[c] - line[c]);
    if (lit) {
      const float nx = 2 * (*normal[0])(x, y) - 1;
      const float ny = 2 * (*normal[1])(x, y) - 1;
      const float nz = 2 * (*normal[2])(x, y) - 1;
      const float diffuse = light.diffuse(nx, ny, nz);
      const float highlight = light.gloss > 0 ? inside * light.highlight(nx, ny, nz) : 0;
      for (float& c : color) c = c * diffuse + highlight;
    }
    return color;
  };

  Image image;
  image.encoding = Encoding::srgb;
  image.type = PixelType::u8;
  image.names = {"R", "G", "B"};
  image.slices = texture.slices;
  image.volume = texture.volume;
  const int rows = height * texture.slices;
  image.channels.assign(3, Plane<float>(width, rows));
  parallel_for(context, static_cast<std::size_t>(rows), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    for (int x = 0; x < width; ++x) {
      Color sum{};
      for (int s = 0; s < samples * samples; ++s) {
        const Color color = sample(x * samples + s % samples, y * samples + s / samples);
        for (std::size_t c = 0; c < 3; ++c) sum[c] += std::min(color[c], 1.0f);
      }
      for (std::size_t c = 0; c < 3; ++c) {
        image.channels[c](x, y) = linear_to_srgb(sum[c] / (samples * samples));
      }
    }
  });
  return image;
}

}  // namespace dapple
