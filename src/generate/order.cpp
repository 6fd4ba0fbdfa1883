// An order of dots that keeps the pen's way short.
//
// The Hilbert (1891) curve first, 25 % longer than need be, then 2-opt (Croes 1958) and Or-opt (Or
// 1976) moves over lists of nearest neighbours, with a queue of dots whose surroundings changed
// (Bentley 1992). The way is cut into stretches of bounded length whose ends stay fixed, and cut
// again half a stretch later, so the work is O(N log N), runs in parallel, and does not depend on
// the threads or on a clock.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>

#include "core/parallel.hpp"
#include "dapple/stipple.hpp"

namespace dapple {
namespace {

constexpr int neighbour_count = 8;
constexpr std::size_t stretch = 16384;

// Distance along a Hilbert curve over 65536 x 65536 cells.
std::uint32_t hilbert_key(std::uint32_t x, std::uint32_t y) {
  std::uint32_t key = 0;
  for (std::uint32_t s = 1u << 15; s > 0; s >>= 1) {
    const std::uint32_t rx = (x & s) != 0 ? 1 : 0;
    const std::uint32_t ry = (y & s) != 0 ? 1 : 0;
    key = (key << 2) | ((3 * rx) ^ ry);
    if (ry == 0) {
      if (rx == 1) {
        x = ~x;
        y = ~y;
      }
      std::swap(x, y);
    }
  }
  return key;
}

std::vector<std::int32_t> hilbert_order(const PointSet& points) {
  const double side = std::max(points.domain.width, points.domain.height);
  const auto cell = [side](double v) {
    return static_cast<std::uint32_t>(std::clamp(v / side * 65536, 0.0, 65535.0));
  };
  std::vector<std::pair<std::uint32_t, std::int32_t>> keys(points.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = {hilbert_key(cell(points.x[i]), cell(points.y[i])), static_cast<std::int32_t>(i)};
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::int32_t> order(points.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = keys[i].second;
  return order;
}

using Neighbours = std::vector<std::array<std::int32_t, neighbour_count>>;  // -1: no more

Neighbours nearest_neighbours(const PointSet& points, Context& context) {
  Neighbours lists(points.size());
  const PointIndex index(points);
  constexpr std::size_t block = 1024;
  parallel_for(context, (points.size() + block - 1) / block, [&](std::size_t b) {
    std::vector<Neighbour> found;
    for (std::size_t i = b * block; i < std::min(points.size(), (b + 1) * block); ++i) {
      index.nearest(points[i], neighbour_count, found, static_cast<std::int32_t>(i));
      lists[i].fill(-1);
      for (std::size_t k = 0; k < found.size(); ++k) lists[i][k] = found[k].index;
    }
  });
  return lists;
}

// A stretch of the way, shortened with its first and last dot in their places. Its dots are named
// by their number along the way it starts with.
class Path {
 public:
  // `place` is where each dot stands on the whole way; neighbours elsewhere do not count.
  Path(const PointSet& points, const Neighbours& neighbours, std::span<const std::int32_t> way,
       const std::vector<std::int32_t>& place, std::int32_t begin)
      : last_(static_cast<std::int32_t>(way.size()) - 1),
        dots_(way.size()),
        near_(way.size()),
        way_(way.size()),
        place_(way.size()) {
    std::iota(way_.begin(), way_.end(), 0);
    place_ = way_;
    for (std::size_t i = 0; i < way.size(); ++i) {
      const auto dot = static_cast<std::size_t>(way[i]);
      dots_[i] = points[dot];
      near_[i].fill(-1);
      std::size_t kept = 0;
      for (const std::int32_t other : neighbours[dot]) {
        if (other < 0) break;
        const std::int32_t local = place[static_cast<std::size_t>(other)] - begin;
        if (local >= 0 && local <= last_) near_[i][kept++] = local;
      }
    }
  }

  // The dots in their new order.
  const std::vector<std::int32_t>& shorten(const Context& context) {
    queue_ = way_;
    queued_.assign(way_.size(), 1);
    // Every move shortens the way, so this ends; the bound keeps the worst case linear.
    const std::size_t most = 60 * way_.size();
    for (std::size_t next = 0; next < queue_.size() && next < most; ++next) {
      if (next % 1024 == 0) context.check();
      const std::int32_t dot = queue_[next];
      queued_[static_cast<std::size_t>(dot)] = 0;
      while (improve(dot)) {
      }
    }
    return way_;
  }

 private:
  std::int32_t at(std::int32_t position) const { return way_[static_cast<std::size_t>(position)]; }
  std::int32_t place(std::int32_t dot) const { return place_[static_cast<std::size_t>(dot)]; }
  bool on_way(std::int32_t position) const { return position >= 0 && position <= last_; }
  double distance(std::int32_t a, std::int32_t b) const {
    return length(dots_[static_cast<std::size_t>(a)] - dots_[static_cast<std::size_t>(b)]);
  }
  void wake(std::int32_t dot) {
    std::uint8_t& flag = queued_[static_cast<std::size_t>(dot)];
    if (flag != 0) return;
    flag = 1;
    queue_.push_back(dot);
  }
  void put(std::int32_t position, std::int32_t dot) {
    way_[static_cast<std::size_t>(position)] = dot;
    place_[static_cast<std::size_t>(dot)] = position;
  }
  void reverse(std::int32_t from, std::int32_t to) {
    for (; from < to; ++from, --to) {
      const std::int32_t a = at(from);
      put(from, at(to));
      put(to, a);
    }
  }

  bool improve(std::int32_t a) { return uncross(a, +1) || uncross(a, -1) || carry(a); }
  bool uncross(std::int32_t a, std::int32_t step);
  bool carry(std::int32_t a);
  bool carry_to(std::int32_t a, std::int32_t e, std::int32_t c, double removed);

  static constexpr double least_gain = 1e-7;

  std::int32_t last_;
  std::vector<Vec2> dots_;
  Neighbours near_;
  std::vector<std::int32_t> way_;
  std::vector<std::int32_t> place_;
  std::vector<std::uint8_t> queued_;
  std::vector<std::int32_t> queue_;
};

// 2-opt: edges a-b and c-d become a-c and b-d, b and d being the next (step 1) or the previous
// (step -1) dots of a and c.
bool Path::uncross(std::int32_t a, std::int32_t step) {
  const std::int32_t pa = place(a);
  if (!on_way(pa + step)) return false;
  const std::int32_t b = at(pa + step);
  const double ab = distance(a, b);
  for (const std::int32_t c : near_[static_cast<std::size_t>(a)]) {
    if (c < 0) break;
    const double ac = distance(a, c);
    if (ac >= ab) break;
    const std::int32_t pc = place(c);
    if (!on_way(pc + step)) continue;
    const std::int32_t d = at(pc + step);
    if (ab + distance(c, d) - ac - distance(b, d) <= least_gain) continue;
    const std::int32_t low = std::min(pa, pc) + (step > 0 ? 1 : 0);
    const std::int32_t high = std::max(pa, pc) - (step > 0 ? 0 : 1);
    reverse(low, high);
    for (const std::int32_t dot : {a, b, c, d}) wake(dot);
    return true;
  }
  return false;
}

// Or-opt: the run of up to three dots that starts at a, in either direction, moves between a near
// dot c and one of c's neighbours on the way, a next to c.
bool Path::carry(std::int32_t a) {
  const std::int32_t pa = place(a);
  for (const std::int32_t direction : {+1, -1}) {
    for (std::int32_t run = 1; run <= 3; ++run) {
      const std::int32_t pe = pa + direction * (run - 1);
      const std::int32_t before = pa - direction;
      const std::int32_t after = pe + direction;
      if (!on_way(before) || !on_way(after)) break;
      const std::int32_t e = at(pe);
      const double removed =
          distance(at(before), a) + distance(e, at(after)) - distance(at(before), at(after));
      if (removed <= least_gain) continue;
      for (const std::int32_t c : near_[static_cast<std::size_t>(a)]) {
        if (c < 0) break;
        if (distance(a, c) >= removed) break;
        if (carry_to(a, e, c, removed)) return true;
      }
    }
  }
  return false;
}

bool Path::carry_to(std::int32_t a, std::int32_t e, std::int32_t c, double removed) {
  const std::int32_t low = std::min(place(a), place(e));
  const std::int32_t high = std::max(place(a), place(e));
  const std::int32_t pc = place(c);
  if (pc >= low && pc <= high) return false;
  for (const std::int32_t step : {+1, -1}) {
    const std::int32_t pf = pc + step;
    if (!on_way(pf) || (pf >= low && pf <= high)) continue;
    const std::int32_t f = at(pf);
    const double added = distance(c, a) + distance(e, f) - distance(c, f);
    if (removed - added <= least_gain) continue;
    const std::array<std::int32_t, 6> woken{a, e, c, f, at(low - 1), at(high + 1)};
    // Turning a run over and its surroundings back moves it along the way.
    if (pc > high) {
      const std::int32_t to = std::min(pc, pf);
      reverse(low, to);
      reverse(low, to - (high - low) - 1);
      if ((step > 0) != (at(to - (high - low)) == a)) reverse(to - (high - low), to);
    } else {
      const std::int32_t from = std::max(pc, pf);
      reverse(from, high);
      reverse(from + (high - low) + 1, high);
      if ((step > 0) != (at(from) == a)) reverse(from, from + (high - low));
    }
    for (const std::int32_t dot : woken) wake(dot);
    return true;
  }
  return false;
}

void shorten(const PointSet& points, std::vector<std::int32_t>& way, Context& context) {
  const Neighbours neighbours = nearest_neighbours(points, context);
  std::vector<std::int32_t> place(way.size());
  const std::size_t size = way.size() <= stretch + stretch / 2 ? way.size() : stretch;
  for (const std::size_t offset : {size, size / 2}) {
    if (size == way.size() && offset < size) break;
    for (std::size_t i = 0; i < way.size(); ++i) {
      place[static_cast<std::size_t>(way[i])] = static_cast<std::int32_t>(i);
    }
    std::vector<std::size_t> cuts{0};
    for (std::size_t cut = offset; cut < way.size(); cut += size) cuts.push_back(cut);
    cuts.push_back(way.size());
    parallel_for(context, cuts.size() - 1, [&](std::size_t i) {
      const std::span<std::int32_t> part(way.data() + cuts[i], cuts[i + 1] - cuts[i]);
      const std::vector<std::int32_t> old(part.begin(), part.end());
      Path path(points, neighbours, old, place, static_cast<std::int32_t>(cuts[i]));
      const std::vector<std::int32_t>& better = path.shorten(context);
      for (std::size_t k = 0; k < part.size(); ++k) {
        part[k] = old[static_cast<std::size_t>(better[k])];
      }
    });
  }
}

}  // namespace

std::vector<std::int32_t> drawing_order(const PointSet& points, DotOrder order, Context& context) {
  std::vector<std::int32_t> ranks(points.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  if (order == DotOrder::none) return ranks;
  ranks = hilbert_order(points);
  if (order == DotOrder::hilbert || points.size() < 4) return ranks;

  // From here on a dot's name is its place on the curve: dots that are near are near in memory.
  PointSet sorted;
  sorted.domain = {points.domain.width, points.domain.height, false};
  for (const std::int32_t i : ranks) {
    const auto k = static_cast<std::size_t>(i);
    sorted.add(points[k], 0);
  }
  std::vector<std::int32_t> way(points.size());
  std::iota(way.begin(), way.end(), 0);
  shorten(sorted, way, context);
  for (std::int32_t& dot : way) dot = ranks[static_cast<std::size_t>(dot)];
  return way;
}

}  // namespace dapple
