// Finds the exact distance to the nearest border between cells: block by block in edge_block.cpp
// where cells are small, and cell by cell elsewhere.
//
// A pixel x of cell i is (|x - pj|^2 - |x - pi|^2) / (2 |pj - pi|) away from the bisector with j.
// This is linear in x, and the smallest over the neighbors of i is the distance to the border.
// Neighbors are the neighbors of the cell that VoronoiCell cuts out. Borders beyond the frame count
// too, so the frame is moved out as far as they matter. A pixel belongs to the cell in which all of
// these distances are above 0. No cell reads another's results, and each writes its own pixels.
// Pixels on a border belong to no cell and stay 0.
#include "core/modulo.hpp"
#include "dapple/context.hpp"
#include "generate/worley/search.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "generate/worley/edge.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/lanes.hpp"
#include "core/parallel.hpp"
#include "generate/worley/edge_block.hpp"
#include "generate/worley/tile.hpp"
#include "generate/worley/voronoi_cell.hpp"

#ifndef DAPPLE_WORLEY_EDGE
#define DAPPLE_WORLEY_EDGE
namespace dapple::cells {

// A bisector of two sites, relative to the first: x is offset - normal . x away from it.
struct Bisector {
  float normal_x, normal_y, offset;
  float x, y, lift;  // the second site, rounded, and its lift above the first site's lift
  VoronoiCell::Border exact;
  double run;  // 1 / exact.other.x; 0 if the bisector hardly meets a row
};

// Pixel centers of a row, relative to the site: `count` centers from first_x on may be inside.
struct EdgeRow {
  float first_x, y;
  int count;
};

// The largest vector may be stored at the end of a row.
inline constexpr int edge_overhang = 16;

}  // namespace dapple::cells
#endif

