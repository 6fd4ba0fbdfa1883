// The version of these headers, as macros, and of the library that was linked.
#pragma once

#include <string_view>

#include "dapple/version.h"

namespace dapple {

// Such as "0.1.0"; other than DAPPLE_VERSION where headers and library are not of one build.
std::string_view version();

}  // namespace dapple
