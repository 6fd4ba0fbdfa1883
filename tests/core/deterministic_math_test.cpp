#include "core/deterministic_math.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "core/color.hpp"
#include "core/modulo.hpp"
#include "core/random.hpp"

namespace dapple {
namespace {

constexpr long double circle = 6.28318530717958647692528676655900577L;

// Of values spread over lowest..highest.
template <class Ours, class Exact>
double worst_error(double lowest, double highest, bool relative, Ours ours, Exact exact) {
  double worst = 0;
  constexpr int count = 100003;
  for (int i = 0; i <= count; ++i) {
    const double x = lowest + (highest - lowest) * i / count;
    const long double wanted = exact(static_cast<long double>(x));
    long double error = std::abs(static_cast<long double>(ours(x)) - wanted);
    if (relative && wanted != 0) error /= std::abs(wanted);
    worst = std::max(worst, static_cast<double>(error));
  }
  return worst;
}

TEST(Portable, FunctionsAreThoseOfLongDoubles) {
  EXPECT_LT(worst_error(-700, 700, true, portable_exp, expl), 4e-16);
  EXPECT_LT(worst_error(1e-300, 1e-290, true, portable_log, logl), 4e-16);
  EXPECT_LT(worst_error(0.5, 2, false, portable_log, logl), 2e-16);
  EXPECT_LT(worst_error(3, 1e9, true, portable_log, logl), 4e-16);
  EXPECT_LT(worst_error(-1e3, 1e3, true, portable_cbrt, cbrtl), 4e-16);
  EXPECT_LT(worst_error(-1, 1, false, portable_acos, acosl), 1e-15);
  EXPECT_LT(worst_error(-1, 1, false, portable_asin, asinl), 1e-15);
  EXPECT_LT(worst_error(-0.7, 0.7, false, portable_tangent, tanl), 1e-15);
  EXPECT_LT(
      worst_error(-3, 3, false, portable_sine, [](long double t) { return sinl(circle * t); }),
      4e-16);
  EXPECT_LT(
      worst_error(-3, 3, false, portable_cosine, [](long double t) { return cosl(circle * t); }),
      4e-16);
  EXPECT_LT(worst_error(-7, 7, false, portable_erf, erfl), 3e-15);
  EXPECT_LT(worst_error(1e-9, 1e9, true, portable_log10, log10l), 4e-16);
  for (int exponent = -300; exponent <= 300; ++exponent) {
    const double power = power_of_ten(exponent);
    EXPECT_EQ(power, std::stod("1e" + std::to_string(exponent)));
    EXPECT_EQ(portable_log10(power), exponent);
    EXPECT_EQ(decimal_exponent(power), exponent);
    EXPECT_EQ(decimal_exponent(-9.75 * power), exponent);
    EXPECT_EQ(decimal_exponent(std::nextafter(power, 0)), exponent - 1);
  }
  for (const double x : {-2.5, -0.1, 0.1, 2.5}) {
    EXPECT_LT(worst_error(
                  -7, 7, false, [&](double y) { return portable_angle(y, x); },
                  [&](long double y) { return atan2l(y, static_cast<long double>(x)); }),
              1e-15);
  }
  for (const double y : {0.4, 1.5, 2.4, 40.0}) {
    EXPECT_LT(worst_error(
                  0, 1, true, [&](double x) { return portable_pow(x, y); },
                  [&](long double x) { return powl(x, static_cast<long double>(y)); }),
              2e-15 * (1 + y));
  }
}

TEST(Portable, EndsAreExact) {
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_exp(-1e4), 0);
  EXPECT_EQ(portable_exp(1e4), HUGE_VAL);
  EXPECT_EQ(portable_log(1), 0);
  EXPECT_EQ(portable_pow(0, 0.5), 0);
  EXPECT_EQ(portable_pow(0, 0), 1);
  EXPECT_EQ(portable_pow(1, 123), 1);
  EXPECT_EQ(portable_cbrt(0), 0);
  EXPECT_EQ(portable_sine(0.5), 0);
  EXPECT_EQ(portable_cosine(0.5), -1);
  EXPECT_EQ(portable_cosine(0.25), 0);
  EXPECT_EQ(portable_angle(0, 0), 0);
  EXPECT_EQ(portable_angle(0, -1), full_circle / 2);
  EXPECT_EQ(power_of_two_from(1), 1);
  EXPECT_EQ(power_of_two_from(1.0001), 2);
  EXPECT_EQ(power_of_two_from(0.5), 0.5);
  EXPECT_EQ(power_of_two_from(0.3), 0.5);
}

TEST(Portable, ADirectionIsACosineAndASine) {
  for (const double turns : {-0.3, 0.0, 0.1, 0.25, 0.7}) {
    EXPECT_EQ(direction(turns), (Vec2{portable_cosine(turns), portable_sine(turns)}));
  }
}

TEST(Modulo, MirrorsStandAtBothEnds) {
  const std::vector<int> shown{1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0};
  for (int i = 0; i < 12; ++i) EXPECT_EQ(mirrored(i - 5, 3), shown[static_cast<std::size_t>(i)]);
  EXPECT_EQ(mirrored(-1000001, 1), 0);
}

// The values of Ottosson's own table.
TEST(Oklab, WhiteIsLightAloneAndRedIsRed) {
  const auto white = oklab::of_light<double>({1, 1, 1});
  EXPECT_NEAR(white[0], 1, 1e-6);
  EXPECT_NEAR(white[1], 0, 1e-6);
  EXPECT_NEAR(white[2], 0, 1e-6);
  const std::array<float, 3> red{1, 0, 0};
  const auto seen = oklab::of_light(red);
  EXPECT_NEAR(seen[0], 0.628, 1e-3);
  EXPECT_NEAR(seen[1], 0.225, 1e-3);
  EXPECT_NEAR(seen[2], 0.126, 1e-3);
  const auto back = oklab::light_of(seen);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(back[c], red[c], 1e-5f);
  EXPECT_NEAR(luminance(red), 0.2126f, 1e-7f);
}

// A generator need not be in the list of streams to have one of its own.
TEST(Streams, AreToldApartByName) {
  const std::uint64_t named = Random(1, stream_of("halftone")).bits();
  EXPECT_EQ(Random(1, stream_of("halftone")).bits(), named);
  EXPECT_NE(Random(1, stream_of("halftones")).bits(), named);
  EXPECT_NE(Random(2, stream_of("halftone")).bits(), named);
}

}  // namespace
}  // namespace dapple
