// Reads images from NumPy arrays, made by Dapple or other programs.
#pragma once

#include <memory>

#include "io/images/module.hpp"
#include "io/images/read/format_probes.hpp"
#include "io/images/read/input_file.hpp"

namespace dapple {

HeaderProbe probe_npy(const InputFile& file);
// Opens a NumPy array.
ModuleError open_npy(const InputFile& file, std::unique_ptr<ImageReader>& reader,
                     ImageHeader& header);

}  // namespace dapple
