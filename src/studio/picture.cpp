#include "studio/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "app/run/outputs.hpp"
#include "core/constants.hpp"
#include "core/parallel.hpp"
#include "dapple/drawing_files.hpp"

namespace dapple::studio {
namespace {

// Rounds like the writers of image files.
std::uint8_t level(float value) {
  const float v = value > 0 ? std::min(value, 1.0f) : 0.0f;
  return static_cast<std::uint8_t>(v * 255.0f + 0.5f);
}
std::uint8_t byte_of(float value, Encoding encoding) {
  return level(encoding == Encoding::linear ? linear_to_srgb(value) : value);
}

// Converts row `y` of the first slice to four bytes per pixel. Shows data channels as gray or
// color.
void take_row(const Image& image, int y, std::uint8_t* out) {
  const int alpha_at = image.encoding == Encoding::data ? -1 : image.find("A");
  const auto colors = image.channels.size() - (alpha_at >= 0 ? 1 : 0);
  for (int x = 0; x < image.width(); ++x, out += 4) {
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t from = colors == 1 ? 0 : c;
      out[c] = from < colors ? byte_of(image.channels[from](x, y), image.encoding) : 0;
    }
    out[3] = alpha_at < 0 ? std::uint8_t{255}
                          : byte_of(image.channels[static_cast<std::size_t>(alpha_at)](x, y),
                                    Encoding::srgb);
  }
}

void take_pixels(const Image& image, Picture& picture, Context& context) {
  picture.width = image.width();
  picture.height = image.slice_height();
  const auto row = 4 * static_cast<std::size_t>(image.width());
  const auto rows = static_cast<std::size_t>(image.slice_height());
  picture.pixels.resize(row * rows);
  parallel_for(context, rows, [&](std::size_t y) {
    take_row(image, static_cast<int>(y), picture.pixels.data() + y * row);
  });
}

// Returns the part of each layer that the view shows.
std::vector<LayerPart> parts_of(const Drawing& drawing, const View& view) {
  std::size_t all = 0;
  for (const Layer& layer : drawing.layers) all += marks_of(layer);
  std::size_t left =
      view.until >= 1 ? all : static_cast<std::size_t>(view.until * static_cast<double>(all));
  std::vector<LayerPart> parts;
  for (std::size_t i = 0; i < drawing.layers.size(); ++i) {
    const std::size_t there = std::min(left, marks_of(drawing.layers[i]));
    left -= there;
    const bool is_hidden =
        std::find(view.hidden.begin(), view.hidden.end(), i) != view.hidden.end();
    parts.push_back(is_hidden ? LayerPart{false, 0}
                              : LayerPart{there > 0 || view.until >= 1, there});
  }
  return parts;
}

// Rounds the start of a view, in view pixels from the corner of the picture, if it is nearly whole.
// Pages move by whole pixels but send rounded numbers.
double whole_where_meant(double place) {
  const double whole = std::round(place);
  return std::abs(place - whole) < 1e-6 ? whole : place;
}

Frame painted(const Image& image, Context& context) {
  Frame frame;
  frame.width = image.width();
  frame.height = image.height();
  frame.gray = image.channels.size() == 1;
  const std::size_t row = (frame.gray ? 1 : 4) * static_cast<std::size_t>(frame.width);
  frame.pixels.resize(row * static_cast<std::size_t>(frame.height));
  parallel_for(context, static_cast<std::size_t>(frame.height), [&](std::size_t y) {
    auto* const out = reinterpret_cast<std::uint8_t*>(frame.pixels.data() + y * row);
    const int at = static_cast<int>(y);
    if (!frame.gray) return take_row(image, at, out);
    const float* const values = image.channels[0].row(at);
    std::transform(values, values + frame.width, out, level);
  });
  return frame;
}

// The picture pixels that one view pixel shows, along one axis. Magnified pixels stay squares.
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

// Returns the place of the picture in a view, without pixels.
Frame extent_of(const Picture& picture, const View& view) {
  const auto inside = [](double begin, double end, int limit) {
    const int from = static_cast<int>(std::clamp(std::floor(begin + 1e-6), 0.0, 1.0 * limit));
    const int to = static_cast<int>(std::clamp(std::ceil(end - 1e-6), 1.0 * from, 1.0 * limit));
    return Range{from, to};
  };
  const Range x =
      inside(-view.left * view.zoom, (picture.width - view.left) * view.zoom, view.width);
  const Range y =
      inside(-view.top * view.zoom, (picture.height - view.top) * view.zoom, view.height);
  return {x.begin, y.begin, x.end - x.begin, y.end - y.begin, false, {}};
}

// Copies a part of a frame into another frame; both hold pixels.
void copy_part(const Frame& from, int x, int y, int width, int height, Frame& to, int to_x,
               int to_y) {
  const auto pixel = static_cast<std::size_t>(from.gray ? 1 : 4);
  const auto at = [&](const Frame& frame, int column, int row) {
    return pixel * (static_cast<std::size_t>(row) * static_cast<std::size_t>(frame.width) +
                    static_cast<std::size_t>(column));
  };
  for (int row = 0; row < height; ++row) {
    std::copy_n(from.pixels.data() + at(from, x, y + row), pixel * static_cast<std::size_t>(width),
                to.pixels.data() + at(to, to_x, to_y + row));
  }
}

}  // namespace

