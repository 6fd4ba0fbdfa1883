// Completes and checks fixed points, finds the tiles that they affect, and joins them with new
// points.
#include "sample/fixed_points.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/constants.hpp"
#include "core/plural_text.hpp"
#include "core/point_columns.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "sample/certify/certify.hpp"
#include "sample/conflict.hpp"

namespace dapple {
namespace {

std::string size_of(const Domain& domain) {
  return shortest(domain.width) + " x " + shortest(domain.height);
}

// Returns true if the domain is the bounding box, which readers set if the file names no domain.
bool is_bounding_box(const Points& points) {
  const auto side = [](const std::vector<double>& values) {
    return std::floor(*std::max_element(values.begin(), values.end())) + 1;
  };
  return points.domain.width == side(points.x) && points.domain.height == side(points.y);
}

}  // namespace

void require_rule(ConflictRule rule) {
  require_word("rule of conflicts", rule);
  if (rule != ConflictRule::candidate) return;
  throw Error(ErrorKind::usage,
              Problem{"conflict", "must be mean, min or max for volumes and classes"});
}

std::string unknown_class(std::size_t point, std::int32_t class_id, std::size_t classes) {
  return "point " + std::to_string(point + 1) + " has class " + std::to_string(class_id) +
         ", but there are only " + std::to_string(classes) +
         " classes, from 0: correct the column class, or leave it out so that points keep their "
         "own r";
}

Points in_the_plane(Points kept) {
  require_columns(kept);
  const std::vector<double>& z = column_z(kept);
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (z[i] == 0) continue;
    throw Error(ErrorKind::input,
                Problem{"keep", "point " + std::to_string(i + 1) + " has z = " + shortest(z[i]) +
                                    ", but the plane has no z: leave the column out, or sample "
                                    "`on` the mesh of the points"});
  }
  kept.z.clear();
  kept.height.clear();
  return kept;
}

void require_class_of_each(const Points& points, std::size_t classes) {
  if (points.class_id.size() != points.size()) {
    throw Error(ErrorKind::input, "points of classes need a column class");
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::int32_t class_id = points.class_id[i];
    if (class_id >= 0 && static_cast<std::size_t>(class_id) < classes) continue;
    throw Error(ErrorKind::input, unknown_class(i, class_id, classes));
  }
}

std::int64_t count_beside(std::size_t kept, std::int64_t count) {
  const auto there = static_cast<std::int64_t>(kept);
  if (count > there) return count - there;
  throw Error(
      ErrorKind::input,
      Problem{"count", "counts the points of `keep`, too: " + std::to_string(count) +
                           " is not more than the " + std::to_string(there) + " of `keep`"});
}

Points kept_points(const DensityField& field, const SampleOptions& options) {
  Points kept;
  if (options.keep.points != nullptr) kept = in_the_plane(*options.keep.points);
  kept.radius.resize(kept.size());
  const Domain& domain = field.domain();
  const double smallest = field.radius_bounds({0, 0, domain.width, domain.height}).min;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept.radius[i] > 0) continue;
    const double there = field.radius(kept[i]);
    kept.radius[i] = static_cast<float>(std::isfinite(there) ? there : smallest);
  }
  return kept;
}

void check_kept(const Points& kept, const DensityField& field, const SampleOptions& options,
                Context& context) {
  if (kept.empty()) return;
  if (!keeps_distance(options.method)) {
    throw Error(ErrorKind::usage,
                Problem{"keep", "needs a method that keeps distances, such as darts: `method` " +
                                    std::string(word_of(options.method)) + " ignores kept points"});
  }
  const Domain& domain = field.domain();
  const bool other_size = kept.domain.width != domain.width || kept.domain.height != domain.height;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (domain.contains(kept[i])) continue;
    throw Error(
        ErrorKind::input,
        Problem{"keep", "point " + std::to_string(i + 1) + " at (" + shortest(kept.x[i]) + ", " +
                            shortest(kept.y[i]) + ") is outside the domain of " + size_of(domain) +
                            "; sample the size that the points were made for"});
  }
  if (other_size && !is_bounding_box(kept)) {
    context.warn("the points of `keep` were made for " + size_of(kept.domain) + ", not for " +
                 size_of(domain) + "; their coordinates are used without scaling");
  }
  Points here = kept;
  here.domain = domain;
  const std::vector<double> radii(here.radius.begin(), here.radius.end());
  const std::int64_t pairs = prove_spacing(here, radii, 0, options.conflict, context).violations;
  if (pairs > 0) {
    context.warn(
        counted(pairs, " pair of the points of `keep` is", " pairs of the points of `keep` are") +
        " closer than the rule allows; they stay unchanged");
  }
}

Points joined(const Points& kept, const Points& fresh) {
  const std::size_t first = kept.size();
  if (first == 0) return fresh;
  Points all = fresh;
  all.origin = kept.origin;
  for_each_stored_column([&](std::string_view, const auto& of) {
    auto& column = of(all);
    column = of(kept);
    if (column.empty() && of(fresh).empty()) return;
    column.resize(first);
    column.insert(column.end(), of(fresh).begin(), of(fresh).end());
    column.resize(first + fresh.size());
  });
  if (fresh.z.empty()) all.z.clear();
  if (fresh.w.empty()) all.w.clear();
  all.height.clear();
  const auto from = static_cast<std::ptrdiff_t>(first);
  const auto next = [](const std::vector<std::int32_t>& column) {
    return 1 + *std::max_element(column.begin(), column.end());
  };
  if (fresh.class_id.empty() && !kept.class_id.empty()) {
    std::fill(all.class_id.begin() + from, all.class_id.end(), next(kept.class_id));
  }
  if (!kept.id.empty()) std::iota(all.id.begin() + from, all.id.end(), next(kept.id));
  if (!all.rank.empty()) {
    if (kept.rank.empty()) std::iota(all.rank.begin(), all.rank.begin() + from, 0);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      const std::int32_t own = fresh.rank.empty() ? static_cast<std::int32_t>(i) : fresh.rank[i];
      all.rank[first + i] = static_cast<std::int32_t>(first) + own;
    }
  }
  return all;
}

Obstacles::Obstacles(const TileSet& set, const Points& kept, const Context& context) {
  const std::size_t copies = set.domain().wrap ? set.shifts.size() : 1;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // tile, image
  std::vector<std::uint32_t> tiles;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    context.check();
    const double r = static_cast<double>(kept.radius[i]) * safety;
    for (std::size_t shift = 0; shift < copies; ++shift) {
      const Vec2 at = kept[i] + set.shifts[shift];
      set.tiles_near(at, r, tiles);
      if (tiles.empty()) continue;
      for (const std::uint32_t tile : tiles) {
        pairs.emplace_back(tile, static_cast<std::uint32_t>(images_.size()));
      }
      images_.push_back({at, r});
    }
  }
  near_ = Lists<std::uint32_t>(set.tiles().size(), [&](const auto& add) {
    for (const auto& [tile, image] : pairs) add(tile, image);
  });
}

}  // namespace dapple
