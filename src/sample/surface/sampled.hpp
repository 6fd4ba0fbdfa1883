// Declares samplers of a mesh that also return what the search for a radius needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dapple/certificate.hpp"
#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"
#include "dapple/points.hpp"
#include "dapple/radii.hpp"
#include "dapple/space.hpp"

namespace dapple::surface {

struct Frame;     // sample/surface/triangles.hpp
struct Triangle;  // sample/surface/triangles.hpp

// Adds a place of a triangle, in radii, to points of the mesh, with the columns of a surface.
void add_point(const Mesh& mesh, const Frame& frame, const Triangle& triangle, const Vec3& place,
               Points& points);

struct Sampled {
  Points points;
  std::vector<std::int32_t> window;  // window in which each point was accepted
  std::int64_t without_area = 0;     // faces without area
  std::int64_t cracks = 0;           // edges at which paths along the surface end but should not
  Points kept;                       // fixed points, with the data of their nearest faces

  std::size_t size() const { return points.size(); }
};
// Fixed points and their radii. A radius of 0 stands for the radius of the surface at the point.
struct Kept {
  Points points;
  // SurfaceRadius::classes, if there are any, then further classes of fixed points.
  std::vector<std::vector<double>> classes;
};
Sampled sample_radius(const Mesh& mesh, const SurfaceRadius& radius, const SurfaceOptions& options,
                      Context& context, const Kept* kept = nullptr);
// Keeps the `count` points accepted first. Within a window the order is a hash of the position.
void leave_out_last(Sampled& sampled, std::size_t count);
// Returns radii times `factor`. The factor applies before the slope, whose limit stays the same.
SurfaceRadius scaled_by(SurfaceRadius radius, double factor);
// A whole set, and the radii with which certify() proves it.
struct Made {
  Points points;
  std::size_t kept = 0;  // the first so many points are fixed
  SurfaceRadius radius;
  std::int64_t without_area = 0, cracks = 0;  // as in Sampled
};
// Samples a mesh, `count` points in all or, if it is 0, as many as the radii allow. Fills around
// `fixed` unless it is nullptr. Does not check the mesh and the options, and does not warn of the
// mesh, so that searches can call it.
Made make(const Mesh& mesh, std::int64_t count, const SurfaceRadius& radius,
          const SurfaceOptions& options, const Points* fixed, Context& context);
Made make_around(const Mesh& mesh, std::int64_t count, const SurfaceRadius& radius,
                 const SurfaceOptions& options, const Points& fixed, Context& context);
// Samples classes as make() samples radii. Each class gets its share of the points.
Made make_classes(const Mesh& mesh, std::int64_t count, const ClassRadii& classes,
                  ConflictRule rule, const SurfaceOptions& options, const Points* fixed,
                  Context& context);
// Throw Error(input) for columns of different lengths, for invalid positions, and for invalid radii
// or classes.
void require_places(const Points& points);
void require_points(const Points& points);  // places and normals
void require_radii(const Points& points, const SurfaceRadius& radius);
// Returns the distance that points i and j must keep.
double required_distance(const Points& points, const SurfaceRadius& radius, std::size_t i,
                         std::size_t j);
// Gives each point a class. Shares follow `weights` exactly (above 0, sum 1). Each class is spread
// as evenly as the points allow.
void add_classes(Points& points, const SurfaceRadius& radius, const SurfaceOptions& options,
                 std::span<const double> weights, Context& context);
// Throws Error(usage) if distances are along the surface, which `what` does not support.
void require_space(const SurfaceOptions& options, const char* what);
// Throws Error(usage) or Error(input) for radii that are invalid or do not fit the mesh.
void require_radius(const Mesh& mesh, const SurfaceRadius& radius);

// Returns the area in squares of r. A maximal set has about even_packing points per square.
double squares_of(const Mesh& mesh, const SurfaceRadius& radius, Context& context);

// Returns the sum, the same to the last bit for any order of the values.
double sum_in_any_order(std::vector<double> values);
// Returns the area of all faces in square units of the mesh, for any order of faces and corners.
double area_of(const Mesh& mesh);

// Warns about faces without area, edges at which paths end, and faces wound against each other.
// Reads the whole mesh, so call it once per set and not once per trial.
void warn_about_mesh(const Mesh& mesh, std::int64_t without_area, std::int64_t cracks,
                     const SurfaceOptions& options, Context& context);

}  // namespace dapple::surface
