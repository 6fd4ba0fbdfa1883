// How golden images are compared.
//
// Pixel differences are no measure for dots: a picture moved by a quarter of a pixel differs more
// from itself than one that misses a corner. Seen through a wide Gaussian the order is right:
// harmless changes stay below 0.02, wrong pictures lie above. An exact hash beside it is the
// tripwire.
#pragma once

#include <string>

#include "dapple/plane.hpp"

namespace dapple::golden {

inline constexpr double harmless = 0.02;

// Largest difference of any channel after a Gaussian of `sigma` pixels, mirrored at the borders; 1
// where size or number of channels differ.
double blurred_difference(const Image& a, const Image& b, double sigma = 8);

// The image in at most `side` pixels a side, each the mean of what falls on it; values clamped to
// 0..1, as 8-bit files hold them.
Image thumbnail(const Image& image, int side);

// A hash of every value and name of an image, in hexadecimal.
std::string fingerprint(const Image& image);

}  // namespace dapple::golden
