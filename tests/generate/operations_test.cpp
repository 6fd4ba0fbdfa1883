// Promises that every operation keeps, checked over the registry: a new operation is tested by
// being there. Also run under ThreadSanitizer.
#include <cmath>
#include <gtest/gtest.h>

#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/operation.hpp"
#include "dapple/extend/options.hpp"

namespace dapple {
namespace {

// A small picture with a gradient, a disc and a hard edge.
Image test_picture() {
  Image image;
  image.names = {"R", "G", "B"};
  image.channels.assign(3, Plane<float>(96, 72));
  for (int y = 0; y < 72; ++y) {
    for (int x = 0; x < 96; ++x) {
      const double disc = std::hypot(x - 60.0, y - 30.0) < 18 ? 0.6 : 0.0;
      const double edge = x < 20 ? 0.35 : 0.0;
      const double value = std::clamp(0.9 - y / 100.0 - disc + edge, 0.05, 1.0);
      image.channels[0](x, y) = static_cast<float>(value);
      image.channels[1](x, y) = static_cast<float>(value * 0.9);
      image.channels[2](x, y) = static_cast<float>(value * 0.7);
    }
  }
  return image;
}

// Everything a result holds, as numbers in a fixed order.
std::vector<double> contents(const Result& result) {
  std::vector<double> values;
  if (result.points) {
    values.insert(values.end(), result.points->x.begin(), result.points->x.end());
    values.insert(values.end(), result.points->y.begin(), result.points->y.end());
    const Points& points = *result.points;
    for (const auto& column : {points.radius, points.object_size, points.rotation}) {
      values.insert(values.end(), column.begin(), column.end());
    }
    for (const auto& column : {points.class_id, points.rank, points.id}) {
      values.insert(values.end(), column.begin(), column.end());
    }
    values.insert(values.end(), points.z.begin(), points.z.end());
  }
  if (const ImageMade* made = result.image()) {
    for (const auto& plane : made->image.channels) {
      values.insert(values.end(), plane.values().begin(), plane.values().end());
    }
  }
  if (const DrawingMade* made = result.drawing()) {
    for (const Layer& layer : made->drawing.layers) {
      for (const Disc& disc : layer.discs) {
        values.insert(values.end(), {disc.center.x, disc.center.y, disc.radius});
      }
      const auto add = [&](const std::vector<Vec2>& line) {
        for (const Vec2 p : line) values.insert(values.end(), {p.x, p.y});
      };
      for (const Polyline& line : layer.lines) add(line.points);
      for (const auto& fill : layer.fills) add(fill);
    }
  }
  return values;
}

Result run(const Operation& operation, Context& context) {
  const Image picture = test_picture();
  const auto job = operation.make();
  OptionList options;
  job->describe(options);
  // Thumbnails: every test of the suite runs each operation many times.
  const auto shrink = [&](const char* name, const char* value) {
    if (Option* option = options.find(name)) option->set(value);
  };
  if (operation.input != InputKind::image) shrink("size", "64x48");
  shrink("dots", "400");
  if (operation.input == InputKind::none) shrink("count", "300");
  return job->run(operation.input == InputKind::none ? nullptr : &picture, context);
}

Result run(const Operation& operation, int threads, std::uint64_t seed) {
  Context context;
  context.seed = seed;
  context.threads = threads;
  return run(operation, context);
}

class EveryOperation : public ::testing::TestWithParam<std::string> {
 protected:
  const Operation& operation() const { return *find_operation(GetParam()); }
};

TEST_P(EveryOperation, HasARowThatIsFilledIn) {
  const Operation& row = operation();
  EXPECT_FALSE(row.summary.empty());
  EXPECT_FALSE(row.details.empty());
  EXPECT_FALSE(row.stage.empty());
  EXPECT_FALSE(row.default_extension.empty());
  EXPECT_FALSE(row.examples.empty());
  EXPECT_TRUE(row.makes_points || row.makes_drawing || row.makes_image);
  ASSERT_NE(row.make, nullptr);
  const auto job = row.make();
  OptionList options;
  job->describe(options);
  EXPECT_GT(options.size(), 0u);
  for (const auto& option : options) {
    EXPECT_FALSE(option->doc.empty()) << option->name;
    EXPECT_NE(option->doc.back(), '.') << option->name;
    EXPECT_FALSE(option->group.empty()) << option->name;
  }
}

TEST_P(EveryOperation, MakesWhatItsRowSays) {
  const Result result = run(operation(), 0, 1);
  EXPECT_EQ(result.points.has_value(), operation().makes_points);
  EXPECT_EQ(result.drawing() != nullptr, operation().makes_drawing);
  EXPECT_EQ(result.image() != nullptr, operation().makes_image);
  const std::vector<double> values = contents(result);
  ASSERT_FALSE(values.empty());
  for (const double value : values) ASSERT_TRUE(std::isfinite(value));
}

TEST_P(EveryOperation, IsMeasuredAsItsRowSays) {
  const Result result = run(operation(), 0, 1);
  Context context;
  const auto report = measure(result, operation().measured, context);
  ASSERT_EQ(report.has_value(), operation().measured != Measured::nothing);
  if (report) {
    EXPECT_FALSE(report->measurements.empty());
  }
  if (operation().certifiable) {
    EXPECT_EQ(operation().measured, Measured::mask);
  }
}

TEST_P(EveryOperation, KeepsHowFarItIsWhereItsRowSays) {
  Context context;
  context.checkpoint = std::make_shared<Checkpoint>();
  context.checkpoint->every = 0;
  bool kept = false;
  context.checkpoint->keep = [&](const std::string&) { kept = true; };
  run(operation(), context);
  EXPECT_EQ(kept, operation().resumable);
}

TEST_P(EveryOperation, IsTheSameAtAnyThreadCount) {
  const std::vector<double> one = contents(run(operation(), 1, 5));
  EXPECT_EQ(contents(run(operation(), 2, 5)), one);
  EXPECT_EQ(contents(run(operation(), 7, 5)), one);
}

TEST_P(EveryOperation, RepeatsItselfAndFollowsItsSeed) {
  const std::vector<double> first = contents(run(operation(), 0, 5));
  EXPECT_EQ(contents(run(operation(), 0, 5)), first);
  EXPECT_NE(contents(run(operation(), 0, 6)), first);
}

TEST_P(EveryOperation, StopsWhenCancelled) {
  const Image picture = test_picture();
  const auto job = operation().make();
  OptionList options;
  job->describe(options);
  Context context;
  context.cancel();
  try {
    job->run(operation().input == InputKind::none ? nullptr : &picture, context);
    FAIL() << "ran to its end";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled) << error.what();
  }
}

TEST(Operations, HaveNamesOfTheirOwn) {
  EXPECT_THROW(register_operation(operations().front()), Error);
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Operation& row : operations()) all.emplace_back(row.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryOperation, ::testing::ValuesIn(names()),
                         [](const auto& row) { return row.param; });

}  // namespace
}  // namespace dapple
