// Readers where things do not go their way: runs that are stopped, pipes, headers of rare kinds,
// and the bytes that pass between the program and its decoder when one of them is not what it
// should be.
#include <array>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <sys/socket.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/image_files.hpp"
#include "io/images/read/header_probe.hpp"
#include "io/images/read/input_file.hpp"
#include "io/images/sandbox/decoder_protocol.hpp"
#include "io/utf8.hpp"
#include "subprocess.hpp"

namespace dapple {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

const fs::path pictures = DAPPLE_SOURCE_FOLDER "/tests/fuzz/corpus/image";

// Before anything is read, and from each time on that the reader tells how far it is.
int times_stopped(const std::string& path) {
  for (int most = 0; most < 1000; ++most) {
    Context context;
    int calls = 0;
    context.on_progress = [&](std::string_view, double) {
      if (++calls == most) context.cancel();
    };
    if (most == 0) context.cancel();
    try {
      const Image image = read_image(path, context);
      EXPECT_GT(image.width(), 0) << path;
      return most;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled) << path << ": " << error.what();
    }
  }
  return 0;
}

TEST(Reading, StopsWhereverItIsAskedTo) {
  const test::TemporaryFolder folder;
  Image image;
  image.names = {"R", "G", "B"};
  for (int c = 0; c < 3; ++c) image.channels.emplace_back(40, 300);
  for (const std::string extension : {"png", "jpg", "ppm", "tif", "exr", "hdr", "tga"}) {
    folder.write("a." + extension, encode_image(image, extension));
    EXPECT_GE(times_stopped(folder / ("a." + extension)), 2) << extension;
  }
  for (const std::string name : {"interlaced.png", "progressive.jpg"}) {
    EXPECT_GE(times_stopped(pictures / name), 3) << name;
  }
  for (const std::string name : {"text.pgm", "bytes.pbm", "animation.gif", "lossy.webp"}) {
    EXPECT_GE(times_stopped(pictures / name), 1) << name;
  }
}

TEST(Reading, TakesPicturesFromPipes) {
  const test::TemporaryFolder folder;
  const std::string pipe = (folder / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string name : {"grey.png", "rgb.ppm", "rgb.tif"}) {
    std::thread writer(
        [&] { std::ofstream(pipe, std::ios::binary) << std::ifstream(pictures / name).rdbuf(); });
    const Image image = read_image(pipe, Context());
    writer.join();
    EXPECT_EQ(image.channels, read_image(pictures / name, Context()).channels) << name;
  }
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary); });
  try {
    read_image(pipe, Context());
    ADD_FAILURE() << "nothing was read as a picture";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the input is empty"), std::string::npos);
  }
  writer.join();
}

HeaderProbe probe(const std::string& bytes) {
  const test::TemporaryFolder folder;
  folder.write("a", bytes);
  return probe_header(InputFile(folder / "a", Context()));
}

// As their specifications lay them out, by hand: no program writes these any more, or none that is
// here.
TEST(HeaderProbe, OfRareHeaders) {
  const auto text = [](std::initializer_list<int> bytes) {
    return std::string(bytes.begin(), bytes.end());
  };
  // OS/2: sides of two bytes.
  const HeaderProbe bitmap =
      probe("BM" + std::string(12, '\0') + text({12, 0, 0, 0, 7, 0, 5, 0, 1, 0, 24, 0}));
  EXPECT_EQ(bitmap.format, "bmp");
  EXPECT_EQ(bitmap.width, 7);
  EXPECT_EQ(bitmap.height, 5);
  EXPECT_EQ(bitmap.channels, 3);
  EXPECT_EQ(bitmap.least_bytes, 24 * 5);
  // Photoshop: sides of four bytes, the highest first.
  const HeaderProbe layers = probe("8BPS" + text({0, 1}) + std::string(6, '\0') +
                                   text({0, 4, 0, 0, 1, 2, 0, 0, 3, 4, 0, 8, 0, 3}));
  EXPECT_EQ(layers.format, "psd");
  EXPECT_EQ(layers.height, 0x102);
  EXPECT_EQ(layers.width, 0x304);
  EXPECT_EQ(layers.channels, 4);
  // JPEG: filling bytes, a marker that stands alone, tables, then an arithmetic frame.
  const HeaderProbe coded =
      probe(text({0xff, 0xd8, 0xff, 0xff, 0xff, 0x01, 0xff, 0xc4, 0, 3, 9,  0xff,
                  0xc9, 0,    11,   8,    0,    20,   0,    30,   3, 1, 17, 0}));
  EXPECT_EQ(coded.format, "jpeg");
  EXPECT_EQ(coded.width, 30);
  EXPECT_EQ(coded.height, 20);
  EXPECT_LT(coded.least_bytes, 30 * 20 / 512.0);
  // Pixels before any frame: no size is known.
  EXPECT_EQ(probe(text({0xff, 0xd8, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 5, 5})).width, 0);
}

