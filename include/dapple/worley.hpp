// Worley-style cell textures (Worley 1996) from any point set, exact at any density.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dapple/buffers.hpp"
#include "dapple/field.hpp"
#include "dapple/place_points.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

// How distance is measured. Minkowski (1910): (|dx|^p + |dy|^p)^(1/p); p = 1 is Manhattan, 2
// Euclidean, and below 1 cells become stars.
struct Metric {
  enum Kind { euclidean, manhattan, chebyshev, minkowski };
  static constexpr double least_p = 0.25, most_p = 32;
  Kind kind = euclidean;
  double p = 2;  // of Minkowski, from least_p to most_p

  constexpr Metric() = default;
  constexpr Metric(Kind of_kind, double exponent = 2) : kind(of_kind), p(exponent) {}
  friend bool operator==(const Metric& a, const Metric& b) {
    return a.kind == b.kind && (a.kind != minkowski || a.p == b.p);
  }
};
// euclidean, manhattan, chebyshev or minkowski:P.
std::string to_text(const Metric& metric);
void from_text(std::string_view text, Metric& metric);

// Which way the green channel of a normal map points: up (OpenGL) or down (DirectX).
enum class NormalY { up, down };
// up or down; opengl and directx are read, too.
std::string to_text(NormalY y);
void from_text(std::string_view text, NormalY& y);
// The distance that the outputs height and normal are made of.
enum class HeightOf { f1, f2_f1, edge };
constexpr auto option_names(HeightOf) {
  return words_to<HeightOf::edge>("f1", "f2-f1", "edge");
}
// How plates rise over the bevel: a quarter circle, straight, flat at both ends, or a quarter
// circle that is steep at its upper end.
enum class Profile { round, straight, smooth, hollow };
constexpr auto option_names(Profile) {
  return words_to<Profile::hollow>("round", "straight", "smooth", "hollow");
}

// What sites a texture has, and over what size.
struct SiteOptions {
  Size size{512, 512};      // with a depth: a volume of slices, cells of space; sites placed here
  Size udim{0, 0};          // tiles of the size each, which are one texture
  PointsInput points = {};  // sites as they are
  PointsSize points_size = {};  // of the picture that those were made for
  ImageInput density = {};      // density map for the sampler
  SampleMethod method = SampleMethod::darts;
  // Sites of a lattice, each moved about in its cell: from 0, not at all, to 1, anywhere in it.
  // Every second row is moved on by row_offset of a cell.
  std::optional<double> randomness = {};
  double row_offset = 0;
  // Cells so many times as long as high, whose sites are placed for it; goes with that of
  // WorleyOptions.
  double stretch = 1;
  double angle = 0;  // of their length, in degrees; goes with that of WorleyOptions, too
  bool wrap = true;

  // Of the whole texture, in pixels and slices. Throw Error(usage), Error(limit).
  int width() const;
  int height() const;
  int depth() const;
};

