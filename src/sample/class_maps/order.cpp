#include "sample/class_maps/order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "core/morton.hpp"
#include "dapple/context.hpp"
#include "dapple/points.hpp"
#include "sample/class_maps/grid_ground.hpp"
#include "sample/class_maps/near.hpp"
#include "sample/class_maps/solid_ground.hpp"
#include "sample/class_maps/sphere_ground.hpp"
#include "sample/class_maps/surface_ground.hpp"
#include "sample/darts/near_lists.hpp"
#include "sample/progressive/crowding.hpp"

namespace dapple::class_maps {
namespace {

constexpr double bytes_a_point = 600;

// The points that crowd each other, then the fixed points that crowd them.
template <class Ground>
class Crowd {
 public:
  Crowd(const Classes<Ground>& classes, const Placed<Ground>& points,
        std::span<const KeptPoint<Ground>> kept)
      : classes_(classes), placed_(points.size()), at_(points.at), kind_(points.class_id) {
    const std::size_t count = classes.count();
    each_.resize(count * (placed_ + kept.size()));
    for (std::size_t i = 0; i < placed_; ++i) {
      const auto class_id = static_cast<std::size_t>(kind_[i]);
      classes.toward(class_id, at_[i], each_.data() + count * i);
    }
    for (const KeptPoint<Ground>& point : kept) {
      std::copy(point.each.begin(), point.each.end(),
                each_.begin() + static_cast<std::ptrdiff_t>(count * at_.size()));
      at_.push_back(point.at);
      kind_.push_back(point.kind);
    }
    std::vector<double> of_class(count);
    for (const std::int32_t kind : kind_) {
      if (kind < classes.of_its_own()) ++of_class[static_cast<std::size_t>(kind)];
    }
    constexpr double lattice = Ground::dimensions == 2 ? hexagonal_packing : lattice_packing_3d;
    constexpr double even = Ground::dimensions == 2 ? even_packing : even_packing_3d;
    farther_ = side_of(lattice / even, Ground::dimensions);
    alone_.resize(count, farther_);
    for (std::size_t c = 0; c < count; ++c) {
      if (of_class[c] == 0) continue;
      const double content = lattice * classes.integral(c) / of_class[c];
      alone_[c] = std::max(farther_, side_of(content, Ground::dimensions));
    }
    for (std::size_t i = 0; i < at_.size(); ++i) reach_.push_back(reach_of(i));
  }

  std::size_t size() const { return at_.size(); }
  std::size_t placed() const { return placed_; }
  const Ground& ground() const { return classes_.ground(); }
  const auto& at(std::size_t i) const { return at_[i]; }
  // Returns the largest distance in which a point may crowd others of radii up to its own.
  double reach(std::size_t i) const { return reach_[i]; }

  // Returns the distance of two points in distances of a full set that is well spread; infinite for
  // two fixed points, which do not crowd each other.
  double distance(std::size_t i, std::size_t j) const {
    if (i >= placed_) std::swap(i, j);
    if (i >= placed_) return std::numeric_limits<double>::infinity();
    const auto class_id = static_cast<std::size_t>(kind_[i]);
    const double* const own = each_.data() + classes_.count() * i;
    const double other = each_[classes_.count() * j + class_id];
    const double apart = classes_.limit(class_id, own, kind_[j], other);
    const double farther = kind_[i] == kind_[j] ? alone_[class_id] : farther_;
    return ground().distance(at_[i], at_[j]) / (farther * apart);
  }

 private:
  double reach_of(std::size_t i) const {
    const auto first = each_.begin() + static_cast<std::ptrdiff_t>(classes_.count() * i);
    const auto end = first + static_cast<std::ptrdiff_t>(classes_.count());
    double reach = farther_ * *std::max_element(first, end);
    if (kind_[i] < classes_.of_its_own()) {
      const auto class_id = static_cast<std::size_t>(kind_[i]);
      reach = std::max(reach, alone_[class_id] * first[kind_[i]]);
    }
    return reach;
  }

