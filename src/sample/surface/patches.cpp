#include "sample/surface/patches.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"

namespace dapple::surface {
namespace {

// A map is read at the corners of parts. A part is split while it is longer than this, in radii,
// and its radii differ by more than the factor `flat`.
constexpr double finest_part = 0.5;
constexpr double flat = 1.02;

// The edges between the corners 0 and 1, 0 and 2, 1 and 2.
using Lengths = std::array<double, 3>;
Lengths edges_of(const Piece& piece) {
  return {length(piece.e1), length(piece.e2), length(piece.e2 - piece.e1)};
}
// Returns the index of the greatest value, the first of equal ones.
std::size_t greatest(const Lengths& values) {
  if (values[0] >= values[1] && values[0] >= values[2]) return 0;
  return values[1] >= values[2] ? 1 : 2;
}
double longest_edge(const Piece& piece) {
  const Lengths edges = edges_of(piece);
  return std::max({edges[0], edges[1], edges[2]});
}

// Returns the values at the corners of both halves, cut at the middle of an edge.
template <class T>
std::pair<std::array<T, 3>, std::array<T, 3>> halves(const std::array<T, 3>& of, std::size_t edge,
                                                     const T& middle) {
  if (edge == 0) return {{of[0], middle, of[2]}, {middle, of[1], of[2]}};
  if (edge == 1) return {{of[0], of[1], middle}, {middle, of[1], of[2]}};
  return {{of[0], of[1], middle}, {of[0], middle, of[2]}};
}
constexpr std::array<std::array<std::size_t, 2>, 3> ends_of_edge{{{0, 1}, {0, 2}, {1, 2}}};

std::pair<Piece, Piece> halves(const Piece& piece, std::size_t edge, float middle_r) {
  Piece one = piece;
  Piece two = piece;
  if (edge == 0) {
    one.e1 = piece.e1 * 0.5;
    two.a = piece.a + one.e1;
    two.e1 = one.e1;
    two.e2 = piece.e2 - one.e1;
  } else if (edge == 1) {
    one.e2 = piece.e2 * 0.5;
    two.a = piece.a + one.e2;
    two.e1 = piece.e1 - one.e2;
    two.e2 = one.e2;
  } else {
    const Vec3 middle = (piece.e1 + piece.e2) * 0.5;
    one.e2 = middle;
    two.e1 = middle;
  }
  std::tie(one.r, two.r) = halves(piece.r, edge, middle_r);
  for (auto [half, number] : {std::pair{&one, 0}, std::pair{&two, 1}}) {
    half->key = hash(piece.key, static_cast<std::uint64_t>(number));
    half->area = 0.5 * piece.area;
    half->longest = longest_edge(*half);
  }
  return {one, two};
}

}  // namespace

Piece whole(const Triangle& t, std::size_t index) {
  Piece piece;
  piece.a = t.a;
  piece.e1 = t.e1;
  piece.e2 = t.e2;
  piece.area = t.area;
  piece.longest = t.longest;
  piece.ball = 0;
  piece.key = t.key;
  piece.triangle = static_cast<std::int32_t>(index);
  return piece;
}

float ball_of(const Piece& piece) {
  const Vec3 middle = (piece.e1 + piece.e2) * (1.0 / 3);
  constexpr double rounding = 1.00001;
  return static_cast<float>(
      rounding * std::max({length(middle), length(piece.e1 - middle), length(piece.e2 - middle)}));
}

bool stays_whole(const Piece& piece) {
  const bool steep = piece.most() > static_cast<float>(piece_ratio) * piece.least();
  return piece.longest <= piece_edge * static_cast<double>(piece.least()) && !steep;
}

// Estimates the pieces of a part. Halves of an even triangle have about 2.2 square radii. A needle
// makes one piece per 2 radii of its length.
double expected_pieces(const Piece& part) {
  const double r0 = part.r[0];
  const double r1 = part.r[1];
  const double r2 = part.r[2];
  const double least = part.least();
  if (part.longest <= piece_edge * least) return 1;
  const double square = (r0 * r1 + r1 * r2 + r2 * r0) / 3;
  return std::max(part.area / square, part.longest / std::sqrt(square)) / 1.5;
}

namespace {

// Triangles longer than this times their height are cut across. Halving a needle of length L makes
// L^1.6 pieces, because it halves the longest edge of each part that is left.
constexpr double needle = 64;
// Cuts across leave parts of at most this length, in their least radius.
constexpr double strip_edge = 5;

// The strips of a needle between lines across its longest edge.
class Strips {
 public:
  explicit Strips(const Piece& piece, std::size_t edge) : piece_(piece) {
    constexpr std::array<Weights, 3> corners{{{0, 0}, {1, 0}, {0, 1}}};
    start_ = corners[ends_of_edge[edge][0]];
    end_ = corners[ends_of_edge[edge][1]];
    tip_ = corners[2 - edge];
    const Vec3 along = place_of(piece, end_) - place_of(piece, start_);
    const double length2 = dot(along, along);
    length_ = std::sqrt(length2);
    foot_ =
        std::clamp(dot(place_of(piece, tip_) - place_of(piece, start_), along) / length2, 0., 1.);
    height_ = 2 * piece.area / length_;
  }

