// Declares the writers of materials.
#pragma once

#include "dapple/image_files.hpp"

namespace dapple {

std::string encode_gltf(const Material& material);
std::string encode_blender(const Material& material);

}  // namespace dapple
