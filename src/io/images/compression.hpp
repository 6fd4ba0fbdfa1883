// How files pack values.
#pragma once

#include "io/images/module.hpp"

namespace dapple {

// Attributes for the writer of how.extension: lossless but for JPEG, and no slower than the values
// are worth. Floats of a large .exr are not packed where a sample of it saves less than a tenth.
Metadata packing_of(const Image& image, const ImageEncoding& how);
// The same of an image that is made by rows, and some of these.
Metadata packing_of(const Image& some, const ImageRows& rows, const ImageEncoding& how);

}  // namespace dapple
