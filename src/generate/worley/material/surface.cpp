// Makes outputs of the surface that heights form: the heights, their slopes and normals, the share
// of the sky that they leave open, how they bend, and how rough they are.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/modulo.hpp"
#include "dapple/context.hpp"
#include "generate/worley/material/material.hpp"
#include "generate/worley/planes.hpp"
#include "generate/worley/texture.hpp"

namespace dapple::cells {
namespace {

void need_relief(const WorleyOptions& options, OutputNeeds& needs) {
  needs.cells.distances[0] |= options.height_of != HeightOf::edge;
  needs.cells.distances[1] |= options.height_of == HeightOf::f2_f1;
  needs.edges |= options.height_of == HeightOf::edge;
  needs.relief = true;
}
void need_range(const WorleyOptions& options, OutputNeeds& needs) {
  need_relief(options, needs);
  needs.range = true;
  needs.whole = true;
}
void need_gradient(const WorleyOptions& options, OutputNeeds& needs) {
  need_relief(options, needs);
  if (options.height_scale.value > 0) need_range(options, needs);
  needs.whole |= !Relief::has_exact_gradient(options);
  if (!Relief::has_exact_gradient(options)) return;
  needs.cells.nearest = true;
  needs.cells.distances[0] = true;
  needs.borders |= options.height_of != HeightOf::f1;
}
void need_occlusion(const WorleyOptions& options, OutputNeeds& needs) {
  need_relief(options, needs);
  if (options.height_scale.value > 0) need_range(options, needs);
  needs.whole = true;
  needs.planes += 2;
}
void need_curvature(const WorleyOptions& options, OutputNeeds& needs) {
  need_gradient(options, needs);
  needs.whole = true;
  needs.planes += 2;
}
void need_roughness(const WorleyOptions& options, OutputNeeds& needs) {
  need_range(options, needs);
  needs.cells.nearest = true;
}

void need_height(const WorleyOptions& options, OutputNeeds& needs) {
  need_relief(options, needs);
  if (options.height_scale.value > 0) need_range(options, needs);
}

Planes height(const Texture& texture) {
  const Relief relief(texture);
  return one(texture.plane_of([&](int x, int y) { return relief.at(x, y); }));
}

Planes slope(const Texture& texture) {
  const Relief relief(texture);
  const double scale = static_cast<double>(texture.height_factor());
  return vectors(texture, [&](int x, int y) { return relief.gradient(x, y) * scale; });
}

// A normal of length 1: x and y lie in the picture, z points out of it.
struct Normal {
  float x, y, z;
};

class Normals {
 public:
  explicit Normals(const Texture& texture) : relief_(texture), strength_(texture.steepness()) {}
  Normal at(int x, int y) const {
    // The normal points downhill.
    const Vec2 slope = relief_.gradient(x, y);
    const float nx = -strength_ * static_cast<float>(slope.x);
    const float ny = -strength_ * static_cast<float>(slope.y);
    const float scale = 1 / std::sqrt(nx * nx + ny * ny + 1);
    return {nx * scale, ny * scale, scale};
  }

 private:
  Relief relief_;
  float strength_;
};

Planes normal(const Texture& texture) {
  const Normals normals(texture);
  Planes planes(3, Plane<float>(texture.width, texture.rows.count()));
  // Rows run down, so up is the direction of falling y.
  const float green = texture.options.normal_y == NormalY::up ? -0.5f : 0.5f;
  texture.each_row([&](int y) {
    const int row = y - texture.rows.first;
    for (int x = 0; x < texture.width; ++x) {
      const Normal n = normals.at(x, y);
      planes[0](x, row) = 0.5f + 0.5f * n.x;
      planes[1](x, row) = 0.5f + green * n.y;
      planes[2](x, row) = 0.5f + 0.5f * n.z;
    }
  });
  return planes;
}

Planes occlusion(const Texture& texture) {
  return one(Relief(texture).occlusion());
}

// Mean curvature is half of the divergence of the normal. Here it is the change of normals over the
// radius to each side, so that it stays within -1..1 at any crease.
Planes curvature(const Texture& texture) {
  const Normals normals(texture);
  std::array<Plane<float>, 2> flat{Plane<float>(texture.width, texture.height), {}};
  flat[1] = flat[0];
  texture.each_row([&](int y) {
    for (int x = 0; x < texture.width; ++x) {
      const Normal n = normals.at(x, y);
      flat[0](x, y) = n.x;
      flat[1](x, y) = n.y;
    }
  });
  const int reach =
      std::max(1, static_cast<int>(std::lround(texture.pixels(texture.options.curvature_radius))));
  const bool wrap = texture.grid.domain().wrap;
  const auto inside = [wrap](int at, int size) {
    return wrap ? modulo(at, size) : std::clamp(at, 0, size - 1);
  };
  return one(texture.plane_of([&](int x, int y) {
    const float across =
        flat[0](inside(x + reach, texture.width), y) - flat[0](inside(x - reach, texture.width), y);
    const float down = flat[1](x, inside(y + reach, texture.height)) -
                       flat[1](x, inside(y - reach, texture.height));
    return 0.25f * (across + down);
  }));
}

// Blends the roughness of the highest places and of the lowest; cells differ at random.
Planes roughness(const Texture& texture) {
  const Relief relief(texture);
  const CellRandom number(texture.context.seed, 201);
  const WorleyOptions& options = texture.options;
  const auto top = static_cast<float>(options.surface);
  const auto fall = static_cast<float>(options.creases - options.surface);
  const auto variation = static_cast<float>(options.surface_variation);
  return one(texture.plane_of([&](int x, int y) {
    const float depth = 1 - texture.heights.lifted(relief.at(x, y));
    const float other = variation * (number.of(texture.cells.nearest(x, y)) - 0.5f);
    return std::clamp(top + fall * depth + other, 0.0f, 1.0f);
  }));
}

constexpr auto rows = std::to_array<Output>({
    {"height", "", Span::fraction, "height from 0 to 1, with the shape that `height-of` sets",
     need_height, height},
    {"slope", "xy", Span::slope, "rise of the height to the right and down, in pixels per pixel",
     need_gradient, slope},
    {"normal", "RGB", Span::packed_direction, "normals of the height, packed to 0..1",
     need_gradient, normal, nullptr, PixelType::u8},
    {"occlusion", "", Span::fraction,
     "share of the sky that the height leaves open: 1 on top, less in creases", need_occlusion,
     occlusion, nullptr, PixelType::u8},
    {"curvature", "", Span::direction,
     "curvature of the height over `curvature-radius`: above 0 on ridges, below 0 in creases, "
     "-1..1",
     need_curvature, curvature, nullptr, PixelType::u8},
    {"roughness", "", Span::fraction,
     "roughness from `surface` on top to `creases` in the lowest places, varied per cell",
     need_roughness, roughness, nullptr, PixelType::u8},
});

}  // namespace

std::span<const Output> surface_rows() {
  return rows;
}

}  // namespace dapple::cells
