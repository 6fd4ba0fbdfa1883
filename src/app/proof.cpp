#include "app/proof.hpp"

#include <algorithm>
#include <memory>

#include "dapple/error.hpp"
#include "dapple/field.hpp"
#include "dapple/sample.hpp"

namespace dapple::app {
namespace {

DensityField even_field(const Points& points) {
  const auto [low, high] = std::minmax_element(points.radius.begin(), points.radius.end());
  if (points.radius.empty() || !(*low > 0) || *high > *low * 1.000001f) {
    throw Error(ErrorKind::usage,
                "a proof needs one radius r for all points, or the map that they were made from: "
                "add `map`");
  }
  return DensityField::constant(points.domain, static_cast<double>(*low));
}

}  // namespace

void prove_even(const Points& points, ConflictRule rule, Context& context) {
  const DensityField field = even_field(points);
  Points known = points;
  known.radii = points.z.empty() ? std::make_shared<const Radii>(Radii{field, rule})
                                 : std::make_shared<const Radii>(field.radius({0, 0}));
  verify(known, context);
}

}  // namespace dapple::app
