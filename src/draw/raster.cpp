// A drawing as pixels, with the exact coverage of every pixel by every dot (see coverage.cpp).
//
// Dots that share a pixel are combined as if they lay there by chance. Where dots are small that
// would make the picture too light, so pixels are cut into parts until a dot is some parts wide.
//
// The picture is cut into bands of rows. Each band goes through the layers in order and through the
// shapes of a layer in drawing order, so every pixel sees the same products in the same order
// whatever the number of threads.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "core/parallel.hpp"
#include "dapple/color.hpp"
#include "dapple/drawing.hpp"
#include "dapple/error.hpp"
#include "draw/coverage.hpp"
#include "draw/pen_path.hpp"

namespace dapple {
namespace {

constexpr int band_rows = 16;       // pixels
constexpr double least_radius = 2;  // of the mean dot, in parts of pixels
constexpr int most_cut = 8;

// The picture in parts of pixels, cut x cut of them per pixel. Drawing coordinates are scaled by
// `scale` in both directions, so that discs stay discs; a part is then 1 wide and `row_height`
// high, which differs from 1 by the rounding of the picture's size.
struct Frame {
  int width = 0;
  int height = 0;
  int cut = 1;
  double scale = 1;
  double row_height = 1;

  int band_height() const { return band_rows * cut; }
  int bands() const { return (height + band_height() - 1) / band_height(); }
};

// A disc or a ring in pixels.
struct Ring {
  Vec2 center;
  double outer = 0;
  double inner = 0;
};

struct Stroke {
  std::vector<Vec2> points;
  double half_width = 0;
  double y0 = 0, y1 = 0;  // what it reaches

