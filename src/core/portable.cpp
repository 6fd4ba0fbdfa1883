#include "core/portable.hpp"

namespace dapple {

double portable_exp(double x) {
  int halvings = 0;
  while (x < -0.0625) {
    x *= 0.5;
    ++halvings;
  }
  double term = 1;
  double sum = 1;
  for (int i = 1; i < 12; ++i) {
    term *= x / i;
    sum += term;
  }
  for (; halvings > 0; --halvings) sum *= sum;
  return sum;
}

// By log x = 2 atanh((x - 1) / (x + 1)).
double portable_log(double x) {
  constexpr double log_2 = 0.69314718055994530942;
  double shift = 0;
  while (x < 0.70710678) {
    x *= 2;
    shift -= log_2;
  }
  const double z = (x - 1) / (x + 1);
  double power = z;
  double sum = 0;
  for (int i = 1; i < 24; i += 2) {
    sum += power / i;
    power *= z * z;
  }
  return shift + 2 * sum;
}

double portable_sine(double turns) {
  turns = turns >= 1 ? turns - 1 : turns;
  const double sign = turns > 0.5 ? -1 : 1;
  turns = turns > 0.5 ? turns - 0.5 : turns;
  const double x = 6.28318530717958647692 * (turns > 0.25 ? 0.5 - turns : turns);
  double term = x;
  double sum = x;
  for (int i = 2; i < 20; i += 2) {
    term *= -x * x / (i * (i + 1));
    sum += term;
  }
  return sign * sum;
}

}  // namespace dapple
