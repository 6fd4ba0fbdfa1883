// Defines inks, and separates a picture into them.
#pragma once

#include <string>
#include <vector>

#include "dapple/plane.hpp"
#include "dapple/stipple.hpp"

namespace dapple::stippling {

struct Ink {
  std::string name;
  std::string color;  // in a form that parse_color() reads
};

// Reads `cmyk`, colors separated by commas, or the colors of a palette file except the paper's.
// Throws Error(usage).
std::vector<Ink> parse_inks(const TextInput& input, const std::string& paper);

// The dots that a separation is for.
struct InkDots {
  double spacing = 0;      // mean, in pixels of the image; 0: reads every pixel
  bool from_afar = false;  // should have the colors of the picture from some spacings away
};

// A picture separated into inks.
struct Separation {
  Plane<float> darkness;  // area of paper that all inks cover, 0..1
  // The share of each ink in that area; they add up to 1. These planes may have fewer pixels.
  std::vector<Plane<float>> parts;
};

// Separates a picture into inks. Dots lie side by side, so the color of a place is the mean of inks
// and paper, weighted by area. Means are taken in linear light, or in encoded values for perceptual
// tone. A color that inks cannot mix becomes the nearest color that they can mix. Of mixtures
// within a hundredth, it takes the mixture of the most similar inks (palette::Mixer). Levels, gamma
// and mask of `field` then apply to the darkness. Throws Error(usage) for inks of the paper's color
// and maps that are not tones.
// `dots.spacing`: if the picture has many more pixels than dots, its pixels are averaged first, as
// dots show no finer detail. `dots.from_afar`: light that inks cannot mix goes to the neighborhood,
// and the darkness, which may exceed 1, is the ink of dots that overlap.
Separation separate(const Image& image, const MapOptions& field, const std::vector<Ink>& inks,
                    const std::string& paper, const InkDots& dots, Context& context);

}  // namespace dapple::stippling
