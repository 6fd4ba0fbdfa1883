// Dots of a density from the first step on, with classes where they have some.
#pragma once

#include <cstdint>
#include <span>

#include "relax/kernel/kernel.hpp"

namespace dapple {

// What dots are divided into, each part even by itself.
struct DotSplit {
  // How much of each class is wanted at each place of the map, such as of an ink: they add up to 1.
  std::span<const Plane<float>> shares{};
  // The ink of a dot of each class, where they differ: the tone is made right for these.
  std::span<const float> inks{};
  // Without shares: rounds, such that those up to any of them are even. The last has half of the
  // dots, the one before half of the rest, and so on.
  bool rounds = false;
};

// What dots of classes with inks count for the tone.
struct InkOfDots {
  InkOfDots(const PointSet& dots, const Plane<float>& density, const DotSplit& split);
  // The options with it; without inks as they are.
  KernelOptions in(KernelOptions options) const;

 private:
  std::vector<float> masses_;
  Plane<float> wanted_;
};

// `count` dots along a curve, relaxed; with a split they have a column klass: the class, or the
// round. `density` as relax_kernel() takes it. O(dots + pixels).
PointSet relaxed_dots(const Plane<float>& density, std::int64_t count, const DotSplit& split,
                      const KernelOptions& options, Context& context);

// Makes the dots up to each round a half, a quarter and so on of all again, where some were left
// out: dots near the frame, which the eye asks least of, change to the next round or the one
// before. O(N log N).
void complete_rounds(PointSet& dots);

}  // namespace dapple
