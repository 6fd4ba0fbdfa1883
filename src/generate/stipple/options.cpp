// Describes the options of a stippling and converts them to and from text.

#include "dapple/extend/options.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

#include "core/color.hpp"
#include "core/options/file_names.hpp"
#include "core/preconditions.hpp"
#include "core/text/lower_case.hpp"
#include "core/text/number_text.hpp"
#include "core/text/trim_blanks.hpp"
#include "dapple/error.hpp"
#include "dapple/plane.hpp"
#include "dapple/stipple.hpp"
#include "generate/dither/palette.hpp"
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
  if (is_file_name(text)) return "";
  const std::string wanted =
      "must be cmyk, different colors such as #223344, navy or lab(54 80 -7), or a file of colors";
  for (std::size_t from = 0; text != "cmyk" && from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string color(trim_blanks(text.substr(from, comma - from)));
    from = comma + 1;
    if (is_color(color) || palette::lab_color(color)) continue;
    const std::string near = nearest_color(color);
    return "'" + color + "' is not a color" +
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

// Returns "" if the text can be written with the letters of styles, otherwise an error message.
std::string not_words(std::string_view text) {
  constexpr std::size_t most = 1000;
  const auto is_letter = [](char c) { return c > ' ' && c <= '~'; };
  if (!std::all_of(text.begin(), text.end(), [&](char c) { return c == ' ' || is_letter(c); })) {
    return "must be letters, digits and signs of ASCII";
  }
  if (std::none_of(text.begin(), text.end(), is_letter)) return "must hold a letter";
  return text.size() > most ? "must hold at most 1000 letters" : "";
}

template <class T>
void read(std::string_view text, T& value) {
  T read;
  from_text(text, static_cast<typename T::Written&>(read));
  read.plain = text.find_first_of("pmci%") == std::string_view::npos;
  value = read;
}

}  // namespace