// Outputs, a channel or more each, are named in `outputs`: the distances f1 to f8, sums of them
// such as f2-f1 or 2*f1-0.5f3, and those that worley_outputs() lists. `dapple worley --help` says
// what each is. Distances are in pixels. Channels are named after their output: F1, F2-F1, edge,
// position.x, position.y.
struct WorleyOptions {
  std::vector<std::string> outputs{"f1"};
  Metric metric = {};
  // Power cells (Aurenhammer 1987) of the weights (power r / 2)^2, r being the radius of the site:
  // cells follow the spacing of their sites, and none is empty. Distances are then lifted,
  // sqrt(d^2 + w0 - w) with w0 the largest weight.
  double power = 0;
  // Cells so many times as long as high: distances are those across them, and count so many times
  // less along them. Resampled, not exact then. Flat cells alone.
  double stretch = 1;
  // Degrees by which metric and stretch are turned, anticlockwise as it is seen: cells are as long
  // as high along the x axis by default. Turned, two images of a site count as two.
  double angle = 0;
  int depth = 1;           // slices of a volume: of sites in space, with z
  int frames = 1;          // of an animation that loops: slices in which sites move on closed paths
  Length motion = {};      // how far, from their places; 0: a third of the spacing
  ImageInput colors = {};  // scaled to the size: the output color is its mean over each cell
  Length line_width{3, Unit::px};
  HeightOf height_of = HeightOf::f1;
  Profile profile = Profile::round;
  Length bevel = {};  // an edge's height rises over this width and is level beyond; 0: rises on
  double normal_strength = 1;
  // What the whole range of heights stands for, by which normals, slopes and occlusion are as steep
  // as the height displaced by it; 0: as high as distances make it.
  Length height_scale = {};
  NormalY normal_y = NormalY::up;
  // Octaves after the first add their distances and heights, each at half the size of the one
  // before and 2 * roughness times as steep. Borders, cells and ids are those of the first.
  int octaves = 1;
  double roughness = 0.5;
  // Rounds the creases of F1: -log(sum of exp(-k d)) / k over all sites, with k = 4 log 2 / smooth,
  // so that F1 is lower by a quarter of it where two sites are equally near. Images on the torus
  // are sites of their own.
  Length smooth = {};
  // Pixels of random, color and lines show their cells by the exact share of each.
  bool antialias = false;
  Length occlusion_radius{5, Unit::percent};  // what shades a place in the output occlusion
  Length curvature_radius{2, Unit::px};       // over which the output curvature sees normals turn
  // The output roughness: of the highest places and of the lowest, and how far cells differ.
  double surface = 0.5;
  double creases = 0.9;
  double surface_variation = 0.1;
  // Bends everything by up to this much, tileable; resampled, no longer exact then. Vectors and uv
  // still lead from the pixel's own place to the site.
  Length warp = {};
  bool whole_ids = false;  // gives WriterHints::integers of the output id
};
// Both, in the order of the command line.
void describe(SiteOptions& sites, WorleyOptions& options, OptionList& list);

// Names of outputs, without the sums.
std::span<const std::string_view> worley_outputs();
// Channels of outputs together. Throws Error(usage) for unknown ones.
int worley_channels(std::span<const std::string> outputs);

// The texture of `sites` at width x height pixels over sites.domain, which decides about the torus:
// one image, channels as above, raw values, Encoding::data. Positions are rounded to 2^-16 px; with
// these, ids are exact and distances within 1e-4 px (half a unit in the last place of a float where
// that is more). On the torus a site counts once, by its nearest image; for edges a cell may border
// on its own image. Never a fixed window: the search grows until it is proven complete. Throws
// Error(input) for no sites, sites outside the domain, and fewer sites than an output needs;
// Error(usage) for unknown outputs and an edge of another metric.
Image worley(const PointSet& sites, int width, int height, const WorleyOptions& options,
             Context& context);
// The same with the sites of each octave, as many as options.octaves says.
Image worley(std::span<const PointSet> octaves, int width, int height, const WorleyOptions& options,
             Context& context);

// The same into memory of the caller, of floats and as wide and high as that is: slices lie one
// below the other. What can be made by rows is, so that the texture is never held twice. Throws
// Error(usage) for memory of integers, and for another number of channels than
// worley_channels(options.outputs).
void worley(std::span<const PointSet> octaves, const ImageTarget& target,
            const WorleyOptions& options, Context& context);
void worley(const PointSet& sites, const ImageTarget& target, const WorleyOptions& options,
            Context& context);

// The texture by rows, for sizes that do not fit into memory: every call of ImageRows::rows
// searches for its own. Options and context must outlive it. Throws Error(usage) where
// has_rows() is false.
ImageRows worley_rows(std::span<const PointSet> octaves, int width, int height,
                      const WorleyOptions& options, Context& context);
// Whether pixels are made of what is near them and of their cells alone: not of all pixels (area,
// centroid, the mean of `colors`), nor of rows above and below (occlusion, antialias, warp, slopes
// by differences), nor in slices.
bool has_rows(const WorleyOptions& options);
// Bytes that the whole texture takes, about.
double worley_memory(std::span<const PointSet> octaves, int width, int height,
                     const WorleyOptions& options);

// What becomes black and white: of all outputs, and of some by their names.
struct OutputLevels {
  LengthRange all = {};
  std::vector<std::pair<std::string, LengthRange>> each = {};

