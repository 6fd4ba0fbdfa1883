// Declares the sampler of points, which works in any space, and its proof.
//
//     const Points trees = sample(Space::on_surface(hill), 0.5, {.certify = true}, context);
//
// Two points conflict if their distance is below f(ra, rb), the rule. Under the symmetric rules
// every place that allows points is in the end within f of a point ("maximal").
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/certificate.hpp"
#include "dapple/field.hpp"
#include "dapple/mesh.hpp"
#include "dapple/points.hpp"
#include "dapple/radii.hpp"
#include "dapple/sample_options.hpp"
#include "dapple/space.hpp"

namespace dapple {

// Returns points of a space, which keep the distances that `radii` and options.conflict require.
// The result knows its space and its radii, scaled if there is a count, so that certify() needs
// nothing else. Deterministic in (context.seed, arguments): threads change no byte, nor does the
// order of the faces and vertices of a mesh.
//
//   space                 radii
//   plane                 double, DensityField, ClassRadii, ClassFields
//   box                   double, VolumeField, ClassRadii, ClassVolumes; in four dimensions double
//   surface               double, SurfaceRadius, ClassRadii, ClassSurfaces
//   solid                 double, VolumeField, ClassRadii, ClassVolumes
//   sphere                double, SurfaceRadius with a texture, ClassRadii, ClassSurfaces
//   regions               double
//
// A field in a solid spans the bounds of the mesh: its voxels are cubes, as large as the longest
// side needs, and lie around its center. Its radii are in voxels.
//
// Regions with a number of points each (Space::region_counts, or shares of options.count by area)
// have a radius each, which is found. Points of regions a and b are at least (a + b) / 2 or twice
// the smaller radius apart, so that a sparse region cannot empty a dense one. Column r is reduced
// where it must be, so that two points are always at least the mean of their r apart. Column region
// counts from 0. options.count leaves no gap larger than a maximal set does.
//
// Darts are exact, maximal, and distributed as if they fell one after the other forever, at a rate
// of 1 / r^D in D dimensions. Ebeida, Patney, Mitchell, Davidson, Knupp, Owens 2011 (live parts
// that are split), Wei 2008 and 2010, Corsini, Cignoni, Scopigno 2012 (meshes). O(N) in the number
// of points: 2 microseconds of a core for a point on a surface, 30,000 instructions for a point of
// a box, six times as many in four dimensions (`dapple_bench`: surface, volume, four). Memory
// per point: about 500 bytes on a surface, 2 KB in four dimensions. Parts of a solid thinner than
// 1e-5 radii count as covered. Along the surface (SurfaceMetric) a point costs about 0.2
// microseconds and 50 bytes more for each edge that paths of a radius cross from it.
//
// options.count > 0: exactly so many points, of radii that are scaled to fit; a single radius is
// found, whatever is given. Darts take the first points of a set that has hardly more, so that the
// set need not be maximal. options.method: dart_throwing is also exact and maximal, and returns
// points in the order in which they fell (Blelloch, Fineman, Shun 2012). options.frame: cut takes
// a window of a larger plane or box of one radius or of classes, so that places near its border may
// have room for another point. options.progressive: in order of rank. The first K points of a box,
// a solid or a sphere are spaced as a maximal set of at most 2 K. On a surface they keep at least
// 0.55 of the distance in a hexagonal lattice of K points (Yuksel 2015). The first K of N points
// hold K n / N of a class of n points, within one point. options.keep: fixed points come first in
// the result, unmoved and with their columns. Each excludes others by the rule of its own radius
// and theirs; without a radius it has that of its place, or of its class. options.certify proves
// the set.
//
// Throws Error(usage) for radii that the table does not list, and for options that do not go
// together; Error(input) for a mesh that validate() refuses, for a solid whose mesh is not closed,
// with the number of its open edges, and for fixed points outside the space; Error(limit) if
// memory is short or the rule cannot hold the count; Error(verification) if the proof fails. Warns
// of faces without area.
Points sample(const Space& space, const Radii& radii, const SampleOptions& options,
              Context& context);

// Proves points that know their space and their radii: distances in double, coverage by bounds over
// parts of the space. Places within `tolerance` radii beyond the required distance count as
// covered. 0 stands for the least that the floats of a proof need: 2e-5 on a surface, in four
// dimensions, for radii that vary in a box and for fields of classes, otherwise 1e-5. Pairs of
// fixed points do not count. Points along a surface need `triangle`. Throws Error(usage) for points
// without radii, and Error(input) for columns that do not fit the space.
Certificate certify(const Points& points, Context& context, double tolerance = 0);
// Throws Error(verification), with the place at fault, if the set is not exact or not maximal.
// `counted`: a set of a given count leaves gaps, which are only a warning.
void verify(const Points& points, Context& context, bool counted = false);
// Puts points of any method into an order with well spaced prefixes, and gives them their rank. The
// points and their radii stay the same; fixed points keep their places. O(N log N), about 2
// microseconds per point. The most crowded point goes last (Yuksel 2015); on a surface only points
// of one sheet crowd each other. Works in the plane and on surfaces by straight distances.
void order(Points& points, Context& context);

// Returns exactly options.count points of `cloud`, spread as evenly as they allow, with all their
// columns, in the order of the cloud. The cloud lies in the plane, or in space on a surface, along
// a line or throughout a volume; coordinates are finite, of any size. Removes the most crowded
// point again and again (Yuksel 2015). A place that points share counts once until all places are
// taken. Domains that wrap are honored. options.progressive: in an order in which every prefix is
// well spread, with ranks. options.keep: fixed points count and repel, and come first; only_new
// leaves them out. options.certify: proves that no point repeats, and notes the least distance.
// Other options have no effect. O(n log n) for n points of the cloud, and about 160 bytes each;
// `dapple_bench --benchmark_filter=thin` prints the time.
//
// Throws Error(usage) for a count below 1 or above the size of the cloud, Error(input) for
// coordinates that are not finite and for four dimensions, Error(limit) if memory is short.
Points thin(const Points& cloud, const SampleOptions& options, Context& context);

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
Points sample_window(double radius, const Box& window, Context& context);

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
void scatter(Points& points, const ScatterOptions& options, const Scale& scale, std::size_t kept,
             Context& context);

// The orientation of objects on a mesh: up along the normal, or along y whatever the slope is.
enum class Align { none, normal, up };
constexpr auto option_names(Align) {
  return words_to<Align::up>("none", "normal", "up");
}
// Adds the columns to points on or in a mesh or on a sphere, without classes. Sizes are from
// `smallest` to `largest`, in the unit of the space, if options.size is given. Throws Error(usage)
// for invalid sizes.
void scatter(Points& points, const ScatterOptions& options, Align align, double smallest,
             double largest, Context& context);

// Returns tiles with colored corners. In any arrangement where corners of one color meet, points of
// all tiles together are at least `radius` apart and leave no room for another. `colors`: 2 makes
// 16 tiles, 3 makes 81. One set holds all tiles, side by side as a sheet of colors^2 x colors^2
// tiles. The sheet is an arrangement of this kind and wraps. The tile in column i, row j holds the
// points from (i, j) side to (i + 1, j + 1) side. The class is the tile: its corners' colors as a
// number, top left, top right, bottom left, bottom right. Metadata `tiles`: the table as JSON.
// Throws Error(limit) for a side below about 3.6 radii. Lagae, Dutre 2006.
Points wang_tiles(double side, double radius, int colors, Context& context);

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
  Size size{512, 512};                // of the domain without a map, or of one tile; deep: a volume
  int dimensions = 0;                 // 2, 3 or 4; 0: from `size`
  Window window = {};                 // instead of a domain: sample_window()
  int wang = 0;                       // colors of wang_tiles(); 0: no tiles
  PointsInput from{{}, {}, true};     // picks some of these points instead
  MeshInput on = {};                  // places points on this surface instead
  MeshInput in = {};                  // places points in the solid inside this surface instead
  std::optional<double> sphere = {};  // radius of a sphere to place points on instead
  RegionsInput region = {};           // places points in these polygons instead
  std::string count_from = {};        // points of each: a number, or the name of a property
  std::string radius_from = {};       // r by the mesh's vertices: a column, color, or curvature
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
// Makes points from the options, in a plane or a box, or on options.on.mesh, in options.in.mesh or
// on the sphere. `map`, which may be nullptr, or options.radius_from, chooses from a range of
// radii. About 10,000 points if neither a radius nor a count is given. Lengths in a plane or a box
// are in pixels, physical ones at 96 pixels per inch. Other lengths are in the unit of the mesh, in
// % of the diagonal of its bounds or of the radius of the sphere, or physical if the mesh gives the
// length of its unit; with a count only the ratio of a range matters. Target density 0 of a map on
// a mesh or a sphere gives the largest radius. Throws as sample() does, and Error(usage) for
// options that do not go together.
Points make_points(const Image* map, const PointsOptions& options, Context& context);

}  // namespace dapple
