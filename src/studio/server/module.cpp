// Opens the module that serves the page.
#include "io/images/module.hpp"

#include "studio/server/transport.hpp"

namespace dapple::studio {

const TransportModule& transport_module() {
  static const auto* const module = static_cast<const TransportModule*>(open_table(
      {transport_file, "studio's module", DAPPLE_STUDIO_MARK,
       "which serves its page, is missing: on Debian, install the package dapple-plugins; if you "
       "build Dapple yourself, install esbuild and libboost-dev, and build again"},
      transport_symbol));
  return *module;
}

}  // namespace dapple::studio
