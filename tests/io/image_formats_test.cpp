// Textures and arrays that we write ourselves, against their specifications and other readers.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/run/outputs.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "io/images/formats.hpp"
#include "subprocess.hpp"

namespace dapple {
namespace {

using test::TemporaryFolder;

// Every value is another; a multiple of the type's smallest step where it is an integer.
Image image(PixelType type, int channels, int slices = 1, bool volume = false) {
  Image made;
  made.encoding = Encoding::data;
  made.type = type;
  made.slices = slices;
  made.volume = volume;
  const std::vector<std::string> names{"R", "G", "B", "A"};
  made.names.assign(names.begin(), names.begin() + channels);
  if (channels == 1) made.names = {"Y"};
  const float levels = type == PixelType::u8 ? 255.0f : 65535.0f;
  for (int c = 0; c < channels; ++c) {
    Plane<float> plane(5, 3 * slices);
    float next = static_cast<float>(c) * 50 + 1;
    for (float& v : plane.values()) v = next++ / levels;
    made.channels.push_back(std::move(plane));
  }
  return made;
}

std::string bytes_of_image(const Image& from, const std::string& extension) {
  return encode_image(from, extension, Context());
}

std::uint64_t at(const std::string& bytes, std::size_t offset, std::size_t count = 4) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes.at(offset + i));
  }
  return value;
}

// ---- numbers ------------------------------------------------------------------------------------

// IEEE 754 binary16, by its definition.
double value_of_half(std::uint32_t half) {
  const int exponent = static_cast<int>(half >> 10 & 31);
  const double fraction = half & 1023;
  return exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
}

TEST(ImageFormats, HalvesAreTheNearest) {
  for (std::uint32_t half = 0; half < 0x7c00; ++half) {
    const double value = value_of_half(half);
    ASSERT_EQ(half_of(static_cast<float>(value)), half);
    ASSERT_EQ(half_of(static_cast<float>(-value)), half | 0x8000);
    if (half == 0x7bff) break;
    const double next = value_of_half(half + 1);
    const double middle = (value + next) / 2;  // floats hold it, and what is just beside it
    const std::uint32_t even = half % 2 == 0 ? half : half + 1;
    ASSERT_EQ(half_of(static_cast<float>(middle)), even);
    ASSERT_EQ(half_of(std::nextafterf(static_cast<float>(middle), 0)), half);
    ASSERT_EQ(half_of(std::nextafterf(static_cast<float>(middle), 1e9f)), half + 1);
  }
  EXPECT_EQ(half_of(65519.99f), 0x7bff);
  EXPECT_EQ(half_of(65520.0f), 0x7c00);
  EXPECT_EQ(half_of(INFINITY), 0x7c00);
  EXPECT_EQ(half_of(-INFINITY), 0xfc00);
  EXPECT_GT(half_of(NAN) & 0x7fff, 0x7c00);
}

// ---- DDS ----------------------------------------------------------------------------------------

struct Dds {
  std::uint64_t flags, height, width, pitch, depth, pf_flags, bits, red, alpha, caps, caps2;
  std::string fourcc;
  std::string data;
  std::uint64_t dxgi = 0, dimension = 0, array_size = 0;
};

// Offsets of DDS_HEADER after the magic word, as Microsoft lists its members.
Dds read_dds(const std::string& bytes) {
  EXPECT_EQ(bytes.substr(0, 4), "DDS ");
  EXPECT_EQ(at(bytes, 4), 124u);
  EXPECT_EQ(at(bytes, 76), 32u);
  Dds dds{at(bytes, 8),
          at(bytes, 12),
          at(bytes, 16),
          at(bytes, 20),
          at(bytes, 24),
          at(bytes, 80),
          at(bytes, 88),
          at(bytes, 92),
          at(bytes, 104),
          at(bytes, 108),
          at(bytes, 112),
          bytes.substr(84, 4),
          ""};
  std::size_t header = 128;
  if (dds.fourcc == "DX10") {
    dds.dxgi = at(bytes, 128);
    dds.dimension = at(bytes, 132);
    EXPECT_EQ(at(bytes, 136), 0u);
    dds.array_size = at(bytes, 140);
    EXPECT_EQ(at(bytes, 144), 0u);
    header = 148;
  }
  dds.data = bytes.substr(header);
  return dds;
}

