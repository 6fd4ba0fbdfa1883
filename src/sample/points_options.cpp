// Describes the options of `sample`, and parses their texts.
#include "core/constants.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/sample.hpp"
#include "sample/classes.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

bool parse_window(std::string_view text, Window& window) {
  const std::size_t middle = text.find(',', text.find(',') + 1);
  return middle < text.size() && parse_place(text.substr(0, middle), window.x0, window.y0) &&
         parse_place(text.substr(middle + 1), window.x1, window.y1) && !window.empty();
}

// Returns true if the size is a square that stands for a cube, or its form in four dimensions.
bool is_one_side(const PointsOptions& options) {
  const Size& size = options.size;
  return options.dimensions > 2 && size.is_flat() && size.width == size.height;
}

}  // namespace

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
  list.add(
          "from", options.from,
          "Points to pick an even subset of `count` from, in the plane or in space (.ply .csv .npy "
          ".json .svg .xyz .pts .asc); the picked points keep all their columns and their order; "
          "with `progressive` every prefix is well spread; points of `keep` count as picked")
      .essential()
      .metavar("CLOUD");
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
      "frame", options.sample.frame,
      "fitted: points crowd along the border, as nothing outside keeps them off; cut: as cut "
      "out of a larger set, equally dense at the border, for darts of one radius or of "
      "`class-radius`, in the plane, in volumes and in solids; `certify` proves the larger set");
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
           "mesh, in % of the diagonal of its bounds, or in mm and similar units for glTF; the "
           "slices of a MAP span its bounds")
      .essential();
  list.add("sphere", options.sphere,
           "Radius of a sphere to place points on, with their directions, as dense at the poles as "
           "elsewhere; `radius` is in the same unit, or in % of it; a latitude-longitude MAP is "
           "twice as wide as high")
      .essential()
      .range(1e-20, 1e17)
      .metavar("R|none");
  list.add("region", options.region,
           "Polygons to place points in, with holes (.geojson .json .wkt .svg), even-odd; `radius` "
           "is in the unit of the file or in % of the shorter side of its bounds; `count` is "
           "shared by area; coordinates are planar, so degrees are not projected")
      .essential();
  list.add("count-from", options.count_from,
           "Exact number of points in each polygon of `region`: a number for all, or the name of a "
           "property of each GeoJSON feature, or of an attribute (also data-NAME) of each SVG "
           "element")
      .essential()
      .metavar("N|PROPERTY");
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
      "A class with its own map and radii, once per class, with maps of one size, in any space "
      "that "
      "takes a MAP; `as`, `mask`, `slope` and other map options apply to all of them; each class "
      "and all together are evenly spread and leave no gaps; `classes` sets their shares, "
      "otherwise "
      "the radii do");
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

void refuse_option(const std::string& option, const std::string& why) {
  throw Error(ErrorKind::usage, Problem{option, why});
}

double depth_of(const PointsOptions& options) {
  return is_one_side(options) ? options.size.width : options.size.depth;
}
double extent_of(const PointsOptions& options) {
  return is_one_side(options) ? options.size.width : options.size.extent;
}

bool has_four_dimensions(const PointsOptions& options) {
  return options.dimensions == 4 || options.size.extent != 1;
}

bool is_volume(const PointsOptions& options, const Image* map) {
  const int dimensions = options.dimensions;
  if (map != nullptr) {
    if (dimensions == 4) {
      refuse_option("dimensions", "must be at most 3 with a MAP, because its slices form a volume");
    }
    return dimensions == 3;
  }
  const Size& size = options.size;
  const std::string text = "`size` " + to_text(size);
  if (dimensions == 2 && !size.is_flat())
    refuse_option("dimensions", "is 2, but " + text + " has a depth");
  if (dimensions == 3 && size.extent != 1) {
    refuse_option("dimensions", "is 3, but " + text + " has four sides");
  }
  if (dimensions == 3 && size.depth == 1 && !is_one_side(options)) {
    refuse_option("dimensions", "is 3, so `size` needs a depth, such as " + to_text(size) + "x64");
  }
  if (dimensions == 4 && size.extent == 1 && !is_one_side(options)) {
    refuse_option("dimensions",
                  "is 4, so `size` needs four sides, such as 64x64x64x64, or one side for all");
  }
  return !size.is_flat() || dimensions > 2;
}

std::vector<Length> class_radii_of(std::string_view text) {
  std::vector<Length> radii;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    Length radius;
    from_text(text.substr(0, end), radius);
    if (!(radius.value > 0)) {
      throw Error(ErrorKind::usage, "a radius must be above 0, not " + to_text(radius));
    }
    radii.push_back(radius);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return radii;
}

std::vector<double> shares_of_classes(std::string_view text, std::size_t classes,
                                      const std::string& by) {
  if (text.empty()) return {};
  std::vector<double> shares = shares_of(text);
  if (shares.size() == classes) return shares;
  refuse_option("classes", "has " + std::to_string(shares.size()) + " shares, but `" + by +
                               "` has " + std::to_string(classes) +
                               " classes: give one share per class");
}

}  // namespace dapple
