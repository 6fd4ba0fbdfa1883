// Counts cells in pixels. Each pixel belongs to the dot nearest to its center. Pixels are cut into
// smaller ones if cells would hold only a few. Pixels of a square of 8 x 8 search only the dots
// that can be nearest to any of them.
#include "relax/voronoi.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "field/plane_sum.hpp"
#include "relax/cut_pixels.hpp"
#include "relax/kernel/kernel.hpp"

namespace dapple {
namespace {

constexpr int square = 8;
constexpr double pixels_a_dot = 24;  // on average, at least
constexpr int lbg_iterations = 60;
constexpr double lbg_tolerance = 0.6;  // width of the range of masses that stay, at first
constexpr double lbg_growth = 0.01;
constexpr int last_moves = 10;
constexpr int recounts = 6;
constexpr double least_share = 0.45;  // smallest and largest mass of dots that stay
constexpr double most_share = 1.6;
constexpr double surplus_reach = 3;  // spacings
// Dots that a neighborhood may have too many or too few. A zoom soon thins out dots that are too
// many, and soon crowds dots that are too few, so these may be more.
constexpr double allowed = 0.4;
constexpr double allowed_in_zoom = 1;
constexpr double full_zoom = 0.01;  // relative growth per picture

// The part of the density that a dot holds.
struct Cell {
  double mass = 0;
  double area = 0;      // pixels
  double x = 0, y = 0;  // moments about the dot
  double xx = 0, xy = 0, yy = 0;
};

Plane<std::int32_t> nearest_dots(const Points& dots, int width, int height, Context& context) {
  Plane<std::int32_t> nearest(width, height);
  const PointIndex index(dots);
  const int columns = (width + square - 1) / square;
  const int rows = (height + square - 1) / square;
  const double corner = 0.5 * square * std::sqrt(2.0);
  parallel_for(context, static_cast<std::size_t>(rows), [&](std::size_t row) {
    std::vector<Neighbor> found;
    for (int column = 0; column < columns; ++column) {
      const int x0 = column * square;
      const int y0 = static_cast<int>(row) * square;
      const Vec2 middle{x0 + 0.5 * square, y0 + 0.5 * square};
      index.nearest(middle, 1, found);
      index.within(middle, found.front().distance + 2 * corner, found);
      for (int y = y0; y < std::min(height, y0 + square); ++y) {
        for (int x = x0; x < std::min(width, x0 + square); ++x) {
          double best = std::numeric_limits<double>::infinity();
          for (const Neighbor& dot : found) {
            const Vec2 p = dots[static_cast<std::size_t>(dot.index)];
            const double d2 = length_squared(p - Vec2{x + 0.5, y + 0.5});
            if (d2 < best) {
              best = d2;
              nearest(x, y) = dot.index;
            }
          }
        }
      }
    }
  });
  return nearest;
}

std::vector<Cell> cells_of(const Points& dots, const Plane<float>& density, Context& context) {
  const Plane<std::int32_t> nearest =
      nearest_dots(dots, density.width(), density.height(), context);
  std::vector<Cell> cells(dots.size());
  for (int y = 0; y < density.height(); ++y) {
    for (int x = 0; x < density.width(); ++x) {
      const auto mass = static_cast<double>(density(x, y));
      const auto i = static_cast<std::size_t>(nearest(x, y));
      cells[i].area += 1;
      if (!(mass > 0)) continue;
      const double dx = x + 0.5 - dots.x[i];
      const double dy = y + 0.5 - dots.y[i];
      Cell& cell = cells[i];
      cell.mass += mass;
      cell.x += mass * dx;
      cell.y += mass * dy;
      cell.xx += mass * dx * dx;
      cell.xy += mass * dx * dy;
      cell.yy += mass * dy * dy;
    }
  }
  return cells;
}

// Clamps `p` to the domain. Halves of split cells can lie outside, centroids cannot.
Vec2 inside(Vec2 p, const Domain& domain) {
  return {std::clamp(p.x, 0.0, std::nextafter(domain.width, 0.0)),
          std::clamp(p.y, 0.0, std::nextafter(domain.height, 0.0))};
}

Vec2 centroid(Vec2 dot, const Cell& cell) {
  return cell.mass > 0 ? dot + Vec2{cell.x, cell.y} * (1 / cell.mass) : dot;
}

void move_to_centroid(Points& dots, std::size_t i, const Cell& cell) {
  const Vec2 p = inside(centroid(dots[i], cell), dots.domain);
  dots.x[i] = p.x;
  dots.y[i] = p.y;
}

void move_to_centroids(Points& dots, const Plane<float>& density, Context& context) {
  const std::vector<Cell> cells = cells_of(dots, density, context);
  for (std::size_t i = 0; i < dots.size(); ++i) move_to_centroid(dots, i, cells[i]);
}

// Adds two dots for the halves of a cell, cut across its longest axis. They lie at the centroids
// that halves of an even ellipse have.
void split(Vec2 dot, const Cell& cell, std::uint64_t bits, Points& to) {
  const Vec2 middle = centroid(dot, cell);
  const Vec2 off = middle - dot;
  const double xx = cell.xx / cell.mass - off.x * off.x;
  const double xy = cell.xy / cell.mass - off.x * off.y;
  const double yy = cell.yy / cell.mass - off.y * off.y;
  const double half = 0.5 * (xx - yy);
  const double root = std::sqrt(half * half + xy * xy);
  // The variance along the longest axis. A single pixel has 1/12.
  const double longest = std::max(0.5 * (xx + yy) + root, 1.0 / 12);
  // (xy, longest - xx) lies along the axis, unless the cell is round or the axis is vertical.
  Vec2 axis = xx >= yy ? Vec2{half + root, xy} : Vec2{xy, root - half};
  if (!(length(axis) > 1e-9 * longest)) axis = (bits & 1) != 0 ? Vec2{1, 0} : Vec2{0, 1};
  const Vec2 step = axis * (0.85 * std::sqrt(longest) / length(axis));
  for (const Vec2 p : {middle + step, middle - step}) to.add(inside(p, to.domain), 0);
}

enum class Fate : std::uint8_t { stays, goes, splits };

// Returns the dots after their fates. The second half of a split counts as new.
RecountedDots successors(const Points& dots, const std::vector<Cell>& cells,
                         const std::vector<Fate>& fates, const Random& random, std::uint64_t draw) {
  RecountedDots next;
  next.dots.domain = dots.domain;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    if (fates[i] == Fate::goes) continue;
    next.from.push_back(static_cast<std::int32_t>(i));
    if (fates[i] == Fate::stays) {
      next.dots.add(dots[i], 0);
      continue;
    }
    split(dots[i], cells[i], random.at(draw + i), next.dots);
    next.from.push_back(-1);
  }
  return next;
}

// Splits the fullest cells or drops the emptiest ones to approach `count` dots.
std::vector<Fate> fates_for_count(const std::vector<Cell>& cells, std::int64_t count) {
  std::vector<std::size_t> by_mass(cells.size());
  std::iota(by_mass.begin(), by_mass.end(), std::size_t{0});
  const auto size = static_cast<std::int64_t>(cells.size());
  const auto changed = static_cast<std::size_t>(std::min(std::abs(count - size), size));
  std::sort(by_mass.begin(), by_mass.end(), [&](std::size_t a, std::size_t b) {
    if (cells[a].mass == cells[b].mass) return a < b;
    return count > size ? cells[a].mass > cells[b].mass : cells[a].mass < cells[b].mass;
  });
  std::vector<Fate> fates(cells.size(), Fate::stays);
  for (std::size_t k = 0; k < changed; ++k) {
    const std::size_t i = by_mass[k];
    if (count < size) fates[i] = Fate::goes;
    if (count > size && cells[i].mass > 0) fates[i] = Fate::splits;
  }
  return fates;
}

Fate fate_of(const Cell& cell, double least, double most) {
  return cell.mass < least ? Fate::goes : cell.mass > most ? Fate::splits : Fate::stays;
}

// Returns the surplus of dots around each dot, over a few spacings. Errors of single cells cancel
// there. Errors that dots pass on to neighbors, so that no cell stands out, add up.
std::vector<double> surpluses(const Points& dots, const PointIndex& index,
                              const std::vector<Cell>& cells, Context& context) {
  std::vector<double> sums(dots.size());
  constexpr std::size_t run = 256;
  parallel_for(context, (dots.size() + run - 1) / run, [&](std::size_t r) {
    std::vector<Neighbor> found;
    for (std::size_t i = r * run; i < std::min(dots.size(), (r + 1) * run); ++i) {
      const double reach = surplus_reach * std::sqrt(cells[i].area);
      index.within(dots[i], reach, found);
      for (const Neighbor& other : found) {
        const double u = other.distance / reach;
        const double weight = (1 - u * u) * (1 - u * u);
        sums[i] += weight * (1 - cells[static_cast<std::size_t>(other.index)].mass);
      }
    }
  });
  return sums;
}

// Changes cells that hold far too much or too little. Also changes one cell in each neighborhood
// that has a dot too many or too few.
std::vector<Fate> fates_by_share(const Points& dots, const std::vector<Cell>& cells, double growth,
                                 Context& context) {
  std::vector<Fate> fates;
  for (const Cell& cell : cells) fates.push_back(fate_of(cell, least_share, most_share));
  const PointIndex index(dots);
  const std::vector<double> surplus = surpluses(dots, index, cells, context);
  std::vector<Neighbor> found;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const double here = std::abs(surplus[i]);
    const double patience = std::clamp((surplus[i] > 0 ? growth : -growth) / full_zoom, 0.0, 1.0);
    if (here < allowed + (allowed_in_zoom - allowed) * patience) continue;
    index.within(dots[i], surplus_reach * std::sqrt(cells[i].area), found);
    // Only the dot with the largest surplus or lack changes its neighborhood.
    const bool most = std::all_of(found.begin(), found.end(), [&](const Neighbor& other) {
      const auto k = static_cast<std::size_t>(other.index);
      const double there = std::abs(surplus[k]);
      return there < here || (there == here && k >= i);
    });
    if (!most) continue;
    const bool too_many = surplus[i] > 0;
    std::size_t chosen = i;
    for (const Neighbor& other : found) {
      const auto k = static_cast<std::size_t>(other.index);
      const double more = cells[k].mass - cells[chosen].mass;
      if (too_many ? more < 0 : more > 0) chosen = k;
    }
    if (too_many) fates[chosen] = Fate::goes;
    if (!too_many && cells[chosen].mass > 0) fates[chosen] = Fate::splits;
  }
  return fates;
}

