// The options of a stippling, as users give them.

#include "dapple/color.hpp"
#include "dapple/error.hpp"
#include "dapple/stipple.hpp"
#include "generate/stipple/inks.hpp"

namespace dapple {

using namespace stippling;

namespace {

// "" where the text names a color.
std::string not_a_color(std::string_view text) {
  try {
    parse_color(text);
    return "";
  } catch (const Error&) {
    return "must be a color such as #223344 or navy";
  }
}

}  // namespace

void describe(StippleOptions& options, OptionList& list) {
  list.group("Dots");
  list.add("method", options.method,
           "kernel: even, with exact tones; lbg: dots split until each holds its share; voronoi: "
           "weighted Voronoi, contrast too low; poisson: at random, never too near, a draft");
  list.add("regularity", options.regularity,
           "Of kernel: 0 organic, 0.5 even, 1 nearly hexagonal where the tone is even")
      .range(0, 1);
  list.add(
      "frame", options.frame,
      "Of kernel: dots as cut out of a larger stippling, or fitted into the frame, along which "
      "they line up");
  list.add("edges", options.edges,
           "Of kernel: how closely dots follow edges, from 0 to 1, at some cost in even spacing")
      .range(0, 1);
  list.add("dots", options.dots,
           "Exactly this many; 0: as many as their size asks for, or else 10,000")
      .at_least(0);
  list.add("dot-size", options.dot_size,
           "Diameter of the dots, or smallest and largest, growing with darkness; left out: from "
           "their number")
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
           "the darkest tones get lighter");
  list.add("invert-darks", options.invert_darks,
           "Where it is darker than this, cover the paper with ink and draw dots of the paper's "
           "color on it, for SVG, PDF and pictures; 1: nowhere")
      .range(0, 1);
  list.add("shape", options.shape, options.outline,
           "disc: filled; point: one touch of the pen; circle: an outline drawn with the pen; "
           "spiral: a disc filled by the pen; or an SVG file: the shape in it, filled, or drawn "
           "with the pen where there is one");
  list.add("order", options.order,
           "travel: short ways for a pen; hilbert: along a Hilbert curve; none: as placed");
  list.add(
      "progressive", options.progressive,
      "Instead of `order`, draw dots so that any first part of them is a stippling too, with a "
      "column rank; by `method kernel` first halves are as even as the whole, which is a little "
      "less even for it");
  list.add("path", options.path,
           "tsp: no dots but one line through them, as wide as the pen or as the tones need");
  list.group("Paper");
  list.add("paper", options.paper,
           "Paper, such as A4, A3-landscape or 210x297mm; left out: the image at `dpi`");
  list.add("margin", options.margin, "Empty border at each side of the paper");
  list.add("fit", options.fit,
           "contain: all of the picture on the `paper`; cover: cut at two sides, so that it fills "
           "the paper inside the margin; stretch: distorted to fill it");
  list.add("registration", options.registration,
           "Crosses in the corners of the margin, the same for each ink, to align pens and plates");
  list.add("dpi", options.dpi, "Pixels an inch, of the image without `paper` and of pictures")
      .range(1, 100000);
  list.add("size", options.size,
           "Size of pictures (PNG, TIFF, ...) in pixels, the paper fitted into it; left out: as "
           "the image, or the paper at `dpi`");
  list.add("pen", options.pen, "Width of the pen's line, for `shape point` and circle")
      .metavar("W");
  list.add("ink", options.ink,
           "Color of the dots; several, separated by commas, cmyk, or a file of colors (.gpl .act "
           ".hex .txt .pal): dots of each, side by side, mix to the colors of the picture, a layer "
           "an ink")
      .metavar("COLOR,...")
      .or_words()
      .check([](std::string_view text) {
        if (text.find_first_of("./") != std::string_view::npos) return "";
        try {
          parse_inks({std::string(text), nullptr}, "none");
          return "";
        } catch (const Error&) {
          return "must be cmyk, colors such as #223344 or navy, each once, or a file of colors";
        }
      });
  list.add("background", options.background, "Color of the paper, or none for transparent")
      .metavar("COLOR")
      .check([](std::string_view text) { return text == "none" ? "" : not_a_color(text); });
  describe(options.plotter, list);
}

}  // namespace dapple