TEST(ImageFormats, DdsOfEightBitsHasTheHeaderThatAllKnow) {
  const Dds gray = read_dds(bytes_of_image(image(PixelType::u8, 1), "dds"));
  EXPECT_EQ(gray.flags, 0x100fu);
  EXPECT_EQ(gray.width, 5u);
  EXPECT_EQ(gray.height, 3u);
  EXPECT_EQ(gray.pitch, 5u);
  EXPECT_EQ(gray.pf_flags, 0x20000u);
  EXPECT_EQ(gray.fourcc, std::string(4, '\0'));
  EXPECT_EQ(gray.bits, 8u);
  EXPECT_EQ(gray.red, 0xffu);
  EXPECT_EQ(gray.caps, 0x1000u);
  ASSERT_EQ(gray.data.size(), 15u);
  EXPECT_EQ(at(gray.data, 7, 1), 8u);

  const Dds color = read_dds(bytes_of_image(image(PixelType::u8, 4), "dds"));
  EXPECT_EQ(color.pf_flags, 0x41u);
  EXPECT_EQ(color.bits, 32u);
  EXPECT_EQ(color.red, 0xff0000u);
  EXPECT_EQ(color.alpha, 0xff000000u);
  EXPECT_EQ(at(color.data, 4), 0x98023466u) << "A R G B, from the highest byte";
}

TEST(ImageFormats, DdsNamesItsFormats) {
  // DXGI_FORMAT_R8G8_UNORM, R16_, R16G16_, R16G16B16A16_UNORM, R16_.. and R32_.._FLOAT.
  const auto dxgi = [](PixelType type, int channels) {
    return read_dds(bytes_of_image(image(type, channels), "dds")).dxgi;
  };
  EXPECT_EQ(dxgi(PixelType::u8, 2), 49u);
  EXPECT_EQ(dxgi(PixelType::u16, 1), 56u);
  EXPECT_EQ(dxgi(PixelType::u16, 2), 35u);
  EXPECT_EQ(dxgi(PixelType::u16, 3), 11u);
  EXPECT_EQ(dxgi(PixelType::u16, 4), 11u);
  EXPECT_EQ(dxgi(PixelType::f16, 1), 54u);
  EXPECT_EQ(dxgi(PixelType::f16, 2), 34u);
  EXPECT_EQ(dxgi(PixelType::f16, 4), 10u);
  EXPECT_EQ(dxgi(PixelType::f32, 1), 41u);
  EXPECT_EQ(dxgi(PixelType::f32, 2), 16u);
  EXPECT_EQ(dxgi(PixelType::f32, 3), 6u);
  EXPECT_EQ(dxgi(PixelType::f32, 4), 2u);
}

TEST(ImageFormats, DdsOfThreeChannelsOfSixteenBitsIsOpaque) {
  const Dds dds = read_dds(bytes_of_image(image(PixelType::u16, 3), "dds"));
  EXPECT_EQ(dds.pitch, 40u);
  ASSERT_EQ(dds.data.size(), 15u * 8);
  EXPECT_EQ(at(dds.data, 8, 8), 0xffff006600340002u);
}

