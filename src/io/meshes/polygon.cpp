// Cuts faces of more than three corners into triangles by cutting off ears (Meisters 1975) on the
// plane of Newell's normal.
//
// The triangles have the orientation of the face, and each cuts off one of its corners. Together
// they cover each place as often as the face winds around it. So a face that does not cross itself
// is filled once.
#include "io/meshes/polygon.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dapple {
namespace {

constexpr double no_turn = 1e-6;   // radians by which a fan may turn back, and edges may touch
constexpr double most_bent = 0.1;  // relative to the length of the face
constexpr double no_area = 1e-12;  // relative to the square of that length
constexpr double farthest = 1e18;  // largest coordinate, as for all meshes

double cross2(Vec2 a, Vec2 b) {
  return a.x * b.y - a.y * b.x;
}

// The corners of a face in its plane, relative to the first corner, counterclockwise.
class FlatFace {
 public:
  FlatFace(const std::vector<Vec3>& vertices, std::span<const std::int32_t> corners)
      : vertices_(vertices), corners_(corners), first_(vertex(0)) {
    Vec3 around;
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
      around = around + cross(from_first(i), from_first(i + 1));
    }
    for (std::size_t i = 1; i < corners.size(); ++i) {
      size_ = std::max(size_, length(from_first(i)));
    }
    const double twice_area = length(around);
    has_plane_ = twice_area > no_area * size_ * size_;
    if (!has_plane_) return;
    normal_ = around * (1 / twice_area);
    const std::array<double, 3> n{normal_.x, normal_.y, normal_.z};
    const auto largest =
        std::max_element(n.begin(), n.end(),
                         [](double a, double b) { return std::abs(a) < std::abs(b); }) -
        n.begin();
    axis_ = static_cast<std::size_t>(largest);
  }

  std::size_t size() const { return corners_.size(); }
  bool has_plane() const { return has_plane_; }

  // Projects a corner along the normal onto two axes; a face parallel to them stays exact.
  Vec2 operator()(std::size_t i) const {
    const Vec3 d = from_first(i);
    const std::array<double, 3> at{d.x, d.y, d.z};
    const std::array<double, 3> n{normal_.x, normal_.y, normal_.z};
    const std::size_t u = (axis_ + 1) % 3;
    const std::size_t v = (axis_ + 2) % 3;
    const double along = at[axis_] / n[axis_];
    const Vec2 p{at[u] - along * n[u], at[v] - along * n[v]};
    return n[axis_] > 0 ? p : Vec2{p.y, p.x};
  }

  bool is_bent() const {
    double low = 0;
    double high = 0;
    for (std::size_t i = 1; i < size(); ++i) {
      const double height = dot(from_first(i), normal_);
      low = std::min(low, height);
      high = std::max(high, height);
    }
    return high - low > 2 * most_bent * size_;
  }

  // Returns true if all corners lie on one line. Only for a face without a plane.
  bool is_line() const {
    for (std::size_t i = 1; i + 1 < size(); ++i) {
      if (length(cross(from_first(i), from_first(i + 1))) > no_area * size_ * size_) return false;
    }
    return true;
  }

 private:
  const Vec3& vertex(std::size_t i) const {
    return vertices_[static_cast<std::size_t>(corners_[i])];
  }
  Vec3 from_first(std::size_t i) const { return vertex(i) - first_; }

  const std::vector<Vec3>& vertices_;
  std::span<const std::int32_t> corners_;
  Vec3 first_;
  double size_ = 0;  // longest distance from the first corner to another
  Vec3 normal_;
  std::size_t axis_ = 0;  // axis of the largest normal component
  bool has_plane_ = false;
};

// Returns true if the first corner sees all others in order, within one turn.
bool fan_fills(const FlatFace& face) {
  Vec2 start;
  Vec2 before;
  bool past_half = false;
  for (std::size_t i = 1; i < face.size(); ++i) {
    const Vec2 now = face(i);
    if (now == Vec2{}) continue;  // the first corner again
    if (before == Vec2{}) {
      start = before = now;
      continue;
    }
    if (cross2(before, now) < -no_turn * length(before) * length(now)) return false;
    const double from_start = cross2(start, now);
    const double little = no_turn * length(start) * length(now);
    if (past_half && from_start > little) return false;
    past_half = past_half || from_start < -little;
    before = now;
  }
  return true;
}

// The corners that remain of a face while its ears are cut off.
class Ears {
 public:
  explicit Ears(const FlatFace& face)
      : at_(face.size()), corners_(face.size()), left_(face.size()) {
    for (std::size_t i = 0; i < left_; ++i) {
      at_[i] = face(i);
      corners_[i].next = static_cast<std::uint32_t>((i + 1) % left_);
      corners_[i].before = static_cast<std::uint32_t>((i + left_ - 1) % left_);
    }
    for (std::size_t i = 0; i < left_; ++i) update(static_cast<std::uint32_t>(i));
  }

