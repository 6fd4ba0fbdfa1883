// Points on the surface of a mesh: maximal Poisson-disk sets, exact whatever the triangles are.
//
// Two points are too near where their distance in space is below the radius and they lie on the
// same sheet: where the normals of their faces differ by less than the angle `gate`. So the walls
// of a thin box do not see each other, and the two sides of an edge do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/mesh.hpp"
#include "dapple/options.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// Structure of arrays; every column has size() values. Order is part of the value.
struct SurfacePoints {
  std::vector<double> x;  // in the unit of the mesh
  std::vector<double> y;
  std::vector<double> z;
  std::vector<float> nx;  // unit normal of the face
  std::vector<float> ny;
  std::vector<float> nz;
  std::vector<std::int32_t> face;  // Mesh::face of the triangle, or its number
  std::vector<std::int32_t> triangle;
  std::vector<float> u;  // weights of the triangle's second and third corner
  std::vector<float> v;
  double radius = 0;  // of all points, in the unit of the mesh
  std::vector<std::pair<std::string, std::string>> metadata;  // provenance, such as the recipe

  std::size_t size() const { return x.size(); }
};

struct SurfaceOptions {
  double gate = 120;  // degrees
};
void describe(SurfaceOptions& options, OptionList& list);

// Points no two of which are too near, and no place of the surface is left for another, up to 1e-5
// of the radius; distributed as if darts were thrown at the surface one after the other for ever.
// Deterministic in (context.seed, mesh as a set of triangles, options): neither the order of faces
// and vertices nor threads change a byte of the places. Memory O(points + triangles), some 600
// bytes a point, 3 microseconds of a core. Throws Error(input) as validate(Mesh) does,
// Error(limit) for a mesh that is more than a million radii wide, or for a set that memory cannot
// hold. Faces without area are left out, and said.
//
// A Poisson process of darts in windows of time: Ebeida, Patney, Mitchell, Davidson, Knupp, Owens
// 2011 (live parts that are split), Corsini, Cignoni, Scopigno 2012 (meshes); here places are
// proved to be covered 16 at a time, and darts are settled by their times alone.
SurfacePoints sample_surface(const Mesh& mesh, double radius, const SurfaceOptions& options,
                             Context& context);
// Exactly `count` points, by the radius that nearly makes as many; the last ones are left out, so
// that the set need not be maximal where they would be.
SurfacePoints sample_surface_count(const Mesh& mesh, std::int64_t count,
                                   const SurfaceOptions& options, Context& context);

// A gray picture of the mesh with a disc on every point, seen from a little to the right and above
// (y points up). Throws Error(limit) for more pixels than context.limits allows.
Image draw_surface(const Mesh& mesh, const SurfacePoints& points, int width, int height,
                   Context& context);

// What points prove on a mesh, whoever made them: distances of pairs in double, cover by bounds
// over parts of triangles.
struct SurfaceCertificate {
  std::int64_t violations = 0;  // pairs that are too near
  double closest = 0;           // smallest distance of a pair of one sheet / radius; inf: no pairs
  Vec3 worst_pair_place;        // one point of that pair
  std::int64_t holes = 0;       // parts of triangles where a point would find room
  Vec3 hole_place;
  bool maximal() const { return holes == 0; }
};
// Places count as covered within `tolerance` radii beyond the radius, at least 1e-5.
SurfaceCertificate certify(const SurfacePoints& points, const Mesh& mesh,
                           const SurfaceOptions& options, Context& context,
                           double tolerance = 2e-5);

// Throws Error(verification) with the place at fault where the set is not exact or not maximal;
// gaps of a set of a given count are a warning.
void verify(const SurfacePoints& points, const Mesh& mesh, const SurfaceOptions& options,
            Context& context, bool counted = false);

}  // namespace dapple
