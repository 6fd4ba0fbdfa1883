// JPEG files by libjpeg, which is there at once (see png_file.hpp).
#pragma once

#include <memory>
#include <string>

#include "io/images/module.hpp"
#include "io/images/read/input_file.hpp"

namespace dapple {

// Opens a JPEG file, of which it reads the pixels and how they lie, but no texts. No reader, and no
// error: the image module reads it, for it has a text of ours, is in CMYK, or names its orientation
// in XMP.
ModuleError open_jpeg(const InputFile& file, std::unique_ptr<ImageReader>& reader,
                      ImageHeader& header);

// Exif's orientation, 1..8, in the data of an APP1 marker; 0 where there is none.
int exif_orientation(std::string_view data);

}  // namespace dapple
