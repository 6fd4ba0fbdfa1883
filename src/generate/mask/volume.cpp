// Makes masks of several slices: volumes, and frames of an animation (Wolfe, Morrical,
// Akenine-Moeller and Ramamoorthi 2022, "Spatiotemporal Blue Noise Masks").
//
// Both use void-and-cluster (void_and_cluster.cpp) with another kernel. In a volume the kernel is
// round. In frames it is the kernel of one mask within the slice. Along the line of a pixel through
// the slices it is a kernel of one dimension. So each slice is as good a mask as it can be, and
// each line a well-spread series. The paper starts from clusters moved to voids; the starting
// pattern here is random pixels that do not affect each other.
#include "dapple/context.hpp"
#include "dapple/sample.hpp"
#include "generate/mask/engine.hpp"

namespace dapple::mask {
namespace {

constexpr KernelShape sparse_volume{1.3, 0.5, 2.5, 8, 1};
constexpr KernelShape dense_volume{1.15, 0.15, 2, 6, 1};
// The dense kernel takes over when the largest void holds this part of the sparse kernel's sum.
constexpr double volume_end = 0.05;

// Kernels along the line through the slices. The weights set how much slices pay for even lines:
// see docs/notes/masks.md.
constexpr KernelShape sparse_time{4.5, 0.5, 9, 28, 1};
constexpr double sparse_time_weight = 0.35;
constexpr KernelShape dense_time{1.1, 0.6, 3.2, 10, 1};
constexpr double dense_time_weight = 0.4;

// Gives the first ranks to pixels in hashed order that have no energy from earlier ones.
std::int32_t scatter(Plane<std::int32_t>& ranks, int depth, std::uint64_t seed,
                     const Kernel& kernel, const Context& context) {
  const Plane<std::int32_t> order = white_ranks(ranks.width(), ranks.height(), seed);
  std::vector<std::int32_t> pixel(ranks.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    pixel[static_cast<std::size_t>(order.values()[i])] = static_cast<std::int32_t>(i);
  }
  EnergyField field(ranks, depth, kernel);
  const int height = ranks.height() / depth;
  std::int32_t next = 0;
  for (std::size_t i = 0; i < pixel.size(); ++i) {
    if (i % 65536 == 0) context.check();
    const int row = pixel[i] / ranks.width();
    const Pixel p{pixel[i] % ranks.width(), row % height, row / height};
    if (field.energy(p) > 0) continue;
    field.set({&p, 1});
    ranks.values()[static_cast<std::size_t>(pixel[i])] = next++;
  }
  return next;
}

Plane<std::int32_t> grow(int width, int height, int depth, std::uint64_t seed,
                         std::span<const Stage> stages, Context& context, bool parallel,
                         const std::function<void(double)>& progress) {
  Plane<std::int32_t> ranks(width, height * depth, -1);
  const std::int32_t next = scatter(ranks, depth, seed, stages[0].kernel, context);
  fill_voids(ranks, depth, next, stages, context, parallel, progress);
  return ranks;
}

}  // namespace

Stage dense_volume_stage(double scale) {
  return dense_stage(make_volume_kernel(dense_volume, scale, 30000, EnergyField::taken - 1));
}

Plane<std::int32_t> volume_ranks(int width, int height, int depth, std::uint64_t seed, double sigma,
                                 Context& context, bool parallel,
                                 const std::function<void(double)>& progress) {
  const double scale = sigma / tuned_sigma;
  const std::array<Stage, 2> stages{
      sparse_stage(make_volume_kernel(sparse_volume, scale, 30000, sparse_sum(volume_end)),
                   volume_end),
      dense_volume_stage(scale)};
  return grow(width, height, depth, seed, stages, context, parallel, progress);
}

Plane<std::int32_t> frame_ranks(int width, int height, int depth, std::uint64_t seed, double sigma,
                                Context& context, bool parallel,
                                const std::function<void(double)>& progress) {
  const double scale = sigma / tuned_sigma;
  const std::array<Stage, 2> stages{
      sparse_stage(make_frame_kernel(sparse_shape, scale, sparse_time, sparse_time_weight, 30000,
                                     sparse_sum(sparse_end)),
                   sparse_end),
      dense_stage(make_frame_kernel(dense_shape, scale, dense_time, dense_time_weight, 30000,
                                    EnergyField::taken - 1))};
  Plane<std::int32_t> ranks = grow(width, height, depth, seed, stages, context, parallel, progress);
  thin_last(ranks, depth, context);
  return ranks;
}

}  // namespace dapple::mask
