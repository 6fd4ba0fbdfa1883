// PNG files as libpng reads and writes them here, beside what OpenImageIO reads from the same ones.
#include "io/images/png_file.hpp"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <png.h>
#include <unistd.h>
#include <utility>
#include <zlib.h>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "io/images/read/scanline_bands.hpp"
#include "io/points/format.hpp"
#include "simd_targets.hpp"

namespace dapple {
namespace {

namespace fs = std::filesystem;

const ImageProgress silent = [](double) { return true; };

class PngFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = (fs::temp_directory_path() / ("dapple-png-" + std::to_string(::getpid()) + ".png"));
  }
  void TearDown() override { fs::remove(path_); }

  void put(const std::string& bytes) const { write_file(path_, bytes, Overwrite::always); }
  void put(const PngHeader& header, int channels) const {
    Random random(5, Stream::tests);
    const auto values = static_cast<std::size_t>(header.width * channels * (header.bits / 8 + 1));
    std::vector<png_byte> row(values);
    std::string bytes;
    const ModuleError error = write_png(
        header,
        [&](int) {
          // Packed values take a byte each until they are written.
          const unsigned levels = header.palette.empty()
                                      ? 1u << std::min(header.bits, 8)
                                      : static_cast<unsigned>(header.palette.size());
          for (png_byte& v : row) v = static_cast<png_byte>(random.below(levels));
          return row.data();
        },
        [&](std::string_view more) {
          bytes += more;
          return 0;
        });
    ASSERT_EQ(error.text, "");
    put(bytes);
  }

  InputFile file() const { return {path_, Context()}; }
  // By libpng, and by OpenImageIO.
  Image ours() const {
    std::unique_ptr<ImageReader> reader;
    ImageHeader header;
    EXPECT_EQ(open_png(file(), reader, header).text, "");
    return reader == nullptr ? Image() : read(*reader, header);
  }
  Image theirs() const {
    std::unique_ptr<ImageReader> reader;
    ImageHeader header;
    const InputFile input = file();
    EXPECT_EQ(
        open_in_process(input.descriptor(), "png", EmbeddedProfile::convert, reader, header).text,
        "");
    return read(*reader, header);
  }
  static Image read(ImageReader& reader, const ImageHeader& header) {
    Image image;
    EXPECT_EQ(reader.read(image, silent).text, "");
    EXPECT_EQ(image.width(), header.width);
    EXPECT_EQ(image.height(), header.height);
    EXPECT_EQ(static_cast<int>(image.channels.size()), header.channels);
    return image;
  }
  void expect_both_alike(const std::string& what) const {
    const Image image = ours();
    const Image other = theirs();
    EXPECT_EQ(image.names, other.names) << what;
    EXPECT_EQ(image.channels, other.channels) << what;
    EXPECT_EQ(image.type, other.type) << what;
    EXPECT_EQ(image.encoding, other.encoding) << what;
  }

  std::string path_;
};

struct Kind {
  int color_type;
  int channels;
  int bits;
};

TEST_F(PngFiles, EveryKindIsReadAsOpenImageIoReadsIt) {
  constexpr std::array<Kind, 15> kinds{{{PNG_COLOR_TYPE_GRAY, 1, 1},
                                        {PNG_COLOR_TYPE_GRAY, 1, 2},
                                        {PNG_COLOR_TYPE_GRAY, 1, 4},
                                        {PNG_COLOR_TYPE_GRAY, 1, 8},
                                        {PNG_COLOR_TYPE_GRAY, 1, 16},
                                        {PNG_COLOR_TYPE_GRAY_ALPHA, 2, 8},
                                        {PNG_COLOR_TYPE_GRAY_ALPHA, 2, 16},
                                        {PNG_COLOR_TYPE_RGB, 3, 8},
                                        {PNG_COLOR_TYPE_RGB, 3, 16},
                                        {PNG_COLOR_TYPE_RGB_ALPHA, 4, 8},
                                        {PNG_COLOR_TYPE_RGB_ALPHA, 4, 16},
                                        {PNG_COLOR_TYPE_PALETTE, 1, 1},
                                        {PNG_COLOR_TYPE_PALETTE, 1, 2},
                                        {PNG_COLOR_TYPE_PALETTE, 1, 4},
                                        {PNG_COLOR_TYPE_PALETTE, 1, 8}}};
  for (const Kind& kind : kinds) {
    for (const bool srgb : {true, false}) {
      for (const bool transparent : {false, true}) {
        PngHeader header;
        // More rows than are read at once, and no whole number of bytes in a row of bits.
        header.width = 37;
        header.height = 150;
        header.bits = kind.bits;
        header.color_type = kind.color_type;
        header.srgb = srgb;
        const bool indexed = kind.color_type == PNG_COLOR_TYPE_PALETTE;
        for (int i = 0; indexed && i < 1 << kind.bits; ++i) {
          const auto v = static_cast<png_byte>(i);
          header.palette.push_back(
              {v, static_cast<png_byte>(255 - v), static_cast<png_byte>(7 * v)});
          if (transparent) header.alpha.push_back(static_cast<png_byte>(3 * v));
        }
        if (transparent && !indexed) continue;
        put(header, kind.channels);
        expect_both_alike(std::to_string(kind.color_type) + ", " + std::to_string(kind.bits) +
                          " bits");
      }
    }
  }
}

