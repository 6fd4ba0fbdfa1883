// Locates the folders of presets and of tables of pens and machines.
#pragma once

#include <filesystem>
#include <vector>

namespace dapple::app {

// Returns the folders in search order: DAPPLE_PRESET_PATH (separated by colons), then
// share/dapple/presets beside the program's own folder.
std::vector<std::filesystem::path> preset_folders();

}  // namespace dapple::app
