// Packs points densely under one radius: points grow around points until no circle has a free place
// (Dunbar, Humphreys 2006: the next point is on the boundary of the covered area).
//
// Differences: each circle is walked only once. Only the ends of the arcs that its neighbors cover
// are tested. From each free end, the next point is a small random turn further on. This packs
// closer than a random place of the gap, and shows no crystals. Once every circle has been walked,
// no free area has an edge, so none is left and no fill is needed. Blocks of cells grow in color
// phases. They hand points beyond their border to the neighbor, until none is left. The number of
// threads does not change the result.
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "sample/conflict.hpp"
#include "sample/dense/dense.hpp"

namespace dapple {
namespace {

constexpr double turn = 0.4;  // radians: largest distance of a point from the start of its gap
constexpr double border_turn = 1.0;  // if the gap starts at the border of a flat domain
constexpr std::size_t window = 16;   // of the queue; a random choice keeps rows out of step
constexpr double nowhere = 1e30;
constexpr int ghosts = 4;       // cells around the grid that repeat the other side
constexpr int block_side = 64;  // cells, at least
// Places this much inside a disc, in units of r, still count as free. This is far above rounding,
// and far below the safety factor of discs.
constexpr double tolerance = 1e-11;

using Pair = double __attribute__((vector_size(16)));
using PairMask = std::int64_t __attribute__((vector_size(16)));

// Returns the unit vector turned counterclockwise by 2 atan(t).
Vec2 turned(Vec2 v, double t) {
  const double scale = 1 / (1 + t * t);
  const double c = (1 - t * t) * scale;
  const double s = 2 * t * scale;
  return {v.x * c - v.y * s, v.x * s + v.y * c};
}

// The arcs of a unit circle that discs or borders cover: the directions u with u d > c.
class Arcs {
 public:
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  Vec2 end(std::size_t i) const { return ends_[i]; }
  bool is_border(std::size_t i) const { return border_[i]; }

  // Adds a disc around d that is as large as the circle, in units of its radius.
  void add_disc(Vec2 d) {
    const double d2 = length_squared(d);
    const double side = std::sqrt(std::max(0.0, 1 / d2 - 0.25));
    add(d, 0.5 * d2, {0.5 * d.x - d.y * side, 0.5 * d.y + d.x * side}, false);
  }
  // Covers the directions that reach farther than c along n.
  void add_border(Vec2 n, double c) {
    const double side = std::sqrt(std::max(0.0, 1 - c * c));
    add(n, c, {n.x * c - n.y * side, n.y * c + n.x * side}, true);
  }

  bool is_free(Vec2 u) const {
    PairMask held{};
    for (std::size_t i = 0; i < size_; i += 2) {
      const Pair x{x_[i], x_[i + 1]};
      const Pair y{y_[i], y_[i + 1]};
      const Pair c{c_[i], c_[i + 1]};
      held |= u.x * x + u.y * y > c;
    }
    return (held[0] | held[1]) == 0;
  }

 private:
  void add(Vec2 d, double c, Vec2 end, bool border) {
    if (size_ + 2 > most) return;  // more than their distance from each other allows
    x_[size_] = d.x;
    y_[size_] = d.y;
    c_[size_] = c + tolerance;
    c_[size_ + 1] = nowhere;
    ends_[size_] = end;
    border_[size_] = border;
    ++size_;
  }

  static constexpr std::size_t most = 40;
  std::array<double, most> x_{}, y_{}, c_{};
  std::array<Vec2, most> ends_{};
  std::array<bool, most> border_{};
  std::size_t size_ = 0;
};

// Points in a grid of cells so small that each holds at most one.
class Grid {
 public:
  Grid(const Domain& domain, double radius) : domain_(domain), radius_(radius) {
    columns = cells_of(domain.width);
    rows = cells_of(domain.height);
    stride = columns + 2 * ghosts;
    across_ = columns / domain.width;
    down_ = rows / domain.height;
    reach_ = static_cast<int>(std::ceil(2 * radius * std::max(across_, down_)));
    const auto size =
        static_cast<std::size_t>(stride) * static_cast<std::size_t>(rows + 2 * ghosts);
    x_.assign(size, nowhere);
    y_.assign(size, nowhere);
  }

  int columns, rows, stride;

  int column_of(Vec2 p) const { return std::min(static_cast<int>(p.x * across_), columns - 1); }
  int row_of(Vec2 p) const { return std::min(static_cast<int>(p.y * down_), rows - 1); }
  std::int32_t cell(int column, int row) const { return (row + ghosts) * stride + column + ghosts; }
  int column_of(std::int32_t cell) const { return cell % stride - ghosts; }
  int row_of(std::int32_t cell) const { return cell / stride - ghosts; }
  bool holds(std::int32_t cell) const { return x_[static_cast<std::size_t>(cell)] < nowhere; }
  Vec2 at(std::int32_t cell) const {
    return {x_[static_cast<std::size_t>(cell)], y_[static_cast<std::size_t>(cell)]};
  }

