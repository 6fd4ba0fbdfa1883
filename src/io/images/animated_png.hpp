// Writes animated PNG (PNG specification, third edition, 2025). Programs that know no animation
// show its last frame.
#pragma once

#include <string>

#include "draw/frame_sequence.hpp"

namespace dapple {

// Encodes the frames in an endless loop; each frame after the first holds only what changed. Throws
// Error(usage) for a movie without frames, with frames of another size or more than 255 colors.
std::string encode_animated_png(const Movie& movie);

}  // namespace dapple
