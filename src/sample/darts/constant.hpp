// Darts of one radius, row of cells after row of cells: what its files share.
//
// Space is a lattice of cells at most r/sqrt(2) wide, so a cell holds one point at most. Every row
// goes through the same passes, each of which reads what the pass before left within two cells and
// writes what no other row of its own pass reads. So rows can be worked off in a skewed order: a
// pass runs two rows behind the one before it, and only a ring of rows is ever in memory.
//
// Every decision is made from hashes of (seed, pass, cell) and from cells at most `reach` away.
// What a row holds therefore depends neither on where the work begins or ends nor on who does it: a
// torus is an endless plane whose cells repeat, a part of a plane is the plane with some more cells
// round it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/random.hpp"
#include "dapple/geometry.hpp"

namespace dapple::constant {

// Positions are whole units, modulo 2^16: of cells that can see each other differences are right,
// and an empty cell has room for a place that is too far from all of them. Finer digits come from a
// hash and are below every margin.
constexpr int units_per_radius = 13000;
// Two positions in units differ from the true ones by less than this in their distance: finer
// digits by 1 along each axis, rounded corners of cells by 1.5.
constexpr int margin = 4;

constexpr int whole_rounds = 2;  // darts into all of a cell, after the first
constexpr int aimed_rounds = 2;  // darts at squares that may be open
constexpr int gap_rounds = 1;    // darts into what squares prove to be open
// Dart and duel of the first round and of all others; then three that complete every third row.
constexpr int passes = 2 + 2 * whole_rounds + 2 * aimed_rounds + 2 * gap_rounds + 3;
// Rows and columns away from which a cell learns nothing. The last three passes go over a row three
// times.
constexpr int reach_rows = 2 * (passes - 1);
constexpr int reach_columns = reach_rows + 2 * 6;
constexpr std::size_t ring_rows = 2 * passes + 6;

// Cells of a torus or of an endless plane.
struct Lattice {
  double radius;      // distance that points keep, pixels
  double cell_width;  // pixels
  double cell_height;
  // Cells of a domain: a torus, or a rectangle beyond which there is nothing. 0: an endless plane.
  std::int64_t columns = 0;
  std::int64_t rows = 0;
  bool wrap = false;

  double unit() const { return radius / units_per_radius; }
  double width_units() const { return cell_width / unit(); }
  double height_units() const { return cell_height / unit(); }
};

// A rectangle of cells.
struct CellRange {
  std::int64_t x0, y0, x1, y1;
};

// Squares of a cell: eighths of it, halved again and again.
constexpr int square_levels = 7;
struct SquareSize {
  std::int32_t half, extent;          // packed units, rounded up
  std::int32_t safe;                  // the same, packed, with room for the rounding of centers
  std::array<std::int32_t, 4> aside;  // from a center of the level above
};

// The rows in work.
struct Ring {
  Ring(const Lattice& lattice, const CellRange& range, std::uint64_t seed);

  // For rows from two above the first.
  std::size_t slot(std::int64_t row) const {
    return static_cast<std::size_t>(row - first_row + 4) % ring_rows;
  }
  std::size_t at(std::int64_t row) const { return slot(row) * stride + pad; }
  // A name for the cell that its images on a torus share.
  std::uint64_t cell(std::uint64_t name_of_row, std::size_t i) const {
    return name_of_row << 32 | static_cast<std::uint32_t>(column_name[i]);
  }
  std::uint64_t row_name(std::int64_t row) const;
  // The corner of a cell, packed.
  std::int32_t corner(std::int64_t row, std::size_t i) const {
    return column_corner[pad + i] | row_corner[slot(row)];
  }
  void set_corner(std::int64_t row);  // at the first visit
  // The cell that one up to two columns beyond an end of a closed row is an image of.
  std::size_t true_column(std::size_t i) const {
    if (!closed || i < columns) return i;
    return i + 2 < 2 ? i + columns : i - columns;
  }
  // Fractions of a unit by which a point stands right of and below its place, in 1/65536, packed.
  std::uint32_t fine(std::int64_t row, std::size_t column) const;
  std::uint32_t fine_of(std::uint64_t key, std::size_t i) const {
    return static_cast<std::uint32_t>(hash(key, static_cast<std::uint32_t>(column_name[i])));
  }

