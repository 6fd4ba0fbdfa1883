// Error diffusion subtracts the excess of each pixel from neighbors that are still to come. It
// needs no mask and is sharp. But every pixel waits for the one before it, and patterns have worms
// at some tones, which crawl from frame to frame.
//
// The weights are those of the table below, or of Ostromoukhov (2001, "A Simple and Efficient
// Error-Diffusion Algorithm"), which depend on the tone. Rows of pixels are scanned in alternate
// directions, or all to the right. Differences from the papers: errors are of light if means are.
// With several levels, the tone is the position between the two nearest. Errors at the sides go
// down instead of being lost. Hidden pixels (alpha 0) take and pass no error.
//
// Planes and frames run on separate threads, but rows do not.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "generate/dither/mixtures.hpp"
#include "generate/dither/parts.hpp"

namespace dapple::dithering {
namespace {

// The parts of an error for the pixels two behind to two ahead, in this row and in the next two.
struct Kernel {
  DitherMethod method;
  int whole;  // the part that is all of the error
  std::array<std::array<int, 5>, 3> parts;
};
constexpr std::array<Kernel, 6> kernels{{
    // Floyd and Steinberg 1976
    {DitherMethod::floyd_steinberg, 16, {{{0, 0, 0, 7, 0}, {0, 3, 5, 1, 0}, {}}}},
    // Jarvis, Judice and Ninke 1976
    {DitherMethod::jarvis, 48, {{{0, 0, 0, 7, 5}, {3, 5, 7, 5, 3}, {1, 3, 5, 3, 1}}}},
    // Stucki 1981
    {DitherMethod::stucki, 42, {{{0, 0, 0, 8, 4}, {2, 4, 8, 4, 2}, {1, 2, 4, 2, 1}}}},
    // Burkes 1988
    {DitherMethod::burkes, 32, {{{0, 0, 0, 8, 4}, {2, 4, 8, 4, 2}, {}}}},
    // Sierra 1989
    {DitherMethod::sierra, 32, {{{0, 0, 0, 5, 3}, {2, 4, 5, 4, 2}, {0, 2, 3, 2, 0}}}},
    // Atkinson 1984: a quarter of the error is lost, so that shadows and lights are plain
    {DitherMethod::atkinson, 8, {{{0, 0, 0, 1, 1}, {0, 1, 1, 1, 0}, {0, 0, 1, 0, 0}}}},
}};

// Ostromoukhov's weights (ahead, behind, below, over their sum) for 8-bit tones up to 127. The
// table in his Appendix I is linear between these keys. The upper half mirrors the lower one.
struct Key {
  int tone;
  std::array<float, 3> weights;
};
constexpr std::array<Key, 15> keys{{{0, {13, 0, 5}},
                                    {1, {13, 0, 5}},
                                    {2, {21, 0, 10}},
                                    {3, {7, 0, 4}},
                                    {4, {8, 0, 5}},
                                    {10, {7, 3, 3}},
                                    {22, {3, 2, 1}},
                                    {32, {20, 10, 19}},
                                    {64, {11, 10, 0}},
                                    {72, {5, 7, 1}},
                                    {77, {4, 1, 1}},
                                    {85, {4, 1, 1}},
                                    {95, {5, 3, 2}},
                                    {107, {5, 3, 2}},
                                    {127, {4, 1, 1}}}};

// A neighbor that takes a part of an error, relative to the pixel. `ahead` counts in the direction
// of the scan.
struct Neighbor {
  int ahead, down;
};

// The neighbors that take an error, and their parts of it at each tone.
class Diffuser {
 public:
  explicit Diffuser(const DitherOptions& options) : alternates_(options.serpentine) {
    for (const Kernel& kernel : kernels) {
      if (kernel.method != options.method) continue;
      for (int down = 0; down < 3; ++down) {
        for (int ahead = -2; ahead <= 2; ++ahead) {
          const int part =
              kernel.parts[static_cast<std::size_t>(down)][static_cast<std::size_t>(ahead + 2)];
          if (part > 0)
            add({ahead, down}, static_cast<float>(part) / static_cast<float>(kernel.whole));
        }
      }
      return;
    }
    add_ostromoukhov();
  }

  std::span<const Neighbor> neighbors() const { return neighbors_; }
  // Returns the parts of the neighbors. `tone`: 0..1 between the two nearest levels.
  const float* parts_at(float tone) const {
    if (parts_.size() == neighbors_.size()) return parts_.data();
    return parts_.data() + neighbors_.size() * static_cast<std::size_t>(tone * 255.0f + 0.5f);
  }
  // Visits the columns of a row: to the right, or to the left in every other row.
  template <class Body>
  void scan(int y, int width, Body&& body) const {
    const int step = alternates_ && y % 2 != 0 ? -1 : 1;
    for (int x = step > 0 ? 0 : width - 1; x >= 0 && x < width; x += step) body(x, step);
  }

