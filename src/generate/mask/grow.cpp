// Void-and-cluster (Ulichney 1993, "The void-and-cluster method for dither array generation") on
// the torus, exact in integers.
//
// What differs. The starting pattern is a maximal Poisson-disk set of pixels: it has neither
// clusters nor voids, so there is nothing for the paper's phase 1 to move. Phase 2 (ranks of the
// starting pattern, tightest cluster out first) works on the points themselves with a kernel that
// widens as they thin out, so that the first ranks are spaced as well as later ones. Phase 3 (fill
// the largest void) uses a wide kernel while dots are far apart, then a narrow one; its second
// half, which in the paper looks for clusters of what is still empty, is the same search, because
// on a torus the energies of set and of empty pixels add up to a constant.
#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

#include "core/portable.hpp"
#include "core/random.hpp"
#include "generate/mask/engine.hpp"
#include "generate/mask/tiles.hpp"

namespace dapple::mask {
namespace {

// Distance along a side of the torus.
std::int64_t wrapped_distance(int a, int b, int side) {
  const int d = a > b ? a - b : b - a;
  return std::min(d, side - d);
}

// Points sorted into square buckets of the torus, for all pairs within a distance.
class Buckets {
 public:
  Buckets(std::span<const Pixel> points, std::span<const std::int32_t> members, int width,
          int height, std::int64_t reach2)
      : points_(points), width_(width), height_(height), reach2_(reach2) {
    std::int64_t reach = 1;
    while (reach * reach < reach2) ++reach;
    columns_ = static_cast<int>(std::max<std::int64_t>(1, width / reach));
    rows_ = static_cast<int>(std::max<std::int64_t>(1, height / reach));
    cells_.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
    for (const std::int32_t i : members) {
      const Pixel p = points_[static_cast<std::size_t>(i)];
      cells_[cell(column(p), row(p))].push_back(i);
    }
  }

  // Calls visit(j, squared distance) for every member within the reach of point i but i itself.
  template <class Visit>
  void each_near(std::int32_t i, const Visit& visit) const {
    const Pixel p = points_[static_cast<std::size_t>(i)];
    const auto around = [](int middle, int count) {
      // Below three cells a side the neighbors to the left and to the right are the same.
      return count < 3 ? std::pair{0, count} : std::pair{middle - 1 + count, 3};
    };
    const auto [y0, ny] = around(row(p), rows_);
    const auto [x0, nx] = around(column(p), columns_);
    for (int v = 0; v < ny; ++v) {
      for (int u = 0; u < nx; ++u) {
        for (const std::int32_t j : cells_[cell((x0 + u) % columns_, (y0 + v) % rows_)]) {
          const Pixel q = points_[static_cast<std::size_t>(j)];
          const std::int64_t dx = wrapped_distance(p.x, q.x, width_);
          const std::int64_t dy = wrapped_distance(p.y, q.y, height_);
          const std::int64_t d2 = dx * dx + dy * dy;
          if (j != i && d2 < reach2_) visit(j, d2);
        }
      }
    }
  }

 private:
  int column(Pixel p) const {
    return static_cast<int>(static_cast<std::int64_t>(p.x) * columns_ / width_);
  }
  int row(Pixel p) const {
    return static_cast<int>(static_cast<std::int64_t>(p.y) * rows_ / height_);
  }
  std::size_t cell(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(x);
  }

