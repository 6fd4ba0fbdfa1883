// Reads textures for graphics interfaces, of any program: DDS and KTX 2.0, uncompressed, with one
// face. Levels below the first are skipped. Layers and layers of a volume become slices.
#pragma once

#include "io/images/read/array_image.hpp"

namespace dapple {

// Returns true for textures whose pixel format encode_dds() or encode_ktx2() writes.
bool is_plain_dds(const InputFile& file);
HeaderProbe probe_texture(const InputFile& file);
ModuleError open_texture(const InputFile& file, std::unique_ptr<ImageReader>& reader,
                         ImageHeader& header);

}  // namespace dapple
