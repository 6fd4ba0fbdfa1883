// Describes the options of a stippling and converts them to and from text.

#include "dapple/extend/options.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/color.hpp"
#include "core/preconditions.hpp"
#include "dapple/error.hpp"
#include "dapple/plane.hpp"
#include "dapple/stipple.hpp"
#include "generate/stipple/inks.hpp"

namespace dapple {

using namespace stippling;

namespace {

bool is_color(std::string_view text) {
  try {
    parse_color(text);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Returns "" if the text names a color, otherwise an error message.
std::string not_a_color(std::string_view text) {
  if (is_color(text)) return "";
  const std::string near = nearest_color(text);
  return "must be a color such as #223344 or navy" +
         (near.empty() ? "" : " (did you mean '" + near + "'?)");
}

// Returns "" if the text names inks or a file of inks, otherwise an error message.
std::string not_inks(std::string_view text) {
  if (text.find_first_of("./") != std::string_view::npos) return "";
  const std::string wanted =
      "must be cmyk, colors such as #223344 or navy, each once, or a file of colors";
  for (std::size_t from = 0; text != "cmyk" && from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string color(text.substr(from, comma - from));
    from = comma + 1;
    if (is_color(color)) continue;
    const std::string near = nearest_color(color);
    return "'" + color + "' is no color" +
           (near.empty() ? ": " : ", did you mean '" + near + "'? It ") + wanted;
  }
  try {
    parse_inks({std::string(text), nullptr}, "none");
    return "";
  } catch (const Error&) {
    return wanted;
  }
}

// Appends "px" to a text in pixels, unless the user gave a plain number.
std::string with_unit(std::string text, bool plain, Unit unit) {
  if (!text.empty() && unit == Unit::px && !plain) text += "px";
  return text;
}

template <class T>
void read(std::string_view text, T& value) {
  T read;
  from_text(text, static_cast<typename T::Written&>(read));
  read.plain = text.find_first_of("pmci%") == std::string_view::npos;
  value = read;
}

std::vector<std::string> paper_names() {
  std::vector<std::string> names{"letter", "legal"};
  for (int i = 0; i <= 10; ++i) names.push_back("A" + std::to_string(i));
  return names;
}

}  // namespace

void describe(StippleOptions& options, OptionList& list) {
  list.group("Dots");
  list.add("method", options.method,
           "kernel: even, with exact tones; lbg: dots split until each holds its share; voronoi: "
           "weighted Voronoi, contrast too low; poisson: at random, never too near, a draft");
  list.add("regularity", options.regularity,
           "Of kernel: 0 organic, 0.5 even, 1 nearly hexagonal where the tone is even")
      .essential()
      .range(0, 1);
  list.add(
      "frame", options.frame,
      "Of kernel: dots as cut out of a larger stippling, or fitted into the frame, along which "
      "they line up");
  list.add("edges", options.edges,
           "Of kernel: how closely dots follow edges, from 0 to 1, at some cost in even spacing")
      .range(0, 1);
  list.add("dots", options.dots,
           "Exactly this many; 0: as many as their size asks for, or else 10,000, and 30,000 of a "
           "night")
      .essential()
      .at_least(0);
  list.add("dot-size", options.dot_size,
           "Diameter of the dots, or smallest and largest, growing with darkness; left out: from "
           "their number")
      .essential()
      .metavar("D|MIN:MAX");
  list.add("size-from", options.size_from,
           "What sizes from MIN to MAX follow: tone, larger where it is darker; detail or edges, "
           "smaller where there are some; or random");
  list.add("size-steps", options.size_steps,
           "So many sizes from MIN to MAX, as of a set of pens, 2 to 16; 0: any between them")
      .range(0, 16)
      .check([](std::string_view text) { return text == "1" ? "must be 0, or 2 to 16" : ""; });
  list.add("no-overlap", options.no_overlap,
           "Keep dots apart: they cover at most 71 % of the paper, and darker tones get lighter");
  list.add("gap", options.gap,
           "Least bare paper between any two dots, such as 0.3mm, so that pens touch no wet ink; "
           "the darkest tones get lighter")
      .metavar("LENGTH");
  list.add("invert-darks", options.invert_darks,
           "Where it is darker than this, cover the paper with ink and draw dots of the paper's "
           "color on it, for SVG, PDF and pictures; 1: nowhere")
      .range(0, 1);
  list.add("shape", options.shape, options.outline,
           "disc: filled; point: one touch of the pen; circle: an outline drawn with the pen; "
           "spiral: a disc filled by the pen; or an SVG file: the shape in it, filled, or drawn "
           "with the pen where there is one")
      .essential();
  list.add(
      "turn", options.turn,
      "Of `shape FILE.svg`: as drawn, turned by chance, or by the picture's gradient, the tops "
      "of shapes to where it is darker");
  list.add(
      "each-path", options.each_path,
      "Of `shape FILE.svg`: each of its paths is a shape of its own, and dots have one of them "
      "by chance");
  list.add("order", options.order,
           "travel: short ways for a pen; hilbert: along a Hilbert curve; none: as placed");
  list.add(
      "progressive", options.progressive,
      "Instead of `order`, draw dots so that any first part of them is a stippling too, with a "
      "column rank; by `method kernel` first halves are as even as the whole, which is a little "
      "less even for it");
  list.add("path", options.path,
           "tsp: no dots but one line through them, as wide as the pen or as the tones need")
      .essential();
  list.add("longest-hop", options.longest_hop,
           "Of `path tsp`: lift the pen between dots farther apart than this; auto: where the line "
           "would cross bare paper; none: nowhere")
      .metavar("LENGTH|auto|none");
  list.group("Paper");
  list.add("paper", options.paper,
           "Paper, such as A4, which turns as the picture is, A4-portrait, A3-landscape or "
           "210x297mm; with one, lengths without a unit are millimeters, else pixels; left out: "
           "the image at `dpi`")
      .check(
          [](std::string_view text) { return flat_size(text.substr(0, text.find("-portrait"))); })
      .metavar("SIZE")
      .essential();
  list.add("margin", options.margin, "Empty border at each side of the paper")
      .metavar("LENGTH")
      .essential();
  list.add("fit", options.fit,
           "contain: all of the picture on the `paper`; cover: cut at two sides, so that it fills "
           "the paper inside the margin; stretch: distorted to fill it");
  list.add("registration", options.registration,
           "Crosses in the corners of the margin, the same for each ink, to align pens and plates");
  list.add("dpi", options.dpi, "Pixels an inch, of the image without `paper` and of pictures")
      .range(1, 100000);
  list.add("size", options.size,
           "Size of pictures (PNG, TIFF, ...) in pixels, the paper fitted into it; left out: as "
           "the image, or the paper at `dpi`")
      .check(flat_size)
      .essential();
  list.add("pen", options.pen,
           "Width of the pen's line, for `shape point` and circle; or the pen by its name, such as "
           "stabilo-88")
      .essential()
      .metavar("W|NAME");
  list.add("touch", options.touch,
           "Length of the strokes that `shape point` draws, such as 0.05mm, for programs that drop "
           "those of none")
      .metavar("LENGTH");
  list.add("split", options.split,
           "So many parts to plot one after the other, a layer each, with dots all over the "
           "picture, so that each is a picture too")
      .range(1, 100);
  list.add("tiles", options.tiles,
           "For paper larger than the machine: so many files across and down, or as many as its "
           "area needs, such as 300x218mm; put {tile} into the name of the output")
      .metavar("CxR|WxHmm");
  list.add("tile-overlap", options.tile_overlap,
           "How wide a band tiles share along their seams, so that these do not show")
      .metavar("LENGTH");
  list.add("from", options.from,
           "Go on after a break: leave out so many of the first dots, or lines")
      .at_least(0);
  list.add("ink", options.ink,
           "Color of the dots; several, separated by commas, cmyk, or a file of colors (.gpl .act "
           ".hex .txt .pal): dots of each, side by side, mix to the colors of the picture, a layer "
           "an ink")
      .essential()
      .metavar("COLOR,...")
      .or_words()
      .check(not_inks);
  list.add("background", options.background, "Color of the paper, or none for transparent")
      .essential()
      .metavar("COLOR")
      .check([](std::string_view text) { return text == "none" ? "" : not_a_color(text); });
  describe(options.plotter, list);
}

std::string to_text(const LongestHop& hop) {
  if (hop.rule == LongestHop::Rule::length) return to_text(hop.length);
  return hop.rule == LongestHop::Rule::none ? "none" : "auto";
}

void from_text(std::string_view text, LongestHop& hop) {
  LongestHop read;
  if (text == "none") {
    read.rule = LongestHop::Rule::none;
  } else if (text != "auto") {
    read.rule = LongestHop::Rule::length;
    try {
      from_text(text, read.length);
    } catch (const Error&) {
      read.length.value = 0;
    }
    if (!(read.length.value > 0)) {
      throw Error(ErrorKind::usage,
                  "expected auto, none or a length such as 8mm, not '" + std::string(text) + "'");
    }
  }
  hop = read;
}

std::string to_text(const TileGrid& tiles) {
  if (!tiles.area.empty()) return to_text(tiles.area);
  return tiles ? std::to_string(tiles.columns) + "x" + std::to_string(tiles.rows) : "";
}

void from_text(std::string_view text, TileGrid& tiles) {
  constexpr double most = 100;
  Size size;
  from_text(text, size);
  const bool counts = size.unit == Unit::px;
  const auto is_count = [](double n) { return n == std::floor(n) && n >= 1 && n <= most; };
  if (!size.is_flat() || (counts && !(is_count(size.width) && is_count(size.height)))) {
    throw Error(ErrorKind::usage,
                "expected columns by rows, such as 3x2, or the area of the "
                "machine, such as 300x218mm, not '" +
                    std::string(text) + "'");
  }
  TileGrid read;
  if (counts) {
    read.columns = static_cast<int>(size.width);
    read.rows = static_cast<int>(size.height);
  } else {
    read.area = size;
  }
  tiles = read;
}

std::string to_text(const Paper& value) {
  if (value.turns) {
    for (const std::string& name : paper_names()) {
      Size known;
      from_text(name, known);
      if (known == static_cast<const Size&>(value)) return name;
    }
  }
  return with_unit(to_text(static_cast<const Size&>(value)), value.plain, value.unit);
}

void from_text(std::string_view text, Paper& value) {
  constexpr std::string_view upright = "-portrait";
  const bool is_upright = text.ends_with(upright);
  const std::string_view name = is_upright ? text.substr(0, text.size() - upright.size()) : text;
  const std::vector<std::string> names = paper_names();
  const auto is_it = [name](std::string_view known) {
    return known.size() == name.size() &&
           (known == name || (name[0] == 'a' && known.substr(1) == name.substr(1)));
  };
  const bool named = std::any_of(names.begin(), names.end(), is_it);
  Paper paper;
  read(is_upright && named ? name : text, paper);
  paper.turns = named && !is_upright;
  paper.plain = paper.plain && !named && !text.ends_with("-landscape");
  value = paper;
}

StippleOptions with_units(StippleOptions options) {
  const bool paper = !options.paper.empty();
  const auto settle = [paper](bool& plain, Unit& unit) {
    if (plain && paper) unit = Unit::mm;
    plain = false;
  };
  for (OnPaper<Length>* length : {&options.gap, &options.margin, &options.pen, &options.touch,
                                  &options.tile_overlap, &options.longest_hop.length}) {
    settle(length->plain, length->unit);
  }
  if (options.dot_size.plain && paper) options.dot_size.min.unit = Unit::mm;
  settle(options.dot_size.plain, options.dot_size.max.unit);
  settle(options.paper.plain, options.paper.unit);
  return options;
}

}  // namespace dapple
