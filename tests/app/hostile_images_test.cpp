// Small files that claim to be huge, by the program as installed: they are refused with a message,
// in little memory. Where DAPPLE_BOMBS is set to a file, a table of what each took is added to it.
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <zlib.h>

#include "program_test.hpp"
#include "sanitized.hpp"

namespace dapple {
namespace {

namespace fs = std::filesystem;
using test::Outcome;
using Words = std::vector<std::string>;

std::string number(std::uint64_t value, int bytes, bool highest_first) {
  std::string text;
  for (int i = 0; i < bytes; ++i) {
    text += static_cast<char>(value >> 8 * (highest_first ? bytes - 1 - i : i) & 0xff);
  }
  return text;
}
std::string big(std::uint64_t value, int bytes = 4) {
  return number(value, bytes, true);
}
std::string little(std::uint64_t value, int bytes = 4) {
  return number(value, bytes, false);
}

// So many bytes of one value; in pieces, since what this process ever held counts as the peak of
// those that it spawns.
std::string deflated(std::size_t count, char value) {
  z_stream stream{};
  deflateInit(&stream, 9);
  std::string piece(1 << 16, value);
  std::string packed;
  std::array<Bytef, 4096> out{};
  int state = Z_OK;
  while (state != Z_STREAM_END) {
    if (stream.avail_in == 0) {
      stream.avail_in = static_cast<uInt>(std::min(count, piece.size()));
      stream.next_in = reinterpret_cast<Bytef*>(piece.data());
      count -= stream.avail_in;
    }
    stream.next_out = out.data();
    stream.avail_out = out.size();
    state = deflate(&stream, count == 0 ? Z_FINISH : Z_NO_FLUSH);
    packed.append(reinterpret_cast<const char*>(out.data()), out.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return packed;
}

// ---- PNG ----------------------------------------------------------------------------------------

std::string chunk(const std::string& name, const std::string& data) {
  const std::string both = name + data;
  const auto sum =
      crc32(0, reinterpret_cast<const Bytef*>(both.data()), static_cast<uInt>(both.size()));
  return big(data.size()) + both + big(sum);
}

std::string png(std::uint32_t width, std::uint32_t height, int bits, int color, bool interlaced,
                const std::string& texts, const std::string& pixels) {
  return "\x89PNG\r\n\x1a\n" +
         chunk("IHDR", big(width) + big(height) + big(static_cast<unsigned>(bits), 1) +
                           big(static_cast<unsigned>(color), 1) + big(0, 2) +
                           big(interlaced ? 1 : 0, 1)) +
         texts + chunk("IDAT", pixels) + chunk("IEND", "");
}

// 100 texts of some kilobytes that unpack to so many megabytes each.
std::string png_of_texts(std::size_t megabytes) {
  const std::string packed = deflated(megabytes << 20, ' ');
  std::string texts;
  for (int i = 0; i < 100; ++i) {
    texts += chunk("zTXt", "k" + std::to_string(i) + std::string(2, '\0') + packed);
  }
  return png(1, 1, 8, 0, false, texts, deflated(2, '\0'));
}

// ---- TIFF ---------------------------------------------------------------------------------------

std::string entry(unsigned tag, unsigned value) {
  return little(tag, 2) + little(4, 2) + little(1) + little(value);
}

// A page at an offset; its pixels are the first bytes of the file.
std::string page(unsigned width, unsigned height, unsigned next) {
  return little(9, 2) + entry(256, width) + entry(257, height) + entry(258, 8) + entry(259, 1) +
         entry(262, 1) + entry(273, 0) + entry(277, 1) + entry(278, height) +
         entry(279, width * height) + little(next);
}

std::string tiff(unsigned width, unsigned height) {
  return "II*" + little(0, 1) + little(8) + page(width, height, 0);
}

std::string tiff_of_pages(unsigned count) {
  const auto size = static_cast<unsigned>(page(1, 1, 0).size());
  std::string file = "II*" + little(0, 1) + little(8);
  for (unsigned i = 1; i <= count; ++i) file += page(1, 1, i < count ? 8 + i * size : 0);
  return file;
}

// ---- others -------------------------------------------------------------------------------------

std::string gif(unsigned side) {
  return "GIF89a" + little(side, 2) + little(side, 2) + little(0, 3) + "," + little(0, 4) +
         little(side, 2) + little(side, 2) + little(0, 1) + little(2, 1) + little(1, 1) +
         little(0x44, 1) + little(0, 1) + ";";
}

std::string attribute(const std::string& name, const std::string& type, const std::string& value) {
  return name + '\0' + type + '\0' + little(value.size()) + value;
}

std::string exr(unsigned right, unsigned bottom, unsigned tile = 0) {
  const std::string window = little(0, 8) + little(right) + little(bottom);
  const std::string channel =
      std::string("Y") + '\0' + little(2) + little(0) + little(1) + little(1);
  std::string file = "\x76\x2f\x31\x01" + little(tile > 0 ? 0x202 : 2) +
                     attribute("channels", "chlist", channel + '\0') +
                     attribute("compression", "compression", little(3, 1)) +
                     attribute("dataWindow", "box2i", window) +
                     attribute("displayWindow", "box2i", window) +
                     attribute("lineOrder", "lineOrder", little(0, 1)) +
                     attribute("pixelAspectRatio", "float", little(0x3f800000)) +
                     attribute("screenWindowCenter", "v2f", little(0, 8)) +
                     attribute("screenWindowWidth", "float", little(0x3f800000));
  if (tile > 0) file += attribute("tiles", "tiledesc", little(tile) + little(tile) + little(0, 1));
  return file + '\0';
}

std::string bmp(unsigned side) {
  return "BM" + little(54) + little(0) + little(54) + little(40) + little(side) + little(side) +
         little(1, 2) + little(24, 2) + little(0, 24);
}

std::string targa(unsigned side) {
  return little(0, 2) + little(2, 1) + little(0, 9) + little(side, 2) + little(side, 2) +
         little(24, 1) + little(0, 1) + little(0, 8);
}

std::string webp(unsigned side) {
  const std::string data = little(0x2f, 1) + little((side - 1) | (side - 1) << 14) + little(0, 3);
  return "RIFF" + little(data.size() + 12) + "WEBPVP8L" + little(data.size()) + data;
}

// A progressive JPEG of so many scans, all of them empty.
std::string jpeg(unsigned width, unsigned height, int scans) {
  const auto marker = [](int kind, const std::string& data) {
    return "\xff" + big(static_cast<unsigned>(kind), 1) + big(data.size() + 2, 2) + data;
  };
  std::string table(16, '\0');
  table[0] = 1;  // a single code, of one bit
  std::string file = "\xff\xd8" + marker(0xdb, big(0, 1) + std::string(64, '\1')) +
                     marker(0xc2, big(8, 1) + big(height, 2) + big(width, 2) + big(0x01011100, 4)) +
                     marker(0xc4, big(0, 1) + table + big(0, 1)) +
                     marker(0xc4, big(0x10, 1) + table + big(0xe0, 1));
  for (int i = 0; i < scans; ++i) {
    const bool first = i == 0;
    file += marker(0xda, big(1, 1) + big(0x0100, 2) + (first ? big(0, 3) : big(0x013f00, 3)));
    file += std::string(first ? width / 8 * height / 64 : 64, '\0');
  }
  return file + "\xff\xd9";
}

// ---- the bombs ----------------------------------------------------------------------------------

struct Bomb {
  std::string name;
  std::string file;
  std::string bytes;
  int code;
  std::string message;
  Words options = {};
};

std::vector<Bomb> bombs() {
  const std::string cannot = "bytes are too few for";
  return {
      {"57 bytes of PNG",
       "wide.png",
       png(268435456, 1, 16, 6, false, "", ""),
       5,
       "--max-memory",
       {"--max-memory", "4G"}},
      {"57 bytes of PNG, interlaced", "laced.png", png(16384, 16384, 16, 6, true, "", ""), 3,
       cannot},
      {"PNG, 100 texts of 37 MB", "texts.png", png_of_texts(37), 5, "texts and profiles"},
      {"PNG, 100 texts of 7 MB", "texts.png", png_of_texts(7), 5, "texts and profiles"},
      {"TIFF of 122 bytes", "huge.tif", tiff(46000, 5800), 3, cannot},
      {"TIFF of 60,000 pages", "pages.tif", tiff_of_pages(60000), 5, "10000 frames"},
      {"GIF of 35 bytes", "huge.gif", gif(16384), 3, cannot},
      {"EXR of 16384x16384", "huge.exr", exr(16383, 16383), 3, cannot},
      {"EXR with large tiles", "tiles.exr", exr(99, 99, 65536), 3, cannot},
      {"BMP of 62 bytes", "huge.bmp", bmp(16384), 3, cannot},
      {"TGA of 26 bytes", "huge.tga", targa(16384), 3, cannot},
      {"WebP of 33 bytes", "huge.webp", webp(16384), 3, cannot},
      {"PPM of 20 bytes", "huge.ppm", "P6\n16384 16384\n255\n", 3, cannot},
      {"PFM of 20 bytes", "huge.pfm", "PF\n9000 9000\n-1.0\n", 3, cannot},
      {"HDR of 60 bytes", "huge.hdr", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 16384 +X 16384\n",
       3, cannot},
      {"JPEG of 200 bytes", "huge.jpg", jpeg(16384, 16384, 0), 3, cannot},
      {"JPEG of 500 scans", "scans.jpg", jpeg(1024, 1024, 500), 5, "scans"},
  };
}

class HostileImages : public test::ProgramTest {
 protected:
  Outcome refused(const Bomb& bomb) const {
    folder.write(bomb.file, bomb.bytes);
    Words words{"dither", bomb.file, "-o", "out.png"};
    words.insert(words.end(), bomb.options.begin(), bomb.options.end());
    const Outcome outcome = run(words);
    if (const char* table = std::getenv("DAPPLE_BOMBS")) {
      char line[160];
      std::snprintf(line, sizeof line, "%-28s exit %3d %7.0f MB %7.2f s\n", bomb.name.c_str(),
                    outcome.code, static_cast<double>(outcome.peak_kb) / 1024, outcome.seconds);
      std::ofstream(table, std::ios::app) << line;
    }
    return outcome;
  }
};

// 30 MB more than the program takes that reads nothing; the table says the time.
TEST_F(HostileImages, AreRefusedInLittleMemory) {
  const Outcome nothing = run({"dither", "missing.png", "-o", "out.png"});
  for (const Bomb& bomb : bombs()) {
    const Outcome outcome = refused(bomb);
    EXPECT_EQ(outcome.code, bomb.code) << bomb.name << ": " << outcome.err;
    EXPECT_NE(outcome.err.find(bomb.message), std::string::npos)
        << bomb.name << ": " << outcome.err;
    EXPECT_LT(outcome.peak_kb, nothing.peak_kb + (30 << 10)) << bomb.name;
    if (test::is_sanitized()) continue;
    // Unpacked, each of them takes seconds.
    EXPECT_LT(outcome.seconds, nothing.seconds + 1) << bomb.name;
  }
}

// The program refuses what it cannot do within the limit, libraries that write included.
TEST_F(HostileImages, LibrariesThatWriteCountAsMemory) {
  const Outcome refused = run({"mask", "--size", "64", "--max-memory", "100M", "-o", "a.exr"});
  EXPECT_EQ(refused.code, 5) << refused.err;
  EXPECT_NE(refused.err.find("writing .exr needs 140 MB"), std::string::npos) << refused.err;
  for (const std::string limit : {"160", "250"}) {
    for (const std::string format : {"exr", "tif", "tx", "jpg", "ppm"}) {
      const Outcome made =
          run({"worley", "--size", "1024", "--max-memory", limit + "M", "-o", "a." + format});
      if (made.code == 5) continue;
      EXPECT_EQ(made.code, 0) << made.err;
      EXPECT_LT(made.peak_kb, 1024 * std::stol(limit)) << format;
    }
  }
}

// What OpenImageIO reads beside the common formats, by name alone.
TEST_F(HostileImages, OtherFormatsAreReadByNameAlone) {
  good({"mask", "--size", "16", "--channels", "4", "-q", "-o", "a.dds"});
  good({"mask", "--size", "16", "-q", "-o", "a.png"});
  std::string bytes = folder.read("a.dds");
  bytes[80] = 0x40;  // pixels of four bytes without alpha, which only OpenImageIO reads
  bytes.replace(104, 4, 4, '\0');
  folder.write("b.png", bytes);  // content counts, not the name
  const Outcome outcome = run({"dither", "b.png", "-o", "c.png"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("it is a dds file, which is read only with --allow-format dds"),
            std::string::npos)
      << outcome.err;
  good({"dither", "b.png", "--allow-format", "psd", "--allow-format", "dds", "-o", "c.png"});
  const Outcome wrong = run({"dither", "a.png", "--allow-format", "pds", "-o", "c.png"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("psd"), std::string::npos) << wrong.err;
  // An 86-byte header of a large Photoshop file.
  const std::string large = "8BPS" + big(2, 2) + big(0, 6) + big(4, 2) + big(300000) + big(300000) +
                            big(8, 2) + big(3, 2) + std::string(60, '\0');
  folder.write("huge.psb", large);
  EXPECT_EQ(run({"dither", "huge.psb", "-o", "c.png"}).code, 5);
  EXPECT_EQ(run({"dither", "huge.psb", "--allow-format", "psd", "--max-pixels", "1000000000000",
                 "--max-memory", "100T", "-o", "c.png"})
                .code,
            3);
  folder.write("text.png", "no image at all, but twenty bytes and more");
  EXPECT_EQ(run({"dither", "text.png", "-o", "c.png"}).code, 3);
}

// Ten million pixels in one row: rows are packed by their bytes, not by their number.
TEST_F(HostileImages, WideOnesTakeNoMoreThanOthers) {
  folder.write("wide.png", png(10000000, 1, 8, 0, false, "", deflated(10000001, '\0')));
  folder.write("square.png", png(3163, 3163, 8, 0, false, "", deflated(3164 * 3163, '\0')));
  for (const std::string format : {"ppm", "png", "tif", "exr"}) {
    const auto peak = [&](const std::string& name) {
      return good({"dither", name, "--linear", "-q", "-o", "out." + format}).peak_kb;
    };
    EXPECT_LT(peak("wide.png"), 2 * peak("square.png") + (200 << 10)) << format;
  }
}

}  // namespace
}  // namespace dapple
