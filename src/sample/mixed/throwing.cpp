#include "sample/mixed/throwing.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "sample/in_time/by_tiles.hpp"
#include "sample/in_time/darts_in_time.hpp"

namespace dapple::mixed {
namespace {

// A square is split once it expects more darts.
constexpr double most_darts_a_square = 0.7;
// Smaller squares, in radii, are a dart in their middle, and then count as covered.
constexpr double smallest_square = 1e-5;

// What of a root is not covered.
struct Root {
  std::uint32_t klass = 0;
  Square whole;
  double most = 0;         // the largest radius in it
  std::uint32_t seen = 0;  // how many points there were when it was visited last
  std::vector<Square> live;
};

struct Dart {
  Vec2 at;
  std::uint64_t time;
  std::uint32_t root;
};

// Of roots that are visited together.
struct Group {
  std::vector<Dart> darts;
  std::vector<double> each;  // of every dart, what it has toward each class
  std::vector<std::uint32_t> earlier, earlier_counts;
};

struct Scratch {
  Found round;
  std::vector<Found> spare;  // for the squares within squares
  std::vector<Square> live;
  std::vector<double> least, each;
};

class Throwing {
 public:
  Throwing(const Classes& classes, const Near& obstacles, Context& context)
      : classes_(classes),
        obstacles_(obstacles),
        context_(context),
        points_(classes, false),
        roots_(roots_of(classes)),
        active_(roots_.size()) {
    groups_.resize(active_.count());
  }

  Points run(const std::vector<double>& head_start) {
    const auto first = rates_of_head_starts(head_start);
    const auto all = static_cast<double>(roots_.size());
    for (; !active_.active.empty(); ++window_) {
      rates_ = rates_of(window_, classes_.count(), first);
      active_.for_each(context_, scratch_, [&](std::size_t g, Scratch& scratch) {
        Group& group = groups_[g];
        group = {};
        for (const std::uint32_t n : active_.tiles_of(g)) grow(n, group, scratch);
      });
      settle_window();
      std::erase_if(active_.active, [&](std::uint32_t n) { return roots_[n].live.empty(); });
      context_.progress(1 - static_cast<double>(active_.active.size()) / all);
    }
    return in_order();
  }

 private:
  static std::vector<Root> roots_of(const Classes& classes) {
    std::vector<Root> roots;
    for (std::size_t c = 0; c < classes.count(); ++c) {
      for (const Square& square : classes.roots(c)) {
        const Bounds r = classes.bounds(c, classes.box(square));
        roots.push_back({static_cast<std::uint32_t>(c), square, r.most, 0, {square}});
      }
    }
    return roots;
  }

  void grow(std::uint32_t n, Group& group, Scratch& scratch) {
    Root& root = roots_[n];
    if (rates_[root.klass] == 0) return;
    const Box box = classes_.box(root.whole);
    scratch.round.clear();
    points_.gather(root.klass, box, root.most, scratch.round);
    const std::size_t known = scratch.round.size();
    obstacles_.gather(root.klass, box, root.most, scratch.round);
    for (std::size_t i = known; i < scratch.round.size(); ++i) {
      scratch.round.number[i] = number_of_obstacles;
    }
    const std::uint32_t seen = root.seen;
    root.seen = static_cast<std::uint32_t>(points_.size());
    scratch.live.swap(root.live);
    root.live.clear();
    scratch.each.resize(classes_.count());
    for (const Square& square : scratch.live)
      visit(n, square, scratch.round, seen, group, scratch, 0);
    scratch.live.clear();
  }

  // A square of which points before number `first` are known not to cover it.
  void visit(std::uint32_t n, const Square& square, const Found& round, std::uint32_t first,
             Group& group, Scratch& scratch, std::size_t depth) {
    Root& root = roots_[n];
    const Box box = classes_.box(square);
    const double side = std::max(box.width(), box.height());
    if (!(box.width() > 0 && box.height() > 0)) return;
    const Bounds r = classes_.bounds(root.klass, box);
    if (!r.allows()) return;
    scratch.least.resize(classes_.count());
    classes_.least_toward(root.klass, box, r.least, scratch.least.data());
    if (covers(classes_, root.klass, scratch.least.data(), round, box, near_radius, first)) return;
    const double darts = rates_[root.klass] * (box.width() / r.least) * (box.height() / r.least);
    if (side < smallest_square * r.least) {
      aim_at_middle(n, square, box, round, group, scratch);
    } else if (darts > most_darts_a_square) {
      if (scratch.spare.size() <= depth) scratch.spare.resize(depth + 1);
      Found within = std::move(scratch.spare[depth]);
      within.clear();
      select(box, r.most, round, within);
      for (int child = 0; child < 4; ++child) {
        visit(n, square.child(child), within, 0, group, scratch, depth + 1);
      }
      scratch.spare[depth] = std::move(within);
    } else {
      throw_at(n, square, box, darts, r.least, round, group, scratch);
      root.live.push_back(square);
    }
  }

  // Those of `round` that may hold a place of the box off.
  void select(const Box& box, double most, const Found& round, Found& within) const {
    for (std::size_t i = 0; i < round.size(); ++i) {
      const double x = std::max({0.0, box.x0 - round.x[i], round.x[i] - box.x1});
      const double y = std::max({0.0, box.y0 - round.y[i], round.y[i] - box.y1});
      const double limit = round.kind[i] >= classes_.of_its_own()
                               ? std::max(most, round.other[i])
                               : classes_.reach(most, round.other[i]);
      if (x * x + y * y <= limit * limit * 1.001) within.add(round, i);
    }
  }

