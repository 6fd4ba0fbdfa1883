// Finds the registration crosses of a calibration sheet in its scan, and so the place of the sheet.
#pragma once

#include <array>

#include "app/calibrate/sheet.hpp"
#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"

namespace dapple::app {

// Maps a plane to another as a camera does.
class Projection {
 public:
  // Returns the projection that maps from[i] to to[i]. Throws Error(input) if three places lie on a
  // line.
  static Projection between(const std::array<Vec2, 4>& from, const std::array<Vec2, 4>& to);

  Vec2 operator()(Vec2 p) const {
    const double w = m_[6] * p.x + m_[7] * p.y + 1;
    return {(m_[0] * p.x + m_[1] * p.y + m_[2]) / w, (m_[3] * p.x + m_[4] * p.y + m_[5]) / w};
  }

 private:
  std::array<double, 8> m_{};
};

// Returns the projection from the sheet (mm) to its scan (pixels). `light` is the light of the
// scan, 0..1. The scan may be turned by quarters, and askew by a few degrees. Throws Error(input)
// if it does not show all crosses.
Projection place_of_sheet(const CalibrationSheet& sheet, const Plane<float>& light,
                          Context& context);

}  // namespace dapple::app
