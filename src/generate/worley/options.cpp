// Describes the options of cell textures; converts option values that have a text of their own.
#include "dapple/extend/options.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/preconditions.hpp"
#include "core/text/number_text.hpp"
#include "dapple/error.hpp"
#include "dapple/plane.hpp"
#include "dapple/worley.hpp"
#include "generate/worley/outputs.hpp"

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
  const double p = parse_number<double>(text).value_or(0);
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
    throw Error(
        ErrorKind::usage,
        "expected euclidean, manhattan, chebyshev or minkowski:P with P from 0.25 to 32, not '" +
            std::string(text) + "'");
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
const std::vector<std::string>& output_words() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> words;
    for (std::size_t k = 1; k <= most_distances; ++k) words.push_back("f" + std::to_string(k));
    words.emplace_back("f2-f1");
    words.insert(words.end(), worley_outputs().begin(), worley_outputs().end());
    return words;
  }();
  return all;
}

}  // namespace

void describe(SiteOptions& sites, WorleyOptions& options, OptionList& list) {
  list.group("Texture");
  list.add("size", sites.size,
           "Width and height of the texture; a depth makes slices through 3D cells")
      .essential()
      .metavar("WxH|WxHxD")
      .check(at_most_deep);
  list.add("udim", sites.udim,
           "Number of tiles across and down, each of `size`; <UDIM> in the name becomes 1001 and "
           "up; `count` is for the whole set")
      .metavar("COLUMNSxROWS")
      .check([](std::string_view text) {
        Size set;
        try {
          from_text(text, set);
          set.pixel_width();
          set.pixel_height();
        } catch (const Error&) {
          return std::string("must be whole numbers of tiles across and down, such as 3x2");
        }
        return std::string(
            set.depth == 1 ? "" : "must be tiles across and down without a depth, such as 3x2");
      });
  list.add("outputs", options.outputs,
           "Outputs to make: distances to the nearest, second ... eighth site, sums of these, or "
           "outputs listed above; default: f1, color if a look option is set, a material if the "
           "name holds {output}")
      .essential()
      .alias("output")
      .metavar("NAME,...")
      .words(output_words())
      .or_form("sums such as f3-f1 or 2*f1-0.5f4",
               [](std::string_view text) { return parse_sum(text).has_value(); });
  list.add("metric", options.metric,
           "How distance is measured: euclidean gives round cells, manhattan diamonds, chebyshev "
           "squares; minkowski:P lies between them, with P from 0.25 (stars) to 32")
      .essential()
      .metavar("euclidean|manhattan|chebyshev|minkowski:P")
      .words({metric_names.begin(), metric_names.end()})
      .or_form("minkowski:P with P from 0.25 to 32",
               [](std::string_view text) { return parse_metric(text).has_value(); });
  list.add("stretch", sites.stretch,
           "Length of the cells divided by their height; below 1 they are taller than long; "
           "distances are measured across the cells")
      .range(0.125, 8);
  list.add("angle", sites.angle,
           "Degrees by which stretched cells, cells of a metric or rows turn counterclockwise; "
           "rows take the nearest angle that tiles")
      .range(-180, 180);
  list.add("power", options.power,
           "How much the size of a cell follows the spacing of its site (power diagram): 0 gives "
           "Voronoi cells, 1 the full effect")
      .range(0, 1);
  list.add("frames", options.frames,
           "Number of frames of a looping animation, in which sites move on closed paths")
      .range(1, 10000);
  list.add("motion", options.motion,
           "How far sites move from their places; 0 takes a third of their spacing");
  list.add("colors", options.colors, "Picture that gives the output color its colors");
  list.add("wrap", sites.wrap, "Make a texture that tiles without a seam");
  list.add("line-width", options.line_width, "Width of the borders in the output lines")
      .essential();
  list.add("octaves", options.octaves,
           "Number of layers of cells, each half the size of the one before")
      .alias("layers")
      .range(1, 8);
  list.add("roughness", options.roughness, "Weight of the finer octaves").range(0, 1);
  list.add("smooth", options.smooth, "Round off the creases of f1 within this distance")
      .essential();
  list.add("antialias", options.antialias,
           "Give pixels of random, color and lines the exact shares of the cells in them");
  list.add("warp", options.warp, "Bend the texture by up to this distance");
  list.add("height-of", options.height_of,
           "Shape of height and normal: cones (f1), valleys (f2-f1) or plates (edge)");
  list.add("bevel", options.bevel,
           "Width over which plates rise from their edge; 0: they rise all the way");
  list.add("bevel-profile", options.profile,
           "How plates rise over the bevel: as a quarter circle, straight, flat at both ends, or "
           "hollow");
  list.add("normal-strength", options.normal_strength, "Steepness of the normal map")
      .range(0, 1000);
  list.add("normal-y", options.normal_y,
           "Green of the normal map points up (OpenGL) or down (DirectX)")
      .metavar("up|down|opengl|directx")
      .words({"up", "down", "opengl", "directx"});
  list.add("height-scale", options.height_scale,
           "Length that the full range of heights stands for; normals, slopes and occlusion then "
           "match a displacement by it; default: from the distances, recorded in the metadata");
  list.add("occlusion-radius", options.occlusion_radius,
           "Distance within which heights shade a place in the output occlusion");
  list.add("curvature-radius", options.curvature_radius,
           "Distance over which the output curvature measures how normals turn");
  list.add("surface", options.surface, "Value of the output roughness in the highest places")
      .range(0, 1);
  list.add("creases", options.creases, "Value of the output roughness in the lowest places")
      .range(0, 1);
  list.add("surface-variation", options.surface_variation,
           "How much cells differ from each other in the output roughness")
      .range(0, 1);
  list.group("Sites");
  list.add("points", sites.points, "File of points to use as sites; a volume needs column z");
  list.add("points-size", sites.points_size,
           "Size of the picture that `points` were made for; auto: from their file, otherwise "
           "pixels without scaling if they fit; none: pixels without scaling")
      .metavar("WxH|auto|none");
  list.add("density", sites.density, "Density map for the sites: bright parts get many small cells")
      .essential();
  list.add("method", sites.method,
           "How sites are placed: darts (even), jittered, random (as in Worley's paper) or grid");
  list.add("randomness", sites.randomness,
           "Place sites on a lattice and move each inside its lattice cell, from 0 (not at all) to "
           "1 (anywhere in the cell)")
      .range(0, 1);
  list.add("row-offset", sites.row_offset,
           "Shift every second row of the lattice by this part of a cell; 0.5 makes bricks or "
           "scales")
      .range(0, 1);
}

