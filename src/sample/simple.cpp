// Implements samplers for comparison: independent random points, one random point in each cell of a
// grid, and the grid itself. Density follows the map by inverting its distribution. The grid is
// thus regular in shares of the points, not in space (Devroye 1986, conditional inversion).
#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "sample/samplers.hpp"

namespace dapple {

InverseDensity::InverseDensity(const DensityField& field, Context& context) : field_(field) {
  const Plane<float>& map = field.radius_map();
  context.require_memory(8.0 * static_cast<double>(map.size()), "the distribution of the map");
  along_ = Plane<double>(map.width(), map.height());
  double total = 0;
  for (int y = 0; y < map.height(); ++y) {
    double sum = 0;
    for (int x = 0; x < map.width(); ++x) {
      const auto r = static_cast<double>(map(x, y));
      sum += 1 / (r * r);  // 0 if r is infinite: no point is allowed
      along_(x, y) = sum;
    }
    total += sum;
    rows_.push_back(total);
  }
}

Vec2 InverseDensity::place(double u, double v) const {
  // Finds the first step whose running sum exceeds the share, and the part of the step up to it.
  const auto find = [](const double* first, const double* last, double share) {
    const double wanted = share * *(last - 1);
    const double* step = std::upper_bound(first, last - 1, wanted);
    const double before = step == first ? 0 : *(step - 1);
    const double within = *step > before ? (wanted - before) / (*step - before) : 0.5;
    return std::pair{static_cast<int>(step - first), std::clamp(within, 0.0, 1.0 - 0x1p-50)};
  };
  const auto [row, down] = find(rows_.data(), rows_.data() + rows_.size(), v);
  const double* sums = along_.row(row);
  const auto [column, across] = find(sums, sums + along_.width(), u);
  const Domain& domain = field_.domain();
  const double w = domain.width / along_.width();
  const double h = domain.height / along_.height();
  const Vec2 p{(column + across) * w, (row + down) * h};
  if (domain.contains(p) && std::isfinite(field_.radius(p))) return p;
  // Rounding moved the place over the edge of the pixel.
  return {(column + 0.5) * w, (row + 0.5) * h};
}

std::int64_t free_count(const DensityField& field, std::int64_t count, Context& context) {
  const double expected =
      packing_constant(SampleMethod::random, ConflictRule::mean) * field.integral();
  const double wanted = count > 0 ? static_cast<double>(count) : std::max(1.0, expected);
  context.require_memory(wanted * 20, "a set of this many points");
  return std::llround(wanted);
}

Points stratified(const DensityField& field, SampleMethod method, std::int64_t count,
                  Context& context) {
  const std::int64_t n = free_count(field, count, context);
  const InverseDensity density(field, context);
  const Domain& domain = field.domain();

  Points points;
  points.domain = domain;
  points.x.reserve(static_cast<std::size_t>(n));
  points.y.reserve(static_cast<std::size_t>(n));
  points.radius.reserve(static_cast<std::size_t>(n));
  const std::int64_t across = std::clamp<std::int64_t>(
      std::llround(std::sqrt(static_cast<double>(n) * domain.width / domain.height)), 1, n);
  const std::int64_t rows = (n + across - 1) / across;
  for (std::int64_t row = 0; row < rows; ++row) {
    // Rows share the points as evenly as whole numbers allow.
    const std::int64_t first = row * n / rows;
    const std::int64_t last = (row + 1) * n / rows;
    for (std::int64_t i = first; i < last; ++i) {
      Random random(context.seed, Stream::simple_samplers, static_cast<std::uint64_t>(i));
      const double a = random.uniform();
      const double b = random.uniform();
      const auto share = [&](double u, double v) {
        return density.place(
            (static_cast<double>(i - first) + u) / static_cast<double>(last - first),
            (static_cast<double>(row) + v) / static_cast<double>(rows));
      };
      const Vec2 p = method == SampleMethod::grid       ? share(0.5, 0.5)
                     : method == SampleMethod::jittered ? share(a, b)
                                                        : density.place(a, b);
      points.add(p, static_cast<float>(field.radius(p)));
    }
    if (row % 16 == 0) context.progress(static_cast<double>(row) / static_cast<double>(rows));
  }
  return points;
}

}  // namespace dapple
