// Finds the exact nearest sites of every pixel.
//
// This is the cellular texture (Worley 1996) without its lattice. A tile takes every site that can
// be among the K nearest of any of its pixels: the sites no farther than U, the K-th smallest of
// the sites' farthest distances to the tile. The tile is halved repeatedly, and each half keeps the
// sites of its parent's list within its own U, until the list is short. Then every pixel compares
// every site of the list. The bound holds for any set, so no window is assumed to be large enough.
//
// If sites lie about evenly, nearest_bins.cpp finds Euclidean distances of most blocks of pixels
// faster. The blocks that it leaves open are tiles here.
#include "generate/worley/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "generate/worley/measure.hpp"
#include "generate/worley/nearest_bins.hpp"
#include "generate/worley/tile.hpp"

namespace dapple::cells {
namespace {

constexpr int group = 2;                   // vectors that are worked on together
constexpr int lanes = group * lane_count;  // pixels of a row per step
constexpr std::size_t leaf_work = 700;     // sites times pixels below which halving does not pay

// `folded`: a site counts by its nearest image, found per pixel. This is needed if a distance
// reaches half a period. Otherwise the images in a list are separate sites.
//
// Finds k distances, k <= K, with or without the nearest site.
template <int K, bool with_id, class M, bool folded>
class Search {
 public:
  Search(const SiteGrid& grid, const M& measure, int k, Cells& cells, TileSites& sites)
      : measure_(measure),
        k_(k),
        grid_(grid),
        cells_(cells),
        sites_(sites),
        period_x_(static_cast<float>(grid.domain().width)),
        period_y_(static_cast<float>(grid.domain().height)) {}

  // sites.exact must hold every site that can matter in the tile, and may hold more.
  void tile(const PixelBox& box) {
    middle_ = middle_of(box);
    const std::size_t n = sites_.load(grid_);
    // Culls again after gather(): the first bound of the tile comes from all of its list.
    halve(box, 0, cull(box, 0, n, 0));
  }

 private:
  // Copies sites that can matter in the box from the list at `from` to `to`; returns how many.
  std::size_t cull(const PixelBox& box, std::size_t from, std::size_t n, std::size_t to) {
    sites_.reserve(std::max(from, to) + n + lane_count);
    const CenterBox b(box, middle_);
    const float* x = sites_.x.data() + from;
    const float* y = sites_.y.data() + from;
    float* near = sites_.near.data();
    float* far = sites_.far.data();
    for (std::size_t i = 0; i < n; i += lane_count) {
      const Lanes sx = load(x + i);
      const Lanes sy = load(y + i);
      const auto of = [&](Lanes dx, Lanes dy) {
        const Lanes d = measure_.of(dx, dy);
        if constexpr (!M::lifted) return d;
        return d + load(sites_.lift.data() + from + i);
      };
      cells::store(of(farthest(sx, b.x0, b.x1, period_x_), farthest(sy, b.y0, b.y1, period_y_)),
                   far + i);
      cells::store(of(nearest(sx, b.x0, b.x1, period_x_), nearest(sy, b.y0, b.y1, period_y_)),
                   near + i);
    }
    // Rounding must never drop a site that ties with the bound.
    const float bound = kth_smallest(far, n) * 1.00001f + 1e-6f;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < n; ++i) {
      sites_.x[to + kept] = sites_.x[from + i];
      sites_.y[to + kept] = sites_.y[from + i];
      if constexpr (M::lifted) sites_.lift[to + kept] = sites_.lift[from + i];
      sites_.slot[to + kept] = sites_.slot[from + i];
      kept += near[i] <= bound ? 1 : 0;
    }
    return kept;
  }

  static Lanes farthest(Lanes at, float low, float high, float period) {
    const Lanes d = larger(high - at, at - low);
    return folded ? smaller(d, all(0.5f * period)) : d;
  }

  static Lanes nearest(Lanes at, float low, float high, float period) {
    Lanes d = larger(low - at, at - high);
    if constexpr (folded) {
      // The list holds images within half a period of the tile's middle.
      d = smaller(d, larger(low - at - period, at + period - high));
      d = smaller(d, larger(low - at + period, at - period - high));
    }
    return larger(d, all(0.0f));
  }

  float kth_smallest(const float* values, std::size_t n) const {
    float best[K];
    std::fill(best, best + K, std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < n; ++i) {
      if (!(values[i] < best[K - 1])) continue;
      int k = K - 1;
      for (; k > 0 && values[i] < best[k - 1]; --k) best[k] = best[k - 1];
      best[k] = values[i];
    }
    return best[k_ - 1];
  }

