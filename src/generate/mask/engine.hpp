// Declares the parts of void-and-cluster: the integer kernel, the energy field with its search, and
// the order of the starting pattern.
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

#include "dapple/extend/operation.hpp"
#include "dapple/geometry.hpp"
#include "dapple/mask.hpp"

namespace dapple::mask {

// The sigma for which lengths were tuned; other sigmas scale them.
inline constexpr double tuned_sigma = 1.44;

// A kernel (G(narrow) + weight G(wide)) (1 - (r / edge)^2)^taper, zero from the edge on, with G(s)
// = exp(-r^2 / 2 s^2). Lengths are in pixels.
struct KernelShape {
  double narrow, weight, wide, edge, taper;
};

// The kernels of ordinary masks: sparse while dots are far apart, and dense after.
inline constexpr KernelShape sparse_shape{1.389, 0.3008, 3.701, 16, 1.05};
inline constexpr KernelShape dense_shape{1.415, 0.842, 3.15, 8, 1.19};
// The sparse kernel serves until the largest void holds this part of its sum, at about 5 % of the
// pixels.
inline constexpr double sparse_end = 0.0317;

// A kernel in integers. It is the same on every machine: only IEEE basic operations make it.
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
// Makes a flat kernel. The weight in the middle is `peak`, or less if the sum would otherwise pass
// `largest_sum`.
Kernel make_kernel(const KernelShape& shape, double scale, int peak, std::int64_t largest_sum);
// Makes the kernel of a volume: the shape in three dimensions.
Kernel make_volume_kernel(const KernelShape& shape, double scale, int peak,
                          std::int64_t largest_sum);
// Makes the kernel of frames: the shape within the slice, and `time_weight` times `time` along the
// line of a pixel through the slices.
Kernel make_frame_kernel(const KernelShape& shape, double scale, const KernelShape& time,
                         double time_weight, int peak, std::int64_t largest_sum);

struct Pixel {
  int x, y;
  int z = 0;
};
struct PixelBox {
  int x0, y0, x1, y1;
};

// Kernel weights of one slice. Slices that coincide modulo the depth are folded into one.
struct KernelSlice {
  int up;                        // slices above the pixel's own, modulo the depth
  int rows;                      // above and below the middle; -1: only the pixel in the middle
  const std::uint16_t* weights;  // 2 rows + 1 rows of `padded` numbers; or one number
};

// Pixels in a row that are searched at once, as many as the widest vector has lanes.
inline constexpr int stretch = 16;

// A field as the vector code sees it: energies, with copies of the opposite sides around each
// slice.
struct EnergyView {
  std::uint16_t* origin;  // of the pixel (0, 0, 0)
  std::ptrdiff_t stride, slice_stride;
  int width, height, depth;
  int reach;
  int padded;                           // numbers in a row of weights; some of the last are 0
  std::span<const KernelSlice> slices;  // each once; the pixel's own comes first
  const std::uint16_t* itself;          // a row with `taken` in the middle
  std::int32_t* ranks;                  // width x height, slice below slice
  // No free pixel of a stretch of a row has less energy. Energies only grow, so a bound stays
  // valid. Stretches of a column lie below each other, `bound_rows` per slice.
  std::uint16_t* bounds;
  std::ptrdiff_t bound_rows, columns;

  std::uint16_t* at(int x, int y, int z) const {
    return origin + z * slice_stride + y * stride + x;
  }
  std::uint16_t* bounds_at(int x, int z) const {
    return bounds + (z * columns + x / stretch) * bound_rows;
  }
};

// Returns the placeholder of a rank not yet known: the energy at which the pixel was picked.
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
// saturate. A pixel that was set is `taken` and stays so, which takes it out of the search.
class EnergyField {
 public:
  static constexpr int taken = 65535;
  static constexpr int widest = stretch;  // lanes of a vector
  // Energies of a block of this width stay in the processor's cache over several sweeps.
  static constexpr int usual_block = 256;

  // Makes a field without set pixels. `ranks` is -1 at free pixels and must outlive the field; it
  // holds `depth` slices, one below the other. `block` is the least width of the blocks on which
  // threads work. It affects only the speed; blocks are at least as wide as the kernel needs.
  EnergyField(Plane<std::int32_t>& ranks, int depth, const Kernel& kernel, int block = usual_block);
  EnergyField(const EnergyField&) = delete;
  EnergyField& operator=(const EnergyField&) = delete;

