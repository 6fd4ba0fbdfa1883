// Lists the styles.
#include "generate/styles/style.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "field/resample.hpp"

namespace dapple::styles {
namespace {

using enum StippleStyle;
constexpr std::array table{
    Style{
        .name = voronoi, .draw = draw_voronoi, .marks = 15000, .strongest = 1.2, .in_order = false},
    Style{.name = delaunay,
          .draw = draw_delaunay,
          .marks = 12000,
          .strongest = 0.75,
          .in_order = false},
    Style{.name = tree, .draw = draw_tree, .marks = 25000, .strongest = 1.6, .in_order = false},
    Style{.name = dashes,
          .draw = draw_dashes,
          .marks = 20000,
          .strongest = 1.3,
          .in_order = false,
          .corrections = 3},
    Style{.name = flow,
          .draw = draw_flow,
          .marks = 15000,
          .strongest = 1,
          .in_order = false,
          .corrections = 4},
    Style{.name = scribble,
          .draw = draw_scribble,
          .marks = 12000,
          .strongest = 0.6,
          .corrections = 2},
    Style{.name = sine, .draw = draw_sine, .on_points = false, .marks = 15000},
    Style{.name = spiral, .draw = draw_spiral, .on_points = false, .marks = 15000},
    Style{.name = halftone,
          .draw = draw_halftone,
          .on_points = false,
          .marks = 15000,
          .row_spacing = 7,
          .turns = 0.125},
    Style{.name = hatch,
          .draw = draw_hatch,
          .on_points = false,
          .marks = 80000,
          .row_spacing = 2.2,
          .swatch_rows = 64,
          .in_order = false,
          .blur = 1.5},
    Style{.name = text,
          .draw = draw_text,
          .on_points = false,
          .marks = 12000,
          .row_spacing = 8,
          .swatch_rows = 12},
};

}  // namespace

const Style& style_of(StippleStyle name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [name](const Style& style) { return style.name == name; });
  if (found == table.end()) throw Error(ErrorKind::usage, "`style dots` draws no lines");
  return *found;
}

void check_cancel(const Request& request) {
  request.context.check();
}

std::uint64_t seed_of(const Request& request) {
  return request.context.seed;
}

bool is_bare(const Request& request, Vec2 p) {
  constexpr float bare = 1.0f / 256;
  const int x = std::clamp(static_cast<int>(p.x), 0, request.darkness.width() - 1);
  const int y = std::clamp(static_cast<int>(p.y), 0, request.darkness.height() - 1);
  return request.darkness(x, y) < bare;
}

double longer_at(const Request& request, Vec2 p) {
  return request.longer.empty() ? 1 : bilinear(request.longer, p);
}

void add_point(std::vector<Vec2>& line, Vec2 p, double flat) {
  const std::size_t n = line.size();
  if (n >= 2) {
    const Vec2 way = p - line[n - 2];
    const Vec2 before = line[n - 1] - line[n - 2];
    const double reach = length(way);
    const double beside = std::abs(way.x * before.y - way.y * before.x);
    const double ahead = dot(way, before);
    if (beside <= flat * reach && ahead > 0 && ahead <= reach * reach) {
      line[n - 1] = p;
      return;
    }
  }
  line.push_back(p);
}

}  // namespace dapple::styles
