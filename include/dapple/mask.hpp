// Makes blue-noise dither masks (threshold textures).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/buffers.hpp"
#include "dapple/extend/option_words.hpp"
#include "dapple/field.hpp"
#include "dapple/forward.hpp"
#include "dapple/inputs.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "dapple/units.hpp"

namespace dapple {

enum class MaskMethod { void_and_cluster, ulichney, white, bayer };
constexpr auto option_names(MaskMethod) {
  return words_to<MaskMethod::bayer>("void-and-cluster", "ulichney", "white", "bayer");
}
// scalar: evenly spread in the plane, or in the volume if there is a depth. spatiotemporal: evenly
// spread in each frame and, at each pixel, in time. fractal: the nearness of the nearest dot of a
// pattern that stays blue noise when zoomed. vector2, vector3, cosine: scalar with the values
// circle, sphere and cosine.
enum class MaskKind { scalar, vector2, vector3, cosine, spatiotemporal, fractal };
constexpr auto option_names(MaskKind) {
  return words_to<MaskKind::fractal>("scalar", "vector2", "vector3", "cosine", "spatiotemporal",
                                     "fractal");
}
// The value of a pixel. uniform, triangular, gaussian: a number. vec2, vec3, vec4: two, three or
// four numbers 0..1. disc: a point of the disc around (0, 0) of radius 1. circle, sphere: a unit
// vector. hemisphere: a unit vector with z > 0. cosine: the same, each as often as its z.
enum class MaskValues {
  uniform,
  triangular,
  gaussian,
  circle,
  sphere,
  cosine,
  vec2,
  vec3,
  vec4,
  disc,
  hemisphere
};
constexpr auto option_names(MaskValues) {
  return words_to<MaskValues::hemisphere>("uniform", "triangular", "gaussian", "circle", "sphere",
                                          "cosine", "vec2", "vec3", "vec4", "disc", "hemisphere");
}
// auto: 8 bits, but the ranks in arrays (.npy, .raw).
enum class MaskBits { usual, u8, u16, f16, f32 };  // written auto, 8, 16, half, float
constexpr auto option_names(MaskBits) {
  return words_to<MaskBits::f32>("auto", "8", "16", "half", "float");
}
// A filter that averages pixels, or one that averages frames, and its size; written as `gauss` or
// `gauss:1.5`. usual (written auto): a mask without frames is best seen from any distance; frames
// are best averaged, by any number, and seen by pixels or blurred. none: frames are not averaged.
// ema: the mean moves towards each frame by a part of the difference.
struct MaskFilter {
  enum class Shape { usual, none, box, gauss, binomial, ema };
  Shape shape = Shape::usual;
  // gauss: sigma, and box: width, both in pixels or frames; binomial: order, as 2 for weights 1 2
  // 1; ema: the share of the new frame. 0: 1, 3 and 2 for pixels, 1.9, 8, 4 and 0.1 for frames.
  double size = 0;

