// Paints the output color by a look: a gradient in OKLab (Ottosson 2020) over another output, a
// shade per cell, lines, and a relief lit from the top left (Lambert 1760; highlights by Blinn
// 1977).
#include <algorithm>
#include <array>
#include <cmath>

#include "core/color.hpp"
#include "core/parallel.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/drawing.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/plane.hpp"
#include "generate/worley/material/grade.hpp"
#include "generate/worley/material/material.hpp"
#include "generate/worley/outputs.hpp"
#include "generate/worley/texture.hpp"

namespace dapple::cells {
namespace {

using Color = std::array<float, 3>;

Color linear_color(std::string_view text) {
  Color c = parse_color(text);
  for (float& v : c) v = srgb_to_linear(v);
  return c;
}

// Colors in linear light for values from 0 to 1.
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

// Light from the top left, above the picture; x right, y down, z towards the eye.
struct Lighting {
  float relief;
  float gloss;

  // Returns the factor of a lit color; a level place keeps its color.
  float diffuse(float nx, float ny, float nz) const {
    constexpr float lx = -0.485f, ly = -0.485f, lz = 0.728f, ambient = 0.3f;
    return ambient + (1 - ambient) * std::max(nx * lx + ny * ly + nz * lz, 0.0f) / lz;
  }
  // Returns the light to add: most where the normal is half way between the light and the eye.
  float highlight(float nx, float ny, float nz) const {
    constexpr float hx = -0.261f, hy = -0.261f, hz = 0.929f;
    const float c = std::max(nx * hx + ny * hy + nz * hz, 0.0f);
    const float c4 = c * c * c * c;
    const float c8 = c4 * c4;
    const float c16 = c8 * c8;
    return gloss * c16 * c16 * c8;
  }
};

// The planes that a painting needs, at all samples; nullptr if the look does not use a plane.
struct Painted {
  const WorleyLook& look;
  const Gradient gradient;
  const Lighting light;
  const Color line;
  std::array<const Plane<float>*, 3> own{};  // colors of cells, if there is no gradient
  const Plane<float>* values = nullptr;
  const Plane<float>* random = nullptr;
  const Plane<float>* lines = nullptr;
  std::array<const Plane<float>*, 3> normal{};

  Painted(const Image& texture, const WorleyLook& of, const std::string& source);

