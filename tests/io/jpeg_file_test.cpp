// JPEG files as libjpeg reads them here, beside what OpenImageIO reads from the same ones.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <jpeglib.h>
#include <unistd.h>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "io/images/read/header_probe.hpp"
#include "io/images/read/jpeg.hpp"
#include "io/images/read/scanline_bands.hpp"

namespace dapple {
namespace {

namespace fs = std::filesystem;

class JpegFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = (fs::temp_directory_path() / ("dapple-jpeg-" + std::to_string(::getpid()) + ".jpg"));
  }
  void TearDown() override { fs::remove(path_); }

  void put(const std::string& bytes) const { write_file(path_, bytes, Overwrite::always); }
  InputFile file() const { return {path_, Context()}; }
  std::unique_ptr<ImageReader> open() const {
    std::unique_ptr<ImageReader> reader;
    ImageHeader header;
    EXPECT_EQ(open_jpeg(file(), reader, header).text, "");
    return reader;
  }
  void expect_both_alike(const std::string& what) const {
    const std::unique_ptr<ImageReader> ours = open();
    ASSERT_NE(ours, nullptr) << what;
    std::unique_ptr<ImageReader> theirs;
    ImageHeader header;
    const InputFile input = file();
    ASSERT_EQ(
        open_in_process(input.descriptor(), "jpeg", EmbeddedProfile::convert, theirs, header).text,
        "");
    Image image, other;
    const auto silent = [](double) { return true; };
    EXPECT_EQ(ours->read(image, silent).text, "");
    EXPECT_EQ(theirs->read(other, silent).text, "");
    EXPECT_EQ(image.names, other.names) << what;
    EXPECT_EQ(image.channels, other.channels) << what;
    EXPECT_EQ(image.type, other.type) << what;
    EXPECT_EQ(image.encoding, other.encoding) << what;
  }
  std::string message() const {
    try {
      read_image(path_, Limits{});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return "nothing";
  }

  std::string path_;
};

// Waves and noise of 61x45 pixels.
std::string jpeg(J_COLOR_SPACE space, int channels, bool progressive, bool subsampled) {
  jpeg_compress_struct c{};
  jpeg_error_mgr errors{};
  c.err = jpeg_std_error(&errors);
  jpeg_create_compress(&c);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&c, &buffer, &size);
  c.image_width = 61;
  c.image_height = 45;
  c.input_components = channels;
  c.in_color_space = space;
  jpeg_set_defaults(&c);
  if (!subsampled) c.comp_info[0].h_samp_factor = c.comp_info[0].v_samp_factor = 1;
  if (progressive) jpeg_simple_progression(&c);
  jpeg_start_compress(&c, TRUE);
  Random random(7, Stream::tests);
  std::vector<JSAMPLE> row(c.image_width * static_cast<unsigned>(channels));
  while (c.next_scanline < c.image_height) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = static_cast<JSAMPLE>(4 * c.next_scanline + 10 * (i % 7) + random.below(16));
    }
    JSAMPROW start = row.data();
    jpeg_write_scanlines(&c, &start, 1);
  }
  jpeg_finish_compress(&c);
  std::string bytes(reinterpret_cast<const char*>(buffer), size);
  jpeg_destroy_compress(&c);
  std::free(buffer);
  return bytes;
}

// Exif data of one entry, behind the JFIF header as cameras' programs put it.
std::string exif(bool large_first, int orientation) {
  const auto two = [&](int v) {
    const std::string text{static_cast<char>(v / 256), static_cast<char>(v % 256)};
    return large_first ? text : std::string(text.rbegin(), text.rend());
  };
  const auto four = [&](int v) { return large_first ? two(0) + two(v) : two(v) + two(0); };
  return std::string("Exif\0\0", 6) + (large_first ? "MM" : "II") + two(42) + four(8) + two(1) +
         two(0x0112) + two(3) + four(1) + two(orientation) + two(0) + four(0);
}

std::string with_marker(const std::string& file, int marker, const std::string& data) {
  const std::size_t size = data.size() + 2;
  return file.substr(0, 2) + std::string{'\xff', static_cast<char>(marker)} +
         std::string{static_cast<char>(size / 256), static_cast<char>(size % 256)} + data +
         file.substr(2);
}

TEST_F(JpegFiles, EveryKindIsReadAsOpenImageIoReadsIt) {
  for (const bool progressive : {false, true}) {
    put(jpeg(JCS_GRAYSCALE, 1, progressive, true));
    expect_both_alike("grey");
    for (const bool subsampled : {false, true}) {
      put(jpeg(JCS_RGB, 3, progressive, subsampled));
      expect_both_alike("color");
    }
  }
}

TEST_F(JpegFiles, ExifSaysHowTheyStand) {
  const std::string file = jpeg(JCS_RGB, 3, false, true);
  for (const bool large_first : {false, true}) {
    for (int orientation = 1; orientation <= 8; ++orientation) {
      const std::string data = exif(large_first, orientation);
      EXPECT_EQ(exif_facts(data).orientation, orientation);
      put(with_marker(file, 0xe1, data));
      expect_both_alike(std::to_string(orientation));
      EXPECT_EQ(read_image(path_, Limits{}).width(), orientation < 5 ? 61 : 45);
    }
  }
  // Cut off anywhere, or with an offset to nowhere.
  const std::string whole = exif(true, 6);
  for (std::size_t n = 0; n < whole.size() - 6; ++n) {
    EXPECT_EQ(exif_facts(whole.substr(0, n)).orientation, 0) << n;
  }
  std::string wrong = whole;
  wrong[10] = '\x7f';
  EXPECT_EQ(exif_facts(wrong).orientation, 0);
}

TEST_F(JpegFiles, OthersAreTheModules) {
  const std::string file = jpeg(JCS_RGB, 3, false, true);
  put(with_marker(file, 0xfe, "dapple:slices: 3"));
  EXPECT_EQ(open(), nullptr);
  EXPECT_EQ(read_frames(path_, Context()).slices, 3);
  put(with_marker(file, 0xe1, "http://ns.adobe.com/xap/1.0/ ... tiff:Orientation"));
  EXPECT_EQ(open(), nullptr);
  put(jpeg(JCS_CMYK, 4, false, true));
  EXPECT_EQ(open(), nullptr);
  EXPECT_EQ(read_image(path_, Limits{}).channels.size(), 3u);
  put("no jpeg");
  EXPECT_EQ(probe_header(InputFile(path_, Context())).format, "");
}

TEST_F(JpegFiles, DamagedOnesSayWhere) {
  const std::string whole = jpeg(JCS_RGB, 3, false, false);
  put(whole.substr(0, whole.size() / 2));
  EXPECT_NE(message().find("is damaged or incomplete from row"), std::string::npos) << message();
  put(whole.substr(0, 30));
  EXPECT_NE(message().find("cannot be read as an image"), std::string::npos) << message();
  // A revision that nobody knows harms nobody.
  std::string odd = whole;
  odd[11] = 9;
  put(odd);
  EXPECT_EQ(message(), "nothing");
}

}  // namespace
}  // namespace dapple
