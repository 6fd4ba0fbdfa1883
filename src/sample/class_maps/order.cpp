#include "sample/class_maps/order.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/morton.hpp"
#include "dapple/context.hpp"
#include "sample/darts/near_lists.hpp"
#include "sample/progressive/class_schedule.hpp"
#include "sample/progressive/crowding.hpp"

namespace dapple::class_maps {
namespace {

constexpr double bytes_a_point = 600;

// The points that crowd each other, then the fixed points that crowd them.
class Crowd {
 public:
  Crowd(const Classes& classes, const Points& points, std::span<const KeptPoint> kept)
      : classes_(classes), placed_(points.size()) {
    at_.domain = points.domain;
    const std::size_t count = classes.count();
    each_.resize(count * (placed_ + kept.size()));
    for (std::size_t i = 0; i < placed_; ++i) {
      const auto class_id = static_cast<std::size_t>(points.class_id[i]);
      classes.toward(class_id, points[i], each_.data() + count * i);
      at_.add(points[i], 0);
      kind_.push_back(points.class_id[i]);
    }
    for (const KeptPoint& point : kept) {
      std::copy(point.each.begin(), point.each.end(),
                each_.begin() + static_cast<std::ptrdiff_t>(count * at_.size()));
      at_.add(point.at, 0);
      kind_.push_back(point.kind);
    }
    alone_.resize(count, farther_);
    std::vector<double> of_class(count);
    for (const std::int32_t kind : kind_) {
      if (kind < classes.of_its_own()) ++of_class[static_cast<std::size_t>(kind)];
    }
    for (std::size_t c = 0; c < count; ++c) {
      if (of_class[c] == 0) continue;
      const double squares = classes.integral(c);
      alone_[c] = std::max(farther_, std::sqrt(hexagonal_packing * squares / of_class[c]));
    }
    for (std::size_t i = 0; i < at_.size(); ++i) at_.radius[i] = static_cast<float>(reach_of(i));
  }

  std::size_t size() const { return at_.size(); }
  std::size_t placed() const { return placed_; }
  const Points& places() const { return at_; }

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
    return at_.domain.distance(at_[i], at_[j]) / (farther * apart);
  }

 private:
  // Returns the largest distance in which a point may crowd others of radii up to its own.
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

  const Classes& classes_;
  std::size_t placed_;
  Points at_;  // radius: reach_of()
  std::vector<std::int32_t> kind_;
  std::vector<double> each_;  // of each point, toward each class
  // The distances in a lattice over those in a maximal set, and of points of one class over r.
  double farther_ = std::sqrt(hexagonal_packing / even_packing);
  std::vector<double> alone_;
};

}  // namespace

std::vector<std::uint32_t> order_of(const Classes& classes, const Points& points,
                                    std::span<const KeptPoint> kept, Context& context) {
  context.require_memory(bytes_a_point * static_cast<double>(points.size()),
                         "the order of points of classes");
  const auto stage = context.stage("order");
  const Crowd crowd(classes, points, kept);
  std::vector<std::size_t> counts(classes.count());
  for (const std::int32_t c : points.class_id) ++counts[static_cast<std::size_t>(c)];
  const std::vector<std::int32_t> turns = class_turns(counts);
  const auto eliminate = [&](const std::vector<std::uint32_t>& rest, double spacing,
                             std::size_t left) {
    std::vector<std::uint32_t> index = rest;
    for (std::size_t k = crowd.placed(); k < crowd.size(); ++k) {
      index.push_back(static_cast<std::uint32_t>(k));
    }
    const double near = least_distance_that_counts(left, rest.size());
    const NearLists lists(picked(crowd.places(), index), ConflictRule::max, spacing, 0, context);
    std::vector<float> between(lists.total());
    std::vector<std::int32_t> class_id;
    for (std::size_t i = 0; i < index.size(); ++i) {
      if (i < rest.size()) class_id.push_back(points.class_id[rest[i]]);
      float* each = between.data() + lists.start(i);
      for (const std::uint32_t j : lists.of(i)) {
        *each++ =
            static_cast<float>(crowding_at(crowd.distance(index[i], index[j]) / spacing, near));
      }
    }
    return most_crowded_first(lists, std::move(between), index.size(), left, context, kept.size(),
                              {class_id, turns});
  };
  // The spread is that of the full set; subsets have more room.
  const double squares = static_cast<double>(crowd.size()) / hexagonal_packing;
  return order_by_elimination(morton_order(points.x, points.y), squares, eliminate, kept.size());
}

}  // namespace dapple::class_maps
