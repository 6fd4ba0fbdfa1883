// The reader of recipes as a program loads it that is linked with OpenImageIO, such as a renderer.
#include <OpenImageIO/imageio.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Reader : public testing::Test {
 protected:
  static void SetUpTestSuite() { OIIO::attribute("plugin_searchpath", DAPPLE_READER_FOLDER); }
  void TearDown() override { ::unlink(path_.c_str()); }

  std::string recipe(const std::string& text) {
    path_ = testing::TempDir() + "reader-" + std::to_string(::getpid()) + ".dapple";
    std::ofstream(path_) << text;
    return path_;
  }
  static std::unique_ptr<OIIO::ImageInput> open(const std::string& path) {
    auto input = OIIO::ImageInput::open(path);
    EXPECT_NE(input, nullptr) << OIIO::geterror();
    return input;
  }

 private:
  std::string path_;
};

constexpr const char* cells =
    "command = \"worley\"\nsize = \"300x200\"\ncount = 90\n"
    "outputs = [\"f1\", \"edge\"]\n";

TEST_F(Reader, TilesInAnyOrderAreThoseOfTheWhole) {
  const std::string path = recipe(cells);
  const auto whole = open(path);
  ASSERT_NE(whole, nullptr);
  const OIIO::ImageSpec& spec = whole->spec();
  ASSERT_EQ(spec.width, 300);
  ASSERT_EQ(spec.height, 200);
  ASSERT_EQ(spec.nchannels, 2);
  std::vector<float> all(300 * 200 * 2);
  ASSERT_TRUE(whole->read_image(0, 0, 0, 2, OIIO::TypeDesc::FLOAT, all.data()));

  const auto parts = open(path);
  ASSERT_NE(parts, nullptr);
  std::vector<float> tile(64 * 64 * 2);
  for (const auto& [x0, y0] : std::vector<std::pair<int, int>>{
           {256, 192}, {0, 0}, {128, 128}, {64, 192}, {256, 0}, {0, 192}, {192, 64}}) {
    ASSERT_TRUE(parts->read_tile(x0, y0, 0, OIIO::TypeDesc::FLOAT, tile.data()));
    for (int y = y0; y < std::min(y0 + 64, 200); ++y) {
      for (int x = x0; x < std::min(x0 + 64, 300); ++x) {
        for (int c = 0; c < 2; ++c) {
          ASSERT_EQ(tile[static_cast<std::size_t>(((y - y0) * 64 + x - x0) * 2 + c)],
                    all[static_cast<std::size_t>((y * 300 + x) * 2 + c)])
              << x << " " << y << " " << c;
        }
      }
    }
  }
}

// Kilobytes that the process had at most.
long peak() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

TEST_F(Reader, OneTileOfALargeTextureTakesNoneOfTheRest) {
  const std::string path = recipe("command = \"worley\"\nsize = \"8192x8192\"\ncount = 20000\n");
  const auto input = open(path);
  ASSERT_NE(input, nullptr);
  std::vector<float> tile(64 * 64);
  const long before = peak();
  auto start = Clock::now();
  ASSERT_TRUE(input->read_tile(4096, 4096, 0, OIIO::TypeDesc::FLOAT, tile.data()));
  const double one = seconds_since(start);
  EXPECT_LT(peak() - before, 8192L * 8192 * 4 / 1024 / 2) << "of the whole, it is half and more";
  // Tiles beside it are of the same rows, which are kept. The least of some, as other programs
  // take their time from any of them.
  double least = one;
  for (int x = 4160; x < 4160 + 8 * 64; x += 64) {
    start = Clock::now();
    ASSERT_TRUE(input->read_tile(x, 4096, 0, OIIO::TypeDesc::FLOAT, tile.data()));
    least = std::min(least, seconds_since(start));
  }
  EXPECT_LT(least, one / 4) << one;
}

