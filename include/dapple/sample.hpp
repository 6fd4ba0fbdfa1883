// Declares the samplers, which make points from a DensityField.
//
// Two points conflict if their distance is below f(ra, rb), the rule. Under the symmetric rules
// every place of the domain that allows points is in the end within f of a point ("maximal").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/certificate.hpp"
#include "dapple/field.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"
#include "dapple/surface.hpp"
#include "dapple/volume_field.hpp"

namespace dapple {

// Returns points of the field, on the torus if its domain wraps. `count` > 0: exactly `count`
// points, including fixed points (options.keep) if the result holds them, which come first. Their
// radius is the field's, scaled so that the rule holds; the set need not be maximal. progressive:
// in order of rank, so that the first K lines of a file are the first K points. Deterministic in
// (context.seed, field, options). Throws Error(limit) if a rule cannot hold `count` points or
// memory would exceed limits; Error(verification) if options.certify fails. darts: exact, maximal,
// O(integral of 1/r^2). Wei 2008; Ebeida et al. 2012. dart_throwing: also exact and maximal. Each
// point is uniform over all places that the points before it leave; points are in that order.
// Blelloch, Fineman, Shun 2012.
PointSet sample(const DensityField& field, const SampleOptions& options, std::int64_t count,
                Context& context);

// Makes points of one radius on an endless plane: exact, maximal, and strip after strip, so that a
// set of any size needs little memory. A window holds the same points as any larger window around
// it, to the last bit, for any context.threads. One thread at a time may use an object.
class EndlessPoints {
 public:
  // Covers the half-open `window` of the plane, in the units of `radius`. Takes seed and threads of
  // the context, which must outlive the object. Throws Error(usage) for an empty window, or for one
  // farther than a million radii from the origin.
  EndlessPoints(double radius, const Box& window, Context& context);
  ~EndlessPoints();
  EndlessPoints(EndlessPoints&&) noexcept;
  EndlessPoints& operator=(EndlessPoints&&) noexcept;

