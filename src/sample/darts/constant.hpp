// Throws darts of one radius, row of cells after row of cells; declares the shared parts of its
// files.
//
// Space is a lattice of cells at most r/sqrt(2) wide, so a cell holds at most one point. Every row
// goes through the same passes. A pass reads what the pass before left within two cells, and writes
// only what no other row reads in the same pass. Rows can thus be processed in a skewed order: a
// pass runs two rows behind the one before it, and only a ring of rows is in memory.
//
// Every decision depends on hashes of (seed, pass, cell) and on cells at most `reach` away. A row
// thus does not depend on where the work begins or ends, or on the thread. A torus is an endless
// plane whose cells repeat. A part of a plane is the plane with some more cells around it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/random.hpp"
#include "dapple/geometry.hpp"

namespace dapple::constant {

// Positions are whole units, modulo 2^16. Differences are right between cells that can see each
// other. An empty cell has a place that is too far from all of them. Finer digits come from a hash
// and are below every margin.
constexpr int units_per_radius = 13000;
// Error bound, in units, of the distance of two positions: finer digits contribute 1 along each
// axis, rounded corners of cells 1.5.
constexpr int margin = 4;

constexpr int whole_rounds = 2;  // darts into all of a cell, after the first
constexpr int aimed_rounds = 2;  // darts at squares that may be open
constexpr int gap_rounds = 1;    // darts into gaps that a search by halving finds
// Each round has passes for darts and for duels. Three more passes complete every third row each.
constexpr int passes = 2 + 2 * whole_rounds + 2 * aimed_rounds + 2 * gap_rounds + 3;
// Number of rows and columns beyond which no cell affects a cell. The last three passes go over a
// row three times.
constexpr int reach_rows = 2 * (passes - 1);
constexpr int reach_columns = reach_rows + 2 * 6;
constexpr std::size_t ring_rows = 2 * passes + 6;

// Cells of a torus or of an endless plane.
struct Lattice {
  double radius;      // distance that points keep, pixels
  double cell_width;  // pixels
  double cell_height;
  // Number of cells of a domain, which is a torus or a rectangle. 0: an endless plane.
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

// Squares of a cell: an eighth of its sides, halved at each further level.
constexpr int square_levels = 7;
struct SquareSize {
  std::int32_t half, extent;          // packed units, rounded up
  std::int32_t safe;                  // as `half`, with room for the rounding of centers
  std::array<std::int32_t, 4> aside;  // offsets of quarters from the center of the square
};

// The rows in memory.
struct Ring {
  Ring(const Lattice& lattice, const CellRange& range, std::uint64_t seed);

  // Returns the slot of a row, from two rows above the first one.
  std::size_t slot(std::int64_t row) const {
    return static_cast<std::size_t>(row - first_row + 4) % ring_rows;
  }
  std::size_t at(std::int64_t row) const { return slot(row) * stride + pad; }
  // Returns a name for a cell, which its images on a torus share.
  std::uint64_t cell(std::uint64_t name_of_row, std::size_t i) const {
    return name_of_row << 32 | static_cast<std::uint32_t>(column_name[i]);
  }
  std::uint64_t row_name(std::int64_t row) const;
  // Returns the corner of a cell, packed.
  std::int32_t corner(std::int64_t row, std::size_t i) const {
    return column_corner[pad + i] | row_corner[slot(row)];
  }
  void set_corner(std::int64_t row);  // called at the first visit
  // Maps a cell up to two columns beyond an end of a closed row to the cell that it repeats.
  std::size_t true_column(std::size_t i) const {
    if (!closed || i < columns) return i;
    return i + 2 < 2 ? i + columns : i - columns;
  }
  // Returns the offset of a point right of and below its place, in 1/65536 of a unit, packed.
  std::uint32_t fine(std::int64_t row, std::size_t column) const;
  std::uint32_t fine_of(std::uint64_t key, std::size_t i) const {
    return static_cast<std::uint32_t>(hash(key, static_cast<std::uint32_t>(column_name[i])));
  }

