#include "sample/surface/cells.hpp"

#include <algorithm>
#include <cmath>

namespace dapple::surface {
namespace {

// Returns indices in the lattice, which are 0 or more apart from rounding.
std::array<std::int32_t, 3> cell_of(const Vec3& place, double unit) {
  std::array<std::int32_t, 3> at = lattice_place(place, unit);
  for (std::int32_t& along : at) along = std::max(along, 0);
  return at;
}

struct Entry {
  std::int32_t level, class_id;
  std::uint32_t index;
  std::uint64_t code;
  bool operator<(const Entry& other) const {
    if (level != other.level) return level < other.level;
    if (class_id != other.class_id) return class_id < other.class_id;
    return code != other.code ? code < other.code : index < other.index;
  }
};

}  // namespace

// Returns the range of cells of a level that lie in a cube of this or a higher level.
std::pair<std::size_t, std::size_t> Cells::within(const Level& of, std::int32_t level,
                                                  const std::array<std::int32_t, 3>& at) const {
  const int up = 3 * (level - of.level);
  const std::uint64_t code = curve_place(at);
  const auto begin = cells.begin() + static_cast<std::ptrdiff_t>(of.first);
  const auto end = cells.begin() + static_cast<std::ptrdiff_t>(of.end);
  const auto first = std::lower_bound(
      begin, end, code, [&](const Cell& cell, std::uint64_t c) { return cell.code >> up < c; });
  auto behind = first;
  while (behind != end && behind->code >> up == code) ++behind;
  return {static_cast<std::size_t>(first - cells.begin()),
          static_cast<std::size_t>(behind - cells.begin())};
}

void Cells::gather_cell(const Tile& tile, const Cell& cell, float share, Places& into) const {
  float given = 0;
  if (apart == Apart::given) {
    const auto& row = classes[static_cast<std::size_t>(tile.class_id)];
    given = static_cast<float>(row[static_cast<std::size_t>(cell.class_id)] * tile.per_unit);
  }
  if (cell.level == tile.level) {
    gather(apart, tile, cell.at, places, cell.first, cell.end, share, given, into);
    return;
  }
  gather_across(
      apart, tile, cell.unit, places, cell.first, cell.end, share, given, into,
      [&](std::size_t k) { return place_of_point(static_cast<std::size_t>(places.number[k])); });
}

void Cells::gather_around(const Tile& tile, std::int32_t least_level, float share,
                          Places& into) const {
  into.clear();
  for (const Level& level : levels) {
    if (level.level < least_level) continue;
    const double unit = std::ldexp(1.0, level.level);
    const double largest = apart == Apart::one ? unit : 2 * unit;
    const double reach = 1.001 * static_cast<double>(share) *
                         std::max(largest, static_cast<double>(tile.most) * tile.unit);
    const std::int32_t coarse = std::max(level.level, tile.level);
    for_cubes_near(tile, std::ldexp(1.0, coarse), reach, 0,
                   [&](const std::array<std::int32_t, 3>& at) {
                     const auto [first, end] = within(level, coarse, at);
                     for (std::size_t c = first; c < end; ++c) {
                       gather_cell(tile, cells[c], share, into);
                     }
                   });
  }
}

void Cells::add(std::size_t i, std::int32_t level, std::uint64_t code) {
  const Vec3 p = place_of_point(i);
  const std::int32_t class_id = class_of(i);
  if (levels.empty() || levels.back().level != level || levels.back().class_id != class_id) {
    levels.push_back({level, class_id, cells.size(), 0});
  }
  const bool is_first = levels.back().first == cells.size();
  if (is_first || cells.back().code != code) {
    Cell cell;
    cell.set_level(level);
    cell.class_id = class_id;
    cell.at = cell_of(p, cell.unit);
    cell.code = code;
    cell.first = places.count;
    constexpr float half = static_cast<float>(tile_edge) / 2;
    cell.low = {-half, -half, -half};
    cell.high = {half, half, half};
    cell.most = apart == Apart::one ? 1 : 2;
    cells.push_back(cell);
    levels.back().end = cells.size();
  }
  Cell& cell = cells.back();
  const Vec3 seen = cell.seen(p);
  places.add({static_cast<float>(seen.x), static_cast<float>(seen.y), static_cast<float>(seen.z)},
             static_cast<float>(in_units(i) / cell.unit), static_cast<std::int32_t>(i));
  cell.end = places.count;
}

Cells make_cells(const Points& points, std::span<const std::uint32_t> which, const Frame& frame,
                 const SurfaceRadius& radius, double stretch) {
  Cells made{points, frame, apart_of(radius), stretch, {}, {}, {}, {}};
  made.classes = classes_in(frame, radius, stretch);
  std::vector<Entry> order;
  order.reserve(which.size());
  for (const std::uint32_t i : which) {
    const std::int32_t level = level_of(made.in_units(i));
    const auto at = cell_of(made.place_of_point(i), std::ldexp(1.0, level));
    order.push_back({level, made.class_of(i), i, curve_place(at)});
  }
  std::sort(order.begin(), order.end());
  made.places.make_room(order.size());
  for (const Entry& entry : order) made.add(entry.index, entry.level, entry.code);
  return made;
}

}  // namespace dapple::surface