  void throw_at(std::uint32_t n, const Square& square, const Box& box, double darts, double least,
                const Found& round, Group& group, Scratch& scratch) {
    const Root& root = roots_[n];
    Random random(context_.seed, stream, hash(square.key, static_cast<std::uint64_t>(window_)));
    const int count = poisson(random.uniform(), darts);
    for (int k = 0; k < count; ++k) {
      const double u = random.uniform();
      const double v = random.uniform();
      const Vec2 at{box.x0 + u * box.width(), box.y0 + v * box.height()};
      const double chance = random.uniform();
      const std::uint64_t time = random.bits();
      // Of the darts of the least radius so many as r asks for where they fall.
      const double r = classes_.radius(root.klass, at);
      if (!std::isfinite(r) || chance * r * r >= least * least) continue;
      try_dart(n, {at, time, n}, round, group, scratch);
    }
  }
  void aim_at_middle(std::uint32_t n, const Square& square, const Box& box, const Found& round,
                     Group& group, Scratch& scratch) {
    const Vec2 at{0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)};
    if (!std::isfinite(classes_.radius(roots_[n].klass, at))) return;
    const std::uint64_t key = hash(square.key, static_cast<std::uint64_t>(window_));
    try_dart(n, {at, Random(context_.seed, stream, key).bits(), n}, round, group, scratch);
  }
  void try_dart(std::uint32_t n, const Dart& dart, const Found& round, Group& group,
                Scratch& scratch) const {
    const std::size_t klass = roots_[n].klass;
    classes_.toward(klass, dart.at, scratch.each.data());
    if (holds_off(classes_, klass, scratch.each.data(), round, dart.at, near_radius)) return;
    group.darts.push_back(dart);
    group.each.insert(group.each.end(), scratch.each.begin(), scratch.each.end());
  }

  void settle_window() {
    std::vector<std::uint64_t> times;
    std::vector<std::uint32_t> first_of_group;
    Near darts(classes_, false);
    std::vector<std::uint32_t> root_of;
    for (std::size_t g = 0; g < active_.count(); ++g) {
      const Group& group = groups_[g];
      first_of_group.push_back(static_cast<std::uint32_t>(darts.size()));
      for (std::size_t i = 0; i < group.darts.size(); ++i) {
        const Dart& dart = group.darts[i];
        times.push_back(dart.time);
        root_of.push_back(dart.root);
        darts.add(dart.at, static_cast<int>(roots_[dart.root].klass),
                  group.each.data() + i * classes_.count());
      }
    }
    const auto is_earlier = [&](std::uint32_t a, std::uint32_t b) {
      return times[a] != times[b] ? times[a] < times[b] : a < b;
    };
    active_.for_each(context_, scratch_, [&](std::size_t g, Scratch& scratch) {
      Group& group = groups_[g];
      for (std::size_t i = 0; i < group.darts.size(); ++i) {
        const auto own = first_of_group[g] + static_cast<std::uint32_t>(i);
        const auto klass = static_cast<std::size_t>(darts.kind(own));
        const Vec2 at = darts.at(own);
        const double* each = darts.each(own);
        scratch.round.clear();
        const double most = classes_.radius(klass, at);
        darts.gather(klass, {at.x, at.y, at.x, at.y}, most, scratch.round);
        std::uint32_t count = 0;
        for (std::size_t k = 0; k < scratch.round.size(); ++k) {
          const std::uint32_t other = scratch.round.number[k];
          // Its own image on a narrow torus holds off no dart.
          if (other == own || !is_earlier(other, own)) continue;
          const double x = scratch.round.x[k] - at.x;
          const double y = scratch.round.y[k] - at.y;
          const double limit = near_radius * classes_.limit(klass, each, scratch.round.kind[k],
                                                            scratch.round.other[k]);
          if (x * x + y * y >= limit * limit) continue;
          group.earlier.push_back(other);
          ++count;
        }
        group.earlier_counts.push_back(count);
      }
    });
    const std::vector<bool> stays =
        settle_groups(std::span<const Group>(groups_).first(active_.count()));
    for (std::uint32_t i = 0; i < stays.size(); ++i) {
      if (!stays[i]) continue;
      points_.add(darts.at(i), darts.kind(i), darts.each(i));
      root_of_.push_back(root_of[i]);
      window_of_.push_back(window_);
    }
  }

  // Root by root, so that points near each other stand together.
  Points in_order() const {
    std::vector<std::uint32_t> order(root_of_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return root_of_[a] < root_of_[b]; });
    Points made;
    for (const std::uint32_t i : order) {
      made.at.push_back(points_.at(i));
      made.klass.push_back(points_.kind(i));
      made.window.push_back(window_of_[i]);
    }
    return made;
  }

  static constexpr Stream stream = stream_of("mixed classes");
  // Beyond those of points, so that obstacles are new at every visit.
  static constexpr std::uint32_t number_of_obstacles = 0xffffffff;

  const Classes& classes_;
  const Near& obstacles_;
  Context& context_;
  Near points_;
  std::vector<Root> roots_;
  TileGroups active_;
  std::vector<Group> groups_;
  Pool<Scratch> scratch_;
  std::vector<double> rates_;
  int window_ = 0;
  std::vector<std::uint32_t> root_of_;
  std::vector<std::int32_t> window_of_;
};

}  // namespace

Points throw_darts(const Classes& classes, const Near& obstacles,
                   const std::vector<double>& head_start, Context& context) {
  return Throwing(classes, obstacles, context).run(head_start);
}

}  // namespace dapple::mixed
