// Implements r(x) of a volume: radii at the centers of voxels, and bounds over ever larger blocks.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/deterministic_math.hpp"
#include "core/modulo.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "field/space/slope.hpp"

namespace dapple {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
// Boxes over more blocks than this along an axis use a higher level.
constexpr int most_blocks = 4;

using Index = std::array<int, 3>;

struct Grid {
  Index n{};

  std::size_t size() const {
    return static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) *
           static_cast<std::size_t>(n[2]);
  }
  std::size_t at(int x, int y, int z) const {
    return static_cast<std::size_t>(x) +
           static_cast<std::size_t>(n[0]) *
               (static_cast<std::size_t>(y) +
                static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(z));
  }
};

// The least and largest radius of blocks of 2^level voxels a side. `some`, `all`: 1 if any voxel or
// every voxel is allowed.
struct Level {
  Grid grid;
  std::vector<float> least, most;
  std::vector<std::uint8_t> some, all;  // empty if all voxels are allowed
};

template <class Body>
void each(const Grid& grid, const Body& body) {
  for (int z = 0; z < grid.n[2]; ++z) {
    for (int y = 0; y < grid.n[1]; ++y) {
      for (int x = 0; x < grid.n[0]; ++x) body(x, y, z);
    }
  }
}

Level coarser(const Level& fine) {
  Level made;
  for (std::size_t a = 0; a < 3; ++a) made.grid.n[a] = (fine.grid.n[a] + 1) / 2;
  made.least.assign(made.grid.size(), infinity);
  made.most.assign(made.grid.size(), 0);
  if (!fine.some.empty()) {
    made.some.assign(made.grid.size(), 0);
    made.all.assign(made.grid.size(), 1);
  }
  each(fine.grid, [&](int x, int y, int z) {
    const std::size_t from = fine.grid.at(x, y, z);
    const std::size_t to = made.grid.at(x / 2, y / 2, z / 2);
    made.least[to] = std::min(made.least[to], fine.least[from]);
    made.most[to] = std::max(made.most[to], fine.most[from]);
    if (fine.some.empty()) return;
    made.some[to] |= fine.some[from];
    made.all[to] &= fine.all[from];
  });
  return made;
}

int wrapped(int i, int n, bool wrap) {
  return wrap ? modulo(i, n) : std::clamp(i, 0, n - 1);
}

// Sets radii of forbidden voxels beside allowed ones: interpolation reads them.
void extend(Level& level, bool wrap) {
  const Grid& grid = level.grid;
  std::vector<float> made = level.least;
  each(grid, [&](int x, int y, int z) {
    const std::size_t own = grid.at(x, y, z);
    if (level.some[own] != 0) return;
    double sum = 0;
    int found = 0;
    for (int k = z - 1; k <= z + 1; ++k) {
      for (int j = y - 1; j <= y + 1; ++j) {
        for (int i = x - 1; i <= x + 1; ++i) {
          const std::size_t of = grid.at(wrapped(i, grid.n[0], wrap), wrapped(j, grid.n[1], wrap),
                                         wrapped(k, grid.n[2], wrap));
          if (level.some[of] == 0) continue;
          sum += static_cast<double>(level.least[of]);
          ++found;
        }
      }
    }
    if (found > 0) made[own] = static_cast<float>(sum / found);
  });
  level.least = std::move(made);
}

}  // namespace

struct VolumeField::Data {
  Voxels base;  // r before all limits, in units of the scale; <= 0: forbidden
  VolumeRules rules;
  double scale = 1;
  std::array<double, 3> side{};
  std::vector<Level> levels;  // levels[0]: single voxels, whose `most` is `least`
  double integral = 0;

  const Level& voxels() const { return levels.front(); }
  bool smooth() const { return rules.interpolation == Interpolation::smooth; }
  bool allowed(const Vec3& at) const {
    if (voxels().some.empty()) return true;
    const Grid& grid = voxels().grid;
    return voxels().some[grid.at(voxel(at.x, 0), voxel(at.y, 1), voxel(at.z, 2))] != 0;
  }
  int voxel(double at, std::size_t axis) const {
    return std::clamp(static_cast<int>(std::floor(at)), 0, voxels().grid.n[axis] - 1);
  }
  // The two voxels along an axis whose centers enclose a place. `part` is the part of the way from
  // the first to the second.
  struct Between {
    std::array<std::size_t, 2> voxel;
    double part;
  };
  Between between(double at, std::size_t axis) const;
  double trilinear(const Between& x, const Between& y, const Between& z) const;
  double trilinear(const Vec3& at) const {
    return trilinear(between(at.x, 0), between(at.y, 1), between(at.z, 2));
  }
  // Computes values at the corners of a box. Returns false unless it lies between the same eight
  // centers of voxels.
  bool at_corners(const std::array<double, 3>& low, const std::array<double, 3>& high,
                  std::array<double, 8>& values) const;
  // Calls body(level, index) for each block of levels[level] that places of a box read from.
  template <class Body>
  void for_blocks(const std::array<double, 3>& low, const std::array<double, 3>& high, int level,
                  const Body& body) const;
  int level_of(const std::array<double, 3>& low, const std::array<double, 3>& high) const;
};

