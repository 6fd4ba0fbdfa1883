#include "sample/class_maps/throwing.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "dapple/context.hpp"
#include "sample/class_maps/grid_ground.hpp"
#include "sample/class_maps/solid_ground.hpp"
#include "sample/class_maps/sphere_ground.hpp"
#include "sample/class_maps/surface_ground.hpp"
#include "sample/engine/cells.hpp"
#include "sample/engine/dart_windows.hpp"

namespace dapple::class_maps {
namespace {

// A cell is split if it expects more darts than this.
constexpr double most_darts_a_cell = 0.7;
// A smaller cell, in radii, gets one dart at its center and then counts as covered.
constexpr double smallest_cell = 1e-5;

// A cell with the bounds of its radii.
template <class Ground>
struct Live {
  typename Ground::Cell cell;
  RadiusBounds r;
};

// The uncovered cells of a root, and the points that may conflict with its places.
template <class Ground>
struct Root {
  std::uint32_t class_id = 0;
  typename Ground::Cell whole;
  double most = 0;  // the largest radius in it
  Found<Ground> known = {};
  std::size_t seen = 0;  // number of known points at the last visit
  std::vector<Live<Ground>> live = {};
  std::vector<double> toward = {};  // for each live cell: least distances toward each class
};

template <class At>
struct Dart {
  At at;
  std::uint64_t time;
  std::int32_t class_id;
};

template <class At>
struct DartsWithDistances : engine::DartList<Dart<At>> {
  std::vector<double> each;  // for each dart: its distances toward each class

  void clear() {
    this->all.clear();
    each.clear();
  }
};

template <class Ground>
struct Scratch {
  Found<Ground> round;
  engine::ByDepth<Found<Ground>> lists;
  std::vector<Live<Ground>> live;
  std::vector<double> toward, least, each;
};

struct Window {
  std::uint64_t number = 0;
  std::vector<double> rates;  // of each class
};

// Throws darts at the cells of a root.
template <class Ground>
class RootGrowth {
 public:
  using At = typename Ground::At;
  using Known = Found<Ground>;
  using Darts = DartsWithDistances<At>;
  static constexpr Stream stream = stream_of("mixed classes");
  struct Cell {
    typename Ground::Cell cell;
    typename Ground::Region region;
    RadiusBounds r;
    const double* least;  // lower bounds of distances toward each class, until a cell is opened
  };

  RootGrowth(const Classes<Ground>& classes, Root<Ground>& root, std::uint64_t seed,
             const Window& window, Darts& darts, Scratch<Ground>& scratch)
      : classes_(classes),
        ground_(classes.ground()),
        root_(root),
        seed_(seed),
        window_(window),
        darts_(darts),
        scratch_(scratch) {
    scratch.each.resize(classes.count());
    scratch.least.resize(classes.count());
  }

