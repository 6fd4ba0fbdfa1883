#include "sample/certify/proved.hpp"

#include <array>
#include <span>
#include <string>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"

namespace dapple {

std::string at_place(const Place& place, std::size_t dimensions) {
  const std::array coordinates{place.x, place.y, place.z, place.w};
  std::string text = " at";
  for (const double v : std::span(coordinates).first(dimensions)) text += " " + shortest(v);
  return text;
}

void add_part(Certificate& all, const Certificate& part) {
  all.violations += part.violations;
  if (part.closest < all.closest) {
    all.closest = part.closest;
    all.worst_pair_place = part.worst_pair_place;
  }
  if (all.holes == 0) {
    all.hole_place = part.hole_place;
    all.hole_class = part.hole_class;
  }
  all.holes += part.holes;
}

void require_proved(const Certificate& proof, const ProofWording& wording, Context& context) {
  if (proof.violations > 0) {
    std::string text = std::to_string(proof.violations) +
                       " pairs of points are too close; the closest is at " +
                       shortest(proof.closest) + " of " + std::string(wording.required);
    if (wording.names_pair) text += "," + at_place(proof.worst_pair_place, wording.dimensions);
    throw Error(ErrorKind::verification, text);
  }
  if (proof.holes == 0) return;
  const std::string room = wording.names_class
                               ? "a point of class " + std::to_string(proof.hole_class)
                               : "another point";
  const std::string gap =
      "there is room for " + room + at_place(proof.hole_place, wording.dimensions);
  if (!wording.counted) throw Error(ErrorKind::verification, "the set is not maximal: " + gap);
  context.warn("an exact count leaves gaps: " + gap);
}

}  // namespace dapple
