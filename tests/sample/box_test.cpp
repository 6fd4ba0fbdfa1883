// Darts in volumes, and of classes with distances of their own: exact against brute force in
// double, maximal by probes, spread as darts thrown one after the other, the same for any number of
// threads.
#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "dapple/sample.hpp"
#include "distributions.hpp"
#include "old_names.hpp"
#include "sample/box_space/box_domain.hpp"
#include "sample/box_space/map.hpp"
#include "sample/engine/live_bits.hpp"
#include "simd_targets.hpp"

namespace dapple {
namespace {

using box_space::VecD;

template <std::size_t D>
box_space::Room<D> room_of(double side, bool wrap, std::vector<std::vector<double>> distance) {
  box_space::Room<D> room;
  room.side.fill(side);
  room.wrap = wrap;
  room.distance = std::move(distance);
  return room;
}

template <std::size_t D>
double distance(const box_space::Room<D>& room, const VecD<D>& a, const VecD<D>& b) {
  double square = 0;
  for (std::size_t i = 0; i < D; ++i) {
    double d = std::abs(a[i] - b[i]);
    if (room.wrap) d = std::min(d, room.side[i] - d);
    square += d * d;
  }
  return std::sqrt(square);
}

// The least distance of a pair over what its classes allow.
template <std::size_t D>
double closest(const box_space::Room<D>& room, const box_space::Sampled<D>& points) {
  double least = 1e30;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto a = static_cast<std::size_t>(points.class_id[i]);
      const auto b = static_cast<std::size_t>(points.class_id[j]);
      least = std::min(least, distance(room, points.at[i], points.at[j]) / room.distance[a][b]);
    }
  }
  return least;
}

// How many random places have room for a point of some class.
template <std::size_t D>
int open_places(const box_space::Room<D>& room, const box_space::Sampled<D>& points, int probes) {
  Random random(5, Stream::tests);
  int open = 0;
  for (int probe = 0; probe < probes; ++probe) {
    VecD<D> at;
    for (std::size_t i = 0; i < D; ++i) at[i] = random.uniform() * room.side[i];
    for (std::size_t c = 0; c < room.classes(); ++c) {
      bool free = true;
      for (std::size_t i = 0; i < points.size() && free; ++i) {
        const auto other = static_cast<std::size_t>(points.class_id[i]);
        free = distance(room, at, points.at[i]) > 1.00001 * room.distance[c][other];
      }
      open += free ? 1 : 0;
    }
  }
  return open;
}

