// Removes blanks around a part of a text, such as an item of a list.
#pragma once

#include <string_view>

namespace dapple {

// Removes spaces, tabs and line ends at both ends.
inline std::string_view trim_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\f";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace dapple
