#include "io/points/domain_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "dapple/error.hpp"

namespace dapple {
namespace {

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

}  // namespace

bool read_domain_text(std::string_view text, PointSet& points) {
  while (text.starts_with(' ') || text.starts_with('#')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\r')) text.remove_suffix(1);
  if (!take(text, "domain ")) return false;
  const std::string given(text);
  std::array<double, 4> sides{};
  std::size_t count = 0;
  bool finite = true;
  do {
    double side = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
    if (error == std::errc::invalid_argument || count == sides.size()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    finite = finite && error == std::errc{} && std::isfinite(side);
    if (finite && !(side >= 0)) return false;
    sides[count++] = side;
  } while (take(text, "x"));
  if (count < 2) return false;
  const bool wrap = take(text, " torus");
  if (!wrap) take(text, " flat");
  if (!text.empty()) return false;
  if (!finite) {
    throw Error(ErrorKind::input,
                "the sides of a domain must be finite, such as 512x256, not " + given);
  }
  points.domain = {sides[0], sides[1], wrap};
  points.depth = sides[2];
  points.extent = sides[3];
  return true;
}

}  // namespace dapple
