// Makes a whole point set from the options: from a map, even over a domain, as a window into an
// infinite plane, or as tiles.
#include <algorithm>

#include "core/constants.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/sample.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

bool parse_window(std::string_view text, Window& window) {
  const std::size_t middle = text.find(',', text.find(',') + 1);
  return middle < text.size() && parse_place(text.substr(0, middle), window.x0, window.y0) &&
         parse_place(text.substr(middle + 1), window.x1, window.y1) && !window.empty();
}

Scale scale_of(const Domain& domain) {
  return {domain.shorter_side(), css_pixels_per_mm};
}

DensityField field_of(const Image& map, const PointsOptions& options, Context& context) {
  const Scale scale{static_cast<double>(std::min(map.width(), map.height())), css_pixels_per_mm};
  return make_field(map, options.field, options.sample.wrap, scale, default_count, context);
}

DensityField even_field(const PointsOptions& options, Context& context) {
  const auto stage = context.stage("field");
  const Domain domain{static_cast<double>(options.size.pixel_width(css_pixels_per_mm)),
                      static_cast<double>(options.size.pixel_height(css_pixels_per_mm)),
                      options.sample.wrap};
  return make_constant_field(domain, options.field, scale_of(domain), default_count);
}

PointSet in_window(const PointsOptions& options, const Image* map, Context& context) {
  const SampleOptions& how = options.sample;
  const FieldOptions& field = options.field;
  if (map != nullptr || field.map.mask.image || !how.keep.path.empty() || field.count > 0 ||
      how.wrap || how.certify || how.progressive || options.wang > 0 || options.inset.value != 0 ||
      how.method != SampleMethod::darts) {
    throw Error(ErrorKind::usage,
                "`window` works only with `radius` and `seed`: leave the map, `mask`, `keep`, "
                "`inset`, `count`, `wrap`, `certify`, `progressive`, `wang` and other methods out");
  }
  const Window& window = options.window;
  const LengthRange& radius = field.radius;
  if (radius.min.value == 0 || !(radius.min == radius.max)) {
    throw Error(ErrorKind::usage, Problem{"window", "needs one `radius`, such as `radius 4`"});
  }
  const Scale scale{std::min(window.width(), window.height()), css_pixels_per_mm};
  const auto stage = context.stage("sample");
  PointSet points = sample_window(radius.min.pixels(scale), window, context);
  scatter(points, options.scatter, scale, 0, context);
  return points;
}

PointSet cut_points(const PointsOptions& options, Context& context) {
  const DensityField field = even_field(options, context);
  const auto stage = context.stage("sample");
  PointSet points = sample_cut(field.domain(), field.radius({0, 0}), options.field.count, context);
  scatter(points, options.scatter, scale_of(field.domain()), 0, context);
  return points;
}

// Makes a set of tiles; size, radius and count are those of one tile.
PointSet tiles(const PointsOptions& options, const Image* map, Context& context) {
  const bool plain = map == nullptr && options.sample.keep.path.empty() &&
                     options.inset.value == 0 && options.sample.method == SampleMethod::darts &&
                     options.scatter.classes.empty();
  if (!plain || options.size.width != options.size.height) {
    throw Error(
        ErrorKind::usage,
        "`wang` works only with square tiles and darts of one radius: leave the map, `keep`, "
        "`inset`, `classes` and other methods out, and give one side, such as `size 64`");
  }
  const DensityField field = even_field(options, context);
  const auto stage = context.stage("sample");
  PointSet points = wang_tiles(field.domain().width, field.radius({0, 0}), options.wang, context);
  scatter(points, options.scatter, scale_of(field.domain()), 0, context);
  return points;
}

}  // namespace

DensityField inset_field(const DensityField& field, const PointsOptions& options,
                         Context& context) {
  const double distance = options.inset.pixels(scale_of(field.domain()));
  if (distance == 0 && options.inside == Containment::points) return field;
  if (field.domain().wrap && field.is_constant()) {
    context.warn("`inset` has no effect, because a torus has no border and there is no mask");
    return field;
  }
  return field.with_inset(distance, options.inside, context);
}

std::string to_text(const Window& window) {
  if (window.empty()) return "";
  return shortest(window.x0) + "," + shortest(window.y0) + "," + shortest(window.x1) + "," +
         shortest(window.y1);
}

void from_text(std::string_view text, Window& window) {
  Window parsed;
  if (!text.empty() && !parse_window(text, parsed)) {
    throw Error(ErrorKind::usage,
                "must be two corners with the smaller numbers first, such as -100,0,100,50, not '" +
                    std::string(text) + "'");
  }
  window = parsed;
}

