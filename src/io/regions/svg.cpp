// Reads the filled shapes of an SVG file as regions, in the units of its root.
#include "dapple/error.hpp"
#include "io/drawings/svg_shapes.hpp"
#include "io/regions/formats.hpp"

namespace dapple {

Regions decode_svg_regions(std::string_view bytes, const Limits& limits) {
  SvgTree tree(bytes, limits);
  Regions regions;
  bool has_lines = false;
  for (SvgShape& shape : read_svg_shapes(tree)) {
    has_lines = has_lines || !shape.part.lines.empty();
    if (shape.part.rings.empty()) continue;
    Region& region = regions.all.emplace_back();
    region.name = shape.node.attribute("id").value();
    region.rings = std::move(shape.part.rings);
    for (const pugi::xml_attribute attribute : shape.node.attributes()) {
      std::string_view name = attribute.name();
      if (name == "d" || name == "points" || name == "style") continue;
      region.properties.emplace_back(name, attribute.value());
      if (name.starts_with("data-")) {
        region.properties.emplace_back(name.substr(5), attribute.value());
      }
    }
  }
  if (regions.all.empty()) throw Error(ErrorKind::input, "holds no filled shape");
  regions.notes = tree.notes();
  if (has_lines) regions.notes.emplace_back("open lines without a fill are left out");
  return regions;
}

}  // namespace dapple
