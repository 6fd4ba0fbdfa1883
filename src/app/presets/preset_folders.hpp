// Locates the folders of presets and of tables of pens and machines.
#pragma once

#include <filesystem>
#include <vector>

namespace dapple::app {

// Returns the folders in search order: DAPPLE_PRESET_PATH (separated by colons), the user's
// presets, then share/dapple/presets beside the program's own folder.
std::vector<std::filesystem::path> preset_folders();

// Returns the user's folder for files of Dapple by the XDG base directory specification: that of
// `variable`, such as XDG_CONFIG_HOME, otherwise `below` the home folder. Returns "" without a
// home.
std::filesystem::path user_folder(const char* variable, const char* below);
// Returns the folder of the user's own presets, which may not exist; "" without a home.
std::filesystem::path user_presets();

}  // namespace dapple::app
