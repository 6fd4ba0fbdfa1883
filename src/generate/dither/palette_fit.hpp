// Moves the colors of a palette to where a picture's mixtures of them are best.
#pragma once

#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "generate/dither/palette.hpp"

namespace dapple::dithering {

// A group of similar pixels of a picture.
struct Sample {
  palette::Rgb wanted{};  // their mean
  palette::Rgb look{};
  double weight = 0;  // number of pixels
  palette::Metric metric{};
  palette::Mixture mixture{};  // of the present colors
};

// Moves `colors`. They are light or encoded values, like the wanted colors of the samples.
void fit_colors(std::vector<palette::Rgb>& colors, std::span<Sample> samples, Context& context);

}  // namespace dapple::dithering
