// exp, log and sin of the C library differ between systems and processors in the last bit; these
// are computed from additions, products and quotients, which IEEE 754 fixes, to about 1e-13.
#pragma once

namespace dapple {

double portable_exp(double x);       // x <= 0
double portable_log(double x);       // 0 < x <= 1
double portable_sine(double turns);  // of a full circle, 0 <= turns <= 2

}  // namespace dapple
