// Nearest sites by brute force over a few bins.
//
// A block, one vector wide and a few rows high, compares its pixels with every site within the
// margin of it, which in each row of bins is one run of memory. All sites that it does not see are
// farther than the margin, so that the block is right where its K-th distance is not. A candidate
// costs a square for all rows of the block, and a sum and K minima a row: squared heights are
// computed once for a strip of blocks.
#include "generate/worley_strip.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "generate/worley_strip.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <array>
#include <cmath>
#include <hwy/highway.h>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, 16> lanes;
constexpr hn::RebindToSigned<decltype(lanes)> id_lanes;
using Lanes = hn::Vec<decltype(lanes)>;
using Ids = hn::Vec<decltype(id_lanes)>;

// Numbers of lanes for `count` pixels; what is beyond is left out.
template <class D, class V, class T>
HWY_INLINE void store_first(D d, V values, T* to, int count) {
  constexpr int step = hn::MaxLanes(D());
  if (count >= step) return hn::StoreU(values, d, to);
  T all[step];
  hn::StoreU(values, d, all);
  std::copy(all, all + count, to);
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
  static constexpr int width = hn::MaxLanes(lanes);
  // About as many as registers hold K distances of.
  static constexpr int height = K == 1 ? tallest : K == 2 ? 4 : K == 3 ? 3 : K == 4 ? 2 : 1;

  float centre_x(int x) const { return static_cast<float>(x + 0.5 - middle_.x); }
  float centre_y(int y) const { return static_cast<float>(y + 0.5 - middle_.y); }

  void strip(int y) {
    const int first = sites_.row(centre_y(y) - sites_.margin);
    const int last = sites_.row(centre_y(y + height - 1) + sites_.margin);
    const std::uint32_t from = sites_.starts[static_cast<std::size_t>(first * sites_.columns)];
    const std::uint32_t to = sites_.starts[static_cast<std::size_t>((last + 1) * sites_.columns)];
    const std::size_t size = sites_.y.size();
    for (int r = 0; r < height; ++r) {
      const Lanes row = hn::Set(lanes, centre_y(y + r));
      float* squares = &sites_.dy2[static_cast<std::size_t>(r) * size];
      for (std::uint32_t i = from; i < to; i += width) {
        const Lanes dy = hn::Sub(hn::LoadU(lanes, &sites_.y[i]), row);
        hn::StoreU(hn::Mul(dy, dy), lanes, squares + i);
      }
    }
    for (int x = tile_.x0; x < tile_.x1; x += width) block(x, y, first, last);
  }

  void block(int x, int y, int first, int last) {
    const Lanes centre = hn::Add(hn::Iota(lanes, 0.0f), hn::Set(lanes, centre_x(x)));
    const auto left = static_cast<std::size_t>(sites_.column(centre_x(x) - sites_.margin));
    const auto right =
        static_cast<std::size_t>(sites_.column(centre_x(x + width - 1) + sites_.margin)) + 1;
    Lanes nearest[K][height];
    Ids id[height];
    for (int r = 0; r < height; ++r) {
      for (int k = 0; k < K; ++k) {
        nearest[k][r] = hn::Set(lanes, std::numeric_limits<float>::infinity());
      }
      id[r] = hn::Zero(id_lanes);
    }
    const std::size_t size = sites_.y.size();
    for (int row = first; row <= last; ++row) {
      const std::uint32_t* starts = &sites_.starts[static_cast<std::size_t>(row * sites_.columns)];
      const std::uint32_t end = starts[right];
      for (std::uint32_t i = starts[left]; i < end; ++i) {
        const Lanes dx = hn::Sub(hn::Set(lanes, sites_.x[i]), centre);
        const Lanes dx2 = hn::Mul(dx, dx);
        const float* squares = &sites_.dy2[i];
        for (int r = 0; r < height; ++r, squares += size) {
          Lanes d = hn::Add(dx2, hn::Set(lanes, *squares));
          if constexpr (with_id) {
            const auto nearer = hn::RebindMask(id_lanes, hn::Lt(d, nearest[0][r]));
            id[r] = hn::IfThenElse(nearer, hn::Set(id_lanes, sites_.id[i]), id[r]);
          }
          for (int k = 0; k < K; ++k) {
            const Lanes beyond = hn::Max(d, nearest[k][r]);
            nearest[k][r] = hn::Min(d, nearest[k][r]);
            d = beyond;
          }
        }
      }
    }
    store(x, y, nearest, id);
  }

  void store(int x, int y, const Lanes (&nearest)[K][height], const Ids (&id)[height]) {
    const int columns = std::min(width, tile_.x1 - x);
    const int rows = std::min(height, tile_.y1 - y);
    const auto inside = hn::FirstN(lanes, static_cast<std::size_t>(columns));
    // Distances are off by rounding only.
    const Lanes most = hn::Set(lanes, sites_.margin - 1e-3f);
    auto in_doubt = hn::FirstN(lanes, 0);
    for (int r = 0; r < rows; ++r) {
      Lanes length[K];
      for (int k = 0; k < K; ++k) {
        length[k] = hn::Sqrt(nearest[k][r]);
        Band<float>& plane = cells_.distance[static_cast<std::size_t>(k)];
        if (!plane.empty()) store_first(lanes, length[k], &plane(x, y + r), columns);
      }
      in_doubt = hn::Or(in_doubt, hn::Gt(length[K - 1], most));
      if constexpr (with_id) {
        in_doubt = hn::Or(in_doubt, hn::Le(hn::Sub(length[1], length[0]), hn::Set(lanes, tie)));
        store_first(id_lanes, id[r], &cells_.nearest(x, y + r), columns);
      }
    }
    if (!hn::AllFalse(lanes, hn::And(in_doubt, inside))) {
      open_.push_back({x, y, x + columns, y + rows});
    }
  }

  // Of distances below float_reach, apart by more than rounding.
  static constexpr float tie = 1e-5f + 1e-6f * float_reach;

  StripSites& sites_;
  PixelBox tile_;
  Vec2 middle_;
  Cells& cells_;
  std::vector<PixelBox>& open_;
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
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple {
namespace {

HWY_EXPORT(search_strips_of);

// The widest vector may be loaded at the end of a list.
constexpr std::size_t overhang = 16;

// The margin for the nearest one, two and so on, in units of the mean spacing round the tile. With
// larger ones fewer blocks stay open, but all of them see more sites.
double margin_of(int nearest) {
  constexpr std::array<double, 4> margins{1.2, 1.7, 2.0, 2.2};
  return nearest <= 4 ? margins[static_cast<std::size_t>(nearest - 1)] : 2.8;
}
constexpr int most_attempts = 3;

}  // namespace

bool StripSites::fill(const SiteGrid& grid, const PixelBox& tile, int nearest) {
  const double most = widest(grid);
  const Vec2 middle = middle_of(tile);
  const double times = margin_of(nearest);
  double reach = times * grid.spacing();
  double spacing = 0;
  for (int attempt = 0;; ++attempt) {
    if (!(reach < most) || attempt == most_attempts) return false;
    const Box window = window_round(tile, reach);
    grid.gather(window, middle, gathered);
    const auto count = static_cast<double>(std::max<std::size_t>(gathered.size(), 1));
    spacing = std::sqrt(window.width() * window.height() / count);
    if (times * spacing <= 1.1 * reach) break;
    reach = 1.1 * times * spacing;
  }
  if (reach > 1.5 * times * spacing) {
    // Far more was gathered than matters.
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
  if (x.size() < n + overhang) {
    x.resize(n + overhang);
    y.resize(n + overhang);
    id.resize(n + overhang);
    dy2.resize(tallest * x.size());
  }
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
  const double most = 0.5 * float_reach;
  return grid.domain().wrap ? std::min(0.5 * grid.domain().shorter_side() - 1, most) : most;
}

void search_strips(StripSites& sites, const PixelBox& tile, int nearest, Cells& cells,
                   std::vector<PixelBox>& open) {
  HWY_DYNAMIC_DISPATCH(search_strips_of)(sites, tile, nearest, cells, open);
}

}  // namespace dapple
#endif
