// Finds lists of near points. Four consecutive blocks together look up the blocks that may matter
// to them, and copy their points. Each block, and then each point, takes the ones that may matter
// to it. A point is compared with eight others at a time.
//
// Highway compiles this file once for each set of instructions; all give the same lists.
#include "sample/darts/near_lists.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "core/bounding_tree.hpp"
#include "core/parallel.hpp"
#include "core/point_columns.hpp"
#include "sample/conflict.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/darts/near_lists.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include "sample/darts/conflict_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {
namespace {

constexpr std::size_t block_size = 8;
constexpr std::size_t fan_out = 4;
constexpr std::size_t task = 32;  // groups of blocks per task
constexpr float far_away = 1e18f;

// The bounding box of points, and their largest radius.
struct Discs : Bounds {
  double r = 0;

  void cover(const Discs& other) {
    Bounds::cover(other);
    r = std::max(r, other.r);
  }
};

template <ConflictRule rule>
class Finder {
 public:
  Finder(const Points& points, double factor, double slack)
      : points_(points), factor_(factor), slack_(slack) {
    levels_ = box_levels<Discs>(points.size(), block_size, fan_out, [&](std::size_t i) {
      return Discs{{points.x[i], points.y[i], points.x[i], points.y[i]},
                   static_cast<double>(points.radius[i])};
    });
    if (!points.domain.wrap) return;
    for (const double dy : {0.0, -1.0, 1.0}) {
      for (const double dx : {0.0, -1.0, 1.0}) {
        if (dx == 0 && dy == 0) continue;
        shifts_.push_back({dx * points.domain.width, dy * points.domain.height});
      }
    }
  }

  // Returns the number of groups of blocks that look up their surroundings together.
  std::size_t groups() const { return (levels_[0].size() + fan_out - 1) / fan_out; }

  struct Found {
    std::vector<std::uint32_t> near;     // the lists, one after the other
    std::vector<std::uint32_t> lengths;  // of each list
    // The blocks that may matter to the group, around its center, and eight points of each.
    std::vector<Box> boxes;
    std::vector<double> largest;
    std::vector<float> x, y, r;
    std::vector<std::uint32_t> id;
    std::vector<std::uint32_t> blocks;  // blocks that may matter to one block
  };
  // Appends the lists of the points of one group.
  void find(std::size_t index, Found& found) const {
    const std::size_t first = index * fan_out;
    const std::size_t last = std::min(levels_[0].size(), first + fan_out);
    Discs own;
    for (std::size_t b = first; b < last; ++b) own.cover(levels_[0][b]);
    const Vec2 center{0.5 * (own.x0 + own.x1), 0.5 * (own.y0 + own.y1)};
    found.boxes.clear();
    found.largest.clear();
    for (const Vec2 shift : shifts_) gather(own, center, shift, found);
    // The margin exceeds all rounding of coordinates and distances.
    const double reach = reach_of(own.r, levels_.back()[0].r);
    const double margin = (own.x1 - own.x0 + own.y1 - own.y0 + reach) * 1e-6;
    for (std::size_t b = first; b < last; ++b) find_block(b, center, margin, found);
  }

 private:
  double reach_of(double ra, double rb) const {
    return factor_ * conflict_of<rule>(ra, rb) + slack_ * (ra + rb);
  }

  static bool within(const Box& a, const Box& b, double reach) {
    const double dx = std::max({0.0, b.x0 - a.x1, a.x0 - b.x1});
    const double dy = std::max({0.0, b.y0 - a.y1, a.y0 - b.y1});
    return dx * dx + dy * dy <= reach * reach;
  }
  static Box moved(const Bounds& b, Vec2 by) {
    return {b.x0 + by.x, b.y0 + by.y, b.x1 + by.x, b.y1 + by.y};
  }

  // Collects the points of blocks that, moved by `shift`, come near enough to a point of the group.
  void gather(const Discs& own, Vec2 center, Vec2 shift, Found& found) const {
    struct Node {
      std::uint32_t level;
      std::size_t index;
    };
    std::array<Node, 64> stack;  // three siblings per level, at most 4^20 blocks
    std::size_t depth = 0;
    const Box own_box = moved(own, Vec2{} - center);
    const Vec2 by = shift - center;
    stack[depth++] = {static_cast<std::uint32_t>(levels_.size() - 1), 0};
    while (depth > 0) {
      const Node node = stack[--depth];
      const Discs& b = levels_[node.level][node.index];
      const Box box = moved(b, by);
      if (!within(own_box, box, reach_of(own.r, b.r))) continue;
      if (node.level > 0) {
        const std::size_t first = node.index * fan_out;
        const std::size_t end = std::min(levels_[node.level - 1].size(), first + fan_out);
        for (std::size_t i = first; i < end; ++i) stack[depth++] = {node.level - 1, i};
        continue;
      }
      const std::size_t to = found.boxes.size() * block_size;
      found.boxes.push_back(box);
      found.largest.push_back(b.r);
      if (found.x.size() < to + block_size) {
        found.x.resize(2 * (to + block_size));
        found.y.resize(found.x.size());
        found.r.resize(found.x.size());
        found.id.resize(found.x.size());
      }
      const std::size_t first = node.index * block_size;
      for (std::size_t k = 0; k < block_size; ++k) {
        const std::size_t i = first + k;
        const bool there = i < points_.size();
        found.x[to + k] = there ? static_cast<float>(points_.x[i] + by.x) : far_away;
        found.y[to + k] = there ? static_cast<float>(points_.y[i] + by.y) : far_away;
        found.r[to + k] = there ? points_.radius[i] : 0;
        found.id[to + k] = static_cast<std::uint32_t>(i);
      }
    }
  }