 private:
  void add(Neighbor neighbor, float part) {
    neighbors_.push_back(neighbor);
    parts_.push_back(part);
  }
  void add_ostromoukhov() {
    neighbors_ = {{1, 0}, {-1, 1}, {0, 1}};
    parts_.resize(256 * 3);
    for (std::size_t k = 1; k < keys.size(); ++k) {
      for (int tone = keys[k - 1].tone; tone <= keys[k].tone; ++tone) {
        const float part = static_cast<float>(tone - keys[k - 1].tone) /
                           static_cast<float>(keys[k].tone - keys[k - 1].tone);
        const auto low = static_cast<std::size_t>(tone);
        for (std::size_t i = 0; i < 3; ++i) {
          parts_[3 * low + i] = parts_[3 * (255 - low) + i] =
              (1 - part) * share(keys[k - 1], i) + part * share(keys[k], i);
        }
      }
    }
  }
  static float share(const Key& key, std::size_t i) {
    return key.weights[i] / (key.weights[0] + key.weights[1] + key.weights[2]);
  }

  bool alternates_;
  std::vector<Neighbor> neighbors_;
  std::vector<float> parts_;  // of the neighbors, at one tone or at 256
};

// The errors passed to this row and to the next two.
template <class Error>
class Errors {
 public:
  Errors(int width, const Diffuser& diffuser) : width_(width), diffuser_(diffuser) {
    for (std::vector<Error>& row : rows_) row.resize(static_cast<std::size_t>(width));
  }

  Error at(int x) const { return rows_[0][static_cast<std::size_t>(x)]; }
  // `step`: 1 to the right, -1 to the left.
  void spread(int x, int step, const Error& error, float tone) {
    const float* part = diffuser_.parts_at(tone);
    for (const Neighbor& neighbor : diffuser_.neighbors()) {
      int to = x + step * neighbor.ahead;
      int down = neighbor.down;
      if (to < 0 || to >= width_) {
        to = x;
        down = std::max(1, down);
      }
      rows_[static_cast<std::size_t>(down)][static_cast<std::size_t>(to)] += *part++ * error;
    }
  }
  void end_row() {
    std::rotate(rows_.begin(), rows_.begin() + 1, rows_.end());
    std::fill(rows_.back().begin(), rows_.back().end(), Error{});
  }

 private:
  int width_;
  const Diffuser& diffuser_;
  std::array<std::vector<Error>, 3> rows_;
};

struct Frame {
  int first, end;  // rows
};

Frame frame_of(int frame, int slice_height) {
  return {frame * slice_height, (frame + 1) * slice_height};
}

// Dithers a frame of a plane. `wanted(y, row)` fills a row.
template <class Wanted>
void diffuse_plane(const Frame& frame, const Levels& levels, const Diffuser& diffuser,
                   float strength, const Plane<float>* alpha, Plane<float>& out, Context& context,
                   Wanted&& wanted) {
  const int width = out.width();
  Errors<float> errors(width, diffuser);
  std::vector<float> row(static_cast<std::size_t>(width));
  for (int y = frame.first; y < frame.end; ++y) {
    context.check();
    wanted(y, row.data());
    diffuser.scan(y - frame.first, width, [&](int x, int step) {
      const float value = levels.drawn(row[static_cast<std::size_t>(x)], strength);
      const bool hidden = alpha != nullptr && (*alpha)(x, y) <= 0;
      const float sum = hidden ? value : value + errors.at(x);
      const Levels::Step around = levels.step(std::clamp(sum, 0.0f, 1.0f));
      const int level = around.low + (around.share >= 0.5f ? 1 : 0);
      out(x, y) = levels.encoded(level);
      if (hidden) return;
      // Weights depend on the wanted tone, without errors.
      errors.spread(x, step, sum - levels.wanted(level), levels.step(value).share);
    });
    errors.end_row();
  }
}

// ---- palettes ----------------------------------------------------------------------------------

// A color as it is averaged, and beside it, in Space::both, its encoded values.
struct Averaged {
  std::array<float, 6> v{};

  Averaged& operator+=(const Averaged& o) {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += o.v[i];
    return *this;
  }
  friend Averaged operator*(float s, Averaged a) {
    for (float& value : a.v) value *= s;
    return a;
  }
};

float distance_squared(const Averaged& a, const Averaged& b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.v.size(); ++i) sum += (a.v[i] - b.v[i]) * (a.v[i] - b.v[i]);
  return sum;
}

// The mean of a mixture, and the search for its nearest color. A choice among only these colors
// keeps errors bounded (Adler, Kitchens, Martens, Pugh, Tresser, Wu 2005). The most similar color
// of the whole palette would not.
struct Choice {
  std::array<Averaged, 6> parts;
  std::array<int, 6> colors;
  int count = 0;
  Averaged mean;
  float heaviest = 0;