template <std::size_t D>
void is_exact_and_maximal(const box_space::Room<D>& room, std::size_t least_points) {
  Context context;
  const auto points = box_space::throw_darts(room, context);
  EXPECT_GT(points.size(), least_points);
  EXPECT_GE(closest(room, points), 1);
  EXPECT_EQ(open_places(room, points, 20000), 0);
  const auto proof = box_space::prove(room, points, 1e-5, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_EQ(proof.holes, 0);
  EXPECT_DOUBLE_EQ(proof.closest, closest(room, points));
  for (const auto& at : points.at) {
    for (std::size_t i = 0; i < D; ++i) {
      EXPECT_GE(at[i], 0);
      EXPECT_LT(at[i], room.side[i]);
    }
  }
}

TEST(Space, BoxesAndToriAreFilledExactly) {
  for (const bool wrap : {true, false}) {
    SCOPED_TRACE(wrap);
    is_exact_and_maximal(room_of<2>(31, wrap, {{1}}), 640);
    is_exact_and_maximal(room_of<3>(11.3, wrap, {{1}}), 1000);
    is_exact_and_maximal(room_of<4>(4.7, wrap, {{1}}), 380);
  }
}

TEST(Space, ThinAndNarrowRoomsAreFilledExactly) {
  box_space::Room<3> thin = room_of<3>(12, true, {{1}});
  thin.side[2] = 0.3;
  is_exact_and_maximal(thin, 90);
  thin.wrap = false;
  is_exact_and_maximal(thin, 90);
  is_exact_and_maximal(room_of<3>(1.9, true, {{1}}), 3);
  // Lines: of many gaps that are closed some are by next to nothing.
  box_space::Room<3> line = room_of<3>(1e-5, false, {{1}});
  line.side[1] = 2000;
  is_exact_and_maximal(line, 1470);
  line.side = {0.02, 1e-5, 1500};
  line.wrap = true;
  is_exact_and_maximal(line, 1100);
  // Its own images hold off no point.
  Context context;
  EXPECT_EQ(box_space::throw_darts(room_of<3>(0.6, true, {{1}}), context).size(), 1u);
}

TEST(Space, EverySetOfInstructionsGivesTheSamePoints) {
  std::array<std::vector<VecD<3>>, 2> first;
  for_each_simd_target([&](const char* name) {
    Context context;
    const auto volume = box_space::throw_darts(room_of<3>(7, false, {{1}}), context).at;
    const auto plane = box_space::throw_darts(room_of<2>(30, true, {{3, 1.5}, {1.5, 1}}), context);
    std::vector<VecD<3>> classes;
    for (std::size_t i = 0; i < plane.size(); ++i) {
      classes.push_back({plane.at[i][0], plane.at[i][1], static_cast<double>(plane.class_id[i])});
    }
    if (first[0].empty()) first = {volume, classes};
    EXPECT_EQ(volume, first[0]) << name;
    EXPECT_EQ(classes, first[1]) << name;
  });
}

TEST(Space, ClassesKeepTheirDistances) {
  is_exact_and_maximal(room_of<2>(60, true, {{4, 1.8, .87}, {1.8, 2, .87}, {.87, .87, 1}}), 1000);
  is_exact_and_maximal(room_of<2>(40, false, {{5, 3}, {3, 1}}), 300);
  is_exact_and_maximal(room_of<3>(12, true, {{3, 1.7}, {1.7, 1.2}}), 300);
}

TEST(Space, HeadStartsKeepThemToo) {
  box_space::Room<2> room = room_of<2>(60, true, {{4, 1.8, .87}, {1.8, 2, .87}, {.87, .87, 1}});
  room.head_start = {9.5, 2, 0};
  is_exact_and_maximal(room, 1000);
  Context context;
  const auto early = box_space::throw_darts(room, context);
  room.head_start = {};
  const auto late = box_space::throw_darts(room, context);
  EXPECT_GT(std::count(early.class_id.begin(), early.class_id.end(), 0),
            1.15 * static_cast<double>(std::count(late.class_id.begin(), late.class_id.end(), 0)));
}

TEST(Space, KeptPointsHoldOthersOff) {
  Context context;
  box_space::Room<3> room = room_of<3>(20, true, {{2.5}});
  const auto kept = box_space::throw_darts(room, context);
  room.distance = {{1.5}};
  room.kept = &kept;
  const auto rest = box_space::throw_darts(room, context);
  box_space::Sampled<3> all = kept;
  all.at.insert(all.at.end(), rest.at.begin(), rest.at.end());
  all.class_id.resize(all.size());
  EXPECT_GT(rest.size(), kept.size());
  EXPECT_GE(closest(room, all), 1);
  EXPECT_EQ(open_places(room, all, 20000), 0);
}

TEST(Space, ProofsFindWhatIsWrong) {
  Context context;
  const auto room = room_of<3>(9, true, {{1}});
  auto points = box_space::throw_darts(room, context);
  points.at.erase(points.at.begin() + 100);
  points.class_id.pop_back();
  EXPECT_GT(box_space::prove(room, points, 1e-5, context).holes, 0);
  points.at.push_back(points.at[50]);
  points.at.back()[1] = std::fmod(points.at[50][1] + 0.9, 9);
  points.class_id.push_back(0);
  const auto proof = box_space::prove(room, points, 1e-5, context);
  EXPECT_GT(proof.violations, 0);
  EXPECT_LE(proof.closest, 0.9000001);
}

// Darts one after the other: at places of cubes that are not covered by one point, which are cut
// in halves along each axis whenever many darts have missed, until they are too small to matter.
template <std::size_t D>
std::vector<VecD<D>> thrown_one_by_one(const box_space::Room<D>& room, std::uint64_t seed) {
  Random random(seed, Stream::tests);
  std::vector<VecD<D>> points;
  const auto is_covered = [&](const VecD<D>& cube, double edge) {
    return std::any_of(points.begin(), points.end(), [&](const VecD<D>& p) {
      double square = 0;
      for (std::size_t a = 0; a < D; ++a) {
        double d = std::abs(p[a] - (cube[a] + edge / 2));
        d = std::min(d, room.side[a] - d) + edge / 2;
        square += d * d;
      }
      return square < 1;
    });
  };
  double edge = room.side[0];
  std::vector<VecD<D>> cubes{VecD<D>{}};
  while (edge > 1e-4 && !cubes.empty()) {
    edge /= 2;
    std::vector<VecD<D>> parts;
    for (const VecD<D>& cube : cubes) {
      for (std::size_t i = 0; i < std::size_t{1} << D; ++i) {
        VecD<D> part = cube;
        for (std::size_t a = 0; a < D; ++a) part[a] += (i >> a & 1) != 0 ? edge : 0;
        if (!is_covered(part, edge)) parts.push_back(part);
      }
    }
    cubes = parts;
    for (std::size_t misses = 0; misses < 4 * cubes.size(); ++misses) {
      VecD<D> at = cubes[random.below(static_cast<std::uint32_t>(cubes.size()))];
      for (double& v : at) v += edge * random.uniform();
      const bool free = std::all_of(points.begin(), points.end(), [&](const VecD<D>& other) {
        return distance(room, at, other) >= 1;
      });
      if (free) points.push_back(at);
    }
  }
  return points;
}

// Numbers of points, and of pairs that stand near.
template <std::size_t D>
void is_spread_as_one_by_one(double side, int runs) {
  const auto room = room_of<D>(side, true, {{1}});
  std::vector<double> more_points, more_pairs;
  const auto near_pairs = [&](const std::vector<VecD<D>>& points) {
    double pairs = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) pairs += distance(room, points[i], points[j]) < 1.1;
    }
    return pairs;
  };
  for (int seed = 1; seed <= runs; ++seed) {
    Context context;
    context.seed = static_cast<std::uint64_t>(seed);
    const auto own = box_space::throw_darts(room, context).at;
    const auto other = thrown_one_by_one(room, context.seed);
    more_points.push_back(static_cast<double>(own.size()) - static_cast<double>(other.size()));
    more_pairs.push_back(near_pairs(own) - near_pairs(other));
  }
  for (const auto& differences : {more_points, more_pairs}) {
    EXPECT_LT(mean_in_errors(differences), 3);
  }
}

