// Writes files that make one material of the pictures of a texture, for rendering programs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dapple {

// Pictures in one folder, and their meaning.
struct Material {
  struct Texture {
    std::string output;  // color, height, normal, roughness, occlusion; others are ignored
    std::string file;    // its name, in the folder of the material's file
  };
  std::string name = {};
  int width = 1;  // of the pictures, pixels
  int height = 1;
  double full_height = 0;  // pixels that the whole range of the height stands for; 0: unknown
  std::vector<Texture> textures = {};

  // Returns the file of one output, or "" if there is none.
  std::string file_of(std::string_view output) const;
};

// Returns the target programs as users write them (gltf, blender), and the file extension of one.
std::span<const std::string_view> material_formats();
std::string_view extension_of_material(std::string_view format);
// Throws Error(usage) if the format does not take pictures with this extension.
void check_pictures(std::string_view format, std::string_view extension);

// Returns the bytes of the file. gltf: glTF 2.0 (Khronos), a plane that shows the material once.
// blender: Python that builds the nodes of the material, and if run alone also such a plane.
// Normals must point up in green. Throws Error(usage) if the format cannot take the pictures.
std::string encode_material(const Material& material, std::string_view format);

}  // namespace dapple
