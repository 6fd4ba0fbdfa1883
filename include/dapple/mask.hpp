// Blue-noise dither masks (threshold textures).
#pragma once

#include <cstdint>
#include <vector>

#include "dapple/buffers.hpp"
#include "dapple/field.hpp"
#include "dapple/forward.hpp"
#include "dapple/inputs.hpp"
#include "dapple/option_words.hpp"
#include "dapple/place_points.hpp"
#include "dapple/plane.hpp"
#include "dapple/units.hpp"

namespace dapple {

enum class MaskMethod { void_and_cluster, ulichney, white, bayer };
constexpr auto option_names(MaskMethod) {
  return words_to<MaskMethod::bayer>("void-and-cluster", "ulichney", "white", "bayer");
}
// What a pixel holds: a number (evenly spread in the plane, or in the volume where there is a
// depth), a unit vector, a number that is evenly spread in each frame and, at each pixel, in time,
// or how near the nearest dot is of a pattern that stays blue noise when zoomed.
enum class MaskKind { scalar, vector2, vector3, cosine, spatiotemporal, fractal };
constexpr auto option_names(MaskKind) {
  return words_to<MaskKind::fractal>("scalar", "vector2", "vector3", "cosine", "spatiotemporal",
                                     "fractal");
}
enum class MaskValues { uniform, triangular, gaussian };
constexpr auto option_names(MaskValues) {
  return words_to<MaskValues::gaussian>("uniform", "triangular", "gaussian");
}
// auto: 8 bits, and in arrays (.npy, .raw) the ranks.
enum class MaskBits { usual, u8, u16, f16, f32 };  // written auto, 8, 16, half, float
constexpr auto option_names(MaskBits) {
  return words_to<MaskBits::f32>("auto", "8", "16", "half", "float");
}

struct MaskOptions {
  Size size =
      {};  // with a depth: layers of a volume, or frames; not given: 128x128, or the map's own
  MaskKind kind = MaskKind::scalar;
  MaskMethod method = MaskMethod::void_and_cluster;
  int channels = 1;     // 1..4 independent masks
  double sigma = 1.44;  // of the energy's narrow Gaussian, pixels; its other lengths follow
  // Masks to choose from, of which the first that meets the goals of its size is taken, or the
  // best; 0: as many as that may take where figures scatter (up to 128x128), else one.
  int candidates = 0;
  PointsInput points = {};      // starting pattern instead of the sampler's, scaled to the size
  PointsSize points_size = {};  // of the picture that those were made for
  ImageInput density = {};      // a map: pixels below any threshold are a stippling of it
  MaskValues values = MaskValues::uniform;
  TextInput histogram = {};  // values of any distribution instead: see describe()
  MaskBits bits = MaskBits::usual;
};
void describe(MaskOptions& options, OptionList& list);

// Ranks 0 .. W*H-1, each once, at any size from 1x1. void_and_cluster: Ulichney 1993 on the torus,
// energy in 16-bit integers over a finite support, its starting pattern darts on pixels (or the
// points given, which keep the first ranks, in the order of their own ranks where they have
// those). Exact, so the same for any build and number of threads. O(pixels);
// `dapple_bench --benchmark_filter=mask` prints the time. ulichney: as published, one Gaussian of
// sigma pixels from a random start; O(pixels^1.5). white: hashed. bayer: ordered dither (Bayer
// 1973); Error(usage) unless both sides are powers of two. Throws Error(limit) above the limits or
// 2^30 pixels.
Plane<std::int32_t> make_ranks(int width, int height, const MaskOptions& options, Context& context);

// The same into memory of the caller, as wide and high as it is. Throws Error(usage) as
// require_view() does, and for another size than options.size where that is given.
void make_ranks(PlaneView<std::int32_t> ranks, const MaskOptions& options, Context& context);

// Ranks for all kinds but vectors, size and channels as the options say: a plane per channel, its
// slices one below the other, ranks 0 .. W*H*D-1. Channels differ and are independent; the first is
// the mask that one channel alone would be. `field` says how the density map is read; such masks
// do not tile. Throws Error(usage) for options that do not go together.
std::vector<Plane<std::int32_t>> mask_ranks(const MaskOptions& options, const MapOptions& field,
                                            Context& context);

// Ranks as an image of thresholds: u8: floor(rank * 256 / N) / 255, so every value comes equally
// often (to within one); u16 likewise with 65536 levels; f32: (rank + 0.5) / N. Channels Y, or R G,
// R G B, R G B A; encoding data. Other values than uniform ones: those of which a part
// (rank + 0.5) / N is smaller; triangular: -1..1, gaussian: mean 0, standard deviation 1; in
// integers see stored_mask().
Image mask_image(const std::vector<Plane<std::int32_t>>& ranks, const MaskOptions& options);

// A whole mask as the options say. Unit vectors (vector2, vector3, and cosine: of the upper half,
// as often as the cosine of their angle to it; a depth makes frames): every pixel of a frame one of
// an even set of as many directions, each once, unlike its neighbors' (Georgiev and Fajardo 2016),
// a channel a component. Fractal: a square of 32 to 512 texels a side and as many layers as the
// size has. The first has N dots, N = side^2 / 256 to a multiple of 8, 256 at most; the last the
// same dots at half the scale, twice each way, of which the first layer's are a part; those between
// add dots one by one. Values are 1 - (distance to the nearest dot / hexagonal spacing of the
// layer), at least 0. O(texels N).
Image make_mask(const MaskOptions& options, Context& context);
// The same into memory of the caller, in its type: the size is its own where none is given, else
// slices lie one below the other. Throws Error(usage) for memory of another size or number of
// channels, and for other bits than it has.
void make_mask(const MaskOptions& options, const ImageTarget& target, Context& context);

// An f32 mask as integer files hold it, 0..1 for the range of its values: -1..1 of triangular ones
// and of vectors, -4..4 of gaussian ones, that of a histogram where it goes beyond 0..1. What 0 and
// 1 stand for is in the metadata (`dapple:values`); masks of integers are made that way at once.
Image stored_mask(const Image& mask, const MaskOptions& options);

}  // namespace dapple
