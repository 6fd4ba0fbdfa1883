// Reads palettes: inline colors, and palette files of graphics programs.
#include "generate/dither/palette.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "core/text/lower_case.hpp"
#include "core/text/number_text.hpp"
#include "core/text/trim_blanks.hpp"
#include "dapple/error.hpp"
#include "dapple/plane.hpp"

namespace dapple::palette {
namespace {

// Reads #rgb or #rrggbb. The # may be missing.
std::optional<Rgb8> hex_color(std::string_view text) {
  if (text.starts_with('#')) text.remove_prefix(1);
  std::string digits(text);
  if (digits.size() == 3) {
    digits = {text[0], text[0], text[1], text[1], text[2], text[2]};
  }
  unsigned value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = read_number(digits.data(), end, value, 16);
  if (digits.size() != 6 || error != std::errc{} || stop != end) return {};
  return Rgb8{static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8),
              static_cast<std::uint8_t>(value)};
}

// Reads `R G B`, each 0..255, and leaves in `text` the name that may follow.
std::optional<Rgb8> numbers_color(std::string_view& text) {
  Rgb8 color{};
  for (std::uint8_t& channel : color) {
    text = trim_blanks(text);
    if (take_number(text, channel) != std::errc{}) return {};
    if (!text.empty() && text[0] != ' ' && text[0] != '\t') return {};
  }
  return color;
}

class Collector {
 public:
  void add(const Rgb8& color, std::string_view name = {}) {
    // A repeated color adds nothing to mixtures.
    if (std::find(colors_.begin(), colors_.end(), color) != colors_.end()) return;
    colors_.push_back(color);
    names_.emplace_back(name);
  }
  std::vector<std::string> take_names() { return std::move(names_); }
  std::vector<Rgb8> finish(const std::string& file) {
    if (colors_.size() < 2 || colors_.size() > most_colors) {
      throw Error(ErrorKind::usage,
                  Problem{"palette",
                          "a palette must have 2 to 256 different colors, this one has " +
                              std::to_string(colors_.size()),
                          file});
    }
    return std::move(colors_);
  }

