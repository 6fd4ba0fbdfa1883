// Finds the nearest sites by brute force over a few bins.
//
// A block is one vector wide and a few rows high. It compares its pixels with every site within the
// margin. All other sites are farther than the margin, so a block is right if its K-th distances
// are within it. It first takes the nearer sites. Of the others it takes the sites no farther than
// the largest K-th distance so far; most blocks have none of these left. A candidate costs a square
// for all rows of the block, and a sum and K minima per row: squared heights are computed once for
// a strip of blocks.
#include "generate/worley/nearest_bins.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "generate/worley/nearest_bins.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "core/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple::cells {
namespace HWY_NAMESPACE {

using namespace dapple::HWY_NAMESPACE;
namespace {

using Floats = Lanes<float, 16>;
using Ids = Lanes<std::int32_t, 16>;

// Stores the lanes of `count` pixels and leaves out the rest.
template <class Vector, class T>
HWY_INLINE void store_first(Vector values, T* to, int count) {
  if (count >= int{Vector::count}) return values.store(to);
  T each[Vector::count];
  values.store(each);
  std::copy(each, each + count, to);
}

template <int K, bool with_id>
class Strips {
 public:
  Strips(StripSites& sites, const PixelBox& tile, Cells& cells, std::vector<PixelBox>& open)
      : sites_(sites), tile_(tile), middle_(middle_of(tile)), cells_(cells), open_(open) {}

  void run() {
    for (int y = tile_.y0; y < tile_.y1; y += height) strip(y);
  }

 private:
  static constexpr int width = Floats::count;
  // Registers hold about this many rows of K distances; the widest vectors have twice as many.
  static constexpr int few = K == 2 ? 4 : K == 3 ? 3 : K == 4 ? 2 : 1;
  static constexpr int height = K == 1 ? tallest : width > 8 ? 2 * few : few;
  // The part of the margin that most blocks need.
  static constexpr float first_look = K == 1 ? 0.8f : 0.7f;

  float center_x(int x) const { return static_cast<float>(x + 0.5 - middle_.x); }
  float center_y(int y) const { return static_cast<float>(y + 0.5 - middle_.y); }

  void strip(int y) {
    for (int k = 0; k < K; ++k) {
      Band<float>& plane = cells_.distance[static_cast<std::size_t>(k)];
      if (plane.empty()) continue;
      rows_[k] = plane.row(y);
      stride_ = plane.plane.width();
    }
    if constexpr (with_id) {
      ids_ = cells_.nearest.row(y);
      stride_ = cells_.nearest.plane.width();
    }
    const float top = center_y(y);
    const int first = sites_.row(top - sites_.margin);
    const int last = sites_.row(top + (height - 1) + sites_.margin);
    from_ = sites_.starts[static_cast<std::size_t>(first * sites_.columns)];
    to_ = sites_.starts[static_cast<std::size_t>((last + 1) * sites_.columns)];
    const std::size_t size = sites_.y.size();
    const float half = 0.5f * (height - 1);
    for (std::size_t i = from_; i < to_; i += width) {
      const Floats site_y = Floats::load(&sites_.y[i]);
      for (int r = 0; r < height; ++r) {
        const Floats dy = site_y - (top + static_cast<float>(r));
        (dy * dy).store(&sites_.dy2[static_cast<std::size_t>(r) * size + i]);
      }
      const Floats dy = beyond(site_y - (top + half), half);
      (dy * dy).store(&sites_.from_strip[i]);
    }
    for (int x = tile_.x0; x < tile_.x1; x += width) block(x, y);
  }

  struct Nearest {
    Floats squares[K][height];
    Ids id[height];
  };

