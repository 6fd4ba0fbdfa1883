// The page #learn behind the page: what it is told of darts, growth and the plane without end is
// what the samplers do.
#include "studio/learn/lesson.hpp"

#include <cstring>
#include <set>
#include <thread>

#include "dapple/context.hpp"
#include "dapple/field.hpp"
#include "dapple/sample.hpp"
#include "old_names.hpp"
#include "studio/session_test.hpp"

namespace dapple::studio {
namespace {

double closest(const Points& points) {
  double least = 1e9;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) least = std::min(least, length(points[i] - points[j]));
  }
  return least;
}

// How far the place that is farthest from all points is from them, on a raster.
double widest_gap(const Points& points, const std::vector<Vec2>& more) {
  double widest = 0;
  for (double y = 0; y < lesson_side; y += 5) {
    for (double x = 0; x < lesson_side; x += 5) {
      double least = 1e9;
      for (std::size_t i = 0; i < points.size(); ++i) {
        least = std::min(least, length(points[i] - Vec2{x, y}));
      }
      for (const Vec2 p : more) least = std::min(least, length(p - Vec2{x, y}));
      widest = std::max(widest, least);
    }
  }
  return widest;
}

LessonRequest request_of_lesson(Method method) {
  LessonRequest request;
  request.method = method;
  request.radius = 60;
  return request;
}

TEST(Lesson, DartsFallOneByOne) {
  LessonRequest request = request_of_lesson(Method::darts);
  request.first = Vec2{250.5, 700};
  Context context;
  const Lesson lesson = make_lesson(request, context);
  EXPECT_EQ(lesson.trials.front().at, *request.first);
  Points stay;
  int refused = 0;
  for (const Trial& trial : lesson.trials) {
    ASSERT_LT(refused, request.tries) << "it ends when so many in a row were refused";
    double least = 1e9;
    int nearest = -1;
    for (std::size_t i = 0; i < stay.size(); ++i) {
      const double distance = length(stay[i] - trial.at);
      if (distance < least) nearest = static_cast<int>(i);
      least = std::min(least, distance);
    }
    ASSERT_EQ(trial.stays, least >= request.radius);
    ASSERT_EQ(trial.of, trial.stays ? -1 : nearest);
    refused = trial.stays ? 0 : refused + 1;
    if (trial.stays) stay.add(trial.at, 60);
  }
  EXPECT_EQ(refused, request.tries);
  EXPECT_EQ(stay.x, lesson.points.x);
  EXPECT_GT(stay.size(), 100u);
}

TEST(Lesson, GrowthIsThatOfTheSampler) {
  LessonRequest request = request_of_lesson(Method::bridson);
  request.first = Vec2{500, 400.25};
  request.seed = 5;
  Context context;
  const Lesson lesson = make_lesson(request, context);
  SampleOptions options;
  options.method = SampleMethod::bridson;
  options.start = "500,400.25";
  Context own;
  own.seed = 5;
  const Points points = sample(
      DensityField::constant({lesson_side, lesson_side, false}, request.radius), options, 0, own);
  EXPECT_EQ(points.x, lesson.points.x);
  EXPECT_EQ(points.y, lesson.points.y);
  // Each was thrown between r and 2 r of one that was there, and none that failed `tries` times in
  // a row is tried again.
  std::vector<Vec2> stay;
  std::vector<int> refused;
  for (const Trial& trial : lesson.trials) {
    if (trial.of >= 0) {
      const auto of = static_cast<std::size_t>(trial.of);
      ASSERT_LT(of, stay.size());
      const double reach = length(trial.at - stay[of]) / request.radius;
      ASSERT_GT(reach, 1 - 1e-5);
      ASSERT_LT(reach, 2 + 1e-5);
      ASSERT_LT(refused[of], request.tries);
      refused[of] = trial.stays ? 0 : refused[of] + 1;
    }
    if (!trial.stays) continue;
    stay.push_back(trial.at);
    refused.push_back(0);
  }
  for (const int times : refused) EXPECT_EQ(times, request.tries);
}

