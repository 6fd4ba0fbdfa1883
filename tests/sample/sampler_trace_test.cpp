// How samplers fill a plane: the steps that are told are those of the sampler, and pictures of them
// begin empty and end with its points.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

#include "analyze/sheet/filling_sheet.hpp"
#include "animated_png.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/image_files.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "dapple/sample.hpp"
#include "io/images/animated_png.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

using Kind = FillingStep::Kind;

constexpr SampleMethod told_methods[] = {SampleMethod::bridson,     SampleMethod::dart_throwing,
                                         SampleMethod::elimination, SampleMethod::jittered,
                                         SampleMethod::random,      SampleMethod::grid,
                                         SampleMethod::halton,      SampleMethod::r2};

DensityField field(bool wrap) {
  return DensityField::constant({100, 80, wrap}, 7);
}

Filling filled(SampleMethod method, bool wrap, int tries = 30) {
  Context context;
  return filling(field(wrap), {.method = method, .tries = tries}, 0, context);
}

bool same(const Image& a, const Image& b) {
  for (std::size_t c = 0; c < 3; ++c) {
    if (!std::ranges::equal(a.channels[c].values(), b.channels[c].values())) return false;
  }
  return a.width() == b.width();
}

TEST(Filling, BeginsEmptyAndEndsAsTheSample) {
  for (const SampleMethod method : told_methods) {
    for (const bool wrap : {false, true}) {
      SCOPED_TRACE(std::string(word_of(method)) + (wrap ? ", torus" : ""));
      Context context;
      const Points points = sample(field(wrap), {.method = method}, 0, context);
      const Filling told = filled(method, wrap);
      const auto ends = filling_frames(told, 5);
      ASSERT_EQ(ends.size(), 5u);
      EXPECT_EQ(ends.front(), 0u);
      EXPECT_TRUE(std::ranges::is_sorted(ends));
      EXPECT_TRUE(points_after(told, 0).empty());
      EXPECT_EQ(open_share(told, 0), 1);

      Filling alone{.domain = told.domain, .radius = told.radius};
      for (std::size_t i = 0; i < points.size(); ++i) alone.tell(Kind::placed, points[i]);
      const std::vector<Vec2> last = points_after(told, ends.back());
      ASSERT_EQ(last.size(), points.size());
      for (std::size_t i = 0; i < last.size(); ++i) {
        EXPECT_EQ(last[i].x, points[i].x);
        EXPECT_EQ(last[i].y, points[i].y);
      }
      EXPECT_TRUE(
          same(filling_panel(told, ends.back(), 90), filling_panel(alone, alone.steps.size(), 90)));
      EXPECT_TRUE(same(filling_panel(told, 0, 90), filling_panel(alone, 0, 90)));
      EXPECT_FALSE(same(filling_panel(told, 0, 90), filling_panel(told, ends[2], 90)));
    }
  }
}

TEST(Filling, StillsLeaveOutTheEmptyPlane) {
  for (const SampleMethod method : told_methods) {
    SCOPED_TRACE(word_of(method));
    const Filling told = filled(method, true);
    const auto ends = filling_frames(told, 4, false);
    ASSERT_EQ(ends.size(), 4u);
    EXPECT_TRUE(std::ranges::is_sorted(ends));
    EXPECT_GT(points_after(told, ends.front()).size(), 1u);
    EXPECT_EQ(ends.back(), told.steps.size());
    EXPECT_EQ(filling_frames(told, 1, false), std::vector<std::size_t>{told.steps.size()});
  }
  const Filling crowd = filled(SampleMethod::elimination, true);
  EXPECT_EQ(filling_frames(crowd, 4, false).front(), crowd.together);
}

// Pixels of that color.
std::size_t count(const Image& panel, const char* name) {
  const auto color = parse_color(name);
  std::size_t found = 0;
  for (std::size_t i = 0; i < panel.channels[0].size(); ++i) {
    bool equal = true;
    for (std::size_t c = 0; c < 3; ++c) {
      equal &= std::abs(panel.channels[c].values()[i] - color[c]) < 1e-4f;
    }
    found += equal ? 1 : 0;
  }
  return found;
}

