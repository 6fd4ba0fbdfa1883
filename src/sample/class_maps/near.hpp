// Finds points of classes by place, in rows for each doubling of their radii.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sample/class_maps/classes.hpp"

namespace dapple::class_maps {

// A point near a box. On a torus there is one for each image that may matter.
struct NearPoint {
  double x, y;
  double other;  // its distance toward the class in question
  std::int32_t kind;
  std::uint32_t number;
};
using Found = std::vector<NearPoint>;

inline double square_distance(const Box& box, const NearPoint& point) {
  const double x = std::max({0.0, box.x0 - point.x, point.x - box.x1});
  const double y = std::max({0.0, box.y0 - point.y, point.y - box.y1});
  return x * x + y * y;
}
inline Vec2 middle_of(const Box& box) {
  return {0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)};
}

// Returns true if one point covers a box whose places have at least `least` toward each class.
bool covers(const Classes& classes, std::size_t class_id, const double* least,
            std::span<const NearPoint> found, const Box& box, double wider);
// Returns true if one of the points conflicts with a place.
bool holds_off(const Classes& classes, std::size_t class_id, const double* each,
               std::span<const NearPoint> found, Vec2 at, double wider);

class Near {
 public:
  // by_itself: for fixed points, which may need larger distances than classes do.
  Near(const Classes& classes, bool by_itself);

  std::size_t size() const { return x_.size(); }
  // Sets the number of points; set() must follow for each, from any thread.
  void resize(std::size_t count);
  // Sets a point. `each`: its distances toward each class.
  void set(std::size_t i, Vec2 at, int kind, const double* each);
  void add(Vec2 at, int kind, const double* each) {
    resize(size() + 1);
    set(size() - 1, at, kind, each);
  }
  // Sorts the points. Must follow the last set() and precede the first gather().
  void put_in_order();
  // Appends the points that may conflict with a place of the class in the box. The radius of the
  // class in the box is at most `most`.
  void gather(std::size_t class_id, const Box& box, double most, Found& into) const;

  Vec2 at(std::size_t i) const { return {x_[i], y_[i]}; }
  int kind(std::size_t i) const { return kind_[i]; }
  const double* each(std::size_t i) const { return each_.data() + i * classes_.count(); }

 private:
  struct Entry {
    double x;
    std::uint32_t number;
  };
  struct Level {
    double most = 0;  // above the radii of all points in it
    double height = 0;
    std::vector<std::uint32_t> points = {};
    std::vector<std::size_t> first = {};  // first entry of each row, and the end
    std::vector<Entry> entries = {};      // row by row, from left to right
  };
  void put_in_order(Level& level) const;

  const Classes& classes_;
  bool by_itself_;
  std::vector<Level> levels_;
  std::vector<double> x_, y_, each_;
  std::vector<int> kind_;
};

}  // namespace dapple::class_maps
