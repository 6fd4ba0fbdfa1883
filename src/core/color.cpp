#include "core/color.hpp"

#include <algorithm>

#include "core/color_names.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/plane.hpp"

namespace dapple {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

[[noreturn]] void not_a_color(std::string_view text) {
  const std::string near = nearest_color(text);
  throw Error(ErrorKind::usage, "expected a color such as #223344, #234 or navy, not '" +
                                    std::string(text) + "'" +
                                    (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

std::array<float, 3> from_rgb(std::uint32_t rgb) {
  const auto part = [rgb](int shift) { return static_cast<float>((rgb >> shift) & 0xff) / 255.0f; };
  return {part(16), part(8), part(0)};
}

}  // namespace

std::string nearest_color(std::string_view text) {
  std::vector<std::string> names;
  for (const NamedColor& known : named_colors) names.emplace_back(known.name);
  return nearest_word(text, names);
}

std::array<float, 3> parse_color(std::string_view text) {
  const auto known = std::lower_bound(
      named_colors.begin(), named_colors.end(), text,
      [](const NamedColor& color, std::string_view name) { return color.name < name; });
  if (known != named_colors.end() && known->name == text) return from_rgb(known->rgb);
  if ((text.size() != 4 && text.size() != 7) || text.front() != '#') not_a_color(text);
  std::uint32_t rgb = 0;
  for (const char c : text.substr(1)) {
    const int digit = hex_digit(c);
    if (digit < 0) not_a_color(text);
    rgb = rgb * 16 + static_cast<std::uint32_t>(digit);
    if (text.size() == 4) rgb = rgb * 16 + static_cast<std::uint32_t>(digit);
  }
  return from_rgb(rgb);
}

}  // namespace dapple
