// The energy field of void-and-cluster: local update, and a search by tiles and a tree over them.
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "generate/mask_engine.hpp"

namespace dapple::mask {
namespace {

constexpr std::int16_t lowest = std::numeric_limits<std::int16_t>::min();
constexpr std::int16_t full = std::numeric_limits<std::int16_t>::max();
constexpr std::size_t fan = 16;  // children of a node of the tree

// Eight energies at once. GCC's and Clang's own vectors: they compile for any machine, and are used
// because loops over 16 numbers are unrolled before they could be turned into vectors.
using Lanes = std::int16_t __attribute__((vector_size(16)));

Lanes load(const std::int16_t* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

Lanes smaller(Lanes a, Lanes b) {
  return a < b ? a : b;
}

std::int16_t smallest_lane(Lanes v) {
  v = smaller(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3));
  v = smaller(v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5));
  return std::min(v[0], v[1]);
}

// Smallest of 16 values.
std::int16_t smallest_of(const std::int16_t* values) {
  return smallest_lane(smaller(load(values), load(values + 8)));
}

// Index, row by row, of the first value that equals `wanted` in `rows` rows of 16. Without
// branches: where it stands cannot be guessed.
int first_equal(const std::int16_t* values, std::ptrdiff_t stride, int rows, std::int16_t wanted) {
  const Lanes none = Lanes{} + full;
  Lanes left{0, 1, 2, 3, 4, 5, 6, 7};
  Lanes right = left + std::int16_t{8};
  Lanes first = none;
  for (int j = 0; j < rows; ++j) {
    first = smaller(first, load(values) == wanted ? left : none);
    first = smaller(first, load(values + 8) == wanted ? right : none);
    left += std::int16_t{16};
    right += std::int16_t{16};
    values += stride;
  }
  return smallest_lane(first);
}

// energy = min(energy + weight, full), in 16 bits: cap = full - weight.
void add_eight(std::int16_t* energy, const std::int16_t* weights, const std::int16_t* caps) {
  const Lanes sum = smaller(load(energy), load(caps)) + load(weights);
  std::memcpy(energy, &sum, sizeof sum);
}

void add_one(std::int16_t& energy, std::int16_t weight, std::int16_t cap) {
  energy = static_cast<std::int16_t>(std::min(energy, cap) + weight);
}

// A row of the kernel where it does not leave the row of the plane.
template <int vectors>
void add_row(std::int16_t* row, const std::int16_t* weights, const std::int16_t* caps) {
  for (int i = 0; i < vectors; ++i) add_eight(row + 8 * i, weights + 8 * i, caps + 8 * i);
}

int multiple_of(int value, int step) {
  return (value + step - 1) / step * step;
}

// Rows an odd number of cache lines apart: columns of a tile then fall into different sets.
int odd_lines(int stride) {
  constexpr int line = 32;
  return multiple_of(stride, line) + (multiple_of(stride, line) / line % 2 == 0 ? line : 0);
}

// How far a kernel of this reach extends along a side of the torus: its whole width, or the whole
// side where that is shorter and the kernel meets itself.
int folded(int side, int reach) {
  return std::min(side, 2 * reach + 1);
}

}  // namespace

EnergyField::EnergyField(int width, int height, const Kernel& kernel)
    : width_(width),
      height_(height),
      stride_(odd_lines(multiple_of(width, tile))),
      tiles_x_(multiple_of(width, tile) / tile),
      columns_(folded(width, kernel.reach)),
      rows_(folded(height, kernel.reach)),
      padded_(multiple_of(columns_, 8)),
      origin_x_(columns_ < width ? kernel.reach : 0),
      origin_y_(rows_ < height ? kernel.reach : 0) {
  const int lines = multiple_of(height, tile);
  energy_.assign(static_cast<std::size_t>(stride_) * static_cast<std::size_t>(lines), full);
  for (int y = 0; y < height; ++y) std::fill_n(energy_.begin() + y * stride_, width, lowest);

  std::size_t count = static_cast<std::size_t>(tiles_x_) * static_cast<std::size_t>(lines / tile);
  stale_.assign(count, 0);
  std::vector<std::int16_t> level(count, lowest);
  for (;;) {
    level.resize((level.size() + fan - 1) / fan * fan, full);
    minima_.push_back(level);
    if (level.size() == fan) break;
    std::vector<std::int16_t> above;
    for (std::size_t i = 0; i < level.size(); i += fan) above.push_back(smallest_of(&level[i]));
    level = std::move(above);
  }

  std::vector<std::int64_t> sums(static_cast<std::size_t>(padded_) *
                                 static_cast<std::size_t>(rows_));
  for (int dy = -kernel.reach; dy <= kernel.reach; ++dy) {
    for (int dx = -kernel.reach; dx <= kernel.reach; ++dx) {
      // Far from negative: the remainder of a negative number is negative.
      const int x = (dx + origin_x_ + kernel.reach * columns_) % columns_;
      const int y = (dy + origin_y_ + kernel.reach * rows_) % rows_;
      sums[static_cast<std::size_t>(y * padded_ + x)] += kernel.at(dx, dy);
    }
  }
  for (const std::int64_t sum : sums) {
    weights_.push_back(static_cast<std::int16_t>(std::min<std::int64_t>(sum, full)));
    caps_.push_back(static_cast<std::int16_t>(full - weights_.back()));
  }
}

