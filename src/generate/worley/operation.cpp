// Runs the command `worley`: chooses which of its outputs are made, painted and shown.
#include "dapple/extend/operation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "dapple/worley.hpp"
#include "generate/worley/material/material.hpp"
#include "generate/worley/outputs.hpp"
#include "generate/worley/texture.hpp"

namespace dapple {

using namespace cells;

namespace {

void store_halves(Image& texture) {
  constexpr float most = 65504;
  for (std::size_t c = 0; c < texture.channels.size(); ++c) {
    if (texture.is_label(c)) continue;
    const auto values = texture.channels[c].values();
    if (std::any_of(values.begin(), values.end(), [](float v) { return std::abs(v) > most; })) {
      throw Error(ErrorKind::usage, "`bits half` holds values up to 65504, but " +
                                        texture.names[c] +
                                        " has larger ones: leave it out, or use `bits float`");
    }
  }
  texture.type = PixelType::f16;
}

// Returns the integer type of the file, if one was chosen.
std::optional<PixelType> integers_of(WorleyBits bits) {
  if (bits == WorleyBits::u8) return PixelType::u8;
  if (bits == WorleyBits::u16) return PixelType::u16;
  return std::nullopt;
}

// Returns a display that stores its image in integers of this type.
template <class Change>
auto in_integers(Change display, PixelType type) {
  return [=](const Image& image) {
    Image shown = display(image);
    shown.type = type;
    return shown;
  };
}

constexpr std::array pairs{
    PairRule{"rotate..interpolation", Pair::needs, "density"},
    PairRule{"tone", Pair::wants, "as tone"},
    PairRule{"white-cutoff", Pair::wants, "as tone"},
    PairRule{"slope", Pair::needs, "density"},
    PairRule{"density", Pair::excludes, "points", "which are the sites"},
    PairRule{"points-size", Pair::needs, "points"},
    PairRule{"method", Pair::excludes, "points", "which are the sites"},
    PairRule{"radius", Pair::excludes, "points", "which are the sites"},
    PairRule{"count", Pair::excludes, "points", "which are the sites"},
    PairRule{"motion", Pair::needs, "frames"},
    PairRule{"roughness", Pair::wants, "octaves"},
    PairRule{"color-of", Pair::wants, "outputs color or pack ..=color"},
    PairRule{"gradient..gloss", Pair::wants, "outputs color or pack ..=color"},
    PairRule{"variation", Pair::wants, "gradient"},
    PairRule{"normal-strength", Pair::wants,
             "outputs normal|occlusion|curvature|height or "
             "pack ..=normal|..=occlusion|..=curvature|..=height"},
    PairRule{"normal-y", Pair::wants, "outputs normal or pack ..=normal"},
    PairRule{"height-scale", Pair::wants,
             "outputs height|normal|slope|occlusion|curvature or "
             "pack ..=height|..=normal|..=slope|..=occlusion|..=curvature"},
    PairRule{"height-scale", Pair::excludes, "normal-strength", "which sets the same steepness"},
    PairRule{"material", Pair::excludes, "normal-y down",
             "because its programs expect green to point up"},
    PairRule{"occlusion-radius", Pair::wants, "outputs occlusion or pack ..=occlusion"},
    PairRule{"curvature-radius", Pair::wants, "outputs curvature or pack ..=curvature"},
    PairRule{"surface..surface-variation", Pair::wants, "outputs roughness or pack ..=roughness"},
    PairRule{"randomness", Pair::excludes, "points or density or method or radius",
             "which place sites differently"},
    PairRule{"row-offset", Pair::needs, "randomness"},
    PairRule{"angle", Pair::needs, "stretch or randomness or metric"},
    PairRule{"line-width", Pair::wants, "outputs lines or line-color or pack ..=lines"},
    PairRule{"antialias", Pair::wants,
             "outputs random|color|lines or pack ..=random|..=color|..=lines"},
    PairRule{"ids", Pair::needs, "outputs id or pack ..=id"},
    PairRule{"bevel", Pair::wants, "height-of edge"},
    PairRule{"bevel-profile", Pair::wants, "bevel"},
};

// The outputs of a material.
const std::vector<std::string> material_outputs{"color",     "height",    "normal",
                                                "roughness", "occlusion", "id"};

// Returns the given options that the outputs do not use.
std::vector<Problem> idle_of(const WorleyOptions& options, const WorleyLook& look, bool paints) {
  const WorleyOptions unset;
  const OutputNeeds needs = needs_of(options);
  const bool heights = needs.relief || (paints && look.is_lit());
  std::vector<Problem> problems;
  const auto refuse = [&](bool given, bool used, const char* option, const char* why) {
    if (given && !used) problems.push_back({option, why});
  };
  const bool painted_over =
      paints && (!look.gradient.empty() || (!look.color_of.empty() && look.color_of != "color"));
  refuse(options.colors.image != nullptr || !options.colors.path.empty(), !painted_over, "colors",
         "has no effect, because `gradient` and `color-of` paint over the colors of cells: leave "
         "those or `colors` out");
  constexpr const char* of_heights =
      "works only with heights, slopes and normals: add one to `outputs`, or give `relief`";
  refuse(options.height_of != unset.height_of, heights, "height-of", of_heights);
  refuse(options.bevel != unset.bevel, heights, "bevel", of_heights);
  refuse(options.smooth != unset.smooth, needs.cells.distances[0] || options.octaves > 1, "smooth",
         paints ? "works only with f1, which `color-of` and `line-color` do not draw: add f1 to "
                  "`outputs`, or leave one of them out"
                : "works only with f1: add f1 to `outputs`, or leave this option out");
  const auto& distances = needs.cells.distances;
  const bool layered =
      heights || std::find(distances.begin(), distances.end(), true) != distances.end();
  refuse(options.octaves != unset.octaves, layered, "octaves",
         paints ? "works only with distances and heights, which `line-color` does not draw: add "
                  "one to `outputs`, or leave one of them out"
                : "works only with distances and heights: add one to `outputs`, or leave this "
                  "option out");
  return problems;
}

class WorleyJob : public Job {
 public:
  WorleyJob() { options_.outputs.clear(); }  // settle_outputs() chooses them

