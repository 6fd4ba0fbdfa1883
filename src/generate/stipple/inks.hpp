// Inks, and how much of each a picture asks for.
#pragma once

#include <string>
#include <vector>

#include "dapple/color.hpp"
#include "dapple/stipple.hpp"

namespace dapple::stippling {

struct Ink {
  std::string name;
  std::string color;  // as parse_color() reads it
};

// `cmyk`, colors separated by commas, or the colors of a palette file but the paper's. Throws
// Error(usage).
std::vector<Ink> parse_inks(const TextInput& input, const std::string& paper);

// A picture separated into inks.
struct Separation {
  Plane<float> darkness;            // paper covered by all of them together, 0..1
  std::vector<Plane<float>> parts;  // how much of that is of each ink; they add up to 1
};

// Dots lie side by side, so the mean of a place is that of its inks and the paper, weighted by the
// areas they cover: in linear light, or for perceptual tone in encoded values. What inks cannot mix
// becomes the nearest color that they can; where several mixtures will do, and a hundredth off, it
// is the one whose inks look most alike (palette::Mixer). Levels, gamma and mask of `field` then
// apply to the darkness. Throws Error(usage) for inks of the paper's color and maps that are no
// tones.
Separation separate(const Image& image, const MapOptions& field, const std::vector<Ink>& inks,
                    const std::string& paper, Context& context);

}  // namespace dapple::stippling