void EnergyField::add(int left, int top) {
  const bool inside = left + columns_ <= width_ && left + padded_ <= stride_;
  const std::int16_t* weights = weights_.data();
  const std::int16_t* caps = caps_.data();
  for (int j = 0, y = top; j < rows_; ++j, y = y + 1 == height_ ? 0 : y + 1) {
    std::int16_t* row = energy_.data() + y * stride_;
    if (inside && padded_ == 16) {
      add_row<2>(row + left, weights, caps);
    } else if (inside && padded_ == 32) {
      add_row<4>(row + left, weights, caps);
    } else {
      for (int i = 0, x = left; i < columns_; ++i, x = x + 1 == width_ ? 0 : x + 1) {
        add_one(row[x], weights[i], caps[i]);
      }
    }
    weights += padded_;
    caps += padded_;
  }
}

void EnergyField::mark_stale(int x0, int x1, int y0, int y1) {
  for (int row = y0 / tile; row <= y1 / tile; ++row) {
    std::uint8_t* line = stale_.data() + static_cast<std::ptrdiff_t>(row) * tiles_x_;
    for (int column = x0 / tile; column <= x1 / tile; ++column) line[column] = 1;
  }
}

void EnergyField::set(int x, int y) {
  energy_[static_cast<std::size_t>(y * stride_ + x)] = full;
  const int left = x >= origin_x_ ? x - origin_x_ : x - origin_x_ + width_;
  const int top = y >= origin_y_ ? y - origin_y_ : y - origin_y_ + height_;
  const int right = left + columns_ - 1;
  const int bottom = top + rows_ - 1;
  add(left, top);
  // What hangs over a border is at the other side.
  for (const auto& [y0, y1] :
       {std::pair{top, std::min(bottom, height_ - 1)}, std::pair{0, bottom - height_}}) {
    if (y1 < y0) continue;
    mark_stale(left, std::min(right, width_ - 1), y0, y1);
    if (right >= width_) mark_stale(0, right - width_, y0, y1);
  }
}

const std::int16_t* EnergyField::tile_at(std::size_t index) const {
  const auto column =
      static_cast<int>(static_cast<unsigned>(index) % static_cast<unsigned>(tiles_x_));
  const auto row = static_cast<int>(static_cast<unsigned>(index) / static_cast<unsigned>(tiles_x_));
  return energy_.data() + row * tile * stride_ + column * tile;
}

std::int16_t EnergyField::tile_minimum(std::size_t index) const {
  const std::int16_t* row = tile_at(index);
  Lanes left = load(row);
  Lanes right = load(row + 8);
  for (int j = 1; j < tile; ++j) {
    row += stride_;
    left = smaller(left, load(row));
    right = smaller(right, load(row + 8));
  }
  return smallest_lane(smaller(left, right));
}

void EnergyField::raise(std::size_t index, std::int16_t minimum) {
  for (std::vector<std::int16_t>& level : minima_) {
    if (level[index] == minimum) return;
    level[index] = minimum;
    index /= fan;
    minimum = smallest_of(&level[index * fan]);
  }
}

EnergyField::Pick EnergyField::smallest() {
  for (;;) {
    const std::int16_t minimum = smallest_of(minima_.back().data());
    if (minimum == full) return {};
    std::size_t index = 0;
    for (auto level = minima_.rbegin(); level != minima_.rend(); ++level) {
      index *= fan;
      index += static_cast<std::size_t>(first_equal(&(*level)[index], 0, 1, minimum));
    }
    if (stale_[index]) {
      stale_[index] = 0;
      raise(index, tile_minimum(index));
      continue;
    }
    const std::int16_t* corner = tile_at(index);
    const int place = first_equal(corner, stride_, tile, minimum);
    const std::ptrdiff_t offset = corner - energy_.data();
    return {static_cast<int>(offset % stride_) + place % tile,
            static_cast<int>(offset / stride_) + place / tile, minimum - lowest};
  }
}

}  // namespace dapple::mask