  void describe(OptionList& list) override {
    dapple::describe(sites_, options_, list);
    dapple::describe(channels_, list);
    dapple::describe(look_, list);
    dapple::describe(field_, list);
    describe_colorspace(list);
  }

  void settle_outputs(bool apart) override {
    if (!options_.outputs.empty() || !channels_.pack.empty()) return;
    if (apart) options_.outputs = material_outputs;
    if (!apart && look_.is_picture()) options_.outputs = {"color"};
  }

  std::vector<Problem> unused_options() const override {
    if (!channels_.pack.empty() && !options_.outputs.empty()) return {};
    const WorleyOptions options = asked();
    const bool paints = has(options, "color") && look_.is_picture();
    // Outputs under the painting count, too.
    WorleyOptions all = options;
    if (paints) {
      const auto more = painted_outputs(look_);
      all.outputs.insert(all.outputs.end(), more.begin(), more.end());
    }
    std::vector<Problem> problems = idle_of(all, look_, paints);
    const auto refuse = [&](bool given, const char* option, const char* why) {
      if (given) problems.push_back({option, why});
    };
    const bool lights = !has(options, "normal");
    constexpr const char* of_normal =
        "cannot be combined with `outputs normal`, because programs light the color by the normal "
        "map: leave one of them out";
    refuse(look_.relief > 0 && !lights && paints, "relief", of_normal);
    refuse(look_.gloss > 0 && !lights && paints, "gloss", of_normal);
    // Grades apply to the gradient if there is one to paint, otherwise to outputs that are graded.
    const bool gradient = !look_.gradient.empty() || !look_.color_of.empty();
    const bool graded = look_.is_picture() ? paints && gradient : has_graded(options);
    const char* const of_grades =
        look_.is_picture() ? "applies to the gradient, and there is none: give `gradient` with "
                             "color in `outputs`; for one output give `levels` NAME=LO:HI"
                           : "works only with distances, counts and fractions: add one to "
                             "`outputs`, or leave this option out";
    refuse(!look_.levels.all.empty() && !graded, "levels", of_grades);
    refuse(look_.curve != 1 && !graded, "curve", of_grades);
    refuse(look_.invert_output && !graded, "invert-output", of_grades);
    refuse(!colorspace.empty() && (!channels_.pack.empty() || !has(options, "color")), "colorspace",
           "works only with the output color, and not in a pack: add color to `outputs`, or leave "
           "this option out");
    const bool numbers_alone = std::all_of(options.outputs.begin(), options.outputs.end(),
                                           [](const std::string& name) { return name == "id"; });
    const bool floats = channels_.bits == WorleyBits::half || channels_.bits == WorleyBits::full;
    refuse(channels_.ids == WorleyIds::integers && numbers_alone && floats, "bits",
           "cannot be combined with `ids uint`, which writes 32-bit integers: leave one of them "
           "out, or name another output");
    for (const auto& [name, range] : look_.levels.each) {
      if (!has(options, name))
        problems.push_back(
            {"levels", "names the output " + name + ", which is not among `outputs`"});
    }
    return problems;
  }

