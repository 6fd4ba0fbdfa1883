// Makes masks that stipple a map: the pixels below any threshold t are dots of the density min(1, c
// map), where c makes their share of all pixels t.
//
// This is void-and-cluster (Ulichney 1993) with a target that rises with the threshold. The energy
// E of the dots set so far is compared with the energy T that the wanted density would have, both
// under the same kernels. The pixel that falls short of its target the most is set next. Every dot
// adds a kernel as wide as its own spacing, in steps of a factor of two, as in the stippling of
// this library. This gives the right tone; kernels as wide as the spacing at the receiving pixel do
// not. Targets are known at the ends of stages and interpolated within. The first dots are the
// sampler's progressive points.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

#include "core/modulo.hpp"
#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "generate/mask/engine.hpp"

namespace dapple::mask {
namespace {

// Below this density kernels double their width, and again at each quarter of the density before.
constexpr double narrow_above = 0.04;
constexpr int most_levels = 5;
// Below this density no dot is set yet: not even the widest kernel would see its neighbors.
constexpr double least_density = 2e-5;
constexpr float least_value = 0x1p-24f;  // relative to a map's largest value; less counts as 0
constexpr int tile = 16;
// A stage raises the share of set pixels by this factor, or by this much.
constexpr double stage_factor = 1.3;
constexpr double stage_step = 0.03;

// The dense kernel of ordinary masks, with a sum of 1.
struct UnitKernel {
  int reach;
  std::vector<double> values;  // (2 reach + 1)^2

  UnitKernel() {
    const Kernel kernel = make_kernel(dense_shape, 1, 30000, EnergyField::taken - 1);
    reach = kernel.reach;
    for (const std::int16_t w : kernel.weights) {
      values.push_back(static_cast<double>(w) / static_cast<double>(kernel.sum));
    }
  }
  // Interpolates between whole pixels.
  double at(double x, double y) const {
    const int side = 2 * reach + 1;
    const double u = x + reach;
    const double v = y + reach;
    if (u < 0 || v < 0 || u > side - 1 || v > side - 1) return 0;
    const int i = std::min(static_cast<int>(u), side - 2);
    const int j = std::min(static_cast<int>(v), side - 2);
    const double s = u - i;
    const double t = v - j;
    const auto value = [&](int a, int b) { return values[static_cast<std::size_t>(b * side + a)]; };
    return (1 - t) * ((1 - s) * value(i, j) + s * value(i + 1, j)) +
           t * ((1 - s) * value(i, j + 1) + s * value(i + 1, j + 1));
  }
};

// The energy at which void-and-cluster picks its next pixel in an even mask, by the density
// reached. The mean energy is that density; voids lie below it.
class PickEnergy {
 public:
  explicit PickEnergy(Context& context) {
    constexpr int side = 96;
    const Kernel kernel = make_kernel(dense_shape, 1, 30000, EnergyField::taken - 1);
    const Pixel first{0, 0};
    const Plane<std::int32_t> ranks =
        grow_ranks(side, side, {&first, 1}, tuned_sigma, context, false, [](double) {});
    energy_.resize(ranks.size() + 1);
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        std::int64_t sum = 0;
        for (int dy = -kernel.reach; dy <= kernel.reach; ++dy) {
          for (int dx = -kernel.reach; dx <= kernel.reach; ++dx) {
            const bool before = ranks((x + dx + side) % side, (y + dy + side) % side) < ranks(x, y);
            if (before) sum += kernel.at(dx, dy);
          }
        }
        energy_[static_cast<std::size_t>(ranks(x, y))] =
            static_cast<float>(static_cast<double>(sum) / static_cast<double>(kernel.sum));
      }
    }
    energy_.back() = 1;
    std::sort(energy_.begin(), energy_.end());
  }

  float at(float density) const {
    const float place = std::clamp(density, 0.0f, 1.0f) * static_cast<float>(energy_.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(place), energy_.size() - 2);
    const float part = place - static_cast<float>(i);
    return (1 - part) * energy_[i] + part * energy_[i + 1];
  }

 private:
  std::vector<float> energy_;
};

// The kernel of a level, 2^level times as wide.
struct LevelKernel {
  int reach = 0;
  std::vector<float> values;
};

LevelKernel widened(const UnitKernel& unit, int level) {
  LevelKernel kernel;
  const int factor = 1 << level;
  kernel.reach = unit.reach * factor + factor / 2;
  std::vector<double> values;
  double sum = 0;
  for (int dy = -kernel.reach; dy <= kernel.reach; ++dy) {
    for (int dx = -kernel.reach; dx <= kernel.reach; ++dx) {
      values.push_back(unit.at(static_cast<double>(dx) / factor, static_cast<double>(dy) / factor));
      sum += values.back();
    }
  }
  for (const double v : values) kernel.values.push_back(static_cast<float>(v / sum));
  return kernel;
}

