// Defines how cells measure distances to sites, in float, in lanes of floats and in double.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/deterministic_math.hpp"
#include "dapple/worley.hpp"

namespace dapple::cells {

// Four floats at a time, by the vector types that g++ and clang share. Plain x86-64 and Arm have
// registers of this width. Every operation is the scalar operation lane by lane, so results equal
// the scalar results.
using Lanes = float __attribute__((vector_size(16)));
using IntLanes = std::int32_t __attribute__((vector_size(16)));
inline constexpr int lane_count = 4;

inline Lanes load(const float* from) {
  Lanes v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline void store(Lanes v, float* to) {
  std::memcpy(to, &v, sizeof v);
}
inline void store(IntLanes v, std::int32_t* to) {
  std::memcpy(to, &v, sizeof v);
}
inline Lanes all(float value) {
  return Lanes{value, value, value, value};
}
inline IntLanes all(std::int32_t value) {
  return IntLanes{value, value, value, value};
}
inline Lanes smaller(Lanes a, Lanes b) {
  return a < b ? a : b;
}
inline Lanes larger(Lanes a, Lanes b) {
  return a > b ? a : b;
}
inline Lanes magnitude(Lanes a) {
  return larger(a, -a);
}

// As above, but for single values, so that a formula is written once for lanes and values.
template <class T>
inline T smaller(T a, T b) {
  return a < b ? a : b;
}
template <class T>
inline T larger(T a, T b) {
  return a > b ? a : b;
}
template <class T>
inline T magnitude(T a) {
  return larger(a, -a);
}

// A metric. Distances are compared by of(dx, dy), which grows with |dx| and with |dy|; length()
// turns this value into a distance.
template <Metric::Kind>
struct Measure;

template <>
struct Measure<Metric::euclidean> {
  static constexpr bool lifted = false;
  explicit Measure(const Metric&) {}
  template <class T>
  T of(T dx, T dy) const {
    return dx * dx + dy * dy;
  }
  template <class T>
  T length(T value) const {
    return std::sqrt(value);
  }
};

// The Euclidean measure for lifted sites. The caller adds the lift of the site (see SiteGrid).
struct LiftedMeasure : Measure<Metric::euclidean> {
  static constexpr bool lifted = true;
  using Measure::Measure;
};

// The base of measures whose compared value is the distance itself.
struct PlainMeasure {
  static constexpr bool lifted = false;
  template <class T>
  T length(T value) const {
    return value;
  }
};

template <>
struct Measure<Metric::manhattan> : PlainMeasure {
  explicit Measure(const Metric&) {}
  template <class T>
  T of(T dx, T dy) const {
    return magnitude(dx) + magnitude(dy);
  }
};

template <>
struct Measure<Metric::chebyshev> : PlainMeasure {
  explicit Measure(const Metric&) {}
  template <class T>
  T of(T dx, T dy) const {
    return larger(magnitude(dx), magnitude(dy));
  }
};

template <>
struct Measure<Metric::minkowski> : PlainMeasure {
  explicit Measure(const Metric& metric) : p(metric.p) {}

  // Computes from the longer side and the quotient, so that no power is too large.
  double of(double dx, double dy) const {
    const double x = magnitude(dx);
    const double y = magnitude(dy);
    const double longer = larger(x, y);
    const double shorter = smaller(x, y);
    if (shorter == 0) return longer;
    const double power = portable_exp(p * portable_log(shorter / longer));
    return longer / portable_exp(portable_log(1 / (1 + power)) / p);
  }
  float of(float dx, float dy) const {
    return static_cast<float>(of(static_cast<double>(dx), static_cast<double>(dy)));
  }
  Lanes of(Lanes dx, Lanes dy) const {
    Lanes d{};
    for (int i = 0; i < lane_count; ++i) d[i] = of(dx[i], dy[i]);
    return d;
  }

  double p;
};

// The Minkowski measure for whole p: compares p-th powers, computed as products. Up to most_p no
// power of a distance overflows a float: 10^4 px to the 8th is 10^32.
struct PowerMeasure {
  static constexpr bool lifted = false;
  static constexpr int most_p = 8;
  static bool fits(const Metric& metric) {
    return metric.kind == Metric::minkowski && metric.p >= 2 && metric.p <= most_p &&
           metric.p == std::floor(metric.p);
  }
  explicit PowerMeasure(const Metric& metric) : p(static_cast<int>(metric.p)) {}

  template <class T>
  T of(T dx, T dy) const {
    dx = magnitude(dx);
    dy = magnitude(dy);
    T x = dx, y = dy;
    for (int i = 1; i < p; ++i) {
      x *= dx;
      y *= dy;
    }
    return x + y;
  }
  template <class T>
  T length(T value) const {
    const auto power = static_cast<double>(value);
    if (!(power > 0) || power > 1e300) return value;
    const double root = power > 1 ? 1 / portable_exp(portable_log(1 / power) / p)
                                  : portable_exp(portable_log(power) / p);
    return static_cast<T>(root);
  }

  int p;
};

// Calls visit(measure) with the measure of the metric; lifted sites have the Euclidean measure.
template <class Visit>
auto with_measure(const Metric& metric, bool lifted, const Visit& visit) {
  if (lifted) return visit(LiftedMeasure(metric));
  if (PowerMeasure::fits(metric)) return visit(PowerMeasure(metric));
  switch (metric.kind) {
    case Metric::manhattan:
      return visit(Measure<Metric::manhattan>(metric));
    case Metric::chebyshev:
      return visit(Measure<Metric::chebyshev>(metric));
    case Metric::minkowski:
      return visit(Measure<Metric::minkowski>(metric));
    case Metric::euclidean:
      break;
  }
  return visit(Measure<Metric::euclidean>(metric));
}

}  // namespace dapple::cells