  std::uint64_t seed() const { return seed_; }
  std::uint64_t window() const { return window_.number; }
  std::uint64_t key(const Cell& cell) const { return cell.cell.key; }
  const Known& near(const Cell&) const { return root_.known; }
  bool is_covered(const Cell& cell, std::span<const NearPointOf<Ground>> points) const {
    return covers(classes_, root_.class_id, cell.least, points, cell.region, near_radius);
  }
  bool is_decided(const Cell& cell) const {
    return ground_.extent(cell.region) < smallest_cell * cell.r.min;
  }
  double mean(const Cell& cell) const {
    return ground_.mean(cell.cell, cell.region, window_.rates[root_.class_id], cell.r.min);
  }
  bool is_too_large(const Cell& cell) const { return mean(cell) > most_darts_a_cell; }
  void select(const Cell& cell, const Known& from, Known& around) const {
    around.clear();
    for (const auto& point : from) {
      const double limit = classes_.farthest(cell.r.max, point.kind, point.other);
      if (ground_.square_distance(cell.region, point.at) <= limit * limit * 1.001) {
        around.push_back(point);
      }
    }
  }
  template <class Body>
  bool any_part(const Cell& cell, const Body& body) {
    return ground_.any_part(cell.cell, [&](const typename Ground::Cell& of) {
      Cell part{of, {}, {}, scratch_.least.data()};
      if (!classes_.allows(root_.class_id, of, part.region, part.r)) return false;
      classes_.least_toward(root_.class_id, of, part.region, part.r.min, scratch_.least.data());
      return body(part);
    });
  }
  std::optional<Dart<At>> draw(const Cell& cell, Random& random) const {
    const At at = ground_.draw(cell.cell, cell.region, random);
    const double chance = random.uniform();
    const std::uint64_t time = random.bits();
    // Thins darts from the rate of the least radius to the rate of r at the dart.
    const double r = classes_.radius(root_.class_id, at);
    const double least = cell.r.min;
    const bool is_flat = Ground::dimensions == 2;
    const double needed = is_flat ? least * least : least * least * least;
    if (!std::isfinite(r) || chance * r * r * (is_flat ? 1 : r) >= needed) return {};
    return Dart<At>{at, time, static_cast<std::int32_t>(root_.class_id)};
  }
  std::optional<Dart<At>> middle(const Cell& cell) const {
    const At at = ground_.middle(cell.cell, cell.region);
    if (!std::isfinite(classes_.radius(root_.class_id, at))) return {};
    Random random(seed_, stream, hash(cell.cell.key, window_.number));
    return Dart<At>{at, random.bits(), static_cast<std::int32_t>(root_.class_id)};
  }
  // Leaves the dart's distances toward each class for add().
  bool is_free(const Cell&, const Dart<At>& dart, const Known& known) const {
    classes_.toward(root_.class_id, dart.at, scratch_.each.data());
    return !holds_off<Ground>(classes_, root_.class_id, scratch_.each.data(), known, dart.at,
                              near_radius);
  }
  void add(const Dart<At>& dart) {
    darts_.all.push_back(dart);
    darts_.each.insert(darts_.each.end(), scratch_.each.begin(), scratch_.each.end());
  }
  void keep(const Cell& cell) {
    root_.live.push_back({cell.cell, cell.r});
    root_.toward.insert(root_.toward.end(), cell.least, cell.least + classes_.count());
  }

 private:
  const Classes<Ground>& classes_;
  const Ground& ground_;
  Root<Ground>& root_;
  std::uint64_t seed_;
  const Window& window_;
  Darts& darts_;
  Scratch<Ground>& scratch_;
};

// The classes as an engine::DartSpace, whose tiles are their roots.
template <class Ground>
class Space {
 public:
  using At = typename Ground::At;
  using Growth = RootGrowth<Ground>;
  using Darts = typename Growth::Darts;
  using Store = NearOf<Ground>;
  using Scratch = class_maps::Scratch<Ground>;
  struct Point {
    At at;
    std::int32_t class_id;
  };

  Space(const Classes<Ground>& classes, const Store& obstacles, std::uint64_t seed)
      : classes_(classes), seed_(seed) {
    for (std::size_t c = 0; c < classes.count(); ++c) {
      for (const typename Ground::Cell& cell : classes.roots(c)) {
        Root<Ground> root;
        root.class_id = static_cast<std::uint32_t>(c);
        root.whole = cell;
        typename Ground::Region region;
        RadiusBounds r;
        classes.allows(c, cell, region, r);
        root.most = r.max;
        root.live.push_back({cell, r});
        root.toward.resize(classes.count());
        classes.least_toward(c, cell, region, r.min, root.toward.data());
        obstacles.gather(root.class_id, classes.ground().around(region), root.most, root.known);
        roots_.push_back(std::move(root));
      }
    }
  }

