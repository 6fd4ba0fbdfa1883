#include "draw/dense_discs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/deterministic_math.hpp"
#include "core/parallel.hpp"
#include "draw/coverage.hpp"

namespace dapple {
namespace {

constexpr double discs_of_cell = 4;
constexpr double most_ratio = 1.15;  // largest ratio of a size to the next
constexpr double most_sizes = 12;
constexpr double size_range = 20;      // a smaller disc is a share of a disc of the smallest size
constexpr double least_shared = 2e-3;  // share of a disc; less is not subtracted

std::int16_t weight_of(double share) {
  return static_cast<std::int16_t>(
      std::lround(std::clamp(share * DiscMark::whole, 1 - DiscMark::whole, DiscMark::whole - 1)));
}

}  // namespace

void DiscCells::sort(std::vector<DiscMark> marks, const std::vector<std::uint32_t>& cells,
                     std::size_t count) {
  begins_.assign(count + 1, 0);
  for (const std::uint32_t cell : cells) ++begins_[cell + 1];
  for (std::size_t cell = 0; cell < count; ++cell) begins_[cell + 1] += begins_[cell];
  std::vector<std::uint32_t> next(begins_.begin(), begins_.end() - 1);
  marks_.resize(marks.size());
  for (std::size_t i = 0; i < marks.size(); ++i) marks_[next[cells[i]]++] = marks[i];
}

DenseDiscs::DenseDiscs(std::size_t count, const std::function<Circle(std::size_t)>& circle_of,
                       Context& context)
    : count_(count) {
  if (count == 0) return;
  std::vector<Circle> circles(count);
  constexpr std::size_t chunk = 1 << 14;
  parallel_for(context, (count + chunk - 1) / chunk, [&](std::size_t c) {
    for (std::size_t i = c * chunk; i < std::min(count, (c + 1) * chunk); ++i) {
      circles[i] = circle_of(i);
    }
  });
  set_sizes(circles);
  if (!(largest_ > 0)) {
    count_ = 0;
    return;
  }
  lay_out(circles);
  std::vector<DiscMark> marks(count);
  std::vector<std::uint32_t> cells(count);
  parallel_for(context, (count + chunk - 1) / chunk, [&](std::size_t c) {
    for (std::size_t i = c * chunk; i < std::min(count, (c + 1) * chunk); ++i) {
      const auto& [center, radius] = circles[i];
      const std::uint8_t size = size_of(radius);
      const double share = radius / radii_[size];
      marks[i] = {static_cast<float>(center.x), static_cast<float>(center.y),
                  static_cast<std::uint32_t>(i), weight_of(share * share), size};
      cells[i] = static_cast<std::uint32_t>(cell_of(center));
    }
  });
  discs_.sort(std::move(marks), cells, across_.cells * down_.cells);
  find_shared(circles, context);
}

void DenseDiscs::set_sizes(const std::vector<Circle>& circles) {
  double least = circles[0].radius;
  for (const Circle& circle : circles) {
    largest_ = std::max(largest_, circle.radius);
    least = std::min(least, circle.radius);
  }
  const double range = portable_log(std::min(size_range, largest_ / std::max(least, 1e-99)));
  const double sizes =
      std::clamp(std::ceil(range / portable_log(most_ratio) - 1e-3), 0.0, most_sizes);
  for (int k = static_cast<int>(sizes); k >= 0; --k) {
    radii_.push_back(k > 0 ? largest_ * portable_exp(-range * k / sizes) : largest_);
  }
  for (std::size_t k = 0; k <= static_cast<std::size_t>(sizes); ++k) {
    radii_.push_back(0.5 * radii_[k]);
  }
}

// Returns the smallest size that is not smaller than `radius`.
std::uint8_t DenseDiscs::size_of(double radius) const {
  const auto last = radii_.begin() + static_cast<std::ptrdiff_t>(radii_.size() / 2) - 1;
  return static_cast<std::uint8_t>(std::lower_bound(radii_.begin(), last, radius) - radii_.begin());
}

void DenseDiscs::lay_out(const std::vector<Circle>& circles) {
  const Vec2 first = circles[0].center;
  Box box{first.x, first.y, first.x, first.y};
  for (const Circle& circle : circles) {
    const Vec2 p = circle.center;
    box = {std::min(box.x0, p.x), std::min(box.y0, p.y), std::max(box.x1, p.x),
           std::max(box.y1, p.y)};
  }
  const double share = discs_of_cell / static_cast<double>(count_);
  // The second bound is for discs on a line. The third puts discs that overlap into adjacent cells.
  pitch_ = std::max({std::sqrt(share * box.width() * box.height()),
                     share * std::max(box.width(), box.height()), 2 * largest_});
  if (!(pitch_ > 0)) pitch_ = 1;
  across_ = {box.x0, static_cast<std::size_t>(box.width() / pitch_) + 1};
  down_ = {box.y0, static_cast<std::size_t>(box.height() / pitch_) + 1};
}

std::size_t DenseDiscs::on(const Line& line, double at) const {
  return static_cast<std::size_t>(
      std::clamp((at - line.from) / pitch_, 0.0, static_cast<double>(line.cells - 1)));
}

void DenseDiscs::find_shared(const std::vector<Circle>& circles, Context& context) {
  struct Found {
    std::vector<DiscMark> marks;
    std::vector<std::uint32_t> cells;
  };
  std::vector<Found> found(down_.cells);
  const std::size_t sizes = radii_.size() / 2;
  parallel_for(context, down_.cells, [&](std::size_t y) {
    const auto share = [&](const DiscMark& one, const DiscMark& other, double most) {
      const auto& [p, r] = circles[one.number];
      const auto& [q, s] = circles[other.number];
      const Vec2 way = q - p;
      const double square = way.x * way.x + way.y * way.y;
      if (square >= (r + s) * (r + s)) return 0.0;
      const double area = std::min(most, shared_area(p, r, q, s) / std::numbers::pi);
      const std::uint8_t size = std::min(one.size, other.size);
      const double disc = radii_[size] * radii_[size];
      if (area < least_shared * disc) return 0.0;
      // The part of the way from p to q at the chord through the ends of the shared area.
      const double at =
          square > 0 ? std::clamp(0.5 * (square + r * r - s * s) / square, 0.0, 1.0) : 0;
      const Vec2 middle = p + way * at;
      const bool small = area < 0.25 * disc;
      found[y].marks.push_back({static_cast<float>(middle.x), static_cast<float>(middle.y),
                                std::max(one.number, other.number),
                                weight_of(-area / (small ? 0.25 * disc : disc)),
                                static_cast<std::uint8_t>(small ? size + sizes : size)});
      return area;
    };
    for (std::size_t x = 0; x < across_.cells; ++x) {
      const std::size_t cell = y * across_.cells + x;
      const std::size_t above = cell - across_.cells;
      const std::size_t left = x > 0 ? 1 : 0;
      const std::size_t right = x + 1 < across_.cells ? 1 : 0;
      for (const DiscMark* one = discs_.begin(cell); one != discs_.end(cell); ++one) {
        // At most the whole disc is subtracted, however many discs share it.
        double rest = circles[one->number].radius * circles[one->number].radius;
        for (const DiscMark* other = discs_.begin(cell - left); other != one; ++other) {
          rest -= share(*one, *other, rest);
        }
        if (y == 0) continue;
        const DiscMark* const end = discs_.end(above + right);
        for (const DiscMark* other = discs_.begin(above - left); other != end; ++other) {
          rest -= share(*one, *other, rest);
        }
      }
      found[y].cells.resize(found[y].marks.size(), static_cast<std::uint32_t>(cell));
    }
  });
  std::vector<DiscMark> marks;
  std::vector<std::uint32_t> cells;
  for (const Found& of_row : found) {
    marks.insert(marks.end(), of_row.marks.begin(), of_row.marks.end());
    cells.insert(cells.end(), of_row.cells.begin(), of_row.cells.end());
  }
  shared_.sort(std::move(marks), cells, across_.cells * down_.cells);
}

}  // namespace dapple
