// Files that make one material of the pictures of a texture, for programs that render it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dapple {

// Pictures beside each other, and what they are of.
struct Material {
  struct Texture {
    std::string output;  // color, height, normal, roughness, occlusion; others are left aside
    std::string file;    // its name, in the folder of the material's file
  };
  std::string name = {};
  int width = 1;  // of the pictures, pixels
  int height = 1;
  double full_height = 0;  // pixels that the whole range of the height stands for; 0: not known
  std::vector<Texture> textures = {};

  // The file of one output, "" where there is none.
  std::string file_of(std::string_view output) const;
};

// What such files are for, as users write it: gltf, blender; and the extension of each.
std::span<const std::string_view> material_formats();
std::string_view extension_of_material(std::string_view format);
// Throws Error(usage) where the format cannot take pictures of this extension.
void check_pictures(std::string_view format, std::string_view extension);

// The bytes of the file: glTF 2.0 (Khronos), a plane that shows the material once; or Python for
// Blender, which builds the nodes of the material and, run alone, such a plane. Normals must point
// up in green. Throws Error(usage) where the format cannot take the pictures.
std::string encode_material(const Material& material, std::string_view format);

}  // namespace dapple
