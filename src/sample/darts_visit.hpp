// A visit to one tile: the points that can matter there, copied together, and searched by plain
// loops that compilers turn into vector code.
#pragma once

#include <cmath>
#include <memory>

#include "sample/conflict.hpp"
#include "sample/darts_fill.hpp"

namespace dapple {

// The points of all tiles; each tile has room of its own.
struct TilePoints {
  explicit TilePoints(const TileSet& set)
      : x(std::make_unique_for_overwrite<double[]>(set.capacity())),
        y(std::make_unique_for_overwrite<double[]>(set.capacity())),
        r(std::make_unique_for_overwrite<double[]>(set.capacity())),
        count(set.tiles().size()),
        dead(set.tiles().size()) {}

  void add(const Tile& tile, std::size_t index, Vec2 p, double radius) {
    if (count[index] >= tile.capacity) {
      throw Error(ErrorKind::internal, "a tile of the sampler holds more points than can be");
    }
    const std::size_t i = tile.first + count[index]++;
    x[i] = p.x;
    y[i] = p.y;
    r[i] = radius;
  }

  std::unique_ptr<double[]> x, y, r;
  std::vector<std::uint32_t> count;
  std::vector<std::uint64_t> dead;  // a bit a cell that is known to be covered
};

// Structure of arrays with unchecked room, for the loops of a visit.
struct NearList {
  std::vector<double> x, y, r;
  std::size_t size = 0;

  void clear(std::size_t room) {
    size = 0;
    reserve(room);
  }
  void reserve(std::size_t room) {
    if (x.size() >= room) return;
    x.resize(2 * room);
    y.resize(2 * room);
    r.resize(2 * room);
  }
  void add(double px, double py, double pr) {
    reserve(size + 1);
    x[size] = px;
    y[size] = py;
    r[size] = pr;
    ++size;
  }
};

template <ConflictRule rule>
class Visit {
 public:
  Visit(const TileSet& set, TilePoints& points, const SafeField& field)
      : set_(set), points_(points), field_(field), lists_(1) {}

  // One dart for every cell that is not known to be covered.
  void throw_darts(std::size_t index, std::uint64_t seed, int round) {
    start(index);
    const Tile& tile = *tile_;
    Random random(seed, Stream::darts, index * 8 + static_cast<std::size_t>(round));
    for_live_cells([&](int cell, const Box& box) {
      const Vec2 p = place_in(box, random.at(static_cast<std::uint64_t>(cell)));
      const double r = field_.radius(p);
      if (r > tile.r_max || conflicts(-1, p, r)) return;
      add(-1, p, r);
      if (covers(box, tile.r_min, p, r)) points_.dead[index] |= std::uint64_t{1} << cell;
    });
  }

  void fill(std::size_t index, std::uint64_t seed) {
    start(index);
    Random random(seed, Stream::fill, index);
    Filler<Visit> filler(field_, *this, random);
    for_live_cells([&](int, const Box& box) { filler.fill(box); });
  }

