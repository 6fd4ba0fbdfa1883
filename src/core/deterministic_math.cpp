#include "core/deterministic_math.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/text/number_text.hpp"

namespace dapple {
namespace {

// The logarithm of 2 in two parts: products of the first part with whole numbers are exact.
constexpr double log_2_high = 0x1.62e42fee00000p-1;
constexpr double log_2_low = 0x1.a39ef35793c76p-33;

// Returns the sum of c[i] x^i.
template <std::size_t n>
double polynomial(const std::array<double, n>& c, double x) {
  double sum = c[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) sum = sum * x + c[i];
  return sum;
}

template <std::size_t n>
constexpr std::array<double, n> inverse_factorials() {
  std::array<double, n> c{};
  double factorial = 1;
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) factorial *= static_cast<double>(i);
    c[i] = 1 / factorial;
  }
  return c;
}

// Returns 1, sign / 3, 1 / 5, sign / 7 ...
template <std::size_t n>
constexpr std::array<double, n> odd_inverses(double sign) {
  std::array<double, n> c{};
  double s = 1;
  for (std::size_t i = 0; i < n; ++i) {
    c[i] = s / static_cast<double>(2 * i + 1);
    s *= sign;
  }
  return c;
}

// Returns the series of sin x / x or of cos x, in powers of x^2.
template <std::size_t n>
constexpr std::array<double, n> circle_series(bool sine) {
  const auto all = inverse_factorials<2 * n>();
  std::array<double, n> c{};
  for (std::size_t i = 0; i < n; ++i) c[i] = (i % 2 == 0 ? 1 : -1) * all[2 * i + (sine ? 1 : 0)];
  return c;
}

// Return the sine and cosine of at most an eighth of a circle, in turns.
double sine_near(double turns) {
  static constexpr auto series = circle_series<9>(true);
  const double x = full_circle * turns;
  return x * polynomial(series, x * x);
}
double cosine_near(double turns) {
  static constexpr auto series = circle_series<9>(false);
  const double x = full_circle * turns;
  return polynomial(series, x * x);
}

// Returns the arc tangent of x, 0 <= x <= 1.
double arc_tangent(double x) {
  static constexpr auto series = odd_inverses<12>(-1);
  constexpr double step = 0.39269908169872415481;     // pi / 8
  constexpr double tangent = 0.41421356237309504880;  // tan(pi / 8)
  // Turning the angle back by 0, 1 or 2 steps leaves at most half a step.
  constexpr double half_tangent = 0.19891236737965800691;
  constexpr double last_tangent = 0.66817863791929891999;  // tan(3 pi / 16)
  if (x <= half_tangent) return x * polynomial(series, x * x);
  const double by = x <= last_tangent ? tangent : 1;
  const double rest = (x - by) / (1 + x * by);
  return (x <= last_tangent ? step : 2 * step) + rest * polynomial(series, rest * rest);
}

}  // namespace

double portable_exp(double x) {
  static constexpr auto series = inverse_factorials<14>();
  if (!(x > -745.2)) return x != x ? x : 0;
  if (x > 709.8) return HUGE_VAL;
  const double halvings = std::floor(x / (log_2_high + log_2_low) + 0.5);
  const double rest = (x - halvings * log_2_high) - halvings * log_2_low;
  return std::ldexp(polynomial(series, rest), static_cast<int>(halvings));
}

// Uses log x = 2 atanh((x - 1) / (x + 1)).
double portable_log(double x) {
  static constexpr auto series = odd_inverses<12>(1);
  int doublings = 0;
  double part = std::frexp(x, &doublings);
  if (part < 0.70710678118654752440) {
    part *= 2;
    --doublings;
  }
  const double z = (part - 1) / (part + 1);
  return doublings * log_2_high + (2 * z * polynomial(series, z * z) + doublings * log_2_low);
}

