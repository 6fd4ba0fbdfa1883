// Runs the command `mask`.
#include "dapple/extend/operation.hpp"

#include <algorithm>
#include <array>

#include "core/preconditions.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/mask.hpp"
#include "generate/mask/engine.hpp"

namespace dapple {

void describe(MaskOptions& o, OptionList& list) {
  list.group("Mask");
  list.add("size", o.size,
           "Size of the mask, which tiles without a seam at any size; a depth makes a volume or "
           "frames; default: 128x128, or the size of `density`")
      .essential()
      .metavar("N|WxH|WxHxD")
      .unit("pixels")
      .check(at_most_deep);
  list.add("kind", o.kind,
           "scalar: a plane, or a volume if there is a depth; spatiotemporal: frames, each even, "
           "and even over time; fractal: dots that stay blue noise when zoomed; vector2, vector3, "
           "cosine: `values` circle, sphere, cosine")
      .essential();
  list.add("method", o.method,
           "void-and-cluster: blue noise; ulichney: the algorithm as published in 1993, with one "
           "Gaussian and a random start; white (plain noise) and bayer (a regular pattern) are for "
           "comparison");
  list.add("channels", o.channels,
           "Number of independent masks in one file: 1 gray, 2 RG, 3 RGB, 4 RGBA")
      .essential()
      .range(1, 4);
  list.add("bits", o.bits,
           "Depth of a value; 8 and 16: every value occurs equally often; auto: 8, but .npy and "
           ".raw hold ranks from 0")
      .essential();
  list.add("values", o.values,
           "Values of pixels: numbers: uniform 0..1, triangular -1..1, gaussian with mean 0 and "
           "standard deviation 1; unit vectors: circle, sphere, hemisphere (all directions equally "
           "often), cosine (cosine-weighted); points: disc, vec2, vec3, vec4 (2, 3, 4 numbers "
           "0..1); a depth makes frames of vectors and points")
      .essential();
  list.add("histogram", o.histogram,
           "Text file with another distribution of the values: weights of equal bins from 0 to 1, "
           "or values with their weights, one per line");
  list.add("points", o.points, "Points that get the first ranks instead of the sampler's points");
  list.add("points-size", o.points_size,
           "Size of the picture that `points` were made for; auto: from their file, otherwise "
           "pixels without scaling if they fit; none: pixels without scaling")
      .metavar("WxH|auto|none");
  list.add("density", o.density,
           "Map that the ranks follow: the pixels below any threshold stipple it (does not tile); "
           "with `values vec2`, the map whose density the points have (importance sampling)");
  list.add("sigma", o.sigma,
           "Size of the grain: smaller is finer and noisier, larger is smoother and coarser")
      .unit("pixels")
      .range(0.7, 4);
  list.add("candidates", o.candidates,
           "Number of masks to choose from: the first that meets the goals for its size wins, "
           "otherwise the best; 0: as many as needed for masks up to 256x256, otherwise one")
      .range(0, 10000);
  list.add("filter-space", o.filter_space,
           "Filter over pixels that follows, for which the mask is made, and its size: sigma of "
           "gauss (1 if left out), width of box (3), order of binomial (2: weights 1 2 1); auto: "
           "none in particular")
      .metavar("auto|box|gauss|binomial[:SIZE]")
      .check(mask::fault_of_space_filter);
  list.add("filter-time", o.filter_time,
           "Filter over frames that follows, for which the mask is made, and its size: sigma of "
           "gauss (1.9 if left out), width of box (8), order of binomial (4), share of the new "
           "frame of ema, an exponential moving average (0.1); auto: averages of 1 to 32 frames; "
           "none: single frames are best, and soonest made")
      .metavar("auto|none|box|gauss|binomial|ema[:SIZE]");
  list.add("separate", o.separate,
           "The filters act each alone: one over pixels of a frame, one over frames of a pixel");
  list.add("product", o.product, "The filters act only together, one after the other");
}

void describe(SamplingMaskOptions& o, OptionList& list) {
  list.group("Sampling mask");
  list.add("grid", o.grid,
           "Makes a mask of frequencies for MRI of this size instead: 1 where to measure, dense in "
           "the middle and sparser with the distance from it")
      .metavar("N|WxH")
      .check(flat_size);
  list.add("acceleration", o.acceleration,
           "Cells of `grid` per sample; the number of samples is exactly W x H / R, rounded")
      .range(0, 1e6)
      .metavar("R");
  list.add("calibration", o.calibration,
           "Cells in the middle of `grid` that are all sampled, and count as samples")
      .metavar("N|WxH")
      .check(flat_size);
}

namespace {

constexpr std::string_view frames_of_filters =
    "kind spatiotemporal or values vec2|vec3|vec4|disc|hemisphere";

constexpr std::array pairs{
    PairRule{"grid", Pair::needs, "acceleration"},
    PairRule{"acceleration", Pair::needs, "grid"},
    PairRule{"calibration", Pair::needs, "grid"},
    PairRule{"grid", Pair::excludes,
             "size or kind or method or channels or bits or values or histogram or points or "
             "density or sigma or candidates or filter-space or certificate or report or "
             "report-sheet",
             "which is for masks of thresholds"},
    PairRule{"rotate..interpolation", Pair::needs, "density"},
    PairRule{"points-size", Pair::needs, "points"},
    PairRule{"tone", Pair::wants, "as tone"},
    PairRule{"white-cutoff", Pair::wants, "as tone"},
    PairRule{"sigma", Pair::needs, "method void-and-cluster|ulichney"},
    PairRule{"candidates", Pair::excludes, "density", "which makes one mask"},
    PairRule{"candidates", Pair::excludes, "points", "which make one mask"},
    PairRule{"candidates", Pair::needs, "method void-and-cluster"},
    PairRule{"candidates", Pair::needs, "kind scalar"},
    PairRule{"candidates", Pair::needs, "values uniform|triangular|gaussian"},
    PairRule{"sigma", Pair::excludes, "density", "whose dots set the grain"},
    PairRule{"filter-space", Pair::needs, "method void-and-cluster"},
    PairRule{"filter-space", Pair::excludes, "kind vector2|vector3|cosine|fractal",
             "which is not made by swaps of a filter"},
    PairRule{"filter-space", Pair::excludes, "values circle|sphere|cosine",
             "which are not made by swaps of a filter"},
    PairRule{"filter-space", Pair::excludes, "points", "which keep the first ranks"},
    PairRule{"filter-space", Pair::excludes, "candidates", "as one mask is improved"},
    PairRule{"filter-time", Pair::needs, frames_of_filters},
    PairRule{"separate", Pair::needs, frames_of_filters},
    PairRule{"separate", Pair::excludes, "product", "which joins the filters"},
    PairRule{"separate", Pair::excludes, "filter-time none", "which leaves one filter"},
    PairRule{"product", Pair::needs, frames_of_filters},
    PairRule{"product", Pair::excludes, "filter-time none", "which leaves one filter"},
    PairRule{"histogram", Pair::excludes, "values", "which it replaces"},
    PairRule{"sigma", Pair::excludes, "kind fractal", "whose size sets its dots"},
    PairRule{"histogram", Pair::excludes, "kind vector2|vector3|cosine",
             "whose vectors have length 1"},
    PairRule{"values", Pair::excludes, "kind vector2|vector3|cosine", "which sets them"},
    PairRule{"histogram", Pair::excludes, "kind fractal", "whose values are distances"},
    PairRule{"values", Pair::excludes, "kind fractal", "whose values are distances"},
};

class MaskJob : public Job {
 public:
  void describe(OptionList& list) override {
    dapple::describe(options_, list);
    dapple::describe(field_, list);
    dapple::describe(sampling_, list);
  }