  void halve(const PixelBox& box, std::size_t from, std::size_t n) {
    const bool small = box.width() <= lanes && box.height() <= 2;
    if (small || n * static_cast<std::size_t>(box.width() * box.height()) <= leaf_work) {
      return leaf(box, from, n);
    }
    PixelBox a = box;
    PixelBox b = box;
    if (box.width() > lanes && box.width() >= box.height()) {
      // Splits between whole groups of lanes.
      a.x1 = b.x0 = box.x0 + (box.width() / 2 + lanes - 1) / lanes * lanes;
    } else if (box.height() > 1) {
      a.y1 = b.y0 = box.y0 + box.height() / 2;
    } else {
      return leaf(box, from, n);
    }
    halve(a, from + n, cull(a, from, n, from + n));
    halve(b, from + n, cull(b, from, n, from + n));
  }

  void leaf(const PixelBox& box, std::size_t from, std::size_t n) {
    const float* x = sites_.x.data() + from;
    const float* y = sites_.y.data() + from;
    const std::int32_t* slot = sites_.slot.data() + from;
    const float* lift = M::lifted ? sites_.lift.data() + from : nullptr;
    for (int row = box.y0; row < box.y1; ++row) {
      const float py = static_cast<float>(row + 0.5 - middle_.y);
      for (int column = box.x0; column < box.x1; column += lanes) {
        const float px = static_cast<float>(column + 0.5 - middle_.x);
        nearest_of(px, py, x, y, lift, slot, n);
        store(column, row, std::min(lanes, box.x1 - column), from, n);
      }
    }
  }

  // Finds the K smallest measures of `lanes` pixels from px on.
  void nearest_of(float px, float py, const float* x, const float* y,
                  [[maybe_unused]] const float* lift, const std::int32_t* slot, std::size_t n) {
    const Lanes step{0, 1, 2, 3};
    Lanes center[group], nearest[K][group];
    IntLanes id[group] = {};
    for (int g = 0; g < group; ++g) {
      center[g] = px + static_cast<float>(g * lane_count) + step;
      for (int k = 0; k < K; ++k) nearest[k][g] = all(std::numeric_limits<float>::infinity());
    }
    for (std::size_t s = 0; s < n; ++s) {
      const Lanes dy = all(fold(y[s] - py, period_y_));
      const Lanes at = all(x[s]);
      for (int g = 0; g < group; ++g) {
        Lanes d = measure_.of(fold(at - center[g], all(period_x_)), dy);
        if constexpr (M::lifted) d += all(lift[s]);
        if constexpr (with_id) id[g] = d < nearest[0][g] ? all(slot[s]) : id[g];
        for (int k = 0; k < K; ++k) {
          const Lanes beyond = larger(d, nearest[k][g]);
          nearest[k][g] = smaller(d, nearest[k][g]);
          d = beyond;
        }
      }
    }
    for (int g = 0; g < group; ++g) {
      for (int k = 0; k < K; ++k) cells::store(nearest[k][g], found_[k] + g * lane_count);
      if constexpr (with_id) cells::store(id[g], slot_ + g * lane_count);
    }
  }

  template <class T>
  static T fold(T d, T period) {
    if constexpr (!folded) return d;
    const T a = magnitude(d);
    return smaller(a, period - a);
  }

  void store(int column, int row, int count, std::size_t from, std::size_t n) {
    float length[K][lanes];
    for (int k = 0; k < K; ++k) {
      for (int i = 0; i < lanes; ++i) length[k][i] = measure_.length(found_[k][i]);
    }
    bool doubtful = false;
    for (int i = 0; i < lanes; ++i) doubtful = doubtful || is_doubtful(length, i);
    for (int k = 0; k < k_; ++k) {
      Band<float>& plane = cells_.distance[static_cast<std::size_t>(k)];
      if (!plane.empty()) std::copy(length[k], length[k] + count, &plane(column, row));
    }
    if (with_id && !cells_.nearest.empty()) {
      for (int i = 0; i < count; ++i) {
        cells_.nearest(column + i, row) = sites_.exact[static_cast<std::size_t>(slot_[i])].id;
      }
    }
    if (!doubtful) return;
    for (int i = 0; i < count; ++i) {
      if (is_doubtful(length, i)) exact_pixel(column + i, row, from, n);
    }
  }

  // Returns true if float cannot tell which of two sites is nearer, or how far a site is.
  bool is_doubtful(const float (&length)[K][lanes], int i) const {
    bool doubtful = !(length[k_ - 1][i] <= float_reach);
    if constexpr (with_id) {
      const bool tie = length[1][i] - length[0][i] <= 1e-5f + 1e-6f * length[0][i];
      doubtful = doubtful || (tie && k_ > 1 && !cells_.nearest.empty());
    }
    return doubtful;
  }

