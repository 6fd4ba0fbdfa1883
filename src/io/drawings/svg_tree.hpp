// The shapes of an SVG file, in document order: groups, <use>, transforms and what children
// inherit. Styles in attributes and in style="" are followed, style sheets are not.
#pragma once

#include <functional>
#include <string_view>
#include <unordered_map>

#include "dapple/context.hpp"
#include "io/drawings/svg_path.hpp"
#include "io/drawings/xml.hpp"

namespace dapple {

// The style that children inherit.
struct SvgStyle {
  Affine to_page;
  double stroke_width = 1;  // in the units of the element
  std::string_view fill = "black";
  std::string_view stroke = "none";
  std::string_view fill_rule = "nonzero";
};

struct SvgSide {
  double pixels = 0;
  bool given = false;
};

// A length in pixels; percentages count as not given.
SvgSide svg_side(std::string_view text);
// The value of a property: style="" goes before the attribute.
std::string_view svg_property(const XmlElement& node, std::string_view name);
double svg_number(const XmlElement& node, std::string_view name);

class SvgTree {
 public:
  using Shape =
      std::function<void(const XmlElement& node, std::string_view name, const SvgStyle& style)>;

  // Of bytes that stay with the caller. Throws Error(input) for what is no SVG file, Error(limit)
  // for more than memory may hold.
  SvgTree(std::string_view bytes, const Limits& limits);

  const XmlElement& root() const { return document_.root(); }
  // Calls shape() for every element that may draw and is no group. Throws Error(limit) where <use>
  // repeats without end.
  void visit(const Affine& page, const Shape& shape);

 private:
  void collect_ids(const XmlElement& node, int depth);
  void children(const XmlElement& node, const SvgStyle& style, int depth);
  void element(const XmlElement& node, const SvgStyle& outer, int depth);
  void use(const XmlElement& node, SvgStyle style, int depth);

  XmlDocument document_;
  std::size_t visits_left_ = 0;
  const Shape* shape_ = nullptr;
  std::unordered_map<std::string_view, const XmlElement*> ids_;
};

}  // namespace dapple