  Stroke(std::vector<Vec2> line, double width, double scale)
      : points(std::move(line)), half_width(0.5 * width * scale) {
    for (Vec2& p : points) p = p * scale;
    const auto [low, high] =
        std::minmax_element(points.begin(), points.end(), [](Vec2 a, Vec2 b) { return a.y < b.y; });
    if (points.empty()) return;
    y0 = low->y - half_width;
    y1 = high->y + half_width;
  }
};

struct Shapes {
  std::vector<Ring> rings;
  // Of each ring, what stands for it, 1/reach times as large; none: discs and rings.
  std::vector<const Outline*> outlines;
  std::vector<std::int32_t> ring_of_band;  // rings by band, in drawing order
  std::vector<std::size_t> band_start;     // where each band begins in ring_of_band, and the end
  std::vector<Stroke> strokes;
  std::vector<std::array<Vec2, 2>> edges;  // of what is filled
  std::array<float, 3> ink{};              // linear light
};

// Range of whole numbers i with [i, i + 1) touching [from, to], cut to [0, limit).
struct Span {
  int begin = 0;
  int end = 0;
};
Span touching(double from, double to, int limit) {
  const double last = limit;
  return {static_cast<int>(std::clamp(std::floor(from), 0.0, last)),
          static_cast<int>(std::clamp(std::ceil(to), 0.0, last))};
}
// The pixels i whose [i, i + 1] lies inside [from, to].
Span inside(double from, double to, int limit) {
  const double last = limit;
  const int begin = static_cast<int>(std::clamp(std::ceil(from), 0.0, last));
  return {begin, std::max(begin, static_cast<int>(std::clamp(std::floor(to), 0.0, last)))};
}

Ring ring_of(const Disc& disc, const Drawing& drawing, double scale) {
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

Shapes place(const Layer& layer, const Drawing& drawing, const Frame& frame) {
  Shapes shapes;
  const std::array<float, 3> color = parse_color(layer.color);
  for (std::size_t c = 0; c < 3; ++c) shapes.ink[c] = srgb_to_linear(color[c]);
  const bool by_pen = !drawing.outlines.empty() && drawing.pen > 0;
  if (!by_pen) shapes.rings.reserve(layer.discs.size());
  for (const Disc& disc : layer.discs) {
    if (!by_pen) {
      shapes.rings.push_back(ring_of(disc, drawing, frame.scale));
      if (const Outline* outline = drawing.outline_of(disc)) shapes.outlines.push_back(outline);
      continue;
    }
    for (std::vector<Vec2>& line : lines_of(*drawing.outline_of(disc), disc)) {
      shapes.strokes.emplace_back(std::move(line), drawing.pen, frame.scale);
    }
  }
  for (const Polyline& line : layer.lines) {
    shapes.strokes.emplace_back(line.points, line.width, frame.scale);
  }
  for (const std::vector<Vec2>& ring : layer.fills) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      shapes.edges.push_back({ring[i] * frame.scale, ring[(i + 1) % ring.size()] * frame.scale});
    }
  }
  const int bands = frame.bands();
  const auto bands_of = [&](const Ring& ring) {
    const double band_height = frame.row_height * frame.band_height();
    return touching((ring.center.y - ring.outer) / band_height,
                    (ring.center.y + ring.outer) / band_height, bands);
  };
  shapes.band_start.assign(static_cast<std::size_t>(bands) + 1, 0);
  for (const Ring& ring : shapes.rings) {
    const Span span = bands_of(ring);
    for (int b = span.begin; b < span.end; ++b)
      ++shapes.band_start[static_cast<std::size_t>(b) + 1];
  }
  for (std::size_t b = 1; b < shapes.band_start.size(); ++b) {
    shapes.band_start[b] += shapes.band_start[b - 1];
  }
  shapes.ring_of_band.resize(shapes.band_start.back());
  std::vector<std::size_t> next(shapes.band_start.begin(), shapes.band_start.end() - 1);
  for (std::size_t i = 0; i < shapes.rings.size(); ++i) {
    const Span span = bands_of(shapes.rings[i]);
    for (int b = span.begin; b < span.end; ++b) {
      shapes.ring_of_band[next[static_cast<std::size_t>(b)]++] = static_cast<std::int32_t>(i);
    }
  }
  return shapes;
}

// Rows [first, first + rows) of the picture: what of each part is still clear of the layer's ink,
// the same of whole pixels once all is drawn, and the coverage by the stroke in hand.
struct Band {
  const Frame& frame;
  int first;
  int rows;
  Plane<float> clear;
  Plane<float> pixels;
  Plane<float> stroke;
  std::vector<double> begins;  // of a row of an outline: what begins in each pixel

  Band(const Frame& whole, int index)
      : frame(whole),
        first(index * whole.band_height()),
        rows(std::min(whole.band_height(), whole.height - first)),
        clear(whole.width, rows, 1.0f),
        pixels(whole.width / whole.cut, rows / whole.cut) {}

  // Parts to pixels.
  void merge() {
    const int cut = frame.cut;
    if (cut == 1) {
      std::swap(pixels, clear);
      return;
    }
    const float share = 1.0f / static_cast<float>(cut * cut);
    for (int y = 0; y < pixels.height(); ++y) {
      for (int x = 0; x < pixels.width(); ++x) {
        float sum = 0;
        for (int j = 0; j < cut; ++j) {
          const float* from = clear.row(y * cut + j) + x * cut;
          for (int i = 0; i < cut; ++i) sum += from[i];
        }
        pixels(x, y) = sum * share;
      }
    }
  }

  Box pixel(int x, int row) const {
    const double y = (first + row) * frame.row_height;
    return {static_cast<double>(x), y, x + 1.0, y + frame.row_height};
  }
  Span rows_of(double y0, double y1) const {
    return touching(y0 / frame.row_height - first, y1 / frame.row_height - first, rows);
  }
  float coverage(double area) const {
    return static_cast<float>(std::clamp(area / frame.row_height, 0.0, 1.0));
  }

  // Calls cover(x, coverage) for the pixels of a row that the ring touches.
  template <class Cover>
  void visit(const Ring& ring, int row, const Cover& cover) const;
  void draw(const Ring& ring);
  void draw(const Ring& ring, const Outline& outline);
  void draw(const Stroke& line);
  void fill(const std::vector<std::array<Vec2, 2>>& edges);

