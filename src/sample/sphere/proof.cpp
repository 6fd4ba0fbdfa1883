// Proves distances of pairs in double, and coverage by halving cells.
#include "sample/sphere/proof.hpp"

#include "core/constants.hpp"
#include "sample/certify/proved.hpp"
#include "sample/engine/cells.hpp"
#include "sample/sphere/cell_view.hpp"

namespace dapple::sphere {
namespace {

template <class Ground>
class TileProof : public CellView<Ground> {
 public:
  using typename CellView<Ground>::Around;
  using typename CellView<Ground>::Cell;

  using CellView<Ground>::CellView;
  bool is_free_in_middle(const Cell& cell, const Around& around) const {
    return this->is_free_at(this->ground_.middle(cell.part), around);
  }
  Vec3 middle_place(const Cell& cell) const { return this->ground_.middle(cell.part).at; }
  bool is_below_tolerance(const Cell& cell) const {
    return this->spread(cell) < smallest_proved_part;
  }
};

template <class Ground>
class Proof {
 public:
  Proof(const Ground& ground, const std::vector<Point>& points, const std::vector<Point>& obstacles,
        Context& context)
      : ground_(ground), points_(points), of_tile_(ground.size()), obstacles_(ground.size()) {
    for (std::uint32_t i = 0; i < points.size(); ++i) {
      of_tile_[ground.holding(points[i].at)].push_back(i);
    }
    for_obstacles(ground, obstacles, context, [&](std::uint32_t t, const Point& obstacle) {
      obstacles_[t].push_back(obstacle);
    });
  }

  Certificate run(Context& context) {
    return prove_each<Lists>(
        of_tile_.size(), context,
        [&](std::size_t t, Lists& lists, Certificate& into) { prove_tile(t, into, lists); });
  }

 private:
  using Lists = engine::ByDepth<std::vector<Point>>;

  void prove_tile(std::size_t t, Certificate& into, Lists& lists) const {
    std::vector<Point> near = obstacles_[t];
    for (const std::uint32_t other : ground_.near(t)) {
      for (const std::uint32_t j : of_tile_[other]) near.push_back(points_[j]);
    }
    for (const std::uint32_t i : of_tile_[t]) {
      for (const Point& obstacle : obstacles_[t]) add_pair(points_[i], obstacle, into);
      for (const std::uint32_t other : ground_.near(t)) {
        for (const std::uint32_t j : of_tile_[other]) {
          if (j > i) add_pair(points_[i], points_[j], into);
        }
      }
    }
    const TileProof<Ground> view(ground_, t);
    typename TileProof<Ground>::Cell cell(ground_, ground_.cell(t));
    Vec3 hole;
    if (!engine::has_hole(view, cell, near, hole, lists)) return;
    if (into.holes++ == 0) into.hole_place = hole;
  }

  void add_pair(const Point& a, const Point& b, Certificate& into) const {
    const double distance = length(a.at - b.at) / ground_.required_distance(a.r, b.r);
    into.violations += distance < 1 ? 1 : 0;
    if (distance >= into.closest) return;
    into.closest = distance;
    into.worst_pair_place = a.at;
  }

  const Ground& ground_;
  const std::vector<Point>& points_;
  std::vector<std::vector<std::uint32_t>> of_tile_;
  std::vector<std::vector<Point>> obstacles_;
};

}  // namespace

Certificate prove(double radius, ConflictRule rule, const std::vector<Point>& points,
                  const std::vector<Point>& obstacles, double tolerance, Context& context) {
  const EvenGround ground(radius, rule, 1 + tolerance, context);
  return Proof(ground, points, obstacles, context).run(context);
}

Certificate prove(const LatLongRadius& radii, ConflictRule rule, const std::vector<Point>& points,
                  const std::vector<Point>& obstacles, double tolerance, Context& context) {
  const MappedGround ground(radii, rule, 1 + tolerance, context);
  return Proof(ground, points, obstacles, context).run(context);
}

}  // namespace dapple::sphere
