// The squares of dart throwing that are not yet proven covered, and the darts that fall on them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "sample/darts/fill.hpp"

namespace dapple {

struct Dart {
  Vec2 at;
  double r;  // with the safety factor
  double time;
};

// A part of a tile: the square (x, y) of a grid of 2^level x 2^level. May stick out of the domain.
struct LiveSquare {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  int level = 0;
};

// Row by row.
inline std::size_t cell_at(const Tile& tile, Vec2 p) {
  const auto column = static_cast<int>((p.x - tile.box.x0) / tile.cell_width);
  const auto row = static_cast<int>((p.y - tile.box.y0) / tile.cell_height);
  const int last = tile.cells - 1;
  return static_cast<std::size_t>(std::min(row, last) * tile.cells + std::min(column, last));
}

// The span of time that is looked at; one dart a unit of area in a unit of time.
struct TimeWindow {
  std::uint64_t index;
  double from;
  double length;
};

// e^-mean of a small mean, from operations that round alike everywhere.
inline double exp_of_minus(double mean) {
  const double x = -mean / 16;
  double sum = 1;
  for (int k = 12; k > 0; --k) sum = 1 + sum * x / k;
  for (int k = 0; k < 4; ++k) sum *= sum;
  return sum;
}

// How many darts fall where `mean` are expected, from a uniform number (inverted distribution).
inline int poisson(double mean, double none, double u) {
  double chance = none;
  double sum = chance;
  int n = 0;
  while (u >= sum && n < 100) {
    chance *= mean / ++n;
    sum += chance;
  }
  return n;
}

// Visits the live squares of one tile in one window. `Around` knows the points so far:
//     bool covers(std::size_t cell, const Box&, double r_min)  whether one point covers all of the
//         box, which lies in that cell of the tile
//     bool conflicts(std::size_t cell, Vec2, double r)
template <class Around>
class SquareVisit {
 public:
  SquareVisit(const SafeField& field, const Domain& domain, const Tile& tile, std::uint32_t index,
              const TimeWindow& window, std::uint64_t seed, const Around& around)
      : field_(field),
        domain_(domain),
        tile_(tile),
        window_(window),
        key_(Random(seed, Stream::dart_throwing, index).at(window.index)),
        around_(around),
        uniform_(field.uniform(tile.box)) {
    while (1 << cell_level_ < tile.cells) ++cell_level_;
    Vec2 size{tile.cells * tile.cell_width, tile.cells * tile.cell_height};
    for (std::size_t level = 0; level < size_.size(); ++level) {
      size_[level] = size;
      mean_[level] = size.x * size.y * window.length;
      size = size * 0.5;
    }
  }

  // The squares that stay live, and the darts that no point so far refuses, in order of time.
  std::vector<LiveSquare> live;
  std::vector<Dart> darts;

  void visit(const std::vector<LiveSquare>& squares) {
    for (const LiveSquare& square : squares) visit(square);
    std::sort(darts.begin(), darts.end(),
              [](const Dart& a, const Dart& b) { return a.time < b.time; });
  }

 private:
  // Expected on a square: above, it is cut into four.
  static constexpr double most_darts = 2;

  double mean(int level) const { return mean_[static_cast<std::size_t>(level)]; }

  void visit(const LiveSquare& square) {
    if (mean(square.level) <= most_darts) {
      throw_at(square);
      live.push_back(square);
      return;
    }
    for (std::uint32_t quarter = 0; quarter < 4; ++quarter) {
      look_at({2 * square.x + (quarter & 1), 2 * square.y + (quarter >> 1), square.level + 1});
    }
  }

  // Drops a square that is covered or where nothing may be placed.
  void look_at(const LiveSquare& square) {
    const Box box = clipped(box_of(square));
    if (box.x0 >= box.x1 || box.y0 >= box.y1) return;
    const RadiusBounds bounds =
        uniform_ ? RadiusBounds{tile_.r_min, tile_.r_max} : field_.bounds(box);
    if (bounds.max == 0) return;
    if (square.level >= cell_level_ && around_.covers(cell_of(square), box, bounds.min)) return;
    if (std::max(box.width(), box.height()) > finest * bounds.min) return visit(square);
    // No place here is farther from the center than the tolerance of "covered".
    Random random(key_, Stream::dart_throwing, key_of(square));
    add({0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)}, random.uniform());
  }

  // Darts on the whole square, even where it sticks out: so the mean is that of its level.
  void throw_at(const LiveSquare& square) {
    if (square.level != none_level_) {
      none_level_ = square.level;
      none_ = exp_of_minus(mean(square.level));
    }
    Random random(key_, Stream::dart_throwing, key_of(square));
    const int count = poisson(mean(square.level), none_, random.uniform());
    if (count == 0) return;
    const Box box = box_of(square);
    for (int i = 0; i < count; ++i) {
      const Vec2 place = place_in(box, random.bits());
      const double when = random.uniform();
      if (tile_.box.contains(place)) add(place, when);
    }
  }

  void add(Vec2 place, double when) {
    const double r = field_.radius(place);
    // Above r_max: where nothing may be placed, or rounding has put it into the next pixel.
    if (r > tile_.r_max || around_.conflicts(cell_at(tile_, place), place, r)) return;
    darts.push_back({place, r, window_.from + when * window_.length});
  }

  std::size_t cell_of(const LiveSquare& s) const {
    const int up = s.level - cell_level_;
    return static_cast<std::size_t>(s.y >> up) * static_cast<std::size_t>(tile_.cells) +
           (s.x >> up);
  }
  Box box_of(const LiveSquare& s) const {
    const auto [w, h] = size_[static_cast<std::size_t>(s.level)];
    return {tile_.box.x0 + s.x * w, tile_.box.y0 + s.y * h, tile_.box.x0 + (s.x + 1.0) * w,
            tile_.box.y0 + (s.y + 1.0) * h};
  }
  Box clipped(const Box& box) const {
    return {box.x0, box.y0, std::min(box.x1, domain_.width), std::min(box.y1, domain_.height)};
  }
  static std::uint64_t key_of(const LiveSquare& s) {
    return hash(std::uint64_t{s.x} << 32 | s.y, static_cast<std::uint64_t>(s.level));
  }

  const SafeField& field_;
  const Domain& domain_;
  const Tile& tile_;
  const TimeWindow& window_;
  std::uint64_t key_;
  const Around& around_;
  bool uniform_;  // one radius in all of the tile
  int cell_level_ = 0;
  std::array<Vec2, 32> size_;      // of a square, by level
  std::array<double, 32> mean_{};  // darts on it
  int none_level_ = -1;
  double none_ = 0;
};

}  // namespace dapple
