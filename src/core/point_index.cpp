// Searches neighbors in a fixed point set. Points in Morton (1966) order form blocks of eight.
// Above the blocks is a tree of tight bounding boxes with four children per node.
//
// A grid would need one cell size for all densities; blocks of equally many points follow any
// density. Sorting one code per point is faster than splitting by medians. On the torus the
// distance to a box is taken per axis on the circle. So every point is met once for any radius.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/bounding_tree.hpp"
#include "core/morton.hpp"
#include "core/parallel.hpp"
#include "core/preconditions.hpp"
#include "dapple/points.hpp"

namespace dapple {
namespace {

constexpr std::size_t block_size = 8;
constexpr std::size_t fan_out = 4;

void require_tree(bool is_there, Vec2 center) {
  if (!is_there) throw Error(ErrorKind::usage, "this index is empty because it was moved from");
  if (std::isfinite(center.x) && std::isfinite(center.y)) return;
  throw Error(ErrorKind::usage, "the center of a neighbor search must be finite");
}

bool nearer(const Neighbor& a, const Neighbor& b) {
  return a.distance != b.distance ? a.distance < b.distance : a.index < b.index;
}

}  // namespace

// The k nearest points so far of each point of a block, nearest first, by squared distance.
struct BestOfBlock {
  using PerPoint = std::array<double, block_size>;
  std::size_t count = 0;  // points
  std::size_t k = 0;
  PerPoint x{}, y{};
  PerPoint worst{};  // largest squared distance that is still kept
  std::vector<std::pair<double, std::int32_t>> best;

  void offer(std::size_t point, double distance2, std::int32_t index) {
    if (distance2 > worst[point]) return;
    const std::pair<double, std::int32_t> other{distance2, index};
    std::pair<double, std::int32_t>* const own = best.data() + point * k;
    if (!(other < own[k - 1])) return;
    std::size_t place = k - 1;
    for (; place > 0 && other < own[place - 1]; --place) own[place] = own[place - 1];
    own[place] = other;
    worst[point] = own[k - 1].first;
  }
};

struct PointIndex::Tree {
  Domain domain;
  double slack = 0;  // rounding of coordinates that were wrapped on the torus
  std::vector<double> x, y;
  std::vector<std::int32_t> index;
  std::vector<std::vector<Bounds>> levels;  // levels[0]: one per block; the last has one entry

  struct Visit {
    std::uint32_t level;
    std::size_t node;
    double distance2;
  };

  explicit Tree(const Points& points) : domain(points.domain) {
    if (domain.wrap) slack = 1e-15 * std::max(domain.width, domain.height);
    const std::vector<std::uint32_t> order = morton_order(points.x, points.y);
    index.assign(order.begin(), order.end());
    x.reserve(order.size());
    y.reserve(order.size());
    for (const std::uint32_t i : order) {
      x.push_back(points.x[i]);
      y.push_back(points.y[i]);
    }
    levels = box_levels<Bounds>(x.size(), block_size, fan_out, [this](std::size_t i) {
      return Bounds{x[i], y[i], x[i], y[i]};
    });
  }

  // Returns the distance from c to [low, high] on a line, or on a circle of `length`.
  double gap(double c, double low, double high, double length) const {
    double d = std::max({0.0, low - c, c - high});
    if (domain.wrap) {
      d = std::min({d, std::max(0.0, low + length - c), std::max(0.0, c - high + length)});
      d = std::max(0.0, d - slack);
    }
    return d;
  }
  double distance2(Vec2 c, const Bounds& b) const {
    const double dx = gap(c.x, b.x0, b.x1, domain.width);
    const double dy = gap(c.y, b.y0, b.y1, domain.height);
    return dx * dx + dy * dy;
  }

  // Inserts a visit above stack[start]: the nearest is on top; of equally near visits, the first.
  static void push(std::array<Visit, 64>& stack, std::size_t start, std::size_t& depth,
                   const Visit& visit) {
    std::size_t place = depth++;
    while (place > start && stack[place - 1].distance2 <= visit.distance2) {
      stack[place] = stack[place - 1];
      --place;
    }
    stack[place] = visit;
  }

  // Visits blocks in roughly increasing distance if they are within limit2() of `center`, and calls
  // at(position) for their points.
  template <class Limit, class At>
  void walk(Vec2 center, Limit limit2, At at) const {
    if (x.empty()) return;
    std::array<Visit, 64> stack;  // three siblings per level and 4^20 blocks at most
    std::size_t depth = 0;
    const auto top = static_cast<std::uint32_t>(levels.size() - 1);
    stack[depth++] = {top, 0, distance2(center, levels[top][0])};
    while (depth > 0) {
      const Visit visit = stack[--depth];
      if (visit.distance2 > limit2()) continue;
      if (visit.level == 0) {
        const std::size_t first = visit.node * block_size;
        for (std::size_t i = first; i < std::min(x.size(), first + block_size); ++i) at(i);
        continue;
      }
      const std::vector<Bounds>& below = levels[visit.level - 1];
      const std::size_t first = visit.node * fan_out;
      const std::size_t start = depth;
      for (std::size_t i = first; i < std::min(below.size(), first + fan_out); ++i) {
        const Visit child{visit.level - 1, i, distance2(center, below[i])};
        if (child.distance2 > limit2()) continue;
        push(stack, start, depth, child);
      }
    }
  }

