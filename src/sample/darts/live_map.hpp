// Holds the data of a visit to a tile: lists of the points nearby, and maps of live squares.
//
// Files that Highway compiles several times include this header, so it has no ordinary guard.
#if defined(DAPPLE_SAMPLE_LIVE_MAP) == defined(HWY_TARGET_TOGGLE)
#ifdef DAPPLE_SAMPLE_LIVE_MAP
#undef DAPPLE_SAMPLE_LIVE_MAP
#else
#define DAPPLE_SAMPLE_LIVE_MAP
#endif

#include <vector>

#include "core/random.hpp"
#include "sample/darts/conflict_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {

using Names = Lanes<std::uint32_t, 8>;

constexpr float nowhere = 1e18f;  // so far away that it never matters

// Points that matter to a square, with their ids among all points of the visit. Entries at
// `nowhere` fill the list up to whole lanes.
struct NearList {
  std::vector<float> x, y, r;
  std::vector<std::uint32_t> id;
  std::size_t size = 0;

  void reserve(std::size_t room) {
    room += 2 * Floats::count;
    if (x.size() >= room) return;
    x.resize(2 * room);
    y.resize(2 * room);
    r.resize(2 * room);
    id.resize(2 * room);
  }
  void fill_up() {
    Floats(nowhere).store(&x[size]);
    Floats(nowhere).store(&y[size]);
    Floats(0).store(&r[size]);
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

struct Local {  // a box, in squares, around the center of the tile
  float x, y, half_width, half_height;
};

// Returns true if one point of the list covers all of a box of radius r_min.
template <ConflictRule rule>
bool any_covers(const NearList& list, const Local& at, float r_min, float margin) {
  for (std::size_t i = 0; i < list.size; i += Floats::count) {
    const Floats dx = abs(Floats::load(&list.x[i]) - at.x) + at.half_width;
    const Floats dy = abs(Floats::load(&list.y[i]) - at.y) + at.half_height;
    const Floats f = max(conflict_lanes<rule>(r_min, Floats::load(&list.r[i])) - margin, 0);
    if (any(dx * dx + dy * dy < f * f)) return true;
  }
  return false;
}

// Keeps the points that could conflict with some place of a box of radii up to `largest`.
template <ConflictRule rule>
void keep_near(const NearList& from, const Local& at, float largest, float margin, NearList& to) {
  to.reserve(from.size);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < from.size; i += Floats::count) {
    const Floats x = Floats::load(&from.x[i]);
    const Floats y = Floats::load(&from.y[i]);
    const Floats r = Floats::load(&from.r[i]);
    const Floats dx = beyond(x - at.x, at.half_width);
    const Floats dy = beyond(y - at.y, at.half_height);
    const Floats f = conflict_lanes<rule>(largest, r) + 3 * margin;
    const std::uint32_t bits = bits_of(dx * dx + dy * dy < f * f);
    if (bits == 0) continue;
    store_kept(x, bits, &to.x[kept]);
    store_kept(y, bits, &to.y[kept]);
    store_kept(r, bits, &to.r[kept]);
    kept += store_kept(Names::load(&from.id[i]), bits, &to.id[kept]);
  }
  to.size = kept;
  to.fill_up();
}

// Returns the groups of 8 rows that a disc reaches: [first, end), empty if it reaches none.
inline std::pair<int, int> groups(float y, float radius, float height, int count) {
  const auto clamped = [&](float v) {
    return static_cast<int>(std::min(std::max(v, 0.0f), static_cast<float>(count)));
  };
  const float size = 0.125f / height;
  return {clamped((y - radius) * size), clamped((y + radius) * size + 1)};
}

// Clears the bits of rectangles, 1 by `height`, in the disc around (x, y), in 8 rows from `row` on.
// Bit i of rows[j] has its corner at (i, height (row + j)).
HWY_INLINE void erase_in_rows(std::uint64_t* rows, float row, float height, float x, float y,
                              float radius2) {
  // Rounds to a whole number from 0 to 64, in the last bits: floats above 2^23 are whole.
  const auto nearest = [](Floats v)
                           HWY_ATTR { return as<Names>(min(max(v, 0), 64) + 0x1p23f) & 0x7f; };
  std::uint32_t first[8], end[8];
  for (std::size_t j = 0; j < 8; j += Floats::count) {
    const Floats middle = Floats::count_from(row + static_cast<float>(j) + 0.5f) * height;
    const Floats dy = abs(middle - y) + 0.5f * height;
    const Floats reach = sqrt(max(radius2 - dy * dy, 0));
    // The cleared bits go from the first edge after the left end to the last before the right end.
    nearest(x + 0.5f - reach).store(first + j);
    nearest(x - 0.5f + reach).store(end + j);
  }
  using Words = Lanes<std::uint64_t, 8>;
  // Sets all bits from these numbers on, in two steps, because a shift by 64 is undefined.
  const auto from_bit = [](const std::uint32_t* at) HWY_ATTR {
    const Words count = convert<Words>(Lanes<std::uint32_t, Words::count>::load(at));
    const Words part = shift_right<1>(count);
    return Words(~std::uint64_t{0}) << part << (count - part);
  };
  for (std::size_t j = 0; j < 8; j += Words::count) {
    (Words::load(rows + j) & (~from_bit(first + j) | from_bit(end + j))).store(rows + j);
  }
}

// The grid of squares of one size: a square is `scale` squares of the map wide.
struct SquareGrid {
  float scale;
  float aspect;                   // height of a square
  float half_width, half_height;  // of the tile, from whose corner squares count
};

// Squares of a cell that no single point is known to cover.
class SquareList {
 public:
  std::size_t size() const { return size_; }
  std::pair<std::uint32_t, std::uint32_t> operator[](std::size_t i) const {
    return {static_cast<std::uint32_t>(x_[i]), static_cast<std::uint32_t>(y_[i])};
  }

