#include "sample/progressive/class_schedule.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/constants.hpp"
#include "core/deterministic_math.hpp"

namespace dapple {
std::vector<std::int32_t> class_turns(std::span<const std::size_t> counts) {
  const std::size_t all = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  std::vector<std::int32_t> turns(all);
  std::vector<std::size_t> had(counts.size());
  // Points of a single class are all due at once.
  const double slack = counts.size() < 2 ? 0 : 0.5 / static_cast<double>(counts.size() - 1);
  for (std::size_t rank = 0; rank < all; ++rank) {
    std::size_t next = counts.size();
    double first_due = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
    std::size_t latest = 0;
    for (std::size_t c = 0; c < counts.size(); ++c) {
      if (had[c] == counts[c]) continue;
      const double share = static_cast<double>(counts[c]) / static_cast<double>(all);
      const double lag = share * static_cast<double>(rank + 1) - static_cast<double>(had[c]);
      if (lag > most) {
        most = lag;
        latest = c;
      }
      const double due = (1 - slack - lag) / share;
      if (lag < slack || due >= first_due) continue;
      first_due = due;
      next = c;
    }
    // Rounding may leave no class that lags enough; then the one that lags most comes next.
    if (next == counts.size()) next = latest;
    ++had[next];
    turns[rank] = static_cast<std::int32_t>(next);
  }
  return turns;
}

std::vector<std::vector<double>> spread_of_classes(const std::vector<std::vector<double>>& distance,
                                                   std::span<const std::size_t> counts,
                                                   double content, std::size_t dimensions) {
  const double lattice = dimensions == 2 ? hexagonal_packing : lattice_packing_3d;
  const double even = dimensions == 2 ? even_packing : even_packing_3d;
  const double farther = side_of(lattice / even, dimensions);
  auto spread = distance;
  for (auto& row : spread) {
    for (double& apart : row) apart *= farther;
  }
  for (std::size_t c = 0; c < spread.size(); ++c) {
    if (counts[c] == 0) continue;
    const double alone = side_of(lattice * content / static_cast<double>(counts[c]), dimensions);
    spread[c][c] = std::max(spread[c][c], alone);
  }
  return spread;
}

}  // namespace dapple
