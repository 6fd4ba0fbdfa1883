// What the page #learn is taught: how darts and growth fill a square, trial by trial, a part of the
// plane without end, and the spectrum of either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "dapple/forward.hpp"
#include "dapple/points.hpp"
#include "sample/darts/one_by_one.hpp"

namespace dapple::studio {

enum class Method { darts, bridson, plane };

struct LessonWish {
  int number = 0;  // of the page's, counted up
  Method method = Method::bridson;
  double radius = 40;  // in a square of lesson_side a side, or on the plane
  int tries = 30;      // in a row that may fail: of all darts, or round one point
  std::uint64_t seed = 1;
  std::optional<Vec2> first;  // where the first point is asked for
  Box window;                 // of the plane
};
inline constexpr double lesson_side = 1000;

// Of the page's message; what is beyond bounds is taken to them. Throws Error(usage) for what is no
// wish.
LessonWish lesson_wish_of(const app::Json& message);

struct Lesson {
  LessonWish wish;
  std::vector<Trial> trials;  // of darts and growth
  PointSet points;            // those that stay, in their order; of a plane, of its window
  std::vector<Vec2> gaps;     // points that would still fit: with them the set is maximal
  double cell_width = 0;      // of the grid in which each cell holds one point at most
  double cell_height = 0;
};
// Throws as the samplers do, and Error(limit) for a window of more than a million points.
Lesson make_lesson(const LessonWish& wish, Context& context);

// What is sent of it: a head, and numbers of four bytes, the lowest byte first. Of each trial its x
// and y (binary32) and twice the number of `of` plus one, plus 1 where it stays; then x and y of
// each gap. Of a window x and y of each point, from its corner.
app::Json head_of(const Lesson& lesson);
std::string bytes_of(const Lesson& lesson);

// The power of the first `count` points, as far as there are enough to tell; of a wide window, of
// those in its middle. power: gray bytes of a square picture to `extent`, frequency 0 in its
// middle, white noise half way.
struct LessonSpectrum {
  std::size_t points = 0;  // that were measured
  double extent = 0;       // of the picture's half, in units of sqrt(points / area)
  int side = 0;            // pixels; 0: too few points
  std::string power;
  std::vector<Vec2> rings;  // frequency, mean power
};
LessonSpectrum spectrum_of(const Lesson& lesson, std::size_t count, Context& context);
app::Json head_of(const LessonSpectrum& spectrum);

}  // namespace dapple::studio
