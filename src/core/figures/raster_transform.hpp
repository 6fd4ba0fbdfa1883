// The fast Fourier transform of real rasters of any size: Stockham's, which needs no reordering,
// over many lines side by side. Cosines are our own, since choices of masks depend on every bit.
#pragma once

#include <complex>
#include <functional>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// Transforms rasters of one size. It takes O(N log N) a line where sides have small factors, and
// O(N) a pixel for a prime side N. T is float or double.
template <class T>
class RasterTransform {
 public:
  // Fills rows [first, first + count) of the raster, packed.
  using FillRows = std::function<void(int first, int count, T* rows)>;

  RasterTransform(int width, int height) : across_(width), down_(height) {}
  // Returns the first `columns` columns of the transform of a raster that is never held whole.
  Plane<std::complex<T>> operator()(int columns, const FillRows& fill, Context& context) const;

 private:
  struct Axis {
    explicit Axis(int length);
    int length;
    std::vector<int> factors;
    std::vector<T> cosine, sine;  // of parts of the circle
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
