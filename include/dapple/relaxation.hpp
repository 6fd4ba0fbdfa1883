// Dots on their way to a stippling, a few steps at a time: for whoever shows them meanwhile, or
// goes on with dots while what they stand for changes. stipple() makes the whole of it at once.
#pragma once

#include <cstdint>
#include <memory>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

struct RelaxationOptions {
  double regularity = 0.5;  // 0: organic, 1: nearly hexagonal where the density is even
  double edges = 0;         // 0..1: how much more closely dots follow edges
};
void describe(RelaxationOptions& options, OptionList& list);

// The relaxation by two kernels of StippleMethod::kernel (after Fattal 2011), of dots of one kind
// that are fitted to the frame. Steps in any portions, and then finish(), make the same bytes as
// finish() alone, at any number of threads. A step takes O(dots), the first one O(pixels) more. A
// cancel ends it between blocks of dots; after any error dots() lie as they were left, and what
// follows is as good, but for that promise. One thread at a time may use an object.
class Relaxation {
 public:
  // `count` dots along a curve, each for an equal share. `density`: dots per pixel, which sums to
  // about `count`. Throws Error(usage) for what is no such density, and options out of range.
  Relaxation(Plane<float> density, std::int64_t count, const RelaxationOptions& options,
             Context& context);
  // Of dots that are there: in pixels of the density, in an order that keeps neighbors together, as
  // that along a curve does. Throws also for dots outside of it.
  Relaxation(Plane<float> density, PointSet dots, const RelaxationOptions& options);
  ~Relaxation();
  Relaxation(Relaxation&&) noexcept;
  Relaxation& operator=(Relaxation&&) noexcept;

  const PointSet& dots() const { return dots_; }
  const Plane<float>& density() const { return density_; }

  // Of all steps that the options ask for.
  int steps_left() const;
  // So many of them, or as many as are left.
  void step(int steps, Context& context);
  // Along the flow that makes the tone right over many spacings; some steps have one, and dots that
  // are to be shown early need more.
  void flow(Context& context);
  // What steps are left, and dots that lie too near each other part. Nothing is done after that,
  // until dots or density are set.
  void finish(Context& context);

  // Other dots in place of these; steps begin anew. Throws as the constructor does.
  void set_dots(PointSet dots);
  // Another density in place of this; steps begin anew. Where it is as large, and not much of it
  // changes, dots stay: only as many come and go as the difference asks for, where it does. Else
  // all of them lie along a curve again. O(pixels + dots log(dots)). Throws as the constructor
  // does.
  void set_density(Plane<float> density, std::int64_t count, Context& context);

 private:
  template <class Act>
  void act(Context& context, const Act& act);

  RelaxationOptions options_;
  Plane<float> density_;
  PointSet dots_;
  struct Run;
  std::unique_ptr<Run> run_;  // of these dots; none: it has not begun
  bool finished_ = false;
};

}  // namespace dapple
