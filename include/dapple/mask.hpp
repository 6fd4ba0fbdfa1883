// Blue-noise dither masks (threshold textures).
#pragma once

#include "dapple/context.hpp"
#include "dapple/options.hpp"

namespace dapple {

enum class MaskMethod { void_and_cluster, white, bayer };
enum class MaskBits { u8, u16, f32 };  // written 8, 16, float
std::span<const std::string_view> option_names(MaskMethod);
std::span<const std::string_view> option_names(MaskBits);

struct MaskOptions {
  Size size{128, 128};
  MaskMethod method = MaskMethod::void_and_cluster;
  int channels = 1;     // 1..4 independent masks
  double sigma = 1.44;  // of the energy's narrow Gaussian, pixels; its other lengths follow
  PointsInput points;   // starting pattern instead of the sampler's, scaled to the size
  MaskBits bits = MaskBits::u8;
};
void describe(MaskOptions& options, OptionList& list);

// Ranks 0 .. W*H-1, each once, at any size from 1x1. void_and_cluster: Ulichney 1993 on the torus,
// energy in 16-bit integers over a finite support, its starting pattern the sampler's own wrapped
// points (or the points given, which keep the first ranks, in the order of their own ranks where
// they have those). Exact, so the same for any build and number of threads. O(pixels);
// `dapple_bench --benchmark_filter=mask` prints the time. white: hashed. bayer: ordered dither
// (Bayer 1973); Error(usage) unless both sides are powers of two. Throws Error(limit) above the
// limits or 2^30 pixels.
Plane<std::int32_t> make_ranks(int width, int height, const MaskOptions& options, Context& context);

// Ranks as an image of thresholds: u8: floor(rank * 256 / N) / 255, so every value comes equally
// often (to within one); u16 likewise with 65536 levels; f32: (rank + 0.5) / N. Channels Y, or R G,
// R G B, R G B A; encoding data.
Image mask_image(const std::vector<Plane<std::int32_t>>& ranks, MaskBits bits);

// A whole mask as the options say. Channels differ and are independent; the first is the mask that
// one channel alone would be.
Image make_mask(const MaskOptions& options, Context& context);

}  // namespace dapple
