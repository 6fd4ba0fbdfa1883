// Throws darts at a space (dart_space.hpp), one window of time after another:
//
// 1. grow: each tile takes the points of the last window, drops covered cells and throws darts.
// 2. number: darts get numbers, tile after tile, which do not depend on threads.
// 3. find earlier: each dart lists the earlier darts that it conflicts with.
// 4. settle: a dart stays if it conflicts with no earlier dart that stays.
// 5. keep: the darts that stay become points, which neighbors see in the next window.
// 6. drop: tiles without live cells are done.
//
// The points are those of darts thrown one after the other for ever, whatever the tiles are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dapple/context.hpp"
#include "sample/engine/dart_space.hpp"
#include "sample/engine/darts_in_time.hpp"
#include "sample/engine/tile_schedule.hpp"

namespace dapple::engine {

template <DartSpace S>
class DartWindows {
 public:
  using Darts = typename S::Darts;
  using Point = typename S::Point;

  // Keeps references to both.
  DartWindows(S& space, Context& context)
      : space_(space),
        context_(context),
        tiles_(space.tile_count()),
        groups_(tiles_.count()),
        by_tile_(space.make_store()),
        first_dart_(space.tile_count() + 1) {
    by_tile_.first.resize(space.tile_count() + 1);
  }

  // Adds earlier points of the same set. The first window sees them; for_points() skips them.
  // `tile_of` holds the tile of each.
  void add_earlier(const Darts& points, const std::vector<std::uint32_t>& tile_of) {
    const auto order = in_order_of_tiles(tile_of, space_.tile_count(), by_tile_.first);
    space_.resize(by_tile_.store, order.size());
    for (std::size_t n = 0; n < order.size(); ++n) {
      space_.set(by_tile_.store, n, points, order[n], -1);
    }
    space_.finish(by_tile_.store);
  }

  // Throws darts until the space is covered. `head_start`: darts per unit of space of each class
  // before those of the next class.
  void run(const std::vector<double>& head_start = {}) {
    const auto all = static_cast<double>(tiles_.active.size());
    const auto head_starts = rates_of_head_starts(head_start);
    for (; !tiles_.active.empty(); ++window_) {
      space_.begin(window_, rates_of(window_, space_.class_count(), head_starts));
      tiles_.for_each(context_, scratch_,
                      [&](std::size_t g, Scratch& scratch) { grow(g, scratch); });
      number();
      tiles_.for_each(context_, scratch_,
                      [&](std::size_t g, Scratch& scratch) { find_earlier(g, scratch); });
      keep(settle());
      std::erase_if(tiles_.active, [&](std::uint32_t t) { return space_.drop_if_done(t); });
      context_.progress(1 - static_cast<double>(tiles_.active.size()) / all);
    }
  }

  std::size_t size() const { return points_.size(); }
  // Calls body(point, tile, window) for all points, by tile, and within a tile by window.
  template <class Body>
  void for_points(const Body& body) const {
    std::vector<std::uint32_t> first;
    for (const std::uint32_t i : in_order_of_tiles(tile_of_, space_.tile_count(), first)) {
      body(points_[i], tile_of_[i], window_of_[i]);
    }
  }

 private:
  using Scratch = typename S::Scratch;
  using Group = DartGroup<Darts>;

  void grow(std::size_t g, Scratch& scratch) {
    Group& group = groups_[g];
    group.darts.clear();
    group.counts.clear();
    for (const std::uint32_t t : tiles_.tiles_of(g)) {
      const std::size_t before = group.darts.size();
      space_.grow(t, by_tile_, group.darts, scratch);
      group.counts.push_back(static_cast<std::uint32_t>(group.darts.size() - before));
    }
  }