 private:
  std::vector<Rgb8> colors_;
  std::vector<std::string> names_;
};

std::vector<Rgb8> parse_inline(std::string_view text) {
  Collector collector;
  for (std::size_t number = 1;; ++number) {
    const auto comma = text.find(',');
    const std::string_view item = trim_blanks(text.substr(0, comma));
    try {
      collector.add(parse_rgb8(item));
    } catch (const Error& error) {
      throw Error(ErrorKind::usage,
                  Problem{"palette", "color " + std::to_string(number) + ": " + error.what()});
    }
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return collector.finish("");
}

// An Adobe color table has 256 colors of three bytes. A table of 772 bytes ends in two big-endian
// numbers: the count of colors in use, and the index of the transparent color, which is skipped.
constexpr std::size_t table_bytes = 768;

bool is_adobe_table(std::string_view bytes, const std::string& file) {
  const std::string end =
      lower_case(file.substr(file.size() - std::min<std::size_t>(file.size(), 4)));
  const bool sized = bytes.size() == table_bytes || bytes.size() == table_bytes + 4;
  return end == ".act" || (sized && bytes.find('\0') != std::string_view::npos);
}

std::vector<Rgb8> parse_adobe(std::string_view bytes, const std::string& file) {
  if (bytes.size() != table_bytes && bytes.size() != table_bytes + 4) {
    throw Error(ErrorKind::usage,
                "an Adobe color table must have 768 or 772 bytes, this file has " +
                    std::to_string(bytes.size()),
                file);
  }
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
  std::size_t count = most_colors;
  std::size_t transparent = most_colors;
  if (bytes.size() > table_bytes) {
    count = byte(table_bytes) * 256u + byte(table_bytes + 1);
    transparent = byte(table_bytes + 2) * 256u + byte(table_bytes + 3);
  }
  if (count > most_colors) {
    throw Error(ErrorKind::usage,
                "the palette claims " + std::to_string(count) +
                    " colors, at most 256 are allowed (bytes 769-770)",
                file);
  }
  Collector collector;
  for (std::size_t i = 0; i < count; ++i) {
    if (i != transparent) collector.add({byte(3 * i), byte(3 * i + 1), byte(3 * i + 2)});
  }
  return collector.finish(file);
}

enum class Style { hex, gimp, jasc, paint_net };

Style style_of(std::string_view first_line) {
  if (first_line == "GIMP Palette") return Style::gimp;
  if (first_line == "JASC-PAL") return Style::jasc;
  if (first_line.starts_with(";") && first_line.find("aint.") != std::string_view::npos) {
    return Style::paint_net;
  }
  return Style::hex;
}

// Returns true for lines without a color. In lists of hexadecimal colors, ; starts a comment.
bool is_skipped(std::string_view row, std::size_t line, Style style) {
  if (row.empty()) return true;
  if (style == Style::jasc) return line <= 3;  // its name, version and count
  if (style == Style::gimp) {
    // Fields such as Name:, Columns: and Channels:.
    return line == 1 || row.starts_with('#') ||
           (std::isalpha(static_cast<unsigned char>(row[0])) != 0 &&
            row.find(':') != std::string_view::npos);
  }
  return row.starts_with(';');
}

// Reads the color of a row and leaves in `row` its name.
std::optional<Rgb8> color_of(std::string_view& row, Style style) {
  if (style == Style::gimp || style == Style::jasc) return numbers_color(row);
  // Paint.NET writes the opacity first.
  if (style == Style::paint_net && row.size() == 8) row.remove_prefix(2);
  return hex_color(std::exchange(row, {}));
}

// Returns the name of a GIMP color; with `has_alpha` the number of its opacity comes first.
std::string_view gimp_name(std::string_view text, bool has_alpha) {
  text = trim_blanks(text);
  int opacity = 0;
  if (has_alpha && take_number(text, opacity) == std::errc{}) text = trim_blanks(text);
  return text == "Untitled" ? std::string_view() : text;
}

std::string expected(Style style) {
  if (style == Style::hex) {
    return "expected a color such as ff8800 (or a first line `GIMP Palette` or `JASC-PAL`)";
  }
  if (style == Style::paint_net) return "expected a color such as ffff8800";
  return style == Style::gimp ? "expected `red green blue name` with numbers from 0 to 255"
                              : "expected `red green blue` with numbers from 0 to 255";
}

// Reads a color per line.
void collect_lines(std::string_view text, const std::string& file, Collector& collector) {
  Style style = Style::hex;
  bool has_alpha = false;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const auto newline = text.find('\n');
    const std::string_view row = trim_blanks(text.substr(0, newline));
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    if (line == 1) style = style_of(row);
    has_alpha = has_alpha || row.starts_with("Channels: RGBA");
    if (is_skipped(row, line, style)) continue;
    std::string_view name = row;
    const std::optional<Rgb8> color = color_of(name, style);
    if (!color) {
      throw Error(ErrorKind::usage,
                  "line " + std::to_string(line) + ": " + expected(style) + ", not '" +
                      std::string(row.substr(0, 60)) + "'",
                  file);
    }
    collector.add(*color, style == Style::gimp ? gimp_name(name, has_alpha) : "");
  }
}

std::vector<Rgb8> parse_text(std::string_view text, const std::string& file,
                             std::vector<std::string>* names) {
  Collector collector;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.find('\0') != std::string_view::npos) {
    throw Error(ErrorKind::usage,
                "is a binary file; expected a palette: GIMP (.gpl), JASC or Paint.NET as text, hex "
                "colors, a table of CGATS, or an Adobe color table (.act)",
                file);
  }
  if (is_measured_table(text)) {
    std::vector<std::string> found;
    const std::vector<Rgb8> all = parse_measured(text, file, &found);
    for (std::size_t c = 0; c < all.size(); ++c) collector.add(all[c], found[c]);
  } else {
    collect_lines(text, file, collector);
  }
  std::vector<Rgb8> colors = collector.finish(file);
  if (names != nullptr) *names = collector.take_names();
  return colors;
}

}  // namespace

Rgb8 parse_rgb8(std::string_view text) {
  if (const std::optional<Rgb8> color = lab_color(text)) return *color;
  Rgb8 bytes{};
  const std::array<float, 3> rgb = parse_color(text);
  for (std::size_t c = 0; c < 3; ++c) {
    bytes[c] = static_cast<std::uint8_t>(std::lround(rgb[c] * 255.0f));
  }
  return bytes;
}

std::vector<Rgb8> parse(const TextInput& input, std::vector<std::string>* names) {
  if (!input.text) return parse_inline(input.path);
  return is_adobe_table(*input.text, input.path) ? parse_adobe(*input.text, input.path)
                                                 : parse_text(*input.text, input.path, names);
}

}  // namespace dapple::palette
