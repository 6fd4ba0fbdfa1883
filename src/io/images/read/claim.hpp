// What a file is, and how many pixels it claims to hold, by its own bytes and before any library
// opens it: a header of a few bytes can make a decoder take gigabytes.
#pragma once

#include <string>

#include "io/images/read/claims.hpp"

namespace dapple {

Claim claim_of(const InputFile& file);

// True for formats that are read without being allowed by name.
bool is_common(const std::string& format);

// Animations have hundreds of frames. Decoders of TIFF look for each from the first on, which takes
// minutes where a file of a few megabytes claims ten times as many.
inline constexpr int most_frames = 10000;
// Pages of a TIFF or pictures of a GIF, of which decoders walk the whole list at every step; 0 for
// other formats. Stops at `most`.
int count_pages(const InputFile& file, const std::string& format, int most);

}  // namespace dapple
