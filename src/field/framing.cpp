// Turns and crops pictures, and with them the pictures that cover them: masks and weights.
//
// A turn by quarters moves pixels. Other angles read the picture between its pixels by cubic
// convolution (Keys 1981), within the values of the 4x4 pixels around a place. The corners of the
// turned picture are transparent, so they get no points.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/deterministic_math.hpp"
#include "core/parallel.hpp"
#include "core/preconditions.hpp"
#include "core/text/number_text.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/field.hpp"
#include "field/read_mask.hpp"

namespace dapple {
namespace {

constexpr double full_turn = 360;  // degrees

// A picture turned clockwise around its middle.
class Turn {
 public:
  Turn(double degrees, int width, int height) : width_(width), height_(height) {
    degrees -= full_turn * std::floor(degrees / full_turn);
    quarters_ = degrees / 90;
    exact_ = quarters_ == std::floor(quarters_);
    cosine_ = portable_cosine(degrees / full_turn);
    sine_ = portable_sine(degrees / full_turn);
    if (exact_) {
      const auto whole = static_cast<int>(quarters_) % 4;
      cosine_ = whole == 0 ? 1 : whole == 2 ? -1 : 0;
      sine_ = whole == 1 ? 1 : whole == 3 ? -1 : 0;
    }
    // A hair less, so that rounding adds no empty column.
    constexpr double hair = 1e-6;
    const double c = std::abs(cosine_);
    const double s = std::abs(sine_);
    turned_ = {0, 0, static_cast<int>(std::ceil(width * c + height * s - hair)),
               static_cast<int>(std::ceil(width * s + height * c - hair))};
  }

  bool is_exact() const { return exact_; }
  FramedPart whole() const { return turned_; }

  // Returns the place in the picture that is seen at a place of the turned picture.
  Vec2 place(Vec2 p) const {
    const double x = p.x - 0.5 * turned_.width;
    const double y = p.y - 0.5 * turned_.height;
    return {0.5 * width_ + cosine_ * x + sine_ * y, 0.5 * height_ - sine_ * x + cosine_ * y};
  }

  // Returns the largest part of the proportions width : height around the middle that shows only
  // the picture.
  Vec2 largest(double width, double height) const {
    const double c = std::abs(cosine_);
    const double s = std::abs(sine_);
    const double scale =
        std::min(width_ / (width * c + height * s), height_ / (width * s + height * c));
    return {scale * width, scale * height};
  }

 private:
  int width_;
  int height_;
  FramedPart turned_;
  double quarters_ = 0;
  bool exact_ = false;
  double cosine_ = 1;
  double sine_ = 0;
};

FramedPart part_of(const Crop& crop, const Turn& turn) {
  const FramedPart whole = turn.whole();
  if (crop.rule == Crop::Rule::none) return whole;
  const auto pixels = [](const Crop::Side& side, int of) {
    return side.percent ? std::round(side.value / 100 * of) : side.value;
  };
  double width = pixels(crop.width, whole.width);
  double height = pixels(crop.height, whole.height);
  if (crop.rule == Crop::Rule::aspect) {
    constexpr double hair = 1e-6;
    constexpr double off_middle = 1.5;  // pixels, of which rounding may move a part of even size
    const double grown = turn.is_exact() ? hair : -off_middle;
    const Vec2 most = turn.largest(crop.width.value, crop.height.value);
    width = std::max(1.0, std::floor(most.x + grown));
    height = std::max(1.0, std::floor(most.y + grown));
  }
  const double left =
      crop.centered ? std::floor(0.5 * (whole.width - width)) : pixels(crop.left, whole.width);
  const double top =
      crop.centered ? std::floor(0.5 * (whole.height - height)) : pixels(crop.top, whole.height);
  const bool is_inside = width >= 1 && height >= 1 && left >= 0 && top >= 0 &&
                         left + width <= whole.width && top + height <= whole.height;
  if (!is_inside) {
    const std::string at = crop.centered ? "" : "+" + shortest(left) + "+" + shortest(top);
    throw Error(
        ErrorKind::usage,
        Problem{"crop", "'" + to_text(crop) + "' is " + shortest(width) + "x" + shortest(height) +
                            at + " pixels, which does not lie in the picture of " +
                            std::to_string(whole.width) + "x" + std::to_string(whole.height) +
                            " pixels"});
  }
  return {static_cast<int>(left), static_cast<int>(top), static_cast<int>(width),
          static_cast<int>(height)};
}

// The weights of the four values around a place, `t` beyond the second (Keys 1981, a = -1/2).
std::array<double, 4> cubic_weights(double t) {
  const double u = 1 - t;
  return {-0.5 * t * u * u, 1 - t * t * (2.5 - 1.5 * t), 1 - u * u * (2.5 - 1.5 * u),
          -0.5 * u * t * t};
}

// Reads one slice of a plane between its pixels. Beyond the border the pixels there go on.
class Reader {
 public:
  Reader(const Plane<float>& plane, int top, int height)
      : plane_(plane), top_(top), last_x_(plane.width() - 1), last_y_(height - 1) {}

