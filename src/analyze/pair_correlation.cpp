// Computes the pair correlation function: pairs of points by distance, relative to a random set.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/parallel.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/spectra.hpp"
#include "dapple/units.hpp"

namespace dapple {
namespace {

constexpr std::size_t run = 1024;  // points whose pairs are added up together
constexpr int most_bins = 100000;

}  // namespace

PairCorrelation pair_correlation(const Points& points, double farthest, int bins,
                                 Context& context) {
  const Domain& domain = points.domain;
  require_domain(domain);
  require_above_0("the farthest distance", farthest);
  const double most = (domain.wrap ? 0.5 : 0.9) * std::min(domain.width, domain.height);
  if (farthest > most) {
    throw Error(ErrorKind::usage, "the farthest distance must be at most " + shortest(most) +
                                      (domain.wrap ? ", half" : ", nine tenths") +
                                      " of the shorter side, not " + shortest(farthest));
  }
  if (bins < 1 || bins > most_bins) {
    throw Error(ErrorKind::usage, "a pair correlation needs 1 to " + std::to_string(most_bins) +
                                      " bins, not " + std::to_string(bins));
  }
  require_columns(points);
  require_inside(points);
  if (points.size() < 2) {
    throw Error(ErrorKind::input, "a pair correlation needs at least two points");
  }

  const auto count = static_cast<std::size_t>(bins);
  const std::size_t runs = (points.size() + run - 1) / run;
  context.require_memory(8.0 * static_cast<double>(runs) * bins, "the pair correlation");
  const PointIndex index(points);
  std::vector<std::vector<double>> pairs(runs, std::vector<double>(count, 0));
  parallel_for(context, runs, [&](std::size_t r) {
    std::vector<Neighbor> found;
    for (std::size_t i = r * run; i < std::min(points.size(), (r + 1) * run); ++i) {
      index.within(points[i], farthest, found);
      for (const Neighbor& other : found) {
        const auto k = static_cast<std::size_t>(other.index);
        if (k == i || other.distance >= farthest) continue;
        // The share of positions of the first point at which the second point would also be inside.
        double seen = 1;
        if (!domain.wrap) {
          seen = (1 - std::abs(points.x[k] - points.x[i]) / domain.width) *
                 (1 - std::abs(points.y[k] - points.y[i]) / domain.height);
        }
        const auto bin = static_cast<std::size_t>(other.distance / farthest * bins);
        pairs[r][std::min(bin, count - 1)] += 1 / seen;
      }
    }
  });

  PairCorrelation result;
  result.width = farthest / bins;
  result.g.assign(count, 0);
  for (const std::vector<double>& of_run : pairs) {
    for (std::size_t b = 0; b < count; ++b) result.g[b] += of_run[b];
  }
  const auto n = static_cast<double>(points.size());
  for (std::size_t b = 0; b < count; ++b) {
    const auto inner = static_cast<double>(b);
    const double ring = std::numbers::pi * result.width * result.width * (2 * inner + 1);
    result.g[b] /= n * (n - 1) / domain.area() * ring;
  }
  return result;
}

}  // namespace dapple
