#include "generate/registry.hpp"

namespace dapple {

Operation dither_operation() {
  Operation row;
  row.name = "dither";
  return row;
}

}  // namespace dapple