  std::int32_t put(Vec2 p) {
    const int column = column_of(p);
    const int row = row_of(p);
    set(column, row, p);
    if (domain_.wrap) {
      const int i = column < ghosts ? 1 : column >= columns - ghosts ? -1 : 0;
      const int j = row < ghosts ? 1 : row >= rows - ghosts ? -1 : 0;
      const Vec2 moved{p.x + i * domain_.width, p.y + j * domain_.height};
      if (i != 0) set(column + i * columns, row, {moved.x, p.y});
      if (j != 0) set(column, row + j * rows, {p.x, moved.y});
      if (i != 0 && j != 0) set(column + i * columns, row + j * rows, moved);
    }
    return cell(column, row);
  }

  // Collects the arcs that points and borders cover of the circle around p. The point in `cell`
  // does not count if it is p.
  void arcs_around(Vec2 p, std::int32_t cell, Arcs& arcs) const {
    arcs.clear();
    const double limit = 4 * radius_ * radius_;
    const double unit = 1 / radius_;
    std::array<std::int32_t, 9 * 9> near;
    std::size_t count = 0;
    const int width = 2 * reach_ + 1;
    for (int j = -reach_; j <= reach_; ++j) {
      const std::int32_t first = cell + j * stride - reach_;
      for (int i = 0; i < width; ++i) {
        const Vec2 d = at(first + i) - p;
        near[count] = first + i;
        count += length_squared(d) < limit ? 1 : 0;
      }
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (near[k] != cell || !(at(cell) == p)) arcs.add_disc((at(near[k]) - p) * unit);
    }
    if (domain_.wrap) return;
    if (p.x < radius_) arcs.add_border({-1, 0}, p.x * unit);
    if (p.y < radius_) arcs.add_border({0, -1}, p.y * unit);
    if (p.x > domain_.width - radius_) arcs.add_border({1, 0}, (domain_.width - p.x) * unit);
    if (p.y > domain_.height - radius_) arcs.add_border({0, 1}, (domain_.height - p.y) * unit);
  }
  // Returns true if p lies in a disc.
  bool conflicts(Vec2 p) const {
    const std::int32_t first = cell(column_of(p), row_of(p));
    for (int j = -reach_; j <= reach_; ++j) {
      for (int i = -reach_; i <= reach_; ++i) {
        if (length_squared(at(first + j * stride + i) - p) < radius_ * radius_) return true;
      }
    }
    return false;
  }

 private:
  int cells_of(double side) const {
    return static_cast<int>(std::ceil(side / radius_ * std::numbers::sqrt2 * (1 + 1e-9)));
  }
  void set(int column, int row, Vec2 p) {
    const auto at = static_cast<std::size_t>(cell(column, row));
    x_[at] = p.x;
    y_[at] = p.y;
  }

  const Domain domain_;
  const double radius_;
  double across_, down_;
  int reach_;
  std::vector<double> x_, y_;
};

class EvenGrowth {
 public:
  EvenGrowth(const Domain& domain, double radius, std::uint64_t seed)
      : domain_(domain), radius_(radius), grid_(domain, radius), random_(seed, Stream::dense) {
    columns_ = edges_of(grid_.columns);
    rows_ = edges_of(grid_.rows);
    blocks_.resize((columns_.size() - 1) * (rows_.size() - 1));
  }

  void run(Context& context) {
    const std::size_t across = columns_.size() - 1;
    std::array<std::vector<std::size_t>, 4> phases;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      phases[(b % across) % 2 + 2 * ((b / across) % 2)].push_back(b);
    }
    std::size_t waiting = 1;
    for (int round = 0; waiting > 0; ++round) {
      waiting = 0;
      for (std::size_t phase = 0; phase < 4; ++phase) {
        const std::vector<std::size_t>& blocks = phases[phase];
        parallel_for(context, blocks.size(), [&](std::size_t i) { grow(blocks[i], round == 0); });
        for (const std::size_t b : blocks) hand_over(b);
        context.progress(round > 0 ? 1 : 0.25 * static_cast<double>(phase + 1));
      }
      for (const Block& block : blocks_) waiting += block.queue.size();
    }
  }

  void collect(Points& points, double r) const {
    for (int row = 0; row < grid_.rows; ++row) {
      for (int column = 0; column < grid_.columns; ++column) {
        const std::int32_t cell = grid_.cell(column, row);
        if (grid_.holds(cell)) points.add(grid_.at(cell), static_cast<float>(r));
      }
    }
  }

 private:
  struct Block {
    std::vector<std::int32_t> queue;   // points whose circles are still to be walked
    std::vector<std::int32_t> beyond;  // new points in other blocks
  };

