// Images that are written while they are made: the bytes of the whole, and no half a file.
#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"

namespace dapple {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("dapple-rows-" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  auto count() const { return std::distance(fs::directory_iterator(path_), {}); }

 private:
  fs::path path_;
};

Image noise(int width, int height, const std::vector<std::string>& names, PixelType type) {
  Random random(3, Stream::tests);
  Image image;
  image.names = names;
  image.type = type;
  image.encoding = Encoding::data;
  image.metadata = {{"dapple:about", "noise"}};
  for (std::size_t c = 0; c < names.size(); ++c) {
    image.channels.emplace_back(width, height);
    for (float& v : image.channels.back().values()) v = static_cast<float>(random.uniform());
  }
  return image;
}

ImageRows rows_of(const Image& image, int step) {
  return {image.width(), image.height(), step,
          [&](int first, int last) { return rows_of(image, first, last); }};
}

std::string bytes_of(const std::string& path) {
  return read_file(path, 1 << 30);
}

TEST(ImageStream, FilesAreThoseOfTheWhole) {
  const Folder folder;
  const std::vector<std::string> one{"F1"};
  const std::vector<std::string> two{"F1", "F2"};
  for (const char* extension : {"exr", "tif", "tiff", "png"}) {
    for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f16, PixelType::f32}) {
      for (const auto& names : {one, two}) {
        // Both sides above 512, where a sample decides how floats are packed.
        for (const int height : {1, 64, 600}) {
          const Image image = noise(520, height, names, type);
          const std::string path = folder.file(std::string("a.") + extension);
          for (const int step : {64, 128}) {
            EXPECT_TRUE(write_image(path, rows_of(image, step), extension, Overwrite::always, {}));
            EXPECT_TRUE(bytes_of(path) == encode_image(image, extension))
                << extension << " " << static_cast<int>(type) << " " << height;
          }
        }
      }
    }
  }
}

// OpenImageIO makes room for what is done so far in a TIFF that takes more than five seconds.
TEST(ImageStream, BytesDoNotDependOnTheTimeThatRowsTake) {
  const Folder folder;
  const Image image = noise(70, 260, {"F1"}, PixelType::f32);
  ImageRows rows = rows_of(image, 64);
  rows.rows = [make = rows.rows](int first, int last) {
    if (first == 64) std::this_thread::sleep_for(std::chrono::milliseconds(5200));
    return make(first, last);
  };
  const std::string path = folder.file("a.tif");
  EXPECT_TRUE(write_image(path, rows, "tif", Overwrite::always, {}));
  EXPECT_EQ(bytes_of(path).size(), encode_image(image, "tif").size());
  EXPECT_TRUE(bytes_of(path) == encode_image(image, "tif"));
}

TEST(ImageStream, ChannelsOfSeveralTypesAreThoseOfTheWhole) {
  const Folder folder;
  Image image = noise(70, 200, {"F1", "id"}, PixelType::f16);
  image.hints.labels = {"id"};
  const std::string path = folder.file("a.exr");
  write_image(path, rows_of(image, 64), "exr", Overwrite::always, {});
  EXPECT_TRUE(bytes_of(path) == encode_image(image, "exr"));
  image.hints.integers.resize(2);
  image.hints.integers[1] = Plane<std::uint32_t>(70, 200, 16777217);
  write_image(path, rows_of(image, 64), "exr", Overwrite::always, {});
  EXPECT_TRUE(bytes_of(path) == encode_image(image, "exr"));
}

TEST(ImageStream, WhatIsThereAlreadyStays) {
  const Folder folder;
  const Image image = noise(70, 200, {"F1"}, PixelType::u16);
  const std::string path = folder.file("a.png");
  EXPECT_TRUE(write_image(path, rows_of(image, 64), "png", Overwrite::if_changed, {}));
  EXPECT_FALSE(write_image(path, rows_of(image, 64), "png", Overwrite::if_changed, {}));
  Image other = image;
  other.channels[0](69, 199) = 1 - other.channels[0](69, 199);
  EXPECT_TRUE(write_image(path, rows_of(other, 64), "png", Overwrite::if_changed, {}));
  EXPECT_TRUE(bytes_of(path) == encode_image(other, "png"));
  EXPECT_THROW(write_image(path, rows_of(image, 64), "png", Overwrite::never, {}), Error);
  EXPECT_TRUE(bytes_of(path) == encode_image(other, "png"));
}

TEST(ImageStream, RowsThatFailLeaveNoFile) {
  const Folder folder;
  const Image image = noise(70, 200, {"F1"}, PixelType::f32);
  ImageRows rows = rows_of(image, 64);
  rows.rows = [&](int first, int last) {
    if (first == 128) throw Error(ErrorKind::limit, "no more");
    return rows_of(image, first, last);
  };
  for (const char* extension : {"exr", "tif", "png"}) {
    const std::string path = folder.file(std::string("a.") + extension);
    try {
      write_image(path, rows, extension, Overwrite::always, {});
      FAIL() << extension;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::limit);
    }
  }
  Context context;
  context.on_progress = [&](std::string_view, double fraction) {
    if (fraction > 0.3) context.cancel();
  };
  try {
    write_image(folder.file("a.exr"), rows_of(image, 64), "exr", Overwrite::always, context);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
  EXPECT_EQ(folder.count(), 0);
}

TEST(ImageStream, PipesAndOtherFormatsTakeNoRows) {
  EXPECT_TRUE(takes_rows("no-such-file.exr", "exr"));
  EXPECT_FALSE(takes_rows("-", "png"));
  EXPECT_FALSE(takes_rows("/dev/null", "png"));
  EXPECT_FALSE(takes_rows("a.tx", "tx"));
}

TEST(ImageStream, FilesThatGrowTooLargeAreReported) {
  const Folder folder;
  const Image image = noise(700, 700, {"F1"}, PixelType::f32);
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{1 << 16, limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  for (const char* extension : {"exr", "tif", "png"}) {
    const std::string path = folder.file(std::string("a.") + extension);
    try {
      write_image(path, rows_of(image, 64), extension, Overwrite::always, {});
      ADD_FAILURE() << extension;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::output);
      EXPECT_NE(std::string(error.what()).find("ulimit -f"), std::string::npos) << error.what();
    }
  }
  setrlimit(RLIMIT_FSIZE, &limit);
  EXPECT_EQ(folder.count(), 0);
}

}  // namespace
}  // namespace dapple
