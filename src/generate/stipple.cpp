#include "generate/registry.hpp"

namespace dapple {

Operation stipple_operation() {
  Operation row;
  row.name = "stipple";
  return row;
}

}  // namespace dapple
