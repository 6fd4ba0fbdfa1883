// A visit to one tile: the points that can matter there, copied together, and searched by plain
// loops that compilers turn into vector code.
//
// Those loops run in float, round the centre of the tile, and only ever say "surely too near" or
// "surely covered", with a margin above all rounding. What they leave open is decided in double.
#pragma once

#include <cmath>
#include <memory>

#include "sample/conflict.hpp"
#include "sample/darts_fill.hpp"
#include "sample/kept.hpp"
#include "sample/lanes.hpp"

namespace dapple {

// Plain numbers: room for points is not touched before there are any.
struct TilePoint {
  double x, y, r;
};

// The points of all tiles; each tile has room of its own.
struct TilePoints {
  explicit TilePoints(const TileSet& set)
      : at(std::make_unique_for_overwrite<TilePoint[]>(set.capacity())),
        count(set.tiles().size()),
        dead(set.tiles().size()) {}

  void add(const Tile& tile, std::size_t index, Vec2 p, double radius) {
    if (count[index] >= tile.capacity) {
      throw Error(ErrorKind::internal, "a tile of the sampler holds more points than can be");
    }
    at[tile.first + count[index]++] = {p.x, p.y, radius};
  }

  std::unique_ptr<TilePoint[]> at;
  std::vector<std::uint32_t> count;
  std::vector<std::uint64_t> dead;  // a bit a cell that is known to be covered
  Obstacles obstacles;
};

// Points that matter to a square, in float, and which they are among all of the visit. Filled up to
// whole lanes by points so far away that they never matter.
struct NearList {
  static constexpr float nowhere = 1e18f;

  std::vector<float> x, y, r;
  std::vector<std::uint32_t> id;
  std::size_t size = 0;

  void reserve(std::size_t room) {
    room += 2 * lane_count;
    if (x.size() >= room) return;
    x.resize(2 * room);
    y.resize(2 * room);
    r.resize(2 * room);
    id.resize(2 * room);
  }
  void fill_up() {
    for (std::size_t i = size; i < size + lane_count; ++i) {
      x[i] = nowhere;
      y[i] = nowhere;
      r[i] = 0;
    }
  }
  void add(float px, float py, float pr, std::uint32_t index) {
    reserve(size + 1);
    x[size] = px;
    y[size] = py;
    r[size] = pr;
    id[size] = index;
    ++size;
    if (size % lane_count == 0) fill_up();
  }
};

// d where it is above 0, else 0; exact, and free of branches.
template <class Number>
Number above_zero(Number d) {
  return Number(0.5) * (d + std::abs(d));
}

template <ConflictRule rule>
class Visit {
 public:
  Visit(const TileSet& set, TilePoints& points, const SafeField& field)
      : set_(set), points_(points), field_(field), lists_(1) {}

  // One dart for every cell that is not known to be covered.
  void throw_darts(std::size_t index, std::uint64_t seed, int round) {
    start(index);
    const Tile& tile = *tile_;
    const Random random(seed, Stream::darts, index * 8 + static_cast<std::size_t>(round));
    const std::uint64_t dead = points_.dead[index];
    for_each_quarter([&](const Box& quarter, int first, int side) {
      narrow(0, quarter, tile.r_max);
      for (int k = 0; k < side * side; ++k) {
        const int row = k / side;
        const int column = k % side;
        const int cell = first + row * tile.cells + column;
        if (dead >> cell & 1) continue;
        const double x = quarter.x0 + column * tile.cell_width;
        const double y = quarter.y0 + row * tile.cell_height;
        const Box box = clipped({x, y, x + tile.cell_width, y + tile.cell_height});
        if (box.x0 >= box.x1 || box.y0 >= box.y1) continue;
        const Vec2 p = place_in(box, random.at(static_cast<std::uint64_t>(cell)));
        const double r = field_.radius(p);
        if (r > tile.r_max || conflicts(0, p, r)) continue;
        add(0, p, r);
        if (covers(box, tile.r_min, p, r)) points_.dead[index] |= std::uint64_t{1} << cell;
      }
    });
  }

  void fill(std::size_t index, std::uint64_t seed) {
    start(index);
    const Tile& tile = *tile_;
    Random random(seed, Stream::fill, index);
    Filler<Visit> filler(field_, *this, random, set_.domain());
    for_each_quarter([&](const Box& quarter, int, int side) {
      narrow(0, quarter, tile.r_max);
      if (side < tile_cells / 2) {
        filler.fill(quarter, 1);
        return;
      }
      // Squares of two cells: small enough for short lists, large enough to be few.
      const Vec2 half{0.5 * quarter.width(), 0.5 * quarter.height()};
      for (int k = 0; k < 4; ++k) {
        const double x = quarter.x0 + (k & 1) * half.x;
        const double y = quarter.y0 + (k >> 1) * half.y;
        filler.fill({x, y, x + half.x, y + half.y}, 1);
      }
    });
  }

