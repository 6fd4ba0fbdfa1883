// Shortens a stretch of the way.
//
// Chains of 2-opt moves start at one dot (Lin and Kernighan 1973). A move adds an edge to a near
// dot as long as more length is removed than added. The chain is kept if it closes shorter. Or-opt
// moves (Or 1976) carry short runs elsewhere. A queue holds the dots whose surroundings changed
// (Bentley 1992). The stretch is a ring with a fixed edge from its last dot to its first. So the
// shorter side of the ring can be reversed.
#include <algorithm>
#include <numeric>

#include "dapple/context.hpp"
#include "draw/order.hpp"

namespace dapple {
namespace {

// The choices that are tried at each step of a chain, and the most dots that one step reverses.
constexpr std::array<std::size_t, 8> breadth{3, 2, 1, 1, 1, 1, 1, 1};
constexpr std::int32_t most_turned = 100;

class Ring {
 public:
  Ring(const Points& points, const NearDots& near, std::span<const std::int32_t> way,
       const std::vector<std::int32_t>& place, std::int32_t begin,
       std::vector<std::uint8_t>& settled)
      : size_(static_cast<std::int32_t>(way.size())),
        dots_(way.size()),
        near_(way.size()),
        way_(way.size()),
        queued_(way.size(), 0) {
    std::iota(way_.begin(), way_.end(), 0);
    place_ = way_;
    for (std::size_t i = 0; i < way.size(); ++i) {
      const auto dot = static_cast<std::size_t>(way[i]);
      dots_[i] = points[dot];
      near_[i].fill(-1);
      std::size_t kept = 0;
      for (const std::int32_t other : near[dot]) {
        if (other < 0 || kept == near_dots_tried) break;
        const std::int32_t local = place[static_cast<std::size_t>(other)] - begin;
        if (local >= 0 && local < size_) near_[i][kept++] = local;
      }
      // Another stretch examines near dots that are elsewhere.
      if (settled[dot] == 0) wake(static_cast<std::int32_t>(i));
      settled[dot] = kept == near_dots_tried ? 1 : 0;
    }
  }

  void shorten(const Context& context) {
    // Every move shortens the way, so this ends; the bound keeps the worst case linear.
    const std::size_t most = 60 * way_.size();
    for (std::size_t next = 0; next < queue_.size() && next < most; ++next) {
      if (next % 1024 == 0) context.check();
      const std::int32_t dot = queue_[next];
      queued_[static_cast<std::size_t>(dot)] = 0;
      while (improve(dot)) {
      }
    }
  }

  // Returns the dots from the first to the last.
  std::vector<std::int32_t> way() {
    std::vector<std::int32_t> result;
    if (next(0) == size_ - 1) mirrored_ = !mirrored_;
    for (std::int32_t dot = 0; static_cast<std::int32_t>(result.size()) < size_; dot = next(dot)) {
      result.push_back(dot);
    }
    return result;
  }

 private:
  struct Step {
    std::int32_t c, d;
    double gain;
  };

  std::int32_t wrapped(std::int32_t position) const {
    return position >= size_ ? position - size_ : position < 0 ? position + size_ : position;
  }
  std::int32_t at(std::int32_t position) const { return way_[static_cast<std::size_t>(position)]; }
  std::int32_t place(std::int32_t dot) const { return place_[static_cast<std::size_t>(dot)]; }
  std::int32_t next(std::int32_t dot) const {
    return at(wrapped(place(dot) + (mirrored_ ? -1 : 1)));
  }
  std::int32_t previous(std::int32_t dot) const {
    return at(wrapped(place(dot) + (mirrored_ ? 1 : -1)));
  }
  bool stays(std::int32_t a, std::int32_t b) const {
    return (a == 0 && b == size_ - 1) || (b == 0 && a == size_ - 1);
  }
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

  // Returns the number of dots that turn() moves.
  std::int32_t turned(std::int32_t a, std::int32_t b) const {
    const std::int32_t between = wrapped(place(b) - place(a));
    return std::min(between, size_ - between);
  }

  // Reverses the run from a to b.
  void turn(std::int32_t a, std::int32_t b) {
    std::int32_t from = place(mirrored_ ? b : a);
    std::int32_t to = place(mirrored_ ? a : b);
    std::int32_t count = wrapped(to - from) + 1;
    if (2 * count > size_) {
      // The rest is shorter: it is reversed instead, and the ring is read in the other direction.
      const std::int32_t end = wrapped(from - 1);
      from = wrapped(to + 1);
      to = end;
      count = size_ - count;
      mirrored_ = !mirrored_;
    }
    for (count /= 2; count > 0; --count) {
      const std::int32_t dot = at(from);
      put(from, at(to));
      put(to, dot);
      from = wrapped(from + 1);
      to = wrapped(to - 1);
    }
  }

  bool improve(std::int32_t a) {
    for (int side = 0; side < 2; ++side) {
      if (uncross(a)) return true;
      mirrored_ = !mirrored_;
    }
    if (carry(a)) return true;
    for (int side = 0; side < 2; ++side) {
      if (chain(a)) return true;
      mirrored_ = !mirrored_;
    }
    return false;
  }
  bool uncross(std::int32_t a);
  bool chain(std::int32_t a);
  bool extend(std::int32_t a, std::int32_t b, double gain, std::size_t depth);
  bool carry(std::int32_t a);
  bool carry_to(std::int32_t a, std::int32_t e, std::int32_t c, std::int32_t f, double removed);

