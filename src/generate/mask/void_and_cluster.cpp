// Makes ranks by void-and-cluster (Ulichney 1993, "The void-and-cluster method for dither array
// generation") on the torus, exact in integers.
//
// Unlike in the paper, the starting pattern is a maximal Poisson-disk set of pixels. It has neither
// clusters nor voids, so phase 1 has nothing to move. Phase 2 ranks the starting pattern, tightest
// cluster out first. Its kernel works on the points themselves and widens as they thin out: the
// first ranks are spaced as well as later ones. Phase 3 fills the largest void, with a wide kernel
// while dots are far apart, then a narrow one. In the paper its second half looks for clusters of
// empty pixels. That is the same search, because on a torus the energies of set and of empty pixels
// add up to a constant.
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

#include "core/deterministic_math.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "generate/mask/engine.hpp"
#include "generate/mask/tiles.hpp"

namespace dapple::mask {
namespace {

// Returns the distance along a side of the torus.
std::int64_t wrapped_distance(int a, int b, int side) {
  const int d = a > b ? a - b : b - a;
  return std::min(d, side - d);
}

// Frames this near affect each other: three standard deviations of the weight over time.
constexpr int time_reach = 6;

// Points sorted into square buckets of the torus, frame by frame, to find all pairs within a
// distance. A bucket holds its points with their places: looking these up would cost more.
class Buckets {
 public:
  struct Entry {
    Pixel place;
    std::int32_t index;  // of the point
  };

  Buckets(std::span<const Pixel> points, std::span<const std::int32_t> members, const Torus& torus,
          std::int64_t reach2)
      : torus_(torus) {
    const auto [width, height, depth] = torus;
    std::int64_t reach = 1;
    while (reach * reach < reach2) ++reach;
    columns_ = static_cast<int>(std::max<std::int64_t>(1, width / reach));
    rows_ = static_cast<int>(std::max<std::int64_t>(1, height / reach));
    const std::size_t cells = static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_) *
                              static_cast<std::size_t>(depth);
    first_.assign(cells + 1, 0);
    for (const std::int32_t i : members) ++first_[cell_of(points[static_cast<std::size_t>(i)]) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    entries_.resize(members.size());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (const std::int32_t i : members) {
      const Pixel p = points[static_cast<std::size_t>(i)];
      entries_[next[cell_of(p)]++] = {p, i};
    }
  }

  std::span<const Entry> entries() const { return entries_; }

  // Calls visit(index of the entry, squared distance across the frame, frames between) for every
  // entry in the buckets around a place. Visits entries beyond the reach too, and the entry at the
  // place itself.
  template <class Visit>
  void each_around(Pixel p, const Visit& visit) const {
    const Around frames(p.z, torus_.depth, time_reach);
    const Around across(column(p), columns_, 1);
    const Around down(row(p), rows_, 1);
    // Buckets of a row are adjacent: one run of entries, or two around the end of the row.
    const int before = std::min(across.count, columns_ - across.first % columns_);
    for (int w = 0; w < frames.count; ++w) {
      const int z = frames.at(w);
      const auto between = static_cast<std::size_t>(wrapped_distance(p.z, z, torus_.depth));
      const auto visit_run = [&](std::size_t c, int count) {
        const std::uint32_t end = first_[c + static_cast<std::size_t>(count)];
        for (std::uint32_t k = first_[c]; k < end; ++k) {
          const Pixel q = entries_[k].place;
          const std::int64_t dx = wrapped_distance(p.x, q.x, torus_.width);
          const std::int64_t dy = wrapped_distance(p.y, q.y, torus_.height);
          visit(k, dx * dx + dy * dy, between);
        }
      };
      for (int v = 0; v < down.count; ++v) {
        visit_run(cell(across.at(0), down.at(v), z), before);
        if (before < across.count) visit_run(cell(0, down.at(v), z), across.count - before);
      }
    }
  }

 private:
  // The places within a reach on a ring, each once, even if both sides reach the same place.
  struct Around {
    int first, side, count;

    Around(int middle, int ring, int reach)
        : first(middle - reach), side(ring), count(std::min(ring, 2 * reach + 1)) {
      while (first < 0) first += side;
    }
    int at(int k) const {
      const int place = first + k;
      return place < side ? place : place - side;
    }
  };

