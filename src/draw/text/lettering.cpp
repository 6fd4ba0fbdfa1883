// Draws text with a small stroke alphabet, made for this sheet.
//
// A glyph is a few lines on a grid of half units. x is a digit. y is a letter: `a` the top of
// capitals, `e` the top of small letters, `o` the baseline, and `s` the foot of g and y. A line
// that starts with `~` is the control polygon of a quadratic B-spline. The spline starts and ends
// on its end points and is closed if they are equal.
#include "draw/text/lettering.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace dapple {

namespace {

// Each glyph follows two blanks and its character.
constexpr std::string_view font =
    "  !0a0j 0n0o  \"0a0d 2a2d  #2b1n 6b5n 0f7f 0k7k  %7a1o ~0a3a3f0f0a ~5j8j8o5o5j"
    "  &8o2d ~2d1a5a5d4f0h0o6o7j  '0a0d  (~3a0e0l3q  )~0a3e3l0q  *3c3i 0e6g 6e0g  +0i6i 3f3l"
    "  ,2n1q  -0i4i  .1n1o  /5a0o  0~0a7a7o0o0a  11c4a4o  2~0d0a7a7g0o 0o7o"
    "  3~0c0a7a7g3g ~3g7g7o0o0l  45o5a0k7k  56a1a0h ~0h1f7e7o0o0l  6~6b5a0a0j ~0f7f7o0o0f"
    "  70a7a2o  8~1a6a6g1g1a ~0g7g7o0o0g  9~7f7o2o1n ~0a7a7j0j0a  :0g0h 0n0o  ;1g1h 1n0q"
    "  <5e0i5m  =0g6g 0k6k  >0e5i0m  ?~0d0a6a6g3g3k 3n3o  A0o4a8o 1k7k"
    "  B0a0o ~0a4a7a7g4g0g ~0g5g8g8o5o0o  C~8d7a0a0o7o8l  D0a0o ~0a3a8a8o3o0o  E7a0a0o7o 0g6g"
    "  F7a0a0o 0g6g  G~8d7a0a0o8o8h 8h5h  H0a0o 8a8o 0g8g  I0a0o  J~5a5i5o0o0k  K0a0o 7a0i 3f8o"
    "  L0a0o7o  M0o0a4i8a8o  N0o0a8o8a  O~0a9a9o0o0a  P0a0o ~0a5a8a8h5h0h  Q~0a9a9o0o0a 5l9p"
    "  R0a0o ~0a5a8a8h5h0h 4h8o  S~7c7a0a0g8h8o0o0l  T0a8a 4a4o  U~0a0i0o8o8i8a  V0a4o8a"
    "  W0a2o4d6o8a  X0a8o 8a0o  Y0a4h8a 4h4o  Z0a8a0o8o  [3a0a0q3q  \\0a5o  ]0a3a3q0q  ^0d2a4d"
    "  _0q6q  a~0e6e6o0o0e 6e6o  b0a0o ~0e6e6o0o0e  c~6g5e0e0o5o6m  d6a6o ~0e6e6o0o0e"
    "  e0j6j ~6j6e0e0o5o6m  f~5a2a2e2o 0e5e  g~0e6e6o0o0e ~6e6m6s1s0q  h0a0o ~0i0e6e6i6o"
    "  i0e0o 0a0b  j~2e2n2s0s 2a2b  k0a0o 5e0k 2i6o  l0a0o  m0e0o ~0h0e4e4h4o ~4h4e8e8h8o"
    "  n0e0o ~0i0e6e6i6o  o~0e6e6o0o0e  p0e0s ~0e6e6o0o0e  q6e6s ~0e6e6o0o0e  r0e0o ~0i0e4e"
    "  s~5f5e0e0i6j6o0o0m  t~2b2i2o5o 0e5e  u~0e0j0o6o6j6e 6e6o  v0e3o6e  w0e2o4g6o8e"
    "  x0e6o 6e0o  y0e3o 6e2s  z0e6e0o6o  |0a0q  ~~0j0g3i6k6h  ";

constexpr double capitals = 14;  // height of the grid's capitals
constexpr double gap = 2.6;      // between letters
constexpr double space = 4;
constexpr double stop = 2;    // width of . and , which are hard to see between digits otherwise
constexpr double figure = 7;  // width of all digits, so that columns of numbers align

std::string_view lines_of(char c) {
  const std::array<char, 3> key{' ', ' ', c};
  const std::size_t at = font.find({key.data(), key.size()});
  if (at == std::string_view::npos) return "0a6a6o0o0a";
  const std::size_t from = at + key.size();
  return font.substr(from, font.find("  ", from) - from);
}

double width_of(char c) {
  if (c == ' ') return space;
  if (c >= '0' && c <= '9') return figure;
  if (c == '.' || c == ',') return stop;
  double widest = 0;
  bool x = false;
  for (const char d : lines_of(c)) {
    if (d == ' ' || d == '~') continue;
    x = !x;
    if (x) widest = std::max(widest, static_cast<double>(d - '0'));
  }
  return widest;
}

// Cuts corners by Chaikin (1974): three rounds come within a few percent of the spline.
std::vector<Vec2> rounded(std::vector<Vec2> p) {
  const bool closed = p.front() == p.back();
  for (int round = 0; round < 3; ++round) {
    std::vector<Vec2> q;
    if (!closed) q.push_back(p.front());
    for (std::size_t i = 0; i + 1 < p.size(); ++i) {
      const bool first = !closed && i == 0;
      const bool last = !closed && i + 2 == p.size();
      if (!first) q.push_back(p[i] * 0.75 + p[i + 1] * 0.25);
      if (!last) q.push_back(p[i] * 0.25 + p[i + 1] * 0.75);
    }
    q.push_back(closed ? q.front() : p.back());
    p = std::move(q);
  }
  return p;
}

}  // namespace

double lettering_width(std::string_view text, double height) {
  double width = 0;
  for (const char c : text) width += width_of(c) + gap;
  return std::max(0.0, width - gap) * height / capitals;
}

std::vector<Polyline> lettering(std::string_view text, Vec2 at, double height, double stroke,
                                TextAlign align, bool upwards) {
  const double scale = height / capitals;
  double pen = 0;
  if (align != TextAlign::left) {
    pen = -lettering_width(text, height) / scale * (align == TextAlign::middle ? 0.5 : 1.0);
  }
  std::vector<Polyline> result;
  const auto place = [&](Vec2 p) {
    const Vec2 q{(pen + p.x) * scale, (p.y - capitals) * scale};
    return upwards ? Vec2{at.x + q.y, at.y - q.x} : at + q;
  };
  for (const char c : text) {
    const double width = width_of(c);
    if (c != ' ') {
      const std::string_view lines = lines_of(c);
      for (std::size_t i = 0; i < lines.size();) {
        const std::size_t end = std::min(lines.find(' ', i), lines.size());
        const bool smooth = lines[i] == '~';
        std::vector<Vec2> points;
        for (std::size_t k = i + (smooth ? 1 : 0); k + 1 < end; k += 2) {
          points.push_back(
              {static_cast<double>(lines[k] - '0'), static_cast<double>(lines[k + 1] - 'a')});
        }
        if (smooth) points = rounded(std::move(points));
        // A narrow 1 is centered in the width of a digit.
        const double shift = c == '1' ? 1 : 0;
        for (Vec2& p : points) p = place({p.x + shift, p.y});
        result.push_back({std::move(points), stroke});
        i = end + 1;
      }
    }
    pen += width + gap;
  }
  return result;
}

}  // namespace dapple
