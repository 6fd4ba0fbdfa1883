#include "relax/kernel/border_warp.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "field/plane_sum.hpp"

namespace dapple {
namespace {

// The next three are in local spacings.
constexpr double seen_along = 6;  // along a side, on both sides of a station
constexpr double seen_deep = 3;   // depth into the picture
constexpr double most_bend = 0.5;
constexpr double widest_spacing = 3;  // in mean spacings

// The share of the error of a straight cut that bends the frame. The error stems from dots close to
// the cut, so less than half of the way moves them across. The whole way would also move others
// across and line them up.
constexpr double part_of_way = 0.35;

// Falls from 1 at 0 to 0 at 1 and stays 0.
double bump(double q) {
  const double left = std::max(0.0, 1 - q * q);
  return left * left;
}
constexpr double bump_sum = 16.0 / 15;  // integral from -1 to 1

// A side of the picture, in coordinates along it and into the picture.
class Side {
 public:
  // `upright`: left and right sides. `far`: right and bottom sides.
  Side(const Plane<float>& density, bool upright, bool far, double mean)
      : density_(density),
        upright_(upright),
        far_(far),
        length_(upright ? density.height() : density.width()),
        depth_(upright ? density.width() : density.height()) {
    measure(mean);
    stations_.assign(static_cast<std::size_t>(spacings_.back()) + 2, 0);
    // Pixels are cut into smaller ones if dots are close together.
    const int cut = static_cast<int>(std::ceil(seen_deep / mean));
    for (int s = 0; s < length_ * cut; ++s) {
      const double along = (s + 0.5) / cut;
      const double deepest = seen_deep * spacing(along);
      double ink = 0;
      for (int d = 0; d < std::min(depth_ * cut, static_cast<int>(std::ceil(deepest * cut))); ++d) {
        ink += bump((d + 0.5) / cut / deepest) * at(s / cut, d / cut);
      }
      show(along, ink / (cut * cut));
    }
  }

  void look(const Points& dots) {
    for (std::size_t i = 0; i < dots.size(); ++i) {
      const double along = along_of(dots[i]);
      const double deep = depth_of(dots[i]);
      if (deep < 0 || deep >= depth_ || along < 0 || along >= length_) continue;
      const double seen = bump(deep / (seen_deep * spacing(along)));
      if (seen > 0) show(along, -seen);
    }
  }

  // Returns the shift of a dot, pixels.
  Vec2 way(Vec2 p) const {
    const double along = std::clamp(along_of(p), 0.0, static_cast<double>(length_));
    const double near = bump(depth_of(p) / (seen_deep * spacing(along)));
    if (near == 0) return {0, 0};
    const double station = spacings_to(along);
    const auto k = static_cast<std::size_t>(station);
    const double t = station - static_cast<double>(k);
    const double missing = stations_[k] * (1 - t) + stations_[k + 1] * t;
    const double inwards =
        std::clamp(part_of_way * missing, -most_bend, most_bend) * near * spacing(along);
    const double moved = far_ ? -inwards : inwards;
    return upright_ ? Vec2{moved, 0} : Vec2{0, moved};
  }

 private:
  double along_of(Vec2 p) const { return upright_ ? p.y : p.x; }
  double depth_of(Vec2 p) const {
    const double across = upright_ ? p.x : p.y;
    return far_ ? depth_ - across : across;
  }
  double at(int along, int deep) const {
    const int from_here = far_ ? depth_ - 1 - deep : deep;
    return static_cast<double>(upright_ ? density_(from_here, along) : density_(along, from_here));
  }

  // Measures spacings along the side, from a window of three mean spacings by a depth of two.
  void measure(double mean) {
    const int deep = std::clamp(static_cast<int>(std::lround(2 * mean)), 1, depth_);
    std::vector<double> ink_to{0};
    for (int s = 0; s < length_; ++s) {
      double ink = 0;
      for (int d = 0; d < deep; ++d) ink += at(s, d);
      ink_to.push_back(ink_to.back() + ink);
    }
    const int half = std::max(1, static_cast<int>(std::lround(1.5 * mean)));
    spacings_ = {0};
    for (int s = 0; s < length_; ++s) {
      const int from = std::max(0, s - half);
      const int to = std::min(length_, s + half + 1);
      const double ink =
          ink_to[static_cast<std::size_t>(to)] - ink_to[static_cast<std::size_t>(from)];
      const double area = static_cast<double>(to - from) * deep;
      spacings_.push_back(spacings_.back() +
                          std::max(1 / (widest_spacing * mean), std::sqrt(ink / area)));
    }
  }
  double spacing(double along) const {
    const auto pixel = static_cast<std::size_t>(std::min(along, length_ - 1.0));
    return 1 / (spacings_[pixel + 1] - spacings_[pixel]);
  }
  double spacings_to(double along) const {
    const auto pixel = static_cast<std::size_t>(std::min(along, length_ - 1.0));
    return spacings_[pixel] + (along - static_cast<double>(pixel)) / spacing(along);
  }

  // Adds ink to the stations that see it. Mirrored at both ends of the side.
  void show(double along, double ink) {
    const double u = spacings_to(along);
    for (const double place : std::array{u, -u, 2 * spacings_.back() - u}) {
      const int first = std::max(0, static_cast<int>(std::ceil(place - seen_along)));
      const int last = std::min(static_cast<int>(stations_.size()) - 1,
                                static_cast<int>(std::floor(place + seen_along)));
      for (int k = first; k <= last; ++k) {
        stations_[static_cast<std::size_t>(k)] +=
            ink * bump((place - k) / seen_along) / (bump_sum * seen_along);
      }
    }
  }

  const Plane<float>& density_;
  const bool upright_, far_;
  const int length_, depth_;      // pixels
  std::vector<double> spacings_;  // number of spacings up to each pixel
  std::vector<double> stations_;  // a spacing apart: missing dots around each, per spacing
};

}  // namespace

void bend_frame(Points& dots, const Plane<float>& density) {
  const double sum = sum_of(density);
  if (sum <= 0) return;
  const double mean = std::sqrt(static_cast<double>(density.size()) / sum);
  std::vector<Side> sides;
  for (const bool upright : {true, false}) {
    for (const bool far : {false, true}) sides.emplace_back(density, upright, far, mean).look(dots);
  }
  for (std::size_t i = 0; i < dots.size(); ++i) {
    Vec2 moved = dots[i];
    for (const Side& side : sides) moved = moved + side.way(dots[i]);
    dots.x[i] = moved.x;
    dots.y[i] = moved.y;
  }
}

}  // namespace dapple
