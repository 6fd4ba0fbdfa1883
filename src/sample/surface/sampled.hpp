// A set with what those who choose the radius need to know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dapple/surface.hpp"

namespace dapple::surface {

struct Sampled {
  SurfacePoints points;
  std::vector<std::int32_t> window;  // in which each point was settled
  std::int64_t without_area = 0;     // faces
  std::int64_t cracks = 0;           // edges at which paths along the surface end, and should not
  SurfacePoints kept;                // those that were there, as the surface sees them

  std::size_t size() const { return points.size(); }
};
// Places that are filled round, with their radii, 0: as the surface asks for there.
struct Kept {
  SurfacePoints points;
  // SurfaceRadius::classes, where there are any, with more behind those of the surface.
  std::vector<std::vector<double>> classes;
};
Sampled sample_radius(const Mesh& mesh, const SurfaceRadius& radius, const SurfaceOptions& options,
                      Context& context, const Kept* kept = nullptr);
// Of points of which so many were there already; `classes`: so many of those of `radius` are
// placed.
SurfaceCertificate certify_round(const SurfacePoints& points, std::size_t kept, std::size_t classes,
                                 const Mesh& mesh, const SurfaceRadius& radius,
                                 const SurfaceOptions& options, Context& context, double tolerance);
// Leaves out the points that were settled last; those of one window in an order without place.
void leave_out_last(Sampled& sampled, std::size_t count);
// The radii as they are given, times so much: before the slope, which keeps its limit.
SurfaceRadius scaled_by(SurfaceRadius radius, double factor);
// So many points, and the factor of the radius that makes them.
struct Counted {
  Sampled made;
  double scale = 1;
};
Counted sample_counted(const Mesh& mesh, std::int64_t count, const SurfaceRadius& radius,
                       const SurfaceOptions& options, Context& context);
// The rows of all columns, in their order.
void keep_points(SurfacePoints& points, const std::vector<std::size_t>& rows);
// Throw Error(input) for columns that are not of one length, places that are none, and radii or
// classes that are none.
void require_places(const SurfacePoints& points);
void require_points(const SurfacePoints& points);  // places and normals
void require_radii(const SurfacePoints& points, const SurfaceRadius& radius);
// How far apart two of them are to be.
double required_distance(const SurfacePoints& points, const SurfaceRadius& radius, std::size_t i,
                         std::size_t j);
// Gives points of one kind a class each: exact shares of weights (above 0, of sum 1), each class
// spread as evenly as the points themselves allow.
void add_classes(SurfacePoints& points, const SurfaceRadius& radius, const SurfaceOptions& options,
                 std::span<const double> weights, Context& context);
// Throws Error(usage) where distances are those along the surface, which `what` does not know.
void require_space(const SurfaceOptions& options, const char* what);
// Throws Error(usage, input) for radii that are none, or not those of the mesh.
void require_radius(const Mesh& mesh, const SurfaceRadius& radius);

// How many squares of r the surface has: a maximal set has about even_packing points for each.
double squares_of(const Mesh& mesh, const SurfaceRadius& radius, Context& context);

// The same to the last bit however the values follow each other.
double sum_in_any_order(std::vector<double> values);
// Of all faces, in square units of the mesh; the same for any order of faces and their corners.
double area_of(const Mesh& mesh);

// Warns of faces without area, of edges at which paths end, and of faces that are wound against
// each other. Looks at the whole mesh: once for a set, however many trials it takes.
void warn_about_mesh(const Mesh& mesh, std::int64_t without_area, std::int64_t cracks,
                     const SurfaceOptions& options, Context& context);

}  // namespace dapple::surface
