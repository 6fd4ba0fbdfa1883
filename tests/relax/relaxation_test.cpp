// A relaxation in steps.
#include "dapple/relaxation.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "dapple/error.hpp"
#include "field/plane_sum.hpp"
#include "relax/kernel/relaxed_dots.hpp"

namespace dapple {
namespace {

// Darker towards the lower right.
Plane<float> slope(int width, int height, std::int64_t count, float darkest = 4) {
  Plane<float> density(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      density(x, y) = 1 + darkest * static_cast<float>(x * y) / static_cast<float>(width * height);
    }
  }
  const auto unit = static_cast<float>(static_cast<double>(count) / sum_of(density));
  for (float& d : density.values()) d *= unit;
  return density;
}

TEST(Relaxation, StepsAreOfTheWhole) {
  struct Case {
    int width, height;
    std::int64_t count;
    RelaxationOptions options;
  };
  // Also with pixels that are cut, as dots are small, and hardly any dots.
  for (const Case& of :
       {Case{90, 60, 500, {}}, {30, 20, 900, {0.2}}, {20, 20, 1, {}}, {20, 20, 2, {}}}) {
    Context context;
    const Plane<float> density = slope(of.width, of.height, of.count);
    Relaxation whole(density, of.count, of.options, context);
    const int steps = whole.steps_left();
    EXPECT_EQ(steps > 30, of.count > 1);
    whole.finish(context);
    EXPECT_EQ(whole.steps_left(), 0);
    const Points made = relaxed_dots(density, of.count, {}, {of.options.regularity}, context);
    EXPECT_EQ(whole.dots().x, made.x);
    EXPECT_EQ(whole.dots().y, made.y);

    context.threads = 1;
    Relaxation parts(density, of.count, of.options, context);
    for (const int some : {1, 0, 7, 15}) parts.step(some, context);
    EXPECT_EQ(parts.steps_left(), std::max(0, steps - 23));
    EXPECT_EQ(parts.dots().x == made.x, of.count == 1);
    Relaxation moved = std::move(parts);
    moved.step(1000, context);
    EXPECT_EQ(moved.steps_left(), 0);
    moved.finish(context);
    EXPECT_EQ(moved.dots().x, made.x);
    EXPECT_EQ(moved.dots().y, made.y);
    moved.step(5, context);
    moved.flow(context);
    moved.finish(context);
    EXPECT_EQ(moved.dots().x, made.x) << "it had ended";
  }
}

TEST(Relaxation, GoesOnAfterACancel) {
  Context context;
  Relaxation relaxation(slope(90, 60, 500), 500, {}, context);
  const int steps = relaxation.steps_left();
  const Points before = relaxation.dots();
  context.on_progress = [&](std::string_view, double done) {
    if (done * steps > 3.5) context.cancel();
  };
  EXPECT_THROW(relaxation.finish(context), Error);
  EXPECT_EQ(relaxation.steps_left(), steps - 4);
  validate(relaxation.dots());
  EXPECT_NE(relaxation.dots().x, before.x);
  context.on_progress = nullptr;
  context.reset();
  relaxation.finish(context);
  EXPECT_EQ(relaxation.steps_left(), 0);
  validate(relaxation.dots());
}

TEST(Relaxation, DotsStayAsTheDensityChanges) {
  Context context;
  const Plane<float> density = slope(90, 60, 500);
  Relaxation relaxation(density, 500, {}, context);
  relaxation.finish(context);
  const Points before = relaxation.dots();
  const auto stayed = [&] {
    int found = 0;
    for (std::size_t i = 0; i < relaxation.dots().size(); ++i) {
      for (std::size_t k = 0; k < before.size(); ++k) found += before[k] == relaxation.dots()[i];
    }
    return found;
  };
  relaxation.set_density(slope(90, 60, 510, 4.2f), 510, context);
  EXPECT_EQ(relaxation.dots().size(), 510u);
  EXPECT_GT(relaxation.steps_left(), 30);
  EXPECT_GT(stayed(), 470);
  relaxation.step(2, context);
  relaxation.flow(context);
  validate(relaxation.dots());
  // Too much of a change, and one of pixels.
  relaxation.set_density(slope(90, 60, 1200), 1200, context);
  EXPECT_EQ(relaxation.dots().size(), 1200u);
  EXPECT_EQ(stayed(), 0);
  relaxation.set_density(slope(45, 30, 400), 400, context);
  EXPECT_EQ(relaxation.dots().domain.width, 45);
  validate(relaxation.dots());
}

// Dots that are given come to where those along a curve come.
TEST(Relaxation, BeginsWithDotsThatAreGiven) {
  Context context;
  const Plane<float> density = slope(90, 60, 500);
  Relaxation along(density, 500, {}, context);
  Relaxation given(density, along.dots(), {});
  Relaxation later(density, 500, {}, context);
  later.step(3, context);
  later.set_dots(along.dots());
  for (Relaxation* of : {&along, &given, &later}) of->finish(context);
  EXPECT_EQ(given.dots().x, along.dots().x);
  EXPECT_EQ(later.dots().x, along.dots().x);
}

TEST(Relaxation, RefusesWhatIsNoDensityOfTheDots) {
  Context context;
  const auto refused = [&](const Plane<float>& density, std::int64_t count,
                           RelaxationOptions options = {}) {
    try {
      Relaxation(density, count, options, context);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return std::string(error.what());
    }
    return std::string("taken");
  };
  const Plane<float> density = slope(30, 20, 100);
  EXPECT_EQ(refused(density, 100), "taken");
  EXPECT_EQ(refused(density, 101), "taken");
  EXPECT_NE(refused(density, 120).find("not to about 120 dots"), std::string::npos);
  EXPECT_NE(refused(density, 0).find("at least 1 dot"), std::string::npos);
  EXPECT_NE(refused({}, 100).find("pixels"), std::string::npos);
  EXPECT_NE(refused(density, 100, {1.5}).find("regularity"), std::string::npos);
  for (const float wrong : {-1.0f, std::numeric_limits<float>::quiet_NaN()}) {
    Plane<float> broken = density;
    broken(3, 3) = wrong;
    EXPECT_NE(refused(broken, 100).find("the density"), std::string::npos);
  }
  Relaxation relaxation(density, 100, {}, context);
  Points dots = relaxation.dots();
  dots.x[7] = 31;
  EXPECT_THROW(relaxation.set_dots(dots), Error);
  EXPECT_THROW(relaxation.set_density(density, 50, context), Error);
  EXPECT_THROW(Relaxation(density, Points(), {}), Error);
  relaxation.finish(context);
  EXPECT_EQ(relaxation.dots().size(), 100u) << "what is refused changes nothing";
}

}  // namespace
}  // namespace dapple
