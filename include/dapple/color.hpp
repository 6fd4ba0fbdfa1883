// Colors as users write them.
#pragma once

#include <array>
#include <string_view>

namespace dapple {

// #rgb, #rrggbb or a color keyword of CSS as sRGB 0..1; throws Error(usage) naming the text.
std::array<float, 3> parse_color(std::string_view text);

}  // namespace dapple
