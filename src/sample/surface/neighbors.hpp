// Lists the neighbors of points on a surface, both ways, for pairs of one sheet.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "sample/surface/cells.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple::surface {

// Numbers are positions in `index`, which holds some of the points.
class Neighbors {
 public:
  // Finds neighbors nearer than `stretch` times the required distance. Both keep value(d), with d
  // in parts of that limit. The lists do not depend on the number of threads.
  template <class Value>
  Neighbors(const Points& points, const std::vector<std::uint32_t>& index,
            const SurfaceRadius& radius, double gate_degrees, double stretch, Context& context,
            const Value& value)
      : start_(index.size() + 1) {
    std::vector<std::uint32_t> place(points.size());
    for (std::uint32_t n = 0; n < index.size(); ++n) place[index[n]] = n;
    add_up(pairs_of(points, index, radius, gate_degrees, stretch, context, value), place);
  }

  std::span<const std::uint32_t> of(std::size_t i) const {
    return std::span(near_).subspan(start_[i], start_[i + 1] - start_[i]);
  }
  std::size_t start(std::size_t i) const { return start_[i]; }
  const std::vector<float>& values() const { return values_; }

 private:
  struct Pair {
    std::uint32_t i, j;
    float value;
  };
  using Groups = std::vector<std::vector<Pair>>;

  static Frame frame_of(const Points& points, const SurfaceRadius& radius, double stretch) {
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

  template <class Value>
  static Groups pairs_of(const Points& points, const std::vector<std::uint32_t>& index,
                         const SurfaceRadius& radius, double gate_degrees, double stretch,
                         Context& context, const Value& value) {
    const Cells cells =
        make_cells(points, index, frame_of(points, radius, stretch), radius, stretch);
    const auto least_cosine = static_cast<double>(cosine_of_gate(gate_degrees));
    const auto place_of = [&](std::size_t i) {
      return Vec3{points.x[i], points.y[i], points.z[i]};
    };
    const auto normal_of = [&](std::size_t i) {
      return Vec3{points.nx[i], points.ny[i], points.nz[i]};
    };
    constexpr std::size_t group_size = 32;
    Groups groups((cells.cells.size() + group_size - 1) / group_size);
    parallel_for(context, groups.size(), [&](std::size_t g) {
      Places round, found;
      const std::size_t end = std::min(cells.cells.size(), (g + 1) * group_size);
      for (std::size_t c = g * group_size; c < end; ++c) {
        cells.for_pairs(cells.cells[c], 1, round, found, [&](std::size_t i, std::size_t j) {
          if (!(dot(normal_of(i), normal_of(j)) > least_cosine)) return;
          const double d = length(place_of(i) - place_of(j)) /
                           (stretch * required_distance(points, radius, i, j));
          groups[g].push_back(
              {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), value(d)});
        });
      }
    });
    return groups;
  }

  void add_up(const Groups& groups, const std::vector<std::uint32_t>& place) {
    const auto for_both = [&](const auto& body) {
      for (const auto& group : groups) {
        for (const Pair& pair : group) {
          body(place[pair.i], place[pair.j], pair.value);
          body(place[pair.j], place[pair.i], pair.value);
        }
      }
    };
    for_both([&](std::uint32_t of, std::uint32_t, float) { ++start_[of + 1]; });
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    near_.resize(start_.back());
    values_.resize(start_.back());
    std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
    for_both([&](std::uint32_t of, std::uint32_t other, float value) {
      near_[next[of]] = other;
      values_[next[of]++] = value;
    });
  }

  std::vector<std::size_t> start_;
  std::vector<std::uint32_t> near_;
  std::vector<float> values_;
};

}  // namespace dapple::surface
