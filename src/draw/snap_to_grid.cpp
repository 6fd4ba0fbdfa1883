// Puts dots on the corners of a grid. Rounding to the nearest corner brings two dots nearer by up
// to 1.4 steps. A dot that is then too near to another searches the corners around its own place.
// It takes the corner where least distance is missing to other dots. Dots do so in turn, until none
// is too near. If two dots find no room, weights decide: a dot gains weight in the others' choices
// each time it is too near (Morris 1993, breakout). There is room for this if dots and gaps cover
// 71 % of the paper, the most ever placed. Denser lattices have no room.
#include "draw/snap_to_grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace dapple {
namespace {

constexpr int most_sweeps = 300;
constexpr int farthest = 2;    // steps along a side
constexpr double hair = 1e-9;  // tolerance for rounding, mm

// Dots in squares that are so wide that two dots too near to each other lie in neighboring squares.
class Squares {
 public:
  explicit Squares(double side) : side_(side) {}
  void add(std::size_t i, Vec2 p) { squares_[key(column(p.x), column(p.y))].push_back(i); }
  void move(std::size_t i, Vec2 from, Vec2 to) {
    std::erase(squares_[key(column(from.x), column(from.y))], i);
    add(i, to);
  }
  template <class Visit>
  void near(Vec2 p, const Visit& visit) const {
    for (std::int64_t y = column(p.y) - 1; y <= column(p.y) + 1; ++y) {
      for (std::int64_t x = column(p.x) - 1; x <= column(p.x) + 1; ++x) {
        const auto found = squares_.find(key(x, y));
        if (found == squares_.end()) continue;
        for (const std::size_t i : found->second) visit(i);
      }
    }
  }

 private:
  std::int64_t column(double v) const { return static_cast<std::int64_t>(std::floor(v / side_)); }
  static std::uint64_t key(std::int64_t x, std::int64_t y) {
    return (static_cast<std::uint64_t>(x) << 32) ^ (static_cast<std::uint64_t>(y) & 0xffffffff);
  }

  double side_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> squares_;
};

class Grid {
 public:
  Grid(Drawing& drawing, double step) : drawing_(drawing), step_(step) {
    for (Layer& layer : drawing.layers) {
      for (Disc& disc : layer.discs) {
        dots_.push_back(&disc);
        asked_.push_back(disc.center);
        rims_.push_back(rim_of_mark(drawing, disc));
        weights_.push_back(1);
      }
    }
  }

  void put() {
    for (Disc* dot : dots_) dot->center = corner(dot->center, 0, 0);
    if (drawing_.gap > 0 && !dots_.empty()) part();
  }

 private:
  Vec2 corner(Vec2 p, int right, int down) const {
    const double x = std::round(p.x / step_) + right;
    const double y = std::round((drawing_.height - p.y) / step_) - down;
    return {x * step_, drawing_.height - y * step_};
  }

  void part() {
    const double widest = *std::max_element(rims_.begin(), rims_.end());
    Squares squares(2 * widest + drawing_.gap + 2 * farthest * step_);
    for (std::size_t i = 0; i < dots_.size(); ++i) squares.add(i, dots_[i]->center);
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      bool any = false;
      for (std::size_t i = 0; i < dots_.size(); ++i) {
        if (!(missing(squares, i, dots_[i]->center) > 0)) continue;
        any = true;
        weights_[i] += 1;
        const Vec2 better = best_corner(squares, i);
        squares.move(i, dots_[i]->center, better);
        dots_[i]->center = better;
      }
      if (!any) return;
    }
  }

  // Returns by how many mm other dots are too near to dot i at `place`, weighted per dot.
  double missing(const Squares& squares, std::size_t i, Vec2 place) const {
    double sum = 0;
    squares.near(place, [&](std::size_t k) {
      if (k == i) return;
      // The required distance is at most the original one.
      const double asked =
          std::min(rims_[i] + rims_[k] + drawing_.gap, length(asked_[i] - asked_[k]));
      sum += weights_[k] * std::max(0.0, asked - hair - length(place - dots_[k]->center));
    });
    return sum;
  }

  Vec2 best_corner(const Squares& squares, std::size_t i) const {
    Vec2 best = dots_[i]->center;
    double least = INFINITY;
    for (int down = -farthest; down <= farthest; ++down) {
      for (int right = -farthest; right <= farthest; ++right) {
        const Vec2 place = corner(asked_[i], right, down);
        // If no distance is too small, the corner nearest to the original place wins.
        const double worth =
            1e3 * missing(squares, i, place) + length(place - asked_[i]) / step_ * 1e-3;
        if (worth < least) {
          least = worth;
          best = place;
        }
      }
    }
    return best;
  }

  Drawing& drawing_;
  double step_;
  std::vector<Disc*> dots_;
  std::vector<Vec2> asked_;
  std::vector<double> rims_;
  std::vector<double> weights_;
};

}  // namespace

double rim_of_mark(const Drawing& drawing, const Disc& disc) {
  const double half_pen = 0.5 * drawing.pen;
  if (const Outline* outline = drawing.outline_of(disc)) {
    return disc.radius * outline->reach + half_pen;
  }
  if (drawing.shape == DotShape::circle) return disc.radius + half_pen;
  return std::max(disc.radius, half_pen + 0.5 * drawing.touch);
}

void put_on_grid(Drawing& drawing, double step) {
  Grid(drawing, step).put();
}

}  // namespace dapple
