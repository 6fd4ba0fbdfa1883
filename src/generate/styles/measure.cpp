// Measures what marks cover, and from that the tones that a style makes.
//
// Marks are drawn as capsules on a grid of cells that are covered or not, so that overlaps count
// once. The cells are no whole part of the pen, as rows of lines would then all meet them alike.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "dapple/context.hpp"
#include "generate/styles/style.hpp"

namespace dapple::styles {
namespace {

constexpr int levels = 24;  // of control, on swatches

// The swatch of styles on points: `side` spacings wide, `cells` pixels per spacing.
constexpr int swatch_side = 32;
constexpr int swatch_cells = 4;
constexpr double swatch_rim = 3;  // spacings that do not count, as they lack neighbors outside

constexpr double pen_pixels = 4;  // width of the pen on the swatch of rows

// A grid of cells, `fine` per pixel along each side.
class Grid {
 public:
  Grid(int width, int height, double fine)
      : fine_(fine),
        columns_(static_cast<int>(std::ceil(width * fine))),
        rows_(static_cast<int>(std::ceil(height * fine))),
        cells_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), 0) {}

  // Covers the cells whose centers lie at most half a pen from the way between two places.
  void cover(Vec2 a, Vec2 b, double pen) {
    a = a * fine_;
    b = b * fine_;
    const double radius = 0.5 * pen * fine_;
    const Vec2 way = b - a;
    const double all = length(way);
    const Vec2 side = all > 0 ? Vec2{-way.y, way.x} * (radius / all) : Vec2{};
    const std::array<Vec2, 4> corners{a + side, b + side, b - side, a - side};
    const int last = first_after(std::max(a.y, b.y) + radius, rows_);
    for (int row = first_after(std::min(a.y, b.y) - radius, rows_); row < last; ++row) {
      const double y = row + 0.5;
      double left = std::numeric_limits<double>::infinity();
      double right = -left;
      const auto reach = [&](double from, double to) {
        left = std::min(left, from);
        right = std::max(right, to);
      };
      for (const Vec2 end : {a, b}) {
        const double half2 = radius * radius - (y - end.y) * (y - end.y);
        if (half2 < 0) continue;
        const double half = std::sqrt(half2);
        reach(end.x - half, end.x + half);
      }
      for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec2 p = corners[i];
        const Vec2 q = corners[(i + 1) % corners.size()];
        if ((p.y < y) == (q.y < y)) continue;
        const double x = p.x + (q.x - p.x) * ((y - p.y) / (q.y - p.y));
        reach(x, x);
      }
      if (!(left <= right)) continue;
      const auto line = cells_.begin() + static_cast<std::ptrdiff_t>(row) * columns_;
      const int begin = first_after(left, columns_);
      const int end = first_after(right, columns_);
      if (begin < end) std::fill(line + begin, line + end, std::uint8_t{1});
    }
  }

  // Returns the covered share of each pixel.
  Plane<float> shares(int width, int height) const {
    Plane<float> covered(width, height);
    const auto pixel = [this](int cell, int pixels) {
      return std::min(static_cast<int>((cell + 0.5) / fine_), pixels - 1);
    };
    std::vector<float> across(static_cast<std::size_t>(width), 0);
    std::vector<float> down(static_cast<std::size_t>(height), 0);
    for (int i = 0; i < columns_; ++i) ++across[static_cast<std::size_t>(pixel(i, width))];
    for (int j = 0; j < rows_; ++j) ++down[static_cast<std::size_t>(pixel(j, height))];
    for (int j = 0; j < rows_; ++j) {
      const std::uint8_t* const line =
          cells_.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(columns_);
      float* const to = covered.row(pixel(j, height));
      for (int i = 0; i < columns_; ++i) to[pixel(i, width)] += line[i];
    }
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        covered(x, y) /= across[static_cast<std::size_t>(x)] * down[static_cast<std::size_t>(y)];
      }
    }
    return covered;
  }

 private:
  // Returns the first cell whose center is at or after a place.
  static int first_after(double place, int cells) {
    return static_cast<int>(std::clamp(std::ceil(place - 0.5), 0.0, static_cast<double>(cells)));
  }

  double fine_;
  int columns_;
  int rows_;
  std::vector<std::uint8_t> cells_;
};

