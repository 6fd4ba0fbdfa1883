// Colours as users write them.
#include <algorithm>
#include <array>
#include <cstdint>

#include "dapple/drawing.hpp"
#include "dapple/error.hpp"
#include "dapple/options.hpp"

namespace dapple {
namespace {

struct NamedColour {
  std::string_view name;
  std::uint32_t rgb;
};
// The basic colour keywords of CSS.
constexpr std::array<NamedColour, 19> named_colours{{{"black", 0x000000},
                                                     {"silver", 0xc0c0c0},
                                                     {"gray", 0x808080},
                                                     {"grey", 0x808080},
                                                     {"white", 0xffffff},
                                                     {"maroon", 0x800000},
                                                     {"red", 0xff0000},
                                                     {"purple", 0x800080},
                                                     {"fuchsia", 0xff00ff},
                                                     {"magenta", 0xff00ff},
                                                     {"green", 0x008000},
                                                     {"lime", 0x00ff00},
                                                     {"olive", 0x808000},
                                                     {"yellow", 0xffff00},
                                                     {"navy", 0x000080},
                                                     {"blue", 0x0000ff},
                                                     {"teal", 0x008080},
                                                     {"aqua", 0x00ffff},
                                                     {"cyan", 0x00ffff}}};

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

[[noreturn]] void not_a_colour(std::string_view text) {
  std::vector<std::string> names;
  for (const NamedColour& known : named_colours) names.emplace_back(known.name);
  const std::string near = nearest_word(text, names);
  throw Error(ErrorKind::usage, "expected a colour such as #223344, #234 or navy, not '" +
                                    std::string(text) + "'" +
                                    (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

std::array<float, 3> from_rgb(std::uint32_t rgb) {
  const auto part = [rgb](int shift) { return static_cast<float>((rgb >> shift) & 0xff) / 255.0f; };
  return {part(16), part(8), part(0)};
}

}  // namespace

std::array<float, 3> parse_colour(std::string_view text) {
  for (const NamedColour& known : named_colours) {
    if (known.name == text) return from_rgb(known.rgb);
  }
  if ((text.size() != 4 && text.size() != 7) || text.front() != '#') not_a_colour(text);
  std::uint32_t rgb = 0;
  for (const char c : text.substr(1)) {
    const int digit = hex_digit(c);
    if (digit < 0) not_a_colour(text);
    rgb = rgb * 16 + static_cast<std::uint32_t>(digit);
    if (text.size() == 4) rgb = rgb * 16 + static_cast<std::uint32_t>(digit);
  }
  return from_rgb(rgb);
}

}  // namespace dapple
