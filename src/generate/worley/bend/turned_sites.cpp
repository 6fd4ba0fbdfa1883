// Places sites of cells that lie at an angle to the picture.
//
// If cells are made round, the picture is a torus whose periods are not at right angles: a box of
// one period's length. A place that leaves the box above enters it below, shifted. Darts fill the
// torus completely, on squares that get smaller until all are covered (Ebeida et al. 2012). A
// lattice must repeat in both periods: each period is a whole number of cells along and across.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "generate/worley/bend/turned.hpp"

namespace dapple::cells {
namespace {

// The torus, given by its shortest period and by the height and the shift of the next one.
class SlantedTorus {
 public:
  SlantedTorus(Vec2 u, Vec2 v) {
    // Lagrange's reduction.
    for (;;) {
      if (length_squared(v) < length_squared(u)) std::swap(u, v);
      const double times = std::round(dot(u, v) / length_squared(u));
      if (times == 0) break;
      v = v - u * times;
    }
    length_ = length(u);
    along_ = u * (1 / length_);
    if (along_.x * v.y - along_.y * v.x < 0) v = v * -1;
    moved_ = dot(along_, v);
    height_ = along_.x * v.y - along_.y * v.x;
  }

  double length_along() const { return length_; }
  double height() const { return height_; }
  double moved() const { return moved_; }  // along the box, where it is left upwards
  double area() const { return length_ * height_; }
  // Converts a place of the box to the frame of the periods.
  Vec2 in_frame(Vec2 p) const {
    return {along_.x * p.x - along_.y * p.y, along_.y * p.x + along_.x * p.y};
  }

 private:
  double length_, height_, moved_;
  Vec2 along_;
};

class Darts {
 public:
  Darts(const SlantedTorus& torus, double radius, Context& context)
      : torus_(torus), radius_(radius), context_(context) {
    const double side = radius / std::sqrt(2.0);
    const double most = std::ceil(torus.length_along() / side) * std::ceil(torus.height() / side);
    context.require_memory(100 * most, "turning the sites");
    columns_ = static_cast<std::int64_t>(std::ceil(torus.length_along() / side));
    rows_ = static_cast<std::int64_t>(std::ceil(torus.height() / side));
    bin_ = {torus.length_along() / static_cast<double>(columns_),
            torus.height() / static_cast<double>(rows_)};
    in_bin_.assign(static_cast<std::size_t>(columns_ * rows_), nobody);
  }

  // Returns the points in the order in which they were placed.
  const std::vector<Vec2>& thrown() {
    std::vector<Square> live;
    for (std::int64_t row = 0; row < rows_; ++row) {
      for (std::int64_t column = 0; column < columns_; ++column) {
        live.push_back({{static_cast<double>(column) * bin_.x, static_cast<double>(row) * bin_.y}});
      }
    }
    // Squares stop getting smaller when they are no wider than the rounding error of a distance.
    for (double part = 1; !live.empty() && part > 1e-9; part /= 2) {
      context_.check();
      throw_at(live, bin_ * part);
      live = uncovered(live, bin_ * (0.5 * part));
    }
    return points_;
  }

 private:
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
  struct Square {
    Vec2 corner;
    std::uint64_t key = 0;
  };

  // Throws a dart on each square, in random order.
  void throw_at(std::vector<Square>& squares, Vec2 size) {
    for (Square& square : squares) square.key = random_.bits();
    std::sort(squares.begin(), squares.end(),
              [](const Square& a, const Square& b) { return a.key < b.key; });
    for (const Square& square : squares) {
      const Vec2 p{std::min(square.corner.x + size.x * random_.uniform(),
                            std::nextafter(torus_.length_along(), 0)),
                   std::min(square.corner.y + size.y * random_.uniform(),
                            std::nextafter(torus_.height(), 0))};
      if (any_near(p, radius_, [](Vec2) { return true; })) continue;
      in_bin_[bin_of(p)] = static_cast<std::uint32_t>(points_.size());
      points_.push_back(p);
    }
  }

  // Returns the quarters, of this size, that no single point covers.
  std::vector<Square> uncovered(const std::vector<Square>& squares, Vec2 size) const {
    std::vector<Square> left;
    const Vec2 half = size * 0.5;
    for (const Square& square : squares) {
      for (const Vec2 way : {Vec2{0, 0}, Vec2{size.x, 0}, Vec2{0, size.y}, size}) {
        const Vec2 corner = square.corner + way;
        const auto covers = [&](Vec2 away) {
          const Vec2 farthest{std::abs(away.x) + half.x, std::abs(away.y) + half.y};
          return length_squared(farthest) < radius_ * radius_;
        };
        if (!any_near(corner + half, radius_, covers)) left.push_back({corner});
      }
    }
    return left;
  }

