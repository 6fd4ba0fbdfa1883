#include "generate/registry.hpp"

namespace dapple {

Operation worley_operation() {
  Operation row;
  row.name = "worley";
  return row;
}

}  // namespace dapple
