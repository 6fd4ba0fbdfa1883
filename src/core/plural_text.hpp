// Writes counts of things in messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dapple {

// Returns texts such as `1 face is` and `2 faces are`, from " face is" and " faces are".
inline std::string counted(std::int64_t count, std::string_view one, std::string_view more) {
  return std::to_string(count).append(count == 1 ? one : more);
}

}  // namespace dapple
