// Cleans scans. The paper is the lightest part of every neighborhood: its shade is read in blocks,
// smoothed, and divided out. The rest of its grain lies near 1 and is raised to 1. Marks are places
// that are not white then, connected over sides and corners. Specks are marks of so few pixels that
// no pen draws them, and small marks far from all others but one.
#include "field/despeckle.hpp"

#include <algorithm>
#include <array>
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
constexpr double paper_at = 0.96;      // share of the paper's shade that is white, in a fine grain
constexpr double darkest_grain = 0.6;  // the same in the coarsest grain; darker values are ink
constexpr float paper_step = 0.08f;    // below it, until values stay as they are
// The shade that `paper_share` reads is 1.28 deviations of the grain above its mean.
constexpr double above_mean = 1.28;
constexpr double grain_reach = 2.5;  // deviations below the mean that are white
constexpr float white_from = 0.99f;
constexpr float ink_below = 0.8f;
// In pixels, in a scan of at most 1000 pixels a side:
constexpr double largest_speck = 6;   // that are as dark as ink
constexpr double largest_alone = 60;  // of a mark that is a speck if it is faint, or nearly alone
constexpr double alone_within = 40;   // size of cells in which other marks are searched

struct Paper {
  Plane<float> shade;
  double grain = 0;  // its standard deviation, as a share of the shade
};

// Returns a plane with `more` values at each side, which continue a fall toward the border.
Plane<float> widened(const Plane<float>& plane, int more) {
  Plane<float> wide(plane.width() + 2 * more, plane.height() + 2 * more);
  for (int y = 0; y < wide.height(); ++y) {
    for (int x = 0; x < wide.width(); ++x) {
      const int u = std::clamp(x - more, 0, plane.width() - 1);
      const int v = std::clamp(y - more, 0, plane.height() - 1);
      const float mirrored = plane(std::clamp(2 * u - x + more, 0, plane.width() - 1),
                                   std::clamp(2 * v - y + more, 0, plane.height() - 1));
      wide(x, y) = std::min(plane(u, v), std::max(2 * plane(u, v) - mirrored, darkest_paper));
    }
  }
  return wide;
}

Paper paper_of(const Plane<float>& scan, Context& context) {
  const int shorter = std::min(scan.width(), scan.height());
  const int side = std::max(8, static_cast<int>(std::lround(shorter / blocks_a_side)));
  Plane<float> shades((scan.width() + side - 1) / side, (scan.height() + side - 1) / side);
  std::vector<float> spreads(shades.size());
  parallel_for(context, shades.size(), [&](std::size_t block) {
    const int bx = static_cast<int>(block) % shades.width() * side;
    const int by = static_cast<int>(block) / shades.width() * side;
    std::vector<float> values;
    for (int y = by; y < std::min(by + side, scan.height()); ++y) {
      const float* row = scan.row(y);
      values.insert(values.end(), row + bx, row + std::min(bx + side, scan.width()));
    }
    const auto value_at = [&](double share) {
      const auto at = values.begin() +
                      static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
      std::nth_element(values.begin(), at, values.end());
      return *at;
    };
    shades.values()[block] = std::max(value_at(paper_share), darkest_paper);
    spreads[block] = 1 - value_at(0.5) / shades.values()[block];
  });
  Paper paper;
  const auto middle = spreads.begin() + static_cast<std::ptrdiff_t>(spreads.size() / 2);
  std::nth_element(spreads.begin(), middle, spreads.end());
  paper.grain = std::max(0.0, static_cast<double>(*middle)) / above_mean;
  // A block full of ink shows no paper. A closing (the lightest block within `steps`, of these the
  // darkest) fills such blocks and keeps gradients, also at the border of these wider planes.
  constexpr int steps = 2;
  const Plane<float> wide = widened(shades, steps);
  const auto around = [](const Plane<float>& of, const auto& better) {
    Plane<float> made = of;
    for (int y = 0; y < of.height(); ++y) {
      for (int x = 0; x < of.width(); ++x) {
        for (int j = std::max(y - steps, 0); j <= std::min(y + steps, of.height() - 1); ++j) {
          for (int i = std::max(x - steps, 0); i <= std::min(x + steps, of.width() - 1); ++i) {
            made(x, y) = better(made(x, y), of(i, j));
          }
        }
      }
    }
    return made;
  };
  const Plane<float> lightest = around(wide, [](float a, float b) { return std::max(a, b); });
  const Plane<float> open = gaussian_blurred(
      around(lightest, [](float a, float b) { return std::min(a, b); }), 1.5, context);
  for (int y = 0; y < shades.height(); ++y) {
    std::copy_n(open.row(y + steps) + steps, shades.width(), shades.row(y));
  }
  paper.shade = resample(shades, scan.width(), scan.height(), context);
  return paper;
}

struct Mark {
  std::size_t pixels = 0;
  std::size_t dark = 0;  // pixels as dark as ink
  bool gone = false;
};

