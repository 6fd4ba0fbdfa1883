#include "draw/disc_coverage_table.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "draw/small_discs.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "draw/disc_coverage_table.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include "core/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {
namespace {

constexpr std::int64_t places = CoverageStamps::places;
constexpr std::int64_t columns = CoverageStamps::columns;
constexpr std::int64_t rows = CoverageStamps::rows;

// Sums per pixel, with room for stamps that reach beyond them. Sums are whole numbers, so that the
// order of marks does not change them.
class Sums {
 public:
  Sums(const CoverageStamps& stamps, int first, int height)
      : table_(stamps.table()),
        width_(stamps.frame().width),
        height_(height),
        left_(stamps.frame().left),
        top_(stamps.frame().top + first),
        stride_(width_ + 2 * columns),
        sums_(static_cast<std::size_t>(stride_ * (height_ + 2 * rows))) {
    const Frame& frame = stamps.frame();
    across_ = frame.scale * places;
    down_ = across_ / frame.row_height;
    // These offsets lead from the center to the first pixel of a stamp, and to the nearest place.
    constexpr double corner = 0.5 - CoverageStamps::largest_radius * places;
    from_x_ = corner - frame.past.x * places;
    from_y_ = corner - frame.past.y / frame.row_height * places;
  }

  HWY_INLINE void add(const DiscMark* mark, const DiscMark* last, std::uint32_t end) {
    for (; mark != last; ++mark) {
      const std::int64_t x = floor(static_cast<double>(mark->x) * across_ + from_x_);
      const std::int64_t y = floor(static_cast<double>(mark->y) * down_ + from_y_);
      const std::int64_t column = x / places - away - left_;
      const std::int64_t row = y / places - away - top_;
      if (column <= -columns || column >= width_ || row <= -rows || row >= height_ ||
          mark->number >= end) {
        continue;
      }
      const std::int64_t place = (mark->size * places + y % places) * places + x % places;
      const std::int16_t* from = table_ + place * rows * columns;
      std::int16_t* to = sums_.data() + (row + rows) * stride_ + column + columns;
      const Row weight = mark->weight;
      for (int j = 0; j < rows; ++j, from += columns, to += stride_) {
        for (std::size_t i = 0; i < columns; i += Row::count) {
          // This is a rounded product of 2^-15 parts.
          const Row product = hn::MulFixedPoint15(Row::load(from + i).raw, weight.raw);
          (Row::load(to + i) + product).store(to + i);
        }
      }
    }
  }

  void take_from(Plane<float>& clear) const {
    constexpr auto part = static_cast<float>(1 / CoverageStamps::whole);
    for (std::int64_t row = 0; row < height_; ++row) {
      const std::int16_t* sum = sums_.data() + (row + rows) * stride_ + columns;
      float* out = clear.row(static_cast<int>(row));
      for (std::int64_t x = 0; x < width_; ++x) out[x] -= static_cast<float>(sum[x]) * part;
    }
  }

 private:
  using Row = Lanes<std::int16_t, columns>;
  static constexpr std::int64_t away = std::int64_t{1} << 40;  // pixels: makes all places positive
  static std::int64_t floor(double at) {
    return static_cast<std::int64_t>(at + static_cast<double>(away * places));
  }

  const std::int16_t* table_;
  std::int64_t width_, height_, left_, top_, stride_;
  double across_, down_, from_x_, from_y_;
  std::vector<std::int16_t> sums_;
};

void add_marks(const CoverageStamps& stamps, int first, std::size_t end, Plane<float>& clear) {
  Sums sums(stamps, first, clear.height());
  const Frame& frame = stamps.frame();
  const auto last = static_cast<std::uint32_t>(std::min<std::size_t>(end, 0xffffffffu));
  stamps.crowd().visit(frame.on_paper(first, clear.height()),
                       [&](const DiscMark* from, const DiscMark* to) { sums.add(from, to, last); });
  sums.take_from(clear);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple {

HWY_EXPORT(add_marks);

CoverageStamps::CoverageStamps(const DenseDiscs& crowd, const Frame& frame, Context& context)
    : crowd_(&crowd), frame_(frame) {
  constexpr std::size_t of_size = std::size_t{places} * places * rows * columns;
  table_.resize(of_size * crowd.radii().size());
  parallel_for(context, crowd.radii().size(), [&](std::size_t k) {
    // The discs lie side by side on a sheet.
    const Frame sheet{
        .width = places * columns, .height = places * rows, .row_height = frame.row_height};
    std::vector<Annulus> discs;
    const auto center = [](int place, int side) {
      return side * place + largest_radius + 1.0 / places * place;
    };
    for (int y = 0; y < places; ++y) {
      for (int x = 0; x < places; ++x) {
        discs.push_back({{center(x, columns), center(y, rows) * frame.row_height},
                         crowd.radii()[k] * frame.scale});
      }
    }
    Plane<float> clear(sheet.width, sheet.height, 1.0f);
    draw_small_rings(discs, sheet, 0, true, clear);
    std::int16_t* out = table_.data() + k * of_size;
    for (int place = 0; place < places * places; ++place) {
      for (int j = 0; j < rows; ++j) {
        const float* row = clear.row(place / places * rows + j) + place % places * columns;
        for (int i = 0; i < columns; ++i) {
          *out++ = static_cast<std::int16_t>((1 - row[i]) * static_cast<float>(whole) + 0.5f);
        }
      }
    }
  });
}

void CoverageStamps::draw(int first, std::size_t end, Plane<float>& clear) const {
  HWY_DYNAMIC_DISPATCH(add_marks)(*this, first, end, clear);
}

}  // namespace dapple
#endif
