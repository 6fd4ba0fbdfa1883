// Converts text to strokes, for the labels of the report sheet.
#pragma once

#include <string_view>
#include <vector>

#include "dapple/drawing.hpp"

namespace dapple {

enum class TextAlign { left, middle, right };

// Returns the strokes of one line of printable ASCII whose capitals are `height` tall; `at` lies on
// the baseline. Other characters show as an empty box.
std::vector<Polyline> lettering(std::string_view text, Vec2 at, double height, double stroke,
                                TextAlign align = TextAlign::left, bool upwards = false);

// Returns the width of a line of text.
double lettering_width(std::string_view text, double height);

}  // namespace dapple
