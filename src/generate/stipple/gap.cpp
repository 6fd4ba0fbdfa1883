// Pushes dots apart as positions under constraints (Müller, Heidelberger, Hennix, Ratcliff 2007).
// Two dots that are too near each other move along the line between them, each by half of the
// missing distance. Pairs follow in the order of the dots, until no pair is too near.
#include "generate/stipple/gap.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/deterministic_math.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"

namespace dapple::stippling {
namespace {

constexpr int most_sweeps = 3000;
constexpr int light_sweeps = 50;
constexpr double excess = 1e-3;                // share of a push, so that pairs stay apart
constexpr double golden = 0.3819660112501051;  // of a turn, so that directions differ
constexpr double hair = 1e-9;                  // relative error of rounding to millimeters

// Finds dots by cells that are as wide as the largest wanted distance.
class DotCells {
 public:
  DotCells(const Points& dots, double reach)
      : size_(std::max({reach, dots.domain.width / 4096, dots.domain.height / 4096})),
        columns_(static_cast<int>(dots.domain.width / size_) + 1),
        rows_(static_cast<int>(dots.domain.height / size_) + 1),
        cells_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {
    for (std::size_t i = 0; i < dots.size(); ++i) {
      cells_[cell_of(dots[i])].push_back(static_cast<std::int32_t>(i));
    }
  }

  void move(std::size_t i, Vec2 from, Vec2 to) {
    const std::size_t old = cell_of(from);
    const std::size_t now = cell_of(to);
    if (old == now) return;
    std::erase(cells_[old], static_cast<std::int32_t>(i));
    cells_[now].push_back(static_cast<std::int32_t>(i));
  }

  // Finds the dots that may lie within reach of `p`, in order.
  void near(Vec2 p, std::vector<std::int32_t>& found) const {
    found.clear();
    const int x = column(p.x);
    const int y = row(p.y);
    for (int j = std::max(0, y - 1); j <= std::min(rows_ - 1, y + 1); ++j) {
      for (int i = std::max(0, x - 1); i <= std::min(columns_ - 1, x + 1); ++i) {
        const auto& cell = cells_[index(i, j)];
        found.insert(found.end(), cell.begin(), cell.end());
      }
    }
    std::sort(found.begin(), found.end());
  }

 private:
  int column(double x) const { return std::clamp(static_cast<int>(x / size_), 0, columns_ - 1); }
  int row(double y) const { return std::clamp(static_cast<int>(y / size_), 0, rows_ - 1); }
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(x);
  }
  std::size_t cell_of(Vec2 p) const { return index(column(p.x), row(p.y)); }

  double size_;
  int columns_;
  int rows_;
  std::vector<std::vector<std::int32_t>> cells_;
};

}  // namespace

namespace {

bool push(Points& dots, const std::vector<double>& rims, double gap, const std::vector<char>& held,
          int sweeps, Context& context) {
  if (dots.empty()) return true;
  const double largest = *std::max_element(rims.begin(), rims.end());
  DotCells cells(dots, (2 * largest + gap) * (1 + excess));
  const double right = std::nextafter(dots.domain.width, 0.0);
  const double bottom = std::nextafter(dots.domain.height, 0.0);
  const auto place = [&](std::size_t i, Vec2 to) {
    to = {std::clamp(to.x, 0.0, right), std::clamp(to.y, 0.0, bottom)};
    cells.move(i, dots[i], to);
    dots.x[i] = to.x;
    dots.y[i] = to.y;
  };
  std::vector<char> moved(dots.size(), 1);
  std::vector<std::int32_t> found;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    context.check();
    const std::vector<char> active = moved;
    std::fill(moved.begin(), moved.end(), char{0});
    bool any = false;
    for (std::size_t i = 0; i < dots.size(); ++i) {
      if (active[i] == 0) continue;
      cells.near(dots[i], found);
      for (const std::int32_t other : found) {
        const auto k = static_cast<std::size_t>(other);
        if (k == i || (held[i] != 0 && held[k] != 0)) continue;
        const double wanted = rims[i] + rims[k] + gap;
        Vec2 way = dots[k] - dots[i];
        double distance = length(way);
        if (distance >= wanted * (1 + hair)) continue;
        any = true;
        moved[i] = moved[k] = 1;
        // Dots in the same place part in different directions.
        if (!(distance > 0)) {
          const double turns = std::fmod(golden * static_cast<double>(i), 1.0);
          way = {portable_sine(turns + 0.25), portable_sine(turns)};
          distance = 0;
        } else {
          way = way * (1 / distance);
        }
        // If one dot is held, the other moves all of the way.
        const double missing = wanted * (1 + excess) - distance;
        const double share = held[i] != 0 ? 0 : held[k] != 0 ? 1 : 0.5;
        const Vec2 back = way * (share * missing);
        const Vec2 on = way * ((1 - share) * missing);
        if (share > 0) place(i, dots[i] - back);
        if (share < 1) place(k, dots[k] + on);
      }
    }
    if (!any) return true;
  }
  return false;
}

}  // namespace

bool push_apart(Points& dots, const std::vector<double>& rims, double gap, Context& context) {
  return push(dots, rims, gap, std::vector<char>(dots.size(), 0), most_sweeps, context);
}

void part_where_light(Points& dots, const std::vector<double>& rims, const std::vector<char>& held,
                      Context& context) {
  push(dots, rims, 0, held, light_sweeps, context);
}

}  // namespace dapple::stippling