  // Replaces `strip` by the next points; a strip may be empty. Returns false after the last strip.
  bool next(std::vector<Vec2>& strip);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};
// Returns the whole window at once. Positions count from its corner, which is `origin` of the set.
PointSet sample_window(double radius, const Box& window, Context& context);
// Returns points of a domain that are cut out of an endless plane of one radius. So points are as
// dense at the border as elsewhere, but places near the border may have room for another point.
// `count` > 0: exactly `count` points, whose radius is found, and `radius` is ignored.
PointSet sample_cut(const Domain& domain, double radius, std::int64_t count, Context& context);

// Returns points of a volume, which is a torus in all three directions if the domain wraps. They
// are exact, maximal, and distributed as darts thrown one after the other forever. `count` > 0: the
// first `count` points of a maximal set that has hardly more, with the radius of that set.
// progressive: in order of rank; the first K points are spaced as a maximal set of at most 2 K.
// Fixed points (`kept`) are not returned. Deterministic in (context.seed, arguments); O(N), about
// 30,000 instructions per point. Throws Error(usage) for invalid sizes, Error(input) for fixed
// points outside, Error(limit) if memory is too small.
PointSet sample_volume(const Domain& domain, double depth, std::int64_t count, double radius,
                       Context& context, bool progressive = false, const FixedPoints& kept = {});

// Proves a set. `tolerance` is at least 1e-5, which the floats of the proof need. Pairs of fixed
// points do not count.
Certificate certify_volume(const PointSet& points, double radius, Context& context,
                           double tolerance = 1e-5, const FixedPoints& kept = {});
// Throws Error(verification) with the place at fault. `counted`: a set of a given count leaves
// gaps, which a warning reports.
void verify_volume(const PointSet& points, double radius, Context& context, bool counted = false,
                   const FixedPoints& kept = {});

// Returns points in the solid that a closed mesh encloses. A place is inside if a straight line
// from it to the outside crosses an odd number of faces. A shell within a shell thus is a hollow.
// Faces may be wound either way; repeated faces count once. The set is exact, maximal and
// distributed as in a volume; `count` and `progressive` mean the same. Lengths are in the unit of
// the mesh, and points have no normal and no face. Deterministic in (context.seed, mesh as a set of
// triangles, arguments): neither the order of faces and vertices nor threads change a byte. Parts
// of the solid thinner than 1e-5 radii count as covered. Throws Error(input) if the mesh is not
// closed, with the number of its open edges, or encloses nothing; Error(limit) if memory is too
// small. Fixed points are not returned and may be anywhere.
SurfacePoints sample_inside(const Mesh& mesh, std::int64_t count, double radius, Context& context,
                            bool progressive = false, const FixedPoints& kept = {});
// Proves a set in a solid.
Certificate certify_inside(const SurfacePoints& points, const Mesh& mesh, Context& context,
                           double tolerance = 1e-5, const FixedPoints& kept = {});
void verify_inside(const SurfacePoints& points, const Mesh& mesh, Context& context,
                   bool counted = false, const FixedPoints& kept = {});

// Points of a surface, and the radii with which certify() proves them.
struct SurfaceSet {
  SurfacePoints points = {};
  SurfaceRadius radius = {};
};

// Returns points on a sphere around the origin, as dense at the poles as anywhere. Exact, maximal
// and distributed as in a volume, by distances in space; `count` and `progressive` mean the same.
// Normals point away from the center; there are no faces. Deterministic in (context.seed,
// arguments). Fixed points are not returned; each excludes points near its place in space. Throws
// Error(input) for a fixed point farther from the sphere than its exclusion reaches.
SurfacePoints sample_sphere(double sphere, std::int64_t count, double radius, Context& context,
                            bool progressive = false, const FixedPoints& kept = {});
// As above, but r may vary by radius.texture, a lat-long map. Its columns go once around the z
// axis, with the middle at the x axis and east to the right. Its rows go from the north to the
// south pole. r is in the unit of the sphere, above 0, and bilinear between the centers of pixels;
// a pole has the mean of the row beside it. radius.slope holds along chords of the grid; a count
// scales radii as on a mesh. The rule is mean, min or max, and darts fall at a rate of 1 / r^2.
// Throws Error(usage) for a map that is not twice as wide as high, within 1 %; Error(limit) if r
// varies so much between places that sampling would take too long. Fixed points without r have the
// r of their place; the same rule applies to them.
SurfaceSet sample_sphere(double sphere, std::int64_t count, const SurfaceRadius& radius,
                         Context& context, bool progressive = false, const FixedPoints& kept = {});
// Proves a set: distances in double, coverage by bounds over parts of the sphere; hole_class is 0.
// Pairs of fixed points do not count.
Certificate certify_sphere(const SurfacePoints& points, double sphere, Context& context,
                           double tolerance = 1e-5, const FixedPoints& kept = {});
Certificate certify_sphere(const SurfacePoints& points, double sphere, const SurfaceRadius& radius,
                           Context& context, double tolerance = 1e-5, const FixedPoints& kept = {});
void verify_sphere(const SurfacePoints& points, double sphere, Context& context,
                   bool counted = false, const FixedPoints& kept = {});
void verify_sphere(const SurfacePoints& points, double sphere, const SurfaceRadius& radius,
                   Context& context, bool counted = false, const FixedPoints& kept = {});

// The distance between points of two classes. density: as if all classes that are not finer than
// the finer of the two were one, so that all points together are even (Wei 2010). mean: discs of
// diameter r never overlap, whatever their classes. min, max: of the two radii.
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
  // In order of rank: the first K of N points hold K n / N of a class of n points, within one
  // point. They are well spaced in each class and together.
  bool progressive = false;
};
// Returns points of several classes, with their radius and class, in a plane, or in a volume if
// `depth` is above 0. The distance of each two classes holds exactly. The set is maximal: no place
// is left for a point of any class. `count` > 0: exactly `count` points, with scaled radii. Fixed
// points are not returned and have no part in shares; with a column class, each excludes points as
// that class does. Classes have their shares within 2 % if their distances leave room for it;
// otherwise a warning reports it. Deterministic in (context.seed, arguments). Throws Error(usage)
// for invalid radii or shares, Error(limit) if memory is too small, Error(verification) if
// `certify` fails.
PointSet sample_classes(const Domain& domain, double depth, const ClassOptions& options,
                        std::int64_t count, Context& context, const FixedPoints& kept = {});

