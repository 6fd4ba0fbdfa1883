// Paints a result in a window at any scale.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dapple/drawing.hpp"
#include "dapple/extend/result.hpp"
#include "dapple/forward.hpp"
#include "draw/raster.hpp"
#include "generate/stipple/place.hpp"

namespace dapple::studio {

// A result to look at: a drawing, or pixels.
struct Picture {
  double width = 0;  // pixels, as in a file of the picture
  double height = 0;
  std::size_t dots = 0;                    // number of dots, points or sites
  std::optional<PreparedDrawing> drawing;  // if `pixels` is empty
  std::vector<std::uint8_t> pixels;        // four bytes per pixel: sRGB and alpha
  std::string forecast;                    // short forecast of plotting; "" unless a pen is meant
  std::string plot;                        // the full forecast
  std::vector<std::string> warnings;       // of the run
  std::shared_ptr<const stippling::DraftStarts>
      start;  // start of drafts for similar settings, if any
  bool by_pixels() const { return !pixels.empty(); }
  // Returns the approximate memory, in bytes.
  std::size_t bytes() const;
};

Picture picture_of(Result result, Context& context);

// The view of a page. (left, top) is its upper left corner in pixels of the picture. `zoom` is the
// number of page pixels per picture pixel.
struct View {
  int number = 0;
  int width = 0;
  int height = 0;
  double left = 0;
  double top = 0;
  double zoom = 1;
  // The picture size that the page assumes; 0: any. A picture of another size would appear in the
  // wrong place.
  double of_width = 0;
  double of_height = 0;
  // For a drawing: the hidden layers, and the share of marks drawn so far, in drawing order.
  std::vector<std::size_t> hidden;
  double until = 1;
};

// The part of a view that the picture covers: its place in the view and its pixels. Pixels have one
// byte if `gray`, otherwise four.
struct Frame {
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
  bool gray = false;
  std::string pixels;
};
inline bool is_of(const View& view, const Picture& picture) {
  return view.of_width == 0 || (view.of_width == picture.width && view.of_height == picture.height);
}
// Paints a view. At zoom 1 the pixels equal those of a file; otherwise dense dots may be
// approximate (PreparedDrawing::View).
Frame paint(const Picture& picture, const View& view, Context& context);
// Paints a fast approximation of a view.
Frame sketch(const Picture& picture, const View& view, Context& context);

// Paints consecutive views with the bytes of paint(). If a drawing has only moved by whole pixels,
// the pixels of the last frame are reused.
class Painter {
 public:
  Frame paint(const std::shared_ptr<const Picture>& picture, const View& view, Context& context);
  // Returns true if painting would delay the user noticeably and a sketch would be fast.
  bool takes_long(const std::shared_ptr<const Picture>& picture, const View& view) const;
  // Returns the number of pixels painted for the last frame.
  std::size_t painted_pixels() const { return painted_; }

 private:
  // The area shared by a view and the last frame: its place in the view and in that frame.
  struct Kept {
    Frame frame;  // the new frame, without pixels
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    int from_x = 0, from_y = 0;
    double left = 0, top = 0;  // corner of the frame in the scaled picture
  };
  std::optional<Kept> kept(const Picture& picture, const View& view) const;
  std::optional<Frame> moved(const Picture& picture, const View& view, Context& context);

  std::shared_ptr<const Picture> picture_;
  View view_;
  Frame frame_;
  std::size_t painted_ = 0;
};

}  // namespace dapple::studio
