// Proves points in regions: distances, places, numbers and, for one radius, coverage.
#include "sample/certify/certify.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "sample/certify/proved.hpp"
#include "sample/fixed_points.hpp"
#include "sample/regions/region_shapes.hpp"
#include "sample/spaces.hpp"

namespace dapple {
namespace {

// Searches boxes of regions for places that no point covers. Distances are in double.
class HoleSearch {
 public:
  HoleSearch(const RegionShapes& shapes, const Points& points, double radius, double tolerance)
      : shapes_(shapes), points_(points), index_(points), radius_(radius), tolerance_(tolerance) {}

  // Looks for a hole in a row of boxes across a region.
  void search_row(std::size_t region, std::size_t row, Certificate& proof) const {
    const Box& all = shapes_.box(region);
    const double side = 4 * radius_;
    const double y = all.y0 + static_cast<double>(row) * side;
    for (double x = all.x0; x < all.x1; x += side) {
      const Box box{x, y, std::min(x + side, all.x1), std::min(y + side, all.y1)};
      std::vector<Neighbor> found;
      index_.within({x + 0.5 * side, y + 0.5 * side}, side + most_reach(), found);
      std::vector<std::int32_t> near;
      for (const Neighbor& n : found) near.push_back(n.index);
      if (has_hole(region, box, near, proof)) return;
    }
  }
  std::size_t rows(std::size_t region) const {
    return static_cast<std::size_t>(shapes_.box(region).height() / (4 * radius_)) + 1;
  }

 private:
  double most_reach() const { return 0.5 * (radius_ + largest()); }
  double largest() const {
    return static_cast<double>(*std::max_element(points_.radius.begin(), points_.radius.end()));
  }
  double reach(std::int32_t i) const {
    return 0.5 * (radius_ + static_cast<double>(points_.radius[static_cast<std::size_t>(i)]));
  }

  bool has_hole(std::size_t region, const Box& box, const std::vector<std::int32_t>& near,
                Certificate& proof) const {
    if (shapes_.is_outside(region, box)) return false;
    std::vector<std::int32_t> left;
    const Vec2 center{0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)};
    bool is_free = true;
    for (const std::int32_t i : near) {
      const Vec2 d = points_[static_cast<std::size_t>(i)] - center;
      const Vec2 far{std::abs(d.x) + 0.5 * box.width(), std::abs(d.y) + 0.5 * box.height()};
      const Vec2 gap{std::max(0.0, std::abs(d.x) - 0.5 * box.width()),
                     std::max(0.0, std::abs(d.y) - 0.5 * box.height())};
      const double f = reach(i) * (1 + tolerance_);
      if (length(far) < f) return false;
      if (length(gap) < f) left.push_back(i);
      is_free = is_free && length(d) >= f;
    }
    if (is_free && shapes_.contains(region, center)) {
      ++proof.holes;
      proof.hole_place = center;
      return true;
    }
    if (std::max(box.width(), box.height()) < tolerance_ * radius_) return false;
    for (int part = 0; part < 4; ++part) {
      const Box quarter{part % 2 == 0 ? box.x0 : center.x, part < 2 ? box.y0 : center.y,
                        part % 2 == 0 ? center.x : box.x1, part < 2 ? center.y : box.y1};
      if (has_hole(region, quarter, left, proof)) return true;
    }
    return false;
  }

  const RegionShapes& shapes_;
  const Points& points_;
  PointIndex index_;
  double radius_;
  double tolerance_;
};

}  // namespace

Certificate spaces::certify_regions(const Points& points, const Space& space, double radius,
                                    const FixedPoints& kept, double tolerance, Context& context) {
  const RegionShapes shapes(*space.regions);
  const Box bounds = bounds_of(*space.regions);
  std::vector<std::int64_t> placed(shapes.size());
  Certificate proof;
  if (points.region.size() != points.size() || points.radius.size() != points.size()) {
    throw Error(ErrorKind::input, "points of regions need the columns r and region");
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto k = static_cast<std::size_t>(points.region[i]);
    if (k >= shapes.size() || !shapes.contains(k, points[i])) {
      ++proof.outside;
    } else {
      ++placed[k];
    }
  }
  for (std::size_t k = 0; k < space.region_counts.size(); ++k) {
    if (placed[k] != space.region_counts[k]) ++proof.miscounted;
  }
  // The proofs of a plane begin at the origin.
  Points all = kept.points == nullptr ? points : joined(*kept.points, points);
  const std::size_t fixed = all.size() - points.size();
  all.space = nullptr;
  all.domain = {bounds.width(), bounds.height(), false};
  std::vector<double> radii(all.radius.begin(), all.radius.end());
  Points moved;
  moved.domain = all.domain;
  for (std::size_t i = 0; i < all.size(); ++i) {
    moved.add(all[i] - Vec2{bounds.x0, bounds.y0}, all.radius[i]);
  }
  const SpacingProof spacing = prove_spacing(moved, radii, fixed, ConflictRule::mean, context);
  proof.violations = spacing.violations;
  proof.closest = spacing.closest;
  if (!all.empty()) proof.worst_pair_place = all[spacing.worst];
  if (!space.region_counts.empty() || points.empty()) return proof;
  const HoleSearch search(shapes, all, radius, tolerance);
  std::vector<std::pair<std::size_t, std::size_t>> rows;
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    for (std::size_t row = 0; row < search.rows(k); ++row) rows.emplace_back(k, row);
  }
  struct None {};
  add_part(proof,
           prove_each<None>(rows.size(), context, [&](std::size_t i, None&, Certificate& part) {
             search.search_row(rows[i].first, rows[i].second, part);
           }));
  return proof;
}

}  // namespace dapple
