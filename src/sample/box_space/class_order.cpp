// Orders points of several classes so that each prefix is well spaced. Removes the most crowded
// point of the class whose turn it is, from last to first (Yuksel 2015). Points of all classes
// crowd each other in proportion to the distances that they keep.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "core/deterministic_math.hpp"
#include "core/lists.hpp"
#include "sample/box_space/obstacles.hpp"
#include "sample/progressive/class_schedule.hpp"
#include "sample/progressive/crowding.hpp"
#include "sample/settle_order.hpp"

namespace dapple::box_space {
namespace {

constexpr double bytes_a_point = 600;

template <std::size_t D>
double content_of(const Room<D>& room) {
  double content = 1;
  for (const double side : room.side) content *= side;
  return content;
}

// The points that crowd each other, then the obstacles that crowd them. Obstacles without a class
// have a class id after all others.
template <std::size_t D>
struct Crowding {
  Crowding(const Room<D>& of, const Sampled<D>& points)
      : room(of), at(points.at), class_id(points.class_id) {
    placed = points.size();
    std::vector<std::size_t> counts(room.classes());
    if (room.obstacles != nullptr) {
      at.insert(at.end(), room.obstacles->at.begin(), room.obstacles->at.end());
      const auto& given = room.obstacles->class_id;
      class_id.insert(class_id.end(), given.begin(), given.end());
      class_id.resize(at.size(), static_cast<std::int32_t>(room.classes()));
    }
    for (const std::int32_t c : class_id) {
      const auto of_class = static_cast<std::size_t>(c);
      if (of_class < counts.size()) ++counts[of_class];
    }
    spread = spread_of_classes(room.distance, counts, content_of(room), D);
    // For obstacles without a class: the distance in a lattice over that in a maximal set.
    farther = spread_of_classes({{1}}, std::vector<std::size_t>{0}, 1, D)[0][0];
    reach = spread;
    for (std::vector<double>& row : reach) row.push_back(0);
    for (std::size_t o = placed; o < at.size(); ++o) {
      for (std::size_t c = 0; c < spread.size() && !has_class(o); ++c) {
        reach[c].back() =
            std::max(reach[c].back(), farther * exclusion_distance(room, o - placed, c));
      }
    }
  }

  std::size_t size() const { return at.size(); }
  std::size_t class_of(std::size_t i) const { return static_cast<std::size_t>(class_id[i]); }
  bool has_class(std::size_t i) const { return class_of(i) < room.classes(); }
  // Returns the distance between two points if all are well spread.
  double apart(std::size_t i, std::size_t other) const {
    if (!has_class(other)) return farther * exclusion_distance(room, other - placed, class_of(i));
    return spread[class_of(i)][class_of(other)];
  }
  double distance(std::size_t i, std::size_t j) const {
    double sum = 0;
    for (std::size_t a = 0; a < D; ++a) {
      double along = std::abs(at[i][a] - at[j][a]);
      if (room.wrap) along = std::min(along, room.side[a] - along);
      sum += along * along;
    }
    return std::sqrt(sum);
  }

  const Room<D>& room;
  std::vector<VecD<D>> at;
  std::vector<std::int32_t> class_id;
  std::size_t placed = 0;
  std::vector<std::vector<double>> spread;
  double farther = 1;
  std::vector<std::vector<double>> reach;  // distances of each class to each other and to no class
};

// Points of one class in the cells of a grid.
template <std::size_t D>
class Cells {
 public:
  // `members`: positions in `index`; `wide`: the approximate width of a cell.
  Cells(const Crowding<D>& crowd, std::span<const std::uint32_t> index,
        const std::vector<std::uint32_t>& members, double wide)
      : crowd_(crowd) {
    double most = 4 * static_cast<double>(members.size()) + 1;
    for (std::size_t a = 0; a < D; ++a) {
      const double fit = std::floor(crowd.room.side[a] / wide);
      count_[a] = static_cast<std::int64_t>(std::clamp(fit, 1.0, std::max(1.0, most)));
      most /= static_cast<double>(count_[a]);
    }
    std::int64_t cells = 1;
    for (const std::int64_t n : count_) cells *= n;
    std::vector<std::size_t> cell_of;
    for (const std::uint32_t m : members) {
      std::array<std::int64_t, D> at;
      for (std::size_t a = 0; a < D; ++a) {
        at[a] = std::clamp<std::int64_t>(along(crowd.at[index[m]][a], a), 0, count_[a] - 1);
      }
      cell_of.push_back(number(at));
    }
    members_ = {static_cast<std::size_t>(cells), [&](const auto& add) {
                  for (std::size_t k = 0; k < members.size(); ++k) add(cell_of[k], members[k]);
                }};
  }

