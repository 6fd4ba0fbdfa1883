// Reads the shapes of an SVG file as polygons.
#pragma once

#include <pugixml.hpp>
#include <vector>

#include "dapple/drawing.hpp"
#include "io/drawings/svg_tree.hpp"

namespace dapple {

struct SvgShape {
  pugi::xml_node node;  // of the tree
  Outline::Part part;   // in the units of the root, on the page
};
// Returns all filled areas and closed lines, and open lines that are not filled. Curves become
// chords within 1/2000 of the extent of all. Throws Error(input) if there is no shape.
std::vector<SvgShape> read_svg_shapes(SvgTree& tree);

}  // namespace dapple
