// Computes the lower envelope of cones by a two-pass chamfer transform from the radii (Borgefors
// 1984, "Distance transformations in arbitrary dimensions").
//
// Steps go to all voxels that are at most two away along each axis. The length of a step is its
// straight length times a weight. The weight makes no path longer than the straight line between
// its ends: the polytope around all steps of length 1 must enclose the ball. So the weight is the
// least distance of the polytope's faces from the center.
#include "field/space/slope.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "core/modulo.hpp"
#include "dapple/context.hpp"

namespace dapple {
namespace {

// The least distance of the faces from the center. The faces lie in planes through three of the 98
// directions, with the others on one side.
constexpr double weight = 0.95290965;

struct Step {
  int x, y, z;
  float length;
};

// Returns steps to voxels that come before in the order of values.
std::vector<Step> steps_before(double slope) {
  std::vector<Step> steps;
  for (int z = -2; z <= 0; ++z) {
    for (int y = -2; y <= 2; ++y) {
      for (int x = -2; x <= 2; ++x) {
        const bool before = z < 0 || y < 0 || (y == 0 && x < 0);
        if (!before || (z == 0 && y > 0)) continue;
        if (std::gcd(std::gcd(std::abs(x), std::abs(y)), std::abs(z)) != 1) continue;
        const double length = std::sqrt(static_cast<double>(x * x + y * y + z * z));
        steps.push_back({x, y, z, static_cast<float>(slope * weight * length)});
      }
    }
  }
  return steps;
}

class Envelope {
 public:
  Envelope(Voxels& radius, double slope, bool wrap)
      : radius_(radius), steps_(steps_before(slope)), wrap_(wrap) {}

  // Runs one pass in the order of values or against it. Returns true if it changed anything.
  bool pass(bool forth, Context& context) {
    bool changed = false;
    const int sign = forth ? 1 : -1;
    for (int k = 0; k < radius_.depth; ++k) {
      context.check();
      const int z = forth ? k : radius_.depth - 1 - k;
      for (int j = 0; j < radius_.height; ++j) {
        const int y = forth ? j : radius_.height - 1 - j;
        changed |= row(y, z, sign);
      }
    }
    return changed;
  }

 private:
  bool inside(int& i, int n) const {
    if (i >= 0 && i < n) return true;
    if (!wrap_) return false;
    i = modulo(i, n);
    return true;
  }

  bool row(int y0, int z0, int sign) {
    // Collects the rows of the steps that exist here.
    from_.clear();
    for (const Step& step : steps_) {
      int y = y0 + sign * step.y;
      int z = z0 + sign * step.z;
      if (!inside(y, radius_.height) || !inside(z, radius_.depth)) continue;
      from_.push_back({&radius_.values[index(0, y, z)], sign * step.x, step.length});
    }
    bool changed = false;
    float* own = &radius_.values[index(0, y0, z0)];
    for (int i = 0; i < radius_.width; ++i) {
      const int x = sign > 0 ? i : radius_.width - 1 - i;
      const float r = own[x];
      float least = r;
      for (const From& from : from_) {
        int other = x + from.x;
        if (!inside(other, radius_.width)) continue;
        least = std::min(least, from.row[other] + from.length);
      }
      if (!(least < r)) continue;
      own[x] = least;
      changed = true;
    }
    return changed;
  }

  std::size_t index(int x, int y, int z) const {
    return static_cast<std::size_t>(x) +
           static_cast<std::size_t>(radius_.width) *
               (static_cast<std::size_t>(y) +
                static_cast<std::size_t>(radius_.height) * static_cast<std::size_t>(z));
  }

  struct From {
    const float* row;
    int x;
    float length;
  };

  Voxels& radius_;
  std::vector<Step> steps_;
  bool wrap_;
  std::vector<From> from_;
};

}  // namespace

void limit_volume_slope(Voxels& radius, double slope, bool wrap, Context& context) {
  Envelope envelope(radius, slope, wrap);
  // Two passes suffice, plus one that changes nothing. A torus needs more to cross its seams.
  for (bool forth = true; envelope.pass(forth, context) || forth; forth = !forth) {
  }
}

}  // namespace dapple
