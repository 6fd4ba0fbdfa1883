// Visits one tile. A visit copies the points that can matter to the tile, and reads a map of 64
// squares per cell. A square is live if no single point is known to cover it. Darts on other
// squares need no search. Squares that stay live are compared with the points near their cell, get
// darts, and are halved. The rest goes to the subdivision of Ebeida et al. (2012).
//
// Vector code runs in float, in squares of the map around the center of the tile. It only reports
// "surely too near" or "surely covered", with a margin above all rounding. The code in double
// decides the other cases.
#include "sample/darts/tile_kernel.hpp"

#include <array>
#include <bit>

#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/darts/tile_kernel.cpp"
#include <hwy/foreach_target.h>

#include "sample/darts/live_map.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {
namespace {

constexpr int place_bits = 30;  // of a place along the side of a tile
constexpr int tries = 4;        // darts in a row that miss before squares are halved
constexpr int last_level = 7;   // of halving; the subdivision goes deeper
constexpr std::size_t most_squares = 128;

// Calls body with the rule as a constant. Only rules that a job can have are compiled.
template <class Field, class Body>
void with_rule_of(const VisitJobOf<Field>& job, const Body& body) {
  if constexpr (!std::is_same_v<Field, RegionTiles>) {
    with_rule(job.rule, body);
  } else if (job.rule == capped_mean) {
    body(std::integral_constant<ConflictRule, capped_mean>{});
  } else {
    body(std::integral_constant<ConflictRule, ConflictRule::mean>{});
  }
}

// How a visit sees a field: as it is, or one tile of regions at a time.
template <class Field>
struct ViewOf {
  using Type = const Field&;
};
template <>
struct ViewOf<RegionTiles> {
  using Type = RegionTile;
};

template <ConflictRule rule, class Field>
class Visit {
  static constexpr bool has_borders = std::is_same_v<Field, RegionTiles>;

 public:
  using Job = VisitJobOf<Field>;

  explicit Visit(const Job& job)
      : set_(job.set), points_(job.points), field_(job.field), lists_(3) {}

  void throw_darts(std::size_t index, const Job& job) {
    const Tile& tile = set_.tiles()[index];
    int behind = 0;
    if (job.octave != Tile::smooth) {
      behind = job.octave - tile.octave;
      if (behind < 0 || job.octave > tile.highest) return;
    } else if (tile.highest != Tile::smooth) {
      return;
    }
    // A density of darts ~ r^-1/2 leaves both sides of a jump as dense as they are far from it.
    const double share = std::ldexp(behind % 2 == 0 ? 1 : std::sqrt(0.5), -(3 * behind / 2));
    const auto turn = static_cast<std::uint64_t>(64 * job.round + std::min(behind, 63));
    const Random random(job.seed, Stream::darts, index * 256 + turn);
    const double side = tile.cells / tile.r_min;
    const double wanted = share * job.darts * side * tile.cell_width * side * tile.cell_height;
    const auto darts = static_cast<int>(wanted + to_unit(random.at(~std::uint64_t{0})));
    if (darts == 0) return;
    start(index);
    for (int i = 0; i < darts; ++i) {
      const std::uint64_t bits = random.at(static_cast<std::uint64_t>(i));
      const auto u = static_cast<std::uint32_t>(bits >> 34);
      const auto v = static_cast<std::uint32_t>(bits) >> 2;
      if ((live_[v >> square_bits_] >> (u >> square_bits_) & 1) != 0) attempt(0, u, v, tile.r_max);
    }
    finish();
  }

  void fill(std::size_t index, const Job& job) {
    start(index);
    Random random(job.seed, Stream::fill, index);
    const auto cells = static_cast<std::uint32_t>(tile_->cells);
    const std::uint32_t first = random.below(cells * cells);
    const std::uint32_t step = random.below(cells * cells) | 1;
    for (std::uint32_t k = 0; k < cells * cells; ++k) {
      const std::uint32_t cell = (first + k * step) % (cells * cells);
      fill_cell(cell % cells, cell / cells, random);
    }
    finish();
  }

