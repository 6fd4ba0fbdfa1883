// A picture on paper, and what is measured of its marks.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/plane.hpp"
#include "dapple/stipple.hpp"

namespace dapple::test::on_paper {

// Darker to the right and to the bottom, with a black corner and a white one.
inline Image scene(int width = 160, int height = 120) {
  Image image;
  image.names = {"Y"};
  image.channels.emplace_back(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double u = (x + 0.5) / width;
      const double v = (y + 0.5) / height;
      double light = 0.9 - 0.5 * u - 0.3 * v;
      if (u > 0.7 && v < 0.3) light = 0;
      if (u < 0.2 && v > 0.8) light = 1;
      image.channels[0](x, y) = static_cast<float>(light);
    }
  }
  return image;
}

inline Stippling made(const StippleOptions& options, Context& context,
                      const Image& image = scene()) {
  PictureOptions field;
  field.as = MapKind::tone;
  return stipple(image, field, options, context);
}

inline StippleOptions usual_paper() {
  StippleOptions options;
  options.paper = {100, 80, 1, Unit::mm};
  options.margin = {10, Unit::mm};
  return options;
}

inline double rim(const Drawing& drawing, const Disc& disc) {
  const double half_pen = 0.5 * drawing.pen;
  if (const Outline* outline = drawing.outline_of(disc)) {
    return disc.radius * outline->reach + half_pen;
  }
  if (drawing.shape == DotShape::circle) return disc.radius + half_pen;
  return std::max(disc.radius, half_pen);
}

// Over all pairs, mm.
inline double least_gap(const Drawing& drawing) {
  std::vector<Disc> discs;
  for (const Layer& layer : drawing.layers) {
    discs.insert(discs.end(), layer.discs.begin(), layer.discs.end());
  }
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < discs.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      least = std::min(least, length(discs[i].center - discs[k].center) - rim(drawing, discs[i]) -
                                  rim(drawing, discs[k]));
    }
  }
  return least;
}

inline std::string problem_of(const StippleOptions& options, const Image& image = scene()) {
  Context context;
  try {
    made(options, context, image);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

// The number that an error advises.
inline std::int64_t advised(const std::string& problem) {
  const auto at = problem.find("use `dots` ");
  return at == std::string::npos ? 0 : std::stoll(problem.substr(at + 11));
}

inline double ink_of(const Image& image) {
  double sum = 0;
  for (const float v : image.channels[0].values()) {
    sum += 1 - static_cast<double>(srgb_to_linear(v));
  }
  return sum / static_cast<double>(image.channels[0].size());
}

}  // namespace dapple::test::on_paper
