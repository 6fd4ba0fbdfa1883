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

namespace dapple {
namespace {

constexpr std::int64_t rows_a_strip = 64;
constexpr std::int64_t rows_a_band = 512;

// Returns the unit of coordinates, about 2^-32 of a radius. Differences of coordinates are exact.
double grid_of(double radius) {
  return std::ldexp(1.0, std::ilogb(radius) - 31);
}

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
        grid(grid_of(radius)),
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
  const double grid = grid_of(radius);
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

namespace {

// Returns the start of a window of `width` and of `count` points, as far left as possible, or NaN.
double start_of(const std::vector<double>& sorted_x, double width, double last, std::int64_t count,
                double grid) {
  // The number of points changes where a point enters or leaves.
  std::vector<double> events;
  for (const double x : sorted_x) {
    if (x <= last) events.push_back(x);
    if (x >= width) events.push_back(x - width);
  }
  std::sort(events.begin(), events.end());
  for (std::size_t i = 1; i < events.size(); ++i) {
    const double start = snapped(0.5 * (events[i - 1] + events[i]), grid);
    const auto first = std::lower_bound(sorted_x.begin(), sorted_x.end(), start);
    const auto end = std::lower_bound(first, sorted_x.end(), start + width);
    if (end - first == count) return start;
  }
  return NAN;
}

Points cut_at(const Points& from, const Domain& domain, double start) {
  Points points;
  points.domain = {domain.width, domain.height, false};
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Vec2 p = from[i] - Vec2{start, 0};
    if (p.x >= 0 && p.x < domain.width && p.y < domain.height) points.add(p, from.radius[i]);
  }
  return points;
}

}  // namespace

Points spaces::cut_from_plane(const Domain& domain, double radius, std::int64_t count,
                              Context& context) {
  require_domain(domain);
  require_number("the number of points", static_cast<double>(count), 0);
  if (domain.wrap) {
    throw Error(ErrorKind::usage, Problem{"frame", "cut has no effect on a torus"});
  }
  if (count == 0) {
    return cut_at(sample_window(radius, {0, 0, domain.width, domain.height}, context), domain, 0);
  }
  const auto wanted = static_cast<double>(count);
  double r = std::sqrt(even_packing * domain.width * domain.height / wanted);
  // The number of points in a window hardly varies, so the first radius nearly always serves.
  constexpr int most_tries = 60;
  for (int i = 0; i < most_tries; ++i) {
    const double slack = std::min(domain.width, 16 * r);
    const Points all = sample_window(r, {0, 0, domain.width + slack, domain.height}, context);
    std::vector<double> x;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (all.y[k] < domain.height) x.push_back(all.x[k]);
    }
    std::sort(x.begin(), x.end());
    const double start = start_of(x, domain.width, slack, count, grid_of(r));
    if (std::isfinite(start)) return cut_at(all, domain, start);
    const double found =
        std::max(0.5, static_cast<double>(x.size()) * domain.width / (domain.width + slack));
    // Steps grow, so that radii are not tried again.
    r *= std::sqrt(found / wanted) * (found > wanted ? 1 + 1e-4 * i : 1 - 1e-4 * i);
  }
  throw Error(ErrorKind::limit,
              Problem{"frame", "cut finds no set of " + std::to_string(count) +
                                   " points: take another `count` or `seed`, or `frame fitted`"});
}

}  // namespace dapple
