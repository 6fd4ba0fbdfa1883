// What of the pieces of a tile is live while darts are few: of large ones a map of parts, a bit
// each, which balls are drawn into; middling ones are a block each, small ones live as a whole.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sample/surface/block.hpp"

namespace dapple::surface {

// Parts along each side of a map: those of the sixteen blocks that a piece is cut into.
constexpr int map_side = parts_a_side * parts_a_side;
constexpr int map_parts = map_side * map_side;

// Parts longer than this, over the root of the rate of darts a square radius, are split.
constexpr double longest_part = 3;

// A piece, seen from the middle of its tile, and which of its parts are live. Row j holds those
// between the corners (i, j) and (i, j + 1), of weights i / 16 and j / 16, a bit for each i.
struct alignas(64) Root {
  float ax, ay, az;  // corner, in units
  float ux, uy, uz;  // edges from there
  float vx, vy, vz;
  Radii radii;
  float squares;    // of its least radius that it has
  float most_rate;  // of darts a square, of which parts are not too large
  std::uint64_t key;
  std::array<std::uint16_t, map_side> upright;  // i + j below 16
  std::array<std::uint16_t, map_side> turned;   // i + j below 15
};

// Columns of balls, each of which holds a piece, in units from the middle of its tile.
class Balls {
 public:
  explicit Balls(std::size_t count = 0) : count_(count), values_(columns * count) {}

  float* x() { return values_.data(); }
  float* y() { return values_.data() + count_; }
  float* z() { return values_.data() + 2 * count_; }
  float* ball() { return values_.data() + 3 * count_; }
  float* r() { return values_.data() + 4 * count_; }

  void set(std::size_t i, const Reach& ball_round, float radius);
  void move(std::size_t from, std::size_t to);

 private:
  static constexpr std::size_t columns = 5;
  std::size_t count_;
  std::vector<float> values_;  // column after column
};

// Where in columns of pieces those of a tile stand. Behind them is room to the end of a vector.
struct Range {
  std::size_t first = 0;
  std::size_t count = 0;
};

// Pieces with maps, of all tiles.
struct Roots {
  Balls balls;  // with the largest radius
  std::vector<Root> all;
  std::vector<std::uint32_t> piece;
  std::vector<std::uint16_t> live;  // parts

  explicit Roots(std::size_t count) : balls(count), all(count), piece(count), live(count) {}
  void set(std::size_t i, const Tiles& tiles, const Tile& tile, std::uint32_t number);
  // The last of the range takes its place.
  void remove(std::size_t i, Range& range);
};

// Pieces that are a block each, which those places are held against that may cover a part of it.
struct Middles {
  Balls balls;  // with the largest radius
  std::vector<Block> block;
  std::vector<float> squares;    // of its least radius that each part has
  std::vector<float> most_rate;  // of darts a square, of which parts are not too large

  explicit Middles(std::size_t count)
      : balls(count), block(count), squares(count), most_rate(count) {}
  void set(std::size_t i, const Tiles& tiles, const Tile& tile, std::uint32_t number);
  void remove(std::size_t i, Range& range);
};

// Pieces without parts.
struct Smalls {
  Balls balls;  // with the least radius
  std::vector<std::uint32_t> piece;
  std::vector<std::uint64_t> key;
  std::vector<float> squares;  // of its least radius that each has

  explicit Smalls(std::size_t count) : balls(count), piece(count), key(count), squares(count) {}
  void set(std::size_t i, const Tiles& tiles, const Tile& tile, std::uint32_t number);
  void remove(std::size_t i, Range& range);
};

// How many squares of its least radius a piece has.
inline double squares_of(const Piece& piece) {
  const auto r = static_cast<double>(piece.least());
  return piece.area / (r * r);
}

struct MapPart {
  int i, j;
  bool turned;
};
// The n-th live part, from 0.
MapPart live_part(const Root& root, int n);
// A place in it, by weights of its corners: weights of those of the piece.
Weights in_piece(const MapPart& part, Weights in_part);
// Which parts are live of the block that a piece has at a bit.
std::uint32_t live_of_block(const Root& root, int bit);

// Draws what the places from number `first` on hold into the maps of a tile's roots.
void cover(const Tiles& tiles, const Tile& tile, const Places& places, std::size_t first,
           Roots& roots, const Range& range);
// Prunes the middling pieces of a tile; those go of which nothing is live. `near`: room for places.
void cover(const Tiles& tiles, const Tile& tile, const Places& places, std::size_t first,
           Middles& middles, Range& range, std::array<Places, most_lanes>& near);
// Leaves out the small pieces of a tile that one of the places holds whole.
void cover(const Tiles& tiles, const Tile& tile, const Places& places, std::size_t first,
           Smalls& smalls, Range& range);

}  // namespace dapple::surface