HWY_BEFORE_NAMESPACE();
namespace dapple::cells {
namespace HWY_NAMESPACE {

using namespace dapple::HWY_NAMESPACE;

// Finds the distances of one row: `values` has room for count + edge_overhang numbers, `offsets`
// for one number per bisector.
template <bool lifted>
void distances_of(std::span<const Bisector> bisectors, const EdgeRow& row, float* offsets,
                  float* values) {
  using Floats = Lanes<float, edge_overhang>;
  for (std::size_t j = 0; j < bisectors.size(); ++j) {
    offsets[j] = bisectors[j].offset - bisectors[j].normal_y * row.y;
  }
  for (int i = 0; i < row.count; i += int{Floats::count}) {
    const Floats x = Floats::count_from(0) + (row.first_x + static_cast<float>(i));
    Floats least = std::numeric_limits<float>::infinity();
    Floats vx = 0;
    Floats vy = 0;
    [[maybe_unused]] Floats lift = 0;
    for (std::size_t j = 0; j < bisectors.size(); ++j) {
      const Floats distance = offsets[j] - bisectors[j].normal_x * x;
      const Floats::Mask nearer = distance < least;
      least = min(least, distance);
      vx = select(nearer, bisectors[j].x, vx);
      vy = select(nearer, bisectors[j].y, vy);
      if constexpr (lifted) lift = select(nearer, bisectors[j].lift, lift);
    }
    // The formula is the same as in edge_block.cpp, so that no pixel shows which file computed it.
    Floats w = vx * (vx - 2 * x) + vy * (vy - 2 * row.y);
    if constexpr (lifted) w += lift;
    const Floats e = 0.5f * sqrt(w * w / (vx * vx + vy * vy));
    copy_sign(e, w).store(values + i);
  }
}

void distances_of_row(std::span<const Bisector> bisectors, const EdgeRow& row, bool lifted,
                      float* offsets, float* values) {
  if (lifted) return distances_of<true>(bisectors, row, offsets, values);
  distances_of<false>(bisectors, row, offsets, values);
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple::cells
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple::cells {
namespace {

HWY_EXPORT(distances_of_row);

class EdgeRaster {
 public:
  EdgeRaster(const SiteGrid& grid, RowRange rows, Band<float>& edges)
      : grid_(grid),
        rows_(rows),
        edges_(edges),
        width_(static_cast<int>(grid.domain().width)),
        height_(static_cast<int>(grid.domain().height)),
        cell_(grid) {}

  void draw(std::int32_t id) {
    cell_.cut_out(id);
    if (cell_.is_double() || cell_.empty()) return;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    Box box{infinite, infinite, -infinite, -infinite};
    for (const VoronoiCell::Corner& corner : cell_.corners()) {
      box.x0 = std::min(box.x0, corner.at.x);
      box.y0 = std::min(box.y0, corner.at.y);
      box.x1 = std::max(box.x1, corner.at.x);
      box.y1 = std::max(box.y1, corner.at.y);
    }
    exact_ = cell_.farthest() > float_reach;
    find_bisectors();
    exact_ = exact_ || bisectors_.empty();
    for (const Bisector& b : bisectors_) exact_ = exact_ || std::abs(b.offset) > float_reach;
    const Vec2 site = cell_.site();
    const int last_y = last_pixel(site.y + box.y1, height_);
    for (int y = first_pixel(site.y + box.y0); y <= last_y; ++y) {
      if (rows_.has(row_of(y))) draw_row(y, box.x0, box.x1);
    }
  }

 private:
  // Corners and borders are off by less than this, in pixels.
  static constexpr double slack = 0.01;

  int row_of(int y) const { return grid_.domain().wrap ? modulo(y, height_) : y; }
  int first_pixel(double from) const {
    const int first = static_cast<int>(std::ceil(from - 0.5 - slack));
    return grid_.domain().wrap ? first : std::max(first, 0);
  }
  int last_pixel(double to, int size) const {
    const int last = static_cast<int>(std::floor(to - 0.5 + slack));
    return grid_.domain().wrap ? last : std::min(last, size - 1);
  }

  void find_bisectors() {
    cell_.move_frame_out();
    bisectors_.clear();
    for (const VoronoiCell::Corner& corner : cell_.corners()) {
      if (corner.id != VoronoiCell::frame) add_bisector(cell_.border(corner));
    }
  }

  void add_bisector(const VoronoiCell::Border& border) {
    const Vec2 other = border.other;
    const double distance = length(other);
    const auto x = static_cast<float>(other.x / distance);
    const auto y = static_cast<float>(other.y / distance);
    const double run = std::abs(x) > 1e-3f ? 1 / other.x : 0;
    bisectors_.push_back({x, y, static_cast<float>(border.half / distance),
                          static_cast<float>(other.x), static_cast<float>(other.y),
                          static_cast<float>(2 * border.half - length_squared(other)), border,
                          run});
  }

  // Draws the pixels of a row from x0 to x1, relative to the site, that belong to the cell.
  void draw_row(int y, double x0, double x1) {
    const Vec2 site = cell_.site();
    const double dy = y + 0.5 - site.y;
    for (const Bisector& b : bisectors_) {
      const double at = (b.exact.half - b.exact.other.y * dy) * b.run;
      if (b.run > 0) x1 = std::min(x1, at);
      if (b.run < 0) x0 = std::max(x0, at);
    }
    const int first = first_pixel(site.x + x0);
    const int count = last_pixel(site.x + x1, width_) + 1 - first;
    if (count <= 0) return;
    if (exact_) {
      for (int i = 0; i < count; ++i) draw_exact(first + i, y);
      return;
    }
    const auto room = static_cast<std::size_t>(count + edge_overhang);
    if (values_.size() < room) values_.resize(room);
    if (offsets_.size() < bisectors_.size()) offsets_.resize(bisectors_.size());
    HWY_DYNAMIC_DISPATCH(distances_of_row)
    (bisectors_, {static_cast<float>(first + 0.5 - site.x), static_cast<float>(dy), count},
     grid_.is_lifted(), offsets_.data(), values_.data());
    // The pixels inside are one run, since cells are convex.
    int begin = 0;
    int end = count;
    const auto outside = [&](int i) {
      const float value = values_[static_cast<std::size_t>(i)];
      if (value > doubtful_edge) return false;
      if (value >= -doubtful_edge) draw_exact(first + i, y);
      return true;
    };
    while (begin < end && outside(begin)) ++begin;
    while (end > begin && outside(end - 1)) --end;
    store(first, y, begin, end);
  }

  void store(int first, int y, int begin, int end) {
    float* row = edges_.row(row_of(y));
    if (first + begin >= 0 && first + end <= width_) {
      std::copy(&values_[0] + begin, &values_[0] + end, row + first + begin);
      return;
    }
    for (int i = begin; i < end; ++i) {
      row[modulo(first + i, width_)] = values_[static_cast<std::size_t>(i)];
    }
  }

  // Writes the pixel if it belongs to the cell. On a border it stays 0: no other cell writes it
  // either, even a neighbor that meets this cell only in a corner.
  void draw_exact(int x, int y) {
    const Vec2 p = Vec2{x + 0.5, y + 0.5} - cell_.site();
    // A lifted cell may have no border at all.
    double least = length({grid_.domain().width, grid_.domain().height});
    for (const Bisector& b : bisectors_) least = std::min(least, b.exact.distance(p));
    if (least <= on_border) return;
    if (grid_.domain().wrap) x = modulo(x, width_);
    edges_(x, row_of(y)) = static_cast<float>(least);
  }

  const SiteGrid& grid_;
  RowRange rows_;
  Band<float>& edges_;
  int width_, height_;  // of the image
  VoronoiCell cell_;
  bool exact_ = false;  // float is not exact in all of the cell
  std::vector<Bisector> bisectors_;
  std::vector<float> offsets_, values_;
};

// If sites are nearer to each other than this, in pixels, blocks are faster than cutting out cells.
constexpr double block_spacing = 20;

}  // namespace

EdgeSearch::EdgeSearch(const SiteGrid& grid)
    : grid_(grid), blocks_(grid.spacing() < block_spacing && !grid.is_lifted()) {
  if (blocks_) left_ = std::vector<std::atomic<bool>>(grid.size());
}

Band<float> EdgeSearch::search(RowRange rows, Context& context) {
  const RowRange all{0, static_cast<int>(grid_.domain().height)};
  const auto band_of = [&](RowRange range) {
    const int width = static_cast<int>(grid_.domain().width);
    return Band<float>{Plane<float>(width, range.count()), range.first};
  };
  const bool whole = rows.count() == all.count();
  if (blocks_ && !known_ && !whole) {
    for (int y = 0; y < all.last; y += largest_tile) {
      const RowRange range{y, std::min(y + largest_tile, all.last)};
      Band<float> unused = band_of(range);
      fill_blocks(range, unused, context);
    }
    known_ = true;
  }
  Band<float> edges = band_of(rows);
  if (blocks_) fill_blocks(rows, edges, context);
  if (whole) {
    cut_out(edges, rows, nullptr, context);
    return edges;
  }
  std::vector<std::atomic<bool>> near(grid_.size());
  for_tiles(
      grid_, rows, context, [&](const PixelBox& tile) { mark_nearest(tile, near); }, largest_tile);
  cut_out(edges, rows, &near, context);
  return edges;
}

// Fills the tiles that suit blocks; marks the cells that have pixels elsewhere.
void EdgeSearch::fill_blocks(RowRange rows, Band<float>& edges, Context& context) {
  const auto fill = [&](const PixelBox& tile) {
    thread_local StripSites strips;
    thread_local std::vector<PixelBox> open;
    open.assign(1, tile);
    if (strips.fill(grid_, tile, 3, StripSites::Bins::squares) &&
        strips.margin < 2.2 * block_spacing) {
      open.clear();
      search_edge_blocks(grid_, strips, tile, edges, open);
    }
    for (const PixelBox& box : open) mark_owners(box);
  };
  for_tiles(grid_, rows, context, fill, largest_tile);
}

void EdgeSearch::mark_nearest(const PixelBox& box, std::vector<std::atomic<bool>>& marks) const {
  thread_local SiteList found;
  gather_nearest(grid_, box, found);
  for (const Site& site : found) {
    marks[static_cast<std::size_t>(site.id)].store(true, std::memory_order_relaxed);
  }
}

// Marks the owners of pixels. All candidates would include sites that crowd beside a wide cell.
void EdgeSearch::mark_owners(const PixelBox& box) {
  thread_local std::vector<std::int32_t> owners;
  if (!find_nearest(grid_, box, owners)) return mark_nearest(box, left_);
  for (const std::int32_t id : owners) {
    left_[static_cast<std::size_t>(id)].store(true, std::memory_order_relaxed);
  }
}

void EdgeSearch::cut_out(Band<float>& edges, RowRange rows,
                         const std::vector<std::atomic<bool>>* wanted, Context& context) {
  // Visits neighbors in the grid one after the other.
  const std::span<const Site> sites = grid_.sites();
  constexpr std::size_t run = 64;
  constexpr std::size_t batch = 256;  // runs between two reports of progress
  const std::size_t runs = (sites.size() + run - 1) / run;
  const double height = grid_.domain().height;
  for (std::size_t done = 0; done < runs; done += batch) {
    parallel_for(context, std::min(batch, runs - done), [&](std::size_t r) {
      EdgeRaster raster(grid_, rows, edges);
      const std::size_t begin = (done + r) * run;
      const std::size_t end = std::min(sites.size(), begin + run);
      for (std::size_t i = begin; i < end; ++i) {
        const auto id = static_cast<std::size_t>(sites[i].id);
        if (blocks_ && !left_[id]) continue;
        if (wanted == nullptr || (*wanted)[id]) raster.draw(sites[i].id);
      }
    });
    const double share =
        static_cast<double>(std::min(done + batch, runs)) / static_cast<double>(runs);
    context.progress((rows.first + share * rows.count()) / height);
  }
}

}  // namespace dapple::cells
#endif