  float nearest(Vec2 p) const { return at(floor_of(p.x), floor_of(p.y)); }

  float smooth(Vec2 p) const {
    const int x = floor_of(p.x - 0.5);
    const int y = floor_of(p.y - 0.5);
    const auto across = cubic_weights(p.x - 0.5 - x);
    const auto down = cubic_weights(p.y - 0.5 - y);
    double sum = 0;
    float least = at(x, y);
    float most = least;
    for (int j = 0; j < 4; ++j) {
      double row = 0;
      for (int i = 0; i < 4; ++i) {
        const float v = at(x + i - 1, y + j - 1);
        least = std::min(least, v);
        most = std::max(most, v);
        row += across[static_cast<std::size_t>(i)] * static_cast<double>(v);
      }
      sum += down[static_cast<std::size_t>(j)] * row;
    }
    return std::clamp(static_cast<float>(sum), least, most);
  }

 private:
  static int floor_of(double v) { return static_cast<int>(std::floor(v)); }
  float at(int x, int y) const {
    return plane_(std::clamp(x, 0, last_x_), top_ + std::clamp(y, 0, last_y_));
  }

  const Plane<float>& plane_;
  int top_, last_x_, last_y_;
};

// The steps from a picture to its turned part.
struct Frame {
  Turn turn;
  FramedPart part;
  int height;  // of a slice of the picture
  int slices;
  bool nearest;

  // Calls to(x, y, slice, p) for each pixel of the part, in row y of the result.
  template <class To>
  void each(Context& context, const To& to) const {
    const auto rows = static_cast<std::size_t>(part.height) * static_cast<std::size_t>(slices);
    parallel_for(
        context, rows,
        [&](std::size_t row) {
          const int y = static_cast<int>(row);
          const int slice = y / part.height;
          for (int x = 0; x < part.width; ++x) {
            to(x, y, slice, turn.place({part.left + x + 0.5, part.top + y % part.height + 0.5}));
          }
        },
        16);
  }

  Plane<float> applied(const Plane<float>& plane, Context& context) const {
    Plane<float> made = Plane<float>::unset(part.width, part.height * slices);
    each(context, [&](int x, int y, int slice, Vec2 p) {
      const Reader reader(plane, slice * height, height);
      made(x, y) = turn.is_exact() || nearest ? reader.nearest(p) : reader.smooth(p);
    });
    return made;
  }