// The parts of a box that some ball holds, with a margin that may be left out; the box is one that
// no unit of length divides.
template <std::size_t D>
void maps_clear_what_balls_cover() {
  Random random(9, Stream::tests);
  box_space::HalfBox<D> box;
  for (std::size_t a = 0; a < D; ++a) {
    const auto which = static_cast<float>(a);
    box.middle[a] = -0.7f + 0.4f * which;
    box.half[a] = 1.1f - 0.1f * which;
  }
  box_space::Places<D> places;
  places.make_room(4);
  std::vector<std::uint16_t> rows(box_space::map_rows<D>, 0xffff);
  std::array<int, box_space::map_slices<D>> up_to;
  for (int n = 0; n < 4; ++n) {
    box_space::VecF<D> at;
    for (float& v : at) v = static_cast<float>(4 * random.uniform() - 2);
    places.add(at, 0.6f + 0.2f * static_cast<float>(n), 0);
  }
  box_space::cover_map(rows.data(), box, places);
  int live = 0;
  for (std::size_t part = 0; part < 16 * rows.size(); ++part) {
    double most = -1e9;  // how deep in a ball the farthest corner lies
    for (std::size_t p = 0; p < places.count; ++p) {
      double square = 0;
      std::size_t rest = part;
      for (std::size_t a = 0; a < D; ++a, rest /= 16) {
        const double half = static_cast<double>(box.half[a]) / 16;
        const double middle =
            static_cast<double>(box.middle[a]) + half * (2 * static_cast<double>(rest % 16) - 15);
        const double far = std::abs(static_cast<double>(places.at(a)[p]) - middle) + half;
        square += far * far;
      }
      most = std::max(most, static_cast<double>(places.limit()[p]) - std::sqrt(square));
    }
    const bool is_live = (rows[part / 16] >> part % 16 & 1) != 0;
    live += is_live ? 1 : 0;
    ASSERT_LT(is_live ? most : -1, 1e-3) << part;
    ASSERT_GT(is_live ? 0 : most, -1e-6) << part;
  }
  EXPECT_GT(live, 0);
  EXPECT_LT(live, 15 * static_cast<int>(rows.size()));
  ASSERT_EQ(box_space::count_live<D>(rows.data(), up_to), live);
  int before = 0;
  for (std::size_t part = 0; part < 16 * rows.size(); ++part) {
    if ((rows[part / 16] >> part % 16 & 1) == 0) continue;
    const std::array<int, D> at = box_space::nth_live<D>(rows.data(), up_to, before++);
    std::size_t found = 0;
    for (std::size_t a = D; a-- > 0;) found = 16 * found + static_cast<std::size_t>(at[a]);
    ASSERT_EQ(found, part);
    ASSERT_LE(before, up_to[part / 256]);
  }
}

