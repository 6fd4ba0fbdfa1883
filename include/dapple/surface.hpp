// Points on the surface of a mesh: maximal Poisson-disk sets, exact whatever the triangles are.
//
// Two points are too near where their distance in space is below the radius and they lie on the
// same sheet: where the normals of their faces differ by less than the angle `gate`. So the walls
// of a thin box do not see each other, and the two sides of an edge do. Or their distance is the
// length of the shortest way along the surface.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dapple/field.hpp"
#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"
#include "dapple/plane.hpp"

namespace dapple {

enum class ConflictRule;  // dapple/sample.hpp

// Structure of arrays; every column has size() values. Order is part of the value.
struct SurfacePoints {
  std::vector<double> x = {};  // in the unit of the mesh
  std::vector<double> y = {};
  std::vector<double> z = {};
  // Where they are on a face; empty: in the solid that the mesh encloses. Those on a sphere have a
  // normal only.
  std::vector<float> nx = {};  // unit normal of the face
  std::vector<float> ny = {};
  std::vector<float> nz = {};
  std::vector<std::int32_t> face = {};  // Mesh::face of the triangle, or its number
  std::vector<std::int32_t> triangle = {};
  std::vector<float> u = {};  // weights of the triangle's second and third corner
  std::vector<float> v = {};
  double radius = 0;          // in the unit of the mesh; where it varies, the least of the surface
  std::vector<float> r = {};  // the radius at each point
  std::vector<std::int32_t> klass = {};  // from 0; empty: one class
  std::vector<std::int32_t> rank =
      {};  // 0, 1, 2...: each beginning is well spaced; empty: no order
  // For objects on the points; empty where nothing asked for them.
  std::vector<float> object_size = {};  // in the unit of the mesh
  std::vector<float> rotation = {};     // degrees, round what is up for the object
  // Quaternions x, y, z, w that turn an object whose up is y; its rotation is in them.
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
  // surface: exact shortest paths on the triangles, which go from one to another where edges lie at
  // the same places: points that no such path joins do not see each other. For one radius; the gate
  // has no use then.
  SurfaceMetric metric = SurfaceMetric::euclidean;
  double gate = 120;  // degrees
};
void describe(SurfaceOptions& options, OptionList& list);

// How far apart points are: everywhere alike, or r(x) that is linear on triangles or on parts of
// them. Two points are too near where their distance is below what the rule makes of the r of both.
struct SurfaceRadius {
  SurfaceRadius() = default;
  SurfaceRadius(double everywhere) : even(everywhere) {}