  // Calls each(part) for the parts of all strips. A strip is halved until it is short for its radii
  // or for its height.
  template <class Each>
  void cut(const Each& each) const {
    halve(0, foot_, hash(piece_.key, 0), each);
    halve(foot_, 1, hash(piece_.key, 1), each);
  }

 private:
  Weights on_edge(double at) const { return between(start_, end_, at); }
  // Returns the place opposite `at` of the longest edge, on the other two edges.
  Weights opposite(double at) const {
    return at < foot_   ? between(start_, tip_, at / foot_)
           : at > foot_ ? between(tip_, end_, (at - foot_) / (1 - foot_))
                        : tip_;
  }
  static Weights between(const Weights& a, const Weights& b, double at) {
    return {a.s + (b.s - a.s) * at, a.t + (b.t - a.t) * at};
  }

  Piece part(const Weights& a, const Weights& b, const Weights& c, std::uint64_t key) const {
    Piece made = piece_;
    made.a = place_of(piece_, a);
    made.e1 = place_of(piece_, b) - made.a;
    made.e2 = place_of(piece_, c) - made.a;
    made.area = piece_.area * std::abs((b.s - a.s) * (c.t - a.t) - (b.t - a.t) * (c.s - a.s));
    made.longest = longest_edge(made);
    made.key = key;
    const auto r = [&](const Weights& at) { return static_cast<float>(piece_.radius(at.s, at.t)); };
    made.r = {r(a), r(b), r(c)};
    return made;
  }

  template <class Each>
  void halve(double from, double to, std::uint64_t key, const Each& each) const {
    if (!(from < to)) return;
    const std::array<Weights, 4> p{on_edge(from), on_edge(to), opposite(to), opposite(from)};
    double least = std::numeric_limits<double>::infinity();
    for (const Weights& at : p) least = std::min(least, piece_.radius(at.s, at.t));
    const auto height = [&](double at) {
      return height_ * (at <= foot_ ? (foot_ > 0 ? at / foot_ : 1) : (1 - at) / (1 - foot_));
    };
    const double length = (to - from) * length_;
    constexpr double squat = 4;
    const double middle = 0.5 * (from + to);
    if (length > std::max(squat * std::max(height(from), height(to)), strip_edge * least) &&
        from < middle && middle < to) {
      halve(from, middle, hash(key, 0), each);
      halve(middle, to, hash(key, 1), each);
      return;
    }
    // At an end of the edge that is not the foot of the tip, the strip ends in a point.
    if (to < 1 || foot_ == 1) each(part(p[0], p[1], p[2], hash(key, 0)));
    if (from > 0 || foot_ == 0) each(part(p[0], p[2], p[3], hash(key, 1)));
  }

  const Piece& piece_;
  Weights start_, end_, tip_;  // the ends of the longest edge, and the corner opposite it
  double length_, foot_, height_;
};

// Collects the pieces of some triangles. Checks the memory of all together, and for a cancel.
class Cutter {
 public:
  Cutter(Context& context, std::vector<Piece>& into, std::atomic<std::size_t>& sum)
      : context_(context), into_(into), sum_(sum) {}

  void add(const Piece& piece) {
    into_.push_back(piece);
    constexpr std::size_t step = 4096;
    if (into_.size() % step != 0) return;
    const std::size_t sum = sum_ += step;
    context_.check();
    context_.require_memory(static_cast<double>(sum) * 3 * sizeof(Piece),
                            "a surface of more than " + std::to_string(sum) + " pieces");
  }

