#include "sample/class_maps/near.hpp"

#include <algorithm>
#include <cmath>

#include "core/deterministic_math.hpp"
#include "sample/class_maps/surface_ground.hpp"

namespace dapple::class_maps {
namespace {

std::int64_t floor_of(double v) {
  return static_cast<std::int64_t>(std::floor(v));
}

}  // namespace

template <std::size_t D, class Sheet>
Near<D, Sheet>::Near(const Distances& classes, const Frame<D>& frame, double least, bool by_itself)
    : classes_(classes), frame_(frame), least_(least), by_itself_(by_itself) {}

template <std::size_t D, class Sheet>
void Near<D, Sheet>::resize(std::size_t count) {
  at_.resize(count);
  kind_.resize(count);
  sheet_.resize(count);
  each_.resize(count * classes_.count());
}

template <std::size_t D, class Sheet>
void Near<D, Sheet>::set(std::size_t i, const Coordinates<D>& at, int kind, const double* each,
                         Sheet sheet) {
  at_[i] = at;
  kind_[i] = kind;
  sheet_[i] = sheet;
  std::copy_n(each, classes_.count(), each_.data() + i * classes_.count());
}

template <std::size_t D, class Sheet>
void Near<D, Sheet>::put_in_order() {
  levels_.clear();
  for (std::size_t i = 0; i < size(); ++i) {
    const bool has_radius = kind_[i] != classes_.without_radius();
    const double most = has_radius ? *std::max_element(each(i), each(i) + classes_.count()) : 0;
    std::size_t level = 0;
    for (double above = 2 * least_; above <= most; above *= 2) ++level;
    while (levels_.size() <= level) {
      Level made;
      made.most = 2 * least_ * std::ldexp(1.0, static_cast<int>(levels_.size()));
      levels_.push_back(std::move(made));
    }
    levels_[level].points.push_back(static_cast<std::uint32_t>(i));
  }
  for (Level& level : levels_) put_in_order(level);
}

// Makes rows about as wide as the radii, but not many more than there are points.
template <std::size_t D, class Sheet>
void Near<D, Sheet>::put_in_order(Level& level) const {
  const double most = 1 + side_of(static_cast<double>(level.points.size()), D - 1);
  std::size_t rows = 1;
  for (std::size_t a = 0; a + 1 < D; ++a) {
    const double side = frame_.side[a + 1];
    level.count[a] = static_cast<std::int64_t>(std::clamp(side / level.most, 1.0, most));
    level.width[a] = side / static_cast<double>(level.count[a]);
    rows *= static_cast<std::size_t>(level.count[a]);
  }
  const auto row_of = [&](std::uint32_t i) {
    std::size_t row = 0;
    for (std::size_t a = D - 1; a-- > 0;) {
      const double along = (at_[i][a + 1] - frame_.low[a + 1]) / level.width[a];
      // Fixed points may lie outside the frame.
      const double last = static_cast<double>(level.count[a] - 1);
      row = row * static_cast<std::size_t>(level.count[a]) +
            static_cast<std::size_t>(std::clamp(along, 0.0, last));
    }
    return row;
  };
  level.rows = {rows, [&](const auto& add) {
                  for (const std::uint32_t i : level.points) add(row_of(i), {at_[i][0], i});
                }};
  for (std::size_t n = 0; n < rows; ++n) {
    const std::span<Entry> row = level.rows.of(n);
    std::sort(row.begin(), row.end(), [](const Entry& a, const Entry& b) {
      return a.x != b.x ? a.x < b.x : a.number < b.number;
    });
  }
}

template <std::size_t D, class Sheet>
void Near<D, Sheet>::gather(std::size_t class_id, const Bounds<D>& box, double most,
                            Points& into) const {
  for (const Level& level : levels_) {
    if (level.points.empty()) continue;
    double reach = by_itself_ ? std::max(most, level.most) : classes_.reach(most, level.most);
    reach *= 1.001;
    // On a torus a point beyond a side is nearer as another image.
    const auto across = [&](std::size_t axis) {
      return frame_.wrap ? std::min(reach, frame_.side[axis]) : reach;
    };
    std::array<std::int64_t, D - 1> low, high;
    for (std::size_t a = 0; a + 1 < D; ++a) {
      const std::size_t axis = a + 1;
      const double from = frame_.low[axis];
      low[a] = floor_of((box.low[axis] - from - across(axis)) / level.width[a]);
      high[a] = floor_of((box.high[axis] - from + across(axis)) / level.width[a]);
      if (frame_.wrap) continue;
      low[a] = std::max<std::int64_t>(low[a], 0);
      high[a] = std::min(high[a], level.count[a] - 1);
    }
    const auto visit = [&](const auto& self, std::size_t a, std::size_t row,
                           Coordinates<D>& shift) -> void {
      const std::int64_t count = level.count[a];
      for (std::int64_t at = low[a]; at <= high[a]; ++at) {
        const std::int64_t turns = at < 0 ? -((count - 1 - at) / count) : at / count;
        shift[a + 1] = static_cast<double>(turns) * frame_.side[a + 1];
        const std::size_t of =
            row * static_cast<std::size_t>(count) + static_cast<std::size_t>(at - turns * count);
        if (a == 0) {
          gather_row(level, of, shift, class_id, box, most, across(0), into);
        } else {
          self(self, a - 1, of, shift);
        }
      }
    };
    Coordinates<D> shift{};
    visit(visit, D - 2, 0, shift);
  }
}

template <std::size_t D, class Sheet>
void Near<D, Sheet>::gather_row(const Level& level, std::size_t row, const Coordinates<D>& shift,
                                std::size_t class_id, const Bounds<D>& box, double most,
                                double across, Points& into) const {
  const double width = frame_.side[0];
  const double nearest = box.low[0] - across;
  const double farthest = box.high[0] + across;
  const std::span<const Entry> entries = level.rows.of(row);
  const std::int64_t left = frame_.wrap ? floor_of(nearest / width) : 0;  // images
  const std::int64_t right = frame_.wrap ? floor_of(farthest / width) : 0;
  for (std::int64_t turn = left; turn <= right; ++turn) {
    const double shift_x = static_cast<double>(turn) * width;
    auto entry =
        std::lower_bound(entries.begin(), entries.end(), nearest,
                         [shift_x](const Entry& of, double x) { return of.x + shift_x < x; });
    for (; entry != entries.end() && entry->x + shift_x <= farthest; ++entry) {
      const std::uint32_t i = entry->number;
      Coordinates<D> at;
      at[0] = entry->x + shift_x;
      for (std::size_t a = 1; a < D; ++a) at[a] = at_[i][a] + shift[a];
      const double other = each_[i * classes_.count() + class_id];
      double limit = by_itself_ ? std::max(most, other) : classes_.reach(most, other);
      limit *= 1.001;
      if (square_gap(at, box) <= limit * limit) into.push_back({at, other, kind_[i], i, sheet_[i]});
    }
  }
}

template class Near<2, OneSheet::Sheet>;
template class Near<3, OneSheet::Sheet>;
template class Near<3, SurfaceGround::Sheet>;

}  // namespace dapple::class_maps
