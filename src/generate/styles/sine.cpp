// Draws rows that swing where the picture is dark: `style sine`.
//
// Rows are level, or as many directions as there are inks. In light places rows are dashes, which
// shorten to nothing. In dark places waves are high and short, and rows touch.
#include "generate/styles/wave.hpp"

namespace dapple::styles {

Marks draw_sine(const Request& request) {
  return swinging_rows(request, {});
}

}  // namespace dapple::styles