  // ---- for Filler: depth d looks at the points of lists_[d + 1] ----
  bool enter(int depth, const Box& box, const RadiusBounds& bounds) {
    const NearList& list = lists_[static_cast<std::size_t>(depth)];
    const Local at = local(box);
    if (any_covers<rule>(list, at, in_squares(bounds.min), margin_)) return true;
    // The margin would decide for so small a box, so points are compared in double.
    if (2 * (at.half_width + at.half_height) < 256 * margin_) {
      for (std::size_t i = 0; i < list.size; ++i) {
        const auto [p, r] = exactly(list.id[i]);
        if (covers(box, bounds.min, p, r)) return true;
      }
    }
    narrow(depth, box, bounds.max);
    return false;
  }

  std::uint32_t open_parts(int depth, const Box& box, double smallest) const {
    const NearList& list = lists_[static_cast<std::size_t>(depth + 1)];
    const Local at = local(box);
    const float half_width = at.half_width / 4;
    const float half_height = at.half_height / 4;
    float x[16];
    float y[16];
    for (int k = 0; k < 16; ++k) {
      x[k] = at.x + half_width * static_cast<float>(2 * (k & 3) - 3);
      y[k] = at.y + half_height * static_cast<float>(2 * (k >> 2) - 3);
    }
    const float r_min = in_squares(smallest);
    std::uint32_t covered = 0;
    for (std::size_t i = 0; i < list.size; ++i) {
      const float f = std::max(0.0f, conflict_of<rule>(r_min, list.r[i]) - margin_);
      for (std::size_t k = 0; k < 16; k += Floats::count) {
        const Floats dx = abs(list.x[i] - Floats::load(x + k)) + half_width;
        const Floats dy = abs(list.y[i] - Floats::load(y + k)) + half_height;
        covered |= bits_of(dx * dx + dy * dy < f * f) << k;
      }
    }
    return covered ^ 0xffff;
  }

  bool covers(const Box& box, double r_min, Vec2 p, double r) const {
    const double dx = std::max(p.x - box.x0, box.x1 - p.x);
    const double dy = std::max(p.y - box.y0, box.y1 - p.y);
    const double f = conflict_of<rule>(r_min, r);
    return dx * dx + dy * dy < f * f;
  }

  bool conflicts(int depth, Vec2 p, double radius) const {
    const NearList& list = lists_[static_cast<std::size_t>(depth + 1)];
    return conflicts(list, static_cast<float>((p.x - center_.x) * inverse_),
                     static_cast<float>((p.y - center_.y) * inverse_), p, radius);
  }

  void add(int depth, Vec2 p, double) {
    add_point(depth + 1, TilePoints::place_of(*tile_, p),
              has_borders ? only_radius_ : field_.map_radius(p));
  }
  // Returns the place that a point at p will have.
  Vec2 rounded(Vec2 p) const {
    return TilePoints::place_in(*tile_, TilePoints::place_of(*tile_, p));
  }

 private:
  using Place = TilePoints::Place;

  Local local(const Box& box) const {
    return {static_cast<float>((0.5 * (box.x0 + box.x1) - center_.x) * inverse_),
            static_cast<float>((0.5 * (box.y0 + box.y1) - center_.y) * inverse_),
            static_cast<float>(0.5 * box.width() * inverse_),
            static_cast<float>(0.5 * box.height() * inverse_)};
  }
  float in_squares(double length) const { return static_cast<float>(length * inverse_); }

  // ---- beginning and end of a visit ----

