// Reads the format and size of an image from its header, before any library opens the file: a
// header of a few bytes can make a decoder take gigabytes. Every reader relies on this one probe
// for the format, and no file is opened whose size is not within the limits.
#pragma once

#include <string>

#include "io/images/read/format_probes.hpp"

namespace dapple {

HeaderProbe probe_header(const InputFile& file);

// True for formats that are read without being allowed by name.
bool is_common(const std::string& format);

// Animations have hundreds of frames. Decoders of TIFF look for each from the first on, which takes
// minutes where a file of a few megabytes claims ten times as many.
inline constexpr int most_frames = 10000;
// Pages of a TIFF or pictures of a GIF, of which decoders walk the whole list at every step; 0 for
// other formats. Stops at `most`.
int count_pages(const InputFile& file, const std::string& format, int most);

}  // namespace dapple
