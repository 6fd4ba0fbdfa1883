// Pictures of how samplers fill their domain: side by side on a sheet, or one after the other.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"
#include "draw/movie.hpp"
#include "sample/filling/filling.hpp"

namespace dapple {

struct FillingOptions {
  bool animate = false;
  int frames = 0;  // 0: 6 on a sheet, 60 of a moving picture
};
void describe(FillingOptions& options, OptionList& list);

struct Filled {
  std::string name;
  Filling filling;
};

// The points after so many steps.
std::vector<Vec2> points_after(const Filling& filling, std::size_t steps);
// The share of the domain, 0..1, that lies farther than the radius from all points after so many
// steps: of 256 rows of places.
double open_share(const Filling& filling, std::size_t steps);
// What is covered, what is open, and the points after so many steps, `width` pixels wide; between
// the first step and the last also what the sampler is about: its grid and active points, the
// ring and candidates of the point it grows from, the squares that it searches. O(pixels + steps).
Image filling_panel(const Filling& filling, std::size_t steps, int width);

// All of them with their frames in rows; and frame by frame, all in one picture. At most 255
// colors, which the sheet names as its palette. Throws Error(limit) for what is too large.
Image filling_sheet(std::span<const Filled> sets, int frames, Context& context);
Movie filling_movie(std::span<const Filled> sets, int frames, Context& context);

}  // namespace dapple
