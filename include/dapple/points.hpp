// Point sets and how they are searched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"

namespace dapple {

// Structure of arrays; every non-empty column has size() values. Order is part of the value.
struct PointSet {
  Domain domain = {};          // pixels
  std::vector<double> x = {};  // inside the domain
  std::vector<double> y = {};
  std::vector<double> z = {};  // optional: of points in a volume, from 0 to depth; column `z`
  double depth = 0;            // of that volume, in pixels as the domain
  // Optional: the column `z` of a file where it is of no volume, as it reaches below 0: of a mesh.
  std::vector<double> height = {};
  std::vector<double> w = {};  // optional: of points in four dimensions, which have a z; column `w`
  double extent = 0;           // of their space along w, in pixels
  std::vector<float> radius =
      {};  // r at the point, pixels: the conflict distance, not a drawn size
  std::vector<std::int32_t> klass =
      {};  // optional: class (ink, layer) from 0; column `class` in files
  std::vector<std::int32_t> rank =
      {};  // optional: place in a progressive order, a permutation from 0
  std::vector<std::int32_t> id = {};  // optional: the same for a dot that stays from frame to frame
  std::vector<float> object_size = {};  // optional: of an object to place there; column `size`
  std::vector<float> rotation = {};     // optional: of that object, degrees; column `rotation`
  std::vector<std::pair<std::string, std::string>> metadata = {};  // provenance, such as the recipe
  Vec2 origin = {};  // where the corner of the domain lies in a plane that it is a part of

  std::size_t size() const { return x.size(); }
  bool empty() const { return x.empty(); }
  Vec2 operator[](std::size_t i) const { return {x[i], y[i]}; }
  void add(Vec2 p, float r) {
    x.push_back(p.x);
    y.push_back(p.y);
    radius.push_back(r);
  }
  // Adds point i of another set with all columns that one has.
  void append(const PointSet& other, std::size_t i);
};

// The metadata of sets whose classes have names, in order of their numbers, between commas.
inline constexpr std::string_view class_names_key = "class-names";
// The name of a class by them, or `class N` where it has none.
std::string name_of_class(const PointSet& points, std::int32_t klass);

// Throws Error(input) that names the first point at fault: outside the domain, not finite, or a
// column of the wrong length.
void validate(const PointSet& points);

struct Neighbor {
  std::int32_t index;
  double distance;
};

// Neighbor search over a fixed set, exact at any density ratio, on the torus where the domain
// wraps. Building is O(N log N), a query O(log N + found) for any distribution. The set must
// outlive the index. Queries are const and safe from many threads. The order of results is
// (distance, index).
class PointIndex {
 public:
  explicit PointIndex(const PointSet& points);
  ~PointIndex();
  PointIndex(PointIndex&&) noexcept;
  PointIndex& operator=(PointIndex&&) noexcept;

  // Every point at distance <= radius (each once, its nearest image), into `found` (cleared first).
  void within(Vec2 center, double radius, std::vector<Neighbor>& found) const;
  // The k nearest points, fewer where there are not as many. `exclude` leaves one point out (-1:
  // none).
  void nearest(Vec2 center, int k, std::vector<Neighbor>& found, std::int32_t exclude = -1) const;
  // The k nearest other points of every point, k numbers each, near ones first; -1: no more. Points
  // that lie together share the search, so this is several times faster than one by one.
  std::vector<std::int32_t> nearest_of_all(int k, Context& context) const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace dapple