  Result run(const Image*, Context& context) override {
    ImageMade made;
    if (sampling_.acceleration != 0) {
      const auto stage = context.stage("mask");
      made.ranks.push_back(sampling_mask(sampling_, context));
      made.arrays_hold_ranks = true;
      made.image.encoding = Encoding::data;
      made.image.names = {"Y"};
      made.image.hints.palette = {{0, 0, 0}, {255, 255, 255}};
      const Plane<std::int32_t>& cells = made.ranks.front();
      Plane<float>& shown = made.image.channels.emplace_back(cells.width(), cells.height());
      std::copy(cells.values().begin(), cells.values().end(), shown.values().begin());
      made.about = "sampling mask, seed " + std::to_string(context.seed);
      return {std::nullopt, std::move(made)};
    }
    if (!mask::has_ranks(options_)) {
      made.image = mask::make_values(options_, field_, context);
    } else {
      made.ranks = mask_ranks(options_, field_, context);
      made.arrays_hold_ranks = options_.bits == MaskBits::usual;
      made.image = mask_image(made.ranks, options_);
    }
    made.image.hints.tileable = !options_.density.image || options_.values == MaskValues::vec2;
    if (options_.bits == MaskBits::f16 || options_.bits == MaskBits::f32) {
      made.display = [options = options_](const Image& mask) { return stored_mask(mask, options); };
    }
    made.about =
        "kind " + std::string(word_of(options_.kind)) + ", seed " + std::to_string(context.seed);
    return {std::nullopt, std::move(made)};
  }

