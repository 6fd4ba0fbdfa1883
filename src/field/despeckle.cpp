// Cleans scans. The paper is the lightest part of every neighborhood: its shade is read in blocks,
// smoothed, and divided out. The rest of its grain lies near 1 and is raised to 1. Specks are dark
// places, connected over sides and corners, of so few pixels that no pen draws them.
#include "field/despeckle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "field/blur.hpp"
#include "field/fill_rows.hpp"
#include "field/resample.hpp"

namespace dapple {
namespace {

constexpr double blocks_a_side = 24;  // along the shorter side
constexpr double paper_share = 0.9;   // share of a block's pixels that are no lighter than paper
constexpr float darkest_paper = 0.3f;
constexpr float paper_from = 0.88f;  // share of the paper's shade at which grain begins
constexpr float paper_at = 0.96f;    // share of the paper's shade that is white
constexpr float speck_below = 0.8f;
constexpr std::size_t largest_speck = 6;  // pixels, in a scan of at most 1000 pixels a side

// Returns the shade of the paper at every pixel.
Plane<float> paper_of(const Plane<float>& scan, Context& context) {
  const int shorter = std::min(scan.width(), scan.height());
  const int side = std::max(8, static_cast<int>(std::lround(shorter / blocks_a_side)));
  Plane<float> shades((scan.width() + side - 1) / side, (scan.height() + side - 1) / side);
  parallel_for(context, shades.size(), [&](std::size_t block) {
    const int bx = static_cast<int>(block) % shades.width() * side;
    const int by = static_cast<int>(block) / shades.width() * side;
    std::vector<float> values;
    for (int y = by; y < std::min(by + side, scan.height()); ++y) {
      const float* row = scan.row(y);
      values.insert(values.end(), row + bx, row + std::min(bx + side, scan.width()));
    }
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(
                                         paper_share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    shades.values()[block] = std::max(*at, darkest_paper);
  });
  // A block full of ink shows no paper, so the lightest block within two steps counts.
  Plane<float> open = shades;
  for (int y = 0; y < shades.height(); ++y) {
    for (int x = 0; x < shades.width(); ++x) {
      for (int j = std::max(y - 2, 0); j <= std::min(y + 2, shades.height() - 1); ++j) {
        for (int i = std::max(x - 2, 0); i <= std::min(x + 2, shades.width() - 1); ++i) {
          open(x, y) = std::max(open(x, y), shades(i, j));
        }
      }
    }
  }
  return resample(gaussian_blurred(open, 1.5, context), scan.width(), scan.height(), context);
}

void remove_specks(Plane<float>& scan, const Context& context) {
  const int width = scan.width();
  const int height = scan.height();
  const double thousands = std::max(1.0, std::min(width, height) / 1000.0);
  const auto largest =
      static_cast<std::size_t>(static_cast<double>(largest_speck) * thousands * thousands);
  std::vector<std::uint8_t> seen(scan.size(), 0);
  std::vector<std::int32_t> found;
  constexpr std::size_t between_checks = 1 << 16;  // pixels
  for (std::size_t start = 0; start < scan.size(); ++start) {
    if (start % between_checks == 0) context.check();
    if (seen[start] != 0 || !(scan.values()[start] < speck_below)) continue;
    found.assign(1, static_cast<std::int32_t>(start));
    seen[start] = 1;
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (k % between_checks == between_checks - 1) context.check();
      const int x = found[k] % width;
      const int y = found[k] / width;
      for (int j = std::max(y - 1, 0); j <= std::min(y + 1, height - 1); ++j) {
        for (int i = std::max(x - 1, 0); i <= std::min(x + 1, width - 1); ++i) {
          const auto at = static_cast<std::size_t>(j) * static_cast<std::size_t>(width) +
                          static_cast<std::size_t>(i);
          if (seen[at] != 0 || !(scan.values()[at] < speck_below)) continue;
          seen[at] = 1;
          found.push_back(static_cast<std::int32_t>(at));
        }
      }
    }
    if (found.size() > largest) continue;
    // A speck includes the soft rim that scanners give it.
    for (const std::int32_t at : found) {
      const int x = at % width;
      const int y = at / width;
      for (int j = std::max(y - 1, 0); j <= std::min(y + 1, height - 1); ++j) {
        for (int i = std::max(x - 1, 0); i <= std::min(x + 1, width - 1); ++i) scan(i, j) = 1;
      }
    }
  }
}

}  // namespace

void clean_scan(Plane<float>& scan, Context& context) {
  const Plane<float> paper = paper_of(scan, context);
  const auto values = scan.values();
  make_again(scan, context, [&](std::size_t i) {
    const float v = values[i] / paper.values()[i];
    // Grain becomes white. Darker values stay as they are.
    const float lift = std::clamp((v - paper_from) / (paper_at - paper_from), 0.0f, 1.0f);
    return std::min(1.0f, v + lift * (1 - v));
  });
  remove_specks(scan, context);
}

}  // namespace dapple
