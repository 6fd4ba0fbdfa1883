// Distances to the nearest border by brute force over a few bins.
//
// A pixel x of cell p is e(q) = (|x - q|^2 - |x - p|^2) / (2 |p - q|) away from the bisector with
// q, and the smallest over all sites q is the distance to the border. As |p - q| <= |x - p| + |x -
// q|, e(q) >= (|x - q| - |x - p|) / 2: a site farther from x than F1 + 2 e has its bisector farther
// than e. So a pixel is right where the smallest e found, with F1, gives a disc within which all
// sites were seen.
//
// A block of 8x4 pixels first finds the owner of each pixel, then the nearest of all bisectors:
// with the nearer sites, and then with what these leave of the rest, if any. Two blocks share a
// list. Differences of places are exact in float, so that the distance to a bisector is the same
// number wherever tiles lie, and off by rounding of the distance itself, however near the two sites
// are: |x - q|^2 - |x - p|^2 is the product of q - p and (q - x) + (p - x).
#include "generate/worley/edge_block.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "generate/worley/edge_block.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <bit>
#include <hwy/highway.h>
#include <limits>

#include "generate/worley/shape.hpp"
#include "generate/worley/vectors.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {
namespace {

constexpr int wide = 8, high = 4;  // pixels of a block
constexpr int pixels = wide * high;

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

// Of a block's pixels from its first one.
struct Offsets {
  float x[pixels], y[pixels];
};
constexpr Offsets offsets = [] {
  Offsets made{};
  for (int i = 0; i < pixels; ++i) {
    const int row = i / wide;
    made.x[i] = static_cast<float>(i % wide);
    made.y[i] = static_cast<float>(row);
  }
  return made;
}();

// A vector of pixels.
struct Part {
  Lanes x, y;
  Lanes nearest, owner_x, owner_y;
  Lanes least;              // below 0 where another site is nearer than the owner
  Lanes e, far;             // all sites that are so near matter
  NearestBorder border[2];  // two, as each comparison waits for the one before

