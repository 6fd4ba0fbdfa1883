// Kernels of a spacing's width do not feel errors of tone over many spacings, and what they feel
// slightly wrong adds up over them. Both are a flow's business: dots and density are seen through
// the same splines, each as wide as its own spacing asks for, and their difference E is undone by
// moving dots by the gradient of phi, where div(density grad phi) = E: to first order the optimal
// transport of what is too much to where it is missing. That flow is smooth over a spacing, so
// dots keep their distances.
#include "relax/tone_flow.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parallel.hpp"
#include "relax/spline.hpp"

namespace dapple {
namespace {

constexpr int cycles = 3;
constexpr int parts = 8;             // of what is summed in parallel; sums depend on it
constexpr double thinnest = 1e-3;    // density that still carries a flow, in mean densities
constexpr std::size_t block = 1024;  // dots of one parallel item

// A mass onto the cells of a grid, as splines (SplineWeights or SplineShares) share it out.
template <class Splines>
void spread(double mass, const Splines& across, const Splines& down, Plane<float>& grid) {
  for (std::size_t j = 0; j < down.value.size(); ++j) {
    float* row = grid.row(mirrored(down.first + static_cast<int>(j), grid.height()));
    const double along = mass * down.value[j];
    for (std::size_t i = 0; i < across.value.size(); ++i) {
      row[mirrored(across.first + static_cast<int>(i), grid.width())] +=
          static_cast<float>(along * across.value[i]);
    }
  }
}

}  // namespace

Plane<float> refined(const Plane<float>& cells) {
  const int w = cells.width();
  const int h = cells.height();
  Plane<float> fine(2 * w, 2 * h);
  std::vector<float> row(static_cast<std::size_t>(w));
  for (int y = 0; y < 2 * h; ++y) {
    const float* near = cells.row(y / 2);
    const float* far = cells.row(std::clamp(y / 2 + (y % 2 == 0 ? -1 : 1), 0, h - 1));
    for (int x = 0; x < w; ++x) {
      row[static_cast<std::size_t>(x)] = 0.75f * near[x] + 0.25f * far[x];
    }
    float* to = fine.row(y);
    for (int x = 0; x < w; ++x) {
      const float here = 0.75f * row[static_cast<std::size_t>(x)];
      to[2 * x] = here + 0.25f * row[static_cast<std::size_t>(std::max(0, x - 1))];
      to[2 * x + 1] = here + 0.25f * row[static_cast<std::size_t>(std::min(w - 1, x + 1))];
    }
  }
  return fine;
}

ToneFlow::ToneFlow(const Plane<float>& density, const DensityStack& stack, double smallest,
                   double largest, double cell_size, Context& context) {
  const double area = static_cast<double>(density.width()) * density.height();
  const double total =
      parallel_sum(context, static_cast<std::size_t>(density.height()), [&](std::size_t y) {
        double sum = 0;
        const float* row = density.row(static_cast<int>(y));
        for (int x = 0; x < density.width(); ++x) {
          sum += static_cast<double>(row[x]);
        }
        return sum;
      });
  const double mean = std::sqrt(area / total);
  // A few dark specks do not make the grid finer everywhere.
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
  level_ = Plane<float>(columns, rows);
  parallel_for(context, static_cast<std::size_t>(rows), [&](std::size_t y) {
    double h = mean;
    for (int x = 0; x < columns; ++x) {
      const Vec2 p{(x + 0.5) * grid.cell_x, (static_cast<double>(y) + 0.5) * grid.cell_y};
      h = stack.spacing(p, h, smallest, largest);
      const double times = std::clamp(h / unit, 1.0, std::ldexp(1.0, doublings));
      const int whole = std::ilogb(times);
      level_(x, static_cast<int>(y)) = static_cast<float>(whole + std::ldexp(times, -whole) - 1);
    }
  });
  wanted_ = sum_of(
      parts,
      [&](int part, Grids& to) {
        add_density(density, density.height() * part / parts, density.height() * (part + 1) / parts,
                    to);
      },
      context);
  Plane<float> carrier = collapsed(wanted_);
  const auto least = static_cast<float>(thinnest * total / area);
  for (float& v : carrier.values()) v = std::max(v, least);
  equation_.emplace_back(std::move(carrier), grid.cell_x, grid.cell_y, context);
}

ToneFlow::Grids ToneFlow::empty_grids() const {
  Grids grids;
  for (const Level& level : levels_) grids.emplace_back(level.columns, level.rows);
  return grids;
}

ToneFlow::Grids ToneFlow::sum_of(int count, const std::function<void(int, Grids&)>& add,
                                 Context& context) {
  std::vector<Grids> sums(static_cast<std::size_t>(count));
  parallel_for(context, sums.size(), [&](std::size_t part) {
    sums[part] = empty_grids();
    add(static_cast<int>(part), sums[part]);
  });
  for (std::size_t l = 0; l < levels_.size(); ++l) {
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

double ToneFlow::level_of(Vec2 p) const {
  const double u = std::clamp(p.x / levels_[0].cell_x - 0.5, 0.0, level_.width() - 1.0);
  const double v = std::clamp(p.y / levels_[0].cell_y - 0.5, 0.0, level_.height() - 1.0);
  const int x = static_cast<int>(u);
  const int y = static_cast<int>(v);
  const int x1 = std::min(x + 1, level_.width() - 1);
  const int y1 = std::min(y + 1, level_.height() - 1);
  const auto at = [&](int i, int j) { return static_cast<double>(level_(i, j)); };
  const double above = at(x, y) + (u - x) * (at(x1, y) - at(x, y));
  const double below = at(x, y1) + (u - x) * (at(x1, y1) - at(x, y1));
  return above + (v - y) * (below - above);
}

// Calls add(level, share) for the two grids that a mass at p is seen on.
template <class Add>
void ToneFlow::share(Vec2 p, double mass, const Add& add) const {
  const double level = level_of(p);
  const auto lower = static_cast<std::size_t>(level);
  const double upper_share = level - static_cast<double>(lower);
  add(lower, mass * (1 - upper_share));
  if (upper_share > 0) add(lower + 1, mass * upper_share);
}

// The rows [from, to) of the density, in pieces far smaller than a cell.
void ToneFlow::add_density(const Plane<float>& density, int from, int to, Grids& grids) const {
  const double cell = std::min(levels_[0].cell_x, levels_[0].cell_y);
  const int merged = std::max(1, static_cast<int>(0.25 * cell));
  const int cut = std::max(1, static_cast<int>(std::ceil(1 / cell)));
  // The place of a piece of an axis on every grid.
  struct Piece {
    double center = 0;
    std::vector<SplineShares> shares;
  };
  const auto piece_of = [&](double start, double end, double Level::*size) {
    Piece piece{0.5 * (start + end), {}};
    for (const Level& level : levels_) {
      piece.shares.push_back(spline_over(start / (level.*size), end / (level.*size)));
    }
    return piece;
  };
  const auto pieces_of = [&](int first, int last, double Level::*size) {
    std::vector<Piece> pieces;
    const double length = static_cast<double>(last - first) / cut;
    for (int i = 0; i < cut; ++i) {
      pieces.push_back(piece_of(first + i * length, first + (i + 1) * length, size));
    }
    return pieces;
  };
  std::vector<std::vector<Piece>> across;
  for (int x0 = 0; x0 < density.width(); x0 += merged) {
    across.push_back(pieces_of(x0, std::min(density.width(), x0 + merged), &Level::cell_x));
  }
  const auto splat = [&](const Piece& wide, const Piece& high, double mass) {
    share({wide.center, high.center}, mass, [&](std::size_t l, double part) {
      spread(part, wide.shares[l], high.shares[l], grids[l]);
    });
  };
  for (int y0 = from; y0 < to; y0 += merged) {
    const int y1 = std::min(to, y0 + merged);
    const std::vector<Piece> down = pieces_of(y0, y1, &Level::cell_y);
    for (int x0 = 0; x0 < density.width(); x0 += merged) {
      const int x1 = std::min(density.width(), x0 + merged);
      double mass = 0;
      for (int y = y0; y < y1; ++y) {
        for (int x = x0; x < x1; ++x) mass += static_cast<double>(density(x, y));
      }
      if (!(mass > 0)) continue;
      for (const Piece& high : down) {
        for (const Piece& wide : across[static_cast<std::size_t>(x0 / merged)]) {
          splat(wide, high, mass / (cut * cut));
        }
      }
    }
  }
}

// From dots per cell of every grid to dots per pixel on the finest.
Plane<float> ToneFlow::collapsed(const Grids& grids) const {
  Plane<float> sum;
  for (std::size_t l = levels_.size(); l-- > 0;) {
    const auto a_pixel = static_cast<float>(1 / (levels_[l].cell_x * levels_[l].cell_y));
    Plane<float> here =
        sum.size() > 0 ? refined(sum) : Plane<float>(levels_[l].columns, levels_[l].rows);
    for (std::size_t i = 0; i < here.size(); ++i) {
      here.values()[i] += grids[l].values()[i] * a_pixel;
    }
    sum = std::move(here);
  }
  return sum;
}

std::vector<Vec2> ToneFlow::ways(const std::vector<Vec2>& dots, Context& context) {
  Grids error = sum_of(
      parts,
      [&](int part, Grids& to) {
        const auto n = static_cast<std::size_t>(part);
        const std::size_t end = dots.size() * (n + 1) / parts;
        for (std::size_t i = dots.size() * n / parts; i < end; ++i) {
          share(dots[i], 1, [&](std::size_t l, double mass) {
            const SplineWeights wx = spline_at(dots[i].x / levels_[l].cell_x);
            const SplineWeights wy = spline_at(dots[i].y / levels_[l].cell_y);
            spread(mass, wx, wy, to[l]);
          });
        }
      },
      context);
  for (std::size_t l = 0; l < error.size(); ++l) {
    for (std::size_t i = 0; i < error[l].size(); ++i) {
      error[l].values()[i] -= wanted_[l].values()[i];
    }
  }
  Plane<float> source = collapsed(error);
  double sum = 0;
  for (const float v : source.values()) sum += static_cast<double>(v);
  const auto mean = static_cast<float>(sum / static_cast<double>(source.size()));
  for (float& v : source.values()) v -= mean;
  const Plane<float>& potential = equation_.front().solve(std::move(source), cycles, context);

  std::vector<Vec2> ways(dots.size());
  const Level& grid = levels_.front();
  parallel_for(context, (dots.size() + block - 1) / block, [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(dots.size(), (b + 1) * block); ++i) {
      const SplineWeights wx = spline_at(dots[i].x / grid.cell_x);
      const SplineWeights wy = spline_at(dots[i].y / grid.cell_y);
      Vec2 slope;
      for (std::size_t j = 0; j < 3; ++j) {
        const float* row = potential.row(mirrored(wy.first + static_cast<int>(j), grid.rows));
        for (std::size_t k = 0; k < 3; ++k) {
          const auto v =
              static_cast<double>(row[mirrored(wx.first + static_cast<int>(k), grid.columns)]);
          slope.x += v * wx.slope[k] * wy.value[j];
          slope.y += v * wx.value[k] * wy.slope[j];
        }
      }
      ways[i] = {slope.x / grid.cell_x, slope.y / grid.cell_y};
    }
  });
  return ways;
}

}  // namespace dapple
