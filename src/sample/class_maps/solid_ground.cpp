#include "sample/class_maps/solid_ground.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/parallel.hpp"
#include "dapple/error.hpp"
#include "sample/surface/triangles.hpp"

namespace dapple::class_maps {
namespace {

using box_space::SolidBox;

// The integral of 1 / r^3 is read at as many places along each side, or at each voxel.
constexpr double least_samples = 32;
constexpr double most_samples = 128;
// In sides of the field. Floating-point errors of places are below a tenth of it.
constexpr double margin = 1e-14;

}  // namespace
}  // namespace dapple::class_maps

namespace dapple {

spaces::VoxelsInSolid::VoxelsInSolid(const Mesh& mesh, const std::array<double, 3>& voxels)
    : step(0) {
  const surface::Frame frame = surface::frame_of(mesh, 1);
  sides = frame.extent;
  step = std::max({sides.x / voxels[0], sides.y / voxels[1], sides.z / voxels[2]});
  corner = frame.origin + (sides - Vec3{voxels[0], voxels[1], voxels[2]} * step) * 0.5;
}

}  // namespace dapple

namespace dapple::class_maps {

SolidGround::SolidGround(const Mesh& mesh, const box_space::Solid& solid,
                         std::span<const VolumeField> fields, Context& context)
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
  measure(context);
}

// Takes the mean of 1 / r^3 over samples in the solid, because layers of samples may miss a thin
// solid, but not its volume.
void SolidGround::measure(Context& context) {
  const Frame<3> frame = this->frame();
  std::array<int, 3> count{};
  At cell;
  for (std::size_t a = 0; a < 3; ++a) {
    count[a] = static_cast<int>(std::clamp(frame.side[a], least_samples, most_samples));
    cell[a] = frame.side[a] / count[a];
  }
  struct Layer {
    std::vector<double> sums;
    double inside = 0;
  };
  std::vector<Layer> layers(static_cast<std::size_t>(count[2]));
  parallel_for(context, layers.size(), [&](std::size_t z) {
    Layer& layer = layers[z];
    layer.sums.resize(class_count());
    for (int y = 0; y < count[1]; ++y) {
      for (int x = 0; x < count[0]; ++x) {
        const At at{(x + 0.5) * cell[0], (y + 0.5) * cell[1],
                    (static_cast<double>(z) + 0.5) * cell[2]};
        if (!holds(at)) continue;
        ++layer.inside;
        for (std::size_t c = 0; c < layer.sums.size(); ++c) {
          const double r = GridGround<3>::radius(c, at);
          layer.sums[c] += 1 / (r * r * r);
        }
      }
    }
  });
  const double voxels = solid_.volume() / (unit() * unit() * unit());
  for (std::size_t c = 0; c < class_count(); ++c) {
    double sum = 0;
    double inside = 0;
    for (const Layer& layer : layers) {
      sum += layer.sums[c];
      inside += layer.inside;
    }
    // Without a sample inside, the mean over the whole field counts.
    const double whole =
        GridGround<3>::integral(c) / (frame.side[0] * frame.side[1] * frame.side[2]);
    integrals_.push_back(voxels * (sum > 0 ? sum / inside : whole));
  }
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
