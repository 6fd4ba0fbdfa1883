#include "sample/class_maps/sphere_ground.hpp"

#include <numbers>

#include "sample/surface/patches.hpp"

namespace dapple::class_maps {
namespace {

// The radius for the largest cells: no two places are as far apart.
constexpr double farthest = 2.5;

}  // namespace

SphereGround::SphereGround(std::span<const SurfaceRadius> radii, double sphere, Context& context)
    : sphere_(sphere), least_(std::numeric_limits<double>::infinity()) {
  for (const SurfaceRadius& radius : radii) {
    Radius& made = radii_.emplace_back();
    if (surface::is_one(radius)) {
      made.even = radius.even / sphere;
    } else {
      made.map = std::make_unique<const sphere::LatLongRadius>(radius, sphere, context);
    }
    least_ = std::min(least_, made.map == nullptr ? made.even : made.map->least());
  }
  const sphere::Roots roots(farthest, context);
  for (std::size_t root = 0; root < roots.size(); ++root) wholes_.push_back(roots.cell(root));
}

double SphereGround::integral(std::size_t class_id) const {
  const Radius& of = radii_[class_id];
  if (of.map != nullptr) return of.map->squares();
  return 4 * std::numbers::pi / (of.even * of.even);
}

RadiusBounds SphereGround::bounds(std::size_t class_id, const Cell& cell, const Region&) const {
  const Radius& of = radii_[class_id];
  if (of.map == nullptr) return {of.even, of.even};
  const sphere::MappedPart part(*of.map, cell);
  return {part.least, part.most};
}

}  // namespace dapple::class_maps
