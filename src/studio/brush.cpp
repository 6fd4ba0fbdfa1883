#include "studio/brush.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "field/read_mask.hpp"
#include "io/images/formats.hpp"
#include "studio/message_values.hpp"

namespace dapple::studio {
namespace {

using app::Json;

constexpr int layer_side = 1024;              // longer side, px; brushes are softer than a pixel
constexpr int least_side = 64;                // shorter side, px, so that rounding keeps the shape
constexpr std::size_t most_points = 1 << 14;  // per stroke
constexpr double strength = 0.5;              // of one stroke

BrushTool tool_of(const Json& message) {
  const auto words = option_names(BrushTool());
  const auto word = std::find(words.begin(), words.end(), text_at(message, "tool"));
  if (word == words.end()) throw Error(ErrorKind::usage, "a stroke needs a tool");
  return static_cast<BrushTool>(word - words.begin());
}

double distance_to(Vec2 p, Vec2 a, Vec2 b) {
  const Vec2 way = b - a;
  const double squared = dot(way, way);
  const double t = squared > 0 ? std::clamp(dot(p - a, way) / squared, 0.0, 1.0) : 0.0;
  return length(p - (a + way * t));
}

// Draws the coverage of a stroke in time that grows with its length plus the pixels: squares are
// divided, and each keeps only the segments that can be nearest to one of its pixels.
class Coverage {
 public:
  Coverage(const Stroke& stroke, int width, int height, const Context& context)
      : context_(context),
        radius_(0.5 * stroke.size * std::max(width, height)),
        fade_(std::max(stroke.softness * radius_, 1.0)),
        edge_(stroke.softness * radius_ < 1 ? 0.5 : 0.0),
        covered_(width, height) {
    const auto placed = [&](Vec2 share) { return Vec2{share.x * width, share.y * height}; };
    for (std::size_t i = 0; i < stroke.points.size(); ++i) {
      all_.push_back({0, placed(stroke.points[i == 0 ? 0 : i - 1]), placed(stroke.points[i])});
    }
  }

  Plane<float> draw() {
    const int longest = std::max(covered_.width(), covered_.height());
    if (!all_.empty()) draw(0, 0, std::bit_ceil(static_cast<unsigned>(longest)), all_);
    return std::move(covered_);
  }

 private:
  struct Segment {
    double distance;  // from the middle of the square
    Vec2 a, b;
  };

  // Returns the coverage of a pixel at `distance` from the stroke's center line. A hard edge is one
  // pixel wide.
  float cover(double distance) const {
    const double t = std::clamp((radius_ + edge_ - distance) / fade_, 0.0, 1.0);
    return static_cast<float>(t * t * (3 - 2 * t));
  }

  void draw(int left, int top, unsigned side, const std::vector<Segment>& among) {
    if (left >= covered_.width() || top >= covered_.height()) return;
    context_.check();
    const double half = 0.5 * side;
    const double around = std::sqrt(2.0) * half;
    std::vector<Segment> near = among;
    double least = std::numeric_limits<double>::infinity();
    for (Segment& segment : near) {
      segment.distance = distance_to({left + half, top + half}, segment.a, segment.b);
      least = std::min(least, segment.distance);
    }
    if (cover(least - around) <= 0) return;
    if (cover(least + around) >= 1) {
      return for_pixels(left, top, static_cast<int>(side), [](Vec2) { return 1.0f; });
    }
    std::erase_if(near, [&](const Segment& s) { return s.distance > least + 2 * around; });
    // Far from the stroke, many segments may be about as near. The nearest of them are enough.
    const std::size_t most = std::max(64u, 16 * side);
    if (least > 4 * around && near.size() > most) {
      const auto end = near.begin() + static_cast<std::ptrdiff_t>(most);
      std::nth_element(near.begin(), end, near.end(),
                       [](const Segment& a, const Segment& b) { return a.distance < b.distance; });
      near.erase(end, near.end());
    }
    constexpr unsigned smallest = 4;
    if (side <= smallest) {
      return for_pixels(left, top, static_cast<int>(side), [&](Vec2 p) {
        double nearest = std::numeric_limits<double>::infinity();
        for (const Segment& s : near) nearest = std::min(nearest, distance_to(p, s.a, s.b));
        return cover(nearest);
      });
    }
    const auto step = static_cast<int>(side / 2);
    for (const int y : {top, top + step}) {
      for (const int x : {left, left + step}) draw(x, y, side / 2, near);
    }
  }

  template <class Value>
  void for_pixels(int left, int top, int side, const Value& value) {
    for (int y = top; y < std::min(top + side, covered_.height()); ++y) {
      for (int x = left; x < std::min(left + side, covered_.width()); ++x) {
        covered_(x, y) = value(Vec2{x + 0.5, y + 0.5});
      }
    }
  }