  void block(int x, int y) {
    Nearest nearest;
    for (int r = 0; r < height; ++r) {
      for (int k = 0; k < K; ++k) nearest.squares[k][r] = std::numeric_limits<float>::infinity();
      nearest.id[r] = 0;
    }
    const float most = sites_.margin * sites_.margin;
    const float look = first_look * first_look * most;
    const float left = center_x(x);
    const Floats center = Floats::count_from(0) + left;
    constexpr float half = 0.5f * (width - 1);
    compare_all(center, nearest, [&](std::size_t i) HWY_ATTR {
      const Floats dx = beyond(Floats::load(&sites_.x[i]) - (left + half), half);
      const Floats d = dx * dx + Floats::load(&sites_.from_strip[i]);
      d.store(&sites_.from_block[i]);
      return d <= look;
    });
    Floats worst = worst_of(nearest);
    // Rounding must never drop a site that ties with the bound.
    if (!all(worst <= 0.9999f * look - 1e-4f)) {
      const float far = std::min(greatest_of(worst) * 1.0001f + 1e-4f, most);
      compare_all(center, nearest, [&](std::size_t i) HWY_ATTR {
        const Floats d = Floats::load(&sites_.from_block[i]);
        return (d > look) & (d <= far);
      });
      worst = worst_of(nearest);
    }
    store(x, y, nearest, worst);
  }

  static HWY_INLINE Floats worst_of(const Nearest& nearest) {
    Floats worst = nearest.squares[K - 1][0];
    for (int r = 1; r < height; ++r) worst = max(worst, nearest.squares[K - 1][r]);
    return worst;
  }

  // Compares with the strip's sites for which wanted() is true, a vector of sites at a time.
  template <class Wanted>
  HWY_INLINE void compare_all(Floats center, Nearest& nearest, const Wanted& wanted) const {
    each_word<width>(from_, to_, wanted, [&](std::size_t from, std::uint64_t bits) HWY_ATTR {
      compare(from, bits, center, nearest);
    });
  }

  // Compares with the site at `from` and the sites after it whose bits in `wanted` are set.
  HWY_INLINE void compare(std::size_t from, std::uint64_t wanted, Floats center,
                          Nearest& nearest) const {
    const std::size_t size = sites_.y.size();
    for (; wanted != 0; wanted &= wanted - 1) {
      const std::size_t i = from + static_cast<std::size_t>(std::countr_zero(wanted));
      const Floats dx = sites_.x[i] - center;
      const Floats dx2 = dx * dx;
      const float* squares = &sites_.dy2[i];
      for (int r = 0; r < height; ++r, squares += size) {
        Floats d = dx2 + *squares;
        if constexpr (with_id) {
          nearest.id[r] = select(d < nearest.squares[0][r], sites_.id[i], nearest.id[r]);
        }
        for (int k = 0; k < K; ++k) {
          const Floats farther = max(d, nearest.squares[k][r]);
          nearest.squares[k][r] = min(d, nearest.squares[k][r]);
          d = farther;
        }
      }
    }
  }

  void store(int x, int y, const Nearest& nearest, Floats worst) {
    const int columns = std::min(width, tile_.x1 - x);
    const int rows = std::min(height, tile_.y1 - y);
    bool open = false;
    if (columns == width && rows == height) {
      open = put<true>(x, columns, rows, nearest, worst);
    } else {
      open = put<false>(x, columns, rows, nearest, worst);
    }
    if (open) open_.push_back({x, y, x + columns, y + rows});
  }

  // Returns true if a pixel is in doubt.
  template <bool whole>
  HWY_INLINE bool put(int x, int columns, int rows, const Nearest& nearest, Floats worst) {
    // Distances are off by rounding only.
    const float reach = std::max(sites_.margin - 1e-3f, 0.0f);
    const float most = reach * reach;
    auto in_doubt = whole ? worst > most : Floats::first(0);
    for (int r = 0; r < height; ++r) {
      if (!whole && r >= rows) break;
      Floats length[K];
      for (int k = 0; k < K; ++k) {
        length[k] = sqrt(nearest.squares[k][r]);
        if (rows_[k] == nullptr) continue;
        float* to = rows_[k] + r * stride_ + x;
        whole ? length[k].store(to) : store_first(length[k], to, columns);
      }
      if constexpr (!whole) in_doubt = in_doubt | (nearest.squares[K - 1][r] > most);
      if constexpr (with_id) {
        in_doubt = in_doubt | (length[1] - length[0] <= tie);
        std::int32_t* to = ids_ + r * stride_ + x;
        whole ? nearest.id[r].store(to) : store_first(nearest.id[r], to, columns);
      }
    }
    if constexpr (!whole) in_doubt = in_doubt & Floats::first(static_cast<std::size_t>(columns));
    return any(in_doubt);
  }