VolumeField::Data::Between VolumeField::Data::between(double at, std::size_t axis) const {
  const int n = voxels().grid.n[axis];
  const double from_center = at - 0.5;
  const double first = std::floor(from_center);
  const int i = static_cast<int>(first);
  return {{static_cast<std::size_t>(wrapped(i, n, rules.wrap)),
           static_cast<std::size_t>(wrapped(i + 1, n, rules.wrap))},
          from_center - first};
}

double VolumeField::Data::trilinear(const Between& x, const Between& y, const Between& z) const {
  const Grid& grid = voxels().grid;
  const auto width = static_cast<std::size_t>(grid.n[0]);
  const auto height = static_cast<std::size_t>(grid.n[1]);
  double sum = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    double of_z = 0;
    for (std::size_t j = 0; j < 2; ++j) {
      const float* row = &voxels().least[width * (y.voxel[j] + height * z.voxel[k])];
      const auto low = static_cast<double>(row[x.voxel[0]]);
      const double of_y = low + x.part * (static_cast<double>(row[x.voxel[1]]) - low);
      of_z += j == 0 ? of_y * (1 - y.part) : of_y * y.part;
    }
    sum += k == 0 ? of_z * (1 - z.part) : of_z * z.part;
  }
  return sum;
}

bool VolumeField::Data::at_corners(const std::array<double, 3>& low,
                                   const std::array<double, 3>& high,
                                   std::array<double, 8>& values) const {
  const Grid& grid = voxels().grid;
  std::array<std::array<std::size_t, 2>, 3> index;
  std::array<std::array<double, 2>, 3> part;
  for (std::size_t a = 0; a < 3; ++a) {
    const double first = std::floor(low[a] - 0.5);
    if (high[a] - 0.5 > first + 1) return false;
    part[a] = {low[a] - 0.5 - first, high[a] - 0.5 - first};
    const int i = static_cast<int>(first);
    index[a] = {static_cast<std::size_t>(wrapped(i, grid.n[a], rules.wrap)),
                static_cast<std::size_t>(wrapped(i + 1, grid.n[a], rules.wrap))};
  }
  const auto width = static_cast<std::size_t>(grid.n[0]);
  const auto height = static_cast<std::size_t>(grid.n[1]);
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t j = 0; j < 2; ++j) {
      const float* row = &voxels().least[width * (index[1][j] + height * index[2][k])];
      const auto first = static_cast<double>(row[index[0][0]]);
      const auto last = static_cast<double>(row[index[0][1]]);
      values[4 * k + 2 * j] = first + part[0][0] * (last - first);
      values[4 * k + 2 * j + 1] = first + part[0][1] * (last - first);
    }
  }
  const auto along = [&](std::size_t i, std::size_t step, const std::array<double, 2>& at) {
    const double first = values[i];
    const double last = values[i + step];
    values[i] = first + at[0] * (last - first);
    values[i + step] = first + at[1] * (last - first);
  };
  for (const std::size_t i : {0u, 1u, 4u, 5u}) along(i, 2, part[1]);
  for (const std::size_t i : {0u, 1u, 2u, 3u}) along(i, 4, part[2]);
  return true;
}

int VolumeField::Data::level_of(const std::array<double, 3>& low,
                                const std::array<double, 3>& high) const {
  double widest = 0;
  for (std::size_t a = 0; a < 3; ++a) widest = std::max(widest, high[a] - low[a]);
  int level = 0;
  while (level + 1 < static_cast<int>(levels.size()) &&
         widest > std::ldexp(most_blocks - 2.0, level)) {
    ++level;
  }
  return level;
}

template <class Body>
void VolumeField::Data::for_blocks(const std::array<double, 3>& low,
                                   const std::array<double, 3>& high, int level,
                                   const Body& body) const {
  const Grid& fine = voxels().grid;
  const Level& of = levels[static_cast<std::size_t>(level)];
  // The blocks along each axis, each once.
  struct Blocks {
    std::array<int, most_blocks + 4> at;
    std::size_t count = 0;
    const int* begin() const { return at.data(); }
    const int* end() const { return at.data() + count; }
  };
  std::array<Blocks, 3> blocks;
  for (std::size_t a = 0; a < 3; ++a) {
    const int first = static_cast<int>(std::floor(low[a]));
    const int last = static_cast<int>(std::floor(high[a]));
    for (int i = first; i <= last;) {
      const int block = wrapped(i, fine.n[a], rules.wrap) >> level;
      if (std::find(blocks[a].begin(), blocks[a].end(), block) == blocks[a].end()) {
        blocks[a].at[blocks[a].count++] = block;
      }
      // This goes to the first voxel of the next block. Beyond the sides it goes voxel by voxel.
      i = i >= 0 && i < fine.n[a] ? std::min((block + 1) << level, fine.n[a]) : i + 1;
    }
  }
  for (const int z : blocks[2]) {
    for (const int y : blocks[1]) {
      for (const int x : blocks[0]) body(of, of.grid.at(x, y, z));
    }
  }
}

