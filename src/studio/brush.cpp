#include "studio/brush.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "field/read_mask.hpp"
#include "io/images/formats.hpp"

namespace dapple::studio {
namespace {

using app::Json;

constexpr int layer_side = 1024;              // longer side, px; brushes are softer than a pixel
constexpr int least_side = 64;                // shorter side, px, so that rounding keeps the shape
constexpr std::size_t most_points = 1 << 14;  // per stroke
constexpr double strength = 0.5;              // of one stroke

double share_at(const Json& message, const char* name, double least, double most) {
  const auto found = message.find(name);
  if (found == message.end() || !found->is_number()) {
    throw Error(ErrorKind::usage, "a stroke needs a number " + std::string(name));
  }
  return std::clamp(found->get<double>(), least, most);
}

BrushTool tool_of(const Json& message) {
  const auto words = option_names(BrushTool());
  const auto found = message.find("tool");
  const auto word = found == message.end() || !found->is_string()
                        ? words.end()
                        : std::find(words.begin(), words.end(), found->get<std::string>());
  if (word == words.end()) throw Error(ErrorKind::usage, "a stroke needs a tool");
  return static_cast<BrushTool>(word - words.begin());
}

// Returns the coverage of a pixel at `distance` from the stroke's center line. A hard edge is one
// pixel wide.
float cover(double distance, double radius, double softness) {
  const double fade = std::max(softness * radius, 1.0);
  const double t =
      std::clamp((radius + (softness * radius < 1 ? 0.5 : 0.0) - distance) / fade, 0.0, 1.0);
  return static_cast<float>(t * t * (3 - 2 * t));
}

double distance_to(Vec2 p, Vec2 a, Vec2 b) {
  const Vec2 way = b - a;
  const double squared = dot(way, way);
  const double t = squared > 0 ? std::clamp(dot(p - a, way) / squared, 0.0, 1.0) : 0.0;
  return length(p - (a + way * t));
}

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
    stroke.size = share_at(message, "size", 0.001, 2);
    stroke.softness = share_at(message, "softness", 0, 1);
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

void apply(const Stroke& stroke, const Plane<std::uint8_t>& base, BrushLayers& layers) {
  const int width = layers.weight.width();
  const int height = layers.weight.height();
  const double radius = 0.5 * stroke.size * std::max(width, height);
  const double reach = radius + 1;
  const auto placed = [&](Vec2 share) { return Vec2{share.x * width, share.y * height}; };
  Plane<float> covered(width, height);
  for (std::size_t i = 0; i < stroke.points.size(); ++i) {
    const Vec2 a = placed(stroke.points[i == 0 ? 0 : i - 1]);
    const Vec2 b = placed(stroke.points[i]);
    const auto first = [&](double from) { return std::max(0, static_cast<int>(from - reach)); };
    const auto last = [&](double to, int end) {
      return std::min(end, static_cast<int>(to + reach) + 1);
    };
    for (int y = first(std::min(a.y, b.y)); y < last(std::max(a.y, b.y), height); ++y) {
      for (int x = first(std::min(a.x, b.x)); x < last(std::max(a.x, b.x), width); ++x) {
        const double distance = distance_to({x + 0.5, y + 0.5}, a, b);
        covered(x, y) = std::max(covered(x, y), cover(distance, radius, stroke.softness));
      }
    }
  }
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

const BrushLayers& Brush::replayed(const Strokes& strokes) {
  const std::size_t settled = strokes.empty() ? 0 : strokes.size() - 1;
  const auto end = strokes.begin() + static_cast<std::ptrdiff_t>(settled);
  if (done_.size() > settled || !std::equal(done_.begin(), done_.end(), strokes.begin())) {
    before_ = base_;
    done_.clear();
  }
  for (auto it = strokes.begin() + static_cast<std::ptrdiff_t>(done_.size()); it != end; ++it) {
    apply(**it, base_.weight, before_);
    done_.push_back(*it);
  }
  all_ = before_;
  if (!strokes.empty()) apply(*strokes.back(), base_.weight, all_);
  return all_;
}

}  // namespace dapple::studio
