// The parts of void-and-cluster: the integer kernel, the energy field with its search, and the
// order of the starting pattern.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dapple/geometry.hpp"
#include "dapple/mask.hpp"
#include "dapple/operation.hpp"

namespace dapple::mask {

// The sigma at which lengths are as they were tuned; others scale them.
inline constexpr double tuned_sigma = 1.44;

// (G(narrow) + weight G(wide)) (1 - (r / edge)^2)^taper, zero from the edge on, where
// G(s) = exp(-r^2 / 2 s^2). Lengths in pixels.
struct KernelShape {
  double narrow, weight, wide, edge, taper;
};

// The kernels of ordinary masks while dots are far apart, and after.
inline constexpr KernelShape sparse_shape{1.389, 0.3008, 3.701, 16, 1.05};
inline constexpr KernelShape dense_shape{1.415, 0.842, 3.15, 8, 1.19};
// The sparse kernel serves until the largest void holds this part of its sum: about 5 % of the
// pixels.
inline constexpr double sparse_end = 0.0317;

// A kernel in integers; the same on every machine, as only IEEE basic operations are used.
struct Kernel {
  int reach = 0;                      // across a slice
  int depth_reach = 0;                // across slices
  std::vector<std::int16_t> weights;  // (2 depth_reach + 1) (2 reach + 1)^2, slice by slice
  std::int64_t sum = 0;

  std::int16_t at(int dx, int dy, int dz = 0) const {
    const int side = 2 * reach + 1;
    return weights[static_cast<std::size_t>(((dz + depth_reach) * side + dy + reach) * side + dx +
                                            reach)];
  }
};
// Scaled so that the weight in the middle is `peak`, or less where the sum would pass
// `largest_sum`.
Kernel make_kernel(const KernelShape& shape, double scale, int peak, std::int64_t largest_sum);
// The kernel of a volume: the shape in three dimensions.
Kernel make_volume_kernel(const KernelShape& shape, double scale, int peak,
                          std::int64_t largest_sum);
// The kernel of frames: the shape within the slice, and `time_weight` times `time` along the line
// of a pixel through the slices.
Kernel make_frame_kernel(const KernelShape& shape, double scale, const KernelShape& time,
                         double time_weight, int peak, std::int64_t largest_sum);

struct Pixel {
  int x, y;
  int z = 0;
};
struct PixelBox {
  int x0, y0, x1, y1;
};

// Kernel weights of one slice. What lies several times the depth away is folded into one.
struct KernelSlice {
  int up;                        // slices above the pixel's own, round the depth
  int rows;                      // above and below the middle; -1: the pixel in the middle alone
  const std::uint16_t* weights;  // 2 rows + 1 rows of `padded` numbers; or one number
};

// Pixels in a row that are searched at once; as many as the widest vector has lanes.
inline constexpr int stretch = 16;

// A field as the vector code sees it: energies with copies of the opposite sides of each slice
// round it.
struct EnergyView {
  std::uint16_t* origin;  // of the pixel (0, 0, 0)
  std::ptrdiff_t stride, slice_stride;
  int width, height, depth;
  int reach;
  int padded;  // numbers in a row of weights, of the last of which some are 0
  std::span<const KernelSlice> slices;  // none twice; its own comes first
  const std::uint16_t* itself;          // a row: `taken` in the middle
  std::int32_t* ranks;                  // width x height, slice below slice
  // No free pixel of a stretch of a row has less: energies grow, so that a bound holds for ever.
  // Stretches of a column lie below each other, `bound_rows` a slice.
  std::uint16_t* bounds;
  std::ptrdiff_t bound_rows, columns;

  std::uint16_t* at(int x, int y, int z) const {
    return origin + z * slice_stride + y * stride + x;
  }
  std::uint16_t* bounds_at(int x, int z) const {
    return bounds + (z * columns + x / stretch) * bound_rows;
  }
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

// The energy of a growing set of pixels on a torus of slices: 0..65535 per pixel. Additions
// saturate; a pixel that was set is `taken` and stays so, which takes it out of the search.
class EnergyField {
 public:
  static constexpr int taken = 65535;
  static constexpr int widest = stretch;  // lanes of a vector
  // Energies of such a block stay in the processor's cache while it is swept several times.
  static constexpr int usual_block = 256;