  static constexpr double least_gain = 1e-7;

  std::int32_t size_;
  std::vector<Vec2> dots_;
  NearDots near_;
  std::vector<std::int32_t> way_;
  std::vector<std::int32_t> place_;
  bool mirrored_ = false;
  std::vector<std::uint8_t> queued_;
  std::vector<std::int32_t> queue_;
};

bool Ring::chain(std::int32_t a) {
  const std::int32_t b = next(a);
  if (stays(a, b)) return false;
  return extend(a, b, distance(a, b), 0);
}

// Tries a 2-opt move (Croes 1958): one step of a chain, examined before anything moves.
bool Ring::uncross(std::int32_t a) {
  const std::int32_t b = next(a);
  if (stays(a, b)) return false;
  const double ab = distance(a, b);
  for (const std::int32_t c : near_[static_cast<std::size_t>(b)]) {
    if (c < 0) break;
    const double left = ab - distance(b, c);
    if (left <= least_gain) break;
    if (c == a || c == next(b)) continue;
    const std::int32_t d = previous(c);
    if (stays(c, d)) continue;
    if (left + distance(c, d) - distance(d, a) <= least_gain) continue;
    turn(b, d);
    for (const std::int32_t dot : {a, b, c, d}) wake(dot);
    return true;
  }
  return false;
}

// Extends a chain. The edge a-b is open, and `gain` is the removed length minus the added length.
// With an edge b-c added and c-d removed, the way closes by d-a, which reverses b..d.
bool Ring::extend(std::int32_t a, std::int32_t b, double gain, std::size_t depth) {
  std::array<Step, near_dots> steps;
  std::size_t count = 0;
  for (const std::int32_t c : near_[static_cast<std::size_t>(b)]) {
    if (c < 0) break;
    const double left = gain - distance(b, c);
    if (left <= least_gain) break;
    if (c == a || c == next(b)) continue;
    const std::int32_t d = previous(c);
    if (stays(c, d)) continue;
    steps[count++] = {c, d, left + distance(c, d)};
  }
  const std::size_t tried = std::min(count, breadth[depth]);
  for (std::size_t i = 0; i < tried; ++i) {
    std::size_t best = i;
    for (std::size_t k = i + 1; k < count; ++k) {
      if (steps[k].gain > steps[best].gain) best = k;
    }
    std::swap(steps[i], steps[best]);
    const auto [c, d, open] = steps[i];
    const bool shorter = open - distance(d, a) > least_gain;
    if (!shorter && depth + 1 == breadth.size()) continue;
    if (turned(b, d) > most_turned) continue;
    turn(b, d);
    if (shorter || extend(a, d, open, depth + 1)) {
      for (const std::int32_t dot : {a, b, c, d}) wake(dot);
      return true;
    }
    turn(d, b);
  }
  return false;
}

// Tries to move a run of up to three dots from a on, in either direction. The run goes between a
// near dot and one of that dot's neighbors on the way.
bool Ring::carry(std::int32_t a) {
  for (int side = 0; side < 2; ++side, mirrored_ = !mirrored_) {
    const std::int32_t before = previous(a);
    if (stays(before, a)) continue;
    std::int32_t e = a;
    for (int run = 1; run <= 3; ++run, e = next(e)) {
      const std::int32_t after = next(e);
      if (after == before) break;
      if (stays(e, after)) continue;
      const double removed = distance(before, a) + distance(e, after) - distance(before, after);
      if (removed <= least_gain) continue;
      for (const std::int32_t c : near_[static_cast<std::size_t>(a)]) {
        if (c < 0 || distance(a, c) >= removed) break;
        if (c == a || c == e || (run == 3 && c == next(a))) continue;
        if (carry_to(a, e, c, next(c), removed)) return true;
        if (carry_to(a, e, c, previous(c), removed)) return true;
      }
    }
  }
  return false;
}

// Moves the run a..e between c and its neighbor f, with a beside c.
bool Ring::carry_to(std::int32_t a, std::int32_t e, std::int32_t c, std::int32_t f,
                    double removed) {
  if (f == a || f == e || stays(c, f)) return false;
  if (removed + distance(c, f) - distance(c, a) - distance(e, f) <= least_gain) return false;
  const std::int32_t before = previous(a);
  const std::int32_t after = next(e);
  // `before a..e after..low` becomes `before after..low e..a`.
  const bool behind = f == next(c);
  const std::int32_t low = behind ? c : f;
  turn(a, low);
  turn(low, after);
  if (behind) turn(e, a);
  for (const std::int32_t dot : {a, e, c, f, before, after}) wake(dot);
  return true;
}

}  // namespace

void shorten_stretch(const Points& points, const NearDots& near, std::span<std::int32_t> way,
                     const std::vector<std::int32_t>& place, std::int32_t begin,
                     std::vector<std::uint8_t>& settled, const Context& context) {
  if (way.size() < 8) return;
  Ring ring(points, near, way, place, begin, settled);
  ring.shorten(context);
  const std::vector<std::int32_t> old(way.begin(), way.end());
  const std::vector<std::int32_t> better = ring.way();
  for (std::size_t i = 0; i < way.size(); ++i) way[i] = old[static_cast<std::size_t>(better[i])];
}

}  // namespace dapple
