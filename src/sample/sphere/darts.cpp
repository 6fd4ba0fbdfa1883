#include "sample/sphere/darts.hpp"

#include <bit>
#include <optional>
#include <span>

#include "core/random.hpp"
#include "sample/engine/cells.hpp"
#include "sample/engine/dart_windows.hpp"
#include "sample/settle_order.hpp"
#include "sample/sphere/cell_view.hpp"

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
struct Dart {
  Point point;
  std::uint64_t time;
};

struct Tile {
  std::vector<Cell> cells;
  std::vector<Point> near;  // points that may cover its places
  std::size_t first_new = 0;
};

// A window of time, and the darts per area of r^2 in it.
struct Window {
  std::uint64_t number = 0;
  double rate = 0;
};

// Throws darts at the cells of a tile.
template <class Ground>
class TileGrowth : public CellView<Ground> {
 public:
  using typename CellView<Ground>::Around;
  using typename CellView<Ground>::Cell;
  static constexpr Stream stream = Stream::surface;

  TileGrowth(const Ground& ground, std::uint32_t number, Tile& tile, std::uint64_t seed,
             const Window& window, engine::DartList<Dart>& darts)
      : CellView<Ground>(ground, number),
        tile_(tile),
        seed_(seed),
        window_(window),
        darts_(darts) {}

  std::uint64_t seed() const { return seed_; }
  std::uint64_t window() const { return window_.number; }
  std::uint64_t key(const Cell& cell) const { return cell.bounds.key; }
  const Around& near(const Cell&) const { return tile_.near; }
  bool is_decided(const Cell& cell) const {
    return this->spread(cell) < (Ground::varies ? smallest_by_map : smallest);
  }
  double mean(const Cell& cell) const {
    return area_of(cell.bounds) * this->ground_.rate(window_.rate, cell.part);
  }
  bool is_too_large(const Cell& cell) const { return mean(cell) > most_darts_a_cell; }
  std::optional<Dart> draw(const Cell& cell, Random& random) const {
    const sphere::Cell& bounds = cell.bounds;
    const double depth = bounds.low + (bounds.high - bounds.low) * random.uniform();
    const double turns = bounds.west + (bounds.east - bounds.west) * random.uniform();
    const std::uint64_t time = random.bits();
    const bool is_thinned =
        Ground::varies && random.uniform() >= this->ground_.share(cell.part, depth, turns);
    if (is_thinned) return {};
    return Dart{this->ground_.point(bounds, depth, turns), time};
  }
  std::optional<Dart> middle(const Cell& cell) const {
    return Dart{this->ground_.middle(cell.part), hash(cell.bounds.key, window_.number)};
  }
  bool is_free(const Cell&, const Dart& dart, const Around& known) const {
    return this->is_free_at(dart.point, known);
  }
  void add(const Dart& dart) { darts_.all.push_back(dart); }
  void keep(const Cell& cell) { tile_.cells.push_back(cell.bounds); }

 private:
  Tile& tile_;
  std::uint64_t seed_;
  const Window& window_;
  engine::DartList<Dart>& darts_;
};

// The sphere as an engine::DartSpace.
template <class Ground>
class Space {
 public:
  using Darts = engine::DartList<Dart>;
  using Point = Vec3;
  using Store = std::vector<sphere::Point>;
  using Scratch = engine::ByDepth<std::vector<sphere::Point>>;

  Space(const Ground& ground, std::uint64_t seed)
      : ground_(ground), seed_(seed), tiles_(ground.size()) {
    for (std::uint32_t t = 0; t < tiles_.size(); ++t) tiles_[t].cells.push_back(ground.cell(t));
  }
  void add_obstacles(const std::vector<sphere::Point>& obstacles, Context& context) {
    for_obstacles(ground_, obstacles, context, [&](std::uint32_t t, const sphere::Point& obstacle) {
      tiles_[t].near.push_back(obstacle);
    });
  }

