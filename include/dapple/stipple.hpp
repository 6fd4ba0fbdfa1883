// Makes stipplings: an image as dots of ink. The ink of all dots is the darkness of the image (tone
// D = n pi a^2).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "dapple/drawing.hpp"
#include "dapple/extend/option_words.hpp"
#include "dapple/field.hpp"
#include "dapple/forward.hpp"
#include "dapple/inputs.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"
#include "dapple/units.hpp"

namespace dapple {

// kernel: dots relaxed under two Gaussian kernels until their local count matches the tone. lbg:
// dots that split and vanish until all hold equal darkness (Deussen, Spicker, Zheng 2017); without
// a number of dots it finds one. voronoi: weighted Voronoi (Secord 2002), whose tone is too even by
// construction. poisson: the darts of the sampler, unchanged.
enum class StippleMethod { kernel, lbg, voronoi, poisson };
constexpr auto option_names(StippleMethod) {
  return words_to<StippleMethod::poisson>("kernel", "lbg", "voronoi", "poisson");
}
// Marks that draw a picture: dots, or lines of a pen of one width (generate/styles).
enum class StippleStyle {
  dots,
  voronoi,
  delaunay,
  tree,
  dashes,
  hatch,
  spiral,
  sine,
  flow,
  scribble,
  halftone,
  text
};
constexpr auto option_names(StippleStyle) {
  return words_to<StippleStyle::text>("dots", "voronoi", "delaunay", "tree", "dashes", "hatch",
                                      "spiral", "sine", "flow", "scribble", "halftone", "text");
}
enum class DotPath { none, tsp };  // dots; one line through all of them
constexpr auto option_names(DotPath) {
  return words_to<DotPath::tsp>("none", "tsp");
}
// The fit of a picture to the shape of its paper. contain: all of it, with bare paper at two sides;
// cover: cut at two sides; stretch: distorted.
enum class PaperFit { contain, cover, stretch };
constexpr auto option_names(PaperFit) {
  return words_to<PaperFit::stretch>("contain", "cover", "stretch");
}

// The source of dot sizes. tone: larger in darker places; detail, edges: smaller near them; random:
// at random.
enum class DotSizeFrom { tone, detail, edges, random };
constexpr auto option_names(DotSizeFrom) {
  return words_to<DotSizeFrom::random>("tone", "detail", "edges", "random");
}

// The meaning of a picture to draw: dark places get the ink. MapOptions alone would draw its
// negative, because a map of density puts more points in bright places.
struct PictureOptions : MapOptions {
  PictureOptions() { as = MapKind::tone; }
  // Keeps the kind of `map`.
  explicit PictureOptions(MapOptions map) : MapOptions(std::move(map)) {}
};

// A size of paper. A paper given only by its name turns as the picture does.
using Paper = OnPaper<Size>;

// Pixels per inch; 0 (auto): as the file of the picture states if there is no paper, otherwise 96.
struct Resolution {
  Resolution(double per_inch = 0) : dpi(per_inch) {}
  // Returns the number for a picture whose file states `of_file`, or 0 if it states none.
  double resolved(bool on_paper, double of_file) const {
    constexpr double of_screens = 96;
    return dpi > 0 ? dpi : !on_paper && of_file > 0 ? of_file : of_screens;
  }
  double dpi = 0;
  friend bool operator==(const Resolution&, const Resolution&) = default;
};
std::string to_text(const Resolution& value);
void from_text(std::string_view text, Resolution& value);
std::string to_text(const Paper& value);
// Also reads names with `-portrait` and `-landscape`, which do not turn.
void from_text(std::string_view text, Paper& value);

// The rule by which `tsp` lifts the pen between two dots. automatic: the line would cross bare
// paper; none: never; length: the dots are farther apart than `length`.
struct LongestHop {
  enum class Rule { automatic, none, length };
  Rule rule = Rule::automatic;
  OnPaper<Length> length = {};
  friend bool operator==(const LongestHop&, const LongestHop&) = default;
};
std::string to_text(const LongestHop& hop);
void from_text(std::string_view text, LongestHop& hop);  // auto, none or a length above 0

// The tiles of a drawing: a number across and down, or as many as the area of a machine requires.
struct TileGrid {
  int columns = 0;
  int rows = 0;
  Size area = {};  // of the machine, in a physical unit; empty: columns and rows count

