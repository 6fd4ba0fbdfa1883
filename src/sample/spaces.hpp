// Declares the samplers and the proofs of each kind of space, behind sample() and certify().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "dapple/certificate.hpp"
#include "dapple/forward.hpp"
#include "dapple/points.hpp"
#include "dapple/radii.hpp"
#include "dapple/sample_options.hpp"
#include "dapple/space.hpp"

namespace dapple::spaces {

// New points: how many (0: as many as the radii allow), and the fixed points around which they lie.
struct Request {
  std::int64_t count = 0;
  bool progressive = false;
  FixedPoints kept = {};  // with the rule of all radii
};

// A field in a solid spans the bounds of the mesh. Its voxels are cubes, as large as the longest
// side needs, and lie around its center. Radii of the field are in voxels.
struct VoxelsInSolid {
  double step = 1;  // side of a voxel in the unit of the mesh
  Vec3 corner;      // the least corner of the field
  Vec3 sides;       // of the bounds of the mesh

  VoxelsInSolid() = default;
  VoxelsInSolid(const Mesh& mesh, const std::array<double, 3>& voxels);
  Vec3 place(const Vec3& at) const { return corner + at * step; }
  Vec3 seen(const Vec3& place) const { return (place - corner) * (1 / step); }
};

// Each sampler returns the new points alone, with their radii. A count scales the radii; a single
// radius is then found, whatever is given.
Points sample_box(const Space& box, double radius, const Request& request, Context& context);
Points sample_box(const VolumeField& field, const Request& request, Context& context);
// The space is a plane or a box of three dimensions.
Points sample_classes(const Space& space, const ClassRadii& classes, const Request& request,
                      Context& context);
Points sample_solid(const Space& solid, double radius, const Request& request, Context& context);
Points sample_sphere(double sphere, const SurfaceRadius& radius, const Request& request,
                     Context& context);

// Makes the whole result of sample() in regions; `radius` counts only if there are no numbers of
// points. Fixed points count in the region that holds them.
Points sample_regions(const Space& regions, double radius, const SampleOptions& options,
                      Context& context);

// Each proof takes the new points alone, and the fixed points that they lie around.
Certificate certify_box(const Points& points, double radius, const FixedPoints& kept,
                        double tolerance, Context& context);
Certificate certify_box(const Points& points, const VolumeField& field, const FixedPoints& kept,
                        double tolerance, Context& context);
Certificate certify_classes(const Points& points, const ClassRadii& classes,
                            const FixedPoints& kept, double tolerance, Context& context);
Certificate certify_solid(const Points& points, double radius, const FixedPoints& kept,
                          double tolerance, Context& context);
Certificate certify_regions(const Points& points, const Space& regions, double radius,
                            const FixedPoints& kept, double tolerance, Context& context);
Certificate certify_sphere(const Points& points, const SurfaceRadius& radius,
                           const FixedPoints& kept, double tolerance, Context& context);
// Samples and proves radii that depend on the place and the class: ClassFields in a plane,
// ClassVolumes and a VolumeField of any rule in a box and in a solid, ClassSurfaces on a surface
// and on a sphere, ClassRadii in a solid and on a sphere. Slower than samplers of their own.
Points sample_by_place(const Space& space, const Radii& radii, const Request& request,
                       Context& context);
Certificate certify_by_place(const Points& points, const Space& space, const Radii& radii,
                             const FixedPoints& kept, double tolerance, Context& context);
// Returns the integral of 1 / r^D of all classes: the points per packing constant.
double content_by_place(const Space& space, const Radii& radii, Context& context);
// Returns fixed points with the columns of the new points, such as their radii and classes.
Points with_columns_of(const Points& fresh, Points kept, const Space& space, Context& context);
// Returns fixed points with their radii and the data of their nearest faces.
Points fixed_on_surface(Points kept, const Space& surface, const ClassSurfaces& classes,
                        Context& context);
// Proves points of a plane. The first `kept` points are fixed.
Certificate certify_plane(const Points& points, std::size_t kept, const DensityField& field,
                          ConflictRule rule, Context& context);

// Makes the whole result of sample() in a plane with a field, and on a surface. The fixed points of
// a surface have the data of their nearest faces.
Points sample_plane(const DensityField& field, const SampleOptions& options, Context& context);
// Cut sets out of an endless plane of one radius, and out of a larger plane or box of one radius or
// of classes, also in the shape of a solid.
Points cut_from_plane(const Domain& domain, double radius, std::int64_t count, Context& context);
Points cut_from_larger(const Space& space, const Radii& radii, const SampleOptions& options,
                       Context& context);
// Returns the spacing of the grid on which sample_window() places points.
double window_grid(double radius);
Points sample_surface(const Space& surface, const Radii& radii, const SampleOptions& options,
                      Context& context);
// Proves points of a surface. The first `kept` points are fixed.
Certificate certify_surface(const Points& points, std::size_t kept, const SurfaceRadius& radius,
                            double tolerance, Context& context);
void order_on_surface(Points& points, const SurfaceRadius& radius, std::size_t kept,
                      Context& context);

}  // namespace dapple::spaces
