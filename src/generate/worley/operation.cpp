// The command `worley`: its options, where its sites come from, and what integer files show of it.
#include "dapple/operation.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "core/doors.hpp"
#include "core/random.hpp"
#include "dapple/error.hpp"
#include "dapple/worley.hpp"
#include "generate/worley/outputs.hpp"
#include "generate/worley/texture.hpp"

namespace dapple {

using namespace cells;

namespace {

constexpr std::array<std::string_view, 3> metric_names{"euclidean", "manhattan", "chebyshev"};
constexpr std::string_view minkowski_prefix = "minkowski:";

std::optional<Metric> parse_metric(std::string_view text) {
  for (std::size_t i = 0; i < metric_names.size(); ++i) {
    if (text == metric_names[i]) return Metric(static_cast<Metric::Kind>(i));
  }
  if (!text.starts_with(minkowski_prefix)) return {};
  text.remove_prefix(minkowski_prefix.size());
  double p = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), p);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  if (!(p >= Metric::least_p && p <= Metric::most_p)) return {};
  return Metric(Metric::minkowski, p);
}

}  // namespace

std::string to_text(const Metric& metric) {
  if (metric.kind == Metric::minkowski) return std::string(minkowski_prefix) + shortest(metric.p);
  const auto kind = static_cast<std::size_t>(metric.kind);
  return kind < metric_names.size() ? std::string(metric_names[kind]) : std::to_string(kind);
}

void from_text(std::string_view text, Metric& metric) {
  const std::optional<Metric> parsed = parse_metric(text);
  if (!parsed) {
    throw Error(ErrorKind::usage, "expected a metric, not '" + std::string(text) + "'");
  }
  metric = *parsed;
}

std::string to_text(NormalY y) {
  return y == NormalY::up ? "up" : "down";
}

void from_text(std::string_view text, NormalY& y) {
  y = text == "down" || text == "directx" ? NormalY::down : NormalY::up;
}

namespace {

// Names of outputs, in the order of the help.
std::vector<std::string> output_words() {
  std::vector<std::string> words;
  for (std::size_t k = 1; k <= most_distances; ++k) words.push_back("f" + std::to_string(k));
  words.emplace_back("f2-f1");
  words.insert(words.end(), worley_outputs().begin(), worley_outputs().end());
  return words;
}

}  // namespace

int SiteOptions::width() const {
  Size whole = size;
  if (!udim.empty()) whole.width = 1.0 * size.pixel_width() * udim.pixel_width();
  return whole.pixel_width();
}

int SiteOptions::height() const {
  Size whole = size;
  if (!udim.empty()) whole.height = 1.0 * size.pixel_height() * udim.pixel_height();
  return whole.pixel_height();
}

int SiteOptions::depth() const {
  if (size.depth > std::numeric_limits<int>::max()) {
    throw Error(ErrorKind::limit, Problem{"size", shortest(size.depth) + " slices are too many"});
  }
  if (size.depth != std::floor(size.depth)) {
    throw Error(ErrorKind::usage, Problem{"size", "a depth is a whole number of slices, not " +
                                                      shortest(size.depth)});
  }
  return static_cast<int>(size.depth);
}

