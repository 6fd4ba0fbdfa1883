// Checks regions and reads their counts; samples points in them.
#include "dapple/regions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "core/constants.hpp"
#include "core/morton.hpp"
#include "core/parallel.hpp"
#include "core/preconditions.hpp"
#include "core/text/number_text.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "dapple/units.hpp"
#include "sample/certify/certify.hpp"
#include "sample/darts/near_lists.hpp"
#include "sample/fixed_points.hpp"
#include "sample/progressive/crowding.hpp"
#include "sample/regions/region_darts.hpp"
#include "sample/samplers.hpp"
#include "sample/settle_order.hpp"
#include "sample/spaces.hpp"

namespace dapple {
namespace {

constexpr int share_rows = 4096;  // lines that measure the area of a region
constexpr double most_count = 2e9;

[[noreturn]] void refuse_region(const Regions& regions, std::size_t index, const std::string& why) {
  throw Error(ErrorKind::input, name_of_region(regions, index) + " " + why);
}

// Returns a whole number from 0 up, or -1.
std::int64_t whole_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = read_number(text.data(), text.data() + text.size(), value);
  const bool is_whole = error == std::errc{} && end == text.data() + text.size() && value >= 0 &&
                        value <= most_count && value == std::floor(value);
  return is_whole ? static_cast<std::int64_t>(value) : -1;
}

// Divides `count` by area: each region gets the whole part of its share, and those with the largest
// rests one point more.
std::vector<std::int64_t> shares_by_area(const RegionShapes& shapes, std::int64_t count,
                                         Context& context) {
  std::vector<double> area(shapes.size());
  parallel_for(context, shapes.size(),
               [&](std::size_t k) { area[k] = shapes.area(k, share_rows); });
  const double total = std::accumulate(area.begin(), area.end(), 0.0);
  if (!(total > 0)) throw Error(ErrorKind::input, "the regions have no area");
  std::vector<std::int64_t> counts;
  std::vector<std::size_t> order(shapes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::int64_t left = count;
  for (double& share : area) {
    share *= static_cast<double>(count) / total;
    counts.push_back(static_cast<std::int64_t>(share));
    share -= std::floor(share);
    left -= counts.back();
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return area[a] > area[b]; });
  for (std::size_t i = 0; left > 0; i = (i + 1) % order.size(), --left) ++counts[order[i]];
  return counts;
}

// Returns the fixed points with the regions that they lie in.
Points in_regions(const Points& kept, const Regions& regions, const RegionShapes& shapes) {
  Points result = in_the_plane(kept);
  for (double& x : result.x) x += result.origin.x;
  for (double& y : result.y) y += result.origin.y;
  result.origin = {};
  result.region.assign(result.size(), -1);
  for (std::size_t i = 0; i < result.size(); ++i) {
    for (std::size_t k = 0; k < shapes.size() && result.region[i] < 0; ++k) {
      if (shapes.contains(k, result[i])) result.region[i] = static_cast<std::int32_t>(k);
    }
    if (result.region[i] >= 0) continue;
    throw Error(ErrorKind::input,
                Problem{"keep", "point " + std::to_string(i + 1) + " at (" + shortest(result.x[i]) +
                                    ", " + shortest(result.y[i]) + ") lies in none of the " +
                                    std::to_string(regions.all.size()) + " regions"});
  }
  return result;
}

// Orders the points so that every prefix is well spaced.
Points in_order(const Points& points, Context& context) {
  const double squares = static_cast<double>(points.size()) / varied_packing;
  Points result = picked(
      points, order_by_elimination(
                  morton_order(points.x, points.y), squares,
                  [&](const std::vector<std::uint32_t>& index, double spacing, std::size_t left) {
                    return elimination_order(picked(points, index), ConflictRule::mean, spacing,
                                             left, context);
                  }));
  result.space = points.space;
  rank_as_they_stand(result);
  return result;
}

}  // namespace

std::string name_of_region(const Regions& regions, std::size_t index) {
  const std::string& name = regions.all[index].name;
  return "region " + std::to_string(index + 1) + (name.empty() ? "" : " (" + name + ")");
}

