// Finds distances to the nearest border by brute force over a few bins.
//
// Let x be a pixel of cell p. Its distance to the bisector with q is e(q) = (|x - q|^2 - |x - p|^2)
// / (2 |p - q|). The smallest e(q) over all sites q is the distance to the border. As |p - q| <= |x
// - p| + |x - q|, e(q) >= (|x - q| - |x - p|) / 2: if a site is farther from x than F1 + 2 e, its
// bisector is farther than e. So the smallest e found is right if all sites within F1 + 2 e were
// seen.
//
// A block of 8x4 pixels first finds the owner of each pixel, then the nearest of all bisectors:
// first with the nearer sites, then with the rest of the sites that may matter. Two blocks share a
// list. Differences of places are exact in float, so the distance to a bisector does not depend on
// where tiles lie. It is off only by its own rounding, however near the two sites are: |x - q|^2 -
// |x - p|^2 is the product of q - p and (q - x) + (p - x).
#include "generate/worley/edge_block.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "generate/worley/edge_block.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <bit>
#include <limits>

#include "core/lanes.hpp"
#include "generate/worley/voronoi_cell.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple::cells {
namespace HWY_NAMESPACE {

using namespace dapple::HWY_NAMESPACE;
namespace {

using Floats = Lanes<float, 16>;
constexpr int step = Floats::count;
constexpr int wide = 8, high = 4;  // pixels of a block
constexpr int pixels = wide * high;

// The nearest bisector so far, with (2 e)^2 as a fraction.
struct NearestBorder {
  Floats over, under;

  // The owner itself gives 0 / 0, which is never less.
  HWY_INLINE void take(Floats w2, Floats v2) {
    const Floats::Mask nearer = w2 * under < over * v2;
    over = select(nearer, w2, over);
    under = select(nearer, v2, under);
  }
};

// The offsets of a block's pixels from its first one.
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
  Floats x, y;
  Floats nearest, owner_x, owner_y;
  Floats least;             // below 0 if another site is nearer than the owner
  Floats e, far;            // all sites within `far` matter
  NearestBorder border[2];  // two, since each comparison waits for the one before

  HWY_INLINE void own(Floats site_x, Floats site_y) {
    const Floats dx = site_x - x;
    const Floats dy = site_y - y;
    const Floats d = dx * dx + dy * dy;
    const Floats::Mask nearer = d < nearest;
    nearest = min(d, nearest);
    owner_x = select(nearer, site_x, owner_x);
    owner_y = select(nearer, site_y, owner_y);
  }
  HWY_INLINE void split(int k, Floats site_x, Floats site_y) {
    const Floats vx = site_x - owner_x;
    const Floats vy = site_y - owner_y;
    const Floats w = vx * (site_x + (owner_x - (x + x))) + vy * (site_y + (owner_y - (y + y)));
    least = min(w, least);
    border[k].take(w * w, vx * vx + vy * vy);
  }
  HWY_INLINE void finish() {
    NearestBorder both = border[0];
    both.take(border[1].over, border[1].under);
    e = 0.5f * sqrt(both.over / both.under);
    far = sqrt(nearest) + (e + e);
  }
  // Returns 0 if another site may be the owner.
  HWY_INLINE Floats edge() const { return select(least < 0, 0, e); }
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
  // The number of parts whose values fit into the registers.
  static constexpr int at_once = step > 8 && parts % 2 == 0 ? 2 : 1;
  static constexpr int group = 16;  // pixels of a row that share a list
  // The part of the reach that most blocks need to find owners and borders.
  static constexpr float owner_look = 0.5f, border_look = 0.65f;
  // A block that needs more sites is left open.
  static constexpr std::size_t most_sites = 1500;
  static constexpr int stretch_rows = 16;  // of the tile: blocks share lists of farther sites

  // Solves a block with sites farther than the sites gathered for the tile.
  bool far_block(const PixelBox& box) {
    const double most = StripSites::widest(grid_);
    std::size_t level = 0;
    for (double reach = 2 * sites_.margin; reach < most; reach *= 2, ++level) {
      const Box window = window_around(box, reach);
      if (grid_.count_around(window) > 2 * most_sites) return false;
      take_window(stretch_around(box, level, reach), window);
      if (count_ > most_sites) return false;
      if (solve(box, static_cast<float>(reach))) return true;
    }
    return false;
  }

