// Drawings in files, and shapes and dots that are drawn.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dapple/drawing.hpp"
#include "dapple/forward.hpp"
#include "dapple/points.hpp"

namespace dapple {

// The shape in an SVG file, whatever its colors: all that is filled, and closed lines that are
// not. Curves become chords within 1/2000 of its extent. Throws Error(input) where there is no such
// shape, and for lines that are open and not filled.
Outline read_outline(const std::string& path, const Context& context);
Outline decode_outline(std::string_view bytes, const Limits& limits);

// SVG in millimeters, compact, one group a layer.
std::string encode_svg(const Drawing& drawing);
// PDF of one page, a layer that can be switched off for each layer of the drawing.
std::string encode_pdf(const Drawing& drawing);
// HP-GL in units of 0.025 mm, a pen for each layer; and G-code in millimeters, which waits for a
// new pen before each layer after the first. Both have their origin at the lower left corner.
std::string encode_hpgl(const Drawing& drawing);
std::string encode_gcode(const Drawing& drawing);
// Any of them, by the extension. Throws Error(usage) where there is no such format.
std::string encode_drawing(const Drawing& drawing, std::string_view extension);
std::span<const std::string_view> drawing_formats();  // extensions
bool is_drawing_format(std::string_view extension);
// Points as a picture: dots of half the radius, or of the size where there is one, on white, at 96
// dpi, a layer and color for each class. Points without a radius become dots of a third of the
// mean spacing.
Drawing draw_points(const PointSet& points);

}  // namespace dapple
