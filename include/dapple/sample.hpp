// Samplers: from a DensityField to points.
//
// The rule f(ra, rb) decides when two points conflict: distance < f. Under the symmetric rules
// every place of the domain where something may be placed ends within f of a point ("maximal").
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/field.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"
#include "dapple/surface.hpp"

namespace dapple {

// Points of the field. domain.wrap of the field decides about the torus. `count` > 0: exactly that
// many, those of options.keep included where they are part of the result, in which they come
// first; radius is then that of the field scaled so that the rule holds, and the set need not be
// maximal. progressive: in the order of rank, so the first K lines of a file are the first K.
// Deterministic in (context.seed, field, options). Throws Error(limit) where a rule cannot hold
// `count` points or memory would exceed limits; Error(verification) where options.certify fails.
// darts: exact, maximal, O(integral of 1/r^2). Wei 2008; Ebeida et al. 2012. dart_throwing: the
// same, distributed as if each point were uniform over all places that those before it leave, and
// in that order; Blelloch, Fineman, Shun 2012.
PointSet sample(const DensityField& field, const SampleOptions& options, std::int64_t count,
                Context& context);

// Points of one radius on a plane without end: exact, maximal, and made strip after strip, so that
// a set of any size passes through little memory. A window holds what any larger one holds there,
// to the last bit, whatever context.threads is. One thread at a time may use an object.
class EndlessPoints {
 public:
  // The part of the plane in the half-open `window`, in the units of `radius`; seed and threads of
  // the context, which must outlive this. Throws Error(usage) for an empty window or one farther
  // than a million radii from the origin.
  EndlessPoints(double radius, const Box& window, Context& context);
  ~EndlessPoints();
  EndlessPoints(EndlessPoints&&) noexcept;
  EndlessPoints& operator=(EndlessPoints&&) noexcept;

