// Returns a mesh as the text of an .obj file.
#pragma once

#include <string>

#include <dapple/dapple.hpp>

inline std::string obj_of(const dapple::Mesh& mesh) {
  std::string text;
  for (const dapple::Vec3& p : mesh.vertices) {
    text += "v " + dapple::shortest(p.x) + " " + dapple::shortest(p.y) + " " +
            dapple::shortest(p.z) + "\n";
  }
  for (const auto& t : mesh.triangles) {
    text += "f " + std::to_string(t[0] + 1) + " " + std::to_string(t[1] + 1) + " " +
            std::to_string(t[2] + 1) + "\n";
  }
  return text;
}
