// Reads the format and size of an image from its header, before any library opens the file: a
// header of a few bytes can make a decoder allocate gigabytes. Every reader gets the format from
// this probe, and a file above the limits is not opened.
#pragma once

#include <string>

#include "io/images/read/format_probes.hpp"

namespace dapple {

HeaderProbe probe_header(const InputFile& file);

// Returns true for formats that need no permission by name.
bool is_common(const std::string& format);
// Returns true for a format of phones, which is read without `allow-format` in a process of its
// own.
bool is_of_phones(const std::string& format);

// Largest number of frames; animations have hundreds. TIFF decoders search each frame from the
// first one. That takes minutes if a file of a few megabytes claims ten times as many.
inline constexpr int most_frames = 10000;
// Counts pages of a TIFF or pictures of a GIF, up to `most`; returns 0 for other formats. Decoders
// of both walk the whole list at every step.
int count_pages(const InputFile& file, const std::string& format, int most);
// Returns the frames of an animated GIF, WebP or PNG, up to `most`; 0 or 1 if the file is still.
int count_animation(const InputFile& file, const std::string& format, int most);

}  // namespace dapple
