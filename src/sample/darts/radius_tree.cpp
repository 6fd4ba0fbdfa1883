// Implements the quadtree behind RadiusTree.
#include "sample/darts/radius_tree.hpp"

#include <cmath>
#include <limits>

#include "core/deterministic_math.hpp"

namespace dapple {

struct RadiusTree::Query {
  Vec2 center;
  double half_width;
  double half_height;
  double r;
  double enough;
  double best;  // least ratio so far
};

namespace {

// Returns the distance from c to [low, high], the shorter way around if `period` > 0.
double gap(double c, double low, double high, double period) {
  double d = std::max({0.0, low - c, c - high});
  if (period > 0) {
    d = std::min({d, std::max(0.0, low + period - c), std::max(0.0, c - high + period)});
  }
  return d;
}

double turned(double d, double period) {
  d = std::abs(d);
  return period > 0 ? std::min(d, period - d) : d;
}

}  // namespace

RadiusTree::RadiusTree(const Domain& domain) : domain_(domain), side_(1) {
  const double longer = std::max(domain.width, domain.height);
  side_ = power_of_two_from(longer);
  nodes_.emplace_back();
}

void RadiusTree::add(Vec2 p, double r) {
  std::size_t node = 0;
  double x = 0;
  double y = 0;
  double side = side_;
  nodes_[0].max_r = std::max(nodes_[0].max_r, r);
  for (int depth = 0; depth < 60 && side > 2 * r; ++depth) {
    side /= 2;
    const int right = p.x >= x + side;
    const int down = p.y >= y + side;
    x += right * side;
    y += down * side;
    const auto quarter = static_cast<std::size_t>(right + 2 * down);
    if (nodes_[node].child[quarter] < 0) {
      nodes_[node].child[quarter] = static_cast<std::int32_t>(nodes_.size());
      nodes_.emplace_back();
    }
    node = static_cast<std::size_t>(nodes_[node].child[quarter]);
    nodes_[node].max_r = std::max(nodes_[node].max_r, r);
  }
  points_.push_back({p, r, nodes_[node].first});
  nodes_[node].first = static_cast<std::int32_t>(points_.size() - 1);
}

template <ConflictRule rule>
void RadiusTree::search(Query& query, std::int32_t index, double x, double y, double side) const {
  const double period_x = domain_.wrap ? domain_.width : 0;
  const double period_y = domain_.wrap ? domain_.height : 0;
  const Node& node = nodes_[static_cast<std::size_t>(index)];
  for (std::int32_t i = node.first; i >= 0;) {
    const Point& point = points_[static_cast<std::size_t>(i)];
    const double dx = turned(point.at.x - query.center.x, period_x) + query.half_width;
    const double dy = turned(point.at.y - query.center.y, period_y) + query.half_height;
    const double ratio = std::sqrt(dx * dx + dy * dy) / conflict_of<rule>(query.r, point.r);
    if (ratio < query.best) {
      query.best = ratio;
      if (ratio < query.enough) return;
    }
    i = point.next;
  }

  // The nearest quarter comes first, because it most often ends the search.
  struct Quarter {
    double ratio2, x, y;
    std::int32_t node;
  };
  std::array<Quarter, 4> quarters;
  std::size_t count = 0;
  const double half = side / 2;
  for (std::size_t q = 0; q < 4; ++q) {
    if (node.child[q] < 0) continue;
    Quarter quarter{0, x + (q & 1 ? half : 0), y + (q & 2 ? half : 0), node.child[q]};
    const double dx = gap(query.center.x, quarter.x, quarter.x + half, period_x) + query.half_width;
    const double dy =
        gap(query.center.y, quarter.y, quarter.y + half, period_y) + query.half_height;
    const double largest =
        conflict_of<rule>(query.r, nodes_[static_cast<std::size_t>(quarter.node)].max_r);
    // The slack covers the rounding of coordinates that went around the torus.
    quarter.ratio2 = (dx * dx + dy * dy) / (largest * largest) * (1 - 1e-9);
    std::size_t place = count++;
    while (place > 0 && quarters[place - 1].ratio2 > quarter.ratio2) {
      quarters[place] = quarters[place - 1];
      --place;
    }
    quarters[place] = quarter;
  }
  for (std::size_t q = 0; q < count; ++q) {
    if (quarters[q].ratio2 >= query.best * query.best) return;
    search<rule>(query, quarters[q].node, quarters[q].x, quarters[q].y, half);
    if (query.best < query.enough) return;
  }
}

double RadiusTree::least_ratio(const Box& box, double r, ConflictRule rule, double enough) const {
  Query query{{0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)},
              0.5 * box.width(),
              0.5 * box.height(),
              r,
              enough,
              std::numeric_limits<double>::infinity()};
  // Only ratios below `enough` matter, so the search skips everything farther.
  if (enough > 0) query.best = enough;
  with_rule(rule, [&](auto constant) { search<constant>(query, 0, 0, 0, side_); });
  return query.best;
}

}  // namespace dapple