std::size_t Picture::bytes() const {
  std::size_t sum = pixels.size() + (start ? start->bytes() : 0);
  if (!drawing) return sum;
  sum += drawing->bytes();
  for (const Layer& layer : drawing->drawing().layers) {
    sum += layer.discs.size() * sizeof(Disc);
    for (const Polyline& line : layer.lines) sum += line.points.size() * sizeof(Vec2);
  }
  return sum;
}

Picture picture_of(Result result, Context& context) {
  Picture picture;
  picture.dots = result.count().value_or(0);
  Drawing drawing;
  if (const Points* points = result.in_space()) {
    take_pixels(app::picture_in_space(*points, context), picture, context);
  } else if (const ImageMade* image = result.image()) {
    take_pixels(image->display ? image->display(image->image) : image->image, picture, context);
  } else if (auto* made_drawing = std::get_if<DrawingMade>(&result.picture)) {
    picture.width = made_drawing->raster_width;
    picture.height = made_drawing->raster_height;
    drawing = std::move(made_drawing->drawing);
  } else {
    drawing = draw_points(*result.points);
    picture.width = std::ceil(result.points->domain.width);
    picture.height = std::ceil(result.points->domain.height);
  }
  if (picture.by_pixels()) return picture;
  if (!(picture.width > 0) || !(picture.height > 0)) {
    picture.width = std::max(1.0, std::round(drawing.width * css_pixels_per_mm));
    picture.height = std::max(1.0, std::round(drawing.height * css_pixels_per_mm));
  }
  picture.drawing.emplace(std::make_shared<const Drawing>(std::move(drawing)), context, true);
  return picture;
}

namespace {

// Returns the view of a drawing for the part `frame`.
PreparedDrawing::View shown_of(const Picture& picture, const View& view, const Frame& frame) {
  PreparedDrawing::View shown{picture.width * view.zoom, picture.height * view.zoom, {}};
  const double left = whole_where_meant(view.left * view.zoom) + frame.left;
  const double top = whole_where_meant(view.top * view.zoom) + frame.top;
  shown.window = {static_cast<int>(std::floor(left)),
                  static_cast<int>(std::floor(top)),
                  frame.width,
                  frame.height,
                  {left - std::floor(left), top - std::floor(top)}};
  shown.layers = parts_of(picture.drawing->drawing(), view);
  shown.roughly = view.zoom != 1;
  return shown;
}

Frame paint(const Picture& picture, const View& view, bool hastily, Context& context) {
  Frame frame = extent_of(picture, view);
  if (frame.width == 0 || frame.height == 0) return frame;
  if (picture.by_pixels()) {
    shrink(picture, view, frame, context);
    return frame;
  }
  PreparedDrawing::View shown = shown_of(picture, view, frame);
  shown.hastily = hastily;
  Frame made = painted(picture.drawing->rasterize(shown, context), context);
  made.left = frame.left;
  made.top = frame.top;
  return made;
}

}  // namespace

Frame paint(const Picture& picture, const View& view, Context& context) {
  return paint(picture, view, false, context);
}

Frame sketch(const Picture& picture, const View& view, Context& context) {
  return paint(picture, view, true, context);
}

