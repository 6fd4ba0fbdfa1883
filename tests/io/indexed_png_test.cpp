// PNG files with a palette: what they hold, read back by OpenImageIO, and their headers byte by
// byte.
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>

#include "core/random.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"

namespace dapple {
namespace {

using Rgb8 = std::array<std::uint8_t, 3>;

// The data of the first chunk of a type; "" where there is none.
std::string chunk(const std::string& png, const std::string& type) {
  for (std::size_t at = 8; at + 12 <= png.size();) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      length = length * 256 + static_cast<unsigned char>(png[at + i]);
    }
    if (png.substr(at + 4, 4) == type) return png.substr(at + 8, length);
    at += length + 12;
  }
  return "";
}

int bits(const std::string& png) {
  return chunk(png, "IHDR")[8];
}
int color_type(const std::string& png) {
  return chunk(png, "IHDR")[9];
}

Image decoded(const std::string& png) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() /
      ("dapple-indexed-" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) + "-" +
       testing::UnitTest::GetInstance()->current_test_info()->name() + ".png");
  write_file(file.string(), png, Overwrite::always);
  Image image = read_image(file.string(), Limits{});
  std::filesystem::remove(file);
  return image;
}

// Random pixels of the first `count` of some different colors.
Image picture(int width, int height, std::size_t count) {
  Image image;
  image.names = {"R", "G", "B"};
  image.channels.resize(3, Plane<float>(width, height));
  for (std::size_t i = 0; i < count; ++i) {
    image.hints.palette.push_back({static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(255 - i),
                                   static_cast<std::uint8_t>(i * 37)});
  }
  Random random(4, Stream::tests);
  for (std::size_t i = 0; i < image.channels[0].size(); ++i) {
    const Rgb8 c = image.hints.palette[random.below(static_cast<std::uint32_t>(count))];
    for (std::size_t k = 0; k < 3; ++k) {
      image.channels[k].values()[i] = static_cast<float>(c[k]) / 255.0f;
    }
  }
  return image;
}

std::string palette_bytes(const Image& image) {
  std::string bytes;
  for (const Rgb8& c : image.hints.palette) {
    for (const std::uint8_t v : c) bytes += static_cast<char>(v);
  }
  return bytes;
}

TEST(IndexedPng, HasThePaletteInItsOrderAndTheFewestBits) {
  const std::vector<std::pair<std::size_t, int>> cases{{2, 1},  {3, 2},  {4, 2},  {5, 4},
                                                       {16, 4}, {17, 8}, {256, 8}};
  for (const auto& [count, depth] : cases) {
    for (const int width : {1, 3, 37}) {
      const Image image = picture(width, 29, count);
      const std::string png = encode_image(image, "png");
      EXPECT_EQ(color_type(png), 3) << count;
      EXPECT_EQ(bits(png), depth) << count;
      EXPECT_EQ(chunk(png, "PLTE"), palette_bytes(image));
      EXPECT_EQ(chunk(png, "tRNS"), "");
      const Image back = decoded(png);
      EXPECT_EQ(back.channels, image.channels) << count;
      EXPECT_EQ(back.names, image.names);
      EXPECT_EQ(back.encoding, Encoding::srgb);
    }
  }
}

TEST(IndexedPng, KeepsTextsAndTags) {
  Image image = picture(20, 20, 5);
  image.metadata = {{"dapple:recipe", "a = 1\nb = 2\n"}, {"note", "gr\xc3\xbcn"}};
  const std::string png = encode_image(image, "png");
  Image plain = image;
  plain.hints.palette.clear();
  const std::string other = encode_image(plain, "png");
  EXPECT_EQ(color_type(other), 2);
  for (const char* tag : {"sRGB", "gAMA", "cHRM"}) EXPECT_EQ(chunk(png, tag), chunk(other, tag));
  const Image back = decoded(png);
  for (const auto& text : image.metadata) {
    EXPECT_NE(std::find(back.metadata.begin(), back.metadata.end(), text), back.metadata.end())
        << text.first;
  }
}

TEST(IndexedPng, TransparencyIsAnEntry) {
  Image image = picture(40, 40, 6);
  image.names.emplace_back("A");
  image.channels.emplace_back(40, 40, 1.0f);
  for (int x = 0; x < 40; ++x) {
    for (std::size_t k = 0; k < 3; ++k) {
      image.channels[k](x, 7) = static_cast<float>(image.hints.palette[0][k]) / 255.0f;
    }
    image.channels[3](x, 7) = 0;
  }
  const std::string png = encode_image(image, "png");
  EXPECT_EQ(color_type(png), 3);
  EXPECT_EQ(chunk(png, "PLTE").size(), 3u * 7);
  EXPECT_EQ(chunk(png, "tRNS"), std::string("\xff\xff\xff\xff\xff\xff") + std::string(1, '\0'));
  EXPECT_EQ(decoded(png).channels, image.channels);
  // More shades of alpha than entries: all four channels as they are.
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 40; ++x)
      image.channels[3](x, y) = static_cast<float>((x + 40 * y) % 200) / 255;
  }
  const std::string full = encode_image(image, "png");
  EXPECT_EQ(color_type(full), 6);
  EXPECT_EQ(decoded(full).channels, image.channels);
}

TEST(IndexedPng, LeavesOutUnusedColorsBeforeItGivesUp) {
  Image image = picture(64, 64, 256);
  for (std::size_t k = 0; k < 3; ++k) {
    image.channels[k] =
        Plane<float>(64, 64, static_cast<float>(image.hints.palette[9][k]) / 255.0f);
  }
  image.channels[0](3, 3) = 1.0f;  // a color that the palette lacks
  const std::string png = encode_image(image, "png");
  EXPECT_EQ(color_type(png), 3);
  EXPECT_EQ(bits(png), 1);
  EXPECT_EQ(decoded(png).channels, image.channels);
}

TEST(IndexedPng, GrayOfFewLevelsIsGrayOfFewBits) {
  for (const int levels : {2, 3, 4, 5, 16, 17}) {
    Image image;
    image.names = {"Y"};
    image.channels.emplace_back(33, 21);
    Random random(5, Stream::tests);
    for (int i = 0; i < levels; ++i) {
      const auto v = static_cast<std::uint8_t>(std::lround(255.0 * i / (levels - 1)));
      image.hints.palette.push_back({v, v, v});
    }
    for (float& v : image.channels[0].values()) {
      v = static_cast<float>(
              image.hints.palette[random.below(static_cast<std::uint32_t>(levels))][0]) /
          255.0f;
    }
    const std::string png = encode_image(image, "png");
    EXPECT_EQ(color_type(png), 0) << levels;
    EXPECT_EQ(bits(png), levels == 2 ? 1 : levels == 4 ? 2 : levels == 16 ? 4 : 8) << levels;
    const Image back = decoded(png);
    EXPECT_EQ(back.channels, image.channels) << levels;
  }
}

}  // namespace
}  // namespace dapple