  // Returns edges of blocks: an even number, for two colors around a torus, or a single block.
  static std::vector<int> edges_of(int cells) {
    int parts = cells / block_side / 2 * 2;
    if (parts == 0) parts = 1;
    std::vector<int> edges;
    for (int k = 0; k <= parts; ++k) {
      edges.push_back(static_cast<int>(std::int64_t{cells} * k / parts));
    }
    return edges;
  }
  static std::size_t find(const std::vector<int>& edges, int cell) {
    return static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), cell) -
                                    edges.begin() - 1);
  }

  void hand_over(std::size_t b) {
    for (const std::int32_t cell : blocks_[b].beyond) {
      const std::size_t row = find(rows_, grid_.row_of(cell));
      const std::size_t column = find(columns_, grid_.column_of(cell));
      blocks_[row * (columns_.size() - 1) + column].queue.push_back(cell);
    }
    blocks_[b].beyond.clear();
  }

  void grow(std::size_t b, bool first) {
    Block& block = blocks_[b];
    const std::size_t across = columns_.size() - 1;
    const int x0 = columns_[b % across];
    const int x1 = columns_[b % across + 1];
    const int y0 = rows_[b / across];
    const int y1 = rows_[b / across + 1];
    if (first && block.queue.empty()) sow(b, x0, y0, x1, y1);
    Arcs arcs;
    for (std::size_t head = 0; head < block.queue.size(); ++head) {
      pick(b, head);
      const std::int32_t cell = block.queue[head];
      const Vec2 p = grid_.at(cell);
      grid_.arcs_around(p, cell, arcs);
      std::uint64_t draw = static_cast<std::uint64_t>(cell) * 16;
      const auto place = [&](Vec2 u) {
        arcs.add_disc(u);
        const Vec2 q = inside(p + u * radius_);
        const std::int32_t at = grid_.put(q);
        const int column = grid_.column_of(q);
        const int row = grid_.row_of(q);
        const bool own = column >= x0 && column < x1 && row >= y0 && row < y1;
        (own ? block.queue : block.beyond).push_back(at);
      };
      if (arcs.size() == 0) place(turned({1, 0}, 4 * to_unit(random_.at(draw++)) - 2));
      for (std::size_t i = 0; i < arcs.size(); ++i) {
        const Vec2 start = arcs.end(i);
        if (!arcs.is_free(start)) continue;
        double t = to_unit(random_.at(draw++)) * 0.5 * (arcs.is_border(i) ? border_turn : turn);
        Vec2 u = turned(start, t);
        for (int tries = arcs.is_border(i) ? 3 : 0; tries > 0 && !arcs.is_free(u); --tries) {
          t *= 0.5;
          u = turned(start, t);
        }
        place(arcs.is_free(u) ? u : start);
      }
    }
    block.queue.clear();
  }

  // Moves one of the next few points to the head of the queue.
  void pick(std::size_t b, std::size_t head) {
    std::vector<std::int32_t>& queue = blocks_[b].queue;
    const std::uint64_t span = std::min(window, queue.size() - head);
    const std::uint64_t draw = random_.at((std::uint64_t{1} << 40) + (b << 24) + head);
    std::swap(queue[head], queue[head + ((draw >> 32) * span >> 32)]);
  }

  // Places a first point somewhere in the block.
  void sow(std::size_t b, int x0, int y0, int x1, int y1) {
    for (std::uint64_t i = 0; i < 8; ++i) {
      const double u = to_unit(random_.at(~(b * 16 + 2 * i)));
      const double v = to_unit(random_.at(~(b * 16 + 2 * i + 1)));
      const Vec2 p = inside({(x0 + u * (x1 - x0)) / grid_.columns * domain_.width,
                             (y0 + v * (y1 - y0)) / grid_.rows * domain_.height});
      if (grid_.conflicts(p)) continue;
      blocks_[b].beyond.push_back(grid_.put(p));
      break;
    }
    blocks_[b].queue.swap(blocks_[b].beyond);
  }

  Vec2 inside(Vec2 p) const {
    if (domain_.wrap) return domain_.wrapped(p);
    return {std::clamp(p.x, 0.0, std::nextafter(domain_.width, 0.0)),
            std::clamp(p.y, 0.0, std::nextafter(domain_.height, 0.0))};
  }

  const Domain domain_;
  const double radius_;
  Grid grid_;
  const Random random_;
  std::vector<int> columns_, rows_;  // edges of blocks
  std::vector<Block> blocks_;
};

}  // namespace

bool grows_evenly(const DensityField& field) {
  const Domain& domain = field.domain();
  // No point may see the other side of a torus twice, and cells are counted in 32 bits.
  const auto r = static_cast<double>(field.radius_map()(0, 0));
  return field.is_constant() && domain.shorter_side() > 2 * ghosts * r &&
         domain.area() < 9e8 * r * r;
}

Points dense_even(const DensityField& field, Context& context) {
  const Domain& domain = field.domain();
  const auto r = static_cast<double>(field.radius_map()(0, 0));
  Points points;
  points.domain = domain;
  EvenGrowth growth(domain, r * safety, context.seed);
  growth.run(context);
  growth.collect(points, r);
  return points;
}

}  // namespace dapple
