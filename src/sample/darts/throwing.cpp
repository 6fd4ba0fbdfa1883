// Throws darts by the definition (Cook 1986), to the end: each next point is uniform over all
// places that no point refuses, until there are none. This defines "Poisson-disk", and is the
// reference for every faster sampler.
//
// Differences: darts are a Poisson process in space and time, one per unit of area and time,
// without memory. Darts thus need to fall only on squares not proved covered, until none is left
// (Ebeida et al. 2012, without their bias). Squares get smaller with time by powers of four. A dart
// of a span of time stays if no earlier dart that stays refuses it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/deterministic_math.hpp"
#include "dapple/context.hpp"
#include "sample/darts/gap_fill.hpp"
#include "sample/darts/radius_tree.hpp"
#include "sample/fixed_points.hpp"
#include "sample/samplers.hpp"
#include "sample/trace/sampler_trace.hpp"

namespace dapple {
namespace {

constexpr double first_darts = 1;  // per area of the largest r^2
constexpr double stretch = 4;      // of time from one window to the next
constexpr double most_darts = 2;   // expected on a square; for more, it is cut into four

// The span of time in progress.
struct TimeWindow {
  std::uint64_t index;
  double from;
  double length;
};

// A part of a tile: square (x, y) of a grid of 2^level x 2^level. It may stick out of the domain.
struct Square {
  std::uint32_t tile;
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  int level = 0;

  std::uint64_t key() const {
    return hash(std::uint64_t{x} << 32 | y, static_cast<std::uint64_t>(level));
  }
};

// Returns a Poisson number of darts of this mean, from a uniform number (inverted distribution).
int poisson_number(double mean, double u) {
  double chance = portable_exp(-mean);
  double sum = chance;
  int n = 0;
  while (u >= sum && n < 100) {
    chance *= mean / ++n;
    sum += chance;
  }
  return n;
}

// Visits the squares that no single point of the tree is proved to cover.
class Throwing {
 public:
  Throwing(const TileSet& set, const SafeField& field, const RadiusTree& tree, ConflictRule rule,
           Context& context)
      : set_(set), field_(field), tree_(tree), rule_(rule), context_(context) {
    for (std::uint32_t tile = 0; tile < set.tiles().size(); ++tile) live_.push_back({tile});
  }

  bool done() const { return live_.empty(); }

  // Returns the squares that darts are thrown at; they may stick out of the domain.
  std::vector<Box> squares() const {
    std::vector<Box> boxes;
    boxes.reserve(live_.size());
    for (const Square& square : live_) boxes.push_back(box_of(square));
    return boxes;
  }

  // Returns the darts of a span of time that no point so far refuses, in order of time.
  std::vector<Dart> darts_of(const TimeWindow& window) {
    window_ = window;
    darts_.clear();
    const std::vector<Square> squares = std::exchange(live_, {});
    for (std::size_t i = 0; i < squares.size(); ++i) {
      if (i % 1024 == 0) context_.check();
      visit(squares[i]);
    }
    std::stable_sort(darts_.begin(), darts_.end(),
                     [](const Dart& a, const Dart& b) { return a.time < b.time; });
    return darts_;
  }

 private:
  void visit(const Square& square) {
    const Vec2 size = size_of(square);
    const double mean = size.x * size.y * window_.length;
    if (mean <= most_darts) {
      throw_at(square, mean);
      live_.push_back(square);
      return;
    }
    for (std::uint32_t quarter = 0; quarter < 4; ++quarter) {
      look_at({square.tile, 2 * square.x + (quarter & 1), 2 * square.y + (quarter >> 1),
               square.level + 1});
    }
  }

  // Drops a square that is covered or allows no points, and visits other squares.
  void look_at(const Square& square) {
    const Domain& domain = set_.domain();
    Box box = box_of(square);
    box.x1 = std::min(box.x1, domain.width);
    box.y1 = std::min(box.y1, domain.height);
    if (box.x0 >= box.x1 || box.y0 >= box.y1) return;
    const RadiusBounds bounds = field_.bounds(box);
    if (bounds.max == 0 || tree_.least_ratio(box, bounds.min, rule_, 1) < 1) return;
    if (std::max(box.width(), box.height()) > finest * bounds.min) return visit(square);
    // No place here is farther from the center than the tolerance of "covered".
    add(square.tile, {0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)},
        random_of(square).uniform());
  }

