// Error diffusion subtracts the excess of each pixel from neighbors that are still to come. It
// needs no mask and is sharp. But every pixel waits for the one before it, and patterns have worms
// at some tones, which crawl from frame to frame.
//
// The weights are those of Floyd and Steinberg (1976), or of Ostromoukhov (2001, "A Simple and
// Efficient Error-Diffusion Algorithm"), which depend on the tone. Rows of pixels are scanned in
// alternate directions. Differences from these papers: errors are of light if means are. With
// several levels, the tone is the position between the two nearest. Errors at the sides go down
// instead of being lost. Hidden pixels (alpha 0) take and pass no error.
//
// Planes and frames run on separate threads, but rows do not.
#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "generate/dither/mixtures.hpp"
#include "generate/dither/parts.hpp"

namespace dapple::dithering {
namespace {

// The parts of an error for the pixels ahead, below and behind, below, and below and ahead.
struct Weights {
  float ahead, behind, below, beyond;
};
constexpr Weights floyd_steinberg{7.0f / 16, 3.0f / 16, 5.0f / 16, 1.0f / 16};

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

class Diffuser {
 public:
  explicit Diffuser(DitherMethod method) {
    table_.fill(floyd_steinberg);
    if (method != DitherMethod::ostromoukhov) return;
    for (std::size_t k = 1; k < keys.size(); ++k) {
      for (int tone = keys[k - 1].tone; tone <= keys[k].tone; ++tone) {
        const float part = static_cast<float>(tone - keys[k - 1].tone) /
                           static_cast<float>(keys[k].tone - keys[k - 1].tone);
        std::array<float, 3> w;
        for (std::size_t i = 0; i < 3; ++i) {
          w[i] = (1 - part) * share(keys[k - 1], i) + part * share(keys[k], i);
        }
        const auto low = static_cast<std::size_t>(tone);
        table_[low] = table_[255 - low] = {w[0], w[1], w[2], 0};
      }
    }
  }

  // `tone`: 0..1 between the two nearest levels.
  const Weights& at(float tone) const {
    return table_[static_cast<std::size_t>(tone * 255.0f + 0.5f)];
  }

 private:
  static float share(const Key& key, std::size_t i) {
    return key.weights[i] / (key.weights[0] + key.weights[1] + key.weights[2]);
  }
  std::array<Weights, 256> table_;
};

// The errors passed to this row and to the next, with a margin of one pixel on either side.
template <class Error>
class Errors {
 public:
  explicit Errors(int width)
      : width_(width),
        now_(static_cast<std::size_t>(width) + 2),
        next_(static_cast<std::size_t>(width) + 2) {}

  Error at(int x) const { return now_[index(x)]; }
  // `step`: 1 to the right, -1 to the left.
  void spread(int x, int step, const Error& error, const Weights& w) {
    const bool last = step > 0 ? x == width_ - 1 : x == 0;
    const bool first = step > 0 ? x == 0 : x == width_ - 1;
    float below = w.below;
    if (last) {
      below += w.ahead + w.beyond;
    } else {
      now_[index(x + step)] += w.ahead * error;
      next_[index(x + step)] += w.beyond * error;
    }
    if (first) {
      below += w.behind;
    } else {
      next_[index(x - step)] += w.behind * error;
    }
    next_[index(x)] += below * error;
  }
  void end_row() {
    std::swap(now_, next_);
    std::fill(next_.begin(), next_.end(), Error{});
  }

 private:
  std::size_t index(int x) const { return static_cast<std::size_t>(x + 1); }
  int width_;
  std::vector<Error> now_, next_;
};

// Visits the columns of a row, to the right in even rows and to the left in odd rows.
template <class Body>
void serpentine(int y, int width, Body&& body) {
  const int step = y % 2 == 0 ? 1 : -1;
  for (int x = step > 0 ? 0 : width - 1; x >= 0 && x < width; x += step) body(x, step);
}

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
  Errors<float> errors(width);
  std::vector<float> row(static_cast<std::size_t>(width));
  for (int y = frame.first; y < frame.end; ++y) {
    context.check();
    wanted(y, row.data());
    serpentine(y - frame.first, width, [&](int x, int step) {
      const float value = levels.drawn(row[static_cast<std::size_t>(x)], strength);
      const bool hidden = alpha != nullptr && (*alpha)(x, y) <= 0;
      const float sum = hidden ? value : value + errors.at(x);
      const Levels::Step around = levels.step(std::clamp(sum, 0.0f, 1.0f));
      const int level = around.low + (around.share >= 0.5f ? 1 : 0);
      out(x, y) = levels.encoded(level);
      if (hidden) return;
      // Weights depend on the wanted tone, without errors.
      errors.spread(x, step, sum - levels.wanted(level), diffuser.at(levels.step(value).share));
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
  Errors<Averaged> errors(width);
  PictureRows rows(picture);
  for (int y = frame.first; y < frame.end; ++y) {
    context.check();
    rows.read(y);
    serpentine(y - frame.first, width, [&](int x, int step) {
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
      errors.spread(x, step, sum, diffuser.at(std::max(0.0f, 1 - choice.heaviest)));
    });
    errors.end_row();
  }
}

}  // namespace

std::vector<Plane<float>> levels_by_diffusion(const Picture& picture, const DitherOptions& options,
                                              Context& context) {
  const Levels levels(options.levels, picture.linear());
  const Diffuser diffuser(options.method);
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
  const Diffuser diffuser(options.method);
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
  const Diffuser diffuser(options.method);
  std::vector<Plane<float>> result(3, Plane<float>(picture.width(), picture.height()));
  parallel_for(context, static_cast<std::size_t>(picture.slices()), [&](std::size_t item) {
    diffuse_colors(frame_of(static_cast<int>(item), picture.slice_height()), picture, mixer, table,
                   diffuser, result, context);
  });
  return result;
}

}  // namespace dapple::dithering