  int data_channels() const override { return mask::channel_count(options_); }

  std::optional<ImageShape> image_shape() const override {
    if (sampling_.acceleration != 0) return std::nullopt;
    const bool of_map = !options_.density.path.empty() && options_.values != MaskValues::vec2;
    if (options_.size.empty() && of_map) return std::nullopt;
    return mask::shape_of(options_, static_cast<std::size_t>(data_channels()));
  }

  // The goals apply to plain masks, and to frames.
  bool has_goals() const override {
    if (sampling_.acceleration != 0) return false;
    const MaskOptions plain;
    const bool vectors = mask::component_count(mask::values_of(options_)) > 0;
    const bool frames = vectors || options_.kind == MaskKind::spatiotemporal;
    return (frames || options_.kind == plain.kind) && !mask::holds_points(options_.values) &&
           options_.method == plain.method && options_.filter_space == plain.filter_space &&
           (options_.filter_time == plain.filter_time ||
            options_.filter_time == MaskFilter{MaskFilter::Shape::none}) &&
           (vectors || options_.values == plain.values) && options_.histogram.path.empty() &&
           options_.density.path.empty() && options_.points.path.empty() &&
           options_.sigma == plain.sigma && (frames || options_.size.depth <= 1);
  }

 private:
  MaskOptions options_;
  MapOptions field_;
  SamplingMaskOptions sampling_;
};

}  // namespace

Operation mask_operation() {
  Operation row;
  row.name = "mask";
  row.summary = "Makes a blue-noise dither mask (threshold texture)";
  row.details =
      "A mask holds every rank from 0 to width x height - 1 once, so that the pixels below any "
      "threshold are evenly and irregularly spread: compare an image with it, pixel by pixel, to "
      "dither; read it as a table of well-spread random numbers in a shader. It tiles without a "
      "seam.\n\n"
      "The values are numbers, not light: load the file as linear (non-color) data. Compare as "
      "`image > (value + 0.5) / 256` for 8 bits.\n\n"
      "With `density` the ranks follow a picture: the pixels below a threshold are a stippling of "
      "it, with more dots the higher the threshold.";
  row.makes_image = true;
  row.measured = Measured::mask;
  row.certifiable = true;
  row.default_extension = "png";
  row.stage = "mask";
  row.examples = {
      {"mask -o mask.png", "128x128, 8 bits: the usual dither mask"},
      {"mask `size` 256 `bits` 16 -o mask.png", "every pixel its own threshold"},
      {"mask `size 64` `channels` 4 `seed` 7 -o noise.png", "four independent masks as RGBA"},
      {"mask `size` 200x120 `bits float` -o mask.exr", "any size, as floats"},
      {"mask `size 64` -o noise.ktx2 -o noise.h -o ranks.npy",
       "a texture, an array to paste, ranks"},
      {"mask `size` 64x64x16 `kind spatiotemporal` -o 'frame-{frame}.png'",
       "for animations: numbered frames, even in each and over time"},
      {"mask `size` 64 `filter-space` box:4 -o mask.png",
       "for noise that a blur of 4x4 pixels removes"},
      {"mask `size` 64x64x16 `values vec2` `filter-time ema` `bits float` -o 'pairs-{frame}.exr'",
       "two numbers per pixel, for samples that a running mean over frames averages"},
      {"mask `size 64` `kind` vector3 -o vectors.png", "a unit vector per pixel"},
      {"mask `size` 64x64x16 `kind` cosine `bits float` -o 'rays-{frame}.exr'",
       "directions of light for path tracing, even in each frame and over time"},
      {"mask `size` 128x128x24 `kind fractal` -o dots.ktx2",
       "a texture for dither that sticks to surfaces: samples/fractal_dither.glsl"},
      {"mask `grid` 256x256 `acceleration` 4 `calibration` 24 -o samples.npy -o samples.png",
       "frequencies to measure in MRI: exactly 16384, with the 24x24 in the middle"},
      {"mask `density` photo.png `as tone` -o ranks.png `bits` 16",
       "the pixels below any threshold stipple the photo"},
  };
  row.pairs = pairs;
  row.make = []() -> std::unique_ptr<Job> { return std::make_unique<MaskJob>(); };
  return row;
}

}  // namespace dapple
