// Runs the passes of darts of one radius over a row of cells, in vector code.
//
// A point is two 16-bit numbers in one lane, so one multiply-add gives an exact squared distance.
// Results are the same on every processor. Distances within `margin` of r count as too near for a
// dart and as uncovered for a square. Accepted points are thus right whatever their finer digits
// are. find_exact() decides the remaining cases in double.
//
// Darts of a pass that conflict with each other duel: the one of higher random rank stays if no
// other beats it. This is dart throwing in random order (Blelloch, Fineman, Shun 2012) with losers
// thrown anew, so the order of cells does not matter.
#include "sample/darts/constant.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/darts/constant_rows.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include "sample/darts/constant_gaps.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple::constant {
namespace HWY_NAMESPACE {
namespace {

using Squares = Lanes<std::uint64_t, 4>;  // of a cell, one bit each

// Returns a bit for each lane near a corner of its cell. Passes ignore cells two off along both
// axes, so these lanes need another check. `place` is relative to the corner of its cell.
HWY_INLINE std::uint32_t in_corner(const Ring& ring, Wide place) {
  const Wide inward = lesser(place, minus(Wide(ring.extent), place));
  return bits_of(excess(inward, Wide(ring.corner_zone)) == 0);
}

constexpr bool is_diagonal(std::size_t r, std::size_t c) {
  return (r == 0 || r == 4) && (c == 0 || c == 4);
}

void accept(const Around& around, std::size_t i, std::int32_t place) {
  Ring& ring = around.ring;
  ring.place[around.start[2] + i] = place;
  const std::int32_t in_cell = packed_difference(place, around.corner(i));
  const int x = packed_x(in_cell) * ring.sixteenth_x >> 20;
  const int y = packed_y(in_cell) * ring.sixteenth_y >> 20;
  const std::uint64_t* alive = &ring.alive[static_cast<std::size_t>(y * 16 + x) * 25];
  for (std::size_t r = 0; r < 5; ++r) {
    std::uint64_t* live = &ring.live[around.start[r] + i - 2];
    for (std::size_t c = 0; c < 4; c += Squares::count) {
      (Squares::load(live + c) & Squares::load(alive + 5 * r + c)).store(live + c);
    }
    live[4] &= alive[5 * r + 4];
  }
  ring.live[around.start[2] + i] = 0;
}

// ---- columns beyond the ends of a row that goes once around the torus ----

void copy_ends(Ring& ring, std::int64_t row, std::vector<std::int32_t>& cells, std::int32_t turn) {
  std::int32_t* first = &cells[ring.at(row)];
  std::int32_t* end = first + ring.columns;
  for (int k = 0; k < 2; ++k) {
    end[k] = packed_sum(first[k], turn);
    first[-1 - k] = packed_difference(end[-1 - k], turn);
  }
}

void close_darts(Ring& ring, std::int64_t row) {
  if (!ring.closed) return;
  copy_ends(ring, row, ring.dart, ring.turn);
  copy_ends(ring, row, ring.rank, 0);
}

void close_points(Ring& ring, std::int64_t row) {
  if (!ring.closed) return;
  copy_ends(ring, row, ring.place, ring.turn);
  for (std::int64_t r = row - 2; r <= row + 2; ++r) {
    std::uint64_t* first = &ring.live[ring.at(r)];
    std::uint64_t* end = first + ring.columns;
    for (int k = 0; k < 2; ++k) {
      first[k] &= end[k];
      end[-1 - k] &= first[-1 - k];
    }
  }
}

// ---- the first rounds: every cell throws into all of itself ----

// Empties the cells of a row of places or darts, including the cells beyond its ends.
void vacate(Ring& ring, std::int64_t row, std::vector<std::int32_t>& places) {
  std::int32_t* place = &places[ring.at(row) - ring.pad];
  const Wide vacant = packed_sum(ring.vacant, ring.row_corner[ring.slot(row)]);
  for (std::size_t i = 0; i < ring.stride; i += Wide::count) {
    sum(Wide::load(&ring.column_corner[i]), vacant).store(place + i);
  }
}

void clear_row(Ring& ring, std::int64_t row, bool inside) {
  const std::size_t start = ring.at(row) - ring.pad;
  ring.set_corner(row);
  vacate(ring, row, ring.place);
  vacate(ring, row, ring.dart);
  std::fill_n(&ring.live[start], ring.stride, inside ? ~std::uint64_t{0} : 0);
  ring.open[ring.slot(row)].clear();
  ring.darts[ring.slot(row)].clear();
  ring.exact[ring.slot(row)].clear();
}

HWY_NOINLINE void throw_first(Ring& ring, std::int64_t row) {
  const bool inside = row >= ring.first_row && row < ring.end_row;
  clear_row(ring, row, inside);
  if (!inside) return;
  const std::size_t start = ring.at(row);
  const std::uint64_t key = ring.random[0].at(ring.row_name(row));
  const Around around(ring, row);
  const Wide extent = ring.extent;
  for (std::size_t i = 0; i < ring.columns; i += Wide::count) {
    const Wide random = random_lanes(Wide::load(&ring.column_name[i]), key);
    const Wide place = sum(scaled(random, extent), around.corners(i));
    std::int32_t* dart = &ring.dart[start + i];
    select(Wide::first(ring.columns - i), place, Wide::load(dart)).store(dart);
    rank_lanes(random).store(&ring.rank[start + i]);
  }
}

bool is_beaten(const Around& around, std::size_t i) {
  const Ring& ring = around.ring;
  const Window own = ring.dart[around.start[2] + i];
  const Window limit = ring.too_near;
  Window best = 0;  // highest rank of a dart that is too near
  for (std::size_t c = 0; c < window_size; c += Window::count) {
    Window here = 0;
    for (std::size_t r = 0; r < 5; ++r) {
      const std::size_t at = around.start[r] + i + c - 2;
      const Window square = squared(difference(own, Window::load(&ring.dart[at])));
      Window rank = keep(square < limit, Window::load(&ring.rank[at]));
      if (r == 2) rank = rank & Window::load(&all_but_middle[c]);
      here = max(here, rank);
    }
    best = max(best, here & Window::load(&five[c]));
  }
  return !all(best < ring.rank[around.start[2] + i]);
}

HWY_NOINLINE void duel_first(Ring& ring, std::int64_t row) {
  const Around around(ring, row);
  const std::int32_t* own = &ring.dart[around.start[2]];
  const std::int32_t* own_rank = &ring.rank[around.start[2]];
  const Wide limit = ring.too_near;
  for (std::size_t i = 0; i < ring.columns; i += Wide::count) {
    const Wide place = Wide::load(own + i);
    Wide best = 0;  // highest rank of a dart that is too near
    for (std::size_t r = 0; r < 5; ++r) {
      const std::int32_t* darts = &ring.dart[around.start[r] + i] - 2;
      const std::int32_t* ranks = &ring.rank[around.start[r] + i] - 2;
      for (std::size_t c = 0; c < 5; ++c) {
        if ((r == 2 && c == 2) || is_diagonal(r, c)) continue;
        const Wide square = squared(difference(place, Wide::load(darts + c)));
        best = max(best, keep(square < limit, Wide::load(ranks + c)));
      }
    }
    std::uint32_t bits = bits_of((best < Wide::load(own_rank + i)) & Wide::first(ring.columns - i));
    for (auto doubtful = bits & in_corner(ring, difference(place, around.corners(i)));
         doubtful != 0; doubtful &= doubtful - 1) {
      const int lane = std::countr_zero(doubtful);
      if (is_beaten(around, i + static_cast<std::size_t>(lane))) bits ^= 1u << lane;
    }
    for (; bits != 0; bits &= bits - 1) {
      const std::size_t k = i + static_cast<std::size_t>(std::countr_zero(bits));
      accept(around, k, own[k]);
    }
  }
}

bool is_free(const Around& around, std::size_t i, std::int32_t place) {
  for (std::size_t r = 0; r < 5; r += 4) {
    for (std::size_t c = 0; c < 5; c += 4) {
      const std::int32_t other = around.ring.place[around.start[r] + i + c - 2];
      const std::int32_t apart = packed_difference(place, other);
      const std::int64_t x = packed_x(apart);
      const std::int64_t y = packed_y(apart);
      if (x * x + y * y < too_near) return false;
    }
  }
  return true;
}

HWY_NOINLINE void throw_again(Ring& ring, int pass, std::int64_t row) {
  const Around around(ring, row);
  const std::uint64_t key = ring.random[static_cast<std::size_t>(pass)].at(ring.row_name(row));
  const Wide extent = ring.extent;
  const Wide limit = too_near;
  const Wide vacant = ring.vacant;
  std::int32_t* dart = &ring.dart[around.start[2]];
  std::vector<std::int32_t>& thrown = ring.darts[ring.slot(row)];
  thrown.clear();
  for (std::size_t i = 0; i < ring.columns; i += Wide::count) {
    const Wide random = random_lanes(Wide::load(&ring.column_name[i]), key);
    const Wide corner = around.corners(i);
    const Wide in_cell = scaled(random, extent);
    const Wide place = sum(in_cell, corner);
    Wide nearest = limit;
    for (std::size_t r = 0; r < 5; ++r) {
      const std::int32_t* places = &ring.place[around.start[r] + i] - 2;
      for (std::size_t c = 0; c < 5; ++c) {
        if (is_diagonal(r, c)) continue;
        nearest = min(nearest, squared(difference(place, Wide::load(places + c))));
      }
    }
    const Wide::Mask fits = (nearest == limit) & Wide::first(ring.columns - i);
    select(fits, place, sum(vacant, corner)).store(dart + i);
    rank_lanes(random).store(&ring.rank[around.start[2] + i]);
    std::uint32_t bits = bits_of(fits);
    for (auto doubtful = bits & in_corner(ring, in_cell); doubtful != 0; doubtful &= doubtful - 1) {
      const int lane = std::countr_zero(doubtful);
      const std::size_t k = i + static_cast<std::size_t>(lane);
      if (is_free(around, k, dart[k])) continue;
      dart[k] = packed_sum(ring.vacant, around.corner(k));
      bits ^= 1u << lane;
    }
    for (; bits != 0; bits &= bits - 1) {
      thrown.push_back(static_cast<std::int32_t>(i) + std::countr_zero(bits));
    }
  }
}

HWY_NOINLINE void duel(Ring& ring, std::int64_t row) {
  const Around around(ring, row);
  for (const std::int32_t column : ring.darts[ring.slot(row)]) {
    const auto i = static_cast<std::size_t>(column);
    if (!is_beaten(around, i)) accept(around, i, ring.dart[around.start[2] + i]);
  }
}

// ---- later rounds: cells with live squares ----

// Lists the columns of cells with a live square.
void list_open(Ring& ring, std::int64_t row) {
  const std::uint64_t* live = &ring.live[ring.at(row)];
  std::vector<std::int32_t>& open = ring.open[ring.slot(row)];
  open.resize(ring.columns + window_size);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < ring.columns; i += Window::count) {
    std::uint32_t bits = 0;
    for (std::size_t c = 0; c < Window::count; c += Squares::count) {
      bits |= bits_of(Squares::load(live + i + c) != 0) << c;
    }
    if (bits == 0) continue;
    kept += store_kept(Window::count_from(static_cast<std::int32_t>(i)), bits, &open[kept]);
  }
  while (kept > 0 && static_cast<std::size_t>(open[kept - 1]) >= ring.columns) --kept;
  open.resize(kept);
}

// Throws one dart from every cell with a live square into one of its live squares.
HWY_NOINLINE void throw_at_live(Ring& ring, int pass, std::int64_t row) {
  list_open(ring, row);
  const Around around(ring, row);
  std::int32_t* dart = &ring.dart[around.start[2]];
  std::int32_t* rank = &ring.rank[around.start[2]];
  const std::uint64_t* live = &ring.live[around.start[2]];
  vacate(ring, row, ring.dart);
  std::vector<std::int32_t>& thrown = ring.darts[ring.slot(row)];
  thrown.clear();
  const Random random = ring.random[static_cast<std::size_t>(pass)];
  const std::uint64_t row_name = ring.row_name(row);
  const SquareSize& size = ring.square_size[0];
  const Window extent = size.extent;
  const Window half = size.half;
  const Window last = ring.extent - pack(1, 1);
  for (const std::int32_t column : ring.open[ring.slot(row)]) {
    const auto i = static_cast<std::uint32_t>(column);
    const std::uint64_t name = random.at(ring.cell(row_name, i));
    const Bits squares(live[i]);
    const auto place = static_cast<std::uint32_t>(name);
    const auto chance = static_cast<std::uint32_t>(name >> 32);
    const std::size_t square = squares.at((chance & 0xffff) * squares.count >> 16);
    const Window aside = minus(scaled(Window(static_cast<std::int32_t>(place)), extent), half);
    const Window center = ring.square_center[square];
    const Window in_cell = lesser(not_below_zero(plus(center, aside)), last);
    const Window thrown_at = sum(in_cell, Window(around.corner(i)));
    std::uint32_t near = 0;
    for (std::size_t c = 0; c < window_size; c += Window::count) {
      Window nearest = too_near;
      for (std::size_t r = 0; r < 5; ++r) {
        const Window other = Window::load(&ring.place[around.start[r] + i + c - 2]);
        nearest = min(nearest, squared(difference(thrown_at, other)));
      }
      near |= bits_of(nearest < too_near) << c;
    }
    if ((near & five_bits) != 0) continue;
    dart[i] = first_of(thrown_at);
    // Darts fall on all live squares at one rate. The time is -log2 of a random number, whose
    // mantissa counts as its own logarithm, over the number of squares.
    const auto number = static_cast<float>((chance >> 16 << 16 | (place & 0xffff)) | 1);
    const auto log = static_cast<float>(0x4f800000 - std::bit_cast<std::int32_t>(number));
    rank[i] = rank_of_time(log / static_cast<float>(squares.count));
    thrown.push_back(column);
  }
}

constexpr int first_levels = 4;  // searched before neighbors have thrown

HWY_NOINLINE void throw_into_gaps(Ring& ring, int pass, std::int64_t row) {
  list_open(ring, row);
  const Around around(ring, row);
  GapSearch gap(around);
  std::int32_t* dart = &ring.dart[around.start[2]];
  std::int32_t* rank = &ring.rank[around.start[2]];
  std::uint64_t* live = &ring.live[around.start[2]];
  vacate(ring, row, ring.dart);
  std::vector<std::int32_t>& thrown = ring.darts[ring.slot(row)];
  thrown.clear();
  const Random random = ring.random[static_cast<std::size_t>(pass)];
  const std::uint64_t row_name = ring.row_name(row);
  for (const std::int32_t column : ring.open[ring.slot(row)]) {
    const auto i = static_cast<std::uint32_t>(column);
    const std::uint64_t name = random.at(ring.cell(row_name, i));
    float time = 0;
    const GapSearch::Outcome outcome = gap.search(i, live[i], first_levels, name, dart[i], time);
    if (outcome == GapSearch::Outcome::covered) live[i] = 0;
    if (outcome == GapSearch::Outcome::fits) {
      rank[i] = rank_of_time(time);
      thrown.push_back(column);
    } else {
      dart[i] = packed_sum(ring.vacant, around.corner(i));
    }
  }
}

int third_of(std::int64_t i) {
  return static_cast<int>((i % 3 + 3) % 3);
}

// Completes one row of three, every third cell at a time, in the order of cells; few are left.
HWY_NOINLINE void complete(Ring& ring, int pass, std::int64_t row) {
  list_open(ring, row);
  const Around around(ring, row);
  GapSearch gap(around);
  const Random random = ring.random[static_cast<std::size_t>(pass)];
  const std::uint64_t row_name = ring.row_name(row);
  const std::vector<std::int32_t>& open = ring.open[ring.slot(row)];
  for (int third = 0; third < 3; ++third) {
    for (const std::int32_t column : open) {
      const auto i = static_cast<std::uint32_t>(column);
      if (third_of(ring.first_column + i) != third) continue;
      std::uint64_t& live = ring.live[around.start[2] + i];
      std::int32_t place = 0;
      float time = 0;
      GapSearch::Outcome outcome =
          gap.search(i, live, square_levels - 1, random.at(ring.cell(row_name, i)), place, time);
      if (outcome == GapSearch::Outcome::open) {
        std::uint32_t fraction = 0;
        outcome = GapSearch::Outcome::covered;
        if (find_exact(ring, row, i, gap.squares(), place, fraction)) {
          outcome = GapSearch::Outcome::fits;
          ring.exact[ring.slot(row)].push_back({i, fraction});
        }
      }
      if (outcome == GapSearch::Outcome::fits) accept(around, i, place);
      live = 0;
    }
    close_points(ring, row);
  }
}

}  // namespace

