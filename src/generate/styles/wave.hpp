// Lets a line swing around a guide, wider and faster where the picture is darker.
#pragma once

#include <functional>

#include "generate/styles/style.hpp"

namespace dapple::styles {

// A place on a guide, and the unit vector across it.
struct Guide {
  Vec2 at;
  Vec2 across;
};

// The wavelengths of a style, in pens.
struct Wave {
  double longest = 6;     // of light tones
  double shortest = 1.7;  // of dark tones
};

// Adds the line that swings around the guide, `length` pixels long. Weak controls draw dashes of
// the guide, which shorten to nothing. Stronger ones draw all of it and swing, up to half of the
// spacing of rows. `phase`: of dashes and of the wave, in full circles.
void swing(const Request& request, const Wave& wave, double length, double phase,
           const std::function<Guide(double along)>& guide, Marks& marks);

// Returns the lines around straight rows that cover the picture, `request.turns` from level. The
// pen goes back and forth.
Marks swinging_rows(const Request& request, const Wave& wave);

}  // namespace dapple::styles
