#include "sample/surface/throwing/map.hpp"

#include <algorithm>

#include "sample/engine/live_bits.hpp"

namespace dapple::surface {
namespace {

// A piece leaves its map or block if parts expect more darts than this.
constexpr double most_darts_a_part = 1;

constexpr std::uint32_t bits_below(int n) {
  return (1u << n) - 1;
}

// Returns the four bits of a number below 16 in reverse order.
constexpr std::uint32_t turned_round(std::uint32_t four) {
  four = (four & 5) << 1 | (four & 10) >> 1;
  return (four & 3) << 2 | four >> 2;
}

Reach ball_of(const Tiles& tiles, const Tile& tile, const Block& root) {
  return reach_of(tiles, tile, root, 1, 1);
}

// Removes row i of a range in each column: the last row takes its place.
template <class... Column>
void put_last(std::size_t i, Range& range, Balls& balls, Column&... columns) {
  const std::size_t last = range.first + --range.count;
  balls.move(last, i);
  ((columns[i] = columns[last]), ...);
}

}  // namespace

void Balls::set(std::size_t i, const Reach& round, float radius) {
  x()[i] = round.center[0];
  y()[i] = round.center[1];
  z()[i] = round.center[2];
  ball()[i] = round.ball;
  r()[i] = radius;
}

void Balls::move(std::size_t from, std::size_t to) {
  for (float* column : {x(), y(), z(), ball(), r()}) column[to] = column[from];
}

void Roots::set(std::size_t i, const Tiles& tiles, const Tile& tile, std::uint32_t number) {
  const Piece& of = tiles.pieces[number];
  const Block block = root_block(tiles, tile, number);
  const auto least = static_cast<double>(of.least());
  const double squares = squares_of(of);
  const double edge = of.longest / (map_side * least);
  Root& root = all[i];
  root = {block.ax,
          block.ay,
          block.az,
          block.ux,
          block.uy,
          block.uz,
          block.vx,
          block.vy,
          block.vz,
          radii_of(tiles, tile, block),
          static_cast<float>(squares),
          static_cast<float>(std::min(most_darts_a_part * map_parts / squares,
                                      longest_part * longest_part / (edge * edge))),
          of.key,
          {},
          {}};
  for (int j = 0; j < map_side; ++j) {
    const auto row = static_cast<std::size_t>(j);
    root.upright[row] = static_cast<std::uint16_t>(bits_below(map_side - j));
    root.turned[row] = static_cast<std::uint16_t>(bits_below(map_side - 1 - j));
  }
  balls.set(i, ball_of(tiles, tile, block), root.radii.most());
  piece[i] = number;
  live[i] = map_parts;
}

void Roots::remove(std::size_t i, Range& range) {
  put_last(i, range, balls, all, piece, live);
}

void Middles::set(std::size_t i, const Tiles& tiles, const Tile& tile, std::uint32_t number) {
  const Piece& of = tiles.pieces[number];
  block[i] = root_block(tiles, tile, number);
  balls.set(i, ball_of(tiles, tile, block[i]), radii_of(tiles, tile, block[i]).most());
  const double part = squares_of(of) / (parts_a_side * parts_a_side);
  const double edge = of.longest / (parts_a_side * static_cast<double>(of.least()));
  squares[i] = static_cast<float>(part);
  most_rate[i] = static_cast<float>(
      std::min(most_darts_a_part / part, longest_part * longest_part / (edge * edge)));
}

void Middles::remove(std::size_t i, Range& range) {
  put_last(i, range, balls, block, squares, most_rate);
}

void Smalls::set(std::size_t i, const Tiles& tiles, const Tile& tile, std::uint32_t number) {
  const Block block = root_block(tiles, tile, number);
  balls.set(i, ball_of(tiles, tile, block), radii_of(tiles, tile, block).least());
  piece[i] = number;
  key[i] = tiles.pieces[number].key;
  squares[i] = static_cast<float>(squares_of(tiles.pieces[number]));
}

void Smalls::remove(std::size_t i, Range& range) {
  put_last(i, range, balls, piece, key, squares);
}

MapPart live_part(const Root& root, int n) {
  for (const bool turned : {false, true}) {
    const auto& rows = turned ? root.turned : root.upright;
    for (int j = 0; j < map_side; j += 4) {
      std::uint64_t four = 0;
      for (int row = j + 3; row >= j; --row) {
        four = four << map_side | rows[static_cast<std::size_t>(row)];
      }
      const int here = bit_count(four);
      if (n < here) {
        const int bit = nth_bit(four, n);
        return {bit % map_side, j + bit / map_side, turned};
      }
      n -= here;
    }
  }
  return {0, 0, false};
}

Weights in_piece(const MapPart& part, Weights in_part) {
  const auto along = [&](int first, double weight) {
    return (first + (part.turned ? 1 - weight : weight)) / map_side;
  };
  return {along(part.i, in_part.s), along(part.j, in_part.t)};
}

std::uint32_t live_of_block(const Root& root, int bit) {
  const Part part = part_of(bit);
  std::uint32_t live = 0;
  for (int j = 0; j < parts_a_side; ++j) {
    // The rows of a turned block run in reverse, and so do its parts.
    const int row = parts_a_side * part.j + (part.turned ? parts_a_side - 1 - j : j);
    const auto four = [&](const std::array<std::uint16_t, map_side>& rows) {
      const std::uint32_t bits =
          rows[static_cast<std::size_t>(row)] >> (parts_a_side * part.i) & 15u;
      return (part.turned ? turned_round(bits) : bits) << (5 * j);
    };
    live |= (four(part.turned ? root.turned : root.upright) & upright_parts) |
            (four(part.turned ? root.upright : root.turned) & turned_parts) << 16;
  }
  return live;
}

}  // namespace dapple::surface