TEST(Space, MapsClearWhatBallsCover) {
  maps_clear_what_balls_cover<2>();
  maps_clear_what_balls_cover<3>();
  // Of places with radii, as far as the rule makes of each.
  box_space::HalfBox<3> box{{0, 0, 0}, {1, 1, 1}};
  for (const ConflictRule rule : {ConflictRule::mean, ConflictRule::max}) {
    box_space::Places<3> radii, limits;
    radii.make_room(2);
    limits.make_room(2);
    for (const float r : {0.75f, 1.5f}) {
      const box_space::VecF<3> at{r - 1, 0.5f, -r};
      radii.add(at, r, 0);
      limits.add(at, rule == ConflictRule::max ? std::max(r, 1.0f) : (r + 1) / 2, 0);
    }
    std::vector<std::uint16_t> rows(box_space::map_rows<3>, 0xffff), other = rows;
    box_space::cover_map(rows.data(), box, radii, {rule, 1});
    box_space::cover_map(other.data(), box, limits);
    EXPECT_EQ(rows, other);
    EXPECT_NE(rows, std::vector<std::uint16_t>(box_space::map_rows<3>, 0xffff));
  }
}

template <std::size_t D>
void halves_keep_live_parts() {
  Random random(2, Stream::tests);
  constexpr auto n = static_cast<std::size_t>(box_space::parts_a_side<D>);
  const auto bit_of = [](const std::array<std::size_t, D>& at) {
    std::size_t bit = 0;
    for (std::size_t a = D; a-- > 0;) bit = n * bit + at[a];
    return bit;
  };
  for (int run = 0; run < 50; ++run) {
    const std::uint64_t live = random.bits() & box_space::all_parts<D>;
    const std::size_t halved =
        run < 25 ? box_space::all_axes<D> : 1 + random.below(box_space::all_axes<D>);
    int count = 0;
    for (std::size_t half = 0; half < std::size_t{1} << D; ++half) {
      if ((half & ~halved) != 0) continue;
      const std::uint64_t of =
          box_space::live_of_half<D>(live, static_cast<int>(half), static_cast<int>(halved));
      for (int bit = 0; bit < box_space::part_count<D>; ++bit) {
        std::array<std::size_t, D> at;
        std::size_t rest = static_cast<std::size_t>(bit);
        for (std::size_t a = 0; a < D; ++a, rest /= n) {
          at[a] = (halved >> a & 1) != 0 ? (n * (half >> a & 1) + rest % n) / 2 : rest % n;
        }
        ASSERT_EQ(of >> bit & 1, live >> bit_of(at) & 1) << half << ' ' << bit;
        if ((of >> bit & 1) == 0) continue;
        const std::uint64_t below = of & ((std::uint64_t{1} << bit) - 1);
        ASSERT_EQ(nth_bit(of, bit_count(below)), bit);
        ++count;
      }
    }
    EXPECT_EQ(count, bit_count(live) << std::popcount(halved));
  }
}