  // A field of no pixels yet; `ranks` is -1 where a pixel is free, and must outlive it. It holds
  // `depth` slices, one below the other. `block`: the least width of the blocks that threads work
  // on, which sets the pace and changes nothing else; they are as wide as the kernel needs at
  // least.
  EnergyField(Plane<std::int32_t>& ranks, int depth, const Kernel& kernel, int block = usual_block);
  EnergyField(const EnergyField&) = delete;
  EnergyField& operator=(const EnergyField&) = delete;

  // Pixels that have their ranks.
  void set(std::span<const Pixel> pixels);
  int energy(const Pixel& p) const { return *view_.at(p.x, p.y, p.z); }
  // Sets the free pixel of the smallest energy, of equals the first row by row, and gives it the
  // next rank, again and again until no free pixel has less than `end`; returns the rank to go on
  // with. On several threads where `parallel` says so; the outcome is the same. `progress` is
  // called with the number of ranks given. `share`: roughly the part of all pixels that are picked,
  // which sets the pace and changes nothing else.
  std::int32_t grow(int end, double share, std::int32_t next, Context& context, bool parallel,
                    const std::function<void(std::int32_t)>& progress);

 private:
  void fold(const Kernel& kernel);
  void sort_picks(std::int32_t next);

  Plane<std::int32_t>& ranks_;
  EnergyView view_;
  std::vector<std::uint16_t> energy_, weights_, itself_, bounds_;
  std::vector<KernelSlice> slices_;
  std::array<std::vector<PixelBox>, 4> blocks_;  // by color: those of one see nothing of each other
};

struct Torus {
  int width, height;
  int depth = 1;  // frames
};

// Ranks of the starting pattern, 0 .. n-1, so that every prefix is well spaced; in frames also over
// time.
std::vector<std::int32_t> rank_start(std::span<const Pixel> start, const Torus& torus,
                                     const Context& context);

// A kernel that serves until the largest void has the energy `end`, filling about that share of
// the pixels.
struct Stage {
  Kernel kernel;
  int end;
  double share;
};
// Until the largest void holds this part of the kernel's sum, which must be at most sparse_sum() so
// that energies do not saturate before.
constexpr std::int64_t sparse_sum(double part) {
  return static_cast<std::int64_t>(60000 / part);
}
inline Stage sparse_stage(Kernel kernel, double part) {
  const auto end = static_cast<int>(part * static_cast<double>(kernel.sum));
  return {std::move(kernel), end, 0.12};
}
// Of flat masks, so that there is room for energies to start from.
inline constexpr int most_random = 20;
inline constexpr std::int64_t largest_dense_sum = EnergyField::taken - 1 - most_random;
// To the end.
inline Stage dense_stage(Kernel kernel) {
  return {std::move(kernel), EnergyField::taken, 1};
}
// Fills the free pixels (-1) of `depth` slices stage by stage, the largest void first; the first
// `next` ranks are given. The last stage ends at EnergyField::taken. On several threads where
// `parallel` says so, in blocks as EnergyField has them. `progress` is called with 0..1 now and
// then.
void fill_voids(Plane<std::int32_t>& ranks, int depth, std::int32_t next,
                std::span<const Stage> stages, Context& context, bool parallel,
                const std::function<void(double)>& progress, int block = EnergyField::usual_block);

class TileKernel;

// A flat mask as it grows, stage by stage. Ties go by strips of 16 columns, then rows, then pixels.
class Growth {
 public:
  // From a starting pattern (pixels, each once) in the order of its ranks. Where `random_seed` is
  // not 0, the dense stage starts from hashed energies of at most a hundredth of what a pixel adds
  // to itself: small masks would repeat each other otherwise.
  Growth(int width, int height, std::span<const Pixel> start, double sigma,
         std::uint64_t random_seed = 0);
  // Until about 5 % of the pixels are set, then all; on several threads where `parallel` says so.
  // `progress` is called with 0..1 now and then.
  using Progress = std::function<void(double)>;
  void sparse(Context& context, bool parallel, const Progress& progress);
  void dense(Context& context, bool parallel, const Progress& progress);

  // -1 where a pixel is free.
  Plane<std::int32_t>& ranks() { return ranks_; }

 private:
  struct Stages;  // the kernels of a sigma

  std::int32_t fill(const TileKernel& kernel, int end, std::span<const std::uint16_t> first,
                    Context& context, bool parallel, const Progress& progress);