  void start(std::size_t index) {
    index_ = index;
    tile_ = &set_.tiles()[index];
    const Box& box = tile_->box;
    rows_ = 8 * tile_->cells;
    square_bits_ = place_bits - std::countr_zero(static_cast<unsigned>(rows_));
    center_ = center_of(*tile_);
    inverse_ = 8 / tile_->cell_width;
    aspect_ = static_cast<float>(tile_->cell_height / tile_->cell_width);
    half_width_ = 0.5f * static_cast<float>(rows_);
    half_height_ = half_width_ * aspect_;
    step_x_ = static_cast<float>(rows_) * 0x1p-30f;
    step_y_ = step_x_ * aspect_;
    r_min_ = in_squares(tile_->r_min);
    const bool begins = !points_.has_begun(index);
    live_ = points_.live_rows(*tile_, index);
    if constexpr (has_borders) {
      field_.enter(index);
      if (begins) field_.clear_outside(*tile_, live_);
      uniform_ = true;
      only_radius_ = field_.map_radius();
    } else {
      uniform_ = field_.uniform(box);
      only_radius_ = uniform_ ? field_.map_radius({box.x0, box.y0}) : 0;
    }
    own_images_.clear();
    fresh_.clear();

    NearList& list = lists_[0];
    list.size = 0;
    float reach = static_cast<float>(tile_->r_max * inverse_);
    float widest = static_cast<float>(rows_);
    const std::span<const TileLink> links = set_.links(index);
    first_link_ = set_.first_link(index);
    for (std::size_t k = 0; k < links.size(); ++k) {
      if (links[k].tile == index && links[k].shift != 0) {
        own_images_.push_back(static_cast<std::uint32_t>(k));
      }
      gather(links[k], k, reach, widest);
    }
    add_obstacles(reach);
    // Coordinates stay below this sum; the margin allows for a few roundings.
    margin_ = (static_cast<float>(rows_) + 2 * reach + widest) * 1e-6f;
    for (const std::uint32_t i : fresh_) erase(list.x[i], list.y[i], list.r[i]);
  }

  void add_obstacles(float& reach) {
    obstacles_.clear();
    points_.obstacles.for_each_near(index_, [&](const Obstacles::Point& obstacle) {
      const Vec2 p = (obstacle.at - center_) * inverse_;
      const float r = in_squares(obstacle.r);
      fresh_.push_back(static_cast<std::uint32_t>(lists_[0].size));
      reach = std::max(reach, r);
      list_point(0, static_cast<float>(p.x), static_cast<float>(p.y), r, obstacles_.size(),
                 no_link);
      obstacles_.push_back(obstacle);
    });
    lists_[0].reserve(lists_[0].size);
    lists_[0].fill_up();
  }

  // Records that every point of the tile and its images has been erased.
  void finish() {
    const std::span<const TileLink> links = set_.links(index_);
    for (std::size_t k = 0; k < links.size(); ++k) {
      points_.seen(first_link_ + k) = static_cast<std::uint16_t>(points_.count(links[k].tile));
    }
  }

  void gather(const TileLink link, std::size_t number, float& reach, float& widest) {
    const std::size_t n = points_.count(link.tile);
    if (n == 0) return;
    const Tile& other = set_.tiles()[link.tile];
    const std::size_t seen = points_.seen(first_link_ + number);
    const Vec2 corner = Vec2{other.box.x0, other.box.y0} + set_.shifts[link.shift] - center_;
    const float corner_x = in_squares(corner.x);
    const float corner_y = in_squares(corner.y);
    const float width = in_squares(other.cells * other.cell_width);
    const float height = in_squares(other.cells * other.cell_height);
    const float step_x = width * 0x1p-30f;
    const float step_y = height * 0x1p-30f;
    const auto safe_inverse = static_cast<float>(inverse_ * safety);
    // Leaves room for the rounding of all terms.
    const float r_max = static_cast<float>(tile_->r_max * inverse_ * (1 + 1e-4)) + 1e-3f;
    NearList& list = lists_[0];
    std::size_t kept = list.size;
    list.reserve(kept + n + TilePoints::chunk);
    if (slots_.size() < kept + n + 1) {
      slots_.resize(2 * (kept + n + 1));
      from_link_.resize(slots_.size());
    }
    for (std::size_t i = 0; i < n; i += Floats::count) {
      const TilePoints::Chunk& from = points_.chunk_at(other.first + i);
      const std::size_t part = i % TilePoints::chunk;
      const Floats x = convert<Floats>(Ints::load(from.u + part)) * step_x + corner_x;
      const Floats y = convert<Floats>(Ints::load(from.v + part)) * step_y + corner_y;
      const Floats r = Floats::load(from.r + part) * safe_inverse;
      const Floats dx = beyond(x, half_width_);
      const Floats dy = beyond(y, half_height_);
      const Floats f = conflict_lanes<rule>(r_max, r) * 1.0001f;
      std::uint32_t bits = bits_of((dx * dx + dy * dy < f * f) & (r > 0));
      if (bits == 0) continue;
      store_kept(x, bits, &list.x[kept]);
      store_kept(y, bits, &list.y[kept]);
      store_kept(r, bits, &list.r[kept]);
      for (; bits != 0; bits &= bits - 1) {
        const std::size_t k = i + static_cast<std::size_t>(std::countr_zero(bits));
        list.id[kept] = static_cast<std::uint32_t>(kept);
        slots_[kept] = other.first + k;
        from_link_[kept] = static_cast<std::uint32_t>(number);
        reach = std::max(reach, from.r[k % TilePoints::chunk] * static_cast<float>(inverse_));
        if (k >= seen) fresh_.push_back(static_cast<std::uint32_t>(kept));
        ++kept;
      }
    }
    if (kept == list.size) return;
    widest = std::max({widest, width, height});
    list.size = kept;
  }