  int column(Pixel p) const {
    return static_cast<int>(static_cast<std::int64_t>(p.x) * columns_ / torus_.width);
  }
  int row(Pixel p) const {
    return static_cast<int>(static_cast<std::int64_t>(p.y) * rows_ / torus_.height);
  }
  std::size_t cell(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(rows_) +
            static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(x);
  }
  std::size_t cell_of(Pixel p) const { return cell(column(p), row(p), p.z); }

  Torus torus_;
  int columns_, rows_;
  std::vector<std::uint32_t> first_;  // first entry of each cell
  std::vector<Entry> entries_;
};

// The weight of a pixel for another, by distance and by frames between.
struct ThinningKernel {
  // Indexed by squared distance in mean spacings; beyond the end weights are 0 in 24 bits.
  std::vector<std::int32_t> by_distance;
  std::array<std::int64_t, time_reach + 1> parts;  // of 2^16, by frames

  static constexpr std::int64_t widest = 9;    // squared distance
  static constexpr std::int64_t steps = 1024;  // to there

  // `s` in mean spacings.
  explicit ThinningKernel(double s) : parts{} {
    for (int i = 0; i < steps; ++i) {
      const double d2 = static_cast<double>(widest) * i / static_cast<double>(steps);
      by_distance.push_back(static_cast<std::int32_t>(portable_exp(-d2 / (2 * s * s)) * 0x1p24));
    }
    while (by_distance.back() == 0) by_distance.pop_back();
    constexpr double across = 0.15;
    constexpr double frames = 2;
    parts[0] = 0x10000;
    for (int dz = 1; dz <= time_reach; ++dz) {
      parts[static_cast<std::size_t>(dz)] = static_cast<std::int64_t>(
          across * portable_exp(-dz * dz / (2 * frames * frames)) * 0x10000);
    }
  }
};

// Weights of the kernel for `count` members. Short distances have a table if it is read more often
// than it is long, since a division costs more than all else about a pair.
class Weights {
 public:
  Weights(const ThinningKernel& kernel, std::int64_t pixels, std::int64_t count)
      : kernel_(kernel),
        widest_(ThinningKernel::widest * pixels / count + 1),
        reach2_((std::ssize(kernel.by_distance) * widest_ + ThinningKernel::steps - 1) /
                ThinningKernel::steps) {
    constexpr std::int64_t most = 4096;
    constexpr std::int64_t around = 32;  // members around a member
    if (reach2_ > std::min(most, count * std::min(count, around))) return;
    for (std::int64_t d2 = 0; d2 < reach2_; ++d2) table_.push_back(divided(d2));
    table_.push_back(0);
  }
  // Returns the squared distance from which on all weights are 0.
  std::int64_t reach2() const { return reach2_; }
  std::int64_t operator()(std::int64_t d2, std::size_t dz) const {
    const std::int64_t own = table_.empty()
                                 ? (d2 < reach2_ ? divided(d2) : 0)
                                 : table_[static_cast<std::size_t>(std::min(d2, reach2_))];
    return dz == 0 ? own : own * kernel_.parts[dz] >> 16;
  }

 private:
  std::int32_t divided(std::int64_t d2) const {
    return kernel_.by_distance[static_cast<std::size_t>(d2 * ThinningKernel::steps / widest_)];
  }

