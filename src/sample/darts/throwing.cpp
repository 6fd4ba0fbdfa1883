// Dart throwing by its definition (Cook 1986), to the end: each next point is uniform over all
// places that no point refuses, until there are none. What "Poisson-disk" means, and the yardstick
// for everything that is faster.
//
// What differs: darts are a Poisson process in space and time, one a unit of area in a unit of
// time, which has no memory. So darts need only be thrown on squares that are not proven covered,
// as long as any is left (Ebeida et al. 2012, without their bias); squares get smaller as time
// goes on by powers of four. Of the darts of one span of time each waits for the earlier ones that
// it conflicts with, and for nothing else: the lexicographically first maximal independent set, in
// parallel (Blelloch, Fineman, Shun 2012).
#include "sample/darts/throwing.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/parallel.hpp"
#include "sample/darts/radius_tree.hpp"
#include "sample/kept.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

constexpr double first_darts = 1;  // in an area of the largest r^2
constexpr double stretch = 4;      // of time from one window to the next

constexpr std::size_t usual_near = 8;  // points round a cell

enum State : std::uint8_t { waiting, accepted, refused };

struct Near {
  Vec2 at;
  double r;
};

struct Ground {
  std::vector<LiveSquare> live;
  // By cell: the largest radius, and the points so far that a dart there could conflict with.
  std::vector<double> largest;
  std::vector<std::vector<Near>> near;
  // Of this window.
  std::vector<Dart> darts;
  std::size_t first = 0;              // their states start here
  std::vector<std::uint32_t> rivals;  // earlier darts that conflict, dart by dart
  std::vector<std::uint32_t> rivals_end;
};

template <ConflictRule rule>
struct AroundGround {
  const Ground& ground;

  bool covers(std::size_t cell, const Box& box, double r_min) const {
    for (const Near& p : ground.near[cell]) {
      const double dx = std::max(p.at.x - box.x0, box.x1 - p.at.x);
      const double dy = std::max(p.at.y - box.y0, box.y1 - p.at.y);
      const double f = conflict_of<rule>(r_min, p.r);
      if (dx * dx + dy * dy < f * f) return true;
    }
    return false;
  }
  bool conflicts(std::size_t cell, Vec2 place, double r) const {
    if (r > ground.largest[cell]) return true;  // rounding has put it into the next pixel
    for (const Near& p : ground.near[cell]) {
      const double f = conflict_of<rule>(r, p.r);
      if (length_squared(place - p.at) < f * f) return true;
    }
    return false;
  }
};

// body(cell) for the cells of a tile in which a dart could conflict with p.
template <ConflictRule rule, class Body>
void for_each_cell_near(const Tile& tile, const Ground& ground, const Near& p, Body body) {
  const double f = conflict_of<rule>(tile.r_max, p.r) * (1 + 1e-9);
  const auto clamped = [&](double cell) {
    return static_cast<int>(std::clamp(cell, 0.0, tile.cells - 1.0));
  };
  const Vec2 from = p.at - Vec2{tile.box.x0, tile.box.y0};
  const double w = tile.cell_width;
  const double h = tile.cell_height;
  if (from.x + f < 0 || from.y + f < 0 || from.x - f > tile.cells * w ||
      from.y - f > tile.cells * h) {
    return;
  }
  const int left = clamped((from.x - f) / w);
  const int right = clamped((from.x + f) / w);
  const int bottom = clamped((from.y + f) / h);
  for (int j = clamped((from.y - f) / h); j <= bottom; ++j) {
    const double dy = std::max({0.0, j * h - from.y, from.y - (j + 1) * h});
    for (int i = left; i <= right; ++i) {
      const auto cell = static_cast<std::size_t>(j * tile.cells + i);
      const double dx = std::max({0.0, i * w - from.x, from.x - (i + 1) * w});
      const double reach = conflict_of<rule>(ground.largest[cell], p.r) * (1 + 1e-9);
      if (dx * dx + dy * dy <= reach * reach) body(cell);
    }
  }
}

