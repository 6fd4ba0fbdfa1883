// Proves classes with maps from the points alone: distances of pairs, and coverage by bounds.
#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "sample/certify/proved.hpp"
#include "sample/class_maps/grid_ground.hpp"
#include "sample/class_maps/solid_ground.hpp"
#include "sample/class_maps/sphere_ground.hpp"
#include "sample/class_maps/surface_ground.hpp"
#include "sample/class_maps/throwing.hpp"
#include "sample/engine/cells.hpp"

namespace dapple::class_maps {
namespace {

// Views the cells of a root for engine::has_hole().
template <class Ground>
class RootProof {
 public:
  using Known = Found<Ground>;
  struct Cell {
    typename Ground::Cell cell;
    typename Ground::Region region;
    RadiusBounds r;
  };

  RootProof(const Classes<Ground>& classes, std::size_t class_id, double wider)
      : classes_(classes),
        ground_(classes.ground()),
        class_id_(class_id),
        wider_(wider),
        each_(classes.count()) {}

  void select(const Cell& cell, const Known& from, Known& around) const {
    around.clear();
    for (const auto& point : from) {
      const double limit = wider_ * std::max(cell.r.max, point.other);
      if (ground_.square_distance(cell.region, point.at) <= limit * limit) around.push_back(point);
    }
  }
  bool is_covered(const Cell& cell, const Known& around) const {
    classes_.least_toward(class_id_, cell.cell, cell.region, cell.r.min, each_.data());
    return covers<Ground>(classes_, class_id_, each_.data(), around, cell.region, wider_);
  }
  auto middle_place(const Cell& cell) const { return ground_.middle(cell.cell, cell.region); }
  bool is_free_in_middle(const Cell& cell, const Known& around) const {
    const auto middle = middle_place(cell);
    if (!std::isfinite(classes_.radius(class_id_, middle))) return false;
    classes_.toward(class_id_, middle, each_.data());
    return !holds_off<Ground>(classes_, class_id_, each_.data(), around, middle, wider_);
  }
  bool is_below_tolerance(const Cell& cell) const {
    return ground_.extent(cell.region) < smallest_proved_part * cell.r.min;
  }
  template <class Body>
  bool any_part(const Cell& cell, const Body& body) const {
    return ground_.any_part(cell.cell, [&](const typename Ground::Cell& of) {
      Cell part{of, {}, {}};
      return classes_.allows(class_id_, of, part.region, part.r) && body(part);
    });
  }

 private:
  const Classes<Ground>& classes_;
  const Ground& ground_;
  std::size_t class_id_;
  double wider_;
  mutable Toward each_;
};

template <class Ground>
class Proof {
 public:
  using Known = Found<Ground>;
  using Index = NearOf<Ground>;

  Proof(const Classes<Ground>& classes, const Index& obstacles, const Placed<Ground>& points,
        double tolerance)
      : classes_(classes),
        obstacles_(obstacles),
        points_(points),
        wider_(1 + tolerance),
        near_(classes, false) {
    std::vector<double> each(classes.count());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto class_id = static_cast<std::size_t>(points.class_id[i]);
      radius_.push_back(classes.radius(class_id, points.at[i]));
      // A point at a place where its class is not allowed covers nothing.
      if (std::isfinite(radius_.back())) {
        classes.toward(class_id, points.at[i], each.data());
      } else {
        ++misplaced_;
        std::fill(each.begin(), each.end(), 0.0);
      }
      near_.add(coordinates_of(points.at[i]), points.class_id[i], each.data(),
                classes.ground().sheet_of(points.at[i]));
    }
    near_.put_in_order();
  }

  Certificate run(Context& context) {
    struct Item {
      std::size_t class_id;
      typename Ground::Cell cell;
    };
    std::vector<Item> items;
    for (std::size_t c = 0; c < classes_.count(); ++c) {
      for (const auto& cell : classes_.roots(c)) items.push_back({c, cell});
    }
    struct Buffers {
      Known found;
      engine::ByDepth<Known> lists;
    };
    Certificate all = prove_each<Buffers>(points_.size(), context,
                                          [&](std::size_t i, Buffers& buffers, Certificate& into) {
                                            pairs_of(i, buffers.found, into);
                                          });
    add_part(all, prove_each<Buffers>(items.size(), context,
                                      [&](std::size_t k, Buffers& buffers, Certificate& into) {
                                        prove_root(items[k].class_id, items[k].cell, buffers.found,
                                                   buffers.lists, into);
                                      }));
    all.violations += misplaced_;
    return all;
  }