TEST(ImageFormats, DdsHoldsArraysAndVolumes) {
  const Dds array = read_dds(bytes_of_image(image(PixelType::u8, 1, 4), "dds"));
  EXPECT_EQ(array.height, 3u);
  EXPECT_EQ(array.dxgi, 61u);
  EXPECT_EQ(array.dimension, 3u);
  EXPECT_EQ(array.array_size, 4u);
  EXPECT_EQ(array.flags & 0x800000, 0u);
  EXPECT_EQ(array.caps, 0x1008u);
  EXPECT_EQ(array.data.size(), 60u);
  const Dds volume = read_dds(bytes_of_image(image(PixelType::f32, 1, 4, true), "dds"));
  EXPECT_EQ(volume.flags & 0x800000, 0x800000u);
  EXPECT_EQ(volume.depth, 4u);
  EXPECT_EQ(volume.caps2, 0x200000u);
  EXPECT_EQ(volume.dimension, 4u);
  EXPECT_EQ(volume.array_size, 1u);
  const Dds old = read_dds(bytes_of_image(image(PixelType::u8, 1, 4, true), "dds"));
  EXPECT_EQ(old.dxgi, 0u);
  EXPECT_EQ(old.depth, 4u);
}

TEST(ImageFormats, OthersReadDds) {
  const TemporaryFolder folder;
  const std::string convert = "/usr/bin/convert-im6.q16";
  if (!std::filesystem::exists(convert)) GTEST_SKIP();
  for (const auto& [channels, expected] :
       {std::pair(1, "gray(7) gray(15)"), std::pair(3, "srgba(7,57,107,1) srgba(15,65,115,1)"),
        std::pair(4, "srgba(7,57,107,0.615686) srgba(15,65,115,0.647059)")}) {
    folder.write("b.dds", bytes_of_image(image(PixelType::u8, channels), "dds"));
    const auto outcome = test::run_process(
        {convert, "b.dds", "-format", "%[pixel:p{1,1}] %[pixel:p{4,2}]", "info:"}, folder.path());
    EXPECT_EQ(outcome.out, expected) << outcome.err;
  }
}

// ---- KTX 2 --------------------------------------------------------------------------------------

std::string hex(const std::string& text) {
  std::string bytes;
  std::string digits;
  for (const char c : text) {
    if (std::isxdigit(static_cast<unsigned char>(c)) == 0) continue;
    digits += c;
    if (digits.size() < 2) continue;
    bytes += static_cast<char>(std::stoi(digits, nullptr, 16));
    digits.clear();
  }
  return bytes;
}

// Written from the specification, field by field.
TEST(ImageFormats, Ktx2IsAsSpecifiedByteByByte) {
  const std::string bytes = bytes_of_image(image(PixelType::u16, 2), "ktx2");
  const std::string head =
      hex("AB 4B 54 58 20 32 30 BB 0D 0A 1A 0A"  // identifier
          "4D000000 02000000"                    // VK_FORMAT_R16G16_UNORM = 77, typeSize
          "05000000 03000000 00000000"           // width, height, depth 0: 2-D
          "00000000 01000000 01000000 00000000"  // layers 0: no array, faces, levels, scheme
          "68000000 3C000000");                  // dfd at 104, of 60 bytes
  EXPECT_EQ(bytes.substr(0, head.size()), head);
  const std::string descriptor =
      hex("3C000000"                                 // dfdTotalSize
          "00000000 0200 3800"                       // Khronos, basic; version 2; 24 + 2 x 16 bytes
          "01 00 01 00"                              // RGBSDA, no primaries, linear, straight alpha
          "00000000"                                 // texel block of 1 x 1 x 1 x 1
          "04000000 00000000"                        // four bytes in plane 0
          "0000 0F 00 00000000 00000000 FFFF0000"    // red: bits 0..15, 0..65535
          "1000 0F 01 00000000 00000000 FFFF0000");  // green: bits 16..31
  EXPECT_EQ(bytes.substr(104, 60), descriptor);
  const std::uint64_t texts_at = at(bytes, 56);
  const std::uint64_t texts_bytes = at(bytes, 60);
  EXPECT_EQ(texts_at, 164u);
  EXPECT_EQ(at(bytes, 64, 8), 0u);  // no global data
  EXPECT_EQ(at(bytes, 72, 8), 0u);
  const std::uint64_t data_at = at(bytes, 80, 8);
  EXPECT_EQ(data_at, texts_at + texts_bytes);
  EXPECT_EQ(data_at % 4, 0u);
  EXPECT_EQ(at(bytes, 88, 8), 60u);
  EXPECT_EQ(at(bytes, 96, 8), 60u);
  ASSERT_EQ(bytes.size(), data_at + 60);
  EXPECT_EQ(at(bytes, data_at), 0x00330001u);
  EXPECT_EQ(at(bytes, data_at + 56), 0x0041000fu);
}