void add_points(Ring& ring, std::int64_t row, std::vector<double>& x, std::vector<double>& y) {
  // Collects the points of the row and their columns.
  const auto begin = static_cast<std::size_t>(ring.range.x0 - ring.first_column);
  const auto end = static_cast<std::size_t>(ring.range.x1 - ring.first_column);
  const Around around(ring, row);
  const std::int32_t* place = &ring.place[ring.at(row)];
  ring.places_kept.resize(end - begin + window_size);
  ring.columns_kept.resize(end - begin + window_size);
  std::size_t count = 0;
  for (std::size_t i = begin; i < end; i += Window::count) {
    const Window here = difference(Window::load(place + i), around.corners<Window>(i));
    // Tests the sign of x: a vacant place is far away.
    std::uint32_t bits = bits_of((here & 0x8000) == 0);
    if (end - i < Window::count) bits &= (1u << (end - i)) - 1;
    store_kept(Window::count_from(static_cast<std::int32_t>(i)), bits, &ring.columns_kept[count]);
    count += store_kept(here, bits, &ring.places_kept[count]);
  }

  const std::size_t before = x.size();
  x.resize(before + count);
  y.resize(before + count);
  const std::uint64_t key = ring.fine_random.at(ring.row_name(row));
  ring.fractions.resize(count + window_size);
  for (std::size_t k = 0; k < count; ++k) {
    const auto i = static_cast<std::size_t>(ring.columns_kept[k]);
    ring.fractions[k] = static_cast<std::int32_t>(ring.fine_of(key, i));
  }
  for (const Ring::Fine& known : ring.exact[ring.slot(row)]) {
    const auto column = static_cast<std::int32_t>(known.column);
    const auto here = ring.columns_kept.begin();
    const auto at =
        std::lower_bound(here, here + static_cast<std::ptrdiff_t>(count), column) - here;
    if (at < static_cast<std::ptrdiff_t>(count) && here[at] == column) {
      ring.fractions[static_cast<std::size_t>(at)] = static_cast<std::int32_t>(known.fraction);
    }
  }
  using Doubles = Lanes<double, 4>;
  using Ints = Lanes<std::int32_t, Doubles::count>;
  const auto first = static_cast<double>(ring.first_column);
  const double width = ring.lattice.cell_width;
  const double top = static_cast<double>(row) * ring.lattice.cell_height;
  const double unit = ring.lattice.unit() * 0x1p-16;
  std::array<double, 4> last_x, last_y;
  for (std::size_t k = 0; k < count; k += Doubles::count) {
    // 16 bits of whole units above 16 bits of fractions.
    const Ints at = Ints::load(&ring.places_kept[k]);
    const Ints fine = Ints::load(&ring.fractions[k]);
    const Doubles column = convert<Doubles>(Ints::load(&ring.columns_kept[k]));
    const Doubles in_x = convert<Doubles>(shift_left<16>(at) | (fine & 0xffff));
    const Doubles in_y = convert<Doubles>((at & ~0xffff) | (shift_right<16>(fine) & 0xffff));
    const Doubles px = (first + column) * width + in_x * unit;
    const Doubles py = top + in_y * unit;
    if (k + Doubles::count <= count) {
      px.store(&x[before + k]);
      py.store(&y[before + k]);
    } else {
      px.store(last_x.data());
      py.store(last_y.data());
      std::copy_n(last_x.data(), count - k, &x[before + k]);
      std::copy_n(last_y.data(), count - k, &y[before + k]);
    }
  }
}

