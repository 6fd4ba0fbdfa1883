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
    levels_.push_back({w, h, static_cast<double>(density.width()) / w,
                       static_cast<double>(density.height()) / h});
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

SpacingGrids::OnLevels SpacingGrids::levels_at(Vec2 p) const {
  const double level = bilinear(level_, {p.x / level_x_, p.y / level_y_});
  const auto lower = static_cast<std::uint32_t>(level);
  const double upper = level - lower;
  const auto part = [&](double share) {
    return static_cast<float>(shares_ == Shares::of_pairs ? std::sqrt(share) : share);
  };
  return {lower, part(1 - upper), part(upper)};
}

// Adds the rows [from, to) of the density, in pieces far smaller than a cell. A row of pieces is
// spread along the row first, then over the rows of cells.
void SpacingGrids::add_rows(const Plane<float>& density, int from, int to, Cells& cells) const {
  const double cell = std::min(levels_[0].cell_x, levels_[0].cell_y);
  const int merged = std::max(1, static_cast<int>(0.25 * cell));
  const int cut = std::max(1, static_cast<int>(std::ceil(1 / cell)));
  constexpr int margin = 2;  // cells beyond either end of a line
  // A piece of an axis, with its splines on every grid.
  struct Piece {
    double center = 0;
    std::vector<SplineShares> shares;
  };
  const auto pieces_of = [&](int first, int last, double Level::*size) {
    std::vector<Piece> pieces;
    const double length = static_cast<double>(last - first) / cut;
    for (int i = 0; i < cut; ++i) {
      const double start = first + i * length;
      Piece piece{start + 0.5 * length, {}};
      for (const Level& level : levels_) {
        piece.shares.push_back(
            spline_over(start / (level.*size), (start + length) / (level.*size)));
      }
      pieces.push_back(std::move(piece));
    }
    return pieces;
  };
  std::vector<Piece> across;
  for (int x0 = 0; x0 < density.width(); x0 += merged) {
    for (Piece& piece : pieces_of(x0, std::min(density.width(), x0 + merged), &Level::cell_x)) {
      across.push_back(std::move(piece));
    }
  }
  std::vector<std::vector<float>> lines;
  for (const Level& level : levels_) {
    lines.emplace_back(static_cast<std::size_t>(level.columns + 2 * margin));
  }
  std::vector<float> masses(across.size() / static_cast<std::size_t>(cut));
  for (int y0 = from; y0 < to; y0 += merged) {
    const int y1 = std::min(to, y0 + merged);
    std::fill(masses.begin(), masses.end(), 0.0f);
    for (int y = y0; y < y1; ++y) {
      const float* row = density.row(y);
      for (int x = 0; x < density.width(); ++x) {
        masses[static_cast<std::size_t>(x / merged)] += row[x];
      }
    }
    for (const Piece& high : pieces_of(y0, y1, &Level::cell_y)) {
      std::uint32_t used = 0;  // a bit per level
      for (std::size_t i = 0; i < across.size(); ++i) {
        const float mass = masses[i / static_cast<std::size_t>(cut)];
        if (!(mass > 0)) continue;
        levels_at({across[i].center, high.center}).share([&](std::size_t l, float part) {
          const SplineShares& wide = across[i].shares[l];
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
          float* row = cells[l].row(mirrored(high.shares[l].first + j, levels_[l].rows));
          const float share = high.shares[l].value[static_cast<std::size_t>(j)];
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

SpacingGrids::Cells SpacingGrids::of_dots(std::span<const Vec2> dots, std::span<const float> masses,
                                          std::span<const OnLevels> on, int parts,
                                          Context& context) const {
  return sum_of(
      parts,
      [&](int part, Cells& to) {
        const auto n = static_cast<std::size_t>(part);
        const std::size_t end = dots.size() * (n + 1) / static_cast<std::size_t>(parts);
        for (std::size_t i = dots.size() * n / static_cast<std::size_t>(parts); i < end; ++i) {
          const float mass = masses.empty() ? 1.0f : masses[i];
          (on.empty() ? levels_at(dots[i]) : on[i]).share([&](std::size_t l, float seen) {
            spread(mass * seen, spline_at(dots[i].x / levels_[l].cell_x),
                   spline_at(dots[i].y / levels_[l].cell_y), to[l]);
          });
        }
      },
      context);
}

}  // namespace dapple
