// What is filled with darts: a box or a torus of two to four sides, for one class of points or
// several that hold each other off by a distance for each two of them.
#pragma once

#include <cstdint>
#include <vector>

#include "dapple/context.hpp"
#include "sample/space/box.hpp"

namespace dapple::space {

// Points that are settled.
template <std::size_t D>
struct Points {
  std::vector<Along<D>> at;
  std::vector<std::int32_t> klass;
  std::vector<std::int32_t> window;  // in which each was settled; later ones find less room

  std::size_t size() const { return at.size(); }
};

template <std::size_t D>
struct Room {
  Along<D> side{};
  bool wrap = false;
  // Symmetric, a row for each class: points of classes i and j are at least [i][j] apart.
  std::vector<std::vector<double>> distance{{1}};
  // Darts of each class in the first window, a ball's cube (square, ...): those of a class with
  // more come before the others. Empty: 1 for all.
  std::vector<double> first_rate;
  const Points<D>* kept = nullptr;  // points that are there already; window is not read

  std::size_t classes() const { return distance.size(); }
  double radius(std::size_t klass) const { return distance[klass][klass]; }
};

// The points that darts leave where each is thrown uniformly over the room and stays unless it is
// too near an earlier one of them, for ever: exact, and without room for another of any class.
// Classes throw darts at rates in proportion to 1 / r^D, but for the first window. Kept points are
// not among them. Deterministic in (context.seed, room), whatever the threads are.
// Throws Error(limit) where memory would not do.
template <std::size_t D>
Points<D> throw_darts(const Room<D>& room, Context& context);

}  // namespace dapple::space