void describe(SiteOptions& sites, WorleyOptions& options, OptionList& list) {
  list.group("Texture");
  list.add("size", sites.size,
           "Width and height of the texture; with a depth, slices through cells of space")
      .essential()
      .metavar("WxH|WxHxD");
  list.add("udim", sites.udim,
           "A set of so many tiles across and down, each of `size`, numbered from 1001 where the "
           "name holds <UDIM>; `count` is for all of it")
      .metavar("COLUMNSxROWS")
      .check([](std::string_view text) {
        Size set;
        try {
          from_text(text, set);
          set.pixel_width();
          set.pixel_height();
        } catch (const Error&) {
          return std::string("must be tiles across and down, whole numbers from 1 such as 3x2");
        }
        return std::string(set.depth == 1 ? "" : "must be tiles across and down, not in depth");
      });
  list.add("outputs", options.outputs,
           "What to make: distances to the nearest, second ... eighth site, sums of them, or what "
           "is listed above")
      .essential()
      .alias("output")
      .metavar("NAME,...")
      .words(output_words())
      .or_form("sums such as f3-f1 or 2*f1-0.5f4",
               [](std::string_view text) { return parse_sum(text).has_value(); });
  list.add("metric", options.metric,
           "How distance is measured: round, diamond or square cells, or between these; P from "
           "0.25 (stars) to 32")
      .essential()
      .metavar("euclidean|manhattan|chebyshev|minkowski:P")
      .words({metric_names.begin(), metric_names.end()})
      .or_form("minkowski:P with P from 0.25 to 32",
               [](std::string_view text) { return parse_metric(text).has_value(); });
  list.add("power", options.power,
           "Power cells: as large as the spacing of their sites, from 0 (Voronoi) to 1")
      .range(0, 1);
  list.add("frames", options.frames,
           "Frames of an animation that loops: sites move on closed paths")
      .range(1, 10000);
  list.add("motion", options.motion,
           "How far sites move from their places; 0: a third of their spacing");
  list.add("colors", options.colors, "Picture that the output color has its colors from");
  list.add("wrap", sites.wrap, "Tile without a seam");
  list.add("line-width", options.line_width, "Width of the borders in the output lines")
      .essential();
  list.add("octaves", options.octaves, "Layers of cells, each half the size of the one before")
      .alias("layers")
      .range(1, 8);
  list.add("roughness", options.roughness, "How much the finer octaves count").range(0, 1);
  list.add("smooth", options.smooth, "Round off the creases of f1 within this distance")
      .essential();
  list.add("antialias", options.antialias,
           "Pixels of random, color and lines show the exact shares of their cells");
  list.add("warp", options.warp, "Bend everything by up to this much");
  list.add("height-of", options.height_of,
           "What height and normal are made of: cones (f1), valleys (f2-f1) or plates (edge)");
  list.add("bevel", options.bevel, "Plates rise over this width from their edge; 0: all the way");
  list.add("profile", options.profile,
           "How they rise: as a quarter circle, straight, flat at both ends, or hollow");
  list.add("normal-strength", options.normal_strength, "Steepness of the normal map")
      .range(0, 1000);
  list.add("normal-y", options.normal_y,
           "Green of the normal map points up (OpenGL) or down (DirectX)")
      .metavar("up|down|opengl|directx")
      .words({"up", "down", "opengl", "directx"});
  list.add("occlusion-radius", options.occlusion_radius,
           "How far away heights still shade a place in the output occlusion");
  list.group("Sites");
  list.add("points", sites.points,
           "Sites from a file of points, scaled to the size; with z for a volume");
  list.add("density", sites.density, "Density map for the sites: bright = many small cells")
      .essential();
  list.add("method", sites.method,
           "How sites are placed: darts (even), jittered, random (as Worley did), grid");
}

void describe(WorleyLook& look, OptionList& list) {
  list.group("Look (8 and 16 bit files)");
  list.add("levels", look.levels, "What becomes black and white: pixels, or % of the range")
      .metavar("LO:HI");
  list.add("curve", look.curve, "Above 1 lifts the middle, below 1 lowers it").range(0.01, 100);
  list.add("invert-output", look.invert_output, "Swap black and white of the output");
  list.add("gradient", look.gradient, "Colors of the first output from low to high")
      .essential()
      .metavar("#hex,#hex,...");
  list.add("variation", look.variation, "Shift cells along the gradient, each by its own amount")
      .range(0, 2);
  list.add("line-color", look.line_color, "Draw the borders in this color")
      .essential()
      .metavar("COLOR");
  list.add("relief", look.relief, "Light the height from the top left, this steep")
      .essential()
      .range(0, 1000);
  list.add("gloss", look.gloss, "Highlights of the relief").range(0, 10);
}

