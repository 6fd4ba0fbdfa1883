// Draws a drawing as pixels, with the exact coverage of every pixel by every dot. Small discs are
// in small_discs.cpp, the rest in coverage.cpp.
//
// The coverages of a pixel by dots add up, exactly if the dots lie apart. Overlapping dots of a
// layer are combined as if their positions were random. Small dots would then be too light, so
// pixels are cut into parts until a dot is several parts wide.
//
// The picture is cut into bands of rows. Each band goes through the layers in order and through the
// shapes of a layer in drawing order. Every pixel thus sees the same sums in the same order for any
// number of threads and any window.
#include "draw/raster.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "dapple/drawing.hpp"
#include "dapple/error.hpp"
#include "dapple/plane.hpp"
#include "draw/coverage.hpp"
#include "draw/disc_coverage_table.hpp"
#include "draw/pen_path.hpp"
#include "draw/shapes.hpp"
#include "draw/small_discs.hpp"
#include "field/curve_table.hpp"

namespace dapple {
namespace {

constexpr double most_pixels = 1e9;  // a side: places in parts of pixels are whole numbers

// Returns the pixels i whose [i, i + 1] lies inside [from, to].
Span inside(double from, double to, int limit) {
  const double last = limit;
  const int begin = static_cast<int>(std::clamp(std::ceil(from), 0.0, last));
  return {begin, std::max(begin, static_cast<int>(std::clamp(std::floor(to), 0.0, last)))};
}

// Rows [first, first + rows) of the window. `clear` is the share of each part that is clear of the
// layer's ink; merge() averages it to `pixels`. `stroke` is the coverage by one stroke.
struct Band {
  const Frame& frame;
  int first;
  int rows;
  Plane<float> clear;
  Plane<float> pixels;
  Plane<float> stroke;
  std::vector<double> begins;  // per pixel of a row: the change of an outline's coverage

  Band(const Frame& window, int index)
      : frame(window),
        first(index * window.band_height()),
        rows(std::min(window.band_height(), window.height - first)),
        clear(window.width, rows, 1.0f),
        pixels(window.width / window.cut, rows / window.cut) {}

  // Averages parts to pixels.
  void merge() {
    const int cut = frame.cut;
    if (cut == 1) {
      std::swap(pixels, clear);
      for (float& v : pixels.values()) v = std::max(v, 0.0f);
      return;
    }
    const float share = 1.0f / static_cast<float>(cut * cut);
    for (int y = 0; y < pixels.height(); ++y) {
      for (int x = 0; x < pixels.width(); ++x) {
        float sum = 0;
        for (int j = 0; j < cut; ++j) {
          const float* from = clear.row(y * cut + j) + x * cut;
          for (int i = 0; i < cut; ++i) sum += std::max(from[i], 0.0f);
        }
        pixels(x, y) = sum * share;
      }
    }
  }

  double line(int row) const { return (frame.top + first + row) * frame.row_height; }
  Box pixel(int x, int row) const {
    const double left = frame.left + x;
    return {left, line(row), left + 1, line(row + 1)};
  }
  Span rows_of(double y0, double y1) const { return frame.rows_of(y0, y1, first, rows); }
  Span columns_of(double x0, double x1) const { return frame.columns_of(x0, x1); }
  float coverage(double area) const {
    return static_cast<float>(std::clamp(area / frame.row_height, 0.0, 1.0));
  }

  // Calls cover(x, coverage) for the pixels of a row that the ring touches.
  template <class Cover>
  void visit(const Annulus& ring, int row, const Cover& cover) const;
  void draw(std::span<const Annulus> rings, bool apart);
  void draw(const Annulus& ring, const Outline& outline);
  void draw(const Stroke& line);
  void fill(const std::vector<std::array<Vec2, 2>>& edges);

