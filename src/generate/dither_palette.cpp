// Reading palettes: inline colours, GIMP palettes, lists of hexadecimal colours.
#include "generate/dither_palette.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "dapple/error.hpp"

namespace dapple::palette {
namespace {

constexpr std::size_t most_colours = 256;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// #rgb or #rrggbb, the # may be missing.
std::optional<Rgb8> hex_colour(std::string_view text) {
  if (text.starts_with('#')) text.remove_prefix(1);
  std::string digits(text);
  if (digits.size() == 3) {
    digits = {text[0], text[0], text[1], text[1], text[2], text[2]};
  }
  unsigned value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, 16);
  if (digits.size() != 6 || error != std::errc{} || stop != end) return {};
  return Rgb8{static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8),
              static_cast<std::uint8_t>(value)};
}

// `R G B name`, each 0..255.
std::optional<Rgb8> gimp_colour(std::string_view text) {
  Rgb8 colour{};
  for (std::uint8_t& channel : colour) {
    text = trimmed(text);
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), channel);
    if (error != std::errc{}) return {};
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    if (!text.empty() && text[0] != ' ' && text[0] != '\t') return {};
  }
  return colour;
}

class Collector {
 public:
  void add(const Rgb8& colour) {
    // A colour that comes twice adds nothing to what can be mixed.
    if (std::find(colours_.begin(), colours_.end(), colour) == colours_.end()) {
      colours_.push_back(colour);
    }
  }
  std::vector<Rgb8> finish(const std::string& file) {
    if (colours_.size() < 2 || colours_.size() > most_colours) {
      throw Error(ErrorKind::usage,
                  "--palette: a palette has 2 to 256 different colours, this one has " +
                      std::to_string(colours_.size()),
                  file);
    }
    return std::move(colours_);
  }

 private:
  std::vector<Rgb8> colours_;
};

std::vector<Rgb8> parse_inline(std::string_view text) {
  Collector collector;
  for (std::size_t number = 1;; ++number) {
    const auto comma = text.find(',');
    const std::string_view item = trimmed(text.substr(0, comma));
    const std::optional<Rgb8> colour = hex_colour(item);
    if (!colour || !item.starts_with('#')) {
      throw Error(ErrorKind::usage, "--palette: colour " + std::to_string(number) +
                                        " must be like #ff8800 or #f80, not '" + std::string(item) +
                                        "'");
    }
    collector.add(*colour);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return collector.finish("");
}

std::vector<Rgb8> parse_file(std::string_view text, const std::string& file) {
  Collector collector;
  bool gimp = false;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const auto newline = text.find('\n');
    const std::string_view row = trimmed(text.substr(0, newline));
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    if (line == 1 && row == "GIMP Palette") {
      gimp = true;
      continue;
    }
    // In lists of hexadecimal colours # starts a colour, and ; a comment.
    if (row.empty() || row.starts_with(gimp ? '#' : ';')) continue;
    if (gimp && (row.starts_with("Name:") || row.starts_with("Columns:"))) continue;
    const std::optional<Rgb8> colour = gimp ? gimp_colour(row) : hex_colour(row);
    if (!colour) {
      const std::string expected =
          gimp ? "expected `red green blue name` with numbers from 0 to 255"
               : "expected a colour like ff8800 (or a first line `GIMP Palette`)";
      throw Error(ErrorKind::usage,
                  "line " + std::to_string(line) + ": " + expected + ", not '" +
                      std::string(row.substr(0, 60)) + "'",
                  file);
    }
    collector.add(*colour);
  }
  return collector.finish(file);
}

}  // namespace

std::vector<Rgb8> parse(const TextInput& input) {
  return input.text ? parse_file(*input.text, input.path) : parse_inline(input.path);
}

}  // namespace dapple::palette
