// OpenEXR files that are packed here, read back by OpenImageIO, and their headers beside its own.
#include "io/images/exr_pack.hpp"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/image_files.hpp"

namespace dapple {
namespace {

Image noise(int width, int height, PixelType type, std::vector<std::string> names, double detail) {
  Image image;
  image.encoding = Encoding::data;
  image.type = type;
  image.names = std::move(names);
  image.metadata = {{"Description", "of a test"}};
  Random random(3, Stream::tests);
  for (std::size_t c = 0; c < image.names.size(); ++c) {
    Plane<float> plane(width, height);
    for (float& v : plane.values()) {
      v = static_cast<float>(std::floor(random.uniform() * detail) - std::floor(detail / 3));
    }
    image.channels.push_back(std::move(plane));
  }
  return image;
}

Image read_back(const std::string& bytes) {
  // Tests run side by side.
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::string path = ::testing::TempDir() + "exr_pack_" + test->name() + ".exr";
  Context context;
  write_file(path, bytes, Overwrite::always);
  const Image image = read_image(path, context);
  std::filesystem::remove(path);
  return image;
}

ImageEncoding zipped() {
  ImageEncoding how;
  how.extension = "exr";
  how.attributes = {{"compression", "zip:1"}};
  return how;
}

TEST(ExrPack, IsReadBackValueByValue) {
  Context context;
  for (const int height : {1, 15, 16, 17, 70}) {
    for (const int width : {1, 2, 33}) {
      for (const PixelType type : {PixelType::f16, PixelType::f32}) {
        // Zeros, steps, and what does not get smaller.
        for (const double detail : {1.0, 9.0, 1e6}) {
          Image image = noise(width, height, type, {"edge", "Zed", "F1", "random.x"}, detail);
          if (type == PixelType::f16) {
            for (auto& plane : image.channels) {
              for (float& v : plane.values()) v = std::fmod(v, 2048.0f);
            }
          }
          ASSERT_TRUE(packs_exr(image, zipped()));
          const Image back = read_back(encode_exr(image, zipped(), context));
          ASSERT_EQ(back.width(), width);
          ASSERT_EQ(back.height(), height);
          for (std::size_t c = 0; c < image.names.size(); ++c) {
            const int found = back.find(image.names[c]);
            ASSERT_GE(found, 0);
            ASSERT_EQ(back.channels[static_cast<std::size_t>(found)], image.channels[c])
                << height << " " << width << " " << detail;
          }
        }
      }
    }
  }
}

TEST(ExrPack, IsTheSameOnAnyNumberOfThreads) {
  const Image image = noise(50, 3000, PixelType::f16, {"F1", "F2"}, 40);
  Context context;
  ImageEncoding how = zipped();
  how.threads = 1;
  const std::string one = encode_exr(image, how, context);
  how.threads = 3;
  EXPECT_EQ(encode_exr(image, how, context), one);
}

// Each float becomes the half of half_of(), infinities, halves below the normal ones and ties too.
TEST(ExrPack, HalvesAreRoundedToNearest) {
  std::vector<float> values{
      0.0f,           -0.0f,          65504.0f, 65519.9f,
      65520.0f,       1e6f,           -1e6f,    std::numeric_limits<float>::infinity(),
      6.1e-5f,        5.9e-8f,        2.9e-8f,  3.0e-8f,
      1.00048828125f, 1.00146484375f, 2049.0f,  2051.0f};
  Random random(4, Stream::tests);
  while (values.size() < 4096) {
    const auto bits = static_cast<std::uint32_t>(random.below(0x7f7fffff));
    float v;
    std::memcpy(&v, &bits, sizeof v);
    values.push_back(values.size() % 2 != 0 ? v : -v);
  }
  Image image = noise(64, 64, PixelType::f16, {"Y"}, 1);
  std::copy(values.begin(), values.end(), image.channels[0].values().begin());
  Context context;
  ImageEncoding how = zipped();
  const std::string bytes = encode_exr(image, how, context);
  // A twin by OpenImageIO, which rounds as the standard says.
  std::string other;
  ASSERT_TRUE(
      image_module("exr").encode(image, how, other, [](double) { return true; }).text.empty());
  const Image a = read_back(bytes);
  const Image b = read_back(other);
  EXPECT_EQ(a.channels, b.channels);
}

// Up to the table of places the file is that of OpenImageIO.
TEST(ExrPack, HasItsHeader) {
  const Image image = noise(40, 50, PixelType::f16, {"F1", "edge", "random"}, 30);
  Context context;
  const std::string bytes = encode_exr(image, zipped(), context);
  std::string other;
  ASSERT_TRUE(
      image_module("exr").encode(image, zipped(), other, [](double) { return true; }).text.empty());
  std::uint64_t first = 0;
  const ExrPacker packer(rows_of(image, 0, 1), 50, zipped());
  std::memcpy(&first, bytes.data() + packer.table_at(), sizeof first);
  EXPECT_EQ(first, packer.table_at() + 8 * 4);  // four chunks of 16 rows
  EXPECT_EQ(bytes.substr(0, packer.table_at()), other.substr(0, packer.table_at()));
}

TEST(ExrPack, LeavesToOpenImageIoWhatItDoesNotKnow) {
  Image image = noise(8, 8, PixelType::f16, {"R", "G", "B", "A"}, 3);
  ImageEncoding how = zipped();
  EXPECT_TRUE(packs_exr(image, how));
  how.premultiply = true;
  EXPECT_FALSE(packs_exr(image, how));
  how = zipped();
  how.texture = true;
  EXPECT_FALSE(packs_exr(image, how));
  how = zipped();
  how.attributes = {{"compression", "none"}};
  EXPECT_FALSE(packs_exr(image, how));
}

}  // namespace
}  // namespace dapple
