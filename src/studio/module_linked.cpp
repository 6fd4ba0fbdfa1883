// Stands in for module.cpp where the program contains what serves the page.
#include "studio/transport.hpp"

namespace dapple::studio {

const TransportModule& transport_module() {
  return *dapple_studio_module();
}

}  // namespace dapple::studio
