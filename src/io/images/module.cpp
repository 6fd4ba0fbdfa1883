// Finds and opens the image module: where the user says, beside this library or program (as built
// and as installed, wherever the tree was moved to), or where it was meant to be installed.
#include "io/images/module.hpp"

#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <set>

#include "dapple/version.hpp"

namespace dapple {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "dapple-image.so";

// Folders of the running program and of the library that holds this function.
std::vector<fs::path> own_folders() {
  std::vector<fs::path> folders;
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&image_module), &info) != 0 && info.dli_fname) {
    folders.push_back(fs::path(info.dli_fname).parent_path());
  }
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  if (!program.empty()) folders.push_back(program.parent_path());
  return folders;
}

std::vector<fs::path> places() {
  std::vector<fs::path> found;
  if (const char* given = std::getenv("DAPPLE_MODULE_PATH"); given != nullptr && *given != 0) {
    const fs::path path(given);
    found.push_back(path.extension() == ".so" ? path : path / file_name);
  }
  for (const fs::path& folder : own_folders()) {
    for (const char* relative : {".", "dapple", "../lib/dapple", "../" DAPPLE_LIBDIR "/dapple"}) {
      found.push_back((folder / relative / file_name).lexically_normal());
    }
  }
  found.push_back(fs::path(DAPPLE_MODULE_FOLDER) / file_name);
  std::set<fs::path> seen;
  std::erase_if(found, [&](const fs::path& path) { return !seen.insert(path).second; });
  return found;
}

const ImageModule& open_module(const fs::path& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* why = dlerror();
    throw Error(ErrorKind::internal,
                "the image module cannot be opened: " + std::string(why ? why : "unknown reason"));
  }
  using Entry = const ImageModule* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(handle, image_module_symbol));
  const ImageModule* module = entry == nullptr ? nullptr : entry();
  if (module == nullptr || std::string_view(module->version) != DAPPLE_VERSION) {
    throw Error(ErrorKind::internal,
                "the image module belongs to another version of Dapple; install both from one "
                "build, or set DAPPLE_MODULE_PATH to the right folder",
                path.string());
  }
  return *module;
}

const ImageModule& find_module() {
  std::string looked;
  for (const fs::path& path : places()) {
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) return open_module(path);
    looked += "\n  " + path.string();
  }
  throw Error(ErrorKind::internal,
              "the image module, which reads and writes image files, is missing; install it or set "
              "DAPPLE_MODULE_PATH to its folder. It was looked for at" +
                  looked);
}

}  // namespace

const ImageModule& image_module() {
  static const ImageModule& module = find_module();  // tried again at the next call if it throws
  return module;
}

}  // namespace dapple
