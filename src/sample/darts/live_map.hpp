// What a visit to a tile holds: lists of the points near by, and maps of the squares that are live.
//
// Included by files that Highway compiles several times, hence no ordinary guard.
#if defined(DAPPLE_SAMPLE_LIVE_MAP) == defined(HWY_TARGET_TOGGLE)
#ifdef DAPPLE_SAMPLE_LIVE_MAP
#undef DAPPLE_SAMPLE_LIVE_MAP
#else
#define DAPPLE_SAMPLE_LIVE_MAP
#endif

#include <vector>

#include "core/random.hpp"
#include "sample/darts/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {

constexpr float nowhere = 1e18f;  // so far away that it never matters

// Points that matter to a square, and which they are among all of the visit. Filled up to whole
// lanes by points that are nowhere.
struct NearList {
  std::vector<float> x, y, r;
  std::vector<std::uint32_t> id;
  std::size_t size = 0;

  void reserve(std::size_t room) {
    room += 2 * lane_count;
    if (x.size() >= room) return;
    x.resize(2 * room);
    y.resize(2 * room);
    r.resize(2 * room);
    id.resize(2 * room);
  }
  void fill_up() {
    store(lanes(nowhere), &x[size]);
    store(lanes(nowhere), &y[size]);
    store(lanes(0), &r[size]);
  }
  void add(float px, float py, float pr, std::uint32_t index) {
    reserve(size + 1);
    x[size] = px;
    y[size] = py;
    r[size] = pr;
    id[size] = index;
    ++size;
    fill_up();
  }
};

struct Local {  // a box, in squares, round the center of the tile
  float x, y, half_width, half_height;
};

// Whether one point of the list covers all of a box of radius r_min.
template <ConflictRule rule>
bool any_covers(const NearList& list, const Local& at, float r_min, float margin) {
  for (std::size_t i = 0; i < list.size; i += lane_count) {
    const Lanes dx = hn::Abs(load(&list.x[i]) - lanes(at.x)) + lanes(at.half_width);
    const Lanes dy = hn::Abs(load(&list.y[i]) - lanes(at.y)) + lanes(at.half_height);
    const Lanes f =
        above_zero(conflict_lanes<rule>(lanes(r_min), load(&list.r[i])) - lanes(margin));
    if (any(dx * dx + dy * dy < f * f)) return true;
  }
  return false;
}

// Those points of a list that some place of a box of radii up to `largest` could conflict with.
template <ConflictRule rule>
void keep_near(const NearList& from, const Local& at, float largest, float margin, NearList& to) {
  const Lanes r_max = lanes(largest);
  to.reserve(from.size);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < from.size; i += lane_count) {
    const Lanes x = load(&from.x[i]);
    const Lanes y = load(&from.y[i]);
    const Lanes r = load(&from.r[i]);
    const Lanes dx = above_zero(hn::Abs(x - lanes(at.x)) - lanes(at.half_width));
    const Lanes dy = above_zero(hn::Abs(y - lanes(at.y)) - lanes(at.half_height));
    const Lanes f = conflict_lanes<rule>(r_max, r) + lanes(3 * margin);
    const std::uint32_t bits = bits_of(dx * dx + dy * dy < f * f);
    if (bits == 0) continue;
    const Keep keep(bits);
    keep(&from.x[i], &to.x[kept]);
    keep(&from.y[i], &to.y[kept]);
    keep(&from.r[i], &to.r[kept]);
    keep(&from.id[i], &to.id[kept]);
    kept += static_cast<std::size_t>(std::popcount(bits));
  }
  to.size = kept;
  to.fill_up();
}

// Whole rows of 8 that a disc reaches: [first, end), empty where it reaches none.
inline std::pair<int, int> groups(float y, float radius, float height, int count) {
  const auto clamped = [&](float v) {
    return static_cast<int>(std::min(std::max(v, 0.0f), static_cast<float>(count)));
  };
  const float size = 0.125f / height;
  return {clamped((y - radius) * size), clamped((y + radius) * size + 1)};
}

// Where squares of one size lie: 1 across on the map times `scale`.
struct SquareGrid {
  float scale;
  float aspect;                   // height of a square
  float half_width, half_height;  // of the tile, whose corner the squares are counted from
};