  std::vector<JobOutput> outputs_apart() const override {
    std::vector<JobOutput> apart;
    if (!channels_.pack.empty()) return apart;
    for (const std::string& name : asked().outputs) {
      const auto channels = static_cast<int>(parse_output(name).channels.size());
      apart.push_back({name, name == "color" ? 0 : channels});
    }
    return apart;
  }

  Result run(const Image*, Context& context) override {
    if (!channels_.pack.empty() && !options_.outputs.empty()) {
      throw Error(ErrorKind::usage, "`pack` names its outputs itself: leave `outputs` out");
    }
    WorleyOptions options = asked();
    const bool tiles = static_cast<bool>(udim());
    const int width = sites_.width();
    const int height = sites_.height();
    if (options.colors.image && !has(options, "color")) {
      throw Error(ErrorKind::usage,
                  "`colors` works only with the output color: add color to `outputs`, or leave "
                  "`colors` out");
    }
    const WorleyLook look = look_beside(options);
    const bool paints = has(options, "color") && look.is_picture();
    std::vector<Points> octaves = worley_octaves(sites_, options.octaves, field_, context);
    options.depth = sites_.depth();
    options.whole_ids = channels_.ids == WorleyIds::integers;
    if (by_rows && !paints && colorspace.empty() &&
        is_better_by_rows(octaves, width, height, options, context)) {
      RowsMade rows = made_by_rows(worley_rows(octaves, width, height, options, context));
      return {std::move(octaves[0]), std::move(rows)};
    }
    ImageMade made{paints ? painted_texture(octaves, width, height, options, look, context)
                          : worley(octaves, width, height, options, context)};
    made.image.hints.tileable = octaves[0].domain.wrap && !tiles;
    made.image.hints.half_enough = channels_.bits == WorleyBits::usual;
    if (channels_.bits == WorleyBits::half) store_halves(made.image);
    const auto integers = integers_of(channels_.bits);
    if (integers) made.image.type = *integers;
    for (const std::string& output : options.outputs) {
      const AskedOutput part = parse_output(output);
      made.parts.push_back({output, part.channels.size(), integers.value_or(part.type())});
    }
    made.display = [look = data_look()](const Image& image) {
      return is_color(image) ? picture_of_color(image) : normalized(image, look);
    };
    if (channels_.any()) arrange(made);
    if (integers) made.display = in_integers(std::move(made.display), *integers);
    return {std::move(octaves[0]), std::move(made)};
  }

