// Describes the options of cell textures; converts option values that have a text of their own.
#include "dapple/extend/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "core/preconditions.hpp"
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
           "Width and height of the texture; with a depth, slices through cells of space")
      .essential()
      .metavar("WxH|WxHxD")
      .check(at_most_deep);
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
           "is listed above; else f1, color where there is something to paint, and a material for "
           "names with {output}")
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
  list.add("stretch", sites.stretch,
           "Cells so many times as long as high; below 1 higher than long. Distances are those "
           "across them")
      .range(0.125, 8);
  list.add("angle", sites.angle,
           "Degrees by which cells of a stretch, of a metric or in rows are turned, anticlockwise; "
           "rows as nearly as whole ones tile")
      .range(-180, 180);
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
  list.add("height-scale", options.height_scale,
           "What the whole range of heights stands for, so that normals, slopes and occlusion are "
           "those of the height displaced by it; else as high as distances make it, which the "
           "metadata says");
  list.add("occlusion-radius", options.occlusion_radius,
           "How far away heights still shade a place in the output occlusion");
  list.add("curvature-radius", options.curvature_radius,
           "Over which the output curvature sees normals turn");
  list.add("surface", options.surface, "Output roughness: of the highest places").range(0, 1);
  list.add("creases", options.creases, "Output roughness: of the lowest places").range(0, 1);
  list.add("surface-variation", options.surface_variation,
           "Output roughness: how far cells differ from each other")
      .range(0, 1);
  list.group("Sites");
  list.add("points", sites.points, "Sites from a file of points; with z for a volume");
  list.add("points-size", sites.points_size,
           "How large a picture `points` were made for: auto as their file says, else pixels as "
           "they are where they fit; none: pixels as they are")
      .metavar("WxH|auto|none");
  list.add("density", sites.density, "Density map for the sites: bright = many small cells")
      .essential();
  list.add("method", sites.method,
           "How sites are placed: darts (even), jittered, random (as Worley did), grid");
  list.add("randomness", sites.randomness,
           "Sites of a lattice, moved about in its cells: from 0, not at all, to 1, anywhere in "
           "them")
      .range(0, 1);
  list.add("row-offset", sites.row_offset,
           "Move every second row of the lattice on by this part of a cell: 0.5 for bricks, scales")
      .range(0, 1);
}

void describe(WorleyLook& look, OptionList& list) {
  list.group("Look (the output color, and 8 and 16 bit files)");
  list.add(
          "color-of", look.color_of,
          "Output that the gradient goes over, one number a pixel; else f1, and without a gradient "
          "cells have colors of their own")
      .metavar("NAME")
      .words(output_words())
      .or_form("sums such as f3-f1",
               [](std::string_view text) { return parse_sum(text).has_value(); });
  list.add("levels", look.levels,
           "What becomes black and white: pixels, or % of the range; of the gradient where there "
           "is one, else of all outputs, and of single ones by name")
      .metavar("LO:HI,NAME=LO:HI,...");
  list.add("curve", look.curve, "Above 1 lifts the middle, below 1 lowers it").range(0.01, 100);
  list.add("invert-output", look.invert_output, "Swap black and white of the output");
  list.add("gradient", look.gradient, "Colors of the output color, from low to high")
      .essential()
      .metavar("#hex,#hex,...")
      .check([](std::string_view text) {
        for (const std::string& color : items_of(text)) parse_color(color);
        return std::string();
      });
  list.add("variation", look.variation, "Shift cells along the gradient, each by its own amount")
      .range(0, 2);
  list.add("line-color", look.line_color, "Draw the borders in this color")
      .essential()
      .metavar("COLOR")
      .check([](std::string_view text) {
        if (!text.empty()) parse_color(text);
        return std::string();
      });
  list.add("relief", look.relief,
           "Light the height from the top left, this steep; not beside the output normal, by which "
           "others light it")
      .essential()
      .range(0, 1000);
  list.add("gloss", look.gloss, "Highlights of the relief").range(0, 10);
}

}  // namespace dapple