// What makes a header one that is looked at, or not.
TEST(HeaderProbe, OfHeadersThatAreAlmostRight) {
  const auto targa = [](int map, int type, int bits, int width, int height) {
    std::string bytes(19, '\0');
    bytes[1] = static_cast<char>(map);
    bytes[2] = static_cast<char>(type);
    bytes[12] = static_cast<char>(width);
    bytes[14] = static_cast<char>(height);
    bytes[16] = static_cast<char>(bits);
    return probe(bytes);
  };
  for (const int bits : {15, 16, 24, 32})
    EXPECT_EQ(targa(0, 2, bits, 3, 2).format, "targa") << bits;
  for (const int bits : {8, 16}) EXPECT_EQ(targa(0, 3, bits, 3, 2).format, "targa") << bits;
  EXPECT_EQ(targa(1, 1, 8, 3, 2).format, "targa");
  EXPECT_EQ(targa(1, 9, 8, 3, 2).format, "targa");
  for (const HeaderProbe& none :
       {targa(0, 2, 8, 3, 2), targa(0, 2, 64, 3, 2), targa(0, 3, 24, 3, 2), targa(1, 1, 16, 3, 2),
        targa(0, 1, 8, 3, 2), targa(1, 3, 8, 3, 2), targa(2, 2, 24, 3, 2), targa(0, 2, 24, 0, 2),
        targa(0, 2, 24, 3, 0), targa(0, 0, 24, 3, 2), targa(0, 4, 24, 3, 2)}) {
    EXPECT_EQ(none.format, "");
  }
  const auto frame = [](int marker) {
    std::string bytes = {
        '\xff', '\xd8', '\xff', static_cast<char>(marker), 0, 11, 8, 0, 20, 0, 30, 3, 1, 17, 0};
    return probe(bytes).width;
  };
  for (const int marker : {0xc0, 0xc2, 0xc9, 0xcf}) EXPECT_EQ(frame(marker), 30) << marker;
  for (const int marker : {0xc4, 0xc8, 0xcc, 0xd0, 0xd9, 0x01})
    EXPECT_EQ(frame(marker), 0) << marker;
  // Bitmaps in runs of four bits may leave pixels out, as those of eight do.
  std::string bitmap = "BM" + std::string(52, '\0');
  bitmap[14] = 40;
  bitmap[18] = 100;
  bitmap[22] = 100;
  bitmap[28] = 4;
  for (const int packing : {1, 2}) {
    bitmap[30] = static_cast<char>(packing);
    EXPECT_LT(probe(bitmap).least_bytes, 1) << packing;
  }
  bitmap[30] = 3;
  EXPECT_GE(probe(bitmap).least_bytes, 5000);
}

// Directories by hand: a width, a height, then what is asked.
TEST(HeaderProbe, OfDirectories) {
  const auto tiff = [](const std::vector<std::array<int, 3>>& tags) {  // number, type, value
    std::string bytes = "II*" + std::string(1, '\0') + std::string("\x08\0\0\0", 4);
    const auto put = [&](std::uint64_t value, int count) {
      for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i) & 255);
    };
    put(tags.size(), 2);
    for (const auto& [tag, type, value] : tags) {
      put(static_cast<std::uint64_t>(tag), 2);
      put(static_cast<std::uint64_t>(type), 2);
      put(1, 4);
      put(static_cast<std::uint64_t>(value), 4);
    }
    put(0, 4);
    return probe(bytes);
  };
  const auto packed = [&](int packing) {
    return tiff({{256, 4, 1000}, {257, 3, 1000}, {258, 3, 8}, {259, 3, packing}}).least_bytes;
  };
  EXPECT_EQ(packed(1), 1e6 / 4);
  for (const int fax : {2, 3, 4}) EXPECT_EQ(packed(fax), 1000.0 / 8) << fax;
  EXPECT_EQ(packed(32773), 1e6 / 64);
  for (const int bound : {5, 7, 8, 32946}) EXPECT_EQ(packed(bound), 1e6 / 4096) << bound;
  EXPECT_EQ(packed(50000), 1e6 / 65536);
  EXPECT_EQ(tiff({{256, 1, 200}, {257, 16, 100}, {262, 3, 3}}).channels, 3);
  // A tile beyond any picture is unpacked whole.
  EXPECT_EQ(tiff({{256, 4, 10}, {257, 4, 10}, {322, 4, 65536}, {323, 4, 65536}}).least_bytes,
            std::numeric_limits<double>::infinity());
}

TEST(HeaderProbe, OfNetpbmThatIsAlmostRight) {
  for (const char* header : {"P5 0 5 255\n", "P5 5 0 255\n", "P5 a 5 255\n", "P5 5 b 255\n",
                             "P5 5 5 0\n", "P5 5 5 65536\n", "P5 5 5 2.5\n", "P5 5 5 x\n",
                             "Pf 5 5 0\n", "Pf 5 5 inf\n", "P5 #", "P5 5 # no end", "P5"}) {
    EXPECT_EQ(probe(header).width, 0) << header;
  }
  EXPECT_EQ(probe("P5#c\n5 # d\n#e\n6 255\n").height, 6);
  EXPECT_EQ(probe("PF 5 6 -1.5\n").width, 5);
  EXPECT_EQ(probe("P4\t5 6\n").width, 5);
}

