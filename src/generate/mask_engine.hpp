// The parts of void-and-cluster: the integer kernel, the energy field with its search, and the
// order of the starting pattern.
#pragma once

#include <array>
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

struct Pixel {
  int x, y;
};
struct PixelBox {
  int x0, y0, x1, y1;
};

// What the vector code sees of a field: energies with copies of the opposite sides round them.
struct EnergyView {
  std::uint16_t* origin;  // of the pixel (0, 0)
  std::ptrdiff_t stride;
  int width, height;
  int reach;
  int padded;                    // numbers in a row of weights, of the last of which some are 0
  const std::uint16_t* weights;  // 2 reach + 1 rows; the middle is `taken`
  const std::uint16_t* itself;   // a row: `taken` in the middle
  std::int32_t* ranks;           // width x height

  std::uint16_t* at(int x, int y) const { return origin + y * stride + x; }
};

// In the place of a rank that is still to be found: the energy at which the pixel was picked.
constexpr std::int32_t picked_at(std::uint16_t energy) {
  return -2 - std::int32_t{energy};
}
constexpr bool is_pick(std::int32_t rank) {
  return rank < -1;
}
constexpr std::size_t energy_of_pick(std::int32_t rank) {
  return static_cast<std::size_t>(-2 - rank);
}

// The energy of a growing set of pixels on a torus: 0..65535 a pixel. Additions saturate; a pixel
// that was set is `taken` and stays so, which takes it out of the search.
class EnergyField {
 public:
  static constexpr int taken = 65535;
  static constexpr int widest = 16;  // lanes of a vector

  // Of no pixels; `ranks` is -1 where a pixel is free, and must outlive the field.
  EnergyField(Plane<std::int32_t>& ranks, const Kernel& kernel);
  EnergyField(const EnergyField&) = delete;
  EnergyField& operator=(const EnergyField&) = delete;

  // Pixels that have their ranks.
  void set(std::span<const Pixel> pixels);
  // Sets the free pixel of the smallest energy, of equals the first row by row, and gives it the
  // next rank, again and again until no free pixel has less than `end`; returns the rank to go on
  // with. On several threads where `parallel` says so; the outcome is the same. `progress` is
  // called with the number of ranks given.
  std::int32_t grow(int end, std::int32_t next, Context& context, bool parallel,
                    const std::function<void(std::int32_t)>& progress);

 private:
  static constexpr int most_sweeps = 400;

  void sort_picks(std::int32_t next);

  Plane<std::int32_t>& ranks_;
  EnergyView view_;
  std::vector<std::uint16_t> energy_, weights_, itself_;
  std::array<std::vector<PixelBox>, 4>
      blocks_;  // by colour: those of one see nothing of each other
};

// Ranks of the starting pattern, 0 .. n-1, so that every prefix is well spaced.
std::vector<std::int32_t> rank_start(std::span<const Pixel> start, int width, int height,
                                     const Context& context);

// The whole of void-and-cluster from a starting pattern (pixels, each once) in the order of ranks.
// On several threads where `parallel` says so. `progress` is called with 0..1 now and then.
Plane<std::int32_t> grow_ranks(int width, int height, std::span<const Pixel> start, double sigma,
                               Context& context, bool parallel,
                               const std::function<void(double)>& progress);

// Hashed order, and Bayer's.
Plane<std::int32_t> white_ranks(int width, int height, std::uint64_t seed);
Plane<std::int32_t> bayer_ranks(int width, int height);

}  // namespace dapple::mask
