#include <algorithm>
#include <cmath>

#include "core/guessed_domain.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/points.hpp"

namespace dapple {
namespace {

bool fits(const Points& points, double width, double height) {
  const auto below = [](const std::vector<double>& values, double side) {
    return std::all_of(values.begin(), values.end(),
                       [side](double v) { return v >= 0 && v < side; });
  };
  return below(points.x, width) && below(points.y, height);
}

std::string text_of(double width, double height) {
  return shortest(width) + "x" + shortest(height);
}

}  // namespace

std::string to_text(const PointsSize& size) {
  if (size.rule == PointsSize::Rule::size) return to_text(size.size);
  return size.rule == PointsSize::Rule::none ? "none" : "auto";
}

void from_text(std::string_view text, PointsSize& size) {
  PointsSize read;
  if (text == "none") {
    read.rule = PointsSize::Rule::none;
  } else if (text != "auto") {
    read.rule = PointsSize::Rule::size;
    from_text(text, read.size);
    if (read.size.unit != Unit::px || !read.size.is_flat()) {
      throw Error(ErrorKind::usage,
                  "expected auto, none or a size in pixels such as 512x256, not '" +
                      std::string(text) + "'");
    }
  }
  size = read;
}

Points placed(const Points& points, const PointsSize& size, int width, int height,
              Context& context) {
  const bool guessed = has_guessed_domain(points);
  Points out = points;
  forget_guessed_domain(out);
  Domain& domain = out.domain;
  const auto take = [&](double w, double h) {
    if (!fits(out, w, h)) {
      throw Error(
          ErrorKind::input,
          "some points lie outside of the picture of " + text_of(w, h) +
              " pixels; give the size of the picture that they were made for with `points-size`");
    }
    domain.width = w;
    domain.height = h;
  };
  switch (size.rule) {
    case PointsSize::Rule::automatic:
      if (guessed && fits(out, width, height)) take(width, height);
      break;
    case PointsSize::Rule::none:
      take(width, height);
      break;
    case PointsSize::Rule::size:
      take(size.size.width, size.size.height);
      break;
  }
  if (domain.width == width && domain.height == height) return out;
  const double x = width / domain.width;
  const double y = height / domain.height;
  const auto factor = [](double v) { return shortest(std::round(v * 1e4) / 1e4); };
  context.warn("`points` are scaled by " + factor(x) + (x == y ? "" : " and " + factor(y)) +
               ", from " + text_of(domain.width, domain.height) +
               (guessed ? " (the extent of the points, because their file gives no size)" : "") +
               " to the `size` of " + text_of(width, height) +
               "; `points-size none` reads coordinates as pixels without scaling");
  return out;
}

}  // namespace dapple
