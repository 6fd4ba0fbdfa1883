// Compares every pair of points that may be too near, once. A box knows its own points, and those
// of other boxes that could conflict with any of them. Quarters inherit both.
#include <array>
#include <memory>
#include <tuple>
#include <utility>

#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "dapple/extend/options.hpp"
#include "sample/certify/certify.hpp"
#include "sample/conflict.hpp"

namespace dapple {
namespace {

constexpr std::size_t few = 12;      // own points that are compared without another split
constexpr std::size_t deepest = 60;  // points in a box this small are practically equal
constexpr int shared_levels = 4;     // of quarters that become items for threads

struct Entry {
  Vec2 at;
  double r;
  std::size_t index;
};

// A list that keeps its memory, so that refilling it does not clear it.
struct Entries {
  std::vector<Entry> room;
  std::size_t count = 0;

  void reserve(std::size_t size) {
    if (room.size() < size) room.resize(std::max(size, 2 * room.size()));
  }
  void push_back(const Entry& e) {
    reserve(count + 1);
    room[count++] = e;
  }
  void clear() { count = 0; }
  std::size_t size() const { return count; }
  bool empty() const { return count == 0; }
  const Entry& operator[](std::size_t i) const { return room[i]; }
  const Entry* begin() const { return room.data(); }
  const Entry* end() const { return room.data() + count; }
};

struct Node {
  Box box;
  Entries own;
  Entries others;  // their own box does not compare these with the points in `own`
};

template <ConflictRule rule>
class PairSearch {
 public:
  // Finds pairs whose distance is below `factor` times the required one.
  PairSearch(const Domain& domain, std::size_t kept, double factor, const Context& context)
      : domain_(domain),
        context_(context),
        kept_(kept),
        across_(axis_of(domain.width, domain.wrap)),
        down_(axis_of(domain.height, domain.wrap)),
        factor2_(factor * factor) {
    proof.closest = std::numeric_limits<double>::infinity();
    limit_ = factor2_;
  }

  SpacingProof proof;

  void split(const Node& node, std::array<Node, 4>& parts) const {
    const Box& b = node.box;
    const Vec2 middle{0.5 * (b.x0 + b.x1), 0.5 * (b.y0 + b.y1)};
    for (std::size_t q = 0; q < 4; ++q) {
      parts[q].box = {q & 1 ? middle.x : b.x0, q & 2 ? middle.y : b.y0, q & 1 ? b.x1 : middle.x,
                      q & 2 ? b.y1 : middle.y};
      parts[q].own.clear();
      parts[q].others.clear();
    }
    for (const Entry& e : node.own) {
      parts[(e.at.x >= middle.x ? 1U : 0U) + (e.at.y >= middle.y ? 2U : 0U)].own.push_back(e);
    }
    for (std::size_t q = 0; q < 4; ++q) {
      if (parts[q].own.empty()) continue;
      double largest = 0;
      for (const Entry& e : parts[q].own) largest = std::max(largest, e.r);
      add_near(parts[q], largest, node.others);
      for (std::size_t later = q + 1; later < 4; ++later) {
        add_near(parts[q], largest, parts[later].own);
      }
    }
  }

  void search(const Node& node, std::size_t depth) {
    context_.check();
    if (node.own.size() <= few) return compare(node);
    if (depth == deepest) return compare_crowd(node);
    while (levels_.size() <= depth) levels_.push_back(std::make_unique<std::array<Node, 4>>());
    std::array<Node, 4>& parts = *levels_[depth];
    split(node, parts);
    for (const Node& part : parts) search(part, depth + 1);
  }

 private:
  void add_near(Node& to, double largest, const Entries& from) const {
    context_.check();
    const Vec2 center{0.5 * (to.box.x0 + to.box.x1), 0.5 * (to.box.y0 + to.box.y1)};
    // These are slightly more than half the sides, for rounding.
    const double w = 0.5 * to.box.width() + 1e-12 * domain_.width;
    const double h = 0.5 * to.box.height() + 1e-12 * domain_.height;
    std::size_t kept = to.others.size();
    to.others.reserve(kept + from.size());
    for (const Entry& e : from) {
      const double dx = above_zero(across_.away(e.at.x, center.x) - w);
      const double dy = above_zero(down_.away(e.at.y, center.y) - h);
      const double f = conflict_of<rule>(largest, e.r);
      to.others.room[kept] = e;
      kept += dx * dx + dy * dy <= f * f * factor2_ ? 1 : 0;
    }
    to.others.count = kept;
  }

  void compare(const Node& node) {
    for (std::size_t i = 0; i < node.own.size(); ++i) {
      for (std::size_t j = i + 1; j < node.own.size(); ++j) compare(node.own[i], node.own[j], 1);
      for (const Entry& other : node.others) compare(node.own[i], other, 1);
    }
  }

