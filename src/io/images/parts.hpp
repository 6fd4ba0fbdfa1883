// Files of several pages or parts, joined from files that hold one each. OpenImageIO writes
// several only into files with a name, where it drops what fails.
#pragma once

#include <string>
#include <vector>

#include "io/images/module.hpp"

namespace dapple {

// TIFF files of one page each (TIFF 6.0, 1992), one after the other; each is freed once it is
// taken. What is classic stays so: at most 4 GB.
ModuleError join_tiff_pages(std::vector<std::string> pages, std::string& file);

// OpenEXR files of one part each, scan lines with a name, as a multi-part file (OpenEXR file
// layout, version 2).
ModuleError join_exr_parts(std::vector<std::string> parts, std::string& file);

}  // namespace dapple
