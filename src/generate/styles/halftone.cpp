// Draws a line screen: `style halftone`.
//
// The screen of a single ink lies at 45 degrees. A pen swings so fast across each row that its
// waves close, so rows look like lines that swell where the picture is dark.
#include "generate/styles/wave.hpp"

namespace dapple::styles {

Marks draw_halftone(const Request& request) {
  return swinging_rows(request, {.longest = 1.5, .shortest = 1.5});
}

}  // namespace dapple::styles
