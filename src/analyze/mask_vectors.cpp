// Measures masks of unit vectors: how unlike its neighbors every vector is, in the plane and over
// time. Single components would miss what vectors have in common.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "analyze/figures.hpp"
#include "analyze/spectrum.hpp"
#include "core/figures/mask_goals.hpp"
#include "core/parallel.hpp"
#include "dapple/extend/options.hpp"
#include "field/plane_sum.hpp"

namespace dapple {
namespace {

// Returns components in -1..1. Integers, and floats that are never below 0, store them as 0..1. A
// third channel of zeros is a channel that a format of colors added.
std::vector<Plane<float>> components_of(const Image& mask) {
  std::vector<Plane<float>> components = mask.channels;
  const auto is_empty = [](const Plane<float>& plane) {
    return std::all_of(plane.values().begin(), plane.values().end(),
                       [](float v) { return v == 0; });
  };
  if (components.size() == 3 && is_empty(components.back())) components.pop_back();
  bool stored = true;
  for (const Plane<float>& plane : components) {
    stored = stored && *std::min_element(plane.values().begin(), plane.values().end()) >= 0.0f;
  }
  // In floats of the upper half sphere only the last component is never below 0.
  if (!stored) return components;
  for (Plane<float>& plane : components) {
    for (float& v : plane.values()) v = 2 * v - 1;
  }
  return components;
}

double dot(const std::vector<Plane<float>>& components, std::size_t p, std::size_t q) {
  double sum = 0;
  for (const Plane<float>& plane : components) {
    sum += static_cast<double>(plane.values()[p]) * static_cast<double>(plane.values()[q]);
  }
  return sum;
}

double mean_of(const Plane<float>& plane) {
  return sum_of(plane) / static_cast<double>(plane.size());
}

double variance_of(const Plane<float>& plane) {
  const double mean = mean_of(plane);
  double sum = 0;
  for (const float v : plane.values()) {
    sum += (static_cast<double>(v) - mean) * (static_cast<double>(v) - mean);
  }
  return sum / static_cast<double>(plane.size());
}

// Returns the mean dot product with the vector at `other`, minus the dot product of the means, over
// the variance: 0 for white noise, 1 for equal vectors.
template <class Other>
double likeness(const std::vector<Plane<float>>& components, const Other& other) {
  double variance = 0;
  double means = 0;
  for (const Plane<float>& plane : components) {
    variance += variance_of(plane);
    means += mean_of(plane) * mean_of(plane);
  }
  double sum = 0;
  double count = 0;
  for (std::size_t p = 0; p < components[0].size(); ++p) {
    for (const std::size_t q : other(p)) {
      sum += dot(components, p, q);
      count += 1;
    }
  }
  return (sum / count - means) / variance;
}

}  // namespace

bool holds_unit_vectors(const Image& mask) {
  if (mask.channels.size() < 2 || mask.channels.size() > 3 || mask.channels[0].size() < 16) {
    return false;
  }
  const std::vector<Plane<float>> components = components_of(mask);
  constexpr double most = 0.03;  // rounding to 8 bits changes less
  for (std::size_t p = 0; p < components[0].size(); ++p) {
    if (!(std::abs(std::sqrt(dot(components, p, p)) - 1) < most)) return false;
  }
  return true;
}

QualityReport analyze_vectors(const Image& mask, Context& context) {
  const auto stage = context.stage("analyze");
  const std::vector<Plane<float>> components = components_of(mask);
  const int width = mask.width();
  const int height = mask.slice_height();
  const auto frame = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  const bool has_goals = std::min(width, height) >= 32;
  const auto at_most = [&](double goal, bool given) {
    return given ? std::optional(Target{goal, true}) : std::nullopt;
  };
  QualityReport report;
  report.kind = "mask";
  auto& list = report.measurements;
  list.push_back({"width", static_cast<double>(width), "pixels", ""});
  list.push_back({"height", static_cast<double>(height), "pixels", ""});
  if (mask.slices > 1) {
    list.push_back({"slices", static_cast<double>(mask.slices), "", "figures are of all"});
  }
  double power = 0;
  double weights = 0;
  for (const Plane<float>& plane : components) {
    const double variance = variance_of(plane);
    for (int z = 0; z < mask.slices; ++z) {
      Plane<float> slice(width, height);
      std::copy_n(plane.values().begin() + static_cast<std::ptrdiff_t>(frame) * z, frame,
                  slice.values().begin());
      power += variance * mean_power_below(power_spectrum(slice, context), 0.1);
      weights += variance;
    }
  }
  list.push_back({"vector_low", power / weights, "of white",
                  "power of the vectors below 0.1 cycles a pixel", at_most(0.05, has_goals)});
  const double near = likeness(components, [&](std::size_t p) {
    const std::size_t in_frame = p % frame;
    const std::size_t first = p - in_frame;
    const std::size_t x = in_frame % static_cast<std::size_t>(width);
    const std::size_t right = x + 1 < static_cast<std::size_t>(width) ? in_frame + 1 : in_frame - x;
    const std::size_t below = (in_frame + static_cast<std::size_t>(width)) % frame;
    return std::array{first + right, first + below};
  });
  list.push_back({"vector_near", near, "",
                  "mean product with the next vector in x and y; 0 of noise, below 0 unlike",
                  at_most(-0.1, has_goals)});
  if (mask.slices > 1) {
    const double later = likeness(
        components, [&](std::size_t p) { return std::array{(p + frame) % components[0].size()}; });
    list.push_back({"vector_time", later, "", "the same with the vector of the next frame",
                    at_most(-0.1, has_goals && mask.slices >= 8)});
  }
  constexpr int shown = 256;
  Plane<float> first(std::min(shown, width), std::min(shown, height));
  for (int y = 0; y < first.height(); ++y) {
    for (int x = 0; x < first.width(); ++x) first(x, y) = (components[0](x, y) + 1) / 2;
  }
  report.pictures.push_back({"The first component", std::move(first)});
  return report;
}

}  // namespace dapple
