// Draws how samplers fill their domain: side by side on a sheet, or one after the other.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"
#include "draw/frame_sequence.hpp"
#include "sample/trace/sampler_trace.hpp"

namespace dapple {

struct FillingOptions {
  bool animate = false;
  int frames = 0;  // 0: 6 on a sheet, 60 in an animation
};
void describe(FillingOptions& options, OptionList& list);

struct Filled {
  std::string name;
  Filling filling;
};

// Returns the points after `steps` steps.
std::vector<Vec2> points_after(const Filling& filling, std::size_t steps);
// Returns the share of the domain, 0..1, that lies farther than the radius from all points after
// `steps` steps. Samples 256 rows of places.
double open_share(const Filling& filling, std::size_t steps);
// Draws the covered and open places and the points after `steps` steps, `width` pixels wide.
// Between the first and the last step it adds the sampler's grid, active points and squares to
// search. It also adds the ring and candidates of the growing point. O(pixels + steps).
Image filling_panel(const Filling& filling, std::size_t steps, int width);

// Draw all sets with their frames in rows, or frame by frame in one animation. Both use at most 255
// colors, which the sheet lists as its palette. Throw Error(limit) if the result is too large.
Image filling_sheet(std::span<const Filled> sets, int frames, Context& context);
Movie filling_movie(std::span<const Filled> sets, int frames, Context& context);

}  // namespace dapple