  // ---- for Filler; depth -1 is the whole tile ----
  bool enter(int depth, const Box& box, const RadiusBounds& bounds) {
    const auto above = static_cast<std::size_t>(depth);
    if (lists_.size() < above + 2) lists_.emplace_back();
    const NearList& from = lists_[above];
    NearList& to = lists_[above + 1];
    const double cx = 0.5 * (box.x0 + box.x1);
    const double cy = 0.5 * (box.y0 + box.y1);
    const double hx = 0.5 * box.width();
    const double hy = 0.5 * box.height();
    const double *x = from.x.data(), *y = from.y.data(), *r = from.r.data();
    const std::size_t n = from.size;
    std::int64_t covering = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double dx = std::abs(x[i] - cx) + hx;
      const double dy = std::abs(y[i] - cy) + hy;
      const double f = conflict_of<rule>(bounds.min, r[i]);
      covering += dx * dx + dy * dy < f * f ? 1 : 0;
    }
    if (covering > 0) return true;
    to.clear(n + 8);
    double *tx = to.x.data(), *ty = to.y.data(), *tr = to.r.data();
    std::size_t m = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double dx = std::max(std::abs(x[i] - cx) - hx, 0.0);
      const double dy = std::max(std::abs(y[i] - cy) - hy, 0.0);
      const double f = conflict_of<rule>(bounds.max, r[i]);
      tx[m] = x[i];
      ty[m] = y[i];
      tr[m] = r[i];
      m += dx * dx + dy * dy < f * f ? 1 : 0;
    }
    to.size = m;
    return false;
  }

  bool covers(const Box& box, double r_min, Vec2 p, double r) const {
    const double dx = std::max(p.x - box.x0, box.x1 - p.x);
    const double dy = std::max(p.y - box.y0, box.y1 - p.y);
    const double f = conflict_of<rule>(r_min, r);
    return dx * dx + dy * dy < f * f;
  }

  bool conflicts(int depth, Vec2 p, double radius) const {
    const NearList& list = lists_[static_cast<std::size_t>(depth + 1)];
    const double *x = list.x.data(), *y = list.y.data(), *r = list.r.data();
    constexpr std::size_t group = 16;
    std::size_t i = 0;
    for (; i + group <= list.size; i += group) {
      std::int64_t hits = 0;
      for (std::size_t k = i; k < i + group; ++k) {
        const double dx = x[k] - p.x;
        const double dy = y[k] - p.y;
        const double f = conflict_of<rule>(radius, r[k]);
        hits += dx * dx + dy * dy < f * f ? 1 : 0;
      }
      if (hits > 0) return true;
    }
    std::int64_t hits = 0;
    for (; i < list.size; ++i) {
      const double dx = x[i] - p.x;
      const double dy = y[i] - p.y;
      const double f = conflict_of<rule>(radius, r[i]);
      hits += dx * dx + dy * dy < f * f ? 1 : 0;
    }
    return hits > 0;
  }

  void add(int depth, Vec2 p, double r) {
    points_.add(*tile_, index_, p, r);
    for (std::size_t d = 0; d <= static_cast<std::size_t>(depth + 1); ++d) {
      lists_[d].add(p.x, p.y, r);
    }
    // Where the tile is its own neighbour on the torus, so are the images of the new point.
    for (const std::uint32_t shift : own_shifts_) {
      const Vec2 image = p + set_.shifts[shift];
      for (std::size_t d = 0; d <= static_cast<std::size_t>(depth + 1); ++d) {
        lists_[d].add(image.x, image.y, r);
      }
    }
  }

 private:
  void start(std::size_t index) {
    index_ = index;
    tile_ = &set_.tiles()[index];
    own_shifts_.clear();
    NearList& list = lists_[0];
    list.clear(64);
    for (const TileLink link : set_.links(index)) {
      if (link.tile == index && link.shift != 0) own_shifts_.push_back(link.shift);
      gather(link, list);
    }
  }

  void gather(const TileLink link, NearList& list) const {
    const Box& box = tile_->box;
    const double cx = 0.5 * (box.x0 + box.x1);
    const double cy = 0.5 * (box.y0 + box.y1);
    const double hx = 0.5 * box.width();
    const double hy = 0.5 * box.height();
    const Vec2 shift = set_.shifts[link.shift];
    const std::size_t first = set_.tiles()[link.tile].first;
    const std::size_t n = points_.count[link.tile];
    list.reserve(list.size + n);
    std::size_t m = list.size;
    for (std::size_t i = first; i < first + n; ++i) {
      const double x = points_.x[i] + shift.x;
      const double y = points_.y[i] + shift.y;
      const double dx = std::max(std::abs(x - cx) - hx, 0.0);
      const double dy = std::max(std::abs(y - cy) - hy, 0.0);
      const double f = conflict_of<rule>(tile_->r_max, points_.r[i]);
      list.x[m] = x;
      list.y[m] = y;
      list.r[m] = points_.r[i];
      m += dx * dx + dy * dy < f * f ? 1 : 0;
    }
    list.size = m;
  }

  template <class Body>
  void for_live_cells(Body body) const {
    const Tile& tile = *tile_;
    const std::uint64_t dead = points_.dead[index_];
    for (int cell = 0; cell < tile.cells * tile.cells; ++cell) {
      if (dead >> cell & 1) continue;
      const int i = cell % tile.cells;
      const int j = cell / tile.cells;
      const Box box{tile.box.x0 + i * tile.cell_width, tile.box.y0 + j * tile.cell_height,
                    std::min(tile.box.x0 + (i + 1) * tile.cell_width, tile.box.x1),
                    std::min(tile.box.y0 + (j + 1) * tile.cell_height, tile.box.y1)};
      if (box.x0 < box.x1 && box.y0 < box.y1) body(cell, box);
    }
  }

  const TileSet& set_;
  TilePoints& points_;
  const SafeField& field_;
  std::size_t index_ = 0;
  const Tile* tile_ = nullptr;
  std::vector<std::uint32_t> own_shifts_;
  std::vector<NearList> lists_;  // [0] all that matters to the tile, [depth + 1] to a square
};

}  // namespace dapple
