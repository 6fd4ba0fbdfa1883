// Locates the folders of presets and of tables of pens and machines.
#pragma once

#include <filesystem>
#include <vector>

namespace dapple::app {

// Returns the folder of the user's own presets and tools, dapple/presets in XDG_DATA_HOME (by
// default
// ~/.local/share), whether it exists or not; empty if the user has no home.
std::filesystem::path user_preset_folder();

// Returns the folders in search order: DAPPLE_PRESET_PATH (separated by colons), the user's own,
// then share/dapple/presets beside the program's own folder.
std::vector<std::filesystem::path> preset_folders();

}  // namespace dapple::app
