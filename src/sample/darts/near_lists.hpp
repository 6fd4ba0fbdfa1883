// For every point the others near it, by the radii of both.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

// Points j listed at i: at least all with distance(i, j) < factor * f(ri, rj) + slack * (ri + rj),
// and hardly any others (float rounding). On a torus so small that several images of j are near, j
// stands there once an image. `candidate` counts as min: it is what it promises for a pair.
//
// A tree of boxes round blocks of points that follow each other: fast for points in an order that
// keeps neighbors together (core/morton.hpp), right for any. Linear for radii of any ratio as long
// as the lists are short. The same lists at any number of threads.
class NearLists {
 public:
  NearLists(const PointSet& points, ConflictRule rule, double factor, double slack,
            Context& context);

  std::span<const std::uint32_t> of(std::size_t i) const {
    return {near_.data() + start_[i], start_[i + 1] - start_[i]};
  }
  // Entries before those of i.
  std::size_t start(std::size_t i) const { return start_[i]; }
  std::size_t total() const { return near_.size(); }

 private:
  std::vector<std::size_t> start_;
  std::vector<std::uint32_t> near_;
};

// The points of a set in another order, or some of them.
PointSet picked(const PointSet& points, std::span<const std::uint32_t> order);

}  // namespace dapple