VolumeField VolumeField::build(std::shared_ptr<Data> data, double scale, Context& context) {
  Data& made = *data;
  made.scale = scale;
  const VolumeRules& rules = made.rules;
  Level voxels;
  voxels.grid.n = {made.base.width, made.base.height, made.base.depth};
  made.side = {static_cast<double>(made.base.width), static_cast<double>(made.base.height),
               static_cast<double>(made.base.depth)};
  const std::size_t count = voxels.grid.size();
  const bool all_allowed =
      std::all_of(made.base.values.begin(), made.base.values.end(), [](float v) { return v > 0; });
  if (!all_allowed) voxels.some.resize(count);
  Voxels radius{made.base.width, made.base.height, made.base.depth, std::vector<float>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    const float base = made.base.values[i];
    const bool allowed = base > 0;
    if (!all_allowed) voxels.some[i] = allowed ? 1 : 0;
    double r = static_cast<double>(base) * scale;
    if (rules.r_max > 0) r = std::min(r, rules.r_max);
    r = std::max(r, rules.r_min);
    radius.values[i] = allowed ? static_cast<float>(r) : infinity;
  }
  if (rules.slope) limit_volume_slope(radius, *rules.slope, rules.wrap, context);
  voxels.least = std::move(radius.values);
  if (!all_allowed && made.smooth()) extend(voxels, rules.wrap);
  if (!all_allowed && !made.smooth()) {
    // A radius of a forbidden voxel would require points near it.
    for (std::size_t i = 0; i < count; ++i) {
      if (voxels.some[i] == 0) voxels.least[i] = infinity;
    }
  }
  std::vector<double> of_slices(static_cast<std::size_t>(made.base.depth));
  for (std::size_t i = 0; i < count; ++i) {
    if (!(made.base.values[i] > 0)) continue;
    const auto r = static_cast<double>(voxels.least[i]);
    of_slices[i / (count / of_slices.size())] += 1 / (r * r * r);
  }
  made.integral = 0;
  for (const double of : of_slices) made.integral += of;
  // No place reads voxels that are far from all allowed ones.
  std::replace(voxels.least.begin(), voxels.least.end(), infinity, -1.0f);
  voxels.all = voxels.some;
  voxels.most = voxels.least;
  std::replace(voxels.least.begin(), voxels.least.end(), -1.0f, infinity);
  made.levels.clear();
  made.levels.push_back(std::move(voxels));
  while (made.levels.back().grid.size() > 1) made.levels.push_back(coarser(made.levels.back()));
  return VolumeField(std::move(data), 1);
}

namespace {

void require_voxels(const Voxels& voxels, Context& context) {
  if (voxels.width < 1 || voxels.height < 1 || voxels.depth < 1 ||
      Grid{{voxels.width, voxels.height, voxels.depth}}.size() != voxels.values.size()) {
    throw Error(ErrorKind::usage, "a volume of " + std::to_string(voxels.width) + "x" +
                                      std::to_string(voxels.height) + "x" +
                                      std::to_string(voxels.depth) + " voxels cannot have " +
                                      std::to_string(voxels.values.size()) + " values");
  }
  context.require_memory(20 * static_cast<double>(voxels.values.size()), "a field for this volume");
}

}  // namespace

VolumeField VolumeField::from_density(Voxels density, double scale, const VolumeRules& rules,
                                      Context& context) {
  require_voxels(density, context);
  require_above_0("the scale of radii", scale);
  bool any = false;
  for (float& v : density.values) {
    if (!(v >= 0) || std::isinf(v)) {
      throw Error(ErrorKind::usage, "all densities of a volume must be finite and at least 0");
    }
    any |= v > 0;
    v = v > 0 ? static_cast<float>(1 / portable_cbrt(static_cast<double>(v))) : 0;
  }
  if (!any) throw Error(ErrorKind::input, "nothing to place: the density is 0 everywhere");
  auto data = std::make_shared<Data>();
  data->base = std::move(density);
  data->rules = rules;
  return build(std::move(data), scale, context);
}