  bool crosses_itself() const {
    const std::size_t n = at_.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Vec2 a = at_[i];
      const Vec2 b = at_[(i + 1) % n];
      for (std::size_t j = i + 2; j < n; ++j) {
        if (cross_each_other(a, b, at_[j], at_[(j + 1) % n])) return true;
      }
    }
    return false;
  }

  // Cuts off all ears. Returns false if none is left too early; `triangles` is then invalid.
  bool cut(std::vector<std::array<std::uint32_t, 3>>& triangles) {
    // First come ears that no corner touches and spikes without area, then ears that other corners
    // touch. Corners on a line come last, since neighboring faces should keep them.
    for (const Way way : {Way::clear, Way::touched, Way::flat}) {
      way_ = way;
      open_.clear();
      std::uint32_t corner = first_;
      for (std::size_t i = 0; i < left_; ++i, corner = corners_[corner].next) look_at(corner);
      for (std::size_t i = 0; i < open_.size() && left_ > 2; ++i) {
        const std::uint32_t tip = open_[i];
        if (corners_[tip].gone || !is_ear(tip)) continue;
        const auto [before, next] = std::pair(corners_[tip].before, corners_[tip].next);
        triangles.push_back({before, tip, next});
        corners_[tip].gone = true;
        corners_[before].next = next;
        corners_[next].before = before;
        first_ = next;
        --left_;
        for (const std::uint32_t each : {before, next}) {
          update(each);
          look_at(each);
        }
      }
      if (left_ == 2) return true;
    }
    return false;
  }

 private:
  enum class Way { clear, touched, flat };
  struct Corner {
    std::uint32_t before = 0, next = 0;
    double turn = 0;    // twice the signed area of its triangle
    double no = 0;      // smaller turns are rounding errors
    bool back = false;  // the outline turns back here
    bool gone = false;
  };

  static bool cross_each_other(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    const auto sides = [](Vec2 from, Vec2 to, Vec2 p, Vec2 q) {
      const Vec2 along = to - from;
      const double little = no_turn * length(along);
      const double side_p = cross2(along, p - from);
      const double side_q = cross2(along, q - from);
      const double far_p = little * length(p - from);
      const double far_q = little * length(q - from);
      return (side_p > far_p && side_q < -far_q) || (side_p < -far_p && side_q > far_q);
    };
    return sides(a, b, c, d) && sides(c, d, a, b);
  }

  void update(std::uint32_t i) {
    Corner& corner = corners_[i];
    const Vec2 a = at_[i] - at_[corner.before];
    const Vec2 b = at_[corner.next] - at_[i];
    corner.turn = cross2(a, b);
    corner.back = dot(a, b) <= 0;
    corner.no = no_area * (length(a) * length(b));
  }
  void look_at(std::uint32_t i) {
    if (is_ear(i)) open_.push_back(i);
  }

  bool is_ear(std::uint32_t tip) const {
    const Corner& corner = corners_[tip];
    if (std::abs(corner.turn) <= corner.no) return corner.back || way_ == Way::flat;
    if (corner.turn < 0) return false;
    const Vec2 a = at_[corner.before];
    const Vec2 b = at_[tip];
    const Vec2 c = at_[corner.next];
    const double least = way_ == Way::clear ? -corner.no * (no_turn / no_area) : corner.no;
    for (std::uint32_t i = corners_[corner.next].next; i != corner.before; i = corners_[i].next) {
      const Vec2 p = at_[i];
      if (corners_[i].turn > corners_[i].no || p == a || p == b || p == c) continue;
      if (cross2(b - a, p - a) >= least && cross2(c - b, p - b) >= least &&
          cross2(a - c, p - c) >= least) {
        return false;
      }
    }
    return true;
  }

  std::vector<Vec2> at_;
  std::vector<Corner> corners_;
  std::size_t left_;
  std::uint32_t first_ = 0;          // a corner that remains
  std::vector<std::uint32_t> open_;  // corners that may be ears
  Way way_ = Way::clear;
};

void fan(std::size_t corners, std::vector<std::array<std::uint32_t, 3>>& triangles) {
  triangles.clear();
  for (std::uint32_t i = 2; i < corners; ++i) triangles.push_back({0, i - 1, i});
}

bool is_finite(const std::vector<Vec3>& vertices, std::span<const std::int32_t> corners) {
  return std::all_of(corners.begin(), corners.end(), [&](std::int32_t corner) {
    const Vec3& p = vertices[static_cast<std::size_t>(corner)];
    return std::abs(p.x) <= farthest && std::abs(p.y) <= farthest && std::abs(p.z) <= farthest;
  });
}

}  // namespace

PolygonKind cut_polygon(const std::vector<Vec3>& vertices, std::span<const std::int32_t> corners,
                        std::vector<std::array<std::uint32_t, 3>>& triangles) {
  fan(corners.size(), triangles);
  // A later check reports vertices that are not finite.
  if (corners.size() < 4 || !is_finite(vertices, corners)) return PolygonKind::flat;
  const FlatFace face(vertices, corners);
  if (!face.has_plane()) return face.is_line() ? PolygonKind::flat : PolygonKind::crossing;
  const PolygonKind kind = face.is_bent() ? PolygonKind::bent : PolygonKind::flat;
  if (fan_fills(face)) return kind;
  if (corners.size() > most_corners_to_cut) return PolygonKind::too_long;
  Ears ears(face);
  triangles.clear();
  if (!ears.crosses_itself() && ears.cut(triangles)) return kind;
  fan(corners.size(), triangles);
  return PolygonKind::crossing;
}

}  // namespace dapple
