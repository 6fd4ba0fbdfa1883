#include "draw/shapes.hpp"

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>

#include "dapple/context.hpp"
#include "dapple/plane.hpp"
#include "draw/coverage.hpp"
#include "draw/disc_coverage_table.hpp"
#include "draw/pen_path.hpp"

namespace dapple {
namespace {

constexpr double least_radius = 2;  // of the mean dot, in parts of pixels
constexpr double most_cut = 8;
constexpr double most_parts = 1e9;  // a side: parts are counted in whole numbers

// Shares of a layer's ink that lie on other ink. Up to the first, discs count as lying apart; up to
// the second, this needs no parts of pixels, however small the discs are.
constexpr double most_overlap = 0.06;
constexpr double next_to_no_overlap = 0.01;

constexpr std::size_t least_crowd = 150'000;  // discs
// In denser crowds triple overlaps dominate, and the area that pairs share says little.
constexpr double most_overlap_of_crowd = 0.4;

Annulus annulus_of(const Disc& disc, const Drawing& drawing, double scale) {
  const Vec2 center = disc.center * scale;
  const double pen = 0.5 * drawing.pen * scale;
  const double radius = disc.radius * scale;
  if (const Outline* outline = drawing.outline_of(disc)) {
    return {center, radius * outline->reach, 0};
  }
  if (drawing.shape == DotShape::spiral) return {center, std::max(radius, pen), 0};
  if (drawing.shape == DotShape::disc || pen <= 0) return {center, radius, 0};
  if (drawing.shape == DotShape::point) return {center, pen, 0};
  return {center, radius + pen, std::max(0.0, radius - pen)};
}

Box box_of(const std::vector<Disc>& discs) {
  Box box{0, 0, 0, 0};
  for (const Disc& disc : discs) {
    const Vec2 p = disc.center;
    if (&disc == &discs.front()) box = {p.x, p.y, p.x, p.y};
    box = {std::min(box.x0, p.x), std::min(box.y0, p.y), std::max(box.x1, p.x),
           std::max(box.y1, p.y)};
  }
  return box;
}

// Returns the share of the discs' area that lies on other discs. Looks at all pairs in some cells
// of the paper, the cells of discs spread over the layer.
double overlap_of(const Layer& layer, const Drawing& drawing) {
  constexpr double a_cell = 128;
  constexpr std::size_t most_of_cell = 1024;
  constexpr std::size_t most_cells = 32;
  const std::size_t count = layer.discs.size();
  const auto side = static_cast<std::size_t>(
      std::clamp(std::sqrt(static_cast<double>(count) / a_cell), 1.0, 256.0));
  const Box box = box_of(layer.discs);
  const auto line_of = [side](double v, double from, double to) {
    const double all = static_cast<double>(side);
    return to > from ? static_cast<std::size_t>(std::min((v - from) / (to - from) * all, all - 1))
                     : std::size_t{0};
  };
  const auto cell_of = [&](const Disc& disc) {
    return line_of(disc.center.y, box.y0, box.y1) * side + line_of(disc.center.x, box.x0, box.x1);
  };
  std::vector<std::uint8_t> number(side * side, 0);  // of the cells that are examined, from 1
  struct Cell {
    std::vector<Annulus> rings;
    std::size_t all = 0;
  };
  std::vector<Cell> cells;
  for (std::size_t k = 0; k < std::min(count, most_cells); ++k) {
    std::uint8_t& of = number[cell_of(layer.discs[k * count / std::min(count, most_cells)])];
    if (of > 0) continue;
    cells.emplace_back();
    of = static_cast<std::uint8_t>(cells.size());
  }
  for (const Disc& disc : layer.discs) {
    const std::uint8_t of = number[cell_of(disc)];
    if (of == 0) continue;
    Cell& cell = cells[of - 1u];
    ++cell.all;
    if (cell.rings.size() < most_of_cell) cell.rings.push_back(annulus_of(disc, drawing, 1));
  }
  double area = 0;
  double shared = 0;
  for (const Cell& cell : cells) {
    // Each disc that is taken also lies on discs that are not.
    const double taken = static_cast<double>(cell.rings.size()) / static_cast<double>(cell.all);
    for (auto a = cell.rings.begin(); a != cell.rings.end(); ++a) {
      area += std::numbers::pi * a->outer * a->outer;
      for (auto b = a + 1; b != cell.rings.end(); ++b) {
        shared += shared_area(a->center, a->outer, b->center, b->outer) / taken;
      }
    }
  }
  return area > 0 ? shared / area : 0;
}

// Returns the radius by which pixels are cut for a disc, in mm.
double radius_of(const Disc& disc, const Drawing& drawing) {
  return drawing.outlines.empty() ? annulus_of(disc, drawing, 1).outer : disc.radius;
}

// Returns the parts along a pixel, so many that the mean disc is several parts wide.
int cut_of(const PreparedLayer& layer, const Drawing& drawing, double width, double height) {
  if (layer.radii <= 0) return 1;
  const double mean = layer.radii / static_cast<double>(layer.layer->discs.size());
  const double wanted = std::ceil(least_radius / (mean * width / drawing.width));
  const double most = std::clamp(std::floor(most_parts / std::max(width, height)), 1.0, most_cut);
  return static_cast<int>(std::clamp(wanted, 1.0, most));
}

bool is_by_pen(const Drawing& drawing) {
  return !drawing.outlines.empty() && drawing.pen > 0;
}

// Calls use(line, width) for the first `points` points of the lines.
template <class Use>
void for_lines_until(const std::vector<Polyline>& lines, std::size_t points, const Use& use) {
  for (const Polyline& line : lines) {
    if (points == 0) return;
    const std::size_t there = std::min(points, line.points.size());
    use(std::vector<Vec2>(line.points.begin(),
                          line.points.begin() + static_cast<std::ptrdiff_t>(there)),
        line.width);
    points -= there;
  }
}

}  // namespace

Stroke::Stroke(std::vector<Vec2> line, double width, const Frame& frame)
    : points(std::move(line)), half_width(0.5 * width * frame.scale) {
  for (Vec2& p : points) p = frame.placed(p);
  const auto [low, high] =
      std::minmax_element(points.begin(), points.end(), [](Vec2 a, Vec2 b) { return a.y < b.y; });
  if (points.empty()) return;
  y0 = low->y - half_width;
  y1 = high->y + half_width;
}

std::size_t marks_of(const Layer& layer) {
  std::size_t marks = layer.discs.size();
  for (const Polyline& line : layer.lines) marks += line.points.size();
  return marks;
}

PreparedLayer prepare(const Layer& layer, const Drawing& drawing, bool to_look_at,
                      Context& context) {
  PreparedLayer prepared;
  prepared.layer = &layer;
  for (const Disc& disc : layer.discs) prepared.radii += radius_of(disc, drawing);
  const bool discs_alone = drawing.outlines.empty() && layer.lines.empty() && layer.fills.empty();
  if (discs_alone) prepared.overlap = overlap_of(layer, drawing);
  context.check();
  const double pen = 0.5 * drawing.pen;
  prepared.tiles = DotTiles(
      layer.discs.size(),
      [&](std::size_t i) {
        const Disc& disc = layer.discs[i];
        return DotTiles::Dot{disc.center, annulus_of(disc, drawing, 1).outer + pen};
      },
      context);
  const bool filled = drawing.shape == DotShape::disc || drawing.shape == DotShape::point;
  if (to_look_at && discs_alone && filled && prepared.overlap <= most_overlap_of_crowd &&
      layer.discs.size() >= least_crowd) {
    prepared.crowd = DenseDiscs(
        layer.discs.size(),
        [&](std::size_t i) {
          const Annulus ring = annulus_of(layer.discs[i], drawing, 1);
          return DenseDiscs::Circle{ring.center, ring.outer};
        },
        context);
  }
  return prepared;
}

Grain grain_of(const PreparedLayer& layer, const Drawing& drawing, double width, double height,
               Care care) {
  const bool near_enough =
      care == Care::hasty || (care == Care::rough && layer.overlap <= most_overlap);
  const bool stamped =
      near_enough && !layer.crowd.empty() &&
      layer.crowd.largest() * width / drawing.width <= CoverageStamps::largest_radius;
  const bool whole = stamped || care == Care::hasty || layer.overlap <= next_to_no_overlap;
  return {stamped, whole ? 1 : cut_of(layer, drawing, width, height)};
}

BandDots Shapes::dots_of(int band) const {
  BandDots dots;
  if (discs == 0) return dots;
  const double first = band * frame.band_height();
  std::vector<std::uint32_t> numbers;
  prepared->tiles.find(frame.on_paper(first, frame.band_height()), discs, numbers);
  dots.rings.reserve(numbers.size());
  const double above = (frame.top + first) * frame.row_height;
  const double below = above + frame.band_height() * frame.row_height;
  for (const std::uint32_t i : numbers) {
    const Disc& disc = prepared->layer->discs[i];
    Annulus ring = annulus_of(disc, *drawing, frame.scale);
    ring.center = ring.center - frame.past;
    if (ring.center.y + ring.outer <= above || ring.center.y - ring.outer >= below ||
        ring.center.x + ring.outer <= frame.left ||
        ring.center.x - ring.outer >= frame.left + frame.width) {
      continue;
    }
    dots.rings.push_back(ring);
    if (!drawing->outlines.empty()) dots.outlines.push_back(drawing->outline_of(disc));
  }
  return dots;
}

Shapes place(const PreparedLayer& prepared, const LayerPart& part, const Drawing& drawing,
             double width, double height, const PictureWindow& window, Care care,
             Context& context) {
  Shapes shapes;
  const Layer& layer = *prepared.layer;
  shapes.drawing = &drawing;
  shapes.prepared = &prepared;
  const std::array<float, 3> color = parse_color(layer.color);
  for (std::size_t c = 0; c < 3; ++c) shapes.ink[c] = srgb_to_linear(color[c]);
  shapes.apart = prepared.overlap <= most_overlap;
  Frame& frame = shapes.frame;
  const Grain grain = grain_of(prepared, drawing, width, height, care);
  frame.cut = grain.cut;
  frame.left = window.left * frame.cut;
  frame.top = window.top * frame.cut;
  frame.width = window.width * frame.cut;
  frame.height = window.height * frame.cut;
  frame.past = window.past * frame.cut;
  frame.scale = width * frame.cut / drawing.width;
  frame.row_height = frame.scale * drawing.height / (height * frame.cut);
  frame.past.y *= frame.row_height;
  if (grain.stamped)
    shapes.stamps = std::make_shared<const CoverageStamps>(prepared.crowd, frame, context);
  const std::size_t discs = std::min(part.marks, layer.discs.size());
  if (is_by_pen(drawing)) {
    std::vector<std::uint32_t> numbers;
    prepared.tiles.find(frame.on_paper(0, frame.height), discs, numbers);
    for (const std::uint32_t i : numbers) {
      const Disc& disc = layer.discs[i];
      for (std::vector<Vec2>& line : lines_of(*drawing.outline_of(disc), disc)) {
        shapes.strokes.emplace_back(std::move(line), drawing.pen, frame);
      }
    }
  } else {
    shapes.discs = discs;
  }
  for_lines_until(layer.lines, part.marks - discs, [&](std::vector<Vec2> line, double thick) {
    shapes.strokes.emplace_back(std::move(line), thick, frame);
  });
  if (!part.fills) return shapes;
  for (const std::vector<Vec2>& ring : layer.fills) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      shapes.edges.push_back({frame.placed(ring[i]), frame.placed(ring[(i + 1) % ring.size()])});
    }
  }
  return shapes;
}

}  // namespace dapple