  friend bool operator==(const MaskFilter&, const MaskFilter&) = default;
};
constexpr auto option_names(MaskFilter::Shape) {
  return words_to<MaskFilter::Shape::ema>("auto", "none", "box", "gauss", "binomial", "ema");
}
std::string to_text(const MaskFilter& value);
void from_text(std::string_view text, MaskFilter& value);

struct MaskOptions {
  Size size = {};  // depth: layers or frames; empty: 128x128, or the size of `density`
  MaskKind kind = MaskKind::scalar;
  MaskMethod method = MaskMethod::void_and_cluster;
  int channels = 1;     // number of independent masks, 1..4
  double sigma = 1.44;  // of the energy's narrow Gaussian, pixels; scales its other lengths
  // Number of masks to choose from: the first that meets the goals of its size, or the best. 0: up
  // to 64 for masks up to 256x256 (512 below 24 pixels) at the usual sigma, otherwise one.
  int candidates = 0;
  PointsInput points = {};      // starting pattern instead of the sampler's, scaled to the size
  PointsSize points_size = {};  // size of the picture that `points` were made for
  ImageInput density = {};      // a map: the pixels below any threshold stipple it
  MaskValues values = MaskValues::uniform;
  TextInput histogram = {};  // another distribution of the values; see describe()
  MaskBits bits = MaskBits::usual;
  MaskFilter filter_space = {};  // auto, box, gauss or binomial
  MaskFilter filter_time = {};
  // Filters act each alone (separate) or one after the other (product), or else both ways.
  bool separate = false;
  bool product = false;
};
void describe(MaskOptions& options, OptionList& list);

// The options of masks of frequencies for MRI.
struct SamplingMaskOptions {
  Size grid{0, 0};          // cells; empty: none
  double acceleration = 0;  // cells per sample, above 1
  Size calibration{0, 0};   // cells in the middle that are all sampled; empty: none
};
void describe(SamplingMaskOptions& options, OptionList& list);
// Returns 1 for the cells to measure and 0 for the others: exactly round(W H / acceleration) ones.
// The calibration cells around frequency 0, which is the cell (W / 2, H / 2) rounded down, are all
// measured. Elsewhere samples keep a distance of about 1 + slope d cells, where d is the distance
// from the calibration cells in half sides of the grid; the slope follows from the number of
// samples (Lustig, Donoho, Pauly 2007; Yuksel 2015). Deterministic in context.seed. O(W H
// acceleration), and about 150 + 60 acceleration bytes per cell.
//
// Throws Error(usage) for an empty grid, an acceleration of at most 1, and calibration cells that
// are more than the samples or the grid; Error(limit) above the limits.
Plane<std::int32_t> sampling_mask(const SamplingMaskOptions& options, Context& context);

// Returns ranks 0 .. W*H-1, each once, at any size from 1x1. void_and_cluster: Ulichney 1993 on the
// torus, with energy in 16-bit integers over a finite support. It starts from darts on pixels or
// from the given points. Given points keep the first ranks, in the order of their own ranks, if
// any. Exact, so equal for any build and number of threads. O(pixels);
// `dapple_bench --benchmark_filter=mask` prints the time. ulichney: as published, one Gaussian of
// sigma pixels from a random start; O(pixels^1.5). white: hashed. bayer: ordered dither (Bayer
// 1973); Error(usage) unless both sides are powers of two. Throws Error(limit) above the limits or
// 2^30 pixels.
Plane<std::int32_t> make_ranks(int width, int height, const MaskOptions& options, Context& context);

// As above, but writes into memory of the caller, at its size. Throws Error(usage) as
// require_view() does, and if options.size is given and differs.
void make_ranks(PlaneView<std::int32_t> ranks, const MaskOptions& options, Context& context);

// Returns the ranks of a mask of numbers, of any kind but fractal: one plane per channel, its
// slices one below the other, ranks 0 .. W*H*D-1. Channels differ and are independent; the first
// equals the mask with one channel. `field` defines how the density map is read; masks of a map do
// not tile. Throws Error(usage) for options that exclude each other.
std::vector<Plane<std::int32_t>> mask_ranks(const MaskOptions& options, const MapOptions& field,
                                            Context& context);

// Converts ranks to an image of thresholds. u8: floor(rank * 256 / N) / 255, so every value occurs
// equally often (to within one); u16: as u8, with 65536 levels; f32: (rank + 0.5) / N. Channels Y,
// or R G, R G B, R G B A; encoding data. Another distribution has its quantiles at (rank + 0.5) /
// N. triangular: -1..1; gaussian: mean 0, standard deviation 1; for integers see stored_mask().
Image mask_image(const std::vector<Plane<std::int32_t>>& ranks, const MaskOptions& options);

// Makes a whole mask by the options. Unit vectors (circle, sphere, cosine; a depth makes frames):
// each frame uses an even set of as many directions as pixels, each once; neighbors differ
// (Georgiev and Fajardo 2016). A channel is a component. cosine: the upper half, each direction as
// often as the cosine of its angle to the axis.
// Points (vec2, vec3, vec4, disc, hemisphere; a depth makes frames): as vectors, but swapped until
// the error of steps in all directions is least after the filters. vec2 and a density map: points
// follow the map, as for importance sampling.
// Fractal: a square of 32 to 512 texels per side, with the layers of the size. The first layer has
// N dots, N = side^2 / 256 to a multiple of 8, at most 256. The last has the same pattern at half
// the scale, twice each way, which contains the first. The layers between add dots one by one.
// Values are 1 - (distance to the nearest dot / hexagonal spacing of the layer), at least 0.
// O(texels N).
Image make_mask(const MaskOptions& options, Context& context);
// As above, but writes into memory of the caller, in its type. Without a size, the mask has the
// size of the memory; otherwise slices lie one below the other. Throws Error(usage) for memory of
// another size or number of channels, and for other bits.
void make_mask(const MaskOptions& options, const ImageTarget& target, Context& context);

// Converts an f32 mask to the values of integer files: 0..1 for its range. The range is -1..1 for
// triangular values and vectors, -4..4 for gaussian values, and a histogram's range if beyond 0..1.
// Metadata (`dapple:values`) state the meaning of 0 and 1. Integer masks have these values.
Image stored_mask(const Image& mask, const MaskOptions& options);

}  // namespace dapple
