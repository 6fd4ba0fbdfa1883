#include "sample/sphere/darts.hpp"

#include <algorithm>
#include <bit>

#include "core/parallel.hpp"
#include "core/portable.hpp"
#include "core/random.hpp"
#include "sample/darts_in_time.hpp"
#include "sample/leave_out.hpp"
#include "sample/sphere/cells.hpp"

namespace dapple::sphere {
namespace {

// Darts are refused nearer than this, and proofs take it too: more than what places lose, and than
// the radius gains where it is rounded to a float, which columns and files hold.
constexpr double near_radius = 1 + 1e-7;
// Larger cells are halved before darts are thrown.
constexpr double most_darts_a_cell = 0.5;
// Smaller ones, in radii, are a dart in their middle, and then count as covered.
constexpr double smallest = 5e-6;
constexpr std::size_t group = 16;

struct Dart {
  Vec3 at;
  std::uint64_t time;
};

struct Root {
  std::vector<Cell> cells;
  std::vector<Vec3> near;  // points that may cover places of it
  std::size_t first_new = 0;
  std::vector<Dart> darts;
  std::uint32_t first_dart = 0;
  std::vector<std::uint32_t> earlier, earlier_counts;
  std::vector<Vec3> points;
  std::vector<std::int32_t> window;
  std::size_t first_new_point = 0;
};

class Throwing {
 public:
  Throwing(double radius, const std::vector<Vec3>& kept, Context& context)
      : roots_(radius, context),
        all_(roots_.size()),
        radius_(radius),
        square_(near_radius * radius * near_radius * radius),
        context_(context) {
    for (const Vec3& at : kept) {
      Root& root = all_[roots_.holding(at)];
      root.points.push_back(at);
      root.window.push_back(-1);
    }
    for (std::uint32_t r = 0; r < all_.size(); ++r) {
      all_[r].cells.push_back(roots_.cell(r));
      active_.push_back(r);
    }
  }

  Points run() {
    for (; !active_.empty(); ++window_) {
      rate_ = rate_of(window_) / (radius_ * radius_);
      for_active([&](std::uint32_t r) { grow(r); });
      std::uint32_t darts = 0;
      for (const std::uint32_t r : active_) {
        all_[r].first_dart = darts;
        darts += static_cast<std::uint32_t>(all_[r].darts.size());
      }
      for_active([&](std::uint32_t r) { find_earlier(all_[r], r); });
      keep(settled());
      drop_done();
    }
    Points made;
    for (const Root& root : all_) {
      for (std::size_t i = 0; i < root.points.size(); ++i) {
        if (root.window[i] < 0) continue;
        made.at.push_back(root.points[i]);
        made.window.push_back(root.window[i]);
      }
    }
    return made;
  }

 private:
  template <class Body>
  void for_active(const Body& body) {
    parallel_for(context_, (active_.size() + group - 1) / group, [&](std::size_t g) {
      const std::size_t end = std::min(active_.size(), (g + 1) * group);
      for (std::size_t n = g * group; n < end; ++n) body(active_[n]);
    });
  }

  void grow(std::uint32_t r) {
    Root& root = all_[r];
    for (const std::uint32_t other : roots_.near(r)) {
      const Root& from = all_[other];
      root.near.insert(root.near.end(),
                       from.points.begin() + static_cast<std::ptrdiff_t>(from.first_new_point),
                       from.points.end());
    }
    root.darts.clear();
    std::vector<Cell> cells;
    std::swap(cells, root.cells);
    const std::span<const Vec3> known(root.near);
    for (const Cell& cell : cells) {
      const Shape shape(cell);
      if (!is_covered(shape, known.subspan(root.first_new))) grow(root, cell, shape, known);
    }
    root.first_new = root.near.size();
  }

  bool is_covered(const Shape& shape, std::span<const Vec3> points) const {
    return std::any_of(points.begin(), points.end(),
                       [&](const Vec3& p) { return shape.is_in_ball(p, square_); });
  }

