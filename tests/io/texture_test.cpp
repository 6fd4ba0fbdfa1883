// Levels of textures, and whole numbers in files: against areas by definition and other readers.
#include <cmath>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <thread>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "io/images/formats.hpp"
#include "subprocess.hpp"

namespace dapple {
namespace {

using test::TemporaryFolder;

constexpr const char* oiiotool = "/usr/bin/oiiotool";

Image noise(int width, int height, const std::vector<std::string>& names) {
  Image image;
  image.encoding = Encoding::data;
  image.type = PixelType::f32;
  image.names = names;
  Random random(7, Stream::tests);
  for (std::size_t c = 0; c < names.size(); ++c) {
    image.channels.emplace_back(width, height);
    for (float& v : image.channels.back().values()) v = static_cast<float>(random.uniform());
  }
  return image;
}

// The mean over the area of pixel (x, y) of `to`, by overlaps with every pixel of `from`.
double mean_by_areas(const Plane<float>& from, const Plane<float>& to, int x, int y) {
  const double sx = 1.0 * from.width() / to.width();
  const double sy = 1.0 * from.height() / to.height();
  const auto overlap = [](double step, int i, int k) {
    return std::max(0.0, std::min((i + 1) * step, k + 1.0) - std::max(i * step, 1.0 * k));
  };
  double sum = 0;
  for (int j = 0; j < from.height(); ++j) {
    for (int i = 0; i < from.width(); ++i) {
      sum += overlap(sx, x, i) * overlap(sy, y, j) * static_cast<double>(from(i, j));
    }
  }
  return sum / (sx * sy);
}

TEST(Texture, LevelsAreMeansOverAreas) {
  for (const auto& [width, height] : {std::pair{16, 16}, {13, 7}, {1, 9}, {6, 5}, {1, 1}}) {
    const Image image = noise(width, height, {"F1"});
    const std::vector<Image> levels = smaller_levels(image);
    const Plane<float>* above = &image.channels[0];
    for (const Image& level : levels) {
      const Plane<float>& plane = level.channels[0];
      ASSERT_EQ(plane.width(), std::max(above->width() / 2, 1));
      ASSERT_EQ(plane.height(), std::max(above->height() / 2, 1));
      for (int y = 0; y < plane.height(); ++y) {
        for (int x = 0; x < plane.width(); ++x) {
          ASSERT_NEAR(plane(x, y), mean_by_areas(*above, plane, x, y), 1e-6)
              << width << "x" << height << " at " << x << ", " << y;
        }
      }
      above = &plane;
    }
    EXPECT_EQ(above->size(), 1u);
  }
}

TEST(Texture, LabelsAreNeverAveraged) {
  Image image = noise(31, 20, {"F1", "cell.id"});
  image.hints.labels = {"cell.id"};
  for (const Image& level : smaller_levels(image)) {
    const std::set<float> known(image.channels[1].values().begin(),
                                image.channels[1].values().end());
    for (const float v : level.channels[1].values()) ASSERT_TRUE(known.contains(v));
    ASSERT_FALSE(known.contains(level.channels[0](0, 0)));
  }
}

TEST(Texture, LightAddsUpInLinearLight) {
  Image image = noise(2, 1, {"R", "G", "B"});
  image.encoding = Encoding::srgb;
  image.type = PixelType::u8;
  for (Plane<float>& plane : image.channels) {
    plane(0, 0) = 0;
    plane(1, 0) = 1;
  }
  const std::vector<Image> levels = smaller_levels(image);
  ASSERT_EQ(levels.size(), 1u);
  EXPECT_NEAR(levels[0].channels[1](0, 0), linear_to_srgb(0.5f), 1e-4);
  image.encoding = Encoding::data;
  EXPECT_EQ(smaller_levels(image)[0].channels[1](0, 0), 0.5f);
}

TEST(Texture, SlicesAreRefused) {
  Image image = noise(4, 8, {"Y"});
  image.slices = 2;
  EXPECT_THROW(encode_image(image, "tx"), Error);
}

// ---- whole numbers ------------------------------------------------------------------------------

// Beyond 2^24 floats skip numbers.
const std::vector<std::uint32_t> large{1, (1u << 24) + 1, (1u << 24) + 3, 4000000001u};

Image numbered(const std::vector<std::string>& names) {
  Image image = noise(4, 1, names);
  image.hints.labels = {"id"};
  image.hints.integers.resize(names.size());
  Plane<std::uint32_t> plane(4, 1);
  std::copy(large.begin(), large.end(), plane.values().begin());
  image.hints.integers[static_cast<std::size_t>(image.find("id"))] = plane;
  return image;
}

std::string bytes_of_numbers() {
  std::string bytes(4 * large.size(), '\0');
  std::memcpy(bytes.data(), large.data(), bytes.size());
  return bytes;
}

TEST(Texture, WholeNumbersSurviveInFiles) {
  if (!std::filesystem::exists(oiiotool)) GTEST_SKIP();
  const TemporaryFolder folder;
  for (const std::string name : {"a.exr", "a.tif"}) {
    folder.write(name, encode_image(numbered({"id"}), name.substr(2)));
    const std::string dump = test::run_process({oiiotool, "--dumpdata", name}, folder.path()).out;
    EXPECT_NE(dump.find("uint"), std::string::npos) << dump;
    for (std::size_t i = 0; i < large.size(); ++i) {
      const std::string pixel =
          "Pixel (" + std::to_string(i) + ", 0): " + std::to_string(large[i]) + " ";
      EXPECT_NE(dump.find(pixel), std::string::npos) << name << "\n" << dump;
    }
  }
}

// So few values are stored as they are.
TEST(Texture, WholeNumbersStandBesideHalvesAndFloats) {
  for (const PixelType type : {PixelType::f16, PixelType::f32}) {
    Image image = numbered({"F1", "id"});
    image.type = type;
    const std::string bytes = encode_image(image, "exr");
    EXPECT_NE(bytes.find(bytes_of_numbers()), std::string::npos);
    EXPECT_THROW(encode_image(image, "tif"), Error);
    EXPECT_NO_THROW(encode_image(image, "png"));
  }
}

TEST(Texture, LabelsAreNeverHalves) {
  Image image = noise(4, 1, {"F1", "id"});
  image.hints.labels = {"id"};
  image.type = PixelType::f16;
  for (float& v : image.channels[1].values()) v = 70001 + v;
  const TemporaryFolder folder;
  for (const std::string name : {"a.exr", "a.tx", "a.tif"}) {
    folder.write(name, encode_image(image, name.substr(2)));
    const Image again = read_image((folder / name).string(), Limits{});
    ASSERT_EQ(again.channels.size(), 2u);  // a .tif does not keep their names
    EXPECT_EQ(again.channels[1], image.channels[1]) << name;
  }
}

// ---- compression --------------------------------------------------------------------------------

TEST(Texture, WhatDoesNotPackIsNotPacked) {
  ImageEncoding how;
  const auto compression = [&](const Image& image, const char* extension) {
    how.extension = extension;
    return packing_of(image, how).at(0).second;
  };
  Image image = noise(512, 512, {"F1"});
  EXPECT_EQ(compression(image, "exr"), "none");
  EXPECT_LT(encode_image(image, "exr").size(), 4u * 512 * 512 + 10000);
  image.type = PixelType::f16;
  EXPECT_EQ(compression(image, "exr"), "zip:1");
  image.type = PixelType::f32;
  EXPECT_EQ(compression(image, "tif"), "zip");
  for (float& v : image.channels[0].values()) v = std::floor(v * 4);
  EXPECT_EQ(compression(image, "exr"), "zip");
  EXPECT_LT(encode_image(image, "exr").size(), 512u * 512);
  EXPECT_EQ(compression(noise(500, 600, {"F1"}), "exr"), "zip") << "small ones are worth it";
}

TEST(Texture, IsNoHalfWhereHalvesSkipWholeNumbers) {
  const TemporaryFolder folder;
  Image image = noise(64, 64, {"area"});
  image.hints.half_enough = true;
  for (const float value : {2048.0f, 2049.0f, 70001.0f}) {
    image.channels[0](3, 5) = value;
    folder.write("a.tx", encode_image(image, "tx"));
    const Image back = read_image((folder / "a.tx").string(), Limits{});
    EXPECT_EQ(back.type, value > 2048 ? PixelType::f32 : PixelType::f16);
    EXPECT_EQ(back.channels[0](3, 5), value);
  }
}

TEST(Texture, FilesAreEncodedSideBySide) {
  const Image image = noise(256, 200, {"F1", "F2"});
  const std::vector<std::string> formats = {"exr", "tif", "tx", "png"};
  std::vector<std::string> right;
  for (const std::string& format : formats) right.push_back(encode_image(image, format));
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Context context;
      context.threads = t;
      for (std::size_t i = 0; i < 24; ++i) {
        const std::size_t f = i % formats.size();
        wrong[static_cast<std::size_t>(t)] +=
            encode_image(image, formats[f], context) != right[f] ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

}  // namespace
}  // namespace dapple
