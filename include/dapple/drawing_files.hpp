// Reads shapes of dots from files and writes drawings to files.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dapple/drawing.hpp"
#include "dapple/forward.hpp"
#include "dapple/points.hpp"

namespace dapple {

// Returns the shape in an SVG file, whatever its colors: all filled areas, and closed lines that
// are not filled. Open lines that are not filled become lines for pens. Curves become chords within
// 1/2000 of its extent. Throws Error(input) if there is no shape. Warns of clip paths, masks,
// filters and style rules that it does not honor.
Outline read_outline(const std::string& path, Context& context);
Outline decode_outline(std::string_view bytes, const Limits& limits);

// Returns compact SVG in millimeters, with one group per layer.
std::string encode_svg(const Drawing& drawing);
// Returns PDF of one page; each layer of the drawing is a layer that can be switched off.
std::string encode_pdf(const Drawing& drawing);
// Returns HP-GL in units of 0.025 mm, with one pen per layer. G-code is in millimeters and waits
// for a new pen before each layer after the first. The origin is the lower left corner.
std::string encode_hpgl(const Drawing& drawing);
std::string encode_gcode(const Drawing& drawing);
// Returns DXF of release 12 in millimeters from the lower left corner, with one layer per ink.
std::string encode_dxf(const Drawing& drawing);
// Returns a drawing in the format of `extension`. Throws Error(usage) if the format does not exist.
std::string encode_drawing(const Drawing& drawing, std::string_view extension);
std::span<const std::string_view> drawing_formats();  // extensions
bool is_drawing_format(std::string_view extension);
// Draws points as dots of half the radius, or half the size if they have one, on white at 96 dpi.
// Each class has a layer and a color; classes without names share 8 layers. Points without a radius
// become dots of a third of the mean spacing.
Drawing draw_points(const Points& points);

}  // namespace dapple