  // Returns a color in linear light.
  Color at(int x, int y, const Grade& grade) const {
    Color color{};
    if (values != nullptr) {
      float v = grade((*values)(x, y));
      if (random != nullptr) v += static_cast<float>(look.variation) * ((*random)(x, y) - 0.5f);
      color = gradient.at(v);
    } else {
      for (std::size_t c = 0; c < 3; ++c) color[c] = (*own[c])(x, y);
    }
    const float inside = lines != nullptr ? (*lines)(x, y) : 1;
    for (std::size_t c = 0; c < 3; ++c) color[c] = line[c] + inside * (color[c] - line[c]);
    if (normal[0] == nullptr) return color;
    const float nx = 2 * (*normal[0])(x, y) - 1;
    const float ny = 2 * (*normal[1])(x, y) - 1;
    const float nz = 2 * (*normal[2])(x, y) - 1;
    const float diffuse = light.diffuse(nx, ny, nz);
    const float highlight = light.gloss > 0 ? inside * light.highlight(nx, ny, nz) : 0;
    for (float& c : color) c = c * diffuse + highlight;
    return color;
  }
};

Painted::Painted(const Image& texture, const WorleyLook& of, const std::string& source)
    : look(of),
      gradient(of.gradient),
      light{static_cast<float>(of.relief), static_cast<float>(of.gloss)},
      line(of.line_color.empty() ? Color{} : linear_color(of.line_color)) {
  const auto plane = [&](const char* name) -> const Plane<float>* {
    const int i = texture.find(name);
    return i < 0 ? nullptr : &texture.channels[static_cast<std::size_t>(i)];
  };
  own = {plane("color.R"), plane("color.G"), plane("color.B")};
  if (source != "color") values = &texture.channels[0];
  if (look.variation > 0) random = plane("random");
  if (!look.line_color.empty()) lines = plane("lines");
  if (look.is_lit()) normal = {plane("normal.R"), plane("normal.G"), plane("normal.B")};
}

// Returns the output that the gradient goes over, or `color` without a gradient.
std::string source_of(const WorleyLook& look) {
  if (look.color_of.empty()) return look.gradient.empty() ? "color" : "f1";
  if (parse_output(look.color_of).channels.size() > 1) {
    throw Error(ErrorKind::usage,
                Problem{"color-of", "needs an output with one number per pixel, and " +
                                        look.color_of + " has several"});
  }
  return look.color_of;
}

}  // namespace

std::vector<std::string> painted_outputs(const WorleyLook& look) {
  std::vector<std::string> outputs{source_of(look)};
  if (look.variation > 0) outputs.emplace_back("random");
  if (!look.line_color.empty()) outputs.emplace_back("lines");
  if (look.is_lit()) outputs.emplace_back("normal");
  return outputs;
}

Image painted_color(std::span<const Points> octaves, int width, int height,
                    const WorleyOptions& options, const WorleyLook& look, Context& context) {
  constexpr int samples = 2;  // along each side of a pixel
  check(SiteOptions(), options);
  check(look);
  require_number("the width of a texture", width, 1);
  require_number("the height of a texture", height, 1);
  context.require_pixels(1.0 * samples * width, 1.0 * samples * height, "a cell texture");
  WorleyOptions fine = options;
  fine.outputs = painted_outputs(look);
  fine.normal_strength = look.relief > 0 ? look.relief : 1;
  fine.height_scale = {};
  fine.normal_y = NormalY::down;
  const Image texture =
      make_texture(octaves, width * samples, height * samples, samples, fine, context);
  const Painted painted(texture, look, fine.outputs[0]);
  const Range range = range_of(texture, 0);
  Grade grade(look.levels.all, range.low, range.high, *range.unit == 0 ? 1 : samples);
  grade.bend(look);

  Image image;
  image.encoding = Encoding::data;
  image.type = PixelType::f32;
  image.names = {"color.R", "color.G", "color.B"};
  image.slices = texture.slices;
  image.volume = texture.volume;
  const int rows = height * texture.slices;
  image.channels.assign(3, Plane<float>(width, rows));
  parallel_for(context, static_cast<std::size_t>(rows), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    for (int x = 0; x < width; ++x) {
      Color sum{};
      for (int s = 0; s < samples * samples; ++s) {
        const Color color = painted.at(x * samples + s % samples, y * samples + s / samples, grade);
        for (std::size_t c = 0; c < 3; ++c) sum[c] += std::min(color[c], 1.0f);
      }
      for (std::size_t c = 0; c < 3; ++c) {
        image.channels[c](x, y) = sum[c] / (samples * samples);
      }
    }
  });
  return image;
}

Image painted_texture(std::span<const Points> octaves, int width, int height,
                      const WorleyOptions& options, const WorleyLook& look, Context& context) {
  WorleyOptions data = options;
  std::erase(data.outputs, "color");
  Image color = painted_color(octaves, width, height, options, look, context);
  if (data.outputs.empty()) return color;
  Image image = worley(octaves, width, height, data, context);
  // Inserts the color wherever the outputs name it.
  std::size_t at = 0;
  for (const std::string& output : options.outputs) {
    const auto place = static_cast<std::ptrdiff_t>(at);
    if (output == "color") {
      image.names.insert(image.names.begin() + place, color.names.begin(), color.names.end());
      image.channels.insert(image.channels.begin() + place, color.channels.begin(),
                            color.channels.end());
      auto& integers = image.hints.integers;
      if (!integers.empty()) integers.insert(integers.begin() + place, 3, {});
    }
    at += parse_output(output).channels.size();
  }
  return image;
}

Image picture_of_color(Image color) {
  color.names = {"R", "G", "B"};
  color.encoding = Encoding::srgb;
  color.type = PixelType::u8;
  for (Plane<float>& plane : color.channels) {
    for (float& value : plane.values()) value = linear_to_srgb(value);
  }
  return color;
}

}  // namespace dapple::cells

namespace dapple {

using namespace cells;

Image worley_picture(std::span<const Points> octaves, int width, int height,
                     const WorleyOptions& options, const WorleyLook& look, Context& context) {
  return picture_of_color(painted_color(octaves, width, height, options, look, context));
}

}  // namespace dapple
