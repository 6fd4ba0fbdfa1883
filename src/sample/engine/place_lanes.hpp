// Finds the near ones of places in columns, one vector of floats at a time. Uses only differences,
// products and comparisons, so that all instruction sets give the same results.
//
// This file is compiled once for each set of instructions, as core/lanes.hpp is.
#if defined(DAPPLE_ENGINE_PLACE_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef DAPPLE_ENGINE_PLACE_LANES
#undef DAPPLE_ENGINE_PLACE_LANES
#else
#define DAPPLE_ENGINE_PLACE_LANES
#endif

#include "core/lanes.hpp"
#include "sample/engine/places.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple::engine {
namespace HWY_NAMESPACE {

using namespace dapple::HWY_NAMESPACE;

using Many = Lanes<float, most_lanes>;
using Many32 = Lanes<std::int32_t, Many::count>;

// Returns the bits of the first n lanes of a vector, or of all lanes.
HWY_INLINE std::uint32_t first_bits(std::size_t n) {
  return n < Many::count ? (1u << n) - 1 : ~0u;
}

// The starts of the columns of places, kept in registers while others are written.
template <std::size_t D>
struct Columns {
  const float* at[D];
  const float* limit;

  HWY_INLINE explicit Columns(const Places<D>& places) : limit(places.limit()) {
    for (std::size_t a = 0; a < D; ++a) at[a] = places.at(a);
  }
};

// Returns a bit for each place of a vector, from index i and before `end`, nearer than its limit.
// rule(limit) is the distance that the place keeps. apart(along, a) is the distance along axis a of
// the coordinates `along`.
template <std::size_t D, class Rule, class Apart>
HWY_INLINE std::uint32_t near_bits(const Columns<D>& places, std::size_t i, std::size_t end,
                                   const Rule& rule, const Apart& apart) {
  Many square = 0;
  for (std::size_t a = 0; a < D; ++a) {
    const Many gap = apart(Many::load(places.at[a] + i), a);
    square += gap * gap;
  }
  const Many limit = rule(Many::load(places.limit + i));
  return bits_of(square < limit * limit) & first_bits(end - i);
}

// Distances along an axis to a place. It copies the place, which writing others cannot change.
template <std::size_t D>
struct OffPlace {
  std::array<float, D> place;
  HWY_INLINE Many operator()(Many along, std::size_t a) const { return along - place[a]; }
};

// Appends places to columns; without `limits`, their limits are not used.
template <std::size_t D, bool limits = true>
class Writer {
 public:
  HWY_INLINE explicit Writer(Places<D>& into, std::size_t more) : into_(into) {
    into.make_room(more);
    for (std::size_t a = 0; a < D; ++a) at_[a] = into.at(a) + into.count;
    limit_ = into.limit() + into.count;
  }
  // Appends the places of a vector whose bits are set, from index i on. moved(along, a) returns
  // their coordinates along axis a.
  template <class Moved>
  HWY_INLINE void add(const Places<D>& from, const Columns<D>& columns, std::size_t i,
                      std::uint32_t bits, Many limit, const Moved& moved) {
    std::size_t more = 0;
    for (std::size_t a = 0; a < D; ++a) {
      more = store_kept(moved(Many::load(columns.at[a] + i), a), bits, at_[a] + count_);
    }
    if (into_.numbered) {
      store_kept(Many32::load(&from.number[i]), bits, &into_.number[into_.count + count_]);
    }
    if constexpr (limits) store_kept(limit, bits, limit_ + count_);
    count_ += more;
  }
  HWY_INLINE void end() { into_.count += count_; }

 private:
  Places<D>& into_;
  float* at_[D];
  float* limit_;
  std::size_t count_ = 0;
};

// Selects the near places of `from`, from index `first` on, in order.
template <bool limits = true, std::size_t D, class Rule, class Apart>
HWY_INLINE void select_lanes(const Places<D>& from, std::size_t first, const Rule& rule,
                             const Apart& apart, Places<D>& found) {
  found.clear();
  const Columns<D> columns(from);
  Writer<D, limits> writer(found, from.count);
  const std::size_t end = from.count;
  const auto unmoved = [](Many along, std::size_t) HWY_ATTR { return along; };
  for (std::size_t i = first; i < end; i += Many::count) {
    const std::uint32_t bits = near_bits(columns, i, end, rule, apart);
    if (bits != 0) writer.add(from, columns, i, bits, Many::load(columns.limit + i), unmoved);
  }
  writer.end();
}

// Writes the numbers of near places, in order, to the front of `numbers`. Returns how many.
template <std::size_t D, class Rule, class Apart>
HWY_INLINE std::size_t numbers_near_lanes(const Places<D>& places, const Rule& rule,
                                          const Apart& apart, std::vector<std::int32_t>& numbers) {
  const Columns<D> columns(places);
  std::size_t found = 0;
  if (numbers.size() < places.count + Many::count) numbers.resize(2 * places.count + Many::count);
  for (std::size_t i = 0; i < places.count; i += Many::count) {
    const std::uint32_t bits = near_bits(columns, i, places.count, rule, apart);
    if (bits == 0) continue;
    found += store_kept(Many32::load(&places.number[i]), bits, &numbers[found]);
  }
  return found;
}

template <std::size_t D, class Rule, class Apart>
HWY_INLINE bool any_near_lanes(const Places<D>& places, const Rule& rule, const Apart& apart) {
  const Columns<D> columns(places);
  for (std::size_t i = 0; i < places.count; i += Many::count) {
    if (near_bits(columns, i, places.count, rule, apart) != 0) return true;
  }
  return false;
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple::engine
HWY_AFTER_NAMESPACE();

#endif
