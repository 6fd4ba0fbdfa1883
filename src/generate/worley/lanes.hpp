// Four floats at a time, by the vector types that g++ and clang share: plain x86-64 and Arm have
// registers of this width, and every operation is the scalar one, lane by lane, so the results are
// the scalar results.
#pragma once

#include <cstdint>
#include <cstring>

namespace dapple::cells {

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

// The smaller of single values, so that a formula is written once for lanes and values.
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

}  // namespace dapple::cells