  const ThinningKernel& kernel_;
  std::int64_t widest_, reach2_;
  std::vector<std::int32_t> table_;
};

// Works like thin_to_half() for few members: computes the weights of all pairs at once, and looks
// at all energies for each member that it takes, which costs less than a queue.
void thin_few_to_half(std::span<const Pixel> start, std::vector<std::int32_t>& members,
                      const Torus& torus, const Weights& weight, std::vector<std::int32_t>& ranks) {
  const std::size_t count = members.size();
  std::vector<std::int64_t> weights(count * count);
  std::vector<std::int64_t> energy(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Pixel p = start[static_cast<std::size_t>(members[i])];
    for (std::size_t j = 0; j < i; ++j) {
      const Pixel q = start[static_cast<std::size_t>(members[j])];
      const std::int64_t dx = wrapped_distance(p.x, q.x, torus.width);
      const std::int64_t dy = wrapped_distance(p.y, q.y, torus.height);
      const std::int64_t w = weight(dx * dx + dy * dy, 0);
      weights[i * count + j] = w;
      weights[j * count + i] = w;
      energy[i] += w;
      energy[j] += w;
    }
  }
  constexpr std::int64_t taken = -(std::int64_t{1} << 62);  // falls, but stays below all others
  for (std::size_t left = count; left > count / 2;) {
    // Among equals the last point comes first.
    std::size_t k = 0;
    for (std::size_t i = 1; i < count; ++i) k = energy[i] >= energy[k] ? i : k;
    ranks[static_cast<std::size_t>(members[k])] = static_cast<std::int32_t>(--left);
    const std::int64_t* row = weights.data() + k * count;
    for (std::size_t i = 0; i < count; ++i) energy[i] -= row[i];
    energy[k] = taken;
  }
  std::size_t i = 0;
  std::erase_if(members, [&](std::int32_t) { return energy[i++] < 0; });
}

// Runs one octave of phase 2: takes the tightest cluster out until half of the members are left.
void thin_to_half(std::span<const Pixel> start, std::vector<std::int32_t>& members,
                  const Torus& torus, const ThinningKernel& kernel,
                  std::vector<std::int32_t>& ranks) {
  const std::int64_t pixels = static_cast<std::int64_t>(torus.width) * torus.height * torus.depth;
  const std::int64_t count = static_cast<std::int64_t>(members.size());
  const Weights weight(kernel, pixels, count);
  constexpr std::int64_t few = 256;
  if (torus.depth == 1 && count <= few) {
    return thin_few_to_half(start, members, torus, weight, ranks);
  }
  const Buckets buckets(start, members, torus, weight.reach2());
  const auto entries = buckets.entries();
  std::vector<std::int64_t> energy(entries.size());
  // Energies only fall: the queue holds upper bounds, which are checked when they come to the top.
  // Among equals the last point comes first.
  using Bound = std::tuple<std::int64_t, std::int32_t, std::uint32_t>;  // energy, point, entry
  std::vector<Bound> bounds;
  bounds.reserve(entries.size());
  for (std::uint32_t k = 0; k < entries.size(); ++k) {
    std::int64_t sum = -weight(0, 0);  // without itself
    buckets.each_around(entries[k].place, [&](std::uint32_t, std::int64_t d2, std::size_t dz) {
      sum += weight(d2, dz);
    });
    energy[k] = sum;
    bounds.emplace_back(sum, entries[k].index, k);
  }
  std::priority_queue queue(std::less<>(), std::move(bounds));
  std::vector<bool> taken(start.size());
  const std::int64_t keep = count / 2;
  for (std::int64_t left = count; left > keep;) {
    const auto [bound, i, k] = queue.top();
    queue.pop();
    if (bound != energy[k]) {
      queue.emplace(energy[k], i, k);
      continue;
    }
    taken[static_cast<std::size_t>(i)] = true;
    ranks[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(--left);
    // Energies of members that are taken fall too, but are not used again.
    buckets.each_around(entries[k].place, [&](std::uint32_t j, std::int64_t d2, std::size_t dz) {
      energy[j] -= weight(d2, dz);
    });
  }
  std::erase_if(members, [&](std::int32_t i) { return taken[static_cast<std::size_t>(i)]; });
}

}  // namespace

std::vector<std::int32_t> rank_start(std::span<const Pixel> start, const Torus& torus,
                                     const Context& context) {
  // The wide kernel also shares the pixels out among frames; the narrow one spaces them better.
  static const ThinningKernel plane(0.35);
  static const ThinningKernel frames(0.5);
  const ThinningKernel& kernel = torus.depth > 1 ? frames : plane;
  std::vector<std::int32_t> ranks(start.size());
  std::vector<std::int32_t> members(start.size());
  std::iota(members.begin(), members.end(), 0);
  while (!members.empty()) {
    context.check();
    thin_to_half(start, members, torus, kernel, ranks);
  }
  return ranks;
}

void fill_voids(Plane<std::int32_t>& ranks, int depth, std::int32_t next,
                std::span<const Stage> stages, Context& context, bool parallel,
                const std::function<void(double)>& progress, int block) {
  const auto report = [&](std::int32_t done) {
    progress(static_cast<double>(done) / static_cast<double>(ranks.size()));
  };
  const int height = ranks.height() / depth;
  for (const Stage& stage : stages) {
    std::vector<Pixel> placed;
    for (int y = 0; y < ranks.height(); ++y) {
      for (int x = 0; x < ranks.width(); ++x) {
        if (ranks(x, y) >= 0) placed.push_back({x, y % height, y / height});
      }
    }
    EnergyField field(ranks, depth, stage.kernel, block);
    field.set(placed);
    next = field.grow(stage.end, stage.share, next, context, parallel, report);
  }
}

namespace {

// A kernel laid out for the search, and the energy at which it ends.
struct FlatStage {
  TileKernel kernel;
  int end;
  int peak;  // what a pixel adds to itself

