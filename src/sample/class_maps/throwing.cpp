#include "sample/class_maps/throwing.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "dapple/context.hpp"
#include "sample/engine/cells.hpp"
#include "sample/engine/dart_windows.hpp"

namespace dapple::class_maps {
namespace {

// A square is split if it expects more darts than this.
constexpr double most_darts_a_square = 0.7;
// A smaller square, in radii, gets one dart at its center and then counts as covered.
constexpr double smallest_square = 1e-5;

// A square with the bounds of its radii.
struct Live {
  Square square;
  Bounds r;
};

// The uncovered squares of a root, and the points that may conflict with its places.
struct Root {
  std::uint32_t class_id = 0;
  Square whole;
  double most = 0;  // the largest radius in it
  Found known = {};
  std::size_t seen = 0;  // number of known points at the last visit
  std::vector<Live> live = {};
  std::vector<double> toward = {};  // for each live square: least distances toward each class
};

struct Dart {
  Vec2 at;
  std::uint64_t time;
  std::int32_t class_id;
};

struct Darts : engine::DartList<Dart> {
  std::vector<double> each;  // for each dart: its distances toward each class

  void clear() {
    all.clear();
    each.clear();
  }
};

struct Scratch {
  Found round;
  engine::ByDepth<Found> lists;
  std::vector<Live> live;
  std::vector<double> toward, least, each;
};

struct Window {
  std::uint64_t number = 0;
  std::vector<double> rates;  // of each class
};

// Throws darts at the squares of a root.
class RootGrowth {
 public:
  static constexpr Stream stream = stream_of("mixed classes");
  struct Cell {
    Square square;
    Box box;
    Bounds r;
    const double* least;  // lower bounds of distances toward each class, until a square is opened
  };

  RootGrowth(const Classes& classes, Root& root, std::uint64_t seed, const Window& window,
             Darts& darts, Scratch& scratch)
      : classes_(classes),
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
  std::uint64_t key(const Cell& cell) const { return cell.square.key; }
  const Found& near(const Cell&) const { return root_.known; }
  bool is_covered(const Cell& cell, std::span<const NearPoint> points) const {
    return covers(classes_, root_.class_id, cell.least, points, cell.box, near_radius);
  }
  bool is_decided(const Cell& cell) const {
    return std::max(cell.box.width(), cell.box.height()) < smallest_square * cell.r.least;
  }
  double mean(const Cell& cell) const {
    return window_.rates[root_.class_id] * (cell.box.width() / cell.r.least) *
           (cell.box.height() / cell.r.least);
  }
  bool is_too_large(const Cell& cell) const { return mean(cell) > most_darts_a_square; }
  void select(const Cell& cell, const Found& from, Found& around) const {
    around.clear();
    for (const NearPoint& point : from) {
      const double limit = point.kind >= classes_.of_its_own()
                               ? std::max(cell.r.most, point.other)
                               : classes_.reach(cell.r.most, point.other);
      if (square_distance(cell.box, point) <= limit * limit * 1.001) around.push_back(point);
    }
  }
  template <class Body>
  bool any_part(const Cell& cell, const Body& body) {
    for (int child = 0; child < 4; ++child) {
      Cell part{cell.square.child(child), {}, {}, scratch_.least.data()};
      if (!classes_.allows(root_.class_id, part.square, part.box, part.r)) continue;
      classes_.least_toward(root_.class_id, part.box, part.r.least, scratch_.least.data());
      if (body(part)) return true;
    }
    return false;
  }
  std::optional<Dart> draw(const Cell& cell, Random& random) const {
    const double u = random.uniform();
    const double v = random.uniform();
    const Vec2 at{cell.box.x0 + u * cell.box.width(), cell.box.y0 + v * cell.box.height()};
    const double chance = random.uniform();
    const std::uint64_t time = random.bits();
    // Thins darts from the rate of the least radius to the rate of r at the dart.
    const double r = classes_.radius(root_.class_id, at);
    if (!std::isfinite(r) || chance * r * r >= cell.r.least * cell.r.least) return {};
    return Dart{at, time, static_cast<std::int32_t>(root_.class_id)};
  }
  std::optional<Dart> middle(const Cell& cell) const {
    const Vec2 at = middle_of(cell.box);
    if (!std::isfinite(classes_.radius(root_.class_id, at))) return {};
    Random random(seed_, stream, hash(cell.square.key, window_.number));
    return Dart{at, random.bits(), static_cast<std::int32_t>(root_.class_id)};
  }
  // Leaves the dart's distances toward each class for add().
  bool is_free(const Cell&, const Dart& dart, const Found& known) const {
    classes_.toward(root_.class_id, dart.at, scratch_.each.data());
    return !holds_off(classes_, root_.class_id, scratch_.each.data(), known, dart.at, near_radius);
  }
  void add(const Dart& dart) {
    darts_.all.push_back(dart);
    darts_.each.insert(darts_.each.end(), scratch_.each.begin(), scratch_.each.end());
  }
  void keep(const Cell& cell) {
    root_.live.push_back({cell.square, cell.r});
    root_.toward.insert(root_.toward.end(), cell.least, cell.least + classes_.count());
  }

