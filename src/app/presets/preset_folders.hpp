// Where presets lie, and tables of pens and machines.
#pragma once

#include <filesystem>
#include <vector>

namespace dapple::app {

// The folders in which they are looked for, in order: DAPPLE_PRESET_PATH (separated by colons),
// then share/dapple/presets beside the program's own folder.
std::vector<std::filesystem::path> preset_folders();

}  // namespace dapple::app