TEST(Lesson, WhatIsLeftBareIsFilled) {
  for (const Method method : {Method::darts, Method::bridson}) {
    LessonRequest request = request_of_lesson(method);
    request.tries = 5;
    Context context;
    const Lesson lesson = make_lesson(request, context);
    EXPECT_GT(lesson.gaps.size(), 5u);
    EXPECT_GT(widest_gap(lesson.points, {}), request.radius);
    EXPECT_LT(widest_gap(lesson.points, lesson.gaps), request.radius * 1.001);
    Points all = lesson.points;
    for (const Vec2 p : lesson.gaps) all.add(p, 60);
    EXPECT_GE(closest(all), 60);
  }
}

TEST(Lesson, AWindowOfThePlaneIsTheSameInALargerOne) {
  const auto window = [](Box box) {
    LessonRequest request = request_of_lesson(Method::plane);
    request.window = box;
    Context context;
    return make_lesson(request, context).points;
  };
  const Points small = window({-100000, 40000, -99000, 41000});
  const Points large = window({-101000, 39000, -98500, 42000});
  std::set<std::pair<double, double>> in_large;
  for (std::size_t i = 0; i < large.size(); ++i) {
    const Vec2 p = large[i] + large.origin;
    in_large.insert({p.x, p.y});
  }
  EXPECT_GT(small.size(), 150u);
  for (std::size_t i = 0; i < small.size(); ++i) {
    const Vec2 p = small[i] + small.origin;
    EXPECT_TRUE(in_large.contains({p.x, p.y}));
  }
  LessonRequest vast = request_of_lesson(Method::plane);
  vast.window = {0, 0, 200000, 200000};
  Context context;
  EXPECT_THROW(make_lesson(vast, context), Error);
}

TEST(Lesson, TheSpectrumIsLowInItsMiddle) {
  LessonRequest request = request_of_lesson(Method::darts);
  request.radius = 25;
  request.tries = 200;
  Context context;
  const Lesson lesson = make_lesson(request, context);
  EXPECT_EQ(spectrum_of(lesson, 10, context).side, 0);
  const LessonSpectrum spectrum = spectrum_of(lesson, lesson.points.size(), context);
  EXPECT_EQ(spectrum.points, lesson.points.size());
  ASSERT_EQ(spectrum.power.size(), static_cast<std::size_t>(spectrum.side * spectrum.side));
  double low = 0;
  double all = 0;
  for (const Vec2 ring : spectrum.rings) {
    if (ring.x < 0.5) low = std::max(low, ring.y);
    all = std::max(all, ring.y);
  }
  EXPECT_LT(low, 0.4);
  EXPECT_GT(all, 1.2);
}

double number_in(const std::string& bytes, std::size_t at) {
  float value = 0;
  std::memcpy(&value, bytes.data() + 4 * at, 4);
  return static_cast<double>(value);
}

class LessonSession : public SessionTest {
 protected:
  void ask(int number, const std::string& method, const json& more) {
    json message{
        {"type", "lesson"}, {"number", number}, {"method", method}, {"seed", 1}, {"radius", 60}};
    message.update(more);
    say(message);
  }
  Heard hear(const std::string& kind) {
    std::unique_lock lock(mutex);
    Heard found;
    EXPECT_TRUE(heard.wait_for(lock, std::chrono::seconds(60), [&] {
      for (; next_frame < frames.size(); ++next_frame) {
        found = parted(frames[next_frame]);
        if (found.head.value("kind", "") != kind) continue;
        ++next_frame;
        return true;
      }
      return false;
    })) << kind;
    return found;
  }
};

