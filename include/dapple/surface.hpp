// Samples points on the surface of a mesh: maximal Poisson-disk sets, exact for any triangles.
//
// Two points conflict if their distance in space is below the radius and they lie on the same
// sheet: the normals of their faces differ by less than SurfaceOptions::normal_angle. So the walls
// of a thin box do not affect each other, but the two sides of an edge do. Alternatively, distance
// is the length of the shortest path along the surface.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dapple/certificate.hpp"
#include "dapple/field.hpp"
#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

enum class ConflictRule;  // dapple/sample_options.hpp

// Structure of arrays; every column has size() values. Order is part of the value.
struct SurfacePoints {
  std::vector<double> x = {};  // in the unit of the mesh
  std::vector<double> y = {};
  std::vector<double> z = {};
  // The place on a face; empty for points in the solid that the mesh encloses. Points on a sphere
  // have only a normal.
  std::vector<float> nx = {};  // unit normal of the face
  std::vector<float> ny = {};
  std::vector<float> nz = {};
  std::vector<std::int32_t> face = {};  // Mesh::face of the triangle, or the index of the triangle
  std::vector<std::int32_t> triangle = {};
  std::vector<float> u = {};  // weights of the triangle's second and third corner
  std::vector<float> v = {};
  double radius = 0;                        // in the unit of the mesh; if r varies, the least r
  std::vector<float> r = {};                // the radius at each point
  std::vector<std::int32_t> class_id = {};  // from 0; empty: one class
  std::vector<std::int32_t> rank = {};  // 0, 1, 2...: each prefix is well spaced; empty: no order
  // For objects on the points; empty unless requested.
  std::vector<float> object_size = {};  // in the unit of the mesh
  std::vector<float> rotation = {};     // degrees, around the up axis of the object
  // Quaternions x, y, z, w that turn an object whose up is y; they include its rotation.
  std::array<std::vector<float>, 4> turn = {};
  std::vector<std::pair<std::string, std::string>> metadata = {};  // provenance, such as the recipe
  std::optional<double> meters_per_unit = {};                      // as Mesh has it

  std::size_t size() const { return x.size(); }
};

enum class SurfaceMetric { euclidean, surface };
constexpr std::array<std::string_view, 2> option_names(SurfaceMetric) {
  return {"euclidean", "surface"};
}

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

// The radius of the points: one value, or r(x) that is linear on triangles or on parts of them. Two
// points conflict if their distance is below the rule's value for both r.
struct SurfaceRadius {
  SurfaceRadius() = default;
  SurfaceRadius(double everywhere) : even(everywhere) {}

  double even = 0;  // r everywhere, if neither corners nor texture is given
  // r at the corners of each triangle of the mesh, linear between them.
  std::vector<std::array<float, 3>> corners = {};
  // r by places of a texture, Mesh::uv. The field allows points everywhere; a torus is best, since
  // textures repeat. r is at most `largest`. It is read at the corners of parts of triangles, and
  // is linear on each. Parts are halved until r differs by less than 2 % on them or they are
  // smaller than r / 2.
  std::optional<DensityField> texture = {};
  double largest = 0;  // in the unit of the texture's radii
  // r(x) <= r(y) + slope |x - y| along the edges of these triangles or parts; none: r as given.
  std::optional<double> slope = 1.0;
  double scale = 1;     // of corners, texture and classes
  ConflictRule rule{};  // mean, min or max
  // Distances of several classes: points of classes i and j are at least [i][j] apart. Symmetric,
  // above 0, and at most the larger of the radii [i][i] and [j][j] of the classes. A maximal set
  // then leaves no place for a point of any class.
  std::vector<std::vector<double>> classes = {};
  // Darts of each class, per square of its radius, before the darts of the next class begin. In the
  // end darts of all classes continue together. Empty: none.
  std::vector<double> head_start = {};
};

// Returns points of which no two conflict and which leave no room for another, up to 1e-5 of the
// radius. They are distributed as if darts were thrown at the surface one after the other forever.
// Deterministic in (context.seed, mesh as a set of triangles, options): neither the order of faces
// and vertices nor threads change a byte of the places. Memory O(points + triangles), about 500
// bytes per point; 2 microseconds of a core per point. Throws Error(input) as validate(Mesh) does,
// Error(limit) for a mesh more than a million radii wide, or for a set that memory cannot hold.
// Faces without area are left out, with a warning. Along the surface (options.metric) a point costs
// about 0.2 microseconds and 50 bytes more for each edge that paths of a radius cross from it. This
// metric throws Error(usage) for radii that differ, Error(limit) for more than 50000 such edges.
//
// A Poisson process of darts in windows of time: Ebeida, Patney, Mitchell, Davidson, Knupp, Owens
// 2011 (live parts that are split), Corsini, Cignoni, Scopigno 2012 (meshes). Here many places are
// proved to be covered at a time, and darts are settled only by their times.
SurfacePoints sample_surface(const Mesh& mesh, const SurfaceRadius& radius,
                             const SurfaceOptions& options, Context& context);
