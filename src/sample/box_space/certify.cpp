// Proves distances and coverage of points in a domain, from the points alone.
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "core/constants.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "sample/box_space/obstacles.hpp"
#include "sample/box_space/solid_boundary.hpp"
#include "sample/certify/proved.hpp"

namespace dapple::box_space {
namespace {

template <std::size_t D>
class Proof {
 public:
  Proof(const Room<D>& room, const Sampled<D>& points, double tolerance, Context& context)
      : room_(room), points_(points), wider_(1 + tolerance), context_(context) {
    // Tiles find neighbors up to the longer distances of the proof.
    Room<D> wide = room;
    for (auto& row : wide.distance) {
      for (double& distance : row) distance *= 1 + tolerance;
    }
    tiles_ = make_tiles(wide, context, room.field != nullptr ? 1 + tolerance : 1);
    if constexpr (D == 3) {
      if (room.solid != nullptr) border_.emplace(*room.solid, tiles_);
    }
    for (Neighbor<D>& neighbor : tiles_.neighbors) {
      neighbor.limit = static_cast<float>(static_cast<double>(neighbor.limit) / near_radius);
    }
    places_.resize(tiles_.tiles.size());
    for (std::size_t i = 0; i < points.size(); ++i) add(i);
    if (room.obstacles == nullptr) return;
    obstacles_.emplace(room, tiles_, wider_, context);
    if constexpr (D == 3) {
      for (std::size_t i = 0; room.field != nullptr && i < room.obstacles->size(); ++i) {
        radii_.push_back(radius_of_obstacle(room, i));
      }
    }
  }

  Certificate run() {
    Certificate all = prove_each<Places<D>>(places_.size(), context_,
                                            [&](std::size_t t, Places<D>& near, Certificate& into) {
                                              prove_tile(static_cast<std::uint32_t>(t), near, into);
                                            });
    all.violations += misplaced_;
    return all;
  }

 private:
  void add(std::size_t i) {
    VecD<D> at = points_.at[i];
    for (double& v : at) v /= tiles_.unit;
    std::uint32_t t = Grades::none;
    float radius = 0;
    if constexpr (D == 3) {
      if (room_.field != nullptr) {
        const double r = radius_at(points_.at[i]);
        radii_.push_back(r);
        t = graded_tile(tiles_, at);
        if (t == Grades::none || !std::isfinite(r)) {
          ++misplaced_;
          return;
        }
        radius = static_cast<float>(r / tiles_.unit * wider_);
      }
    }
    if (room_.field == nullptr) t = tiles_.holding(points_.class_id[i], at);
    const VecD<D> middle = tiles_.middle(t);
    VecF<D> near;
    for (std::size_t a = 0; a < D; ++a) near[a] = static_cast<float>(at[a] - middle[a]);
    Places<D>& places = places_[t];
    places.numbered = true;
    places.make_room(1);
    places.add(near, radius, static_cast<std::int32_t>(i));
  }
  double radius_at(const VecD<D>& place) const requires(D == 3) {
    return room_.field->radius({place[0], place[1], place[2]});
  }
  ConflictLimits reach(float radius) const {
    return room_.limits(radius * static_cast<float>(wider_));
  }