TEST(Space, HalvesOfBlocksKeepWhatIsLive) {
  halves_keep_live_parts<2>();
  halves_keep_live_parts<3>();
  halves_keep_live_parts<4>();
}

TEST(Space, IsSpreadAsDartsOneAfterTheOther) {
  is_spread_as_one_by_one<2>(5, 200);
  is_spread_as_one_by_one<3>(3.6, 200);
  is_spread_as_one_by_one<4>(2.4, 60);
}

TEST(Volume, IsProvedAndMeasured) {
  Context context;
  const Points points = sample_volume({64, 64, true}, 64, 0, 5, context);
  verify_volume(points, 5, context);
  const QualityReport report = analyze_points(points, context);
  EXPECT_NEAR(report.find("kappa")->value, 0.733, 0.015);
  EXPECT_EQ(report.find("violations")->value, 0);
  EXPECT_EQ(report.find("holes")->value, 0);
  EXPECT_LT(report.find("LF")->value, 0.12);
  Points white = points;
  Random random(3, Stream::tests);
  for (std::size_t i = 0; i < white.size(); ++i) {
    white.x[i] = 64 * random.uniform();
    white.y[i] = 64 * random.uniform();
    white.z[i] = 64 * random.uniform();
  }
  EXPECT_GT(analyze_points(white, context).find("LF")->value, 0.7);
  EXPECT_THROW(verify_volume(white, 5, context), Error);
}

// In four dimensions, by all pairs and by probes.
TEST(Four, IsExactMaximalAndTheSameForAnyThreads) {
  for (const bool wrap : {true, false}) {
    Context context;
    context.threads = 1;
    const std::array<double, 4> sides{19, 17, 16, 13};
    const Points points = sample_4d(sides, wrap, 0, 4, context);
    EXPECT_GT(points.size(), 200u);
    EXPECT_EQ(points.extent, 13);
    box_space::Room<4> room = room_of<4>(1, wrap, {{4}});
    room.side = sides;
    box_space::Sampled<4> found;
    for (std::size_t i = 0; i < points.size(); ++i) {
      found.at.push_back({points.x[i], points.y[i], points.z[i], points.w[i]});
    }
    found.class_id.resize(found.size());
    EXPECT_GE(closest(room, found), 1);
    EXPECT_EQ(open_places(room, found, 5000), 0);
    verify_volume(points, 4, context);
    context.threads = 3;
    const Points again = sample_4d(sides, wrap, 0, 4, context);
    EXPECT_EQ(points.x, again.x);
    EXPECT_EQ(points.w, again.w);
    Points fewer = points;
    for (auto* column : {&fewer.x, &fewer.y, &fewer.z, &fewer.w}) column->pop_back();
    fewer.radius.pop_back();
    EXPECT_GT(certify_volume(fewer, 4, context).holes, 0);
  }
}

TEST(Classes, HaveTheirSharesAndAreBlueNoise) {
  Context context;
  const Domain domain{700, 700, true};
  ClassOptions options;
  options.radii = {16, 8, 4};
  options.certify = true;
  const Points points = sample_classes(domain, 0, options, 0, context);
  const double wanted[] = {1. / 21, 4. / 21, 16. / 21};
  for (std::int32_t c = 0; c < 3; ++c) {
    Points one;
    one.domain = domain;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points.class_id[i] == c) one.add(points[i], points.radius[i]);
    }
    const double share = static_cast<double>(one.size()) / static_cast<double>(points.size());
    EXPECT_NEAR(share / wanted[c], 1, 0.02) << c;
    EXPECT_FLOAT_EQ(one.radius[0], static_cast<float>(options.radii[static_cast<std::size_t>(c)]));
    EXPECT_LT(analyze_points(one, context).find("LF")->value, 0.25) << c;
  }
  Points all;
  all.domain = domain;
  for (std::size_t i = 0; i < points.size(); ++i) all.add(points[i], 1);
  EXPECT_LT(analyze_points(all, context).find("LF")->value, 0.12);
}

