// Makes ranks by void-and-cluster as published (Ulichney 1993, "The void-and-cluster method for
// dither array generation"): one Gaussian, and a random pattern whose clusters are moved to its
// voids. It serves to compare, and for a grain that is the same at all densities;
// void_and_cluster.cpp makes better masks.
//
// The second half of the last phase continues the search for voids (see void_and_cluster.cpp).
#include <algorithm>
#include <array>

#include "core/modulo.hpp"
#include "dapple/context.hpp"
#include "generate/mask/engine.hpp"

namespace dapple::mask {
namespace {

constexpr int tile = 16;  // side in pixels

// Finds the first of the pixels of smallest key, by tiles and rows of tiles. A tile that changed is
// searched again when it is needed.
class Lowest {
 public:
  Lowest(int width, int height)
      : width_(width), height_(height), columns_((width + tile - 1) / tile) {
    const auto rows = static_cast<std::size_t>((height + tile - 1) / tile);
    tiles_.resize(rows * static_cast<std::size_t>(columns_));
    rows_.resize(rows);
  }

  void changed(int x, int y) {
    const auto row = static_cast<std::size_t>(y / tile);
    tiles_[row * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(x / tile)].stale =
        true;
    rows_[row].stale = true;
  }

  // Returns the index of the lowest pixel; key(i) is the key of pixel i.
  template <class Key>
  std::int32_t find(const Key& key) {
    Entry best;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (rows_[row].stale) rows_[row] = lowest_of_row(static_cast<int>(row), key);
      if (rows_[row].before(best)) best = rows_[row];
    }
    return best.index;
  }

 private:
  struct Entry {
    std::int64_t key = INT64_MAX;
    std::int32_t index = INT32_MAX;
    bool stale = true;

    bool before(const Entry& other) const {
      return key != other.key ? key < other.key : index < other.index;
    }
  };

  template <class Key>
  Entry lowest_of_row(int row, const Key& key) {
    Entry best;
    for (int column = 0; column < columns_; ++column) {
      Entry& entry = tiles_[static_cast<std::size_t>(row * columns_ + column)];
      if (entry.stale) entry = lowest_of_tile(column, row, key);
      if (entry.before(best)) best = entry;
    }
    best.stale = false;
    return best;
  }

  template <class Key>
  Entry lowest_of_tile(int column, int row, const Key& key) const {
    Entry best;
    for (int y = row * tile; y < std::min(height_, (row + 1) * tile); ++y) {
      for (int x = column * tile; x < std::min(width_, (column + 1) * tile); ++x) {
        Entry entry;
        entry.index = y * width_ + x;
        entry.key = key(static_cast<std::size_t>(entry.index));
        if (entry.before(best)) best = entry;
      }
    }
    best.stale = false;
    return best;
  }

  int width_, height_, columns_;
  std::vector<Entry> tiles_, rows_;
};

// Set pixels of a torus, and the energy that they give to every pixel.
class Pattern {
 public:
  Pattern(int width, int height, const Kernel& kernel)
      : width_(width),
        height_(height),
        kernel_(kernel),
        energy_(width, height),
        is_set_(width, height),
        clusters_(width, height),
        voids_(width, height) {}

  void set(std::int32_t pixel) { change(pixel, 1); }
  void clear(std::int32_t pixel) { change(pixel, -1); }
  std::int32_t energy(std::int32_t pixel) const {
    return energy_.values()[static_cast<std::size_t>(pixel)];
  }

  // Return the set pixel of most energy, and the empty pixel of least; the first of equals.
  std::int32_t tightest_cluster() {
    return clusters_.find([&](std::size_t i) {
      return is_set_.values()[i] != 0 ? -std::int64_t{energy_.values()[i]} : INT64_MAX;
    });
  }
  std::int32_t largest_void() {
    return voids_.find([&](std::size_t i) {
      return is_set_.values()[i] == 0 ? std::int64_t{energy_.values()[i]} : INT64_MAX;
    });
  }

 private:
  void change(std::int32_t pixel, int sign) {
    const int x0 = pixel % width_;
    const int y0 = pixel / width_;
    is_set_(x0, y0) = sign > 0 ? 1 : 0;
    for (int dy = -kernel_.reach; dy <= kernel_.reach; ++dy) {
      const int y = modulo(y0 + dy, height_);
      for (int dx = -kernel_.reach; dx <= kernel_.reach; ++dx) {
        const int x = modulo(x0 + dx, width_);
        energy_(x, y) += sign * kernel_.at(dx, dy);
        clusters_.changed(x, y);
        voids_.changed(x, y);
      }
    }
  }

  int width_, height_;
  const Kernel& kernel_;
  Plane<std::int32_t> energy_;
  Plane<std::uint8_t> is_set_;
  Lowest clusters_, voids_;
};

}  // namespace

Plane<std::int32_t> ulichney_ranks(int width, int height, std::uint64_t seed, double sigma,
                                   Context& context, bool parallel,
                                   const std::function<void(double)>& progress) {
  // Beyond four times sigma the integers are 0.
  const KernelShape gaussian{sigma, 0, 1, 4.2 * sigma, 0};
  std::array<Stage, 1> stages{dense_stage(make_kernel(gaussian, 1, 30000, EnergyField::taken - 1))};
  Plane<std::int32_t> ranks = white_ranks(width, height, seed);
  const auto pixels = static_cast<std::int32_t>(ranks.size());
  const std::int32_t count = std::max(1, pixels / 10);
  Pattern pattern(width, height, stages[0].kernel);
  for (std::int32_t i = 0; i < pixels; ++i) {
    std::int32_t& rank = ranks.values()[static_cast<std::size_t>(i)];
    if (rank < count) pattern.set(i);
    rank = -1;
  }
  // Clusters move to voids until no move gains. Each move lowers the sum of energies, so this comes
  // to an end.
  while (count < pixels) {
    context.check();
    const std::int32_t cluster = pattern.tightest_cluster();
    pattern.clear(cluster);
    const std::int32_t gap = pattern.largest_void();
    const bool gains = pattern.energy(gap) < pattern.energy(cluster);
    pattern.set(gains ? gap : cluster);
    if (!gains) break;
  }
  for (std::int32_t rank = count - 1; rank >= 0; --rank) {
    context.check();
    const std::int32_t cluster = pattern.tightest_cluster();
    pattern.clear(cluster);
    ranks.values()[static_cast<std::size_t>(cluster)] = rank;
  }
  fill_voids(ranks, 1, count, stages, context, parallel, progress);
  return ranks;
}

}  // namespace dapple::mask