// Returns exactly `count` points. Finds a radius that yields slightly more points and drops the
// last ones, so that the set need not be maximal.
SurfacePoints sample_surface_count(const Mesh& mesh, std::int64_t count,
                                   const SurfaceOptions& options, Context& context);
// As above, but for a radius that varies, which is scaled as a whole. Also returns the scale, which
// a proof of the set needs.
std::pair<SurfacePoints, double> sample_surface_count(const Mesh& mesh, std::int64_t count,
                                                      const SurfaceRadius& radius,
                                                      const SurfaceOptions& options,
                                                      Context& context);

// Puts points into an order with well spaced prefixes, and gives them their rank. K first points
// keep at least 0.55 of the distance in a hexagonal lattice of K points. The points and the radius
// at which they were sampled stay the same. O(N log N), about 2 microseconds per point. Yuksel
// 2015: the most crowded point goes last; only points of one sheet crowd each other. The first
// `kept` points keep their places; the others follow, spaced for the number of all points. The
// first K of N points hold K n / N of a class of n points, within one point. The surface's `area`
// limits how far points of a class are spread; 0: no farther than their distance.
void order_progressively(SurfacePoints& points, const SurfaceRadius& radius,
                         const SurfaceOptions& options, Context& context, std::size_t kept = 0,
                         double area = 0);

// The axis of the shape that points up in its picture. With z up, x points to the eye: the earth
// has its north pole and the middle of its maps there.
enum class UpAxis { y, z };

// Draws the mesh in gray, seen from slightly right and above, with a disc in the color of its class
// on each point. Throws Error(limit) for more pixels than context.limits allows.
Image draw_surface(const Mesh& mesh, const SurfacePoints& points, int width, int height,
                   Context& context, UpAxis up = UpAxis::y);

// As above, but draws points in the solid of the mesh, as balls in the pale shape of the mesh.
Image draw_inside(const Mesh& mesh, const SurfacePoints& points, int width, int height,
                  Context& context);

// Proves points on a mesh, from any source. Along the surface it needs `triangle` of the points.
// Places within `tolerance` radii beyond the radius, at least 1e-5, count as covered.
Certificate certify(const SurfacePoints& points, const Mesh& mesh, const SurfaceRadius& radius,
                    const SurfaceOptions& options, Context& context, double tolerance = 2e-5);
// As above, but for points of one radius.
Certificate certify(const SurfacePoints& points, const Mesh& mesh, const SurfaceOptions& options,
                    Context& context, double tolerance = 2e-5);

// Throws Error(verification) with the place at fault if the set is not exact or not maximal. Gaps
// of a set of a given count are only a warning.
void verify(const SurfacePoints& points, const Mesh& mesh, const SurfaceRadius& radius,
            const SurfaceOptions& options, Context& context, bool counted = false);

struct ClassOptions;  // dapple/sample.hpp

struct SurfaceWithFixedPoints {
  SurfacePoints points;  // fixed points first, unmoved, with data of their nearest faces
  std::size_t kept = 0;  // number of fixed points
  SurfaceRadius radius;  // the radii with which certify() proves the points
  // Number of classes in `radius` that new points have. The classes after them are of fixed points
  // without a class, one class per radius.
  std::size_t classes = 0;
};

// Fills the room that fixed points leave, as sample_surface() fills the mesh. No new point is too
// near a fixed point or another new one, and no place is left for one more. `kept` has x, y and z
// in the unit of the mesh. A fixed point keeps others off by its own radius if that is above 0,
// otherwise by the radius of its place. If the radii of two points differ, radius.rule combines
// them. A fixed point belongs to the sheet of its nearest face. `count` > 0: exactly `count` points
// in all, with radii scaled to fit. radius.classes: points of several classes; fixed points with a
// column class act as points of their class. Throws as sample_surface() does. Throws Error(usage)
// for fixed points of more than 256 radii beside classes. Throws Error(input) for points without z
// and for points farther from the mesh than their radius. Throws Error(input) for unknown classes,
// and for a count without room for new points.
SurfaceWithFixedPoints sample_surface_around(const Mesh& mesh, const PointSet& kept,
                                             std::int64_t count, const SurfaceRadius& radius,
                                             const SurfaceOptions& options, Context& context);
// As above, but seeks the shares of the classes among new points as sample_classes() does. `rule`
// is for fixed points that have a radius and no class.
SurfaceWithFixedPoints sample_classes_around(const Mesh& mesh, const PointSet& kept,
                                             const ClassOptions& classes, std::int64_t count,
                                             ConflictRule rule, const SurfaceOptions& options,
                                             Context& context);
// Proves the set as certify() does, without pairs of fixed points.
Certificate certify(const SurfaceWithFixedPoints& set, const Mesh& mesh,
                    const SurfaceOptions& options, Context& context, double tolerance = 2e-5);

}  // namespace dapple
