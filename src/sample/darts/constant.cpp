// Implements darts of one radius: the lattice, the ring of rows, and the decisions in double.
//
// This is maximal Poisson-disk sampling on a background grid, from darts and then proof by
// subdivision (Ebeida, Mitchell, Patney, Davidson, Owens 2012). Differences: each cell has a bit
// mask, which a table clears when a point is accepted. It aims darts at open squares and proves
// most cells covered at no cost. Random ranks settle conflicts within a pass, so there is no order
// of cells and there are no tiles. Rows are processed as in a pipeline.
#include "sample/darts/constant.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <thread>

#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "sample/conflict.hpp"
#include "sample/darts/darts.hpp"

namespace dapple::constant {
namespace {

LiveTable make_live_table() {
  // Cells are as wide as they can be; in smaller ones everything is nearer. Subtracting `margin`
  // allows for the finer digits of places.
  constexpr double cell = units_per_radius / std::numbers::sqrt2;
  constexpr double limit = units_per_radius - margin;
  LiveTable table{};
  // Farthest squared distance along one axis from a sixteenth of a cell to an eighth of another.
  std::array<std::array<double, 40>, 16> far{};
  for (int o = 0; o < 16; ++o) {
    for (int k = 0; k < 40; ++k) {
      const double low = (k - 16) * cell / 8 - (o + 1) * cell / 16;
      const double high = (k - 15) * cell / 8 - o * cell / 16;
      const double most = std::max(std::max(low, -low), std::max(high, -high));
      far[static_cast<std::size_t>(o)][static_cast<std::size_t>(k)] = most * most;
    }
  }
  for (std::size_t o = 0; o < 256; ++o) {
    for (std::size_t c = 0; c < 25; ++c) {
      std::uint64_t alive = 0;
      for (std::size_t b = 0; b < 64; ++b) {
        const double x = far[o & 15][8 * (c % 5) + (b & 7)];
        const double y = far[o >> 4][8 * (c / 5) + (b >> 3)];
        if (x + y >= limit * limit) alive |= std::uint64_t{1} << b;
      }
      table[o * 25 + c] = alive;
    }
  }
  return table;
}

std::int64_t cells_for(double extent, double widest) {
  return 3 * static_cast<std::int64_t>(std::ceil(extent / (3 * widest)));
}

double widest_cell(double radius) {
  return radius / std::numbers::sqrt2 * (1 - 1e-9);
}

std::int64_t wrap(std::int64_t i, std::int64_t period) {
  if (period == 0) return i;
  const std::int64_t rest = i % period;
  return rest < 0 ? rest + period : rest;
}

// Returns a corner in units, modulo 2^16. Cells one period apart always have the same distance, so
// the decision for a pair of cells is the same everywhere.
int corner_of(std::int64_t i, std::int64_t period, double extent) {
  const std::int64_t first = wrap(i, period);
  const std::int64_t turns = period == 0 ? 0 : (i - first) / period;
  const std::int64_t corner = std::llround(static_cast<double>(first) * extent) +
                              turns * std::llround(static_cast<double>(period) * extent);
  return static_cast<int>(corner & 0xffff);
}

}  // namespace

const LiveTable& live_table() {
  static const LiveTable table = make_live_table();
  return table;
}

bool lattice_of(const Domain& domain, double radius, Lattice& lattice) {
  lattice.radius = radius * safety;
  const double widest = widest_cell(lattice.radius);
  if (domain.shorter_side() < 12 * widest) return false;
  const std::int64_t columns = cells_for(domain.width, widest);
  const std::int64_t rows = cells_for(domain.height, widest);
  lattice.cell_width = domain.width / static_cast<double>(columns);
  lattice.cell_height = domain.height / static_cast<double>(rows);
  lattice.columns = columns;
  lattice.rows = rows;
  lattice.wrap = domain.wrap;
  return true;
}

Lattice endless_lattice(double radius) {
  Lattice lattice;
  lattice.radius = radius * safety;
  lattice.cell_width = lattice.cell_height = widest_cell(lattice.radius);
  return lattice;
}

Ring::Ring(const Lattice& from, const CellRange& cells, std::uint64_t seed)
    : lattice(from), range(cells), fine_random(seed, Stream::darts, passes) {
  closed = lattice.wrap && range.x1 - range.x0 == lattice.columns;
  first_column = range.x0 - (closed ? 0 : reach_columns);
  first_row = range.y0 - reach_rows;
  end_row = range.y1 + reach_rows;
  std::int64_t end_column = range.x1 + (closed ? 0 : reach_columns);
  if (lattice.columns > 0 && !lattice.wrap) {
    first_column = std::max(first_column, std::int64_t{0});
    first_row = std::max(first_row, std::int64_t{0});
    end_column = std::min(end_column, lattice.columns);
    end_row = std::min(end_row, lattice.rows);
  }
  columns = static_cast<std::size_t>(end_column - first_column);
  stride = (columns + 2 * pad + 15) / 16 * 16;
  place.resize(ring_rows * stride);
  dart.resize(ring_rows * stride);
  rank.resize(ring_rows * stride);
  live.resize(ring_rows * stride);
  column_name.resize(columns + pad);
  for (std::size_t i = 0; i < columns; ++i) {
    column_name[i] = static_cast<std::int32_t>(
        wrap(first_column + static_cast<std::int64_t>(i), lattice.wrap ? lattice.columns : 0));
  }
  for (int pass = 0; pass < passes; ++pass) {
    random.emplace_back(seed, Stream::darts, static_cast<std::uint64_t>(pass));
  }
  alive = live_table().data();
  const double w = lattice.width_units();
  const double h = lattice.height_units();
  column_corner.resize(stride);
  for (std::size_t i = 0; i < stride; ++i) {
    const auto column =
        first_column + static_cast<std::int64_t>(i) - static_cast<std::int64_t>(pad);
    column_corner[i] = pack(corner_of(column, lattice.wrap ? lattice.columns : 0, w), 0);
  }
  if (closed)
    turn = pack(static_cast<int>(std::llround(static_cast<double>(columns) * w) & 0xffff), 0);
  // The place is half of 2^16 away from the middle of the cell.
  vacant = pack(static_cast<int>(w / 2) + 32768, static_cast<int>(h / 2) + 32768);
  extent = pack(static_cast<int>(w), static_cast<int>(h));
  constexpr double near = units_per_radius + margin;
  const auto zone = [&](double across, double along) {
    return static_cast<int>(std::ceil(std::sqrt(near * near - across * across) - along)) + 4;
  };
  corner_zone = pack(zone(h, w), zone(w, h));
  for (int k = 0; k < 64; ++k) {
    square_center[static_cast<std::size_t>(k)] =
        pack(static_cast<int>(std::lround(((k & 7) + 0.5) * w / 8)),
             static_cast<int>(std::lround(((k >> 3) + 0.5) * h / 8)));
  }
  for (int level = 0; level < square_levels; ++level) {
    // Centers are off by up to half a unit per level, points by 2.5.
    constexpr int slack = 7;
    const double half_x = w / 16 / (1 << level);
    const double half_y = h / 16 / (1 << level);
    SquareSize& size = square_size[static_cast<std::size_t>(level)];
    const int up_x = static_cast<int>(std::ceil(half_x));
    const int up_y = static_cast<int>(std::ceil(half_y));
    size.half = pack(up_x, up_y);
    size.extent = pack(2 * up_x, 2 * up_y);
    size.safe = pack(up_x + slack, up_y + slack);
    const int x = static_cast<int>(std::lround(half_x));
    const int y = static_cast<int>(std::lround(half_y));
    size.aside = {pack(-x, -y), pack(x, -y), pack(-x, y), pack(x, y)};
  }
  squares.resize(64 + 16);
  sixteenth_x = static_cast<int>((16 << 20) / std::ceil(w));
  sixteenth_y = static_cast<int>((16 << 20) / std::ceil(h));
}

std::uint64_t Ring::row_name(std::int64_t row) const {
  return static_cast<std::uint32_t>(wrap(row, lattice.wrap ? lattice.rows : 0));
}

void Ring::set_corner(std::int64_t row) {
  row_corner[slot(row)] =
      pack(0, corner_of(row, lattice.wrap ? lattice.rows : 0, lattice.height_units()));
}

std::uint32_t Ring::fine(std::int64_t row, std::size_t column) const {
  const std::size_t i = true_column(column);
  for (const Fine& known : exact[slot(row)]) {
    if (known.column == i) return known.fraction;
  }
  return fine_of(fine_random.at(row_name(row)), i);
}

bool find_exact(const Ring& ring, std::int64_t row, std::size_t i,
                std::span<const std::int32_t> squares, std::int32_t& place,
                std::uint32_t& fraction) {
  // Points around the cell that may matter to the squares, relative to its corner, in units.
  constexpr double sight = units_per_radius + 1;
  const SquareSize& size = ring.square_size.back();
  Box around{1e9, 1e9, -1e9, -1e9};
  for (const std::int32_t square : squares) {
    around.x0 = std::min(around.x0, packed_x(square) - packed_x(size.safe) - sight);
    around.y0 = std::min(around.y0, packed_y(square) - packed_y(size.safe) - sight);
    around.x1 = std::max(around.x1, packed_x(square) + packed_x(size.safe) + sight);
    around.y1 = std::max(around.y1, packed_y(square) + packed_y(size.safe) + sight);
  }
  std::vector<Vec2> near;
  const double w = ring.lattice.width_units();
  const double h = ring.lattice.height_units();
  for (std::int64_t r = -2; r <= 2; ++r) {
    for (std::int64_t c = -2; c <= 2; ++c) {
      const std::size_t at = i + static_cast<std::size_t>(c);
      const std::int32_t p =
          packed_difference(ring.place[ring.at(row + r) + at], ring.corner(row + r, at));
      if (packed_x(p) < 0) continue;
      const double x = static_cast<double>(c) * w + packed_x(p);
      const double y = static_cast<double>(r) * h + packed_y(p);
      if (x < around.x0 || x > around.x1 || y < around.y0 || y > around.y1) continue;
      const std::uint32_t f = ring.fine(row + r, at);
      near.push_back({x + (f & 0xffff) * 0x1p-16, y + (f >> 16) * 0x1p-16});
    }
  }
  constexpr double limit = static_cast<double>(units_per_radius) * units_per_radius;
  // A center with this squared distance is accepted; centers of smallest open squares exceed it.
  constexpr double enough = limit * (1 - 1e-6);
  std::vector<Box> open;
  for (const std::int32_t square : squares) {
    // The square is wider by the possible error of its center.
    const double x = packed_x(size.safe);
    const double y = packed_y(size.safe);
    open.push_back({std::max(0.0, packed_x(square) - x), std::max(0.0, packed_y(square) - y),
                    std::min(w, packed_x(square) + x), std::min(h, packed_y(square) + y)});
  }
  while (!open.empty()) {
    const Box box = open.back();
    open.pop_back();
    const Vec2 center{0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)};
    const double half = 0.5 * std::max(box.width(), box.height());
    bool covered = false;
    bool fits = true;
    for (const Vec2 p : near) {
      const double dx = std::abs(p.x - center.x);
      const double dy = std::abs(p.y - center.y);
      covered = covered || (dx + half) * (dx + half) + (dy + half) * (dy + half) < limit;
      fits = fits && dx * dx + dy * dy >= enough;
    }
    if (covered) continue;
    if (fits) {
      const int x = static_cast<int>(center.x);
      const int y = static_cast<int>(center.y);
      place = packed_sum(pack(x, y), ring.corner(row, i));
      fraction = static_cast<std::uint32_t>((center.y - y) * 65536) << 16 |
                 static_cast<std::uint32_t>((center.x - x) * 65536);
      return true;
    }
    open.push_back({box.x0, box.y0, center.x, center.y});
    open.push_back({center.x, box.y0, box.x1, center.y});
    open.push_back({box.x0, center.y, center.x, box.y1});
    open.push_back({center.x, center.y, box.x1, box.y1});
  }
  return false;
}