void do_pass(Ring& ring, int pass, std::int64_t row) {
  constexpr int first_aimed = 2 + 2 * whole_rounds;
  constexpr int first_gap = first_aimed + 2 * aimed_rounds;
  constexpr int first_complete = first_gap + 2 * gap_rounds;
  if (pass == 0) {
    throw_first(ring, row);
    return close_darts(ring, row);
  }
  if (row < ring.first_row || row >= ring.end_row) return;
  if (pass >= first_complete) {
    if (third_of(row) == pass - first_complete) complete(ring, pass, row);
    return;
  }
  if (pass % 2 == 1) {
    pass == 1 ? duel_first(ring, row) : duel(ring, row);
    return close_points(ring, row);
  }
  if (pass >= first_gap) {
    throw_into_gaps(ring, pass, row);
  } else if (pass >= first_aimed) {
    throw_at_live(ring, pass, row);
  } else {
    throw_again(ring, pass, row);
  }
  close_darts(ring, row);
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple::constant
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple::constant {

HWY_EXPORT(do_pass);
HWY_EXPORT(add_points);

void do_pass(Ring& ring, int pass, std::int64_t row) {
  HWY_DYNAMIC_DISPATCH(do_pass)(ring, pass, row);
}

void add_points(Ring& ring, std::int64_t row, std::vector<double>& x, std::vector<double>& y) {
  HWY_DYNAMIC_DISPATCH(add_points)(ring, row, x, y);
}

}  // namespace dapple::constant
#endif
