#include "app/presets/preset_folders.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "io/images/module.hpp"

namespace dapple::app {

namespace fs = std::filesystem;

fs::path user_preset_folder() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return fs::path(value != nullptr ? value : "");
  };
  const fs::path data = variable("XDG_DATA_HOME");
  // The base directory specification of freedesktop.org ignores relative paths.
  if (data.is_absolute()) return data / "dapple/presets";
  const fs::path home = variable("HOME");
  return home.is_absolute() ? home / ".local/share/dapple/presets" : fs::path();
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
  if (const fs::path own = user_preset_folder(); !own.empty()) folders.push_back(own);
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