Rows::Rows(const Lattice& lattice, const CellRange& range, std::uint64_t seed)
    : ring_(lattice, range, seed), step_(ring_.first_row - 2), next_row_(range.y0) {}

bool Rows::next(std::vector<double>& x, std::vector<double>& y) {
  if (next_row_ >= ring_.range.y1) return false;
  const std::int64_t last = next_row_ + 2 * (passes - 1);
  for (; step_ <= last; ++step_) {
    for (int pass = 0; pass < passes; ++pass) {
      const std::int64_t row = step_ - 2 * pass;
      if (row >= ring_.first_row - 2) do_pass(ring_, pass, row);
    }
  }

  add_points(ring_, next_row_, x, y);
  ++next_row_;
  return true;
}

}  // namespace dapple::constant

namespace dapple {
namespace {

// Appends a band. Only thread `caller` reports progress, which stands for all the equal bands.
void append_band(const constant::Lattice& lattice, const constant::CellRange& range,
                 const Domain& domain, std::thread::id caller, Context& context, Points& points) {
  constexpr std::size_t rows_a_report = 64;
  const bool tells = std::this_thread::get_id() == caller;
  constant::Rows rows(lattice, range, context.seed);
  for (std::size_t done = 0; rows.next(points.x, points.y);) {
    if (++done % rows_a_report != 0) continue;
    context.check();
    if (tells)
      context.progress(static_cast<double>(done) / static_cast<double>(range.y1 - range.y0));
  }
  // Rounding may take a point of the last cell to the very end of the domain.
  const double last_x = std::nextafter(domain.width, 0.0);
  const double last_y = std::nextafter(domain.height, 0.0);
  for (double& x : points.x) x = std::min(x, last_x);
  for (double& y : points.y) y = std::min(y, last_y);
}

}  // namespace

bool constant_darts(const DensityField& field, Context& context, Points& result) {
  const Domain& domain = field.domain();
  const double radius = field.radius({0, 0});
  constant::Lattice lattice;
  if (!constant::lattice_of(domain, radius, lattice)) return false;

  // The points of a band do not depend on its neighbors, so the number of bands may follow the
  // threads.
  const auto threads = static_cast<std::int64_t>(thread_count(context));
  const std::int64_t bands = std::clamp(lattice.rows / 512, std::int64_t{1}, threads);
  std::vector<Points> parts(static_cast<std::size_t>(bands));
  const std::thread::id caller = std::this_thread::get_id();
  parallel_for(context, parts.size(), [&](std::size_t k) {
    const auto b = static_cast<std::int64_t>(k);
    const constant::CellRange range{0, lattice.rows * b / bands, lattice.columns,
                                    lattice.rows * (b + 1) / bands};
    const double expected = 0.72 * domain.area() / (radius * radius) / static_cast<double>(bands);
    parts[k].x.reserve(static_cast<std::size_t>(expected));
    parts[k].y.reserve(static_cast<std::size_t>(expected));
    append_band(lattice, range, domain, caller, context, parts[k]);
  });
  result = std::move(parts[0]);
  for (std::size_t k = 1; k < parts.size(); ++k) {
    result.x.insert(result.x.end(), parts[k].x.begin(), parts[k].x.end());
    result.y.insert(result.y.end(), parts[k].y.begin(), parts[k].y.end());
  }
  result.radius.assign(result.size(), static_cast<float>(radius));
  result.domain = domain;
  return true;
}

}  // namespace dapple
