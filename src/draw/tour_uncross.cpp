// Finds and undoes crossings of the way.
//
// If two edges cross, reversing the part between them leaves two edges that are shorter together.
// So this ends (Flood 1956). A grid finds the edges; its squares are about twice as wide as the
// mean edge is long.
#include <algorithm>
#include <cmath>

#include "dapple/context.hpp"
#include "draw/order.hpp"

namespace dapple {
namespace {

// Returns twice the area of a triangle, with the sign of its turn.
double turn(Vec2 a, Vec2 b, Vec2 c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool cross(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  const double abc = turn(a, b, c);
  const double abd = turn(a, b, d);
  const double cda = turn(c, d, a);
  const double cdb = turn(c, d, b);
  return ((abc > 0 && abd < 0) || (abc < 0 && abd > 0)) &&
         ((cda > 0 && cdb < 0) || (cda < 0 && cdb > 0));
}

// Edge i goes from the i-th dot of the way to the next.
class Edges {
 public:
  Edges(const Points& points, std::span<const std::int32_t> way) : points_(points), way_(way) {
    double total = 0;
    for (std::size_t i = 0; i + 1 < way.size(); ++i) total += length(end(i + 1) - end(i));
    side_ = std::max(2 * total / static_cast<double>(way.size()), 1e-9);
    const double most = 4 * std::sqrt(static_cast<double>(way.size())) + 1;
    side_ = std::max({side_, points.domain.width / most, points.domain.height / most});
    columns_ = static_cast<std::size_t>(points.domain.width / side_) + 1;
    rows_ = static_cast<std::size_t>(points.domain.height / side_) + 1;
    // Edges are counted per square, then filled in.
    start_.assign(columns_ * rows_ + 1, 0);
    each([&](std::size_t square, std::int32_t) { ++start_[square + 1]; });
    for (std::size_t s = 1; s < start_.size(); ++s) start_[s] += start_[s - 1];
    edges_.resize(start_.back());
    std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
    each([&](std::size_t square, std::int32_t edge) { edges_[next[square]++] = edge; });
  }

  // Calls found(i, j) for pairs i < j of edges that cross. A pair may come more than once.
  template <class Found>
  void crossings(const Found& found) const {
    for (std::size_t s = 0; s + 1 < start_.size(); ++s) {
      for (std::size_t k = start_[s]; k < start_[s + 1]; ++k) {
        for (std::size_t l = k + 1; l < start_[s + 1]; ++l) {
          const auto i = static_cast<std::size_t>(edges_[k]);
          const auto j = static_cast<std::size_t>(edges_[l]);
          if (cross(end(i), end(i + 1), end(j), end(j + 1))) found(i, j);
        }
      }
    }
  }

 private:
  Vec2 end(std::size_t i) const { return points_[static_cast<std::size_t>(way_[i])]; }
  std::size_t square_of(double v, std::size_t count) const {
    return std::min(static_cast<std::size_t>(std::max(v / side_, 0.0)), count - 1);
  }

  template <class Body>
  void each(const Body& body) const {
    for (std::size_t i = 0; i + 1 < way_.size(); ++i) {
      const Vec2 a = end(i);
      const Vec2 b = end(i + 1);
      const std::size_t x1 = square_of(std::max(a.x, b.x), columns_);
      const std::size_t y1 = square_of(std::max(a.y, b.y), rows_);
      for (std::size_t y = square_of(std::min(a.y, b.y), rows_); y <= y1; ++y) {
        for (std::size_t x = square_of(std::min(a.x, b.x), columns_); x <= x1; ++x) {
          body(y * columns_ + x, static_cast<std::int32_t>(i));
        }
      }
    }
  }

  const Points& points_;
  std::span<const std::int32_t> way_;
  double side_ = 1;
  std::size_t columns_ = 1;
  std::size_t rows_ = 1;
  std::vector<std::size_t> start_;
  std::vector<std::int32_t> edges_;
};

}  // namespace

void undo_crossings(const Points& points, std::vector<std::int32_t>& way, const Context& context) {
  struct Pair {
    std::int32_t a, b, c, d;  // dots, a before b and c before d on the way
  };
  std::vector<std::int32_t> place(way.size());
  for (int pass = 0; pass < 100; ++pass) {
    context.check();
    std::vector<Pair> pairs;
    Edges(points, way).crossings([&](std::size_t i, std::size_t j) {
      pairs.push_back({way[i], way[i + 1], way[j], way[j + 1]});
    });
    if (pairs.empty()) return;
    for (std::size_t i = 0; i < way.size(); ++i) {
      place[static_cast<std::size_t>(way[i])] = static_cast<std::int32_t>(i);
    }
    const auto place_of = [&](std::int32_t dot) { return place[static_cast<std::size_t>(dot)]; };
    for (const Pair& pair : pairs) {
      // Earlier reversals may have removed the edges or changed their direction.
      if (std::abs(place_of(pair.a) - place_of(pair.b)) != 1) continue;
      if (std::abs(place_of(pair.c) - place_of(pair.d)) != 1) continue;
      const std::int32_t first = std::min(place_of(pair.a), place_of(pair.b));
      const std::int32_t second = std::min(place_of(pair.c), place_of(pair.d));
      const auto from = way.begin() + std::min(first, second) + 1;
      const auto to = way.begin() + std::max(first, second) + 1;
      std::reverse(from, to);
      for (auto dot = from; dot != to; ++dot) {
        place[static_cast<std::size_t>(*dot)] = static_cast<std::int32_t>(dot - way.begin());
      }
    }
  }
}

}  // namespace dapple
