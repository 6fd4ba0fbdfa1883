// What is filled with darts: a box or a torus of two to four sides, or a solid in a box, for one
// class of points or several that hold each other off by a distance for each two of them.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/volume_field.hpp"
#include "sample/box_space/box.hpp"

namespace dapple::space {

class Solid;

// Points that are settled.
template <std::size_t D>
struct Points {
  std::vector<VecD<D>> at;
  std::vector<std::int32_t> class_id;
  std::vector<std::int32_t> window;  // in which each was settled; later ones find less room

  std::size_t size() const { return at.size(); }
};

// Points that are there already: each holds others off by its class, by the radius that it has, or
// as what is placed asks for.
template <std::size_t D>
struct Obstacles {
  std::vector<VecD<D>> at;
  std::vector<double> radius;          // 0: it has none
  std::vector<std::int32_t> class_id;  // empty: they have none
  ConflictRule rule = ConflictRule::mean;

  std::size_t size() const { return at.size(); }
};

template <std::size_t D>
struct Room {
  VecD<D> side{};
  bool wrap = false;
  // Symmetric, a row for each class: points of classes i and j are at least [i][j] apart.
  std::vector<std::vector<double>> distance{{1}};
  // Darts of each class, a cube (square, ...) of its radius, that are thrown before those of the
  // next class begin; those of all classes go on together. Empty: none.
  std::vector<double> head_start;
  const Solid* solid = nullptr;  // of three sides: what is filled of the box around it
  // Or r(x) of one class in a volume of three sides; distance[0][0] is then its least radius.
  const VolumeField* field = nullptr;
  ConflictRule rule = ConflictRule::mean;  // mean or max
  const Points<D>* kept = nullptr;  // points of its own that are there already, without windows
  const Obstacles<D>* obstacles = nullptr;  // points that are there and none of its own

  std::size_t classes() const { return distance.size(); }
  double radius(std::size_t class_id) const { return distance[class_id][class_id]; }
};

// In the order in which darts were settled, and within a window in one without place.
template <std::size_t D>
void order_by_windows(Points<D>& points);
// Points of classes, maximal or not, in one of which every beginning holds as much of each class as
// all do, to less than a point, and is well spaced round the room's obstacles.
template <std::size_t D>
void order_classes(const Room<D>& room, Points<D>& points, Context& context);

// The room in cubes (squares, ...) of the radius of each class: about as many points as there are.
template <std::size_t D>
double cubes_of_radii(const Room<D>& room);
// Throws Error(limit) for a room of too many points.
template <std::size_t D>
void require_memory(const Room<D>& room, Context& context);

// The points that darts leave where each is thrown uniformly over the room and stays unless it is
// too near an earlier one of them, for ever: exact, and without room for another of any class.
// Classes throw darts at rates in proportion to 1 / r^D, after their head starts. Kept points are
// not among them. Deterministic in (context.seed, room), whatever the threads are. Throws
// Error(limit) where memory would not do.
template <std::size_t D>
Points<D> throw_darts(const Room<D>& room, Context& context);
// The same of one class, in an order of which every beginning is spaced as the set of twice as many
// points at the most: maximal sets of ever smaller radii, each round those before it.
template <std::size_t D>
Points<D> throw_progressively(const Room<D>& room, Context& context);
template <std::size_t D>
Points<D> throw_points(const Room<D>& room, bool progressive, Context& context) {
  return progressive ? throw_progressively(room, context) : throw_darts(room, context);
}

// What points prove beside obstacles, whose own pairs do not count: distances in double, and cover
// by bounds over boxes.
template <std::size_t D>
struct Proved {
  std::int64_t violations = 0;  // pairs nearer than their classes allow
  // Least distance of a pair, over what their classes allow.
  double closest = std::numeric_limits<double>::infinity();
  std::int64_t holes = 0;  // boxes of some radii with room for a point of some class
  VecD<D> hole_place{};    // the place of the first
  std::int32_t hole_class = 0;
};
// `tolerance`: what is farther than that beyond all distances is a hole; at least 1e-5, which is
// what the floats of the proof need.
template <std::size_t D>
Proved<D> prove(const Room<D>& room, const Points<D>& points, double tolerance, Context& context);

}  // namespace dapple::space
