// Reads JPEG files by libjpeg, which is always loaded (see png_file.hpp).
#pragma once

#include <memory>
#include <string>

#include "io/images/module.hpp"
#include "io/images/read/input_file.hpp"

namespace dapple {

// Opens a JPEG file and reads its pixels and orientation, but no texts. Returns no reader and no
// error if the image module must read it: it has a text of Dapple, is in CMYK without a profile, or
// names its orientation in XMP. CMYK with a profile has channels C, M, Y and K, inverted as Adobe
// writes them; header.profile converts them.
ModuleError open_jpeg(const InputFile& file, std::unique_ptr<ImageReader>& reader,
                      ImageHeader& header);

struct ExifFacts {
  int orientation = 0;       // 1..8; 0: not stated
  double dots_per_inch = 0;  // 0: not stated
};
// Returns what the data of an APP1 marker state.
ExifFacts exif_facts(std::string_view data);

}  // namespace dapple
