// Distances to the nearest border by brute force over a few bins.
//
// A pixel x of cell p is e(q) = (|x - q|^2 - |x - p|^2) / (2 |p - q|) away from the bisector with
// q, and the smallest over all sites q is the distance to the border. As |p - q| <= |x - p| + |x -
// q|, e(q) >= (|x - q| - |x - p|) / 2: a site farther from x than F1 + 2 e has its bisector farther
// than e. So a pixel is right where the smallest e found, with F1, gives a disc within which all
// sites were seen.
//
// A block of 4x4 pixels, whose window is the smallest for so many lanes, first finds the owner of
// each pixel, then the nearest of all bisectors. Differences of places are exact in float, so that
// the distance to a bisector is the same number wherever tiles lie, and off by rounding of the
// distance itself, however near the two sites are: |x - q|^2 - |x - p|^2 is the product of q - p
// and (q - x) + (p - x).
#include "generate/worley_edge_block.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "generate/worley_edge_block.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <hwy/highway.h>
#include <limits>

#include "generate/worley_shape.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int side = 4;  // pixels of a block along x and y
constexpr int pixels = side * side;
constexpr hn::CappedTag<float, pixels> lanes;
using Lanes = hn::Vec<decltype(lanes)>;
constexpr int step = hn::MaxLanes(lanes);

// The nearest bisector so far: (2 e)^2 as a fraction.
struct NearestBorder {
  Lanes over, under;

  // The owner itself is 0 / 0, and never less.
  HWY_INLINE void take(Lanes w2, Lanes v2) {
    const auto nearer = hn::Lt(hn::Mul(w2, under), hn::Mul(over, v2));
    over = hn::IfThenElse(nearer, w2, over);
    under = hn::IfThenElse(nearer, v2, under);
  }
};

class EdgeBlocks {
 public:
  EdgeBlocks(const SiteGrid& grid, StripSites& sites, const PixelBox& tile, Band<float>& edges,
             std::vector<PixelBox>& open)
      : grid_(grid),
        sites_(sites),
        tile_(tile),
        middle_(middle_of(tile)),
        edges_(edges),
        open_(open) {}

  void run() {
    for (int y = tile_.y0; y < tile_.y1; y += side) {
      for (int x = tile_.x0; x < tile_.x1; x += side) {
        const PixelBox box{x, y, std::min(x + side, tile_.x1), std::min(y + side, tile_.y1)};
        if (!near_block(box) && !far_block(box)) open_.push_back(box);
      }
    }
  }

 private:
  // Of the margin: as much as most blocks need.
  static constexpr float first_look = 0.7f;
  // A block that needs more sites is left open.
  static constexpr std::size_t most_sites = 1500;

  bool near_block(const PixelBox& box) {
    for (const float reach : {first_look * sites_.margin, sites_.margin}) {
      list_near(box, reach);
      if (solve(box, reach)) return true;
    }
    return false;
  }

  // Beyond what was gathered for the tile.
  bool far_block(const PixelBox& box) {
    const double most = StripSites::widest(grid_);
    for (double reach = 2 * sites_.margin; reach < most; reach *= 2) {
      grid_.gather(window_round(box, reach), middle_, sites_.gathered);
      if (sites_.gathered.size() > most_sites) return false;
      reserve(sites_.gathered.size());
      count_ = 0;
      for (const Site& site : sites_.gathered) {
        sites_.near_x[count_] = static_cast<float>(site.x);
        sites_.near_y[count_++] = static_cast<float>(site.y);
      }
      if (solve(box, static_cast<float>(reach))) return true;
    }
    return false;
  }

  void reserve(std::size_t count) {
    count += 2 * pixels;  // the last vector and one more
    if (sites_.near_x.size() >= count) return;
    sites_.near_x.resize(count);
    sites_.near_y.resize(count);
  }

  float centre_x(const PixelBox& box) const { return static_cast<float>(box.x0 + 0.5 - middle_.x); }
  float centre_y(const PixelBox& box) const { return static_cast<float>(box.y0 + 0.5 - middle_.y); }

  // False where sites farther than the reach may matter.
  bool solve(const PixelBox& box, float reach) {
    const float x0 = centre_x(box);
    const float y0 = centre_y(box);
    // An even number.
    sites_.near_x[count_] = sites_.near_x[0];
    sites_.near_y[count_] = sites_.near_y[0];
    alignas(64) float edge[pixels];
    // Distances are off by rounding only.
    const Lanes most = hn::Set(lanes, reach - 1e-3f);
    auto in_doubt = hn::FirstN(lanes, 0);
    for (int part = 0; part < pixels; part += step) {
      const auto [e, far] =
          edges_of(hn::Add(hn::LoadU(lanes, &offset_x[part]), hn::Set(lanes, x0)),
                   hn::Add(hn::LoadU(lanes, &offset_y[part]), hn::Set(lanes, y0)));
      if (!hn::AllTrue(lanes, hn::Le(far, most))) return false;
      in_doubt = hn::Or(in_doubt, hn::Le(e, hn::Set(lanes, doubtful_edge)));
      hn::Store(e, lanes, edge + part);
    }
    if (!hn::AllFalse(lanes, in_doubt)) {
      for (int i = 0; i < pixels; ++i) {
        if (edge[i] > doubtful_edge) continue;
        const Exact found = exact({x0 + offset_x[i], y0 + offset_y[i]});
        if (found.far > reach - 1e-3) return false;
        edge[i] = found.edge <= on_border ? 0 : static_cast<float>(found.edge);
      }
    }
    const float* row = edge;
    for (int y = box.y0; y < box.y1; ++y, row += side) {
      std::copy(row, row + box.width(), &edges_(box.x0, y));
    }
    return true;
  }

