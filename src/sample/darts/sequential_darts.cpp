// Throws darts for maps of unlimited slope, such as noise from pixel to pixel at 1000:1. There a
// tile would have thousands of neighbors. Tiles are visited in random order, one after the other. A
// tree of the points so far answers every query; it skips whole densities.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "dapple/context.hpp"
#include "sample/darts/darts.hpp"
#include "sample/darts/gap_fill.hpp"
#include "sample/darts/radius_tree.hpp"

namespace dapple {
namespace {

// Answers the queries of Filler with the tree.
class AroundTree {
 public:
  AroundTree(RadiusTree& tree, ConflictRule rule, Points& points, const DensityField& field)
      : tree_(tree), rule_(rule), points_(points), field_(field) {}

  bool enter(int, const Box& box, const RadiusBounds& bounds) const {
    return tree_.least_ratio(box, bounds.min, rule_, 1) < 1;
  }
  std::uint32_t open_parts(int, const Box&, double) const { return 0xffff; }
  bool covers(const Box& box, double r_min, Vec2 p, double r) const {
    const double dx = std::max(p.x - box.x0, box.x1 - p.x);
    const double dy = std::max(p.y - box.y0, box.y1 - p.y);
    return std::sqrt(dx * dx + dy * dy) < conflict_distance(rule_, r_min, r);
  }
  static Vec2 rounded(Vec2 p) { return p; }
  bool conflicts(int, Vec2 p, double r) const { return tree_.conflicts(p, r, rule_); }
  void add(int, Vec2 p, double r) {
    tree_.add(p, r);
    points_.add(p, static_cast<float>(field_.radius(p)));
  }

 private:
  RadiusTree& tree_;
  ConflictRule rule_;
  Points& points_;
  const DensityField& field_;
};

}  // namespace

Points darts_one_by_one(const DensityField& field, ConflictRule rule, const TileSet& set,
                        const Points* start, const Points* kept, Context& context) {
  const SafeField safe(field);
  RadiusTree tree(field.domain());
  Points points;
  points.domain = field.domain();
  AroundTree around(tree, rule, points, field);
  for (std::size_t i = 0; kept != nullptr && i < kept->size(); ++i) {
    tree.add((*kept)[i], static_cast<double>(kept->radius[i]) * safety);
  }

  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
  const Random shuffle(context.seed, Stream::darts, ~std::uint64_t{0});
  for (std::uint32_t i = 0; i < set.tiles().size(); ++i) order.emplace_back(shuffle.at(i), i);
  std::sort(order.begin(), order.end());

  const double work = static_cast<double>(3 * order.size());
  std::size_t done = 0;
  const auto for_each_cell = [&](auto body) {
    for (const auto& [key, index] : order) {
      const Tile& tile = set.tiles()[index];
      for (int j = 0; j < tile.cells; ++j) {
        for (int i = 0; i < tile.cells; ++i) {
          const Box cell{tile.box.x0 + i * tile.cell_width, tile.box.y0 + j * tile.cell_height,
                         tile.box.x0 + (i + 1) * tile.cell_width,
                         tile.box.y0 + (j + 1) * tile.cell_height};
          if (cell.x0 < tile.box.x1 && cell.y0 < tile.box.y1) {
            body(index, j * tile.cells + i, cell);
          }
        }
      }
      if (++done % 64 == 0) context.progress(static_cast<double>(done) / work);
    }
  };

  if (start != nullptr) {
    for (std::size_t i = 0; i < start->size(); ++i) {
      around.add(0, (*start)[i], safe.radius((*start)[i]));
    }
  } else {
    for (std::uint64_t round = 0; round < 2; ++round) {
      for_each_cell([&](std::uint32_t index, int cell, Box box) {
        box.x1 = std::min(box.x1, field.domain().width);
        box.y1 = std::min(box.y1, field.domain().height);
        const Random random(context.seed, Stream::darts, index * std::uint64_t{8} + round);
        const Vec2 p = place_in(box, random.at(static_cast<std::uint64_t>(cell)));
        const double r = safe.radius(p);
        if (std::isfinite(r) && !around.conflicts(0, p, r)) around.add(0, p, r);
      });
    }
  }
  for_each_cell([&](std::uint32_t index, int cell, const Box& box) {
    Random random(context.seed, Stream::fill,
                  index * std::uint64_t{64} + static_cast<std::uint64_t>(cell));
    Filler<SafeField, AroundTree>(safe, around, random, field.domain()).fill(box, 0);
  });
  return points;
}

}  // namespace dapple
