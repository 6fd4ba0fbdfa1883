// Measures patches of hexagonal lattice: how far the order of six neighbors reaches.
#include <array>
#include <cmath>
#include <vector>

#include "analyze/figures.hpp"
#include "core/parallel.hpp"

namespace dapple {
namespace {

constexpr int farthest = 16;              // spacings
constexpr int considered = 24;            // nearest points; they include the Voronoi neighbors
constexpr std::size_t most_dots = 20000;  // points whose pairs are counted
constexpr double inside = 4;              // spacings from a border

// A corner of a Voronoi cell, and the neighbor beyond the edge that begins there.
struct Corner {
  Vec2 at;
  std::size_t beyond;
};

// Removes the part of a convex cell around the origin that is nearer to the point at `to`.
void cut(std::vector<Corner>& cell, Vec2 to, std::size_t who, std::vector<Corner>& scratch) {
  const double half = 0.5 * dot(to, to);
  scratch.clear();
  for (std::size_t k = 0; k < cell.size(); ++k) {
    const Corner& a = cell[k];
    const Corner& b = cell[(k + 1) % cell.size()];
    const double da = dot(a.at, to) - half;
    const double db = dot(b.at, to) - half;
    if (da <= 0) scratch.push_back(a);
    if ((da <= 0) == (db <= 0)) continue;
    const Vec2 crossing = a.at + (b.at - a.at) * (da / (da - db));
    scratch.push_back({crossing, da <= 0 ? who : a.beyond});
  }
  cell.swap(scratch);
}

struct Order {
  Vec2 psi;            // mean of exp(6 i angle) over the neighbors, as a complex number
  double spacing = 0;  // sqrt(area of the cell)
};

Order order_of(const std::vector<Vec2>& others) {
  constexpr std::size_t nobody = static_cast<std::size_t>(-1);
  Order order;
  if (others.empty()) return order;
  const double side = 2 * length(others.back());
  std::vector<Corner> cell{{{-side, -side}, nobody},
                           {{side, -side}, nobody},
                           {{side, side}, nobody},
                           {{-side, side}, nobody}};
  std::vector<Corner> scratch;
  for (std::size_t k = 0; k < others.size(); ++k) cut(cell, others[k], k, scratch);
  double twice = 0;
  double count = 0;
  for (std::size_t k = 0; k < cell.size(); ++k) {
    const Vec2 a = cell[k].at;
    const Vec2 b = cell[(k + 1) % cell.size()].at;
    twice += a.x * b.y - a.y * b.x;
    if (cell[k].beyond == nobody) continue;
    const Vec2 d = others[cell[k].beyond] * (1 / length(others[cell[k].beyond]));
    const Vec2 squared{d.x * d.x - d.y * d.y, 2 * d.x * d.y};
    const Vec2 fourth{squared.x * squared.x - squared.y * squared.y, 2 * squared.x * squared.y};
    order.psi = order.psi + Vec2{fourth.x * squared.x - fourth.y * squared.y,
                                 fourth.x * squared.y + fourth.y * squared.x};
    ++count;
  }
  if (count > 0) order.psi = order.psi * (1 / count);
  order.spacing = std::sqrt(0.5 * twice);
  return order;
}

}  // namespace

double grain_of(const Points& points, Context& context) {
  const Domain& domain = points.domain;
  const double mean =
      std::sqrt(domain.area() / static_cast<double>(std::max<std::size_t>(points.size(), 1)));
  const double margin = domain.wrap ? 0 : inside * mean;
  const PointIndex index(points);
  std::vector<Order> orders(points.size());
  constexpr std::size_t block = 1024;
  const std::size_t blocks = (points.size() + block - 1) / block;
  const auto is_inside = [&](Vec2 p) {
    return domain.wrap || (std::min(p.x, domain.width - p.x) >= margin &&
                           std::min(p.y, domain.height - p.y) >= margin);
  };
  parallel_for(context, blocks, [&](std::size_t b) {
    std::vector<Neighbor> found;
    std::vector<Vec2> others;
    for (std::size_t i = b * block; i < std::min(points.size(), (b + 1) * block); ++i) {
      index.nearest(points[i], considered, found, static_cast<std::int32_t>(i));
      others.clear();
      for (const Neighbor& other : found) {
        if (other.distance <= 0) continue;
        others.push_back(domain.delta(points[i], points[static_cast<std::size_t>(other.index)]));
      }
      orders[i] = order_of(others);
    }
  });

  struct Sums {
    std::array<double, farthest + 1> product{};
    std::array<double, farthest + 1> pairs{};
    double own = 0;
    double dots = 0;
  };
  std::vector<Sums> sums(blocks);
  const std::size_t step = 1 + points.size() / most_dots;
  parallel_for(context, blocks, [&](std::size_t b) {
    std::vector<Neighbor> found;
    Sums& sum = sums[b];
    for (std::size_t i = b * block; i < std::min(points.size(), (b + 1) * block); ++i) {
      const Order& own = orders[i];
      if (i % step != 0 || !is_inside(points[i]) || !(own.spacing > 0)) continue;
      sum.own += dot(own.psi, own.psi);
      ++sum.dots;
      index.within(points[i], (farthest + 0.5) * std::min(own.spacing, 2 * mean), found);
      for (const Neighbor& other : found) {
        const auto j = static_cast<std::size_t>(other.index);
        if (j == i || !is_inside(points[j])) continue;
        const double spacing = 0.5 * (own.spacing + orders[j].spacing);
        const auto bin = static_cast<std::size_t>(std::lround(other.distance / spacing));
        if (bin > farthest) continue;
        sum.product[bin] += dot(own.psi, orders[j].psi);
        ++sum.pairs[bin];
      }
    }
  });
  Sums all;
  for (const Sums& sum : sums) {
    for (std::size_t k = 0; k <= farthest; ++k) {
      all.product[k] += sum.product[k];
      all.pairs[k] += sum.pairs[k];
    }
    all.own += sum.own;
    all.dots += sum.dots;
  }
  if (!(all.own > 0)) return 0;
  constexpr double level = 0.36787944117144233;  // 1 / e
  double before = 1;
  for (std::size_t k = 1; k <= farthest; ++k) {
    if (all.pairs[k] == 0) continue;
    const double here = (all.product[k] / all.pairs[k]) / (all.own / all.dots);
    const auto r = static_cast<double>(k);
    if (here < level) return r - 1 + (before - level) / (before - here);
    before = here;
  }
  return farthest;
}

}  // namespace dapple
