// The files of the page, as they stand in the module.
#pragma once

#include <string_view>

namespace dapple::studio {

struct Asset {
  std::string_view bytes;
  std::string_view type;
};

// The file of this path, such as /; nullptr where there is none.
const Asset* find_asset(std::string_view target);

}  // namespace dapple::studio