  Choice(const palette::Mixture& mixture, std::span<const Averaged> palette)
      : count(mixture.count) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const auto weight = static_cast<float>(mixture.parts[i].weight);
      colors[i] = mixture.parts[i].color;
      parts[i] = palette[static_cast<std::size_t>(colors[i])];
      mean += weight * parts[i];
      heaviest = std::max(heaviest, weight);
    }
  }
  std::size_t nearest(const Averaged& wanted) const {
    std::size_t found = 0;
    for (std::size_t i = 1; i < static_cast<std::size_t>(count); ++i) {
      if (distance_squared(parts[i], wanted) < distance_squared(parts[found], wanted)) found = i;
    }
    return found;
  }
};

void diffuse_colors(const Frame& frame, const Picture& picture, const palette::Mixer& mixer,
                    const MixtureTable& table, const Diffuser& diffuser,
                    std::vector<Plane<float>>& out, Context& context) {
  const int width = picture.width();
  std::vector<Averaged> colors(mixer.colors().size());
  for (std::size_t i = 0; i < colors.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      colors[i].v[k] = static_cast<float>(mixer.wanted(static_cast<int>(i))[k]);
      if (mixer.space() != palette::Space::both) continue;
      colors[i].v[k + 3] = static_cast<float>(mixer.encoded(static_cast<int>(i))[k]);
    }
  }
  Mixtures mixtures(table);
  Errors<Averaged> errors(width, diffuser);
  PictureRows rows(picture);
  for (int y = frame.first; y < frame.end; ++y) {
    context.check();
    rows.read(y);
    diffuser.scan(y - frame.first, width, [&](int x, int step) {
      const bool hidden = picture.alpha() != nullptr && (*picture.alpha())(x, y) <= 0;
      // The error of a color that the palette cannot mix would grow and smear, so the mean of its
      // mixture is wanted instead.
      const palette::Mixture& mixture = mixtures.of(rows.at(x));
      const Choice choice(mixture, colors);
      Averaged sum = choice.mean;
      if (!hidden) sum += errors.at(x);
      const std::size_t part = choice.nearest(sum);
      const auto chosen = static_cast<std::size_t>(choice.colors[part]);
      for (std::size_t c = 0; c < 3; ++c) {
        out[c](x, y) = static_cast<float>(mixer.colors()[chosen][c]) / 255.0f;
      }
      if (hidden) return;
      sum += -1.0f * colors[chosen];
      errors.spread(x, step, sum, std::max(0.0f, 1 - choice.heaviest));
    });
    errors.end_row();
  }
}

}  // namespace

std::vector<Plane<float>> levels_by_diffusion(const Picture& picture, const DitherOptions& options,
                                              Context& context) {
  const Levels levels(options.levels, picture.linear());
  const Diffuser diffuser(options);
  const auto channels = static_cast<std::size_t>(picture.channels());
  std::vector<Plane<float>> result(channels, Plane<float>(picture.width(), picture.height()));
  parallel_for(
      context, channels * static_cast<std::size_t>(picture.slices()), [&](std::size_t item) {
        const std::size_t c = item % channels;
        diffuse_plane(frame_of(static_cast<int>(item / channels), picture.slice_height()), levels,
                      diffuser, static_cast<float>(options.strength), picture.alpha(), result[c],
                      context,
                      [&](int y, float* to) { picture.read_row(static_cast<int>(c), y, to); });
      });
  return result;
}

Plane<float> coverage_by_diffusion(const Plane<float>& coverage, int slices,
                                   const DitherOptions& options, Context& context) {
  const Levels levels(2, false);
  const Diffuser diffuser(options);
  Plane<float> result(coverage.width(), coverage.height());
  parallel_for(context, static_cast<std::size_t>(slices), [&](std::size_t item) {
    diffuse_plane(frame_of(static_cast<int>(item), coverage.height() / slices), levels, diffuser, 1,
                  nullptr, result, context, [&](int y, float* to) {
                    const float* from = coverage.row(y);
                    std::transform(from, from + coverage.width(), to,
                                   [](float a) { return std::clamp(a, 0.0f, 1.0f); });
                  });
  });
  return result;
}

std::vector<Plane<float>> palette_by_diffusion(const Picture& picture, const DitherOptions& options,
                                               const Colors& colors, Context& context) {
  const palette::Mixer mixer = make_mixer(picture, colors, options);
  const MixtureTable table(picture, mixer, context);
  const Diffuser diffuser(options);
  std::vector<Plane<float>> result(3, Plane<float>(picture.width(), picture.height()));
  parallel_for(context, static_cast<std::size_t>(picture.slices()), [&](std::size_t item) {
    diffuse_colors(frame_of(static_cast<int>(item), picture.slice_height()), picture, mixer, table,
                   diffuser, result, context);
  });
  return result;
}

}  // namespace dapple::dithering
