#include "generate/registry.hpp"

namespace dapple {

Operation mask_operation() {
  Operation row;
  row.name = "mask";
  return row;
}

}  // namespace dapple
