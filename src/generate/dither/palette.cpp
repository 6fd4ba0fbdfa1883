// Reads palettes: inline colors, and palette files of graphics programs.
#include "generate/dither/palette.hpp"

#include <algorithm>
#include <bit>
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

// Reads numbers and names of a binary file from front to back.
class Bytes {
 public:
  Bytes(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  std::size_t place() const { return place_; }
  bool is_done() const { return place_ == bytes_.size(); }
  std::string_view take(std::size_t count) {
    if (count > bytes_.size() - place_) fail("the file ends too early");
    place_ += count;
    return bytes_.substr(place_ - count, count);
  }
  std::uint32_t big_endian(std::size_t count) {
    std::uint32_t number = 0;
    for (const char c : take(count)) number = number << 8 | static_cast<std::uint8_t>(c);
    return number;
  }
  std::uint32_t little_endian(std::size_t count) {
    std::uint32_t number = 0;
    int shift = 0;
    for (const char c : take(count)) {
      number |= std::uint32_t{static_cast<std::uint8_t>(c)} << shift;
      shift += 8;
    }
    return number;
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::usage, "byte " + std::to_string(place_) + ": " + why, file_);
  }

 private:
  std::string_view bytes_;
  const std::string& file_;
  std::size_t place_ = 0;
};

// Returns the ASCII letters of a name in UTF-16, without its final 0.
std::string name_of(std::string_view utf16) {
  std::string name;
  for (std::size_t i = 0; i + 1 < utf16.size(); i += 2) {
    const auto high = static_cast<std::uint8_t>(utf16[i]);
    const auto low = static_cast<std::uint8_t>(utf16[i + 1]);
    if (high == 0 && low == 0) break;
    name += high == 0 && low < 128 ? static_cast<char>(low) : '?';
  }
  return name;
}

// Returns the color of a block of Adobe swatches, after its name.
Rgb8 swatch_color(Bytes& bytes) {
  const std::string model(trim_blanks(bytes.take(4)));
  const auto number = [&] {
    const double v = static_cast<double>(std::bit_cast<float>(bytes.big_endian(4)));
    if (!(std::abs(v) <= 1000)) bytes.fail("a component is out of range");
    return v;
  };
  const auto byte = [](double v) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(v, 0.0, 1.0) * 255));
  };
  if (model == "Gray" || model == "GRAY") {
    const std::uint8_t v = byte(number());
    return {v, v, v};
  }
  if (model != "RGB" && model != "LAB") {
    bytes.fail("a color is in '" + model +
               "', which has no fixed look: save the swatches as RGB or Lab");
  }
  const double a = number();
  const double b = number();
  const double c = number();
  if (model == "RGB") return {byte(a), byte(b), byte(c)};
  return color_of_lab({std::clamp(100 * a, 0.0, 100.0), b, c});
}

// Adobe swatch exchange: blocks of a type, a length and data. Groups have only names.
void collect_swatches(std::string_view text, const std::string& file, Collector& collector) {
  Bytes bytes(text, file);
  bytes.take(8);  // ASEF and the version
  const std::uint32_t blocks = bytes.big_endian(4);
  for (std::uint32_t i = 0; i < blocks && !bytes.is_done(); ++i) {
    const std::uint32_t type = bytes.big_endian(2);
    Bytes block(bytes.take(bytes.big_endian(4)), file);
    if (type != 1) continue;
    const std::string name = name_of(block.take(2 * std::size_t{block.big_endian(2)}));
    collector.add(swatch_color(block), name);
  }
}

// A palette of Windows: LOGPALETTE in the chunk `data` of a RIFF file.
void collect_riff(std::string_view text, const std::string& file, Collector& collector) {
  Bytes bytes(text, file);
  bytes.take(12);  // RIFF, the length, PAL
  while (bytes.take(4) != "data") {
    const std::uint32_t length = bytes.little_endian(4);
    bytes.take(length + length % 2);
  }
  bytes.take(4 + 2);  // the length and the version
  const std::uint32_t count = bytes.little_endian(2);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string_view entry = bytes.take(4);
    collector.add({static_cast<std::uint8_t>(entry[0]), static_cast<std::uint8_t>(entry[1]),
                   static_cast<std::uint8_t>(entry[2])});
  }
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
  const bool is_swatches = text.starts_with("ASEF");
  const bool is_riff = text.starts_with("RIFF") && text.substr(0, 12).ends_with("PAL ");
  if (!is_swatches && !is_riff && text.find('\0') != std::string_view::npos) {
    throw Error(ErrorKind::usage,
                "is a binary file; expected a palette: GIMP (.gpl), JASC or Paint.NET as text, hex "
                "colors, a table of CGATS, an Adobe color table (.act), swatches (.ase), or a RIFF "
                "palette (.pal); `palette-from` takes the colors of a picture",
                file);
  }
  if (is_swatches) {
    collect_swatches(text, file, collector);
  } else if (is_riff) {
    collect_riff(text, file, collector);
  } else if (is_measured_table(text)) {
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
