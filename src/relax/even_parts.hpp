// Parts of a set of dots, such as the dots of one ink, each even by itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"
#include "relax/spacing_grids.hpp"

namespace dapple {

struct DotPart {
  std::vector<std::int32_t> dots;
  // Of all dots, 0..1, by place: the sum of these planes, or where there are none a constant. A
  // plane may have fewer pixels than the density, each as so many by so many of that.
  std::vector<const Plane<float>*> shares;
  double share = 1;
  double weight = 0;  // of the part's force, of the largest curvature of the set's own energy
};

// The dots of each class 0..n-1; of few classes, those of each pair of classes too. `shares`: one a
// class, that outlive the parts.
std::vector<DotPart> parts_of_classes(std::span<const std::int32_t> klass,
                                      std::span<const Plane<float>> shares);

// The first half of the dots in an order, the half of that, and so on.
std::vector<DotPart> first_parts(std::span<const std::int32_t> order);

// The force on the dots of a part by the others of it and by the part's density, both seen through
// two Gaussians as wide as the part's own spacing asks for. Dots of other parts are not felt.
class PartForce {
 public:
  // `density`: of all dots, per pixel. O(pixels).
  PartForce(const DotPart& part, const Plane<float>& density, Context& context);

  std::span<const std::int32_t> dots() const { return dots_; }
  // How much shorter steps have to be for it: 1 / (1 + the sum of this over a dot's parts).
  double stiffness() const;

  // The force on each dot of the part, 1 / pixel^3, until the next call. `places`: of all dots.
  // `curvature`: of the set's own energy. O(dots).
  const std::vector<Vec2>& forces(std::span<const Vec2> places, double curvature, Context& context);

 private:
  float share_at(int x, int y) const;
  Plane<float> own_density(const Plane<float>& density) const;
  SpacingGrids grids_of(Plane<float> density, Context& context) const;

  std::span<const std::int32_t> dots_;
  std::span<const Plane<float>* const> shares_;
  float share_;
  double weight_;
  int cut_;  // pixels of the density to one of the shares, along each side
  SpacingGrids grids_;
  SpacingGrids::Cells wanted_;
  std::vector<Vec2> places_;  // of the part's dots
  std::vector<float> masses_;
  std::vector<Vec2> forces_;
};

}  // namespace dapple