int cut_for(const Plane<float>& density, double dots) {
  const double pixels = static_cast<double>(density.size());
  return std::max(1, static_cast<int>(std::ceil(std::sqrt(pixels_a_dot * dots / pixels))));
}

Points lbg(const Plane<float>& density, double sum, std::int64_t count, Context& context) {
  const Random random(context.seed, Stream::relax, 1);
  Points dots = walk_dots(density, std::max<std::int64_t>(1, std::llround(sum / 8)), context);
  for (int i = 0; i < lbg_iterations; ++i) {
    const std::vector<Cell> cells = cells_of(dots, density, context);
    const double tolerance = 0.5 * (lbg_tolerance + lbg_growth * i);
    std::vector<Fate> fates(dots.size(), Fate::stays);
    bool same = true;
    for (std::size_t k = 0; k < dots.size(); ++k) {
      fates[k] = fate_of(cells[k], 1 - tolerance, 1 + tolerance);
      same &= fates[k] == Fate::stays;
      if (fates[k] == Fate::stays) move_to_centroid(dots, k, cells[k]);
    }
    RecountedDots next =
        successors(dots, cells, fates, random, static_cast<std::uint64_t>(i) << 32);
    // A very light picture may hold too little density for a single dot.
    if (next.dots.empty()) break;
    dots = std::move(next.dots);
    context.progress(static_cast<double>(i + 1) / lbg_iterations);
    if (same) break;
  }
  if (count == 0) return dots;
  for (int i = 0; i < last_moves || static_cast<std::int64_t>(dots.size()) != count; ++i) {
    if (static_cast<std::int64_t>(dots.size()) != count) {
      const std::size_t before = dots.size();
      const std::vector<Cell> cells = cells_of(dots, density, context);
      dots = successors(dots, cells, fates_for_count(cells, count), random, 0).dots;
      // No cell can be split: every pixel with mass has its dot.
      if (dots.size() == before) return walk_dots(density, count, context);
    }
    move_to_centroids(dots, density, context);
  }
  return dots;
}

}  // namespace

