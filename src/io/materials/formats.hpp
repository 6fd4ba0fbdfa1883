// Declares the writers of materials.
#pragma once

#include "dapple/image_files.hpp"
#include "io/images/color/spaces.hpp"

namespace dapple {

std::string encode_gltf(const Material& material);
std::string encode_blender(const Material& material);
std::string encode_mtlx(const Material& material);
std::string encode_usd(const Material& material);

// Returns true if colors in files of this name are linear light.
bool is_linear_picture(std::string_view file);
// Returns the space of the material's color.
OutputSpace space_of_color(const Material& material);
// Returns the name with _ for all but ASCII letters and digits, and before a leading digit.
std::string identifier_of(std::string_view name);

}  // namespace dapple