void describe(PointsOptions& options, OptionList& list) {
  describe(options.sample, list);
  list.group("Map");
  list.add("size", options.size,
           "Size of the domain if no map is given; WxHxD is a volume, four sides a space of four "
           "dimensions")
      .essential()
      .metavar("WxH");
  list.add("dimensions", options.dimensions,
           "2: the plane; 3: a volume, a cube if `size` is a square, or the slices of MAP, one "
           "pixel apart; 4: points of one radius with a fourth column, w, which take 2 KB each and "
           "about six times as long as points of a volume; 0: as in `size`")
      .check([](std::string_view text) {
        const bool is_known = text == "0" || text == "2" || text == "3" || text == "4";
        return is_known ? "" : "must be 0, 2, 3 or 4";
      });
  list.add(
      "frame", options.frame,
      "fitted: points crowd along the border, as nothing outside keeps them off; cut: as cut "
      "out of a larger set, equally dense at the border, for darts of one radius in the plane");
  list.add("window", options.window,
           "Window into an infinite plane of darts with one `radius`, instead of a domain; "
           "overlapping windows agree")
      .metavar("X0,Y0,X1,Y1");
  describe(options.field, list);
  list.group("Surface");
  list.add("on", options.on,
           "Mesh to place points on (.ply .stl .obj .glb .gltf .off), with normals; `radius` is in "
           "the unit of the mesh, in % of the diagonal of its bounds, or in mm and similar units "
           "for glTF, which is in meters")
      .essential();
  list.add("in", options.in,
           "Closed mesh to fill with points, without its cavities; `radius` is in the unit of the "
           "mesh, in % of the diagonal of its bounds, or in mm and similar units for glTF")
      .essential();
  list.add("sphere", options.sphere,
           "Radius of a sphere to place points on, with their directions, as dense at the poles as "
           "elsewhere; `radius` is in the same unit, or in % of it; a latitude-longitude MAP is "
           "twice as wide as high")
      .essential()
      .range(1e-20, 1e17)
      .metavar("R|none");
  list.add("radius-from", options.radius_from,
           "What chooses from a range of radii on the mesh: a number of its vertices by name, "
           "color, or curvature; a MAP chooses by texture coordinates instead")
      .metavar("NAME");
  list.add("align", options.align,
           "How objects whose up is y stand on the points, in columns qx, qy, qz, qw: up along the "
           "normal, or upright; `rotation` turns them around their own up");
  describe(options.surface, list);
  describe(options.scatter, list);
  list.add(
          "class-radius", options.class_radius,
          "Classes with their own distances, such as 9,4,2; each class and all together are evenly "
          "spread and leave no gaps; `classes` sets their shares, otherwise the distances do")
      .metavar("R,R,...")
      .check([](std::string_view text) {
        try {
          class_radii_of(text);
          return "";
        } catch (const Error&) {
          return "must be lengths above 0 separated by commas, such as 9,4,2";
        }
      });
  list.add_each(
      "class", options.class_maps,
      "A class with its own map and radii, once per class, with maps of one size; `as`, `mask`, "
      "`slope` and other map options apply to all of them; each class and all together are evenly "
      "spread and leave no gaps; `classes` sets their shares, otherwise the radii do");
  list.add("class-distance", options.class_distance,
           "Distance between points of two classes: density makes all points together even; mean "
           "keeps discs of diameter r from overlapping; min and max take one of the two radii");
  list.group("Tiles");
  list.add("wang", options.wang,
           "Number of corner colors of a set of Wang tiles that fit in any arrangement: 2 makes 16 "
           "tiles of `size`, 3 makes 81; column class is the tile; 0: no tiles")
      .range(0, 3);
  list.group("Map");
  list.add("inset", options.inset,
           "Distance that points keep from the border and from areas where the map or `mask` "
           "allows none");
  list.add("inside", options.inside, "What keeps the inset: points, or whole discs of diameter r");
}

PointSet make_points(const Image* map, const PointsOptions& options, Context& context) {
  check(options);
  if (!options.window.empty() && !is_volume(options, map)) return in_window(options, map, context);
  if (!options.class_maps.empty()) return mapped_class_points(options, context);
  if (!options.class_radius.empty()) return class_points(options, map, context);
  if (is_volume(options, map)) return volume_points(options, map, context);
  if (options.wang > 0) return tiles(options, map, context);
  if (options.frame == FrameEdge::cut) return cut_points(options, context);
  const SampleOptions& how = options.sample;
  const DensityField field =
      map != nullptr ? field_of(*map, options, context) : even_field(options, context);
  const auto stage = context.stage("sample");
  const DensityField allowed = [&] {
    const auto part = context.part(0, 0.1);
    return inset_field(field, options, context);
  }();
  const auto part = context.part(0.1, 1);
  PointSet points = sample(allowed, how, options.field.count, context);
  const bool kept = how.keep.points != nullptr && !how.only_new;
  scatter(points, options.scatter, scale_of(field.domain()), kept ? how.keep.points->size() : 0,
          context);
  return points;
}

}  // namespace dapple
