// Quadrants of a disc: Q(x, y) is its area to the left of x and above y, so that a pixel's is the
// alternating sum of Q at its four corners. With S(x), the area left of x, which has the arc sine
// in it and is needed once a column and once a row, not once a pixel:
//   a corner in the disc:  Q = x y + (S(x) + S(y)) / 2 - (the disc) / 4
//   outside:               nothing, S(x), S(y), or S(x) + S(y) - (the disc).
// Several columns at once, without branches.
#include "draw/small_discs.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "draw/small_discs.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include "core/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {
namespace {

using Floats = Lanes<float, 8>;

// Lines between the columns or rows that the largest disc touches, in whole registers.
constexpr std::size_t room = 32;
// A smaller disc leaves every float as it is.
constexpr double least = 1e-6;
constexpr float pi = std::numbers::pi_v<float>;

constexpr std::size_t whole_registers(std::size_t lines) {
  return (lines + Floats::count - 1) / Floats::count * Floats::count;
}

class Quadrants {
 public:
  explicit Quadrants(double radius)
      : radius_(static_cast<float>(radius)), square_(radius_ * radius_), disc_(pi * square_) {}

  // Lines between columns that follow each other from `first`, 1 apart.
  void set_columns(int first, std::size_t columns, double center) {
    lines_ = whole_registers(columns + 1);
    for (std::size_t i = 0; i < lines_; ++i) {
      x_[i] = static_cast<float>(first + static_cast<int>(i) - center);
    }
    for (std::size_t i = 0; i < lines_; i += Floats::count) set_before(&x_[i], &left_[i]);
    x_[lines_] = radius_;
    for (auto& of : quadrants_) of[lines_] = 0;
  }
  // Lines between rows that follow each other from `first`; columns are set before.
  void set_rows(int first, std::size_t rows, double height, double center) {
    const std::size_t lines = whole_registers(rows + 1);
    for (std::size_t i = 0; i < lines; ++i) {
      y_[i] = static_cast<float>((first + static_cast<int>(i)) * height - center);
    }
    for (std::size_t i = 0; i < lines; i += Floats::count) set_before(&y_[i], &above_[i]);
    set_high(0);
  }
  // Adds a part of the areas in the pixels of the next row, 1/part each of those that lie in the
  // disc.
  void add_row(float part, std::array<float, room>& areas) {
    std::swap(low_, high_);
    set_high(++line_);
    const float farthest = std::max(std::abs(y_[line_ - 1]), std::abs(y_[line_]));
    const Floats within = square_ - farthest * farthest;
    const float* low = quadrants_[low_].data();
    const float* high = quadrants_[high_].data();
    for (std::size_t i = 0; i < lines_; i += Floats::count) {
      const Floats up = Floats::load(high + i + 1) - Floats::load(high + i);
      const Floats down = Floats::load(low + i + 1) - Floats::load(low + i);
      const Floats side = max(abs(Floats::load(&x_[i])), abs(Floats::load(&x_[i + 1])));
      const Floats area =
          select(side * side <= within, part > 0 ? 1.0f : -1.0f, (up - down) * part);
      (Floats::load(&areas[i]) + area).store(&areas[i]);
    }
  }

 private:
  // Of the disc, what lies before each of some lines, which are moved to its rim where they are
  // beyond.
  void set_before(float* lines, float* before) const {
    const Floats at = min(max(Floats::load(lines), -radius_), radius_);
    const Floats m = min(abs(at) * (1 / radius_), 1.0f);
    const Floats root = sqrt(1.0f - m);
    // The arc cosine (Hastings 1955), to 2e-8.
    Floats angle = m * -0.0012624911f + 0.0066700901f;
    angle = angle * m - 0.0170881256f;
    angle = angle * m + 0.0308918810f;
    angle = angle * m - 0.0501743046f;
    angle = angle * m + 0.0889789874f;
    angle = angle * m - 0.2145988016f;
    angle = angle * m + 1.5707963050f;
    const Floats cap = (root * angle - m * root * sqrt(1.0f + m)) * square_;
    at.store(lines);
    select(at < 0.0f, cap, disc_ - cap).store(before);
  }
  // Quadrants above a line between rows.
  void set_high(std::size_t line) {
    const float y = y_[line];
    const float up = above_[line];
    const Floats in_middle = 0.5f * up - 0.25f * disc_;
    const Floats within = square_ - y * y;
    const Floats of_left = y > 0 ? 1.0f : 0.0f;
    const Floats to_right = y > 0 ? up - disc_ : up;
    for (std::size_t i = 0; i < lines_; i += Floats::count) {
      const Floats x = Floats::load(&x_[i]);
      const Floats left = Floats::load(&left_[i]);
      const Floats inside = x * y + left * 0.5f + in_middle;
      const Floats outside = of_left * left + keep(x > 0.0f, to_right);
      select(x * x <= within, inside, outside).store(&quadrants_[high_][i]);
    }
  }

  float radius_, square_, disc_;
  std::size_t lines_ = 0;  // between columns
  // From the middle; one more is read than there are lines.
  std::array<float, room + Floats::count> x_, y_;
  std::array<float, room> left_, above_;
  // Of the line before and after the row; one more is read than there are lines.
  std::array<float, room + Floats::count> quadrants_[2];
  std::size_t low_ = 0, high_ = 1;
  std::size_t line_ = 0;
};

void draw(const Annulus& ring, const Frame& frame, int first, bool apart, Plane<float>& clear) {
  const Span rows =
      frame.rows_of(ring.center.y - ring.outer, ring.center.y + ring.outer, first, clear.height());
  const Span columns = frame.columns_of(ring.center.x - ring.outer, ring.center.x + ring.outer);
  if (columns.begin >= columns.end || rows.begin >= rows.end) return;
  const auto width = static_cast<std::size_t>(columns.end - columns.begin);
  const auto place = [&](Quadrants& of) {
    of.set_columns(frame.left + columns.begin, width, ring.center.x);
    of.set_rows(frame.top + first + rows.begin, static_cast<std::size_t>(rows.end - rows.begin),
                frame.row_height, ring.center.y);
  };
  Quadrants outer(ring.outer), inner(ring.inner);
  place(outer);
  const bool hollow = ring.inner > least;
  if (hollow) place(inner);
  const auto share = static_cast<float>(1 / frame.row_height);
  for (int row = rows.begin; row < rows.end; ++row) {
    std::array<float, room> cover{};
    outer.add_row(share, cover);
    if (hollow) inner.add_row(-share, cover);
    float* out = clear.row(row) + columns.begin;
    for (std::size_t i = 0; i < width; ++i) {
      const float c = std::min(std::max(cover[i], 0.0f), 1.0f);
      out[i] = apart ? out[i] - c : out[i] * (1 - c);
    }
  }
}

void draw_all(std::span<const Annulus> rings, const Frame& frame, int first, bool apart,
              Plane<float>& clear) {
  for (const Annulus& ring : rings) {
    if (ring.outer > least) draw(ring, frame, first, apart, clear);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple {

HWY_EXPORT(draw_all);

void draw_small_rings(std::span<const Annulus> rings, const Frame& frame, int first, bool apart,
                      Plane<float>& clear) {
  HWY_DYNAMIC_DISPATCH(draw_all)(rings, frame, first, apart, clear);
}

}  // namespace dapple
#endif