  std::optional<ImageShape> image_shape() const override {
    WorleyOptions options = asked();
    options.depth = sites_.depth();
    options.whole_ids = channels_.ids == WorleyIds::integers;
    ImageShape shape{sites_.width(), sites_.height(), std::max(options.depth, options.frames),
                     empty_pixel(options)};
    if (channels_.bits == WorleyBits::half) shape.pixel.type = PixelType::f16;
    if (const auto integers = integers_of(channels_.bits)) shape.pixel.type = *integers;
    if (channels_.any()) shape.pixel = arranged(shape.pixel, channels_);
    return shape;
  }

  UdimSet udim() const override {
    const Size& set = sites_.udim;
    if (set.empty()) return {};
    const UdimSet tiles{set.pixel_width(), set.pixel_height()};
    if (tiles.columns > 10) {
      throw Error(
          ErrorKind::usage,
          Problem{"udim", "must be at most 10 tiles across, not " + std::to_string(tiles.columns) +
                              ", because tile numbers go up by 10 per row"});
    }
    if (sites_.size.depth > 1 || options_.frames > 1) {
      throw Error(
          ErrorKind::usage,
          "`udim` makes tiles of one flat texture: leave `frames` and the depth of `size` out");
    }
    if (tiles.rows > 899)
      throw Error(ErrorKind::usage,
                  Problem{"udim", "must be at most 899 rows, because tile numbers end at 9999"});
    return tiles;
  }

  int data_channels() const override {
    if (!channels_.pack.empty()) return packed_channels(channels_.pack);
    const auto outputs = asked().outputs;
    return outputs == std::vector<std::string>{"color"} ? 0 : worley_channels(outputs);
  }

 private:
  static bool has(const WorleyOptions& options, std::string_view output) {
    return std::find(options.outputs.begin(), options.outputs.end(), output) !=
           options.outputs.end();
  }
  static bool has_graded(const WorleyOptions& options) {
    const std::vector<AskedOutput> outputs = parse_outputs(options.outputs);
    return std::any_of(outputs.begin(), outputs.end(), [](const AskedOutput& output) {
      return output.row == nullptr || is_graded(output.row->span);
    });
  }
  // Returns true if the output color is the only output.
  static bool is_color(const Image& image) {
    return image.names.size() == 3 && image.names[0] == "color.R";
  }

  // Returns the options with their outputs, wherever these are named.
  WorleyOptions asked() const {
    WorleyOptions options = options_;
    options.stretch = sites_.stretch;
    options.angle = sites_.angle;
    if (!channels_.pack.empty()) options.outputs = packed_outputs(channels_.pack);
    if (options.outputs.empty()) options.outputs = {look_.is_picture() ? "color" : "f1"};
    return options;
  }

  // Removes the light if there is a normal map: programs light the color by the map.
  WorleyLook look_beside(const WorleyOptions& options) const {
    WorleyLook look = look_;
    if (has(options, "normal")) look.relief = look.gloss = 0;
    return look;
  }
  // Returns the look of outputs that are numbers: levels of a gradient do not apply to them.
  WorleyLook data_look() const {
    if (!look_.is_picture()) return look_;
    WorleyLook look;
    look.levels.each = look_.levels.each;
    return look;
  }

  // Larger textures are as fast by rows. Smaller ones fit into memory, except with strict limits.
  bool is_better_by_rows(std::span<const Points> octaves, int width, int height,
                         const WorleyOptions& options, const Context& context) const {
    constexpr double large = 1 << 25;  // pixels, of up to four channels
    const double values = 1.0 * width * height * std::max(4, data_channels()) / 4;
    const bool fits = worley_memory(octaves, width, height, options) <=
                      static_cast<double>(memory_limit(context.limits));
    return !udim() && has_rows(options) && (prefers_rows || !fits || values >= large);
  }