 private:
  void fill_row(int row, Span columns, std::span<const std::array<Vec2, 2>> edges, Vec2 center,
                double size);
  Span draw_bar(Vec2 a, Vec2 b, double half_width);
  Span draw_joint(Vec2 p, double half_width);
};

double half_chord(double r, double y) {
  return std::sqrt(std::max(0.0, (r - y) * (r + y)));
}

template <class Cover>
void Band::visit(const Ring& ring, int row, const Cover& cover) const {
  const Box line = pixel(0, row);
  const double below = line.y0 - ring.center.y;
  const double above = line.y1 - ring.center.y;
  const double nearest = below > 0 ? below : above < 0 ? -above : 0;
  const double farthest = std::max(std::abs(below), std::abs(above));
  if (nearest >= ring.outer) return;
  const double reach = half_chord(ring.outer, nearest);
  const Span all = touching(ring.center.x - reach, ring.center.x + reach, frame.width);
  // Pixels wholly inside the inner circle see nothing of a ring, those of a disc are full.
  const double core_radius = ring.inner > 0 ? ring.inner : ring.outer;
  Span core{all.end, all.end};
  if (farthest < core_radius) {
    const double chord = half_chord(core_radius, farthest);
    core = inside(ring.center.x - chord, ring.center.x + chord, frame.width);
    if (core.begin == core.end) core = {all.end, all.end};
  }
  const auto edge = [&](int begin, int end) {
    for (int x = begin; x < end; ++x) {
      const Box box = pixel(x, row);
      double area = disc_box_area(ring.center, ring.outer, box);
      if (ring.inner > 0) area -= disc_box_area(ring.center, ring.inner, box);
      cover(x, coverage(area));
    }
  };
  edge(all.begin, std::min(core.begin, all.end));
  if (ring.inner <= 0) {
    for (int x = core.begin; x < core.end; ++x) cover(x, 1.0f);
  }
  edge(std::max(core.end, all.begin), all.end);
}

void Band::draw(const Ring& ring) {
  const Span span = rows_of(ring.center.y - ring.outer, ring.center.y + ring.outer);
  for (int row = span.begin; row < span.end; ++row) {
    float* out = clear.row(row);
    visit(ring, row, [out](int x, float c) { out[x] *= 1.0f - c; });
  }
}

// Of one edge in one row, x from the row's first pixel: by how much the coverage of each pixel
// differs from that of the one before.
void add_edge(std::vector<double>& begins, Vec2 a, Vec2 b) {
  const double width = static_cast<double>(begins.size()) - 2;
  const double dy = b.y - a.y;
  // Left of the row all of it is covered, right of it nothing.
  for (const double wall : {0.0, width}) {
    if ((a.x < wall && b.x > wall) || (a.x > wall && b.x < wall)) {
      const Vec2 cut{wall, a.y + dy * ((wall - a.x) / (b.x - a.x))};
      add_edge(begins, a, cut);
      add_edge(begins, cut, b);
      return;
    }
  }
  const double x0 = std::clamp(std::min(a.x, b.x), 0.0, width);
  const double x1 = std::clamp(std::max(a.x, b.x), 0.0, width);
  const auto first = static_cast<std::size_t>(x0);
  const auto last = static_cast<std::size_t>(x1);
  if (first == last) {
    const double covered = static_cast<double>(first) + 1 - 0.5 * (x0 + x1);
    begins[first] += dy * covered;
    begins[first + 1] += dy * (1 - covered);
    return;
  }
  // The area to the right of the edge, up to the right side of each pixel, is a parabola's arc.
  const double slope = dy / (x1 - x0);
  double before = 0;
  double gone = 0;
  for (std::size_t i = first; i <= last; ++i) {
    const double right = std::min(static_cast<double>(i) + 1, x1);
    const double all = slope * (0.5 * (right - x0) * (right - x0) +
                                (static_cast<double>(i) + 1 - right) * (x1 - x0));
    const double own = all - before;  // coverage of pixel i
    begins[i] += own - gone;
    before = all;
    gone = own;
  }
  begins[last + 1] += dy - gone;
}

// The signed areas of edges, summed along the row (as in font rasterizers; Levien 2016).
void Band::fill_row(int row, Span columns, std::span<const std::array<Vec2, 2>> edges, Vec2 center,
                    double size) {
  const Vec2 corner{static_cast<double>(columns.begin), 0};
  const Box line = pixel(0, row);
  begins.assign(static_cast<std::size_t>(columns.end - columns.begin) + 2, 0.0);
  for (const auto& [from, to] : edges) {
    const Vec2 a = center + from * size - corner;
    const Vec2 b = center + to * size - corner;
    if (std::max(a.y, b.y) <= line.y0 || std::min(a.y, b.y) >= line.y1) continue;
    const auto at = [&](double y) {
      return Vec2{a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)), y};
    };
    const auto clipped = [&](Vec2 p) {
      return p.y < line.y0 ? at(line.y0) : p.y > line.y1 ? at(line.y1) : p;
    };
    add_edge(begins, clipped(a), clipped(b));
  }
  float* out = clear.row(row);
  double area = 0;
  for (int x = columns.begin; x < columns.end; ++x) {
    area += begins[static_cast<std::size_t>(x - columns.begin)];
    out[x] *= 1.0f - coverage(area);
  }
}

