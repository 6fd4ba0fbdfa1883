// Dart throwing by its definition (Cook 1986): random places one after the other, kept where the
// rule allows, until a number of them fail in a row. The yardstick for everything that is faster:
// its spectrum is what "Poisson-disk" means, its gaps are what maximal sampling fills.
//
// What differs: trials follow the density of the map, and a tree of radii answers them.
#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "sample/kept.hpp"
#include "sample/radius_tree.hpp"
#include "sample/samplers.hpp"

namespace dapple {

PointSet dart_throwing(const DensityField& field, const SampleOptions& options, Context& context) {
  const double expected =
      packing_constant(SampleMethod::dart_throwing, options.conflict) * field.integral();
  context.require_memory(expected * 150, "throwing darts for so many points");
  const InverseDensity density(field, context);
  RadiusTree tree(field.domain());
  const PointSet kept = kept_points(field, options);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    tree.add(kept[i], static_cast<double>(kept.radius[i]) * safety);
  }
  Random random(context.seed, Stream::dart_throwing);
  PointSet points;
  points.domain = field.domain();
  std::int64_t trials = 0;
  for (int misses = 0; misses < options.misses; ++misses) {
    const double u = random.uniform();
    const Vec2 p = density.place(u, random.uniform());
    const double r = field.radius(p) * safety;
    if (!tree.conflicts(p, r, options.conflict)) {
      tree.add(p, r);
      points.add(p, static_cast<float>(field.radius(p)));
      misses = -1;
    }
    if (++trials % 4096 == 0) {
      context.progress(std::min(1.0, static_cast<double>(points.size()) / std::max(1.0, expected)));
    }
  }
  return points;
}

}  // namespace dapple