  void cut(const Piece& piece) {
    const double least = piece.least();
    if (stays_whole(piece)) {
      add(piece);
      into_.back().ball = ball_of(piece);
      return;
    }
    std::size_t edge = greatest(edges_of(piece));
    if (piece.longest > piece_edge * least &&
        piece.longest * piece.longest > 2 * needle * piece.area) {
      return Strips(piece, edge).cut([&](const Piece& part) { cut(part); });
    }
    if (piece.longest <= piece_edge * least) {
      Lengths rises{};
      for (std::size_t i = 0; i < 3; ++i) {
        rises[i] = std::abs(
            static_cast<double>(piece.r[ends_of_edge[i][0]] - piece.r[ends_of_edge[i][1]]));
      }
      edge = greatest(rises);
    }
    const auto [i, j] = ends_of_edge[edge];
    const auto [one, two] = halves(piece, edge, 0.5f * (piece.r[i] + piece.r[j]));
    cut(one);
    cut(two);
  }

 private:
  Context& context_;
  std::vector<Piece>& into_;
  std::atomic<std::size_t>& sum_;  // pieces of all cutters, in whole steps
};

// Reads r from a texture, in the unit of the frame.
class TextureRadius {
 public:
  TextureRadius(const SurfaceRadius& radius, const Frame& frame)
      : field_(*radius.texture),
        scale_(radius.scale / frame.radius),
        largest_(static_cast<float>(radius.largest * scale_)) {}

  float operator()(Vec2 uv) const {
    return std::min(largest_, static_cast<float>(field_.radius(pixel(uv)) * scale_));
  }

  // Cuts a part into parts on which r counts as linear.
  void cut(const Piece& part, const std::array<Vec2, 3>& uv, Cutter& into) const {
    if (is_fine(part, uv)) return into.add(part);
    const std::size_t edge = greatest(edges_of(part));
    const auto [i, j] = ends_of_edge[edge];
    const Vec2 middle = (uv[i] + uv[j]) * 0.5;
    const auto [one, two] = halves(part, edge, (*this)(middle));
    const auto [one_uv, two_uv] = halves(uv, edge, middle);
    cut(one, one_uv, into);
    cut(two, two_uv, into);
  }

  // Returns true if r counts as linear on a part with these texture coordinates.
  bool is_fine(const Piece& part, const std::array<Vec2, 3>& uv) const;

 private:
  Vec2 pixel(Vec2 uv) const {
    const Domain& domain = field_.domain();
    return {uv.x * domain.width, (1 - uv.y) * domain.height};
  }

  const DensityField& field_;
  double scale_;
  float largest_;
};

bool TextureRadius::is_fine(const Piece& part, const std::array<Vec2, 3>& uv) const {
  const std::array<Vec2, 3> p{pixel(uv[0]), pixel(uv[1]), pixel(uv[2])};
  const auto [x0, x1] = std::minmax({p[0].x, p[1].x, p[2].x});
  const auto [y0, y1] = std::minmax({p[0].y, p[1].y, p[2].y});
  const RadiusBounds bounds = field_.radius_bounds({x0, y0, x1, y1});
  // A corner exactly between pixels is read in the next one, which the bounds leave out. Bounds
  // are empty if the map asks for no points; r is then the largest.
  const bool nowhere = bounds.min > bounds.max;
  const double within = nowhere ? static_cast<double>(largest_)
                                : std::min(bounds.max * scale_, static_cast<double>(largest_));
  const double most = std::max(within, static_cast<double>(part.most()));
  const double least = std::min({bounds.min * scale_, within, static_cast<double>(part.least())});
  return part.longest <= finest_part * least || most <= flat * least;
}

// Returns the pieces of `count` items, in their order; cut(i, cutter) cuts item i.
template <class Cut>
std::vector<Piece> cut_all(std::size_t count, Context& context, const Cut& cut) {
  constexpr std::size_t group = 1024;
  std::vector<std::vector<Piece>> parts((count + group - 1) / group);
  std::atomic<std::size_t> sum = 0;
  parallel_for(context, parts.size(), [&](std::size_t g) {
    Cutter cutter(context, parts[g], sum);
    const std::size_t end = std::min(count, (g + 1) * group);
    for (std::size_t i = g * group; i < end; ++i) cut(i, cutter);
  });
  std::size_t all = 0;
  for (const auto& part : parts) all += part.size();
  std::vector<Piece> pieces;
  pieces.reserve(all);
  for (auto& part : parts) {
    pieces.insert(pieces.end(), part.begin(), part.end());
    part = {};
  }
  return pieces;
}

// Returns the texture coordinates of a triangle; zeros if the mesh has none.
std::array<Vec2, 3> texture_places(const Mesh& mesh, const Triangle& t) {
  std::array<Vec2, 3> uv{};
  if (mesh.uv.empty()) return uv;
  for (std::size_t c = 0; c < 3; ++c)
    uv[c] = mesh.uv[static_cast<std::size_t>(t.index)][t.corner[c]];
  return uv;
}

// Reads r at the corners of triangles and of their parts.
class RadiusOnMesh {
 public:
  RadiusOnMesh(const Mesh& mesh, const SurfaceRadius& radius, const Frame& frame)
      : mesh_(mesh), radius_(radius), scale_(radius.scale / frame.radius) {
    if (radius.texture) texture_.emplace(radius, frame);
    even_ = static_cast<float>(radius.even / frame.radius);
  }

