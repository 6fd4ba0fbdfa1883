// Moving the colors of a palette to where a picture's mixtures of them are best.
#pragma once

#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "generate/dither/palette.hpp"

namespace dapple::dithering {

// Some pixels of a picture that look alike.
struct Sample {
  palette::Rgb wanted{};  // their mean
  palette::Rgb look{};
  double weight = 0;  // how many
  palette::Metric metric{};
  palette::Mixture mixture{};  // of the colors as they are
};

// `colors` are light, or encoded values, as the samples' wanted colors are.
void fit_colors(std::vector<palette::Rgb>& colors, std::span<Sample> samples, Context& context);

}  // namespace dapple::dithering
