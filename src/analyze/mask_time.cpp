// Measures masks that are frames of an animation: how even each pixel's series is over time. The
// eye sums some frames and pixels, so these sums should be even too (Wolfe, Morrical,
// Akenine-Moeller and Ramamoorthi 2022, "Spatiotemporal Blue Noise Masks").
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "analyze/figures.hpp"
#include "analyze/spectrum.hpp"
#include "core/deterministic_math.hpp"
#include "core/figures/mask_goals.hpp"
#include "core/parallel.hpp"
#include "dapple/extend/options.hpp"
#include "field/plane_sum.hpp"

namespace dapple {
namespace {

constexpr std::array<double, 5> grays{1.0 / 8, 1.0 / 4, 1.0 / 2, 3.0 / 4, 7.0 / 8};

// The real and the imaginary part at one frequency over time, at each pixel.
struct Wave {
  Plane<float> real, imaginary;
};

// A mask whose frames lie one below the other.
class Series {
 public:
  Series(const Plane<float>& place, int frames)
      : place_(place), frames_(frames), height_(place.height() / frames) {}

  int width() const { return place_.width(); }
  int height() const { return height_; }
  double pixels() const { return static_cast<double>(place_.size()); }

  Wave at(double gray, int k, Context& context) const {
    Wave wave{Plane<float>(width(), height_), Plane<float>(width(), height_)};
    std::vector<float> cosine, sine;
    for (int t = 0; t < frames_; ++t) {
      const double turns = static_cast<double>(k * t % frames_) / frames_;
      cosine.push_back(static_cast<float>(portable_cosine(turns)));
      sine.push_back(static_cast<float>(portable_sine(turns)));
    }
    const auto g = static_cast<float>(gray);
    parallel_for(context, static_cast<std::size_t>(height_), [&](std::size_t row) {
      const int y = static_cast<int>(row);
      for (int t = 0; t < frames_; ++t) {
        const float* from = place_.row(t * height_ + y);
        const float c = cosine[static_cast<std::size_t>(t)];
        const float s = sine[static_cast<std::size_t>(t)];
        for (int x = 0; x < width(); ++x) {
          const float set = from[x] < g ? 1.0f : 0.0f;
          wave.real(x, y) += set * c;
          wave.imaginary(x, y) += set * s;
        }
      }
    });
    return wave;
  }

 private:
  const Plane<float>& place_;
  int frames_;
  int height_;
};

double square_sum(const Plane<float>& plane) {
  double sum = 0;
  for (const float v : plane.values()) sum += static_cast<double>(v) * static_cast<double>(v);
  return sum;
}

double variance_sum(const Plane<float>& plane) {
  const double mean = sum_of(plane) / static_cast<double>(plane.size());
  return square_sum(plane) - mean * mean * static_cast<double>(plane.size());
}

// Returns the mean power along time over grays and frequencies in (0, highest); white noise is 1.
double power_below(const Series& series, int frames, double highest, Context& context) {
  double sum = 0;
  double count = 0;
  for (int k = 1; k < highest * frames - 1e-9; ++k) {
    for (const double g : grays) {
      const Wave wave = series.at(g, k, context);
      sum += (square_sum(wave.real) + square_sum(wave.imaginary)) / (series.pixels() * g * (1 - g));
      ++count;
    }
  }
  return count > 0 ? sum / count : 0;
}

// Returns the power at low frequencies of both time and plane, at gray 1/2, white noise = 1.
double power_of_product(const Series& series, int frames, Context& context) {
  constexpr double of_time = 0.25;
  constexpr double of_plane = 0.25;
  double sum = 0;
  double count = 0;
  for (int k = 0; k < of_time * frames - 1e-9; ++k) {
    const Wave wave = series.at(0.5, k, context);
    const double copies = k == 0 ? 1 : 2;  // the negative frequency is the mirror image
    for (const Plane<float>* part : {&wave.real, &wave.imaginary}) {
      if (k == 0 && part == &wave.imaginary) continue;
      const double energy = variance_sum(*part);
      sum += copies * energy * mean_power_below(power_spectrum(*part, context), of_plane);
    }
    count += copies;
  }
  return sum / (count * series.pixels() * 0.25);
}

// Returns the shares of the pixels in [from, end) in the fullest and the emptiest frame; even is 1.
std::array<double, 2> shares(const Plane<float>& place, int frames, double from, double end) {
  const std::size_t size = place.size() / static_cast<std::size_t>(frames);
  std::vector<double> counts(static_cast<std::size_t>(frames));
  double all = 0;
  for (std::size_t i = 0; i < place.size(); ++i) {
    const auto at = static_cast<double>(place.values()[i]);
    if (at < from || at >= end) continue;
    counts[i / size] += 1;
    all += 1;
  }
  if (all == 0) return {1, 1};
  return {*std::max_element(counts.begin(), counts.end()) * frames / all,
          *std::min_element(counts.begin(), counts.end()) * frames / all};
}

}  // namespace

void add_time_figures(QualityReport& report, const Plane<float>& place, int frames,
                      const std::string& suffix, Context& context) {
  const FrameGoals goals = frame_goals(place.width(), place.height() / frames, frames);
  const auto at_most = [](double goal) {
    return goal == MaskGoals::none ? std::nullopt : std::optional(Target{goal, true});
  };
  const Series series(place, frames);
  auto& list = report.measurements;
  if (frames > 10) {
    list.push_back({"time_10" + suffix, power_below(series, frames, 0.1, context), "of white",
                    "power of a pixel's series below 0.1 cycles a frame", at_most(goals.time_10)});
  }
  list.push_back({"time_25" + suffix, power_below(series, frames, 0.25, context), "of white",
                  "the same below 0.25", at_most(goals.time_25)});
  list.push_back({"product" + suffix, power_of_product(series, frames, context), "of white",
                  "power at 1/2 below 0.25 cycles a frame and 0.25 a pixel, what the eye adds up",
                  at_most(goals.product)});
  double most = 1;
  for (const double level : {254.0 / 256, 255.0 / 256}) {
    const auto [fullest, emptiest] = shares(place, frames, level, level > 0.995 ? 2 : 255.0 / 256);
    most = std::max({most, fullest, 2 - emptiest});
  }
  list.push_back({"top_frames" + suffix, most, "of even",
                  "frame with most, or least, of levels 254 and 255; 1 is even",
                  at_most(goals.top)});
}

}  // namespace dapple
