// The C library's functions differ between its versions, and between processors with and without
// fused multiply-add, in the last bits; these are computed from additions, products, quotients and
// roots, which IEEE 754 fixes. Relative errors are below 1e-15, of powers times |y log x|.
#pragma once

#include <cstddef>

#include "core/constants.hpp"
#include "dapple/geometry.hpp"

namespace dapple {

double portable_exp(double x);
double portable_log(double x);            // x > 0
double portable_pow(double x, double y);  // x >= 0
double portable_cbrt(double x);
// The side of a square, a cube or what that is in four dimensions, of that content.
double side_of(double content, std::size_t dimensions);

double portable_sine(double turns);  // of a full circle
double portable_cosine(double turns);
Vec2 direction(double turns);               // from the x axis towards the y axis, of length 1
double portable_angle(double y, double x);  // radians, of (x, y) from the x axis, -pi..pi
double portable_acos(double x);             // radians, -1 <= x <= 1
double portable_asin(double x);
double portable_tangent(double radians);

// The smallest power of two that is no less than x > 0.
double power_of_two_from(double x);

}  // namespace dapple