// Returns sums of 2x2 pixels, mirrored beyond an odd side.
Plane<float> halved(const Plane<float>& plane) {
  Plane<float> half((plane.width() + 1) / 2, (plane.height() + 1) / 2);
  for (int y = 0; y < half.height(); ++y) {
    const float* above = plane.row(2 * y);
    const float* below = plane.row(mirrored(2 * y + 1, plane.height()));
    for (int x = 0; x < half.width(); ++x) {
      const int next = mirrored(2 * x + 1, plane.width());
      half(x, y) = above[2 * x] + above[next] + below[2 * x] + below[next];
    }
  }
  return half;
}

// Returns the plane under the unit kernel, mirrored beyond its border.
Plane<float> filtered(const Plane<float>& plane, const UnitKernel& unit, Context& context) {
  const int w = plane.width();
  const int h = plane.height();
  const int reach = unit.reach;
  Plane<float> padded(w + 2 * reach, h);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < padded.width(); ++x) padded(x, y) = plane(mirrored(x - reach, w), y);
  }
  const std::vector<float> weights(unit.values.begin(), unit.values.end());
  Plane<float> result(w, h);
  parallel_for(context, static_cast<std::size_t>(h), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    float* to = result.row(y);
    const float* weight = weights.data();
    for (int dy = -reach; dy <= reach; ++dy) {
      for (int dx = 0; dx <= 2 * reach; ++dx, ++weight) {
        const float* from = padded.row(mirrored(y + dy, h)) + dx;
        for (int x = 0; x < w; ++x) to[x] += *weight * from[x];
      }
    }
  });
  return result;
}

// Returns a plane of this size from sums over factor x factor pixels, linear between their centers.
Plane<float> spread_out(const Plane<float>& sums, int factor, int width, int height,
                        Context& context) {
  struct Place {
    int before, after;
    float part;
  };
  const auto place = [&](int at, int side) {
    const float v = (static_cast<float>(at) + 0.5f) / static_cast<float>(factor) - 0.5f;
    const int i = std::clamp(static_cast<int>(std::floor(v)), 0, std::max(side - 2, 0));
    return Place{i, std::min(i + 1, side - 1), std::clamp(v - static_cast<float>(i), 0.0f, 1.0f)};
  };
  std::vector<Place> columns;
  for (int x = 0; x < width; ++x) columns.push_back(place(x, sums.width()));
  const float scale = 1 / static_cast<float>(factor * factor);
  Plane<float> result(width, height);
  parallel_for(context, static_cast<std::size_t>(height), [&](std::size_t row) {
    const Place y = place(static_cast<int>(row), sums.height());
    const float* above = sums.row(y.before);
    const float* below = sums.row(y.after);
    float* to = result.row(static_cast<int>(row));
    for (const Place& x : columns) {
      const float top = (1 - x.part) * above[x.before] + x.part * above[x.after];
      const float bottom = (1 - x.part) * below[x.before] + x.part * below[x.after];
      *to++ = scale * ((1 - y.part) * top + y.part * bottom);
    }
  });
  return result;
}

class DensityMask {
 public:
  // `full`: the share of pixels that come before all others.
  DensityMask(const Plane<float>& map, double full, Context& context)
      : context_(context),
        map_(map),
        full_(full),
        pick_energy_(context),
        ranks_(map.width(), map.height(), -1),
        energy_(map.width(), map.height()),
        from_(map.width(), map.height()),
        per_share_(map.width(), map.height(), 1),
        level_(map.width(), map.height()),
        sorted_(map.values().begin(), map.values().end()),
        sums_(1, 0.0) {
    kernels_.resize(most_levels + 1);
    std::sort(sorted_.begin(), sorted_.end());
    for (const float v : sorted_) sums_.push_back(sums_.back() + static_cast<double>(v));
    for (int level = 0; level < most_levels; ++level) means_.push_back(blurred(map_, level));
  }

  Plane<std::int32_t> run(std::span<const Pixel> start,
                          const std::function<void(double)>& progress) {
    const auto total = static_cast<double>(ranks_.size());
    double share = std::max(static_cast<double>(start.size()), 1.0) / total;
    double factor = factor_for(share);
    set_levels(factor);
    for (const Pixel p : start) set(p);
    Plane<float> end = target(factor);
    while (next_ < static_cast<std::int32_t>(ranks_.size())) {
      const double before = share;
      share = std::min({1.0, share * stage_factor, share + stage_step});
      // Places where the map is 0 get no dot before the rest is full.
      if (before < full_ && share > full_) share = full_;
      const double next_factor = factor_for(share);
      // Levels hold for a stage, so that both of its ends are under the same kernels.
      const bool changed = set_levels(next_factor);
      const Plane<float> begin = changed ? target(factor) : std::move(end);
      end = target(next_factor);
      begin_stage(begin, end, next_factor);
      const auto last = static_cast<std::int32_t>(std::lround(share * total));
      while (next_ < last && std::isfinite(queue_.top().due)) set(next_pixel());
      factor = next_factor;
      progress(share);
    }
    return std::move(ranks_);
  }

