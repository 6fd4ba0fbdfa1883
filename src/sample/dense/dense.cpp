// Dense packing: growth at the edge of what is covered (Dunbar, Humphreys 2006), and the fill of
// darts where growth proves nothing. What differs stands with the two ways to grow.
#include "sample/dense/dense.hpp"

#include "sample/darts/darts.hpp"
#include "sample/kept.hpp"
#include "sample/samplers.hpp"

namespace dapple {

PointSet dense(const DensityField& field, const SampleOptions& options, Context& context) {
  const double expected = packing_constant(options.method, options.conflict) * field.integral();
  context.require_memory(expected * 120, "packing so many points");
  const PointSet kept = kept_points(field, options);
  if (kept.empty() && grows_evenly(field)) return dense_even(field, context);
  const PointSet grown = dense_uneven(field, options.conflict, &kept, context);
  return darts(field, options.conflict, &grown, context, &kept);
}

}  // namespace dapple
