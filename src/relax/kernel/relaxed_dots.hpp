// Makes relaxed dots of a density, with classes if it has several.
#pragma once

#include <cstdint>
#include <span>

#include "relax/kernel/kernel.hpp"

namespace dapple {

// The division of dots into parts, each even by itself.
struct DotSplit {
  // The share of each class, such as an ink, at each place of the map. Shares add up to 1.
  std::span<const Plane<float>> shares{};
  // The ink of a dot of each class, if classes differ. The tone is made right for these inks.
  std::span<const float> inks{};
  // Without shares: divides dots into rounds. The dots up to each round are even. The last round
  // has half of the dots, the one before it half of the rest, and so on.
  bool rounds = false;
};

// The weights of dots for the tone, if their classes have inks.
struct InkOfDots {
  InkOfDots(const Points& dots, const Plane<float>& density, const DotSplit& split);
  // Returns `options` with the weights, or unchanged without inks.
  KernelOptions in(KernelOptions options) const;

 private:
  std::vector<float> masses_;
  Plane<float> wanted_;
};

// Returns `count` dots, placed along a curve and relaxed. With a split, column class_id holds the
// class or the round. `density` is as in relax_kernel(). O(dots + pixels).
Points relaxed_dots(const Plane<float>& density, std::int64_t count, const DotSplit& split,
                    const KernelOptions& options, Context& context);

// Makes the numbers of dots up to each round a half, a quarter and so on again, after some dots
// were left out. Dots near the frame move to an adjacent round, as they are seen least. O(N log N).
void complete_rounds(Points& dots);

}  // namespace dapple
