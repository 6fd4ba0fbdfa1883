// What on_progress hears of makers and samplers that are called on their own: one stage, in which
// the number moves, never goes back and ends at 1; and a cancel that comes from there.
#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "fields.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

struct Told {
  std::vector<std::string> stages;  // each once, in order
  std::vector<double> steps;        // different numbers, in order
};

// Runs `work` and notes what it tells; cancels once that is `last` or more.
Told told_by(const std::function<void(Context&)>& work, int threads = 2, double last = 2) {
  Context context;
  context.threads = threads;
  Told told;
  context.on_progress = [&](std::string_view stage, double fraction) {
    if (told.stages.empty() || told.stages.back() != stage) told.stages.emplace_back(stage);
    if (told.steps.empty() || told.steps.back() != fraction) told.steps.push_back(fraction);
    if (fraction >= last) context.cancel();
  };
  work(context);
  EXPECT_EQ(context.seconds().size(), 1U);
  return told;
}

void expect_whole(const Told& told, const std::string& stage, std::size_t least,
                  const std::string& what) {
  EXPECT_EQ(told.stages, std::vector<std::string>{stage}) << what;
  EXPECT_TRUE(std::is_sorted(told.steps.begin(), told.steps.end())) << what;
  EXPECT_GE(told.steps.size(), least) << what;
  ASSERT_FALSE(told.steps.empty()) << what;
  EXPECT_EQ(told.steps.front(), 0) << what;
  EXPECT_EQ(told.steps.back(), 1) << what;
}

void expect_cancelled(const std::function<void(Context&)>& work, const std::string& what) {
  try {
    told_by(work, 2, 0.05);
    FAIL() << what << " is not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled) << what;
  }
}

double ramp(Vec2 p) {
  return 2 + p.x / 100;
}

Plane<float> ramp_map() {
  Plane<float> map(300, 200);
  for (int y = 0; y < map.height(); ++y) {
    for (int x = 0; x < map.width(); ++x) map(x, y) = static_cast<float>(ramp({1.0 * x, 1.0 * y}));
  }
  return map;
}

TEST(Progress, OfFieldsMovesAndEndsAtOne) {
  const Domain torus{300, 200, true};
  const DensityField field = DensityField::from_radius(ramp_map(), torus, 1.0);
  Image map;
  map.names = {"Y"};
  map.channels = {ramp_map()};
  for (float& value : map.channels[0].values()) value /= 8;
  const std::pair<const char*, std::function<void(Context&)>> makers[] = {
      {"from_density",
       [&](Context& c) { DensityField::from_density(ramp_map(), torus, 9, 0.1, 0, 0, c); }},
      {"from_radius", [&](Context& c) { DensityField::from_radius(ramp_map(), torus, 0.1, c); }},
      {"from_function",
       [&](Context& c) { DensityField::from_function(ramp, torus, 300, 200, 0.1, c); }},
      {"scaled", [&](Context& c) { field.scaled(1.5, c); }},
      {"with_inset", [&](Context& c) { field.with_inset(5, Containment::points, c); }},
      {"make_field",
       [&](Context& c) {
         make_field(map, {.slope = 0.1}, true, {200, 0}, 1000, c);
       }},
      {"make_field of a count",
       [&](Context& c) {
         make_field(map, {.count = 900}, false, {200, 0}, 1000, c);
       }},
      {"make_field of radii",
       [&](Context& c) {
         const FieldOptions radii{.map = {.as = MapKind::radius},
                                  .radius = {{2, Unit::px}, {9, Unit::px}}};
         make_field(map, radii, false, {200, 0}, 1000, c);
       }},
  };
  for (const auto& [name, make] : makers) {
    expect_whole(told_by(make), "field", 5, name);
    expect_cancelled(make, name);
  }
  expect_whole(told_by([](Context& c) {
                 DensityField::constant({9, 9, true}, 1, c);
               }),
               "field", 2, "constant");
  Context cancelled;
  cancelled.cancel();
  EXPECT_THROW(DensityField::constant({9, 9, true}, 1, cancelled), Error);
}

TEST(Progress, OfSamplersMovesAndEndsAtOne) {
  const DensityField even = DensityField::constant({200, 300, true}, 4);
  const DensityField varied = DensityField::from_radius(ramp_map(), {150, 100, false}, 1.0);
  const auto expect_of = [&](SampleMethod method, const DensityField& field, std::int64_t count) {
    const std::string what = std::string(option_names(method)[static_cast<std::size_t>(method)]) +
                             " " + std::to_string(count);
    const auto work = [&](Context& c) { sample(field, {.method = method}, count, c); };
    expect_whole(told_by(work), "sample", 3, what);
  };
  for (const SampleMethod method :
       {SampleMethod::darts, SampleMethod::bridson, SampleMethod::elimination,
        SampleMethod::jittered, SampleMethod::halton, SampleMethod::dart_throwing,
        SampleMethod::dense, SampleMethod::polished}) {
    expect_of(method, varied, 0);
  }
  expect_of(SampleMethod::dense, even, 0);
  for (const DensityField& field : {even, varied}) expect_of(SampleMethod::darts, field, 1500);
  const std::pair<const char*, SampleOptions> others[] = {
      {"progressive", {.progressive = true}},
      {"certified", {.certify = true}},
      {"in order", {.method = SampleMethod::dense, .certify = true, .progressive = true}}};
  for (const auto& [name, options] : others) {
    const SampleOptions& how = options;
    const auto work = [&](Context& c) { sample(varied.domain(), varied, how, c); };
    expect_whole(told_by(work), "sample", 4, name);
    expect_cancelled(work, name);
  }
}

// More rows of cells than are made between two reports, by one thread and by several.
TEST(Progress, OfWindowsAndTilesMovesAndEndsAtOne) {
  for (const int threads : {1, 2}) {
    const auto window = [](Context& c) { sample_window(1, {-20, -900, 20, 900}, c); };
    expect_whole(told_by(window, threads), "sample", 3, std::to_string(threads));
    const auto plain = [](Context& c) {
      sample(DensityField::constant({20, 900, false}, 1), {}, 0, c);
    };
    expect_whole(told_by(plain, threads), "sample", 5, std::to_string(threads));
  }
  expect_whole(told_by([](Context& c) { wang_tiles(40, 3, 2, c); }), "sample", 10, "tiles");
}

// Parts of a stage are told as parts; a stage of the same name in it is no other.
TEST(Progress, PartsAreOfWhatTheyArePartOf) {
  const Told told = told_by([](Context& context) {
    const auto stage = context.stage("whole");
    {
      const auto part = context.part(0.2, 0.6);
      const auto same = context.stage("whole");
      const auto none = context.outermost("another");
      context.progress(0.5);
      context.progress(0.25);
      {
        const auto of_part = context.part(0.5, 1);
        context.progress(1);
      }
    }
    context.progress(0.5);
    context.progress(1);
  });
  EXPECT_EQ(told.stages, std::vector<std::string>{"whole"});
  EXPECT_EQ(told.steps, (std::vector<double>{0, 0.4, 0.6, 1}));
}

}  // namespace
}  // namespace dapple
