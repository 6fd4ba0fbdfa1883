// Tracks the live parts of pieces while darts are few. A large piece has a map with a bit per part,
// into which balls are drawn. A middling piece is one block; a small one has no parts.
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

// Parts longer than this times r / sqrt(rate) are split; the rate is darts per square of r.
constexpr double longest_part = 3;

// A piece in the frame of its tile, with its live parts. Row j has the parts between the corners
// (i, j) and (i, j + 1), a bit for each i. The weights of a corner are i / 16 and j / 16.
struct alignas(64) Root {
  float ax, ay, az;  // corner, in units
  float ux, uy, uz;  // edges from the corner
  float vx, vy, vz;
  PatchRadii radii;
  float squares;    // its area, in squares of its least radius
  float most_rate;  // darts per square up to which its parts are small enough
  std::uint64_t key;
  std::array<std::uint16_t, map_side> upright;  // i + j below 16
  std::array<std::uint16_t, map_side> turned;   // i + j below 15
};

// Columns of balls that each contain a piece, in units from the center of its tile.
class Balls {
 public:
  explicit Balls(std::size_t count = 0) : count_(count), values_(columns * count) {}

  float* x() { return values_.data(); }
  float* y() { return values_.data() + count_; }
  float* z() { return values_.data() + 2 * count_; }
  float* ball() { return values_.data() + 3 * count_; }
  float* r() { return values_.data() + 4 * count_; }

  void set(std::size_t i, const Reach& ball_around, float radius);
  void move(std::size_t from, std::size_t to);

 private:
  static constexpr std::size_t columns = 5;
  std::size_t count_;
  std::vector<float> values_;  // column after column
};

// The rows of a tile in the columns of pieces. Room follows them up to the end of a vector.
struct Range {
  std::size_t first = 0;
  std::size_t count = 0;
};

// Pieces with maps, of all tiles.
struct Roots {
  Balls balls;  // r: the largest radius
  std::vector<Root> all;
  std::vector<std::uint32_t> piece;
  std::vector<std::uint16_t> live;  // parts

  explicit Roots(std::size_t count) : balls(count), all(count), piece(count), live(count) {}
  void set(std::size_t i, const Tiles& tiles, const Tile& tile, std::uint32_t number);
  // Removes row i. The last row of the range takes its place.
  void remove(std::size_t i, Range& range);
};

// Pieces that are one block each. Each is tested against the places that may cover a part of it.
struct Middles {
  Balls balls;  // r: the largest radius
  std::vector<Block> block;
  std::vector<float> squares;    // area of each part, in squares of the least radius
  std::vector<float> most_rate;  // darts per square up to which parts are small enough

  explicit Middles(std::size_t count)
      : balls(count), block(count), squares(count), most_rate(count) {}
  void set(std::size_t i, const Tiles& tiles, const Tile& tile, std::uint32_t number);
  void remove(std::size_t i, Range& range);
};

// Pieces without parts.
struct Smalls {
  Balls balls;  // r: the least radius
  std::vector<std::uint32_t> piece;
  std::vector<std::uint64_t> key;
  std::vector<float> squares;  // area of each, in squares of its least radius

  explicit Smalls(std::size_t count) : balls(count), piece(count), key(count), squares(count) {}
  void set(std::size_t i, const Tiles& tiles, const Tile& tile, std::uint32_t number);
  void remove(std::size_t i, Range& range);
};

// Returns the area of a piece in squares of its least radius.
inline double squares_of(const Piece& piece) {
  const auto r = static_cast<double>(piece.least());
  return piece.area / (r * r);
}

struct MapPart {
  int i, j;
  bool turned;
};
// Returns live part n, counted from 0.
MapPart live_part(const Root& root, int n);
// Converts weights in a part to weights in its piece.
Weights in_piece(const MapPart& part, Weights in_part);
// Returns the live parts of the block at a bit of the piece.
std::uint32_t live_of_block(const Root& root, int bit);

// Draws the balls of places, from index `first` on, into the maps of the roots of a tile.
void cover(const Tiles& tiles, const Tile& tile, const Places& places, std::size_t first,
           Roots& roots, const Range& range);
// Prunes the middling pieces of a tile, and removes those without live parts. `near`: buffers.
void cover(const Tiles& tiles, const Tile& tile, const Places& places, std::size_t first,
           Middles& middles, Range& range, std::array<Places, most_lanes>& near);
// Removes the small pieces of a tile that the ball of one place contains.
void cover(const Tiles& tiles, const Tile& tile, const Places& places, std::size_t first,
           Smalls& smalls, Range& range);

}  // namespace dapple::surface
