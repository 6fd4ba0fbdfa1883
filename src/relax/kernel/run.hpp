// Runs a relaxation by kernels a few steps at a time (kernel.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "relax/class_energy.hpp"
#include "relax/density_stack.hpp"
#include "relax/distance_projection.hpp"
#include "relax/dot_boxes.hpp"
#include "relax/kernel/image.hpp"
#include "relax/kernel/kernels.hpp"
#include "relax/kernel/options.hpp"
#include "relax/kernel/state.hpp"
#include "relax/kernel/step.hpp"
#include "relax/tone_flow.hpp"

namespace dapple {

class KernelRun {
 public:
  // Takes the arguments of relax_kernel(), with at least 2 dots. The caller keeps the memory that
  // spans of the options refer to.
  KernelRun(const Points& dots, const Plane<float>& density, const KernelOptions& options,
            Context& context);
  KernelRun(const KernelRun&) = delete;
  KernelRun& operator=(const KernelRun&) = delete;

  int steps_left() const { return iterations_ - next_step_; }
  // Makes up to `most` of the steps that are left, with their flows.
  void steps(int most, Context& context);
  // Moves dots along the flow that corrects the tone, in addition to the flows of steps.
  void flow(Context& context);
  // Makes the steps that are left, then moves dots apart that are too near. Ends the run.
  void finish(Context& context);
  // Does the work of even_tone(), instead of the steps.
  void even_out(int flows, double share, Context& context);
  // Writes the present places of the dots to `dots`, also after an error.
  void read(Points& dots) const;

 private:
  static constexpr std::size_t run_size = 16;  // blocks per task

  template <class Body>
  void for_blocks(const Body& body) {
    parallel_for(*context_, (blocks_.size() + run_size - 1) / run_size, [&](std::size_t run) {
      for (std::size_t b = run * run_size; b < std::min(blocks_.size(), (run + 1) * run_size);
           ++b) {
        body(b);
      }
    });
  }
  std::size_t first(std::size_t b) const { return b * block_dots; }
  std::size_t end(std::size_t b) const { return std::min(count_, (b + 1) * block_dots); }
  bool again() const { return !mobility_.empty(); }
  double mobility(std::size_t i) const { return again() ? static_cast<double>(mobility_[i]) : 1.0; }
  double flow_mobility(std::size_t i) const;
  double spacing(std::size_t i) const {
    return static_cast<double>(blocks_[i / block_dots].spacing[i % block_dots]);
  }
  // Returns the distance from the nearest border, in units.
  std::int32_t depth(std::size_t i) const {
    return std::min(std::min(at_.x[i], rules_.last_x - at_.x[i]),
                    std::min(at_.y[i], rules_.last_y - at_.y[i]));
  }
  double narrowest_kernel() const { return kernels_.narrow * smallest_; }
  double widest_kernel() const { return 4 * kernels_.narrow * largest_; }
  double hexagonal_at(Vec2 p) const;
  Vec2 place(std::size_t i) const { return {at_.x[i] * at_.unit, at_.y[i] * at_.unit}; }

  std::vector<Vec2> places();
  void place_dots(const Points& dots);
  void keep(int step);
  void hand_over();
  int go_on();
  void update_neighbors();
  void feel_parts();
  void find_neighbors(std::size_t b);
  double step();
  void shake(int step);
  double flow(double part);
  std::vector<float> relative_sizes() const;
  std::vector<std::size_t> dots_at_fault(const Surroundings& surroundings);
  void part_dots();

  // The density and the dots in pixels that are fine enough for the kernels.
  struct Finer;
  KernelRun(const Finer& finer, const KernelOptions& options, Context& context);

  Context* context_;  // of the present call
  std::size_t count_;
  Domain domain_;  // finer pixels
  int cut_;        // parts of a pixel along each side
  Kernels kernels_;
  bool shaken_;
  std::span<const float> mobility_;
  std::span<const float> masses_;
  double movers_ = 0;  // sum of the mobilities of all dots
  double mean_;        // mean spacing, pixels
  double smallest_;    // smallest and largest spacing of single dots
  double largest_;
  DensityStack stack_;
  LevelTable table_;
  std::optional<DensityStack> ink_;  // ink that is wanted, if dots have masses
  std::optional<LevelTable> ink_table_;
  ToneFlow tone_;
  std::vector<PartForce> parts_;
  std::vector<float> pace_;  // factor of each dot's steps, if there are parts
  ImageRules image_;
  StepRules rules_;
  std::array<FixedMirror, 9> mirrors_;
  std::vector<DotBlock> blocks_;
  FixedPlaces at_;
  FixedPlaces next_;
  DotBoxes boxes_;
  bool measured_ = false;
  int iterations_ = 0;
  int next_step_ = 0;
  bool begun_ = false;
  double moved_ = 1;                // mean way of a dot since lists were made, spacings
  int age_ = 0;                     // age of the lists, steps
  double moved_since_look_up_ = 1;  // the same since parts looked up their dots
  KernelState state_;               // last step to resume from; empty: it was handed over
  std::chrono::steady_clock::time_point kept_ = std::chrono::steady_clock::now();
};

}  // namespace dapple