  double even = 0;  // r everywhere, where neither of these two is given
  // r at the corners of each triangle of the mesh, linear between them.
  std::vector<std::array<float, 3>> corners = {};
  // r by places of a texture, Mesh::uv; a field that allows points everywhere, best a torus, since
  // textures repeat. At most `largest`. It is taken at the corners of parts of triangles, which are
  // halved until r differs on them by less than 2 % or they are smaller than r / 2, and is linear
  // on those.
  std::optional<DensityField> texture = {};
  double largest = 0;  // in the unit of the texture's radii
  // r(x) <= r(y) + slope |x - y| along edges of those triangles or parts; none: as it is given.
  std::optional<double> slope = 1.0;
  double scale = 1;     // of corners, texture and classes
  ConflictRule rule{};  // mean, min or max
  // Or of several classes: points of classes i and j are at least [i][j] apart. Symmetric, above 0,
  // and nowhere above the larger of [i][i] and [j][j], which are the radii of the classes. Maximal
  // then means that no place is left for a point of any class.
  std::vector<std::vector<double>> classes = {};
  // Darts of each class, a square of its radius, that are thrown before those of the next begin;
  // those of all classes go on together. Empty: none.
  std::vector<double> head_start = {};
};

// Points no two of which are too near, and no place of the surface is left for another, up to 1e-5
// of the radius; distributed as if darts were thrown at the surface one after the other for ever.
// Deterministic in (context.seed, mesh as a set of triangles, options): neither the order of faces
// and vertices nor threads change a byte of the places. Memory O(points + triangles), some 500
// bytes a point, 2 microseconds of a core. Throws Error(input) as validate(Mesh) does,
// Error(limit) for a mesh that is more than a million radii wide, or for a set that memory cannot
// hold. Faces without area are left out, and said.
// Along the surface (options.metric) a point costs some 0.2 microseconds and 50 bytes more for each
// edge that paths of a radius cross from it; Error(usage) for radii that differ, Error(limit) for
// more than 50000.
//
// A Poisson process of darts in windows of time: Ebeida, Patney, Mitchell, Davidson, Knupp, Owens
// 2011 (live parts that are split), Corsini, Cignoni, Scopigno 2012 (meshes); here places are
// proved to be covered many at a time, and darts are settled by their times alone.
SurfacePoints sample_surface(const Mesh& mesh, const SurfaceRadius& radius,
                             const SurfaceOptions& options, Context& context);
// Exactly `count` points, by the radius that nearly makes as many; the last ones are left out, so
// that the set need not be maximal where they would be.
SurfacePoints sample_surface_count(const Mesh& mesh, std::int64_t count,
                                   const SurfaceOptions& options, Context& context);
// The same where the radius varies: scaled as a whole. Returns the scale too, with which the set
// can be proved.
std::pair<SurfacePoints, double> sample_surface_count(const Mesh& mesh, std::int64_t count,
                                                      const SurfaceRadius& radius,
                                                      const SurfaceOptions& options,
                                                      Context& context);

// Puts points into an order of which each beginning is well spaced for its number, and gives them
// their rank: each beginning of K keeps .55 or more of what a hexagonal lattice of K
// would have apart. The same points, whose radius is that with which they were sampled. O(N log N),
// some 2 microseconds a point. Yuksel 2015: the most crowded goes last, where only points of one
// sheet crowd each other. The first `kept` points stay where they stand: the others follow, spaced
// for the number of all. Of classes the first K of N points hold K n / N of each class of n, to
// less than one point, and `area`, that of the surface, says how far those of each can be spread;
// 0: no farther than they are apart.
void order_progressively(SurfacePoints& points, const SurfaceRadius& radius,
                         const SurfaceOptions& options, Context& context, std::size_t kept = 0,
                         double area = 0);

// Which axis of what is drawn points up in its picture, and which one to the eye: z and x, as the
// earth has its north pole and the middle of its maps.
enum class UpAxis { y, z };

// A gray picture of the mesh, seen from a little to the right and above, with a disc on each point,
// in its class's color. Throws Error(limit) for more pixels than context.limits allows.
Image draw_surface(const Mesh& mesh, const SurfacePoints& points, int width, int height,
                   Context& context, UpAxis up = UpAxis::y);

// The same of points in the solid that it encloses, as balls in the pale shape of the mesh.
Image draw_inside(const Mesh& mesh, const SurfacePoints& points, int width, int height,
                  Context& context);

// What points prove on a mesh, whoever made them: distances of pairs in double, cover by bounds
// over parts of triangles. Along the surface points need their `triangle`.
struct SurfaceCertificate {
  std::int64_t violations = 0;  // pairs that are too near
  double closest = 0;           // smallest distance of a pair of one sheet / what the rule asks of
                                // it; inf: no pairs
  Vec3 worst_pair_place = {};   // one point of that pair
  std::int64_t holes = 0;       // parts of triangles where a point would find room
  Vec3 hole_place = {};
  std::int32_t hole_class = 0;
  bool maximal() const { return holes == 0; }
};
// Places count as covered within `tolerance` radii beyond the radius, at least 1e-5.
SurfaceCertificate certify(const SurfacePoints& points, const Mesh& mesh,
                           const SurfaceRadius& radius, const SurfaceOptions& options,
                           Context& context, double tolerance = 2e-5);
// Of points of one radius.
SurfaceCertificate certify(const SurfacePoints& points, const Mesh& mesh,
                           const SurfaceOptions& options, Context& context,
                           double tolerance = 2e-5);

// Throws Error(verification) with the place at fault where the set is not exact or not maximal;
// gaps of a set of a given count are a warning.
void verify(const SurfacePoints& points, const Mesh& mesh, const SurfaceRadius& radius,
            const SurfaceOptions& options, Context& context, bool counted = false);

}  // namespace dapple
