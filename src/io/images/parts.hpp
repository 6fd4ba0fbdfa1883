// Joins files of one page or part each into a file of several. OpenImageIO writes several only into
// files with a name, and drops errors there.
#pragma once

#include <string>
#include <vector>

#include "io/images/module.hpp"

namespace dapple {

// Joins TIFF files of one page each (TIFF 6.0, 1992), and frees each page once it is taken. Classic
// files stay classic: at most 4 GB.
ModuleError join_tiff_pages(std::vector<std::string> pages, std::string& file);

// Joins OpenEXR files of one part each, scanlines with a name, into a multi-part file (OpenEXR file
// layout, version 2).
ModuleError join_exr_parts(std::vector<std::string> parts, std::string& file);

}  // namespace dapple