TEST(Utf8Names, SequencesAreWhatTheStandardSays) {
  const std::pair<std::string, std::size_t> cases[] = {
      {"a", 1},
      {"\xc3\xa9", 2},
      {"\xe2\x82\xac", 3},
      {"\xf0\x9f\x8e\xa8", 4},
      {"\xf4\x8f\xbf\xbf", 4},
      {"\x80", 0},              // goes on with nothing
      {"\xc1\xbf", 0},          // overlong
      {"\xe0\x9f\xbf", 0},      // overlong
      {"\xf0\x8f\xbf\xbf", 0},  // overlong
      {"\xed\xa0\x80", 0},      // half of a pair of UTF-16
      {"\xf4\x90\x80\x80", 0},  // above U+10FFFF
      {"\xf5\x80\x80\x80", 0},
      {"\xc3", 0},  // cut
      {"\xe2\x82", 0},
      {"\xe2\x28\xa1", 0}};
  for (const auto& [bytes, length] : cases) {
    EXPECT_EQ(utf8_length(bytes), length) << testing::PrintToString(bytes);
    EXPECT_EQ(name_of_utf8(utf8_of_name("x" + bytes + "y")), "x" + bytes + "y");
    EXPECT_EQ(utf8_of_name(bytes) == bytes, length > 0) << testing::PrintToString(bytes);
  }
}

// ---- between the program and its decoder --------------------------------------------------------

struct Ends : protocol::Channel {
  ~Ends() {
    close(mine);
    close(theirs);
  }
};

TEST(Wire, MessagesOfAnyLengthCarryFiles) {
  const Ends ends;
  const test::TemporaryFolder folder;
  folder.write("a", "held");
  const int file = open((folder / "a").c_str(), O_RDONLY);
  for (const std::size_t length : {0u, 1u, 70'000u, 3'000'000u}) {
    const std::string message(length, 'm');
    std::thread sender([&] { EXPECT_TRUE(protocol::send(ends.theirs, message, {file, file})); });
    std::string got;
    std::vector<int> files;
    EXPECT_EQ(protocol::receive(ends.mine, got, &files), protocol::Arrival::message);
    sender.join();
    EXPECT_EQ(got, message);
    ASSERT_EQ(files.size(), 2u);
    char first = 0;
    EXPECT_EQ(pread(files[1], &first, 1, 0), 1);
    EXPECT_EQ(first, 'h');
    for (const int one : files) close(one);
    // Where there is no place for files they are closed: the next descriptor is the one they had.
    std::thread again([&] { EXPECT_TRUE(protocol::send(ends.theirs, message, {file})); });
    EXPECT_EQ(protocol::receive(ends.mine, got, nullptr), protocol::Arrival::message);
    again.join();
    const int next = dup(file);
    EXPECT_EQ(next, files[0]);
    close(next);
  }
  close(file);
}

TEST(Wire, WhatIsNoMessageIsTheEnd) {
  std::string got;
  for (const std::string& noise : {"\0"s, "\0cut"s, "\0"s + std::string(40'000, 'x')}) {
    const Ends ends;
    ASSERT_EQ(::send(ends.theirs, noise.data(), noise.size(), 0),
              static_cast<ssize_t>(noise.size()));
    shutdown(ends.theirs, SHUT_WR);
    EXPECT_EQ(protocol::receive(ends.mine, got, nullptr), protocol::Arrival::end);
  }
  const Ends ends;
  int asked = 0;
  const auto patience = [&](double) { return ++asked < 3; };
  EXPECT_EQ(protocol::receive(ends.mine, got, nullptr, patience), protocol::Arrival::silence);
  EXPECT_EQ(asked, 3);
  shutdown(ends.theirs, SHUT_RDWR);
  EXPECT_EQ(protocol::receive(ends.mine, got, nullptr, patience), protocol::Arrival::end);
  EXPECT_FALSE(protocol::send(ends.mine, "nobody is there"));
}

// A decoder cannot tell the program that its user has stopped it.
TEST(Wire, CancellingIsNoWordOfADecoder) {
  ModuleError error;
  error.kind = ErrorKind::cancelled;
  protocol::Writer to;
  protocol::put(to, error);
  protocol::Reader from(to.bytes);
  EXPECT_THROW(protocol::get_error(from), std::runtime_error);
}

TEST(Wire, HeadersThatAreCutMakeNoSense) {
  ImageHeader header;
  header.names = {"R", "a"};
  header.metadata = {{"key", "text"}, {"more", ""}};
  protocol::Writer to;
  protocol::put(to, header);
  for (std::size_t n = 0; n < to.bytes.size(); ++n) {
    protocol::Reader from(std::string_view(to.bytes).substr(0, n));
    EXPECT_THROW(protocol::get_header(from), std::runtime_error) << n;
  }
  protocol::Reader from(to.bytes);
  EXPECT_EQ(protocol::get_header(from).metadata, header.metadata);
}

}  // namespace
}  // namespace dapple
