// A space in a few lines: points on a ring of circumference 1. The engine makes exact and maximal
// sets of it, which are distributed as cars that park one after the other.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <optional>

#include "dapple/context.hpp"
#include "sample/engine/cells.hpp"
#include "sample/engine/dart_windows.hpp"

namespace dapple {
namespace {

// ---- the space ----------------------------------------------------------------------------------

// The distance along the ring.
double apart(double a, double b) {
  const double d = std::abs(a - b);
  return std::min(d, 1 - d);
}

// An arc, as a cell of a tile.
struct Arc {
  double low, high;
  std::uint64_t key;

  double middle() const { return 0.5 * (low + high); }
};

struct RingDart {
  double at;
  std::uint64_t time;
};

struct RingTile {
  std::vector<Arc> live;
  std::vector<double> near;
};

// Views a tile for engine::grow_cell() and engine::has_hole().
class RingView {
 public:
  using Cell = Arc;
  using Around = std::vector<double>;
  static constexpr Stream stream = Stream::tests;

  explicit RingView(double radius) : radius_(radius) {}
  RingView(double radius, RingTile& tile, std::uint64_t seed, std::uint64_t window, double rate,
           engine::DartList<RingDart>& darts)
      : radius_(radius), tile_(&tile), seed_(seed), window_(window), rate_(rate), darts_(&darts) {}

  void select(const Arc& arc, const Around& from, Around& around) const {
    around.clear();
    for (const double p : from) {
      if (apart(p, arc.middle()) < radius_ + 0.5 * (arc.high - arc.low)) around.push_back(p);
    }
  }
  bool is_covered(const Arc& arc, const Around& points) const {
    return std::any_of(points.begin(), points.end(), [&](double p) {
      return apart(p, arc.low) < radius_ && apart(p, arc.high) < radius_;
    });
  }
  template <class Body>
  bool any_part(const Arc& arc, const Body& body) const {
    Arc first{arc.low, arc.middle(), hash(arc.key, 0)};
    Arc second{arc.middle(), arc.high, hash(arc.key, 1)};
    return body(first) || body(second);
  }
  bool is_free_at(double at, const Around& points) const {
    return std::none_of(points.begin(), points.end(),
                        [&](double p) { return apart(p, at) < radius_; });
  }

  const Around& near(const Arc&) const { return tile_->near; }
  bool is_decided(const Arc& arc) const { return arc.high - arc.low < 1e-9 * radius_; }
  double mean(const Arc& arc) const { return rate_ * (arc.high - arc.low) / radius_; }
  bool is_too_large(const Arc& arc) const { return mean(arc) > 0.5; }
  std::uint64_t seed() const { return seed_; }
  std::uint64_t window() const { return window_; }
  std::uint64_t key(const Arc& arc) const { return arc.key; }
  std::optional<RingDart> draw(const Arc& arc, Random& random) const {
    const double at = arc.low + (arc.high - arc.low) * random.uniform();
    return RingDart{at, random.bits()};
  }
  std::optional<RingDart> middle(const Arc& arc) const {
    return RingDart{arc.middle(), hash(arc.key, window_)};
  }
  bool is_free(const Arc&, const RingDart& dart, const Around& known) const {
    return is_free_at(dart.at, known);
  }
  void add(const RingDart& dart) { darts_->all.push_back(dart); }
  void keep(const Arc& arc) { tile_->live.push_back(arc); }

  bool is_free_in_middle(const Arc& arc, const Around& points) const {
    return is_free_at(arc.middle(), points);
  }
  double middle_place(const Arc& arc) const { return arc.middle(); }
  bool is_below_tolerance(const Arc& arc) const { return arc.high - arc.low < 1e-6 * radius_; }

 private:
  double radius_;
  RingTile* tile_ = nullptr;
  std::uint64_t seed_ = 0, window_ = 0;
  double rate_ = 0;
  engine::DartList<RingDart>* darts_ = nullptr;
};

// Tiles are arcs at least a radius long, so that only neighbors matter.
class RingSpace {
 public:
  using Darts = engine::DartList<RingDart>;
  using Point = double;
  using Store = std::vector<double>;
  using Scratch = engine::ByDepth<std::vector<double>>;

