// Tells names of files from words.
#pragma once

#include <string_view>

namespace dapple {

// Returns true if a value names a file, for options that take words too: it has a dot or a slash,
// and no color such as lab(54.3 80 -7).
inline bool is_file_name(std::string_view value) {
  return value.find_first_of("./") != std::string_view::npos &&
         value.find("lab(") == std::string_view::npos;
}

}  // namespace dapple