TEST(ImageFormats, Ktx2TextsAreSortedAndAligned) {
  Image from = image(PixelType::u8, 1);
  from.metadata = {{"zebra", "last"}, {"dapple:recipe", "seed = 1\n"}, {"KTXowner", "reserved"}};
  const std::string bytes = bytes_of_image(from, "ktx2");
  std::size_t place = at(bytes, 56);
  const std::size_t end = place + at(bytes, 60);
  std::vector<std::string> keys;
  while (place < end) {
    EXPECT_EQ(place % 4, 0u);
    const std::string pair = bytes.substr(place + 4, at(bytes, place));
    EXPECT_EQ(pair.back(), '\0');
    keys.push_back(pair.substr(0, pair.find('\0')));
    if (keys.back() == "dapple:recipe") {
      EXPECT_EQ(pair, std::string("dapple:recipe\0seed = 1\n\0", 24));
    }
    place += 4 + (pair.size() + 3) / 4 * 4;
  }
  EXPECT_EQ(place, end);
  EXPECT_EQ(keys, (std::vector<std::string>{"KTXorientation", "KTXwriter", "dapple:encoding",
                                            "dapple:recipe", "zebra"}));
}

TEST(ImageFormats, Ktx2NamesItsFormats) {
  const auto format = [](PixelType type, int channels) {
    return at(bytes_of_image(image(type, channels), "ktx2"), 12);
  };
  EXPECT_EQ(format(PixelType::u8, 1), 9u);
  EXPECT_EQ(format(PixelType::u8, 3), 23u);
  EXPECT_EQ(format(PixelType::u8, 4), 37u);
  EXPECT_EQ(format(PixelType::u16, 1), 70u);
  EXPECT_EQ(format(PixelType::f16, 4), 97u);
  EXPECT_EQ(format(PixelType::f32, 1), 100u);
  Image color = image(PixelType::u8, 4);
  color.encoding = Encoding::srgb;
  const std::string bytes = bytes_of_image(color, "ktx2");
  EXPECT_EQ(at(bytes, 12), 43u);             // R8G8B8A8_SRGB
  EXPECT_EQ(at(bytes, 104 + 14, 1), 2u);     // its transfer function
  EXPECT_EQ(at(bytes, 104 + 79, 1), 0x1fu);  // alpha is linear
  const std::string floats = bytes_of_image(image(PixelType::f32, 1), "ktx2");
  EXPECT_EQ(at(floats, 104 + 31, 1), 0xc0u);  // signed float
  EXPECT_EQ(at(floats, 104 + 36), 0xbf800000u);
  EXPECT_EQ(at(floats, 104 + 40), 0x3f800000u);
}

TEST(ImageFormats, Ktx2HoldsArraysAndVolumes) {
  const std::string array = bytes_of_image(image(PixelType::u8, 3, 4), "ktx2");
  EXPECT_EQ(at(array, 24), 3u);
  EXPECT_EQ(at(array, 28), 0u);
  EXPECT_EQ(at(array, 32), 4u);
  EXPECT_EQ(at(array, 80, 8) % 12, 0u) << "levels begin at a multiple of 4 and of a pixel";
  const std::string volume = bytes_of_image(image(PixelType::u8, 1, 4, true), "ktx2");
  EXPECT_EQ(at(volume, 28), 4u);
  EXPECT_EQ(at(volume, 32), 0u);
  EXPECT_NE(volume.find(std::string("KTXorientation\0rdi", 18)), std::string::npos);
}

