// Defines points, boxes and the domain that contains them.
//
// Coordinates everywhere: x right, y down, origin at the top left corner, in pixels of the input;
// the center of pixel (i, j) is (i + 0.5, j + 0.5). Positions are double, distances Euclidean.
#pragma once

#include <algorithm>
#include <cmath>

#include "dapple/language.hpp"

namespace dapple {

struct Vec2 {
  double x = 0;
  double y = 0;

  friend Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
  friend Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
  friend Vec2 operator*(Vec2 a, double s) { return {a.x * s, a.y * s}; }
  friend bool operator==(Vec2 a, Vec2 b) = default;
};

inline double dot(Vec2 a, Vec2 b) {
  return a.x * b.x + a.y * b.y;
}
inline double length_squared(Vec2 a) {
  return dot(a, a);
}
inline double length(Vec2 a) {
  return std::sqrt(dot(a, a));
}

// An axis-aligned box, half open: x0 <= x < x1.
struct Box {
  double x0 = 0;
  double y0 = 0;
  double x1 = 0;
  double y1 = 0;

  double width() const { return x1 - x0; }
  double height() const { return y1 - y0; }
  bool contains(Vec2 p) const { return p.x >= x0 && p.x < x1 && p.y >= y0 && p.y < y1; }
};

// A rectangle [0, width) x [0, height), flat or wrapped to a torus. All other code handles the
// torus by `delta`, `distance` and `wrapped`.
struct Domain {
  double width = 0;
  double height = 0;
  bool wrap = false;

  double area() const { return width * height; }
  double shorter_side() const { return std::min(width, height); }
  bool contains(Vec2 p) const { return p.x >= 0 && p.x < width && p.y >= 0 && p.y < height; }

  // Returns the shortest displacement from a to b, both inside the domain. If two images are
  // equally near (half a period away), it takes the negative displacement.
  Vec2 delta(Vec2 a, Vec2 b) const {
    Vec2 d = b - a;
    if (wrap) {
      if (d.x >= 0.5 * width) d.x -= width;
      if (d.x < -0.5 * width) d.x += width;
      if (d.y >= 0.5 * height) d.y -= height;
      if (d.y < -0.5 * height) d.y += height;
    }
    return d;
  }
  double distance(Vec2 a, Vec2 b) const { return length(delta(a, b)); }

  // Returns p moved by whole periods into the domain, or p itself if the domain does not wrap.
  Vec2 wrapped(Vec2 p) const {
    if (!wrap) return p;
    p.x -= std::floor(p.x / width) * width;
    p.y -= std::floor(p.y / height) * height;
    if (p.x >= width) p.x = 0;  // -1e-20 + width rounds to width
    if (p.y >= height) p.y = 0;
    return p;
  }

  friend bool operator==(const Domain&, const Domain&) = default;
};

}  // namespace dapple