PointSet worley_sites(const SiteOptions& options, const FieldOptions& field, Context& context) {
  check(options, WorleyOptions());
  check(field);
  const int width = options.width();
  const int height = options.height();
  const bool deep = options.size.depth > 1;
  if (deep && options.density.image) {
    throw Error(ErrorKind::usage,
                "a volume places its own sites, or takes `points`: leave `density` out, or the "
                "depth of `size`");
  }
  if (options.points.points) {
    PointSet sites = *options.points.points;
    require_columns(sites);
    require_domain(sites.domain);
    sites.domain.wrap = options.wrap;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const Vec2 p = sites.domain.wrapped(sites[i]);
      sites.x[i] = p.x;
      sites.y[i] = p.y;
    }
    if (!deep) {
      sites.z.clear();
      return sites;
    }
    if (sites.z.empty() && !sites.empty()) {
      throw Error(ErrorKind::input,
                  "a volume needs points in space: they have no column z, or one that is 0 or "
                  "goes below; leave the depth of `size` out for flat cells",
                  options.points.path);
    }
    // Scaled as the plane is.
    sites.depth = options.size.depth / scale_of(sites, width, height);
    for (double& z : sites.z) {
      if (sites.domain.wrap && z >= sites.depth) z = std::fmod(z, sites.depth);
    }
    return sites;
  }
  constexpr std::int64_t default_count = 256;
  SampleOptions sampler;
  sampler.method = options.method;
  sampler.wrap = options.wrap;
  const Scale scale{static_cast<double>(std::min(width, height)), 0};
  const std::int64_t count = field.count == 0 && field.radius.empty() ? default_count : field.count;
  if (options.density.image) {
    const DensityField map =
        make_field(*options.density.image, field, options.wrap, scale, default_count, context);
    return sample(map, sampler, count, context);
  }
  const Domain domain{static_cast<double>(width), static_cast<double>(height), options.wrap};
  if (deep) {
    if (options.method != SampleMethod::darts) {
      throw Error(ErrorKind::usage, "a volume is filled by darts: leave `method` out");
    }
    const double radius = field.radius.empty() ? 0 : field.radius.min.pixels(scale);
    return sample_volume(domain, options.size.depth, count, radius, context);
  }
  return sample(make_constant_field(domain, field, scale, default_count), sampler, count, context);
}

std::vector<PointSet> worley_octaves(const SiteOptions& options, int count,
                                     const FieldOptions& field, Context& context) {
  WorleyOptions layers;
  layers.octaves = count;
  check(options, layers);
  std::vector<PointSet> octaves = {worley_sites(options, field, context)};
  const std::uint64_t seed = context.seed;
  SiteOptions finer = options;
  finer.points = {};
  FieldOptions finer_field = field;
  finer_field.radius = {};
  finer_field.count = static_cast<std::int64_t>(octaves[0].size());
  for (int k = 1; k < count; ++k) {
    finer_field.count *= options.size.depth > 1 ? 8 : 4;
    context.seed = hash(seed, static_cast<std::uint64_t>(k));
    octaves.push_back(worley_sites(finer, finer_field, context));
  }
  context.seed = seed;
  return octaves;
}