 private:
  // Checks a point against later points and obstacles. A pair with several near images on a narrow
  // torus counts once.
  void pairs_of(std::size_t i, Known& found, Certificate& into) const {
    if (!std::isfinite(radius_[i])) return;
    const auto class_id = static_cast<std::size_t>(points_.class_id[i]);
    const auto& at = near_.at(i);
    found.clear();
    near_.gather(class_id, {at, at}, radius_[i], found);
    const std::size_t own = found.size();
    obstacles_.gather(class_id, {at, at}, radius_[i], found);
    std::vector<std::uint32_t> counted;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const auto& other = found[k];
      if (k < own && other.number <= i) continue;
      if (!classes_.ground().affects(other.sheet, near_.sheet(i))) continue;
      const double limit = classes_.limit(class_id, near_.each(i), other.kind, other.other);
      const double far = std::sqrt(square_distance(other.at, at)) / limit;
      into.closest = std::min(into.closest, far);
      if (far >= 1) continue;
      const std::uint32_t number = other.number + (k < own ? 0 : 0x80000000u);
      if (std::find(counted.begin(), counted.end(), number) != counted.end()) continue;
      counted.push_back(number);
      ++into.violations;
    }
  }

  void prove_root(std::size_t class_id, const typename Ground::Cell& of, Known& found,
                  engine::ByDepth<Known>& lists, Certificate& into) const {
    const RootProof<Ground> view(classes_, class_id, wider_);
    typename RootProof<Ground>::Cell cell{of, {}, {}};
    if (!classes_.allows(class_id, of, cell.region, cell.r)) return;
    found.clear();
    const auto box = classes_.ground().around(cell.region);
    near_.gather(class_id, box, cell.r.max * wider_, found);
    obstacles_.gather(class_id, box, cell.r.max * wider_, found);
    typename Ground::At place;
    if (!engine::has_hole(view, cell, found, place, lists)) return;
    const auto& hole = coordinates_of(place);
    if (into.holes++ > 0) return;
    into.hole_class = static_cast<int>(class_id);
    into.hole_place = {hole[0], hole[1]};
    if constexpr (Ground::coordinates == 3) into.hole_place.z = hole[2];
  }

  const Classes<Ground>& classes_;
  const Index& obstacles_;
  const Placed<Ground>& points_;
  double wider_;  // factor on all distances: 1 + tolerance
  Index near_;
  std::vector<double> radius_;
  std::int64_t misplaced_ = 0;
};

}  // namespace

template <class Ground>
Certificate prove(const Classes<Ground>& classes, const NearOf<Ground>& obstacles,
                  const Placed<Ground>& points, double tolerance, Context& context) {
  require_number("the tolerance of a proof", tolerance, 2e-5);
  const auto stage = context.stage("certify");
  return Proof<Ground>(classes, obstacles, points, tolerance).run(context);
}

template Certificate prove(const Classes<GridGround<2>>&, const NearOf<GridGround<2>>&,
                           const Placed<GridGround<2>>&, double, Context&);
template Certificate prove(const Classes<GridGround<3>>&, const NearOf<GridGround<3>>&,
                           const Placed<GridGround<3>>&, double, Context&);
template Certificate prove(const Classes<SphereGround>&, const NearOf<SphereGround>&,
                           const Placed<SphereGround>&, double, Context&);
template Certificate prove(const Classes<SolidGround>&, const NearOf<SolidGround>&,
                           const Placed<SolidGround>&, double, Context&);
template Certificate prove(const Classes<SurfaceGround>&, const NearOf<SurfaceGround>&,
                           const Placed<SurfaceGround>&, double, Context&);

}  // namespace dapple::class_maps