void relax_voronoi(Points& dots, const Plane<float>& density, int iterations, Context& context) {
  const int cut = cut_for(density, static_cast<double>(dots.size()));
  const Plane<float> finer = cut_pixels(density, cut, context);
  scale(dots, cut);
  for (int i = 0; i < iterations; ++i) {
    move_to_centroids(dots, finer, context);
    context.progress(static_cast<double>(i + 1) / iterations);
  }
  scale(dots, 1.0 / cut);
}

Points lbg_dots(const Plane<float>& density, std::int64_t count, Context& context) {
  const double sum = sum_of(density);
  const int cut = cut_for(density, sum);
  Points dots = lbg(cut_pixels(density, cut, context), sum, count, context);
  scale(dots, 1.0 / cut);
  return dots;
}

RecountedDots recount_dots(Points dots, const Plane<float>& density, std::int64_t count,
                           double growth, Context& context) {
  const int cut = cut_for(density, static_cast<double>(count));
  const Plane<float> finer = cut_pixels(density, cut, context);
  const Random random(context.seed, Stream::relax, 2);
  scale(dots, cut);
  RecountedDots made;
  made.from.resize(dots.size());
  std::iota(made.from.begin(), made.from.end(), 0);
  std::vector<Cell> cells;  // of the present dots; empty: not measured
  const auto pass_on = [&](const std::vector<Fate>& fates, int at) {
    RecountedDots next =
        successors(dots, cells, fates, random, static_cast<std::uint64_t>(at) << 32);
    for (std::int32_t& from : next.from) {
      if (from >= 0) from = made.from[static_cast<std::size_t>(from)];
    }
    dots = std::move(next.dots);
    made.from = std::move(next.from);
    cells.clear();
  };
  for (int i = 0; i < recounts && !dots.empty(); ++i) {
    cells = cells_of(dots, finer, context);
    const std::vector<Fate> fates = fates_by_share(dots, cells, growth, context);
    if (std::count(fates.begin(), fates.end(), Fate::stays) ==
        static_cast<std::ptrdiff_t>(fates.size())) {
      break;
    }
    pass_on(fates, i);
  }
  for (int i = recounts; !dots.empty() && static_cast<std::int64_t>(dots.size()) != count; ++i) {
    const std::size_t before = dots.size();
    if (cells.empty()) cells = cells_of(dots, finer, context);
    pass_on(fates_for_count(cells, count), i);
    if (dots.size() == before) break;
  }
  scale(dots, 1.0 / cut);
  if (static_cast<std::int64_t>(dots.size()) != count) {
    dots = walk_dots(density, count, context);
    made.from.assign(dots.size(), -1);
  }
  made.dots = std::move(dots);
  return made;
}

}  // namespace dapple
