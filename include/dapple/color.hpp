// Reads colors as users write them.
#pragma once

#include <array>
#include <string_view>

namespace dapple {

// Returns #rgb, #rrggbb or a CSS color keyword as sRGB 0..1. Throws Error(usage) naming the text.
std::array<float, 3> parse_color(std::string_view text);

}  // namespace dapple
