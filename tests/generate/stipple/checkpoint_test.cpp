// Relaxations that were ended and gone on with.
#include <cmath>
#include <gtest/gtest.h>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/stipple.hpp"

namespace dapple {
namespace {

Image waves() {
  Image image;
  image.names = {"Y"};
  image.type = PixelType::f32;
  image.encoding = Encoding::srgb;
  image.channels.emplace_back(200, 150);
  for (int y = 0; y < 150; ++y) {
    for (int x = 0; x < 200; ++x) {
      image.channels[0](x, y) = static_cast<float>(0.5 + 0.4 * std::sin(0.06 * x + 0.04 * y));
    }
  }
  return image;
}

Points dots_of(std::int64_t count, Context& context) {
  PictureOptions field;
  field.as = MapKind::tone;
  StippleOptions options;
  options.dots = count;
  return stipple(waves(), field, options, context).dots;
}

Points dots_of(std::int64_t count, int threads, std::shared_ptr<Checkpoint> checkpoint) {
  Context context;
  context.threads = threads;
  context.checkpoint = std::move(checkpoint);
  return dots_of(count, context);
}

// All states that a run keeps.
std::vector<std::string> states_of(std::int64_t count) {
  std::vector<std::string> states;
  auto checkpoint = std::make_shared<Checkpoint>();
  checkpoint->every = 0;
  checkpoint->keep = [&](const std::string& state) { states.push_back(state); };
  dots_of(count, 1, checkpoint);
  return states;
}

TEST(Checkpoint, ARunThatWasEndedGoesOnToTheSameDots) {
  // Not a whole number of blocks.
  constexpr std::int64_t count = 1003;
  const Points whole = dots_of(count, 2, nullptr);
  const std::vector<std::string> states = states_of(count);
  ASSERT_GT(states.size(), 3u);
  for (const std::size_t k : {std::size_t{0}, states.size() / 2, states.size() - 1}) {
    auto checkpoint = std::make_shared<Checkpoint>();
    checkpoint->kept = states[k];
    int kept_again = 0;
    checkpoint->every = 0;
    checkpoint->keep = [&](const std::string&) { ++kept_again; };
    const Points dots = dots_of(count, 3, checkpoint);
    EXPECT_EQ(dots.x, whole.x) << k;
    EXPECT_EQ(dots.y, whole.y) << k;
    // What was done before is not done again.
    EXPECT_EQ(kept_again, static_cast<int>(states.size() - k)) << k;
  }
}

TEST(Checkpoint, ACancelledRunKeepsHowFarItWas) {
  constexpr std::int64_t count = 1003;
  auto checkpoint = std::make_shared<Checkpoint>();
  checkpoint->keep = [&](const std::string& state) { checkpoint->kept = state; };
  Context context;
  context.checkpoint = checkpoint;
  context.on_progress = [&](std::string_view, double fraction) {
    if (fraction > 0.5 && fraction < 0.9) context.cancel();
  };
  EXPECT_THROW(dots_of(count, context), Error);
  ASSERT_NE(checkpoint->kept, "");
  const Points dots = dots_of(count, 2, checkpoint);
  const Points whole = dots_of(count, 2, nullptr);
  EXPECT_EQ(dots.x, whole.x);
  EXPECT_EQ(dots.y, whole.y);
}

TEST(Checkpoint, StatesOfOtherRunsAreRefused) {
  auto checkpoint = std::make_shared<Checkpoint>();
  checkpoint->keep = [](const std::string&) {};
  checkpoint->kept = states_of(500).front();
  EXPECT_THROW(dots_of(600, 1, checkpoint), Error);
  checkpoint->kept = "something else";
  EXPECT_THROW(dots_of(500, 1, checkpoint), Error);
}

}  // namespace
}  // namespace dapple