  void number() {
    std::uint32_t count = 0;
    for (std::size_t g = 0; g < tiles_.count(); ++g) {
      groups_[g].first = count;
      count += static_cast<std::uint32_t>(groups_[g].darts.size());
    }
    std::size_t n = 0;
    std::size_t before = 0;
    tiles_.set_first(by_tile_.first, 0, [&](std::uint32_t) {
      before += groups_[n / TileGroups::size].counts[n % TileGroups::size];
      ++n;
      return before;
    });
    times_.resize(count);
    space_.resize(by_tile_.store, count);
    tiles_.for_each(context_, [&](std::size_t g) {
      const Group& group = groups_[g];
      for (std::size_t k = 0; k < group.darts.size(); ++k) {
        const std::size_t i = group.first + k;
        times_[i] = group.darts.time(k);
        space_.set(by_tile_.store, i, group.darts, k, static_cast<std::int32_t>(i));
      }
    });
    space_.finish(by_tile_.store);
  }

  void find_earlier(std::size_t g, Scratch& scratch) {
    Group& group = groups_[g];
    group.earlier.clear();
    group.earlier_counts.assign(group.darts.size(), 0);
    // Two darts hardly ever have the same time; then the one of the lesser number is earlier.
    const auto is_earlier = [&](std::uint32_t other, std::uint32_t own) {
      return times_[other] != times_[own] ? times_[other] < times_[own] : other < own;
    };
    const auto add = [&](std::uint32_t own, std::uint32_t other) {
      group.earlier.push_back(other);
      ++group.earlier_counts[own - group.first];
    };
    for (const std::uint32_t t : tiles_.tiles_of(g)) {
      if (by_tile_.first[t] == by_tile_.first[t + 1]) continue;
      space_.find_earlier(t, by_tile_, scratch, is_earlier, add);
    }
  }

  std::vector<bool> settle() {
    const auto groups = std::span<const Group>(groups_).first(tiles_.count());
    if constexpr (requires { &S::settle; }) {
      return space_.settle(groups, times_.size(), context_);
    } else {
      return settle_groups(groups);
    }
  }
  // Returns the number under which neighbors find a point.
  std::int32_t number_of_point(const Darts& darts, std::size_t k, std::size_t point) const {
    const auto number = static_cast<std::int32_t>(point);
    if constexpr (requires { &S::number_of_point; }) {
      return space_.number_of_point(darts, k, number);
    } else {
      return number;
    }
  }

  void keep(const std::vector<bool>& stays) {
    const std::size_t before = points_.size();
    std::size_t count = 0;
    std::swap(first_dart_, by_tile_.first);
    tiles_.set_first(by_tile_.first, 0, [&](std::uint32_t t) {
      for (std::uint32_t i = first_dart_[t]; i < first_dart_[t + 1]; ++i) {
        count += stays[i] ? 1 : 0;
      }
      return count;
    });
    points_.resize(before + count);
    tile_of_.resize(before + count);
    window_of_.resize(before + count, window_);
    space_.resize(by_tile_.store, count);
    tiles_.for_each(context_, [&](std::size_t g) {
      const Group& group = groups_[g];
      for (const std::uint32_t t : tiles_.tiles_of(g)) {
        std::size_t n = by_tile_.first[t];
        for (std::uint32_t i = first_dart_[t]; i < first_dart_[t + 1]; ++i) {
          if (!stays[i]) continue;
          const std::size_t k = i - group.first;
          space_.set(by_tile_.store, n, group.darts, k,
                     number_of_point(group.darts, k, before + n));
          points_[before + n] = space_.point(group.darts, k);
          tile_of_[before + n++] = t;
        }
      }
    });
    space_.finish(by_tile_.store);
  }

  S& space_;
  Context& context_;
  TileGroups tiles_;
  std::vector<Group> groups_;
  Pool<Scratch> scratch_;
  // The points of the last window until tiles have grown, then the darts of this window until they
  // are settled.
  ByTile<typename S::Store> by_tile_;
  std::vector<std::uint32_t> first_dart_;  // of each tile, while `by_tile_` takes the points
  std::vector<std::uint64_t> times_;
  int window_ = 0;
  // All points, window by window.
  std::vector<Point> points_;
  std::vector<std::uint32_t> tile_of_;
  std::vector<std::int32_t> window_of_;
};

}  // namespace dapple::engine