  std::array<float, 3> at_corners(const Triangle& t) const {
    if (!varies(radius_)) return {even_, even_, even_};
    const auto index = static_cast<std::size_t>(t.index);
    std::array<float, 3> r{};
    for (std::size_t c = 0; c < 3; ++c) {
      r[c] = texture_ ? (*texture_)(mesh_.uv[index][t.corner[c]])
                      : static_cast<float>(
                            static_cast<double>(radius_.corners[index][t.corner[c]]) * scale_);
    }
    return r;
  }
  // Cuts a part into parts on which r counts as linear.
  void cut(const Piece& part, const std::array<Vec2, 3>& uv, Cutter& into) const {
    if (texture_) {
      texture_->cut(part, uv, into);
    } else {
      into.add(part);
    }
  }
  bool is_fine(Piece part, const std::array<float, 3>& r, const std::array<Vec2, 3>& uv) const {
    part.r = r;
    return !texture_ || texture_->is_fine(part, uv);
  }
  // Returns r at the middle of an edge with these ends.
  float between(float a, float b, const Vec2& uv) const {
    return texture_ ? (*texture_)(uv) : 0.5F * (a + b);
  }

 private:
  const Mesh& mesh_;
  const SurfaceRadius& radius_;
  double scale_;
  float even_ = 0;
  std::optional<TextureRadius> texture_;
};

// Returns the parts of triangles on which r is linear, before its slope is limited.
std::vector<Piece> linear_parts(const Mesh& mesh, const std::vector<Triangle>& triangles,
                                const Frame& frame, const SurfaceRadius& radius, Context& context) {
  const RadiusOnMesh of(mesh, radius, frame);
  return cut_all(triangles.size(), context, [&](std::size_t i, Cutter& cutter) {
    Piece part = whole(triangles[i], i);
    part.r = of.at_corners(triangles[i]);
    of.cut(part, texture_places(mesh, triangles[i]), cutter);
  });
}

// Cuts a part until the radii of all classes count as linear.
void cut_for_all(const Piece& part, const std::array<Vec2, 3>& uv,
                 const std::vector<std::array<float, 3>>& r, const std::vector<RadiusOnMesh>& of,
                 LinearParts& into, Context& context) {
  bool is_fine = true;
  for (std::size_t c = 0; c < of.size(); ++c) is_fine = is_fine && of[c].is_fine(part, r[c], uv);
  if (is_fine) {
    into.parts.push_back(part);
    for (std::size_t c = 0; c < of.size(); ++c) into.radii[c].push_back(r[c]);
    constexpr std::size_t step = 4096;
    if (into.parts.size() % step != 0) return;
    context.check();
    // Each class later begins with a cell in each part.
    require_pieces(static_cast<double>((2 + of.size()) * into.parts.size()), context);
    return;
  }
  const std::size_t edge = greatest(edges_of(part));
  const auto [i, j] = ends_of_edge[edge];
  const Vec2 middle = (uv[i] + uv[j]) * 0.5;
  const auto [one, two] = halves(part, edge, 0);
  const auto [one_uv, two_uv] = halves(uv, edge, middle);
  std::vector<std::array<float, 3>> one_r = r;
  std::vector<std::array<float, 3>> two_r = r;
  for (std::size_t c = 0; c < of.size(); ++c) {
    std::tie(one_r[c], two_r[c]) = halves(r[c], edge, of[c].between(r[c][i], r[c][j], middle));
  }
  cut_for_all(one, one_uv, one_r, of, into, context);
  cut_for_all(two, two_uv, two_r, of, into, context);
}

// Returns each triangle once per class.
std::vector<Piece> parts_of_classes(const std::vector<Triangle>& triangles, const Frame& frame,
                                    const SurfaceRadius& radius) {
  std::vector<Piece> parts;
  parts.reserve(triangles.size() * radius.classes.size());
  for (std::size_t c = 0; c < radius.classes.size(); ++c) {
    for (std::size_t i = 0; i < triangles.size(); ++i) {
      Piece part = whole(triangles[i], i);
      part.class_id = static_cast<std::int32_t>(c);
      part.key = hash(part.key, c);
      part.r.fill(static_cast<float>(radius.classes[c][c] * (radius.scale / frame.radius)));
      parts.push_back(part);
    }
  }
  return parts;
}

}  // namespace

LinearParts linear_parts(const Mesh& mesh, const std::vector<Triangle>& triangles,
                         const Frame& frame, std::span<const SurfaceRadius> classes,
                         Context& context) {
  LinearParts made;
  made.radii.resize(classes.size());
  std::vector<RadiusOnMesh> of;
  for (const SurfaceRadius& radius : classes) of.emplace_back(mesh, radius, frame);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const Triangle& t = triangles[i];
    std::vector<std::array<float, 3>> r;
    for (const RadiusOnMesh& one : of) r.push_back(one.at_corners(t));
    cut_for_all(whole(t, i), texture_places(mesh, t), r, of, made, context);
  }
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (!varies(classes[c]) || !classes[c].slope) continue;
    for (std::size_t p = 0; p < made.parts.size(); ++p) made.parts[p].r = made.radii[c][p];
    limit_slope(made.parts, *classes[c].slope);
    for (std::size_t p = 0; p < made.parts.size(); ++p) made.radii[c][p] = made.parts[p].r;
  }
  return made;
}

