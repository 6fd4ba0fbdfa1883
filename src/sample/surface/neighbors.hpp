// Lists the neighbors of points on a surface, both ways, for pairs of one sheet.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "sample/progressive/near_values.hpp"
#include "sample/surface/cells.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple::surface {

// Returns the frame whose unit is `stretch` times the finest of the radii.
inline Frame frame_around(const Points& points, const SurfaceRadius& radius, double stretch) {
  const auto least = [](const auto& values) {
    return *std::min_element(values.begin(), values.end());
  };
  Frame frame;
  frame.origin = {least(points.x), least(points.y), least(points.z)};
  double finest = is_one(radius) ? radius.even : static_cast<double>(least(points.radius));
  for (std::size_t c = 0; c < radius.classes.size(); ++c) {
    const double of_class = radius.classes[c][c] * radius.scale;
    finest = c == 0 ? of_class : std::min(finest, of_class);
  }
  frame.radius = stretch * finest;
  return frame;
}

// Lists the neighbors of points nearer than `stretch` times the required distance. Numbers are
// positions in `index`, which holds some of the points. The value of both is value(d), with d in
// parts of that limit. The lists do not depend on the number of threads.
template <class Value>
NearValues near_values(const Points& points, const std::vector<std::uint32_t>& index,
                       const SurfaceRadius& radius, double gate_degrees, double stretch,
                       Context& context, const Value& value) {
  struct Pair {
    std::uint32_t i, j;
    float value;
  };
  const Cells cells =
      make_cells(points, index, frame_around(points, radius, stretch), radius, stretch);
  const auto least_cosine = static_cast<double>(cosine_of_gate(gate_degrees));
  const auto place_of = [&](std::size_t i) { return Vec3{points.x[i], points.y[i], points.z[i]}; };
  const auto normal_of = [&](std::size_t i) {
    return Vec3{points.nx[i], points.ny[i], points.nz[i]};
  };
  constexpr std::size_t group_size = 32;
  std::vector<std::vector<Pair>> groups((cells.cells.size() + group_size - 1) / group_size);
  parallel_for(context, groups.size(), [&](std::size_t g) {
    Places round, found;
    const std::size_t end = std::min(cells.cells.size(), (g + 1) * group_size);
    for (std::size_t c = g * group_size; c < end; ++c) {
      cells.for_pairs(cells.cells[c], 1, round, found, [&](std::size_t i, std::size_t j) {
        if (!(dot(normal_of(i), normal_of(j)) > least_cosine)) return;
        const double d =
            length(place_of(i) - place_of(j)) / (stretch * required_distance(points, radius, i, j));
        groups[g].push_back(
            {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), value(d)});
      });
    }
  });
  std::vector<std::uint32_t> place(points.size());
  for (std::uint32_t n = 0; n < index.size(); ++n) place[index[n]] = n;
  return {index.size(), [&](const auto& add) {
            for (const auto& group : groups) {
              for (const Pair& pair : group) {
                add(place[pair.i], {place[pair.j], pair.value});
                add(place[pair.j], {place[pair.i], pair.value});
              }
            }
          }};
}

}  // namespace dapple::surface