  // Returns true if test(away) holds for an image of a point at p + `away`, nearer than `reach`.
  template <class Test>
  bool any_near(Vec2 p, double reach, const Test& test) const {
    const auto first_row = static_cast<std::int64_t>(std::floor((p.y - reach) / bin_.y));
    const auto last_row = static_cast<std::int64_t>(std::floor((p.y + reach) / bin_.y));
    for (std::int64_t row = first_row; row <= last_row; ++row) {
      const std::int64_t times = floored(row, rows_);
      const Vec2 moved{static_cast<double>(times) * torus_.moved(),
                       static_cast<double>(times) * torus_.height()};
      const double from = p.x - reach - moved.x;
      const auto first = static_cast<std::int64_t>(std::floor(from / bin_.x));
      const auto last = static_cast<std::int64_t>(std::floor((from + 2 * reach) / bin_.x));
      for (std::int64_t column = first; column <= last; ++column) {
        const std::int64_t round = floored(column, columns_);
        const std::uint32_t point = in_bin_[static_cast<std::size_t>(
            (row - times * rows_) * columns_ + column - round * columns_)];
        if (point == nobody) continue;
        const Vec2 image =
            points_[point] + moved + Vec2{static_cast<double>(round) * torus_.length_along(), 0};
        if (length_squared(image - p) < reach * reach && test(image - p)) return true;
      }
    }
    return false;
  }
  static std::int64_t floored(std::int64_t at, std::int64_t period) {
    return at >= 0 ? at / period : -((period - 1 - at) / period);
  }
  std::size_t bin_of(Vec2 p) const {
    const auto column = std::min(static_cast<std::int64_t>(p.x / bin_.x), columns_ - 1);
    const auto row = std::min(static_cast<std::int64_t>(p.y / bin_.y), rows_ - 1);
    return static_cast<std::size_t>(row * columns_ + column);
  }

  const SlantedTorus& torus_;
  double radius_;
  Context& context_;
  Random random_{context_.seed, Stream::worley};
  std::int64_t columns_, rows_;
  Vec2 bin_;                           // no two points share a bin
  std::vector<std::uint32_t> in_bin_;  // point of each bin, or nobody
  std::vector<Vec2> points_;
};

// A lattice of cells in which both periods of the picture are whole numbers of cells.
struct PeriodicLattice {
  // The period to the right, and the period down, in cells along and across.
  std::int64_t right_along, right_across, down_along, down_across;

