// The list of operations: a new one adds its line here.
#include "generate/registry.hpp"

namespace dapple {

const std::vector<Operation>& operations() {
  static const std::vector<Operation> rows = {
      sample_operation(), stipple_operation(), mask_operation(),
      worley_operation(), dither_operation(),
  };
  return rows;
}

const Operation* find_operation(std::string_view name) {
  for (const Operation& row : operations()) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace dapple
