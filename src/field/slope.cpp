// Limits the slope of a radius map: the lower envelope of cones, by a two-pass chamfer transform
// from the radii (Borgefors 1986, "Distance transformations in digital images").
//
// The usual chamfer weights 1, sqrt 2, sqrt 5 measure paths over the pixels. A path is up to 2.75 %
// longer than the straight line, which would break the limit by as much. The weights here are the
// largest for which no path is longer than the straight line: their 16-sided unit ball encloses the
// unit circle. The limit holds between any two pixel centers in Euclidean distance. In return,
// radii are up to 2.7 % of L |x - y| lower than needed.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/modulo.hpp"
#include "core/preconditions.hpp"
#include "dapple/field.hpp"
#include "field/fill_rows.hpp"
#include "field/plane_sum.hpp"

namespace dapple {
namespace {

// Steps (1, 0) and (2, 1) weigh cos(atan(1/2) / 2). Step (1, 1) weighs the cosine of the rest: the
// angle to 45 degrees after the tangent through (2, 1).
constexpr double straight_weight = 0.97324899;
constexpr double diagonal_weight = 1.41421356 * 0.99595937;
constexpr double knight_weight = 2.23606798 * 0.97324899;

// Rows have two more values at either end: +inf, or the far side of a torus.
constexpr int pad = 2;

class Envelope {
 public:
  Envelope(Plane<float>& radius, double slope, bool wrap)
      : map_(radius),
        wrap_(wrap),
        straight_(static_cast<float>(slope * straight_weight)),
        diagonal_(static_cast<float>(slope * diagonal_weight)),
        knight_(static_cast<float>(slope * knight_weight)),
        outside_(static_cast<std::size_t>(radius.width() + 2 * pad), infinity),
        near_(outside_),
        far_(outside_) {}

  // Runs one pass in raster order or against it. Returns true if it changed anything.
  bool pass(bool down, Context& context) {
    constexpr int rows_a_report = 64;
    bool changed = false;
    for (int i = 0; i < map_.height(); ++i) {
      if (i % rows_a_report == 0) context.progress(static_cast<double>(i) / map_.height());
      const int y = down ? i : map_.height() - 1 - i;
      const int step = down ? -1 : 1;
      load(y + step, near_);
      load(y + 2 * step, far_);
      changed |= from_rows_before(map_.row(y));
      changed |= down ? along_row(map_.row(y), 1) : along_row(map_.row(y), -1);
    }
    return changed;
  }

 private:
  static constexpr float infinity = std::numeric_limits<float>::infinity();

  void load(int y, std::vector<float>& padded) const {
    const int w = map_.width();
    const int h = map_.height();
    if (!wrap_ && (y < 0 || y >= h)) {
      padded = outside_;
      return;
    }
    const float* row = map_.row(modulo(y, h));
    std::copy(row, row + w, padded.begin() + pad);
    if (!wrap_) return;
    for (int i = 0; i < pad; ++i) {
      padded[static_cast<std::size_t>(i)] = row[modulo(i - pad, w)];
      padded[static_cast<std::size_t>(pad + w + i)] = row[i % w];
    }
  }

  bool from_rows_before(float* row) const {
    const float* one = near_.data() + pad;
    const float* two = far_.data() + pad;
    int changed = 0;
    for (int x = 0; x < map_.width(); ++x) {
      const float straight = one[x] + straight_;
      const float diagonal = std::min(one[x - 1], one[x + 1]) + diagonal_;
      const float knight =
          std::min(std::min(one[x - 2], one[x + 2]), std::min(two[x - 1], two[x + 1])) + knight_;
      const float limit = std::min(straight, std::min(diagonal, knight));
      changed |= limit < row[x];
      row[x] = std::min(row[x], limit);
    }
    return changed != 0;
  }

  bool along_row(float* row, int step) const {
    const int w = map_.width();
    const int first = step > 0 ? 0 : w - 1;
    float before = wrap_ ? row[step > 0 ? w - 1 : 0] : infinity;
    int changed = 0;
    for (int i = 0; i < w; ++i) {
      float& value = row[first + i * step];
      const float limit = before + straight_;
      changed |= limit < value;
      value = std::min(value, limit);
      before = value;
    }
    return changed != 0;
  }

  Plane<float>& map_;
  bool wrap_;
  float straight_;
  float diagonal_;
  float knight_;
  std::vector<float> outside_;
  std::vector<float> near_;
  std::vector<float> far_;
};

}  // namespace

void limit_slope(Plane<float>& radius, double slope, bool wrap) {
  Context context;
  limit_slope(radius, slope, wrap, context);
}

void limit_slope(Plane<float>& radius, double slope, bool wrap, Context& context) {
  const auto stage = context.outermost("slope");
  require_above_0("the slope of a map of radii", slope);
  if (radius.empty()) return;
  // Forbidden pixels do not block the way: the limit is about distances, not about paths.
  const auto allowed = [](float r) { return std::isfinite(r) && r > 0; };
  const std::span<float> values = radius.values();
  bool open = true;
  in_runs(values.size(), context, [&](std::size_t first, std::size_t end) {
    const auto run = values.subspan(first, end - first);
    open = open && std::all_of(run.begin(), run.end(), allowed);
  });
  const Plane<float> given = open ? Plane<float>() : copied(radius, context);
  if (!open) {
    make_again(radius, context, [&](std::size_t i) {
      return allowed(values[i]) ? values[i] : std::numeric_limits<float>::infinity();
    });
  }
  Envelope envelope(radius, slope, wrap);
  // Two passes are exact on a flat raster. A pass crosses the seams of a torus in one direction
  // only. So passes repeat until nothing changes, two or three times.
  double left = 1;  // of the time; each turn around a torus takes half of the rest
  bool changed = true;
  while (changed) {
    const double turn = wrap ? 0.5 * left : left;
    {
      const auto part = context.part(1 - left, 1 - left + 0.5 * turn);
      changed = envelope.pass(true, context);
    }
    {
      const auto part = context.part(1 - left + 0.5 * turn, 1 - left + turn);
      changed = envelope.pass(false, context) || changed;
    }
    changed = changed && wrap;
    left -= turn;
  }
  context.progress(1);
  if (open) return;
  make_again(radius, context, [&](std::size_t i) {
    return allowed(given.values()[i]) ? values[i] : given.values()[i];
  });
}

}  // namespace dapple