// Squares of a cell that no single point is known to cover.
class SquareList {
 public:
  std::size_t size() const { return size_; }
  std::pair<std::uint32_t, std::uint32_t> operator[](std::size_t i) const {
    return {static_cast<std::uint32_t>(x_[i]), static_cast<std::uint32_t>(y_[i])};
  }

  // Those of 8x8 whose bit is set, a byte a row, the first at (x, y).
  void list(std::uint64_t bits, std::uint32_t x, std::uint32_t y) {
    reserve(64);
    size_ = 0;
    for (; bits != 0; bits &= bits - 1) {
      const int at = std::countr_zero(bits);
      x_[size_] = static_cast<std::int32_t>(x) + at % 8;
      y_[size_] = static_cast<std::int32_t>(y) + at / 8;
      ++size_;
    }
  }

  // Drops those that a point of the list covers for places of radius r_min.
  template <ConflictRule rule>
  void keep_open(const NearList& near, const SquareGrid& grid, float r_min, float margin) {
    constexpr hn::RebindToSigned<decltype(floats)> ints;
    if (covers_.size() < near.size + lane_count) covers_.resize(2 * (near.size + lane_count));
    for (std::size_t i = 0; i < near.size; i += lane_count) {
      const Lanes f =
          above_zero(conflict_lanes<rule>(lanes(r_min), load(&near.r[i])) - lanes(margin));
      store(f * f, &covers_[i]);
    }
    const Lanes half_x = lanes(0.5f * grid.scale);
    const Lanes half_y = lanes(0.5f * grid.scale * grid.aspect);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < size_; k += lane_count) {
      const Lanes column = hn::ConvertTo(floats, hn::LoadU(ints, &x_[k])) + lanes(0.5f);
      const Lanes row = hn::ConvertTo(floats, hn::LoadU(ints, &y_[k])) + lanes(0.5f);
      const Lanes x = column * lanes(grid.scale) - lanes(grid.half_width);
      const Lanes y = row * lanes(grid.scale * grid.aspect) - lanes(grid.half_height);
      Lanes least = lanes(1);
      for (std::size_t i = 0; i < near.size; ++i) {
        const Lanes dx = hn::Abs(x - lanes(near.x[i])) + half_x;
        const Lanes dy = hn::Abs(y - lanes(near.y[i])) + half_y;
        least = hn::Min(least, dx * dx + dy * dy - lanes(covers_[i]));
      }
      std::uint32_t open = bits_of(least >= hn::Zero(floats));
      if (size_ - k < lane_count) open &= (1U << (size_ - k)) - 1;
      const Keep keep(open);
      keep(&x_[k], &x_[kept]);
      keep(&y_[k], &y_[kept]);
      kept += static_cast<std::size_t>(std::popcount(open));
    }
    size_ = kept;
  }

  // Each becomes four of half the size.
  void quarter() {
    constexpr hn::RebindToSigned<decltype(floats)> ints;
    reserve(4 * size_);
    for (std::size_t k = 0; k < size_; k += lane_count) {
      const auto x = hn::LoadU(ints, &x_[k]);
      const auto y = hn::LoadU(ints, &y_[k]);
      hn::StoreU(x + x, ints, &next_x_[k]);
      hn::StoreU(y + y, ints, &next_y_[k]);
    }
    for (std::size_t part = 1; part < 4; ++part) {
      const auto right = hn::Set(ints, static_cast<std::int32_t>(part & 1));
      const auto below = hn::Set(ints, static_cast<std::int32_t>(part >> 1));
      for (std::size_t k = 0; k < size_; k += lane_count) {
        const std::size_t to = part * size_ + k;
        hn::StoreU(hn::LoadU(ints, &next_x_[k]) + right, ints, &next_x_[to]);
        hn::StoreU(hn::LoadU(ints, &next_y_[k]) + below, ints, &next_y_[to]);
      }
    }
    std::swap(x_, next_x_);
    std::swap(y_, next_y_);
    size_ *= 4;
  }

 private:
  void reserve(std::size_t room) {
    room += 2 * lane_count;
    if (x_.size() >= room) return;
    for (std::vector<std::int32_t>* v : {&x_, &y_, &next_x_, &next_y_}) v->resize(2 * room);
  }

  std::vector<std::int32_t> x_, y_, next_x_, next_y_;
  std::vector<float> covers_;  // squared, a point of the list each
  std::size_t size_ = 0;
};

}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#endif