  HWY_INLINE void own(float at_x, float at_y) {
    const Lanes site_x = hn::Set(lanes, at_x);
    const Lanes site_y = hn::Set(lanes, at_y);
    const Lanes dx = hn::Sub(site_x, x);
    const Lanes dy = hn::Sub(site_y, y);
    const Lanes d = hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy));
    const auto nearer = hn::Lt(d, nearest);
    nearest = hn::Min(d, nearest);
    owner_x = hn::IfThenElse(nearer, site_x, owner_x);
    owner_y = hn::IfThenElse(nearer, site_y, owner_y);
  }
  HWY_INLINE void split(int k, float at_x, float at_y) {
    const Lanes site_x = hn::Set(lanes, at_x);
    const Lanes site_y = hn::Set(lanes, at_y);
    const Lanes back_x = hn::Sub(owner_x, hn::Add(x, x));
    const Lanes back_y = hn::Sub(owner_y, hn::Add(y, y));
    const Lanes vx = hn::Sub(site_x, owner_x);
    const Lanes vy = hn::Sub(site_y, owner_y);
    const Lanes w =
        hn::Add(hn::Mul(vx, hn::Add(site_x, back_x)), hn::Mul(vy, hn::Add(site_y, back_y)));
    least = hn::Min(w, least);
    border[k].take(hn::Mul(w, w), hn::Add(hn::Mul(vx, vx), hn::Mul(vy, vy)));
  }
  HWY_INLINE void finish() {
    NearestBorder both = border[0];
    both.take(border[1].over, border[1].under);
    e = hn::Mul(hn::Set(lanes, 0.5f), hn::Sqrt(hn::Div(both.over, both.under)));
    far = hn::Add(hn::Sqrt(nearest), hn::Add(e, e));
  }
  // 0 where another site may be the owner.
  HWY_INLINE Lanes edge() const { return hn::IfThenZeroElse(hn::Lt(least, hn::Zero(lanes)), e); }
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
    for (int y = tile_.y0; y < tile_.y1; y += high) {
      for (int x = tile_.x0; x < tile_.x1; x += wide) {
        const PixelBox box{x, y, std::min(x + wide, tile_.x1), std::min(y + high, tile_.y1)};
        if ((x - tile_.x0) % group == 0) list_near(x, y);
        if (solve(box, sites_.margin)) continue;
        if (!far_block(box)) open_.push_back(box);
        list_near(x - (x - tile_.x0) % group, y);
      }
    }
  }

 private:
  static constexpr int parts = pixels / step;
  // As many as registers hold.
  static constexpr int at_once = step > 8 && parts % 2 == 0 ? 2 : 1;
  static constexpr int group = 16;  // pixels of a row that share a list
  // Of the reach: what most blocks need to find owners and borders.
  static constexpr float owner_look = 0.5f, border_look = 0.65f;
  // A block that needs more sites is left open.
  static constexpr std::size_t most_sites = 1500;

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
    sites_.near_d.resize(count);
  }

  float center_x(int x) const { return static_cast<float>(x + 0.5 - middle_.x); }
  float center_y(int y) const { return static_cast<float>(y + 0.5 - middle_.y); }

  // False where sites farther than the reach may matter.
  bool solve(const PixelBox& box, float reach) {
    const float x0 = center_x(box.x0);
    const float y0 = center_y(box.y0);
    // Distances are off by rounding only.
    const float most = reach - 1e-3f;
    measure(x0, y0);
    Part all[parts];
    for (int p = 0; p < parts; ++p) {
      Part& part = all[p];
      part.x = hn::Add(hn::LoadU(lanes, &offsets.x[p * step]), hn::Set(lanes, x0));
      part.y = hn::Add(hn::LoadU(lanes, &offsets.y[p * step]), hn::Set(lanes, y0));
      part.nearest = hn::Set(lanes, std::numeric_limits<float>::infinity());
      part.owner_x = part.owner_y = part.least = hn::Zero(lanes);
      part.border[0] = part.border[1] = {hn::Set(lanes, 1e20f), hn::Set(lanes, 1.0f)};
    }
    // First the nearer ones, then what these leave of the rest.
    const auto own = [](Part& part, float x, float y, float u, float v) HWY_ATTR {
      part.own(x, y);
      part.own(u, v);
    };
    float look = owner_look * reach;
    look_among(all, -1, look, own);
    if (!within(all, look * look, [](const Part& part) HWY_ATTR { return part.nearest; })) {
      const float bound =
          farthest(all, [](const Part& part) HWY_ATTR { return hn::Sqrt(part.nearest); });
      if (!(bound <= most)) return false;
      look_among(all, look, bound, own);
    }
    const auto split = [](Part& part, float x, float y, float u, float v) HWY_ATTR {
      part.split(0, x, y);
      part.split(1, u, v);
    };
    look = border_look * reach;
    look_among(all, -1, look, split);
    for (Part& part : all) part.finish();
    const auto far = [](const Part& part) HWY_ATTR { return part.far; };
    if (!within(all, look * 0.9999f, far)) {
      look_among(all, look, std::min(farthest(all, far), reach), split);
      for (Part& part : all) part.finish();
      if (!within(all, most, far)) return false;
    }
    alignas(64) float edge[pixels];
    auto in_doubt = hn::FirstN(lanes, 0);
    for (int p = 0; p < parts; ++p) {
      const Lanes e = all[p].edge();
      in_doubt = hn::Or(in_doubt, hn::Le(e, hn::Set(lanes, doubtful_edge)));
      hn::Store(e, lanes, edge + p * step);
    }
    if (!hn::AllFalse(lanes, in_doubt)) {
      for (int i = 0; i < pixels; ++i) {
        if (edge[i] > doubtful_edge) continue;
        const Exact found = exact({x0 + offsets.x[i], y0 + offsets.y[i]});
        if (found.far > reach - 1e-3) return false;
        edge[i] = found.edge <= on_border ? 0 : static_cast<float>(found.edge);
      }
    }
    const float* row = edge;
    for (int y = box.y0; y < box.y1; ++y, row += wide) {
      std::copy(row, row + box.width(), &edges_(box.x0, y));
    }
    return true;
  }

  // Those of the tile within the margin of a group of blocks, and more.
  void list_near(int x, int y) {
    const float x0 = center_x(x);
    const float y0 = center_y(y);
    const float reach = sites_.margin;
    const int first = sites_.row(y0 - reach);
    const int last = sites_.row(y0 + (high - 1) + reach);
    const auto left = static_cast<std::size_t>(sites_.column(x0 - reach));
    const auto right = static_cast<std::size_t>(sites_.column(x0 + (group - 1) + reach)) + 1;
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

  // Squared distances from the sites to the block.
  HWY_INLINE void measure(float x0, float y0) {
    constexpr float half_x = 0.5f * (wide - 1), half_y = 0.5f * (high - 1);
    const Lanes middle_x = hn::Set(lanes, x0 + half_x);
    const Lanes middle_y = hn::Set(lanes, y0 + half_y);
    for (std::size_t i = 0; i < count_; i += step) {
      const Lanes dx = beyond(hn::Sub(hn::LoadU(lanes, &sites_.near_x[i]), middle_x), half_x);
      const Lanes dy = beyond(hn::Sub(hn::LoadU(lanes, &sites_.near_y[i]), middle_y), half_y);
      hn::StoreU(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)), lanes, &sites_.near_d[i]);
    }
  }

  // Calls visit(part, x, y, x, y) for all parts and sites that are farther than `from` and no
  // farther than `to`, two of these at a time, or one twice.
  template <class Visit>
  HWY_INLINE void look_among(Part (&all)[parts], float from, float to, const Visit& visit) {
    if (from >= to) return;
    const Lanes above = hn::Set(lanes, from < 0 ? from : from * from);
    const Lanes most = hn::Set(lanes, to * to);
    const float* xs = sites_.near_x.data();
    const float* ys = sites_.near_y.data();
    const auto wanted = [&](std::size_t i) HWY_ATTR {
      const Lanes d = hn::LoadU(lanes, &sites_.near_d[i]);
      return hn::And(hn::Gt(d, above), hn::Le(d, most));
    };
    each_word(0, count_, wanted, [&](std::size_t first, std::uint64_t word) HWY_ATTR {
      for (int p = 0; p < parts; p += at_once) {
        for (std::uint64_t bits = word; bits != 0; bits &= bits - 1) {
          const std::size_t i = first + static_cast<std::size_t>(std::countr_zero(bits));
          bits &= bits - 1;
          const std::size_t k =
              bits == 0 ? i : first + static_cast<std::size_t>(std::countr_zero(bits));
          for (int q = p; q < p + at_once; ++q) visit(all[q], xs[i], ys[i], xs[k], ys[k]);
        }
      }
    });
  }

  template <class Of>
  static HWY_INLINE bool within(const Part (&all)[parts], float most, const Of& of) {
    Lanes worst = of(all[0]);
    for (int p = 1; p < parts; ++p) worst = hn::Max(worst, of(all[p]));
    return hn::AllTrue(lanes, hn::Le(worst, hn::Set(lanes, most)));
  }
  // Of all pixels, and a little more.
  template <class Of>
  static HWY_INLINE float farthest(const Part (&all)[parts], const Of& of) {
    Lanes worst = of(all[0]);
    for (int p = 1; p < parts; ++p) worst = hn::Max(worst, of(all[p]));
    return hn::GetLane(hn::MaxOfLanes(lanes, worst)) * 1.00001f + 1e-4f;
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