std::array<std::int32_t, 3> lattice_place(const Vec3& p, double unit) {
  const double edge = tile_edge * unit;
  const auto along = [&](double v) { return static_cast<std::int32_t>(std::floor(v / edge)); };
  return {along(p.x), along(p.y), along(p.z)};
}

double least_radius(const Mesh& mesh, const SurfaceRadius& radius) {
  if (is_one(radius)) return radius.even;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < radius.classes.size(); ++c) {
    least = std::min(least, radius.classes[c][c]);
  }
  if (!radius.classes.empty()) return radius.scale * least;
  if (radius.texture) {
    const Plane<float>& map = radius.texture->radius_map();
    for (int y = 0; y < map.height(); ++y) {
      const float* row = map.row(y);
      for (int x = 0; x < map.width(); ++x) {
        if (row[x] > 0) least = std::min(least, static_cast<double>(row[x]));
      }
    }
    return radius.scale * std::min(least, radius.largest);
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (const float r : radius.corners[t]) least = std::min(least, static_cast<double>(r));
  }
  return radius.scale * least;
}

std::vector<Piece> make_pieces(const Mesh& mesh, const std::vector<Triangle>& triangles,
                               const Frame& frame, const SurfaceRadius& radius, Context& context) {
  std::vector<Piece> parts;
  if (varies(radius)) {
    parts = linear_parts(mesh, triangles, frame, radius, context);
    if (radius.slope) limit_slope(parts, *radius.slope);
  } else if (!radius.classes.empty()) {
    parts = parts_of_classes(triangles, frame, radius);
  } else {
    parts.reserve(triangles.size());
    for (std::size_t i = 0; i < triangles.size(); ++i) parts.push_back(whole(triangles[i], i));
  }
  double expected = 0;
  bool all_whole = true;
  for (Piece& part : parts) {
    expected += expected_pieces(part);
    all_whole = all_whole && stays_whole(part);
    if (all_whole) part.ball = ball_of(part);
  }
  require_pieces(expected, context);
  if (all_whole) return parts;
  return cut(parts, context);
}

void require_pieces(double count, Context& context) {
  context.require_memory(count * 3 * sizeof(Piece),
                         "a surface of " + shortest(std::round(count)) + " pieces");
}

std::vector<Piece> cut(const std::vector<Piece>& parts, Context& context) {
  return cut_all(parts.size(), context,
                 [&](std::size_t i, Cutter& cutter) { cutter.cut(parts[i]); });
}

double most_squares(const std::vector<Piece>& pieces) {
  double sum = 0;
  for (const Piece& piece : pieces) {
    const double r = piece.radius(1.0 / 3, 1.0 / 3);
    const double row = piece.longest > 2 * r ? piece.longest / r : 0;
    sum += std::max(piece.area / (r * r), row);
  }
  return sum;
}

double expected_squares(const std::vector<Piece>& pieces) {
  double sum = 0;
  for (const Piece& piece : pieces) {
    const double r = piece.radius(1.0 / 3, 1.0 / 3);
    sum += piece.area / (r * r);
  }
  return sum;
}

}  // namespace dapple::surface
