// A generator outside the tree of Dapple, as docs/adding-a-generator.md tells it: a halftone
// screen, dots in rows at 45 degrees, each with as much ink as its place is dark.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <dapple/error.hpp>
#include <dapple/extend/operation.hpp>

namespace {

using namespace dapple;

constexpr double mm_per_pixel = 25.4 / 96;

class HalftoneJob final : public Job {
 public:
  void describe(OptionList& list) override {
    list.group("Halftone");
    list.add("pitch", pitch_, "Distance between the dots of a row").unit("pixels").range(2, 100);
    list.add("jitter", jitter_, "How far a dot may lie off its place, in pitches").range(0, 0.5);
  }

  Result run(const Image* input, Context& context) override {
    if (input == nullptr) throw Error(ErrorKind::usage, "halftone needs an image");
    const auto stage = context.stage("halftone");
    const double width = input->width();
    const double height = input->height();
    Points dots;
    dots.domain = {width, height, false};
    Layer layer;
    layer.name = "1 black";
    // Engines of the standard library give the same numbers everywhere, its distributions do not.
    std::mt19937_64 random(context.seed);
    const auto placed = [&](double at, double end) {
      const double off = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
      return std::clamp(at + off * jitter_ * pitch_, 0.0, std::nextafter(end, 0.0));
    };
    int row = 0;
    for (double y = pitch_ / 4; y < height; y += pitch_ / 2, ++row) {
      context.progress(y / height);
      for (double x = pitch_ * (row % 2 == 0 ? 0.25 : 0.75); x < width; x += pitch_) {
        const Vec2 dot{placed(x, width), placed(y, height)};
        const float light = input->channels[0](static_cast<int>(x), static_cast<int>(y));
        const double ink = std::clamp(1 - static_cast<double>(light), 0.0, 1.0);
        const double radius = pitch_ * std::sqrt(ink / (2 * std::numbers::pi));
        dots.add(dot, static_cast<float>(pitch_ / 2));
        layer.discs.push_back({dot * mm_per_pixel, radius * mm_per_pixel});
      }
    }
    DrawingMade made{{}, input->width(), input->height()};
    made.drawing.width = width * mm_per_pixel;
    made.drawing.height = height * mm_per_pixel;
    made.drawing.layers = {std::move(layer)};
    return {std::move(dots), std::move(made)};
  }

 private:
  double pitch_ = 8;
  double jitter_ = 0.1;
};

Operation halftone_operation() {
  Operation row;
  row.name = "halftone";
  row.summary = "Draws an image as a halftone screen";
  row.details = "Dots in rows at 45 degrees, each with as much ink as its place is dark.";
  row.input = InputKind::image;
  row.input_name = "IMAGE";
  row.makes_points = true;
  row.makes_drawing = true;
  row.measured = Measured::points;
  row.default_extension = "svg";
  row.stage = "halftone";
  row.examples = {{"halftone photo.jpg --pitch 6 -o screen.svg", "dots 6 pixels apart"}};
  row.make = [] { return std::unique_ptr<Job>(new HalftoneJob); };
  return row;
}

// Before main(), so that the program and the tests of all operations find it.
[[maybe_unused]] const bool is_registered = (register_operation(halftone_operation()), true);

}  // namespace
