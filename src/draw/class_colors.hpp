// Defines colors of classes of points, for pictures of any kind.
#pragma once

#include <array>

namespace dapple {

// Colors that people with any color vision tell apart (Okabe, Ito 2008), black first. More classes
// repeat the colors.
inline constexpr std::array<const char*, 8> class_colors{
    "#000000", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442"};

}  // namespace dapple