// ---- arrays of numbers --------------------------------------------------------------------------

std::vector<Plane<std::int32_t>> ranks(int channels, int slices, std::int32_t first) {
  std::vector<Plane<std::int32_t>> planes;
  for (int c = 0; c < channels; ++c) {
    Plane<std::int32_t> plane(5, 3 * slices);
    for (std::int32_t& rank : plane.values()) rank = first++;
    planes.push_back(std::move(plane));
  }
  return planes;
}

TEST(ImageFormats, NpyHoldsRanks) {
  const auto planes = ranks(1, 1, 0);
  const std::string bytes = encode_image(image(PixelType::u8, 1), "npy", Context(), {planes, ""});
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\0", 8));
  const std::size_t start = 10 + at(bytes, 8, 2);
  EXPECT_EQ(start % 64, 0u);
  EXPECT_EQ(bytes.substr(10, 60), "{'descr': '<u2', 'fortran_order': False, 'shape': (3, 5), } ");
  EXPECT_EQ(bytes.size(), start + 30);
  for (std::size_t i = 0; i < 15; ++i) EXPECT_EQ(at(bytes, start + 2 * i, 2), i);
}

TEST(ImageFormats, NpyAndRawTakeWhatHoldsAllRanks) {
  const auto text = [](const std::vector<Plane<std::int32_t>>& planes, int slices) {
    const Image from = image(PixelType::u8, static_cast<int>(planes.size()), slices);
    return encode_image(from, "npy", Context(), {planes, ""}).substr(10, 62);
  };
  EXPECT_NE(
      text(ranks(2, 4, 65416), 4).find("'<u2', 'fortran_order': False, 'shape': (4, 3, 5, 2)"),
      std::string::npos);
  EXPECT_NE(text(ranks(1, 4, 65477), 4).find("'<u4', 'fortran_order': False, 'shape': (4, 3, 5)"),
            std::string::npos);
  const auto planes = ranks(2, 1, 100000);
  const Image from = image(PixelType::u8, 2);
  const std::string raw = encode_image(from, "raw", Context(), {planes, ""});
  ASSERT_EQ(raw.size(), 120u);
  EXPECT_EQ(at(raw, 4), 100015u) << "channels of a pixel stand together";
  EXPECT_EQ(at(raw, 8), 100001u);
  EXPECT_EQ(array_layout(from, {planes, ""}),
            "ranks as uint32 little-endian, (3, 5, 2) = (height, width, channel)");
}

TEST(ImageFormats, ArraysHoldTheValues) {
  const Image from = image(PixelType::u16, 1);
  const std::string bytes = bytes_of_image(from, "npy");
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\0", 8));
  const std::size_t start = 10 + at(bytes, 8, 2);
  EXPECT_EQ(start % 64, 0u);
  EXPECT_EQ(bytes.substr(10, 60), "{'descr': '<u2', 'fortran_order': False, 'shape': (3, 5), } ");
  ASSERT_EQ(bytes.size(), start + 30);
  for (std::size_t i = 0; i < 15; ++i) {
    EXPECT_EQ(at(bytes, start + 2 * i, 2),
              std::lround(static_cast<double>(from.channels[0].values()[i]) * 65535));
  }
  EXPECT_EQ(bytes_of_image(from, "raw"), bytes.substr(start));
  const auto type = [](PixelType of, int channels, int slices) {
    const std::string text = bytes_of_image(image(of, channels, slices), "npy");
    return text.substr(10, text.find(" }", 10) - 10);
  };
  EXPECT_EQ(type(PixelType::u8, 2, 4),
            "{'descr': '|u1', 'fortran_order': False, 'shape': (4, 3, 5, 2),");
  EXPECT_EQ(type(PixelType::f16, 1, 4),
            "{'descr': '<f2', 'fortran_order': False, 'shape': (4, 3, 5),");
  EXPECT_EQ(type(PixelType::f32, 3, 1),
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 5, 3),");
  EXPECT_EQ(array_layout(image(PixelType::f32, 2), {}),
            "values as float32 little-endian, (3, 5, 2) = (height, width, channel)");
}