  // Keeps the points of the list at `depth` that could conflict with some place of a box.
  void narrow(int depth, const Box& box, double largest) {
    const auto above = static_cast<std::size_t>(depth);
    if (lists_.size() < above + 2) lists_.emplace_back();
    keep_near<rule>(lists_[above], local(box), in_squares(largest), margin_, lists_[above + 1]);
  }

  // ---- one point ----

  // Tries a place of the tile, in 2^-30ths of its sides. Returns true if it added a point.
  bool attempt(std::size_t level, std::uint32_t u, std::uint32_t v, double r_max) {
    const Place at{static_cast<std::int32_t>(u), static_cast<std::int32_t>(v)};
    const Vec2 p = TilePoints::place_in(*tile_, at);
    if (p.x >= tile_->box.x1 || p.y >= tile_->box.y1) return false;
    const float r = uniform_ ? only_radius_ : field_.map_radius(p);
    const double safe = static_cast<double>(r) * safety;
    if (safe > r_max) return false;
    const float x = static_cast<float>(at.u) * step_x_ - half_width_;
    const float y = static_cast<float>(at.v) * step_y_ - half_height_;
    if (conflicts(lists_[level], x, y, p, safe)) return false;
    if constexpr (has_borders) {
      if (!field_.contains(p)) return false;
    }
    add_point(static_cast<int>(level), at, r);
    return true;
  }

  bool conflicts(const NearList& list, float x, float y, Vec2 p, double radius) const {
    const float own = in_squares(radius);
    bool unsure = false;
    for (std::size_t i = 0; i < list.size; i += Floats::count) {
      const Floats dx = Floats::load(&list.x[i]) - x;
      const Floats dy = Floats::load(&list.y[i]) - y;
      const Floats d2 = dx * dx + dy * dy;
      const Floats f = conflict_lanes<rule>(own, Floats::load(&list.r[i]));
      const Floats most = f + margin_;
      if (!any(d2 < most * most)) continue;
      const Floats least = max(f - margin_, 0);
      if (any(d2 < least * least)) return true;
      unsure = true;
    }
    return unsure && conflicts_in_double(list, p, radius);
  }

  HWY_NOINLINE bool conflicts_in_double(const NearList& list, Vec2 p, double radius) const {
    for (std::size_t i = 0; i < list.size; ++i) {
      const auto [q, r] = exactly(list.id[i]);
      const double f = conflict_of<rule>(radius, r);
      if (length_squared(q - p) < f * f) return true;
    }
    return false;
  }

  // Returns the place and the safe radius of a point of lists_[0].
  std::pair<Vec2, double> exactly(std::uint32_t id) const {
    const std::size_t at = slots_[id];
    if (from_link_[id] == no_link) return {obstacles_[at].at, obstacles_[at].r};
    const TileLink link = set_.links(index_)[from_link_[id]];
    return {points_.place(set_.tiles()[link.tile], at) + set_.shifts[link.shift],
            static_cast<double>(points_.radius(at)) * safety};
  }

  // Adds a point to all lists up to `level`.
  void add_point(int level, Place at, float r) {
    const std::size_t slot = points_.add(*tile_, index_, at, r);
    const float x = static_cast<float>(at.u) * step_x_ - half_width_;
    const float y = static_cast<float>(at.v) * step_y_ - half_height_;
    add_image(level, x, y, r, slot, 0);
    // A tile that is its own neighbor on the torus sees the images of the new point too.
    for (const std::uint32_t link : own_images_) {
      const Vec2 shift = set_.shifts[set_.links(index_)[link].shift];
      add_image(level, x + in_squares(shift.x), y + in_squares(shift.y), r, slot, link);
    }
  }

