#include "io/drawings/svg_tree.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <new>

#include "core/text/trim_blanks.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/limits.hpp"

namespace dapple {
namespace {

constexpr int deepest = 200;
// Finding an attribute takes time proportional to the attributes of its element.
constexpr int most_attributes = 1000;

std::string shown_name(pugi::xml_node node) {
  return std::string(std::string_view(node.name()).substr(0, 40));
}

std::string_view local_name(pugi::xml_node node) {
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

// Returns an opacity as a number, 1 if there is none.
double opacity_of(pugi::xml_node node, const char* name) {
  std::string_view text = svg_property(node, name);
  double value = 1;
  if (!text.empty() && !take_svg_number(text, value)) value = 1;
  return text.starts_with('%') ? value / 100 : value;
}

// Returns true for a color that leaves no ink.
bool is_transparent(std::string_view color) {
  if (color == "none" || color == "transparent") return true;
  if (color.starts_with('#')) {
    return (color.size() == 5 && color.ends_with('0')) ||
           (color.size() == 9 && color.ends_with("00"));
  }
  if (!color.starts_with("rgba(") && !color.starts_with("hsla(")) return false;
  std::string_view alpha = color.substr(color.find_last_of(",/") + 1);
  double value = 1;
  return take_svg_number(alpha, value) && value == 0;
}

SvgStyle inherited(pugi::xml_node node, SvgStyle style) {
  if (const auto text = svg_property(node, "transform"); !text.empty()) {
    style.to_page = style.to_page * parse_transform(text);
  }
  if (const auto text = svg_property(node, "stroke-width"); !text.empty()) {
    style.stroke_width = svg_side(text).pixels;
  }
  if (const auto text = svg_property(node, "fill"); !text.empty()) style.fill = text;
  if (const auto text = svg_property(node, "stroke"); !text.empty()) style.stroke = text;
  if (const auto text = svg_property(node, "fill-rule"); !text.empty()) style.fill_rule = text;
  if (const auto text = svg_property(node, "visibility"); !text.empty() && text != "inherit") {
    style.visible = text == "visible";
  }
  if (!svg_property(node, "fill-opacity").empty()) {
    style.fills = opacity_of(node, "fill-opacity") > 0;
  }
  if (!svg_property(node, "stroke-opacity").empty()) {
    style.strokes = opacity_of(node, "stroke-opacity") > 0;
  }
  return style;
}

// Throws if the tree cannot fit: "<a/>b" becomes two nodes of 64 bytes, beside a copy of the text.
void require_room(std::string_view bytes, const Limits& limits) {
  Context context;
  context.limits = limits;
  context.require_memory(27.0 * static_cast<double>(bytes.size()), "an SVG file of this size");
}

// Returns the line of an offset in the text; `place` counts bytes of UTF-8. pugixml reports a place
// behind the text if that ends within a tag.
std::int64_t line_at(std::string_view bytes, pugi::xml_encoding encoding, std::ptrdiff_t place) {
  if (encoding == pugi::encoding_utf8) {
    place = std::clamp<std::ptrdiff_t>(place, 0, std::ssize(bytes));
    return 1 + std::count(bytes.begin(), bytes.begin() + place, '\n');
  }
  const std::size_t high = encoding == pugi::encoding_utf16_be ? 0 : 1;
  std::int64_t line = 1;
  for (std::size_t i = 0; i + 1 < bytes.size() && place > 0; i += 2) {
    const int unit = static_cast<unsigned char>(bytes[i + high]) << 8 |
                     static_cast<unsigned char>(bytes[i + 1 - high]);
    const bool half_of_a_pair = unit >= 0xd800 && unit < 0xe000;
    place -= unit < 0x80 ? 1 : unit < 0x800 || half_of_a_pair ? 2 : 3;
    line += unit == '\n';
  }
  return line;
}

void parse(std::string_view bytes, pugi::xml_document& document) {
  const pugi::xml_encoding encoding = bytes.starts_with("\xff\xfe")   ? pugi::encoding_utf16_le
                                      : bytes.starts_with("\xfe\xff") ? pugi::encoding_utf16_be
                                                                      : pugi::encoding_utf8;
  const pugi::xml_parse_result result = document.load_buffer(
      bytes.data(), bytes.size(),
      pugi::parse_escapes | pugi::parse_wconv_attribute | pugi::parse_cdata, encoding);
  if (result) return;
  // out of reach: pugixml gets no memory
  if (result.status == pugi::status_out_of_memory) throw std::bad_alloc();
  std::string why = result.description();
  why.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(why.front())));
  throw Error(ErrorKind::input, "line " + std::to_string(line_at(bytes, encoding, result.offset)) +
                                    ": not XML: " + why + "; save the drawing again as plain SVG");
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

std::string_view svg_property(pugi::xml_node node, const char* name) {
  std::string_view style = node.attribute("style").value();
  std::string_view value = node.attribute(name).value();
  while (!style.empty()) {
    std::string_view declaration = style.substr(0, style.find(';'));
    style.remove_prefix(std::min(declaration.size() + 1, style.size()));
    const auto colon = declaration.find(':');
    if (colon == std::string_view::npos || trim_blanks(declaration.substr(0, colon)) != name)
      continue;
    declaration.remove_prefix(colon + 1);
    value = trim_blanks(declaration.substr(0, declaration.find('!')));  // without !important
  }
  return value;
}

double svg_number(pugi::xml_node node, const char* name) {
  return svg_side(svg_property(node, name)).pixels;
}

SvgTree::SvgTree(std::string_view bytes, const Limits& limits) {
  require_room(bytes, limits);
  parse(bytes, document_);
  if (local_name(root()) != "svg") {
    throw Error(ErrorKind::input,
                "is not an SVG file: its root element is <" + shown_name(root()) + ">, not <svg>");
  }
  // A file that uses its symbols recursively can expand without end.
  visits_left_ = 16 * bytes.size();
  style_work_left_ = 16 * bytes.size();
  collect_rules(root(), 0);
  collect_ids(root(), 0);
}

void SvgTree::visit(const Affine& page, const Shape& shape) {
  shape_ = &shape;
  SvgStyle style;
  style.to_page = page;
  children(root(), inherited(root(), style), 0);
}

void SvgTree::collect_rules(pugi::xml_node node, int depth) {
  check_depth(depth);
  if (local_name(node) == "style") {
    std::string text;
    for (const pugi::xml_node child : node.children()) text += child.value();
    sheet_.add(text, notes_);
  }
  for (const pugi::xml_node child : node.children()) {
    if (child.type() == pugi::node_element) collect_rules(child, depth + 1);
  }
}

void SvgTree::collect_ids(pugi::xml_node node, int depth) {
  check_depth(depth);
  if (!sheet_.empty()) {
    const std::size_t work = sheet_.apply(node, local_name(node));
    if (work > style_work_left_) {
      throw Error(ErrorKind::limit,
                  "its style rules apply to too many elements to be read: save the drawing with "
                  "presentation attributes");
    }
    style_work_left_ -= work;
  }
  if (const auto id = node.attribute("id")) ids_.emplace(id.value(), node);
  const auto attributes = node.attributes();
  if (std::distance(attributes.begin(), attributes.end()) > most_attributes) {
    throw Error(ErrorKind::input, "an element <" + shown_name(node) + "> has more than " +
                                      std::to_string(most_attributes) + " attributes");
  }
  for (const pugi::xml_node child : node.children()) {
    if (child.type() == pugi::node_element) collect_ids(child, depth + 1);
  }
}

void SvgTree::children(pugi::xml_node node, const SvgStyle& style, int depth) {
  for (const pugi::xml_node child : node.children()) {
    if (child.type() == pugi::node_element) element(child, style, depth + 1);
  }
}

void SvgTree::element(pugi::xml_node node, const SvgStyle& outer, int depth) {
  check_depth(depth);
  if (visits_left_-- == 0) {
    throw Error(ErrorKind::limit, "its <use> elements repeat too often to be read");
  }
  const std::string_view name = local_name(node);
  for (const std::string_view hidden : {"style", "title", "desc", "defs", "symbol", "clipPath",
                                        "mask", "pattern", "marker", "metadata"}) {
    if (name == hidden) return;
  }
  const double opacity = opacity_of(node, "opacity");
  if (svg_property(node, "display") == "none" || opacity <= 0) return;
  if (opacity < 1) notes_.add("opacity below 1 is ignored: what is pale there is drawn in full");
  for (const char* const property : {"clip-path", "mask", "filter"}) {
    const std::string_view value = svg_property(node, property);
    if (value.empty() || value == "none") continue;
    notes_.add(std::string(property) + " is ignored: what it hides is drawn");
  }
  SvgStyle style = inherited(node, outer);
  if (name == "g" || name == "a" || name == "switch") {
    children(node, style, depth);
  } else if (name == "svg") {
    style.to_page =
        style.to_page * Affine{1, 0, 0, 1, svg_number(node, "x"), svg_number(node, "y")};
    children(node, style, depth);
  } else if (name == "use") {
    use(node, style, depth);
  } else if (style.visible) {
    if (!style.fills || is_transparent(style.fill)) style.fill = "none";
    if (!style.strokes || is_transparent(style.stroke)) style.stroke = "none";
    (*shape_)(node, name, style);
  }
}

void SvgTree::use(pugi::xml_node node, SvgStyle style, int depth) {
  std::string_view target = node.attribute("href").value();
  if (target.empty()) target = node.attribute("xlink:href").value();
  if (!target.starts_with('#')) return;
  const auto found = ids_.find(target.substr(1));
  if (found == ids_.end()) return;
  style.to_page = style.to_page * Affine{1, 0, 0, 1, svg_number(node, "x"), svg_number(node, "y")};
  if (local_name(found->second) == "symbol")
    children(found->second, style, depth + 1);
  else
    element(found->second, style, depth + 1);
}

}  // namespace dapple
