// How samplers fill a plane: the steps that are told are those of the sampler, and pictures of them
// begin empty and end with its points.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

#include "analyze/sheet/filling_sheet.hpp"
#include "dapple/error.hpp"
#include "dapple/image_files.hpp"
#include "io/images/animated_png.hpp"

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
      const PointSet points = sample(field(wrap), {.method = method}, 0, context);
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

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i)
    number = number << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return number;
}

struct Chunk {
  std::string type;
  std::string data;
  std::string whole;
};

std::vector<Chunk> chunks_of(const std::string& file) {
  std::vector<Chunk> chunks;
  for (std::size_t at = 8; at < file.size();) {
    const std::size_t size = number_at(file, at);
    chunks.push_back(
        {file.substr(at + 4, 4), file.substr(at + 8, size), file.substr(at, size + 12)});
    at += size + 12;
  }
  return chunks;
}

std::uint32_t check_of(const std::string& bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    crc ^= static_cast<std::uint8_t>(c);
    for (int i = 0; i < 8; ++i) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  return ~crc;
}

std::string bytes_of(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 255);
  return bytes;
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
  std::string head = file.substr(0, 8);
  std::vector<std::string> frames;
  std::uint32_t sequence = 0;
  for (const Chunk& chunk : chunks_of(file)) {
    EXPECT_EQ(chunk.whole.substr(chunk.whole.size() - 4),
              bytes_of(check_of(chunk.type + chunk.data)));
    if (chunk.type == "acTL") {
      EXPECT_EQ(number_at(chunk.data, 0), 4u);
      EXPECT_EQ(number_at(chunk.data, 4), 0u);
    } else if (chunk.type == "fcTL") {
      EXPECT_EQ(number_at(chunk.data, 0), sequence++);
      EXPECT_EQ(number_at(chunk.data, 4), 5u);
      EXPECT_EQ(number_at(chunk.data, 8), 3u);
      frames.push_back(head);
    } else if (chunk.type == "fdAT") {
      EXPECT_EQ(number_at(chunk.data, 0), sequence++);
      const std::string data = "IDAT" + chunk.data.substr(4);
      frames.back() +=
          bytes_of(static_cast<std::uint32_t>(data.size() - 4)) + data + bytes_of(check_of(data));
    } else if (chunk.type != "IDAT" && chunk.type != "IEND") {
      head += chunk.whole;
    }
  }
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
    const Image next = read(frames[f] + bytes_of(0) + "IEND" + bytes_of(check_of("IEND")));
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
