// Makes Worley-style cell textures (Worley 1996) from any point set, exact at any density.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dapple/buffers.hpp"
#include "dapple/field.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

// The metric of distances. Minkowski (1910): (|dx|^p + |dy|^p)^(1/p). p = 1 is Manhattan, 2 is
// Euclidean; below 1, cells become stars.
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
// The text is euclidean, manhattan, chebyshev or minkowski:P.
std::string to_text(const Metric& metric);
void from_text(std::string_view text, Metric& metric);

// The direction of the green channel of a normal map: up (OpenGL) or down (DirectX).
enum class NormalY { up, down };
// The text is up or down; opengl and directx are also read.
std::string to_text(NormalY y);
void from_text(std::string_view text, NormalY& y);
// The distance from which the outputs height and normal are made.
enum class HeightOf { f1, f2_f1, edge };
constexpr auto option_names(HeightOf) {
  return words_to<HeightOf::edge>("f1", "f2-f1", "edge");
}
// The rise of plates over the bevel. round: a quarter circle; smooth: flat at both ends; hollow: a
// quarter circle that is steep at its upper end.
enum class Profile { round, straight, smooth, hollow };
constexpr auto option_names(Profile) {
  return words_to<Profile::hollow>("round", "straight", "smooth", "hollow");
}

// The sites of a texture, and its size.
struct SiteOptions {
  Size size{512, 512};          // with a depth: a volume of slices, with sites in space
  Size udim{0, 0};              // a grid of tiles of `size` that form one texture
  PointsInput points = {};      // given sites, used unchanged
  PointsSize points_size = {};  // of the picture that `points` were made for
  ImageInput density = {};      // density map for the sampler
  SampleMethod method = SampleMethod::darts;
  // Sites of a lattice, moved within their cells: from 0, not at all, to 1, anywhere in the cell.
  // Every second row is shifted by row_offset of a cell.
  std::optional<double> randomness = {};
  double row_offset = 0;
  // Aspect ratio of the cells, length by height, for which sites are placed. Set it equal to
  // WorleyOptions::stretch.
  double stretch = 1;
  double angle = 0;  // of their length, in degrees; set it equal to WorleyOptions::angle
  bool wrap = true;

  // Return the size of the whole texture, in pixels and slices. Throw Error(usage), Error(limit).
  int width() const;
  int height() const;
  int depth() const;
};

// Each of `outputs` gives one channel or more: the distances f1 to f8, sums of them such as f2-f1
// or 2*f1-0.5f3, and the outputs in worley_outputs(). `dapple worley --help` explains each.
// Distances are in pixels. Channels are named after their output: F1, F2-F1, edge, position.x,
// position.y.
struct WorleyOptions {
  std::vector<std::string> outputs{"f1"};
  Metric metric = {};
  // Makes power cells (Aurenhammer 1987) of the weights (power r / 2)^2, with r the radius of the
  // site. Cells follow the spacing of their sites, and none is empty. Distances are then lifted:
  // sqrt(d^2 + w0 - w) with w0 the largest weight.
  double power = 0;
  // Aspect ratio of the cells, length by height. Distances are in pixels across the cells; along
  // them they are divided by this factor. Such textures are resampled, not exact. Flat cells only.
  double stretch = 1;
  // Degrees by which metric and stretch are turned, counterclockwise as seen. At 0 the length of
  // cells is along the x axis. If turned, two images of a site count as two.
  double angle = 0;
  int depth = 1;           // slices of a volume, for sites in space, with z
  int frames = 1;          // of an animation that loops: in its slices, sites move on closed paths
  Length motion = {};      // distance from their places; 0: a third of the spacing
  ImageInput colors = {};  // scaled to the size: the output color is its mean over each cell
  Length line_width{3, Unit::px};
  HeightOf height_of = HeightOf::f1;
  Profile profile = Profile::round;
  Length bevel = {};  // width over which the height rises from an edge; level beyond. 0: rises on
  double normal_strength = 1;
  // The height that the full range stands for. Normals, slopes and occlusion are as steep as the
  // height displaced by it; 0: as steep as the distances.
  Length height_scale = {};
  NormalY normal_y = NormalY::up;
  // Octaves after the first add their distances and heights, each at half the size of the one
  // before and 2 * roughness times as steep. Borders, cells and ids belong to the first octave.
  int octaves = 1;
  double roughness = 0.5;
  // Rounds the creases of F1: -log(sum of exp(-k d)) / k over all sites, with k = 4 log 2 / smooth.
  // If two sites are equally near, F1 is lower by a quarter of `smooth`. Images on the torus are
  // sites of their own.
  Length smooth = {};
  // Pixels of random, color and lines mix their cells by exact shares.
  bool antialias = false;
  Length occlusion_radius{5, Unit::percent};  // distance that shades a place in occlusion
  Length curvature_radius{2, Unit::px};       // distance over which curvature measures normals
  // Output roughness: at the highest places, at the lowest places, and the spread between cells.
  double surface = 0.5;
  double creases = 0.9;
  double surface_variation = 0.1;
  // Bends everything by up to this length, tileable. Such textures are resampled, not exact.
  // Vectors and uv still lead from the pixel's own place to the site.
  Length warp = {};
  bool whole_ids = false;  // gives WriterHints::integers of the output id
};
// Describes the options of sites and textures, in the order of the command line.
void describe(SiteOptions& sites, WorleyOptions& options, OptionList& list);

