#include "sample/sphere/darts.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "core/deterministic_math.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "sample/poisson_windows/darts_in_time.hpp"
#include "sample/settle_order.hpp"
#include "sample/sphere/domain.hpp"

namespace dapple::sphere {
namespace {

// Darts nearer than this are rejected. It exceeds the error of places, and that of radii rounded to
// float, as columns and files hold them. The tolerance of proofs is larger.
constexpr double near_radius = 1 + 1e-7;
// A cell is halved if it expects more darts than this.
constexpr double most_darts_a_cell = 0.5;
// A smaller cell, in radii, gets one dart at its center and then counts as covered. With a map, a
// required distance may be half the radius of one point.
constexpr double smallest = 5e-6;
constexpr double smallest_by_map = 2e-6;
constexpr std::size_t group = 16;

struct Dart {
  Point point;
  std::uint64_t time;
};

struct Tile {
  std::vector<Cell> cells;
  std::vector<Point> near;  // points that may cover its places
  std::size_t first_new = 0;
  std::vector<Dart> darts;
  std::uint32_t first_dart = 0;
  std::vector<std::uint32_t> earlier, earlier_counts;
  std::vector<Point> points;
  std::vector<std::int32_t> window;
  std::size_t first_new_point = 0;
};

template <class Ground>
class Throwing {
 public:
  Throwing(const Ground& ground, const There& there, Context& context)
      : ground_(ground), all_(ground.size()), context_(context) {
    for (const Vec3& at : there.own) {
      Tile& tile = all_[ground.holding(at)];
      tile.points.push_back({at, ground.radius(at)});
      tile.window.push_back(-1);
    }
    for_obstacles(ground, there.obstacles, context, [&](std::uint32_t t, const Point& obstacle) {
      all_[t].near.push_back(obstacle);
    });
    for (std::uint32_t t = 0; t < all_.size(); ++t) {
      all_[t].cells.push_back(ground.cell(t));
      active_.push_back(t);
    }
  }

  Points run() {
    for (; !active_.empty(); ++window_) {
      for_active([&](std::uint32_t t) { grow(t); });
      std::uint32_t darts = 0;
      for (const std::uint32_t t : active_) {
        all_[t].first_dart = darts;
        darts += static_cast<std::uint32_t>(all_[t].darts.size());
      }
      for_active([&](std::uint32_t t) { find_earlier(all_[t], t); });
      keep(settled());
      drop_done();
    }
    Points made;
    for (const Tile& tile : all_) {
      for (std::size_t i = 0; i < tile.points.size(); ++i) {
        if (tile.window[i] < 0) continue;
        made.at.push_back(tile.points[i].at);
        made.window.push_back(tile.window[i]);
      }
    }
    return made;
  }

 private:
  using Part = typename Ground::Part;

  template <class Body>
  void for_active(const Body& body) {
    parallel_for(context_, (active_.size() + group - 1) / group, [&](std::size_t g) {
      const std::size_t end = std::min(active_.size(), (g + 1) * group);
      for (std::size_t n = g * group; n < end; ++n) body(active_[n]);
    });
  }

  void grow(std::uint32_t t) {
    Tile& tile = all_[t];
    for (const std::uint32_t other : ground_.near(t)) {
      const Tile& from = all_[other];
      tile.near.insert(tile.near.end(),
                       from.points.begin() + static_cast<std::ptrdiff_t>(from.first_new_point),
                       from.points.end());
    }
    tile.darts.clear();
    std::vector<Cell> cells;
    std::swap(cells, tile.cells);
    const std::span<const Point> known(tile.near);
    for (const Cell& cell : cells) {
      const Part part = ground_.part(cell);
      if (!is_covered(part, known.subspan(tile.first_new))) grow(t, cell, part, known);
    }
    tile.first_new = tile.near.size();
  }

  bool is_covered(const Part& part, std::span<const Point> points) const {
    return std::any_of(points.begin(), points.end(),
                       [&](const Point& p) { return ground_.covers(p, part); });
  }

  // Throws darts at a cell that no known point covers, or halves it.
  void grow(std::uint32_t t, const Cell& cell, const Part& part, std::span<const Point> known) {
    Tile& tile = all_[t];
    const double rate = ground_.rate(rate_of(window_), part);
    if (ground_.spread(t, part) < (Ground::varies ? smallest_by_map : smallest)) {
      add_free(tile, {ground_.middle(part), hash(cell.key, static_cast<std::uint64_t>(window_))},
               known);
    } else if (area_of(cell) * rate > most_darts_a_cell) {
      std::vector<Point> around;
      for (const Point& p : known) {
        if (ground_.reaches(p, part)) around.push_back(p);
      }
      for (const Cell& half : halves_of(cell, ground_.shape(part))) {
        const Part of_half = ground_.part(half);
        if (!is_covered(of_half, around)) grow(t, half, of_half, around);
      }
    } else {
      throw_at(tile, part, rate * area_of(cell), known);
      tile.cells.push_back(cell);
    }
  }