  // Points of equal place and radius, represented by the first of them.
  struct Class {
    Entry first;
    std::int64_t count = 1;
  };
  std::vector<Class> classes_of(const Entries& entries) const {
    const auto key = [&](const Entry& e) {
      return std::tuple(e.at.x, e.at.y, e.r, e.index < kept_);
    };
    std::vector<Entry> sorted(entries.begin(), entries.end());
    std::sort(sorted.begin(), sorted.end(), [&](const Entry& a, const Entry& b) {
      return std::pair(key(a), a.index) < std::pair(key(b), b.index);
    });
    std::vector<Class> classes;
    for (const Entry& e : sorted) {
      if (!classes.empty() && key(classes.back().first) == key(e)) {
        ++classes.back().count;
      } else {
        classes.push_back({e});
      }
    }
    return classes;
  }

  // Counts pairs class by class, however many points share one place.
  void compare_crowd(const Node& node) {
    const std::vector<Class> own = classes_of(node.own);
    const std::vector<Class> others = classes_of(node.others);
    for (std::size_t i = 0; i < own.size(); ++i) {
      context_.check();
      const auto& [first, count] = own[i];
      if (count > 1) compare(first, first, count * (count - 1) / 2);
      for (std::size_t j = i + 1; j < own.size(); ++j) {
        compare(first, own[j].first, count * own[j].count);
      }
      for (const Class& other : others) compare(first, other.first, count * other.count);
    }
  }

  // Compares a pair that stands for `pairs` equal pairs.
  void compare(const Entry& a, const Entry& b, std::int64_t pairs) {
    const double f = conflict_of<rule>(a.r, b.r);
    const Vec2 d = domain_.delta(a.at, b.at);
    const double d2 = dot(d, d);
    if (d2 > limit_ * (f * f) || std::max(a.index, b.index) < kept_) return;
    const double distance = std::sqrt(d2);
    if (distance < f) proof.violations += pairs;
    const double ratio = distance / f;
    const std::size_t first = std::min(a.index, b.index);
    if (ratio > proof.closest || (ratio == proof.closest && first >= proof.worst)) return;
    proof.closest = ratio;
    proof.worst = first;
    // Every pair nearer than the rule allows is counted, however near the closest pair is.
    limit_ = std::min(factor2_, std::max(ratio * ratio, 1.0) * (1 + 1e-12));
  }

  const Domain& domain_;
  const Context& context_;
  std::size_t kept_;
  Axis across_, down_;
  double factor2_;
  double limit_;  // squared ratio above which a pair changes nothing
  std::vector<std::unique_ptr<std::array<Node, 4>>> levels_;
};

// Splits until there are items for any number of threads.
template <ConflictRule rule>
std::vector<Node> items_of(Node all, const PairSearch<rule>& search) {
  std::vector<Node> items;
  items.push_back(std::move(all));
  for (int level = 0; level < shared_levels; ++level) {
    std::vector<Node> next;
    for (Node& node : items) {
      std::array<Node, 4> parts;
      search.split(node, parts);
      node = {};
      for (Node& part : parts) {
        if (!part.own.empty()) next.push_back(std::move(part));
      }
    }
    items = std::move(next);
  }
  return items;
}

template <ConflictRule rule>
SpacingProof pairs_below(double factor, const Points& points, const std::vector<double>& r,
                         std::size_t kept, Context& context) {
  Node all{{0, 0, points.domain.width, points.domain.height}, {}, {}};
  SpacingProof proof;
  proof.closest = std::numeric_limits<double>::infinity();
  all.own.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (std::isfinite(r[i])) {
      all.own.push_back({points[i], r[i], i});
      continue;
    }
    if (proof.closest > 0) proof.worst = i;
    proof.closest = 0;
    ++proof.violations;
  }
  const PairSearch<rule> plain(points.domain, kept, factor, context);
  const std::vector<Node> items = items_of<rule>(std::move(all), plain);
  std::vector<SpacingProof> found(items.size());
  parallel_for(context, items.size(), [&](std::size_t i) {
    PairSearch<rule> search(points.domain, kept, factor, context);
    search.search(items[i], 0);
    found[i] = search.proof;
  });
  for (const SpacingProof& part : found) {
    proof.violations += part.violations;
    if (part.closest < proof.closest) {
      proof.closest = part.closest;
      proof.worst = part.worst;
    }
  }
  return proof;
}

}  // namespace

SpacingProof prove_spacing(const Points& points, const std::vector<double>& r, std::size_t kept,
                           ConflictRule rule, Context& context) {
  // The order of a set proves nothing, so `candidate` guarantees no more than min.
  const ConflictRule tested = rule == ConflictRule::candidate ? ConflictRule::min : rule;
  double smallest = std::numeric_limits<double>::infinity();
  for (const double one : r) smallest = std::min(smallest, one);
  const double across = length({points.domain.width, points.domain.height});
  // Widens the search until it reaches the closest pair; in a dense set it does so at once.
  for (double factor = 1.0625;; factor *= 4) {
    const SpacingProof proof = with_rule(tested, [&](auto constant) {
      return pairs_below<constant>(factor, points, r, kept, context);
    });
    if (proof.closest <= factor || !(smallest * factor < across)) return proof;
  }
}

}  // namespace dapple
