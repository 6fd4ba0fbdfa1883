// Stippling: an image as dots of ink (tone D = n pi a^2: the ink of all dots is the darkness asked
// for).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dapple/drawing.hpp"
#include "dapple/field.hpp"
#include "dapple/forward.hpp"
#include "dapple/inputs.hpp"
#include "dapple/option_words.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "dapple/units.hpp"

namespace dapple {

// kernel: dots relaxed under two Gaussian kernels until their local count matches the tone.
// lbg: dots that split and go until each holds as much darkness as the others (Deussen, Spicker,
// Zheng 2017); without a number of dots it finds one. voronoi: weighted Voronoi (Secord 2002),
// whose tone is too even by construction. poisson: the sampler's darts as they are.
enum class StippleMethod { kernel, lbg, voronoi, poisson };
constexpr auto option_names(StippleMethod) {
  return words_to<StippleMethod::poisson>("kernel", "lbg", "voronoi", "poisson");
}
enum class DotPath { none, tsp };  // dots; one line through all of them
constexpr auto option_names(DotPath) {
  return words_to<DotPath::tsp>("none", "tsp");
}
// How a picture meets the shape of its paper: all of it, with bare paper at two sides; cut at two
// sides; distorted.
enum class PaperFit { contain, cover, stretch };
constexpr auto option_names(PaperFit) {
  return words_to<PaperFit::stretch>("contain", "cover", "stretch");
}

// How dots meet the frame of the picture: as if they were cut out of a larger stippling, or lined
// up along it.
enum class FrameEdge { cut, fitted };
constexpr auto option_names(FrameEdge) {
  return words_to<FrameEdge::fitted>("cut", "fitted");
}

// What sizes of dots follow: the tone, larger where it is darker; detail or edges, smaller where
// there are some; nothing.
enum class DotSizeFrom { tone, detail, edges, random };
constexpr auto option_names(DotSizeFrom) {
  return words_to<DotSizeFrom::random>("tone", "detail", "edges", "random");
}

// A size of paper; by its name alone it turns as the picture is.
using Paper = OnPaper<Size>;
std::string to_text(const Paper& value);
// Beside sizes, names with `-portrait` and `-landscape`, which do not turn.
void from_text(std::string_view text, Paper& value);

// Where `tsp` lifts the pen between two dots: where its line would cross bare paper, nowhere, or
// where they are farther apart than a length.
struct LongestHop {
  enum class Rule { automatic, none, length };
  Rule rule = Rule::automatic;
  OnPaper<Length> length = {};
  friend bool operator==(const LongestHop&, const LongestHop&) = default;
};
std::string to_text(const LongestHop& hop);
void from_text(std::string_view text, LongestHop& hop);  // auto, none or a length above 0

// Tiles of a drawing: so many across and down, or as many as a machine's area needs.
struct TileGrid {
  int columns = 0;
  int rows = 0;
  Size area = {};  // of the machine, in a physical unit; empty: columns and rows say it

