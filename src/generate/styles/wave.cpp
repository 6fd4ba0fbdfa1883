#include "generate/styles/wave.hpp"

#include <algorithm>
#include <cmath>

#include "core/deterministic_math.hpp"
#include "field/resample.hpp"
#include "generate/styles/rows.hpp"

namespace dapple::styles {
namespace {

constexpr double dash_period = 1.5;  // spacings of rows
constexpr double steps_a_wave = 10;
constexpr double rows_overlap = 0.8;  // pens by which the widest waves of two rows overlap

}  // namespace

void swing(const Request& request, const Wave& wave, double length, double phase,
           const std::function<Guide(double along)>& guide, Marks& marks) {
  const double spacing = request.spacing;
  const double pen = request.pen;
  const double whole = std::min(0.9, pen / spacing);  // the control that draws the guide, still
  const double widest = std::max(0.0, 0.5 * (spacing - pen + rows_overlap * pen));
  const double dashes = dash_period * spacing;
  const Box frame{0, 0, static_cast<double>(request.control.width()),
                  static_cast<double>(request.control.height())};
  std::vector<Vec2> line;
  const auto end = [&] {
    if (line.size() > 1) marks.push_back(std::move(line));
    line.clear();
  };
  double turns = phase;
  for (double along = 0; along <= length;) {
    const Guide here = guide(along);
    if (!frame.contains(here.at)) {
      end();
      along += 0.25 * spacing;
      continue;
    }
    const double control = bilinear(request.control, here.at);
    if (control < whole) {
      const double place = along / dashes + phase;
      const double part = place - std::floor(place);
      const bool drawn = part * whole < control;
      if (drawn) line.push_back(here.at);
      if (!drawn) end();
      along += 0.25 * std::min(pen, 0.25 * dashes);
      continue;
    }
    const double t = (control - whole) / (1 - whole);
    const double light = 1 - t;
    const double wavelength =
        pen * (wave.shortest + (wave.longest - wave.shortest) * light * light);
    line.push_back(here.at +
                   here.across * (widest * std::min(1.0, 1.2 * t) * portable_sine(turns)));
    const double step = wavelength / steps_a_wave;
    along += step;
    turns += step / wavelength;
  }
  end();
}

Marks swinging_rows(const Request& request, const Wave& wave) {
  constexpr double golden = 0.6180339887498949;  // keeps waves of neighboring rows out of step
  Marks marks;
  each_row(request, request.turns, [&](int row, Vec2 from, Vec2 to) {
    const double all = length(to - from);
    const Vec2 along_row = (to - from) * (1 / all);
    const Vec2 across{-along_row.y, along_row.x};
    swing(
        request, wave, all, golden * row,
        [&](double along) {
          return Guide{from + along_row * along, across};
        },
        marks);
  });
  return marks;
}

}  // namespace dapple::styles
