// Finds points of classes by place, in rows for each doubling of their radii.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/lists.hpp"
#include "sample/class_maps/classes.hpp"

namespace dapple::class_maps {

// A point near a region. On a torus there is one for each image that may matter.
template <std::size_t D, class Sheet>
struct NearPoint {
  Coordinates<D> at;
  double other;  // its distance toward the class in question
  std::int32_t kind;
  std::uint32_t number;
  [[no_unique_address]] Sheet sheet;
};
template <class Ground>
using NearPointOf = NearPoint<Ground::coordinates, typename Ground::Sheet>;
template <class Ground>
using Found = std::vector<NearPointOf<Ground>>;

// Returns true if one point covers a region whose places have at least `least` toward each class.
template <class Ground>
bool covers(const Classes<Ground>& classes, std::size_t class_id, const double* least,
            std::span<const NearPointOf<Ground>> found, const typename Ground::Region& region,
            double wider) {
  for (const auto& point : found) {
    if (!classes.ground().affects(point.sheet, region)) continue;
    const double limit = wider * classes.limit(class_id, least, point.kind, point.other);
    if (classes.ground().is_in_ball(region, point.at, limit * limit)) return true;
  }
  return false;
}

// Returns true if one of the points conflicts with a place.
template <class Ground>
bool holds_off(const Classes<Ground>& classes, std::size_t class_id, const double* each,
               std::span<const NearPointOf<Ground>> found, const typename Ground::At& at,
               double wider) {
  for (const auto& point : found) {
    const double limit = wider * classes.limit(class_id, each, point.kind, point.other);
    if (square_distance(point.at, coordinates_of(at)) < limit * limit &&
        classes.ground().affects(point.sheet, at)) {
      return true;
    }
  }
  return false;
}

template <std::size_t D, class Sheet>
class Near {
 public:
  using Points = std::vector<NearPoint<D, Sheet>>;

  // Keeps a reference to the classes. `least`: of all radii. `by_itself`: for fixed points, which
  // may need larger distances than classes do.
  Near(const Distances& classes, const Frame<D>& frame, double least, bool by_itself);
  template <class Ground>
  Near(const Classes<Ground>& classes, bool by_itself)
      : Near(classes, classes.ground().frame(), classes.least(), by_itself) {}

  std::size_t size() const { return at_.size(); }
  // Sets the number of points; set() must follow for each, from any thread.
  void resize(std::size_t count);
  // Sets a point. `each`: its distances toward each class.
  void set(std::size_t i, const Coordinates<D>& at, int kind, const double* each, Sheet sheet);
  void add(const Coordinates<D>& at, int kind, const double* each, Sheet sheet) {
    resize(size() + 1);
    set(size() - 1, at, kind, each, sheet);
  }
  // Sorts the points. Must follow the last set() and precede the first gather().
  void put_in_order();
  // Appends the points that may conflict with a place of the class in the box. The radius of the
  // class in the box is at most `most`.
  void gather(std::size_t class_id, const Bounds<D>& box, double most, Points& into) const;

  const Coordinates<D>& at(std::size_t i) const { return at_[i]; }
  const Sheet& sheet(std::size_t i) const { return sheet_[i]; }
  const double* each(std::size_t i) const { return each_.data() + i * classes_.count(); }

 private:
  struct Entry {
    double x;
    std::uint32_t number;
  };
  struct Level {
    double most = 0;  // above the radii of all points in it
    // Rows along x: their number and width along each other axis.
    std::array<std::int64_t, D - 1> count = {};
    std::array<double, D - 1> width = {};
    std::vector<std::uint32_t> points = {};
    Lists<Entry> rows = {};  // from left to right
  };
  void put_in_order(Level& level) const;
  // Appends the points of a row whose image is shifted by `shift` along the axes after x.
  void gather_row(const Level& level, std::size_t row, const Coordinates<D>& shift,
                  std::size_t class_id, const Bounds<D>& box, double most, double across,
                  Points& into) const;

  const Distances& classes_;
  Frame<D> frame_;
  double least_;
  bool by_itself_;
  std::vector<Level> levels_;
  std::vector<Coordinates<D>> at_;
  std::vector<double> each_;
  std::vector<int> kind_;
  std::vector<Sheet> sheet_;
};
template <class Ground>
using NearOf = Near<Ground::coordinates, typename Ground::Sheet>;

}  // namespace dapple::class_maps
