// Reads the metadata of drawings that Dapple wrote.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dapple {

// Returns the key and text pairs that encode_svg() put into <metadata>, in order; empty if there
// are none. Reads only what encode_svg() writes, and never throws.
std::vector<std::pair<std::string, std::string>> svg_metadata(std::string_view svg);

// Returns the texts in the comments at the start of G-code that encode_gcode() wrote.
std::vector<std::pair<std::string, std::string>> gcode_metadata(std::string_view gcode);
// Returns the metadata that encode_dxf() wrote, as pairs of a name and a text.
std::vector<std::pair<std::string, std::string>> dxf_metadata(std::string_view dxf);

}  // namespace dapple
