// `sample`: a point set from a map, or from one radius everywhere.

#include "core/constants.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "generate/registry.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

constexpr std::int64_t default_count = 10000;

bool parse_window(std::string_view text, Box& box) {
  const std::size_t middle = text.find(',', text.find(',') + 1);
  if (middle >= text.size()) return false;
  return parse_place(text.substr(0, middle), box.x0, box.y0) &&
         parse_place(text.substr(middle + 1), box.x1, box.y1) && box.x0 < box.x1 && box.y0 < box.y1;
}

class SampleJob : public Job {
 public:
  void describe(OptionList& list) override {
    dapple::describe(sample_, list);
    list.group("Map");
    list.add("size", size_, "Size of the domain where no map is given: one radius everywhere")
        .metavar("WxH");
    list.add("window", window_,
             "This part of a plane without end, instead of a domain: equal to the cut-out of any "
             "larger window, even darts of one `radius`")
        .metavar("X0,Y0,X1,Y1")
        .check([](std::string_view text) {
          Box box;
          return text.empty() || parse_window(text, box)
                     ? ""
                     : "must be two corners such as -100,0,100,50, the lesser numbers first";
        });
    dapple::describe(field_, list);
    dapple::describe(scatter_, list);
    list.group("Tiles");
    list.add("wang", wang_,
             "A set of tiles for any arrangement, by so many colors of their corners: 2 makes 16 "
             "tiles of `size`, 3 makes 81; class is the tile. 0: none")
        .range(0, 3);
    list.group("Map");
    list.add("inset", inset_,
             "Nothing nearer than this to the border or to where the map or `mask` allows nothing");
    list.add("inside", inside_, "What stays that far inside: points, or whole discs of diameter r");
  }

  Result run(const Image* input, Context& context) override {
    if (!window_.empty()) return run_window(input, context);
    if (wang_ > 0) return tiles(input, context);
    const DensityField field = input != nullptr ? field_of(*input, context) : plain_field(context);
    const auto stage = context.stage("sample");
    Result result;
    result.points = sample(inset(field, context), sample_, field_.count, context);
    const bool kept = sample_.keep.points != nullptr && !sample_.only_new;
    scatter(*result.points, scatter_, {field.domain().shorter_side(), css_pixels_per_mm},
            kept ? sample_.keep.points->size() : 0, context);
    return result;
  }

 private:
  Result run_window(const Image* input, Context& context) const {
    if (input != nullptr || field_.mask.image || !sample_.keep.path.empty() || field_.count > 0 ||
        sample_.wrap || sample_.certify || sample_.progressive || wang_ > 0 || inset_.value != 0 ||
        sample_.method != SampleMethod::darts) {
      throw Error(ErrorKind::usage,
                  "`window` cuts even darts out of a plane: it takes `radius` and `seed`, and no "
                  "map, `mask`, `keep`, `inset`, `count`, `wrap`, `certify`, `progressive`, `wang` "
                  "or other `method`");
    }
    if (field_.radius.min.value == 0 || !(field_.radius.min == field_.radius.max)) {
      throw Error(ErrorKind::usage, Problem{"window", "needs one `radius`, such as `radius 4`"});
    }
    Box window;
    parse_window(window_, window);
    const double shorter = std::min(window.width(), window.height());
    const auto stage = context.stage("sample");
    Result result;
    result.points =
        sample_window(field_.radius.min.pixels({shorter, css_pixels_per_mm}), window, context);
    scatter(*result.points, scatter_, {shorter, css_pixels_per_mm}, 0, context);
    return result;
  }

  // --size is that of one tile, --radius or --count are of it too.
  Result tiles(const Image* input, Context& context) const {
    const bool plain = input == nullptr && sample_.keep.path.empty() && inset_.value == 0 &&
                       sample_.method == SampleMethod::darts && scatter_.classes.empty();
    if (!plain || size_.width != size_.height) {
      throw Error(ErrorKind::usage,
                  "`wang` makes square tiles of one radius by darts: leave the map, `keep`, "
                  "`inset`, `classes` and other methods out, and give one side, such as `size 64`");
    }
    const DensityField field = plain_field(context);
    const auto stage = context.stage("sample");
    Result result;
    result.points = wang_tiles(field.domain().width, field.radius({0, 0}), wang_, context);
    scatter(*result.points, scatter_, {field.domain().shorter_side(), css_pixels_per_mm}, 0,
            context);
    return result;
  }

