// Stipplings of sequences: which dots stay, which go along, which come and go.
#include "relax/sequence/temporal_dots.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "core/random.hpp"
#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/stipple.hpp"
#include "relax/sequence/motion.hpp"

namespace dapple {
namespace {

constexpr int width = 320;
constexpr int height = 240;
constexpr double x0 = 0.5 * width;
constexpr double y0 = 0.5 * height;

// Waves of several lengths, dark and light, that go on for ever.
float tone(double x, double y) {
  const double v = 0.45 + 0.16 * std::sin(0.071 * x + 0.3 * std::sin(0.05 * y)) +
                   0.13 * std::sin(0.093 * y - 0.037 * x) + 0.09 * std::cos(0.19 * x + 0.11 * y);
  return static_cast<float>(v);
}

struct Scene {
  double moved = 0;  // of the picture, pixels to the left
  double noise = 0;
  std::uint64_t draw = 0;
  double zoom = 1;  // about the middle
};

Image picture(const Scene& scene) {
  Image image;
  image.names = {"Y"};
  image.type = PixelType::f32;
  image.encoding = Encoding::srgb;
  image.channels.emplace_back(width, height);
  Random random(scene.draw, Stream::tests);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double grain = scene.noise * (random.uniform() + random.uniform() - 1);
      const double dark =
          std::clamp(static_cast<double>(tone(x0 + (x - x0) / scene.zoom + scene.moved,
                                              y0 + (y - y0) / scene.zoom)) +
                         grain,
                     0.0, 1.0);
      image.channels[0](x, y) = static_cast<float>(1 - dark);
    }
  }
  return image;
}

Image even(float value) {
  Image image = picture({});
  for (float& v : image.channels[0].values()) v = value;
  return image;
}

StippleOptions options(std::int64_t dots = 1500) {
  StippleOptions made;
  made.dots = dots;
  made.order = DotOrder::none;
  return made;
}

PictureOptions field() {
  PictureOptions made;
  made.as = MapKind::tone;
  return made;
}

std::map<std::int32_t, std::size_t> places_of_ids(const Points& dots) {
  std::map<std::int32_t, std::size_t> places;
  for (std::size_t i = 0; i < dots.size(); ++i) places.emplace(dots.id[i], i);
  return places;
}

struct Kept {
  std::size_t count = 0;
  Vec2 mean;            // way
  double farthest = 0;  // from what the picture moved
};

Kept kept_of(const Points& before, const Points& after, Vec2 moved) {
  const auto were = places_of_ids(before);
  Kept kept;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto was = were.find(after.id[i]);
    if (was == were.end()) continue;
    const Vec2 way = after[i] - before[was->second];
    kept.mean = kept.mean + way;
    kept.farthest = std::max(kept.farthest, length(way - moved));
    ++kept.count;
  }
  kept.mean = kept.mean * (1 / static_cast<double>(std::max<std::size_t>(1, kept.count)));
  return kept;
}

double figure(const Stippling& made, const std::string& name) {
  Context context;
  const QualityReport report = analyze_stippling(made.dots, made.darkness, context);
  for (const Measurement& m : report.measurements) {
    if (m.name == name) return m.value;
  }
  ADD_FAILURE() << "no figure " << name;
  return 0;
}

TEST(Sequence, NothingMovesWhereNothingChanges) {
  Context context;
  StippleSequence sequence(field(), options());
  const Stippling first = sequence.next(picture({}), context);
  for (int i = 0; i < 3; ++i) {
    const Stippling next = sequence.next(picture({}), context);
    EXPECT_EQ(next.lost, 0);
    const Kept kept = kept_of(first.dots, next.dots, {0, 0});
    EXPECT_EQ(kept.count, first.dots.size());
    EXPECT_EQ(kept.farthest, 0);
  }
}

TEST(Sequence, GrainMovesNextToNothing) {
  Context context;
  StippleSequence sequence(field(), options());
  Stippling before = sequence.next(picture({0, 0.03, 1}), context);
  for (std::uint64_t i = 2; i < 7; ++i) {
    Stippling next = sequence.next(picture({0, 0.03, i}), context);
    // Fewer than 2 % of the dots anew.
    EXPECT_LT(static_cast<double>(next.lost), 0.02 * static_cast<double>(before.dots.size()));
    const Kept kept = kept_of(before.dots, next.dots, {0, 0});
    EXPECT_LT(length(kept.mean), 0.02);
    before = std::move(next);
  }
  EXPECT_GT(figure(before, "P1"), 45);
}

TEST(Sequence, DotsGoAlongWithAPan) {
  Context context;
  StippleSequence sequence(field(), options());
  constexpr double speed = 2.5;
  Stippling before = sequence.next(picture({}), context);
  double moved = 0;
  for (int i = 1; i < 9; ++i) {
    Stippling next = sequence.next(picture({speed * i, 0, 0}), context);
    const auto size = static_cast<double>(before.dots.size());
    // What leaves by one side is no more than the picture moved, and a little is lost inside.
    EXPECT_LT(static_cast<double>(next.lost), (speed / width + 0.02) * size);
    const Kept kept = kept_of(before.dots, next.dots, {-speed, 0});
    EXPECT_NEAR(kept.mean.x, -speed, 0.2 * speed);
    moved += kept.mean.x / 8;
    EXPECT_NEAR(kept.mean.y, 0, 0.1 * speed);
    before = std::move(next);
  }
  EXPECT_NEAR(moved, -speed, 0.07 * speed);
  EXPECT_GT(figure(before, "P1"), 36);
  EXPECT_GT(figure(before, "dmin"), 0.55);
}