// One window of time after the other.
template <ConflictRule rule>
class Throwing {
 public:
  Throwing(const TileSet& set, const SafeField& field, const PointSet& kept, Context& context)
      : set_(set), field_(field), context_(context) {
    grounds_.resize(set.tiles().size());
    for (std::uint32_t t = 0; t < grounds_.size(); ++t) active_.push_back(t);
    const Obstacles obstacles(set, kept);
    for_tiles(active_, [&](std::uint32_t t) {
      begin(t);
      obstacles.for_each_near(t, [&](const Obstacles::Point& p) { absorb(t, {p.at, p.r}); });
    });
  }

  bool done() const { return active_.empty(); }

  // The points among the darts of the window, and all that were looked at.
  void run(const TimeWindow& window, std::vector<Dart>& points, std::vector<Dart>* thrown) {
    for_tiles(active_, [&](std::uint32_t t) {
      Ground& ground = grounds_[t];
      const AroundGround<rule> around{ground};
      SquareVisit visit(field_, set_.domain(), set_.tiles()[t], t, window, context_.seed, around);
      visit.live.reserve(ground.live.size());
      visit.visit(ground.live);
      ground.live = std::move(visit.live);
      ground.darts = std::move(visit.darts);
    });
    busy_.clear();
    std::size_t darts = 0;
    for (const std::uint32_t t : active_) {
      grounds_[t].first = darts;
      darts += grounds_[t].darts.size();
      if (!grounds_[t].darts.empty()) busy_.push_back(t);
    }
    states_.assign(darts, waiting);
    for_tiles(busy_, [&](std::uint32_t t) { find_rivals(t); });
    decide();
    for (const std::uint32_t t : busy_) {
      const Ground& ground = grounds_[t];
      if (thrown != nullptr)
        thrown->insert(thrown->end(), ground.darts.begin(), ground.darts.end());
      for (std::size_t i = 0; i < ground.darts.size(); ++i) {
        if (states_[ground.first + i] == accepted) points.push_back(ground.darts[i]);
      }
    }
    std::erase_if(active_, [&](std::uint32_t t) {
      if (grounds_[t].live.empty()) grounds_[t].near = {};
      return grounds_[t].live.empty();
    });
    for_tiles(active_, [&](std::uint32_t t) { absorb_points(t); });
    for (const std::uint32_t t : busy_) grounds_[t].darts.clear();
  }

 private:
  template <class Body>
  void for_tiles(const std::vector<std::uint32_t>& tiles, Body body) {
    parallel_for(context_, tiles.size(), [&](std::size_t i) { body(tiles[i]); });
  }