  // Returns 1 at the pixels whose middles show the picture, otherwise 0.
  Plane<float> covered(int width, Context& context) const {
    Plane<float> made = Plane<float>::unset(part.width, part.height * slices);
    each(context, [&](int x, int y, int, Vec2 p) {
      made(x, y) = p.x >= 0 && p.y >= 0 && p.x < width && p.y < height ? 1.0f : 0.0f;
    });
    return made;
  }
};

Frame frame_of(const PrepareOptions& options, int width, int height, int slices,
               Interpolation interpolation) {
  const Turn turn(options.rotate, width, height);
  return {turn, part_of(options.crop, turn), height, slices,
          interpolation == Interpolation::nearest};
}

// Returns a companion of a picture as one channel of the picture's size, and empty if there is
// none.
ImageInput covering(const ImageInput& input, const std::string& what, const Frame& frame, int width,
                    NanPolicy nan, Context& context) {
  if (!input.image) return input;
  Image made;
  made.channels.push_back(frame.applied(
      read_mask(*input.image, what, width, frame.height * frame.slices, nan, context), context));
  made.names = {"Y"};
  made.encoding = Encoding::data;
  ImageInput framed = input;
  framed.image = std::make_shared<const Image>(std::move(made));
  return framed;
}

Crop::Side take_side(std::string_view& text) {
  Crop::Side side;
  if (take_number(text, side.value) != std::errc{}) side.value = -1;
  side.percent = text.starts_with('%');
  if (side.percent) text.remove_prefix(1);
  return side;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

std::string to_text(const Crop::Side& side) {
  return plain_number(side.value) + (side.percent ? "%" : "");
}

// Returns the crop in a text, or one without a rule if it is none.
Crop parsed(std::string_view text) {
  constexpr double most = 1e9;
  const auto is_length = [](const Crop::Side& side, double least) {
    return side.value >= least && side.value <= (side.percent ? 100 : most) &&
           (side.percent || side.value == std::floor(side.value));
  };
  Crop crop;
  crop.width = take_side(text);
  if (take(text, ':')) {
    crop.height = take_side(text);
    const auto is_part = [](const Crop::Side& side) {
      return side.value > 0 && side.value <= most && !side.percent;
    };
    if (text.empty() && is_part(crop.width) && is_part(crop.height)) {
      crop.rule = Crop::Rule::aspect;
    }
    return crop;
  }
  crop.height = take(text, 'x') ? take_side(text) : crop.width;
  if (take(text, '+')) {
    crop.centered = false;
    crop.left = take_side(text);
    crop.top = take(text, '+') ? take_side(text) : Crop::Side{-1};
  }
  const auto is_size = [&](const Crop::Side& side) {
    return is_length(side, side.percent ? 1e-9 : 1);
  };
  if (text.empty() && is_size(crop.width) && is_size(crop.height) && is_length(crop.left, 0) &&
      is_length(crop.top, 0)) {
    crop.rule = Crop::Rule::size;
  }
  return crop;
}

}  // namespace

std::string to_text(const Crop& crop) {
  if (crop.rule == Crop::Rule::none) return "";
  if (crop.rule == Crop::Rule::aspect) {
    return to_text(crop.width) + ":" + to_text(crop.height);
  }
  const std::string size = to_text(crop.width) + "x" + to_text(crop.height);
  return crop.centered ? size : size + "+" + to_text(crop.left) + "+" + to_text(crop.top);
}

void from_text(std::string_view text, Crop& crop) {
  const Crop read = text.empty() || text == "none" ? Crop() : parsed(text);
  if (read.rule == Crop::Rule::none && !text.empty() && text != "none") {
    throw Error(ErrorKind::usage,
                "expected width x height and perhaps the left and top edge, in pixels or percent, "
                "such as 800x600+40+20 or 50%x80%, or proportions such as 3:2, not '" +
                    std::string(text) + "'");
  }
  crop = read;
}

bool changes_frame(const PrepareOptions& options) {
  return options.crop.rule != Crop::Rule::none || options.rotate != 0;
}

FramedPart framed_part(int width, int height, const PrepareOptions& options) {
  check(options);
  require_number("width", width, 1);
  require_number("height", height, 1);
  return part_of(options.crop, Turn(options.rotate, width, height));
}

Image framed(const Image& image, const PrepareOptions& options, Interpolation interpolation,
             Context& context) {
  check(options);
  require_planes(image);
  const Frame frame =
      frame_of(options, image.width(), image.slice_height(), image.slices, interpolation);
  context.require_pixels(frame.part.width, frame.part.height * frame.slices,
                         "the picture after `rotate`");
  const bool gets_alpha = !frame.turn.is_exact() && image.find("A") < 0;
  context.require_memory(4.0 * frame.part.width * frame.part.height * frame.slices *
                             static_cast<double>(image.channels.size() + (gets_alpha ? 1 : 0)),
                         "cropping and turning a picture of this size");
  Image made = channels_of(image, 0, 0);
  made.names = image.names;
  made.hints.labels = image.hints.labels;
  made.dots_per_inch = image.dots_per_inch;
  for (const Plane<float>& plane : image.channels) {
    made.channels.push_back(frame.applied(plane, context));
  }
  if (frame.turn.is_exact()) return made;
  Plane<float> covered = frame.covered(image.width(), context);
  if (gets_alpha) {
    made.channels.push_back(std::move(covered));
    made.names.emplace_back("A");
    return made;
  }
  const auto inside = covered.values();
  const auto alpha = made.channels[static_cast<std::size_t>(image.find("A"))].values();
  for (std::size_t i = 0; i < inside.size(); ++i) alpha[i] *= inside[i];
  return made;
}

FramedMap framed(const Image& image, const MapOptions& options, Context& context) {
  check(options);
  require_planes(image);
  const Frame frame = frame_of(options.prepare, image.width(), image.slice_height(), image.slices,
                               options.interpolation);
  FramedMap made;
  made.options = options;
  made.options.mask = covering(options.mask, "mask", frame, image.width(), options.nan, context);
  made.options.weight =
      covering(options.weight, "weight", frame, image.width(), options.nan, context);
  made.options.prepare.crop = {};
  made.options.prepare.rotate = 0;
  made.image = framed(image, options.prepare, options.interpolation, context);
  return made;
}

}  // namespace dapple
