// Finds how much of every pixel each cell covers: cells are polygons, whose exact areas in pixels
// come from signed areas beside their sides (as in Catmull 1978).
#include <algorithm>
#include <cmath>

#include "core/modulo.hpp"
#include "core/parallel.hpp"
#include "dapple/extend/options.hpp"
#include "generate/worley/voronoi_cell.hpp"

namespace dapple::cells {
namespace {

constexpr int band_rows = 16;

using Polygon = std::vector<Vec2>;

// Keeps the part on the site's side of the border, at least `inset` away from the border
// (Sutherland and Hodgman 1974).
void clip(Polygon& polygon, const VoronoiCell::Border& border, double inset, Polygon& kept) {
  const double limit = border.half - inset * length(border.other);
  kept.clear();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 a = polygon[i];
    const Vec2 b = polygon[(i + 1) % polygon.size()];
    const double over_a = dot(border.other, a) - limit;
    const double over_b = dot(border.other, b) - limit;
    if (over_a <= 0) kept.push_back(a);
    if ((over_a < 0 && over_b > 0) || (over_a > 0 && over_b < 0)) {
      kept.push_back(a + (b - a) * (over_a / (over_a - over_b)));
    }
  }
  polygon.swap(kept);
}

// The corners of all cells, relative to their sites.
struct Outlines {
  std::vector<std::size_t> starts{0};
  std::vector<Vec2> corners;

  std::span<const Vec2> at(std::size_t id) const {
    return std::span(corners).subspan(starts[id], starts[id + 1] - starts[id]);
  }
};

Outlines outlines_of(const SiteGrid& grid, double inset, Context& context) {
  constexpr std::size_t run = 256;
  const std::size_t runs = (grid.size() + run - 1) / run;
  std::vector<Outlines> parts(runs);
  parallel_for(context, runs, [&](std::size_t r) {
    VoronoiCell cell(grid);
    Polygon polygon, kept;
    for (std::size_t i = r * run; i < std::min(grid.size(), (r + 1) * run); ++i) {
      polygon.clear();
      cell.cut_out(static_cast<std::int32_t>(i));
      if (!cell.is_double()) {
        for (const VoronoiCell::Corner& corner : cell.corners()) polygon.push_back(corner.at);
        if (inset > 0) cell.move_frame_out();
        for (const VoronoiCell::Corner& corner : cell.corners()) {
          if (inset <= 0 || corner.id == VoronoiCell::frame) continue;
          clip(polygon, cell.border(corner), inset, kept);
        }
      }
      if (polygon.size() < 3) polygon.clear();
      parts[r].corners.insert(parts[r].corners.end(), polygon.begin(), polygon.end());
      parts[r].starts.push_back(parts[r].corners.size());
    }
  });
  Outlines all;
  for (const Outlines& part : parts) {
    const std::size_t before = all.corners.size();
    all.corners.insert(all.corners.end(), part.corners.begin(), part.corners.end());
    for (std::size_t i = 1; i < part.starts.size(); ++i) {
      all.starts.push_back(before + part.starts[i]);
    }
  }
  return all;
}

struct Rows {
  int first, last;
};

Rows rows_of(std::span<const Vec2> corners, Vec2 site) {
  double low = corners[0].y, high = corners[0].y;
  for (const Vec2 c : corners) {
    low = std::min(low, c.y);
    high = std::max(high, c.y);
  }
  return {static_cast<int>(std::floor(site.y + low)),
          static_cast<int>(std::ceil(site.y + high)) - 1};
}

// The shares of the pixels of one row that a polygon covers.
class RowShares {
 public:
  // Finds the shares of a polygon in a row; its corners are relative to `site`.
  void find(std::span<const Vec2> corners, Vec2 site, int row) {
    double low = corners[0].x, high = corners[0].x;
    for (const Vec2 c : corners) {
      low = std::min(low, c.x);
      high = std::max(high, c.x);
    }
    first_ = static_cast<int>(std::floor(site.x + low));
    const int last = static_cast<int>(std::floor(site.x + high));
    shares_.assign(static_cast<std::size_t>(last - first_ + 2), 0);
    const Vec2 origin{site.x - first_, site.y - row};
    for (std::size_t i = 0; i < corners.size(); ++i) {
      add_side(corners[i] + origin, corners[(i + 1) % corners.size()] + origin);
    }
    double sum = 0;
    for (double& share : shares_) {
      sum += share;
      share = std::min(std::abs(sum), 1.0);
    }
  }