TEST_F(LessonSession, TellsEveryTrial) {
  begin({});
  ask(7, "bridson", {{"tries", 20}, {"first", {300, 200}}});
  const Heard told = hear("lesson");
  EXPECT_EQ(told.head["number"], 7);
  LessonRequest request = request_of_lesson(Method::bridson);
  request.tries = 20;
  request.first = Vec2{300, 200};
  Context context;
  const Lesson lesson = make_lesson(request, context);
  ASSERT_EQ(told.head["trials"], lesson.trials.size());
  ASSERT_EQ(told.head["points"], lesson.points.size());
  ASSERT_EQ(told.head["gaps"], lesson.gaps.size());
  ASSERT_EQ(told.pixels.size(), 12 * lesson.trials.size() + 8 * lesson.gaps.size());
  for (std::size_t i = 0; i < lesson.trials.size(); ++i) {
    const Trial& trial = lesson.trials[i];
    ASSERT_NEAR(number_in(told.pixels, 3 * i), trial.at.x, 1e-4);
    ASSERT_NEAR(number_in(told.pixels, 3 * i + 1), trial.at.y, 1e-4);
    std::uint32_t packed = 0;
    std::memcpy(&packed, told.pixels.data() + 12 * i + 8, 4);
    ASSERT_EQ(packed, 2 * static_cast<std::uint32_t>(trial.of + 1) + (trial.stays ? 1u : 0u));
  }
  say({{"type", "spectrum"}, {"points", 100}});
  const Heard spectrum = hear("spectrum");
  EXPECT_EQ(spectrum.head["points"], 100);
  EXPECT_EQ(spectrum.pixels.size(),
            spectrum.head["width"].get<std::size_t>() * spectrum.head["height"].get<std::size_t>());

  ask(8, "plane", {{"window", {{-300, -200}, {900, 700}}}});
  const Heard plane = hear("lesson");
  EXPECT_EQ(plane.pixels.size(), 8 * plane.head["points"].get<std::size_t>());
  EXPECT_GT(plane.head["points"], 150);
}

// What a page gets wrong, by a slip or on purpose, is refused or taken to bounds, and what was
// asked for before goes on.
TEST_F(LessonSession, RefusesWhatIsNoLesson) {
  begin({});
  const json window{{0, 0}, {100, 100}};
  for (const json& more :
       {json{{"method", "hexagons"}, {"tries", 3}}, json{{"tries", "many"}},
        json{{"tries", 3}, {"first", {1, "x"}}}, json{{"method", "plane"}},
        json{{"method", "plane"}, {"window", {1, 2}}}, json{{"method", 5}, {"tries", 3}},
        json{{"method", "plane"}, {"window", {{0, 0}, {0, 0}}}},
        json{{"method", "plane"}, {"window", {{-1e300, -1e300}, {1e300, 1e300}}}}}) {
    ask(1, "bridson", more);
    EXPECT_EQ(wait_for("problems")["problems"].size(), 1u) << more;
  }
  ask(2, "darts", {{"tries", 1e30}, {"radius", 299}, {"first", {-5, 1e9}}});
  const Heard told = hear("lesson");
  EXPECT_EQ(told.head["tries"], 1000);
  EXPECT_NEAR(number_in(told.pixels, 0), 0, 1e-9);
  EXPECT_NEAR(number_in(told.pixels, 1), lesson_side, 1e-3);
  ask(3, "darts", {{"tries", 1}, {"radius", 1e-9}});
  EXPECT_EQ(hear("lesson").head["radius"], 12);
}

// A lesson comes before a picture that is in work, which is made all the same.
TEST_F(LessonSession, ALessonLosesNoPicture) {
  begin(stippling());
  view(0.3);
  set(1, "stipple", {{"dots", "12000"}});
  wait_for("state", "draft");
  std::this_thread::sleep_for(std::chrono::milliseconds(60));  // the result is in work
  ask(1, "darts", {{"tries", 30}});
  hear("lesson");
  EXPECT_EQ(wait_for("state", "final")["number"], 1);
}

}  // namespace
}  // namespace dapple::studio
