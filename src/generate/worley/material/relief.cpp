// Computes heights of cell textures, their exact gradients, and the sky that they leave open.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/deterministic_math.hpp"
#include "core/modulo.hpp"
#include "dapple/error.hpp"
#include "generate/worley/bend/turned.hpp"
#include "generate/worley/texture.hpp"

namespace dapple::cells {
namespace {

// rise() is the profile at t from 0 to 1; slope_of() is its slope, at most `steepest`.
constexpr float steepest = 1000;

float rise(Profile profile, float t) {
  switch (profile) {
    case Profile::straight:
      return t;
    case Profile::smooth:
      return t * t * (3 - 2 * t);
    case Profile::hollow:
      return 1 - std::sqrt(1 - t * t);
    case Profile::round:
      break;
  }
  return std::sqrt(1 - (1 - t) * (1 - t));
}

float slope_of(Profile profile, float t) {
  const auto of_circle = [](float side) {
    return std::min(side / std::max(std::sqrt(1 - side * side), 1e-6f), steepest);
  };
  switch (profile) {
    case Profile::straight:
      return 1;
    case Profile::smooth:
      return 6 * t * (1 - t);
    case Profile::hollow:
      return of_circle(t);
    case Profile::round:
      break;
  }
  return of_circle(1 - t);
}

}  // namespace

Relief::Relief(const Texture& texture)
    : texture_(texture), bevel_(texture.pixels(texture.options.bevel)) {}

float Relief::at(int x, int y) const {
  const auto& distance = texture_.cells.distance;
  switch (texture_.options.height_of) {
    case HeightOf::f1:
      return -distance[0](x, y);
    case HeightOf::f2_f1:
      return distance[1](x, y) - distance[0](x, y);
    case HeightOf::edge:
      break;
  }
  const float edge = texture_.edges(x, y);
  const float detail = texture_.detail.empty() ? 0 : texture_.detail(x, y);
  if (bevel_ <= 0) return edge + detail;
  return bevel_ * rise(texture_.options.profile, std::min(edge / bevel_, 1.0f)) + detail;
}

Vec2 Relief::gradient(int x, int y) const {
  if (!has_exact_gradient(texture_.options))
    return {difference(x, y, 1, 0), difference(x, y, 0, 1)};
  const Vec2 from_site = texture_.way(x, y) * -1;
  const double f1 = static_cast<double>(texture_.cells.distance[0](x, y));
  const Vec2 of_f1 = f1 > 0 ? from_site * (1 / f1) : Vec2{};
  if (texture_.options.height_of == HeightOf::f1) return of_f1 * -1;
  const std::int32_t id = texture_.cells.nearest(x, y);
  const CellBorders::Border* nearest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  const bool edge = texture_.options.height_of == HeightOf::edge;
  for (const CellBorders::Border& border : texture_.borders.at(id)) {
    // F2 belongs to another site, but a border may belong to an image of the same site.
    if (!edge && border.id == id) continue;
    const double beyond = border.line.half - dot(border.line.other, from_site);
    const double value = edge ? beyond / length(border.line.other) : beyond;
    if (value < least) {
      least = value;
      nearest = &border;
    }
  }
  if (nearest == nullptr) return {};
  const Vec2 other = nearest->line.other;
  if (!edge) {
    const double f2 = static_cast<double>(texture_.cells.distance[1](x, y));
    return f2 > f1 ? (from_site - other) * (1 / f2) - of_f1 : Vec2{};
  }
  double slope = 1;
  if (bevel_ > 0) {
    const float t = texture_.edges(x, y) / bevel_;
    slope = t < 1 ? static_cast<double>(slope_of(texture_.options.profile, t)) : 0.0;
  }
  return other * (-slope / length(other));
}

float Relief::difference(int x, int y, int dx, int dy) const {
  int x0 = x - dx, y0 = y - dy, x1 = x + dx, y1 = y + dy;
  if (texture_.grid.domain().wrap) {
    x0 = modulo(x0, texture_.width);
    y0 = modulo(y0, texture_.height);
    x1 = modulo(x1, texture_.width);
    y1 = modulo(y1, texture_.height);
    return 0.5f * (at(x1, y1) - at(x0, y0));
  }
  x0 = std::max(x0, 0);
  y0 = std::max(y0, 0);
  x1 = std::min(x1, texture_.width - 1);
  y1 = std::min(y1, texture_.height - 1);
  const int span = x1 - x0 + y1 - y0;
  return span == 0 ? 0.0f : (at(x1, y1) - at(x0, y0)) / static_cast<float>(span);
}

bool Relief::has_exact_gradient(const WorleyOptions& options) {
  return options.metric == Metric::euclidean && !is_bent(options) && options.octaves == 1 &&
         options.smooth.value <= 0 && options.warp.value <= 0;
}

// Returns the share of the sky above the horizon, by the cosine of its light: the mean over all
// directions of cos^2 of the horizon's height (Max 1988). Heights between pixels are bilinear.
Plane<float> Relief::occlusion() const {
  constexpr int directions = 16;
  constexpr int steps = 12;
  constexpr float nothing = -1e30f;  // beyond a flat texture: no horizon
  struct Step {
    int x, y;       // of the upper left of four pixels
    float u, v;     // place between them
    float inverse;  // 1 / distance of the step
  };
  const double reach = static_cast<double>(texture_.pixels(texture_.options.occlusion_radius));
  const int width = texture_.width;
  const int height = texture_.height;
  const int side = std::min(width, height);
  if (reach > 0.5 * side) {
    throw Error(ErrorKind::usage,
                Problem{"occlusion-radius", "must be at most half of the shorter side"});
  }
  std::array<std::vector<Step>, directions> rays;
  for (int i = 0; i < directions; ++i) {
    const double turns = (i + 0.5) / directions;
    double before = 0;
    for (int k = 1; k <= steps; ++k) {
      // Steps are denser near the pixel.
      const double away = std::max(reach * k * k / (steps * steps), 1.0);
      if (away == before) continue;
      before = away;
      const double x = away * portable_sine(turns + 0.25);
      const double y = away * portable_sine(turns);
      rays[static_cast<std::size_t>(i)].push_back(
          {static_cast<int>(std::floor(x)), static_cast<int>(std::floor(y)),
           static_cast<float>(x - std::floor(x)), static_cast<float>(y - std::floor(y)),
           static_cast<float>(1 / away)});
    }
  }
  // Heights have a rim as wide as rays are long, so that every step is a shift of whole rows.
  const int rim = static_cast<int>(std::max(reach, 1.0)) + 2;
  const float strength = texture_.steepness();
  const bool wrap = texture_.grid.domain().wrap;
  Plane<float> heights(width + 2 * rim, height + 2 * rim);
  parallel_for(texture_.context, static_cast<std::size_t>(heights.height()), [&](std::size_t row) {
    const int y = static_cast<int>(row) - rim;
    float* values = heights.row(static_cast<int>(row));
    for (int x = -rim; x < width + rim; ++x) {
      const bool inside = x >= 0 && y >= 0 && x < width && y < height;
      const float lifted =
          inside || wrap ? strength * at(modulo(x, width), modulo(y, height)) : nothing;
      values[x + rim] = lifted;
    }
  });
  Plane<float> open(width, height);
  parallel_for(texture_.context, static_cast<std::size_t>(height), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    const auto count = static_cast<std::size_t>(width);
    const float* here = heights.row(y + rim) + rim;
    float* sums = open.row(y);
    std::fill(sums, sums + width, 0.0f);
    std::vector<float> steep(count);
    for (const std::vector<Step>& ray : rays) {
      std::fill(steep.begin(), steep.end(), 0.0f);
      for (const Step& step : ray) {
        const float* above = heights.row(y + rim + step.y) + rim + step.x;
        const float* below = heights.row(y + rim + step.y + 1) + rim + step.x;
        for (std::size_t x = 0; x < count; ++x) {
          const float top = above[x] + step.u * (above[x + 1] - above[x]);
          const float bottom = below[x] + step.u * (below[x + 1] - below[x]);
          const float there = top + step.v * (bottom - top);
          const float slope = (there - here[x]) * step.inverse;
          steep[x] = steep[x] > slope ? steep[x] : slope;
        }
      }
      for (std::size_t x = 0; x < count; ++x) sums[x] += 1 / (1 + steep[x] * steep[x]);
    }
    for (std::size_t x = 0; x < count; ++x) sums[x] /= directions;
  });
  return open;
}

}  // namespace dapple::cells
