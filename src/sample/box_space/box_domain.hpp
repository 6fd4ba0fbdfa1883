// Defines what darts fill: a box or torus of two to four dimensions, or a solid in a box. Points
// belong to one class, or to several with a distance for each pair of classes.
#pragma once

#include <cstdint>
#include <vector>

#include "dapple/certificate.hpp"
#include "dapple/forward.hpp"
#include "dapple/volume_field.hpp"
#include "sample/box_space/box.hpp"

namespace dapple::box_space {

class Solid;

// Accepted points.
template <std::size_t D>
struct Sampled {
  std::vector<VecD<D>> at;
  std::vector<std::int32_t> class_id;
  std::vector<std::int32_t> window;  // window of acceptance; later windows have fewer gaps

  std::size_t size() const { return at.size(); }
};

// Fixed points that are not part of the sampled set. Each keeps its distance by its class, by its
// own radius, or by the radius of the sampled point.
template <std::size_t D>
struct Obstacles {
  std::vector<VecD<D>> at;
  std::vector<double> radius;          // 0: no radius of its own
  std::vector<std::int32_t> class_id;  // empty: no classes
  ConflictRule rule = ConflictRule::mean;

  std::size_t size() const { return at.size(); }
};

template <std::size_t D>
struct Room {
  VecD<D> side{};
  bool wrap = false;
  // Symmetric, one row per class: points of classes i and j are at least [i][j] apart.
  std::vector<std::vector<double>> distance{{1}};
  // Darts of each class, per cube (square, ...) of its radius, that are thrown before the next
  // class starts. After these, all classes throw together. Empty: no head starts.
  std::vector<double> head_start;
  const Solid* solid = nullptr;  // D = 3: the part of the box that is filled
  // If set, r(x) of one class in a 3-D volume. distance[0][0] is then its least radius.
  const VolumeField* field = nullptr;
  ConflictRule rule = ConflictRule::mean;  // mean or max
  const Sampled<D>* kept = nullptr;  // earlier points of the same set; their windows are ignored
  const Obstacles<D>* obstacles = nullptr;  // fixed points that are not part of the set

  std::size_t classes() const { return distance.size(); }
  double radius(std::size_t class_id) const { return distance[class_id][class_id]; }
  // Returns the distances to a point of radius `own`, which matters only if r varies.
  ConflictLimits limits(float own) const {
    return D == 3 && field != nullptr ? ConflictLimits{rule, own} : ConflictLimits{};
  }
};

// Sorts points by window. Within a window the order does not depend on the positions.
template <std::size_t D>
void order_by_windows(Sampled<D>& points);
// Orders points of several classes so that each prefix is well spaced around the obstacles. Each
// prefix holds the share of each class in all points, to less than one point.
template <std::size_t D>
void order_classes(const Room<D>& room, Sampled<D>& points, Context& context);

// Returns how many cubes (squares, ...) of the radii fill the domain: about the number of points.
template <std::size_t D>
double cubes_of_radii(const Room<D>& room);
// Throws Error(limit) if the domain has room for too many points.
template <std::size_t D>
void require_memory(const Room<D>& room, Context& context);

// Returns the points that endless uniform darts leave over the domain. A dart stays unless it is
// too near an earlier point. The result is exact and has no room for another point of any class.
// After the head starts, classes throw darts at rates proportional to 1 / r^D. The result leaves
// out kept points. It depends only on (context.seed, room), not on threads. Throws Error(limit) if
// memory is too small.
template <std::size_t D>
Sampled<D> throw_darts(const Room<D>& room, Context& context);
// As above, but for one class and in a progressive order. Each prefix is spaced as a maximal set of
// at most twice as many points: maximal sets of ever smaller radii, each around the earlier ones.
template <std::size_t D>
Sampled<D> throw_progressively(const Room<D>& room, Context& context);
template <std::size_t D>
Sampled<D> throw_points(const Room<D>& room, bool progressive, Context& context) {
  return progressive ? throw_progressively(room, context) : throw_darts(room, context);
}

// Proves a set; pairs of obstacles do not count.
// A hole is farther from all points than their distances times 1 + `tolerance`. `tolerance` is at
// least 1e-5, which the floats of the proof need.
template <std::size_t D>
Certificate prove(const Room<D>& room, const Sampled<D>& points, double tolerance,
                  Context& context);

}  // namespace dapple::box_space