  // Returns the squared gap of a box to the nearest point whose list it can improve, or infinity.
  double distance2(const BestOfBlock& of, const Bounds& b) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < of.count; ++i) {
      const double d2 = distance2(Vec2{of.x[i], of.y[i]}, b);
      if (d2 <= of.worst[i] * (1 + 1e-12)) least = std::min(least, d2);
    }
    return least;
  }

  void offer_block(BestOfBlock& to, std::size_t first, std::size_t block) const {
    for (std::size_t j = block * block_size; j < std::min(x.size(), (block + 1) * block_size);
         ++j) {
      BestOfBlock::PerPoint distances2;
      for (std::size_t i = 0; i < block_size; ++i) {
        Vec2 d{to.x[i] - x[j], to.y[i] - y[j]};
        if (domain.wrap) d = domain.delta({x[j], y[j]}, {to.x[i], to.y[i]});
        distances2[i] = d.x * d.x + d.y * d.y;
      }
      for (std::size_t i = 0; i < to.count; ++i) {
        if (first + i != j) to.offer(i, distances2[i], index[j]);
      }
    }
  }

  // Writes the k nearest of each point of a block into k places of `found`.
  void nearest_of_block(std::size_t block, std::size_t k, std::int32_t* found) const {
    constexpr double none = std::numeric_limits<double>::infinity();
    const std::size_t first = block * block_size;
    BestOfBlock own;
    own.count = std::min(x.size() - first, block_size);
    own.k = k;
    own.worst.fill(none);
    own.best.assign(own.count * k, {none, -1});
    for (std::size_t i = 0; i < own.count; ++i) {
      own.x[i] = x[first + i];
      own.y[i] = y[first + i];
    }
    offer_block(own, first, block);
    std::array<Visit, 64> stack;
    std::size_t depth = 0;
    stack[depth++] = {static_cast<std::uint32_t>(levels.size() - 1), 0, 0};
    while (depth > 0) {
      const Visit visit = stack[--depth];
      if (!(distance2(own, levels[visit.level][visit.node]) < none)) continue;
      if (visit.level == 0) {
        if (visit.node != block) offer_block(own, first, visit.node);
        continue;
      }
      const std::size_t child = visit.node * fan_out;
      const std::size_t start = depth;
      for (std::size_t i = child; i < std::min(levels[visit.level - 1].size(), child + fan_out);
           ++i) {
        const double d2 = distance2(own, levels[visit.level - 1][i]);
        if (d2 < none) push(stack, start, depth, {visit.level - 1, i, d2});
      }
    }
    for (std::size_t i = 0; i < own.count; ++i) {
      std::int32_t* const to = found + static_cast<std::size_t>(index[first + i]) * k;
      for (std::size_t n = 0; n < k; ++n) to[n] = own.best[i * k + n].second;
    }
  }

  double distance(Vec2 center, std::size_t i) const {
    return domain.distance(center, Vec2{x[i], y[i]});
  }
};

PointIndex::PointIndex(const Points& points) {
  require_columns(points);
  if (points.domain.wrap) require_domain(points.domain);
  tree_ = std::make_unique<Tree>(points);
}
PointIndex::~PointIndex() = default;
PointIndex::PointIndex(PointIndex&&) noexcept = default;
PointIndex& PointIndex::operator=(PointIndex&&) noexcept = default;

void PointIndex::within(Vec2 center, double radius, std::vector<Neighbor>& found) const {
  found.clear();
  if (!(radius >= 0)) return;
  require_tree(tree_ != nullptr, center);
  center = tree_->domain.wrapped(center);
  const double limit2 = radius * radius * (1 + 1e-12);
  tree_->walk(
      center, [&] { return limit2; },
      [&](std::size_t i) {
        const double d = tree_->distance(center, i);
        if (d <= radius) found.push_back({tree_->index[i], d});
      });
  std::sort(found.begin(), found.end(), nearer);
}

void PointIndex::nearest(Vec2 center, int k, std::vector<Neighbor>& found,
                         std::int32_t exclude) const {
  found.clear();
  if (k <= 0) return;
  require_tree(tree_ != nullptr, center);
  center = tree_->domain.wrapped(center);
  const auto wanted = static_cast<std::size_t>(k);
  // A heap with the worst of the best k on top.
  double limit2 = std::numeric_limits<double>::infinity();
  tree_->walk(
      center, [&] { return limit2; },
      [&](std::size_t i) {
        if (tree_->index[i] == exclude) return;
        const Neighbor candidate{tree_->index[i], tree_->distance(center, i)};
        if (found.size() == wanted) {
          if (!nearer(candidate, found.front())) return;
          std::pop_heap(found.begin(), found.end(), nearer);
          found.back() = candidate;
        } else {
          found.push_back(candidate);
        }
        std::push_heap(found.begin(), found.end(), nearer);
        if (found.size() < wanted) return;
        // Points at one place are stored and visited in the order of their indices. If all k are at
        // the center, later points are no better.
        limit2 = found.front().distance > 0
                     ? found.front().distance * found.front().distance * (1 + 1e-12)
                     : -1;
      });
  std::sort_heap(found.begin(), found.end(), nearer);
}

std::vector<std::int32_t> PointIndex::nearest_of_all(int k, Context& context) const {
  if (k <= 0) return {};
  require_tree(tree_ != nullptr, {});
  const auto wanted = static_cast<std::size_t>(k);
  std::vector<std::int32_t> found(tree_->x.size() * wanted);
  constexpr std::size_t run = 64;  // blocks per task
  const std::size_t blocks = (tree_->x.size() + block_size - 1) / block_size;
  parallel_for(context, (blocks + run - 1) / run, [&](std::size_t r) {
    for (std::size_t b = r * run; b < std::min(blocks, (r + 1) * run); ++b) {
      tree_->nearest_of_block(b, wanted, found.data());
    }
  });
  return found;
}

}  // namespace dapple
