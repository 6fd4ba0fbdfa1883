#include "generate/registry.hpp"

namespace dapple {

Operation sample_operation() {
  Operation row;
  row.name = "sample";
  return row;
}

}  // namespace dapple
