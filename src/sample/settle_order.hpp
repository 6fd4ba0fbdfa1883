// Orders darts by the windows in which they settled, and keeps the first of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "core/point_columns.hpp"

namespace dapple {

// Returns all darts in the order of their windows. chance(i) orders the darts of one window; it
// must not depend on place or order.
template <class Chance>
std::vector<std::size_t> in_order_of_windows(const std::vector<std::int32_t>& window,
                                             const Chance& chance) {
  std::vector<std::size_t> order(window.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::uint64_t> chances(window.size());
  for (std::size_t i = 0; i < chances.size(); ++i) chances[i] = chance(i);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (window[a] != window[b]) return window[a] < window[b];
    return chances[a] != chances[b] ? chances[a] < chances[b] : a < b;
  });
  return order;
}

// Keeps `rows` of a column, in this order.
template <class T>
void keep_rows(std::vector<T>& column, const std::vector<std::size_t>& rows) {
  std::vector<T> kept;
  kept.reserve(rows.size());
  for (const std::size_t row : rows) kept.push_back(column[row]);
  column = std::move(kept);
}

// Keeps `rows` of all columns of a set, in this order.
inline void keep_points(Points& points, const std::vector<std::size_t>& rows) {
  for_each_stored_column([&](std::string_view, const auto& of) {
    if (!of(points).empty()) keep_rows(of(points), rows);
  });
  for (OtherColumn& other : points.others) {
    if (!other.values.empty()) keep_rows(other.values, rows);
    if (!other.texts.empty()) keep_rows(other.texts, rows);
  }
}

// Ranks points in their present order.
inline void rank_as_they_stand(Points& points) {
  points.rank.resize(points.size());
  std::iota(points.rank.begin(), points.rank.end(), 0);
}

}  // namespace dapple
