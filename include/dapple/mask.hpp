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
  int channels = 1;    // 1..4 independent masks
  double sigma = 1.5;  // of the Gaussian energy, pixels
  PointsInput points;  // starting pattern instead of the sampler's
  MaskBits bits = MaskBits::u8;
};
void describe(MaskOptions& options, OptionList& list);

// Ranks 0 .. W*H-1, each once. void_and_cluster: Ulichney 1993 on the torus, Gaussian energy in
// fixed-point integers over a finite support, its starting pattern the sampler's own wrapped
// points; exact, so the same for any build. Throws Error(limit) above 2^30 pixels.
Plane<std::int32_t> make_ranks(int width, int height, const MaskOptions& options, Context& context);

// Ranks as an image of thresholds: u8: floor(rank * 256 / N) / 255, so every value comes equally
// often (to within one); u16 likewise with 65536 levels; f32: (rank + 0.5) / N.
Image mask_image(const std::vector<Plane<std::int32_t>>& ranks, MaskBits bits);

// A whole mask as the options say.
Image make_mask(const MaskOptions& options, Context& context);

}  // namespace dapple