TEST(Filling, PanelsShowWhatAMethodIsAbout) {
  constexpr int width = 400;
  const auto half_way = [](const Filling& told) { return filling_frames(told, 3)[1]; };
  const char* const orange = "#c8540f";
  const char* const ring = "#a3182f";  // round what was tried last
  for (const auto method : {SampleMethod::bridson, SampleMethod::dart_throwing}) {
    const Filling told = filled(method, false);
    const Image panel = filling_panel(told, half_way(told), width);
    EXPECT_GT(count(panel, ring), 5u);
    EXPECT_EQ(count(filling_panel(told, told.steps.size(), width), ring), 0u);
    EXPECT_EQ(count(panel, orange) > 0, method == SampleMethod::bridson);
  }
  // Some of a crowd go next.
  const Filling crowd = filled(SampleMethod::elimination, true);
  EXPECT_GT(count(filling_panel(crowd, crowd.together, width), orange), 20u);
  EXPECT_EQ(count(filling_panel(crowd, crowd.steps.size(), width), orange), 0u);
  // What is open keeps its color within the squares that are searched.
  const Filling darts = filled(SampleMethod::dart_throwing, false);
  const std::size_t steps = half_way(darts);
  const Image panel = filling_panel(darts, steps, width);
  const double open = open_share(darts, steps) * static_cast<double>(panel.channels[0].size());
  EXPECT_GT(static_cast<double>(count(panel, "#f8dcc0")), 0.8 * open);
}

// All within two cells of the candidate's but for the corners; where cells are small none.
TEST(Filling, PanelsShowTheCellsThatAreLookedIn) {
  Filling told{.domain = {100, 100, false}, .radius = 30, .grows = true};
  told.tell(Kind::placed, {3, 3});
  told.tell(Kind::refused, {50, 50});
  told.tell(Kind::placed, {90, 90});
  const auto yellow = parse_color("#f6e27a");
  for (const int width : {400, 60}) {
    const Image panel = filling_panel(told, 2, width);
    const double cell = 0.3 * width / std::sqrt(2.0);
    for (int y = 0; y < 5; ++y) {
      for (int x = 0; x < 5; ++x) {
        const auto middle = [cell](int i) { return static_cast<int>((i + 0.5) * cell); };
        bool looked = false;
        for (const char* name : {"#f8dcc0", "#dcebee"}) {  // open, covered
          const auto below = parse_color(name);
          bool equal = true;
          for (std::size_t c = 0; c < 3; ++c) {
            const float mixed = below[c] + 0.4f * (yellow[c] - below[c]);
            equal &= std::abs(panel.channels[c](middle(x), middle(y)) - mixed) < 1e-4f;
          }
          looked |= equal;
        }
        const bool corner = x % 4 == 0 && y % 4 == 0;
        EXPECT_EQ(looked, width > 100 && !corner) << x << ", " << y << " of " << width;
      }
    }
  }
}

// On a torus every candidate is told.
TEST(Filling, GrowthThrowsIntoTheRingAndGivesUpAfterAsManyTries) {
  const int tries = 9;
  const Filling told = filled(SampleMethod::bridson, true, tries);
  int in_a_row = 0;
  int given_up = 0;
  for (const FillingStep& step : told.steps) {
    if (step.kind == Kind::given_up) {
      EXPECT_EQ(in_a_row, tries);
      in_a_row = 0;
      ++given_up;
    } else if (step.from != FillingStep::nowhere) {
      const double d = told.domain.distance(told.places[step.index], told.places[step.from]);
      EXPECT_GE(d, 0.999 * told.radius);
      EXPECT_LE(d, 2.001 * told.radius);
      in_a_row = step.kind == Kind::placed ? 0 : in_a_row + 1;
    }
  }
  EXPECT_EQ(static_cast<std::size_t>(given_up), points_after(told, told.steps.size()).size());
}

TEST(Filling, MoreTriesLeaveLessOpenAndDartsNothing) {
  const auto left = [](const Filling& told) { return open_share(told, told.steps.size()); };
  const double two = left(filled(SampleMethod::bridson, true, 2));
  const double five = left(filled(SampleMethod::bridson, true, 5));
  const double thirty = left(filled(SampleMethod::bridson, true, 30));
  EXPECT_GT(two, 2 * five);
  EXPECT_GT(five, 2 * thirty);
  EXPECT_EQ(left(filled(SampleMethod::dart_throwing, true)), 0);
}

// Squares hold all that is open: darts land nowhere else.
TEST(Filling, DartsFallOnSquaresUntilNoneIsLeft) {
  const Filling told = filled(SampleMethod::dart_throwing, false);
  const std::vector<Box>* squares = nullptr;
  std::size_t inside = 0;
  for (const FillingStep& step : told.steps) {
    if (step.kind == Kind::searched) {
      squares = &told.squares[step.index];
      continue;
    }
    ASSERT_NE(squares, nullptr);
    const Vec2 p = told.places[step.index];
    inside += std::ranges::any_of(*squares, [p](const Box& box) { return box.contains(p); });
  }
  EXPECT_GT(told.squares.size(), 3u);
  EXPECT_TRUE(told.squares.back().empty());
  EXPECT_EQ(inside, told.places.size());
}

