#include "sample/mixed/near.hpp"

#include <algorithm>
#include <cmath>

namespace dapple::mixed {
namespace {

double square(double v) {
  return v * v;
}

// How far a number is from an interval.
double gap(double v, double low, double high) {
  return std::max({0.0, low - v, v - high});
}

}  // namespace

void Found::clear() {
  x.clear();
  y.clear();
  other.clear();
  kind.clear();
  number.clear();
}

void Found::add(const Found& from, std::size_t i) {
  x.push_back(from.x[i]);
  y.push_back(from.y[i]);
  other.push_back(from.other[i]);
  kind.push_back(from.kind[i]);
  number.push_back(from.number[i]);
}

bool covers(const Classes& classes, std::size_t klass, const double* least, const Found& found,
            const Box& box, double wider, std::uint32_t first) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found.number[i] < first) continue;
    const double far = square(std::max(found.x[i] - box.x0, box.x1 - found.x[i])) +
                       square(std::max(found.y[i] - box.y0, box.y1 - found.y[i]));
    const double limit = classes.limit(klass, least, found.kind[i], found.other[i]);
    if (far < square(limit * wider)) return true;
  }
  return false;
}

bool holds_off(const Classes& classes, std::size_t klass, const double* each, const Found& found,
               Vec2 at, double wider) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double far = square(found.x[i] - at.x) + square(found.y[i] - at.y);
    const double limit = classes.limit(klass, each, found.kind[i], found.other[i]);
    if (far < square(limit * wider)) return true;
  }
  return false;
}

Near::Near(const Classes& classes, bool by_itself) : classes_(classes), by_itself_(by_itself) {}

void Near::add(Vec2 at, int kind, const double* each) {
  const double most =
      kind == classes_.without_radius() ? 0 : *std::max_element(each, each + classes_.count());
  std::size_t level = 0;
  double above = 2 * classes_.least();
  for (; above <= most; above *= 2) ++level;
  for (double of = 2 * classes_.least() * std::ldexp(1.0, static_cast<int>(levels_.size()));
       levels_.size() <= level; of *= 2) {
    const Domain& domain = classes_.domain();
    Level made;
    made.most = of;
    made.columns = std::max<std::int64_t>(1, static_cast<std::int64_t>(domain.width / of));
    made.rows = std::max<std::int64_t>(1, static_cast<std::int64_t>(domain.height / of));
    made.width = domain.width / static_cast<double>(made.columns);
    made.height = domain.height / static_cast<double>(made.rows);
    levels_.push_back(std::move(made));
  }
  Level& in = levels_[level];
  const auto cell = [](double v, double edge, std::int64_t count) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(v / edge), 0, count - 1);
  };
  in.cells[cell(at.y, in.height, in.rows) * in.columns + cell(at.x, in.width, in.columns)]
      .push_back(static_cast<std::uint32_t>(size()));
  x_.push_back(at.x);
  y_.push_back(at.y);
  kind_.push_back(kind);
  each_.insert(each_.end(), each, each + classes_.count());
}

void Near::gather(std::size_t klass, const Box& box, double most, Found& into) const {
  const Domain& domain = classes_.domain();
  const auto first_of = [](double v, double edge) {
    return static_cast<std::int64_t>(std::floor(v / edge));
  };
  for (const Level& level : levels_) {
    if (level.cells.empty()) continue;
    double reach = by_itself_ ? std::max(most, level.most) : classes_.reach(most, level.most);
    reach *= 1.001;
    double across = reach, down = reach;
    if (domain.wrap) {
      // What is farther is nearer as another image.
      across = std::min(reach, domain.width);
      down = std::min(reach, domain.height);
    }
    std::int64_t x0 = first_of(box.x0 - across, level.width);
    std::int64_t x1 = first_of(box.x1 + across, level.width);
    std::int64_t y0 = first_of(box.y0 - down, level.height);
    std::int64_t y1 = first_of(box.y1 + down, level.height);
    if (!domain.wrap) {
      x0 = std::max<std::int64_t>(x0, 0);
      y0 = std::max<std::int64_t>(y0, 0);
      x1 = std::min(x1, level.columns - 1);
      y1 = std::min(y1, level.rows - 1);
    }
    for (std::int64_t y = y0; y <= y1; ++y) {
      const std::int64_t turns_y = y < 0 ? -((level.rows - 1 - y) / level.rows) : y / level.rows;
      for (std::int64_t x = x0; x <= x1; ++x) {
        const std::int64_t turns_x =
            x < 0 ? -((level.columns - 1 - x) / level.columns) : x / level.columns;
        const auto cell = level.cells.find((y - turns_y * level.rows) * level.columns +
                                           (x - turns_x * level.columns));
        if (cell == level.cells.end()) continue;
        const double shift_x = static_cast<double>(turns_x) * domain.width;
        const double shift_y = static_cast<double>(turns_y) * domain.height;
        for (const std::uint32_t i : cell->second) {
          const double at_x = x_[i] + shift_x;
          const double at_y = y_[i] + shift_y;
          const double far = square(gap(at_x, box.x0, box.x1)) + square(gap(at_y, box.y0, box.y1));
          const double other = each_[i * classes_.count() + klass];
          const double limit = by_itself_ ? std::max(most, other) : classes_.reach(most, other);
          if (!(far <= square(limit * 1.001))) continue;
          into.x.push_back(at_x);
          into.y.push_back(at_y);
          into.other.push_back(other);
          into.kind.push_back(kind_[i]);
          into.number.push_back(i);
        }
      }
    }
  }
}

}  // namespace dapple::mixed
