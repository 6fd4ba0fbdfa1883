#include "io/drawings/svg_tree.hpp"

#include <algorithm>

#include "dapple/error.hpp"

namespace dapple {
namespace {

constexpr int deepest = 200;

std::string_view local_name(const XmlElement& node) {
  const std::string_view name = node.name();
  const auto colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

void check_depth(int depth) {
  if (depth > deepest) {
    throw Error(ErrorKind::input,
                "its elements are nested more than " + std::to_string(deepest) + " levels deep");
  }
}

SvgStyle inherited(const XmlElement& node, SvgStyle style) {
  if (const auto text = svg_property(node, "transform"); !text.empty()) {
    style.to_page = style.to_page * parse_transform(text);
  }
  if (const auto text = svg_property(node, "stroke-width"); !text.empty()) {
    style.stroke_width = svg_side(text).pixels;
  }
  if (const auto text = svg_property(node, "fill"); !text.empty()) style.fill = text;
  if (const auto text = svg_property(node, "stroke"); !text.empty()) style.stroke = text;
  if (const auto text = svg_property(node, "fill-rule"); !text.empty()) style.fill_rule = text;
  return style;
}

// The shortest element, "<a/>", becomes one of 40 bytes and an entry in a list.
void require_room(std::string_view bytes, const Limits& limits) {
  Context context;
  context.limits = limits;
  context.require_memory(17.0 * static_cast<double>(bytes.size()), "an SVG file of this size");
}

}  // namespace

SvgSide svg_side(std::string_view text) {
  double value = 0;
  if (!take_svg_number(text, value)) return {};
  const auto end = text.find_last_not_of(" \t\r\n");
  const std::string_view unit = end == std::string_view::npos ? "" : text.substr(0, end + 1);
  struct Named {
    std::string_view name;
    double pixels;
  };
  static constexpr Named units[] = {{"", 1},           {"px", 1},         {"in", 96},
                                    {"cm", 96 / 2.54}, {"mm", 96 / 25.4}, {"Q", 96 / 101.6},
                                    {"pt", 96.0 / 72}, {"pc", 16}};
  for (const Named& known : units) {
    if (known.name == unit) return {value * known.pixels, value > 0};
  }
  return {};
}

std::string_view svg_property(const XmlElement& node, std::string_view name) {
  std::string_view style = node.attribute("style");
  while (!style.empty()) {
    std::string_view declaration = style.substr(0, style.find(';'));
    style.remove_prefix(std::min(declaration.size() + 1, style.size()));
    const auto colon = declaration.find(':');
    if (colon == std::string_view::npos) continue;
    const auto trim = [](std::string_view text) {
      const auto first = text.find_first_not_of(" \t\r\n");
      if (first == std::string_view::npos) return std::string_view();
      return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
    };
    if (trim(declaration.substr(0, colon)) == name) return trim(declaration.substr(colon + 1));
  }
  return node.attribute(name);
}

double svg_number(const XmlElement& node, std::string_view name) {
  return svg_side(svg_property(node, name)).pixels;
}

SvgTree::SvgTree(std::string_view bytes, const Limits& limits)
    : document_((require_room(bytes, limits), bytes)) {
  if (local_name(root()) != "svg") {
    throw Error(ErrorKind::input, "is no SVG file: its root element is <" +
                                      std::string(root().name().substr(0, 40)) + ">");
  }
  // A file that uses its symbols again and again can grow without end.
  visits_left_ = 16 * bytes.size();
  collect_ids(root(), 0);
}

void SvgTree::visit(const Affine& page, const Shape& shape) {
  shape_ = &shape;
  SvgStyle style;
  style.to_page = page;
  children(root(), inherited(root(), style), 0);
}

void SvgTree::collect_ids(const XmlElement& node, int depth) {
  check_depth(depth);
  if (node.has("id")) ids_.emplace(node.attribute("id"), &node);
  for (const XmlElement* child = node.first_child(); child != nullptr; child = child->next()) {
    collect_ids(*child, depth + 1);
  }
}

void SvgTree::children(const XmlElement& node, const SvgStyle& style, int depth) {
  for (const XmlElement* child = node.first_child(); child != nullptr; child = child->next()) {
    element(*child, style, depth + 1);
  }
}

void SvgTree::element(const XmlElement& node, const SvgStyle& outer, int depth) {
  check_depth(depth);
  if (visits_left_-- == 0) {
    throw Error(ErrorKind::limit, "its <use> elements repeat too much to be read");
  }
  const std::string_view name = local_name(node);
  for (const std::string_view hidden :
       {"defs", "symbol", "clipPath", "mask", "pattern", "marker", "metadata"}) {
    if (name == hidden) return;
  }
  if (svg_property(node, "display") == "none") return;
  SvgStyle style = inherited(node, outer);
  if (name == "g" || name == "a" || name == "switch") {
    children(node, style, depth);
  } else if (name == "svg") {
    style.to_page =
        style.to_page * Affine{1, 0, 0, 1, svg_number(node, "x"), svg_number(node, "y")};
    children(node, style, depth);
  } else if (name == "use") {
    use(node, style, depth);
  } else {
    (*shape_)(node, name, style);
  }
}

void SvgTree::use(const XmlElement& node, SvgStyle style, int depth) {
  std::string_view target = node.attribute("href");
  if (target.empty()) target = node.attribute("xlink:href");
  if (!target.starts_with('#')) return;
  const auto found = ids_.find(target.substr(1));
  if (found == ids_.end()) return;
  style.to_page = style.to_page * Affine{1, 0, 0, 1, svg_number(node, "x"), svg_number(node, "y")};
  if (local_name(*found->second) == "symbol")
    children(*found->second, style, depth + 1);
  else
    element(*found->second, style, depth + 1);
}

}  // namespace dapple