  RowsMade made_by_rows(const ImageRows& texture) const {
    const auto changed = [](ImageRows rows, auto change) {
      rows.rows = [make = std::move(rows.rows), change](int first, int last) {
        return change(make(first, last));
      };
      return rows;
    };
    const auto store = [channels = channels_](Image image) {
      if (channels.bits == WorleyBits::half && image.type == PixelType::f32) store_halves(image);
      if (const auto integers = integers_of(channels.bits)) image.type = *integers;
      if (channels.any()) image = arranged(image, channels);
      return image;
    };
    return {changed(texture, store),
            [=, look = data_look()] { return changed(normalized(texture, look), store); }};
  }

  // Arranges the channels of the image and of its display.
  void arrange(ImageMade& made) const {
    if (channels_.pack.empty()) {
      made.image = arranged(made.image, channels_);
      made.display = [display = made.display, channels = channels_](const Image& image) {
        return arranged(display(out_of_layer(image, channels.layer)), channels);
      };
      return;
    }
    made.parts.clear();
    const auto texture = std::make_shared<const Image>(std::move(made.image));
    made.image = arranged(*texture, channels_);
    made.display = [texture, look = data_look(), channels = channels_](const Image&) {
      return arranged(normalized(*texture, look), channels);
    };
  }

  SiteOptions sites_;
  WorleyOptions options_;
  WorleyChannels channels_;
  WorleyLook look_;
  FieldOptions field_;
};

}  // namespace

namespace {

std::string details() {
  std::string text =
      "Makes Worley textures (Worley 1996) from well-spread points. They are exact, tile by "
      "default, and cells may vary in size as much as a density map asks. .exr, .tx and float .tif "
      "files hold distances in pixels, with one channel per output. 8 and 16 bit files are scaled "
      "to the range of values and record it in their metadata (dapple:scale.F1 = 0..23.4 "
      "px).\n\nWith `power`, cells follow the spacing of their sites. Distances then have an "
      "offset: f1 is 0 only at the site with the largest radius. In a volume, distances are "
      "measured in space; borders, areas, vectors and slopes are those of each slice.\n\nOutputs "
      "besides the distances f1 to f8:\n";
  for (const Output& row : output_rows()) {
    text += "\n- " + std::string(row.name);
    if (!row.parts.empty()) text += " (" + std::to_string(row.parts.size()) + " channels)";
    text += ": " + std::string(row.doc);
  }
  return text;
}

}  // namespace

Operation worley_operation() {
  Operation row;
  row.name = "worley";
  row.summary = "Cell textures: distances, borders, ids, colors, normals";
  static const std::string text = details();
  row.details = text;
  row.input = InputKind::none;
  row.makes_points = true;
  row.makes_image = true;
  row.makes_material = true;
  row.measured = Measured::points;
  row.default_extension = "png";
  row.stage = "worley";
  row.examples = {
      {"worley `count` 200 -o cells.png", "a 512x512 cell texture that tiles"},
      {"worley `size` 1024 `count` 400 `outputs` edge,random,normal -o plates.exr",
       "distances, a value per cell and a normal map in one float file"},
      {"worley `size` 2048 `count` 65536 `outputs` f1,id -o cells.tx",
       "a tiled, mipmapped texture for renderers"},
      {"worley `size` 256 `count` 80 `frames` 24 `outputs` f2-f1 -o 'cells-{frame}.png'",
       "frames of a looping animation"},
      {"worley `size` 64x64x64 `count` 500 `outputs` edge -o cells.ktx2",
       "a volume of 3D cells, seamless in all three directions"},
      {"worley `preset` texture-cobbles -o 'cobbles_{output}.png'",
       "a material: color, height, normal, roughness, occlusion and id, one file each"},
      {"worley `size` 1024 `udim` 3x2 `count` 6000 -o 'cells.<UDIM>.exr'",
       "six tiles of one texture, numbered from 1001"},
      {"worley `density` map.png `count` 3000 `outputs` f2-f1 -o veins.png",
       "small cells where the map is bright"},
  };
  row.pairs = pairs;
  row.make = [] { return std::unique_ptr<Job>(std::make_unique<WorleyJob>()); };
  return row;
}

}  // namespace dapple