  // Replaces `strip` by the next points, none where a strip is empty; false after the last strip.
  bool next(std::vector<Vec2>& strip);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};
// The whole window at once: positions count from its corner, which is `origin` of the set.
PointSet sample_window(double radius, const Box& window, Context& context);

// Points of a volume, a torus in all three directions where the domain wraps. Of `radius`: exact
// and maximal, spread as darts that are thrown one after the other for ever. Or `count` of them,
// where that is above 0: the first of a maximal set of hardly more, whose radius they have.
// progressive: in the order of rank, of which each beginning of K points is spaced as a maximal set
// of at most 2 K. Kept points are not among them. Deterministic in (context.seed, arguments); O(N),
// about 30,000 instructions a point. Throws Error(usage) for sizes that are none, Error(input) for
// kept points outside, Error(limit) where memory would not do.
PointSet sample_volume(const Domain& domain, double depth, std::int64_t count, double radius,
                       Context& context, bool progressive = false, const KeptPoints& kept = {});

// What a set of one radius in a volume proves: distances in double, cover by bounds over boxes.
struct VolumeCertificate {
  std::int64_t violations = 0;  // pairs nearer than the radius
  double closest = 0;           // least distance of a pair, in radii; infinite where there is none
  std::int64_t holes = 0;       // boxes of some radii with a place farther than 1 + tolerance radii
                                // from all points
  double hole_place[4] = {};    // such a place; the last is for four dimensions
  bool maximal() const { return holes == 0; }
};
// `tolerance`: at least 1e-5, which is what the floats of the proof need. Pairs of kept points do
// not count.
VolumeCertificate certify_volume(const PointSet& points, double radius, Context& context,
                                 double tolerance = 1e-5, const KeptPoints& kept = {});
// Throws Error(verification) with the place at fault; `counted`: a set of a given count leaves
// gaps, of which a warning tells.
void verify_volume(const PointSet& points, double radius, Context& context, bool counted = false,
                   const KeptPoints& kept = {});

// Points in the solid that a closed mesh encloses: where a straight line from there to the outside
// crosses faces an odd number of times, so that a shell within a shell is a hollow. Faces may be
// wound either way, repeated ones count once. Exact, maximal and spread as in a volume; `count` and
// `progressive` mean the same, lengths are in the unit of the mesh, and points have no normal and
// no face. Deterministic in (context.seed, mesh as a set of triangles, arguments): neither the
// order of faces and vertices nor threads change a byte. Parts of the solid that are thinner than
// a hundred thousandth of the radius count as covered. Throws Error(input) where a mesh is not
// closed, with the number of its open edges, or encloses nothing; Error(limit) where memory would
// not do.
// Kept points, which are not among them, may be anywhere.
SurfacePoints sample_inside(const Mesh& mesh, std::int64_t count, double radius, Context& context,
                            bool progressive = false, const KeptPoints& kept = {});
// What such a set proves of the solid.
struct InsideCertificate : VolumeCertificate {
  std::int64_t outside = 0;  // points that are not in the solid
  double volume = 0;         // of the solid, by columns through it: within some thousandths
};
InsideCertificate certify_inside(const SurfacePoints& points, const Mesh& mesh, Context& context,
                                 double tolerance = 1e-5, const KeptPoints& kept = {});
void verify_inside(const SurfacePoints& points, const Mesh& mesh, Context& context,
                   bool counted = false, const KeptPoints& kept = {});

// Points of a surface, and the radii with which certify() proves them.
struct SurfaceSet {
  SurfacePoints points = {};
  SurfaceRadius radius = {};
};

// Points on a sphere round the origin, as dense at the poles as anywhere. Exact, maximal and spread
// as in a volume, by distances in space; `count` and `progressive` mean the same. Normals are the
// directions from the middle; there are no faces. Deterministic in (context.seed, arguments).
// Kept points, which are not among them, hold others off from where they are in space: Error(input)
// for one that is farther from the sphere than it does.
SurfacePoints sample_sphere(double sphere, std::int64_t count, double radius, Context& context,
                            bool progressive = false, const KeptPoints& kept = {});
// The same where radius.texture varies: a lat-long map, whose columns go once round the z axis, its
// middle at the x axis and east to the right, and whose rows go from the north pole to the south
// pole. r is in the unit of the sphere, everywhere above 0, and bilinear between the middles of
// pixels; each pole has the mean of the row beside it. radius.slope holds along chords of its grid;
// a count scales radii as on a mesh. The rule is mean, min or max, and darts fall at a rate of
// 1 / r^2. Throws Error(usage) for a map that is not twice as wide as high, within a per cent;
// Error(limit) where r jumps so much from place to place that it would take too long. Kept points
// have the r of their place where they have none of their own, and go by the same rule.
SurfaceSet sample_sphere(double sphere, std::int64_t count, const SurfaceRadius& radius,
                         Context& context, bool progressive = false, const KeptPoints& kept = {});
// Distances in double, cover by bounds over parts of the sphere; hole_class is 0. Pairs of kept
// points do not count.
SurfaceCertificate certify_sphere(const SurfacePoints& points, double sphere, Context& context,
                                  double tolerance = 1e-5, const KeptPoints& kept = {});
SurfaceCertificate certify_sphere(const SurfacePoints& points, double sphere,
                                  const SurfaceRadius& radius, Context& context,
                                  double tolerance = 1e-5, const KeptPoints& kept = {});
void verify_sphere(const SurfacePoints& points, double sphere, Context& context,
                   bool counted = false, const KeptPoints& kept = {});
void verify_sphere(const SurfacePoints& points, double sphere, const SurfaceRadius& radius,
                   Context& context, bool counted = false, const KeptPoints& kept = {});

// How far points of two classes are apart. density: as all points of classes that are not finer
// than both would be if they were one, so that those of all classes together are even (Wei 2010).
// mean: discs of diameter r never overlap, whatever their classes are. min, max: of the two radii.
enum class ClassDistance { density, mean, min, max };
constexpr auto option_names(ClassDistance) {
  return words_to<ClassDistance::max>("density", "mean", "min", "max");
}
struct ClassOptions {
  std::vector<double> radii = {};  // of each class, above 0
  std::vector<double> shares =
      {};  // of all points; empty: in proportion to 1 / r^2, in volumes 1 / r^3
  ClassDistance distance = ClassDistance::density;
  bool certify = false;
  // In the order of rank: the first K of N points hold K n / N of each class of n, to less than one
  // point, and are well spaced in each class and together.
  bool progressive = false;
};
// Points of several classes, with their radius and class: exact by the distance of each two
// classes, and maximal in the sense that there is no place left for a point of any class. In a
// plane, or in a volume where `depth` is above 0. `count` > 0: so many, of radii that are scaled
// for it. Kept points are not among them and have no say in shares; where they have a column class,
// each holds others off as points of that class do. Classes have their shares within 2 % where
// their distances leave room for that; a warning tells where they do not. Deterministic in
// (context.seed, arguments). Throws Error(usage) for radii and shares that are none, Error(limit)
// where memory would not do, Error(verification) where `certify` fails.
PointSet sample_classes(const Domain& domain, double depth, const ClassOptions& options,
                        std::int64_t count, Context& context, const KeptPoints& kept = {});

// Columns for scattering objects on points.
enum class SizeFrom { radius, random };
constexpr auto option_names(SizeFrom) {
  return words_to<SizeFrom::random>("radius", "random");
}
struct ScatterOptions {
  LengthRange size = {};                  // column `size`; empty: none
  SizeFrom size_from = SizeFrom::random;  // radius: the largest r gets the largest size
  std::string rotation = {};              // degrees, MIN:MAX; column `rotation`; "": none
  std::string classes = {};               // how many, or their weights; column `class`; "": none
};
void describe(ScatterOptions& options, OptionList& list);
// Adds the columns. Points of one class are spread evenly, as those of all classes together are:
// classes get their exact shares and are swapped between neighbors until each class is as even as
// that allows. The first `kept` points keep the sizes and rotations they have.
// Throws Error(usage) for classes of points that have some.
void scatter(PointSet& points, const ScatterOptions& options, const Scale& scale, std::size_t kept,
             Context& context);

// Which way objects on a mesh stand: up along the normal, or along y whatever the slope is.
enum class Align { none, normal, up };
constexpr auto option_names(Align) {
  return words_to<Align::up>("none", "normal", "up");
}
// Adds the columns to points on a mesh: sizes from `smallest` to `largest`, in its unit, where
// options.size is given, and no classes. Throws Error(usage) for sizes that are none.
void scatter(SurfacePoints& points, const ScatterOptions& options, Align align, double smallest,
             double largest, Context& context);

// Tiles with colored corners: wherever corners of one color meet, in any arrangement, points of
// all tiles together are at least `radius` apart and leave no room for another. `colors`: 2 makes
// 16 tiles, 3 makes 81. All tiles in one set, side by side as a sheet of colors^2 x colors^2
// tiles that is such an arrangement and wraps: the tile in column i, row j holds the points from
// (i, j) side to (i + 1, j + 1) side. Class is the tile, its corners' colors as a number: top
// left, top right, bottom left, bottom right. Metadata `tiles`: the table as JSON. Throws
// Error(limit) for a side below about 3.6 radii. Lagae, Dutre 2006.
PointSet wang_tiles(double side, double radius, int colors, Context& context);

// A part of a plane without end; as text its two corners, such as -100,0,100,50.
struct Window : Box {
  bool empty() const { return !(x0 < x1 && y0 < y1); }
};
std::string to_text(const Window& window);
void from_text(std::string_view text, Window& window);

// All that the command `sample` takes: a point set from a map, or an even one.
struct PointsOptions {
  SampleOptions sample = {};
  FieldOptions field = {};
  ScatterOptions scatter = {};
  Size size{512, 512};  // of the domain where there is no map, or of one tile; deep: a volume
  int dimensions = 0;   // 2, 3 or 4; 0: as `size` says
  Window window = {};   // instead of a domain: sample_window()
  int wang = 0;         // colors of wang_tiles(); 0: no tiles
  MeshInput on = {};    // points on its surface instead
  MeshInput in = {};    // points in the solid that it encloses instead
  std::optional<double> sphere = {};  // radius of a sphere to be filled instead
  std::string radius_from = {};       // of its vertices: a column, color, or curvature
  Align align = Align::none;
  SurfaceOptions surface = {};
  std::string class_radius = {};  // of each class, such as 9,4,2; empty: one for all
  // Each with a map of its own, which asks for radii between two; empty: none.
  std::vector<NamedMap> class_maps = {};
  ClassDistance class_distance = ClassDistance::density;
  Length inset = {};  // from the border and from where nothing may be placed
  Inside inside = Inside::points;
};
void describe(PointsOptions& options, OptionList& list);
// `map` may be nullptr. About 10,000 points where neither a radius nor a count is given; physical
// lengths are at 96 pixels per inch. Throws as the functions above do, and Error(usage) for options
// that do not go together.
PointSet make_points(const Image* map, const PointsOptions& options, Context& context);
// The same on options.on.mesh: lengths are in its unit, or in % of the diagonal of its bounds, or
// physical ones where it says how long its unit is.
// `map`, or options.radius_from, chooses from a range of radii; with a count, that is for its ratio
// alone. What a map asks for at demand 0 is the largest radius.
SurfaceSet make_surface_points(const Image* map, const PointsOptions& options, Context& context);
// Points in the mesh `in`.
SurfacePoints make_inside_points(const PointsOptions& options, Context& context);
// Points on a sphere of radius `sphere`, with which `map` does the same, as a lat-long map; and a
// sphere of triangles for their picture.
SurfaceSet make_sphere_points(const Image* map, const PointsOptions& options, Context& context);
Mesh picture_sphere(double radius);

// Points of classes with distances of their own on a mesh, as sample_classes() makes them in the
// plane, with their class; lengths are in its unit.
SurfaceSet sample_classes(const Mesh& mesh, const ClassOptions& options, std::int64_t count,
                          const SurfaceOptions& surface, Context& context);

// What a set proves against a field. Distances in double, exact comparison; holes by branch and
// bound.
struct Certificate {
  std::int64_t violations =
      0;  // pairs nearer than the rule allows (candidate: nearer than min(ra, rb))
  Vec2 worst_pair_place = {};  // one point of the worst pair
  double closest = 0;          // smallest distance / f over all pairs
  double hole = 0;  // largest distance to the nearest point / f there (upper bound, 1e-3 sharp)
  Vec2 hole_place = {};
  bool maximal = false;
};
// The first `kept` points were there already: each holds others off by the radius of its own, and
// pairs of them do not count.
Certificate certify(const PointSet& points, const DensityField& field, ConflictRule rule,
                    Context& context, std::size_t kept = 0);
// Throws Error(verification) with the place at fault where the set is not exact or not maximal.
struct ProofTerms {
  std::size_t kept = 0;  // as certify() takes it
  bool counted = false;  // a set of a given count leaves gaps: a warning tells of them
};
void verify(const PointSet& points, const DensityField& field, ConflictRule rule, Context& context,
            const ProofTerms& terms = {});

}  // namespace dapple
