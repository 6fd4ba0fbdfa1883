#include "app/proof.hpp"

#include <algorithm>

#include "dapple/error.hpp"
#include "dapple/field.hpp"
#include "dapple/sample.hpp"

namespace dapple::app {
namespace {

DensityField even_field(const PointSet& points) {
  const auto [low, high] = std::minmax_element(points.radius.begin(), points.radius.end());
  if (points.radius.empty() || !(*low > 0) || *high > *low * 1.000001f) {
    throw Error(ErrorKind::usage,
                "a proof needs one radius r for all points, or the map that they were made from: "
                "add `map`");
  }
  return DensityField::constant(points.domain, static_cast<double>(*low));
}

}  // namespace

void prove_even(const PointSet& points, ConflictRule rule, Context& context) {
  const DensityField field = even_field(points);
  if (points.z.empty()) {
    verify(points, field, rule, context);
  } else {
    verify_volume(points, field.radius({0, 0}), context);
  }
}

}  // namespace dapple::app
