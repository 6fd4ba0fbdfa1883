// Writes drawings as G-code (RS-274, NIST 2000): millimeters from the lower left corner, y up.
// Commands of the drawing's plotter lift and lower the pen. The machine waits (M0) for a change of
// pens.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "core/text/number_text.hpp"
#include "dapple/drawing_files.hpp"
#include "draw/pen_path.hpp"
#include "io/drawings/svg.hpp"
#include "io/utf8.hpp"

namespace dapple {
namespace {

// Returns a number with at most three decimals and no trailing zeros.
std::string number(double value) {
  return number_text(std::round(value * 1000) / 1000 + 0.0);  // no -0
}

// Returns a line per command; | separates commands.
std::string lines_of(std::string_view commands) {
  std::string text;
  while (!commands.empty()) {
    std::string_view one = commands.substr(0, commands.find('|'));
    commands.remove_prefix(std::min(one.size() + 1, commands.size()));
    while (!one.empty() && one.front() == ' ') one.remove_prefix(1);
    while (!one.empty() && one.back() == ' ') one.remove_suffix(1);
    if (!one.empty()) text += std::string(one) + "\n";
  }
  return text;
}

// Returns the escape of TOML for a character, such as \u00C4 or \U0001F600.
std::string escaped(std::uint32_t code) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  const int count = code < 0x10000 ? 4 : 8;
  std::string text = count == 4 ? "\\u" : "\\U";
  for (int i = count - 1; i >= 0; --i) text += digits[code >> (4 * i) & 15];
  return text;
}

// Returns the text in ASCII without control characters: some controllers act on other bytes, even
// in comments. Parentheses, which end comments, become brackets, or their escapes if `exact`.
std::string ascii_of(std::string_view line, bool exact) {
  std::string out;
  while (!line.empty()) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(line));
    const auto first = static_cast<unsigned char>(line.front());
    if (length == 1) {
      const bool plain = first >= 0x20 && first < 0x7f;
      out += exact && (first == '(' || first == ')') ? escaped(first)
             : first == '('                          ? "["
             : first == ')'                          ? "]"
                                                     : std::string(1, plain ? line.front() : ' ');
    } else {
      std::uint32_t code = first & (0x7fu >> length);
      for (const char next : line.substr(1, length - 1)) code = code << 6 | (next & 0x3f);
      out += escaped(code);
    }
    line.remove_prefix(length);
  }
  return out;
}

constexpr std::string_view indent = "  ";
constexpr std::string_view continued = "\\";  // at the end of a line that the next one continues

// Returns a line as a comment, or as several if it is long.
std::string comment(std::string_view line, std::string_view before = "", bool exact = false) {
  const std::string text = ascii_of(line, exact);
  constexpr std::size_t around = std::string_view("; \n").size();
  const std::size_t room = longest_plotter_line - around - before.size() - continued.size();
  std::string out;
  for (std::string_view rest = text; out.empty() || !rest.empty();) {
    const std::string_view part = rest.substr(0, room);
    rest.remove_prefix(part.size());
    out += "; " + std::string(before) + std::string(part);
    if (!rest.empty()) out += continued;
    out += '\n';
  }
  return out;
}

// Returns a name and its indented text. TOML reads these escapes as parentheses.
std::string comment_of(const std::string& name, std::string_view text) {
  std::string out = comment(name);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    out += comment(line, indent, true);
  }
  return out;
}

class Pen {
 public:
  explicit Pen(const Drawing& drawing)
      : height_(drawing.height),
        feed_(" F" + number(60 * drawing.plotter.speed)),
        up_(lines_of(drawing.plotter.pen_up)),
        down_(lines_of(drawing.plotter.pen_down)) {}

  std::string text;

  void up() { text += up_; }
  void travel(Vec2 to) { text += "G0" + place(to) + "\n"; }
  void touch(Vec2 at) {
    travel(at);
    text += down_;
    up();
  }
  void circle(const Disc& disc) {
    const Vec2 start = disc.center + Vec2{disc.radius, 0};
    travel(start);
    text += down_;
    text += "G2" + place(start) + " I" + number(-disc.radius) + " J0" + feed_ + "\n";
    up();
  }
  void line(const std::vector<Vec2>& points) {
    travel(points.front());
    text += down_;
    for (std::size_t i = 1; i < points.size(); ++i) {
      text += "G1" + place(points[i]) + (i == 1 ? feed_ : "") + "\n";
    }
    up();
  }

 private:
  std::string place(Vec2 p) const { return " X" + number(p.x) + " Y" + number(height_ - p.y); }

  double height_;
  std::string feed_, up_, down_;
};

}  // namespace

std::string encode_gcode(const Drawing& drawing) {
  require_drawable(drawing);
  Pen pen(drawing);
  pen.text = "; paper " + number(drawing.width) + " x " + number(drawing.height) + " mm\n";
  for (const auto& [name, text] : drawing.metadata) pen.text += comment_of(name, text);
  pen.text += "G21\nG90\n";
  pen.up();
  bool first = true;
  for (const Layer& layer : drawing.layers) {
    if (is_empty(layer)) continue;
    if (!first) {
      pen.travel({0, drawing.height});
      pen.text += "M0\n";
    }
    pen.text += comment("layer " + layer.name);
    PenWithinPaper within(pen, drawing);
    draw_with(within, drawing, layer);
    first = false;
  }
  pen.travel({0, drawing.height});
  pen.text += "M2\n";
  return std::move(pen.text);
}

std::vector<std::pair<std::string, std::string>> gcode_metadata(std::string_view gcode) {
  std::vector<std::pair<std::string, std::string>> texts;
  bool goes_on = false;
  while (gcode.starts_with("; ")) {
    std::string_view line = gcode.substr(2, gcode.find('\n') - 2);
    gcode.remove_prefix(std::min(line.size() + 3, gcode.size()));
    if (!line.starts_with(indent)) {
      texts.emplace_back(line, "");
    } else if (!texts.empty()) {
      line.remove_prefix(indent.size());
      std::string& text = texts.back().second;
      if (!goes_on && !text.empty()) text += '\n';
      goes_on = line.ends_with(continued);
      if (goes_on) line.remove_suffix(continued.size());
      text += line;
    }
  }
  std::erase_if(texts, [](const auto& entry) { return entry.second.empty(); });
  return texts;
}

}  // namespace dapple
