// Finds and opens the image module. It lies at the path that the user gives, beside this library or
// program (as built or installed, even if moved), or in the installation folder.
#include "io/images/module.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <sys/resource.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

extern char** environ;

#include "dapple/version.hpp"

namespace dapple {
namespace {

namespace fs = std::filesystem;

const ModuleFile image_file{
    "dapple-image.so", "image module", DAPPLE_MODULE_MARK,
    "which reads and writes most kinds of image files, is missing; install "
    "it (on Debian: the package dapple-formats) or set DAPPLE_MODULE_PATH to "
    "its folder"};

std::vector<fs::path> places(const std::string& file_name) {
  std::vector<fs::path> found;
  if (const char* given = std::getenv("DAPPLE_MODULE_PATH"); given != nullptr && *given != 0) {
    const fs::path path(given);
    // DAPPLE_MODULE_PATH may name the file of the image module; other modules lie beside it.
    const bool is_file = path.extension() == ".so";
    const bool is_it = is_file && file_name == image_file.file;
    found.push_back(is_it ? path : (is_file ? path.parent_path() : path) / file_name);
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

[[noreturn]] void fail(const std::string& why, const fs::path& path) {
  throw Error(ErrorKind::internal, why, path.string());
}

struct stat status_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) fail("cannot be found", path);
  return status;
}

// The owner of the running program controls it anyway.
bool is_trusted(uid_t owner) {
  return owner == 0 || owner == ::geteuid() || owner == status_of("/proc/self/exe").st_uid;
}

// Throws if a module must not be loaded, since loading cannot be undone. Other users must not be
// able to write to the module or to the decoding program beside it. The module must contain the
// mark of this version.
void check_module(const fs::path& path, const ModuleFile& module) {
  const fs::path folder = path.parent_path();
  for (const fs::path& checked : {path, folder, folder / decoder_name}) {
    std::error_code ignored;
    if (checked.filename() == decoder_name && !fs::exists(checked, ignored)) continue;
    const struct stat status = status_of(checked);
    if ((status.st_mode & S_IWOTH) != 0) {
      fail("the " + module.what + " is not loaded because every user can write to " +
               checked.string(),
           path);
    }
    if (!is_trusted(status.st_uid)) {
      fail("the " + module.what + " is not loaded because " + checked.string() +
               " belongs to another user than you, root or the owner of the program",
           path);
    }
  }
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.find(module.mark + '\0') != std::string::npos) return;
  fail("the " + module.what +
           " belongs to another version of Dapple; install both from one build, or set "
           "DAPPLE_MODULE_PATH to the right folder",
       path);
}

// Throws if the address space is too small for the libraries and their threads. Some libraries end
// the process if it runs out while they load.
void require_address_space() {
  constexpr rlim_t needed = 448 << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  if (pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + needed <= limit.rlim_cur) return;
  throw Error(ErrorKind::limit,
              "the image module needs " + std::to_string(needed >> 20) +
                  " MB of address space, more than is left; raise the limit with ulimit -v");
}

const ImageModule& open_module(const fs::path& path) {
  require_address_space();
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const std::string why = dlerror();
    for (const std::string& sign :
         {std::generic_category().message(ENOMEM), std::string("failed to map segment")}) {
      if (why.find(sign) == std::string::npos) continue;
      throw Error(ErrorKind::limit, "not enough memory to load the image module");
    }
    throw Error(ErrorKind::internal, "the image module cannot be loaded: " + why);
  }
  using Entry = const ImageModule* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(handle, image_module_symbol));
  const ImageModule* module = entry == nullptr ? nullptr : entry();
  if (module == nullptr) fail("is not an image module", path);
  return *module;
}

fs::path find_module(const ModuleFile& module) {
  std::string looked;
  for (const fs::path& path : places(module.file)) {
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) return fs::canonical(path);
    looked += (looked.empty() ? "" : ", ") + path.string();
  }
  throw Error(ErrorKind::internal,
              "the " + module.what + ", " + module.missing + ". Searched: " + looked);
}

}  // namespace

const ImageModule& image_module(std::string_view) {
  // If it throws, the next call tries again.
  static const ImageModule& module = open_module(image_module_path());
  return module;
}

std::string image_module_path() {
  static const std::string path = trusted_module(image_file);
  return path;
}

std::string trusted_module(const ModuleFile& module) {
  const fs::path found = find_module(module);
  check_module(found, module);
  return found.string();
}

const void* open_table(const ModuleFile& module, const char* entry) {
  try {
    const std::string path = trusted_module(module);
    void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) fail("cannot be opened: " + std::string(dlerror()), path);
    using Entry = const void* (*)();
    const auto open = reinterpret_cast<Entry>(dlsym(handle, entry));
    const void* const table = open == nullptr ? nullptr : open();
    if (table == nullptr) fail("is not the " + module.what, path);
    return table;
  } catch (const Error& error) {
    // A missing module is not a fault of the program.
    throw Error(ErrorKind::usage, error.what(), error.file());
  }
}

std::span<const std::string_view> loading_variables() {
  // For the module's libraries and their own: colors, cameras, maps, films, fonts, ciphers.
  static constexpr std::array<std::string_view, 37> beginnings{
      "LD_",         "GCONV_PATH", "OIIO_",    "OPENIMAGEIO_", "OCIO",       "OPENCV_",
      "LIBHEIF_",    "FFREPORT",   "DCMDICT",  "GDCM_",        "BLOSC_",     "HDF5_",
      "GDAL_",       "OGR_",       "CPL_",     "PROJ_",        "GEOTIFF_",   "MAGICK_",
      "CAMLIBS",     "IOLIBS",     "GST_",     "GIO_",         "GDK_PIXBUF", "LTDL_LIBRARY_PATH",
      "LIBVA_",      "VDPAU_",     "LIBGL_",   "MFX_",         "OCL_ICD_",   "OPENCL_",
      "FONTCONFIG_", "OPENSSL_",   "P11_KIT_", "NSS_",         "SASL_PATH",  "ODBC",
      "KRB5_"};
  return beginnings;
}

const std::string& color_config_path() {
  static const std::string path = [] {
    const char* const given = std::getenv("OCIO");
    return std::string(given == nullptr ? "" : given);
  }();
  return path;
}

void clear_environment() {
  color_config_path();  // keeps it
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    for (const std::string_view beginning : loading_variables()) {
      if (text.starts_with(beginning)) names.emplace_back(text.substr(0, text.find('=')));
    }
  }
  for (const std::string& name : names) ::unsetenv(name.c_str());
}

}  // namespace dapple