VolumeField VolumeField::from_radius(Voxels radius, const VolumeRules& rules, Context& context) {
  require_voxels(radius, context);
  bool any = false;
  for (float& v : radius.values) {
    if (!(v > 0) || std::isinf(v)) v = 0;
    any |= v > 0;
  }
  if (!any) throw Error(ErrorKind::input, "nothing to place: no voxel has a radius above 0");
  auto data = std::make_shared<Data>();
  data->base = std::move(radius);
  data->rules = rules;
  return build(std::move(data), 1, context);
}

VolumeField VolumeField::scaled(double factor, Context& context) const {
  require_above_0("the scale of radii", factor);
  auto data = std::make_shared<Data>();
  data->base = data_->base;
  data->rules = data_->rules;
  VolumeField made = build(std::move(data), data_->scale * factor, context);
  made.times_ = times_;
  return made;
}

VolumeField VolumeField::times(double factor) const {
  return {data_, times_ * factor};
}

const std::array<double, 3>& VolumeField::side() const {
  return data_->side;
}

bool VolumeField::wrap() const {
  return data_->rules.wrap;
}

double VolumeField::radius(const Vec3& place) const {
  if (!data_->allowed(place)) return std::numeric_limits<double>::infinity();
  if (data_->smooth()) return times_ * data_->trilinear(place);
  const Grid& grid = data_->voxels().grid;
  return times_ *
         static_cast<double>(data_->voxels().least[grid.at(
             data_->voxel(place.x, 0), data_->voxel(place.y, 1), data_->voxel(place.z, 2))]);
}

RadiusBounds VolumeField::bounds(const Vec3& low, const Vec3& high) const {
  constexpr RadiusBounds none{std::numeric_limits<double>::infinity(), 0};
  const std::array<double, 3> first{low.x, low.y, low.z};
  const std::array<double, 3> last{high.x, high.y, high.z};
  const int level = data_->level_of(first, last);
  if (!data_->voxels().some.empty()) {
    bool some = false;
    data_->for_blocks(first, last, level,
                      [&](const Level& of, std::size_t i) { some |= of.some[i] != 0; });
    if (!some) return none;
  }
  RadiusBounds found = none;
  const auto add = [&](double least, double most) {
    found.min = std::min(found.min, times_ * least);
    found.max = std::max(found.max, times_ * most);
  };
  std::array<double, 8> values;
  if (data_->smooth() && level == 0 && data_->at_corners(first, last, values)) {
    double sum = 0;
    for (const double r : values) {
      add(r, r);
      sum += r;
    }
    if (std::isfinite(sum)) return found;
    found = none;
  }
  // Corners of the parts into which centers of voxels cut the box.
  std::array<std::array<Data::Between, most_blocks + 2>, 3> cuts;
  std::array<std::size_t, 3> count{};
  bool few = data_->smooth() && level == 0;
  for (std::size_t a = 0; a < 3 && few; ++a) {
    cuts[a][count[a]++] = data_->between(first[a], a);
    for (double at = std::floor(first[a] + 0.5) + 0.5; at < last[a]; ++at) {
      if (at > first[a] && count[a] < cuts[a].size() - 1) {
        cuts[a][count[a]++] = data_->between(at, a);
      }
    }
    cuts[a][count[a]++] = data_->between(last[a], a);
  }
  if (few) {
    for (std::size_t k = 0; k < count[2]; ++k) {
      for (std::size_t j = 0; j < count[1]; ++j) {
        for (std::size_t i = 0; i < count[0]; ++i) {
          const double r = data_->trilinear(cuts[0][i], cuts[1][j], cuts[2][k]);
          add(r, r);
        }
      }
    }
    if (std::isfinite(found.min)) return found;
    found = none;
  }
  std::array<double, 3> read_first = first;
  std::array<double, 3> read_last = last;
  if (data_->smooth()) {
    for (std::size_t a = 0; a < 3; ++a) {
      read_first[a] -= 0.5;
      read_last[a] += 0.5;
    }
  }
  data_->for_blocks(read_first, read_last, level, [&](const Level& of, std::size_t i) {
    add(static_cast<double>(of.least[i]), static_cast<double>(of.most[i]));
  });
  return found;
}

bool VolumeField::allows_all(const Vec3& low, const Vec3& high) const {
  if (data_->voxels().some.empty()) return true;
  const std::array<double, 3> first{low.x, low.y, low.z};
  const std::array<double, 3> last{high.x, high.y, high.z};
  bool all = true;
  data_->for_blocks(first, last, data_->level_of(first, last),
                    [&](const Level& of, std::size_t i) { all &= of.all[i] != 0; });
  return all;
}

double VolumeField::least() const {
  return times_ * static_cast<double>(data_->levels.back().least.front());
}

double VolumeField::largest() const {
  return times_ * static_cast<double>(data_->levels.back().most.front());
}

double VolumeField::integral() const {
  return data_->integral / (times_ * times_ * times_);
}

}  // namespace dapple
