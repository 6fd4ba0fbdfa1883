// Makes spaces, and describes the options of a surface.
#include "dapple/space.hpp"

#include <utility>

#include "core/preconditions.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/mesh.hpp"

namespace dapple {
namespace {

Space on_mesh(SpaceKind kind, std::shared_ptr<const Mesh> mesh) {
  Space space;
  space.kind = kind;
  space.mesh = std::move(mesh);
  return space;
}

}  // namespace

Space Space::box(const Domain& domain, double depth) {
  Space space(domain);
  space.kind = SpaceKind::box;
  space.depth = depth;
  return space;
}
Space Space::box(const Domain& domain, double depth, double extent) {
  require_above_0("a side of a space", extent);
  Space space = box(domain, depth);
  space.extent = extent;
  return space;
}

Space Space::on_surface(std::shared_ptr<const Mesh> mesh, const SurfaceOptions& options) {
  Space space = on_mesh(SpaceKind::surface, std::move(mesh));
  space.surface = options;
  return space;
}
Space Space::on_surface(Mesh mesh, const SurfaceOptions& options) {
  return on_surface(std::make_shared<const Mesh>(std::move(mesh)), options);
}

Space Space::in_solid(std::shared_ptr<const Mesh> mesh) {
  return on_mesh(SpaceKind::solid, std::move(mesh));
}
Space Space::in_solid(Mesh mesh) {
  return in_solid(std::make_shared<const Mesh>(std::move(mesh)));
}

Space Space::on_sphere(double radius) {
  Space space;
  space.kind = SpaceKind::sphere;
  space.radius = radius;
  return space;
}

Space Space::in_regions(std::shared_ptr<const Regions> regions, std::vector<std::int64_t> counts) {
  Space space;
  space.kind = SpaceKind::regions;
  space.regions = std::move(regions);
  space.region_counts = std::move(counts);
  return space;
}

void describe(SurfaceOptions& options, OptionList& list) {
  list.group("Surface");
  list.add("metric", options.metric,
           "How distances are measured: straight through space (euclidean), or along the surface "
           "by shortest paths");
  list.add("gate", options.normal_angle,
           "Angle between the normals of two faces below which their points keep their distance; "
           "180: always")
      .unit("degrees")
      .range(1, 180);
}

}  // namespace dapple