// Finds the marks of a scan. `labels`: per pixel, the number of its mark, or -1.
std::vector<Mark> marks_of(const Plane<float>& scan, std::vector<std::int32_t>& labels,
                           const Context& context) {
  const int width = scan.width();
  const int height = scan.height();
  labels.assign(scan.size(), -1);
  std::vector<Mark> marks;
  std::vector<std::int32_t> found;
  constexpr std::size_t between_checks = 1 << 16;  // pixels
  for (std::size_t start = 0; start < scan.size(); ++start) {
    if (start % between_checks == 0) context.check();
    if (labels[start] >= 0 || !(scan.values()[start] < white_from)) continue;
    const auto label = static_cast<std::int32_t>(marks.size());
    Mark& mark = marks.emplace_back();
    found.assign(1, static_cast<std::int32_t>(start));
    labels[start] = label;
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (k % between_checks == between_checks - 1) context.check();
      if (scan.values()[static_cast<std::size_t>(found[k])] < ink_below) ++mark.dark;
      const int x = found[k] % width;
      const int y = found[k] / width;
      for (int j = std::max(y - 1, 0); j <= std::min(y + 1, height - 1); ++j) {
        for (int i = std::max(x - 1, 0); i <= std::min(x + 1, width - 1); ++i) {
          const auto at = static_cast<std::size_t>(j) * static_cast<std::size_t>(width) +
                          static_cast<std::size_t>(i);
          if (labels[at] >= 0 || !(scan.values()[at] < white_from)) continue;
          labels[at] = label;
          found.push_back(static_cast<std::int32_t>(at));
        }
      }
    }
    mark.pixels = found.size();
  }
  return marks;
}

// Removes small marks with at most one other mark in the cells around theirs.
void remove_lone(const Plane<float>& scan, const std::vector<std::int32_t>& labels, double cell,
                 double largest, std::vector<Mark>& marks) {
  using Few = std::array<std::int32_t, 3>;  // some marks of a cell; -1: none
  const auto note = [](std::int32_t label, Few& few) {
    for (std::int32_t& other : few) {
      if (other == label) return;
      if (other < 0) {
        other = label;
        return;
      }
    }
  };
  Plane<Few> cells(static_cast<int>(scan.width() / cell) + 1,
                   static_cast<int>(scan.height() / cell) + 1, Few{-1, -1, -1});
  std::vector<Few> near(marks.size(), Few{-1, -1, -1});
  const auto width = static_cast<std::size_t>(scan.width());
  const auto each = [&](const auto& act) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] < 0 || marks[static_cast<std::size_t>(labels[i])].gone) continue;
      const std::size_t row = i / width;
      act(labels[i], static_cast<int>(static_cast<double>(i % width) / cell),
          static_cast<int>(static_cast<double>(row) / cell));
    }
  };
  each([&](std::int32_t label, int x, int y) { note(label, cells(x, y)); });
  each([&](std::int32_t label, int x, int y) {
    Few& own = near[static_cast<std::size_t>(label)];
    for (int j = std::max(y - 1, 0); j <= std::min(y + 1, cells.height() - 1); ++j) {
      for (int i = std::max(x - 1, 0); i <= std::min(x + 1, cells.width() - 1); ++i) {
        for (const std::int32_t other : cells(i, j)) {
          if (other >= 0 && own.back() < 0) note(other, own);
        }
      }
    }
  });
  for (std::size_t k = 0; k < marks.size(); ++k) {
    const bool alone = near[k].back() < 0;  // itself and one other at most
    if (alone && static_cast<double>(marks[k].pixels) <= largest) marks[k].gone = true;
  }
}

void remove_specks(Plane<float>& scan, const Context& context) {
  const double thousands = std::max(1.0, std::min(scan.width(), scan.height()) / 1000.0);
  const double area = thousands * thousands;
  std::vector<std::int32_t> labels;
  std::vector<Mark> marks = marks_of(scan, labels, context);
  for (Mark& mark : marks) {
    mark.gone = static_cast<double>(mark.dark) <= largest_speck * area &&
                static_cast<double>(mark.pixels) <= largest_alone * area;
  }
  context.check();
  remove_lone(scan, labels, alone_within * thousands, largest_alone * area, marks);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool paper = labels[i] < 0 || marks[static_cast<std::size_t>(labels[i])].gone;
    if (paper) scan.values()[i] = 1;
  }
}

}  // namespace

void clean_scan(Plane<float>& scan, Context& context) {
  const Paper paper = paper_of(scan, context);
  const auto white = static_cast<float>(
      std::clamp(1 - (above_mean + grain_reach) * paper.grain, darkest_grain, paper_at));
  const auto values = scan.values();
  make_again(scan, context, [&](std::size_t i) {
    const float v = values[i] / paper.shade.values()[i];
    // Grain becomes white. Darker values stay as they are.
    const float lift = std::clamp((v - white + paper_step) / paper_step, 0.0f, 1.0f);
    return std::min(1.0f, v + lift * (1 - v));
  });
  remove_specks(scan, context);
}

}  // namespace dapple