void describe(StippleOptions& options, OptionList& list) {
  list.group("Dots");
  list.add(
          "style", options.style,
          "What to draw with: dots; or lines of one pen: voronoi: a net of cells; delaunay: a net "
          "of triangles; tree: the shortest tree through all points; dashes: short strokes along "
          "edges; hatch: layers of crossing lines; spiral: one line from the middle that swings in "
          "dark places; sine: rows that swing; flow: long strokes along edges; scribble: loops of "
          "one line; halftone: rows that swell; text: rows of `words`")
      .essential();
  list.add("words", options.words, "Letters or words that `style text` repeats")
      .metavar("TEXT")
      .check(not_words);
  list.add("method", options.method,
           "kernel: even dots with exact tones; lbg: splits dots until each holds its share "
           "(Linde-Buzo-Gray); voronoi: weighted Voronoi, with too little contrast; poisson: "
           "random dots that keep a distance, a draft");
  list.add(
          "regularity", options.regularity,
          "How regular the dots are: 0 organic, 0.35 even, 1 nearly hexagonal in areas of one tone")
      .essential()
      .range(0, 1);
  list.add("frame", options.frame,
           "How dots meet the border: cut: as if cut out of a larger stippling; fitted: lined up "
           "along the border");
  list.add("dots", options.dots,
           "Exact number of dots; 0: as many as `dot-size` or the touches of a `pen` need, "
           "otherwise 10,000 to 40,000 by the detail of the picture")
      .essential()
      .at_least(0);
  list.add("dot-size", options.dot_size,
           "Diameter of the dots, or the smallest and the largest, which grow with darkness; "
           "default: from the number of dots")
      .essential()
      .metavar("D|MIN:MAX");
  list.add("size-from", options.size_from,
           "What sizes from MIN to MAX follow: tone makes dots larger where it is darker; detail "
           "or edges make them smaller there; random");
  list.add("size-steps", options.size_steps,
           "Number of sizes from MIN to MAX, for a set of pens, 2 to 16; 0: any size between them")
      .range(0, 16)
      .check([](std::string_view text) { return text == "1" ? "must be 0, or 2 to 16" : ""; });
  list.add("no-overlap", options.no_overlap,
           "Keep dots from overlapping; they then cover at most 71 % of the paper, and darker "
           "tones get lighter");
  list.add("gap", options.gap,
           "Smallest distance between the rims of two dots, such as 0.3mm, so that pens touch no "
           "wet ink; the darkest tones get lighter")
      .metavar("LENGTH");
  list.add("invert-darks", options.invert_darks,
           "Darkness above which the paper is covered with ink and dots of the paper's color are "
           "drawn on it, for SVG, PDF and pictures; 1: nowhere")
      .range(0, 1);
  list.add("solid-blacks", options.solid_blacks,
           "Cover areas that are too dark for dots side by side with ink, so that no paper shows "
           "there; with `shape point` by closer dots");
  list.add("shape", options.shape, options.outline,
           "disc: filled; point: one touch of the pen; circle: an outline drawn with the pen; "
           "spiral: a disc filled by the pen; or an SVG file with a shape, filled, or drawn with "
           "the pen if there is one")
      .essential();
  list.add(
      "turn", options.turn,
      "How shapes are turned: as drawn, at random, or along the gradient of the picture with "
      "their tops toward the darker side; `style dashes` follows edges unless dashes are turned "
      "at random, or along the gradient");
  list.add("each-path", options.each_path,
           "Treat each path of the file as its own shape; each dot gets one of them at random");
  list.add("order", options.order,
           "Order in which dots are drawn: travel: short pen travel; hilbert: along a Hilbert "
           "curve; none: as placed");
  list.add("progressive", options.progressive,
           "Order the dots so that the first dots, however many, are a stippling too, with a "
           "column rank; with `method kernel` the first half is as even as the whole, which gets a "
           "little less even");
  list.add("path", options.path,
           "tsp: draw one line through the dots instead of dots, as wide as the pen or as the "
           "tones need")
      .essential();
  list.add("longest-hop", options.longest_hop,
           "Distance between dots above which the pen is lifted; auto: where the line would cross "
           "bare paper; none: nowhere")
      .metavar("LENGTH|auto|none");
  list.group("Paper");
  list.add("paper", options.paper,
           "Paper size, such as A4 (turned to fit the picture), A4-portrait, A3-landscape or "
           "210x297mm; with paper, lengths without a unit are millimeters, otherwise pixels; "
           "default: the image at `dpi`")
      .check(flat_size)
      .metavar("NAME|WxH")
      .essential();
  list.add("margin", options.margin, "Width of the empty border on each side of the paper")
      .metavar("LENGTH")
      .essential();
  list.add("fit", options.fit,
           "How the picture fits the `paper`: contain: all of it is visible; cover: cut at two "
           "sides so that it fills the paper inside the margin; stretch: distorted to fill it");
  list.add(
      "registration", options.registration,
      "Draw crosses in the corners of the margin, the same for each ink, to align pens and plates");
  list.add("plates", options.plates,
           "Write the picture of each ink as a printing plate of one bit per pixel, black for "
           "ink; needs {ink} in the name, such as plate-{ink}.tif, and the resolution of the "
           "printer as `dpi`");
  list.add("dpi", options.dpi,
           "Pixels per inch of the image without `paper`, and of output pictures; auto: as the "
           "file of the picture states if there is no `paper`, otherwise 96")
      .metavar("auto|N");
  list.add("size", options.size,
           "Size of output pictures (PNG, TIFF, ...) in pixels, into which the paper is fitted; "
           "default: the size of the image, or of the paper at `dpi`")
      .check(flat_size)
      .essential();
  list.add("pen", options.pen, "Width of the pen's line, or the name of a pen, such as stabilo-88")
      .essential()
      .metavar("W|NAME");
  list.add("touch", options.touch,
           "Length of the strokes that draw dots of one size, such as 0.05mm, for programs and "
           "machines that drop short strokes")
      .metavar("LENGTH");
  list.add("split", options.split,
           "Number of parts to plot one after the other, one layer each; the dots of each part "
           "cover the whole picture")
      .range(1, 100);
  list.add("tiles", options.tiles,
           "Files across and down for paper larger than the machine, or the area of the machine, "
           "such as 300x218mm; put {tile} into the name of the output")
      .metavar("CxR|WxHmm");
  list.add("tile-overlap", options.tile_overlap,
           "Width of the band that tiles share along their seams, which hides the seams")
      .metavar("LENGTH");
  list.add("from", options.from,
           "Number of dots or lines at the start to leave out, to resume a plot")
      .at_least(0);
  list.add("ink", options.ink,
           "Color of the dots; several colors separated by commas, cmyk, or a file of colors (.gpl "
           ".act .hex .txt .pal) or measurements (.ti3) mix to the colors of the picture, with one "
           "layer per ink")
      .essential()
      .metavar("COLOR,...")
      .or_words()
      .check(not_inks);
  list.add("background", options.background, "Color of the paper, or none for transparent paper")
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
                "expected columns x rows, such as 3x2, or the area of the machine, such as "
                "300x218mm, not '" +
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

std::string to_text(const Resolution& value) {
  return value.dpi == 0 ? "auto" : shortest(value.dpi);
}

void from_text(std::string_view text, Resolution& value) {
  constexpr double most = 100000;
  const double dpi = text == "auto" ? 0 : parse_number<double>(text).value_or(-1);
  if (text != "auto" && !(dpi >= 1 && dpi <= most)) {
    throw Error(ErrorKind::usage, "must be auto or pixels per inch from 1 to " +
                                      plain_number(most) + ", not '" + std::string(text) + "'");
  }
  value = dpi;
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
  Paper paper;
  try {
    read(text, paper);
  } catch (const Error&) {
    throw Error(ErrorKind::usage,
                "expected a paper such as A4, A3-landscape, B5, letter, legal, tabloid, ledger or "
                "executive, or a size such as 210x297mm or 8.5x11in, not '" +
                    std::string(text) + "'");
  }
  const std::string name = lower_case(text);
  const bool is_upright = name.ends_with("portrait");
  const bool named = std::isalpha(static_cast<unsigned char>(name.empty() ? '0' : name[0])) != 0;
  paper.turns = named && !is_upright && !name.ends_with("landscape");
  paper.plain = paper.plain && !named;
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