// libpng itself, which appends to the string.
png_structp png_into(std::string& file) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_set_write_fn(
      png, &file,
      [](png_structp to, png_bytep bytes, std::size_t count) {
        static_cast<std::string*>(png_get_io_ptr(to))
            ->append(reinterpret_cast<const char*>(bytes), count);
      },
      [](png_structp) {});
  return png;
}

// Writes what the program never does.
std::string rare_png(bool interlaced, const std::vector<png_byte>& exif, double gamma) {
  constexpr png_uint_32 width = 21;
  constexpr png_uint_32 height = 70;
  std::string bytes;
  png_structp png = png_into(bytes);
  png_infop info = png_create_info_struct(png);
  png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGB,
               interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  if (gamma > 0) png_set_gAMA(png, info, gamma);
  if (!exif.empty()) {
    png_set_eXIf_1(png, info, static_cast<png_uint_32>(exif.size()),
                   const_cast<png_bytep>(exif.data()));
  }
  png_write_info(png, info);
  Random random(6, Stream::tests);
  std::vector<png_byte> values(3 * width * height);
  for (png_byte& v : values) v = static_cast<png_byte>(random.below(256));
  std::vector<png_bytep> rows;
  for (png_uint_32 y = 0; y < height; ++y) rows.push_back(values.data() + 3 * width * y);
  png_write_image(png, rows.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return bytes;
}

TEST_F(PngFiles, InterlacedOnesAndGammasAreReadToo) {
  put(rare_png(true, {}, 0));
  expect_both_alike("interlaced");
  EXPECT_EQ(ours().channels, (put(rare_png(false, {}, 0)), ours().channels));
  put(rare_png(false, {}, 1 / 2.2));
  expect_both_alike("a gamma");
  EXPECT_EQ(ours().encoding, Encoding::srgb);
  put(rare_png(true, {}, 1));
  expect_both_alike("linear");
  EXPECT_EQ(ours().encoding, Encoding::linear);
}

TEST_F(PngFiles, PicturesThatLieOnTheirSideStandUpright) {
  // One entry: orientation, one short, of 6.
  const std::vector<png_byte> exif{'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0,
                                   3,   0,   0, 0,  1, 0, 6, 0, 0, 0, 0,    0,    0};
  put(rare_png(false, exif, 0));
  std::unique_ptr<ImageReader> reader;
  ImageHeader header;
  EXPECT_EQ(open_png(file(), reader, header).text, "");
  EXPECT_EQ(reader, nullptr);  // one for the module
  const Image image = read_image(path_, Limits{});
  EXPECT_EQ(image.width(), 70);
  EXPECT_EQ(image.height(), 21);
}

TEST_F(PngFiles, TextsComeBack) {
  Image image;
  image.names = {"Y"};
  image.channels.emplace_back(3, 2);
  image.metadata = {{"ImageDescription", "a caf\u00e9"},
                    {"Artist", "somebody"},
                    {"dapple:recipe", std::string(100000, 'x')}};
  put(encode_image(image, "png"));
  EXPECT_EQ(read_image(path_, Limits{}).metadata, image.metadata);
  EXPECT_EQ(theirs().metadata, image.metadata);
}

TEST_F(PngFiles, DamagedOnesSayWhere) {
  const std::string whole = rare_png(false, {}, 0);
  const auto message = [&](const std::string& bytes) {
    put(bytes);
    try {
      read_image(path_, Limits{});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_NE(message(whole.substr(0, 20)).find("cannot be read as an image"), std::string::npos);
  EXPECT_NE(message(whole.substr(0, whole.size() - 300)).find("is damaged or incomplete from row"),
            std::string::npos);
  std::string flipped = whole;
  flipped[60] = static_cast<char>(flipped[60] ^ 0x55);
  EXPECT_NE(message(flipped).find("is damaged or incomplete from row"), std::string::npos)
      << message(flipped);
  EXPECT_NE(message(whole.substr(0, 8) + "not a png at all").find("cannot be read"),
            std::string::npos);
}

TEST_F(PngFiles, WritingStopsWhenAskedTo) {
  Image image;
  image.names = {"Y"};
  image.channels.emplace_back(8, 200);
  std::string bytes;
  const ModuleError error =
      encode_png(image, ImageEncoding(), bytes, [](double fraction) { return fraction < 0.5; });
  EXPECT_EQ(error.kind, ErrorKind::cancelled);
}

// The filtered rows that all IDAT chunks of a file hold.
std::string filtered_rows(const std::string& file) {
  std::string packed;
  for (std::size_t at = 8; at + 8 < file.size();) {
    const auto size = static_cast<std::size_t>(bits_of(std::string_view(file).substr(at, 4), true));
    if (file.compare(at + 4, 4, "IDAT") == 0) packed += file.substr(at + 8, size);
    at += size + 12;
  }
  std::string rows(std::size_t{1} << 20, '\0');
  uLongf size = rows.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(rows.data()), &size,
                       reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
            Z_OK);
  rows.resize(size);
  return rows;
}

// Noise, slopes and both: every filter is the best of some rows.
std::vector<png_byte> varied_row(const PngHeader& header, int y, std::size_t step) {
  Random random(static_cast<std::uint64_t>(y), Stream::tests);
  std::vector<png_byte> row(static_cast<std::size_t>(header.width) * step);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const unsigned slope =
        static_cast<unsigned>(i) * 3 * (y / 8 % 2) + static_cast<unsigned>(y) * 7;
    row[i] = static_cast<png_byte>(slope + random.below(y % 8 == 0 ? 256 : 1u << y % 4 * 2));
  }
  return row;
}

// Asks libpng itself for the same rows.
std::string by_libpng(const PngHeader& header, std::size_t step) {
  std::string file;
  png_structp png = png_into(file);
  png_infop info = png_create_info_struct(png);
  png_set_IHDR(png, info, static_cast<png_uint_32>(header.width),
               static_cast<png_uint_32>(header.height), header.bits, header.color_type,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  if (header.bits == 16) png_set_swap(png);
  for (int y = 0; y < header.height; ++y) {
    png_write_row(png, varied_row(header, y, step).data());
  }
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return file;
}

TEST_F(PngFiles, RowsOfSmallOnesAreFilteredAsLibpngFiltersThem) {
  const std::pair<int, std::size_t> kinds[] = {{PNG_COLOR_TYPE_GRAY, 1},
                                               {PNG_COLOR_TYPE_GRAY_ALPHA, 2},
                                               {PNG_COLOR_TYPE_RGB, 3},
                                               {PNG_COLOR_TYPE_RGB_ALPHA, 4}};
  for (const auto& [type, channels] : kinds) {
    for (const int bits : {8, 16}) {
      for (const int width : {1, 21, 64, 131}) {
        PngHeader header;
        header.width = width;
        header.height = 48;
        header.bits = bits;
        header.color_type = type;
        const std::size_t step = channels * static_cast<std::size_t>(bits / 8);
        const std::string theirs = by_libpng(header, step);
        for_each_simd_target([&](const char* target) {
          std::string bytes;
          std::vector<png_byte> row;
          const ModuleError error = write_png(
              header,
              [&](int y) {
                row = varied_row(header, y, step);
                return row.data();
              },
              [&](std::string_view more) {
                bytes += more;
                return 0;
              });
          ASSERT_EQ(error.text, "");
          EXPECT_EQ(filtered_rows(bytes), filtered_rows(theirs))
              << target << " " << header.color_type << " " << bits << " " << width;
          EXPECT_LE(bytes.size(), theirs.size() + theirs.size() / 20 + 90);
        });
      }
    }
  }
}

}  // namespace
}  // namespace dapple
