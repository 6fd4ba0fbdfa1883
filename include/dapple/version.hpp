// Declares the version of these headers, as macros, and of the linked library.
#pragma once

#include <string_view>

#include "dapple/version.h"

namespace dapple {

// Returns the version of the library, such as "0.1.0". It equals DAPPLE_VERSION in one build.
std::string_view version();

}  // namespace dapple
