// Joins files of one page or part into a file of several. OpenImageIO itself writes several only
// into named files, and loses errors there.
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

}  // namespace dapple