  // Adds the energies of pixels that have ranks.
  void set(std::span<const Pixel> pixels);
  int energy(const Pixel& p) const { return *view_.at(p.x, p.y, p.z); }
  // Sets the free pixel of the smallest energy and gives it the next rank, until no free pixel has
  // less than `end`. Of equals, the first in row order comes first. Returns the next rank. Uses
  // several threads if `parallel`; the result is the same. Calls `progress` with the number of
  // ranks given. `share` is about the part of all pixels that are picked; it affects only the
  // speed.
  std::int32_t grow(int end, double share, std::int32_t next, Context& context, bool parallel,
                    const std::function<void(std::int32_t)>& progress);

 private:
  void fold(const Kernel& kernel);
  void sort_picks(std::int32_t next);

  Plane<std::int32_t>& ranks_;
  EnergyView view_;
  std::vector<std::uint16_t> energy_, weights_, itself_, bounds_;
  std::vector<KernelSlice> slices_;
  std::array<std::vector<PixelBox>, 4> blocks_;  // by color; blocks of a color are independent
};

struct Torus {
  int width, height;
  int depth = 1;  // frames
};

// Returns ranks of the starting pattern, 0 .. n-1, so that every prefix is well spaced; in frames
// also over time.
std::vector<std::int32_t> rank_start(std::span<const Pixel> start, const Torus& torus,
                                     const Context& context);

// A kernel that serves until the largest void has the energy `end`, and about the share of pixels
// that it fills.
struct Stage {
  Kernel kernel;
  int end;
  double share;
};
// sparse_stage() serves until the largest void holds this part of the kernel's sum. The sum must be
// at most sparse_sum(), so that energies do not saturate before.
constexpr std::int64_t sparse_sum(double part) {
  return static_cast<std::int64_t>(60000 / part);
}
inline Stage sparse_stage(Kernel kernel, double part) {
  const auto end = static_cast<int>(part * static_cast<double>(kernel.sum));
  return {std::move(kernel), end, 0.12};
}
// Largest energy from which pixels of flat masks start; the sum of the dense kernel leaves room.
inline constexpr int most_random = 20;
inline constexpr std::int64_t largest_dense_sum = EnergyField::taken - 1 - most_random;
// Returns a stage that serves to the end.
inline Stage dense_stage(Kernel kernel) {
  return {std::move(kernel), EnergyField::taken, 1};
}
// Returns the stage that ends a volume.
Stage dense_volume_stage(double scale);
// Fills the free pixels (-1) of `depth` slices stage by stage, the largest void first; the first
// `next` ranks are given. The last stage must end at EnergyField::taken. Uses several threads if
// `parallel`, in blocks as EnergyField does. Calls `progress` with 0..1 now and then.
void fill_voids(Plane<std::int32_t>& ranks, int depth, std::int32_t next,
                std::span<const Stage> stages, Context& context, bool parallel,
                const std::function<void(double)>& progress, int block = EnergyField::usual_block);

class TileKernel;

// A flat mask that grows by stages. Ties go by strips of 16 columns, then rows, then pixels.
class Growth {
 public:
  // Starts from a pattern (pixels, each once) in the order of its ranks. If `random_seed` is not 0,
  // the dense stage starts from hashed energies, at most 1/100 of the energy that a pixel adds to
  // itself: otherwise small masks would repeat each other.
  Growth(int width, int height, std::span<const Pixel> start, double sigma,
         std::uint64_t random_seed = 0);
  // sparse() sets about 5 % of the pixels, dense() all others, on several threads if `parallel`.
  // Both call `progress` with 0..1 now and then.
  using Progress = std::function<void(double)>;
  void sparse(Context& context, bool parallel, const Progress& progress);
  void dense(Context& context, bool parallel, const Progress& progress);

