// Computes levels of textures (Williams 1983) by exact areas; sizes need not be powers of two.
#include <algorithm>

#include "dapple/units.hpp"
#include "io/images/formats.hpp"

namespace dapple {
namespace {

// The pixels in a row of length `from` that form one pixel in a row of length `to`.
struct Taps {
  int first;
  std::vector<float> weights;
  int middle;
};

std::vector<Taps> taps_of(int from, int to) {
  std::vector<Taps> all;
  const double step = static_cast<double>(from) / to;
  for (int i = 0; i < to; ++i) {
    const double start = i * step;
    const double end = i + 1 == to ? from : (i + 1) * step;
    Taps taps{static_cast<int>(start), {}, std::min(static_cast<int>((i + 0.5) * step), from - 1)};
    for (int k = taps.first; k < end; ++k) {
      const double share = std::min(end, k + 1.0) - std::max(start, static_cast<double>(k));
      taps.weights.push_back(static_cast<float>(share / (end - start)));
    }
    all.push_back(std::move(taps));
  }
  return all;
}

Plane<float> means(const Plane<float>& plane, const std::vector<Taps>& columns,
                   const std::vector<Taps>& rows) {
  Plane<float> half(static_cast<int>(columns.size()), static_cast<int>(rows.size()));
  std::vector<float> sums(static_cast<std::size_t>(plane.width()));
  for (int y = 0; y < half.height(); ++y) {
    const Taps& of_rows = rows[static_cast<std::size_t>(y)];
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (std::size_t k = 0; k < of_rows.weights.size(); ++k) {
      const float weight = of_rows.weights[k];
      const float* from = plane.row(of_rows.first + static_cast<int>(k));
      for (std::size_t x = 0; x < sums.size(); ++x) sums[x] += weight * from[x];
    }
    float* to = half.row(y);
    for (const Taps& taps : columns) {
      const float* from = sums.data() + taps.first;
      float sum = 0;
      for (std::size_t k = 0; k < taps.weights.size(); ++k) sum += taps.weights[k] * from[k];
      *to++ = sum;
    }
  }
  return half;
}

Plane<float> middles(const Plane<float>& plane, const std::vector<Taps>& columns,
                     const std::vector<Taps>& rows) {
  Plane<float> half(static_cast<int>(columns.size()), static_cast<int>(rows.size()));
  for (int y = 0; y < half.height(); ++y) {
    const float* from = plane.row(rows[static_cast<std::size_t>(y)].middle);
    float* to = half.row(y);
    for (const Taps& taps : columns) *to++ = from[taps.middle];
  }
  return half;
}

bool is_light(const Image& image, std::size_t channel) {
  return image.encoding == Encoding::srgb && image.names[channel] != "A";
}

// Converts to linear light. Exact for 8 and 16 bits, since the table holds all their values.
Plane<float> to_light(const Plane<float>& plane) {
  static const std::vector<float> table = [] {
    std::vector<float> values;
    for (int i = 0; i <= 65535; ++i) {
      values.push_back(srgb_to_linear(static_cast<float>(i) / 65535.0f));
    }
    return values;
  }();
  Plane<float> light = plane;
  for (float& v : light.values()) {
    const float level = v > 0 ? std::min(v, 1.0f) * 65535.0f + 0.5f : 0.0f;
    v = table[static_cast<std::size_t>(level)];
  }
  return light;
}

}  // namespace

std::vector<Image> smaller_levels(const Image& image) {
  int width = image.width();
  int height = image.height();
  std::vector<Image> levels;
  for (int w = width, h = height; w > 1 || h > 1;) {
    w = std::max(w / 2, 1);
    h = std::max(h / 2, 1);
    Image& level = levels.emplace_back();
    level.encoding = image.encoding;
    level.type = image.type;
    level.names = image.names;
    level.hints.labels = image.hints.labels;
  }
  for (std::size_t c = 0; c < image.channels.size(); ++c) {
    const bool light = is_light(image, c);
    Plane<float> converted;
    if (light) converted = to_light(image.channels[c]);
    const Plane<float>* above = light ? &converted : &image.channels[c];
    for (Image& level : levels) {
      const int w = std::max(above->width() / 2, 1);
      const int h = std::max(above->height() / 2, 1);
      const std::vector<Taps> columns = taps_of(above->width(), w);
      const std::vector<Taps> rows = taps_of(above->height(), h);
      level.channels.push_back(image.is_label(c) ? middles(*above, columns, rows)
                                                 : means(*above, columns, rows));
      above = &level.channels.back();
    }
    if (!light) continue;
    for (Image& level : levels) {
      for (float& v : level.channels.back().values()) v = linear_to_srgb(v);
    }
  }
  return levels;
}

namespace {

// Returns the average of each channel, as stored; renderers show it from afar.
std::string average_of(const Image& image) {
  std::string text;
  for (const Plane<float>& plane : image.channels) {
    double sum = 0;
    for (const float v : plane.values()) sum += v;
    const double mean = sum / static_cast<double>(plane.size());
    text += (text.empty() ? "" : ",") + shortest(static_cast<float>(mean));
  }
  return text;
}

// Returns the values of an image of one color, or "".
std::string constant_of(const Image& image) {
  std::string text;
  for (const Plane<float>& plane : image.channels) {
    const float first = plane(0, 0);
    const auto same = [&](float v) { return v == first; };
    if (!std::all_of(plane.values().begin(), plane.values().end(), same)) return "";
    text += (text.empty() ? "" : ",") + shortest(first);
  }
  return text;
}

void premultiply(Image& image) {
  const int alpha = image.encoding == Encoding::data ? -1 : image.find("A");
  if (alpha < 0) return;
  const std::span<const float> a = image.channels[static_cast<std::size_t>(alpha)].values();
  for (std::size_t c = 0; c < image.channels.size(); ++c) {
    if (static_cast<int>(c) == alpha) continue;
    const std::span<float> v = image.channels[c].values();
    for (std::size_t i = 0; i < v.size(); ++i) v[i] *= a[i];
  }
}

}  // namespace

void encode_as_texture(Image& image, ImageEncoding& how) {
  premultiply(image);
  how.premultiply = false;
  how.premultiplied = true;
  how.texture = true;
  how.levels = smaller_levels(image);
  const std::string wrap = image.hints.tileable ? "periodic" : "black";
  how.attributes.emplace_back("textureformat", "Plain Texture");
  how.attributes.emplace_back("wrapmodes", wrap + "," + wrap);
  how.texture_texts = {{"oiio:AverageColor", average_of(image)}};
  if (const std::string constant = constant_of(image); !constant.empty()) {
    how.texture_texts.emplace_back("oiio:ConstantColor", constant);
  }
}

}  // namespace dapple