  // ---- for Filler; depth -1 is the whole tile ----
  bool enter(int depth, const Box& box, const RadiusBounds& bounds) {
    const NearList& from = lists_[static_cast<std::size_t>(depth)];
    const Local at = local(box);
    const Lanes r_min = lanes(surely_below(bounds.min));
    for (std::size_t i = 0; i < from.size; i += lane_count) {
      const Lanes dx = magnitude(load(&from.x[i]) - at.x) + at.half_width;
      const Lanes dy = magnitude(load(&from.y[i]) - at.y) + at.half_height;
      const Lanes f = conflict_lanes<rule>(r_min, load(&from.r[i]));
      if (any(dx * dx + dy * dy < f * f)) return true;
    }
    if (box.width() + box.height() < 256 * static_cast<double>(margin_)) {
      for (std::size_t i = 0; i < from.size; ++i) {
        const Point& p = all_[from.id[i]];
        if (covers(box, bounds.min, p.at, p.r)) return true;
      }
    }
    narrow(depth, box, bounds.max);
    return false;
  }

  std::uint32_t open_parts(int depth, const Box& box, double smallest) const {
    const NearList& list = lists_[static_cast<std::size_t>(depth + 1)];
    const Local at = local(box);
    const float half_width = at.half_width / 4;
    const float half_height = at.half_height / 4;
    // Against one point at a time: squared distances to the far sides of four columns and four
    // rows make those to sixteen far corners.
    const Lanes columns = at.x + half_width * steps;
    const Lanes rows = at.y + half_height * steps;
    const float r_min = surely_below(smallest);
    std::array<LaneMask, 4> covered{};
    for (std::size_t i = 0; i < list.size; ++i) {
      const float f = conflict_of<rule>(r_min, list.r[i]);
      const Lanes dx = magnitude(list.x[i] - columns) + half_width;
      const Lanes dy = magnitude(list.y[i] - rows) + half_height;
      const Lanes across = dx * dx;
      const Lanes left = f * f - dy * dy;
      for (std::size_t j = 0; j < 4; ++j) covered[j] |= across < lanes(left[j]);
    }
    LaneMask open{};
    for (std::size_t j = 0; j < 4; ++j) open |= ~covered[j] & (bits << static_cast<int>(4 * j));
    return static_cast<std::uint32_t>(open[0] | open[1] | open[2] | open[3]);
  }

  bool covers(const Box& box, double r_min, Vec2 p, double r) const {
    const double dx = std::max(p.x - box.x0, box.x1 - p.x);
    const double dy = std::max(p.y - box.y0, box.y1 - p.y);
    const double f = conflict_of<rule>(r_min, r);
    return dx * dx + dy * dy < f * f;
  }

  bool conflicts(int depth, Vec2 p, double radius) const {
    const NearList& list = lists_[static_cast<std::size_t>(depth + 1)];
    const auto x = static_cast<float>(p.x - centre_.x);
    const auto y = static_cast<float>(p.y - centre_.y);
    const Lanes own = lanes(surely_below(radius));
    for (std::size_t i = 0; i < list.size; i += lane_count) {
      const Lanes dx = load(&list.x[i]) - x;
      const Lanes dy = load(&list.y[i]) - y;
      const Lanes f = conflict_lanes<rule>(own, load(&list.r[i]));
      if (any(dx * dx + dy * dy < f * f)) return true;
    }
    for (std::size_t i = 0; i < list.size; ++i) {
      const Point& q = all_[list.id[i]];
      const double f = conflict_of<rule>(radius, q.r);
      if (length_squared(q.at - p) < f * f) return true;
    }
    return false;
  }

  void add(int depth, Vec2 p, double r) {
    points_.add(*tile_, index_, p, r);
    add_image(depth, p, r);
    // Where the tile is its own neighbour on the torus, so are the images of the new point.
    for (const std::uint32_t shift : own_shifts_) add_image(depth, p + set_.shifts[shift], r);
  }

 private:
  struct Point {
    Vec2 at;
    double r;
  };
  struct Local {  // a box round the centre of the tile
    float x, y, half_width, half_height;
  };

  Local local(const Box& box) const {
    return {static_cast<float>(0.5 * (box.x0 + box.x1) - centre_.x),
            static_cast<float>(0.5 * (box.y0 + box.y1) - centre_.y),
            static_cast<float>(0.5 * box.width()), static_cast<float>(0.5 * box.height())};
  }

  // A radius so reduced that what is too near in float by this is too near. Every rule moves by as
  // much as its radii do.
  float surely_below(double r) const { return above_zero(static_cast<float>(r) - margin_); }

  // Those points of the list at `depth` that some place of a box could conflict with.
  void narrow(int depth, const Box& box, double largest) {
    const auto above = static_cast<std::size_t>(depth);
    if (lists_.size() < above + 2) lists_.emplace_back();
    const NearList& from = lists_[above];
    NearList& to = lists_[above + 1];
    const Local at = local(box);
    const Lanes r_max = lanes(static_cast<float>(largest));
    to.reserve(from.size);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < from.size; i += lane_count) {
      const Lanes dx = above_zero(magnitude(load(&from.x[i]) - at.x) - at.half_width);
      const Lanes dy = above_zero(magnitude(load(&from.y[i]) - at.y) - at.half_height);
      const Lanes f = conflict_lanes<rule>(r_max, load(&from.r[i])) + 3 * margin_;
      const LaneMask keep = dx * dx + dy * dy < f * f;
      for (std::size_t k = 0; k < lane_count; ++k) {
        to.x[kept] = from.x[i + k];
        to.y[kept] = from.y[i + k];
        to.r[kept] = from.r[i + k];
        to.id[kept] = from.id[i + k];
        kept += static_cast<std::size_t>(-keep[k]);
      }
    }
    to.size = kept;
    to.fill_up();
  }