 private:
  void draw_large(const Annulus& ring, bool apart);
  void fill_row(int row, Span columns, std::span<const std::array<Vec2, 2>> edges, Vec2 center,
                double size);
  Span draw_bar(Vec2 a, Vec2 b, double half_width);
  Span draw_joint(Vec2 p, double half_width);
};

double half_chord(double r, double y) {
  return std::sqrt(std::max(0.0, (r - y) * (r + y)));
}

template <class Cover>
void Band::visit(const Annulus& ring, int row, const Cover& cover) const {
  const Box strip = pixel(0, row);
  const double below = strip.y0 - ring.center.y;
  const double above = strip.y1 - ring.center.y;
  const double nearest = below > 0 ? below : above < 0 ? -above : 0;
  const double farthest = std::max(std::abs(below), std::abs(above));
  if (nearest >= ring.outer) return;
  const double reach = half_chord(ring.outer, nearest);
  const Span all = columns_of(ring.center.x - reach, ring.center.x + reach);
  // A ring misses pixels wholly inside its inner circle. A disc fills pixels wholly inside it.
  const double core_radius = ring.inner > 0 ? ring.inner : ring.outer;
  Span core{all.end, all.end};
  if (farthest < core_radius) {
    const double chord = half_chord(core_radius, farthest);
    core =
        inside(ring.center.x - chord - frame.left, ring.center.x + chord - frame.left, frame.width);
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

void Band::draw(std::span<const Annulus> rings, bool apart) {
  // If rows are low, a disc touches more of them.
  const double largest = largest_small_radius * std::min(1.0, frame.row_height);
  const auto is_small = [largest](const Annulus& ring) { return ring.outer <= largest; };
  for (auto at = rings.begin(); at != rings.end();) {
    const auto large = std::find_if_not(at, rings.end(), is_small);
    draw_small_rings({at, large}, frame, first, apart, clear);
    at = std::find_if(large, rings.end(), is_small);
    for (const Annulus& ring : std::span(large, at)) draw_large(ring, apart);
  }
}

void Band::draw_large(const Annulus& ring, bool apart) {
  const Span span = rows_of(ring.center.y - ring.outer, ring.center.y + ring.outer);
  for (int row = span.begin; row < span.end; ++row) {
    float* out = clear.row(row);
    if (apart) {
      visit(ring, row, [out](int x, float c) { out[x] -= c; });
    } else {
      visit(ring, row, [out](int x, float c) { out[x] *= 1.0f - c; });
    }
  }
}

// Adds one edge in one row, with x from the row's first pixel. begins[i] is the coverage of pixel i
// minus the coverage of the pixel before.
void add_edge(std::vector<double>& begins, Vec2 a, Vec2 b) {
  const double width = static_cast<double>(begins.size()) - 2;
  const double dy = b.y - a.y;
  // An edge left of the row covers the whole row; an edge right of the row covers nothing.
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
  // The area to the right of the edge, up to the right side of each pixel, follows a parabola.
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

// Sums the signed areas of edges along the row (as in font rasterizers; Levien 2016).
void Band::fill_row(int row, Span columns, std::span<const std::array<Vec2, 2>> edges, Vec2 center,
                    double size) {
  const Vec2 corner{static_cast<double>(frame.left + columns.begin), 0};
  const Box strip = pixel(0, row);
  begins.assign(static_cast<std::size_t>(columns.end - columns.begin) + 2, 0.0);
  for (const auto& [from, to] : edges) {
    const Vec2 a = center + from * size - corner;
    const Vec2 b = center + to * size - corner;
    if (std::max(a.y, b.y) <= strip.y0 || std::min(a.y, b.y) >= strip.y1) continue;
    const auto at = [&](double y) {
      return Vec2{a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)), y};
    };
    const auto clipped = [&](Vec2 p) {
      return p.y < strip.y0 ? at(strip.y0) : p.y > strip.y1 ? at(strip.y1) : p;
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
  const double y0 = line(0);
  const double y1 = line(rows);
  std::vector<std::array<Vec2, 2>> own;
  for (const auto& edge : edges) {
    const auto [low, high] = std::minmax(edge[0].y, edge[1].y);
    if (low < y1 && high > y0) own.push_back(edge);
  }
  if (own.empty()) return;
  for (int row = 0; row < rows; ++row) fill_row(row, {0, frame.width}, own, {}, 1);
}

void Band::draw(const Annulus& ring, const Outline& outline) {
  const double radius = ring.outer / outline.reach;
  const Span span = rows_of(ring.center.y - ring.outer, ring.center.y + ring.outer);
  const Span columns = columns_of(ring.center.x - ring.outer, ring.center.x + ring.outer);
  if (columns.begin >= columns.end) return;
  for (int row = span.begin; row < span.end; ++row) {
    fill_row(row, columns, outline.edges, ring.center, radius);
  }
}

Span Band::draw_bar(Vec2 a, Vec2 b, double half_width) {
  const Span span = rows_of(std::min(a.y, b.y) - half_width, std::max(a.y, b.y) + half_width);
  const Bar bar(a, b, half_width);
  Span columns{frame.width, 0};
  for (int row = span.begin; row < span.end; ++row) {
    // The part of the segment that can reach this row bounds the columns.
    const Box strip = pixel(0, row);
    double t0 = 0;
    double t1 = 1;
    if (a.y != b.y) {
      const double ta = (strip.y0 - half_width - a.y) / (b.y - a.y);
      const double tb = (strip.y1 + half_width - a.y) / (b.y - a.y);
      t0 = std::clamp(std::min(ta, tb), 0.0, 1.0);
      t1 = std::clamp(std::max(ta, tb), 0.0, 1.0);
    }
    const double xa = a.x + (b.x - a.x) * t0;
    const double xb = a.x + (b.x - a.x) * t1;
    const Span xs = columns_of(std::min(xa, xb) - half_width, std::max(xa, xb) + half_width);
    for (int x = xs.begin; x < xs.end; ++x) {
      stroke(x, row) += coverage(bar.area_in(pixel(x, row)));
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
  return span.begin < span.end ? columns_of(p.x - half_width, p.x + half_width)
                               : Span{frame.width, 0};
}

// Draws a stroke. Straight pieces abut, so their coverages add; the round joints and ends fill the
// openings. Exact along straight runs, within a few percent of a pixel at joints.
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

// The unfinished picture: linear light with straight alpha.
struct Canvas {
  Image image;
  int colors = 1;  // 1 if everything is gray
  bool alpha = false;

  void blend(const Band& band, const std::array<float, 3>& ink, int first) {
    for (int row = 0; row < band.pixels.height(); ++row) {
      const std::span clear(band.pixels.row(row), static_cast<std::size_t>(band.pixels.width()));
      const int y = first + row;
      float* const covered = alpha ? image.channels.back().row(y) : nullptr;
      for (int c = 0; c < colors; ++c) {
        const auto channel = static_cast<std::size_t>(c);
        float* const out = image.channels[channel].row(y);
        for (std::size_t x = 0; x < clear.size(); ++x) {
          const float cover = 1.0f - clear[x];
          const float weight = alpha && cover > 0 ? cover / (cover + covered[x] * clear[x]) : cover;
          out[x] = out[x] * (1.0f - weight) + ink[channel] * weight;
        }
      }
      for (std::size_t x = 0; alpha && x < clear.size(); ++x) {
        const float cover = 1.0f - clear[x];
        if (cover > 0) covered[x] = cover + covered[x] * clear[x];
      }
    }
  }

  void encode(int first) {
    const CurveTable& curve = to_srgb();
    const int last = std::min(image.height(), first + Frame::band_rows);
    for (int c = 0; c < colors; ++c) {
      Plane<float>& plane = image.channels[static_cast<std::size_t>(c)];
      for (int y = first; y < last; ++y) {
        for (float& v : std::span(plane.row(y), static_cast<std::size_t>(plane.width()))) {
          v = curve(v);
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
  // Transparent paper takes the color of the first ink. Edges then do not darken when an image is
  // resized without regard to alpha.
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

void draw_band(Canvas& canvas, const std::vector<Shapes>& layers, int index) {
  for (const Shapes& shapes : layers) {
    if (shapes.stamps) {
      Band band(shapes.frame, index);
      shapes.stamps->draw(band.first, shapes.discs, band.clear);
      band.merge();
      canvas.blend(band, shapes.ink, index * Frame::band_rows);
      continue;
    }
    const BandDots dots = shapes.dots_of(index);
    if (dots.rings.empty() && shapes.strokes.empty() && shapes.edges.empty()) continue;
    Band band(shapes.frame, index);
    if (!shapes.edges.empty()) band.fill(shapes.edges);
    if (dots.outlines.empty()) {
      band.draw(dots.rings, shapes.apart);
    } else {
      for (std::size_t i = 0; i < dots.rings.size(); ++i) {
        band.draw(dots.rings[i], *dots.outlines[i]);
      }
    }
    for (const Stroke& stroke : shapes.strokes) {
      const Span rows = band.rows_of(stroke.y0, stroke.y1);
      if (rows.begin < rows.end) band.draw(stroke);
    }
    band.merge();
    canvas.blend(band, shapes.ink, index * Frame::band_rows);
  }
  canvas.encode(index * Frame::band_rows);
}

Care care_of(const PreparedDrawing::View& view) {
  return view.hastily ? Care::hasty : view.roughly ? Care::rough : Care::exact;
}

void require_sizes(bool there) {
  if (there) return;
  throw Error(ErrorKind::usage,
              "the paper of a drawing must have a size and its picture at least one pixel");
}

}  // namespace

PreparedDrawing::PreparedDrawing(std::shared_ptr<const Drawing> drawing, Context& context,
                                 bool to_look_at)
    : drawing_(std::move(drawing)) {
  require_sizes(drawing_->width > 0 && drawing_->height > 0);
  require_drawable(*drawing_);
  for (const Layer& layer : drawing_->layers) {
    layers_.push_back(prepare(layer, *drawing_, to_look_at, context));
  }
}

std::size_t PreparedDrawing::bytes() const {
  std::size_t sum = 0;
  for (const PreparedLayer& layer : layers_) sum += layer.tiles.bytes() + layer.crowd.bytes();
  return sum;
}

PreparedDrawing::Haste PreparedDrawing::haste(const View& view) const {
  Haste haste;
  const double shown = 1.0 * view.window.width * view.window.height / (view.width * view.height);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const PreparedLayer& layer = layers_[i];
    const Grain exact = grain_of(layer, *drawing_, view.width, view.height, care_of(view));
    const Grain hasty = grain_of(layer, *drawing_, view.width, view.height, Care::hasty);
    if (exact.stamped == hasty.stamped && exact.cut == hasty.cut) continue;
    haste.helps = true;
    haste.dots += static_cast<double>(layer.layer->discs.size()) * std::min(shown, 1.0);
  }
  return haste;
}

Image PreparedDrawing::rasterize(const View& view, Context& context) const {
  const PictureWindow& window = view.window;
  require_sizes(view.width > 0 && view.height > 0 && window.width > 0 && window.height > 0);
  context.require_pixels(window.width, window.height, "the picture");
  if (!(std::max(view.width, view.height) <= most_pixels)) {
    throw Error(ErrorKind::limit,
                "a drawing cannot be enlarged to more than 1,000,000,000 pixels "
                "per side; use a smaller scale");
  }
  Canvas canvas = make_canvas(*drawing_, window.width, window.height, context);
  std::vector<Shapes> layers;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const LayerPart part = view.layers.empty() ? LayerPart() : view.layers[i];
    layers.push_back(place(layers_[i], part, *drawing_, view.width, view.height, window,
                           care_of(view), context));
  }

  // The bands run in groups, because only this thread reports progress.
  const int bands = (window.height + Frame::band_rows - 1) / Frame::band_rows;
  constexpr int group = 64;
  for (int first = 0; first < bands; first += group) {
    context.progress(static_cast<double>(first) / bands);
    const int count = std::min(group, bands - first);
    parallel_for(context, static_cast<std::size_t>(count),
                 [&](std::size_t i) { draw_band(canvas, layers, first + static_cast<int>(i)); });
  }
  context.progress(1);
  return std::move(canvas.image);
}

Image rasterize(const Drawing& drawing, int width, int height, Context& context) {
  require_sizes(drawing.width > 0 && drawing.height > 0 && width > 0 && height > 0);
  context.require_pixels(width, height, "the picture");
  const std::shared_ptr<const Drawing> lent(std::shared_ptr<const void>(), &drawing);
  const PreparedDrawing prepared(lent, context);
  return prepared.rasterize({1.0 * width, 1.0 * height, {0, 0, width, height}}, context);
}

void rasterize(const Drawing& drawing, const ImageTarget& target, Context& context) {
  require_sizes(drawing.width > 0 && drawing.height > 0);
  const int width = target.width();
  const int height = target.height();
  context.require_pixels(width, height, "the picture");
  const std::shared_ptr<const Drawing> lent(std::shared_ptr<const void>(), &drawing);
  const PreparedDrawing prepared(lent, context);
  constexpr int strip_pixels = 1 << 20;
  const int step = std::max(strip_pixels / width / Frame::band_rows, 1) * Frame::band_rows;
  for (int y = 0; y < height; y += step) {
    const int rows = std::min(step, height - y);
    const auto part = context.part(1.0 * y / height, 1.0 * (y + rows) / height);
    target.put(prepared.rasterize({1.0 * width, 1.0 * height, {0, y, width, rows}}, context), y);
  }
}

}  // namespace dapple