  void add_image(int level, float x, float y, float r, std::size_t slot, std::uint32_t link) {
    const auto safe = static_cast<float>(static_cast<double>(r) * safety * inverse_);
    list_point(level, x, y, safe, slot, link);
    erase(x, y, safe);
  }

  void list_point(int level, float x, float y, float r, std::size_t slot, std::uint32_t link) {
    const std::size_t id = lists_[0].size;
    if (slots_.size() <= id) {
      slots_.resize(2 * id + 64);
      from_link_.resize(slots_.size());
    }
    slots_[id] = slot;
    from_link_[id] = link;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(level); ++i) {
      lists_[i].add(x, y, r, static_cast<std::uint32_t>(id));
    }
  }

  // ---- live squares ----

  void erase(float x, float y, float r) {
    const float radius = conflict_of<rule>(r_min_, r) - margin_;
    if (radius <= 0) return;
    x += half_width_;
    y += half_height_;
    const auto [first, end] = groups(y, radius, aspect_, rows_ / 8);
    for (int g = first; g < end; ++g) {
      erase_in_rows(live_ + 8 * g, static_cast<float>(8 * g), aspect_, x, y, radius * radius);
    }
  }

  // Returns the live squares of a cell, a byte per row.
  std::uint64_t cell_bits(std::uint32_t column, std::uint32_t row) const {
    std::uint64_t bits = 0;
    for (std::uint32_t j = 0; j < 8; ++j) {
      bits |= (live_[8 * row + j] >> (8 * column) & 0xff) << (8 * j);
    }
    return bits;
  }

  void fill_cell(std::uint32_t column, std::uint32_t row, Random& random) {
    std::uint64_t live = cell_bits(column, row);
    if (live == 0) return;
    const double x = tile_->box.x0 + column * tile_->cell_width;
    const double y = tile_->box.y0 + row * tile_->cell_height;
    const Box cell{x, y, std::min(x + tile_->cell_width, tile_->box.x1),
                   std::min(y + tile_->cell_height, tile_->box.y1)};
    if (cell.x0 >= cell.x1 || cell.y0 >= cell.y1) return;
    const RadiusBounds bounds =
        uniform_ ? RadiusBounds{tile_->r_min, tile_->r_max} : field_.bounds(cell);
    if (bounds.max == 0) return;
    look_closer(column, row, live, cell, bounds, random);
  }

  // ---- smaller squares ----

  // Covers the live squares of a cell; `live` has a byte per row.
  void look_closer(std::uint32_t column, std::uint32_t row, std::uint64_t live, const Box& cell,
                   const RadiusBounds& bounds, Random& random) {
    narrow(0, cell, bounds.max);
    const float r_min = in_squares(bounds.min);
    squares_.list(live, 8 * column, 8 * row);
    for (int level = 0;; ++level) {
      const SquareGrid grid{std::ldexp(1.0f, -level), aspect_, half_width_, half_height_};
      squares_.template keep_open<rule>(lists_[1], grid, r_min, margin_);
      if constexpr (has_borders) drop_outside(level);
      for (int missed = 0; missed < tries && squares_.size() > 0;) {
        if (attempt_at(level, random, bounds.max)) {
          squares_.template keep_open<rule>(lists_[1], grid, r_min, margin_);
          missed = 0;
        } else {
          ++missed;
        }
      }
      if (squares_.size() == 0) return;
      if (level == last_level || squares_.size() > most_squares) {
        fill_squares(level, random);
        return;
      }
      squares_.quarter();
    }
  }

  // Throws a dart into one of the squares of a level.
  bool attempt_at(int level, Random& random, double r_max) {
    const std::uint64_t bits = random.bits();
    const auto [x, y] = squares_[(bits >> 54) * squares_.size() >> 10];
    const int shift = square_bits_ - level;
    const std::uint32_t low = (1U << shift) - 1;
    return attempt(1, x << shift | (static_cast<std::uint32_t>(bits) & low),
                   y << shift | (static_cast<std::uint32_t>(bits >> 27) & low), r_max);
  }

  Box box_of(int level, std::size_t i) const {
    const double width = std::ldexp(tile_->cell_width, -3 - level);
    const double height = std::ldexp(tile_->cell_height, -3 - level);
    const auto [across, down] = squares_[i];
    const double x = tile_->box.x0 + across * width;
    const double y = tile_->box.y0 + down * height;
    return {x, y, x + width, y + height};
  }