TEST_F(Reader, ClosingFromAnotherThreadEndsTheWork) {
  // Minutes of work.
  const std::string path = recipe("command = \"mask\"\nsize = \"4096x4096\"\n");
  const auto input = open(path);
  ASSERT_NE(input, nullptr);
  std::atomic<bool> well{true};
  std::string said;  // to the thread that reads
  std::thread reader([&] {
    std::vector<float> tile(64 * 64);
    well = input->read_tile(0, 0, 0, OIIO::TypeDesc::FLOAT, tile.data());
    said = input->geterror();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto start = Clock::now();
  input->close();
  reader.join();
  EXPECT_LT(seconds_since(start), 20) << "of minutes";
  EXPECT_FALSE(well);
  EXPECT_NE(said.find("cancel"), std::string::npos) << said;
}

TEST_F(Reader, ManyAtOnce) {
  const std::string path = recipe(cells);
  std::vector<std::vector<float>> all(6, std::vector<float>(300 * 200 * 2));
  std::vector<std::thread> threads;
  for (auto& values : all) {
    threads.emplace_back([&] {
      const auto input = OIIO::ImageInput::open(path);
      if (input) input->read_image(0, 0, 0, 2, OIIO::TypeDesc::FLOAT, values.data());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(all[0][1000], 0);
  for (const auto& values : all) EXPECT_EQ(values, all[0]);
}

TEST_F(Reader, WhatNamesFilesOrMakesNoPictureIsRefused) {
  // Whoever opens it waits forever.
  const std::string pipe = testing::TempDir() + "reader-" + std::to_string(::getpid()) + ".png";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  struct Wrong {
    std::string recipe;
    std::string says;
  };
  const std::string worley = "command = \"worley\"\ncount = 60\n";
  const std::vector<Wrong> all{
      {worley + "density = \"" + pipe + "\"\n", "density"},
      {"command = \"worley\"\npoints = \"" + pipe + "\"\n", "points"},
      {worley + "outputs = \"color\"\ncolors = \"" + pipe + "\"\n", "colors"},
      {"command = \"mask\"\nhistogram = \"" + pipe + "\"\n", "histogram"},
      {"command = \"mask\"\ndensity = \"" + pipe + "\"\n", "density"},
      {"command = \"stipple\"\ninput = \"" + pipe + "\"\n", "its input"},
      {"command = \"stipple\"\n", "input"},
      {"command = \"dither\"\nmask = \"" + pipe + "\"\n", "mask"},
      {"command = \"sample\"\nradius = \"5\"\nsize = \"64x64\"\n", "worley and mask"},
      {"size = \"64x64\"\n", "names no command"},
      {"command = \"rm\"\n", "no command 'rm'"},
      {"command = \"worley\"\ncuont = 3\n", "count"},
      {worley + "octaves = 99\n", "octaves"},
      {std::string("\0\1\2 = = [[", 9), ":1:"},
      {worley + "size = \"1000000x1000000\"\n", "pixels"},
      {"", "names no command"},
  };
  for (const Wrong& wrong : all) {
    const auto start = Clock::now();
    EXPECT_EQ(OIIO::ImageInput::open(recipe(wrong.recipe)), nullptr) << wrong.recipe;
    const std::string said = OIIO::geterror();
    EXPECT_NE(said.find(wrong.says), std::string::npos) << wrong.recipe << said;
    EXPECT_LT(seconds_since(start), 20) << wrong.recipe << "waits";
  }
  ::unlink(pipe.c_str());

  // What is known only when it is made is told then.
  const auto input =
      open(recipe("command = \"worley\"\ncount = 1\nwrap = false\noutputs = \"f3\"\n"));
  ASSERT_NE(input, nullptr);
  std::vector<float> tile(64 * 64);
  EXPECT_FALSE(input->read_tile(0, 0, 0, OIIO::TypeDesc::FLOAT, tile.data()));
  EXPECT_NE(input->geterror(), "");
}

TEST_F(Reader, ItOpensAgain) {
  const std::string path = recipe(cells);
  const auto input = open(path);
  ASSERT_NE(input, nullptr);
  OIIO::ImageSpec spec;
  std::vector<float> row(300 * 2);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(input->open(path, spec)) << input->geterror();
    ASSERT_TRUE(input->read_scanline(199, 0, OIIO::TypeDesc::FLOAT, row.data()));
    EXPECT_FALSE(input->seek_subimage(1, 0));
    EXPECT_FALSE(input->seek_subimage(0, 1));
    ASSERT_TRUE(input->close());
  }
}

}  // namespace
