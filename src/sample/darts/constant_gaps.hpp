// Searches a cell for gaps: halves the squares that no single point covers until a dart fits or no
// square is left (Ebeida et al. 2012).
//
// Files that Highway compiles several times include this header, so it has no ordinary guard.
#if defined(DAPPLE_SAMPLE_CONSTANT_GAPS) == defined(HWY_TARGET_TOGGLE)
#ifdef DAPPLE_SAMPLE_CONSTANT_GAPS
#undef DAPPLE_SAMPLE_CONSTANT_GAPS
#else
#define DAPPLE_SAMPLE_CONSTANT_GAPS
#endif

#include <span>
#include <vector>

#include "sample/darts/constant_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple::constant {
namespace HWY_NAMESPACE {

class GapSearch {
 public:
  enum class Outcome { covered, fits, open };

  explicit GapSearch(const Around& around)
      : around_(around), squares_(around.ring.squares), parts_(around.ring.parts) {
    const double w = around.ring.lattice.width_units();
    const double h = around.ring.lattice.height_units();
    last_ = pack(static_cast<int>(w) - 1, static_cast<int>(h) - 1);
    middle_ = pack(static_cast<int>(w / 2), static_cast<int>(h / 2));
    half_cell_ = pack(static_cast<int>(w / 2) + 2, static_cast<int>(h / 2) + 2);
  }

  // Searches down to squares of the last level. `place` is the first dart that fits, `time` the
  // time of its fall; darts fall on all cells at one rate per area. Randomness comes from `name`.
  Outcome search(std::size_t i, std::uint64_t live, int last_level, std::uint64_t name,
                 std::int32_t& place, float& time) {
    corner_ = around_.corner(i);
    gather(i);
    if (squares_.size() < 64 + 2 * window_size) squares_.resize(64 + 2 * window_size);
    list_squares(live);
    float past = 0;
    float squares_in_first = 1;
    for (int level = 0;; ++level) {
      const SquareSize& size = around_.ring.square_size[static_cast<std::size_t>(level)];
      keep_uncovered(size);
      if (count_ == 0) return Outcome::covered;
      const std::uint64_t key = hash(name, static_cast<std::uint64_t>(level));
      const float pace = squares_in_first / static_cast<float>(count_);
      const int thrown = throw_darts(size, key, place);
      if (thrown < darts_at_once) {
        place = packed_sum(place, corner_);
        time = past +
               (static_cast<float>(thrown) + static_cast<float>(key & 0xffff) * 0x1p-16f) * pace;
        return Outcome::fits;
      }
      if (level == last_level) return Outcome::open;
      past += darts_at_once * pace;
      squares_in_first *= 4;
      quarter(around_.ring.square_size[static_cast<std::size_t>(level + 1)]);
    }
  }

  // Returns the squares that the last search left open.
  std::span<const std::int32_t> squares() const { return {squares_.data(), count_}; }

 private:
  static constexpr int darts_at_once = window_size;
  static constexpr std::uint32_t all_lanes = (1u << Window::count) - 1;
  static constexpr std::int32_t far_away = pack(32767, 32767);

  // Lists the centers of the squares whose bit is set.
  void list_squares(std::uint64_t live) {
    count_ = 0;
    for (std::size_t y = 0; live != 0; ++y, live >>= 8) {
      const auto row = static_cast<std::uint32_t>(live & 0xff);
      if (row == 0) continue;
      for (std::size_t c = 0; c < window_size; c += Window::count) {
        const Window center = Window::load(&around_.ring.square_center[8 * y + c]);
        count_ += store_kept(center, row >> c & all_lanes, &squares_[count_]);
      }
    }
  }

  // Throws darts into the squares. Returns the number of the first that fits, or darts_at_once.
  int throw_darts(const SquareSize& size, std::uint64_t key, std::int32_t& place) {
    const Window extent = size.extent;
    const Window half = size.half;
    const Window last = last_;
    std::array<std::int32_t, window_size> darts;
    std::uint32_t fits = 0;
    for (std::size_t c = 0; c < window_size; c += Window::count) {
      const Window random = random_lanes(Window::count_from(static_cast<std::int32_t>(c)), key);
      const Window aside = minus(scaled(random, extent), half);
      const Window center = square_at(below(rank_lanes(random), count_));
      const Window dart = lesser(not_below_zero(plus(center, aside)), last);
      Window nearest = too_near;
      for (std::size_t k = 0; k < size_; k += 2) {
        nearest = min(nearest, squared(minus(dart, Window(near_[k]))));
        nearest = min(nearest, squared(minus(dart, Window(near_[k + 1]))));
      }
      dart.store(&darts[c]);
      fits |= bits_of(nearest == too_near) << c;
    }
    if (fits == 0) return darts_at_once;
    const int k = std::countr_zero(fits);
    place = darts[static_cast<std::size_t>(k)];
    return k;
  }