TEST(Filling, RefusesWhatHasNoOrderAndWhatHasNoRadius) {
  Context context;
  for (const auto method : {SampleMethod::darts, SampleMethod::dense, SampleMethod::polished}) {
    EXPECT_THROW(filling(field(true), {.method = method}, 0, context), Error);
  }
  Plane<float> map(8, 8, 3);
  map(2, 2) = 2;
  const DensityField uneven = DensityField::from_radius(map, {8, 8, false}, 1.0);
  EXPECT_THROW(filling(uneven, {.method = SampleMethod::bridson}, 0, context), Error);
}

// A player is acted out: the data of each frame become those of a still picture, which covers what
// was there before.
TEST(AnimatedPng, PlaysItsFramesAndEndsWithTheStillPicture) {
  Movie movie;
  movie.width = 5;
  movie.height = 3;
  movie.palette = {{10, 20, 30}, {200, 100, 50}, {255, 255, 255}};
  for (int f = 0; f < 4; ++f) {
    std::vector<std::uint8_t>& frame = movie.frames.emplace_back(15);
    for (std::size_t i = 0; i < 15; ++i)
      frame[i] = static_cast<std::uint8_t>((i * i + i * static_cast<std::size_t>(f)) % 3);
  }
  const std::string file = encode_animated_png(movie);
  std::uint32_t sequence = 0;
  for (const test::Chunk& chunk : test::chunks_of(file)) {
    EXPECT_EQ(chunk.whole.substr(chunk.whole.size() - 4),
              test::bytes_of(test::check_of(chunk.type + chunk.data)));
    if (chunk.type == "acTL") {
      EXPECT_EQ(test::number_at(chunk.data, 0), 4u);
      EXPECT_EQ(test::number_at(chunk.data, 4), 0u);
    } else if (chunk.type == "fcTL") {
      EXPECT_EQ(test::number_at(chunk.data, 0), sequence++);
      EXPECT_EQ(test::number_at(chunk.data, 4), 5u);
      EXPECT_EQ(test::number_at(chunk.data, 8), 3u);
    } else if (chunk.type == "fdAT") {
      EXPECT_EQ(test::number_at(chunk.data, 0), sequence++);
    }
  }
  const std::vector<std::string> frames = test::frames_of(file);
  ASSERT_EQ(frames.size(), 4u);
  const auto path = std::filesystem::temp_directory_path() / "dapple-animated-test.png";
  const auto read = [&](const std::string& bytes) {
    write_file(path.string(), bytes, Overwrite::always);
    const Image image = read_image(path.string(), Context());
    std::filesystem::remove(path);
    return image;
  };
  const auto expect = [&](const Image& seen, std::size_t f) {
    for (std::size_t i = 0; i < 15; ++i) {
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_EQ(std::lround(seen.channels[c].values()[i] * 255),
                  movie.palette[movie.frames[f][i]][c])
            << f << ", " << i;
      }
    }
  };
  Image seen;
  for (std::size_t f = 0; f < 4; ++f) {
    const Image next = read(frames[f]);
    ASSERT_EQ(next.channels.size(), 4u);
    if (f == 0) seen = next;
    for (std::size_t i = 0; i < 15; ++i) {
      if (next.channels[3].values()[i] == 0) continue;
      for (std::size_t c = 0; c < 3; ++c)
        seen.channels[c].values()[i] = next.channels[c].values()[i];
    }
    expect(seen, f);
  }
  expect(read(file), 3);
  movie.frames[1].pop_back();
  EXPECT_THROW(encode_animated_png(movie), Error);
  movie.frames.clear();
  EXPECT_THROW(encode_animated_png(movie), Error);
}

TEST(Filling, MoviesHaveTheirFramesAndFewColors) {
  Context context;
  const std::vector<Filled> sets{{"bridson", filled(SampleMethod::bridson, true)},
                                 {"elimination", filled(SampleMethod::elimination, true)}};
  const Movie movie = filling_movie(sets, 4, context);
  EXPECT_EQ(movie.frames.size(), 4u);
  EXPECT_LE(movie.palette.size(), 255u);
  EXPECT_NE(movie.frames[0], movie.frames[1]);
  const Image sheet = filling_sheet(sets, 7, context);  // two rows a method, one place left free
  EXPECT_LE(sheet.hints.palette.size(), 255u);
  EXPECT_GT(sheet.height(), 4 * sheet.width() / 6);
  EXPECT_THROW(filling_sheet({}, 6, context), Error);
}

}  // namespace
}  // namespace dapple
