// Opens the module that serves the page.
#include "io/images/module.hpp"

#include <dlfcn.h>

#include "dapple/error.hpp"
#include "studio/server/transport.hpp"

namespace dapple::studio {
namespace {

const TransportModule& open_module(const std::string& path) {
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    throw Error(ErrorKind::internal,
                "the studio's module cannot be opened: " + std::string(dlerror()));
  }
  using Entry = const TransportModule* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(handle, transport_symbol));
  const TransportModule* const module = entry == nullptr ? nullptr : entry();
  if (module == nullptr) throw Error(ErrorKind::internal, "is not a studio module", path);
  return *module;
}

}  // namespace

const TransportModule& transport_module() {
  static const TransportModule& module = [&]() -> const TransportModule& {
    try {
      return open_module(trusted_module(
          {transport_file, "studio's module", DAPPLE_STUDIO_MARK,
           "which serves its page, is missing: on Debian, install the package dapple-plugins; if "
           "you build Dapple yourself, install esbuild and libboost-dev, and build again"}));
    } catch (const Error& error) {
      // A missing module is not a fault of the program.
      throw Error(ErrorKind::usage, error.what());
    }
  }();
  return module;
}

}  // namespace dapple::studio
