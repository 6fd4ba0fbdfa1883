// Writes running text in rows: `style text`.
//
// In light places letters are small, and some are left out. In dark places they are large, and the
// pen writes them again beside themselves until they are bold.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/random.hpp"
#include "draw/text/lettering.hpp"
#include "field/resample.hpp"
#include "generate/styles/rows.hpp"

namespace dapple::styles {
namespace {

constexpr double capitals = 0.68;  // height of capitals, in spacings of rows
constexpr double between = 0.17;   // letters, in heights of capitals
constexpr double blank = 0.3;      // width of a space, likewise
constexpr double smallest = 0.45;  // size of a letter, of the largest
// The controls at which letters begin to shrink from below, and have their full size.
constexpr double shrinks = 0.12;
constexpr double full = 0.35;
// Places at which the pen writes a bold letter again, in pens.
constexpr std::array<Vec2, 5> again{{{0, 0}, {0.8, 0}, {-0.8, 0}, {0, 0.8}, {0, -0.8}}};
constexpr double golden = 0.6180339887498949;
constexpr double early = 4;    // heights that rows start outside the picture, at most
constexpr double flat = 0.02;  // heights by which strokes may be straightened

}  // namespace

Marks draw_text(const Request& request) {
  const std::string words = request.options.words + " ";
  const double tall = capitals * request.spacing;
  // The strokes of each letter one unit tall, from the left end of its baseline.
  std::map<char, Marks> alphabet;
  for (const char c : words) {
    Marks& strokes = alphabet[c];
    strokes.clear();
    for (const Polyline& stroke : lettering({&c, 1}, {}, 1, 0)) {
      strokes.emplace_back();
      for (const Vec2 p : stroke.points) add_point(strokes.back(), p, flat);
    }
  }
  const Random random(seed_of(request), stream_of("letters of styles"));
  std::uint64_t letter = 0;
  Marks marks;
  each_row(request, request.turns, [&](int row, Vec2 from, Vec2 to) {
    if (row % 2 == 1) std::swap(from, to);
    const double all = length(to - from);
    const Vec2 right = (to - from) * (1 / all);
    const Vec2 down{-right.y, right.x};
    // Words do not start below each other.
    const double place = golden * row;
    for (double along = -early * tall * (place - std::floor(place)); along < all; ++letter) {
      const std::string_view one = std::string_view(words).substr(letter % words.size(), 1);
      if (one == " ") {
        along += blank * tall;
        continue;
      }
      const double width = lettering_width(one, tall);
      const Vec2 middle = from + right * (along + 0.5 * width);
      along += width + between * tall;
      const double control = bilinear(request.control, middle);
      const double chance = to_unit(random.at(letter));
      if (control < shrinks * chance) continue;
      const double growth = std::clamp((control - shrinks) / (full - shrinks), 0.0, 1.0);
      const double size = tall * (smallest + (1 - smallest) * growth);
      const double bold =
          std::max(0.0, (control - full) / (1 - full)) * static_cast<double>(again.size() - 1);
      const auto times = std::min(again.size(), static_cast<std::size_t>(1 + bold + chance));
      const Vec2 corner{-0.5 * width * size / tall, 0.5 * size};
      const Marks& strokes = alphabet[one.front()];
      for (std::size_t i = 0; i < times; ++i) {
        for (const std::vector<Vec2>& stroke : strokes) {
          std::vector<Vec2> mark;
          for (const Vec2 p : stroke) {
            const Vec2 at = corner + p * size + again[i] * request.pen;
            mark.push_back(middle + right * at.x + down * at.y);
          }
          marks.push_back(std::move(mark));
        }
      }
    }
  });
  return marks;
}

}  // namespace dapple::styles