  // Returns the sites within a reach of the rows of the tile in which the block lies. They are
  // gathered once for all blocks of these rows.
  const StretchSites& stretch_around(const PixelBox& box, std::size_t level, double reach) {
    if (sites_.stretches.size() <= level) sites_.stretches.resize(level + 1);
    if (stretch_tops_.size() <= level) stretch_tops_.resize(level + 1, -1);
    StretchSites& stretch = sites_.stretches[level];
    const int top = box.y0 - (box.y0 - tile_.y0) % stretch_rows;
    if (stretch_tops_[level] == top) return stretch;
    stretch_tops_[level] = top;
    const PixelBox rows{tile_.x0, top, tile_.x1, std::min(top + stretch_rows, tile_.y1)};
    grid_.gather(window_around(rows, reach), middle_, sites_.gathered);
    stretch.count = sites_.gathered.size();
    if (stretch.x.size() < stretch.count + pixels) {
      stretch.x.resize(stretch.count + pixels);
      stretch.y.resize(stretch.count + pixels);
    }
    for (std::size_t i = 0; i < stretch.count; ++i) {
      stretch.x[i] = static_cast<float>(sites_.gathered[i].x);
      stretch.y[i] = static_cast<float>(sites_.gathered[i].y);
    }
    return stretch;
  }