  bool empty() const { return all.empty() && each.empty(); }
  // Those of one output; empty where none are given.
  LengthRange of(std::string_view output) const;
  friend bool operator==(const OutputLevels&, const OutputLevels&) = default;
};
// LO:HI, and NAME=LO:HI with a comma between them.
std::string to_text(const OutputLevels& levels);
void from_text(std::string_view text, OutputLevels& levels);

// How the output color is painted, and how 8 and 16 bit files show numbers.
struct WorleyLook {
  // The output that the gradient goes over; "": f1, and without a gradient the colors are those of
  // the cells. One number a pixel.
  std::string color_of = {};
  OutputLevels levels = {};  // pixels, or % of the range
  double curve = 1;          // exponent 1 / curve after levels: above 1 lifts the middle
  bool invert_output = false;
  // Colors of color_of from low to high, interpolated in OKLab (Ottosson 2020).
  std::vector<std::string> gradient = {};
  double variation = 0;         // 0..1: how far cells are shifted along the gradient, at random
  std::string line_color = {};  // draws the output lines over it
  double relief = 0;            // shades the height as if lit from the top left
  double gloss = 0;             // adds highlights to the relief

  // Whether there is anything to paint. Levels, curve and invert_output are of the gradient then.
  bool is_picture() const {
    return !gradient.empty() || !color_of.empty() || !line_color.empty() || is_lit();
  }
  bool is_lit() const { return relief > 0 || gloss > 0; }
};
void describe(WorleyLook& look, OptionList& list);

// A texture as 8 and 16 bit files hold it: every output mapped to 0..1, its range in the
// metadata, such as `dapple:scale.F1 = 0..23.4 px`: a stored 0 means the first number and full
// scale the second. Levels, curve and invert_output apply to distances, heights and values, not to
// ids, positions, directions and normals.
Image normalized(const Image& texture, const WorleyLook& look = {});
// normalized() by rows, after a first look at all of them where a range is not known before.
ImageRows normalized(const ImageRows& texture, const WorleyLook& look = {});

// The output color, painted, as an sRGB picture: computed at four samples per pixel.
Image worley_picture(std::span<const PointSet> octaves, int width, int height,
                     const WorleyOptions& options, const WorleyLook& look, Context& context);

// How floats are stored: as the format is used, .tx in half and others in full; or as said.
enum class WorleyBits { usual, u8, u16, half, full };  // written auto, 8, 16, half, float
constexpr auto option_names(WorleyBits) {
  return words_to<WorleyBits::full>("auto", "8", "16", "half", "float");
}
enum class WorleyIds { numbers, integers };  // written float, uint
constexpr auto option_names(WorleyIds) {
  return words_to<WorleyIds::integers>("float", "uint");
}

// How channels stand in a file.
struct WorleyChannels {
  // Channels of a picture by output, such as R=edge, G=id, B=normal.R; none: all, in their order.
  std::vector<std::string> pack = {};
  std::string layer = {};  // in front of the names, as in cell.F1
  WorleyBits bits = WorleyBits::usual;
  WorleyIds ids = WorleyIds::numbers;

  bool any() const { return !pack.empty() || !layer.empty(); }
};
void describe(WorleyChannels& channels, OptionList& list);

// The outputs that a pack asks for, each once. Throws Error(usage) for what names no channel of the
// picture or none of an output.
std::vector<std::string> packed_outputs(std::span<const std::string> pack);
// Channels of the picture: 1, 3 or 4.
int packed_channels(std::span<const std::string> pack);
// The texture, raw or normalized, with its channels where they stand: R, G, B and A, 0 where
// nothing is packed. The metadata says what is where: dapple:pack.R = edge.
// Throws Error(usage) where the texture has no channel that is packed.
Image arranged(const Image& texture, const WorleyChannels& channels);

// Sites as the options say: given, or sampled by field.count (256 where neither count nor radius is
// given), by radius or by the density map.
PointSet worley_sites(const SiteOptions& options, const FieldOptions& field, Context& context);
// worley_sites() and the sites of further octaves, four times as many each.
std::vector<PointSet> worley_octaves(const SiteOptions& options, int octaves,
                                     const FieldOptions& field, Context& context);

}  // namespace dapple
