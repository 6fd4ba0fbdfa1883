// Finds the neighbors of points in two or three dimensions, with coordinates of any size.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/radix_sort.hpp"

namespace dapple {

// Places, one vector per axis. All of an axis are 0 if the points lie in a plane.
struct CloudPlaces {
  std::array<std::vector<double>, 3> at = {};
  std::array<double, 3> period = {};  // of axes that wrap; 0: the others

  std::size_t size() const { return at[0].size(); }
  // Returns `count` of the places; index(k) is the number of the k-th.
  template <class Index>
  CloudPlaces some(std::size_t count, const Index& index) const {
    CloudPlaces found;
    found.period = period;
    for (std::size_t a = 0; a < 3; ++a) {
      found.at[a].resize(count);
      for (std::size_t k = 0; k < count; ++k) found.at[a][k] = at[a][index(k)];
    }
    return found;
  }
};

// Points in the order of their cells. A cell is a cube of `side`, or a little more on axes that
// wrap. Cells far from the middle of the points are merged, which costs time but no neighbor.
class CloudCells {
 public:
  CloudCells(const CloudPlaces& places, double side) : period_(places.period) {
    for (std::size_t a = 0; a < 3; ++a) set_axis(a, places.at[a], side);
    sorted_.resize(places.size());
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
      sorted_[i] = {key_of(places.at[0][i], places.at[1][i], places.at[2][i]),
                    static_cast<std::uint32_t>(i)};
    }
    std::sort(sorted_.begin(), sorted_.end(), [](const HashedNumber& a, const HashedNumber& b) {
      return std::pair(a.key, a.number) < std::pair(b.key, b.number);
    });
    for (std::uint32_t k = 0; k < sorted_.size(); ++k) {
      if (k > 0 && sorted_[k].key == keys_.back()) continue;
      keys_.push_back(sorted_[k].key);
      first_.push_back(k);
    }
    first_.push_back(static_cast<std::uint32_t>(sorted_.size()));
    places_ = places.some(size(), [&](std::size_t k) { return sorted_[k].number; });
  }

  std::size_t size() const { return sorted_.size(); }
  // Returns the point at position k of the order.
  std::uint32_t number(std::size_t k) const { return sorted_[k].number; }
  std::size_t cells() const { return keys_.size(); }
  std::size_t begin(std::size_t cell) const { return first_[cell]; }
  std::size_t end(std::size_t cell) const { return first_[cell + 1]; }

  // Positions [first, last) of the cells around one.
  struct Around {
    std::uint64_t key = ~std::uint64_t{0};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> runs;
  };
  // Returns true if body(position, squared distance) does so for a point near the one at position
  // k, itself included. These are all points within `side`. `around` serves all calls of a thread.
  template <class Body>
  bool any_near(std::size_t k, Around& around, const Body& body) const {
    if (around.key != sorted_[k].key) look_around(sorted_[k].key, around);
    const auto& [x, y, z] = places_.at;
    const auto along = [&](std::size_t a, double d) {
      return period_[a] > 0 ? std::min(std::abs(d), period_[a] - std::abs(d)) : d;
    };
    for (const auto& [first, last] : around.runs) {
      for (std::uint32_t j = first; j < last; ++j) {
        const double dx = along(0, x[j] - x[k]);
        const double dy = along(1, y[j] - y[k]);
        const double dz = along(2, z[j] - z[k]);
        if (body(j, dx * dx + dy * dy + dz * dz)) return true;
      }
    }
    return false;
  }

 private:
  static constexpr int bits = 21;
  static constexpr std::int64_t most = (std::int64_t{1} << bits) - 1;

  void set_axis(std::size_t a, const std::vector<double>& values, double side) {
    if (values.empty()) return;
    if (period_[a] > 0) {
      wrapped_[a] = static_cast<std::int64_t>(
          std::clamp(std::floor(period_[a] / side), 1.0, static_cast<double>(most)));
      scale_[a] = static_cast<double>(wrapped_[a]) / period_[a];
      return;
    }
    std::vector<double> few;
    for (std::size_t i = 0; i < values.size(); i += 1 + values.size() / 1000)
      few.push_back(values[i]);
    const auto middle = few.begin() + static_cast<std::ptrdiff_t>(few.size() / 2);
    std::nth_element(few.begin(), middle, few.end());
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    flat_[a] = *low == *high;
    middle_[a] = *middle;
    scale_[a] = 1 / side;
  }

  std::uint64_t cell_of(std::size_t a, double at) const {
    if (wrapped_[a] > 0) {
      return static_cast<std::uint64_t>(
          std::clamp(std::floor(at * scale_[a]), 0.0, static_cast<double>(wrapped_[a] - 1)));
    }
    const double from_middle = (at - middle_[a]) * scale_[a] + static_cast<double>(most >> 1);
    return static_cast<std::uint64_t>(
        std::clamp(std::floor(from_middle), 0.0, static_cast<double>(most)));
  }
  std::uint64_t key_of(double x, double y, double z) const {
    return (cell_of(2, z) << bits | cell_of(1, y)) << bits | cell_of(0, x);
  }

  // Returns the cells beside one along an axis, each once.
  std::vector<std::uint64_t> beside(std::size_t a, std::uint64_t cell) const {
    const auto c = static_cast<std::int64_t>(cell);
    if (flat_[a]) return {cell};
    const std::int64_t n = wrapped_[a];
    std::vector<std::uint64_t> cells;
    for (std::int64_t at = c - 1; at <= c + 1; ++at) {
      if (n == 0 ? at >= 0 && at <= most : at - (c - 1) < n) {
        cells.push_back(static_cast<std::uint64_t>(n == 0 ? at : (at + n) % n));
      }
    }
    return cells;
  }

  void look_around(std::uint64_t key, Around& around) const {
    around.key = key;
    around.runs.clear();
    constexpr auto mask = static_cast<std::uint64_t>(most);
    const auto columns = beside(0, key & mask);
    for (const std::uint64_t z : beside(2, key >> (2 * bits))) {
      for (const std::uint64_t y : beside(1, key >> bits & mask)) {
        auto found = keys_.end();
        for (const std::uint64_t x : columns) {
          const std::uint64_t wanted = (z << bits | y) << bits | x;
          const bool follows = found != keys_.end() && *found < wanted;
          found = follows ? found + 1 : std::lower_bound(keys_.begin(), keys_.end(), wanted);
          if (found == keys_.end() || *found != wanted) continue;
          const auto cell = static_cast<std::size_t>(found - keys_.begin());
          around.runs.emplace_back(first_[cell], first_[cell + 1]);
        }
      }
    }
  }

  std::array<double, 3> period_ = {};
  std::array<double, 3> scale_ = {};
  std::array<double, 3> middle_ = {};
  std::array<std::int64_t, 3> wrapped_ = {};  // cells along axes that wrap
  std::array<bool, 3> flat_ = {};             // axes on which all points are equal
  std::vector<HashedNumber> sorted_;
  CloudPlaces places_;  // in the order of cells
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> first_;
};

}  // namespace dapple