  RingSpace(double radius, std::uint64_t seed) : radius_(radius), seed_(seed) {
    const auto count = static_cast<std::size_t>(std::max(1.0, std::floor(0.5 / radius)));
    tiles_.resize(count);
    for (std::size_t t = 0; t < count; ++t) tiles_[t].live.push_back(arc(t));
  }
  Arc arc(std::size_t tile) const {
    const auto count = static_cast<double>(tiles_.size());
    return {static_cast<double>(tile) / count, static_cast<double>(tile + 1) / count,
            hash(seed_, tile)};
  }
  std::uint32_t tile_of(double at) const {
    return static_cast<std::uint32_t>(std::min(
        tiles_.size() - 1, static_cast<std::size_t>(at * static_cast<double>(tiles_.size()))));
  }
  std::vector<std::uint32_t> neighbors(std::uint32_t t) const {
    const auto count = static_cast<std::uint32_t>(tiles_.size());
    std::vector<std::uint32_t> all{t, (t + 1) % count, (t + count - 1) % count};
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  std::size_t tile_count() const { return tiles_.size(); }
  std::size_t class_count() const { return 1; }
  void begin(int window, const std::vector<double>& rates) {
    window_ = static_cast<std::uint64_t>(window);
    rate_ = rates[0];
  }
  void grow(std::uint32_t t, const engine::ByTile<Store>& fresh, Darts& darts, Scratch& lists) {
    RingTile& tile = tiles_[t];
    for (const std::uint32_t other : neighbors(t)) {
      tile.near.insert(tile.near.end(), fresh.store.begin() + fresh.first[other],
                       fresh.store.begin() + fresh.first[other + 1]);
    }
    std::vector<Arc> live;
    std::swap(live, tile.live);
    RingView view(radius_, tile, seed_, window_, rate_, darts);
    for (Arc& arc : live) {
      if (!view.is_covered(arc, tile.near)) engine::grow_cell(view, arc, &tile.near, lists);
    }
  }
  Store make_store() const { return {}; }
  void resize(Store& store, std::size_t count) const { store.resize(count); }
  void set(Store& store, std::size_t i, const Darts& darts, std::size_t k, std::int32_t) const {
    store[i] = darts.all[k].at;
  }
  void finish(Store&) const {}
  template <class IsEarlier, class Add>
  void find_earlier(std::uint32_t t, const engine::ByTile<Store>& darts, Scratch&,
                    const IsEarlier& is_earlier, const Add& add) const {
    for (std::uint32_t own = darts.first[t]; own < darts.first[t + 1]; ++own) {
      for (const std::uint32_t near : neighbors(t)) {
        for (std::uint32_t i = darts.first[near]; i < darts.first[near + 1]; ++i) {
          if (i != own && is_earlier(i, own) && apart(darts.store[i], darts.store[own]) < radius_) {
            add(own, i);
          }
        }
      }
    }
  }
  double point(const Darts& darts, std::size_t k) const { return darts.all[k].at; }
  bool drop_if_done(std::uint32_t t) { return tiles_[t].live.empty(); }

 private:
  double radius_;
  std::uint64_t seed_;
  std::vector<RingTile> tiles_;
  std::uint64_t window_ = 0;
  double rate_ = 0;
};

// Returns the points of a ring around earlier points of the same set.
std::vector<double> throw_darts(double radius, std::uint64_t seed, int threads = 1,
                                const std::vector<double>& earlier = {}) {
  Context context;
  context.threads = threads;
  RingSpace ring(radius, seed);
  engine::DartWindows windows(ring, context);
  engine::DartList<RingDart> own;
  std::vector<std::uint32_t> tile_of;
  for (const double at : earlier) {
    own.all.push_back({at, 0});
    tile_of.push_back(ring.tile_of(at));
  }
  windows.add_earlier(own, tile_of);
  windows.run();
  std::vector<double> points;
  windows.for_points([&](double at, std::uint32_t, std::int32_t) { points.push_back(at); });
  return points;
}

// Returns true if engine::has_hole() finds a hole, by all points at once.
bool has_hole(double radius, const std::vector<double>& points) {
  const RingSpace ring(radius, 1);
  const RingView view(radius);
  engine::ByDepth<std::vector<double>> lists;
  for (std::size_t t = 0; t < ring.tile_count(); ++t) {
    Arc arc = ring.arc(t);
    double hole = -1;
    if (engine::has_hole(view, arc, points, hole, lists)) return hole >= 0 && hole < 1;
  }
  return false;
}

// ---- its promises -------------------------------------------------------------------------------

std::vector<double> gaps_of(std::vector<double> points) {
  std::sort(points.begin(), points.end());
  std::vector<double> gaps;
  for (std::size_t i = 0; i < points.size(); ++i) {
    gaps.push_back(i > 0 ? points[i] - points[i - 1] : points[0] + 1 - points.back());
  }
  return gaps;
}

TEST(RingSpace, IsExactAndMaximal) {
  for (const double radius : {0.3, 0.07, 0.011, 0.0013}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const std::vector<double> points = throw_darts(radius, seed);
      ASSERT_GE(points.size(), 1u);
      if (points.size() == 1) continue;
      for (const double gap : gaps_of(points)) {
        EXPECT_GE(gap, radius * (1 - 1e-12));
        EXPECT_LT(gap, 2 * radius * (1 + 1e-6));
      }
    }
  }
}

TEST(RingSpace, DoesNotDependOnThreads) {
  const std::vector<double> expected = throw_darts(0.0007, 5);
  for (const int threads : {2, 7}) EXPECT_EQ(throw_darts(0.0007, 5, threads), expected);
}

// Cars of length r that park at random fill 0.7475979 of a long street (Rényi 1958), with a
// variance of 0.0381564 per car length of street (Mackenzie 1962).
TEST(RingSpace, FillsAsRenyiFound) {
  constexpr double radius = 0.002;
  constexpr int rounds = 200;
  double sum = 0;
  double squares = 0;
  for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
    const auto count = static_cast<double>(throw_darts(radius, seed).size());
    sum += count;
    squares += count * count;
  }
  const double mean = sum / rounds;
  EXPECT_NEAR(mean * radius, 0.7475979, 4 * std::sqrt(0.0381564 * radius / rounds));
  EXPECT_NEAR((squares / rounds - mean * mean) * radius, 0.0381564, 0.0381564 * 0.4);
}

TEST(RingSpace, ProofsFindAMissingPoint) {
  std::vector<double> points = throw_darts(0.02, 3);
  EXPECT_FALSE(has_hole(0.02, points));
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<double> less = points;
    less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_TRUE(has_hole(0.02, less)) << i;
  }
}

// Maximal sets of ever smaller radii, each around the earlier ones, are an order in which each
// prefix is well spaced.
TEST(RingSpace, GrowsProgressively) {
  std::vector<double> all;
  for (const double radius : {0.08, 0.04, 0.02, 0.01}) {
    const std::vector<double> more = throw_darts(radius, 9, 2, all);
    all.insert(all.end(), more.begin(), more.end());
    for (const double gap : gaps_of(all)) {
      EXPECT_GE(gap, radius * (1 - 1e-12));
      EXPECT_LT(gap, 2 * radius * (1 + 1e-6));
    }
  }
}

}  // namespace
}  // namespace dapple
