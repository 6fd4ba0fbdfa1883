// Makes masks whose values are points: of a square, a cube, a disc, a hemisphere, or of a picture
// as a density. Each frame has the same set of points, one per pixel, evenly spread; swaps give
// every pixel its own (swaps.cpp).
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/deterministic_math.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "generate/mask/swaps.hpp"

namespace dapple::mask {
namespace {

constexpr std::size_t most_dimensions = 4;
using Vector = std::array<double, most_dimensions>;

// A direction for each pair of opposite corners of a regular body, or of parts of half the circle.
// The sum of |n (v - w)| over them is the distance of v and w to within a few per cent.
std::vector<Vector> directions_in(std::size_t dimensions) {
  std::vector<Vector> result;
  if (dimensions == 2) {
    for (int i = 0; i < 4; ++i) {
      const Vec2 v = direction(i / 8.0);
      result.push_back({v.x, v.y});
    }
  } else if (dimensions == 3) {  // the icosahedron
    const double a = 1 / std::sqrt(1 + std::numbers::phi * std::numbers::phi);
    const double b = a * std::numbers::phi;
    result = {{0, a, b}, {0, a, -b}, {a, b, 0}, {a, -b, 0}, {b, 0, a}, {-b, 0, a}};
  } else {  // the 24-cell
    result = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int i = 0; i < 8; ++i) {
      result.push_back(
          {0.5, (i & 1) != 0 ? -0.5 : 0.5, (i & 2) != 0 ? -0.5 : 0.5, (i & 4) != 0 ? -0.5 : 0.5});
    }
  }
  return result;
}

// Returns an even set of points of the unit cube: an additive sequence, whose ratio is the root of
// x^d = x + 1, beside even steps. Every coordinate takes each of the numbers (i + 1/2) / count
// once.
std::vector<Vector> even_points(std::size_t count, std::size_t dimensions) {
  double ratio = 1.5;
  for (int i = 0; i < 64; ++i) {
    ratio = side_of(1 + ratio, dimensions);
  }
  std::vector<Vector> points(count);
  std::vector<std::size_t> order(count);
  double step = 1;
  for (std::size_t d = 0; d < dimensions; ++d, step /= ratio) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (d > 0) {
      const auto at = [&](std::size_t i) {
        const double v = static_cast<double>(i) * step;
        return v - std::floor(v);
      };
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return at(a) < at(b); });
    }
    for (std::size_t i = 0; i < count; ++i) {
      points[order[i]][d] = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    }
  }
  return points;
}

// Returns a distribution over equal steps from 0 to 1.
template <class Weight>
Histogram distribution_of(int steps, const Weight& weight) {
  Histogram made;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    sum += weight(i);
    made.sums.push_back(sum);
  }
  return made;
}

// Moves points of the unit square so that they have the density of the map.
void follow(std::vector<Vector>& points, const Plane<float>& map) {
  std::vector<Histogram> columns;
  for (int x = 0; x < map.width(); ++x) {
    columns.push_back(
        distribution_of(map.height(), [&](int y) { return static_cast<double>(map(x, y)); }));
  }
  const Histogram across = distribution_of(
      map.width(), [&](int x) { return columns[static_cast<std::size_t>(x)].sums.back(); });
  for (Vector& p : points) {
    p[0] = across.quantile(p[0]);
    const auto column = static_cast<std::size_t>(p[0] * map.width());
    p[1] = columns[std::min(column, columns.size() - 1)].quantile(p[1]);
  }
}

void bend(std::vector<Vector>& points, MaskValues values) {
  if (values != MaskValues::disc && values != MaskValues::hemisphere) return;
  for (Vector& p : points) {
    const double z = values == MaskValues::disc ? 0 : p[0];
    const double r = values == MaskValues::disc ? std::sqrt(p[0]) : std::sqrt(1 - z * z);
    const Vec2 around = direction(p[1]) * r;
    p = {around.x, around.y, z, 0};
  }
}

// Gives pixels values of nearly the same keys: cuts both into as many groups by their first key,
// each of them by the next, and so on.
class Matching {
 public:
  Matching(std::size_t dimensions, std::size_t count)
      : dimensions_(dimensions),
        groups_(static_cast<std::size_t>(
            std::max(1.0, std::round(side_of(static_cast<double>(count), dimensions))))) {}