void Band::fill(const std::vector<std::array<Vec2, 2>>& edges) {
  const double y0 = pixel(0, 0).y0;
  const double y1 = pixel(0, rows - 1).y1;
  std::vector<std::array<Vec2, 2>> own;
  for (const auto& edge : edges) {
    const auto [low, high] = std::minmax(edge[0].y, edge[1].y);
    if (low < y1 && high > y0) own.push_back(edge);
  }
  if (own.empty()) return;
  for (int row = 0; row < rows; ++row) fill_row(row, {0, frame.width}, own, {}, 1);
}

void Band::draw(const Ring& ring, const Outline& outline) {
  const double radius = ring.outer / outline.reach;
  const Span span = rows_of(ring.center.y - ring.outer, ring.center.y + ring.outer);
  const Span columns =
      touching(ring.center.x - ring.outer, ring.center.x + ring.outer, frame.width);
  if (columns.begin >= columns.end) return;
  for (int row = span.begin; row < span.end; ++row) {
    fill_row(row, columns, outline.edges, ring.center, radius);
  }
}

Span Band::draw_bar(Vec2 a, Vec2 b, double half_width) {
  const Span span = rows_of(std::min(a.y, b.y) - half_width, std::max(a.y, b.y) + half_width);
  Span columns{frame.width, 0};
  for (int row = span.begin; row < span.end; ++row) {
    // The part of the segment that can reach this row bounds the columns.
    const Box line = pixel(0, row);
    double t0 = 0;
    double t1 = 1;
    if (a.y != b.y) {
      const double ta = (line.y0 - half_width - a.y) / (b.y - a.y);
      const double tb = (line.y1 + half_width - a.y) / (b.y - a.y);
      t0 = std::clamp(std::min(ta, tb), 0.0, 1.0);
      t1 = std::clamp(std::max(ta, tb), 0.0, 1.0);
    }
    const double xa = a.x + (b.x - a.x) * t0;
    const double xb = a.x + (b.x - a.x) * t1;
    const Span xs =
        touching(std::min(xa, xb) - half_width, std::max(xa, xb) + half_width, frame.width);
    for (int x = xs.begin; x < xs.end; ++x) {
      stroke(x, row) += coverage(bar_box_area(a, b, half_width, pixel(x, row)));
    }
    columns = {std::min(columns.begin, xs.begin), std::max(columns.end, xs.end)};
  }
  return columns;
}