  std::span<const Pixel> points_;
  int width_, height_;
  std::int64_t reach2_;
  int columns_, rows_;
  std::vector<std::vector<std::int32_t>> cells_;
};

// One octave of phase 2: takes the tightest cluster out until half of the members are left.
void thin_to_half(std::span<const Pixel> start, std::vector<std::int32_t>& members, int width,
                  int height, std::span<const std::int32_t> kernel,
                  std::vector<std::int32_t>& ranks) {
  const std::int64_t pixels = static_cast<std::int64_t>(width) * height;
  const std::int64_t count = static_cast<std::int64_t>(members.size());
  // Three times the mean spacing of those that are left.
  const std::int64_t reach2 = 9 * pixels / count + 1;
  const std::int64_t steps = static_cast<std::int64_t>(kernel.size());
  const Buckets buckets(start, members, width, height, reach2);
  const auto weight = [&](std::int64_t d2) {
    return kernel[static_cast<std::size_t>(d2 * steps / reach2)];
  };
  std::vector<std::int64_t> energy(start.size(), -1);  // -1: no member
  // Energies only fall: what the queue holds is an upper bound, checked when it comes to the top.
  std::priority_queue<std::pair<std::int64_t, std::int32_t>> queue;
  for (const std::int32_t i : members) {
    std::int64_t sum = 0;
    buckets.each_near(i, [&](std::int32_t, std::int64_t d2) { sum += weight(d2); });
    energy[static_cast<std::size_t>(i)] = sum;
    queue.emplace(sum, i);
  }
  const std::int64_t keep = count / 2;
  for (std::int64_t left = count; left > keep;) {
    const auto [bound, i] = queue.top();
    queue.pop();
    std::int64_t& own = energy[static_cast<std::size_t>(i)];
    if (bound != own) {
      queue.emplace(own, i);
      continue;
    }
    own = -1;
    ranks[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(--left);
    buckets.each_near(i, [&](std::int32_t j, std::int64_t d2) {
      std::int64_t& other = energy[static_cast<std::size_t>(j)];
      if (other >= 0) other -= weight(d2);
    });
  }
  std::erase_if(members, [&](std::int32_t i) { return energy[static_cast<std::size_t>(i)] < 0; });
}

// A Gaussian of a third of the mean spacing, tabulated over the squared distance.
std::vector<std::int32_t> thinning_kernel() {
  constexpr double s = 0.35;
  std::vector<std::int32_t> kernel(1024);
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    const double d2 = 9.0 * static_cast<double>(i) / static_cast<double>(kernel.size());
    kernel[i] = static_cast<std::int32_t>(portable_exp(-d2 / (2 * s * s)) * 0x1p24);
  }
  return kernel;
}

}  // namespace

std::vector<std::int32_t> rank_start(std::span<const Pixel> start, int width, int height,
                                     const Context& context) {
  static const std::vector<std::int32_t> kernel = thinning_kernel();
  std::vector<std::int32_t> ranks(start.size());
  std::vector<std::int32_t> members(start.size());
  std::iota(members.begin(), members.end(), 0);
  while (!members.empty()) {
    context.check();
    thin_to_half(start, members, width, height, kernel, ranks);
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

struct FlatKernels {
  Stage sparse, dense;

  explicit FlatKernels(double scale)
      : sparse(sparse_stage(make_kernel(sparse_shape, scale, 30000, sparse_sum(sparse_end)),
                            sparse_end)),
        dense(dense_stage(make_kernel(dense_shape, scale, 30000, largest_dense_sum))) {}
  // Those of the usual sigma are made once: they take longer than a small mask.
  static FlatKernels of(double sigma) {
    static const FlatKernels usual(1);
    return sigma == tuned_sigma ? usual : FlatKernels(sigma / tuned_sigma);
  }
};

// Masks of more pixels are searched in blocks, even on one thread.
constexpr std::size_t most_one_by_one = 0x10000;

}  // namespace

Growth::Growth(int width, int height, std::span<const Pixel> start, double sigma,
               std::uint64_t random_seed)
    : ranks_(width, height, -1),
      sigma_(sigma),
      random_seed_(random_seed),
      next_(static_cast<std::int32_t>(start.size())) {
  std::int32_t rank = 0;
  for (const Pixel p : start) ranks_(p.x, p.y) = rank++;
}

std::int32_t Growth::fill(const Kernel& kernel, int end, std::span<const std::uint16_t> first,
                          Context& context, bool parallel, const Progress& progress) {
  TileField field(ranks_);
  field.begin(kernel, first);
  if (ranks_.size() <= most_one_by_one) {
    context.check();
    return field.grow(end, next_);
  }
  return field.grow_in_blocks(
      end, next_, TileField::usual_block, context, parallel, [&](std::int32_t done) {
        progress(static_cast<double>(done) / static_cast<double>(ranks_.size()));
      });
}

void Growth::sparse(Context& context, bool parallel, const Progress& progress) {
  const Stage& stage = FlatKernels::of(sigma_).sparse;
  next_ = fill(stage.kernel, stage.end, {}, context, parallel, progress);
}

void Growth::dense(Context& context, bool parallel, const Progress& progress) {
  const Kernel& kernel = FlatKernels::of(sigma_).dense.kernel;
  std::vector<std::uint16_t> first;
  if (random_seed_ != 0) {
    Random random(random_seed_, Stream::mask, 3);
    const auto most = static_cast<std::uint32_t>(std::min(kernel.at(0, 0) / 100, most_random));
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      first.push_back(static_cast<std::uint16_t>(random.below(most + 1)));
    }
  }
  next_ = fill(kernel, EnergyField::taken, first, context, parallel, progress);
}

void thin_last(Plane<std::int32_t>& ranks, const Context& context) {
  const auto count = static_cast<std::int32_t>(ranks.size());
  const std::int32_t first = count - count / 64;
  std::vector<Pixel> last(static_cast<std::size_t>(count - first));
  for (int y = 0; y < ranks.height(); ++y) {
    for (int x = 0; x < ranks.width(); ++x) {
      if (const std::int32_t rank = ranks(x, y); rank >= first) {
        last[static_cast<std::size_t>(rank - first)] = {x, y};
      }
    }
  }
  const std::vector<std::int32_t> order = rank_start(last, ranks.width(), ranks.height(), context);
  for (std::size_t i = 0; i < last.size(); ++i) ranks(last[i].x, last[i].y) = count - 1 - order[i];
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
