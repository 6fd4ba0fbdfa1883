// Masks of several slices: volumes, and frames of an animation (Wolfe, Morrical, Akenine-Moeller
// and Ramamoorthi 2022, "Spatiotemporal Blue Noise Masks").
//
// Both are void-and-cluster (grow.cpp) with another kernel. In a volume it is round. In frames
// it is the kernel of one mask within the slice, and a kernel of one dimension along the line of a
// pixel through the slices; nothing else, so that each slice is as good a mask as it can be and
// each line a well-spread series. Where the paper starts from clusters moved to voids, the starting
// pattern here is random pixels of which none sees another.
#include "dapple/context.hpp"
#include "dapple/sample.hpp"
#include "generate/mask/engine.hpp"

namespace dapple::mask {
namespace {

constexpr KernelShape sparse_volume{1.3, 0.5, 2.5, 8, 1};
constexpr KernelShape dense_volume{1.15, 0.15, 2, 6, 1};
// Part of the sum of the sparse kernel that the largest void holds when the dense one takes over.
constexpr double volume_end = 0.05;

// Along the line through the slices; how much of it is what a slice pays for it: see
// docs/notes/masks.md.
constexpr KernelShape sparse_time{4.5, 0.5, 9, 28, 1};
constexpr double sparse_time_weight = 0.35;
constexpr KernelShape dense_time{1.1, 0.6, 3.2, 10, 1};
constexpr double dense_time_weight = 0.4;

// Pixels in hashed order, each that no earlier one has given energy, get the first ranks.
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

Plane<std::int32_t> volume_ranks(int width, int height, int depth, std::uint64_t seed, double sigma,
                                 Context& context, bool parallel,
                                 const std::function<void(double)>& progress) {
  const double scale = sigma / tuned_sigma;
  const std::array<Stage, 2> stages{
      sparse_stage(make_volume_kernel(sparse_volume, scale, 30000, sparse_sum(volume_end)),
                   volume_end),
      dense_stage(make_volume_kernel(dense_volume, scale, 30000, EnergyField::taken - 1))};
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
