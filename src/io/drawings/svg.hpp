// The metadata that a drawing written here carries.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dapple {

// The key and text pairs that encode_svg() put into <metadata>, in order; empty for an SVG without
// them. Reads only what encode_svg() writes, never fails.
std::vector<std::pair<std::string, std::string>> svg_metadata(std::string_view svg);

// The texts in the comments at the start of what encode_gcode() wrote.
std::vector<std::pair<std::string, std::string>> gcode_metadata(std::string_view gcode);

}  // namespace dapple
