// Samples parts of an infinite plane, strip after strip.
//
// Rows of cells come from constant::Rows. One thread runs down the whole window. Several threads
// take a band of rows each, and also compute the rows around it that the band depends on.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/constants.hpp"
#include "core/parallel.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "dapple/units.hpp"
#include "sample/darts/constant.hpp"
#include "sample/spaces.hpp"

namespace dapple {

double spaces::window_grid(double radius) {
  return std::ldexp(1.0, std::ilogb(radius) - 31);
}

namespace {

constexpr std::int64_t rows_a_strip = 64;
constexpr std::int64_t rows_a_band = 512;

// Returns the unit of coordinates, about 2^-32 of a radius. Differences of coordinates are exact.
double snapped(double v, double grid) {
  return std::floor(v / grid) * grid;
}

void require_window(double radius, const Box& window) {
  require_above_0("the radius of a window", radius);
  if (!(window.width() > 0 && window.height() > 0)) {
    throw Error(ErrorKind::usage,
                "the window is empty: expected X0,Y0,X1,Y1 with X0 < X1, Y0 < Y1");
  }
  const double farthest = std::max(std::max(std::abs(window.x0), std::abs(window.x1)),
                                   std::max(std::abs(window.y0), std::abs(window.y1)));
  if (!(farthest <= 1e6 * radius)) {
    throw Error(ErrorKind::usage,
                "the window reaches more than a million radii from the origin; move it closer, or "
                "use a larger radius");
  }
}

constant::CellRange cells_of(const constant::Lattice& lattice, const Box& window) {
  const auto cell = [](double v, double size) {
    return static_cast<std::int64_t>(std::floor(v / size));
  };
  // One more cell on every side holds points that rounding moves over an edge.
  return {cell(window.x0, lattice.cell_width) - 1, cell(window.y0, lattice.cell_height) - 1,
          cell(window.x1, lattice.cell_width) + 2, cell(window.y1, lattice.cell_height) + 2};
}

}  // namespace

struct EndlessPoints::Work {
  Work(double radius, const Box& of, Context& in)
      : context(in),
        window(of),
        lattice(constant::endless_lattice(radius)),
        range(cells_of(lattice, of)),
        grid(spaces::window_grid(radius)),
        row(range.y0) {}

  // Collects the points of the next `count` rows that are in the window.
  void take(constant::Rows& from, std::int64_t count, std::vector<Vec2>& strip) const {
    strip.clear();
    // A cell has half of r^2, so this is slightly more than the expected number of points.
    strip.reserve(static_cast<std::size_t>(0.36 * static_cast<double>(count) *
                                           static_cast<double>(range.x1 - range.x0)));
    std::vector<double> x;
    std::vector<double> y;
    for (std::int64_t row_of = 0; row_of < count && from.next(x, y); ++row_of) {
      context.check();
      for (std::size_t i = 0; i < x.size(); ++i) {
        const Vec2 p{snapped(x[i], grid), snapped(y[i], grid)};
        if (window.contains(p)) strip.push_back(p);
      }
      x.clear();
      y.clear();
    }
  }

  void next_bands(std::size_t threads) {
    bands.resize(threads);
    parallel_for(context, threads, [&](std::size_t k) {
      const std::int64_t first =
          std::min(range.y1, row + static_cast<std::int64_t>(k) * rows_a_band);
      const std::int64_t end = std::min(range.y1, first + rows_a_band);
      bands[k].clear();
      if (first >= end) return;
      constant::Rows band(lattice, {range.x0, first, range.x1, end}, context.seed);
      take(band, end - first, bands[k]);
    });
    row = std::min(range.y1, row + static_cast<std::int64_t>(threads) * rows_a_band);
    given = 0;
  }

  Context& context;
  Box window;
  constant::Lattice lattice;
  constant::CellRange range;
  double grid;
  std::int64_t row;                    // first row that no thread has begun
  std::optional<constant::Rows> rows;  // if there is one thread
  std::vector<std::vector<Vec2>> bands;
  std::size_t given = 0;  // number of bands already returned
};

EndlessPoints::EndlessPoints(double radius, const Box& window, Context& context) {
  require_window(radius, window);
  const constant::CellRange range = cells_of(constant::endless_lattice(radius), window);
  context.require_memory(
      static_cast<double>(range.x1 - range.x0) * constant::ring_rows * 20 * thread_count(context),
      "a window of this width");
  work_ = std::make_unique<Work>(radius, window, context);
}
EndlessPoints::~EndlessPoints() = default;
EndlessPoints::EndlessPoints(EndlessPoints&&) noexcept = default;
EndlessPoints& EndlessPoints::operator=(EndlessPoints&&) noexcept = default;

bool EndlessPoints::next(std::vector<Vec2>& strip) {
  if (work_ == nullptr) throw Error(ErrorKind::usage, "these points were moved from");
  Work& work = *work_;
  const auto threads = static_cast<std::size_t>(thread_count(work.context));
  if (threads == 1) {
    if (work.row >= work.range.y1) return false;
    if (!work.rows) work.rows.emplace(work.lattice, work.range, work.context.seed);
    work.take(*work.rows, rows_a_strip, strip);
    work.row += rows_a_strip;
    return true;
  }
  if (work.given == work.bands.size()) {
    if (work.row >= work.range.y1) return false;
    work.next_bands(threads);
  }
  std::swap(strip, work.bands[work.given++]);
  return true;
}

Points sample_window(double radius, const Box& window, Context& context) {
  const auto stage = context.outermost("sample");
  EndlessPoints endless(radius, window, context);
  const double expected = even_packing * window.width() * window.height() / (radius * radius);
  context.require_memory(expected * 60,
                         "sampling about " + shortest(std::round(expected)) + " points");
  Points points;
  const double grid = spaces::window_grid(radius);
  points.origin = {snapped(window.x0, grid), snapped(window.y0, grid)};
  points.domain = {-snapped(-window.x1, grid) - points.origin.x,
                   -snapped(-window.y1, grid) - points.origin.y, false};
  for (std::vector<Vec2> strip; endless.next(strip);) {
    for (const Vec2 p : strip) points.add(p - points.origin, static_cast<float>(radius));
    if (!strip.empty()) context.progress((strip.back().y - window.y0) / window.height());
  }
  context.progress(1);
  return points;
}

}  // namespace dapple
