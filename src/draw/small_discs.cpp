// Draws discs by quadrants. Q(x, y) is the disc's area to the left of x and above y. The area in a
// pixel is the alternating sum of Q at its four corners. S(x) is the area left of x. It contains
// the arc sine and is needed once per column and once per row, not once per pixel:
//   a corner in the disc:  Q = x y + (S(x) + S(y)) / 2 - (the disc) / 4
//   outside:               nothing, S(x), S(y), or S(x) + S(y) - (the disc).
// Several columns are computed at once, without branches.
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

// The number of lines between columns or rows that the largest disc touches, in whole registers.
constexpr std::size_t room = 32;
// A smaller disc leaves every float as it is.
constexpr double least = 1e-6;
constexpr float pi = std::numbers::pi_v<float>;

constexpr std::size_t whole_registers(std::size_t lines) {
  return (lines + Floats::count - 1) / Floats::count * Floats::count;
}

// One disc, or one disc per lane.
struct Rim {
  Floats radius, square, disc;

  explicit Rim(Floats r) : radius(r), square(r * r), disc(square * pi) {}

  // Returns the line, moved to the rim if it is beyond.
  Floats clamped(Floats line) const { return min(max(line, -radius), radius); }
  // Returns the area of the disc before a clamped line.
  Floats before(Floats line) const {
    const Floats m = min(abs(line) * (1.0f / radius), 1.0f);
    const Floats root = sqrt(1.0f - m);
    // This is the arc cosine (Hastings 1955), to 2e-8.
    Floats angle = m * -0.0012624911f + 0.0066700901f;
    angle = angle * m - 0.0170881256f;
    angle = angle * m + 0.0308918810f;
    angle = angle * m - 0.0501743046f;
    angle = angle * m + 0.0889789874f;
    angle = angle * m - 0.2145988016f;
    angle = angle * m + 1.5707963050f;
    const Floats cap = (root * angle - m * root * sqrt(1.0f + m)) * square;
    return select(line < 0.0f, cap, disc - cap);
  }
  // Returns Q at the corner of two clamped lines. `left` and `up` are the areas before the lines.
  Floats quadrant(Floats x, Floats left, Floats y, Floats up) const {
    const Floats inside = x * y + left * 0.5f + (0.5f * up - 0.25f * disc);
    const Floats of_left = keep(y > 0.0f, Floats(1.0f));
    const Floats to_right = select(y > 0.0f, up - disc, up);
    const Floats outside = of_left * left + keep(x > 0.0f, to_right);
    return select(x * x <= square - y * y, inside, outside);
  }
};

class Quadrants {
 public:
  explicit Quadrants(double radius) : rim_(static_cast<float>(radius)) {}

  // Sets the lines between columns from `first` on, 1 apart.
  void set_columns(int first, std::size_t columns, double center) {
    lines_ = whole_registers(columns + 1);
    for (std::size_t i = 0; i < lines_; ++i) {
      x_[i] = static_cast<float>(first + static_cast<int>(i) - center);
    }
    for (std::size_t i = 0; i < lines_; i += Floats::count) set_before(&x_[i], &left_[i]);
    rim_.radius.store(&x_[lines_]);
    for (auto& of : quadrants_) of[lines_] = 0;
  }
  // Sets the lines between rows from `first` on. The columns must be set before.
  void set_rows(int first, std::size_t rows, double height, double center) {
    const std::size_t lines = whole_registers(rows + 1);
    for (std::size_t i = 0; i < lines; ++i) {
      y_[i] = static_cast<float>((first + static_cast<int>(i)) * height - center);
    }
    for (std::size_t i = 0; i < lines; i += Floats::count) set_before(&y_[i], &above_[i]);
    set_high(0);
  }
  // Adds `part` (1 or -1) times the disc's area in each pixel of the next row, exact inside it.
  void add_row(float part, std::array<float, room>& areas) {
    std::swap(low_, high_);
    set_high(++line_);
    const float farthest = std::max(std::abs(y_[line_ - 1]), std::abs(y_[line_]));
    const Floats within = rim_.square - farthest * farthest;
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
  void set_before(float* lines, float* before) const {
    const Floats at = rim_.clamped(Floats::load(lines));
    at.store(lines);
    rim_.before(at).store(before);
  }
  // Computes Q along a line between rows.
  void set_high(std::size_t line) {
    for (std::size_t i = 0; i < lines_; i += Floats::count) {
      rim_.quadrant(Floats::load(&x_[i]), Floats::load(&left_[i]), y_[line], above_[line])
          .store(&quadrants_[high_][i]);
    }
  }

  Rim rim_;
  std::size_t lines_ = 0;  // between columns
  // The lines, from the center. One more value is read than there are lines.
  std::array<float, room + Floats::count> x_, y_;
  std::array<float, room> left_, above_;
  // Q at the line before and after the row. One more value is read than there are lines.
  std::array<float, room + Floats::count> quadrants_[2];
  std::size_t low_ = 0, high_ = 1;
  std::size_t line_ = 0;
};

// Rows of clear shares, from `first` on.
struct Target {
  const Frame& frame;
  int first;
  bool apart;
  Plane<float>& clear;