TEST(Sequence, AZoomKeepsItsToneAndItsDots) {
  for (const double zoom : {1.02, 1 / 1.02}) {
    Context context;
    StippleSequence sequence(field(), options(4000));
    Stippling last = sequence.next(picture({}), context);
    for (int i = 1; i < 7; ++i) {
      const auto before = static_cast<double>(last.dots.size());
      last = sequence.next(picture({0, 0, 0, std::pow(zoom, i)}), context);
      // 3.9 % leave the picture, or have no room in it.
      EXPECT_LT(static_cast<double>(last.lost), (zoom > 1 ? 0.06 : 0.04) * before) << zoom;
    }
    EXPECT_GT(figure(last, "P1"), 38) << zoom;
    EXPECT_GT(figure(last, "P2"), 60) << zoom;
    EXPECT_LT(figure(last, "worst"), 1) << zoom;
  }
}

TEST(Sequence, NumbersFollowTheTones) {
  Context context;
  StippleSequence sequence(field(), options());
  const Stippling first = sequence.next(even(0.5f), context);
  EXPECT_EQ(first.dots.size(), 1500u);
  const Stippling darker = sequence.next(even(0.4f), context);
  EXPECT_NEAR(static_cast<double>(darker.dots.size()), 1800, 1);
  EXPECT_EQ(darker.dots.radius[0], first.dots.radius[0]);
  EXPECT_EQ(darker.lost, 0);
  EXPECT_GT(figure(darker, "P1"), 45);
  const std::set<std::int32_t> ids(darker.dots.id.begin(), darker.dots.id.end());
  EXPECT_EQ(ids.size(), darker.dots.size());
}

TEST(Sequence, AWhitePictureHasNoDots) {
  Context context;
  StippleSequence sequence(field(), options());
  EXPECT_TRUE(sequence.next(even(1), context).dots.empty());
  // The number is that of the first picture with any ink.
  EXPECT_EQ(sequence.next(even(0.5f), context).dots.size(), 1500u);
  const Stippling white = sequence.next(even(1), context);
  EXPECT_TRUE(white.dots.empty());
  EXPECT_EQ(white.lost, 1500);
  EXPECT_EQ(sequence.next(even(0.5f), context).dots.size(), 1500u);
}

TEST(Sequence, DotsKeepTheirInks) {
  Context context;
  StippleOptions inks = options();
  inks.ink.path = "#000000,#909090";
  inks.background = "white";
  StippleSequence sequence(field(), inks);
  const Stippling first = sequence.next(picture({}), context);
  const Stippling next = sequence.next(picture({}), context);
  ASSERT_EQ(next.dots.class_id.size(), next.dots.size());
  const auto were = places_of_ids(first.dots);
  int changed = 0;
  int of_second = 0;
  for (std::size_t i = 0; i < next.dots.size(); ++i) {
    changed += next.dots.class_id[i] != first.dots.class_id[were.at(next.dots.id[i])] ? 1 : 0;
    of_second += next.dots.class_id[i];
  }
  EXPECT_GT(of_second, 100);
  EXPECT_LE(changed, static_cast<int>(next.dots.size()) / 100);
}

TEST(Sequence, AnotherPictureStartsAnew) {
  Context context;
  StippleSequence sequence(field(), options());
  sequence.next(picture({}), context);
  Image ramp = even(0);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      ramp.channels[0](x, y) = (x / 80 + y / 80) % 2 == 0 ? 0.98f : 0.2f;
    }
  }
  EXPECT_GT(figure(sequence.next(ramp, context), "P1"), 36);
}

TEST(Sequence, RefusesWhatCannotLast) {
  StippleOptions other = options();
  other.method = StippleMethod::voronoi;
  EXPECT_THROW(StippleSequence(field(), other), Error);
  StippleOptions ranked = options();
  ranked.progressive = true;
  EXPECT_THROW(StippleSequence(field(), ranked), Error);
  Context context;
  StippleSequence sequence(field(), options());
  sequence.next(picture({}), context);
  Image small = picture({});
  small.channels[0] = Plane<float>(width, height - 1);
  EXPECT_THROW(sequence.next(small, context), Error);
}

TEST(Motion, FindsAPanToASmallPartOfASpacing) {
  Context context;
  const auto plane = [](double moved) { return std::move(picture({moved, 0, 0}).channels[0]); };
  for (const double speed : {0.4, 2.3, 9.0}) {
    const Motion motion(plane(0), plane(speed), 8, context);
    for (double y = 20; y < height - 20; y += 10) {
      for (double x = speed + 20; x < width - 20; x += 10) {
        const Vec2 way = motion.at({x, y});
        EXPECT_NEAR(way.x, -speed, 0.8) << x << ' ' << y;
        EXPECT_NEAR(way.y, 0, 0.8) << x << ' ' << y;
      }
    }
  }
}

TEST(Motion, GrainAloneMovesNothing) {
  Context context;
  const Image a = picture({0, 0.03, 1});
  const Image b = picture({0, 0.03, 2});
  const Motion motion(a.channels[0], b.channels[0], 8, context);
  for (double y = 5; y < height; y += 10) {
    for (double x = 5; x < width; x += 10) EXPECT_LT(length(motion.at({x, y})), 0.4);
  }
}

}  // namespace
}  // namespace dapple
