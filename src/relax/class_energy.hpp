// Makes parts of a set of dots, such as the dots of one ink, even by themselves.
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
  // The share of all dots, 0..1, at each place: the sum of these planes, or the constant without
  // planes. Planes of one part have one size; they may have fewer pixels than the density.
  std::vector<const Plane<float>*> shares;
  double share = 1;
  double weight = 0;  // of the part's force, in largest curvatures of the set's own energy
};

// Returns the dots of each class 0..n-1 and, for 3 or 4 classes, of each pair of classes. `shares`
// holds a plane per class and must outlive the parts.
std::vector<DotPart> parts_of_classes(std::span<const std::int32_t> class_id,
                                      std::span<const Plane<float>> shares);

// Returns the first half of the dots in an order, the first quarter, and so on.
std::vector<DotPart> first_parts(std::span<const std::int32_t> order);

// The force on the dots of a part by the part's other dots and its density. Two Gaussians weight
// dots and density; their width follows the spacing of the part. Other dots exert no force.
class PartForce {
 public:
  // `density`: of all dots, per pixel. O(pixels).
  PartForce(const DotPart& part, const Plane<float>& density, Context& context);

  std::span<const std::int32_t> dots() const { return dots_; }
  // Returns the slow-down of steps: a dot's pace is 1 / (1 + sum of stiffness() over its parts).
  double stiffness() const;

  // Reads masses and spacings at the dots, for the next calls of forces(), in which dots move by a
  // small part of a spacing. `places`: of all dots.
  void look_up(std::span<const Vec2> places);
  // Returns the force on each dot of the part, 1 / pixel^3, valid until the next call. `places`: of
  // all dots. `curvature`: of the set's own energy. `given_way`: 0..1, the share of the force that
  // is left out where shares change from place to place. O(dots).
  const std::vector<Vec2>& forces(std::span<const Vec2> places, double curvature, double given_way,
                                  Context& context);

 private:
  // The density of the part, seen in three ways.
  struct Densities;
  PartForce(const DotPart& part, const Densities& densities, Context& context);

  std::span<const std::int32_t> dots_;
  std::span<const Plane<float>* const> shares_;
  float share_;
  double weight_;
  double across_;  // pixels of the shares per pixel of the density
  double down_;
  SpacingGrids grids_;
  SpacingGrids::Cells missing_;  // the part's dots less their density, without dots
  std::vector<Vec2> places_;     // of the part's dots
  std::vector<float> masses_;
  std::vector<float> strengths_;  // factors of the force on each dot
  std::vector<float> changes_;    // of shares around each dot, 0..1
  std::vector<SpacingGrids::OnLevels> on_;
  std::vector<Vec2> forces_;
};

}  // namespace dapple
