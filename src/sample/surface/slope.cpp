// Limits the slope of r along the edges of a surface. As in the plane, a small r lowers the values
// around it.
#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

#include "core/lists.hpp"
#include "core/random.hpp"
#include "sample/surface/patches.hpp"

namespace dapple::surface {
namespace {

// Corners this close, in least radii, are one. The offset avoids whole numbers, common for corners.
constexpr double one_place = 1e-3;
constexpr double off_grid = 0.3137;

std::uint64_t place_key(const Vec3& p) {
  std::uint64_t key = 0;
  for (const double value : {p.x, p.y, p.z}) {
    const double cell = std::floor(value / one_place + off_grid);
    key = hash(key, static_cast<std::uint64_t>(static_cast<std::int64_t>(cell)));
  }
  return key;
}

constexpr std::array<std::array<std::size_t, 2>, 3> edges{{{0, 1}, {1, 2}, {2, 0}}};

std::array<Vec3, 3> corners_of(const Piece& part) {
  return {part.a, part.a + part.e1, part.a + part.e2};
}

// The corners of all parts as distinct places, with the edges between them.
class Net {
 public:
  explicit Net(const std::vector<Piece>& parts) {
    for (const Piece& part : parts) {
      for (const Vec3& p : corners_of(part)) keys_.push_back(place_key(p));
    }
    std::vector<std::uint64_t> places = keys_;
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    number_.reserve(keys_.size());
    for (const std::uint64_t key : keys_) {
      number_.push_back(static_cast<std::uint32_t>(
          std::lower_bound(places.begin(), places.end(), key) - places.begin()));
    }
    r_.assign(places.size(), 0);
    for (std::size_t i = 0; i < number_.size(); ++i) {
      float& r = r_[number_[i]];
      const float own = parts[i / 3].r[i % 3];
      r = r == 0 ? own : std::min(r, own);
    }
    edges_ = edges_between(parts);
  }

  void limit(double slope) {
    using Entry = std::pair<float, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    const auto relax = [&](std::uint32_t from) {
      for (const auto& [to, length] : edges_.of(from)) {
        const float most = r_[from] + static_cast<float>(slope) * length;
        if (!(most < r_[to])) continue;
        r_[to] = most;
        open.push({most, to});
      }
    };
    for (std::uint32_t i = 0; i < r_.size(); ++i) relax(i);
    while (!open.empty()) {
      const auto [r, place] = open.top();
      open.pop();
      if (!(r > r_[place])) relax(place);
    }
  }

  float radius(std::size_t part, std::size_t corner) const {
    return r_[number_[3 * part + corner]];
  }

 private:
  struct Edge {
    std::uint32_t to;
    float length;
  };
  Lists<Edge, std::uint32_t> edges_between(const std::vector<Piece>& parts) const {
    return {r_.size(), [&](const auto& add) {
              for (std::size_t i = 0; i < parts.size(); ++i) {
                const std::array<Vec3, 3> p = corners_of(parts[i]);
                for (const auto& [a, b] : edges) {
                  const auto apart = static_cast<float>(length(p[b] - p[a]));
                  add(number_[3 * i + a], {number_[3 * i + b], apart});
                  add(number_[3 * i + b], {number_[3 * i + a], apart});
                }
              }
            }};
  }

  std::vector<std::uint64_t> keys_;    // key of corner c of part i at 3 i + c
  std::vector<std::uint32_t> number_;  // index of the place of each corner
  std::vector<float> r_;               // the radius of each place
  Lists<Edge, std::uint32_t> edges_;   // of each place
};

}  // namespace

void limit_slope(std::vector<Piece>& parts, double slope) {
  const bool gentle = std::all_of(parts.begin(), parts.end(), [&](const Piece& part) {
    const std::array<Vec3, 3> p = corners_of(part);
    return std::all_of(edges.begin(), edges.end(), [&](const auto& edge) {
      const double rise = std::abs(static_cast<double>(part.r[edge[0]] - part.r[edge[1]]));
      return rise <= slope * length(p[edge[1]] - p[edge[0]]);
    });
  });
  if (gentle) return;
  Net net(parts);
  net.limit(slope);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t c = 0; c < 3; ++c) parts[i].r[c] = net.radius(i, c);
  }
}

}  // namespace dapple::surface