  Span rows_of(const Annulus& ring) const {
    return frame.rows_of(ring.center.y - ring.outer, ring.center.y + ring.outer, first,
                         clear.height());
  }
  Span columns_of(const Annulus& ring) const {
    return frame.columns_of(ring.center.x - ring.outer, ring.center.x + ring.outer);
  }
  void take(float& out, float cover) const { out = apart ? out - cover : out * (1 - cover); }
};

void draw(const Annulus& ring, const Target& target) {
  const Frame& frame = target.frame;
  const Span rows = target.rows_of(ring);
  const Span columns = target.columns_of(ring);
  if (columns.begin >= columns.end || rows.begin >= rows.end) return;
  const auto width = static_cast<std::size_t>(columns.end - columns.begin);
  const auto place = [&](Quadrants& of) {
    of.set_columns(frame.left + columns.begin, width, ring.center.x);
    of.set_rows(frame.top + target.first + rows.begin,
                static_cast<std::size_t>(rows.end - rows.begin), frame.row_height, ring.center.y);
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
    float* out = target.clear.row(row) + columns.begin;
    for (std::size_t i = 0; i < width; ++i) {
      target.take(out[i], std::min(std::max(cover[i], 0.0f), 1.0f));
    }
  }
}

// Draws tiny discs, one per lane, with the same sums as above. The lines of one disc would leave
// most of a register idle.
template <std::size_t lines>
class Batch {
 public:
  explicit Batch(const Target& target) : target_(target) {
    radius_.fill(1);
    for (auto* of : {&x_, &y_}) {
      for (auto& line : *of) line.fill(0);
    }
  }

  // Adds a ring, and draws all rings in their order when the batch is full.
  void draw(const Annulus& ring) {
    const Frame& frame = target_.frame;
    const Span rows = target_.rows_of(ring);
    const Span columns = target_.columns_of(ring);
    if (columns.begin >= columns.end || rows.begin >= rows.end) return;
    constexpr int most = static_cast<int>(lines) - 1;
    if (ring.inner > least || rows.end - rows.begin > most || columns.end - columns.begin > most) {
      finish();
      return HWY_NAMESPACE::draw(ring, target_);
    }
    const int left = frame.left + columns.begin;
    const int top = frame.top + target_.first + rows.begin;
    for (std::size_t i = 0; i < lines; ++i) {
      x_[i][count_] = static_cast<float>(left + static_cast<int>(i) - ring.center.x);
      y_[i][count_] =
          static_cast<float>((top + static_cast<int>(i)) * frame.row_height - ring.center.y);
    }
    radius_[count_] = static_cast<float>(ring.outer);
    places_[count_] = {rows, columns};
    if (++count_ == Floats::count) finish();
  }

  void finish() {
    if (count_ == 0) return;
    const Rim rim(Floats::load(radius_.data()));
    Floats x[lines], y[lines], left[lines], above[lines];
    for (std::size_t i = 0; i < lines; ++i) {
      x[i] = rim.clamped(Floats::load(x_[i].data()));
      y[i] = rim.clamped(Floats::load(y_[i].data()));
      left[i] = rim.before(x[i]);
      above[i] = rim.before(y[i]);
    }
    constexpr std::size_t side = lines - 1;
    std::array<Register, side * side> covers;
    const Floats share = static_cast<float>(1 / target_.frame.row_height);
    Floats low[lines], high[lines];
    std::fill(low, low + lines, Floats(0.0f));
    for (std::size_t j = 0; j < lines; ++j) {
      for (std::size_t i = 0; i < lines; ++i) {
        high[i] = rim.quadrant(x[i], left[i], y[j], above[j]);
      }
      if (j > 0) {
        const Floats farthest = max(abs(y[j - 1]), abs(y[j]));
        const Floats within = rim.square - farthest * farthest;
        for (std::size_t i = 0; i < side; ++i) {
          const Floats widest = max(abs(x[i]), abs(x[i + 1]));
          const Floats area = ((high[i + 1] - high[i]) - (low[i + 1] - low[i])) * share;
          const Floats cover = select(widest * widest <= within, Floats(1.0f), area);
          min(max(cover, 0.0f), 1.0f).store(covers[(j - 1) * side + i].data());
        }
      }
      std::copy(high, high + lines, low);
    }
    for (std::size_t k = 0; k < count_; ++k) {
      const auto [rows, columns] = places_[k];
      const Register* of_row = covers.data();
      for (int row = rows.begin; row < rows.end; ++row, of_row += side) {
        float* out = target_.clear.row(row);
        const Register* cover = of_row;
        for (int column = columns.begin; column < columns.end; ++column, ++cover) {
          target_.take(out[column], (*cover)[k]);
        }
      }
    }
    count_ = 0;
  }

 private:
  using Register = std::array<float, Floats::count>;
  struct Place {
    Span rows, columns;
  };

  const Target& target_;
  std::size_t count_ = 0;
  Register radius_;
  std::array<Register, lines> x_, y_;
  std::array<Place, Floats::count> places_;
};

template <std::size_t lines>
void draw_in_batches(std::span<const Annulus> rings, double largest, const Target& target) {
  Batch<lines> batch(target);
  for (const Annulus& ring : rings) {
    if (ring.outer <= least) continue;
    if (ring.outer <= largest) {
      batch.draw(ring);
    } else {
      batch.finish();
      draw(ring, target);
    }
  }
  batch.finish();
}

void draw_all(std::span<const Annulus> rings, const Frame& frame, int first, bool apart,
              Plane<float>& clear) {
  const Target target{frame, first, apart, clear};
  // A disc touches at most 1 column more than it is wide.
  constexpr double tiny = 1, small = 2;
  double largest = 0;
  for (const Annulus& ring : rings) {
    if (ring.outer <= small) largest = std::max(largest, ring.outer);
  }
  if (largest <= tiny) {
    draw_in_batches<4>(rings, tiny, target);
  } else {
    draw_in_batches<6>(rings, small, target);
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