  void throw_at(Tile& tile, const Part& part, double darts, std::span<const Point> known) {
    const Cell& cell = *ground_.shape(part).cell;
    Random random(context_.seed, Stream::surface,
                  hash(cell.key, static_cast<std::uint64_t>(window_)));
    const int count = poisson(random.uniform(), darts);
    for (int n = 0; n < count; ++n) {
      const double depth = cell.low + (cell.high - cell.low) * random.uniform();
      const double turns = cell.west + (cell.east - cell.west) * random.uniform();
      Dart dart{{}, random.bits()};
      if (Ground::varies && random.uniform() >= ground_.share(part, depth, turns)) continue;
      dart.point = ground_.point(cell, depth, turns);
      add_free(tile, dart, known);
    }
  }

  void add_free(Tile& tile, const Dart& dart, std::span<const Point> known) const {
    const bool free = std::none_of(known.begin(), known.end(),
                                   [&](const Point& p) { return ground_.are_near(p, dart.point); });
    if (free) tile.darts.push_back(dart);
  }

  void find_earlier(Tile& tile, std::uint32_t t) {
    tile.earlier.clear();
    tile.earlier_counts.clear();
    for (std::uint32_t k = 0; k < tile.darts.size(); ++k) {
      const Dart& dart = tile.darts[k];
      const std::uint32_t own = tile.first_dart + k;
      const std::size_t before = tile.earlier.size();
      for (const std::uint32_t near : ground_.near(t)) {
        const Tile& from = all_[near];
        for (std::uint32_t j = 0; j < from.darts.size(); ++j) {
          const std::uint32_t other = from.first_dart + j;
          const Dart& that = from.darts[j];
          const bool is_earlier = that.time != dart.time ? that.time < dart.time : other < own;
          if (is_earlier && ground_.are_near(that.point, dart.point)) {
            tile.earlier.push_back(other);
          }
        }
      }
      tile.earlier_counts.push_back(static_cast<std::uint32_t>(tile.earlier.size() - before));
    }
  }

  std::vector<bool> settled() const {
    std::vector<std::uint32_t> first{0};
    std::vector<std::uint32_t> earlier;
    for (const std::uint32_t t : active_) {
      for (const std::uint32_t count : all_[t].earlier_counts) {
        first.push_back(first.back() + count);
      }
      earlier.insert(earlier.end(), all_[t].earlier.begin(), all_[t].earlier.end());
    }
    return settle(first, earlier);
  }

  void keep(const std::vector<bool>& stays) {
    for (const std::uint32_t t : active_) {
      Tile& tile = all_[t];
      tile.first_new_point = tile.points.size();
      for (std::size_t k = 0; k < tile.darts.size(); ++k) {
        if (!stays[tile.first_dart + k]) continue;
        tile.points.push_back(tile.darts[k].point);
        tile.window.push_back(window_);
      }
    }
  }

  // Drops the tiles that are done. After one more window, none of their points is new to a
  // neighbor.
  void drop_done() {
    for (const std::uint32_t t : done_) all_[t].first_new_point = all_[t].points.size();
    done_.clear();
    std::erase_if(active_, [&](std::uint32_t t) {
      Tile& tile = all_[t];
      if (!tile.cells.empty()) return false;
      tile.near = {};
      tile.darts = {};
      tile.earlier = {};
      tile.earlier_counts = {};
      done_.push_back(t);
      return true;
    });
  }

  const Ground& ground_;
  std::vector<Tile> all_;
  Context& context_;
  int window_ = 0;
  std::vector<std::uint32_t> active_, done_;
};

}  // namespace

Points throw_darts(double radius, ConflictRule rule, const There& there, Context& context) {
  const EvenGround ground(radius, rule, near_radius, context);
  return Throwing(ground, there, context).run();
}

Points throw_darts(const Radii& radii, ConflictRule rule, const There& there, Context& context) {
  const MappedGround ground(radii, rule, near_radius, context);
  return Throwing(ground, there, context).run();
}

void order_by_windows(Points& points) {
  const auto rows = in_order_of_windows(points.window, [&](std::size_t i) {
    const Vec3& p = points.at[i];
    return hash(hash(std::bit_cast<std::uint64_t>(p.x), std::bit_cast<std::uint64_t>(p.y)),
                std::bit_cast<std::uint64_t>(p.z));
  });
  keep_rows(points.at, rows);
  keep_rows(points.window, rows);
}

}  // namespace dapple::sphere