  void prove_tile(std::uint32_t t, Places<D>& near, Certificate& into) const {
    const Tile& tile = tiles_.tiles[t];
    const Lattice<D>& lattice = tiles_.lattice(tile);
    HalfBox<D> box{};
    for (std::size_t a = 0; a < D; ++a) box.half[a] = static_cast<float>(0.5 * lattice.edge[a]);
    near.clear();
    near.numbered = true;
    for (const Neighbor<D>& neighbor : tiles_.neighbors_of(tile)) {
      const Places<D>& of = places_[neighbor.tile];
      const ConflictLimits limits = room_.field != nullptr ? reach(tiles_.grades.most[t])
                                                           : ConflictLimits{.own = neighbor.limit};
      gather(box, neighbor.shift, limits, of, 0, of.count, near);
    }
    if (obstacles_) obstacles_->add_to(t, static_cast<std::int32_t>(points_.size()), near);
    for (std::size_t k = 0; k < places_[t].count; ++k) {
      pairs_of(static_cast<std::size_t>(places_[t].number[k]), near, into);
    }
    const VecD<D> edge = lattice.levels[0].edge;
    std::array<std::int32_t, D> at{};
    for (std::int32_t root = 0; root < lattice.root_count(); ++root) {
      HalfBox<D> of;
      for (std::size_t a = 0; a < D; ++a) {
        of.half[a] = static_cast<float>(0.5 * edge[a]);
        of.middle[a] = static_cast<float>((at[a] + 0.5) * edge[a] - 0.5 * lattice.edge[a]);
      }
      for (std::size_t a = 0; a < D && ++at[a] == lattice.roots[a]; ++a) at[a] = 0;
      VecF<D> hole;
      if (!has_hole(of, near, border_at(t), hole)) continue;
      if (into.holes++ > 0) continue;
      into.hole_class = tile.class_id;
      const VecD<D> middle = tiles_.middle(t);
      VecD<4> place{};
      for (std::size_t a = 0; a < D; ++a) {
        place[a] = (middle[a] + static_cast<double>(hole[a])) * tiles_.unit;
      }
      into.hole_place = {place[0], place[1], place[2], place[3]};
    }
  }

  // Returns a distance divided by the required one. Obstacles are numbered after the points.
  double distance_of(std::size_t i, std::size_t j) const {
    const bool is_obstacle = j >= points_.size();
    const VecD<D>& at = is_obstacle ? room_.obstacles->at[j - points_.size()] : points_.at[j];
    double square = 0;
    for (std::size_t a = 0; a < D; ++a) {
      double d = std::abs(at[a] - points_.at[i][a]);
      if (room_.wrap) d = std::min(d, room_.side[a] - d);
      square += d * d;
    }
    if (room_.field != nullptr) {
      return std::sqrt(square) / conflict_distance(room_.rule, radii_[i], radii_[j]);
    }
    const auto own = static_cast<std::size_t>(points_.class_id[i]);
    if (is_obstacle) return std::sqrt(square) / exclusion_distance(room_, j - points_.size(), own);
    const auto other = static_cast<std::size_t>(points_.class_id[j]);
    return std::sqrt(square) / room_.distance[own][other];
  }

  // Checks a point against later ones. On a narrow torus a pair counts once, not once per image.
  void pairs_of(std::size_t i, const Places<D>& near, Certificate& into) const {
    std::vector<std::int32_t> counted;
    for (std::size_t n = 0; n < near.count; ++n) {
      const std::int32_t number = near.number[n];
      if (static_cast<std::size_t>(number) <= i) continue;
      const double distance = distance_of(i, static_cast<std::size_t>(number));
      into.closest = std::min(into.closest, distance);
      if (distance >= 1 || std::find(counted.begin(), counted.end(), number) != counted.end()) {
        continue;
      }
      counted.push_back(number);
      ++into.violations;
    }
  }

  // The part of a tile that the solid fills, as the faces that cross it.
  struct Filled {
    std::uint32_t tile = 0;
    bool crossed = false;
    std::vector<std::uint32_t> faces = {};
  };
  Filled border_at(std::uint32_t tile) const {
    if (!border_) return {tile};
    const auto faces = border_->near(tile);
    return {tile, true, {faces.begin(), faces.end()}};
  }
  SolidBox solid_box(std::uint32_t tile, const HalfBox<D>& box) const requires(D == 3) {
    VecD<D> middle, half;
    for (std::size_t a = 0; a < D; ++a) {
      middle[a] = static_cast<double>(box.middle[a]);
      half[a] = static_cast<double>(box.half[a]);
    }
    return border_->box(tile, middle, half);
  }

