// Points of classes, found by place: a lattice for each doubling of their radii.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sample/mixed/classes.hpp"

namespace dapple::mixed {

// Points round a box, where they are nearest to it, on a torus as often as they may matter.
struct Found {
  std::vector<double> x, y;
  std::vector<double> other;  // what they have toward the class that asks
  std::vector<int> kind;
  std::vector<std::uint32_t> number;

  std::size_t size() const { return x.size(); }
  void clear();
  void add(const Found& from, std::size_t i);
};

// Whether one of them, from number `first` on, covers all of a box whose places have at least
// `least` toward each class.
bool covers(const Classes& classes, std::size_t klass, const double* least, const Found& found,
            const Box& box, double wider, std::uint32_t first = 0);
// Whether one of them holds a place off.
bool holds_off(const Classes& classes, std::size_t klass, const double* each, const Found& found,
               Vec2 at, double wider);

class Near {
 public:
  // by_itself: of kept points, which may hold others off farther than classes do.
  Near(const Classes& classes, bool by_itself);

  std::size_t size() const { return x_.size(); }
  // `each`: what it has toward each class.
  void add(Vec2 at, int kind, const double* each);
  // Those that may hold a place of the class in the box off, where its radius is at most `most`.
  void gather(std::size_t klass, const Box& box, double most, Found& into) const;

  Vec2 at(std::size_t i) const { return {x_[i], y_[i]}; }
  int kind(std::size_t i) const { return kind_[i]; }
  const double* each(std::size_t i) const { return each_.data() + i * classes_.count(); }

 private:
  struct Level {
    std::int64_t columns = 0, rows = 0;
    double width = 0, height = 0;  // of a cell
    double most = 0;               // above the radius of all points in it
    std::unordered_map<std::int64_t, std::vector<std::uint32_t>> cells = {};
  };

  const Classes& classes_;
  bool by_itself_;
  std::vector<Level> levels_;
  std::vector<double> x_, y_, each_;
  std::vector<int> kind_;
};

}  // namespace dapple::mixed
