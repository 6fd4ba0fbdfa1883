// An order of points on a surface of which each beginning is well spaced: the most crowded go one
// by one, last to first (Yuksel 2015), where only points of one sheet crowd each other.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/constants.hpp"
#include "core/doors.hpp"
#include "core/parallel.hpp"
#include "core/portable.hpp"
#include "dapple/sample.hpp"
#include "sample/progressive/crowding.hpp"
#include "sample/surface/cells.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
namespace surface {
namespace {

struct Pair {
  std::uint32_t i, j;
  float crowding;
};

// Who is near whom, both ways, by places in what is left.
class Neighbors {
 public:
  Neighbors(const std::vector<std::vector<Pair>>& groups, const std::vector<std::uint32_t>& place,
            std::size_t count)
      : start_(count + 1) {
    for (const auto& group : groups) {
      for (const Pair& pair : group) {
        ++start_[place[pair.i] + 1];
        ++start_[place[pair.j] + 1];
      }
    }
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    near_.resize(start_.back());
    between_.resize(start_.back());
    std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
    const auto add = [&](std::uint32_t to, std::uint32_t of, float crowding) {
      near_[next[to]] = of;
      between_[next[to]++] = crowding;
    };
    for (const auto& group : groups) {
      for (const Pair& pair : group) {
        add(place[pair.i], place[pair.j], pair.crowding);
        add(place[pair.j], place[pair.i], pair.crowding);
      }
    }
  }

  std::span<const std::uint32_t> of(std::size_t i) const {
    return std::span(near_).subspan(start_[i], start_[i + 1] - start_[i]);
  }
  std::size_t start(std::size_t i) const { return start_[i]; }
  const std::vector<float>& between() const { return between_; }

 private:
  std::vector<std::size_t> start_;
  std::vector<std::uint32_t> near_;
  std::vector<float> between_;
};

class Order {
 public:
  Order(const SurfacePoints& points, const SurfaceRadius& radius, const SurfaceOptions& options,
        Context& context)
      : points_(points),
        apart_(apart_of(radius)),
        rule_(radius.rule),
        least_cosine_(cosine_of_gate(options.gate)),
        place_(points.size()),
        context_(context) {
    frame_.origin = {least(points.x), least(points.y), least(points.z)};
    frame_.radius = apart_ == Apart::one ? points.radius : static_cast<double>(least(points.r));
  }

  // Those of `index` that go until `left` are left, as places in it.
  std::vector<std::uint32_t> eliminate(const std::vector<std::uint32_t>& index, double spacing,
                                       std::size_t left) {
    Frame frame = frame_;
    frame.radius *= spacing;
    const double near = least_distance_that_counts(left, index.size());
    const Cells cells = make_cells(points_, index, frame, apart_, spacing);
    for (std::uint32_t n = 0; n < index.size(); ++n) place_[index[n]] = n;
    constexpr std::size_t group_size = 32;
    std::vector<std::vector<Pair>> groups((cells.cells.size() + group_size - 1) / group_size);
    parallel_for(context_, groups.size(), [&](std::size_t g) {
      Places round, found;
      const std::size_t end = std::min(cells.cells.size(), (g + 1) * group_size);
      for (std::size_t c = g * group_size; c < end; ++c) {
        cells.for_pairs(cells.cells[c], 1, round, found, [&](std::size_t i, std::size_t j) {
          const double cosine = dot(normal_of(i), normal_of(j));
          if (!(cosine > static_cast<double>(least_cosine_))) return;
          const double d = length(place_of(i) - place_of(j)) / (spacing * asked_of(i, j));
          groups[g].push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
                               static_cast<float>(crowding_at(d, near))});
        });
      }
    });
    const Neighbors neighbors(groups, place_, index.size());
    return most_crowded_first(neighbors, neighbors.between(), index.size(), left, context_);
  }

 private:
  template <class T>
  static T least(const std::vector<T>& values) {
    return *std::min_element(values.begin(), values.end());
  }
  Vec3 place_of(std::size_t i) const { return {points_.x[i], points_.y[i], points_.z[i]}; }
  Vec3 normal_of(std::size_t i) const { return {points_.nx[i], points_.ny[i], points_.nz[i]}; }
  double asked_of(std::size_t i, std::size_t j) const {
    if (apart_ == Apart::one) return points_.radius;
    return conflict_distance(rule_, static_cast<double>(points_.r[i]),
                             static_cast<double>(points_.r[j]));
  }

  const SurfacePoints& points_;
  Frame frame_;
  Apart apart_;
  ConflictRule rule_;
  float least_cosine_;
  std::vector<std::uint32_t> place_;  // of a point in what is left
  Context& context_;
};

}  // namespace
}  // namespace surface

void order_progressively(SurfacePoints& points, const SurfaceRadius& radius,
                         const SurfaceOptions& options, Context& context) {
  check(options);
  surface::require_points(points);
  if (surface::varies(radius)) {
    surface::require_radii(points);
  } else {
    require_above_0("the radius of points on a surface", points.radius);
  }
  if (points.size() == 0) return;
  const auto stage = context.stage("order");
  std::vector<std::uint32_t> index(points.size());
  std::iota(index.begin(), index.end(), 0u);
  surface::Order order(points, radius, options, context);
  // Of a maximal set, which tells it without the mesh.
  const double squares = static_cast<double>(points.size()) / even_packing;
  const std::vector<std::uint32_t> ranked =
      order_by_elimination(std::move(index), squares,
                           [&](const std::vector<std::uint32_t>& rest, double spacing,
                               std::size_t left) { return order.eliminate(rest, spacing, left); });
  surface::keep_points(points, {ranked.begin(), ranked.end()});
  points.rank.resize(points.size());
  std::iota(points.rank.begin(), points.rank.end(), 0);
}

}  // namespace dapple
