// Defines the command `sample`: a point set from a map, or from one radius everywhere.
#include <array>
#include <string>
#include <utility>

#include "dapple/context.hpp"
#include "dapple/extend/operation.hpp"
#include "dapple/sample.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

constexpr std::array pairs{
    PairRule{"rotate..clean", Pair::needs, "MAP or class"},
    PairRule{"rotate..crop", Pair::excludes, "on or in or sphere or dimensions or window",
             "which needs whole maps"},
    PairRule{"as..invert", Pair::needs, "MAP or class or radius-from"},
    PairRule{"channel", Pair::needs, "MAP or class or radius-from color"},
    PairRule{"black..gamma", Pair::needs, "MAP or class or radius-from"},
    PairRule{"mask..interpolation", Pair::needs, "MAP or class"},
    PairRule{"slope", Pair::needs, "MAP or class or radius-from"},
    PairRule{"tone", Pair::wants, "as tone"},
    PairRule{"white-cutoff", Pair::wants, "as tone"},
    PairRule{"size", Pair::excludes, "MAP", "which sets the size"},
    PairRule{"size", Pair::excludes, "window", "which sets the size"},
    PairRule{"conflict", Pair::needs, "MAP or keep or radius-from"},
    PairRule{"tries", Pair::needs, "method bridson"},
    PairRule{"start", Pair::needs, "method bridson"},
    PairRule{"settle", Pair::needs, "count"},
    PairRule{"settle", Pair::needs, "method darts"},
    PairRule{"settle", Pair::excludes, "progressive", "whose points cannot move"},
    PairRule{"only-new", Pair::needs, "keep"},
    PairRule{"size-from", Pair::needs, "object-size"},
    PairRule{"inset", Pair::needs, "MAP or class or wrap false"},
    PairRule{"inside", Pair::needs, "inset"},
    PairRule{"from", Pair::needs, "count"},
    PairRule{"from", Pair::excludes,
             "MAP or method or conflict or wrap or settle false or size or dimensions or frame or "
             "window or inset or radius or on or in or sphere or object-size or rotation or "
             "classes or class-radius or class or wang or region",
             "because points of a cloud are picked as they are"},
    PairRule{"on", Pair::excludes,
             "size or dimensions or window or wang or wrap or inset or "
             "conflict candidate or method "
             "bridson|elimination|jittered|random|grid|halton|r2|"
             "dart-throwing|dense|polished or settle false",
             "which is for the plane"},
    PairRule{"in", Pair::excludes,
             "on or size or dimensions or window or wang or wrap or inset or mask or "
             "align normal or conflict candidate or method "
             "bridson|elimination|jittered|random|grid|halton|r2|"
             "dart-throwing|dense|polished or settle false",
             "which does not work in a solid"},
    PairRule{"sphere", Pair::excludes,
             "on or in or size or dimensions or window or wang or wrap or inset or "
             "conflict candidate or interpolation nearest or method "
             "bridson|elimination|jittered|random|grid|halton|r2|"
             "dart-throwing|dense|polished or settle false",
             "which does not work on a sphere"},
    PairRule{"frame", Pair::excludes,
             "MAP or on or sphere or mask or window or wang or wrap or inset or keep or settle "
             "false or class or method "
             "bridson|elimination|jittered|random|grid|halton|r2|dart-throwing|dense|polished",
             "because it cuts darts of the same radii out of a larger plane or volume"},
    PairRule{"region", Pair::excludes,
             "MAP or on or in or sphere or size or dimensions or window or wang or wrap or inset "
             "or frame cut or class or class-radius or settle false or conflict min|max|candidate "
             "or method "
             "bridson|elimination|jittered|random|grid|halton|r2|dart-throwing|dense|polished",
             "which does not work in polygons"},
    PairRule{"count-from", Pair::needs, "region"},
    PairRule{"count-from", Pair::excludes, "count or radius", "which sets the number of points"},
    PairRule{"metric", Pair::needs, "on"},
    PairRule{"gate", Pair::needs, "on"},
    PairRule{"metric", Pair::excludes,
             "MAP or gate or progressive or radius-from or class-radius or class or classes",
             "which uses straight-line distances"},
    PairRule{"align", Pair::needs, "on or in or sphere"},
    PairRule{"radius-from", Pair::needs, "on"},
    PairRule{"radius-from", Pair::excludes, "MAP", "which sets the radii itself"},
    PairRule{
        "class-radius", Pair::excludes,
        "MAP or radius or radius-from or window or wang or inset or settle "
        "false or "
        "method bridson|elimination|jittered|random|grid|halton|r2|dart-throwing|dense|polished",
        "which works with only one class"},
    PairRule{
        "class", Pair::excludes,
        "MAP or size or radius or class-radius or radius-from or window or wang or "
        "settle false or "
        "method bridson|elimination|jittered|random|grid|halton|r2|dart-throwing|dense|polished",
        "because each class has its own map and radii"},
    PairRule{"class-distance", Pair::needs, "class-radius or class"},
    PairRule{"dimensions", Pair::excludes, "window or wang", "which is for the plane"},
    PairRule{"wang", Pair::excludes, "wrap or progressive or certify or settle false"},
};

class SampleJob : public Job {
 public:
  void describe(OptionList& list) override { dapple::describe(options_, list); }
  Result run(const Image* input, Context& context) override {
    Image first;
    const bool takes_slices = options_.dimensions == 3 || options_.in.mesh != nullptr;
    if (input != nullptr && input->slices > 1 && !takes_slices) {
      context.warn(
          "the map has " + std::to_string(input->slices) +
          " slices and only the first is used; `dimensions 3` uses all of them as a volume");
      first = slice_of(*input, 0);
      input = &first;
    }
    Points points = make_points(input, options_, context);
    // Files and reports of a plane do without the field, which may be large.
    if (points.space == nullptr) points.radii = nullptr;
    return {std::move(points)};
  }
  bool is_drawable() const override {
    return options_.on.path.empty() && options_.in.path.empty() && !options_.sphere &&
           !has_four_dimensions(options_);
  }

