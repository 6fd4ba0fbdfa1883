// Implements point sets and checks the rules that every point set keeps.
#include "dapple/points.hpp"

#include <algorithm>

#include "core/point_columns.hpp"
#include "core/preconditions.hpp"
#include "dapple/error.hpp"

namespace dapple {

void Points::append(const Points& other, std::size_t i) {
  for_each_stored_column([&](std::string_view, const auto& of) {
    if (!of(other).empty()) of(*this).push_back(of(other)[i]);
  });
}

std::string name_of_class(const Points& points, std::int32_t class_id) {
  for (const auto& [key, names] : points.metadata) {
    if (key != class_names_key) continue;
    std::string_view rest = names;
    for (std::int32_t c = 0; c < class_id && !rest.empty(); ++c) {
      rest.remove_prefix(std::min(rest.find(','), rest.size() - 1) + 1);
    }
    rest = rest.substr(0, rest.find(','));
    if (class_id >= 0 && !rest.empty()) return std::string(rest);
  }
  return "class " + std::to_string(class_id);
}

void validate(const Points& points) {
  require_lengths(points);
  const std::size_t n = points.size();
  // A valid set needs only one pass over its coordinates. contains() refuses NaN, because every
  // comparison with NaN is false.
  bool inside = true;
  for (std::size_t i = 0; i < n; ++i) inside = inside & points.domain.contains(points[i]);
  if (inside && points.z.empty() && points.w.empty() && points.radius.size() == n) return;
  require_columns(points);
  if (points.radius.size() != n) {
    throw Error(ErrorKind::input, "column r has 0 values for " + std::to_string(n) + " points");
  }
  require_inside(points);
}

}  // namespace dapple