  template <class KeyOfPixel, class KeyOfValue>
  void sort(std::span<std::int32_t> pixels, std::span<std::int32_t> values,
            const KeyOfPixel& key_of_pixel, const KeyOfValue& key_of_value,
            std::size_t dimension = 0) const {
    std::sort(pixels.begin(), pixels.end(), [&](std::int32_t a, std::int32_t b) {
      return key_of_pixel(a, dimension) < key_of_pixel(b, dimension);
    });
    std::sort(values.begin(), values.end(), [&](std::int32_t a, std::int32_t b) {
      return key_of_value(a, dimension) < key_of_value(b, dimension);
    });
    if (dimension + 1 == dimensions_ || pixels.size() < 2) return;
    for (std::size_t g = 0; g < groups_; ++g) {
      const std::size_t from = g * pixels.size() / groups_;
      const std::size_t length = (g + 1) * pixels.size() / groups_ - from;
      sort(pixels.subspan(from, length), values.subspan(from, length), key_of_pixel, key_of_value,
           dimension + 1);
    }
  }

 private:
  std::size_t dimensions_, groups_;
};

Projections project(const std::vector<Vector>& points, std::size_t dimensions) {
  std::vector<std::vector<double>> all;
  double widest = 0;
  for (const Vector& n : directions_in(dimensions)) {
    std::vector<double>& along = all.emplace_back();
    for (const Vector& p : points) {
      along.push_back(n[0] * p[0] + n[1] * p[1] + n[2] * p[2] + n[3] * p[3]);
    }
    const auto [lowest, highest] = std::minmax_element(along.begin(), along.end());
    const double least = *lowest;
    widest = std::max(widest, *highest - least);
    for (double& v : along) v -= least;
  }
  Projections result;
  for (const std::vector<double>& along : all) {
    auto& numbers = result.emplace_back();
    for (const double v : along) {
      numbers.push_back(static_cast<std::int16_t>(widest > 0 ? v / widest * 32767 : 0));
    }
  }
  return result;
}

}  // namespace

std::vector<Plane<float>> point_values(const Torus& torus, const MaskOptions& options,
                                       const Plane<float>& map, Context& context,
                                       const std::function<void(double)>& progress) {
  const std::uint64_t seed = context.seed;
  const std::size_t components = component_count(options.values);
  const std::size_t dimensions = options.values == MaskValues::hemisphere ? 2 : components;
  const std::size_t frame =
      static_cast<std::size_t>(torus.width) * static_cast<std::size_t>(torus.height);
  const auto depth = static_cast<std::size_t>(torus.depth);
  const std::vector<Vector> keys = even_points(frame, dimensions);
  std::vector<Vector> points = keys;
  if (!map.empty()) follow(points, map);
  bend(points, options.values);

  // A search cannot make long waves: pixels start from masks, one for each dimension.
  std::vector<Plane<std::int32_t>> masks;
  const double share = 0.2 / static_cast<double>(dimensions);
  for (std::size_t d = 0; d < dimensions; ++d) {
    const std::uint64_t own = d == 0 ? seed : Random(seed, Stream::mask, 6).at(d) >> 1;
    const auto part = [&](double fraction) {
      progress((static_cast<double>(d) + fraction) * share);
    };
    masks.push_back(depth == 1 ? flat_ranks(torus.width, torus.height, options.sigma, own, 1,
                                            context, false, part)
                               : frame_ranks(torus.width, torus.height, torus.depth, own,
                                             options.sigma, context, false, part));
  }
  std::vector<std::int32_t> value_of(frame * depth);
  std::vector<std::int32_t> pixels(frame);
  std::vector<std::int32_t> values(frame);
  const Matching matching(dimensions, frame);
  for (std::size_t t = 0; t < depth; ++t) {
    std::iota(pixels.begin(), pixels.end(), static_cast<std::int32_t>(t * frame));
    std::iota(values.begin(), values.end(), 0);
    matching.sort(
        pixels, values,
        [&](std::int32_t p, std::size_t d) {
          return masks[d].values()[static_cast<std::size_t>(p)];
        },
        [&](std::int32_t v, std::size_t d) { return keys[static_cast<std::size_t>(v)][d]; });
    for (std::size_t i = 0; i < frame; ++i) {
      value_of[static_cast<std::size_t>(pixels[i])] = values[i];
    }
  }
  const Projections projections = project(points, components);
  swap_values(value_of, torus, projections,
              filter_weights(options, torus, largest_weight_sum(projections.size())), seed, context,
              true, [&](double fraction) { progress(0.2 + 0.8 * fraction); });
  std::vector<Plane<float>> planes(components,
                                   Plane<float>(torus.width, torus.height * torus.depth));
  for (std::size_t i = 0; i < value_of.size(); ++i) {
    for (std::size_t c = 0; c < components; ++c) {
      planes[c].values()[i] = static_cast<float>(points[static_cast<std::size_t>(value_of[i])][c]);
    }
  }
  return planes;
}

}  // namespace dapple::mask
