// Reads the file `NAME.csv.json` beside a .csv or .npy file. It holds the domain and the recipe of
// the points, which these formats cannot hold.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/points/format.hpp"

namespace dapple {

struct Sidecar {
  std::optional<Placement> place;
  std::vector<std::pair<std::string, std::string>> metadata;
};

// Decodes the sidecar of the file with these `bytes`. Throws Error(input) if `text` is not a
// sidecar or was made for other bytes.
Sidecar decode_sidecar(std::string_view text, std::string_view bytes);

}  // namespace dapple
