// The parts of void-and-cluster: the integer kernel, the energy field with its search, and the
// order of the starting pattern.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/plane.hpp"

namespace dapple::mask {

// The sigma at which lengths are as they were tuned; others scale them.
inline constexpr double tuned_sigma = 1.44;

// (G(narrow) + weight G(wide)) (1 - (r / edge)^2)^taper, zero from the edge on, where
// G(s) = exp(-r^2 / 2 s^2). Lengths in pixels.
struct KernelShape {
  double narrow, weight, wide, edge, taper;
};

// The shape in integers; the same on every machine, as only IEEE basic operations are used.
struct Kernel {
  int reach = 0;
  std::vector<std::int16_t> weights;  // (2 reach + 1)^2, row by row
  std::int64_t sum = 0;

  std::int16_t at(int dx, int dy) const {
    const int side = 2 * reach + 1;
    return weights[static_cast<std::size_t>((dy + reach) * side + dx + reach)];
  }
};
// exp(x) for x <= 0, to about 1e-13.
double portable_exp(double x);
// Scaled so that the weight in the middle is `peak`, or less where the sum would pass
// `largest_sum`.
Kernel make_kernel(const KernelShape& shape, double scale, int peak, std::int64_t largest_sum);

// The energy of a growing set of pixels on a torus: 0..65535 a pixel, kept from below by -32768
// because the narrowest machines have only the signed 16-bit minimum. Additions saturate; a pixel
// that was set is 65535 and stays so, which takes it out of the search.
//
// Energies only grow, so an old minimum of a tile is a lower bound: a tile is searched again only
// when its bound has become the smallest of all.
class EnergyField {
 public:
  static constexpr int tile = 16;
  static constexpr int taken = 65535;

  EnergyField(int width, int height, const Kernel& kernel);

  // Sets a pixel: adds the kernel round it.
  void set(int x, int y);

  struct Pick {
    int x = 0, y = 0;
    int energy = taken;  // taken: no pixel is free
  };
  // The free pixel of the smallest energy; of equals the first, by tiles row by row, then inside
  // the tile row by row.
  Pick smallest();

 private:
  void add(int left, int top);
  void mark_stale(int x0, int x1, int y0, int y1);
  const std::int16_t* tile_at(std::size_t index) const;
  std::int16_t tile_minimum(std::size_t index) const;
  void raise(std::size_t index, std::int16_t minimum);

  int width_, height_;
  std::ptrdiff_t stride_;
  int tiles_x_;
  std::vector<std::int16_t> energy_;
  std::vector<std::uint8_t> stale_;                // a tile whose minimum may have grown
  std::vector<std::vector<std::int16_t>> minima_;  // of tiles, of 16 tiles, of 256 ...
  // The kernel folded onto the torus, rows padded with zeros to whole vectors.
  int columns_, rows_, padded_;
  int origin_x_, origin_y_;
  std::vector<std::int16_t> weights_, caps_;
};

struct Pixel {
  int x, y;
};

// Ranks of the starting pattern, 0 .. n-1, so that every prefix is well spaced.
std::vector<std::int32_t> rank_start(std::span<const Pixel> start, int width, int height,
                                     const Context& context);

// The whole of void-and-cluster from a starting pattern (pixels, each once) in the order of ranks.
// `progress` is called with 0..1 now and then.
Plane<std::int32_t> grow_ranks(int width, int height, std::span<const Pixel> start, double sigma,
                               const std::function<void(double)>& progress);

// Hashed order, and Bayer's.
Plane<std::int32_t> white_ranks(int width, int height, std::uint64_t seed);
Plane<std::int32_t> bayer_ranks(int width, int height);

}  // namespace dapple::mask