  std::size_t tile_count() const { return tiles_.size(); }
  std::size_t class_count() const { return 1; }
  void begin(int window, const std::vector<double>& rates) {
    window_ = {static_cast<std::uint64_t>(window), rates.front()};
  }
  void grow(std::uint32_t t, const engine::ByTile<Store>& fresh, Darts& darts, Scratch& lists) {
    Tile& tile = tiles_[t];
    for (const std::uint32_t other : ground_.near(t)) {
      const std::uint32_t first = fresh.first[other];
      const auto points = std::span(fresh.store).subspan(first, fresh.first[other + 1] - first);
      tile.near.insert(tile.near.end(), points.begin(), points.end());
    }
    std::vector<Cell> cells;
    std::swap(cells, tile.cells);
    TileGrowth<Ground> growth(ground_, t, tile, seed_, window_, darts);
    const auto unseen = std::span<const sphere::Point>(tile.near).subspan(tile.first_new);
    for (const Cell& bounds : cells) {
      typename TileGrowth<Ground>::Cell cell(ground_, bounds);
      if (!growth.is_covered(cell, unseen)) engine::grow_cell(growth, cell, &tile.near, lists);
    }
    tile.first_new = tile.near.size();
  }
  Store make_store() const { return {}; }
  void resize(Store& store, std::size_t count) const { store.resize(count); }
  void set(Store& store, std::size_t i, const Darts& darts, std::size_t k, std::int32_t) const {
    store[i] = darts.all[k].point;
  }
  void finish(Store&) const {}
  template <class IsEarlier, class Add>
  void find_earlier(std::uint32_t t, const engine::ByTile<Store>& darts, Scratch&,
                    const IsEarlier& is_earlier, const Add& add) const {
    for (std::uint32_t own = darts.first[t]; own < darts.first[t + 1]; ++own) {
      for (const std::uint32_t near : ground_.near(t)) {
        for (std::uint32_t i = darts.first[near]; i < darts.first[near + 1]; ++i) {
          if (is_earlier(i, own) && ground_.are_near(darts.store[i], darts.store[own])) add(own, i);
        }
      }
    }
  }
  Point point(const Darts& darts, std::size_t k) const { return darts.all[k].point.at; }
  bool drop_if_done(std::uint32_t t) {
    if (!tiles_[t].cells.empty()) return false;
    tiles_[t] = {};
    return true;
  }

 private:
  const Ground& ground_;
  std::uint64_t seed_;
  std::vector<Tile> tiles_;
  Window window_;
};

template <class Ground>
Sampled throw_on(const Ground& ground, const There& there, Context& context) {
  Space space(ground, context.seed);
  space.add_obstacles(there.obstacles, context);
  engine::DartWindows windows(space, context);
  engine::DartList<Dart> own;
  std::vector<std::uint32_t> tile_of;
  for (const Vec3& at : there.own) {
    own.all.push_back({{at, ground.radius(at)}, 0});
    tile_of.push_back(static_cast<std::uint32_t>(ground.holding(at)));
  }
  windows.add_earlier(own, tile_of);
  windows.run();
  Sampled made;
  windows.for_points([&](const Vec3& at, std::uint32_t, std::int32_t window) {
    made.at.push_back(at);
    made.window.push_back(window);
  });
  return made;
}

}  // namespace

Sampled throw_darts(double radius, ConflictRule rule, const There& there, Context& context) {
  const EvenGround ground(radius, rule, near_radius, context);
  return throw_on(ground, there, context);
}

Sampled throw_darts(const LatLongRadius& radii, ConflictRule rule, const There& there,
                    Context& context) {
  const MappedGround ground(radii, rule, near_radius, context);
  return throw_on(ground, there, context);
}

void order_by_windows(Sampled& points) {
  const auto rows = in_order_of_windows(points.window, [&](std::size_t i) {
    const Vec3& p = points.at[i];
    return hash(hash(std::bit_cast<std::uint64_t>(p.x), std::bit_cast<std::uint64_t>(p.y)),
                std::bit_cast<std::uint64_t>(p.z));
  });
  keep_rows(points.at, rows);
  keep_rows(points.window, rows);
}

}  // namespace dapple::sphere