  // Lists the sites in the window, in the order of the grid.
  void take_window(const StretchSites& stretch, const Box& window) {
    reserve(stretch.count);
    // Places are multiples of 2^-16: a bound rounded up to the next multiple is exact in float.
    const auto bound = [](double at) { return static_cast<float>(std::ceil(at * 65536) / 65536); };
    const Floats left = bound(window.x0 - middle_.x), right = bound(window.x1 - middle_.x);
    const Floats top = bound(window.y0 - middle_.y), bottom = bound(window.y1 - middle_.y);
    const auto inside = [&](std::size_t i) HWY_ATTR {
      const Floats x = Floats::load(&stretch.x[i]);
      const Floats y = Floats::load(&stretch.y[i]);
      return (x >= left) & (x < right) & (y >= top) & (y < bottom);
    };
    std::size_t count = 0;
    each_word<step>(0, stretch.count, inside, [&](std::size_t first, std::uint64_t word) HWY_ATTR {
      for (; word != 0; word &= word - 1) {
        const std::size_t i = first + static_cast<std::size_t>(std::countr_zero(word));
        sites_.near_x[count] = stretch.x[i];
        sites_.near_y[count++] = stretch.y[i];
      }
    });
    count_ = count;
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

  // Returns false if sites farther than the reach may matter.
  bool solve(const PixelBox& box, float reach) {
    const float x0 = center_x(box.x0);
    const float y0 = center_y(box.y0);
    // Distances are off by rounding only.
    const float most = reach - 1e-3f;
    measure(x0, y0);
    Part block[parts];
    for (int p = 0; p < parts; ++p) {
      Part& part = block[p];
      part.x = Floats::load(&offsets.x[p * step]) + x0;
      part.y = Floats::load(&offsets.y[p * step]) + y0;
      part.nearest = std::numeric_limits<float>::infinity();
      part.owner_x = part.owner_y = part.least = 0;
      part.border[0] = part.border[1] = {1e20f, 1};
    }
    // Takes the nearer sites first, then those of the rest that may still matter.
    const auto own = [](Part& part, float x, float y, float u, float v) HWY_ATTR {
      part.own(x, y);
      part.own(u, v);
    };
    float look = owner_look * reach;
    look_among(block, -1, look, own);
    if (!within(block, look * look, [](const Part& part) HWY_ATTR { return part.nearest; })) {
      const float bound =
          farthest(block, [](const Part& part) HWY_ATTR { return sqrt(part.nearest); });
      if (!(bound <= most)) return false;
      look_among(block, look, bound, own);
    }
    const auto split = [](Part& part, float x, float y, float u, float v) HWY_ATTR {
      part.split(0, x, y);
      part.split(1, u, v);
    };
    look = border_look * reach;
    look_among(block, -1, look, split);
    for (Part& part : block) part.finish();
    const auto far = [](const Part& part) HWY_ATTR { return part.far; };
    if (!within(block, look * 0.9999f, far)) {
      look_among(block, look, std::min(farthest(block, far), reach), split);
      for (Part& part : block) part.finish();
      if (!within(block, most, far)) return false;
    }
    float edge[pixels];
    auto in_doubt = Floats::first(0);
    for (int p = 0; p < parts; ++p) {
      const Floats e = block[p].edge();
      in_doubt = in_doubt | (e <= doubtful_edge);
      e.store(edge + p * step);
    }
    if (any(in_doubt)) {
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

  // Lists the sites of the tile within the margin of a group of blocks, and more sites.
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
      // Copies whole vectors: later sites overwrite the lanes beyond the end.
      for (std::uint32_t i = begin; i < end; i += step) {
        Floats::load(&sites_.x[i]).store(xs + count + (i - begin));
        Floats::load(&sites_.y[i]).store(ys + count + (i - begin));
      }
      count += end - begin;
    }
    count_ = count;
  }

  // Computes squared distances from the sites to the block.
  HWY_INLINE void measure(float x0, float y0) {
    constexpr float half_x = 0.5f * (wide - 1), half_y = 0.5f * (high - 1);
    for (std::size_t i = 0; i < count_; i += step) {
      const Floats dx = beyond(Floats::load(&sites_.near_x[i]) - (x0 + half_x), half_x);
      const Floats dy = beyond(Floats::load(&sites_.near_y[i]) - (y0 + half_y), half_y);
      (dx * dx + dy * dy).store(&sites_.near_d[i]);
    }
  }

  // Calls visit(part, x, y, u, v) for all parts and sites that are farther than `from` and no
  // farther than `to`. Each call has two sites, or one site twice.
  template <class Visit>
  HWY_INLINE void look_among(Part (&block)[parts], float from, float to, const Visit& visit) {
    if (from >= to) return;
    const Floats above = from < 0 ? from : from * from;
    const Floats most = to * to;
    const float* xs = sites_.near_x.data();
    const float* ys = sites_.near_y.data();
    const auto wanted = [&](std::size_t i) HWY_ATTR {
      const Floats d = Floats::load(&sites_.near_d[i]);
      return (d > above) & (d <= most);
    };
    each_word<step>(0, count_, wanted, [&](std::size_t first, std::uint64_t word) HWY_ATTR {
      for (int p = 0; p < parts; p += at_once) {
        for (std::uint64_t bits = word; bits != 0; bits &= bits - 1) {
          const std::size_t i = first + static_cast<std::size_t>(std::countr_zero(bits));
          bits &= bits - 1;
          const std::size_t k =
              bits == 0 ? i : first + static_cast<std::size_t>(std::countr_zero(bits));
          for (int q = p; q < p + at_once; ++q) visit(block[q], xs[i], ys[i], xs[k], ys[k]);
        }
      }
    });
  }

  template <class Of>
  static HWY_INLINE Floats worst(const Part (&block)[parts], const Of& of) {
    Floats worst = of(block[0]);
    for (int p = 1; p < parts; ++p) worst = max(worst, of(block[p]));
    return worst;
  }
  template <class Of>
  static HWY_INLINE bool within(const Part (&block)[parts], float most, const Of& of) {
    return all(worst(block, of) <= most);
  }
  // Returns the largest value of all pixels, and a little more.
  template <class Of>
  static HWY_INLINE float farthest(const Part (&block)[parts], const Of& of) {
    return greatest_of(worst(block, of)) * 1.00001f + 1e-4f;
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
  std::size_t count_ = 0;          // number of listed sites
  std::vector<int> stretch_tops_;  // first row of the stretch of each level
};

}  // namespace

void search_edges_of(const SiteGrid& grid, StripSites& sites, const PixelBox& tile,
                     Band<float>& edges, std::vector<PixelBox>& open) {
  EdgeBlocks(grid, sites, tile, edges, open).run();
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple::cells
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple::cells {
namespace {

HWY_EXPORT(search_edges_of);

}  // namespace

void search_edge_blocks(const SiteGrid& grid, StripSites& sites, const PixelBox& tile,
                        Band<float>& edges, std::vector<PixelBox>& open) {
  HWY_DYNAMIC_DISPATCH(search_edges_of)(grid, sites, tile, edges, open);
}

}  // namespace dapple::cells
#endif