  DensityField field_of(const Image& map, Context& context) const {
    const Scale scale{static_cast<double>(std::min(map.width(), map.height())), css_pixels_per_mm};
    return make_field(map, field_, sample_.wrap, scale, default_count, context);
  }

  DensityField inset(const DensityField& field, Context& context) const {
    const double distance = inset_.pixels({field.domain().shorter_side(), css_pixels_per_mm});
    if (distance == 0 && inside_ == Inside::points) return field;
    if (field.domain().wrap && field.is_constant()) {
      context.warn("`inset` changes nothing: a torus has no border, and there is no mask");
      return field;
    }
    return field.with_inset(distance, inside_);
  }

  DensityField plain_field(Context& context) const {
    const auto stage = context.stage("field");
    const Domain domain{static_cast<double>(size_.pixel_width(css_pixels_per_mm)),
                        static_cast<double>(size_.pixel_height(css_pixels_per_mm)), sample_.wrap};
    return make_constant_field(domain, field_, {domain.shorter_side(), css_pixels_per_mm},
                               default_count);
  }

  SampleOptions sample_;
  FieldOptions field_;
  Size size_{512, 512};
  std::string window_;
  ScatterOptions scatter_;
  int wang_ = 0;
  Length inset_;
  Inside inside_ = Inside::points;
};

}  // namespace

Operation sample_operation() {
  Operation row;
  row.name = "sample";
  row.summary = "Makes a point set with blue noise from a density map, or an even one";
  row.details =
      "Places points so that none are nearer than the local radius allows and no room is left for "
      "another (maximal Poisson-disk sampling), exactly, at any ratio of densities. Bright parts "
      "of a map are dense; `as tone` makes dark parts dense, `as radius` reads distances. Without "
      "a map the points are evenly dense over `size`.\n\n"
      "Give the density by `radius`, the distance between points where they are densest, or by "
      "`count`; without either, about 10000 points are placed.";
  row.input = InputKind::optional_image;
  row.input_name = "MAP";
  row.makes_points = true;
  row.default_extension = "csv";
  row.stage = "sample";
  row.examples = {
      {"sample density.png `count` 20000 -o points.csv",
       "exactly 20000 points, dense where bright"},
      {"sample photo.jpg `as tone` `radius` 2:40 -o points.svg",
       "dark = dense, distances of 2 to 40 pixels"},
      {"sample `window` -500,0,500,300 `radius` 6 -o part.csv",
       "a part of a plane without end: windows side by side fit together"},
      {"sample `size` 1024x1024 `radius` 8 `wrap` `certify` -o tile.png",
       "an even set that tiles, proved and drawn as a picture"},
      {"sample `size` 512 `count` 4096 `method` polished `wrap` -o even.csv",
       "4096 points, as even as they get without becoming a lattice"},
      {"sample `size` 512 `count` 4096 `method` bridson `start` center -o -",
       "Bridson's growth from the middle, as CSV on standard output"},
      {"sample `size` 512 `radius 4` `keep` trees.csv `inset` 2% -o meadow.csv",
       "fills the room between points that are there already, away from the border"},
      {"sample `size` 512 `radius` 9 `classes` 0.6,0.3,0.1 `object-size` 4:9 `rotation` 0:360 -o "
       "wood.ply",
       "three kinds of trees with sizes and rotations, for samples/blender_scatter.py"},
      {"sample `wang` 2 `size` 128 `radius` 8 -o tiles.json",
       "16 tiles that fit each other in any arrangement of like corners, with their table"},
  };
  row.make = [] { return std::unique_ptr<Job>(std::make_unique<SampleJob>()); };
  return row;
}

}  // namespace dapple
