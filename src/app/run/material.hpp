// Writes files that combine the outputs of a run into one material.
#pragma once

#include <string>
#include <vector>

#include "app/run/outputs.hpp"
#include "app/run/record.hpp"

namespace dapple::app {

// A material file, such as cobbles.gltf for cobbles_{output}.png.
struct PlannedMaterial {
  std::string format;
  std::string path;
  std::string textures;      // template of picture names with only {output} left
  std::string colorspace{};  // of the base color, by its name; "": the usual one
};

// Plans one material per format for outputs named by `names`. Throws Error(usage) if the outputs do
// not form a material, or if an output has the name of a material.
std::vector<PlannedMaterial> plan_materials(const std::vector<std::string>& formats,
                                            const std::vector<std::string>& names,
                                            const NameParts& parts,
                                            const std::vector<PlannedOutput>& outputs,
                                            const std::string& colorspace);
// Adds the materials to `files`; `record` must already hold the outputs of the run.
void write_materials(const std::vector<PlannedMaterial>& materials, FileGroup& files,
                     Record& record);

}  // namespace dapple::app
