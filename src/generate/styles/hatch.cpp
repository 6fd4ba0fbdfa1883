// Draws layers of straight lines that cross: `style hatch`.
//
// Each layer has its direction. The first layer starts in the lightest tones, the next when it is
// half full, and so on. A line is drawn where the tone is above its threshold. Thresholds follow
// van der Corput (1935), so the lines that any tone draws are nearly even.
#include <array>

#include "field/resample.hpp"
#include "generate/styles/rows.hpp"

namespace dapple::styles {
namespace {

constexpr std::array layer_turns{0.125, 0.375, 0.25, 0.0};
constexpr double next_layer = 0.2;  // of control, from the start of a layer to that of the next
constexpr double last_layer = next_layer * (layer_turns.size() - 1);
constexpr double layer_width = 1 - last_layer;  // of control, from an empty layer to a full one
constexpr double shortest = 5;                  // pens

// Returns the digits of a number in base two, mirrored at the point, in (0, 1).
double van_der_corput(unsigned number) {
  double value = 0;
  double digit = 0.5;
  for (; number > 0; number /= 2, digit *= 0.5) value += digit * (number % 2);
  return value + 0.5 * digit;
}

}  // namespace

Marks draw_hatch(const Request& request) {
  const Box frame{0, 0, static_cast<double>(request.control.width()),
                  static_cast<double>(request.control.height())};
  const double step = 0.5 * request.pen;
  Marks marks;
  for (std::size_t layer = 0; layer < layer_turns.size(); ++layer) {
    const double turns = layer_turns[layer] + request.turns;
    each_row(request, turns, [&](int row, Vec2 from, Vec2 to) {
      const double threshold = next_layer * static_cast<double>(layer) +
                               layer_width * van_der_corput(static_cast<unsigned>(row) +
                                                            5 * static_cast<unsigned>(layer));
      const double all = length(to - from);
      const Vec2 along_row = (to - from) * (1 / all);
      double begun = -1;
      double last = 0;
      for (double along = 0; along <= all + step; along += step) {
        const Vec2 at = from + along_row * along;
        const bool drawn =
            frame.contains(at) && along <= all && bilinear(request.control, at) > threshold;
        if (drawn && begun < 0) begun = along;
        if (drawn) last = along;
        if (drawn || begun < 0) continue;
        if (last - begun >= shortest * request.pen) {
          marks.push_back({from + along_row * begun, from + along_row * last});
        }
        begun = -1;
      }
    });
  }
  return marks;
}

}  // namespace dapple::styles
