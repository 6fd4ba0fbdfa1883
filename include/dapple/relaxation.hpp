// Relaxes the dots of a stippling a few steps at a time: for programs that show the dots meanwhile,
// or change the density and continue. stipple() makes a whole stippling at once.
#pragma once

#include <cstdint>
#include <memory>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

struct RelaxationOptions {
  double regularity = 0.35;  // 0: organic, 1: nearly hexagonal where the density is even
};
void describe(RelaxationOptions& options, OptionList& list);

// Relaxes dots of one kind by the two kernels of StippleMethod::kernel (after Fattal 2011), fitted
// to the frame. Any portions of steps followed by finish() make the same bytes as finish() alone,
// at any number of threads. A step takes O(dots), the first one O(pixels) more. Cancelling ends a
// step between blocks of dots. After any error dots() stay as they were left: later results are as
// good, but their bytes may differ. One thread at a time may use an object.
class Relaxation {
 public:
  // Places `count` dots along a curve, each for an equal share. `density` is in dots per pixel and
  // sums to about `count`. Throws Error(usage) for any other density and for options out of range.
  Relaxation(Plane<float> density, std::int64_t count, const RelaxationOptions& options,
             Context& context);
  // As above, but starts from `dots` in pixels of the density. Their order keeps neighbors
  // together, as an order along a curve does. Also throws for dots outside the density.
  Relaxation(Plane<float> density, Points dots, const RelaxationOptions& options);
  ~Relaxation();
  Relaxation(Relaxation&&) noexcept;
  Relaxation& operator=(Relaxation&&) noexcept;

  const Points& dots() const { return dots_; }
  const Plane<float>& density() const { return density_; }

  // Returns the number of steps that the options require and that are left.
  int steps_left() const;
  // Makes `steps` steps, or all that are left if these are fewer.
  void step(int steps, Context& context);
  // Moves dots along the flow that corrects the tone over many spacings. Some steps include a flow;
  // dots that are shown early need more of them.
  void flow(Context& context);
  // Makes the steps that are left, then moves dots apart that are too near each other. After it,
  // calls have no effect until dots or density are set.
  void finish(Context& context);

  // Replaces the dots and begins the steps again. Throws as the constructor does.
  void set_dots(Points dots);
  // Replaces the density and begins the steps again. If it has the same size and changes little, it
  // adds or removes only as many dots as the difference requires, near the changes. Otherwise it
  // places all dots along a curve again. O(pixels + dots log(dots)). Throws as the constructor.
  void set_density(Plane<float> density, std::int64_t count, Context& context);

 private:
  template <class Act>
  void act(Context& context, const Act& act);

  RelaxationOptions options_;
  Plane<float> density_;
  Points dots_;
  struct Run;
  std::unique_ptr<Run> run_;  // of the present dots; nullptr before the first step
  bool finished_ = false;
};

}  // namespace dapple