TEST(ImageFormats, ArraysAreReadAsTheyWereWritten) {
  const TemporaryFolder folder;
  const Context context;
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f16, PixelType::f32}) {
    for (const int channels : {1, 2, 3, 4}) {
      for (const int slices : {1, 4}) {
        Image from = image(type, channels, slices);
        if (type == PixelType::f32) from.channels[0](1, 0) = -7.25f;
        folder.write("a.npy", bytes_of_image(from, "npy"));
        const Image read = read_frames((folder / "a.npy").string(), context);
        ASSERT_EQ(read.channels.size(), from.channels.size());
        EXPECT_EQ(read.slices, slices);
        EXPECT_EQ(read.type, type);
        EXPECT_EQ(bytes_of_image(read, "npy"), folder.read("a.npy"));
      }
    }
  }
}

TEST(ImageFormats, ArraysOfOthersAreRead) {
  const TemporaryFolder folder;
  const Context context;
  const auto header = [](const std::string& dictionary) {
    std::string text = dictionary;
    text.append(63 - (10 + text.size()) % 64, ' ');
    text += '\n';
    return std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(text.size()) + '\0' + text;
  };
  const auto read = [&](const std::string& type, const std::string& shape, std::size_t bytes) {
    std::string values(bytes, '\0');
    for (std::size_t i = 0; i < bytes; ++i) values[i] = static_cast<char>(i % 3);
    folder.write("a.npy", header("{'descr': '" + type +
                                 "', 'fortran_order': False, 'shape': " + shape + ", }") +
                              values);
    return read_frames((folder / "a.npy").string(), context);
  };
  const Image photo = read("|u1", "(4, 6, 3)", 72);
  EXPECT_EQ(photo.width(), 6);
  EXPECT_EQ(photo.names, (std::vector<std::string>{"R", "G", "B"}));
  EXPECT_EQ(photo.encoding, Encoding::srgb);
  EXPECT_EQ(photo.channels[2](3, 1), 2.0f / 255);
  const Image frames = read(">u2", "(7, 4, 6)", 336);
  EXPECT_EQ(frames.slices, 7);
  EXPECT_EQ(frames.channels[0](1, 0), 512.0f / 65535) << "2, 0 in big-endian order";
  EXPECT_EQ(read("<i4", "(4, 6)", 96).channels[0](0, 0), 0x00020100);
  for (const auto& [type, shape, size] :
       {std::tuple{"<f8", "(100,)", 800}, std::tuple{"|u1", "(4, 6)", 20},
        std::tuple{"<c8", "(4, 6)", 192}, std::tuple{"|u1", "(0, 6)", 1}}) {
    EXPECT_THROW(read(type, shape, static_cast<std::size_t>(size)), Error) << type << shape;
  }
}

TEST(ImageFormats, NumPyReadsThem) {
  const std::string python = "/usr/bin/python3";
  const auto probe = test::run_process({python, "-c", "import numpy"}, "/tmp");
  if (probe.code != 0) GTEST_SKIP();
  const TemporaryFolder folder;
  folder.write("a.npy", bytes_of_image(image(PixelType::u16, 2, 4), "npy"));
  folder.write("b.npy", bytes_of_image(image(PixelType::f16, 3), "npy"));
  const auto outcome =
      test::run_process({python, "-c",
                         "import numpy; a = numpy.load('a.npy'); b = numpy.load('b.npy')\n"
                         "print(a.shape, a.dtype, b.shape, b.dtype)"},
                        folder.path());
  EXPECT_EQ(outcome.out, "(4, 3, 5, 2) uint16 (3, 5, 3) float16\n") << outcome.err;
}

