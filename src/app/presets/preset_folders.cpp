#include "app/presets/preset_folders.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "io/images/module.hpp"

namespace dapple::app {

namespace fs = std::filesystem;

fs::path user_folder(const char* variable, const char* below) {
  const auto set = [](const char* name) -> const char* {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != 0 ? value : nullptr;
  };
  if (const char* const own = set(variable)) return fs::path(own) / "dapple";
#ifdef _WIN32
  if (const char* const own = set("LOCALAPPDATA")) return fs::path(own) / "dapple";
#endif
  const char* const home = set("HOME");
  return home != nullptr ? fs::path(home) / below / "dapple" : fs::path();
}

fs::path user_presets() {
  const fs::path folder = user_folder("XDG_CONFIG_HOME", ".config");
  return folder.empty() ? folder : folder / "presets";
}

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
  if (const fs::path own = user_presets(); !own.empty()) folders.push_back(own);
  // Folders beside the program or library, which may lie one level deeper.
  for (const fs::path& own : own_folders()) {
    for (const char* up : {".", "..", "../.."}) {
      const fs::path folder = (own / up / "share/dapple/presets").lexically_normal();
      std::error_code unknown;
      const bool is_known = std::find(folders.begin(), folders.end(), folder) != folders.end();
      if (!is_known && fs::is_directory(folder, unknown)) folders.push_back(folder);
    }
  }
  return folders;
}

}  // namespace dapple::app
