// Holds the files of the page inside the module.
#pragma once

#include <string_view>

namespace dapple::studio {

struct Asset {
  std::string_view bytes;
  std::string_view type;
};

// Returns the file at a URL path such as /, or nullptr if there is none.
const Asset* find_asset(std::string_view target);

}  // namespace dapple::studio
