// Defines the operation `stipple`.
#include <algorithm>
#include <memory>
#include <utility>

#include "dapple/error.hpp"
#include "generate/stipple/job.hpp"
#include "generate/stipple/layout.hpp"
#include "generate/stipple/option_rules.hpp"

namespace dapple {

using namespace stippling;

StippleJob::StippleJob() {
  field_.prepare.contrast.automatic = true;
}

void StippleJob::describe(OptionList& list) {
  dapple::describe(options_, list);
  dapple::describe(field_, list);
  describe_colorspace(list);
}

void StippleJob::settle_for_looking(const Image* input) {
  constexpr int least_side = 1600;  // pixels; at this size, usual numbers of dots look round
  if (input == nullptr || !options_.size.empty()) return;
  const FramedPart part = framed_part(input->width(), input->height(), field_.prepare);
  const StippleLayout layout =
      lay_out(part.width, part.height, input->dots_per_inch, with_units(options_));
  if (std::max(layout.raster_width, layout.raster_height) >= least_side) return;
  options_.size = {least_side, least_side};
}

Stippling StippleJob::make(const Image& image, Context& context) {
  if (!in_sequence) return stipple(image, field_, options_, context);
  if (!sequence_) sequence_.emplace(field_, options_);
  return sequence_->next(image, context);
}

Result StippleJob::run(const Image* input, Context& context) {
  if (input == nullptr) throw Error(ErrorKind::usage, "stipple needs an image");
  Stippling made = make(*input, context);
  // The dots of a line stand for the square of the darkness.
  const bool both = measured && options_.path == DotPath::none;
  return {
      has_points() ? std::optional(std::move(made.dots)) : std::nullopt,
      DrawingMade{std::move(made.drawing), made.raster_width, made.raster_height,
                  std::move(made.darkness),
                  both ? unprepared_darkness(*input, field_, options_, context) : Plane<float>(),
                  field_.interpolation, made.lost, made.ink, !options_.paper.empty(),
                  options_.paper.empty() && options_.dpi == Resolution() ? input->dots_per_inch : 0,
                  made.place}};
}

void StippleJob::settle_units() {
  options_ = with_units(options_);
  OnPaper<Length>& blur = field_.prepare.blur;
  if (blur.plain && !options_.paper.empty()) blur = Length{blur.value, Unit::mm};
}

Stippling DraftJob::make(const Image& image, Context& context) {
  return draft(image, field_, options_, start, reduced, context);
}

Operation stipple_operation() {
  Operation row;
  row.name = "stipple";
  row.summary = "Draws an image as dots of ink";
  row.details =
      "Turns a picture into dots whose ink adds up to its darkness: few in light areas, many in "
      "dark areas. Writes SVG, PDF, DXF, HP-GL and G-code in real millimeters for plotters, "
      "lasers and print, with dots in an order that keeps pen travel short. Also writes pictures "
      "with exact edges "
      "(PNG, TIFF, EXR, JPEG) at any size, or the dots themselves (CSV, PLY, JSON, NPY).\n\nGive "
      "the number of dots or their size; the other follows from the tones. With `dot-size` "
      "MIN:MAX, dots grow in darker areas. For a pen plotter, `shape point` makes each dot one "
      "touch of a `pen` of that width.\n\nA name with {frame} or %04d makes a sequence: dots stay "
      "from picture to picture, follow what moves, and appear or disappear where tones change. "
      "Column id of CSV files identifies them. `dots` is then the number in the first picture, and "
      "the size of dots stays the same.";
  row.input = InputKind::image;
  row.input_name = "IMAGE";
  row.takes_sequences = true;
  row.makes_points = true;
  row.makes_drawing = true;
  row.measured = Measured::stippling;
  row.resumable = true;
  row.default_extension = "svg";
  row.preview_extension = "png";
  row.stage = "stipple";
  row.varied = {{"dots", 0.5, 2, 20000}, {"regularity", 0, 1}};
  row.examples = {
      {"stipple photo.jpg -o portrait.svg -o portrait.png",
       "as vectors and as a picture of the photo's size, with as many dots as its detail needs"},
      {"stipple photo.jpg `dots` 40000 `size 3000` -o poster.png",
       "40,000 dots on a picture 3000 pixels wide"},
      {"stipple photo.jpg `paper` A4 `margin 25mm` `shape point` `pen 0.8mm` -o plot.svg",
       "for a pen plotter: as many touches of a 0.8 mm pen as the tones need"},
      {"stipple photo.jpg `path tsp` `pen 0.5mm` `paper` A4 `margin 15mm` -o line.svg",
       "one line through the dots that never crosses itself"},
      {"stipple photo.jpg `ink` cmyk `dots` 40000 -o colors.svg",
       "in color, with one layer of dots for each of four inks"},
      {"stipple photo.jpg `invert` `ink` white `background` black -o night.png",
       "white dots on black"},
      {"stipple shot.%04d.png `dots` 20000 -o dots.%04d.svg",
       "a sequence whose dots stay from picture to picture"},
  };
  row.pairs = stipple_pairs;
  row.make = [] { return std::unique_ptr<Job>(new StippleJob); };
  return row;
}

const Operation& stippling::draft_operation() {
  static const Operation operation = [] {
    Operation row = *find_operation("stipple");
    row.make = [] { return std::unique_ptr<Job>(new DraftJob); };
    return row;
  }();
  return operation;
}

}  // namespace dapple