  Store make_store() const { return {classes_, false}; }
  std::size_t tile_count() const { return roots_.size(); }
  std::size_t class_count() const { return classes_.count(); }
  void begin(int window, const std::vector<double>& rates) {
    window_ = {static_cast<std::uint64_t>(window), rates};
  }
  void grow(std::uint32_t n, const engine::ByTile<Store>& fresh, Darts& darts, Scratch& scratch) {
    Root<Ground>& root = roots_[n];
    const Ground& ground = classes_.ground();
    fresh.store.gather(root.class_id, ground.around(ground.region(root.whole)), root.most,
                       root.known);
    if (window_.rates[root.class_id] == 0) return;
    const auto unseen = std::span<const NearPointOf<Ground>>(root.known).subspan(root.seen);
    root.seen = root.known.size();
    scratch.live.swap(root.live);
    scratch.toward.swap(root.toward);
    root.live.clear();
    root.toward.clear();
    Growth growth(classes_, root, seed_, window_, darts, scratch);
    for (std::size_t i = 0; i < scratch.live.size(); ++i) {
      const Live<Ground>& live = scratch.live[i];
      typename Growth::Cell cell{live.cell, ground.region(live.cell), live.r,
                                 scratch.toward.data() + i * classes_.count()};
      if (!growth.is_covered(cell, unseen)) {
        engine::grow_cell(growth, cell, &root.known, scratch.lists);
      }
    }
  }
  void resize(Store& store, std::size_t count) const { store.resize(count); }
  void set(Store& store, std::size_t i, const Darts& darts, std::size_t k, std::int32_t) const {
    const auto& dart = darts.all[k];
    store.set(i, coordinates_of(dart.at), dart.class_id, darts.each.data() + k * classes_.count(),
              classes_.ground().sheet_of(dart.at));
  }
  void finish(Store& store) const { store.put_in_order(); }
  template <class IsEarlier, class Add>
  void find_earlier(std::uint32_t n, const engine::ByTile<Store>& darts, Scratch& scratch,
                    const IsEarlier& is_earlier, const Add& add) const {
    const Store& store = darts.store;
    const std::size_t class_id = roots_[n].class_id;
    for (std::uint32_t own = darts.first[n]; own < darts.first[n + 1]; ++own) {
      const auto& at = store.at(own);
      const double* each = store.each(own);
      scratch.round.clear();
      store.gather(class_id, {at, at}, each[class_id], scratch.round);
      for (const auto& other : scratch.round) {
        // On a narrow torus a dart does not conflict with its own image.
        if (other.number == own || !is_earlier(other.number, own)) continue;
        const double limit = near_radius * classes_.limit(class_id, each, other.kind, other.other);
        if (square_distance(other.at, at) < limit * limit &&
            classes_.ground().affects(other.sheet, store.sheet(own))) {
          add(own, other.number);
        }
      }
    }
  }
  Point point(const Darts& darts, std::size_t k) const {
    return {darts.all[k].at, darts.all[k].class_id};
  }
  bool drop_if_done(std::uint32_t n) {
    if (!roots_[n].live.empty()) return false;
    roots_[n].known = {};
    return true;
  }

 private:
  const Classes<Ground>& classes_;
  std::uint64_t seed_;
  std::vector<Root<Ground>> roots_;
  Window window_;
};

}  // namespace

template <class Ground>
Sampled<Ground> throw_darts(const Classes<Ground>& classes, const NearOf<Ground>& obstacles,
                            const std::vector<double>& head_start, Context& context) {
  Space<Ground> space(classes, obstacles, context.seed);
  engine::DartWindows windows(space, context);
  windows.run(head_start);
  Sampled<Ground> made;
  windows.for_points(
      [&](const typename Space<Ground>::Point& point, std::uint32_t, std::int32_t window) {
        made.at.push_back(point.at);
        made.class_id.push_back(point.class_id);
        made.window.push_back(window);
      });
  return made;
}

template Sampled<GridGround<2>> throw_darts(const Classes<GridGround<2>>&,
                                            const NearOf<GridGround<2>>&,
                                            const std::vector<double>&, Context&);
template Sampled<GridGround<3>> throw_darts(const Classes<GridGround<3>>&,
                                            const NearOf<GridGround<3>>&,
                                            const std::vector<double>&, Context&);
template Sampled<SphereGround> throw_darts(const Classes<SphereGround>&,
                                           const NearOf<SphereGround>&, const std::vector<double>&,
                                           Context&);
template Sampled<SolidGround> throw_darts(const Classes<SolidGround>&, const NearOf<SolidGround>&,
                                          const std::vector<double>&, Context&);
template Sampled<SurfaceGround> throw_darts(const Classes<SurfaceGround>&,
                                            const NearOf<SurfaceGround>&,
                                            const std::vector<double>&, Context&);

}  // namespace dapple::class_maps
