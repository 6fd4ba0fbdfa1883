// Dots of a sequence of pictures that stay from one to the next.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "relax/kernel/kernel.hpp"

namespace dapple {

// Dots go along with what moves in the picture, appear and go where the density changes, and move
// there only: where it stays as it is they do not move at all. A picture that has nothing to do
// with the one before starts anew.
class LastingDots {
 public:
  explicit LastingDots(const KernelOptions& options) : options_(options) {}

  // The dots of the next picture: `count` of them, with column `id`, in an order that keeps
  // neighbors together. `tone`: what motion is looked for in, 0..1; `density`: dots per pixel,
  // summing to `count`, of the same size, which all pictures share. O(pixels + dots).
  const PointSet& next(const Plane<float>& tone, const Plane<float>& density, std::int64_t count,
                       Context& context);

  // The number of dots that did not last from the picture before to the last one.
  std::int64_t lost() const { return lost_; }

 private:
  void start(const Plane<float>& density, std::int64_t count, Context& context);
  void carry(const Plane<float>& tone, Context& context);
  std::vector<Vec2> recount(const Plane<float>& density, std::int64_t count, Context& context);
  void stay_with_neighbors(const PointSet& before, const std::vector<float>& mobility,
                           Context& context);
  void even_moving(const Plane<float>& density, std::span<const float> mobility, Context& context);
  void settle(const Plane<float>& density, const std::vector<Vec2>& changed, Context& context);

  KernelOptions options_;
  PointSet dots_;
  // The history of each dot.
  struct Past {
    float seen = 0;     // the density round it when it was last free to move; 0: never
    float carried = 0;  // how free it is for being moved with the picture
  };
  std::vector<Past> past_;
  Plane<float> tone_;
  double growth_ = 0;  // of the picture, by which part of itself
  std::int32_t next_id_ = 0;
  std::int64_t lost_ = 0;
};

}  // namespace dapple