  void begin(std::uint32_t t) {
    const Tile& tile = set_.tiles()[t];
    Ground& ground = grounds_[t];
    const auto cells = static_cast<std::size_t>(tile.cells * tile.cells);
    ground.live.push_back({});
    ground.near.resize(cells);
    ground.largest.assign(cells, tile.r_max);
    if (tile.r_max == tile.r_min) return;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const std::size_t row = cell / static_cast<std::size_t>(tile.cells);
      const auto i = static_cast<double>(cell % static_cast<std::size_t>(tile.cells));
      const auto j = static_cast<double>(row);
      ground.largest[cell] =
          field_
              .bounds({tile.box.x0 + i * tile.cell_width, tile.box.y0 + j * tile.cell_height,
                       tile.box.x0 + (i + 1) * tile.cell_width,
                       tile.box.y0 + (j + 1) * tile.cell_height})
              .max;
    }
  }

  void absorb(std::uint32_t t, const Near& p) {
    Ground& ground = grounds_[t];
    for_each_cell_near<rule>(set_.tiles()[t], ground, p, [&](std::size_t cell) {
      std::vector<Near>& near = ground.near[cell];
      if (near.empty()) near.reserve(usual_near);
      near.push_back(p);
    });
  }

  void absorb_points(std::uint32_t t) {
    for (const TileLink& link : set_.links(t)) {
      const Ground& other = grounds_[link.tile];
      for (std::size_t i = 0; i < other.darts.size(); ++i) {
        if (states_[other.first + i] != accepted) continue;
        absorb(t, {other.darts[i].at + set_.shifts[link.shift], other.darts[i].r});
      }
    }
  }

  void find_rivals(std::uint32_t t) {
    struct Other {
      Vec2 at;
      double r, time;
      std::size_t index;
    };
    // Of each cell the first entry, and of each entry the next one.
    struct Entry {
      std::uint32_t other, next;
    };
    constexpr std::uint32_t none = ~0U;
    std::array<std::uint32_t, tile_cells * tile_cells> head;
    head.fill(none);
    std::vector<Other> others;
    std::vector<Entry> entries;
    const Tile& tile = set_.tiles()[t];
    Ground& ground = grounds_[t];
    others.reserve(4 * ground.darts.size());
    entries.reserve(16 * ground.darts.size());
    for (const TileLink& link : set_.links(t)) {
      const Ground& from = grounds_[link.tile];
      for (std::size_t i = 0; i < from.darts.size(); ++i) {
        const Dart& dart = from.darts[i];
        if (dart.time > ground.darts.back().time) break;
        const Near place{dart.at + set_.shifts[link.shift], dart.r};
        const auto other = static_cast<std::uint32_t>(others.size());
        bool seen = false;
        for_each_cell_near<rule>(tile, ground, place, [&](std::size_t cell) {
          entries.push_back({other, head[cell]});
          head[cell] = static_cast<std::uint32_t>(entries.size() - 1);
          seen = true;
        });
        if (seen) others.push_back({place.at, dart.r, dart.time, from.first + i});
      }
    }
    ground.rivals.clear();
    ground.rivals_end.clear();
    for (std::size_t i = 0; i < ground.darts.size(); ++i) {
      const Dart& own = ground.darts[i];
      for (std::uint32_t k = head[cell_at(tile, own.at)]; k != none; k = entries[k].next) {
        const Other& other = others[entries[k].other];
        const double f = conflict_of<rule>(own.r, other.r);
        const bool earlier =
            other.time < own.time || (other.time == own.time && other.index < ground.first + i);
        if (earlier && length_squared(own.at - other.at) < f * f) {
          ground.rivals.push_back(static_cast<std::uint32_t>(other.index));
        }
      }
      ground.rivals_end.push_back(static_cast<std::uint32_t>(ground.rivals.size()));
    }
  }

  // Every state follows from those of earlier darts, so it does not matter who looks when.
  void decide() {
    std::vector<std::uint32_t> pending = busy_;
    std::vector<std::uint8_t> open(grounds_.size());
    while (!pending.empty()) {
      for_tiles(pending, [&](std::uint32_t t) { open[t] = decide(grounds_[t]) ? 0 : 1; });
      std::erase_if(pending, [&](std::uint32_t t) { return open[t] == 0; });
    }
  }
  // True where none waits any more.
  bool decide(const Ground& ground) {
    bool settled = true;
    std::size_t k = 0;
    for (std::size_t i = 0; i < ground.darts.size(); ++i) {
      const std::size_t end = ground.rivals_end[i];
      const std::atomic_ref<std::uint8_t> own(states_[ground.first + i]);
      if (own.load(std::memory_order_relaxed) == waiting) {
        std::uint8_t state = accepted;
        for (std::size_t j = k; j < end && state != refused; ++j) {
          const std::atomic_ref<std::uint8_t> other(states_[ground.rivals[j]]);
          const std::uint8_t theirs = other.load(std::memory_order_relaxed);
          if (theirs == accepted) state = refused;
          if (theirs == waiting) state = waiting;
        }
        own.store(state, std::memory_order_relaxed);
        settled = settled && state != waiting;
      }
      k = end;
    }
    return settled;
  }

  const TileSet& set_;
  const SafeField& field_;
  Context& context_;
  std::vector<Ground> grounds_;
  std::vector<std::uint32_t> active_;  // tiles with live squares
  std::vector<std::uint32_t> busy_;    // tiles with darts
  std::vector<std::uint8_t> states_;   // of darts
};