bool Painter::takes_long(const std::shared_ptr<const Picture>& picture, const View& view) const {
  constexpr double most_dots = 100'000;  // number of dots that paint without noticeable delay
  if (picture->by_pixels() || (picture == picture_ && kept(*picture, view))) return false;
  const Frame frame = extent_of(*picture, view);
  if (frame.width == 0 || frame.height == 0) return false;
  const auto haste = picture->drawing->haste(shown_of(*picture, view, frame));
  return haste.helps && haste.dots > most_dots;
}

Frame Painter::paint(const std::shared_ptr<const Picture>& picture, const View& view,
                     Context& context) {
  painted_ = 0;
  auto frame = picture == picture_ ? moved(*picture, view, context) : std::nullopt;
  if (!frame) {
    frame = studio::paint(*picture, view, context);
    painted_ = static_cast<std::size_t>(frame->width) * static_cast<std::size_t>(frame->height);
  }
  picture_ = picture;
  view_ = view;
  frame_ = *frame;
  return std::move(*frame);
}

// Returns nothing if the view has done more than move, or shares too little with the last frame.
std::optional<Painter::Kept> Painter::kept(const Picture& picture, const View& view) const {
  const double zoom = view.zoom;
  if (picture.by_pixels() || zoom != view_.zoom || view.until != view_.until ||
      view.hidden != view_.hidden) {
    return std::nullopt;
  }
  Kept kept;
  Frame& frame = kept.frame;
  frame = extent_of(picture, view);
  frame.gray = frame_.gray;
  // The corners of both frames, in pixels of the scaled picture.
  kept.left = whole_where_meant(view.left * zoom) + frame.left;
  kept.top = whole_where_meant(view.top * zoom) + frame.top;
  const double before_left = whole_where_meant(view_.left * zoom) + frame_.left;
  const double before_top = whole_where_meant(view_.top * zoom) + frame_.top;
  for (const double place : {kept.left, kept.top, before_left, before_top}) {
    if (place != std::floor(place)) return std::nullopt;
  }
  const double x0 = std::max(kept.left, before_left) - kept.left;
  const double y0 = std::max(kept.top, before_top) - kept.top;
  const double x1 = std::min(kept.left + frame.width, before_left + frame_.width) - kept.left;
  const double y1 = std::min(kept.top + frame.height, before_top + frame_.height) - kept.top;
  if (x1 <= x0 || y1 <= y0 || 2 * (x1 - x0) * (y1 - y0) < 1.0 * frame.width * frame.height) {
    return std::nullopt;
  }
  kept.x0 = static_cast<int>(x0);
  kept.y0 = static_cast<int>(y0);
  kept.x1 = static_cast<int>(x1);
  kept.y1 = static_cast<int>(y1);
  kept.from_x = static_cast<int>(kept.left + x0 - before_left);
  kept.from_y = static_cast<int>(kept.top + y0 - before_top);
  return kept;
}

std::optional<Frame> Painter::moved(const Picture& picture, const View& view, Context& context) {
  auto kept = this->kept(picture, view);
  if (!kept) return std::nullopt;
  Frame& frame = kept->frame;
  const double left = kept->left;
  const double top = kept->top;
  const Range x{kept->x0, kept->x1};
  const Range y{kept->y0, kept->y1};
  frame.pixels.resize((frame.gray ? 1 : 4) * static_cast<std::size_t>(frame.width) *
                      static_cast<std::size_t>(frame.height));
  copy_part(frame_, kept->from_x, kept->from_y, x.end - x.begin, y.end - y.begin, frame, x.begin,
            y.begin);
  const auto add = [&](Range columns, Range rows) {
    const int width = columns.end - columns.begin;
    const int height = rows.end - rows.begin;
    if (width == 0 || height == 0) return true;
    View part = view;
    part.left = (left + columns.begin) / view.zoom;
    part.top = (top + rows.begin) / view.zoom;
    part.width = width;
    part.height = height;
    const Frame made = studio::paint(picture, part, context);
    if (made.width != width || made.height != height || made.gray != frame.gray) return false;
    copy_part(made, 0, 0, width, height, frame, columns.begin, rows.begin);
    painted_ += static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    return true;
  };
  const bool is_whole = add({0, frame.width}, {0, y.begin}) &&
                        add({0, frame.width}, {y.end, frame.height}) && add({0, x.begin}, y) &&
                        add({x.end, frame.width}, y);
  return is_whole ? std::optional(std::move(frame)) : std::nullopt;
}

}  // namespace dapple::studio
