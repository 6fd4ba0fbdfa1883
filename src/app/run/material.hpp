// Files that make one material of the outputs of a run.
#pragma once

#include <string>
#include <vector>

#include "app/run/outputs.hpp"
#include "app/run/record.hpp"

namespace dapple::app {

// Such a file: cobbles.gltf for cobbles_{output}.png.
struct PlannedMaterial {
  std::string format;
  std::string path;
  std::string textures;  // template of the names of its pictures, filled but for {output}
};

// Those in these formats, for outputs by these templates. Throws Error(usage) where its outputs are
// none of a material, or one has the name of such a file.
std::vector<PlannedMaterial> plan_materials(const std::vector<std::string>& formats,
                                            const std::vector<std::string>& names,
                                            const NameParts& parts,
                                            const std::vector<PlannedOutput>& outputs);
// Adds them to the files of the run, whose outputs are recorded already.
void write_materials(const std::vector<PlannedMaterial>& materials, FileGroup& files,
                     Record& record);

}  // namespace dapple::app
