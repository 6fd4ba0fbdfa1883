// Bends a texture by a smooth, tileable displacement: value noise (Perlin 1985, on a periodic
// lattice) with three octaves per axis.
#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "generate/worley/texture.hpp"

namespace dapple::cells {
namespace {

// Values at the nodes of a periodic lattice, interpolated with continuous second derivatives.
class Noise {
 public:
  Noise(int columns, int rows, const Random& numbers) : nodes_(columns, rows) {
    std::uint64_t place = 0;
    for (float& node : nodes_.values()) {
      node = static_cast<float>(2 * to_unit(numbers.at(place++)) - 1);
    }
  }

  // Returns -1..1 for a place in units of the lattice, inside its period.
  float at(double x, double y) const {
    const int i = static_cast<int>(x);
    const int j = static_cast<int>(y);
    const int right = i + 1 < nodes_.width() ? i + 1 : 0;
    const int below = j + 1 < nodes_.height() ? j + 1 : 0;
    const float u = fade(static_cast<float>(x - i));
    const float v = fade(static_cast<float>(y - j));
    const float top = nodes_(i, j) + u * (nodes_(right, j) - nodes_(i, j));
    const float bottom = nodes_(i, below) + u * (nodes_(right, below) - nodes_(i, below));
    return top + v * (bottom - top);
  }

 private:
  static float fade(float t) { return t * t * t * (t * (t * 6 - 15) + 10); }

  Plane<float> nodes_;
};

}  // namespace

Warp::Warp(int width, int height, bool wrap, float amount, Context& context)
    : wrap_(wrap), context_(context), offset_{Plane<float>(width, height), {}} {
  offset_[1] = offset_[0];
  // Waves are six times as wide as they are strong: planes bend but never fold.
  const double wave = 6 * static_cast<double>(amount);
  for (std::size_t axis = 0; axis < 2; ++axis) {
    double strength = 0.6 * static_cast<double>(amount);
    for (int octave = 0; octave < 3; ++octave) {
      const int columns = std::max(1, static_cast<int>(std::lround(width / wave))) << octave;
      const int rows = std::max(1, static_cast<int>(std::lround(height / wave))) << octave;
      const auto place = 1 + 2 * static_cast<std::uint64_t>(octave) + axis;
      const Noise noise(columns, rows, Random(context.seed, Stream::worley, place));
      const float weight = static_cast<float>(strength);
      parallel_for(context, static_cast<std::size_t>(height), [&](std::size_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < width; ++x) {
          offset_[axis](x, y) +=
              weight * noise.at((x + 0.5) / width * columns, (y + 0.5) / height * rows);
        }
      });
      strength *= 0.5;
    }
  }
}

int Warp::inside(int at, int extent) const {
  if (!wrap_) return std::clamp(at, 0, extent - 1);
  at %= extent;
  return at < 0 ? at + extent : at;
}

Plane<float> Warp::apply(const Plane<float>& plane) const {
  Plane<float> bent(plane.width(), plane.height());
  parallel_for(context_, static_cast<std::size_t>(plane.height()), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    for (int x = 0; x < plane.width(); ++x) {
      const float sx = static_cast<float>(x) + offset_[0](x, y);
      const float sy = static_cast<float>(y) + offset_[1](x, y);
      const float fx = std::floor(sx);
      const float fy = std::floor(sy);
      const int x0 = inside(static_cast<int>(fx), plane.width());
      const int y0 = inside(static_cast<int>(fy), plane.height());
      const int x1 = inside(static_cast<int>(fx) + 1, plane.width());
      const int y1 = inside(static_cast<int>(fy) + 1, plane.height());
      const float u = sx - fx;
      const float v = sy - fy;
      const float top = plane(x0, y0) + u * (plane(x1, y0) - plane(x0, y0));
      const float bottom = plane(x0, y1) + u * (plane(x1, y1) - plane(x0, y1));
      bent(x, y) = top + v * (bottom - top);
    }
  });
  return bent;
}

Plane<std::int32_t> Warp::apply(const Plane<std::int32_t>& plane) const {
  Plane<std::int32_t> bent(plane.width(), plane.height());
  parallel_for(context_, static_cast<std::size_t>(plane.height()), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    for (int x = 0; x < plane.width(); ++x) {
      const int sx = x + static_cast<int>(std::lround(offset_[0](x, y)));
      const int sy = y + static_cast<int>(std::lround(offset_[1](x, y)));
      bent(x, y) = plane(inside(sx, plane.width()), inside(sy, plane.height()));
    }
  });
  return bent;
}

}  // namespace dapple::cells