void describe(WorleyLook& look, OptionList& list) {
  list.group("Look (the output color, and 8 and 16 bit files)");
  list.add("color-of", look.color_of,
           "Output that the gradient colors, with one number per pixel; default: f1; without a "
           "gradient each cell has its own color")
      .metavar("NAME")
      .words(output_words())
      .or_form("sums such as f3-f1",
               [](std::string_view text) { return parse_sum(text).has_value(); });
  list.add("levels", look.levels,
           "Values that become black and white, in pixels or % of the range: of the gradient if "
           "there is one, otherwise of all outputs; NAME=LO:HI sets one output")
      .metavar("LO:HI,NAME=LO:HI,...");
  list.add("curve", look.curve,
           "Brightness of the middle tones: above 1 lifts them, below 1 lowers them")
      .range(0.01, 100);
  list.add("invert-output", look.invert_output, "Swap black and white of the output");
  list.add("gradient", look.gradient,
           "Colors of the gradient in the output color, from low to high values")
      .essential()
      .metavar("#hex,#hex,...")
      .check([](std::string_view text) {
        for (const std::string& color : items_of(text)) parse_color(color);
        return std::string();
      });
  list.add("variation", look.variation,
           "Shift each cell along the gradient by its own random amount")
      .range(0, 2);
  list.add("line-color", look.line_color, "Draw the borders in this color")
      .essential()
      .metavar("COLOR")
      .check([](std::string_view text) {
        if (!text.empty()) parse_color(text);
        return std::string();
      });
  list.add("relief", look.relief,
           "Steepness of the height, lit from the top left; not with the output normal, because "
           "programs light the color by that map")
      .essential()
      .range(0, 1000);
  list.add("gloss", look.gloss, "Strength of the highlights in the relief").range(0, 10);
}

}  // namespace dapple