Span Band::draw_joint(Vec2 p, double half_width) {
  const Span span = rows_of(p.y - half_width, p.y + half_width);
  for (int row = span.begin; row < span.end; ++row) {
    float* out = stroke.row(row);
    visit({p, half_width, 0}, row, [out](int x, float c) { out[x] = std::max(out[x], c); });
  }
  return span.begin < span.end ? touching(p.x - half_width, p.x + half_width, frame.width)
                               : Span{frame.width, 0};
}

// Straight pieces abut, so their coverages add; the round joints and ends fill what they leave
// open. Exact along straight runs, within a few per cent of a pixel at joints.
void Band::draw(const Stroke& line) {
  if (stroke.empty()) stroke = Plane<float>(frame.width, rows);
  Span touched{frame.width, 0};
  const auto note = [&touched](Span xs) {
    touched = {std::min(touched.begin, xs.begin), std::max(touched.end, xs.end)};
  };
  for (std::size_t i = 1; i < line.points.size(); ++i) {
    if (line.points[i - 1] == line.points[i]) continue;
    note(draw_bar(line.points[i - 1], line.points[i], line.half_width));
  }
  for (const Vec2& p : line.points) note(draw_joint(p, line.half_width));
  for (int row = 0; row < rows && touched.begin < touched.end; ++row) {
    for (int x = touched.begin; x < touched.end; ++x) {
      clear(x, row) *= 1.0f - std::min(1.0f, stroke(x, row));
      stroke(x, row) = 0;
    }
  }
}

// The picture in the making: linear light with straight alpha.
struct Canvas {
  Image image;
  int colors = 1;  // 1 where everything is gray
  bool alpha = false;

  void blend(const Band& band, const std::array<float, 3>& ink) {
    for (int row = 0; row < band.pixels.height(); ++row) {
      const float* clear = band.pixels.row(row);
      const int y = band.first / band.frame.cut + row;
      for (int x = 0; x < band.pixels.width(); ++x) {
        const float cover = 1.0f - clear[x];
        if (cover <= 0) continue;
        float weight = cover;
        if (alpha) {
          float& a = image.channels.back()(x, y);
          a = cover + a * clear[x];
          weight = cover / a;
        }
        for (int c = 0; c < colors; ++c) {
          const auto channel = static_cast<std::size_t>(c);
          float& v = image.channels[channel](x, y);
          v = v * (1.0f - weight) + ink[channel] * weight;
        }
      }
    }
  }

  void encode(const Band& band) {
    for (int c = 0; c < colors; ++c) {
      Plane<float>& plane = image.channels[static_cast<std::size_t>(c)];
      // Most pixels are paper or ink: no new power for the value just seen.
      float seen = 0;
      float encoded = 0;
      for (int row = 0; row < band.pixels.height(); ++row) {
        for (float& v : std::span(plane.row(band.first / band.frame.cut + row),
                                  static_cast<std::size_t>(plane.width()))) {
          if (v != seen) {
            seen = v;
            encoded = linear_to_srgb(v);
          }
          v = encoded;
        }
      }
    }
  }
};

Canvas make_canvas(const Drawing& drawing, int width, int height, Context& context) {
  Canvas canvas;
  canvas.alpha = drawing.background == "none";
  const auto is_gray = [](const std::array<float, 3>& c) { return c[0] == c[1] && c[1] == c[2]; };
  const std::array<float, 3> paper =
      canvas.alpha ? std::array<float, 3>{} : parse_color(drawing.background);
  bool gray = is_gray(paper);
  for (const Layer& layer : drawing.layers) gray = gray && is_gray(parse_color(layer.color));
  canvas.colors = gray ? 1 : 3;
  if (gray) {
    canvas.image.names = {"Y"};
  } else {
    canvas.image.names = {"R", "G", "B"};
  }
  if (canvas.alpha) canvas.image.names.push_back("A");
  context.require_memory(4.0 * width * height * static_cast<double>(canvas.image.names.size()),
                         "the picture");
  // Transparent paper takes the color of the first ink, so that edges do not darken when an image
  // is resized without regard to alpha.
  std::array<float, 3> start = paper;
  if (canvas.alpha && !drawing.layers.empty()) start = parse_color(drawing.layers[0].color);
  for (int c = 0; c < canvas.colors; ++c) {
    canvas.image.channels.emplace_back(width, height,
                                       srgb_to_linear(start[static_cast<std::size_t>(c)]));
  }
  if (canvas.alpha) canvas.image.channels.emplace_back(width, height, 0.0f);
  canvas.image.metadata = drawing.metadata;
  return canvas;
}