  void exact_pixel(int column, int row, std::size_t from, std::size_t n) {
    const double px = column + 0.5 - middle_.x;
    const double py = row + 0.5 - middle_.y;
    double best[K];
    std::int32_t ids[K];
    std::fill(best, best + K, std::numeric_limits<double>::infinity());
    std::fill(ids, ids + K, std::numeric_limits<std::int32_t>::max());
    for (std::size_t s = from; s < from + n; ++s) {
      const Site& site = sites_.exact[static_cast<std::size_t>(sites_.slot[s])];
      double d = measure_.of(fold(site.x - px, grid_.domain().width),
                             fold(site.y - py, grid_.domain().height));
      if constexpr (M::lifted) d += grid_.lift(site.id);
      const auto before = [&](int k) { return d < best[k] || (d == best[k] && site.id < ids[k]); };
      if (!before(K - 1)) continue;
      int k = K - 1;
      for (; k > 0 && before(k - 1); --k) {
        best[k] = best[k - 1];
        ids[k] = ids[k - 1];
      }
      best[k] = d;
      ids[k] = site.id;
    }
    for (int k = 0; k < k_; ++k) {
      Band<float>& plane = cells_.distance[static_cast<std::size_t>(k)];
      if (!plane.empty()) plane(column, row) = static_cast<float>(measure_.length(best[k]));
    }
    if (with_id && !cells_.nearest.empty()) cells_.nearest(column, row) = ids[0];
  }

  M measure_;
  int k_;
  const SiteGrid& grid_;
  Cells& cells_;
  TileSites& sites_;
  float period_x_;
  float period_y_;
  Vec2 middle_;
  float found_[K][lanes];
  std::int32_t slot_[lanes];
};

// Returns the K-th smallest farthest distance from the sites of `found` to the box, in double.
template <class M>
double bound_of(const SiteGrid& grid, const SiteList& found, const PixelBox& box, int k,
                const M& measure) {
  std::vector<double> best(static_cast<std::size_t>(k), std::numeric_limits<double>::infinity());
  const Vec2 middle = middle_of(box);
  for (const Site& site : found) {
    const double dx = std::max(box.x1 - middle.x - site.x, site.x + middle.x - box.x0);
    const double dy = std::max(box.y1 - middle.y - site.y, site.y + middle.y - box.y0);
    double d = measure.of(dx, dy);
    if constexpr (M::lifted) d += grid.lift(site.id);
    for (double& b : best) {
      if (d < b) std::swap(d, b);
    }
  }
  return measure.length(best.back());
}

// Fills `found` with every site that can be among the K nearest of a pixel of the box; returns true
// if the sites must be folded.
template <class M>
bool gather(const SiteGrid& grid, const PixelBox& box, int k, const M& measure, SiteList& found) {
  const Domain& domain = grid.domain();
  const Vec2 middle = middle_of(box);
  const double half = 0.5 * domain.shorter_side();
  double bound = std::numeric_limits<double>::infinity();
  // Sites around the middle are enough for a first bound.
  for (double m = 1.5 * grid.spacing();; m *= 2) {
    const Box window{middle.x - m, middle.y - m, middle.x + m, middle.y + m};
    if (domain.wrap && m >= half) break;
    grid.gather(window, middle, found);
    bound = bound_of(grid, found, box, k, measure);
    if (std::isfinite(bound) || covers(grid, window)) break;
  }
  if (domain.wrap && !(bound < half - 1)) {
    const double x0 = middle.x - 0.5 * domain.width;
    const double y0 = middle.y - 0.5 * domain.height;
    grid.gather({x0, y0, x0 + domain.width, y0 + domain.height}, middle, found);
    return true;
  }
  grid.gather(window_around(box, bound + 1e-3), middle, found);
  return false;
}

template <int K, bool with_id, class M>
void search_tile(const SiteGrid& grid, const PixelBox& box, const M& measure, int k, Cells& cells) {
  thread_local TileSites sites;
  if (gather(grid, box, k, measure, sites.exact)) {
    // Sites are so few that one search serves all K.
    constexpr int all = static_cast<int>(most_distances);
    Search<all, true, M, true>(grid, measure, k, cells, sites).tile(box);
  } else {
    Search<K, with_id, M, false>(grid, measure, k, cells, sites).tile(box);
  }
}

// Joins boxes of a tile, listed row by row: first boxes that lie side by side, then boxes of equal
// width that lie below each other.
void join(std::vector<PixelBox>& boxes) {
  std::size_t count = 0;
  for (const PixelBox& box : boxes) {
    PixelBox* last = count > 0 ? &boxes[count - 1] : nullptr;
    if (last != nullptr && last->y0 == box.y0 && last->y1 == box.y1 && last->x1 == box.x0) {
      last->x1 = box.x1;
    } else {
      boxes[count++] = box;
    }
  }
  boxes.resize(std::exchange(count, 0));
  for (const PixelBox& box : boxes) {
    const auto end = boxes.begin() + static_cast<std::ptrdiff_t>(count);
    const auto above = std::find_if(boxes.begin(), end, [&](const PixelBox& other) {
      return other.x0 == box.x0 && other.x1 == box.x1 && other.y1 == box.y0;
    });
    if (above != end) {
      above->y1 = box.y1;
    } else {
      boxes[count++] = box;
    }
  }
  boxes.resize(count);
}

template <int K, bool with_id>
void search(const SiteGrid& grid, int k, const Metric& metric, RowRange rows, Cells& cells,
            Context& context) {
  with_measure(metric, grid.is_lifted(), [&](const auto& measure) {
    const auto search_box = [&](const PixelBox& box) {
      search_tile<K, with_id>(grid, box, measure, k, cells);
    };
    if constexpr (std::is_same_v<decltype(measure), const Measure<Metric::euclidean>&>) {
      // Searches strips first, and then the blocks that strips leave open.
      const auto search_strips_first = [&](const PixelBox& tile) {
        thread_local StripSites strips;
        thread_local std::vector<PixelBox> open;
        open.assign(1, tile);
        if (strips.fill(grid, tile, k, StripSites::Bins::rows)) {
          open.clear();
          search_strips(strips, tile, k, cells, open);
        }
        // The search of a box gathers more sites than it meets, so fewer boxes are better. A search
        // for only the nearest site gathers few.
        if (k > 1) join(open);
        for (const PixelBox& box : open) search_box(box);
      };
      for_tiles(grid, rows, context, search_strips_first, largest_tile);
    } else {
      for_tiles(grid, rows, context, search_box);
    }
  });
}

}  // namespace