  // Free pixels have the rank -1.
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

// Ranks the last 1/64 of the pixels again, so that the pixels after any rank are well spaced. Late
// free pixels do not affect each other: their energies are equal, and the search would take them
// row by row. Frames lie one below the other.
void thin_last(Plane<std::int32_t>& ranks, int depth, const Context& context);

// Runs all of void-and-cluster from a starting pattern.
Plane<std::int32_t> grow_ranks(int width, int height, std::span<const Pixel> start, double sigma,
                               Context& context, bool parallel,
                               const std::function<void(double)>& progress);

// Returns a maximal set of random pixels on the torus, no two of them nearer than r.
std::vector<Pixel> dart_pixels(int width, int height, double r, std::uint64_t seed);

// Makes a whole mask by void-and-cluster from a seed: the first of `candidates` masks that meets
// the goals of its size (docs/quality.md), or the best.
Plane<std::int32_t> flat_ranks(int width, int height, double sigma, std::uint64_t seed,
                               int candidates, Context& context, bool parallel,
                               const std::function<void(double)>& progress);

// Makes ranks by void-and-cluster as published, with one Gaussian.
Plane<std::int32_t> ulichney_ranks(int width, int height, std::uint64_t seed, double sigma,
                                   Context& context, bool parallel,
                                   const std::function<void(double)>& progress);

// Makes ranks of a volume: the pixels below any threshold are evenly spread in three dimensions.
Plane<std::int32_t> volume_ranks(int width, int height, int depth, std::uint64_t seed, double sigma,
                                 Context& context, bool parallel,
                                 const std::function<void(double)>& progress);
// Makes ranks of frames: evenly spread in every slice, and at every pixel through the slices.
Plane<std::int32_t> frame_ranks(int width, int height, int depth, std::uint64_t seed, double sigma,
                                Context& context, bool parallel,
                                const std::function<void(double)>& progress);

// Makes ranks whose first n pixels stipple the map (>= 0, not 0 everywhere), for any n. Nothing
// wraps.
Plane<std::int32_t> density_ranks(const Plane<float>& map, std::span<const Pixel> start,
                                  Context& context, const std::function<void(double)>& progress);

// Makes unit vectors of a kind, one plane per component. In every frame they are evenly spread over
// all directions and unlike their neighbors. Frames lie one below the other; vectors are also
// unlike the vectors of the same pixel in the frames before and after.
std::vector<Plane<float>> unit_vectors(const Torus& torus, MaskValues values, std::uint64_t seed,
                                       double sigma, Context& context,
                                       const std::function<void(double)>& progress);

// Makes points of a kind, one plane per component, for the filters of the options: the same even
// set in every frame. Points of a square follow the map unless it is empty.
std::vector<Plane<float>> point_values(const Torus& torus, const MaskOptions& options,
                                       const Plane<float>& map, Context& context,
                                       const std::function<void(double)>& progress);

// Returns what a pixel holds by `kind` and `values`.
MaskValues values_of(const MaskOptions& options);
// Returns the number of components of a vector or point, 0 for numbers.
std::size_t component_count(MaskValues values);
// Returns the number of channels of a mask: one per component, or as many as the options say.
int channel_count(const MaskOptions& options);
// Returns true if values are points that point_values() makes.
bool holds_points(MaskValues values);
// Returns true if pixels hold ranks, as all but vectors, points and fractal patterns do.
bool has_ranks(const MaskOptions& options);
// Makes a mask of a kind without ranks. `field` defines how the density map is read.
Image make_values(const MaskOptions& options, const MapOptions& field, Context& context);

// Returns what is wrong with a filter over pixels, or "". Throws Error(usage) as from_text() does.
std::string fault_of_space_filter(std::string_view text);
// Throws Error(usage) if options exclude each other, or the size.
void check_options(const MaskOptions& options, const Torus& extent);

// Returns the shape of the image of the options, unless a density map sets its size.
ImageShape shape_of(const MaskOptions& options, std::size_t channels);

// Returns the number of dots in the coarsest level of a fractal pattern of `side` texels per side:
// a multiple of 8, from 8 to 256.
int fractal_count(int side);
// Returns dots of a pattern that holds itself at half the scale, 0..1 on a torus. The first `count`
// are its coarsest level; all 4 * `count` are that level twice as fine. Any number in between is
// evenly spread.
std::vector<Vec2> fractal_dots(int count, std::uint64_t seed, const Context& context);
// Makes layers from the coarsest to the finest level, one below the other: 1 at a dot, 0 at the
// spacing of a hexagonal lattice of as many dots.
Plane<float> fractal_layers(int side, int layers, std::uint64_t seed, Context& context,
                            const std::function<void(double)>& progress);

// A distribution: weights of equal bins of 0..1, or of single values.
struct Histogram {
  bool bins = true;
  std::vector<double> values;  // in rising order; unused if `bins`
  std::vector<double> sums;    // running sums of the weights

  // Returns the value below which the part p of the distribution lies.
  double quantile(double p) const;
};
// Parses lines of a weight, or of a value and its weight. Throws Error(usage) that names the line.
Histogram parse_histogram(std::string_view text, const std::string& path);
// Returns the quantile at 0 < p < 1 of uniform, triangular or gaussian values.
double quantile(MaskValues values, double p);

// Return ranks in hashed order, and in Bayer's order.
Plane<std::int32_t> white_ranks(int width, int height, std::uint64_t seed);
Plane<std::int32_t> bayer_ranks(int width, int height);

}  // namespace dapple::mask
