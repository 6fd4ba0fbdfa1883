// Images of NumPy arrays, as Dapple and others write them.
#pragma once

#include <memory>

#include "io/images/module.hpp"
#include "io/images/read/claims.hpp"
#include "io/images/read/input_file.hpp"

namespace dapple {

Claim npy_claim(const InputFile& file);
// Opens such a file. No reader, and no error: it is another kind of file.
ModuleError open_npy(const InputFile& file, std::unique_ptr<ImageReader>& reader,
                     ImageHeader& header);

}  // namespace dapple