int CellQuery::farthest() const {
  int k = static_cast<int>(most_distances);
  while (k > 0 && !distances[static_cast<std::size_t>(k - 1)]) --k;
  return k;
}

void gather_nearest(const SiteGrid& grid, const PixelBox& box, SiteList& found) {
  with_measure(Metric(), grid.is_lifted(),
               [&](const auto& measure) { gather(grid, box, 1, measure, found); });
}

bool find_nearest(const SiteGrid& grid, const PixelBox& box, std::vector<std::int32_t>& ids) {
  thread_local Cells cells;
  const int width = static_cast<int>(grid.domain().width);
  if (cells.nearest.plane.width() != width || cells.nearest.plane.height() < box.height()) {
    cells.nearest = Band<std::int32_t>::unset(width, {0, std::max(box.height(), largest_tile)});
  }
  cells.nearest.first = box.y0;
  // The second distance tells whether the nearest site is in doubt.
  const int k = grid.size() > 1 ? 2 : 1;
  const Measure<Metric::euclidean> measure{Metric()};
  thread_local StripSites strips;
  thread_local std::vector<PixelBox> open;
  open.assign(1, box);
  // A strip narrower than a vector would waste most of its lanes.
  if (box.width() >= 16) {
    if (!strips.fill(grid, box, k, StripSites::Bins::rows)) return false;
    open.clear();
    search_strips(strips, box, k, cells, open);
  }
  for (const PixelBox& part : open) search_tile<2, true>(grid, part, measure, k, cells);
  ids.clear();
  for (int y = box.y0; y < box.y1; ++y) {
    const std::int32_t* row = cells.nearest.row(y);
    ids.insert(ids.end(), row + box.x0, row + box.x1);
  }
  return true;
}

Cells search_cells(const SiteGrid& grid, const CellQuery& query, RowRange rows, Context& context) {
  const int width = static_cast<int>(grid.domain().width);
  Cells cells;
  for (std::size_t k = 0; k < most_distances; ++k) {
    if (query.distances[k]) cells.distance[k] = Band<float>::unset(width, rows);
  }
  if (query.nearest) cells.nearest = Band<std::int32_t>::unset(width, rows);
  int k = query.farthest();
  // The second distance tells whether the nearest site is in doubt.
  if (query.nearest) k = std::max(k, grid.size() > 1 ? 2 : 1);
  if (k == 0) return cells;
  // Searches are compiled for one, two, three, four and eight distances.
  if (k > 4) k = static_cast<int>(most_distances);
  const auto find = [&](auto distances) {
    if (query.nearest) {
      search<std::max(distances(), 2), true>(grid, k, query.metric, rows, cells, context);
    } else {
      search<distances(), false>(grid, k, query.metric, rows, cells, context);
    }
  };
  if (k == 1) find(std::integral_constant<int, 1>());
  if (k == 2) find(std::integral_constant<int, 2>());
  if (k == 3) find(std::integral_constant<int, 3>());
  if (k == 4) find(std::integral_constant<int, 4>());
  if (k > 4) find(std::integral_constant<int, static_cast<int>(most_distances)>());
  return cells;
}

}  // namespace dapple::cells
