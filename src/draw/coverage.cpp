// Computes exact areas of discs and bars inside a box.
//
// A disc has the upper outline h(x) = sqrt(r^2 - x^2). Its area is an integral of h clamped to the
// box. Each piece is a trapezoid under a chord plus the circular segment above it. Both are
// computed without subtracting large numbers. A difference of antiderivatives would lose all digits
// if the disc is large against the box.
#include "draw/coverage.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "core/deterministic_math.hpp"
#include "dapple/drawing.hpp"

namespace dapple {
namespace {

// Returns theta - sin(theta), to full relative precision.
double minus_sine(double theta) {
  if (theta > 1) return theta - portable_sine(theta / full_circle);
  const double t = theta * theta;
  double series = 1;
  for (int k = 17; k >= 5; k -= 2) series = 1 - t / (k * (k - 1)) * series;
  return theta * t / 6 * series;
}

// Returns the area between a circle of radius r and a chord of length `chord`, on the smaller side.
double segment_area(double r, double chord) {
  return 0.5 * r * r * minus_sine(2 * portable_asin(std::min(1.0, chord / (2 * r))));
}

double outline(double r, double x) {
  return std::sqrt(std::max(0.0, (r - x) * (r + x)));
}

// Integrates clamp(h(x) - floor, 0, height) over u <= x <= v, for 0 <= u, v <= r.
double area_above(double r, double u, double v, double floor, double height) {
  if (v <= u) return 0;
  const double top = floor + height;
  const double full_until = top <= 0 ? v : top < r ? std::clamp(outline(r, top), u, v) : u;
  const double none_from = floor <= 0 ? v : floor < r ? std::clamp(outline(r, floor), u, v) : u;
  double area = height * (full_until - u);
  const double p = full_until;
  const double q = none_from;
  if (q <= p) return area;
  const double hp = outline(r, p);
  const double hq = outline(r, q);
  // The fall over the chord follows from x^2 + h^2 = r^2 without cancellation.
  const double fall = hp + hq > 0 ? (q - p) * (q + p) / (hp + hq) : 0;
  area += (q - p) * std::max(0.0, 0.5 * ((hp - floor) + (hq - floor)));
  return area + segment_area(r, std::sqrt((q - p) * (q - p) + fall * fall));
}

// Extends area_above() to a < b of any sign.
double area_above_any(double r, double a, double b, double floor, double height) {
  if (a >= 0) return area_above(r, a, b, floor, height);
  if (b <= 0) return area_above(r, -b, -a, floor, height);
  return area_above(r, 0, b, floor, height) + area_above(r, 0, -a, floor, height);
}

}  // namespace

double disc_box_area(Vec2 center, double radius, const Box& box) {
  const double x0 = std::max(box.x0 - center.x, -radius);
  const double x1 = std::min(box.x1 - center.x, radius);
  const double y0 = box.y0 - center.y;
  const double y1 = box.y1 - center.y;
  const double height = y1 - y0;
  if (!(radius > 0) || x0 >= x1 || y0 >= y1 || y0 >= radius || y1 <= -radius) return 0;
  if (y0 >= 0) return area_above_any(radius, x0, x1, y0, height);
  if (y1 <= 0) return area_above_any(radius, x0, x1, -y1, height);
  // The box holds the line y = 0. The parts above and below it add up.
  return area_above_any(radius, x0, x1, 0, y1) + area_above_any(radius, x0, x1, 0, -y0);
}

Bar::Bar(Vec2 a, Vec2 b, double half_width) {
  const Vec2 along = (b - a) * (1 / length(b - a));
  const Vec2 across{-along.y, along.x};
  sides_ = {{{across, dot(across, a) + half_width},
             {across * -1, half_width - dot(across, a)},
             {along, dot(along, b)},
             {along * -1, -dot(along, a)}}};
}

double Bar::area_in(const Box& box) const {
  // The four sides of the bar clip the box (Sutherland and Hodgman 1974). Most boxes of a wide bar
  // lie on one side of all of them.
  const Vec2 center{0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)};
  const Vec2 half{0.5 * (box.x1 - box.x0), 0.5 * (box.y1 - box.y0)};
  std::array<Vec2, 16> polygon{
      {{box.x0, box.y0}, {box.x1, box.y0}, {box.x1, box.y1}, {box.x0, box.y1}}};
  std::size_t size = 4;
  for (const HalfPlane& side : sides_) {
    const double out = dot(side.normal, center) - side.offset;
    const double reach = std::abs(side.normal.x) * half.x + std::abs(side.normal.y) * half.y;
    if (out >= reach) return 0;
    if (out <= -reach) continue;
    std::array<Vec2, 16> clipped;
    std::size_t kept = 0;
    // A side adds at most one corner. Rounding may add more, hence the spare room.
    for (std::size_t i = 0; i < size && kept + 2 <= clipped.size(); ++i) {
      const Vec2 p = polygon[i];
      const Vec2 q = polygon[(i + 1) % size];
      const double dp = dot(side.normal, p) - side.offset;
      const double dq = dot(side.normal, q) - side.offset;
      if (dp <= 0) clipped[kept++] = p;
      if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0))
        clipped[kept++] = p + (q - p) * (dp / (dp - dq));
    }
    polygon = clipped;
    size = kept;
    if (size < 3) return 0;
  }
  double twice = 0;
  for (std::size_t i = 1; i + 1 < size; ++i) {
    const Vec2 u = polygon[i] - polygon[0];
    const Vec2 v = polygon[i + 1] - polygon[0];
    twice += u.x * v.y - u.y * v.x;
  }
  return 0.5 * std::abs(twice);
}

double shared_area(Vec2 p, double r, Vec2 q, double s) {
  const double distance = length(q - p);
  if (distance >= r + s) return 0;
  const double smaller = std::min(r, s);
  if (distance <= std::abs(r - s)) return std::numbers::pi * smaller * smaller;
  const auto segment = [distance](double of, double other) {
    const double cosine = (distance * distance + of * of - other * other) / (2 * distance * of);
    const double angle = portable_acos(std::clamp(cosine, -1.0, 1.0));
    return of * of * (angle - cosine * std::sqrt(std::max(0.0, 1 - cosine * cosine)));
  };
  return segment(r, s) + segment(s, r);
}

}  // namespace dapple
