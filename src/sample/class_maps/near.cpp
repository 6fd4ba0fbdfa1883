#include "sample/class_maps/near.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dapple::class_maps {
namespace {

double square(double v) {
  return v * v;
}

// Returns the distance of a number from an interval.
double gap(double v, double low, double high) {
  return std::max({0.0, low - v, v - high});
}

}  // namespace

bool covers(const Classes& classes, std::size_t class_id, const double* least,
            std::span<const NearPoint> found, const Box& box, double wider) {
  for (const NearPoint& point : found) {
    const double far = square(std::max(point.x - box.x0, box.x1 - point.x)) +
                       square(std::max(point.y - box.y0, box.y1 - point.y));
    const double limit = classes.limit(class_id, least, point.kind, point.other);
    if (far < square(limit * wider)) return true;
  }
  return false;
}

bool holds_off(const Classes& classes, std::size_t class_id, const double* each,
               std::span<const NearPoint> found, Vec2 at, double wider) {
  for (const NearPoint& point : found) {
    const double far = square(point.x - at.x) + square(point.y - at.y);
    const double limit = classes.limit(class_id, each, point.kind, point.other);
    if (far < square(limit * wider)) return true;
  }
  return false;
}

Near::Near(const Classes& classes, bool by_itself) : classes_(classes), by_itself_(by_itself) {}

void Near::resize(std::size_t count) {
  x_.resize(count);
  y_.resize(count);
  kind_.resize(count);
  each_.resize(count * classes_.count());
}

void Near::set(std::size_t i, Vec2 at, int kind, const double* each) {
  x_[i] = at.x;
  y_[i] = at.y;
  kind_[i] = kind;
  std::copy_n(each, classes_.count(), each_.data() + i * classes_.count());
}

void Near::put_in_order() {
  levels_.clear();
  for (std::size_t i = 0; i < size(); ++i) {
    const bool has_radius = kind_[i] != classes_.without_radius();
    const double most = has_radius ? *std::max_element(each(i), each(i) + classes_.count()) : 0;
    std::size_t level = 0;
    for (double above = 2 * classes_.least(); above <= most; above *= 2) ++level;
    while (levels_.size() <= level) {
      Level made;
      made.most = 2 * classes_.least() * std::ldexp(1.0, static_cast<int>(levels_.size()));
      levels_.push_back(std::move(made));
    }
    levels_[level].points.push_back(static_cast<std::uint32_t>(i));
  }
  for (Level& level : levels_) put_in_order(level);
}

// Makes rows about as high as the radii, but at most one more than there are points.
void Near::put_in_order(Level& level) const {
  const double height = classes_.domain().height;
  const auto most = static_cast<double>(level.points.size());
  const auto rows = static_cast<std::size_t>(std::clamp(height / level.most, 1.0, 1 + most));
  level.height = height / static_cast<double>(rows);
  const auto row_of = [&](std::uint32_t i) {
    return std::min(rows - 1, static_cast<std::size_t>(y_[i] / level.height));
  };
  level.first.assign(rows + 1, 0);
  for (const std::uint32_t i : level.points) ++level.first[row_of(i) + 1];
  std::partial_sum(level.first.begin(), level.first.end(), level.first.begin());
  std::vector<std::size_t> next(level.first.begin(), level.first.end() - 1);
  level.entries.resize(level.points.size());
  for (const std::uint32_t i : level.points) level.entries[next[row_of(i)]++] = {x_[i], i};
  for (std::size_t row = 0; row < rows; ++row) {
    const auto begin = level.entries.begin();
    std::sort(begin + static_cast<std::ptrdiff_t>(level.first[row]),
              begin + static_cast<std::ptrdiff_t>(level.first[row + 1]),
              [](const Entry& a, const Entry& b) {
                return a.x != b.x ? a.x < b.x : a.number < b.number;
              });
  }
}

void Near::gather(std::size_t class_id, const Box& box, double most, Found& into) const {
  const Domain& domain = classes_.domain();
  for (const Level& level : levels_) {
    if (level.entries.empty()) continue;
    double reach = by_itself_ ? std::max(most, level.most) : classes_.reach(most, level.most);
    reach *= 1.001;
    double across = reach, down = reach;
    if (domain.wrap) {
      // A point beyond this distance is nearer as another image.
      across = std::min(reach, domain.width);
      down = std::min(reach, domain.height);
    }
    const auto rows = static_cast<std::int64_t>(level.first.size()) - 1;
    auto y0 = static_cast<std::int64_t>(std::floor((box.y0 - down) / level.height));
    auto y1 = static_cast<std::int64_t>(std::floor((box.y1 + down) / level.height));
    std::int64_t left = 0, right = 0;  // images of the domain
    if (domain.wrap) {
      left = static_cast<std::int64_t>(std::floor((box.x0 - across) / domain.width));
      right = static_cast<std::int64_t>(std::floor((box.x1 + across) / domain.width));
    } else {
      y0 = std::max<std::int64_t>(y0, 0);
      y1 = std::min(y1, rows - 1);
    }
    for (std::int64_t y = y0; y <= y1; ++y) {
      const std::int64_t turns_y = y < 0 ? -((rows - 1 - y) / rows) : y / rows;
      const double shift_y = static_cast<double>(turns_y) * domain.height;
      const auto row = static_cast<std::size_t>(y - turns_y * rows);
      const auto begin = level.entries.begin() + static_cast<std::ptrdiff_t>(level.first[row]);
      const auto end = level.entries.begin() + static_cast<std::ptrdiff_t>(level.first[row + 1]);
      for (std::int64_t turn = left; turn <= right; ++turn) {
        const double shift_x = static_cast<double>(turn) * domain.width;
        const double farthest = box.x1 + across;
        auto entry =
            std::lower_bound(begin, end, box.x0 - across,
                             [shift_x](const Entry& of, double x) { return of.x + shift_x < x; });
        for (; entry != end && entry->x + shift_x <= farthest; ++entry) {
          const std::uint32_t i = entry->number;
          const double at_x = entry->x + shift_x;
          const double at_y = y_[i] + shift_y;
          const double far = square(gap(at_x, box.x0, box.x1)) + square(gap(at_y, box.y0, box.y1));
          const double other = each_[i * classes_.count() + class_id];
          const double limit = by_itself_ ? std::max(most, other) : classes_.reach(most, other);
          if (far <= square(limit * 1.001)) into.push_back({at_x, at_y, other, kind_[i], i});
        }
      }
    }
  }
}

}  // namespace dapple::class_maps
