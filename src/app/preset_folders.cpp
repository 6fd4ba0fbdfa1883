#include "app/preset_folders.hpp"

#include <cstdlib>
#include <string_view>

namespace dapple::app {

namespace fs = std::filesystem;

std::vector<fs::path> preset_folders() {
  std::vector<fs::path> folders;
  if (const char* variable = std::getenv("DAPPLE_PRESET_PATH")) {
    std::string_view rest = variable;
    while (!rest.empty()) {
      const auto colon = rest.find(':');
      if (colon != 0) folders.emplace_back(rest.substr(0, colon));
      if (colon == std::string_view::npos) break;
      rest.remove_prefix(colon + 1);
    }
  }
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  if (!unknown) folders.push_back(program.parent_path().parent_path() / "share/dapple/presets");
  return folders;
}

}  // namespace dapple::app
