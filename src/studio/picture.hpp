// What a result looks like, in a window of any scale.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dapple/drawing.hpp"
#include "dapple/forward.hpp"
#include "dapple/result.hpp"
#include "draw/raster.hpp"
#include "generate/stipple/place.hpp"

namespace dapple::studio {

// A result to look at: a drawing, or pixels.
struct Picture {
  double width = 0;  // pixels, as a file of it has them
  double height = 0;
  std::size_t dots = 0;                    // or points, or sites
  std::optional<PreparedDrawing> drawing;  // where `pixels` are none
  std::vector<std::uint8_t> pixels;        // four bytes each, sRGB and alpha
  std::string forecast;                    // what a pen needs for it, "" where none is meant
  std::string plot;                        // the same at length
  std::vector<std::string> warnings;       // of the run
  std::shared_ptr<const stippling::DraftStarts>
      start;  // of drafts of what differs a little, if there is one
  bool by_pixels() const { return !pixels.empty(); }
  // About what it takes of memory.
  std::size_t bytes() const;
};

Picture picture_of(Result result, Context& context);

// What a page shows: the place of its upper left corner in the picture, in pixels of that, and how
// many of its own pixels one of these takes.
struct View {
  int number = 0;
  int width = 0;
  int height = 0;
  double left = 0;
  double top = 0;
  double zoom = 1;
  // The size of the picture that the page takes it to be of; 0: any. One of another size would be
  // shown in the wrong place.
  double of_width = 0;
  double of_height = 0;
  // Of a drawing: layers that are left out, and the share of its marks that are there yet, in the
  // order in which they are drawn.
  std::vector<std::size_t> hidden;
  double until = 1;
};

// The part of a view that the picture covers: its place in the view, and its pixels, one byte each
// where they are gray, else four.
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
// At zoom 1 the pixels of a file; else crowds of dots may be near enough (PreparedDrawing::View).
Frame paint(const Picture& picture, const View& view, Context& context);
// What it soon will be like.
Frame sketch(const Picture& picture, const View& view, Context& context);

// Frames of views that follow each other, with the bytes of paint(). Of a drawing that has only
// moved by whole pixels, what the last frame holds is not painted again.
class Painter {
 public:
  Frame paint(const std::shared_ptr<const Picture>& picture, const View& view, Context& context);
  // Whether that takes longer than a hand should wait, and a sketch does not.
  bool takes_long(const std::shared_ptr<const Picture>& picture, const View& view) const;
  // Of the last frame.
  std::size_t painted_pixels() const { return painted_; }

 private:
  // What of a view the last frame shows as well; its place in the view, and in that frame.
  struct Kept {
    Frame frame;  // as it is to be, without pixels
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    int from_x = 0, from_y = 0;
    double left = 0, top = 0;  // of the frame's corner in the picture as large as it is shown
  };
  std::optional<Kept> kept(const Picture& picture, const View& view) const;
  std::optional<Frame> moved(const Picture& picture, const View& view, Context& context);

  std::shared_ptr<const Picture> picture_;
  View view_;
  Frame frame_;
  std::size_t painted_ = 0;
};

}  // namespace dapple::studio