  explicit operator bool() const { return columns > 0 || !area.empty(); }
  friend bool operator==(const TileGrid&, const TileGrid&) = default;
};
std::string to_text(const TileGrid& tiles);
void from_text(std::string_view text, TileGrid& tiles);  // 3x2, or 300x218mm

// The rotation of shapes. none: as drawn; gradient: with their tops toward darker places.
enum class DotTurn { none, random, gradient };
constexpr auto option_names(DotTurn) {
  return words_to<DotTurn::gradient>("none", "random", "gradient");
}

struct StippleOptions {
  // Styles of lines draw with the pen, or else with a pen that fits the number of marks. `dots` is
  // the number of points under the lines, or of squares between rows.
  StippleStyle style = StippleStyle::dots;
  std::string words = "dapple";  // of the style text: printable ASCII, not only blanks
  StippleMethod method = StippleMethod::kernel;
  double regularity = 0.35;  // of `kernel`: 0 organic, 1 nearly hexagonal where the tone is even
  FrameEdge frame = FrameEdge::cut;  // of `kernel`; sequences are always fitted
  // 0: from the dot size or the touches of a pen; without them 10,000 to 40,000 by the detail of
  // the picture, 40,000 on a line, and 10,000 shapes or dots with a gap.
  std::int64_t dots = 0;
  // Diameter, or MIN:MAX that grows with the darkness; empty: from the number of dots, or the pen's
  // width for points. For circles: the diameter of the line. If number and size are both given, all
  // tones are scaled to the total ink that they make.
  OnPaper<LengthRange> dot_size = {};
  DotSizeFrom size_from = DotSizeFrom::tone;  // for dot_size MIN:MAX
  // Number of sizes from MIN to MAX, as of a set of pens: 2..16; 0: any size between them. With
  // `kernel`, dots of each size are even by themselves.
  int size_steps = 0;
  // Keeps dots from overlapping. They can then cover 71 % of the paper; darker places are drawn at
  // that tone. If number and size require more, dots shrink.
  bool no_overlap = false;
  // Least distance between the rims of dots. Places darker than dots can then make are drawn as
  // dark as possible.
  OnPaper<Length> gap{{0, Unit::mm}};
  // Above this darkness, averaged over about a dot spacing, ink covers the paper and dots of the
  // paper's color lie on it; 1: nowhere.
  double invert_darks = 1;
  // Covers areas with ink whose tone is above 0.907, the most that dots side by side can cover. The
  // pen of DotShape::point sets its dots closer there, until hardly any paper shows.
  bool solid_blacks = false;
  Paper paper = {};                       // empty: the image at `dpi`, and the margin around it
  OnPaper<Length> margin{{0, Unit::mm}};  // at each side; % of the paper's shorter side
  // Requires a paper. Dots and darkness are then in pixels of the drawn picture: of the part that
  // is left, or of the picture stretched along one side.
  PaperFit fit = PaperFit::contain;
  bool registration = false;  // crosses in the corners of the margin, for each ink
  bool plates = false;        // the picture of each ink has one bit per pixel: black for ink
  // Pixels per inch: of the image without a paper, of px sizes of papers and margins, and of
  // pictures without a size.
  Resolution dpi = {};
  Size size = {};  // of pictures, pixels: the paper is fitted into it. Empty: the image's own
                   // without paper and margin, otherwise the paper's at `dpi`
  OnPaper<Length> pen{{0, Unit::mm}};  // width of the pen's line; 0: filled dots
  // Length of a touch for `shape point`, for readers that drop touches without length.
  OnPaper<Length> touch{{0, Unit::mm}};
  // A color; or several, separated by commas, `cmyk`, or a palette file, without the color of the
  // paper. Dots of several inks lie side by side and mix to the colors of the picture. Dots of all
  // inks are kept apart, and the dots of each ink are even.
  TextInput ink{"black", nullptr};
  std::string background = "white";  // or none
  DotOrder order = DotOrder::travel;
  bool progressive = false;  // instead of an order: any first part of the dots is a stippling
  DotShape shape = DotShape::disc;
  OutlineInput outline = {};     // of DotShape::outline
  DotTurn turn = DotTurn::none;  // rotation of the shapes of the outline
  bool each_path = false;        // each path of the outline is a shape; dots have one at random
  // tsp: a line through the dots replaces them. It is as wide as the pen, or as the darkness
  // requires. With `dots` 0 a line of the pen's width gets as many dots as its ink requires.
  DotPath path = DotPath::none;
  LongestHop longest_hop = {};
  // Number of layers per ink, to plot one after the other. Each layer has dots of all tones and is
  // even by itself.
  int split = 1;
  // Files of the parts of a sheet that is larger than the machine. Adjacent parts share a band of
  // this width along their seam.
  TileGrid tiles = {};
  OnPaper<Length> tile_overlap{{8, Unit::mm}};
  std::int64_t from = 0;  // leaves out this many of the first dots, or lines, of the drawing
  Plotter plotter = {};
};
void describe(StippleOptions& options, OptionList& list);
// Returns the options with the unit that each plain number stands for.
StippleOptions with_units(StippleOptions options);

struct Stippling {
  Drawing drawing = {};  // mm on the paper
  // Pixels of the image, in drawing order, ink by ink. radius: the drawn radius of the dot.
  // class_id: the ink, if there are several; with inverted darks 0: ink, 1: paper. rank, if
  // progressive: the place in that order over all inks.
  Points dots = {};
  Plane<float> darkness = {};  // the darkness to draw, 0..1 per pixel of the image
  PaperPlace place = {};       // of the image
  int raster_width = 0;        // of the drawing as a picture, pixels
  int raster_height = 0;
  std::int64_t lost = 0;  // in a sequence: dots of the previous picture that did not last
  // The ink of all dots, as a share of the darkness of the picture.
  double ink = 1;
};

// Draws `image`; `field` defines how darkness is read from it. Throws Error(input) if nothing is
// dark. Throws Error(usage) for papers without room, sizes that make no dots, more dots than a gap
// allows, and a `from` beyond the last. Throws Error(limit) for more dots than memory allows.
Stippling stipple(const Image& image, const PictureOptions& field, const StippleOptions& options,
                  Context& context);
// As above, but reads an image in memory of the caller in place; with several inks it is copied.
Stippling stipple(const ImageView& image, const PictureOptions& field,
                  const StippleOptions& options, Context& context);

// Draws the pictures of a sequence, one after the other, with dots that stay. They move with the
// picture, come and go where the tone changes, and lie still where nothing changes. Column `id`
// identifies a dot. The first picture settles sizes and tones; the number of dots of later pictures
// follows from them, 0 for white pictures. One thread at a time may use an object.
class StippleSequence {
 public:
  // Throws Error(usage) for options without dots that can stay: methods other than `kernel`, and a
  // progressive order.
  StippleSequence(PictureOptions field, StippleOptions options);
  ~StippleSequence();

  // Throws as stipple() does, and Error(input) for a picture of another size.
  Stippling next(const Image& frame, Context& context);

  struct Memory;

 private:
  PictureOptions field_;
  StippleOptions options_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace dapple
