#include "studio/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/run/outputs.hpp"
#include "core/constants.hpp"
#include "core/parallel.hpp"
#include "dapple/drawing_files.hpp"
#include "draw/tiles.hpp"

namespace dapple::studio {
namespace {

std::uint8_t byte_of(float value, Encoding encoding) {
  const float shown = encoding == Encoding::linear ? linear_to_srgb(value) : value;
  return static_cast<std::uint8_t>(std::lround(255.0f * std::clamp(shown, 0.0f, 1.0f)));
}

// The first slice as four bytes a pixel: gray, colors, or data, whose numbers are taken for them.
void take_pixels(const Image& image, Picture& picture) {
  const int width = image.width();
  const int height = image.slice_height();
  picture.width = width;
  picture.height = height;
  const int alpha_at = image.encoding == Encoding::data ? -1 : image.find("A");
  const auto colors = image.channels.size() - (alpha_at >= 0 ? 1 : 0);
  picture.pixels.resize(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  std::uint8_t* out = picture.pixels.data();
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x, out += 4) {
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t from = colors == 1 ? 0 : c;
        out[c] = from < colors ? byte_of(image.channels[from](x, y), image.encoding) : 0;
      }
      out[3] = alpha_at < 0 ? std::uint8_t{255}
                            : byte_of(image.channels[static_cast<std::size_t>(alpha_at)](x, y),
                                      Encoding::srgb);
    }
  }
}

std::size_t marks_of(const Layer& layer) {
  std::size_t marks = layer.discs.size();
  for (const Polyline& line : layer.lines) marks += line.points.size();
  return marks;
}

// How many marks of the drawing are there yet.
std::size_t marks_until(const Drawing& drawing, double share) {
  std::size_t all = 0;
  for (const Layer& layer : drawing.layers) all += marks_of(layer);
  return share >= 1 ? all : static_cast<std::size_t>(share * static_cast<double>(all));
}

// What of the lines is there after so many of their points.
std::vector<Polyline> lines_until(const std::vector<Polyline>& lines, std::size_t points) {
  std::vector<Polyline> made;
  for (const Polyline& line : lines) {
    if (points == 0) break;
    made.push_back(line);
    if (points < line.points.size()) {
      made.back().points.resize(points);
    }
    points -= std::min(points, line.points.size());
  }
  return made;
}

// What lies in a part of the paper, as a drawing of its own; of it what the view shows.
Drawing part_of(const Drawing& drawing, const Box& part, const View& view) {
  Drawing made;
  made.background = drawing.background;
  made.pen = drawing.pen;
  made.shape = drawing.shape;
  made.outlines = drawing.outlines;
  made.touch = drawing.touch;
  made.width = part.x1 - part.x0;
  made.height = part.y1 - part.y0;
  const double reach = reach_of_marks(drawing);
  const Vec2 corner{part.x0, part.y0};
  std::size_t left = marks_until(drawing, view.until);
  for (std::size_t i = 0; i < drawing.layers.size(); ++i) {
    const Layer& from = drawing.layers[i];
    Layer& to = made.layers.emplace_back();
    to.color = from.color;
    const std::size_t there = std::min(left, marks_of(from));
    left -= there;
    if (there == 0 && view.until < 1) continue;
    if (std::find(view.hidden.begin(), view.hidden.end(), i) != view.hidden.end()) continue;
    const std::size_t discs = std::min(there, from.discs.size());
    for (const Disc& disc : std::span(from.discs).first(discs)) {
      const Vec2 p = disc.center;
      if (p.x < part.x0 - reach || p.x > part.x1 + reach || p.y < part.y0 - reach ||
          p.y > part.y1 + reach) {
        continue;
      }
      to.discs.push_back({p - corner, disc.radius, disc.outline});
    }
    to.lines = lines_until(from.lines, there - discs);
    for (Polyline& line : to.lines) {
      for (Vec2& p : line.points) p = p - corner;
    }
    to.fills = from.fills;
    for (auto& ring : to.fills) {
      for (Vec2& p : ring) p = p - corner;
    }
  }
  return made;
}

Frame painted(const Image& image) {
  Frame frame;
  frame.width = image.width();
  frame.height = image.height();
  frame.gray = image.channels.size() == 1;
  Picture bytes;
  take_pixels(image, bytes);
  if (!frame.gray) {
    frame.pixels.assign(bytes.pixels.begin(), bytes.pixels.end());
    return frame;
  }
  frame.pixels.resize(bytes.pixels.size() / 4);
  for (std::size_t i = 0; i < frame.pixels.size(); ++i) {
    frame.pixels[i] = static_cast<char>(bytes.pixels[4 * i]);
  }
  return frame;
}