 private:
  const Classes& classes_;
  Root& root_;
  std::uint64_t seed_;
  const Window& window_;
  Darts& darts_;
  Scratch& scratch_;
};

// The classes as an engine::DartSpace, whose tiles are their roots.
class Space {
 public:
  using Darts = class_maps::Darts;
  using Store = Near;
  using Scratch = class_maps::Scratch;
  struct Point {
    Vec2 at;
    std::int32_t class_id;
  };

  Space(const Classes& classes, const Near& obstacles, std::uint64_t seed)
      : classes_(classes), seed_(seed) {
    for (std::size_t c = 0; c < classes.count(); ++c) {
      for (const Square& square : classes.roots(c)) {
        Root root;
        root.class_id = static_cast<std::uint32_t>(c);
        root.whole = square;
        const Box box = classes.box(square);
        const Bounds r = classes.bounds(c, box);
        root.most = r.most;
        root.live.push_back({square, r});
        root.toward.resize(classes.count());
        classes.least_toward(c, box, r.least, root.toward.data());
        obstacles.gather(root.class_id, box, root.most, root.known);
        roots_.push_back(std::move(root));
      }
    }
  }

  Near make_store() const { return {classes_, false}; }
  std::size_t tile_count() const { return roots_.size(); }
  std::size_t class_count() const { return classes_.count(); }
  void begin(int window, const std::vector<double>& rates) {
    window_ = {static_cast<std::uint64_t>(window), rates};
  }
  void grow(std::uint32_t n, const engine::ByTile<Near>& fresh, Darts& darts, Scratch& scratch) {
    Root& root = roots_[n];
    fresh.store.gather(root.class_id, classes_.box(root.whole), root.most, root.known);
    if (window_.rates[root.class_id] == 0) return;
    const auto unseen = std::span<const NearPoint>(root.known).subspan(root.seen);
    root.seen = root.known.size();
    scratch.live.swap(root.live);
    scratch.toward.swap(root.toward);
    root.live.clear();
    root.toward.clear();
    RootGrowth growth(classes_, root, seed_, window_, darts, scratch);
    for (std::size_t i = 0; i < scratch.live.size(); ++i) {
      const Live& live = scratch.live[i];
      RootGrowth::Cell cell{live.square, classes_.box(live.square), live.r,
                            scratch.toward.data() + i * classes_.count()};
      if (!growth.is_covered(cell, unseen)) {
        engine::grow_cell(growth, cell, &root.known, scratch.lists);
      }
    }
  }
  void resize(Near& store, std::size_t count) const { store.resize(count); }
  void set(Near& store, std::size_t i, const Darts& darts, std::size_t k, std::int32_t) const {
    const Dart& dart = darts.all[k];
    store.set(i, dart.at, dart.class_id, darts.each.data() + k * classes_.count());
  }
  void finish(Near& store) const { store.put_in_order(); }
  template <class IsEarlier, class Add>
  void find_earlier(std::uint32_t n, const engine::ByTile<Near>& darts, Scratch& scratch,
                    const IsEarlier& is_earlier, const Add& add) const {
    const Near& store = darts.store;
    const std::size_t class_id = roots_[n].class_id;
    for (std::uint32_t own = darts.first[n]; own < darts.first[n + 1]; ++own) {
      const Vec2 at = store.at(own);
      const double* each = store.each(own);
      scratch.round.clear();
      const double most = classes_.radius(class_id, at);
      store.gather(class_id, {at.x, at.y, at.x, at.y}, most, scratch.round);
      for (const NearPoint& other : scratch.round) {
        // On a narrow torus a dart does not conflict with its own image.
        if (other.number == own || !is_earlier(other.number, own)) continue;
        const double x = other.x - at.x;
        const double y = other.y - at.y;
        const double limit = near_radius * classes_.limit(class_id, each, other.kind, other.other);
        if (x * x + y * y < limit * limit) add(own, other.number);
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
  const Classes& classes_;
  std::uint64_t seed_;
  std::vector<Root> roots_;
  Window window_;
};

}  // namespace

Sampled throw_darts(const Classes& classes, const Near& obstacles,
                    const std::vector<double>& head_start, Context& context) {
  Space space(classes, obstacles, context.seed);
  engine::DartWindows windows(space, context);
  windows.run(head_start);
  Sampled made;
  windows.for_points([&](const Space::Point& point, std::uint32_t, std::int32_t window) {
    made.at.push_back(point.at);
    made.class_id.push_back(point.class_id);
    made.window.push_back(window);
  });
  return made;
}

}  // namespace dapple::class_maps
