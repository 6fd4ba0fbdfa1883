#include "io/points/domain_text.hpp"

#include <array>
#include <cmath>

#include "dapple/units.hpp"
#include "io/points/format.hpp"

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
  std::array<double, 4> sides{};
  std::size_t count = 0;
  do {
    const auto side = take_number(text);
    if (!side || !(*side >= 0) || count == sides.size()) return false;
    sides[count++] = *side;
  } while (take(text, "x"));
  if (count < 2) return false;
  const bool wrap = take(text, " torus");
  if (!wrap) take(text, " flat");
  if (!text.empty()) return false;
  points.domain = {sides[0], sides[1], wrap};
  points.depth = sides[2];
  points.extent = sides[3];
  return true;
}

}  // namespace dapple
