// Transforms real rasters of any size by Stockham's fast Fourier transform, without reordering,
// over many lines side by side. Cosines are portable, because choices of masks depend on every bit.
#pragma once

#include <complex>
#include <functional>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// Transforms rasters of one size. Takes O(N log N) per line if sides have small factors, and O(N)
// per pixel for a prime side N. T is float or double.
template <class T>
class RasterTransform {
 public:
  // Fills rows [first, first + count) of the raster, packed.
  using FillRows = std::function<void(int first, int count, T* rows)>;

  RasterTransform(int width, int height) : across_(width), down_(height) {}
  // Returns the first `columns` columns of the transform. The raster is never held whole.
  Plane<std::complex<T>> operator()(int columns, const FillRows& fill, Context& context) const;

 private:
  struct Axis {
    explicit Axis(int length);
    int length;
    std::vector<int> factors;
    std::vector<T> cosine, sine;  // for each part of the circle
  };
  // Complex numbers, `count` lines side by side.
  struct Lines {
    Lines(int length, int count);
    std::vector<T> real, imaginary;
  };
  static void transform(const Axis& axis, int count, Lines& lines);

  Axis across_, down_;
};

}  // namespace dapple