// The source of the sizes of objects that are scattered on points.
enum class SizeFrom { radius, random };
constexpr auto option_names(SizeFrom) {
  return words_to<SizeFrom::random>("radius", "random");
}
struct ScatterOptions {
  LengthRange size = {};                  // column `size`; empty: none
  SizeFrom size_from = SizeFrom::random;  // radius: the largest r gets the largest size
  std::string rotation = {};              // degrees, MIN:MAX; column `rotation`; "": none
  std::string classes = {};               // number, or weights; column `class`; "": none
};
void describe(ScatterOptions& options, OptionList& list);
// Adds the columns. Classes get their exact shares. Neighbors then swap classes until the points of
// each class are spread as evenly as this allows. The first `kept` points keep their sizes and
// rotations. Throws Error(usage) if options.classes is given and the points have classes.
void scatter(PointSet& points, const ScatterOptions& options, const Scale& scale, std::size_t kept,
             Context& context);

// The orientation of objects on a mesh: up along the normal, or along y whatever the slope is.
enum class Align { none, normal, up };
constexpr auto option_names(Align) {
  return words_to<Align::up>("none", "normal", "up");
}
// Adds the columns to points on a mesh, without classes. Sizes are from `smallest` to `largest`, in
// the unit of the mesh, if options.size is given. Throws Error(usage) for invalid sizes.
void scatter(SurfacePoints& points, const ScatterOptions& options, Align align, double smallest,
             double largest, Context& context);

// Returns tiles with colored corners. In any arrangement where corners of one color meet, points of
// all tiles together are at least `radius` apart and leave no room for another. `colors`: 2 makes
// 16 tiles, 3 makes 81. One set holds all tiles, side by side as a sheet of colors^2 x colors^2
// tiles. The sheet is an arrangement of this kind and wraps. The tile in column i, row j holds the
// points from (i, j) side to (i + 1, j + 1) side. The class is the tile: its corners' colors as a
// number, top left, top right, bottom left, bottom right. Metadata `tiles`: the table as JSON.
// Throws Error(limit) for a side below about 3.6 radii. Lagae, Dutre 2006.
PointSet wang_tiles(double side, double radius, int colors, Context& context);

// A part of an endless plane; as text its two corners, such as -100,0,100,50.
struct Window : Box {
  bool empty() const { return !(x0 < x1 && y0 < y1); }
};
std::string to_text(const Window& window);
void from_text(std::string_view text, Window& window);

// The options of the command `sample`: a point set from a map, or an even one.
struct PointsOptions {
  SampleOptions sample = {};
  FieldOptions field = {};
  ScatterOptions scatter = {};
  Size size{512, 512};  // of the domain without a map, or of one tile; deep: a volume
  int dimensions = 0;   // 2, 3 or 4; 0: from `size`
  FrameEdge frame = FrameEdge::fitted;  // cut: darts of one radius in the plane, by sample_cut()
  Window window = {};                   // instead of a domain: sample_window()
  int wang = 0;                         // colors of wang_tiles(); 0: no tiles
  MeshInput on = {};                    // places points on this surface instead
  MeshInput in = {};                    // places points in the solid inside this surface instead
  std::optional<double> sphere = {};    // radius of a sphere to place points on instead
  std::string radius_from = {};         // r by the mesh's vertices: a column, color, or curvature
  Align align = Align::none;
  SurfaceOptions surface = {};
  std::string class_radius = {};  // of each class, such as 9,4,2; empty: one radius
  // One class per map, with its range of radii; empty: none.
  std::vector<NamedMap> class_maps = {};
  ClassDistance class_distance = ClassDistance::density;
  Length inset = {};  // from the border and from places that allow no points
  Containment inside = Containment::points;
};
void describe(PointsOptions& options, OptionList& list);
// Makes points from `map`, which may be nullptr: about 10,000 if neither a radius nor a count is
// given. Physical lengths are at 96 pixels per inch. Throws as the functions above, and
// Error(usage) for options that do not go together.
PointSet make_points(const Image* map, const PointsOptions& options, Context& context);
// As above, but on options.on.mesh. Lengths are in its unit, in % of the diagonal of its bounds, or
// physical if the mesh gives the length of its unit. `map`, or options.radius_from, chooses from a
// range of radii; with a count only the ratio of the range matters. Target density 0 of a map gives
// the largest radius.
SurfaceSet make_surface_points(const Image* map, const PointsOptions& options, Context& context);
// Makes points in the solid of the mesh options.in.
SurfacePoints make_inside_points(const PointsOptions& options, Context& context);
// Makes points on a sphere of radius options.sphere; `map` chooses radii as above, as a lat-long
// map. picture_sphere() returns a sphere of triangles for the picture.
SurfaceSet make_sphere_points(const Image* map, const PointsOptions& options, Context& context);
Mesh picture_sphere(double radius);