 private:
  PointsOptions options_;
};

}  // namespace

Operation sample_operation() {
  Operation row;
  row.name = "sample";
  row.summary = "Makes blue-noise points, uniform or following a density map";
  row.details =
      "Places points that keep the local radius apart and leave no gap large enough for another "
      "point (maximal Poisson-disk sampling). Both hold exactly, at any ratio of densities. Bright "
      "parts of a map are dense; `as tone` makes dark parts dense, and `as radius` reads pixel "
      "values as distances. Without a map the density is uniform over `size`; a size with a depth "
      "makes a volume.\n\nSet the density with `radius`, the distance between points in the "
      "densest parts, or with `count`. Without either, about 10000 points are placed.";
  row.input = InputKind::optional_image;
  row.input_name = "MAP";
  row.takes_frames = true;
  row.makes_points = true;
  row.measured = Measured::points;
  row.default_extension = "csv";
  row.stage = "sample";
  row.examples = {
      {"sample density.png `count` 20000 -o points.csv",
       "exactly 20000 points, dense in bright parts"},
      {"sample photo.jpg `as tone` `radius` 2:40 -o points.svg",
       "dark parts are dense, distances run from 2 to 40 pixels"},
      {"sample `window` -500,0,500,300 `radius` 6 -o part.csv",
       "a window into an infinite plane; adjacent windows fit together"},
      {"sample `size` 1024x1024 `radius` 8 `wrap` `certify` -o tile.png",
       "a uniform set that tiles, with its spacing and coverage proved, drawn as a picture"},
      {"sample `size` 512 `count` 4096 `method` polished `wrap` -o even.csv",
       "4096 points, as even as possible without becoming a lattice"},
      {"sample `size` 512 `count` 4096 `method` bridson `start` center -o -",
       "Bridson's algorithm started in the middle, as CSV on standard output"},
      {"sample `size` 512 `radius 4` `keep` trees.csv `inset` 2% -o meadow.csv",
       "fills the gaps between existing points, away from the border"},
      {"sample `size` 512 `radius` 9 `classes` 0.6,0.3,0.1 `object-size` 4:9 `rotation` 0:360 -o "
       "wood.ply",
       "three kinds of trees with sizes and rotations, for the Blender add-on"},
      {"sample `size` 64x64x64 `radius` 4 `certify` -o cloud.ply",
       "a volume, with a proof of spacing and coverage"},
      {"sample `dimensions` 4 `size` 24 `radius` 4 `wrap` `certify` -o four.csv",
       "points in four dimensions, with columns z and w and a proof"},
      {"sample slices/%04d.png `dimensions 3` `radius` 2:9 -o cloud.ply",
       "a volume that is dense where its slices are bright; parts of an .exr or pages of a .tif "
       "also work"},
      {"sample `size` 512 `class-radius` 24,10,5 `class-distance` mean -o forest.csv",
       "three species whose crowns never overlap, with a column class"},
      {"sample `class` oak=oaks.png:9:30 `class` fern=ferns.png:3:12 `class-distance` mean -o "
       "wood.svg",
       "each species is dense where its own map is bright, on its own layer; crowns never overlap"},
      {"sample `on` vase.ply `radius` 0.5% -o points.ply",
       "points on the surface of a mesh, with normals, face numbers and barycentric weights"},
      {"sample `on` hill.obj `class-radius` 4%,2%,1% `class-distance` mean `align` up -o "
       "forest.glb",
       "three species on a mesh, upright, whose crowns never overlap"},
      {"sample `on` hill.obj `radius` 1% `keep` trees.ply -o meadow.ply",
       "fills the gaps between existing points on a mesh"},
      {"sample `on` bust.ply `radius-from` curvature `radius` 0.4%:3% -o points.ply",
       "denser where the surface curves more"},
      {"sample `on` hill.obj `radius` 1% `align` up `rotation` 0:360 -o trees.glb",
       "upright objects with random rotations on a mesh, as a scene of instances"},
      {"sample density.png `on` vase.obj `radius` 0.4%:3% -o points.ply",
       "dense where the texture is bright, using the texture coordinates of the mesh"},
      {"sample `in` bust.ply `radius` 1% `certify` -o cloud.ply",
       "points in the solid inside a closed mesh, with proof"},
      {"sample slices/%04d.png `in` bust.ply `radius` 1%:4% -o cloud.ply",
       "dense where the slices are bright, which span the bounds of the mesh"},
      {"sample `sphere` 1 `count` 1000 `certify` -o directions.csv",
       "evenly spread directions (columns nx, ny and nz), with proof"},
      {"sample earth.png `sphere` 6371 `radius` 60:900 -o stations.ply",
       "dense where a latitude-longitude map is bright, without crowding at the poles"},
      {"sample `from` scan.ply `count` 10k -o thin.ply",
       "an even subset of the points of a scan, with their colors and other columns"},
      {"sample `region` tracts.geojson `count-from` population -o dots.csv",
       "a dot-density map: as many dots in each polygon as its property says, evenly spread"},
      {"sample `region` parks.svg `radius` 6 `certify` -o trees.csv",
       "fills the shapes of a drawing, with proof"},
      {"sample `wang` 2 `size` 128 `radius` 8 -o tiles.json",
       "16 Wang tiles that fit together if their corner colors match, with their table"},
  };
  row.pairs = pairs;
  row.make = [] { return std::unique_ptr<Job>(std::make_unique<SampleJob>()); };
  return row;
}

}  // namespace dapple