  std::int64_t size() const { return right_along * down_across - right_across * down_along; }
};

// Returns the lattice nearest to rectangles whose periods are `right` and `down`; if `alternates`,
// with an even number of rows in each period. `error` is how far their sides are off, in sides.
PeriodicLattice lattice_of(Vec2 right, Vec2 down, bool alternates, double& error) {
  const auto rows = [&](double at) {
    return alternates ? 2 * std::llround(0.5 * at) : std::llround(at);
  };
  const PeriodicLattice made{std::llround(right.x), rows(right.y), std::llround(down.x),
                             rows(down.y)};
  error = std::numeric_limits<double>::infinity();
  if (made.size() <= 0) return made;
  const auto n = static_cast<double>(made.size());
  const auto a = static_cast<double>(made.right_along), b = static_cast<double>(made.right_across);
  const auto c = static_cast<double>(made.down_along), d = static_cast<double>(made.down_across);
  // Differences between the sides of a cell and the wanted sides.
  const Vec2 side{(d * right.x - b * down.x) / n - 1, (d * right.y - b * down.y) / n};
  const Vec2 other{(a * down.x - c * right.x) / n, (a * down.y - c * right.y) / n - 1};
  error = std::sqrt(length_squared(side) + length_squared(other));
  return made;
}

}  // namespace

Points turned_darts(const Domain& domain, const CellFrame& frame, std::int64_t count, double radius,
                    Context& context) {
  const SlantedTorus torus(frame({domain.width, 0}), frame({0, domain.height}));
  std::vector<Vec2> thrown;
  if (count <= 0) {
    thrown = Darts(torus, radius, context).thrown();
  } else {
    // Places a few more darts than wanted: without the last ones, gaps are hardly wider.
    constexpr int attempts = 12;
    constexpr double packing = 0.7;
    const auto wanted = static_cast<double>(count);
    double tried = std::sqrt(packing * torus.area() / wanted);
    for (int attempt = 0; attempt < attempts || thrown.empty(); ++attempt) {
      std::vector<Vec2> some = Darts(torus, tried, context).thrown();
      const auto found = static_cast<double>(some.size());
      if (found >= wanted && (thrown.empty() || some.size() < thrown.size())) {
        thrown = std::move(some);
        radius = tried;
      }
      if (!thrown.empty() && static_cast<double>(thrown.size()) <= 1.002 * wanted) break;
      const double times = std::sqrt(found / wanted);
      tried *= found > wanted ? times : std::min(times, 1 - 0.1 / wanted);
    }
    thrown.resize(static_cast<std::size_t>(count));
  }
  Points sites;
  sites.domain = domain;
  Domain round = domain;
  round.wrap = true;
  for (const Vec2 p : thrown) {
    sites.add(round.wrapped(frame.back(torus.in_frame(p))), static_cast<float>(radius));
  }
  return sites;
}

Points turned_lattice(const Domain& domain, const SiteOptions& options, std::int64_t count,
                      Context& context) {
  const CellFrame frame(1, options.angle);
  const Vec2 right = frame({domain.width, 0});
  const Vec2 down = frame({0, domain.height});
  const double high = std::sqrt(domain.area() / static_cast<double>(count) / options.stretch);
  PeriodicLattice lattice{};
  double least = std::numeric_limits<double>::infinity();
  // Takes the least askew lattice among lattices of about `count` cells.
  constexpr int each_way = 20;
  double side = high;
  for (int i = -each_way; i <= each_way; ++i) {
    const double tried = high * (1 + 0.005 * i);
    const Vec2 cell{1 / (tried * options.stretch), 1 / tried};
    double error = 0;
    const PeriodicLattice made =
        lattice_of({right.x * cell.x, right.y * cell.y}, {down.x * cell.x, down.y * cell.y},
                   options.row_offset > 0, error);
    if (error >= least) continue;
    least = error;
    lattice = made;
    side = tried;
  }
  if (lattice.size() <= 0) {
    throw Error(ErrorKind::usage,
                Problem{"angle", "needs a lattice with more cells: raise `count`"});
  }
  const std::int64_t n = lattice.size();
  context.require_memory(20.0 * static_cast<double>(n), "the lattice of sites");
  const auto radius = static_cast<float>(side * std::min(options.stretch, 1.0));
  Domain round = domain;
  round.wrap = true;
  Points sites;
  sites.domain = domain;
  const auto [first_along, last_along] =
      std::minmax({std::int64_t{0}, lattice.right_along, lattice.down_along,
                   lattice.right_along + lattice.down_along});
  const auto [first_across, last_across] =
      std::minmax({std::int64_t{0}, lattice.right_across, lattice.down_across,
                   lattice.right_across + lattice.down_across});
  for (std::int64_t row = first_across; row <= last_across; ++row) {
    const double offset = row % 2 == 0 ? 0 : options.row_offset;
    for (std::int64_t column = first_along; column <= last_along; ++column) {
      // Takes one of all images of a site: its coordinates in the periods, times n, are in [0, n).
      const std::int64_t s = lattice.down_across * column - lattice.down_along * row;
      const std::int64_t t = lattice.right_along * row - lattice.right_across * column;
      if (s < 0 || s >= n || t < 0 || t >= n) continue;
      Random random(context.seed, Stream::simple_samplers, sites.size());
      const double u = 0.5 + *options.randomness * (random.uniform() - 0.5) + offset;
      const double v = 0.5 + *options.randomness * (random.uniform() - 0.5);
      const double along = static_cast<double>(column) + u;
      const double across = static_cast<double>(row) + v;
      const auto part = [n](double whole) { return whole / static_cast<double>(n); };
      const Vec2 p{part(static_cast<double>(lattice.down_across) * along -
                        static_cast<double>(lattice.down_along) * across) *
                       domain.width,
                   part(static_cast<double>(lattice.right_along) * across -
                        static_cast<double>(lattice.right_across) * along) *
                       domain.height};
      sites.add(round.wrapped(p), radius);
    }
  }
  return sites;
}

}  // namespace dapple::cells