  int first() const { return first_; }
  std::span<const double> shares() const { return std::span(shares_).first(shares_.size() - 1); }

 private:
  // Adds the area to the right of a side: its height in each pixel that it crosses.
  void add_side(Vec2 a, Vec2 b) {
    const double y0 = std::clamp(a.y, 0.0, 1.0);
    const double y1 = std::clamp(b.y, 0.0, 1.0);
    if (y0 == y1) return;
    const double run = (b.x - a.x) / (b.y - a.y);
    const double x0 = y0 == a.y ? a.x : a.x + (y0 - a.y) * run;
    const double x1 = y1 == b.y ? b.x : a.x + (y1 - a.y) * run;
    const double low = std::min(x0, x1), high = std::max(x0, x1);
    const int most = static_cast<int>(shares_.size()) - 2;
    const int from = std::clamp(static_cast<int>(std::floor(low)), 0, most);
    const int to = std::clamp(static_cast<int>(std::floor(high)), 0, most);
    for (int x = from; x <= to; ++x) {
      const double begin = std::max(low, static_cast<double>(x));
      const double end = x == to ? high : x + 1.0;
      const double part = from == to ? 1 : (end - begin) / (high - low);
      const double height = (y1 - y0) * part;
      const double right = x + 1 - 0.5 * (begin + end);
      shares_[static_cast<std::size_t>(x)] += height * right;
      shares_[static_cast<std::size_t>(x) + 1] += height * (1 - right);
    }
  }

  int first_ = 0;
  std::vector<double> shares_;
};

}  // namespace

std::vector<Plane<float>> shared_out(
    const SiteGrid& grid, double inset, std::size_t channels,
    const std::function<float(std::int32_t id, std::size_t channel)>& value, Context& context) {
  const int width = static_cast<int>(grid.domain().width);
  const int height = static_cast<int>(grid.domain().height);
  const bool wrap = grid.domain().wrap;
  const Outlines outlines = outlines_of(grid, inset, context);
  // Cells are listed by the bands of rows that they meet: a band has one writer.
  const int bands = (height + band_rows - 1) / band_rows;
  std::vector<std::vector<std::int32_t>> cells(static_cast<std::size_t>(bands));
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const auto id = static_cast<std::int32_t>(i);
    if (outlines.at(i).empty()) continue;
    const Rows rows = rows_of(outlines.at(i), grid.position(id));
    for (int y = rows.first; y <= rows.last; ++y) {
      if (!wrap && (y < 0 || y >= height)) continue;
      auto& list = cells[static_cast<std::size_t>(modulo(y, height) / band_rows)];
      if (list.empty() || list.back() != id) list.push_back(id);
    }
  }
  std::vector<Plane<float>> planes(channels, Plane<float>(width, height));
  parallel_for(context, cells.size(), [&](std::size_t band) {
    const int top = static_cast<int>(band) * band_rows;
    const int bottom = std::min(height, top + band_rows);
    // One sum per channel, and a sum of the shares.
    std::vector<Plane<double>> sums(channels + 1, Plane<double>(width, bottom - top));
    RowShares row;
    for (std::size_t at = 0; at < cells[band].size(); ++at) {
      const std::int32_t id = cells[band][at];
      const auto corners = outlines.at(static_cast<std::size_t>(id));
      const Vec2 site = grid.position(id);
      const Rows rows = rows_of(corners, site);
      for (int y = rows.first; y <= rows.last; ++y) {
        const int inside = modulo(y, height);
        if (inside < top || inside >= bottom || (!wrap && inside != y)) continue;
        row.find(corners, site, y);
        for (std::size_t i = 0; i < row.shares().size(); ++i) {
          int x = row.first() + static_cast<int>(i);
          if (wrap) x = modulo(x, width);
          if (x < 0 || x >= width) continue;
          for (std::size_t c = 0; c < channels; ++c) {
            sums[c](x, inside - top) += row.shares()[i] * static_cast<double>(value(id, c));
          }
          sums[channels](x, inside - top) += row.shares()[i];
        }
      }
    }
    // Corners are rounded: whole cells are scaled so that they fill their pixels.
    for (int y = top; y < bottom; ++y) {
      for (int x = 0; x < width; ++x) {
        const double all = inset > 0 ? 1 : sums[channels](x, y - top);
        for (std::size_t c = 0; c < channels; ++c) {
          planes[c](x, y) = all > 0 ? static_cast<float>(sums[c](x, y - top) / all) : 0.0f;
        }
      }
    }
  });
  return planes;
}

}  // namespace dapple::cells