void draw_band(Canvas& canvas, const std::vector<Shapes>& layers, const Frame& frame, int index) {
  Band band(frame, index);
  for (const Shapes& shapes : layers) {
    const auto b = static_cast<std::size_t>(index);
    if (shapes.band_start[b] == shapes.band_start[b + 1] && shapes.strokes.empty() &&
        shapes.edges.empty()) {
      continue;
    }
    std::fill(band.clear.values().begin(), band.clear.values().end(), 1.0f);
    if (!shapes.edges.empty()) band.fill(shapes.edges);
    for (std::size_t k = shapes.band_start[b]; k < shapes.band_start[b + 1]; ++k) {
      const auto i = static_cast<std::size_t>(shapes.ring_of_band[k]);
      if (shapes.outlines.empty()) {
        band.draw(shapes.rings[i]);
      } else {
        band.draw(shapes.rings[i], *shapes.outlines[i]);
      }
    }
    for (const Stroke& stroke : shapes.strokes) {
      const Span rows = band.rows_of(stroke.y0, stroke.y1);
      if (rows.begin < rows.end) band.draw(stroke);
    }
    band.merge();
    canvas.blend(band, shapes.ink);
  }
  canvas.encode(band);
}

Frame make_frame(const Drawing& drawing, int width, int height) {
  double sum = 0;
  std::size_t count = 0;
  for (const Layer& layer : drawing.layers) {
    for (const Disc& disc : layer.discs) {
      sum += !drawing.outlines.empty() ? disc.radius * width / drawing.width
                                       : ring_of(disc, drawing, width / drawing.width).outer;
    }
    count += layer.discs.size();
  }
  Frame frame;
  if (sum > 0) {
    const double wanted = std::ceil(least_radius * static_cast<double>(count) / sum);
    const int most = std::clamp(1'000'000'000 / std::max(width, height), 1, most_cut);
    frame.cut = static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(most)));
  }
  frame.width = width * frame.cut;
  frame.height = height * frame.cut;
  frame.scale = frame.width / drawing.width;
  frame.row_height = frame.scale * drawing.height / frame.height;
  return frame;
}

}  // namespace

Image rasterize(const Drawing& drawing, int width, int height, Context& context) {
  if (!(drawing.width > 0) || !(drawing.height > 0) || width < 1 || height < 1) {
    throw Error(ErrorKind::usage, "a drawing needs a paper size and a picture at least one pixel");
  }
  require_drawable(drawing);
  context.require_pixels(width, height, "the picture");
  const Frame frame = make_frame(drawing, width, height);
  Canvas canvas = make_canvas(drawing, width, height, context);
  std::vector<Shapes> layers;
  for (const Layer& layer : drawing.layers) layers.push_back(place(layer, drawing, frame));

  // Groups of bands, because progress is reported from this thread alone.
  const int bands = frame.bands();
  constexpr int group = 64;
  for (int first = 0; first < bands; first += group) {
    context.progress(static_cast<double>(first) / bands);
    const int count = std::min(group, bands - first);
    parallel_for(context, static_cast<std::size_t>(count), [&](std::size_t i) {
      draw_band(canvas, layers, frame, first + static_cast<int>(i));
    });
  }
  context.progress(1);
  return std::move(canvas.image);
}

}  // namespace dapple
