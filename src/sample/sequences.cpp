// Places low-discrepancy sequences, for comparison: Halton in bases 2 and 3 (Halton 1960), and R2,
// multiples of powers of 1/1.3247 (Roberts 2018).
//
// Differences: the seed rotates the torus of both numbers (Cranley, Patterson 1976), and density
// follows the map by inverting its distribution. R2 counts in fixed-point numbers, exactly.
#include <cmath>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

double halton(std::uint64_t index, std::uint64_t base) {
  double value = 0;
  double digit = 1;
  for (; index > 0; index /= base) {
    digit /= static_cast<double>(base);
    value += static_cast<double>(index % base) * digit;
  }
  return value;
}

// Steps of R2 in units of 2^-64: 1/g and 1/g^2 for g^3 = g + 1.
constexpr std::uint64_t r2_x = 0xc13fa9a902a6328f;
constexpr std::uint64_t r2_y = 0x91e10da5c79e7b1c;

double rotated(double value, double by) {
  const double sum = value + by;
  return sum < 1 ? sum : sum - 1;
}

}  // namespace

Points sequence(const DensityField& field, SampleMethod method, std::int64_t count,
                Context& context) {
  const std::int64_t n = free_count(field, count, context);
  const InverseDensity density(field, context);
  Random random(context.seed, Stream::sequences);
  const double shift_x = random.uniform();
  const double shift_y = random.uniform();
  Points points;
  points.domain = field.domain();
  for (std::int64_t i = 0; i < n; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    const bool is_r2 = method == SampleMethod::r2;
    const double u = is_r2 ? to_unit(index * r2_x) : halton(index, 2);
    const double v = is_r2 ? to_unit(index * r2_y) : halton(index, 3);
    const Vec2 p = density.place(rotated(u, shift_x), rotated(v, shift_y));
    points.add(p, static_cast<float>(field.radius(p)));
    if (i % 512 == 0) context.progress(static_cast<double>(i) / static_cast<double>(n));
  }
  return points;
}

}  // namespace dapple