// Of one axis: the pixels of the picture that a pixel of the view shows; enlarged, each as a
// square.
struct Range {
  int begin = 0;
  int end = 0;
};
std::vector<Range> ranges(int first, int count, double start, double zoom, double size) {
  std::vector<Range> made;
  const int most = static_cast<int>(size);
  for (int i = first; i < first + count; ++i) {
    const double from = start + i / zoom;
    const double to = start + (i + 1) / zoom;
    Range range;
    if (zoom >= 1) {
      range.begin = std::clamp(static_cast<int>(std::floor(0.5 * (from + to))), 0, most - 1);
      range.end = range.begin + 1;
    } else {
      range.begin = std::clamp(static_cast<int>(std::floor(from + 0.5)), 0, most - 1);
      range.end = std::clamp(static_cast<int>(std::floor(to + 0.5)), range.begin + 1, most);
    }
    made.push_back(range);
  }
  return made;
}

void shrink(const Picture& picture, const View& view, Frame& frame, Context& context) {
  const auto columns = ranges(frame.left, frame.width, view.left, view.zoom, picture.width);
  const auto rows = ranges(frame.top, frame.height, view.top, view.zoom, picture.height);
  const auto stride = static_cast<std::size_t>(picture.width);
  frame.pixels.resize(4 * columns.size() * rows.size());
  parallel_for(context, rows.size(), [&](std::size_t y) {
    char* out = frame.pixels.data() + 4 * y * columns.size();
    for (const Range& column : columns) {
      std::array<unsigned, 4> sum{};
      unsigned count = 0;
      for (int j = rows[y].begin; j < rows[y].end; ++j) {
        for (int i = column.begin; i < column.end; ++i, ++count) {
          const std::size_t at =
              4 * (static_cast<std::size_t>(j) * stride + static_cast<std::size_t>(i));
          for (std::size_t c = 0; c < 4; ++c) sum[c] += picture.pixels[at + c];
        }
      }
      for (std::size_t c = 0; c < 4; ++c) *out++ = static_cast<char>((sum[c] + count / 2) / count);
    }
  });
}

}  // namespace

std::size_t Picture::bytes() const {
  std::size_t sum = pixels.size();
  for (const Layer& layer : drawing.layers) {
    sum += layer.discs.size() * sizeof(Disc);
    for (const Polyline& line : layer.lines) sum += line.points.size() * sizeof(Vec2);
  }
  return sum;
}

Picture picture_of(Result result, Context& context) {
  Picture picture;
  picture.dots = result.count().value_or(0);
  if (const SurfaceMade* made = result.surface()) {
    take_pixels(app::picture_of_mesh(*made, context), picture);
  } else if (const ImageMade* image = result.image()) {
    take_pixels(image->display ? image->display(image->image) : image->image, picture);
  } else if (auto* drawing = std::get_if<DrawingMade>(&result.picture)) {
    picture.width = drawing->raster_width;
    picture.height = drawing->raster_height;
    picture.drawing = std::move(drawing->drawing);
  } else {
    picture.drawing = draw_points(*result.points);
    picture.width = std::ceil(result.points->domain.width);
    picture.height = std::ceil(result.points->domain.height);
  }
  if (!(picture.width > 0) || !(picture.height > 0)) {
    picture.width = std::max(1.0, std::round(picture.drawing.width * css_pixels_per_mm));
    picture.height = std::max(1.0, std::round(picture.drawing.height * css_pixels_per_mm));
  }
  return picture;
}

Frame paint(const Picture& picture, const View& view, Context& context) {
  const auto inside = [](double begin, double end, int limit) {
    const int from = static_cast<int>(std::clamp(std::floor(begin + 1e-6), 0.0, 1.0 * limit));
    const int to = static_cast<int>(std::clamp(std::ceil(end - 1e-6), 1.0 * from, 1.0 * limit));
    return Range{from, to};
  };
  const Range x =
      inside(-view.left * view.zoom, (picture.width - view.left) * view.zoom, view.width);
  const Range y =
      inside(-view.top * view.zoom, (picture.height - view.top) * view.zoom, view.height);
  Frame frame{x.begin, y.begin, x.end - x.begin, y.end - y.begin, false, {}};
  if (frame.width == 0 || frame.height == 0) return frame;
  if (picture.by_pixels()) {
    shrink(picture, view, frame, context);
    return frame;
  }
  const double across = picture.drawing.width / picture.width;  // mm
  const double down = picture.drawing.height / picture.height;
  const Box part{(view.left + x.begin / view.zoom) * across,
                 (view.top + y.begin / view.zoom) * down, (view.left + x.end / view.zoom) * across,
                 (view.top + y.end / view.zoom) * down};
  Frame made =
      painted(rasterize(part_of(picture.drawing, part, view), frame.width, frame.height, context));
  made.left = frame.left;
  made.top = frame.top;
  return made;
}

}  // namespace dapple::studio