 private:
  static double density(double map, double factor) { return std::min(1.0, map * factor); }

  // Returns c such that min(1, c map) fills this share of all pixels.
  double factor_for(double share) const {
    const auto count = static_cast<double>(sorted_.size());
    const auto filled = [&](double c) {
      const auto full = std::lower_bound(sorted_.begin(), sorted_.end(), 1 / c);
      const auto below = static_cast<std::size_t>(full - sorted_.begin());
      return c * sums_[below] + (count - static_cast<double>(below));
    };
    double low = 0;
    double high = 1;
    while (filled(high) < share * count && high < 0x1p60) high *= 2;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (filled(middle) < share * count ? low : high) = middle;
    }
    return high;
  }

  // Returns `plane` under the kernel of a level.
  Plane<float> blurred(Plane<float> plane, int level) {
    for (int k = 0; k < level; ++k) plane = halved(plane);
    plane = filtered(plane, unit_, context_);
    if (level == 0) return plane;
    return spread_out(plane, 1 << level, map_.width(), map_.height(), context_);
  }

  // Returns the energy at which each pixel is to be picked.
  Plane<float> target(double factor) {
    Plane<float> sum(map_.width(), map_.height());
    const int top = *std::max_element(level_.values().begin(), level_.values().end());
    for (int level = 0; level <= top; ++level) {
      Plane<float> part(map_.width(), map_.height());
      bool any = false;
      for (std::size_t i = 0; i < part.size(); ++i) {
        if (level_.values()[i] != level) continue;
        part.values()[i] =
            static_cast<float>(density(static_cast<double>(map_.values()[i]), factor));
        any = true;
      }
      if (!any) continue;
      const Plane<float> seen = blurred(std::move(part), level);
      for (std::size_t i = 0; i < sum.size(); ++i) sum.values()[i] += seen.values()[i];
    }
    for (std::size_t i = 0; i < sum.size(); ++i) {
      // A level sees the same energy as level 0 would for dots 4^level times as dense.
      const auto dense = static_cast<float>(1 << (2 * level_.values()[i]));
      sum.values()[i] = pick_energy_.at(sum.values()[i] * dense) / dense;
    }
    return sum;
  }

  // Returns the level of the narrowest kernel that sees enough dots, by the mean density under it.
  int level_at(std::size_t pixel, double factor) const {
    double enough = narrow_above;
    for (int level = 0; level < most_levels; ++level, enough *= 0.25) {
      const float mean = means_[static_cast<std::size_t>(level)].values()[pixel];
      if (static_cast<double>(mean) * factor >= enough) return level;
    }
    return most_levels;
  }

  // Narrows the kernels of dots whose density passed a step. Returns true if any has changed.
  bool set_levels(double factor) {
    bool changed = false;
    std::size_t pixel = 0;
    for (int y = 0; y < map_.height(); ++y) {
      for (int x = 0; x < map_.width(); ++x) {
        const auto level = static_cast<std::uint8_t>(level_at(pixel++, factor));
        if (level == level_(x, y)) continue;
        if (ranks_(x, y) >= 0) {
          add(x, y, level_(x, y), -1);
          add(x, y, level, 1);
        }
        level_(x, y) = level;
        changed = true;
      }
    }
    return changed;
  }

  // Adds the dot with its mirror images beyond the border.
  void add(int x, int y, int level, float sign) {
    LevelKernel& kernel = kernels_[static_cast<std::size_t>(level)];
    if (kernel.values.empty()) kernel = widened(unit_, level);
    const std::vector<int> columns = images(x, map_.width(), kernel.reach);
    for (const int v : images(y, map_.height(), kernel.reach)) {
      for (const int u : columns) add_at(u, v, kernel, sign);
    }
  }

  // Returns the places at which the mirrors at both ends of a side show a dot, as far as they can
  // be seen from within.
  static std::vector<int> images(int at, int side, int reach) {
    std::vector<int> places;
    for (int period = -(reach / (2 * side) + 1); period <= reach / (2 * side) + 1; ++period) {
      for (const int place : {2 * side * period + at, 2 * side * period - 1 - at}) {
        if (place >= -reach && place < side + reach) places.push_back(place);
      }
    }
    return places;
  }

  void add_at(int x, int y, const LevelKernel& kernel, float sign) {
    const int reach = kernel.reach;
    const int side = 2 * reach + 1;
    const int x0 = std::max(0, x - reach);
    const int x1 = std::min(map_.width(), x + reach + 1);
    for (int v = std::max(0, y - reach); v < std::min(map_.height(), y + reach + 1); ++v) {
      const float* from =
          &kernel.values[static_cast<std::size_t>((v - y + reach) * side + x0 - x + reach)];
      float* to = energy_.row(v) + x0;
      for (int i = 0; i < x1 - x0; ++i) to[i] += sign * from[i];
    }
  }

  void set(const Pixel& p) {
    if (ranks_(p.x, p.y) >= 0) return;
    ranks_(p.x, p.y) = next_++;
    add(p.x, p.y, level_(p.x, p.y), 1);
    from_(p.x, p.y) = -std::numeric_limits<float>::infinity();
  }

  void begin_stage(const Plane<float>& begin, const Plane<float>& end, double factor) {
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      if (ranks_.values()[i] >= 0) continue;
      if (density(static_cast<double>(map_.values()[i]), factor) < least_density) {
        from_.values()[i] = -std::numeric_limits<float>::infinity();
        per_share_.values()[i] = 1;
        continue;
      }
      const float rise = end.values()[i] - begin.values()[i];
      from_.values()[i] = begin.values()[i];
      per_share_.values()[i] = 1 / std::max(rise, 1e-4f * end.values()[i] + 1e-20f);
    }
    queue_ = {};
    for (int y = 0; y < map_.height(); y += tile) {
      for (int x = 0; x < map_.width(); x += tile) {
        queue_.push(first_of(x, y));
      }
    }
  }

  struct Candidate {
    float due;
    int y, x;  // of the pixel
    int tile_y, tile_x;
    // Orders a queue whose top is the earliest candidate.
    bool operator<(const Candidate& other) const {
      return std::tie(due, y, x) > std::tie(other.due, other.y, other.x);
    }
    bool operator==(const Candidate&) const = default;
  };

  // Returns when the target reaches the energy, in parts of the stage; +inf for set pixels.
  float due(int x, int y) const { return (energy_(x, y) - from_(x, y)) * per_share_(x, y); }

  Candidate first_of(int tile_x, int tile_y) const {
    Candidate first{std::numeric_limits<float>::infinity(), tile_y, tile_x, tile_y, tile_x};
    const int x1 = std::min(tile_x + tile, map_.width());
    for (int y = tile_y; y < std::min(tile_y + tile, map_.height()); ++y) {
      const float* energy = energy_.row(y);
      const float* from = from_.row(y);
      const float* scale = per_share_.row(y);
      float least = first.due;
      for (int x = tile_x; x < x1; ++x) {
        const float d = (energy[x] - from[x]) * scale[x];
        least = d < least ? d : least;
      }
      if (least >= first.due) continue;
      for (int x = tile_x; x < x1; ++x) {
        if (due(x, y) == least) {
          first = {least, y, x, tile_y, tile_x};
          break;
        }
      }
    }
    return first;
  }

  // Returns the pixel that is due first. Energies only rise in a stage: the queue has lower bounds.
  Pixel next_pixel() {
    for (;;) {
      const Candidate bound = queue_.top();
      queue_.pop();
      const Candidate now = first_of(bound.tile_x, bound.tile_y);
      queue_.push(now);
      if (now == bound) {
        if (++picks_ % 4096 == 0) context_.check();
        return {now.x, now.y};
      }
    }
  }

  Context& context_;
  const Plane<float>& map_;
  double full_;
  UnitKernel unit_;
  PickEnergy pick_energy_;
  std::vector<LevelKernel> kernels_;
  Plane<std::int32_t> ranks_;
  Plane<float> energy_;
  Plane<float> from_, per_share_;  // target at the start of a stage; 1 / its rise
  Plane<std::uint8_t> level_;
  std::vector<Plane<float>> means_;  // of the map, by level of the kernel
  std::vector<float> sorted_;        // values of the map
  std::vector<double> sums_;         // of the first n values
  std::priority_queue<Candidate> queue_;
  std::int32_t next_ = 0;
  std::int64_t picks_ = 0;
};

}  // namespace

Plane<std::int32_t> density_ranks(const Plane<float>& map, std::span<const Pixel> start,
                                  Context& context, const std::function<void(double)>& progress) {
  // Pixels for which the map has nothing come last, evenly.
  const float most = *std::max_element(map.values().begin(), map.values().end());
  const auto wanted = std::count_if(map.values().begin(), map.values().end(),
                                    [&](float v) { return v > most * least_value; });
  Plane<float> positive = map;
  for (float& v : positive.values()) v = std::max(v / most, least_value);
  const double full = static_cast<double>(wanted) / static_cast<double>(map.size());
  return DensityMask(positive, full, context).run(start, progress);
}

}  // namespace dapple::mask
