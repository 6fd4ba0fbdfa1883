// Makes dots that stay from one picture of a sequence to the next.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "relax/kernel/kernel.hpp"

namespace dapple {

// Moves dots along with the picture. Dots come, go and move only where the density changes;
// elsewhere they lie still. A picture that is unrelated to the one before starts anew.
class TemporalDots {
 public:
  explicit TemporalDots(const KernelOptions& options) : options_(options) {}

  // Returns the `count` dots of the next picture, with column `id`, in an order that keeps
  // neighbors together. Motion is found in `tone`, 0..1. `density`: dots per pixel, sums to
  // `count`. All pictures have the same size. O(pixels + dots).
  const Points& next(const Plane<float>& tone, const Plane<float>& density, std::int64_t count,
                     Context& context);

  // Returns the number of dots of the previous picture that the last picture does not have.
  std::int64_t lost() const { return lost_; }

 private:
  void start(const Plane<float>& density, std::int64_t count, Context& context);
  void carry(const Plane<float>& tone, Context& context);
  std::vector<Vec2> recount(const Plane<float>& density, std::int64_t count, Context& context);
  void stay_with_neighbors(const Points& before, const std::vector<float>& mobility,
                           Context& context);
  void even_moving(const Plane<float>& density, std::span<const float> mobility, Context& context);
  void settle(const Plane<float>& density, const std::vector<Vec2>& changed, Context& context);

  KernelOptions options_;
  Points dots_;
  // The history of each dot.
  struct Past {
    float seen = 0;     // density around the dot when it was last free to move; 0: never
    float carried = 0;  // freedom to move because the picture moved it
  };
  std::vector<Past> past_;
  Plane<float> tone_;
  double growth_ = 0;  // relative growth of the picture; below 0: it shrinks
  std::int32_t next_id_ = 0;
  std::int64_t lost_ = 0;
};

}  // namespace dapple