  // Lists the squares of 8x8 whose bit is set, a byte per row, the first at (x, y).
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

  // Drops squares that a point of the list covers for places of radius r_min.
  template <ConflictRule rule>
  void keep_open(const NearList& near, const SquareGrid& grid, float r_min, float margin) {
    if (covers_.size() < near.size + Floats::count) covers_.resize(2 * (near.size + Floats::count));
    for (std::size_t i = 0; i < near.size; i += Floats::count) {
      const Floats f = max(conflict_lanes<rule>(r_min, Floats::load(&near.r[i])) - margin, 0);
      (f * f).store(&covers_[i]);
    }
    const Floats half_x = 0.5f * grid.scale;
    const Floats half_y = 0.5f * grid.scale * grid.aspect;
    std::size_t kept = 0;
    for (std::size_t k = 0; k < size_; k += Floats::count) {
      const Ints column = Ints::load(&x_[k]);
      const Ints row = Ints::load(&y_[k]);
      const Floats x = (convert<Floats>(column) + 0.5f) * grid.scale - grid.half_width;
      const Floats y =
          (convert<Floats>(row) + 0.5f) * (grid.scale * grid.aspect) - grid.half_height;
      Floats least = 1;
      for (std::size_t i = 0; i < near.size; ++i) {
        const Floats dx = abs(x - near.x[i]) + half_x;
        const Floats dy = abs(y - near.y[i]) + half_y;
        least = min(least, dx * dx + dy * dy - covers_[i]);
      }
      std::uint32_t open = bits_of(least >= 0);
      if (size_ - k < Floats::count) open &= (1U << (size_ - k)) - 1;
      store_kept(column, open, &x_[kept]);
      kept += store_kept(row, open, &y_[kept]);
    }
    size_ = kept;
  }

  // Keeps the squares i for which keep(i) is true.
  template <class Keep>
  void keep_if(const Keep& keep) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      if (!keep(i)) continue;
      x_[kept] = x_[i];
      y_[kept++] = y_[i];
    }
    size_ = kept;
  }

  // Cuts each square into four of half the size.
  void quarter() {
    reserve(4 * size_);
    for (std::size_t k = 0; k < size_; k += Ints::count) {
      const Ints x = Ints::load(&x_[k]);
      const Ints y = Ints::load(&y_[k]);
      (x + x).store(&next_x_[k]);
      (y + y).store(&next_y_[k]);
    }
    for (std::size_t part = 1; part < 4; ++part) {
      const auto right = static_cast<std::int32_t>(part & 1);
      const auto below = static_cast<std::int32_t>(part >> 1);
      for (std::size_t k = 0; k < size_; k += Ints::count) {
        const std::size_t to = part * size_ + k;
        (Ints::load(&next_x_[k]) + right).store(&next_x_[to]);
        (Ints::load(&next_y_[k]) + below).store(&next_y_[to]);
      }
    }
    std::swap(x_, next_x_);
    std::swap(y_, next_y_);
    size_ *= 4;
  }

 private:
  void reserve(std::size_t room) {
    room += 2 * Floats::count;
    if (x_.size() >= room) return;
    for (std::vector<std::int32_t>* v : {&x_, &y_, &next_x_, &next_y_}) v->resize(2 * room);
  }

  std::vector<std::int32_t> x_, y_, next_x_, next_y_;
  std::vector<float> covers_;  // squared, one per point of the list
  std::size_t size_ = 0;
};

}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#endif
