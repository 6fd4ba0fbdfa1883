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
// Return the folder in which the user's own presets are saved, and the folder in which earlier
// builds saved them, which is still searched. They may not exist; "" without a home.
std::filesystem::path user_presets();
std::filesystem::path former_user_presets();

// Creates a folder for the user's own files, which only the user can read. Throws Error(output),
// also for "".
void make_user_folder(const std::filesystem::path& folder);

}  // namespace dapple::app
