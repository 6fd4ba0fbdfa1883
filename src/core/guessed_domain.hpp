// Marks points whose file does not give the size of their domain. The domain is then no larger than
// the points need. The mark is an entry of the metadata until the points are placed in a picture.
#pragma once

#include <algorithm>
#include <string_view>

#include "dapple/points.hpp"

namespace dapple {

inline constexpr std::string_view guessed_key = "dapple:domain-guessed";

inline bool has_guessed_domain(const Points& points) {
  return std::any_of(points.metadata.begin(), points.metadata.end(),
                     [](const auto& entry) { return entry.first == guessed_key; });
}
inline void note_guessed_domain(Points& points) {
  if (!has_guessed_domain(points)) points.metadata.emplace_back(guessed_key, "true");
}
inline void forget_guessed_domain(Points& points) {
  std::erase_if(points.metadata, [](const auto& entry) { return entry.first == guessed_key; });
}

}  // namespace dapple
