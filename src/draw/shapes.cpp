#include "draw/shapes.hpp"

#include <numbers>

#include "core/parallel.hpp"
#include "core/portable.hpp"
#include "dapple/color.hpp"
#include "draw/pen_path.hpp"

namespace dapple {
namespace {

constexpr double least_radius = 2;  // of the mean dot, in parts of pixels
constexpr int most_cut = 8;

// Of the ink of a layer, what may lie on other ink where discs count as lying apart; and where that
// needs no parts of pixels, however small they are.
constexpr double most_overlap = 0.06;
constexpr double next_to_no_overlap = 0.01;

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

// What two discs share.
double shared_area(const Annulus& a, const Annulus& b) {
  const double distance = length(b.center - a.center);
  if (distance >= a.outer + b.outer) return 0;
  const double smaller = std::min(a.outer, b.outer);
  if (distance <= std::abs(a.outer - b.outer)) return std::numbers::pi * smaller * smaller;
  const auto segment = [distance](double r, double other) {
    const double cosine = (distance * distance + r * r - other * other) / (2 * distance * r);
    const double angle = portable_acos(std::clamp(cosine, -1.0, 1.0));
    return r * r * (angle - cosine * std::sqrt(std::max(0.0, 1 - cosine * cosine)));
  };
  return segment(a.outer, b.outer) + segment(b.outer, a.outer);
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

// Of the discs' area, how much lies on other discs: all pairs in some cells of the paper, those of
// discs taken here and there.
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
  std::vector<std::uint8_t> number(side * side, 0);  // of cells that are looked at, from 1
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
    // Each of those that are taken lies on others that are not.
    const double taken = static_cast<double>(cell.rings.size()) / static_cast<double>(cell.all);
    for (auto a = cell.rings.begin(); a != cell.rings.end(); ++a) {
      area += std::numbers::pi * a->outer * a->outer;
      for (auto b = a + 1; b != cell.rings.end(); ++b) shared += shared_area(*a, *b) / taken;
    }
  }
  return area > 0 ? shared / area : 0;
}

// Parts of a pixel, so many that the mean disc is some of them wide.
int cut_of(const Layer& layer, const Drawing& drawing, int width, int height) {
  double sum = 0;
  for (const Disc& disc : layer.discs) {
    sum += !drawing.outlines.empty() ? disc.radius * width / drawing.width
                                     : annulus_of(disc, drawing, width / drawing.width).outer;
  }
  if (sum <= 0) return 1;
  const double wanted = std::ceil(least_radius * static_cast<double>(layer.discs.size()) / sum);
  const int most = std::clamp(1'000'000'000 / std::max(width, height), 1, most_cut);
  return static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(most)));
}

// Counts, then sets each chunk's rings where those of the chunks before it end, so that the order
// in a band is that of the layer.
void set_rings(Shapes& shapes, const Layer& layer, const Drawing& drawing, Context& context) {
  const Frame& frame = shapes.frame;
  const int bands = frame.bands();
  constexpr std::size_t chunk_size = 1 << 14;
  const std::size_t chunks = (layer.discs.size() + chunk_size - 1) / chunk_size;
  std::vector<std::vector<std::size_t>> next(
      chunks, std::vector<std::size_t>(static_cast<std::size_t>(bands), 0));
  const double band_height = frame.row_height * frame.band_height();
  const double top = frame.top * frame.row_height;
  const auto for_each = [&](std::size_t chunk, const auto& take) {
    const std::size_t end = std::min(layer.discs.size(), (chunk + 1) * chunk_size);
    for (std::size_t i = chunk * chunk_size; i < end; ++i) {
      const Annulus ring = annulus_of(layer.discs[i], drawing, frame.scale);
      if (ring.center.x + ring.outer <= frame.left ||
          ring.center.x - ring.outer >= frame.left + frame.width) {
        continue;
      }
      const double y = ring.center.y - top;
      const Span span =
          touching((y - ring.outer) / band_height, (y + ring.outer) / band_height, bands);
      for (int b = span.begin; b < span.end; ++b) take(i, ring, static_cast<std::size_t>(b));
    }
  };
  parallel_for(context, chunks, [&](std::size_t chunk) {
    for_each(chunk, [&](std::size_t, const Annulus&, std::size_t band) { ++next[chunk][band]; });
  });
  std::size_t all = 0;
  for (std::size_t b = 0; b < static_cast<std::size_t>(bands); ++b) {
    shapes.band_start.push_back(all);
    for (auto& of_chunk : next) all += std::exchange(of_chunk[b], all);
  }
  shapes.band_start.push_back(all);
  shapes.rings.resize(all);
  if (!drawing.outlines.empty()) shapes.outlines.resize(all);
  parallel_for(context, chunks, [&](std::size_t chunk) {
    for_each(chunk, [&](std::size_t i, const Annulus& ring, std::size_t band) {
      const std::size_t at = next[chunk][band]++;
      shapes.rings[at] = ring;
      if (!shapes.outlines.empty()) shapes.outlines[at] = drawing.outline_of(layer.discs[i]);
    });
  });
}

}  // namespace

Stroke::Stroke(std::vector<Vec2> line, double width, double scale)
    : points(std::move(line)), half_width(0.5 * width * scale) {
  for (Vec2& p : points) p = p * scale;
  const auto [low, high] =
      std::minmax_element(points.begin(), points.end(), [](Vec2 a, Vec2 b) { return a.y < b.y; });
  if (points.empty()) return;
  y0 = low->y - half_width;
  y1 = high->y + half_width;
}

Shapes place(const Layer& layer, const Drawing& drawing, int width, int height,
             const PictureWindow& window, Context& context) {
  Shapes shapes;
  const std::array<float, 3> color = parse_color(layer.color);
  for (std::size_t c = 0; c < 3; ++c) shapes.ink[c] = srgb_to_linear(color[c]);
  const bool discs_alone = drawing.outlines.empty() && layer.lines.empty() && layer.fills.empty();
  const double overlap = discs_alone ? overlap_of(layer, drawing) : 1;
  shapes.apart = overlap <= most_overlap;
  Frame& frame = shapes.frame;
  frame.cut = overlap <= next_to_no_overlap ? 1 : cut_of(layer, drawing, width, height);
  frame.left = window.left * frame.cut;
  frame.top = window.top * frame.cut;
  frame.width = window.width * frame.cut;
  frame.height = window.height * frame.cut;
  frame.scale = width * frame.cut / drawing.width;
  frame.row_height = frame.scale * drawing.height / (height * frame.cut);
  const bool by_pen = !drawing.outlines.empty() && drawing.pen > 0;
  if (by_pen) {
    shapes.band_start.assign(static_cast<std::size_t>(frame.bands()) + 1, 0);
    for (const Disc& disc : layer.discs) {
      for (std::vector<Vec2>& line : lines_of(*drawing.outline_of(disc), disc)) {
        shapes.strokes.emplace_back(std::move(line), drawing.pen, frame.scale);
      }
    }
  } else {
    set_rings(shapes, layer, drawing, context);
  }
  for (const Polyline& line : layer.lines) {
    shapes.strokes.emplace_back(line.points, line.width, frame.scale);
  }
  for (const std::vector<Vec2>& ring : layer.fills) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      shapes.edges.push_back({ring[i] * frame.scale, ring[(i + 1) % ring.size()] * frame.scale});
    }
  }
  return shapes;
}

}  // namespace dapple
