// Images of every kind in every format: written as the format can hold them, or refused with a word
// about it; and what is odd in texts, palettes and names of writers of our own.
#include <array>
#include <cerrno>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <sstream>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/image_files.hpp"
#include "io/images/formats.hpp"
#include "io/images/png_file.hpp"
#include "subprocess.hpp"

namespace dapple {
namespace {

using test::TemporaryFolder;

Image image_of(PixelType type, int channels, Encoding encoding, int slices = 1,
               bool volume = false) {
  static const std::vector<std::vector<std::string>> names{
      {"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}, {"f1", "f2", "edge", "id", "area"}};
  Image image;
  image.type = type;
  image.encoding = encoding;
  image.slices = slices;
  image.volume = volume;
  image.names = names[static_cast<std::size_t>(channels - 1)];
  for (int c = 0; c < channels; ++c) {
    Plane<float> plane(3, 2 * slices);
    float next = 0;
    for (float& v : plane.values()) v = (next += 0.05f);
    image.channels.push_back(std::move(plane));
  }
  return image;
}

// Textures are read back as they were written. A DDS has no texts, so it does not say more than its
// pixel format: integers without the sRGB curve are data, floats are linear.
TEST(FittedImages, TexturesAreReadBack) {
  const TemporaryFolder folder;
  for (const char* format : {"dds", "ktx2"}) {
    for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f16, PixelType::f32}) {
      for (const Encoding encoding : {Encoding::srgb, Encoding::linear, Encoding::data}) {
        for (int channels = 1; channels <= 4; ++channels) {
          for (const int slices : {1, 3}) {
            for (const bool volume : {false, true}) {
              Image image = image_of(type, channels, encoding, slices, volume);
              image.names = {"R", "G", "B", "A"};
              image.names.resize(static_cast<std::size_t>(channels));
              if (channels == 1) image.names = {"Y"};
              const double step = type == PixelType::u8    ? 255
                                  : type == PixelType::u16 ? 65535
                                                           : 1024;
              for (Plane<float>& plane : image.channels) {
                for (float& v : plane.values()) {
                  v = static_cast<float>(std::min(1.0, std::round(v * step) / step));
                }
              }
              folder.write("t." + std::string(format), encode_image(image, format, Context()));
              const Image again =
                  read_frames((folder / ("t." + std::string(format))).string(), Context());
              SCOPED_TRACE(std::string(format) + " " + std::to_string(static_cast<int>(type)) +
                           " " + std::to_string(channels) + " " + std::to_string(slices));
              EXPECT_EQ(again.slices, slices);
              EXPECT_TRUE(slices == 1 || again.volume == volume);
              ASSERT_EQ(again.channels.size(), image.channels.size());
              for (std::size_t c = 0; c < image.channels.size(); ++c) {
                EXPECT_EQ(again.channels[c], image.channels[c]) << c;
              }
              if (format == std::string_view("ktx2")) {
                EXPECT_EQ(again.encoding, encoding);
              }
            }
          }
        }
      }
    }
  }
}

// Masks of the old DDS header that name other channels than the pixels have: alpha alone (A8),
// alpha beside gray (A8L8), and one mask twice.
TEST(FittedImages, MasksOfOtherTexturesAreRefused) {
  const TemporaryFolder folder;
  const std::string bytes =
      encode_image(image_of(PixelType::u8, 4, Encoding::srgb), "dds", Context());
  const auto is_read = [&](char bits, std::array<std::uint32_t, 4> masks) {
    std::string changed = bytes;
    changed[88] = bits;
    for (std::size_t m = 0; m < 4; ++m) {
      for (std::size_t b = 0; b < 4; ++b) {
        changed[92 + 4 * m + b] = static_cast<char>(masks[m] >> (8 * b) & 255);
      }
    }
    folder.write("t.dds", changed);
    try {
      read_image((folder / "t.dds").string(), Context());
      return true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_NE(std::string(error.what()).find("`allow-format dds`"), std::string::npos)
          << error.what();
      return false;
    }
  };
  EXPECT_TRUE(is_read(32, {0xff, 0xff00, 0xff0000, 0xff000000}));
  EXPECT_TRUE(is_read(8, {0xff, 0, 0, 0}));
  EXPECT_FALSE(is_read(8, {0, 0, 0, 0xff}));
  EXPECT_FALSE(is_read(16, {0xff, 0, 0, 0xff00}));
  EXPECT_FALSE(is_read(24, {0xff, 0xff00, 0, 0xff0000}));
  EXPECT_FALSE(is_read(8, {0, 0, 0xff, 0}));
}

TEST(FittedImages, OtherTexturesAreNamed) {
  const TemporaryFolder folder;
  const std::string bytes =
      encode_image(image_of(PixelType::u8, 3, Encoding::data), "ktx2", Context());
  const auto message = [&](std::size_t at, char byte, std::size_t size) {
    std::string changed = bytes.substr(0, size);
    if (at < changed.size()) changed[at] = byte;
    folder.write("t.ktx2", changed);
    try {
      read_image((folder / "t.ktx2").string(), Context());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(0, bytes[0], bytes.size()), "");
  EXPECT_NE(message(12, '\x91', bytes.size()).find("compressed or rare (VkFormat 145)"),
            std::string::npos);
  EXPECT_NE(message(44, 2, bytes.size()).find("compressed or rare"), std::string::npos);
  EXPECT_NE(message(36, 6, bytes.size()).find("compressed or rare"), std::string::npos);
  EXPECT_NE(message(0, bytes[0], bytes.size() - 1).find("damaged or incomplete"),
            std::string::npos);
  for (std::size_t size = 0; size < bytes.size(); size += 3) {
    EXPECT_NE(message(0, bytes[0], size), "") << size;
  }
}

TEST(FittedImages, EveryKindIsWrittenOrRefused) {
  int written = 0;
  int refused = 0;
  for (const std::string_view format : image_formats()) {
    for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f16, PixelType::f32}) {
      for (const Encoding encoding : {Encoding::srgb, Encoding::linear, Encoding::data}) {
        for (int channels = 1; channels <= 5; ++channels) {
          for (const int slices : {1, 2}) {
            const Image image =
                image_of(type, channels, encoding, slices, slices > 1 && channels == 1);
            try {
              EXPECT_GT(encode_image(image, format, Context()).size(), 5u) << format;
              ++written;
            } catch (const Error& error) {
              EXPECT_EQ(error.kind(), ErrorKind::usage) << format << ": " << error.what();
              EXPECT_NE(std::string(error.what()).find(format == "tx" ? "slices" : format),
                        std::string::npos)
                  << error.what();
              ++refused;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(written, 1500);
  EXPECT_GT(refused, 100);
}

std::string said(const Image& image, std::string_view format) {
  try {
    encode_image(image, format, Context());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(FittedImages, SayWhatTheyDoNotHold) {
  EXPECT_EQ(said(image_of(PixelType::u8, 5, Encoding::data), "PNG"),
            ".png holds at most 4 channels, not 5 (f1, f2, edge, id, area); write .exr or .tif");
  EXPECT_EQ(said(image_of(PixelType::u8, 3, Encoding::srgb), "pgm"),
            ".pgm holds only one channel; write .ppm or .png");
  EXPECT_NE(said(image_of(PixelType::u8, 1, Encoding::srgb), ".xyz")
                .find("cannot be written as .xyz; use one of .png"),
            std::string::npos);
  Image mixed = image_of(PixelType::f32, 2, Encoding::data);
  mixed.hints.integers.resize(2);
  mixed.hints.integers[0] = Plane<std::uint32_t>(3, 2);
  EXPECT_EQ(said(mixed, "tif"),
            "all channels of a .tif have the same type; write 32-bit integers to a file of "
            "their own, or write .exr");
}

// ---- source code --------------------------------------------------------------------------------

std::string code(const Image& image, std::string_view format, const std::string& name) {
  ImageExtras extras;
  extras.name = name;
  return encode_image(image, format, Context(), extras);
}

TEST(FittedImages, NamesInSourceCode) {
  const Image image = image_of(PixelType::f32, 1, Encoding::data);
  for (const auto& [name, id] :
       std::vector<std::pair<std::string, std::string>>{{"blue--noise.9", "blue_noise_9"},
                                                        {"9 lives", "a_9_lives"},
                                                        {"gl_thing", "a_gl_thing"},
                                                        {"\xc3\xa4", "image"},
                                                        {"__", "image"},
                                                        {"a__b_", "a_b"}}) {
    EXPECT_NE(code(image, "c", name).find(" " + id + "_values["), std::string::npos) << name;
  }
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
    const Image of_type = image_of(type, 1, Encoding::linear);
    const bool whole = type != PixelType::f32;
    EXPECT_NE(code(of_type, "hlsl", "m").find(whole ? "static const uint" : "static const float"),
              std::string::npos);
    EXPECT_NE(code(of_type, "glsl", "m").find(whole ? "const uint" : "const float"),
              std::string::npos);
    EXPECT_NE(code(of_type, "json", "m")
                  .find(type == PixelType::u8    ? "\"uint8\""
                        : type == PixelType::u16 ? "\"uint16\""
                                                 : "\"float32\""),
              std::string::npos);
  }
  Image texts = image;
  texts.channels[0](0, 0) = 3;  // a whole number of a float
  texts.metadata = {{"dapple:seed", "7"}, {"other", "*/ x /*"}};
  const std::string json = code(texts, "json", "m");
  EXPECT_NE(json.find("\"dapple:seed\": \"7\""), std::string::npos);
  EXPECT_EQ(json.find("other"), std::string::npos);
  EXPECT_NE(json.find("3.0"), std::string::npos);
  EXPECT_NE(code(texts, "c", "m").find("* / x / *"), std::string::npos);
}

// WGSL has no integers below 32 bits.
TEST(FittedImages, WgslPacksIntegersIntoWords) {
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
    const Image from = image_of(type, 3, Encoding::data);
    const std::string text = code(from, "wgsl", "m");
    const std::size_t first = text.find("(\n", text.find("const m_values = array<")) + 2;
    std::istringstream words(text.substr(first, text.find("\n)", first) - first));
    const int per_word = type == PixelType::u8 ? 4 : type == PixelType::u16 ? 2 : 1;
    std::size_t i = 0;
    for (std::string word; std::getline(words, word, ',');) {
      if (type == PixelType::f32) {
        EXPECT_EQ(std::stof(word), from.channels[i % 3].values()[i / 3]);
        ++i;
        continue;
      }
      std::uint32_t bits = static_cast<std::uint32_t>(std::stoul(word));
      for (int k = 0; k < per_word; ++k, ++i, bits = per_word == 4 ? bits >> 8 : bits >> 16) {
        const std::uint32_t held = bits & (per_word == 4 ? 0xffu : 0xffffu);
        EXPECT_EQ(held, i < 18 ? level_of(from.channels[i % 3].values()[i / 3], type) : 0);
      }
    }
    EXPECT_EQ(i, type == PixelType::u8 ? 20u : 18u);
  }
}

TEST(FittedImages, ArraysThatALanguageCannotIndexAreRefused) {
  Image large;
  large.names = {"Y"};
  large.encoding = Encoding::data;
  large.type = PixelType::u16;
  large.channels.emplace_back(256, 129);
  for (const char* extension : {"h", "glsl", "hlsl", "rs", "cs"}) {
    EXPECT_FALSE(encode_image(large, extension).empty()) << extension;
  }
  try {
    encode_image(large, "wgsl");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("at most 32768 values"), std::string::npos);
  }
}

TEST(FittedImages, ArraysSayHowTheyLie) {
  const auto layout = [](PixelType type, int channels, int slices) {
    return array_layout(image_of(type, channels, Encoding::linear, slices), {});
  };
  EXPECT_EQ(layout(PixelType::u8, 1, 1), "values as uint8, (2, 3) = (height, width)");
  EXPECT_EQ(layout(PixelType::u16, 1, 1),
            "values as uint16 little-endian, (2, 3) = (height, width)");
  EXPECT_EQ(layout(PixelType::f16, 2, 1),
            "values as float16 little-endian, (2, 3, 2) = (height, width, channel)");
  EXPECT_EQ(layout(PixelType::f32, 1, 2),
            "values as float32 little-endian, (2, 2, 3) = (depth, height, width)");
}

TEST(FittedImages, TextsThatKtxKeepsForItself) {
  Image image = image_of(PixelType::u8, 1, Encoding::data);
  image.metadata = {
      {"KTXorientation", "wrong"}, {"ktxother", "wrong"}, {"", "wrong"}, {"mine", "right"}};
  const std::string bytes = encode_image(image, "ktx2", Context());
  EXPECT_EQ(bytes.find("wrong"), std::string::npos);
  EXPECT_NE(bytes.find("right"), std::string::npos);
}

// ---- PNG ----------------------------------------------------------------------------------------

TEST(FittedImages, PngTellsMemoryThatEndsFromDisksThatAreFull) {
  PngHeader header;
  header.width = header.height = 2;
  header.bits = 8;
  const std::array<png_byte, 2> row{1, 2};
  const PngRow rows = [&](int) { return row.data(); };
  EXPECT_EQ(write_png(header, rows, [](std::string_view) -> int { throw std::bad_alloc(); }).kind,
            ErrorKind::limit);
  EXPECT_EQ(write_png(header, rows, [](std::string_view) { return ENOMEM; }).kind,
            ErrorKind::limit);
  const ModuleError full = write_png(header, rows, [](std::string_view) { return ENOSPC; });
  EXPECT_EQ(full.kind, ErrorKind::output);
  EXPECT_EQ(full.code, ENOSPC);
  header.bits = 3;
  EXPECT_NE(write_png(header, rows, [](std::string_view) { return 0; })
                .text.find("cannot be encoded as png"),
            std::string::npos);
}

TEST(FittedImages, PalettesThatDoNotFitAreNone) {
  // Of four colors as of grays, and one of them is none.
  Image image = image_of(PixelType::u8, 1, Encoding::data);
  image.hints.palette = {{0, 0, 0}, {85, 85, 86}, {170, 170, 170}, {255, 255, 255}};
  EXPECT_FALSE(encode_image(image, "png", Context()).empty());
  image.hints.palette.assign(257, {0, 0, 0});
  EXPECT_FALSE(encode_image(image, "png", Context()).empty());
  for (const std::vector<std::string>& names :
       std::vector<std::vector<std::string>>{{"R", "B", "G"}, {"R", "G", "X"}, {"G", "R", "B"}}) {
    Image colors = image_of(PixelType::u8, 3, Encoding::data);
    colors.names = names;
    colors.hints.palette = {{0, 0, 0}, {255, 255, 255}};
    EXPECT_EQ(encode_image(colors, "png", Context()).find("PLTE"), std::string::npos);
  }
  Image four = image_of(PixelType::u8, 4, Encoding::data);
  four.names.back() = "Z";
  four.hints.palette = {{0, 0, 0}, {255, 255, 255}};
  EXPECT_EQ(encode_image(four, "png", Context()).find("PLTE"), std::string::npos);
  Image deep = image_of(PixelType::u16, 3, Encoding::srgb);
  deep.hints.palette = {{0, 0, 0}, {255, 255, 255}};
  EXPECT_EQ(encode_image(deep, "png", Context()).find("PLTE"), std::string::npos);
}

// ---- materials ----------------------------------------------------------------------------------

std::string material_said(const Material& material, std::string_view format) {
  try {
    encode_material(material, format);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(FittedImages, MaterialsOfWhatThereIs) {
  Material material;
  material.name = "stone";
  EXPECT_EQ(material_said(material, "gltf"),
            "a glTF material needs at least one picture that glTF can show");
  EXPECT_NE(material_said(material, "fbx").find("unknown material format 'fbx'"),
            std::string::npos);
  material.textures = {{"height", "H {1}~.png"}};
  EXPECT_EQ(material_said(material, "gltf"),
            "a glTF material needs at least one picture that glTF can show");
  for (const char* output : {"color", "roughness", "normal", "occlusion"}) {
    Material one = material;
    one.full_height = 3;
    one.textures.push_back({output, "Az-09_.png"});
    const std::string gltf = encode_material(one, "gltf");
    EXPECT_NE(gltf.find("\"uri\": \"Az-09_.png\""), std::string::npos) << gltf;
    EXPECT_NE(gltf.find("H%20%7B1%7D~.png"), std::string::npos) << gltf;
    EXPECT_EQ(gltf.find("normalTexture") != std::string::npos, std::string(output) == "normal");
    one.full_height = 0;
    EXPECT_EQ(encode_material(one, "gltf").find("heightScale"), std::string::npos);
    EXPECT_GT(encode_material(one, "blender").size(), 100u);
    one.textures.back().file = "a.exr";
    EXPECT_NE(material_said(one, "gltf").find("cannot use .exr pictures"), std::string::npos);
  }
  for (int Material::*side : {&Material::width, &Material::height}) {
    Material flat = material;
    flat.*side = 0;
    EXPECT_EQ(material_said(flat, "gltf"),
              "the pictures of a material must have at least one pixel");
  }
}

// ---- pictures of few colors ---------------------------------------------------------------------

// Ten by two pixels, of which the darker color is at the given columns of both rows.
Image two_colors(const std::set<int>& dark) {
  Image made;
  made.names = {"R", "G", "B"};
  made.hints.palette = {{255, 255, 255}, {200, 0, 0}};
  for (const auto& [light, darker] : {std::pair{1.0f, 200 / 255.0f}, {1.0f, 0.0f}, {1.0f, 0.0f}}) {
    Plane<float> plane(10, 2, light);
    for (const int x : dark) plane(x, 0) = plane(x, 1) = darker;
    made.channels.push_back(std::move(plane));
  }
  return made;
}

TEST(TwoColors, FillBitsOfRows) {
  const Image image = two_colors({0, 1, 9});
  EXPECT_EQ(encode_image(image, "pbm"), std::string("P4\n10 2\n\xc0\x40\xc0\x40", 12));
  const std::string xbm = encode_image(image, "xbm", Context(), {{}, "a-b"});
  EXPECT_NE(xbm.find("#define a_b_width 10\n#define a_b_height 2\n"), std::string::npos) << xbm;
  EXPECT_NE(xbm.find("char a_b_bits[] = {\n  0x03, 0x02, 0x03, 0x02,\n};"), std::string::npos)
      << xbm;
  const std::string bmp = encode_image(image, "bmp");
  EXPECT_EQ(bmp.size(), 14u + 40 + 2 * 4 + 2 * 4);
  EXPECT_EQ(bmp.substr(54), std::string("\xff\xff\xff\0\0\0\xc8\0\xc0\x40\0\0\xc0\x40\0\0", 16));
}

TEST(Gif, HoldsTheColorsOfItsFrames) {
  Image image = two_colors({2, 3, 5, 6});
  image.slices = 2;
  image.channels[1](5, 1) = 0.6f;
  TemporaryFolder folder;
  folder.write("a.gif", encode_image(image, "gif"));
  const Image read = read_frames((folder.path() / "a.gif").string(), Context());
  EXPECT_EQ(read.slices, 2);
  ASSERT_EQ(read.channels.size(), 3u);
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t i = 0; i < 20; ++i) {
      ASSERT_NEAR(read.channels[c].values()[i], image.channels[c].values()[i], 0.002);
    }
  }
  Image many = two_colors({});
  for (Plane<float>& plane : many.channels) plane = Plane<float>(17, 17);
  for (std::size_t i = 0; i < 289; ++i) {
    many.channels[i % 2].values()[i] = static_cast<float>(i / 2 + 1) / 255.0f;
  }
  EXPECT_THROW(encode_image(many, "gif"), Error);
}

TEST(TwoColors, AreNotMore) {
  Image image = two_colors({0});
  image.channels[1](5, 1) = 0.5f;
  try {
    encode_image(image, "pbm");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("has 3"), std::string::npos) << error.what();
  }
  // A picture of one color is black or white.
  EXPECT_EQ(encode_image(two_colors({}), "pbm").substr(8), std::string("\0\0\0\0", 4));
}

TEST(PackedIndices, ArePlacesInThePalette) {
  Image image = two_colors({0, 1, 9});
  image.hints.palette.insert(image.hints.palette.begin(), {0, 0, 255});
  image.hints.palette.push_back({0, 9, 0});
  image.channels[0](4, 1) = 0;
  image.channels[1](4, 1) = 9 / 255.0f;
  image.channels[2](4, 1) = 0;
  const auto bytes_of = [&](int bits) {
    const Image packed = pack_indices(image, bits);
    EXPECT_EQ(packed.height(), 2);
    std::vector<int> bytes;
    for (const float v : packed.channels[0].values()) {
      bytes.push_back(static_cast<int>(std::lround(v * 255)));
    }
    return bytes;
  };
  EXPECT_EQ(bytes_of(2), (std::vector<int>{0xa5, 0x55, 0x60, 0xa5, 0xd5, 0x60}));
  EXPECT_EQ(bytes_of(4),
            (std::vector<int>{0x22, 0x11, 0x11, 0x11, 0x12, 0x22, 0x11, 0x31, 0x11, 0x12}));
  EXPECT_THROW(pack_indices(image, 1), Error);
  const std::string text = pack_indices(image, 2).metadata.back().second;
  EXPECT_NE(text.find("10x2 pixels of 2 bits"), std::string::npos) << text;
  EXPECT_NE(text.find("0=#0000ff 1=#ffffff 2=#c80000 3=#000900"), std::string::npos) << text;
}

}  // namespace
}  // namespace dapple