  // A cell that no known point covers.
  void grow(Root& root, const Cell& cell, const Shape& shape, std::span<const Vec3> known) {
    if (shape.reach < smallest * radius_) {
      add_free(root, {shape.middle, hash(cell.key, static_cast<std::uint64_t>(window_))}, known);
    } else if (area_of(cell) * rate_ > most_darts_a_cell) {
      std::vector<Vec3> around;
      const double reach = shape.reach + near_radius * radius_;
      for (const Vec3& p : known) {
        const Vec3 d = p - shape.middle;
        if (dot(d, d) < reach * reach) around.push_back(p);
      }
      for (const Cell& half : halves_of(cell, shape)) {
        const Shape of_half(half);
        if (!is_covered(of_half, around)) grow(root, half, of_half, around);
      }
    } else {
      throw_at(root, cell, known);
      root.cells.push_back(cell);
    }
  }

  void throw_at(Root& root, const Cell& cell, std::span<const Vec3> known) {
    Random random(context_.seed, Stream::surface,
                  hash(cell.key, static_cast<std::uint64_t>(window_)));
    const int count = poisson(random.uniform(), rate_ * area_of(cell));
    for (int n = 0; n < count; ++n) {
      const double depth = cell.low + (cell.high - cell.low) * random.uniform();
      const double turns = cell.west + (cell.east - cell.west) * random.uniform();
      const std::uint64_t time = random.bits();
      add_free(root, {place_on(cell.south, depth, direction(turns)), time}, known);
    }
  }

  bool are_near(const Vec3& a, const Vec3& b) const {
    const Vec3 d = a - b;
    return dot(d, d) < square_;
  }

  void add_free(Root& root, const Dart& dart, std::span<const Vec3> known) const {
    const bool free = std::none_of(known.begin(), known.end(),
                                   [&](const Vec3& p) { return are_near(p, dart.at); });
    if (free) root.darts.push_back(dart);
  }

  void find_earlier(Root& root, std::uint32_t r) {
    root.earlier.clear();
    root.earlier_counts.clear();
    for (std::uint32_t k = 0; k < root.darts.size(); ++k) {
      const Dart& dart = root.darts[k];
      const std::uint32_t own = root.first_dart + k;
      const std::size_t before = root.earlier.size();
      for (const std::uint32_t near : roots_.near(r)) {
        const Root& from = all_[near];
        for (std::uint32_t j = 0; j < from.darts.size(); ++j) {
          const std::uint32_t other = from.first_dart + j;
          const Dart& that = from.darts[j];
          const bool is_earlier = that.time != dart.time ? that.time < dart.time : other < own;
          if (is_earlier && are_near(that.at, dart.at)) root.earlier.push_back(other);
        }
      }
      root.earlier_counts.push_back(static_cast<std::uint32_t>(root.earlier.size() - before));
    }
  }

  std::vector<bool> settled() const {
    std::vector<std::uint32_t> first{0};
    std::vector<std::uint32_t> earlier;
    for (const std::uint32_t r : active_) {
      for (const std::uint32_t count : all_[r].earlier_counts) {
        first.push_back(first.back() + count);
      }
      earlier.insert(earlier.end(), all_[r].earlier.begin(), all_[r].earlier.end());
    }
    return settle(first, earlier);
  }

  void keep(const std::vector<bool>& stays) {
    for (const std::uint32_t r : active_) {
      Root& root = all_[r];
      root.first_new_point = root.points.size();
      for (std::size_t k = 0; k < root.darts.size(); ++k) {
        if (!stays[root.first_dart + k]) continue;
        root.points.push_back(root.darts[k].at);
        root.window.push_back(window_);
      }
    }
  }

  // Leaves out the roots that are done: nothing of their last window is new to anybody after one
  // more.
  void drop_done() {
    for (const std::uint32_t r : done_) all_[r].first_new_point = all_[r].points.size();
    done_.clear();
    std::erase_if(active_, [&](std::uint32_t r) {
      Root& root = all_[r];
      if (!root.cells.empty()) return false;
      root.near = {};
      root.darts = {};
      root.earlier = {};
      root.earlier_counts = {};
      done_.push_back(r);
      return true;
    });
  }

