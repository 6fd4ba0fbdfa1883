#include "relax/spacing_grids.hpp"

#include <algorithm>
#include <cmath>

#include "core/modulo.hpp"
#include "core/parallel.hpp"
#include "field/resample.hpp"
#include "relax/spline.hpp"

namespace dapple {
namespace {

constexpr int density_parts = 8;
constexpr double level_step = 0.7;  // smallest spacings between places at which levels are found

}  // namespace

SpacingGrids::SpacingGrids(const Plane<float>& density, const DensityStack& stack, double smallest,
                           double largest, double cell_size, Shares shares, Context& context)
    : shares_(shares), area_(static_cast<double>(density.width()) * density.height()) {
  total_ = parallel_sum(context, static_cast<std::size_t>(density.height()), [&](std::size_t y) {
    double sum = 0;
    const float* row = density.row(static_cast<int>(y));
    for (int x = 0; x < density.width(); ++x) {
      sum += static_cast<double>(row[x]);
    }
    return sum;
  });
  const double mean = std::sqrt(area_ / total_);
  // A few dark specks must not make the grid finer everywhere.
  const double finest = std::max(smallest, 0.25 * mean);
  const double wanted_columns = density.width() / (cell_size * finest);
  const double wanted_rows = density.height() / (cell_size * finest);
  const auto doublings_of = [](double ratio) { return std::ilogb(std::max(1.0, ratio)); };
  const int doublings = std::min(doublings_of(std::max(1.0, largest / finest)) + 1,
                                 doublings_of(std::min(wanted_columns, wanted_rows)));
  const int step = 1 << doublings;
  const int columns = step * std::max(1, static_cast<int>(std::ceil(wanted_columns / step)));
  const int rows = step * std::max(1, static_cast<int>(std::ceil(wanted_rows / step)));
  for (int level = 0; level <= doublings; ++level) {
    const int w = columns >> level;
    const int h = rows >> level;
    Level& made = levels_.emplace_back();
    made.columns = w;
    made.rows = h;
    made.cell_x = static_cast<double>(density.width()) / w;
    made.cell_y = static_cast<double>(density.height()) / h;
    made.a_pixel_x = 1 / made.cell_x;
    made.a_pixel_y = 1 / made.cell_y;
  }
  const Level& grid = levels_.front();
  const double unit = std::sqrt(grid.cell_x * grid.cell_y) / cell_size;
  const int merged = std::min(step, 1 << doublings_of(level_step / cell_size));
  level_ = Plane<float>(columns / merged, rows / merged);
  level_x_ = grid.cell_x * merged;
  level_y_ = grid.cell_y * merged;
  parallel_for(context, static_cast<std::size_t>(level_.height()), [&](std::size_t y) {
    double h = mean;
    for (int x = 0; x < level_.width(); ++x) {
      const Vec2 p{(x + 0.5) * level_x_, (static_cast<double>(y) + 0.5) * level_y_};
      h = stack.spacing(p, h, smallest, largest);
      const double times = std::clamp(h / unit, 1.0, std::ldexp(1.0, doublings));
      const int whole = std::ilogb(times);
      level_(x, static_cast<int>(y)) = static_cast<float>(whole + std::ldexp(times, -whole) - 1);
    }
  });
  // Levels that no place uses are dropped.
  const auto values = level_.values();
  const double highest = static_cast<double>(*std::max_element(values.begin(), values.end()));
  levels_.resize(std::min(levels_.size(), static_cast<std::size_t>(std::ceil(highest)) + 1));
}

SpacingGrids::Cells SpacingGrids::empty() const {
  Cells cells;
  for (const Level& level : levels_) cells.emplace_back(level.columns, level.rows);
  return cells;
}

SpacingGrids::Cells SpacingGrids::sum_of(int parts, const std::function<void(int, Cells&)>& add,
                                         Context& context) const {
  std::vector<Cells> sums(static_cast<std::size_t>(parts));
  parallel_for(context, sums.size(), [&](std::size_t part) {
    sums[part] = empty();
    add(static_cast<int>(part), sums[part]);
  });
  for (std::size_t l = 0; parts > 1 && l < levels_.size(); ++l) {
    parallel_for(context, static_cast<std::size_t>(levels_[l].rows), [&](std::size_t row) {
      const int y = static_cast<int>(row);
      float* to = sums[0][l].row(y);
      for (std::size_t part = 1; part < sums.size(); ++part) {
        const float* from = sums[part][l].row(y);
        for (int x = 0; x < levels_[l].columns; ++x) to[x] += from[x];
      }
    });
  }
  return std::move(sums[0]);
}

SpacingGrids::OnLevels SpacingGrids::between_levels(double level) const {
  const auto lower = static_cast<std::uint32_t>(level);
  const auto upper = static_cast<float>(level - lower);
  if (shares_ == Shares::of_mass) return {lower, 1 - upper, upper};
  return {lower, std::sqrt(1 - upper), std::sqrt(upper)};
}

SpacingGrids::OnLevels SpacingGrids::levels_at(Vec2 p) const {
  return between_levels(bilinear(level_, {p.x / level_x_, p.y / level_y_}));
}

// Adds the rows [from, to) of the density, in pieces far smaller than a cell. A row of pieces is
// spread along the row first, then over the rows of cells.
void SpacingGrids::add_rows(const Plane<float>& density, int from, int to, Cells& cells) const {
  const double cell = std::min(levels_[0].cell_x, levels_[0].cell_y);
  const int merged = std::max(1, static_cast<int>(0.25 * cell));
  const int cut = std::max(1, static_cast<int>(std::ceil(1 / cell)));
  constexpr int margin = 2;  // cells beyond either end of a line
  // Pieces of an axis: the center of each, and its splines on every grid.
  struct Pieces {
    std::vector<double> centers;
    std::vector<SplineShares> shares;
  };
  const auto add_pieces = [&](int first, int last, double Level::*size, Pieces& to) {
    const double length = static_cast<double>(last - first) / cut;
    for (int i = 0; i < cut; ++i) {
      const double start = first + i * length;
      to.centers.push_back(start + 0.5 * length);
      for (const Level& level : levels_) {
        to.shares.push_back(spline_over(start / (level.*size), (start + length) / (level.*size)));
      }
    }
  };
  Pieces across;
  for (int x0 = 0; x0 < density.width(); x0 += merged) {
    add_pieces(x0, std::min(density.width(), x0 + merged), &Level::cell_x, across);
  }
  // The columns of the map of levels between which a piece lies, and its place between them.
  struct Between {
    std::size_t left, right;
    float t;
  };
  std::vector<Between> between;
  for (const double center : across.centers) {
    const double u = std::clamp(center / level_x_ - 0.5, 0.0, level_.width() - 1.0);
    const auto left = static_cast<std::size_t>(u);
    between.push_back({left, std::min(left + 1, static_cast<std::size_t>(level_.width()) - 1),
                       static_cast<float>(u - static_cast<double>(left))});
  }
  std::vector<float> level_row(static_cast<std::size_t>(level_.width()));
  std::vector<std::vector<float>> lines;
  for (const Level& level : levels_) {
    lines.emplace_back(static_cast<std::size_t>(level.columns + 2 * margin));
  }
  std::vector<float> masses(across.centers.size() / static_cast<std::size_t>(cut));
  Pieces down;
  for (int y0 = from; y0 < to; y0 += merged) {
    const int y1 = std::min(to, y0 + merged);
    std::fill(masses.begin(), masses.end(), 0.0f);
    for (int y = y0; y < y1; ++y) {
      const float* row = density.row(y);
      for (int x = 0; x < density.width(); ++x) {
        masses[static_cast<std::size_t>(x / merged)] += row[x];
      }
    }
    down.centers.clear();
    down.shares.clear();
    add_pieces(y0, y1, &Level::cell_y, down);
    for (std::size_t p = 0; p < down.centers.size(); ++p) {
      const SplineShares* const high = down.shares.data() + p * levels_.size();
      const double v = std::clamp(down.centers[p] / level_y_ - 0.5, 0.0, level_.height() - 1.0);
      const int above = static_cast<int>(v);
      const float* const upper = level_.row(above);
      const float* const lower = level_.row(std::min(above + 1, level_.height() - 1));
      for (std::size_t i = 0; i < level_row.size(); ++i) {
        level_row[i] = upper[i] + static_cast<float>(v - above) * (lower[i] - upper[i]);
      }
      std::uint32_t used = 0;  // a bit per level
      for (std::size_t i = 0; i < between.size(); ++i) {
        const float mass = cut == 1 ? masses[i] : masses[i / static_cast<std::size_t>(cut)];
        if (!(mass > 0)) continue;
        const auto& [left, right, t] = between[i];
        const float level = level_row[left] + t * (level_row[right] - level_row[left]);
        between_levels(level).share([&](std::size_t l, float part) {
          const SplineShares& wide = across.shares[i * levels_.size() + l];
          float* line = lines[l].data() + margin + wide.first;
          const float here = mass * part / static_cast<float>(cut * cut);
          for (std::size_t k = 0; k < 4; ++k) line[k] += here * wide.value[k];
          used |= 1u << l;
        });
      }
      for (std::size_t l = 0; l < levels_.size(); ++l) {
        if ((used >> l & 1) == 0) continue;
        std::vector<float>& line = lines[l];
        const int columns = levels_[l].columns;
        for (const int k : {-2, -1, columns, columns + 1}) {
          line[static_cast<std::size_t>(margin + mirrored(k, columns))] +=
              line[static_cast<std::size_t>(margin + k)];
        }
        for (int j = 0; j < 4; ++j) {
          float* row = cells[l].row(mirrored(high[l].first + j, levels_[l].rows));
          const float share = high[l].value[static_cast<std::size_t>(j)];
          for (int x = 0; x < columns; ++x)
            row[x] += share * line[static_cast<std::size_t>(margin + x)];
        }
        std::fill(line.begin(), line.end(), 0.0f);
      }
    }
  }
}

SpacingGrids::Cells SpacingGrids::of_density(const Plane<float>& density, Context& context) const {
  const int rows = density.height();
  return sum_of(
      density_parts,
      [&](int part, Cells& to) {
        add_rows(density, rows * part / density_parts, rows * (part + 1) / density_parts, to);
      },
      context);
}

void SpacingGrids::add_dots(std::span<const Vec2> dots, std::span<const float> masses,
                            std::span<const OnLevels> on, std::size_t from, std::size_t to,
                            Cells& cells) const {
  for (std::size_t i = from; i < to; ++i) {
    const float mass = masses.empty() ? 1.0f : masses[i];
    (on.empty() ? levels_at(dots[i]) : on[i]).share([&](std::size_t l, float seen) {
      const Vec2 p = levels_[l].in_cells(dots[i]);
      spread(mass * seen, spline_at(p.x), spline_at(p.y), cells[l]);
    });
  }
}

SpacingGrids::Cells SpacingGrids::of_dots(std::span<const Vec2> dots, std::span<const float> masses,
                                          int parts, Context& context) const {
  return sum_of(
      parts,
      [&](int part, Cells& to) {
        const auto n = static_cast<std::size_t>(part);
        const auto end = [&](std::size_t p) {
          return dots.size() * p / static_cast<std::size_t>(parts);
        };
        add_dots(dots, masses, {}, end(n), end(n + 1), to);
      },
      context);
}

}  // namespace dapple
