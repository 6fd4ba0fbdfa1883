#include "sample/class_maps/throwing.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "dapple/context.hpp"
#include "sample/engine/darts_in_time.hpp"
#include "sample/engine/tile_schedule.hpp"

namespace dapple::class_maps {
namespace {

// A square is split if it expects more darts than this.
constexpr double most_darts_a_square = 0.7;
// A smaller square, in radii, gets one dart at its center and then counts as covered.
constexpr double smallest_square = 1e-5;

// A square with the bounds of its radii.
struct Live {
  Square square;
  Bounds r;
};

// The uncovered squares of a root, and the points that may conflict with its places.
struct Root {
  std::uint32_t class_id = 0;
  Square whole;
  double most = 0;  // the largest radius in it
  bool is_begun = false;
  Found known = {};
  std::size_t seen = 0;  // number of known points at the last visit
  std::vector<Live> live = {};
  std::vector<double> toward = {};  // for each live square: least distances toward each class
};

struct Dart {
  Vec2 at;
  std::uint64_t time;
  std::uint32_t root;
};

// Results of roots that are visited together.
struct Group {
  std::vector<Dart> darts;
  std::vector<double> each;  // for each dart: its distances toward each class
  std::vector<std::uint32_t> earlier, earlier_counts;
};

struct Scratch {
  Found round;
  std::vector<Found> spare;  // for nested squares
  std::vector<Live> live;
  std::vector<double> toward, least, each;
};

class Throwing {
 public:
  Throwing(const Classes& classes, const Near& obstacles, Context& context)
      : classes_(classes),
        obstacles_(obstacles),
        context_(context),
        fresh_(classes, false),
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
        Root root;
        root.class_id = static_cast<std::uint32_t>(c);
        root.whole = square;
        const Box box = classes.box(square);
        const Bounds r = classes.bounds(c, box);
        root.most = r.most;
        root.live.push_back({square, r});
        root.toward.resize(classes.count());
        classes.least_toward(c, box, r.least, root.toward.data());
        roots.push_back(std::move(root));
      }
    }
    return roots;
  }

  void grow(std::uint32_t n, Group& group, Scratch& scratch) {
    Root& root = roots_[n];
    const Box box = classes_.box(root.whole);
    if (!root.is_begun) obstacles_.gather(root.class_id, box, root.most, root.known);
    root.is_begun = true;
    fresh_.gather(root.class_id, box, root.most, root.known);
    if (rates_[root.class_id] == 0) return;
    const std::span<const NearPoint> round = root.known;
    const std::span<const NearPoint> unseen = round.subspan(root.seen);
    root.seen = round.size();
    scratch.live.swap(root.live);
    scratch.toward.swap(root.toward);
    root.live.clear();
    root.toward.clear();
    scratch.each.resize(classes_.count());
    scratch.least.resize(classes_.count());
    for (std::size_t i = 0; i < scratch.live.size(); ++i) {
      const Live& live = scratch.live[i];
      const double* least = scratch.toward.data() + i * classes_.count();
      const Box of = classes_.box(live.square);
      if (covers(classes_, root.class_id, least, unseen, of, near_radius)) continue;
      fill(n, live, of, least, round, group, scratch, 0);
    }
    scratch.live.clear();
    scratch.toward.clear();
    if (root.live.empty()) root.known = {};
  }

  // Fills a square unless points are known to cover it.
  void visit(std::uint32_t n, const Square& square, const Found& round, Group& group,
             Scratch& scratch, std::size_t depth) {
    const Box box = classes_.box(square);
    if (!(box.width() > 0 && box.height() > 0)) return;
    const std::size_t class_id = roots_[n].class_id;
    const Bounds r = classes_.bounds(class_id, box);
    if (!r.allows()) return;
    double* const least = scratch.least.data();
    classes_.least_toward(class_id, box, r.least, least);
    if (covers(classes_, class_id, least, round, box, near_radius)) return;
    fill(n, {square, r}, box, least, round, group, scratch, depth);
  }

  // Throws darts at a square that no point covers, or visits its parts if darts would be many.
  void fill(std::uint32_t n, const Live& live, const Box& box, const double* least,
            std::span<const NearPoint> round, Group& group, Scratch& scratch, std::size_t depth) {
    Root& root = roots_[n];
    const double side = std::max(box.width(), box.height());
    const double darts =
        rates_[root.class_id] * (box.width() / live.r.least) * (box.height() / live.r.least);
    if (side < smallest_square * live.r.least) {
      aim_at_middle(n, live.square, box, round, group, scratch);
    } else if (darts > most_darts_a_square) {
      if (scratch.spare.size() <= depth) scratch.spare.resize(depth + 1);
      Found within = std::move(scratch.spare[depth]);
      within.clear();
      select(box, live.r.most, round, within);
      for (int child = 0; child < 4; ++child) {
        visit(n, live.square.child(child), within, group, scratch, depth + 1);
      }
      scratch.spare[depth] = std::move(within);
    } else {
      root.live.push_back(live);
      root.toward.insert(root.toward.end(), least, least + classes_.count());
      throw_at(n, live.square, box, darts, live.r.least, round, group, scratch);
    }
  }

  // Selects the points of `round` that may conflict with a place of the box.
  void select(const Box& box, double most, std::span<const NearPoint> round, Found& within) const {
    for (const NearPoint& point : round) {
      const double x = std::max({0.0, box.x0 - point.x, point.x - box.x1});
      const double y = std::max({0.0, box.y0 - point.y, point.y - box.y1});
      const double limit = point.kind >= classes_.of_its_own() ? std::max(most, point.other)
                                                               : classes_.reach(most, point.other);
      if (x * x + y * y <= limit * limit * 1.001) within.push_back(point);
    }
  }

  void throw_at(std::uint32_t n, const Square& square, const Box& box, double darts, double least,
                std::span<const NearPoint> round, Group& group, Scratch& scratch) {
    const Root& root = roots_[n];
    Random random(context_.seed, stream, hash(square.key, static_cast<std::uint64_t>(window_)));
    const int count = poisson(random.uniform(), darts);
    for (int k = 0; k < count; ++k) {
      const double u = random.uniform();
      const double v = random.uniform();
      const Vec2 at{box.x0 + u * box.width(), box.y0 + v * box.height()};
      const double chance = random.uniform();
      const std::uint64_t time = random.bits();
      // Thins darts from the rate of the least radius to the rate of r at the dart.
      const double r = classes_.radius(root.class_id, at);
      if (!std::isfinite(r) || chance * r * r >= least * least) continue;
      try_dart(n, {at, time, n}, round, group, scratch);
    }
  }
  void aim_at_middle(std::uint32_t n, const Square& square, const Box& box,
                     std::span<const NearPoint> round, Group& group, Scratch& scratch) {
    const Vec2 at{0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)};
    if (!std::isfinite(classes_.radius(roots_[n].class_id, at))) return;
    const std::uint64_t key = hash(square.key, static_cast<std::uint64_t>(window_));
    try_dart(n, {at, Random(context_.seed, stream, key).bits(), n}, round, group, scratch);
  }
  void try_dart(std::uint32_t n, const Dart& dart, std::span<const NearPoint> round, Group& group,
                Scratch& scratch) const {
    const std::size_t class_id = roots_[n].class_id;
    classes_.toward(class_id, dart.at, scratch.each.data());
    if (holds_off(classes_, class_id, scratch.each.data(), round, dart.at, near_radius)) return;
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
        darts.add(dart.at, static_cast<int>(roots_[dart.root].class_id),
                  group.each.data() + i * classes_.count());
      }
    }
    darts.put_in_order();
    const auto is_earlier = [&](std::uint32_t a, std::uint32_t b) {
      return times[a] != times[b] ? times[a] < times[b] : a < b;
    };
    active_.for_each(context_, scratch_, [&](std::size_t g, Scratch& scratch) {
      Group& group = groups_[g];
      for (std::size_t i = 0; i < group.darts.size(); ++i) {
        const auto own = first_of_group[g] + static_cast<std::uint32_t>(i);
        const auto class_id = static_cast<std::size_t>(darts.kind(own));
        const Vec2 at = darts.at(own);
        const double* each = darts.each(own);
        scratch.round.clear();
        const double most = classes_.radius(class_id, at);
        darts.gather(class_id, {at.x, at.y, at.x, at.y}, most, scratch.round);
        std::uint32_t count = 0;
        for (const NearPoint& other : scratch.round) {
          // On a narrow torus a dart does not conflict with its own image.
          if (other.number == own || !is_earlier(other.number, own)) continue;
          const double x = other.x - at.x;
          const double y = other.y - at.y;
          const double limit =
              near_radius * classes_.limit(class_id, each, other.kind, other.other);
          if (x * x + y * y >= limit * limit) continue;
          group.earlier.push_back(other.number);
          ++count;
        }
        group.earlier_counts.push_back(count);
      }
    });
    const std::vector<bool> stays =
        settle_groups(std::span<const Group>(groups_).first(active_.count()));
    fresh_.clear();
    for (std::uint32_t i = 0; i < stays.size(); ++i) {
      if (!stays[i]) continue;
      fresh_.add(darts.at(i), darts.kind(i), darts.each(i));
      points_.at.push_back(darts.at(i));
      points_.class_id.push_back(darts.kind(i));
      points_.window.push_back(window_);
      root_of_.push_back(root_of[i]);
    }
    fresh_.put_in_order();
  }

  // Returns the points root by root, so that points near each other follow each other.
  Points in_order() const {
    std::vector<std::uint32_t> order(root_of_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return root_of_[a] < root_of_[b]; });
    Points made;
    for (const std::uint32_t i : order) {
      made.at.push_back(points_.at[i]);
      made.class_id.push_back(points_.class_id[i]);
      made.window.push_back(points_.window[i]);
    }
    return made;
  }

  static constexpr Stream stream = stream_of("mixed classes");

  const Classes& classes_;
  const Near& obstacles_;
  Context& context_;
  Near fresh_;  // the points of the last window
  std::vector<Root> roots_;
  TileGroups active_;
  std::vector<Group> groups_;
  Pool<Scratch> scratch_;
  std::vector<double> rates_;
  int window_ = 0;
  Points points_;
  std::vector<std::uint32_t> root_of_;
};

}  // namespace

Points throw_darts(const Classes& classes, const Near& obstacles,
                   const std::vector<double>& head_start, Context& context) {
  return Throwing(classes, obstacles, context).run(head_start);
}

}  // namespace dapple::class_maps