  Lattice lattice;
  CellRange range;
  std::int64_t first_column, first_row;  // with those round the range that it depends on
  std::int64_t end_row;
  // The range goes once round the torus: columns beyond an end are those at the other.
  bool closed;
  std::int32_t turn = 0;  // round it; packed
  std::size_t columns;
  std::size_t pad = 32;  // beyond both ends of a row, for the widest vectors and two cells
  std::size_t stride;

  // A cell each: packed x and y of its point, of its dart, the rank of the dart, and a bit for each
  // of 8x8 squares that no point is known to cover.
  std::vector<std::int32_t> place, dart, rank;
  std::vector<std::uint64_t> live;
  // A row each: columns of cells with a live square, of cells with a dart, and finer places that
  // were found exactly.
  std::array<std::vector<std::int32_t>, ring_rows> open, darts;
  struct Fine {
    std::uint32_t column, fraction;
  };
  std::array<std::vector<Fine>, ring_rows> exact;

  std::vector<std::int32_t> column_name;    // room for whole vectors
  std::vector<std::int32_t> column_corner;  // from the padding on; packed
  std::array<std::int32_t, ring_rows> row_corner;
  std::int32_t vacant;         // the place in an empty cell, seen from its corner
  std::vector<Random> random;  // a pass each
  const std::uint64_t* alive;  // live_table()
  Random fine_random;
  std::int32_t too_near = (units_per_radius + margin) * (units_per_radius + margin);
  std::int32_t extent;  // of a cell
  // Nearer than this to a corner of its cell a point may conflict with one two cells off along both
  // axes.
  std::int32_t corner_zone;
  std::array<std::int32_t, 64> square_center;
  std::array<SquareSize, square_levels> square_size;
  int sixteenth_x, sixteenth_y;  // a unit, in 2^-20 of a sixteenth of the cell
  std::vector<std::int32_t> squares, parts, columns_kept, places_kept, fractions;  // scratch
};

// Packed units.
constexpr std::int32_t pack(int x, int y) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint16_t>(y)) << 16 |
                                   static_cast<std::uint16_t>(x));
}
constexpr int packed_x(std::int32_t p) {
  return static_cast<std::int16_t>(p & 0xffff);
}
constexpr int packed_y(std::int32_t p) {
  return static_cast<std::int16_t>(p >> 16);
}

// Modulo 2^16.
constexpr std::int32_t packed_sum(std::int32_t p, std::int32_t q) {
  return pack(packed_x(p) + packed_x(q), packed_y(p) + packed_y(q));
}
constexpr std::int32_t packed_difference(std::int32_t p, std::int32_t q) {
  return pack(packed_x(p) - packed_x(q), packed_y(p) - packed_y(q));
}

// Squares of 5x5 cells that a point at one of 16x16 places in the middle one leaves alive.
using LiveTable = std::array<std::uint64_t, 256 * 25>;
const LiveTable& live_table();  // made at the first call

// Does one pass over one row. Vector code, chosen for the processor at run time.
void do_pass(Ring& ring, int pass, std::int64_t row);

// Adds the points of a complete row, in pixels. The same kind of code.
void add_points(Ring& ring, std::int64_t row, std::vector<double>& x, std::vector<double>& y);

// A place in some squares of the last level that no point is nearer to than r, in double; false
// where they are covered. For what whole units cannot decide.
bool find_exact(const Ring& ring, std::int64_t row, std::size_t i,
                std::span<const std::int32_t> squares, std::int32_t& place,
                std::uint32_t& fraction);

// Cells for a domain, a multiple of three a side. False where the domain is too small for that.
bool lattice_of(const Domain& domain, double radius, Lattice& lattice);
// The lattice of the endless plane.
Lattice endless_lattice(double radius);

// Rows of points from first to last, each complete.
class Rows {
 public:
  Rows(const Lattice& lattice, const CellRange& range, std::uint64_t seed);
  // Adds the points of the next row, from left to right, in pixels from the corner of cell (0, 0);
  // false after the last row.
  bool next(std::vector<double>& x, std::vector<double>& y);

 private:
  Ring ring_;
  std::int64_t step_;
  std::int64_t next_row_;
};

}  // namespace dapple::constant
