// What formats have no room for: where the points of a .csv or .npy file lie, and their recipe, in
// a file beside it, `NAME.csv.json`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/points/placement.hpp"

namespace dapple {

struct Sidecar {
  std::optional<Placement> place;
  std::vector<std::pair<std::string, std::string>> metadata;
};

// What stands in the sidecar of the file of these bytes. Throws Error(input) that says what is
// wrong with it: no sidecar at all, or that of other bytes.
Sidecar decode_sidecar(std::string_view text, std::string_view bytes);

}  // namespace dapple
