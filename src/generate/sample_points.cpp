// `sample`: a point set from a map, or from one radius everywhere.
#include <array>

#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "generate/registry.hpp"

namespace dapple {
namespace {

constexpr std::int64_t default_count = 10000;
// Pixels an inch, as in the SVG files that points are drawn to.
constexpr double pixels_per_mm = 96 / 25.4;

// What --inset holds inside: points, or whole discs of diameter r.
enum class Inside { points, discs };
std::span<const std::string_view> option_names(Inside) {
  static constexpr std::array<std::string_view, 2> names{"points", "discs"};
  return names;
}

class SampleJob : public Job {
 public:
  void describe(OptionList& list) override {
    dapple::describe(sample_, list);
    list.group("Map");
    list.add("size", size_, "Size of the domain where no map is given: one radius everywhere")
        .metavar("WxH");
    dapple::describe(field_, list);
    list.group("Map");
    list.add("inset", inset_,
             "Nothing nearer than this to the border or to where the map or --mask allows nothing");
    list.add("inside", inside_, "What stays that far inside: points, or whole discs of diameter r");
  }

  Result run(const Image* input, Context& context) override {
    const DensityField field = input != nullptr ? field_of(*input, context) : plain_field(context);
    const auto stage = context.stage("sample");
    Result result;
    result.points = sample(inset(field, context), sample_, field_.count, context);
    return result;
  }

 private:
  DensityField field_of(const Image& map, Context& context) const {
    const Scale scale{static_cast<double>(std::min(map.width(), map.height())), pixels_per_mm};
    return make_field(map, field_, sample_.wrap, scale, default_count, context);
  }

  DensityField inset(const DensityField& field, Context& context) const {
    const double distance = inset_.pixels({field.domain().shorter_side(), pixels_per_mm});
    if (distance < 0) throw Error(ErrorKind::usage, "--inset must not be below 0");
    if (distance == 0 && inside_ == Inside::points) return field;
    if (field.domain().wrap && field.is_constant()) {
      context.warn("--inset changes nothing: a torus has no border, and there is no mask");
      return field;
    }
    return field.with_inset(distance, inside_ == Inside::discs);
  }

  DensityField plain_field(Context& context) const {
    const auto stage = context.stage("field");
    const Domain domain{static_cast<double>(size_.pixel_width(pixels_per_mm)),
                        static_cast<double>(size_.pixel_height(pixels_per_mm)), sample_.wrap};
    return make_constant_field(domain, field_, {domain.shorter_side(), pixels_per_mm},
                               default_count);
  }

  SampleOptions sample_;
  FieldOptions field_;
  Size size_{512, 512};
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
      "of a map are dense; --as tone makes dark parts dense, --as radius reads distances. Without "
      "a map the points are evenly dense over --size.\n\n"
      "Give the density by --radius, the distance between points where they are densest, or by "
      "--count; without either, about 10000 points are placed.";
  row.input = InputKind::optional_image;
  row.input_name = "MAP";
  row.makes_points = true;
  row.default_extension = "csv";
  row.stage = "sample";
  row.examples = {
      {"sample density.png --count 20000 -o points.csv",
       "exactly 20000 points, dense where bright"},
      {"sample photo.jpg --as tone --radius 2:40 -o points.svg",
       "dark = dense, distances of 2 to 40 pixels"},
      {"sample --size 1024x1024 --radius 8 --wrap -o tile.png",
       "an even set that tiles, drawn as a picture"},
      {"sample --size 512 --count 4096 --method bridson --start center -o -",
       "Bridson's growth from the middle, as CSV on standard output"},
      {"sample --size 512 --radius 4 --keep trees.csv --inset 2% -o meadow.csv",
       "fills the room between points that are there already, away from the border"},
  };
  row.make = [] { return std::unique_ptr<Job>(std::make_unique<SampleJob>()); };
  return row;
}

}  // namespace dapple