  // Throws darts on the whole square, even outside the tile, so the mean is that of its level.
  void throw_at(const Square& square, double mean) {
    const Box box = box_of(square);
    Random random = random_of(square);
    const int count = poisson_number(mean, random.uniform());
    for (int i = 0; i < count; ++i) {
      const Vec2 place = place_in(box, random.bits());
      const double when = random.uniform();
      if (set_.tiles()[square.tile].box.contains(place)) add(square.tile, place, when);
    }
  }

  void add(std::uint32_t tile, Vec2 place, double when) {
    const double r = field_.radius(place);
    // r is above r_max if no point is allowed there, or if rounding moved it into the next pixel.
    if (r > set_.tiles()[tile].r_max || tree_.conflicts(place, r, rule_)) return;
    darts_.push_back({place, r, window_.from + when * window_.length});
  }

  Random random_of(const Square& square) const {
    const Random spans(context_.seed, Stream::dart_throwing, square.tile);
    return {spans.at(window_.index), Stream::dart_throwing, square.key()};
  }
  Vec2 size_of(const Square& square) const {
    const Tile& tile = set_.tiles()[square.tile];
    return Vec2{tile.cell_width, tile.cell_height} * std::ldexp(tile.cells, -square.level);
  }
  Box box_of(const Square& square) const {
    const Box& tile = set_.tiles()[square.tile].box;
    const auto [w, h] = size_of(square);
    return {tile.x0 + square.x * w, tile.y0 + square.y * h, tile.x0 + (square.x + 1.0) * w,
            tile.y0 + (square.y + 1.0) * h};
  }

  const TileSet& set_;
  const SafeField& field_;
  const RadiusTree& tree_;
  ConflictRule rule_;
  Context& context_;
  TimeWindow window_{};
  std::vector<Square> live_;
  std::vector<Dart> darts_;
};

}  // namespace

Points dart_throwing(const DensityField& field, const SampleOptions& options, Context& context,
                     std::vector<Dart>* thrown, Filling* told) {
  const Domain& domain = field.domain();
  const double expected =
      packing_constant(SampleMethod::dart_throwing, options.conflict) * field.integral();
  context.require_memory(expected * 250, "throwing darts for this many points");
  const TileSet set(field, options.conflict, context);
  const SafeField safe(field);
  RadiusTree tree(domain);
  const Points kept = kept_points(field, options);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    tree.add(kept[i], static_cast<double>(kept.radius[i]) * safety);
  }
  Points points;
  points.domain = domain;
  const double largest = field.radius_bounds({0, 0, domain.width, domain.height}).max;
  Throwing throwing(set, safe, tree, options.conflict, context);
  for (TimeWindow window{0, 0, first_darts / (largest * largest)}; !throwing.done();
       ++window.index) {
    const std::vector<Dart> darts = throwing.darts_of(window);
    if (told != nullptr) {
      told->steps.push_back(
          {FillingStep::Kind::searched, static_cast<std::uint32_t>(told->squares.size())});
      told->squares.push_back(throwing.squares());
    }
    for (const Dart& dart : darts) {
      if (thrown != nullptr) thrown->push_back(dart);
      const bool stays = !tree.conflicts(dart.at, dart.r, options.conflict);
      if (told != nullptr) {
        told->tell(stays ? FillingStep::Kind::placed : FillingStep::Kind::refused, dart.at);
      }
      if (!stays) continue;
      tree.add(dart.at, dart.r);
      points.add(dart.at, static_cast<float>(field.radius(dart.at)));
    }
    window.from += window.length;
    window.length = (stretch - 1) * window.from;
    context.progress(std::min(1.0, static_cast<double>(points.size()) / std::max(1.0, expected)));
  }
  return points;
}

}  // namespace dapple