TEST(ImageFormats, NumberedArraysHoldTheRanksOfTheirSlice) {
  const TemporaryFolder folder;
  Result result{std::nullopt, ImageMade{image(PixelType::u8, 1, 2), nullptr, ranks(1, 2, 0), true}};
  Context context;
  FileGroup files(Overwrite::always);
  const auto written = app::write_output(
      result, {(folder / "r_{frame}.raw").string(), "raw", app::OutputKind::image}, false, "",
      files, context);
  files.commit();
  EXPECT_EQ(at(folder.read("r_0001.raw"), 0, 2), 15u);
  EXPECT_EQ(written[1].layout, "ranks as uint16 little-endian, (3, 5) = (height, width)");
}

TEST(ImageFormats, FormatsSayWhichTypesTheyHold) {
  const auto types = [](const char* extension) {
    std::string text;
    for (const auto& [name, type] :
         {std::pair{"8 ", PixelType::u8}, std::pair{"16 ", PixelType::u16},
          std::pair{"half ", PixelType::f16}, std::pair{"float ", PixelType::f32}}) {
      if (holds_type(extension, type)) text += name;
    }
    return text;
  };
  EXPECT_EQ(types("png"), "8 16 ");
  EXPECT_EQ(types("tif"), "8 16 float ");
  EXPECT_EQ(types("exr"), "half float ");
  EXPECT_EQ(types("jpg"), "8 ");
  for (const char* all : {"tx", "npy", "raw", "dds", "ktx2"}) {
    EXPECT_EQ(types(all), "8 16 half float ") << all;
  }
  for (const char* code : {"c", "glsl", "wgsl", "rs", "cs"}) {
    EXPECT_EQ(types(code), "8 16 float ") << code;
  }
}

// ---- source code --------------------------------------------------------------------------------

// Compiles a program that includes the array and prints some of it.
std::string compiled(const TemporaryFolder& folder, const std::string& file,
                     const std::string& print, const std::string& compiler) {
  folder.write("main.c", "#include <stdio.h>\n#include \"" + file + "\"\n#include \"" +
                             (file.ends_with(".h") ? file : "stdint.h") + "\"\nint main(void) { " +
                             print + " return 0; }\n");
  const bool plus = compiler.ends_with("++");
  const auto build = test::run_process(
      {compiler, plus ? "-std=c++11" : "-std=c99", "-xc" + std::string(plus ? "++" : ""), "-Wall",
       "-Wextra", "-pedantic", "-Werror", "main.c", "-o", "main"},
      folder.path());
  EXPECT_EQ(build.code, 0) << build.err;
  return test::run_process({(folder / "main").string()}, folder.path()).out;
}

TEST(ImageFormats, ArraysInCCompileAndHoldTheValues) {
  if (!std::filesystem::exists("/usr/bin/cc")) GTEST_SKIP();
  const TemporaryFolder folder;
  Image from = image(PixelType::u16, 2, 3);
  from.metadata = {{"dapple:recipe", "input = \"*/ #error \\\n/* \""}};
  const std::string print =
      "printf(\"%d %d %d %d %d %d\", a_64_x_width, a_64_x_height, a_64_x_depth, a_64_x_channels, "
      "(int)a_64_x_values[((2 * a_64_x_height + 1) * a_64_x_width + 4) * a_64_x_channels + 1], "
      "(int)dapple_a_64_x(5 * a_64_x_width + 4, 4, 5, 3));";
  for (const char* extension : {"c", "h"}) {
    const std::string file = std::string("array.") + extension;
    folder.write(file, encode_image(from, extension, Context(), {{}, "64 x!"}));
    EXPECT_EQ(compiled(folder, file, print, "/usr/bin/cc"), "5 3 3 2 90 90");
  }
  folder.write("array.h", encode_image(image(PixelType::f32, 1), "h", Context(), {{}, "float"}));
  EXPECT_EQ(compiled(folder, "array.h", "printf(\"%.9g\", float_values[14]);", "/usr/bin/c++"),
            "0.000228885328");
}