  Plane<std::int32_t> ranks_;
  std::shared_ptr<const Stages> stages_;
  std::uint64_t random_seed_;
  std::int32_t next_;
};

// Ranks the last 1/64 of the pixels once more, so that those after any of them are well spaced:
// once free pixels see nothing of each other their energies are equal, and the search would take
// them row by row. Frames lie one below the other.
void thin_last(Plane<std::int32_t>& ranks, int depth, const Context& context);

// The whole of void-and-cluster from a starting pattern.
Plane<std::int32_t> grow_ranks(int width, int height, std::span<const Pixel> start, double sigma,
                               Context& context, bool parallel,
                               const std::function<void(double)>& progress);

// A maximal set of random pixels, no two of them nearer than r, on the torus.
std::vector<Pixel> dart_pixels(int width, int height, double r, std::uint64_t seed);

// Whole masks by void-and-cluster, from a seed: the first of `candidates` that meets the goals of
// its size (docs/quality.md), or the best.
Plane<std::int32_t> flat_ranks(int width, int height, double sigma, std::uint64_t seed,
                               int candidates, Context& context, bool parallel,
                               const std::function<void(double)>& progress);

// Ranks by void-and-cluster as published, with one Gaussian.
Plane<std::int32_t> ulichney_ranks(int width, int height, std::uint64_t seed, double sigma,
                                   Context& context, bool parallel,
                                   const std::function<void(double)>& progress);

// Ranks of a volume: of the pixels below any threshold, evenly spread in three dimensions.
Plane<std::int32_t> volume_ranks(int width, int height, int depth, std::uint64_t seed, double sigma,
                                 Context& context, bool parallel,
                                 const std::function<void(double)>& progress);
// Ranks of frames: evenly spread in every slice, and at every pixel through the slices.
Plane<std::int32_t> frame_ranks(int width, int height, int depth, std::uint64_t seed, double sigma,
                                Context& context, bool parallel,
                                const std::function<void(double)>& progress);

// Ranks whose first n pixels stipple the map (>= 0, not 0 everywhere), for any n. Flat: nothing
// wraps.
Plane<std::int32_t> density_ranks(const Plane<float>& map, std::span<const Pixel> start,
                                  Context& context, const std::function<void(double)>& progress);

// Unit vectors of a kind, a plane a component, evenly spread over all directions in every frame and
// unlike their neighbors; of several frames, which lie one below the other, also unlike those of
// the same pixel before and after.
std::vector<Plane<float>> unit_vectors(const Torus& torus, MaskKind kind, std::uint64_t seed,
                                       double sigma, Context& context,
                                       const std::function<void(double)>& progress);

// Whether the pixels of a kind hold ranks, as all but unit vectors and fractal patterns do.
bool has_ranks(MaskKind kind);

// Of the image of so many channels that the options make; without a density that sets its size.
ImageShape shape_of(const MaskOptions& options, std::size_t channels);

// How many dots the coarsest level of a fractal pattern of so many texels a side has: a multiple of
// 8, from 8 to 256.
int fractal_count(int side);
// Dots of a pattern that holds itself at half the scale, 0..1 on a torus: the first `count` are its
// coarsest level; all four times as many are that level twice as fine. Any number in between is
// evenly spread.
std::vector<Vec2> fractal_dots(int count, std::uint64_t seed, const Context& context);
// Layers from the coarsest to the finest level, one below the other: 1 at a dot, 0 at the spacing
// that as many dots of a hexagonal lattice have.
Plane<float> fractal_layers(int side, int layers, std::uint64_t seed, Context& context,
                            const std::function<void(double)>& progress);

// A distribution: weights of equal bins of 0..1, or of single values.
struct Histogram {
  bool bins = true;
  std::vector<double> values;  // of no bins, in rising order
  std::vector<double> sums;    // of the first weights

  // The value below which the part p of all lies.
  double quantile(double p) const;
};
// Lines of a weight, or of a value and its weight. Throws Error(usage) that names the line.
Histogram parse_histogram(std::string_view text, const std::string& path);
// The quantile function of uniform, triangular and gaussian values, 0 < p < 1.
double quantile(MaskValues values, double p);

// Hashed order, and Bayer's.
Plane<std::int32_t> white_ranks(int width, int height, std::uint64_t seed);
Plane<std::int32_t> bayer_ranks(int width, int height);

}  // namespace dapple::mask