  const Classes<Ground>& classes_;
  std::size_t placed_;
  std::vector<typename Ground::At> at_;
  std::vector<std::int32_t> kind_;
  std::vector<double> each_;  // of each point, toward each class
  // The distances in a lattice over those in a maximal set, and of points of one class over r.
  double farther_ = 1;
  std::vector<double> alone_;
  std::vector<double> reach_;
};

// Lists the neighbors of points, as places in `index`, and how much each adds to the crowding.
template <class Ground>
NearValues near_values(const Crowd<Ground>& crowd, const std::vector<std::uint32_t>& index,
                       double stretch, double near, Context& context) {
  const auto add = [&](std::size_t m, std::uint32_t other, std::vector<NearValue>& into) {
    const double d = crowd.distance(index[m], index[other]) / stretch;
    if (d < 1) into.push_back({other, static_cast<float>(crowding_at(d, near))});
  };
  constexpr std::size_t D = Ground::coordinates;
  if constexpr (D == 2) {
    const Frame<2> frame = crowd.ground().frame();
    Points places;
    places.domain = {frame.side[0], frame.side[1], frame.wrap};
    for (const std::uint32_t i : index) {
      places.add({crowd.at(i)[0], crowd.at(i)[1]}, static_cast<float>(crowd.reach(i)));
    }
    const NearLists lists(places, ConflictRule::max, stretch, 0, context);
    return make_lists<NearValue>(context, index.size(),
                                 [&](std::size_t m, std::vector<NearValue>& into) {
                                   for (const std::uint32_t other : lists.of(m))
                                     add(m, other, into);
                                 });
  } else {
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t i : index) least = std::min(least, stretch * crowd.reach(i));
    const Distances one(std::vector<double>{1}, Ground::dimensions, {ClassDistance::max});
    Near<D, OneSheet::Sheet> places(one, crowd.ground().frame(), least, true);
    for (const std::uint32_t i : index) {
      const double reach = stretch * crowd.reach(i);
      places.add(coordinates_of(crowd.at(i)), 0, &reach, {});
    }
    places.put_in_order();
    typename Near<D, OneSheet::Sheet>::Points found;
    std::vector<std::uint32_t> others;
    return make_lists<NearValue>(
        context, index.size(),
        [&, found, others](std::size_t m, std::vector<NearValue>& into) mutable {
          found.clear();
          places.gather(0, {places.at(m), places.at(m)}, *places.each(m), found);
          others.clear();
          for (const auto& other : found) {
            if (other.number != m) others.push_back(other.number);
          }
          // On a torus a point may be found as several images.
          std::sort(others.begin(), others.end());
          others.erase(std::unique(others.begin(), others.end()), others.end());
          for (const std::uint32_t other : others) add(m, other, into);
        });
  }
}

// Returns an order of the points in which neighbors mostly follow each other.
template <class Ground>
std::vector<std::uint32_t> along_a_curve(const Placed<Ground>& points) {
  if constexpr (Ground::coordinates == 2) {
    std::vector<double> x, y;
    for (const auto& at : points.at) {
      x.push_back(at[0]);
      y.push_back(at[1]);
    }
    return morton_order(x, y);
  } else {
    std::vector<std::uint32_t> as_placed(points.size());  // tile by tile
    std::iota(as_placed.begin(), as_placed.end(), 0u);
    return as_placed;
  }
}

}  // namespace

template <class Ground>
std::vector<std::uint32_t> order_of(const Classes<Ground>& classes, const Placed<Ground>& points,
                                    std::span<const KeptPoint<Ground>> kept, Context& context) {
  context.require_memory(bytes_a_point * static_cast<double>(points.size()),
                         "the order of points of classes");
  const auto stage = context.stage("order");
  const Crowd<Ground> crowd(classes, points, kept);
  std::vector<std::uint32_t> fixed(kept.size());
  std::iota(fixed.begin(), fixed.end(), static_cast<std::uint32_t>(points.size()));
  const auto near_values_of = [&](const std::vector<std::uint32_t>& index, double spacing,
                                  double near) {
    const double stretch =
        Ground::dimensions == 2 ? spacing : side_of(spacing * spacing, Ground::dimensions);
    return near_values(crowd, index, stretch, near, context);
  };
  // The spread is that of the full set; subsets have more room.
  const double squares = static_cast<double>(crowd.size()) / hexagonal_packing;
  return order_around(along_a_curve(points), fixed, points.class_id, classes.count(), squares,
                      near_values_of, context);
}

template std::vector<std::uint32_t> order_of(const Classes<GridGround<2>>&,
                                             const Placed<GridGround<2>>&,
                                             std::span<const KeptPoint<GridGround<2>>>, Context&);
template std::vector<std::uint32_t> order_of(const Classes<GridGround<3>>&,
                                             const Placed<GridGround<3>>&,
                                             std::span<const KeptPoint<GridGround<3>>>, Context&);
template std::vector<std::uint32_t> order_of(const Classes<SphereGround>&,
                                             const Placed<SphereGround>&,
                                             std::span<const KeptPoint<SphereGround>>, Context&);
template std::vector<std::uint32_t> order_of(const Classes<SolidGround>&,
                                             const Placed<SolidGround>&,
                                             std::span<const KeptPoint<SolidGround>>, Context&);
template std::vector<std::uint32_t> order_of(const Classes<SurfaceGround>&,
                                             const Placed<SurfaceGround>&,
                                             std::span<const KeptPoint<SurfaceGround>>, Context&);

}  // namespace dapple::class_maps
