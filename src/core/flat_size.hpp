// Sizes of what has no depth.
#pragma once

#include <string>
#include <string_view>

#include "dapple/error.hpp"
#include "dapple/units.hpp"

namespace dapple {

// What is wrong with the text of a size where nothing is deep, or "".
inline std::string flat_size(std::string_view text) {
  Size size;
  try {
    from_text(text, size);
  } catch (const Error&) {
    return "";  // which is told elsewhere
  }
  return size.depth == 1 ? "" : "must be width by height, such as 512x256: nothing here is deep";
}

}  // namespace dapple