  Lattice lattice;
  CellRange range;
  std::int64_t first_column, first_row;  // include the cells that the range depends on
  std::int64_t end_row;
  // True if the range goes once around the torus: columns beyond one end are those at the other.
  bool closed;
  std::int32_t turn = 0;  // once around the torus; packed
  std::size_t columns;
  std::size_t pad = 32;  // beyond both ends of a row, for the widest vectors and two cells
  std::size_t stride;

  // Per cell: packed places of its point and its dart, the rank of the dart, and 8x8 bits. A bit
  // stands for a square that no point is known to cover.
  std::vector<std::int32_t> place, dart, rank;
  std::vector<std::uint64_t> live;
  // Per row: columns of cells with a live square, columns of cells with a dart, and fractions that
  // find_exact() found.
  std::array<std::vector<std::int32_t>, ring_rows> open, darts;
  struct Fine {
    std::uint32_t column, fraction;
  };
  std::array<std::vector<Fine>, ring_rows> exact;

  std::vector<std::int32_t> column_name;    // with room for whole vectors
  std::vector<std::int32_t> column_corner;  // begins with the padding; packed
  std::array<std::int32_t, ring_rows> row_corner;
  std::int32_t vacant;         // place of an empty cell, relative to its corner
  std::vector<Random> random;  // one per pass
  const std::uint64_t* alive;  // live_table()
  Random fine_random;
  std::int32_t too_near = (units_per_radius + margin) * (units_per_radius + margin);
  std::int32_t extent;  // of a cell
  // A point nearer than this to a corner of its cell may conflict with a point two cells off along
  // both axes.
  std::int32_t corner_zone;
  std::array<std::int32_t, 64> square_center;
  std::array<SquareSize, square_levels> square_size;
  int sixteenth_x, sixteenth_y;  // a unit, in 2^-20 of a sixteenth of the cell
  std::vector<std::int32_t> squares, parts, columns_kept, places_kept, fractions;  // scratch
};

// Packs x and y, in units.
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

// Add and subtract modulo 2^16.
constexpr std::int32_t packed_sum(std::int32_t p, std::int32_t q) {
  return pack(packed_x(p) + packed_x(q), packed_y(p) + packed_y(q));
}
constexpr std::int32_t packed_difference(std::int32_t p, std::int32_t q) {
  return pack(packed_x(p) - packed_x(q), packed_y(p) - packed_y(q));
}

// Squares of 5x5 cells that stay alive if the middle one has a point at one of 16x16 places.
using LiveTable = std::array<std::uint64_t, 256 * 25>;
const LiveTable& live_table();  // made at the first call

// Does one pass over one row, in vector code chosen for the processor at run time.
void do_pass(Ring& ring, int pass, std::int64_t row);

// Adds the points of a complete row, in pixels, in vector code too.
void add_points(Ring& ring, std::int64_t row, std::vector<double>& x, std::vector<double>& y);

// Finds a place at least r from all points, in double, in squares of the last level. Returns false
// if they are covered. It decides the cases that whole units cannot.
bool find_exact(const Ring& ring, std::int64_t row, std::size_t i,
                std::span<const std::int32_t> squares, std::int32_t& place,
                std::uint32_t& fraction);

// Makes cells for a domain, a multiple of three per side. Returns false if the domain is too small.
bool lattice_of(const Domain& domain, double radius, Lattice& lattice);
// Returns the lattice of the endless plane.
Lattice endless_lattice(double radius);

// Rows of points from first to last, each complete.
class Rows {
 public:
  Rows(const Lattice& lattice, const CellRange& range, std::uint64_t seed);
  // Adds the points of the next row, from left to right, in pixels from the corner of cell (0, 0).
  // Returns false after the last row.
  bool next(std::vector<double>& x, std::vector<double>& y);

 private:
  Ring ring_;
  std::int64_t step_;
  std::int64_t next_row_;
};

}  // namespace dapple::constant
