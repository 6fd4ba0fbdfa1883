#include "app/presets/preset_folders.hpp"

#include <cstdlib>
#include <string_view>

#include "io/images/module.hpp"

namespace dapple::app {

namespace fs = std::filesystem;

std::vector<fs::path> preset_folders() {
  std::vector<fs::path> folders;
  if (const char* variable = std::getenv("DAPPLE_PRESET_PATH")) {
    std::string_view rest = variable;
#ifdef _WIN32
    constexpr char separator = ';';
#else
    constexpr char separator = ':';
#endif
    while (!rest.empty()) {
      const auto colon = rest.find(separator);
      if (colon != 0) folders.emplace_back(rest.substr(0, colon));
      if (colon == std::string_view::npos) break;
      rest.remove_prefix(colon + 1);
    }
  }
  // Folders beside the program or library, which may lie one level deeper.
  for (const fs::path& own : own_folders()) {
    for (const char* up : {".", "..", "../.."}) {
      const fs::path folder = (own / up / "share/dapple/presets").lexically_normal();
      std::error_code unknown;
      if (fs::is_directory(folder, unknown)) folders.push_back(folder);
    }
  }
  return folders;
}

}  // namespace dapple::app