  // Distances below float_reach that differ by more than this differ by more than rounding.
  static constexpr float tie = 1e-5f + 1e-6f * float_reach;

  StripSites& sites_;
  PixelBox tile_;
  Vec2 middle_;
  Cells& cells_;
  std::vector<PixelBox>& open_;
  // The strip's sites, and its first row in each requested plane.
  std::size_t from_ = 0, to_ = 0;
  float* rows_[K] = {};
  std::int32_t* ids_ = nullptr;
  std::ptrdiff_t stride_ = 0;
};

}  // namespace

template <int K>
void search_strips_for(StripSites& sites, const PixelBox& tile, Cells& cells,
                       std::vector<PixelBox>& open) {
  if (cells.nearest.empty()) {
    Strips<K, false>(sites, tile, cells, open).run();
  } else if constexpr (K > 1) {
    Strips<K, true>(sites, tile, cells, open).run();
  }
}

void search_strips_of(StripSites& sites, const PixelBox& tile, int nearest, Cells& cells,
                      std::vector<PixelBox>& open) {
  if (nearest == 1) return search_strips_for<1>(sites, tile, cells, open);
  if (nearest == 2) return search_strips_for<2>(sites, tile, cells, open);
  if (nearest == 3) return search_strips_for<3>(sites, tile, cells, open);
  if (nearest == 4) return search_strips_for<4>(sites, tile, cells, open);
  search_strips_for<static_cast<int>(most_distances)>(sites, tile, cells, open);
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple::cells
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple::cells {
namespace {

HWY_EXPORT(search_strips_of);

// The widest vector may be loaded at the end of a list.
constexpr std::size_t overhang = 16;

// Returns the margin for `nearest` sites, in units of the mean spacing around the tile. Larger
// margins leave fewer blocks open, but all blocks see more sites.
double margin_of(int nearest) {
  constexpr std::array<double, 4> margins{1.2, 1.7, 2.0, 2.2};
  return nearest <= 4 ? margins[static_cast<std::size_t>(nearest - 1)] : 2.8;
}
constexpr int most_attempts = 3;
// Distances up to here, and differences across a tile and its margin, are exact enough in float.
constexpr double widest_margin = 150;

double within_period(const SiteGrid& grid, double reach) {
  return grid.domain().wrap ? std::min(0.5 * grid.domain().shorter_side() - 1, reach) : reach;
}

// Returns the mean spacing of the sites in the bins that a tile meets.
double spacing_around(const SiteGrid& grid, const PixelBox& tile) {
  std::size_t count = 1;
  grid.each_run(window_around(tile, 0),
                [&](std::span<const Site> sites, Vec2) { count += sites.size(); });
  const double bin = 1 / grid.rows_a_pixel();
  return std::sqrt((tile.width() + bin) * (tile.height() + bin) / static_cast<double>(count));
}

}  // namespace

void StripSites::reserve(std::size_t n) {
  n += overhang;
  if (x.size() >= n) return;
  n += n / 4;
  x.resize(n);
  y.resize(n);
  id.resize(n);
  dy2.resize(tallest * n);
  from_strip.resize(n);
  from_block.resize(n);
}

std::size_t StripSites::take_rows(const SiteGrid& grid, const Box& window, Vec2 middle,
                                  bool whole) {
  starts.clear();
  std::size_t count = 0;
  grid.each_run(window, [&](std::span<const Site> sites, Vec2) {
    starts.push_back(static_cast<std::uint32_t>(count));
    reserve(count + sites.size());
    float* const xs = x.data();
    float* const ys = y.data();
    std::int32_t* const ids = id.data();
    // Every site is written and stays if it is inside: a branch could not be predicted.
    for (const Site& site : sites) {
      xs[count] = static_cast<float>(site.x - middle.x);
      ys[count] = static_cast<float>(site.y - middle.y);
      ids[count] = site.id;
      count += whole || window.contains({site.x, site.y}) ? 1 : 0;
    }
  });
  starts.push_back(static_cast<std::uint32_t>(count));
  return count;
}

bool StripSites::fill(const SiteGrid& grid, const PixelBox& tile, int nearest, Bins bins) {
  const double most = bins == Bins::rows ? within_period(grid, widest_margin) : widest(grid);
  const Vec2 middle = middle_of(tile);
  const double times = margin_of(nearest);
  // The margin follows the spacing where sites are denser or sparser than elsewhere.
  const double around = spacing_around(grid, tile);
  const bool even = around > 0.7 * grid.spacing() && around < 1.4 * grid.spacing();
  double reach = times * (even ? grid.spacing() : 1.1 * around);
  double spacing = 0;
  bool in_rows = false;
  Box window;
  for (int attempt = 0;; ++attempt) {
    if (!(reach < most) || attempt == most_attempts) return false;
    window = window_around(tile, reach);
    in_rows = bins == Bins::rows && grid.in_one_image(window);
    std::size_t count = 0;
    if (in_rows) {
      count = take_rows(grid, window, middle, nearest == 1);
    } else {
      grid.gather(window, middle, gathered);
      count = gathered.size();
    }
    spacing = std::sqrt(window.width() * window.height() /
                        static_cast<double>(std::max<std::size_t>(count, 1)));
    if (times * spacing <= 1.1 * reach) break;
    reach = 1.1 * times * spacing;
  }
  const bool crowded = reach > 1.5 * times * spacing;
  if (in_rows && !crowded) {
    margin = static_cast<float>(reach);
    bins_a_pixel = static_cast<float>(grid.rows_a_pixel());
    y0 = static_cast<float>(grid.top_of_row(window.y0) - middle.y);
    columns = 1;
    rows = static_cast<int>(starts.size()) - 1;
    return true;
  }
  if (in_rows) grid.gather(window, middle, gathered);
  if (crowded) {
    // Far more sites were gathered than matter.
    reach = 1.1 * times * spacing;
    const double wide = 0.5 * tile.width() + 1 + reach;
    const double high = 0.5 * tile.height() + 1 + reach;
    std::erase_if(gathered,
                  [&](const Site& s) { return std::abs(s.x) > wide || std::abs(s.y) > high; });
  }
  margin = static_cast<float>(reach);
  const double bin = std::max(spacing, 0.5);
  bins_a_pixel = static_cast<float>(1 / bin);
  x0 = static_cast<float>(tile.x0 - middle.x - reach);
  y0 = static_cast<float>(tile.y0 - middle.y - reach);
  columns = static_cast<int>((tile.width() + 2 * reach) / bin) + 1;
  rows = static_cast<int>((tile.height() + 2 * reach) / bin) + 1;
  const std::size_t n = gathered.size();
  reserve(n);
  // A counting sort: starts[b + 1] runs from the start of bin b to its end.
  starts.assign(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows) + 2, 0);
  bin_of.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Site& site = gathered[i];
    const int at = row(static_cast<float>(site.y)) * columns + column(static_cast<float>(site.x));
    bin_of[i] = static_cast<std::uint32_t>(at);
    ++starts[bin_of[i] + 2];
  }
  for (std::size_t b = 2; b < starts.size(); ++b) starts[b] += starts[b - 1];
  for (std::size_t from = 0; from < n; ++from) {
    const std::uint32_t i = starts[bin_of[from] + 1]++;
    x[i] = static_cast<float>(gathered[from].x);
    y[i] = static_cast<float>(gathered[from].y);
    id[i] = gathered[from].id;
  }
  return true;
}

double StripSites::widest(const SiteGrid& grid) {
  return within_period(grid, 0.5 * float_reach);
}

void search_strips(StripSites& sites, const PixelBox& tile, int nearest, Cells& cells,
                   std::vector<PixelBox>& open) {
  HWY_DYNAMIC_DISPATCH(search_strips_of)(sites, tile, nearest, cells, open);
}

}  // namespace dapple::cells
#endif
