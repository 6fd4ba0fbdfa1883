// Measures whether a stippling shows its frame by rows of dots along it, or a light or dark rim.
#include <algorithm>
#include <cmath>

#include "analyze/figures.hpp"
#include "dapple/extend/options.hpp"

namespace dapple {
namespace {

constexpr int rows = 5;
constexpr int strips_a_row = 7;
constexpr double fewest = 20;  // dots per strip; with fewer, chance dominates

}  // namespace

FrameProfile frame_profile(const Points& dots, std::span<const double> inks,
                           const Plane<float>& darkness) {
  const int width = darkness.width();
  const int height = darkness.height();
  const double spacing =
      std::sqrt(static_cast<double>(darkness.size()) / static_cast<double>(dots.size()));
  const double strip = spacing / strips_a_row;
  FrameProfile profile;
  profile.found.resize(rows * strips_a_row);
  profile.wanted.resize(rows * strips_a_row);
  const double deep = rows * spacing;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const double away =
        std::min(std::min(dots.x[i], width - dots.x[i]), std::min(dots.y[i], height - dots.y[i]));
    if (away < deep) {
      const auto k = std::min(static_cast<std::size_t>(away / strip), profile.found.size() - 1);
      profile.found[k] += inks[i];
    }
  }
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int from = std::min(std::min(x, width - 1 - x), std::min(y, height - 1 - y));
      if (from >= deep) continue;
      const auto d = static_cast<double>(darkness(x, y));
      for (auto k = static_cast<std::size_t>(from / strip); k < profile.wanted.size(); ++k) {
        const double low = std::max<double>(from, static_cast<double>(k) * strip);
        const double high = std::min(from + 1.0, static_cast<double>(k + 1) * strip);
        if (low >= from + 1) break;
        profile.wanted[k] += d * std::max(0.0, high - low);
      }
    }
  }
  return profile;
}

double FrameProfile::highest() const {
  double most = 0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (wanted[k] > 0) most = std::max(most, found[k] / wanted[k]);
  }
  return most;
}

double FrameProfile::rim() const {
  double is = 0;
  double should = 0;
  for (std::size_t k = 0; k < strips_a_row; ++k) {
    is += found[k];
    should += wanted[k];
  }
  return should > 0 ? is / should - 1 : 0;
}

void add_frame(QualityReport& report, const Points& dots, std::span<const double> inks,
               const Plane<float>& darkness) {
  const FrameProfile profile = frame_profile(dots, inks, darkness);
  double total = 0;
  for (const double ink : inks) total += ink;
  const double least = *std::min_element(profile.wanted.begin(), profile.wanted.end());
  auto& list = report.measurements;
  list.push_back({"rim", 100 * profile.rim(), "%",
                  "ink within a spacing of the frame, above what is asked for there"});
  if (least * static_cast<double>(dots.size()) < fewest * total) return;
  list.push_back({"rows", profile.highest(), "of the mean",
                  "densest of 35 strips along the frame, a seventh of a spacing wide; chance alone "
                  "gives some 1.1 to 1.3"});
}

}  // namespace dapple