TEST(ImageFormats, ArraysForShadersAreOfTheirTypes) {
  const auto code = [](PixelType type, const char* extension) {
    return encode_image(image(type, 1), extension, Context(), {{}, "m"});
  };
  const std::string glsl = code(PixelType::u8, "glsl");
  EXPECT_NE(glsl.find("const int m_width = 5;"), std::string::npos);
  EXPECT_NE(glsl.find("const uint m_values[15] = uint[](\n1u,2u,"), std::string::npos);
  EXPECT_NE(code(PixelType::f32, "glsl").find("const float m_values[15] = float[]("),
            std::string::npos);
  const std::string hlsl = code(PixelType::u16, "hlsl");
  EXPECT_NE(hlsl.find("static const int m_height = 3;"), std::string::npos);
  EXPECT_NE(hlsl.find("static const uint m_values[15] = {\n1,2,"), std::string::npos);
  for (const char* extension : {"c", "h", "glsl", "hlsl", "wgsl", "rs", "cs", "json"}) {
    EXPECT_NE(code(PixelType::u8, extension).find("Free to use for any purpose"),
              std::string::npos);
  }
}

// Light adds up in linear light, whatever the values are.
TEST(ImageFormats, WhatHoldsNoAlphaLiesOnWhitePaper) {
  for (const Encoding encoding : {Encoding::srgb, Encoding::linear}) {
    Image image;
    image.names = {"R", "G", "B", "A"};
    image.encoding = encoding;
    for (const float value : {0.0f, 1.0f, 0.5f, 0.5f}) image.channels.emplace_back(16, 16, value);
    image.channels[3](3, 4) = 1;
    const TemporaryFolder folder;
    folder.write("a.ppm", encode_image(image, "ppm"));
    const Image paper = read_image(folder / "a.ppm", Limits{});
    ASSERT_EQ(paper.channels.size(), 3u);
    const bool encoded = encoding == Encoding::srgb;
    const float middle = encoded ? srgb_to_linear(0.5f) : 0.5f;
    EXPECT_NEAR(srgb_to_linear(paper.channels[0](0, 0)), 0.5f, 0.01);
    EXPECT_EQ(paper.channels[1](0, 0), 1);
    EXPECT_NEAR(srgb_to_linear(paper.channels[2](0, 0)), 0.5f + 0.5f * middle, 0.01);
    EXPECT_EQ(paper.channels[0](3, 4), 0);
  }
}

TEST(ImageFormats, JsonIsJson) {
  Image from = image(PixelType::u8, 2, 2);
  from.metadata = {{"dapple:recipe", "a \"quoted\"\nword"}};
  const auto json = nlohmann::json::parse(encode_image(from, "json", Context(), {{}, "m"}));
  EXPECT_EQ(json["width"], 5);
  EXPECT_EQ(json["height"], 3);
  EXPECT_EQ(json["depth"], 2);
  EXPECT_EQ(json["channels"], 2);
  EXPECT_EQ(json["type"], "uint8");
  EXPECT_EQ(json["dapple:recipe"], "a \"quoted\"\nword");
  EXPECT_EQ(json["values"].size(), 60u);
  EXPECT_EQ(json["values"][3], 52);
}

TEST(ImageFormats, CodeHasNoWordForNoNumber) {
  Image from = image(PixelType::f32, 1);
  from.channels[0](0, 0) = NAN;
  EXPECT_THROW(bytes_of_image(from, "c"), Error);
}

}  // namespace
}  // namespace dapple