// Returns the names of outputs, without the sums.
std::span<const std::string_view> worley_outputs();
// Returns the number of channels of all outputs. Throws Error(usage) for unknown outputs.
int worley_channels(std::span<const std::string> outputs);

// Returns the texture of `sites` at width x height pixels over sites.domain, on the torus if it
// wraps. It is one image with the channels above, raw values and Encoding::data. Positions are
// rounded to 2^-16 px. For rounded positions, ids are exact and distances within 1e-4 px (half a
// unit in the last place of a float if that is more). On the torus a site counts once, by its
// nearest image; for edges a cell may border on its own image. The search has no fixed window: it
// grows until it is proven complete. Throws Error(input) for sites outside the domain, and for
// fewer sites than an output needs; Error(usage) for outputs that are unknown or exclude the
// metric.
Image worley(const Points& sites, int width, int height, const WorleyOptions& options,
             Context& context);
// As above, but takes the sites of each octave; there are options.octaves sets.
Image worley(std::span<const Points> octaves, int width, int height, const WorleyOptions& options,
             Context& context);

// As above, but writes into floats in memory of the caller, at their width and height; slices lie
// one below the other. If possible, the texture is made by rows, so that it is never held twice.
// Throws Error(usage) for memory of integers, and unless the number of channels is
// worley_channels(options.outputs).
void worley(std::span<const Points> octaves, const ImageTarget& target,
            const WorleyOptions& options, Context& context);
void worley(const Points& sites, const ImageTarget& target, const WorleyOptions& options,
            Context& context);

// Returns the texture by rows, for sizes that do not fit into memory. Every call of ImageRows::rows
// searches for its own rows. Options and context must outlive it. Throws Error(usage) if has_rows()
// is false.
ImageRows worley_rows(std::span<const Points> octaves, int width, int height,
                      const WorleyOptions& options, Context& context);
// Returns true if pixels need only nearby sites and their cells. They must not need all pixels
// (area, centroid, the mean of `colors`), rows above and below (occlusion, antialias, warp, slopes
// by differences), or slices.
bool has_rows(const WorleyOptions& options);
// Returns roughly the bytes of memory that the whole texture takes.
double worley_memory(std::span<const Points> octaves, int width, int height,
                     const WorleyOptions& options);

// The values that become black and white: for all outputs, and for single outputs by name.
struct OutputLevels {
  LengthRange all = {};
  std::vector<std::pair<std::string, LengthRange>> each = {};

  bool empty() const { return all.empty() && each.empty(); }
  // Returns the levels of one output; empty if none are given.
  LengthRange of(std::string_view output) const;
  friend bool operator==(const OutputLevels&, const OutputLevels&) = default;
};
// The text is LO:HI, and NAME=LO:HI, with commas between them.
std::string to_text(const OutputLevels& levels);
void from_text(std::string_view text, OutputLevels& levels);

