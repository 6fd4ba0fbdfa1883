// Animated PNG (PNG specification, third edition, 2025), which programs that know of no animation
// show as its last frame.
#pragma once

#include <string>

#include "draw/movie.hpp"

namespace dapple {

// The frames, again and again; of each but the first only what differs from the one before. The
// picture of those that know of no animation is the last frame. Throws Error(usage) for a movie
// without frames, with frames of another size or more than 255 colors.
std::string encode_animated_png(const Movie& movie);

}  // namespace dapple
