// Reads GIF by giflib inside the image module. OpenImageIO composites animations wrongly: it
// ignores the disposal `restore to previous`, and clears the whole picture for `restore to
// background`.
#pragma once

#include <memory>

#include "io/images/module.hpp"

namespace dapple {

// Opens a GIF file; frames are composited (GIF89a, CompuServe 1990), as browsers show them. See
// ImageModule::open.
ModuleError open_gif(int descriptor, std::unique_ptr<BandReader>& reader, ImageHeader& header);

}  // namespace dapple
