// Between the parts of the cell textures: the texture at any number of samples, and its warp.
#pragma once

#include <array>

#include "dapple/worley.hpp"

namespace dapple {

// worley() where a pixel of the options' lengths is `unit` pixels wide.
Image make_texture(std::span<const PointSet> octaves, int width, int height, double unit,
                   const WorleyOptions& options, Context& context);

// Where every pixel of a bent plane is taken from: smooth displacements, periodic in the size.
class Warp {
 public:
  Warp(int width, int height, bool wrap, float amount, Context& context);
  Plane<float> apply(const Plane<float>& plane) const;                // bilinear
  Plane<std::int32_t> apply(const Plane<std::int32_t>& plane) const;  // nearest

 private:
  int inside(int at, int extent) const;

  bool wrap_;
  Context& context_;
  std::array<Plane<float>, 2> offset_;
};

}  // namespace dapple
