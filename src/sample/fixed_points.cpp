// Completes and checks fixed points, finds the tiles that they affect, and joins them with new
// points.
#include "sample/fixed_points.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/constants.hpp"
#include "core/plural_text.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "dapple/units.hpp"
#include "sample/certify/certify.hpp"
#include "sample/conflict.hpp"
#include "sample/settle_order.hpp"

namespace dapple {
namespace {

std::string size_of(const Domain& domain) {
  return shortest(domain.width) + " x " + shortest(domain.height);
}

// Returns true if the domain is the bounding box, which readers set if the file names no domain.
bool is_bounding_box(const PointSet& points) {
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

PointSet in_the_plane(PointSet kept) {
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

FixedPoints kept_of(const PointsOptions& options) {
  return {options.sample.keep.points.get(), options.sample.conflict};
}

std::int64_t count_of_new(std::int64_t count, const PointsOptions& options) {
  const PointSet* kept = options.sample.keep.points.get();
  if (kept == nullptr || count == 0 || options.sample.only_new) return count;
  const auto there = static_cast<std::int64_t>(kept->size());
  if (count > there) return count - there;
  throw Error(
      ErrorKind::input,
      Problem{"count", "counts the points of `keep`, too: " + std::to_string(count) +
                           " is not more than the " + std::to_string(there) + " of `keep`"});
}

PointSet kept_points(const DensityField& field, const SampleOptions& options) {
  PointSet kept;
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

void check_kept(const PointSet& kept, const DensityField& field, const SampleOptions& options,
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
  PointSet here = kept;
  here.domain = domain;
  const std::vector<double> radii(here.radius.begin(), here.radius.end());
  const std::int64_t pairs = prove_spacing(here, radii, 0, options.conflict, context).violations;
  if (pairs > 0) {
    context.warn(
        counted(pairs, " pair of the points of `keep` is", " pairs of the points of `keep` are") +
        " closer than the rule allows; they stay unchanged");
  }
}

PointSet joined(PointSet kept, const PointSet& fresh) {
  const std::size_t first = kept.size();
  if (first == 0) return fresh;
  kept.domain = fresh.domain;
  kept.depth = fresh.depth;
  kept.extent = fresh.extent;
  kept.metadata = fresh.metadata;
  if (fresh.depth > 0) kept.z = column_z(kept);
  kept.height.clear();
  if (!(fresh.extent > 0)) kept.w.clear();
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (const auto column : {&PointSet::x, &PointSet::y, &PointSet::z, &PointSet::w}) {
    append(kept.*column, fresh.*column);
  }
  append(kept.radius, fresh.radius);
  if (!fresh.class_id.empty()) {
    kept.class_id.resize(first);
    append(kept.class_id, fresh.class_id);
  } else if (!kept.class_id.empty()) {
    kept.class_id.resize(kept.size(),
                         1 + *std::max_element(kept.class_id.begin(), kept.class_id.end()));
  }
  if (!kept.id.empty()) {
    const std::int32_t next = 1 + *std::max_element(kept.id.begin(), kept.id.end());
    kept.id.resize(kept.size());
    std::iota(kept.id.begin() + static_cast<std::ptrdiff_t>(first), kept.id.end(), next);
  }
  for (const auto column : {&PointSet::object_size, &PointSet::rotation}) {
    if (!(kept.*column).empty()) (kept.*column).resize(kept.size());
  }
  if (!kept.rank.empty() || !fresh.rank.empty()) {
    if (kept.rank.empty()) {
      kept.rank.resize(first);
      std::iota(kept.rank.begin(), kept.rank.end(), 0);
    }
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      const std::int32_t own = fresh.rank.empty() ? static_cast<std::int32_t>(i) : fresh.rank[i];
      kept.rank.push_back(static_cast<std::int32_t>(first) + own);
    }
  }
  return kept;
}

PointSet with_kept(PointSet made, const PointsOptions& options, const ScatterOptions& columns,
                   double shortest_side, const CompletePoint& complete, Context& context) {
  const SampleOptions& how = options.sample;
  std::size_t first = 0;
  if (how.keep.points != nullptr && !how.only_new) {
    PointSet kept = *how.keep.points;
    first = kept.size();
    kept.radius.resize(first);
    for (std::size_t i = 0; i < first; ++i) complete(kept, i);
    made = joined(std::move(kept), made);
    if (how.progressive) rank_as_they_stand(made);
  }
  scatter(made, columns, {shortest_side, css_pixels_per_mm}, first, context);
  return made;
}

Obstacles::Obstacles(const TileSet& set, const PointSet& kept, const Context& context) {
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
  start_.assign(set.tiles().size() + 1, 0);
  for (const auto& [tile, image] : pairs) ++start_[tile + 1];
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  near_.resize(pairs.size());
  std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
  for (const auto& [tile, image] : pairs) near_[next[tile]++] = image;
}

}  // namespace dapple