// Also where borders, which trials on a torus do not have, leave coarse points more.
TEST(Classes, EverySetHasTheSharesOfItsRadii) {
  struct {
    Domain domain;
    double depth;
    std::vector<double> radii;
    std::int64_t count;
  } const cases[] = {
      {{800, 800, false}, 0, {13.5, 6, 3}, 0},      // 54,000 points
      {{800, 800, false}, 0, {13.5, 6, 3}, 3000},   // distances are scaled to the number
      {{800, 800, false}, 0, {13.5, 6, 3}, 45000},  // by trials on a torus
      {{66, 66, false}, 66, {4, 2}, 0},
  };
  for (const auto& [domain, depth, radii, count] : cases) {
    ClassOptions options;
    options.radii = radii;
    double sum = 0;
    std::vector<double> wanted;
    for (const double r : radii) wanted.push_back(depth > 0 ? 1 / (r * r * r) : 1 / (r * r));
    for (const double w : wanted) sum += w;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      Context context;
      context.threads = 1;
      context.seed = seed;
      const Points points = sample_classes(domain, depth, options, count, context);
      for (std::size_t c = 0; c < radii.size(); ++c) {
        const auto found = static_cast<double>(std::count(
            points.class_id.begin(), points.class_id.end(), static_cast<std::int32_t>(c)));
        EXPECT_NEAR(found / static_cast<double>(points.size()) / wanted[c] * sum, 1, 0.02)
            << c << " of " << points.size() << ", seed " << seed;
      }
      EXPECT_TRUE(context.warnings().empty());
    }
  }
}

TEST(Classes, TakeSharesAndCountsThatAreAskedFor) {
  Context context;
  ClassOptions options;
  options.radii = {6, 4};
  options.shares = {0.4, 0.6};
  options.distance = ClassDistance::mean;
  const Points points = sample_classes({400, 300, true}, 0, options, 3000, context);
  ASSERT_EQ(points.size(), 3000u);
  const auto first = std::count(points.class_id.begin(), points.class_id.end(), 0);
  EXPECT_NEAR(static_cast<double>(first), 1200, 24);
  // Scaled alike, and discs of diameter r do not overlap.
  const auto ratio = *std::max_element(points.radius.begin(), points.radius.end()) /
                     *std::min_element(points.radius.begin(), points.radius.end());
  EXPECT_NEAR(ratio, 1.5f, 1e-5f);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double apart = 0.5 * static_cast<double>(points.radius[i] + points.radius[j]);
      ASSERT_GE(points.domain.distance(points[i], points[j]), apart * 0.9999999);
    }
  }
}

TEST(Classes, SayWhenSharesCannotBe) {
  Context context;
  ClassOptions options;
  options.radii = {20, 2};
  options.shares = {0.5, 0.5};
  options.distance = ClassDistance::min;
  sample_classes({200, 200, true}, 0, options, 0, context);
  ASSERT_FALSE(context.warnings().empty());
  EXPECT_NE(context.warnings().front().find("class 0"), std::string::npos);
}

TEST(Classes, RefuseWhatIsNone) {
  Context context;
  ClassOptions options;
  EXPECT_THROW(sample_classes({9, 9, true}, 0, options, 0, context), Error);
  options.radii = {1, 0};
  EXPECT_THROW(sample_classes({9, 9, true}, 0, options, 0, context), Error);
  options.radii = {1, 2};
  options.shares = {1};
  EXPECT_THROW(sample_classes({9, 9, true}, 0, options, 0, context), Error);
  options.shares = {1, -1};
  EXPECT_THROW(sample_classes({9, 9, true}, 0, options, 0, context), Error);
  options.shares = {};
  EXPECT_THROW(sample_classes({9, 9, true}, -1, options, 0, context), Error);
  EXPECT_THROW(sample_classes({0, 9, true}, 0, options, 0, context), Error);
  options.radii = {1e-7, 1};
  EXPECT_THROW(sample_classes({1e6, 1e6, true}, 0, options, 0, context), Error);
}

}  // namespace
}  // namespace dapple