  explicit operator bool() const { return columns > 0 || !area.empty(); }
  friend bool operator==(const TileGrid&, const TileGrid&) = default;
};
std::string to_text(const TileGrid& tiles);
void from_text(std::string_view text, TileGrid& tiles);  // 3x2, or 300x218mm

// Shapes as they are drawn, turned by chance, or with their tops to where it is darker.
enum class DotTurn { none, random, gradient };
constexpr auto option_names(DotTurn) {
  return words_to<DotTurn::gradient>("none", "random", "gradient");
}

struct StippleOptions {
  StippleMethod method = StippleMethod::kernel;
  double regularity = 0.5;  // of `kernel`: 0 organic, 1 nearly hexagonal where the tone is even
  FrameEdge frame = FrameEdge::cut;  // of `kernel`, but for sequences, which are fitted
  double edges = 0;                  // of `kernel`, 0..1: how much more closely dots follow edges
  std::int64_t dots = 0;  // 0: from the dot size; without one, 10,000, or 30,000 of a night
  // Diameter, or MIN:MAX, growing with the darkness; empty: from the number of dots, or the pen's
  // width for points. Of circles: the diameter of the line. Where number and size are both given,
  // all tones are scaled by what that makes the total ink.
  OnPaper<LengthRange> dot_size = {};
  DotSizeFrom size_from = DotSizeFrom::tone;  // of dot_size MIN:MAX
  // So many sizes from MIN to MAX, as of a set of pens: 2..16; 0: any between them. Of `kernel`,
  // dots of each size are even by themselves.
  int size_steps = 0;
  // Dots keep clear of each other. They can cover 71 % of the paper then: darker places are drawn
  // at that tone. Where number and size ask for more, dots shrink.
  bool no_overlap = false;
  // Between the rims of all dots, at least; darker places than dots can make then are drawn as dark
  // as they can.
  OnPaper<Length> gap{{0, Unit::mm}};
  // Where it is darker than that, seen over about a dot spacing, the paper is covered with ink and
  // dots of the paper's color lie on it; 1: nowhere.
  double invert_darks = 1;
  Paper paper = {};                       // empty: the image at `dpi`, and the margin round it
  OnPaper<Length> margin{{0, Unit::mm}};  // at each side; % of the paper's shorter side
  // With a paper. Dots and darkness are in pixels of what is drawn: of the part that is left, or of
  // the picture stretched along one side.
  PaperFit fit = PaperFit::contain;
  bool registration = false;  // crosses in the corners of the margin, for each ink
  double dpi = 96;  // pixels per inch: of the image where no paper is given, of px sizes of
                    // papers and margins, and of pictures where no size is given
  Size size = {};   // of pictures, pixels: the paper is fitted into it. Empty: the image's
                    // own where neither paper nor margin is given, else the paper's at `dpi`
  OnPaper<Length> pen{{0, Unit::mm}};  // width of the pen's line; 0: filled dots
  // Of `shape point`: the length of a touch, for readers that drop those of none.
  OnPaper<Length> touch{{0, Unit::mm}};
  // A color; or several, separated by commas, `cmyk`, or a palette file, less the color of the
  // paper: dots lie side by side, kept apart over all inks and even in each, and mix to the colors
  // of the picture.
  TextInput ink{"black", nullptr};
  std::string background = "white";  // or none
  DotOrder order = DotOrder::travel;
  bool progressive = false;  // instead of an order: any first part of the dots is a stippling too
  DotShape shape = DotShape::disc;
  OutlineInput outline = {};     // of DotShape::outline
  DotTurn turn = DotTurn::none;  // how its shapes lie
  bool each_path = false;        // its paths are shapes of their own, which dots have by chance
  // tsp: instead of dots a line through them, as wide as the pen, or as makes its ink the darkness.
  // The number of dots is that which gives a line of the pen's width that ink.
  DotPath path = DotPath::none;
  LongestHop longest_hop = {};
  // So many layers for each ink, to plot one after the other, each of dots of all tones that are
  // even by themselves.
  int split = 1;
  // Files of the parts of a sheet that is larger than the machine; what lies along their seams, in
  // a band so wide, is shared between them.
  TileGrid tiles = {};
  OnPaper<Length> tile_overlap{{8, Unit::mm}};
  std::int64_t from = 0;  // leaves out so many of the first dots, or lines, of the drawing
  Plotter plotter = {};
};
void describe(StippleOptions& options, OptionList& list);
// The same with the unit that each plain number stands for.
StippleOptions with_units(StippleOptions options);

struct Stippling {
  Drawing drawing = {};  // mm on the paper
  // Pixels of the image, in drawing order, ink by ink; radius = the dot's own drawn radius, klass =
  // the ink where there are several; with inverted darks 0: ink, 1: paper. Progressive: rank =
  // place in that order over all inks.
  PointSet dots = {};
  Plane<float> darkness = {};  // what the dots stand for, 0..1 per pixel of the image
  int raster_width = 0;        // of the drawing as a picture
  int raster_height = 0;
  std::int64_t lost = 0;  // of a sequence: dots of the picture before that did not last
  // Of all dots, as a share of the darkness that the picture asks for.
  double ink = 1;
};

// `image` is the picture; `field` says how darkness is read from it.
// Throws Error(input) where nothing is dark, Error(usage) for papers without room, for sizes
// that make no dots, for more dots than a gap allows and a `from` beyond the last, Error(limit) for
// more dots than memory allows.
Stippling stipple(const Image& image, const MapOptions& field, const StippleOptions& options,
                  Context& context);
// The same of an image in memory of the caller, which is read where it lies; of several inks, it is
// copied.
Stippling stipple(const ImageView& image, const MapOptions& field, const StippleOptions& options,
                  Context& context);

// Pictures of a sequence, one after the other, as stipplings whose dots stay: they go along with
// what moves, come and go where the tone changes, and where nothing changes they lie still. Column
// `id` of the dots says which is which. The first picture settles sizes and tones; later ones have
// as many dots as that makes, none where they are white. One thread at a time may use an object.
class StippleSequence {
 public:
  // Throws Error(usage) for options that leave no dots to stay: methods but `kernel`, an order of
  // first parts.
  StippleSequence(MapOptions field, StippleOptions options);
  ~StippleSequence();

  // Throws as stipple() does, and Error(input) for a picture of another size.
  Stippling next(const Image& frame, Context& context);

  struct Memory;

 private:
  MapOptions field_;
  StippleOptions options_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace dapple
