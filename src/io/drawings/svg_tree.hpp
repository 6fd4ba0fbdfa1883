// Visits the shapes of an SVG file in document order, with groups, <use>, transforms and inherited
// styles of attributes, style="" and style sheets.
#pragma once

#include <functional>
#include <pugixml.hpp>
#include <string_view>
#include <unordered_map>

#include "dapple/forward.hpp"
#include "io/drawings/svg_path.hpp"
#include "io/drawings/svg_style_sheet.hpp"

namespace dapple {

// The style that children inherit.
struct SvgStyle {
  Affine to_page;
  double stroke_width = 1;  // in the units of the element
  std::string_view fill = "black";
  std::string_view stroke = "none";
  std::string_view fill_rule = "nonzero";
  bool visible = true;
  bool fills = true;  // the opacity of fills is above 0
  bool strokes = true;
};

struct SvgSide {
  double pixels = 0;
  bool given = false;
};

// Reads a length in pixels; treats percentages as missing.
SvgSide svg_side(std::string_view text);
// Returns the value of a property: the last one in style="", otherwise the attribute.
std::string_view svg_property(pugi::xml_node node, const char* name);
double svg_number(pugi::xml_node node, const char* name);

class SvgTree {
 public:
  using Shape =
      std::function<void(pugi::xml_node node, std::string_view name, const SvgStyle& style)>;

  // Parses UTF-8, or UTF-16 with a byte order mark; opens no other file. Throws Error(input) with
  // the line if `bytes` is not XML, and Error(limit) if memory does not suffice.
  SvgTree(std::string_view bytes, const Limits& limits);

  pugi::xml_node root() const { return document_.document_element(); }
  // Calls shape() for every visible element that may draw and is not a group; its fill or stroke is
  // "none" if it is transparent. Throws Error(limit) if <use>
  // repeats too often.
  void visit(const Affine& page, const Shape& shape);
  // Returns what the file asks for and visit() did not honor, as sentences.
  const std::vector<std::string>& notes() const { return notes_.all(); }

 private:
  void collect_rules(pugi::xml_node node, int depth);
  void collect_ids(pugi::xml_node node, int depth);
  void children(pugi::xml_node node, const SvgStyle& style, int depth);
  void element(pugi::xml_node node, const SvgStyle& outer, int depth);
  void use(pugi::xml_node node, SvgStyle style, int depth);

  pugi::xml_document document_;
  std::size_t visits_left_ = 0;
  std::size_t style_work_left_ = 0;
  SvgStyleSheet sheet_;
  SvgNotes notes_;
  const Shape* shape_ = nullptr;
  std::unordered_map<std::string_view, pugi::xml_node> ids_;
};

}  // namespace dapple