  VecD<D> place_in(std::uint32_t tile, const VecF<D>& at) const {
    VecD<D> place = tiles_.middle(tile);
    for (std::size_t a = 0; a < D; ++a) {
      place[a] =
          std::clamp((place[a] + static_cast<double>(at[a])) * tiles_.unit, 0.0, room_.side[a]);
    }
    return place;
  }

  // Returns true at the first free place: following the border of a hole could take forever.
  bool has_hole(const HalfBox<D>& box, const Places<D>& near, const Filled& outer,
                VecF<D>& place) const {
    ConflictLimits of_least, of_middle, of_most;  // if r varies: in the box
    double smallest = smallest_proved_part;
    bool middle_counts = true;
    if constexpr (D == 3) {
      if (room_.field != nullptr) {
        const Graded graded(room_, tiles_, outer.tile);
        const Graded::Bounds bounds = graded.bounds(box);
        if (bounds.most == 0) return false;
        of_most = reach(bounds.most);
        of_least = reach(bounds.least);
        const double r = radius_at(place_in(outer.tile, box.middle));
        middle_counts = std::isfinite(r);
        of_middle = reach(middle_counts ? static_cast<float>(r / tiles_.unit) : 0);
        // The error of floats grows with the radius.
        smallest *= static_cast<double>(bounds.least);
      }
    }
    Places<D> around;
    select_near(near, 0, box, of_most, around);
    std::uint64_t live = uncovered(all_parts<D>, box, around, of_least);
    if (live == 0) return false;
    Filled filled{outer.tile};
    if constexpr (D == 3) {
      if (outer.crossed) {
        const SolidBox of_solid = solid_box(outer.tile, box);
        select_faces(border_->solid(), outer.faces, of_solid, filled.faces);
        filled.crossed = !filled.faces.empty();
        middle_counts = border_->solid().holds(of_solid.middle);
        if (!filled.crossed && !middle_counts) return false;
      }
    }
    if (middle_counts && !any_near(around, box.middle, of_middle)) {
      place = box.middle;
      return true;
    }
    const double half = static_cast<double>(*std::max_element(box.half.begin(), box.half.end()));
    if (half < smallest) return false;
    const int whole = short_axes<D>(box.half);
    for (std::size_t a = 0; a < D; ++a) {
      if ((whole >> a & 1) != 0) live = joined_along<D>(live, a);
    }
    for (; live != 0; live &= live - 1) {
      HalfBox<D> child = box_of_part<D>(box, std::countr_zero(live));
      for (std::size_t a = 0; a < D; ++a) {
        if ((whole >> a & 1) == 0) continue;
        child.middle[a] = box.middle[a];
        child.half[a] = box.half[a];
      }
      if (has_hole(child, around, filled, place)) return true;
    }
    return false;
  }

  const Room<D>& room_;
  const Sampled<D>& points_;
  double wider_;  // factor on all distances: 1 + tolerance
  Context& context_;
  Tiles<D> tiles_;
  std::optional<Border> border_;
  std::optional<ObstaclesRound<D>> obstacles_;
  std::vector<Places<D>> places_;
  // If r varies: r at each point, infinite if points are not allowed there, and how many are not.
  std::vector<double> radii_;
  std::int64_t misplaced_ = 0;
};

}  // namespace

template <std::size_t D>
Certificate prove(const Room<D>& room, const Sampled<D>& points, double tolerance,
                  Context& context) {
  require_number("the tolerance of a proof", tolerance, 1e-5);
  const auto stage = context.stage("certify");
  return Proof<D>(room, points, tolerance, context).run();
}

template Certificate prove(const Room<2>&, const Sampled<2>&, double, Context&);
template Certificate prove(const Room<3>&, const Sampled<3>&, double, Context&);
template Certificate prove(const Room<4>&, const Sampled<4>&, double, Context&);

}  // namespace dapple::box_space