  explicit FlatStage(const Stage& stage)
      : kernel(stage.kernel), end(stage.end), peak(stage.kernel.at(0, 0)) {}
};

}  // namespace

struct Growth::Stages {
  FlatStage sparse, dense;

  explicit Stages(double scale)
      : sparse(sparse_stage(make_kernel(sparse_shape, scale, 30000, sparse_sum(sparse_end)),
                            sparse_end)),
        dense(dense_stage(make_kernel(dense_shape, scale, 30000, largest_dense_sum))) {}
  // Returns the stages of a sigma; keeps the usual stages, which cost more than a small mask.
  static std::shared_ptr<const Stages> of(double sigma) {
    static const auto usual = std::make_shared<const Stages>(1);
    return sigma == tuned_sigma ? usual : std::make_shared<const Stages>(sigma / tuned_sigma);
  }
};

namespace {

// Masks of more pixels are searched in blocks, even on one thread.
constexpr std::size_t most_whole = 0x40000;

}  // namespace

Growth::Growth(int width, int height, std::span<const Pixel> start, double sigma,
               std::uint64_t random_seed)
    : ranks_(width, height, -1),
      stages_(Stages::of(sigma)),
      random_seed_(random_seed),
      next_(static_cast<std::int32_t>(start.size())) {
  std::int32_t rank = 0;
  for (const Pixel p : start) ranks_(p.x, p.y) = rank++;
}

std::int32_t Growth::fill(const TileKernel& kernel, int end, std::span<const std::uint16_t> first,
                          Context& context, bool parallel, const Progress& progress) {
  TileField field(ranks_);
  field.begin(kernel, first);
  if (ranks_.size() <= most_whole) {
    context.check();
    return field.grow(end, next_);
  }
  return field.grow_in_blocks(
      end, next_, TileField::usual_block, context, parallel, [&](std::int32_t done) {
        progress(static_cast<double>(done) / static_cast<double>(ranks_.size()));
      });
}

void Growth::sparse(Context& context, bool parallel, const Progress& progress) {
  const FlatStage& stage = stages_->sparse;
  next_ = fill(stage.kernel, stage.end, {}, context, parallel, progress);
}

void Growth::dense(Context& context, bool parallel, const Progress& progress) {
  const FlatStage& stage = stages_->dense;
  std::vector<std::uint16_t> first;
  if (random_seed_ != 0) {
    Random random(random_seed_, Stream::mask, 3);
    const auto most = static_cast<std::uint32_t>(std::min(stage.peak / 100, most_random));
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      first.push_back(static_cast<std::uint16_t>(random.below(most + 1)));
    }
  }
  next_ = fill(stage.kernel, stage.end, first, context, parallel, progress);
}

void thin_last(Plane<std::int32_t>& ranks, int depth, const Context& context) {
  const auto count = static_cast<std::int32_t>(ranks.size());
  const std::int32_t first = count - count / 64;
  const int height = ranks.height() / depth;
  std::vector<Pixel> last(static_cast<std::size_t>(count - first));
  for (int y = 0; y < ranks.height(); ++y) {
    for (int x = 0; x < ranks.width(); ++x) {
      if (const std::int32_t rank = ranks(x, y); rank >= first) {
        last[static_cast<std::size_t>(rank - first)] = {x, y % height, y / height};
      }
    }
  }
  const auto order = rank_start(last, {ranks.width(), height, depth}, context);
  for (std::size_t i = 0; i < last.size(); ++i) {
    ranks(last[i].x, last[i].z * height + last[i].y) = count - 1 - order[i];
  }
}

Plane<std::int32_t> grow_ranks(int width, int height, std::span<const Pixel> start, double sigma,
                               Context& context, bool parallel,
                               const std::function<void(double)>& progress) {
  Growth growth(width, height, start, sigma);
  growth.sparse(context, parallel, progress);
  growth.dense(context, parallel, progress);
  return std::move(growth.ranks());
}

}  // namespace dapple::mask
