// Reads the file `NAME.csv.json` beside a .csv or .npy file. It holds the domain of the points and
// their recipe, for which these formats have no room.
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

// Decodes the sidecar of the file with these `bytes`. Throws Error(input) if `text` is not a
// sidecar or belongs to other bytes.
Sidecar decode_sidecar(std::string_view text, std::string_view bytes);

}  // namespace dapple