double portable_log10(double x) {
  constexpr double log_of_ten = 2.30258509299404568402;
  const double result = portable_log(x) / log_of_ten;
  const double whole = std::round(result);
  const bool is_power = std::abs(result - whole) < 1e-12 * std::abs(whole) + 1e-15;
  return is_power && power_of_ten(static_cast<int>(whole)) == x ? whole : result;
}

double portable_pow(double x, double y) {
  if (x == 0) return y == 0 ? 1 : 0;
  return portable_exp(y * portable_log(x));
}

double portable_cbrt(double x) {
  if (x == 0) return x;
  const double size = std::abs(x);
  double root = portable_exp(portable_log(size) / 3);
  root -= (root - size / (root * root)) / 3;
  return std::copysign(root, x);
}

// Sums the series exp(-x^2) (x + 2/3 x^3 + 4/15 x^5 + ...), whose terms all have the same sign
// (Abramowitz and Stegun 1964, 7.1.6).
double portable_erf(double x) {
  constexpr double two_over_root_of_pi = 1.12837916709551257390;
  const double size = std::abs(x);
  if (size > 6) return std::copysign(1.0, x);
  double term = size;
  double sum = size;
  for (int n = 1; term > 1e-17 * sum; ++n) {
    term *= 2 * size * size / (2 * n + 1);
    sum += term;
  }
  return std::copysign(std::min(1.0, two_over_root_of_pi * portable_exp(-size * size) * sum), x);
}

double side_of(double content, std::size_t dimensions) {
  switch (dimensions) {
    case 1:
      return content;
    case 2:
      return std::sqrt(content);
    case 3:
      return portable_cbrt(content);
    default:
      return std::sqrt(std::sqrt(content));
  }
}

double portable_sine(double turns) {
  turns -= std::floor(turns + 0.5);
  const double sign = turns < 0 ? -1 : 1;
  turns = std::abs(turns);
  turns = turns > 0.25 ? 0.5 - turns : turns;
  return sign * (turns <= 0.125 ? sine_near(turns) : cosine_near(0.25 - turns));
}

double portable_cosine(double turns) {
  turns = std::abs(turns - std::floor(turns + 0.5));
  const double sign = turns > 0.25 ? -1 : 1;
  turns = turns > 0.25 ? 0.5 - turns : turns;
  return sign * (turns <= 0.125 ? cosine_near(turns) : sine_near(0.25 - turns));
}

Vec2 direction(double turns) {
  return {portable_cosine(turns), portable_sine(turns)};
}

double portable_angle(double y, double x) {
  const double across = std::abs(x);
  const double up = std::abs(y);
  if (across == 0 && up == 0) return 0;
  double angle =
      up <= across ? arc_tangent(up / across) : 0.25 * full_circle - arc_tangent(across / up);
  if (x < 0) angle = 0.5 * full_circle - angle;
  return std::copysign(angle, y);
}

double portable_acos(double x) {
  return portable_angle(std::sqrt((1 - x) * (1 + x)), x);
}

double portable_asin(double x) {
  return portable_angle(x, std::sqrt((1 - x) * (1 + x)));
}

double portable_tangent(double radians) {
  return portable_sine(radians / full_circle) / portable_cosine(radians / full_circle);
}

int decimal_exponent(double x) {
  const std::string text = number_text(x, std::chars_format::scientific);
  const auto exponent = text.find('e') + 1;
  const std::size_t sign = text[exponent] == '+' ? 1 : 0;  // read_number() takes no plus
  return parse_number<int>(std::string_view(text).substr(exponent + sign)).value_or(0);
}

double power_of_ten(int exponent) {
  return parse_number<double>("1e" + std::to_string(exponent)).value_or(0);
}

double power_of_two_from(double x) {
  int exponent = 0;
  const double part = std::frexp(x, &exponent);
  return std::ldexp(1.0, part == 0.5 ? exponent - 1 : exponent);
}

}  // namespace dapple