  const Context& context_;
  double radius_, fade_, edge_;
  Plane<float> covered_;
  std::vector<Segment> all_;
};

std::uint8_t towards(std::uint8_t from, std::uint8_t to, float share) {
  const float value = static_cast<float>(from) + share * static_cast<float>(to - from);
  return static_cast<std::uint8_t>(std::lround(value));
}

}  // namespace

Stroke stroke_of(const Json& message, const Stroke* before) {
  Stroke stroke;
  if (before != nullptr) {
    stroke = *before;
  } else {
    stroke.tool = tool_of(message);
    stroke.size = number_at(message, "size", 0.001, 2);
    stroke.softness = number_at(message, "softness", 0, 1);
  }
  const auto points = message.find("points");
  if (points == message.end() || !points->is_array() || points->size() % 2 != 0) {
    throw Error(ErrorKind::usage, "a stroke needs points, as pairs of numbers");
  }
  if (stroke.points.size() + points->size() / 2 > most_points) {
    throw Error(ErrorKind::limit, "a stroke holds at most " + std::to_string(most_points) +
                                      " points: lift the brush and start a new stroke");
  }
  for (std::size_t i = 0; i < points->size(); i += 2) {
    const Json& x = (*points)[i];
    const Json& y = (*points)[i + 1];
    if (!x.is_number() || !y.is_number()) {
      throw Error(ErrorKind::usage, "the points of a stroke must be numbers");
    }
    // A stroke may leave the photo, by at most two photo widths or heights.
    stroke.points.push_back(
        {std::clamp(x.get<double>(), -2.0, 3.0), std::clamp(y.get<double>(), -2.0, 3.0)});
  }
  return stroke;
}

BrushLayers unbrushed(int width, int height, const Image* weight) {
  const double scale = std::min(1.0, 1.0 * layer_side / std::max(width, height));
  if (std::min(width, height) * scale >= least_side) {
    width = static_cast<int>(std::lround(width * scale));
    height = static_cast<int>(std::lround(height * scale));
  }
  BrushLayers layers{Plane<std::uint8_t>(width, height, neutral_weight),
                     Plane<std::uint8_t>(width, height)};
  if (weight == nullptr) return layers;
  Context alone;
  alone.threads = 1;
  const Plane<float> given = read_mask(*weight, "weight", width, height, NanPolicy::error, alone);
  std::transform(given.values().begin(), given.values().end(), layers.weight.values().begin(),
                 [](float v) { return static_cast<std::uint8_t>(level_of(v, PixelType::u8)); });
  return layers;
}

void apply(const Stroke& stroke, const Plane<std::uint8_t>& base, BrushLayers& layers,
           const Context& context) {
  const Plane<float> covered =
      Coverage(stroke, layers.weight.width(), layers.weight.height(), context).draw();
  for (std::size_t i = 0; i < covered.size(); ++i) {
    const float share = covered.values()[i];
    if (share <= 0) continue;
    std::uint8_t& weight = layers.weight.values()[i];
    std::uint8_t& shield = layers.shield.values()[i];
    if (stroke.tool == BrushTool::protect) {
      shield = std::max(shield, towards(0, 255, share));
    } else if (stroke.tool == BrushTool::erase) {
      weight = towards(weight, base.values()[i], share);
      shield = towards(shield, 0, share);
    } else {
      const float open = 1 - static_cast<float>(shield) / 255;
      const std::uint8_t end = stroke.tool == BrushTool::more ? 255 : 0;
      weight = towards(weight, end, static_cast<float>(strength) * open * share);
    }
  }
}

Image image_of(const Plane<std::uint8_t>& weight) {
  Image image;
  Plane<float> values(weight.width(), weight.height());
  std::transform(weight.values().begin(), weight.values().end(), values.values().begin(),
                 [](std::uint8_t v) { return static_cast<float>(v) / 255.0f; });
  image.channels.push_back(std::move(values));
  image.names = {"Y"};
  return image;
}

void Brush::begin(BrushLayers base) {
  before_ = base;
  base_ = std::move(base);
  done_.clear();
}

const BrushLayers& Brush::replayed(const Strokes& strokes, const Context& context) {
  const std::size_t settled = strokes.empty() ? 0 : strokes.size() - 1;
  const auto end = strokes.begin() + static_cast<std::ptrdiff_t>(settled);
  if (done_.size() > settled || !std::equal(done_.begin(), done_.end(), strokes.begin())) {
    before_ = base_;
    done_.clear();
  }
  for (auto it = strokes.begin() + static_cast<std::ptrdiff_t>(done_.size()); it != end; ++it) {
    apply(**it, base_.weight, before_, context);
    done_.push_back(*it);
  }
  all_ = before_;
  if (!strokes.empty()) apply(*strokes.back(), base_.weight, all_, context);
  return all_;
}

}  // namespace dapple::studio
