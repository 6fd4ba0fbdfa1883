// Proves the guarantees of a sampler from only the points and the field: checks every pair, and
// every place by branch and bound.
#include "sample/certify/certify.hpp"

#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "sample/certify/proved.hpp"
#include "sample/spaces.hpp"

namespace dapple {
namespace {

// Returns the places of the points with their radii, each once.
Points distinct_places(const Points& points, std::vector<double>& r) {
  std::vector<std::array<double, 3>> places(points.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = {points.x[i], points.y[i], r[i]};
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  Points distinct;
  distinct.domain = points.domain;
  r.clear();
  for (const auto& [x, y, radius] : places) {
    distinct.add({x, y}, static_cast<float>(radius));
    r.push_back(radius);
  }
  return distinct;
}

}  // namespace

Certificate spaces::certify_plane(const Points& points, std::size_t kept, const DensityField& field,
                                  ConflictRule rule, Context& context) {
  require_word("rule of conflicts", rule);
  validate(points);
  if (points.domain.width != field.domain().width ||
      points.domain.height != field.domain().height) {
    throw Error(ErrorKind::input, "the points and the field must have the same domain");
  }
  context.require_memory(static_cast<double>(points.size()) * 140, "proving this many points");
  std::vector<double> r(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    r[i] = i < kept ? static_cast<double>(points.radius[i]) : field.radius(points[i]);
  }

  Certificate proof;
  const SpacingProof spacing = prove_spacing(points, r, kept, rule, context);
  proof.violations = spacing.violations;
  proof.closest = spacing.closest;
  if (!points.empty()) proof.worst_pair_place = points[spacing.worst];
  const bool crowded = spacing.closest == 0 || kept > 0;
  const Points distinct = crowded ? distinct_places(points, r) : Points{};
  const CoverageProof coverage =
      prove_coverage(crowded ? distinct : points, r, field, rule, context);
  proof.hole = coverage.hole;
  proof.hole_place = coverage.place;
  proof.holes = coverage.hole <= coverage_tolerance ? 0 : 1;
  return proof;
}

void require_proved_in_plane(const Certificate& proof, bool counted, Context& context) {
  const auto place = [](const Place& p) {
    return "(" + shortest(p.x) + ", " + shortest(p.y) + ")";
  };
  if (proof.violations > 0) {
    throw Error(ErrorKind::verification,
                std::to_string(proof.violations) +
                    " pairs are closer than the rule allows; the worst is at " +
                    shortest(proof.closest) + " of the required distance, at " +
                    place(proof.worst_pair_place));
  }
  if (proof.maximal()) return;
  const std::string room = "the nearest point to " + place(proof.hole_place) + " is " +
                           shortest(proof.hole) + " times the required distance away";
  if (!counted) throw Error(ErrorKind::verification, "the set is not maximal: " + room);
  context.warn("spacing is proved, but an exact count leaves gaps: " + room);
}

}  // namespace dapple
