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
#include "sample/lanes.hpp"

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

struct Local {  // a box, in squares, round the centre of the tile
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

// The place of the n-th bit that is set, from 0.
inline int nth_bit(std::uint64_t bits, std::uint32_t n) {
  while (n-- > 0) bits &= bits - 1;
  return std::countr_zero(bits);
}

// `times` bits, a power of two from 8 to 64, for each of the first bits of a byte.
inline std::uint64_t widened(std::uint64_t byte, int times) {
  std::uint64_t bits = 0;
  for (; byte != 0; byte &= byte - 1) {
    bits |= (~std::uint64_t{0} >> (64 - times)) << (std::countr_zero(byte) * times);
  }
  return bits;
}

// Whole rows of 8 that a disc reaches: [first, end), empty where it reaches none.
inline std::pair<int, int> groups(float y, float radius, float height, int count) {
  const auto clamped = [&](float v) {
    return static_cast<int>(std::min(std::max(v, 0.0f), static_cast<float>(count)));
  };
  const float size = 0.125f / height;
  return {clamped((y - radius) * size), clamped((y + radius) * size + 1)};
}

// Eight rows in one.
inline std::uint64_t live_in(const std::uint64_t* rows) {
  return ((rows[0] | rows[1]) | (rows[2] | rows[3])) | ((rows[4] | rows[5]) | (rows[6] | rows[7]));
}

// Squares of a part of the tile, smaller by `scale`.
struct CloseMap {
  std::uint64_t rows[64];
  std::uint32_t first_x, first_y;  // of the first square, in such squares from the tile's corner
  int shift;                       // log2 of how many places a square is wide
  float x, y;                      // its corner, from the centre of the tile
  float scale;
  float r_min;
};

// A live square of the map; false where there is none.
inline bool pick_live(const CloseMap& map, Random& random, std::uint32_t& u, std::uint32_t& v) {
  const std::uint64_t bits = random.bits();
  v = static_cast<std::uint32_t>(bits >> 58);
  for (int rest = 64; map.rows[v] == 0; v = (v + 1) % 64) {
    if (--rest == 0) return false;
  }
  const auto among = static_cast<std::uint32_t>(std::popcount(map.rows[v]));
  u = static_cast<std::uint32_t>(
      nth_bit(map.rows[v], static_cast<std::uint32_t>((bits & 0xffff) * among >> 16)));
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#endif
