#include "sample/class_maps/solid_ground.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dapple/error.hpp"

namespace dapple::class_maps {
namespace {

using box_space::SolidBox;

constexpr std::uint32_t faces_a_leaf = 4;
// The integral of 1 / r^3 is read at as many places along each side, or at each voxel.
constexpr double least_samples = 32;
constexpr double most_samples = 256;
// In sides of the field. Floating-point errors of places are below a tenth of it.
constexpr double margin = 1e-14;

bool meet(const SolidBox& a, const SolidBox& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (std::abs(a.middle[i] - b.middle[i]) > a.half[i] + b.half[i]) return false;
  }
  return true;
}

}  // namespace
}  // namespace dapple::class_maps

namespace dapple {

spaces::VoxelsInSolid::VoxelsInSolid(const Mesh& mesh, const std::array<double, 3>& voxels)
    : step(0) {
  Vec3 low = mesh.vertices.front();
  Vec3 high = low;
  for (const Vec3& p : mesh.vertices) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  sides = high - low;
  step = std::max({sides.x / voxels[0], sides.y / voxels[1], sides.z / voxels[2]});
  corner = (low + high) * 0.5 - Vec3{voxels[0], voxels[1], voxels[2]} * (0.5 * step);
}

}  // namespace dapple

namespace dapple::class_maps {

SolidGround::SolidGround(const Mesh& mesh, const box_space::Solid& solid,
                         std::span<const VolumeField> fields)
    : GridGround<3>(fields), solid_(solid), voxels_(mesh, fields.front().side()) {
  const Frame<3> frame = this->frame();
  if (frame.wrap) throw Error(ErrorKind::usage, "a field in a solid cannot wrap");
  faces_.resize(solid.faces());
  std::iota(faces_.begin(), faces_.end(), 0u);
  nodes_.emplace_back();
  lay_out(0, 0, static_cast<std::uint32_t>(faces_.size()));
  std::array<int, 3> count{};
  At cell;
  for (std::size_t a = 0; a < 3; ++a) {
    count[a] = static_cast<int>(std::clamp(frame.side[a], least_samples, most_samples));
    cell[a] = frame.side[a] / count[a];
  }
  integrals_.resize(class_count());
  for (int z = 0; z < count[2]; ++z) {
    for (int y = 0; y < count[1]; ++y) {
      for (int x = 0; x < count[0]; ++x) {
        const At at{(x + 0.5) * cell[0], (y + 0.5) * cell[1], (z + 0.5) * cell[2]};
        if (!holds(at)) continue;
        for (std::size_t c = 0; c < integrals_.size(); ++c) {
          const double r = GridGround<3>::radius(c, at);
          integrals_[c] += cell[0] * cell[1] * cell[2] / (r * r * r);
        }
      }
    }
  }
  // A solid so thin that no sample is inside still has room for a point.
  for (double& integral : integrals_) integral = std::max(integral, 1.0);
}

double SolidGround::radius(std::size_t class_id, const At& at) const {
  return holds(at) ? GridGround<3>::radius(class_id, at) : std::numeric_limits<double>::infinity();
}

// Halves the faces by the middles of their bounds, across the longer side.
void SolidGround::lay_out(std::uint32_t node, std::uint32_t first, std::uint32_t end) {
  At low, high;
  low.fill(std::numeric_limits<double>::infinity());
  high.fill(-low[0]);
  for (std::uint32_t i = first; i < end; ++i) {
    const SolidBox of = solid_.bounds(faces_[i]);
    for (std::size_t a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], of.middle[a] - of.half[a]);
      high[a] = std::max(high[a], of.middle[a] + of.half[a]);
    }
  }
  std::size_t axis = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    nodes_[node].box.middle[a] = 0.5 * (low[a] + high[a]);
    nodes_[node].box.half[a] = 0.5 * (high[a] - low[a]);
    if (high[a] - low[a] > high[axis] - low[axis]) axis = a;
  }
  if (end - first <= faces_a_leaf) {
    nodes_[node].first = first;
    nodes_[node].count = end - first;
    return;
  }
  const std::uint32_t middle = first + (end - first) / 2;
  const auto at = [&](std::uint32_t i) { return faces_.begin() + i; };
  std::nth_element(at(first), at(middle), at(end), [&](std::uint32_t a, std::uint32_t b) {
    const double of_a = solid_.bounds(a).middle[axis];
    const double of_b = solid_.bounds(b).middle[axis];
    return of_a != of_b ? of_a < of_b : a < b;
  });
  const auto halves = static_cast<std::uint32_t>(nodes_.size());
  nodes_[node].halves = halves;
  nodes_.resize(nodes_.size() + 2);
  lay_out(halves, first, middle);
  lay_out(halves + 1, middle, end);
}

bool SolidGround::is_crossed(const Region& region) const {
  SolidBox box;
  box.middle = solid_.seen(place(middle({}, region)));
  for (std::size_t a = 0; a < 3; ++a) {
    box.half[a] = (0.5 * (region.high[a] - region.low[a]) + margin * frame().side[a]) * step();
  }
  const auto visit = [&](const auto& self, std::uint32_t number) -> bool {
    const Node& node = nodes_[number];
    if (!meet(node.box, box)) return false;
    if (node.halves != 0) return self(self, node.halves) || self(self, node.halves + 1);
    const auto first = faces_.begin() + node.first;
    return std::any_of(first, first + node.count,
                       [&](std::uint32_t face) { return solid_.crosses(face, box); });
  };
  return visit(visit, 0);
}

}  // namespace dapple::class_maps
