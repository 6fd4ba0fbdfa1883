// Measures what the mean of successive frames of a mask leaves of the error of simple integrands:
// steps, the value itself and boxes, as in spatiotemporal masks (Wolfe, Morrical, Akenine-Moeller
// and Ramamoorthi 2022) and filter-adapted ones (Donnelly, Wolfe, Buetepage and Valdes 2024).
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "analyze/figures.hpp"
#include "core/deterministic_math.hpp"
#include "core/figures/gray_error.hpp"
#include "core/modulo.hpp"
#include "core/parallel.hpp"

namespace dapple {
namespace {

constexpr std::array means{1, 4, 8, 16, 32};  // frames

// 1 for values from `low` up to `high`, or the value itself if both are equal, less its mean.
struct Integrand {
  float low, high;

  float error(float value) const {
    if (low == high) return value - 0.5f;
    return (value >= low && value < high ? 1.0f : 0.0f) - (high - low);
  }
};

struct Kind {
  std::string name;
  std::vector<Integrand> integrands;
};

std::vector<Kind> kinds() {
  std::vector<Integrand> steps;
  for (int i = 1; i < 10; ++i) steps.push_back({0, static_cast<float>(i) / 10});
  return {
      {"step", steps}, {"ramp", {{0, 0}}}, {"box", {{0.15f, 0.4f}, {0.35f, 0.6f}, {0.6f, 0.85f}}}};
}

// Blurs every frame by a Gaussian of one pixel that wraps around.
void blur_frames(Plane<float>& errors, int frames, Context& context) {
  constexpr int half = 6;
  std::array<float, 2 * half + 1> bell{};
  double sum = 0;
  for (int i = -half; i <= half; ++i) sum += portable_exp(-0.5 * i * i);
  for (int i = -half; i <= half; ++i) {
    bell[static_cast<std::size_t>(i + half)] = static_cast<float>(portable_exp(-0.5 * i * i) / sum);
  }
  const int width = errors.width();
  const int height = errors.height() / frames;
  parallel_for(context, static_cast<std::size_t>(frames), [&](std::size_t t) {
    const int first = static_cast<int>(t) * height;
    Plane<float> down(width, height);
    std::vector<float> row(static_cast<std::size_t>(width + 2 * half));
    for (int y = 0; y < height; ++y) {
      for (int i = -half; i <= half; ++i) {
        const float* from = errors.row(first + modulo(y + i, height));
        const float weight = bell[static_cast<std::size_t>(i + half)];
        for (int x = 0; x < width; ++x) down(x, y) += weight * from[x];
      }
    }
    for (int y = 0; y < height; ++y) {
      for (int x = -half; x < width + half; ++x) {
        row[static_cast<std::size_t>(x + half)] = down(modulo(x, width), y);
      }
      float* to = errors.row(first + y);
      for (int x = 0; x < width; ++x) {
        float blurred = 0;
        for (std::size_t i = 0; i < bell.size(); ++i) {
          blurred += bell[i] * row[static_cast<std::size_t>(x) + i];
        }
        to[x] = blurred;
      }
    }
  });
}

// Returns the mean square, over pixels and first frames, of the mean of `count` frames.
double mean_square(const Plane<float>& errors, int frames, int count, Context& context) {
  const int width = errors.width();
  const int height = errors.height() / frames;
  const double sum = parallel_sum(context, static_cast<std::size_t>(height), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    std::vector<double> of_frames(static_cast<std::size_t>(width));
    double squares = 0;
    for (int t = 1 - count; t < frames; ++t) {
      const float* next = errors.row(modulo(t + count - 1, frames) * height + y);
      const float* last = t > 0 ? errors.row((t - 1) * height + y) : nullptr;
      for (std::size_t x = 0; x < of_frames.size(); ++x) {
        of_frames[x] += static_cast<double>(next[x]);
        if (last != nullptr) of_frames[x] -= static_cast<double>(last[x]);
        if (t >= 0) squares += of_frames[x] * of_frames[x];
      }
    }
    return squares;
  });
  return sum / (static_cast<double>(errors.size()) * count * count);
}

// Returns how restless dots are in the dark: the root mean square, on a scale of 255, of what
// changes in the pattern from frame to frame and not in its gradient, blurred by a pixel. The
// gradient, of 1/8 over 512 pixels, moves by a pixel per frame, and the mask stays.
double crawl(const Plane<float>& place, int frames, Context& context) {
  constexpr float brightest = 1.0f / 8;
  const int width = place.width();
  const int height = place.height() / frames;
  const int length = std::max(gradient_pixels, width);
  const float step = brightest / static_cast<float>(length);
  Plane<float> changes = Plane<float>::unset(length, place.height());
  parallel_for(context, static_cast<std::size_t>(place.height()), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    const int t = y / height;
    const float* now = place.row(y);
    const float* next = place.row((t + 1) % frames * height + y % height);
    float* to = changes.row(y);
    for (int x = 0; x < length; ++x) {
      const float gray = step * (static_cast<float>(x + t) + 0.5f);
      const float before = now[x % width] < gray ? 1.0f : 0.0f;
      to[x] = (next[x % width] < gray + step ? 1.0f : 0.0f) - before - step;
    }
  });
  blur_frames(changes, frames, context);
  return 255 * std::sqrt(mean_square(changes, frames, 1, context));
}

}  // namespace

void add_frame_errors(QualityReport& report, const Plane<float>& place, int frames,
                      const std::string& suffix, Context& context) {
  report.measurements.push_back(
      {"crawl" + suffix, crawl(place, frames, context), "of 255",
       "change from frame to frame in a dark moving gradient, blurred by 1 pixel"});
  for (const Kind& kind : kinds()) {
    std::array<std::array<double, means.size()>, 2> squares{};
    for (const Integrand& integrand : kind.integrands) {
      Plane<float> errors(place.width(), place.height());
      for (std::size_t i = 0; i < errors.size(); ++i) {
        errors.values()[i] = integrand.error(place.values()[i]);
      }
      for (auto& of_means : squares) {
        for (std::size_t k = 0; k < means.size() && means[k] <= frames; ++k) {
          of_means[k] += mean_square(errors, frames, means[k], context) /
                         static_cast<double>(kind.integrands.size());
        }
        if (&of_means == squares.data()) blur_frames(errors, frames, context);
      }
    }
    for (const bool blurred : {false, true}) {
      for (std::size_t k = 0; k < means.size() && means[k] <= frames; ++k) {
        const std::string count = std::to_string(means[k]);
        report.measurements.push_back({kind.name + (blurred ? "_blur_" : "_") + count + suffix,
                                       std::sqrt(squares[blurred ? 1 : 0][k]), "",
                                       "error of " + kind.name + " integrands, mean of " + count +
                                           (means[k] == 1 ? " frame" : " frames") +
                                           (blurred ? ", blurred by 1 pixel" : "")});
      }
    }
  }
}

}  // namespace dapple
