// Limits the slope of r along the edges of a surface. As in the plane, a small r lowers the values
// around it.
#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

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
    join(parts);
  }

  void limit(double slope) {
    using Entry = std::pair<float, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    const auto relax = [&](std::uint32_t from) {
      for (std::uint32_t e = first_[from]; e < first_[from + 1]; ++e) {
        const float most = r_[from] + static_cast<float>(slope) * length_[e];
        if (!(most < r_[to_[e]])) continue;
        r_[to_[e]] = most;
        open.push({most, to_[e]});
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
  void join(const std::vector<Piece>& parts) {
    first_.assign(r_.size() + 1, 0);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (std::size_t c = 0; c < 3; ++c) first_[number_[3 * i + c] + 1] += 2;
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    to_.resize(first_.back());
    length_.resize(first_.back());
    std::vector<std::uint32_t> end(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::array<Vec3, 3> p = corners_of(parts[i]);
      for (const auto& [a, b] : edges) {
        const auto apart = static_cast<float>(length(p[b] - p[a]));
        for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
          const std::uint32_t at = end[number_[3 * i + from]]++;
          to_[at] = number_[3 * i + to];
          length_[at] = apart;
        }
      }
    }
  }

  std::vector<std::uint64_t> keys_;    // key of corner c of part i at 3 i + c
  std::vector<std::uint32_t> number_;  // index of the place of each corner
  std::vector<float> r_;               // the radius of each place
  std::vector<std::uint32_t> first_;   // first edge of each place, and the end
  std::vector<std::uint32_t> to_;
  std::vector<float> length_;
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