Box bounds_of(const Regions& regions) {
  Box box{INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (const Region& region : regions.all) {
    for (const std::vector<Vec2>& ring : region.rings) {
      for (const Vec2 p : ring) {
        box = {std::min(box.x0, p.x), std::min(box.y0, p.y), std::max(box.x1, p.x),
               std::max(box.y1, p.y)};
      }
    }
  }
  return box;
}

void validate(const Regions& regions) {
  if (regions.all.empty()) throw Error(ErrorKind::input, "holds no regions");
  for (std::size_t k = 0; k < regions.all.size(); ++k) {
    if (regions.all[k].rings.empty()) refuse_region(regions, k, "has no rings");
    for (const std::vector<Vec2>& ring : regions.all[k].rings) {
      if (ring.size() < 3) {
        refuse_region(regions, k,
                      "has a ring of " + std::to_string(ring.size()) +
                          " corners: a ring needs at least 3 that differ");
      }
      for (const Vec2 p : ring) {
        if (std::abs(p.x) < 1e15 && std::abs(p.y) < 1e15) continue;
        refuse_region(regions, k,
                      "has a corner at (" + shortest(p.x) + ", " + shortest(p.y) +
                          "): coordinates must be finite, below 1e15");
      }
    }
  }
}

std::vector<std::int64_t> counts_from(const Regions& regions, std::string_view source) {
  const bool is_number = !source.empty() && (std::string_view("0123456789+-.").find(source[0]) !=
                                             std::string_view::npos);
  std::vector<std::int64_t> counts(regions.all.size());
  if (is_number) {
    std::fill(counts.begin(), counts.end(), whole_number(source));
    if (counts.empty() || counts[0] >= 0) return counts;
    throw Error(ErrorKind::usage,
                Problem{"count-from",
                        "must be a whole number from 0 up or the name of a property, "
                        "not " +
                            std::string(source)});
  }
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const auto& properties = regions.all[k].properties;
    const auto found = std::find_if(properties.begin(), properties.end(),
                                    [&](const auto& one) { return one.first == source; });
    if (found == properties.end()) {
      std::string known;
      for (const auto& [name, value] : properties) {
        if (whole_number(value) >= 0) known += (known.empty() ? "" : ", ") + name;
      }
      throw Error(
          ErrorKind::input,
          Problem{"count-from",
                  name_of_region(regions, k) + " has no property '" + std::string(source) + "'" +
                      (known.empty() ? "; give a number for all regions" : "; it has " + known)});
    }
    counts[k] = whole_number(found->second);
    if (counts[k] >= 0) continue;
    throw Error(
        ErrorKind::input,
        Problem{"count-from", name_of_region(regions, k) + " has " + std::string(source) + " = " +
                                  found->second + ": it must be a whole number from 0 up"});
  }
  return counts;
}

Points spaces::sample_regions(const Space& space, double radius, const SampleOptions& options,
                              Context& context) {
  const Regions& regions = *space.regions;
  const auto stage = context.outermost("sample");
  const RegionShapes shapes(regions);
  RegionRequest request{space.region_counts, radius, {}};
  if (options.count > 0) request.counts = shares_by_area(shapes, options.count, context);
  if (!request.counts.empty() && request.counts.size() != shapes.size()) {
    throw Error(ErrorKind::usage, "needs one count for each of the " +
                                      std::to_string(shapes.size()) + " regions, not " +
                                      std::to_string(request.counts.size()));
  }
  if (request.counts.empty()) require_above_0("the radius", radius);
  if (options.keep.points != nullptr) {
    request.kept = in_regions(*options.keep.points, regions, shapes);
  }
  if (!options.only_new && !request.counts.empty()) {
    for (const std::int32_t k : request.kept.region) {
      if (--request.counts[static_cast<std::size_t>(k)] >= 0) continue;
      throw Error(ErrorKind::usage,
                  Problem{"keep", "has more points in " +
                                      name_of_region(regions, static_cast<std::size_t>(k)) +
                                      " than its count, which includes them"});
    }
  }
  Points points = region_darts(regions, shapes, request, context);
  Space made = space;
  made.region_counts = request.counts;
  points.space = std::make_shared<const Space>(std::move(made));
  points.radii = std::make_shared<const Radii>(radius > 0 ? radius : 0.0);
  if (!request.kept.empty()) points.around = std::make_shared<const Points>(request.kept);
  if (options.certify) verify(points, context);
  if (options.progressive) points = in_order(points, context);
  if (request.kept.empty() || options.only_new) return points;
  Points all = joined(request.kept, points);
  all.fixed = request.kept.size();
  if (options.progressive) rank_as_they_stand(all);
  return all;
}

}  // namespace dapple
