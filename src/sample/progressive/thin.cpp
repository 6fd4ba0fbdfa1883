// Picks an even subset of given points by weighted sample elimination (Yuksel 2015).
//
// The original takes its distance from the area of the domain, which a cloud does not state.
// Difference: the distance at which a random maximal subset has as many points gives it, in every
// dimension by nearly the same factor, so that planes, surfaces and volumes need no option. Dense
// clouds are first thinned to one point per small cube.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "core/parallel.hpp"
#include "core/preconditions.hpp"
#include "core/random.hpp"
#include "core/text/number_text.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/sample.hpp"
#include "sample/fixed_points.hpp"
#include "sample/progressive/cloud_cells.hpp"
#include "sample/progressive/crowding.hpp"
#include "sample/samplers.hpp"
#include "sample/settle_order.hpp"

namespace dapple {
namespace {

// The distance in the densest lattice, in parts of that in a random maximal subset of as many
// points: 1.29 in the plane and 1.24 in space. Candidates are no continuum, so it is a little more.
constexpr double lattice_over_random = 1.36;
// The distance is measured on so many points of a subset, each of so many candidates.
constexpr std::size_t most_measured = 2000;
constexpr std::size_t candidates_measured = 20;
// Clouds of more candidates per point are thinned to one per cube, which leaves about as many.
constexpr std::size_t most_candidates = 12;
// Crowded places count no more neighbors than this on average, or the distance is shortened.
constexpr double most_neighbors = 150;

CloudPlaces some_of(const CloudPlaces& places, const std::vector<std::uint32_t>& index,
                    std::size_t count) {
  return places.some(count, [&](std::size_t k) { return index[k]; });
}

// Returns the number of points that remain if each in turn stays unless one within `distance` did.
std::size_t random_subset(const CloudPlaces& places, double distance) {
  const CloudCells cells(places, distance);
  std::vector<std::uint32_t> position(cells.size());
  for (std::uint32_t k = 0; k < cells.size(); ++k) position[cells.number(k)] = k;
  std::vector<char> stays(cells.size());
  std::size_t count = 0;
  CloudCells::Around around;
  for (const std::uint32_t k : position) {
    const bool is_taken = cells.any_near(k, around, [&](std::uint32_t j, double square) {
      return stays[j] != 0 && square < distance * distance;
    });
    if (is_taken) continue;
    stays[k] = 1;
    ++count;
  }
  return count;
}

// The distance of the densest lattice of `count` points on the cloud, and the dimension by which
// it changes with their number.
struct Spread {
  double distance = 0;
  double dimension = 2;
  double at(double count) const { return distance * portable_pow(count, -1 / dimension); }
};

// Measures the first points of `order`, which is random.
Spread spread_of(const CloudPlaces& places, const std::vector<std::uint32_t>& order,
                 std::size_t count, std::size_t dimensions) {
  const std::size_t wanted =
      std::clamp<std::size_t>(std::min(count, order.size() / candidates_measured), 4,
                              std::max<std::size_t>(4, most_measured));
  const CloudPlaces some =
      some_of(places, order, std::min(order.size(), candidates_measured * wanted));
  double longest = 0;
  for (const auto& axis : some.at) {
    const auto [low, high] = std::minmax_element(axis.begin(), axis.end());
    longest = std::max(longest, *high - *low);
  }
  // A power of the distance leads from one number to the next; bisection holds it in bounds.
  double low = 0;
  double high = 4 * longest;
  double distance = longest * portable_pow(static_cast<double>(wanted), -0.5);
  for (int step = 0; step < 60; ++step) {
    const std::size_t found = random_subset(some, distance);
    const double part = static_cast<double>(found) / static_cast<double>(wanted);
    if (std::abs(part - 1) < 0.02 || high - low <= 1e-6 * high) break;
    (part > 1 ? low : high) = distance;
    const double next = distance * std::sqrt(part);
    distance = next > low && next < high ? next : low > 0 ? std::sqrt(low * high) : 0.1 * high;
  }
  Spread spread;
  const auto most = static_cast<double>(dimensions);
  spread.dimension = most;
  if (wanted >= 64) {
    const auto fewer = static_cast<double>(random_subset(some, 2 * distance));
    const double slope =
        portable_log(static_cast<double>(random_subset(some, distance)) / fewer) / portable_log(2);
    spread.dimension = std::clamp(std::floor(slope + 0.5), 1.0, most);
  }
  spread.distance = lattice_over_random * distance *
                    portable_pow(static_cast<double>(wanted), 1 / spread.dimension);
  return spread;
}

// Returns the first `n` points in random order, each place once, and then the repeated ones. Sets
// `distinct` to the number of places. The order depends on the places alone.
std::vector<std::uint32_t> random_order(const CloudPlaces& places, std::size_t n,
                                        std::uint64_t seed, std::size_t& distinct) {
  std::vector<HashedNumber> hashed(n);
  const Random random(seed, Stream::progressive);
  const auto place = [&](std::size_t i) {
    return std::array{places.at[0][i], places.at[1][i], places.at[2][i]};
  };
  for (std::uint32_t i = 0; i < hashed.size(); ++i) {
    std::uint64_t key = random.at(0);
    for (const double v : place(i)) key = hash(key, std::bit_cast<std::uint64_t>(v + 0.0));
    hashed[i] = {key, i};
  }
  sort_by_hash(hashed);
  std::vector<std::uint32_t> order, repeated;
  order.reserve(hashed.size());
  for (std::size_t k = 0; k < hashed.size(); ++k) {
    bool is_new = true;
    for (std::size_t j = k; is_new && j > 0 && hashed[j - 1].key == hashed[k].key; --j) {
      is_new = place(hashed[j - 1].number) != place(hashed[k].number);
    }
    (is_new ? order : repeated).push_back(hashed[k].number);
  }
  distinct = order.size();
  order.insert(order.end(), repeated.begin(), repeated.end());
  return order;
}

// Returns the first point of each cube in the order.
std::vector<std::uint32_t> one_per_cube(const CloudPlaces& places,
                                        const std::vector<std::uint32_t>& order, double side) {
  const CloudCells cells(some_of(places, order, order.size()), side);
  std::vector<std::uint32_t> first;
  first.reserve(cells.cells());
  for (std::size_t c = 0; c < cells.cells(); ++c)
    first.push_back(order[cells.number(cells.begin(c))]);
  return first;
}

// Returns the number of neighbors that points have on average, from those in their own cells.
double neighbors_of(const CloudCells& cells) {
  double sum = 0;
  for (std::size_t c = 0; c < cells.cells(); ++c) {
    const auto own = static_cast<double>(cells.end(c) - cells.begin(c));
    sum += own * own;
  }
  return 4 * sum / static_cast<double>(cells.size());
}

// Removes points of `index` until `left` remain, by their crowding within `distance`. The last
// `fixed` stay and do not count. Returns the removed positions in `index`, first to last.
std::vector<std::uint32_t> eliminate(const CloudPlaces& places,
                                     const std::vector<std::uint32_t>& index, double distance,
                                     std::size_t left, std::size_t fixed, Context& context) {
  const CloudPlaces some = some_of(places, index, index.size());
  CloudCells cells(some, distance);
  while (neighbors_of(cells) > most_neighbors) {
    distance *= 0.7;
    cells = CloudCells(some, distance);
  }
  context.require_memory(
      static_cast<double>(index.size()) * (60 + 2 * sizeof(NearValue) * neighbors_of(cells)),
      "thinning " + std::to_string(index.size()) + " points");
  // Lists are in the order of cells, so that neighbors share the cache; fixed points are last.
  const std::size_t n = index.size() - fixed;
  std::vector<std::uint32_t> position, list_of(index.size());
  for (const bool is_fixed : {false, true}) {
    for (std::uint32_t k = 0; k < cells.size(); ++k) {
      if ((cells.number(k) >= n) != is_fixed) continue;
      list_of[k] = static_cast<std::uint32_t>(position.size());
      position.push_back(k);
    }
  }
  const double near = least_distance_that_counts(left, n);
  const double limit = distance * distance;
  const NearValues lists = make_lists<NearValue>(
      context, position.size(),
      [&, around = CloudCells::Around()](std::size_t i, std::vector<NearValue>& values) mutable {
        const std::uint32_t own = position[i];
        cells.any_near(own, around, [&](std::uint32_t j, double square) {
          if (square < limit && j != own) {
            const double d = std::sqrt(square) / distance;
            values.push_back({list_of[j], static_cast<float>(crowding_at(d, near))});
          }
          return false;
        });
      });
  std::vector<std::uint32_t> gone = most_crowded_first(
      position.size(), left, context,
      [&](std::size_t i, const auto& body) {
        for (const NearValue& other : lists.of(i)) body(other.point, other.value);
      },
      fixed);
  // Pairs that stay although their distance counts as `near` show that points cannot be as far
  // apart as `distance` requires.
  std::vector<char> stays(position.size(), 1);
  for (const std::uint32_t i : gone) stays[i] = 0;
  const auto most = static_cast<float>(crowding_at(0, near));
  bool is_crowded = false;
  for (std::size_t i = 0; i < n && near > 0.05; ++i) {
    if (stays[i] == 0) continue;
    for (const NearValue& other : lists.of(i)) {
      is_crowded = is_crowded || (stays[other.point] != 0 && other.value >= most);
    }
  }
  if (is_crowded) return eliminate(places, index, 0.7 * distance, left, fixed, context);
  for (std::uint32_t& i : gone) i = cells.number(position[i]);
  return gone;
}

std::vector<std::uint32_t> without(const std::vector<std::uint32_t>& index,
                                   const std::vector<std::uint32_t>& gone, std::size_t fixed) {
  std::vector<char> goes(index.size());
  for (const std::uint32_t i : gone) goes[i] = 1;
  std::vector<std::uint32_t> rest;
  for (std::size_t i = 0; i + fixed < index.size(); ++i) {
    if (goes[i] == 0) rest.push_back(index[i]);
  }
  return rest;
}

// Returns the rows of `count` points. The places hold the cloud, then the `fixed` points.
std::vector<std::uint32_t> thinned_rows(const CloudPlaces& places, std::size_t count,
                                        std::size_t fixed, bool progressive, Context& context) {
  const std::size_t n = places.size() - fixed;
  std::size_t distinct = 0;
  std::vector<std::uint32_t> order = random_order(places, n, context.seed, distinct);
  const std::vector<std::uint32_t> repeated(order.begin() + static_cast<std::ptrdiff_t>(distinct),
                                            order.end());
  order.resize(distinct);
  std::size_t dimensions = 0;
  for (const auto& axis : places.at) {
    const auto [low, high] = std::minmax_element(axis.begin(), axis.end());
    dimensions += *low < *high ? 1 : 0;
  }
  const auto with_fixed = [&](std::vector<std::uint32_t> index) {
    for (std::size_t i = n; i < places.size(); ++i) index.push_back(static_cast<std::uint32_t>(i));
    return index;
  };
  Spread spread;
  const auto all_count = static_cast<double>(count + fixed);
  if (distinct > 1)
    spread = spread_of(places, order, count + fixed, std::max<std::size_t>(1, dimensions));
  context.progress(0.2);
  const auto part = context.part(0.2, 1);
  std::vector<std::uint32_t> rows = order;
  if (count < distinct) {
    double distance = spread.at(all_count);
    if (distinct > most_candidates * count ||
        neighbors_of(CloudCells(some_of(places, order, distinct), distance)) > most_neighbors) {
      const double cubes = portable_pow(most_candidates, 1 / spread.dimension);
      const std::size_t enough = std::min(2 * count, count + (distinct - count) / 2);
      for (;; distance /= 1.6) {
        rows = one_per_cube(places, order, distance / cubes);
        if (rows.size() >= enough) break;
      }
    }
    rows = with_fixed(std::move(rows));
    rows = without(rows, eliminate(places, rows, distance, count, fixed, context), fixed);
  }
  if (progressive && rows.size() > 1 && distinct > 1) {
    const auto total = static_cast<double>(rows.size() + fixed);
    rows = order_by_elimination(
        std::move(rows), total / hexagonal_packing,
        [&](const std::vector<std::uint32_t>& index, double lattice, std::size_t left) {
          // `lattice` is (total / count)^(1/2), as in the plane.
          return eliminate(places, with_fixed(index), spread.at(total / (lattice * lattice)), left,
                           fixed, context);
        },
        fixed);
  }
  for (std::size_t i = 0; rows.size() < count; ++i) rows.push_back(repeated[i]);
  if (!progressive) std::sort(rows.begin(), rows.end());
  return rows;
}

// Adds the places of points to those of a cloud, which has a z or not.
void add_places(CloudPlaces& places, const Points& points) {
  const std::vector<double>& z = column_z(points);
  places.at[0].insert(places.at[0].end(), points.x.begin(), points.x.end());
  places.at[1].insert(places.at[1].end(), points.y.begin(), points.y.end());
  places.at[2].insert(places.at[2].end(), z.begin(), z.end());
  places.at[2].resize(places.at[0].size());
}

// Returns the least distance of two places, 0 for a single one.
double closest_of(const CloudPlaces& places) {
  double low = 0;
  double high = 0;
  for (const auto& axis : places.at) {
    const auto [least, most] = std::minmax_element(axis.begin(), axis.end());
    low = std::max(low, (*most - *least) / static_cast<double>(places.size()));
    high = std::max(high, *most - *least);
  }
  double least = std::numeric_limits<double>::infinity();
  for (double side = low; side > 0 && !(least <= side * side) && side < 4 * high; side *= 4) {
    const CloudCells cells(places, side);
    CloudCells::Around around;
    for (std::uint32_t k = 0; k < cells.size(); ++k) {
      cells.any_near(k, around, [&](std::uint32_t j, double square) {
        if (j != k) least = std::min(least, square);
        return false;
      });
    }
  }
  return std::isfinite(least) ? std::sqrt(least) : 0;
}

// Throws Error(verification) unless the rows differ. Notes the least distance of the subset, with
// the fixed points.
void prove_subset(const CloudPlaces& places, std::vector<std::uint32_t> rows, std::size_t fixed,
                  Context& context) {
  std::sort(rows.begin(), rows.end());
  const std::size_t n = places.size() - fixed;
  if (std::adjacent_find(rows.begin(), rows.end()) != rows.end() || rows.back() >= n) {
    throw Error(ErrorKind::verification, "the result repeats a point of the cloud");
  }
  for (std::size_t i = n; i < places.size(); ++i) rows.push_back(static_cast<std::uint32_t>(i));
  const CloudPlaces subset = some_of(places, rows, rows.size());
  const double closest = closest_of(subset);
  context.note("all " + std::to_string(rows.size()) +
               " points differ and come from the cloud; the " + "closest two are " +
               shortest(closest) + " apart");
}

}  // namespace

Points thin(const Points& cloud, const SampleOptions& options, Context& context) {
  check(options);
  require_columns(cloud);
  const std::shared_ptr<const Points>& kept = options.keep.points;
  const std::int64_t count = kept != nullptr && !options.only_new
                                 ? count_beside(kept->size(), options.count)
                                 : options.count;
  if (count < 1) refuse_option("count", "must be at least 1 to pick points of a cloud");
  if (count > static_cast<std::int64_t>(cloud.size())) {
    refuse_option("count", "asks for " + std::to_string(count) + " points of a cloud of " +
                               std::to_string(cloud.size()) + ": at most these can be picked");
  }
  if (!cloud.w.empty()) {
    throw Error(ErrorKind::input, Problem{"from", "has points in four dimensions, not in 2 or 3"});
  }
  const auto stage = context.outermost("sample");
  context.require_memory(static_cast<double>(cloud.size()) * 160,
                         "a cloud of " + std::to_string(cloud.size()) + " points");
  CloudPlaces places;
  if (cloud.space == nullptr && cloud.domain.wrap) {
    places.period = {cloud.domain.width, cloud.domain.height, cloud.depth};
  }
  add_places(places, cloud);
  if (kept != nullptr) add_places(places, *kept);
  const std::size_t fixed = places.size() - cloud.size();
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (std::isfinite(places.at[0][i] + places.at[1][i] + places.at[2][i])) continue;
    throw Error(ErrorKind::input,
                "point " + std::to_string(i + 1) + " has a coordinate that is not finite");
  }
  const std::vector<std::uint32_t> rows =
      thinned_rows(places, static_cast<std::size_t>(count), fixed, options.progressive, context);
  Points points = cloud;
  keep_points(points, {rows.begin(), rows.end()});
  if (options.certify) prove_subset(places, rows, fixed, context);
  if (kept != nullptr && !options.only_new) {
    points = joined(*kept, points);
    points.fixed = kept->size();
  }
  if (options.progressive) rank_as_they_stand(points);
  return points;
}

}  // namespace dapple
