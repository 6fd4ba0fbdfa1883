#pragma once

#include <string_view>

namespace dapple {

// Writes all bytes into an open file: 0, or the error code of the system.
int write_all(int descriptor, std::string_view bytes);

}  // namespace dapple
