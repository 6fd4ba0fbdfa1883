// Splits texts into parts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dapple {

// Returns the parts between separators, one more than there are separators. Parts may be empty.
inline std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (auto end = text.find(separator); end != text.npos; end = text.find(separator)) {
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  parts.emplace_back(text);
  return parts;
}

}  // namespace dapple
