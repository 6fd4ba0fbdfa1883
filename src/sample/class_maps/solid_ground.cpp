#include "sample/class_maps/solid_ground.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dapple/error.hpp"

namespace dapple::class_maps {
namespace {

using box_space::SolidBox;

// The integral of 1 / r^3 is read at as many places along each side, or at each voxel.
constexpr double least_samples = 32;
constexpr double most_samples = 256;
// In sides of the field. Floating-point errors of places are below a tenth of it.
constexpr double margin = 1e-14;

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
  std::vector<Bounds<3>> boxes(solid.faces());
  for (std::uint32_t face = 0; face < boxes.size(); ++face) {
    const SolidBox of = solid.bounds(face);
    for (std::size_t a = 0; a < 3; ++a) {
      boxes[face].low[a] = of.middle[a] - of.half[a];
      boxes[face].high[a] = of.middle[a] + of.half[a];
    }
  }
  faces_ = BoxTree(std::move(boxes));
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

bool SolidGround::is_crossed(const Region& region) const {
  SolidBox box;
  Bounds<3> bounds;
  box.middle = solid_.seen(in_mesh(middle({}, region)));
  for (std::size_t a = 0; a < 3; ++a) {
    box.half[a] = (0.5 * (region.high[a] - region.low[a]) + margin * frame().side[a]) * unit();
    bounds.low[a] = box.middle[a] - box.half[a];
    bounds.high[a] = box.middle[a] + box.half[a];
  }
  return faces_.any(bounds, [&](std::uint32_t face) { return solid_.crosses(face, box); });
}

}  // namespace dapple::class_maps
