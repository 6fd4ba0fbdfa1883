// A whole point set as the options say: from a map, even over a domain, cut out of a plane without
// end, or as tiles.
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
                "`window` cuts even darts out of a plane: it takes `radius` and `seed`, and no "
                "map, `mask`, `keep`, `inset`, `count`, `wrap`, `certify`, `progressive`, `wang` "
                "or other `method`");
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

// The size is that of one tile, radius or count are of it too.
PointSet tiles(const PointsOptions& options, const Image* map, Context& context) {
  const bool plain = map == nullptr && options.sample.keep.path.empty() &&
                     options.inset.value == 0 && options.sample.method == SampleMethod::darts &&
                     options.scatter.classes.empty();
  if (!plain || options.size.width != options.size.height) {
    throw Error(ErrorKind::usage,
                "`wang` makes square tiles of one radius by darts: leave the map, `keep`, "
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
  if (distance == 0 && options.inside == Inside::points) return field;
  if (field.domain().wrap && field.is_constant()) {
    context.warn("`inset` changes nothing: a torus has no border, and there is no mask");
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
                "must be two corners such as -100,0,100,50, the lesser numbers first, not '" +
                    std::string(text) + "'");
  }
  window = parsed;
}

void describe(PointsOptions& options, OptionList& list) {
  describe(options.sample, list);
  list.group("Map");
  list.add("size", options.size,
           "Size of the domain where no map is given: one radius everywhere; WxHxD is a volume, "
           "four sides a space of four dimensions")
      .essential()
      .metavar("WxH");
  list.add("dimensions", options.dimensions,
           "2: the plane; 3: a volume, a cube where `size` is a square, or the slices of MAP, one "
           "pixel apart; 4: points of one radius with a fourth column, w, at 2 KB and some six "
           "times the time that a point of a volume takes; 0: as `size` says")
      .check([](std::string_view text) {
        const bool is_known = text == "0" || text == "2" || text == "3" || text == "4";
        return is_known ? "" : "must be 2, 3 or 4, or 0";
      });
  list.add("window", options.window,
           "This part of a plane without end, instead of a domain: equal to the cut-out of any "
           "larger window, even darts of one `radius`")
      .metavar("X0,Y0,X1,Y1");
  describe(options.field, list);
  list.group("Surface");
  list.add("on", options.on,
           "Points on the surface of this mesh (.ply .stl .obj .glb .gltf), with normals; `radius` "
           "is in its unit, in % of the diagonal of its bounds, or in mm and the like of glTF, "
           "which "
           "is in meters")
      .essential();
  list.add("in", options.in,
           "Points in the solid that this closed mesh encloses, hollows left out; `radius` is in "
           "its unit, in % of the diagonal of its bounds, or in mm and the like of glTF")
      .essential();
  list.add("sphere", options.sphere,
           "Points on a sphere of this radius, poles as dense as the rest, with their directions; "
           "`radius` is in the same unit, or in % of it; a lat-long MAP, twice as wide as high, "
           "lies "
           "round it")
      .essential()
      .range(1e-20, 1e17)
      .metavar("R|none");
  list.add("radius-from", options.radius_from,
           "What chooses from a range of radii on the mesh: numbers that its vertices have, by "
           "name, or color, or curvature; a MAP does by their texture coordinates")
      .metavar("NAME");
  list.add("align", options.align,
           "Columns qx, qy, qz, qw: how an object whose up is y stands on a point of the mesh, up "
           "along the normal, or upright; `rotation` turns it round its own up");
  describe(options.surface, list);
  describe(options.scatter, list);
  list.add("class-radius", options.class_radius,
           "Classes with a distance of their own, such as 9,4,2: each evenly spread, all together "
           "too, and no place left for any; `classes` gives their shares, else r decides")
      .metavar("R,R,...")
      .check([](std::string_view text) {
        try {
          class_radii_of(text);
          return "";
        } catch (const Error&) {
          return "must be lengths above 0 between commas, such as 9,4,2";
        }
      });
  list.add_each("class", options.class_maps,
                "A class with a map of its own and the radii that it asks for, each evenly spread, "
                "all together too, and no place left for any; once for each class, with maps of "
                "one size; as one MAP is, they are read by `as`, `mask`, `slope` and others; "
                "`classes` gives shares, else r decides");
  list.add("class-distance", options.class_distance,
           "How far points of two classes are apart: density, so that all together are even; mean, "
           "so that discs of diameter r never overlap; or min or max of the two");
  list.group("Tiles");
  list.add("wang", options.wang,
           "A set of tiles for any arrangement, by so many colors of their corners: 2 makes 16 "
           "tiles of `size`, 3 makes 81; class is the tile. 0: none")
      .range(0, 3);
  list.group("Map");
  list.add("inset", options.inset,
           "Nothing nearer than this to the border or to where the map or `mask` allows nothing");
  list.add("inside", options.inside,
           "What stays that far inside: points, or whole discs of diameter r");
}

PointSet make_points(const Image* map, const PointsOptions& options, Context& context) {
  check(options);
  if (!options.window.empty() && !is_volume(options, map)) return in_window(options, map, context);
  if (!options.class_maps.empty()) return mapped_class_points(options, context);
  if (!options.class_radius.empty()) return class_points(options, map, context);
  if (is_volume(options, map)) return volume_points(options, map, context);
  if (options.wang > 0) return tiles(options, map, context);
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