  // Those of the tile within the reach of the block's centres, and more.
  void list_near(const PixelBox& box, float reach) {
    const float x0 = centre_x(box);
    const float y0 = centre_y(box);
    const int first = sites_.row(y0 - reach);
    const int last = sites_.row(y0 + (side - 1) + reach);
    const auto left = static_cast<std::size_t>(sites_.column(x0 - reach));
    const auto right = static_cast<std::size_t>(sites_.column(x0 + (side - 1) + reach)) + 1;
    reserve(sites_.x.size());
    float* xs = sites_.near_x.data();
    float* ys = sites_.near_y.data();
    std::size_t count = 0;
    for (int row = first; row <= last; ++row) {
      const std::uint32_t* starts = &sites_.starts[static_cast<std::size_t>(row * sites_.columns)];
      const std::uint32_t begin = starts[left];
      const std::uint32_t end = starts[right];
      // Whole vectors: what is beyond the end is written over.
      for (std::uint32_t i = begin; i < end; i += step) {
        hn::StoreU(hn::LoadU(lanes, &sites_.x[i]), lanes, xs + count + (i - begin));
        hn::StoreU(hn::LoadU(lanes, &sites_.y[i]), lanes, ys + count + (i - begin));
      }
      count += end - begin;
    }
    count_ = count;
  }

  struct Found {
    Lanes edge;  // 0 where another site may be the owner
    Lanes far;   // all sites that are so near matter
  };
  HWY_INLINE Found edges_of(Lanes x, Lanes y) const {
    const float* xs = sites_.near_x.data();
    const float* ys = sites_.near_y.data();
    Lanes nearest = hn::Set(lanes, std::numeric_limits<float>::infinity());
    Lanes owner_x = hn::Zero(lanes);
    Lanes owner_y = hn::Zero(lanes);
    for (std::size_t i = 0; i < count_; ++i) {
      const Lanes site_x = hn::Set(lanes, xs[i]);
      const Lanes site_y = hn::Set(lanes, ys[i]);
      const Lanes dx = hn::Sub(site_x, x);
      const Lanes dy = hn::Sub(site_y, y);
      const Lanes d = hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy));
      const auto nearer = hn::Lt(d, nearest);
      nearest = hn::Min(d, nearest);
      owner_x = hn::IfThenElse(nearer, site_x, owner_x);
      owner_y = hn::IfThenElse(nearer, site_y, owner_y);
    }
    const Lanes back_x = hn::Sub(owner_x, hn::Add(x, x));
    const Lanes back_y = hn::Sub(owner_y, hn::Add(y, y));
    Lanes least = hn::Zero(lanes);  // below 0 where another site is nearer than the owner
    // Two at a time, as each comparison waits for the one before.
    const NearestBorder none{hn::Set(lanes, 1e20f), hn::Set(lanes, 1.0f)};
    NearestBorder border[2] = {none, none};
    for (std::size_t i = 0; i < count_; i += 2) {
      for (std::size_t k = 0; k < 2; ++k) {
        const Lanes site_x = hn::Set(lanes, xs[i + k]);
        const Lanes site_y = hn::Set(lanes, ys[i + k]);
        const Lanes vx = hn::Sub(site_x, owner_x);
        const Lanes vy = hn::Sub(site_y, owner_y);
        const Lanes w =
            hn::Add(hn::Mul(vx, hn::Add(site_x, back_x)), hn::Mul(vy, hn::Add(site_y, back_y)));
        least = hn::Min(w, least);
        border[k].take(hn::Mul(w, w), hn::Add(hn::Mul(vx, vx), hn::Mul(vy, vy)));
      }
    }
    border[0].take(border[1].over, border[1].under);
    const Lanes e =
        hn::Mul(hn::Set(lanes, 0.5f), hn::Sqrt(hn::Div(border[0].over, border[0].under)));
    const Lanes far = hn::Add(hn::Sqrt(nearest), hn::Add(e, e));
    return {hn::IfThenZeroElse(hn::Lt(least, hn::Zero(lanes)), e), far};
  }

  struct Exact {
    double edge, far;
  };
  Exact exact(Vec2 at) const {
    const auto site = [&](std::size_t i) { return Vec2{sites_.near_x[i], sites_.near_y[i]}; };
    Vec2 owner = site(0);
    for (std::size_t i = 1; i < count_; ++i) {
      if (length_squared(site(i) - at) < length_squared(owner - at)) owner = site(i);
    }
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < count_; ++i) {
      if (site(i) == owner) continue;
      const Vec2 other = site(i) - owner;
      const VoronoiCell::Border border{other, 0.5 * length_squared(other)};
      least = std::min(least, border.distance(at - owner));
    }
    return {least, length(owner - at) + 2 * least};
  }

  // Of a block's pixels from its first one.
  static constexpr float offset_x[pixels] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
  static constexpr float offset_y[pixels] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};

  const SiteGrid& grid_;
  StripSites& sites_;
  PixelBox tile_;
  Vec2 middle_;
  Band<float>& edges_;
  std::vector<PixelBox>& open_;
  std::size_t count_ = 0;  // of those that are listed
};

}  // namespace

void search_edges_of(const SiteGrid& grid, StripSites& sites, const PixelBox& tile,
                     Band<float>& edges, std::vector<PixelBox>& open) {
  EdgeBlocks(grid, sites, tile, edges, open).run();
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple {
namespace {

HWY_EXPORT(search_edges_of);

}  // namespace

void search_edge_blocks(const SiteGrid& grid, StripSites& sites, const PixelBox& tile,
                        Band<float>& edges, std::vector<PixelBox>& open) {
  HWY_DYNAMIC_DISPATCH(search_edges_of)(grid, sites, tile, edges, open);
}

}  // namespace dapple
#endif