  // Calls body(member) for all members in cells within `reach` of `place`.
  template <class Body>
  void for_near(const VecD<D>& place, double reach, const Body& body) const {
    std::array<std::int64_t, D> low, high;
    for (std::size_t a = 0; a < D; ++a) {
      low[a] = along(place[a] - reach, a);
      high[a] = along(place[a] + reach, a);
      if (!crowd_.room.wrap || high[a] - low[a] + 1 >= count_[a]) {
        low[a] = crowd_.room.wrap ? 0 : std::clamp<std::int64_t>(low[a], 0, count_[a] - 1);
        high[a] =
            crowd_.room.wrap ? count_[a] - 1 : std::clamp<std::int64_t>(high[a], 0, count_[a] - 1);
      }
    }
    for (std::array<std::int64_t, D> at = low;;) {
      for (const std::uint32_t member : members_.of(number(at))) body(member);
      std::size_t a = 0;
      while (a < D && ++at[a] > high[a]) {
        at[a] = low[a];
        ++a;
      }
      if (a == D) return;
    }
  }

 private:
  std::int64_t along(double v, std::size_t axis) const {
    const double cell = std::floor(v / crowd_.room.side[axis] * static_cast<double>(count_[axis]));
    // A place farther out wraps more than once, or is outside.
    return static_cast<std::int64_t>(std::clamp(cell, -1.0 * static_cast<double>(count_[axis]),
                                                2.0 * static_cast<double>(count_[axis])));
  }
  std::size_t number(const std::array<std::int64_t, D>& at) const {
    std::int64_t cell = 0;
    for (std::size_t a = D; a-- > 0;) {
      cell = cell * count_[a] + ((at[a] % count_[a]) + count_[a]) % count_[a];
    }
    return static_cast<std::size_t>(cell);
  }

  const Crowding<D>& crowd_;
  std::array<std::int64_t, D> count_{};
  Lists<std::uint32_t> members_;  // of each cell
};

// Lists the neighbors of points, as positions in `index`, and how much each adds to the crowding.
template <std::size_t D>
NearValues near_values(const Crowding<D>& crowd, std::span<const std::uint32_t> index,
                       double stretch, double near, Context& context) {
  std::vector<std::vector<std::uint32_t>> members(crowd.room.classes() + 1);
  for (std::uint32_t m = 0; m < index.size(); ++m) members[crowd.class_of(index[m])].push_back(m);
  std::vector<Cells<D>> cells;
  for (std::size_t c = 0; c < members.size(); ++c) {
    const double wide = c < crowd.spread.size() ? crowd.spread[c][c] : crowd.reach[0][c];
    cells.emplace_back(crowd, index, members[c], std::max(wide, 1e-30) * stretch);
  }
  return make_lists<NearValue>(
      context, index.size(), [&](std::size_t m, std::vector<NearValue>& into) {
        const std::uint32_t i = index[m];
        if (i >= crowd.placed) return;
        const std::vector<double>& reach = crowd.reach[crowd.class_of(i)];
        for (std::size_t c = 0; c < cells.size(); ++c) {
          cells[c].for_near(crowd.at[i], reach[c] * stretch, [&](std::uint32_t other) {
            if (other == m) return;
            const double d =
                crowd.distance(i, index[other]) / (stretch * crowd.apart(i, index[other]));
            if (d < 1) into.push_back({other, static_cast<float>(crowding_at(d, near))});
          });
        }
      });
}

}  // namespace

template <std::size_t D>
void order_classes(const Room<D>& room, Sampled<D>& points, Context& context) {
  if (points.size() == 0) return;
  context.require_memory(bytes_a_point * static_cast<double>(points.size()),
                         "the order of points of classes");
  const Crowding<D> crowd(room, points);
  std::vector<std::uint32_t> all(points.size());
  std::iota(all.begin(), all.end(), 0u);
  std::vector<std::uint32_t> fixed(crowd.size() - points.size());
  std::iota(fixed.begin(), fixed.end(), static_cast<std::uint32_t>(points.size()));
  const auto near_values_of = [&](const std::vector<std::uint32_t>& index, double spacing,
                                  double near) {
    return near_values(crowd, index, side_of(spacing * spacing, D), near, context);
  };
  // The spread is that of the full set; subsets have more room.
  const double squares = static_cast<double>(crowd.size()) / hexagonal_packing;
  const auto ranked = order_around(std::move(all), fixed, points.class_id, room.classes(), squares,
                                   near_values_of, context);
  const std::vector<std::size_t> rows(ranked.begin(), ranked.end());
  keep_rows(points.at, rows);
  keep_rows(points.class_id, rows);
  keep_rows(points.window, rows);
}

template void order_classes(const Room<2>&, Sampled<2>&, Context&);
template void order_classes(const Room<3>&, Sampled<3>&, Context&);

}  // namespace dapple::box_space