  // Drops the squares that lie outside the region.
  void drop_outside(int level) {
    if (!field_.has_border()) return;
    squares_.keep_if([&](std::size_t i) { return !field_.is_outside(box_of(level, i)); });
  }

  // Passes the remaining squares to the subdivision, one by one.
  void fill_squares(int level, Random& random) {
    using Place = std::remove_cvref_t<typename ViewOf<Field>::Type>;
    for (std::size_t i = 0; i < squares_.size(); ++i) {
      Filler<Place, Visit>(field_, *this, random, set_.domain()).fill(box_of(level, i), 1);
    }
  }

  const TileSet& set_;
  TilePoints& points_;
  typename ViewOf<Field>::Type field_;

  // The tile, and its measures in squares of its map, around its center.
  std::size_t index_ = 0;
  const Tile* tile_ = nullptr;
  std::size_t first_link_ = 0;
  Vec2 center_;
  double inverse_ = 1;  // squares per pixel
  float step_x_ = 0;    // 2^-30 of a side
  float step_y_ = 0;
  float aspect_ = 1;      // height of a square
  float half_width_ = 0;  // of the tile
  float half_height_ = 0;
  float r_min_ = 0;
  float margin_ = 0;
  int rows_ = 0;
  int square_bits_ = 0;  // log2 of the width of a square in places
  bool uniform_ = false;
  float only_radius_ = 0;
  std::uint64_t* live_ = nullptr;

  std::vector<std::uint32_t> own_images_;  // links to the tile itself, around the torus
  static constexpr std::uint32_t no_link = ~std::uint32_t{0};
  std::vector<Obstacles::Point> obstacles_;  // points of lists_[0] that come from no link
  std::vector<std::uint32_t> fresh_;         // points that start() must erase
  std::vector<std::size_t> slots_;           // of the points of lists_[0]
  std::vector<std::uint32_t> from_link_;
  std::vector<NearList> lists_;  // [0]: all points that matter to the tile; next: to parts of it

  SquareList squares_;  // open squares of a cell
};

template <class Field>
void throw_at(const VisitJobOf<Field>& job, std::span<const std::uint32_t> tiles) {
  with_rule_of(job, [&](auto constant) {
    Visit<constant, Field> visit(job);
    for (const std::uint32_t tile : tiles) visit.throw_darts(tile, job);
  });
}

template <class Field>
void fill_all(const VisitJobOf<Field>& job, std::span<const std::uint32_t> tiles) {
  with_rule_of(job, [&](auto constant) {
    Visit<constant, Field> visit(job);
    for (const std::uint32_t tile : tiles) visit.fill(tile, job);
  });
}

void throw_darts(const VisitJob& job, std::span<const std::uint32_t> tiles) {
  throw_at(job, tiles);
}
void fill_tiles(const VisitJob& job, std::span<const std::uint32_t> tiles) {
  fill_all(job, tiles);
}
void throw_in_regions(const RegionJob& job, std::span<const std::uint32_t> tiles) {
  throw_at(job, tiles);
}
void fill_regions(const RegionJob& job, std::span<const std::uint32_t> tiles) {
  fill_all(job, tiles);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple {

HWY_EXPORT(throw_darts);
HWY_EXPORT(fill_tiles);
HWY_EXPORT(throw_in_regions);
HWY_EXPORT(fill_regions);

void throw_darts(const VisitJob& job, std::span<const std::uint32_t> tiles) {
  HWY_DYNAMIC_DISPATCH(throw_darts)(job, tiles);
}
void fill_tiles(const VisitJob& job, std::span<const std::uint32_t> tiles) {
  HWY_DYNAMIC_DISPATCH(fill_tiles)(job, tiles);
}
void throw_darts(const RegionJob& job, std::span<const std::uint32_t> tiles) {
  HWY_DYNAMIC_DISPATCH(throw_in_regions)(job, tiles);
}
void fill_tiles(const RegionJob& job, std::span<const std::uint32_t> tiles) {
  HWY_DYNAMIC_DISPATCH(fill_regions)(job, tiles);
}

}  // namespace dapple
#endif
