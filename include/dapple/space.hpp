// Declares the spaces that hold points.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"

namespace dapple {

struct Mesh;     // dapple/mesh.hpp
struct Regions;  // dapple/regions.hpp

enum class SurfaceMetric { euclidean, surface };
constexpr std::array<std::string_view, 2> option_names(SurfaceMetric) {
  return {"euclidean", "surface"};
}

// The rules by which two points on a mesh affect each other.
struct SurfaceOptions {
  // surface: exact shortest paths on the triangles, for one radius, without `normal_angle`. Paths
  // cross from one triangle to the next where both corners of an edge coincide. Points that no path
  // joins do not affect each other.
  SurfaceMetric metric = SurfaceMetric::euclidean;
  // Degrees. Points on faces whose normals differ by this angle or more lie on different sheets and
  // do not affect each other; 180 ignores normals.
  double normal_angle = 120;
};
void describe(SurfaceOptions& options, OptionList& list);

// cloud: any coordinates, as in files of other programs. thin() picks points of a cloud; sample()
// does not make clouds.
enum class SpaceKind { plane, box, surface, solid, sphere, regions, cloud };
constexpr std::array<std::string_view, 7> option_names(SpaceKind) {
  return {"plane", "box", "surface", "solid", "sphere", "regions", "cloud"};
}

// A space that holds points. It alone knows how it wraps, and how far two places are apart. Copies
// are cheap, because they share the mesh.
struct Space {
  SpaceKind kind = SpaceKind::plane;
  Domain domain = {};  // a plane, or the first two sides of a box; a torus if it wraps
  double depth = 0;    // the third side of a box
  double extent = 0;   // the fourth side of a box; 0: three dimensions
  std::shared_ptr<const Mesh> mesh = {};  // of a surface or a solid
  SurfaceOptions surface = {};
  double radius = 0;  // of a sphere around the origin
  std::shared_ptr<const Regions> regions = {};
  std::vector<std::int64_t> region_counts = {};  // exact number of points of each; empty: open

  Space() = default;
  Space(const Domain& plane) : domain(plane) {}

  // Returns a box of three or, with an extent, four dimensions; a torus if the domain wraps. Throws
  // Error(usage) for an extent that is not above 0.
  static Space box(const Domain& domain, double depth);
  static Space box(const Domain& domain, double depth, double extent);
  // Returns the surface of a mesh. Two points on it conflict by their distance in space if they lie
  // on the same sheet. So the walls of a thin box do not affect each other, but the two sides of an
  // edge do. Or distance is the length of the shortest path along the surface.
  static Space on_surface(std::shared_ptr<const Mesh> mesh, const SurfaceOptions& options = {});
  static Space on_surface(Mesh mesh, const SurfaceOptions& options = {});
  // Returns the solid that a closed mesh encloses. A place is inside if a straight line from it to
  // the outside crosses an odd number of faces. A shell within a shell thus is a hollow. Faces may
  // be wound either way; repeated faces count once.
  static Space in_solid(std::shared_ptr<const Mesh> mesh);
  static Space in_solid(Mesh mesh);
  static Space on_sphere(double radius);
  // Returns the polygons of regions, each with its number of points if `counts` is given.
  static Space in_regions(std::shared_ptr<const Regions> regions,
                          std::vector<std::int64_t> counts = {});
};

}  // namespace dapple
