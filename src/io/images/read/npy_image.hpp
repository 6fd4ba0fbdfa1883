// Reads images from NumPy arrays, made by Dapple or other programs.
#pragma once

#include "io/images/read/array_image.hpp"

namespace dapple {

HeaderProbe probe_npy(const InputFile& file);
// Opens a NumPy array.
ModuleError open_npy(const InputFile& file, std::unique_ptr<ImageReader>& reader,
                     ImageHeader& header);

}  // namespace dapple
