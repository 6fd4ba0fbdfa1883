// Several classes of points with distances of their own, in a plane or a volume (Wei 2010).
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/doors.hpp"
#include "core/portable.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "dapple/units.hpp"
#include "sample/fewest_enough.hpp"
#include "sample/space/room.hpp"

namespace dapple {
namespace {

constexpr std::size_t most_classes = 64;

// The search for head starts: on a part of the room that holds about so many points, until shares
// are right to that, for so many steps.
constexpr double trial_points = 20000;
constexpr double good_share = 0.005;
constexpr int most_steps = 16;
constexpr double no_head_start = -4;   // its logarithm
constexpr double most_head_start = 8;  // likewise

template <std::size_t D>
double power(double v) {
  return D == 2 ? v * v : v * v * v;
}

// Wei's matrix where nothing else is asked for: points of classes i and j are as far apart as all
// points of classes that are not finer than both would be if they were one (Wei 2010, algorithm 2).
template <std::size_t D>
std::vector<std::vector<double>> distances(const ClassOptions& options) {
  const std::vector<double>& radii = options.radii;
  std::vector matrix(radii.size(), std::vector<double>(radii.size()));
  for (std::size_t i = 0; i < radii.size(); ++i) {
    for (std::size_t j = 0; j < radii.size(); ++j) {
      const double finer = std::min(radii[i], radii[j]);
      double density = 0;
      for (const double r : radii) density += r >= finer ? 1 / power<D>(r) : 0;
      const double together = D == 2 ? 1 / std::sqrt(density) : 1 / portable_cbrt(density);
      const ClassDistance rule = options.distance;
      matrix[i][j] = i == j                           ? radii[i]
                     : rule == ClassDistance::mean    ? 0.5 * (radii[i] + radii[j])
                     : rule == ClassDistance::min     ? finer
                     : rule == ClassDistance::max     ? std::max(radii[i], radii[j])
                     : rule == ClassDistance::density ? together
                                                      : 0;
    }
  }
  return matrix;
}

std::vector<double> wanted_shares(const ClassOptions& options, std::size_t dimensions) {
  std::vector<double> shares = options.shares;
  if (shares.empty()) {
    for (const double r : options.radii)
      shares.push_back(1 / (dimensions == 2 ? r * r : r * r * r));
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

template <std::size_t D>
std::vector<double> found_shares(const space::Points<D>& points, std::size_t classes) {
  std::vector<double> shares(classes);
  for (const std::int32_t c : points.klass) ++shares[static_cast<std::size_t>(c)];
  for (double& share : shares) share /= std::max(1.0, static_cast<double>(points.size()));
  return shares;
}

// One head start, by its logarithm: how much its class has gained by the last change says how much
// more it needs.
struct Search {
  double log_start = 0;
  double gain = 6;
  double last_log_share = 0;
  double last_step = 0;

  void step(double share, double wanted) {
    const double log_share = portable_log(std::max(share, 1e-6));
    if (last_step != 0) {
      const double response = (log_share - last_log_share) / last_step;
      gain = std::clamp(response > 0 ? 1 / response : gain, 0.5, 30.0);
    }
    last_log_share = log_share;
    last_step = std::clamp(gain * (portable_log(wanted) - log_share), -1.5, 1.5);
    log_start += last_step;
  }
  double start() const { return log_start <= no_head_start ? 0 : portable_exp(log_start); }
};

// The room itself, where it is small, or a torus of so many points that holds the coarsest class.
template <std::size_t D>
space::Room<D> trial_of(const space::Room<D>& room) {
  if (space::cubes_of_radii(room) < 2 * trial_points) return room;
  space::Room<D> trial = room;
  trial.wrap = true;
  double coarsest = 0;
  double density = 0;
  for (std::size_t c = 0; c < room.classes(); ++c) {
    coarsest = std::max(coarsest, room.radius(c));
    density += 1 / power<D>(room.radius(c));
  }
  const double cubes = trial_points / density;
  const double side = std::max(D == 2 ? std::sqrt(cubes) : portable_cbrt(cubes), 8 * coarsest);
  for (double& of : trial.side) of = std::min(of, side);
  return trial;
}

// Head starts that give each class its share, as far as its distance leaves room.
template <std::size_t D>
std::vector<double> head_starts(const space::Room<D>& room, const std::vector<double>& wanted,
                                Context& context) {
  space::require_memory(room, context);
  space::Room<D> trial = trial_of(room);
  std::vector<Search> searches(room.classes());
  double least_error = 1e9;
  std::vector<double> best(room.classes());
  for (int i = 0; i < most_steps && least_error > good_share; ++i) {
    trial.head_start.clear();
    for (const Search& search : searches) trial.head_start.push_back(search.start());
    const auto shares = found_shares(space::throw_darts(trial, context), room.classes());
    double error = 0;
    for (std::size_t c = 0; c < room.classes(); ++c) {
      error = std::max(error, std::abs(shares[c] / wanted[c] - 1));
      searches[c].step(shares[c], wanted[c]);
    }
    if (error < least_error) {
      least_error = error;
      best = trial.head_start;
    }
    // All head starts later are none: the least is none.
    double least = searches[0].log_start;
    for (const Search& search : searches) least = std::min(least, search.log_start);
    for (Search& search : searches) {
      search.log_start = std::min(search.log_start - least + no_head_start, most_head_start);
    }
  }
  return best;
}

void warn_of_shares(const std::vector<double>& found, const std::vector<double>& wanted,
                    std::size_t count, Context& context) {
  const auto per_cent = [](double share) { return shortest(std::round(1000 * share) / 10) + " %"; };
  for (std::size_t c = 0; c < found.size(); ++c) {
    const double off = std::abs(found[c] - wanted[c]);
    // Of few points one more or less shows.
    if (off <= std::max(0.02 * wanted[c], 2.0 / static_cast<double>(count))) continue;
    context.warn("class " + std::to_string(c) + " has " + per_cent(found[c]) +
                 " of the points, not " + per_cent(wanted[c]) +
                 ": the distances of the classes leave no room for other shares");
  }
}

template <std::size_t D>
void scale(space::Room<D>& room, double factor) {
  for (auto& row : room.distance) {
    for (double& distance : row) distance *= factor;
  }
}

// So many points; the room's distances become theirs.
template <std::size_t D>
space::Points<D> so_many(space::Room<D>& room, std::size_t count, Context& context) {
  // Points of classes in Wei's distances fill about so much.
  constexpr double packing = 0.57;
  const auto scaled_room = [&](double factor) {
    space::Room<D> scaled = room;
    scale(scaled, factor);
    return scaled;
  };
  // A side that is shorter than the distances counts as one of them.
  const double longest = *std::max_element(room.side.begin(), room.side.end());
  const double first = radius_expecting(
      static_cast<double>(count), 2 * longest / room.radius(0),
      [&](double factor) { return packing * space::cubes_of_radii(scaled_room(factor)); });
  auto enough = fewest_enough(
      count, first, broad_sides(room.side, first * room.radius(0)),
      [&](double factor) { return space::throw_darts(scaled_room(factor), context); });
  room = scaled_room(enough.radius);
  space::Points<D>& made = enough.made;
  space::order_by_windows(made);
  made.at.resize(count);
  made.klass.resize(count);
  made.window.resize(count);
  return std::move(made);
}

template <std::size_t D>
void verify(const space::Room<D>& room, const space::Points<D>& points, bool counted,
            Context& context) {
  const auto proof = space::prove(room, points, 1e-5, context);
  if (proof.violations > 0) {
    throw Error(ErrorKind::verification, std::to_string(proof.violations) +
                                             " pairs of points are too near, the nearest at " +
                                             shortest(proof.closest) +
                                             " of what their classes allow");
  }
  if (proof.holes == 0) return;
  std::string gap =
      "there is room for a point of class " + std::to_string(proof.hole_class) + " at";
  for (const double v : proof.hole_place) gap += " " + shortest(v);
  if (!counted) throw Error(ErrorKind::verification, gap);
  context.warn(gap + ", as a set of a given number leaves some");
}

void require_classes(const ClassOptions& options) {
  if (options.radii.empty() || options.radii.size() > most_classes) {
    throw Error(ErrorKind::usage, "classes of points need 1 to 64 radii, not " +
                                      std::to_string(options.radii.size()));
  }
  for (const double r : options.radii) require_above_0("the radius of a class", r);
  if (!options.shares.empty() && options.shares.size() != options.radii.size()) {
    throw Error(ErrorKind::usage, std::to_string(options.radii.size()) + " radii and " +
                                      std::to_string(options.shares.size()) +
                                      " shares are not of the same classes");
  }
  for (const double share : options.shares) require_above_0("the share of a class", share);
  require_word("distance of classes", options.distance);
}

template <std::size_t D>
PointSet sample_in(const Domain& domain, const space::Along<D>& side, const ClassOptions& options,
                   std::int64_t count, Context& context) {
  space::Room<D> room;
  room.side = side;
  room.wrap = domain.wrap;
  room.distance = distances<D>(options);
  const std::vector<double> wanted = wanted_shares(options, D);
  const auto stage = context.stage("sample");
  room.head_start = head_starts(room, wanted, context);
  const space::Points<D> found = count > 0 ? so_many(room, static_cast<std::size_t>(count), context)
                                           : space::throw_darts(room, context);
  warn_of_shares(found_shares(found, room.classes()), wanted,
                 std::max<std::size_t>(1, found.size()), context);
  if (options.certify) verify(room, found, count > 0, context);
  PointSet points;
  points.domain = domain;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto klass = static_cast<std::size_t>(found.klass[i]);
    points.add({found.at[i][0], found.at[i][1]}, static_cast<float>(room.radius(klass)));
    if constexpr (D == 3) points.z.push_back(found.at[i][2]);
  }
  points.klass = found.klass;
  return points;
}

}  // namespace

PointSet sample_classes(const Domain& domain, double depth, const ClassOptions& options,
                        std::int64_t count, Context& context) {
  require_domain(domain);
  require_classes(options);
  require_number("the number of points", static_cast<double>(count), 0);
  require_number("the depth of a volume", depth, 0);
  context.require_memory(120 * static_cast<double>(count), "points of classes");
  if (depth == 0) {
    return sample_in<2>(domain, {domain.width, domain.height}, options, count, context);
  }
  PointSet points =
      sample_in<3>(domain, {domain.width, domain.height, depth}, options, count, context);
  points.depth = depth;
  return points;
}

}  // namespace dapple