  void start(std::size_t index) {
    index_ = index;
    tile_ = &set_.tiles()[index];
    const Box& box = tile_->box;
    centre_ = {0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)};
    own_shifts_.clear();
    std::size_t room = points_.obstacles.count_near(index);
    for (const TileLink link : set_.links(index)) room += points_.count[link.tile];
    if (all_.size() < room) all_.resize(2 * room);
    size_ = 0;
    double reach = tile_->r_max;
    for (const TileLink link : set_.links(index)) {
      if (link.tile == index && link.shift != 0) own_shifts_.push_back(link.shift);
      gather(link, reach);
    }
    points_.obstacles.for_each_near(index, [&](const Obstacles::Point& obstacle) {
      all_[size_++] = {obstacle.at, obstacle.r};
      reach = std::max(reach, obstacle.r);
    });
    // Coordinates stay below this; a few roundings of them, with room to spare.
    margin_ = static_cast<float>((0.5 * (box.width() + box.height()) + 2 * reach) * 8e-7);
    NearList& list = lists_[0];
    list.reserve(size_);
    list.size = size_;
    for (std::size_t i = 0; i < size_; ++i) {
      list.x[i] = static_cast<float>(all_[i].at.x - centre_.x);
      list.y[i] = static_cast<float>(all_[i].at.y - centre_.y);
      list.r[i] = surely_below(all_[i].r);
      list.id[i] = static_cast<std::uint32_t>(i);
    }
    list.fill_up();
  }

  void gather(const TileLink link, double& reach) {
    const double hx = 0.5 * tile_->box.width();
    const double hy = 0.5 * tile_->box.height();
    const Vec2 shift = set_.shifts[link.shift];
    const std::size_t first = set_.tiles()[link.tile].first;
    const std::size_t n = points_.count[link.tile];
    std::size_t kept = size_;
    for (std::size_t i = first; i < first + n; ++i) {
      const TilePoint& point = points_.at[i];
      const Vec2 p{point.x + shift.x, point.y + shift.y};
      const double dx = above_zero(std::abs(p.x - centre_.x) - hx);
      const double dy = above_zero(std::abs(p.y - centre_.y) - hy);
      const double f = conflict_of<rule>(tile_->r_max, point.r);
      all_[kept] = {p, point.r};
      kept += dx * dx + dy * dy < f * f ? 1 : 0;
      reach = std::max(reach, point.r);
    }
    size_ = kept;
  }

  void add_image(int depth, Vec2 p, double r) {
    const auto id = static_cast<std::uint32_t>(size_);
    if (size_ == all_.size()) all_.resize(2 * size_ + 16);
    all_[size_++] = {p, r};
    for (std::size_t d = 0; d <= static_cast<std::size_t>(depth + 1); ++d) {
      lists_[d].add(static_cast<float>(p.x - centre_.x), static_cast<float>(p.y - centre_.y),
                    surely_below(r), id);
    }
  }

  // body(quarter, number of its first cell, cells a side). Small tiles are one quarter.
  template <class Body>
  void for_each_quarter(Body body) const {
    const Tile& tile = *tile_;
    const int parts = tile.cells == tile_cells ? 2 : 1;
    const int side = tile.cells / parts;
    const double w = side * tile.cell_width;
    const double h = side * tile.cell_height;
    for (int j = 0; j < parts; ++j) {
      for (int i = 0; i < parts; ++i) {
        const double x = tile.box.x0 + i * w;
        const double y = tile.box.y0 + j * h;
        if (x >= tile.box.x1 || y >= tile.box.y1) continue;
        body(Box{x, y, x + w, y + h}, side * (j * tile.cells + i), side);
      }
    }
  }

  Box clipped(const Box& box) const {
    return {box.x0, box.y0, std::min(box.x1, tile_->box.x1), std::min(box.y1, tile_->box.y1)};
  }

  // Centres and bits of 4x4 parts.
  static constexpr Lanes steps{-3, -1, 1, 3};
  static constexpr LaneMask bits{1, 2, 4, 8};

  const TileSet& set_;
  TilePoints& points_;
  const SafeField& field_;
  std::size_t index_ = 0;
  const Tile* tile_ = nullptr;
  Vec2 centre_;
  float margin_ = 0;
  std::vector<std::uint32_t> own_shifts_;
  std::vector<Point> all_;  // the first size_ matter to the tile
  std::size_t size_ = 0;
  std::vector<NearList> lists_;  // [0] all that matters to the tile, [depth + 1] to a square
};

}  // namespace dapple
