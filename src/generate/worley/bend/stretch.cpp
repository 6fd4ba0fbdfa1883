// Searches stretched cells on a raster on which they are round, finer along their short side. The
// picture is interpolated between its rows or columns.
#include <algorithm>
#include <cmath>

#include "core/modulo.hpp"
#include "core/parallel.hpp"
#include "generate/worley/texture.hpp"

namespace dapple::cells {
namespace {

// The place of a picture pixel's center on the raster, along one side.
struct Place {
  int before, after;
  float part;
};

Place place_of(int at, double step, int size, bool wrap) {
  const double place = (at + 0.5) * step - 0.5;
  const double whole = std::floor(place);
  const auto inside = [&](int i) { return wrap ? modulo(i, size) : std::clamp(i, 0, size - 1); };
  const int first = static_cast<int>(whole);
  return {inside(first), inside(first + 1), static_cast<float>(place - whole)};
}

}  // namespace

Stretch::Stretch(double stretch, int width, int height)
    : width_(width),
      height_(height),
      columns_(stretch < 1 ? static_cast<int>(std::lround(width / stretch)) : width),
      rows_(stretch > 1 ? static_cast<int>(std::lround(height * stretch)) : height) {}

template <class T, class F>
Plane<T> Stretch::picture_of(const Plane<T>& raster, bool wrap, const F& value,
                             Context& context) const {
  auto picture = Plane<T>::unset(width_, height_);
  parallel_for(context, static_cast<std::size_t>(height_), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    const Place down = place_of(y, steps().y, rows_, wrap);
    for (int x = 0; x < width_; ++x) {
      if (rows_ != height_) {
        picture(x, y) = value(raster(x, down.before), raster(x, down.after), down.part);
      } else {
        const Place across = place_of(x, steps().x, columns_, wrap);
        picture(x, y) = value(raster(across.before, y), raster(across.after, y), across.part);
      }
    }
  });
  return picture;
}

Plane<float> Stretch::distances(const Plane<float>& raster, bool wrap, Context& context) const {
  const auto scale = static_cast<float>(1 / across());
  return picture_of(
      raster, wrap, [scale](float a, float b, float t) { return scale * (a + t * (b - a)); },
      context);
}

Plane<std::int32_t> Stretch::labels(const Plane<std::int32_t>& raster, bool wrap,
                                    Context& context) const {
  return picture_of(
      raster, wrap, [](std::int32_t a, std::int32_t b, float t) { return t < 0.5f ? a : b; },
      context);
}

}  // namespace dapple::cells
