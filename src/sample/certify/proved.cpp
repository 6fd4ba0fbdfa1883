#include "sample/certify/proved.hpp"

#include <array>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"

namespace dapple {

void require_proved(const ProofFound& found, bool counted, Context& context) {
  if (found.violations > 0) {
    throw Error(ErrorKind::verification, std::to_string(found.violations) +
                                             " pairs of points are too close; the closest is at " +
                                             shortest(found.closest) + " of " + found.of);
  }
  if (found.holes == 0) return;
  const std::string gap = "there is room for " + found.room;
  if (!counted) throw Error(ErrorKind::verification, "the set is not maximal: " + gap);
  context.warn("an exact count leaves gaps: " + gap);
}

std::string at_place(std::span<const double> place) {
  std::string text = " at";
  for (const double v : place) text += " " + shortest(v);
  return text;
}

std::string at_place(const Vec3& place) {
  return at_place(std::array{place.x, place.y, place.z});
}

}  // namespace dapple