  Roots roots_;
  std::vector<Root> all_;
  double radius_, square_;
  Context& context_;
  int window_ = 0;
  double rate_ = 0;
  std::vector<std::uint32_t> active_, done_;
};

}  // namespace

Points throw_darts(double radius, const std::vector<Vec3>& kept, Context& context) {
  return Throwing(radius, kept, context).run();
}

void order_by_windows(Points& points) {
  const auto rows = in_order_of_windows(points.window, [&](std::size_t i) {
    const Vec3& p = points.at[i];
    return hash(hash(std::bit_cast<std::uint64_t>(p.x), std::bit_cast<std::uint64_t>(p.y)),
                std::bit_cast<std::uint64_t>(p.z));
  });
  keep_rows(points.at, rows);
  keep_rows(points.window, rows);
}

namespace {

class Proof {
 public:
  Proof(double radius, const std::vector<Vec3>& points, double tolerance, Context& context)
      : points_(points),
        radius_(radius),
        square_(radius * (1 + tolerance) * radius * (1 + tolerance)),
        reach_(radius * (1 + tolerance)),
        roots_(reach_, context),
        of_root_(roots_.size()) {
    for (std::uint32_t i = 0; i < points.size(); ++i) {
      of_root_[roots_.holding(points[i])].push_back(i);
    }
  }

  Proved run(Context& context) {
    std::vector<Proved> parts((of_root_.size() + group - 1) / group);
    parallel_for(context, parts.size(), [&](std::size_t g) {
      const std::size_t end = std::min(of_root_.size(), (g + 1) * group);
      for (std::size_t r = g * group; r < end; ++r) prove_root(r, parts[g]);
    });
    Proved all;
    for (const Proved& part : parts) {
      all.violations += part.violations;
      if (part.closest < all.closest) {
        all.closest = part.closest;
        all.worst = part.worst;
      }
      if (all.holes == 0) all.hole = part.hole;
      all.holes += part.holes;
    }
    return all;
  }

 private:
  void prove_root(std::size_t r, Proved& into) const {
    std::vector<Vec3> near;
    for (const std::uint32_t other : roots_.near(r)) {
      for (const std::uint32_t j : of_root_[other]) near.push_back(points_[j]);
    }
    for (const std::uint32_t i : of_root_[r]) {
      for (const std::uint32_t other : roots_.near(r)) {
        for (const std::uint32_t j : of_root_[other]) {
          if (j <= i) continue;
          const double distance = length(points_[i] - points_[j]) / radius_;
          into.violations += distance < 1 ? 1 : 0;
          if (distance >= into.closest) continue;
          into.closest = distance;
          into.worst = points_[i];
        }
      }
    }
    Vec3 hole;
    if (!has_hole(roots_.cell(r), near, hole)) return;
    if (into.holes++ == 0) into.hole = hole;
  }

  // Ends at the first hole, and where what is left is below the tolerance.
  bool has_hole(const Cell& cell, std::span<const Vec3> near, Vec3& place) const {
    const Shape shape(cell);
    std::vector<Vec3> around;
    const double reach = shape.reach + reach_;
    bool middle_is_free = true;
    for (const Vec3& p : near) {
      const Vec3 d = p - shape.middle;
      const double square = dot(d, d);
      if (square >= reach * reach) continue;
      if (shape.is_in_ball(p, square_)) return false;
      middle_is_free = middle_is_free && square >= square_;
      around.push_back(p);
    }
    if (middle_is_free) {
      place = shape.middle;
      return true;
    }
    if (shape.reach < 1e-6 * radius_) return false;
    const auto halves = halves_of(cell, shape);
    return std::any_of(halves.begin(), halves.end(),
                       [&](const Cell& half) { return has_hole(half, around, place); });
  }

  const std::vector<Vec3>& points_;
  double radius_, square_, reach_;
  Roots roots_;
  std::vector<std::vector<std::uint32_t>> of_root_;
};

}  // namespace

Proved prove(double radius, const std::vector<Vec3>& points, double tolerance, Context& context) {
  return Proof(radius, points, tolerance, context).run(context);
}

}  // namespace dapple::sphere
