// Writes animated PNG (PNG specification, third edition, 2025). Programs without animation show the
// last frame.
#pragma once

#include <string>

#include "draw/frame_sequence.hpp"

namespace dapple {

// Encodes the frames as an endless loop; each later frame holds only what changed. Throws
// Error(usage) for a movie without frames, with different sizes or over 255 colors.
std::string encode_animated_png(const Movie& movie);

}  // namespace dapple