// Where radii vary so wildly that tiles have too many neighbors: a tree answers, on one thread.
template <ConflictRule rule>
class WildThrowing {
 public:
  WildThrowing(const TileSet& set, const SafeField& field, const PointSet& kept, Context& context)
      : set_(set), field_(field), context_(context), tree_(set.domain()) {
    for (std::size_t i = 0; i < kept.size(); ++i) {
      tree_.add(kept[i], static_cast<double>(kept.radius[i]) * safety);
    }
    live_.assign(set.tiles().size(), {LiveSquare{}});
  }

  bool done() const { return done_; }

  bool covers(std::size_t, const Box& box, double r_min) const {
    return tree_.least_ratio(box, r_min, rule, 1) < 1;
  }
  bool conflicts(std::size_t, Vec2 p, double r) const { return tree_.conflicts(p, r, rule); }

  void run(const TimeWindow& window, std::vector<Dart>& points, std::vector<Dart>* thrown) {
    std::vector<Dart> darts;
    done_ = true;
    for (std::uint32_t t = 0; t < live_.size(); ++t) {
      if (live_[t].empty()) continue;
      if (t % 256 == 0) context_.check();
      SquareVisit visit(field_, set_.domain(), set_.tiles()[t], t, window, context_.seed, *this);
      visit.visit(live_[t]);
      live_[t] = std::move(visit.live);
      done_ = done_ && live_[t].empty();
      darts.insert(darts.end(), visit.darts.begin(), visit.darts.end());
    }
    std::sort(darts.begin(), darts.end(),
              [](const Dart& a, const Dart& b) { return a.time < b.time; });
    for (const Dart& dart : darts) {
      if (tree_.conflicts(dart.at, dart.r, rule)) continue;
      tree_.add(dart.at, dart.r);
      points.push_back(dart);
    }
    if (thrown != nullptr) thrown->insert(thrown->end(), darts.begin(), darts.end());
  }

 private:
  const TileSet& set_;
  const SafeField& field_;
  Context& context_;
  RadiusTree tree_;
  std::vector<std::vector<LiveSquare>> live_;
  bool done_ = false;
};

template <class Work>
PointSet run(Work&& work, const DensityField& field, double expected, Context& context,
             std::vector<Dart>* thrown) {
  const auto by_time = [](const Dart& a, const Dart& b) { return a.time < b.time; };
  const Domain& domain = field.domain();
  const double largest = field.radius_bounds({0, 0, domain.width, domain.height}).max;
  PointSet points;
  points.domain = domain;
  std::vector<Dart> fresh;
  TimeWindow window{0, 0, first_darts / (largest * largest)};
  while (!work.done()) {
    fresh.clear();
    const std::size_t before = thrown == nullptr ? 0 : thrown->size();
    work.run(window, fresh, thrown);
    std::sort(fresh.begin(), fresh.end(), by_time);
    for (const Dart& dart : fresh) {
      points.add(dart.at, static_cast<float>(field.radius(dart.at)));
    }
    if (thrown != nullptr) {
      std::sort(thrown->begin() + static_cast<std::ptrdiff_t>(before), thrown->end(), by_time);
    }
    window.from += window.length;
    window.length = (stretch - 1) * window.from;
    ++window.index;
    context.progress(std::min(1.0, static_cast<double>(points.size()) / std::max(1.0, expected)));
  }
  return points;
}

}  // namespace

PointSet dart_throwing(const DensityField& field, const SampleOptions& options, Context& context,
                       std::vector<Dart>* thrown) {
  const double expected =
      packing_constant(SampleMethod::dart_throwing, options.conflict) * field.integral();
  context.require_memory(expected * 250, "throwing darts for so many points");
  TileSet set(field, options.conflict, context);
  const bool linked = set.link(context.seed);
  const SafeField safe(field);
  const PointSet kept = kept_points(field, options);
  return with_rule(options.conflict, [&](auto rule) {
    if (!linked) {
      return run(WildThrowing<rule>(set, safe, kept, context), field, expected, context, thrown);
    }
    return run(Throwing<rule>(set, safe, kept, context), field, expected, context, thrown);
  });
}

PointSet dart_throwing(const DensityField& field, const SampleOptions& options, Context& context) {
  return dart_throwing(field, options, context, nullptr);
}

}  // namespace dapple