// Returns the spacing of the points that are not in a rim around them.
double spacing_inside(const Points& points, double rim) {
  const Box inside{rim, rim, points.domain.width - rim, points.domain.height - rim};
  int count = 0;
  for (std::size_t i = 0; i < points.size(); ++i) count += inside.contains(points[i]) ? 1 : 0;
  return std::sqrt(inside.width() * inside.height() / std::max(count, 1));
}

// Returns the mean of the plane without a rim.
double mean_inside(const Plane<float>& plane, double rim) {
  const int skipped = static_cast<int>(std::ceil(rim));
  double sum = 0;
  for (int y = skipped; y < plane.height() - skipped; ++y) {
    for (int x = skipped; x < plane.width() - skipped; ++x) sum += static_cast<double>(plane(x, y));
  }
  return sum / ((plane.width() - 2.0 * skipped) * (plane.height() - 2.0 * skipped));
}

}  // namespace

Plane<float> coverage(const Marks& marks, double pen, int width, int height, Context& context) {
  constexpr double cells_a_pen = 6.3;
  constexpr double most_cells = 24e6;
  const double area = static_cast<double>(width) * height;
  const double fine =
      std::clamp(cells_a_pen / pen, 1.0, std::max(1.0, std::sqrt(most_cells / area)));
  Grid grid(width, height, fine);
  std::size_t count = 0;
  for (const std::vector<Vec2>& mark : marks) {
    if (++count % 1024 == 0) context.check();
    for (std::size_t i = 1; i < mark.size(); ++i) grid.cover(mark[i - 1], mark[i], pen);
  }
  return grid.shares(width, height);
}

ToneCurve::ToneCurve(const std::vector<double>& controls, const std::vector<double>& tones) {
  // Marks that fill the last pinholes would be many.
  constexpr double black = 0.99;
  for (std::size_t i = 0; i < tones.size(); ++i) {
    if (!tones_.empty() && tones_.back() >= black) break;
    if (!tones_.empty() && tones[i] <= tones_.back()) continue;
    controls_.push_back(controls[i]);
    tones_.push_back(tones[i]);
  }
}

double ToneCurve::control_for(double tone) const {
  const auto above = std::upper_bound(tones_.begin(), tones_.end(), tone);
  if (above == tones_.begin()) return controls_.front();
  if (above == tones_.end()) return controls_.back();
  const auto i = static_cast<std::size_t>(above - tones_.begin());
  const double share = (tone - tones_[i - 1]) / (tones_[i] - tones_[i - 1]);
  return controls_[i - 1] + share * (controls_[i] - controls_[i - 1]);
}

ToneCurve tone_curve(const Style& style, double row_spacing, const StippleOptions& options,
                     const PlacePoints& place, Context& context) {
  std::vector<double> controls{0};
  std::vector<double> tones{0};
  const int side = style.on_points
                       ? swatch_side * swatch_cells
                       : static_cast<int>(std::ceil(style.swatch_rows * row_spacing * pen_pixels));
  const double unit = style.on_points ? swatch_cells : row_spacing * pen_pixels;
  Points points;
  if (style.on_points) {
    const Plane<float> even(side, side, 1.0f / (swatch_cells * swatch_cells));
    points = place(even, swatch_side * swatch_side);
  }
  // The points that count may lie closer or farther apart than those of all of the swatch.
  const double rim = style.on_points ? swatch_rim * unit : unit;
  const double closer = points.empty() ? 1 : unit / spacing_inside(points, rim);
  for (int i = 1; i <= levels; ++i) {
    const double control = style.strongest * i / levels;
    const Plane<float> same(side, side, static_cast<float>(control));
    const double pen = style.on_points ? control * unit : pen_pixels;
    // Tones guide only directions, which an even swatch does not have.
    const Marks marks = style.draw({same, same, points, pen, unit, 0, 0, options, context});
    controls.push_back(control * closer);
    tones.push_back(mean_inside(coverage(marks, pen, side, side, context), rim));
  }
  return {controls, tones};
}

}  // namespace dapple::styles
