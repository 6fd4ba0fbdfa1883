// Writes files of several pages, parts or frames. OpenImageIO itself writes several only into named
// files, and loses errors there.
#pragma once

#include <string>
#include <vector>

#include "io/images/module.hpp"

namespace dapple {

// Joins TIFF files of one page each (TIFF 6.0, 1992); frees each page once it is copied. The result
// is a classic TIFF of at most 4 GB.
ModuleError join_tiff_pages(std::vector<std::string> pages, std::string& file);

// Joins OpenEXR files of one part each, as named parts of scanlines, into a multi-part file
// (OpenEXR file layout, version 2).
ModuleError join_exr_parts(std::vector<std::string> parts, std::string& file);

// Writes indices of image.hints.palette, at most 256 colors, as GIF; slices are frames.
ModuleError encode_gif(const Image& image, std::string& bytes, const ImageProgress& progress);

}  // namespace dapple