namespace {

// Colors in linear light as a picture.
Image color_picture(const Image& texture) {
  Image picture = texture;
  picture.names = {"R", "G", "B"};
  picture.encoding = Encoding::srgb;
  picture.type = PixelType::u8;
  for (Plane<float>& plane : picture.channels) {
    for (float& value : plane.values()) value = linear_to_srgb(value);
  }
  return picture;
}

void store_halves(Image& texture) {
  constexpr float most = 65504;
  for (std::size_t c = 0; c < texture.channels.size(); ++c) {
    if (texture.is_label(c)) continue;
    const auto values = texture.channels[c].values();
    if (std::any_of(values.begin(), values.end(), [](float v) { return std::abs(v) > most; })) {
      throw Error(ErrorKind::usage, "`bits half` holds numbers up to 65504, and " +
                                        texture.names[c] +
                                        " has larger ones: leave it out, or take `bits float`");
    }
  }
  texture.type = PixelType::f16;
}

constexpr std::array pairs{
    PairRule{"tones-from..interpolation", Pair::needs, "density"},
    PairRule{"slope", Pair::needs, "density"},
    PairRule{"density", Pair::excludes, "points", "which are the sites"},
    PairRule{"method", Pair::excludes, "points", "which are the sites"},
    PairRule{"radius", Pair::excludes, "points", "which are the sites"},
    PairRule{"count", Pair::excludes, "points", "which are the sites"},
    PairRule{"pack", Pair::excludes, "gradient or line-color or relief or gloss",
             "which makes a picture of them"},
    PairRule{"motion", Pair::needs, "frames"},
    PairRule{"roughness", Pair::needs, "octaves"},
    PairRule{"variation", Pair::needs, "gradient"},
    PairRule{"normal-strength", Pair::needs, "outputs normal or pack"},
    PairRule{"normal-y", Pair::needs, "outputs normal or pack"},
    PairRule{"occlusion-radius", Pair::needs, "outputs occlusion or pack"},
    PairRule{"line-width", Pair::needs, "outputs lines or line-color or pack"},
    PairRule{"antialias", Pair::needs, "outputs random|color|lines or line-color or pack"},
    PairRule{"ids", Pair::needs, "outputs id or pack"},
    PairRule{"bevel", Pair::needs, "height-of edge"},
    PairRule{"profile", Pair::needs, "bevel"},
};

// Options that depend on what the outputs are made of.
void refuse_idle(const WorleyOptions& options, const WorleyLook& look) {
  const WorleyOptions unset;
  const OutputNeeds needs = needs_of(options);
  const bool heights = needs.relief || look.relief > 0 || look.gloss > 0;
  std::vector<Problem> problems;
  const auto refuse = [&](bool given, bool used, const char* option, const char* why) {
    if (given && !used) problems.push_back({option, why});
  };
  constexpr const char* of_heights =
      "is for heights, slopes and normals: name one in `outputs`, or give `relief`";
  refuse(options.height_of != unset.height_of, heights, "height-of", of_heights);
  refuse(options.bevel != unset.bevel, heights, "bevel", of_heights);
  refuse(options.smooth != unset.smooth, needs.cells.distances[0] || options.octaves > 1, "smooth",
         "is for f1: add it to `outputs`, or leave one of them out");
  const auto& distances = needs.cells.distances;
  const bool layered =
      heights || std::find(distances.begin(), distances.end(), true) != distances.end();
  refuse(options.octaves != unset.octaves, layered, "octaves",
         "is for distances and heights: name one in `outputs`, or leave one of them out");
  const std::vector<AskedOutput> outputs = parse_outputs(options.outputs);
  const bool graded = look.is_picture() ||
                      std::any_of(outputs.begin(), outputs.end(), [](const AskedOutput& output) {
                        return output.row == nullptr || is_graded(output.row->span);
                      });
  constexpr const char* of_grades =
      "is for distances, counts and fractions: name one in `outputs`, or leave one of them out";
  refuse(!look.levels.empty(), graded, "levels", of_grades);
  refuse(look.curve != 1, graded, "curve", of_grades);
  refuse(look.invert_output, graded, "invert-output", of_grades);
  if (!problems.empty()) throw Error(ErrorKind::usage, problems);
}

class WorleyJob : public Job {
 public:
  void describe(OptionList& list) override {
    dapple::describe(sites_, options_, list);
    dapple::describe(channels_, list);
    dapple::describe(look_, list);
    dapple::describe(field_, list);
  }

  Result run(const Image*, Context& context) override {
    WorleyOptions options = options_;
    const bool tiles = static_cast<bool>(udim());
    const int width = sites_.width();
    const int height = sites_.height();
    if (!channels_.pack.empty()) {
      if (look_.is_picture()) {
        throw Error(ErrorKind::usage,
                    "`pack` makes channels of data: leave the colors, lines and relief out");
      }
      if (options.outputs != WorleyOptions{}.outputs) {
        throw Error(ErrorKind::usage, "`pack` names its outputs itself: leave `outputs` out");
      }
      options.outputs = packed_outputs(channels_.pack);
    }
    const auto& outputs = options.outputs;
    if (options.colors.image &&
        std::find(outputs.begin(), outputs.end(), "color") == outputs.end()) {
      throw Error(ErrorKind::usage,
                  "`colors` is for the output color: add that to `outputs`, or leave `colors` out");
    }
    if (!look_.line_color.empty() && options.metric != Metric::euclidean) {
      throw Error(ErrorKind::usage,
                  "`line-color` draws straight borders: leave it out, or `metric`");
    }
    refuse_idle(options, look_);
    std::vector<PointSet> octaves = worley_octaves(sites_, options.octaves, field_, context);
    options.depth = sites_.depth();
    options.whole_ids = channels_.ids == WorleyIds::integers;
    if (by_rows && is_better_by_rows(octaves, width, height, options, context)) {
      RowsMade rows = made_by_rows(worley_rows(octaves, width, height, options, context));
      return {std::move(octaves[0]), std::move(rows)};
    }
    ImageMade made{worley(octaves, width, height, options, context)};
    made.image.hints.tileable = octaves[0].domain.wrap && !tiles;
    made.image.hints.half_enough = channels_.bits == WorleyBits::usual;
    if (channels_.bits == WorleyBits::half) store_halves(made.image);
    if (look_.is_picture()) {
      const auto picture = std::make_shared<const Image>(
          worley_picture(octaves, width, height, options, look_, context));
      made.display = [picture](const Image&) { return *picture; };
    } else if (options.colors.image && options.outputs == std::vector<std::string>{"color"}) {
      made.display = color_picture;
    } else {
      made.display = [look = look_](const Image& image) { return normalized(image, look); };
    }
    if (channels_.any()) arrange(made);
    return {std::move(octaves[0]), std::move(made)};
  }

