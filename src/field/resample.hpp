// Converts rasters to another size.
#pragma once

#include <algorithm>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// Resamples by a tent as wide as two pixels of the coarser raster: bilinear when enlarging, without
// aliasing when reducing. Values stay within the range of the source; the same size is copied.
Plane<float> resample(const Plane<float>& source, int width, int height);
// As above, but uses all threads and ends at a cancel.
Plane<float> resample(const Plane<float>& source, int width, int height, Context& context);

// Returns the image with slices of this size, resampled by cubic convolution (Keys 1981, a = -1/2),
// stretched when reducing: sharper than a tent. Colors are resampled in linear light, and count as
// much as they are opaque; the result holds floats, in linear light unless the image is data, 0 at
// the least and 1 at the most if the values came from integers. Throws Error(input) for values that
// are not finite.
Image resized(const Image& image, int width, int height, Context& context);

// Returns the photo with no side longer than `side`; of several slices the first, if it is reduced.
Image reduced(const Image& photo, int side, Context& context);

// Returns the plane at a place between the centers of its pixels. Beyond them the rim continues.
template <class T>
double bilinear(const Plane<T>& plane, Vec2 place) {
  const double u = std::clamp(place.x - 0.5, 0.0, plane.width() - 1.0);
  const double v = std::clamp(place.y - 0.5, 0.0, plane.height() - 1.0);
  const int i = static_cast<int>(u);
  const int j = static_cast<int>(v);
  const int i1 = std::min(i + 1, plane.width() - 1);
  const int j1 = std::min(j + 1, plane.height() - 1);
  const auto at = [&](int x, int y) { return static_cast<double>(plane(x, y)); };
  const double top = at(i, j) + (u - i) * (at(i1, j) - at(i, j));
  const double bottom = at(i, j1) + (u - i) * (at(i1, j1) - at(i, j1));
  return top + (v - j) * (bottom - top);
}

}  // namespace dapple
