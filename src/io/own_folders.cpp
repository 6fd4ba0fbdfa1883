// Finds the folders of this program and library, beside which modules and presets lie.
#include <algorithm>
#include <filesystem>
#include <system_error>
#ifndef _WIN32
#include <dlfcn.h>
#endif

#include "io/images/module.hpp"

namespace dapple {

namespace fs = std::filesystem;

std::vector<fs::path> own_folders() {
#ifdef _WIN32
  return {program_file().parent_path()};
#else
  std::vector<fs::path> folders;
  Dl_info info{};
  std::error_code ignored;
  // out of reach: a program that is linked statically
  if (dladdr(reinterpret_cast<const void*>(&own_folders), &info) != 0 && info.dli_fname) {
    const fs::path library = fs::canonical(info.dli_fname, ignored);
    folders.push_back((ignored ? fs::path(info.dli_fname) : library).parent_path());
  }
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  // out of reach: a system without /proc
  if (!program.empty() &&
      std::find(folders.begin(), folders.end(), program.parent_path()) == folders.end()) {
    folders.push_back(program.parent_path());
  }
  return folders;
#endif
}

}  // namespace dapple
