#include "app/presets/preset_folders.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "dapple/error.hpp"
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

namespace {

fs::path presets_in(const fs::path& folder) {
  return folder.empty() ? folder : folder / "presets";
}

}  // namespace

fs::path user_presets() {
  return presets_in(user_folder("XDG_DATA_HOME", ".local/share"));
}

fs::path former_user_presets() {
  return presets_in(user_folder("XDG_CONFIG_HOME", ".config"));
}

void make_user_folder(const fs::path& folder) {
  if (folder.empty()) {
    throw Error(ErrorKind::output,
                "there is no folder for your own files: set HOME, or XDG_DATA_HOME, to a folder");
  }
  std::error_code failure;
  const bool is_new = fs::create_directories(folder, failure);
  if (failure) {
    throw Error(ErrorKind::output, "cannot be created: " + failure.message(), folder.string());
  }
  if (is_new) fs::permissions(folder, fs::perms::owner_all, failure);
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
  const auto add = [&](const fs::path& folder) {
    const bool is_known = std::find(folders.begin(), folders.end(), folder) != folders.end();
    if (!is_known && !folder.empty()) folders.push_back(folder);
  };
  add(user_presets());
  add(former_user_presets());
  // Folders beside the program or library, which may lie one level deeper.
  for (const fs::path& own : own_folders()) {
    for (const char* up : {".", "..", "../.."}) {
      const fs::path folder = (own / up / "share/dapple/presets").lexically_normal();
      std::error_code unknown;
      if (fs::is_directory(folder, unknown)) add(folder);
    }
  }
  return folders;
}

}  // namespace dapple::app
