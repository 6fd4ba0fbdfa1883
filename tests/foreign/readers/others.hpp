// Meshes as other libraries read them, to stand beside Dapple's own readers.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace readers {

// Three corners of each triangle, one after the other; places in a texture, v up, where all have
// one.
struct Triangles {
  std::vector<std::array<double, 3>> places;
  std::vector<std::array<double, 2>> uv;
};

struct Read {
  std::string refused;  // by the library; empty where it took the file
  std::string warned;
  std::size_t vertices = 0;
  std::size_t triangles = 0;
};

// Reads as `reader` says: tinyobj, tinyobj-triangles (which cuts polygons itself), tinygltf, or
// tinygltf-plain, which is told to leave pictures as they are and to open no other file. `wanted`:
// nullptr where nobody looks at the numbers.
Read read_by(const std::string& reader, const std::filesystem::path& file, Triangles* wanted);

// Where the instances of a .glb stand (EXT_mesh_gpu_instancing), by tinygltf.
std::vector<std::array<double, 3>> instances_of(const std::filesystem::path& file);

}  // namespace readers
