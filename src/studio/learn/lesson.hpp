// Computes lessons of the page #learn: dart throwing and growth in a square, trial by trial; a
// window of an endless plane; and spectra.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "dapple/forward.hpp"
#include "dapple/points.hpp"
#include "sample/darts/traced_darts.hpp"

namespace dapple::studio {

enum class Method { darts, bridson, plane };

struct LessonRequest {
  int number = 0;  // counts the page's requests
  Method method = Method::bridson;
  double radius = 40;  // in the unit of the square of lesson_side, or of the plane
  int tries = 30;      // allowed failures in a row, of all darts or around one point
  std::uint64_t seed = 1;
  std::optional<Vec2> first;  // position of the first point, if set
  Box window;                 // of the plane
};
inline constexpr double lesson_side = 1000;

// Parses the page's message and clamps values out of range. Throws Error(usage) if the message is
// invalid.
LessonRequest lesson_request_of(const app::Json& message);

struct Lesson {
  LessonRequest request;
  std::vector<Trial> trials;  // of dart throwing and growth
  Points points;              // accepted points in order, or the points of the window
  std::vector<Vec2> gaps;     // points that would still fit; they make the set maximal
  double cell_width = 0;      // width of grid cells, which hold at most one point each
  double cell_height = 0;
};
// Throws like the samplers, and Error(limit) for a window of more than 1e6 points.
Lesson make_lesson(const LessonRequest& request, Context& context);

// The message: a head, then little-endian numbers of four bytes. A trial has x, y (binary32) and 2
// (`of` + 1), plus 1 if it stays. The x and y of each gap follow. A window has the x and y of each
// point, from its corner.
app::Json head_of(const Lesson& lesson);
std::string bytes_of(const Lesson& lesson);

// The power of the first `count` points, or of the middle of a wide window. `power` holds the gray
// bytes of a square picture up to `extent`. Frequency 0 is in the center; white noise is mid gray.
struct LessonSpectrum {
  std::size_t points = 0;  // number of measured points
  double extent = 0;       // half the picture's side, in units of sqrt(points / area)
  int side = 0;            // pixels; 0: too few points
  std::string power;
  std::vector<Vec2> rings;  // frequency, mean power
};
LessonSpectrum spectrum_of(const Lesson& lesson, std::size_t count, Context& context);
app::Json head_of(const LessonSpectrum& spectrum);

}  // namespace dapple::studio
