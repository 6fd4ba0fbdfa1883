// Computes functions with the same bits everywhere. Functions of the C library differ in the last
// bits between versions, and between processors with and without fused multiply-add. These use only
// sums, products, quotients and roots, which IEEE 754 fixes. Relative errors are below 1e-15, for
// powers below 1e-15 |y log x|.
#pragma once

#include <cstddef>

#include "core/constants.hpp"
#include "dapple/geometry.hpp"

namespace dapple {

double portable_exp(double x);
double portable_log(double x);            // x > 0
double portable_log10(double x);          // x > 0; exact for powers of ten
double portable_pow(double x, double y);  // x >= 0
double portable_cbrt(double x);
double portable_erf(double x);  // absolute error below 3e-15
// Returns the side of a cube of the given content in 1, 2, 3 or 4 dimensions.
double side_of(double content, std::size_t dimensions);

double portable_sine(double turns);  // 1 turn is a full circle
double portable_cosine(double turns);
Vec2 direction(double turns);               // unit vector, from the x axis towards the y axis
double portable_angle(double y, double x);  // radians from the x axis to (x, y), -pi..pi
double portable_acos(double x);             // radians, -1 <= x <= 1
double portable_asin(double x);
double portable_tangent(double radians);

// Returns the exponent of x != 0 in decimal notation: 2 for 999 and -1 for 0.1.
int decimal_exponent(double x);
// Returns the number nearest to 10^exponent.
double power_of_ten(int exponent);
// Returns the smallest power of two that is at least x, for x > 0.
double power_of_two_from(double x);

}  // namespace dapple