  // Returns the centers of some of the squares.
  Window square_at(Window which) const {
    if (Window::count == window_size && count_ <= window_size) {
      return look_up(Window::load(squares_.data()), which);
    }
    return Window::gather(squares_.data(), which);
  }

  // Collects the points that can matter to the cell, relative to its corner.
  void gather(std::size_t i) {
    size_ = 0;
    for (std::size_t r = 0; r < 5; ++r) {
      const std::int32_t* places = &around_.ring.place[around_.start[r] + i] - 2;
      for (std::size_t c = 0; c < 5; c += Window::count) {
        const Window seen = difference(Window::load(places + c), Window(corner_));
        const Window gap = excess(apart(seen, Window(middle_)), Window(half_cell_));
        const std::uint32_t bits = bits_of(squared(gap) < too_near) & five_bits >> c;
        size_ += store_kept(seen, bits, &near_[size_]);
      }
    }
    near_[size_] = far_away;  // points are read in pairs
  }

  // Keeps the squares that no point surely covers.
  void keep_uncovered(const SquareSize& size) {
    const Window half = size.safe;
    const Window limit = units_per_radius * units_per_radius;
    std::size_t kept = 0;
    for (std::size_t k = 0; k < count_; k += Window::count) {
      const Window center = Window::load(&squares_[k]);
      const auto farthest = [&](std::int32_t place) HWY_ATTR {
        return squared(plus(magnitude(minus(center, Window(place))), half));
      };
      Window nearest = limit;
      for (std::size_t p = 0; p < size_; p += 2) {
        nearest = min(nearest, min(farthest(near_[p]), farthest(near_[p + 1])));
      }
      std::uint32_t open = bits_of(nearest == limit);
      if (count_ - k < Window::count) open &= (1u << (count_ - k)) - 1;
      kept += store_kept(center, open, &squares_[kept]);
    }
    count_ = kept;
  }

  void quarter(const SquareSize& size) {
    using Quarters = Lanes<std::int32_t, 4>;
    if (parts_.size() < 4 * count_ + 2 * window_size) parts_.resize(8 * count_ + 2 * window_size);
    for (std::size_t k = 0; k < count_; ++k) {
      for (std::size_t c = 0; c < 4; c += Quarters::count) {
        plus(Quarters(squares_[k]), Quarters::load(&size.aside[c])).store(&parts_[4 * k + c]);
      }
    }
    count_ *= 4;
    std::swap(squares_, parts_);
  }

  const Around& around_;
  std::vector<std::int32_t>& squares_;
  std::vector<std::int32_t>& parts_;
  std::int32_t last_, middle_, half_cell_;
  std::int32_t corner_ = 0;
  alignas(64) std::array<std::int32_t, 25 + 3 * window_size> near_;
  std::size_t size_ = 0;   // of near_
  std::size_t count_ = 0;  // of squares_
};

// Finds the k-th set bit, from 0 (Vigna 2008); `count` is the number of set bits.
struct Bits {
  explicit Bits(std::uint64_t set) : all(set) {
    std::uint64_t sums = set - (set >> 1 & 0x5555555555555555u);
    sums = (sums & 0x3333333333333333u) + (sums >> 2 & 0x3333333333333333u);
    up_to = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0fu) * ones;
    count = static_cast<std::uint32_t>(up_to >> 56);
  }
  std::size_t at(std::uint32_t k) const {
    // Finds the first byte up to whose end more than k bits are set.
    const std::uint64_t more = (up_to + (127 - k) * ones) & 0x8080808080808080u;
    const int shift = std::countr_zero(more) & 0x38;
    const auto before = static_cast<std::uint32_t>(up_to << 8 >> shift & 0xff);
    const std::uint64_t order = bit_order[all >> shift & 0xff];
    return static_cast<std::size_t>(shift) + (order >> 8 * (k - before) & 0xff);
  }

  static constexpr std::uint64_t ones = 0x0101010101010101u;
  std::uint64_t all, up_to;
  std::uint32_t count;
};

}  // namespace HWY_NAMESPACE
}  // namespace dapple::constant
HWY_AFTER_NAMESPACE();

#endif