  void find_block(std::size_t block, Vec2 center, double margin, Found& found) const {
    const Discs& own = levels_[0][block];
    const Box box = moved(own, Vec2{} - center);
    found.blocks.clear();
    for (std::size_t b = 0; b < found.boxes.size(); ++b) {
      if (within(box, found.boxes[b], reach_of(own.r, found.largest[b]))) {
        found.blocks.push_back(static_cast<std::uint32_t>(b));
      }
    }
    const std::size_t first = block * block_size;
    for (std::size_t i = first; i < std::min(points_.size(), first + block_size); ++i) {
      const std::size_t before = found.near.size();
      compare(i, points_[i] - center, static_cast<float>(margin), found);
      found.lengths.push_back(static_cast<std::uint32_t>(found.near.size() - before));
    }
  }

  // Compares point i, at place p, with the points of the blocks that may matter.
  void compare(std::size_t i, Vec2 p, float margin, Found& found) const {
    const auto x = static_cast<float>(p.x);
    const auto y = static_cast<float>(p.y);
    const Floats r = points_.radius[i];
    const auto factor = static_cast<float>(factor_);
    const auto slack = static_cast<float>(slack_);
    for (std::size_t from = 0; from < found.blocks.size(); from += 8) {
      // Each point sets a bit, so only the search for the few near points branches.
      std::uint64_t near = 0;
      const std::size_t end = std::min(found.blocks.size(), from + 8);
      for (std::size_t b = from; b < end; ++b) {
        for (std::size_t part = 0; part < block_size; part += Floats::count) {
          const std::size_t k = found.blocks[b] * block_size + part;
          const Floats other = Floats::load(&found.r[k]);
          const Floats dx = Floats::load(&found.x[k]) - x;
          const Floats dy = Floats::load(&found.y[k]) - y;
          const Floats reach =
              factor * conflict_lanes<rule>(r, other) + slack * (r + other) + margin;
          const std::uint64_t bits = bits_of(dx * dx + dy * dy < reach * reach);
          near |= bits << ((b - from) * block_size + part);
        }
      }
      for (; near != 0; near &= near - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(near));
        const std::uint32_t id = found.id[found.blocks[from + bit / 8] * block_size + bit % 8];
        if (id != i) found.near.push_back(id);
      }
    }
  }

  const Points& points_;
  double factor_;
  double slack_;
  std::vector<std::vector<Discs>> levels_;  // levels_[0]: one per block; the last has one entry
  std::vector<Vec2> shifts_{{0, 0}};
};

// The lists of some consecutive points.
struct Part {
  std::vector<std::uint32_t> near;
  std::vector<std::uint32_t> lengths;
};

}  // namespace

void find_near(const Points& points, ConflictRule rule, double factor, double slack,
               Context& context, Lists<std::uint32_t>& lists) {
  with_rule(rule, [&](auto constant) {
    const Finder<constant> finder(points, factor, slack);
    std::vector<Part> parts((finder.groups() + task - 1) / task);
    parallel_for(context, parts.size(), [&](std::size_t t) {
      typename Finder<constant>::Found found;
      found.near.reserve(task * fan_out * block_size * 8);
      for (std::size_t g = t * task; g < std::min(finder.groups(), (t + 1) * task); ++g) {
        finder.find(g, found);
      }
      parts[t] = {std::move(found.near), std::move(found.lengths)};
    });
    std::size_t total = 0;
    for (const Part& part : parts) total += part.near.size();
    lists.reserve(points.size(), total);
    for (Part& part : parts) {
      lists.add(part.near, part.lengths);
      part = {};
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple {

HWY_EXPORT(find_near);

NearLists::NearLists(const Points& points, ConflictRule rule, double factor, double slack,
                     Context& context) {
  if (points.empty()) return;
  const ConflictRule pairwise = rule == ConflictRule::candidate ? ConflictRule::min : rule;
  HWY_DYNAMIC_DISPATCH(find_near)(points, pairwise, factor, slack, context, *this);
}

Points picked(const Points& points, std::span<const std::uint32_t> order) {
  Points result;
  result.domain = points.domain;
  result.metadata = points.metadata;
  result.radii = points.radii;
  result.around = points.around;
  for_each_stored_column([&](std::string_view, const auto& of) {
    const auto& from = of(points);
    if (from.empty()) return;
    of(result).reserve(order.size());
    for (const std::uint32_t i : order) of(result).push_back(from[i]);
  });
  return result;
}

}  // namespace dapple
#endif  // HWY_ONCE