  UdimSet udim() const override {
    const Size& set = sites_.udim;
    if (set.empty()) return {};
    const UdimSet tiles{set.pixel_width(), set.pixel_height()};
    if (tiles.columns > 10) {
      throw Error(
          ErrorKind::usage,
          Problem{"udim", "a set is at most 10 tiles across, not " + std::to_string(tiles.columns) +
                              ": their numbers go up by 10 from row to row"});
    }
    if (sites_.size.depth > 1 || options_.frames > 1) {
      throw Error(ErrorKind::usage,
                  "`udim` makes tiles of one texture: leave `frames` and the depth of `size` out");
    }
    if (tiles.rows > 899) throw Error(ErrorKind::usage, Problem{"udim", "numbers end at 9999"});
    return tiles;
  }

  int data_channels() const override {
    if (look_.is_picture()) return 0;
    return channels_.pack.empty() ? worley_channels(options_.outputs)
                                  : packed_channels(channels_.pack);
  }

 private:
  // Larger ones are searched as fast by rows; smaller ones fit into memory but for strict limits.
  bool is_better_by_rows(std::span<const PointSet> octaves, int width, int height,
                         const WorleyOptions& options, const Context& context) const {
    constexpr double large = 1 << 25;  // pixels, of up to four channels
    const double values = 1.0 * width * height * std::max(4, data_channels()) / 4;
    const bool fits = worley_memory(octaves, width, height, options) <=
                      static_cast<double>(memory_limit(context.limits));
    return !look_.is_picture() && !udim() && has_rows(options) && (!fits || values >= large);
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
      if (channels.any()) image = arranged(image, channels);
      return image;
    };
    return {changed(texture, store),
            [=, look = look_] { return changed(normalized(texture, look), store); }};
  }

  // Files of both kinds are made from the channels as they are named here.
  void arrange(ImageMade& made) const {
    const auto texture = std::make_shared<const Image>(std::move(made.image));
    made.image = arranged(*texture, channels_);
    made.display = [texture, display = made.display, channels = channels_](const Image&) {
      return arranged(display(*texture), channels);
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
      "Worley textures (Worley 1996) from well-spread points, tileable by default and exact: cells "
      "may be as uneven as a density map asks for. .exr, .tx and float .tif hold distances in "
      "pixels, a channel for each output; 8 and 16 bit files are scaled to their range and say how "
      "in their metadata (dapple:scale.F1 = 0..23.4 px).\n\n"
      "With `power`, distances are lifted so that cells follow the spacing of their sites: f1 is 0 "
      "at the largest alone. In a volume they are those in space; borders, areas, vectors and "
      "slopes are those of each slice.\n\nOutputs beside the distances f1 to f8:\n";
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
  row.measured = Measured::points;
  row.default_extension = "png";
  row.stage = "worley";
  row.examples = {
      {"worley `count` 200 -o cells.png", "a tileable 512x512 cell texture"},
      {"worley `size` 1024 `count` 400 `outputs` edge,random,normal -o plates.exr",
       "distances, a value for each cell and a normal map in one float file"},
      {"worley `size` 2048 `count` 65536 `outputs` f1,id -o cells.tx",
       "a tiled, mipmapped texture for renderers"},
      {"worley `size` 256 `count` 80 `frames` 24 `outputs` f2-f1 -o 'cells-{frame}.png'",
       "frames of an animation that loops"},
      {"worley `size` 64x64x64 `count` 500 `outputs` edge -o cells.ktx2",
       "a volume: cells of space, seamless in all three directions"},
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