// The painting of the output color, and the mapping of numbers in 8 and 16 bit files.
struct WorleyLook {
  // The output that the gradient maps, one number per pixel. "": f1, or the cells' own colors if
  // there is no gradient.
  std::string color_of = {};
  OutputLevels levels = {};  // pixels, or % of the range
  double curve = 1;          // exponent 1 / curve after levels: above 1 lifts the middle
  bool invert_output = false;
  // Colors for color_of from low to high, interpolated in OKLab (Ottosson 2020).
  std::vector<std::string> gradient = {};
  double variation = 0;         // 0..2: random shift of each cell along the gradient
  std::string line_color = {};  // draws the output lines in this color
  double relief = 0;            // shades the height as if lit from the top left
  double gloss = 0;             // adds highlights to the relief

  // Returns true if the look paints. Levels, curve and invert_output then apply to the gradient.
  bool is_picture() const {
    return !gradient.empty() || !color_of.empty() || !line_color.empty() || is_lit();
  }
  bool is_lit() const { return relief > 0 || gloss > 0; }
};
void describe(WorleyLook& look, OptionList& list);

// Returns a texture as 8 and 16 bit files hold it: every output is mapped to 0..1. Its range is in
// the metadata, such as `dapple:scale.F1 = 0..23.4 px`: 0 stands for the first number, full scale
// for the second. Levels, curve and invert_output apply to distances, heights and values, not to
// ids, positions, directions and normals.
Image normalized(const Image& texture, const WorleyLook& look = {});
// As above, but by rows. Reads all rows once before if a range is not known in advance.
ImageRows normalized(const ImageRows& texture, const WorleyLook& look = {});

// Paints the output color as an sRGB picture, computed at four samples per pixel.
Image worley_picture(std::span<const Points> octaves, int width, int height,
                     const WorleyOptions& options, const WorleyLook& look, Context& context);

// The type of stored floats. usual: half in .tx, full in other formats.
enum class WorleyBits { usual, u8, u16, half, full };  // written auto, 8, 16, half, float
constexpr auto option_names(WorleyBits) {
  return words_to<WorleyBits::full>("auto", "8", "16", "half", "float");
}
enum class WorleyIds { numbers, integers };  // written float, uint
constexpr auto option_names(WorleyIds) {
  return words_to<WorleyIds::integers>("float", "uint");
}

// The arrangement of channels in a file.
struct WorleyChannels {
  // Channels of a picture by output, such as R=edge, G=id, B=normal.R, or by a constant from 0 to
  // 1, such as B=0; none: all, in their order.
  std::vector<std::string> pack = {};
  std::string layer = {};  // in front of the names, as in cell.F1
  WorleyBits bits = WorleyBits::usual;
  WorleyIds ids = WorleyIds::numbers;

  bool any() const { return !pack.empty() || !layer.empty(); }
};
void describe(WorleyChannels& channels, OptionList& list);

// Returns the outputs that a pack needs, each once. Throws Error(usage) for an entry that does not
// name a channel of the picture and one of an output.
std::vector<std::string> packed_outputs(std::span<const std::string> pack);
// Returns the number of channels of the picture: 1, 3 or 4.
int packed_channels(std::span<const std::string> pack);
// Returns the texture, raw or normalized, with its channels packed into R, G, B and A. Channels
// without an entry are 0; an empty pack keeps all channels. The metadata names the source:
// dapple:pack.R = edge. Throws Error(usage) if the texture lacks a packed channel.
Image arranged(const Image& texture, const WorleyChannels& channels);

// Returns the given sites, or samples them by field.count (256 if neither count nor radius is
// given), by radius or by the density map.
Points worley_sites(const SiteOptions& options, const FieldOptions& field, Context& context);
// Returns worley_sites() and the sites of further octaves, four times as many in each.
std::vector<Points> worley_octaves(const SiteOptions& options, int octaves,
                                   const FieldOptions& field, Context& context);

}  // namespace dapple
