// The energy field of void-and-cluster: local update, and a search by tiles and a tree over them.
#include <algorithm>
#include <limits>

#include "generate/mask_engine.hpp"

namespace dapple::mask {
namespace {

constexpr std::int16_t lowest = std::numeric_limits<std::int16_t>::min();
constexpr std::int16_t full = std::numeric_limits<std::int16_t>::max();
constexpr std::size_t fan = 16;  // children of a node of the tree

// energy = min(energy + weight, full), in 16 bits: cap = full - weight.
template <int n>
void add_block(std::int16_t* energy, const std::int16_t* weights, const std::int16_t* caps) {
  for (int i = 0; i < n; ++i) {
    energy[i] = static_cast<std::int16_t>(std::min(energy[i], caps[i]) + weights[i]);
  }
}

std::int16_t smallest_of(const std::int16_t* values) {
  std::int16_t smallest = values[0];
  for (std::size_t i = 1; i < fan; ++i) smallest = std::min(smallest, values[i]);
  return smallest;
}

int multiple_of(int value, int step) {
  return (value + step - 1) / step * step;
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
      stride_(multiple_of(width, tile)),
      tiles_x_(multiple_of(width, tile) / tile),
      columns_(folded(width, kernel.reach)),
      rows_(folded(height, kernel.reach)),
      padded_(multiple_of(columns_, 16)),
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

void EnergyField::add_row(int y, int x, const std::int16_t* weights, const std::int16_t* caps) {
  std::int16_t* row = energy_.data() + y * stride_;
  if (x + padded_ <= stride_ && x + columns_ <= width_) {
    for (int i = 0; i < padded_; i += 16) add_block<16>(row + x + i, weights + i, caps + i);
    return;
  }
  for (int i = 0; i < columns_; ++i) {
    add_block<1>(row + x, weights + i, caps + i);
    if (++x == width_) x = 0;
  }
}

void EnergyField::mark_columns(int tile_row, int from, int to) {
  std::uint8_t* row = stale_.data() + static_cast<std::ptrdiff_t>(tile_row) * tiles_x_;
  std::fill(row + from / tile, row + to / tile + 1, std::uint8_t{1});
}

void EnergyField::set(int x, int y) {
  energy_[static_cast<std::size_t>(y * stride_ + x)] = full;
  const int left = x >= origin_x_ ? x - origin_x_ : x - origin_x_ + width_;
  const int right = left + columns_ - 1;
  int line = y >= origin_y_ ? y - origin_y_ : y - origin_y_ + height_;
  for (int j = 0; j < rows_; ++j) {
    const std::ptrdiff_t k = static_cast<std::ptrdiff_t>(j) * padded_;
    add_row(line, left, weights_.data() + k, caps_.data() + k);
    // Once a row of tiles: at its first line that is touched.
    if (j == 0 || line % tile == 0) {
      mark_columns(line / tile, left, std::min(right, width_ - 1));
      if (right >= width_) mark_columns(line / tile, 0, right - width_);
    }
    if (++line == height_) line = 0;
  }
}

std::int16_t EnergyField::tile_minimum(std::size_t index) const {
  const std::size_t tiles_x = static_cast<std::size_t>(tiles_x_);
  const std::int16_t* row = energy_.data() +
                            static_cast<std::ptrdiff_t>(index / tiles_x) * tile * stride_ +
                            static_cast<std::ptrdiff_t>(index % tiles_x) * tile;
  std::int16_t lanes[tile];
  std::copy_n(row, tile, lanes);
  for (int j = 1; j < tile; ++j) {
    row += stride_;
    for (int i = 0; i < tile; ++i) lanes[i] = std::min(lanes[i], row[i]);
  }
  return smallest_of(lanes);
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
      while ((*level)[index] != minimum) ++index;
    }
    if (stale_[index]) {
      stale_[index] = 0;
      raise(index, tile_minimum(index));
      continue;
    }
    const int x0 = static_cast<int>(index % static_cast<std::size_t>(tiles_x_)) * tile;
    const int y0 = static_cast<int>(index / static_cast<std::size_t>(tiles_x_)) * tile;
    for (int y = y0;; ++y) {
      const std::int16_t* row = energy_.data() + y * stride_ + x0;
      for (int i = 0; i < tile; ++i) {
        if (row[i] == minimum) return {x0 + i, y, minimum - lowest};
      }
    }
  }
}

}  // namespace dapple::mask
