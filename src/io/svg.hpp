// What an SVG file written here says about itself.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dapple {

// The key and text pairs that encode_svg() put into <metadata>, in order; empty for an SVG without
// them. Reads only what encode_svg() writes, never fails.
std::vector<std::pair<std::string, std::string>> svg_metadata(std::string_view svg);

}  // namespace dapple