// Returns points like sample_classes() above, but on a mesh; lengths are in the unit of the mesh.
SurfaceSet sample_classes(const Mesh& mesh, const ClassOptions& options, std::int64_t count,
                          const SurfaceOptions& surface, Context& context);

// Proves a set. The first `kept` points are fixed points: each excludes others by its own radius,
// and their pairs do not count.
Certificate certify(const PointSet& points, const DensityField& field, ConflictRule rule,
                    Context& context, std::size_t kept = 0);
// The terms of verify(). It throws Error(verification), with the place at fault, if the set is not
// exact or not maximal.
struct ProofOptions {
  std::size_t kept = 0;  // number of fixed points, as in certify()
  bool counted = false;  // the set has a given count: gaps are only a warning
};
void verify(const PointSet& points, const DensityField& field, ConflictRule rule, Context& context,
            const ProofOptions& terms = {});

// Places points of several classes in the plane, with radii from one map per class (Wei 2010).
//
//     const DensityField species[]{make_field(oaks, ...), make_field(birches, ...)};
//     const PointSet forest = sample_classes(species, options, 0, context);
//
// Two points of one class are at least the mean of their radii apart. For points of different
// classes, ClassDistance takes the mean, min or max of the two radii, each at its own place.
// `density` replaces each radius by the radius of a joint density at its place: of all classes that
// are not finer than both. The whole domain decides which class is finer. The points are then at
// least the mean of these radii apart.

// Returns points with their class, and with their radius by the field of that class. The set is
// exact and maximal: no place is left where a point of any class is allowed and has room. All
// fields have one domain, and options.radii is empty. Shares are by default proportional to the
// integrals of 1 / r^2. A warning names classes whose distances leave no room for their share
// within 2 %. `count` > 0: exactly `count` points, by one factor on all radii. Fixed points are not
// part of the result and act as in sample_classes() with one radius per class. Deterministic in
// (context.seed, arguments). Throws Error(usage) for invalid fields and shares, Error(limit) if
// memory is short, and Error(verification) if options.certify fails.
PointSet sample_classes(std::span<const DensityField> fields, const ClassOptions& options,
                        std::int64_t count, Context& context, const FixedPoints& kept = {});

// Proves a set of classes. `tolerance` is relative to the required distance, at least 2e-5.
Certificate certify_classes(const PointSet& points, std::span<const DensityField> fields,
                            ClassDistance distance, Context& context, double tolerance = 2e-5,
                            const FixedPoints& kept = {});

// Points of a volume, and the field whose radii they keep.
struct VolumeSet {
  PointSet points;
  VolumeField field;
};

// Returns points that are exact and maximal by the rule, mean or max, of r(x). They are distributed
// as darts thrown one after the other forever, at a rate of 1 / r^3. `count` > 0: the first `count`
// points of a set with hardly more points, of scaled radii. progressive: in order of rank; the
// first K points are spaced as a maximal set of at most 2 K. Deterministic in (context.seed,
// arguments); O(N), about twice the cost of one radius. Throws Error(usage) for another rule,
// Error(limit) if memory is too small. Fixed points (`kept`) are not returned; they follow `rule`,
// whatever their own rule is.
VolumeSet sample_volume(const VolumeField& field, ConflictRule rule, std::int64_t count,
                        Context& context, bool progressive = false, const FixedPoints& kept = {});

// Proves points of r(x) like points of one radius. `closest` is relative to the distance that the
// rule requires; points in forbidden places are violations. `tolerance`: at least 2e-5.
Certificate certify_volume(const PointSet& points, const VolumeField& field, ConflictRule rule,
                           Context& context, double tolerance = 2e-5, const FixedPoints& kept = {});

// Returns points in four dimensions, as sample_volume() does in three: in a box of these `sides`, a
// torus along all axes if `wrap`, in columns x, y, z and w. A torus holds about N = 0.84 content /
// r^4 points. Darts take 2 KB per point, checked against the limit before the first dart. O(N),
// about six times the cost of a point of a volume. certify_volume() and verify_volume() take these
// points too. Throws as sample_volume() does.
PointSet sample_4d(const std::array<double, 4>& sides, bool wrap, std::int64_t count, double radius,
                   Context& context, bool progressive = false, const FixedPoints& kept = {});

}  // namespace dapple
