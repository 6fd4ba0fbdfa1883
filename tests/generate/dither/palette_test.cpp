// Palettes: their files, mixtures of their colors, and those made for a picture.
#include "generate/dither/palette.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/dither.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "dither_pictures.hpp"

namespace dapple {
namespace {

TextInput text(std::string content, std::string path = "colors.gpl") {
  return {std::move(path), std::make_shared<const std::string>(std::move(content))};
}

std::string message_of(const TextInput& palette) {
  try {
    palette::parse(palette);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(Palette, ReadsItsThreeForms) {
  const std::vector<palette::Rgb8> expected{{255, 136, 0}, {0, 0, 17}};
  EXPECT_EQ(palette::parse({"#f80,#000011,#FF8800", nullptr}), expected);
  EXPECT_EQ(palette::parse({"navy,white", nullptr}),
            (std::vector<palette::Rgb8>{{0, 0, 128}, {255, 255, 255}}));
  EXPECT_EQ(palette::parse(text("ff8800\r\n; dark\n\n#000011")), expected);
  EXPECT_EQ(palette::parse(text("GIMP Palette\nName: two\nColumns: 2\n# warm\n255 136   0\torange\n"
                                "  0   0  17\n255 136 0 again\n")),
            expected);
  // Aseprite adds the field Channels and a fourth number.
  EXPECT_EQ(
      palette::parse(text("GIMP Palette\nChannels: RGBA\n#\n255 136 0 255\ta\n0 0 17 255\tb\n")),
      expected);
}

std::string big(std::uint32_t number, int count) {
  std::string bytes;
  for (int i = count - 1; i >= 0; --i) bytes += static_cast<char>(number >> 8 * i & 255);
  return bytes;
}

// A block of Adobe swatches: a color of some model.
std::string swatch(std::string_view name, const std::string& model, std::vector<float> values) {
  std::string data = big(static_cast<std::uint32_t>(name.size() + 1), 2);
  for (const char c : name) data += std::string(1, '\0') + c;
  data += std::string(2, '\0') + model;
  for (const float v : values) data += big(std::bit_cast<std::uint32_t>(v), 4);
  data += big(2, 2);
  return big(1, 2) + big(static_cast<std::uint32_t>(data.size()), 4) + data;
}

TEST(Palette, ReadsAdobeSwatches) {
  const std::string group = big(0xc001, 2) + big(6, 4) + big(2, 2) + std::string("\0g\0\0", 4);
  const auto file = [&](const std::string& blocks, std::uint32_t count) {
    return text("ASEF" + big(0x10000, 4) + big(count, 4) + blocks, "pens.ase");
  };
  const std::string colors = swatch("sky", "RGB ", {0.2f, 0.6f, 1}) +
                             swatch("mid", "Gray", {0.5f}) +
                             swatch("red", "LAB ", {0.5429f, 80.8f, 69.89f});
  std::vector<std::string> names;
  const auto read = palette::parse(file(group + colors, 4), &names);
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[0], (palette::Rgb8{51, 153, 255}));
  EXPECT_EQ(read[1], (palette::Rgb8{128, 128, 128}));
  EXPECT_LE(std::abs(read[2][0] - 255) + read[2][1] + read[2][2], 3);
  EXPECT_EQ(names, (std::vector<std::string>{"sky", "mid", "red"}));
  EXPECT_NE(message_of(file(swatch("k", "CMYK", {0, 0, 0, 1}), 1)).find("'CMYK'"),
            std::string::npos);
  EXPECT_NE(message_of(file(colors.substr(0, 30), 1)).find("too early"), std::string::npos);
  EXPECT_NE(message_of(file(swatch("x", "RGB ", {NAN, 0, 0}), 1)).find("range"), std::string::npos);
}

TEST(Palette, ReadsWindowsPalettes) {
  const std::string entries("\x01\x02\x03\0\xff\x80\0\0", 8);
  const std::string log = std::string("\0\x03\x02\0", 4) + entries;
  const std::string junk("junk\x01\0\0\0x\0", 10);
  const std::string file =
      std::string("RIFF\x24\0\0\0PAL ", 12) + junk + std::string("data\x0c\0\0\0", 8) + log;
  EXPECT_EQ(palette::parse(text(file, "a.pal")),
            (std::vector<palette::Rgb8>{{1, 2, 3}, {255, 128, 0}}));
  EXPECT_NE(message_of(text(file.substr(0, file.size() - 1), "a.pal")).find("too early"),
            std::string::npos);
}

TEST(Palette, IsThatOfAnotherPicture) {
  Context context;
  Image few = flat(8, {0.2f, 0.4f, 0.6f}, {"R", "G", "B"});
  few.channels[0](3, 3) = few.channels[1](3, 3) = few.channels[2](3, 3) = 1;
  few.channels[0](4, 4) = few.channels[1](4, 4) = few.channels[2](4, 4) = 0;
  DitherOptions options = small_options();
  options.palette_from.image = std::make_shared<const Image>(few);
  const Image out = dither(flat(32, {0.5f, 0.5f, 0.5f}, {"R", "G", "B"}), options, context);
  const std::set<palette::Rgb8> colors(out.hints.palette.begin(), out.hints.palette.end());
  EXPECT_EQ(colors, (std::set<palette::Rgb8>{{0, 0, 0}, {51, 102, 153}, {255, 255, 255}}));
  options.colors = 2;
  EXPECT_EQ(dither(few, options, context).hints.palette.size(), 2u);
  options.palette.path = "black,white";
  EXPECT_THROW(dither(few, options, context), Error);
}

// The largest difference of two colors, in levels of 255.
int apart(const palette::Rgb8& a, const palette::Rgb8& b) {
  int most = 0;
  for (std::size_t c = 0; c < 3; ++c) most = std::max(most, std::abs(int{a[c]} - int{b[c]}));
  return most;
}

// The expected values are those of CSS Color 4 for lab().
TEST(Palette, ReadsMeasuredColors) {
  const auto red = palette::parse_rgb8("lab(54.29 80.8 69.89)");
  EXPECT_LE(apart(red, {255, 0, 0}), 1);
  EXPECT_LE(apart(palette::parse_rgb8("lab(50 0 0)"), {119, 119, 119}), 1);
  EXPECT_FALSE(palette::lab_color("lab(50 0)"));
  EXPECT_FALSE(palette::lab_color("lab(150 0 0)"));
  EXPECT_FALSE(palette::lab_color("lab(50 0 0"));

  const std::string head = "CGATS.17\nORIGINATOR \"a\"\nNUMBER_OF_FIELDS 4\nBEGIN_DATA_FORMAT\n";
  std::vector<std::string> names;
  const auto table =
      palette::parse(text(head + "SAMPLE_NAME LAB_L LAB_A LAB_B\nEND_DATA_FORMAT\nBEGIN_DATA\n"
                                 "\"warm red\" 54.29 80.8 69.89\ngray 50 0 0\nEND_DATA\n",
                          "pens.txt"),
                     &names);
  ASSERT_EQ(table.size(), 2u);
  EXPECT_EQ(table[0], red);
  EXPECT_EQ(names, (std::vector<std::string>{"warm red", "gray"}));
  // With a paper, colors are relative to it: XYZ of half of its light.
  const auto relative =
      palette::parse(text(head + "SAMPLE_ID XYZ_X XYZ_Y XYZ_Z\nEND_DATA_FORMAT\nBEGIN_DATA\n"
                                 "ink 34 36 28\nPaper 68 72 56\nEND_DATA\n",
                          "pens.ti3"));
  ASSERT_EQ(relative.size(), 2u);
  EXPECT_EQ(relative[1], (palette::Rgb8{255, 255, 255}));
  EXPECT_LE(apart(relative[0], {188, 188, 188}), 1);
  // Spectra: an even one is gray, whether 0..1 or percent; one of long waves is red.
  for (const double full : {1.0, 100.0}) {
    std::string fields = "SAMPLE_ID";
    std::string half = "half";
    std::string longer = "long";
    for (int nm = 400; nm <= 700; nm += 20) {
      fields += " SPECTRAL_NM" + std::to_string(nm);
      half += " " + std::to_string(0.5 * full);
      longer += " " + std::to_string((nm < 600 ? 0.03 : 0.9) * full);
    }
    const auto spectra = palette::parse(text(
        head + fields + "\nEND_DATA_FORMAT\nBEGIN_DATA\n" + half + "\n" + longer + "\nEND_DATA\n",
        "pens.ti3"));
    ASSERT_EQ(spectra.size(), 2u);
    EXPECT_LE(apart(spectra[0], {188, 188, 188}), 1);
    EXPECT_GT(spectra[1][0], 200);
    EXPECT_LT(spectra[1][1], 80);
    EXPECT_LT(spectra[1][2], 60);
  }
  const auto fails = [&](const std::string& rest, const std::string& why) {
    const std::string message = message_of(text(head + rest, "pens.ti3"));
    EXPECT_NE(message.find(why), std::string::npos) << message;
    EXPECT_NE(message.find("pens.ti3"), std::string::npos) << message;
  };
  fails("RGB_R RGB_G RGB_B END_DATA_FORMAT", "expected the fields LAB_L");
  fails("LAB_L LAB_A LAB_B", "END_DATA_FORMAT is missing");
  fails("LAB_L LAB_A LAB_B END_DATA_FORMAT", "BEGIN_DATA is missing");
  fails("LAB_L LAB_A LAB_B END_DATA_FORMAT BEGIN_DATA 1 2 3 4", "ends in color 2");
  fails("LAB_L LAB_A LAB_B END_DATA_FORMAT BEGIN_DATA 1 2 3 4 x 6 END_DATA", "color 2: expected");
  fails("nm400 nm700 nm400 END_DATA_FORMAT BEGIN_DATA", "wavelength 400 nm twice");
  fails("SAMPLE_ID XYZ_X XYZ_Y XYZ_Z END_DATA_FORMAT BEGIN_DATA paper 0 0 0 b 1 2 3 END_DATA",
        "the paper has no light");
}

TEST(Palette, SaysWhereItIsWrong) {
  const std::string binary = message_of(text(std::string("\x89PNG\0\1", 6)));
  EXPECT_NE(binary.find("is a binary file; expected a palette"), std::string::npos) << binary;
  const std::string word = message_of({"#f80,navi", nullptr});
  EXPECT_NE(word.find("color 2"), std::string::npos) << word;
  EXPECT_NE(word.find("'navy'"), std::string::npos) << word;
  EXPECT_NE(message_of({"#f80,", nullptr}).find("color 2"), std::string::npos);
  EXPECT_NE(message_of({"#f80", nullptr}).find("has 1"), std::string::npos);
  const std::string gimp = message_of(text("GIMP Palette\n#\n1 2 3 ok\n1 2 300 big\n"));
  EXPECT_NE(gimp.find("line 4"), std::string::npos) << gimp;
  EXPECT_NE(gimp.find("colors.gpl"), std::string::npos) << gimp;
  EXPECT_NE(message_of(text("GIMP Palette\n1 2\n")).find("line 2"), std::string::npos);
  EXPECT_NE(message_of(text("ff8800\n12345\n")).find("line 2"), std::string::npos);
  EXPECT_NE(message_of(text("")).find("has 0"), std::string::npos);
  std::string many;
  for (int i = 0; i < 257; ++i) {
    many += "#" + std::to_string(100000 + i) + "\n";
  }
  EXPECT_NE(message_of(text(many)).find("257"), std::string::npos);
}

std::string table(std::vector<palette::Rgb8> colors) {
  colors.resize(256);
  std::string bytes;
  for (const palette::Rgb8& c : colors) {
    for (const std::uint8_t v : c) bytes += static_cast<char>(v);
  }
  return bytes;
}

TEST(Palette, ReadsFilesOfOtherPrograms) {
  const std::vector<palette::Rgb8> expected{{255, 136, 0}, {0, 0, 17}};
  EXPECT_EQ(palette::parse(text("JASC-PAL\r\n0100\r\n2\r\n255 136 0\r\n0 0 17\r\n", "a.pal")),
            expected);
  EXPECT_EQ(palette::parse(text("; paint.net Palette File\n; c\nFFff8800\n80000011\n", "a.txt")),
            expected);
  // Adobe: 768 bytes are 256 colors, of which the rest is black here.
  std::vector<palette::Rgb8> with_black = expected;
  with_black.push_back({0, 0, 0});
  EXPECT_EQ(palette::parse(text(table(expected), "a.act")), with_black);
  EXPECT_EQ(palette::parse(text(table(expected), "unnamed")), with_black);
  const std::string two("\x00\x02\xff\xff", 4);
  EXPECT_EQ(palette::parse(text(table(expected) + two, "A.ACT")), expected);
  // The transparent color is no paint.
  const std::string three("\x00\x03\x00\x01", 4);
  const auto found =
      palette::parse(text(table({{1, 2, 3}, {9, 9, 9}, {4, 5, 6}}) + three, "a.act"));
  EXPECT_EQ(found, (std::vector<palette::Rgb8>{{1, 2, 3}, {4, 5, 6}}));
}

TEST(Palette, SaysWhereOtherFilesAreWrong) {
  const std::string jasc = message_of(text("JASC-PAL\n0100\n2\n255 136 0\n0 0 x\n", "a.pal"));
  EXPECT_NE(jasc.find("line 5"), std::string::npos) << jasc;
  const std::string size = message_of(text(std::string(700, '\1'), "a.act"));
  EXPECT_NE(size.find("has 700"), std::string::npos) << size;
  const std::string count =
      message_of(text(table({{1, 2, 3}}) + std::string("\x01\x2c\x00\x00", 4), "a.act"));
  EXPECT_NE(count.find("the palette claims 300 colors"), std::string::npos) << count;
  EXPECT_NE(count.find("a.act"), std::string::npos) << count;
}

TEST(Palette, ThoseOfDevicesAreRead) {
  const std::string folder = DAPPLE_SOURCE_FOLDER "/presets/palettes/";
  for (const auto& [name, colors] :
       std::map<std::string, std::size_t>{{"epaper-7", 7}, {"bricks", 48}, {"thread", 100}}) {
    const std::string content = read_file(folder + name + ".gpl", 1 << 20);
    EXPECT_EQ(palette::parse(text(content)).size(), colors) << name;
    EXPECT_NE(content.find("Nominal:"), std::string::npos) << name;
  }
}

// ---- palettes made for a picture ---------------------------------------------------------------

Image noise_of(const std::vector<std::vector<float>>& colors, int side) {
  Image image = flat(side, {0, 0, 0}, {"R", "G", "B"});
  Random random(9, Stream::tests);
  for (std::size_t i = 0; i < image.channels[0].size(); ++i) {
    const auto& c = colors[random.below(static_cast<std::uint32_t>(colors.size()))];
    for (std::size_t k = 0; k < 3; ++k) image.channels[k].values()[i] = c[k];
  }
  return image;
}

TEST(PaletteMade, AFewColorsAreKeptExactly) {
  std::vector<std::vector<float>> colors;
  for (int i = 0; i < 12; ++i) {
    colors.push_back({static_cast<float>(i * 20) / 255.0f, static_cast<float>(i * i) / 255.0f,
                      static_cast<float>(255 - i) / 255.0f});
  }
  const Image image = noise_of(colors, 50);
  DitherOptions options = small_options();
  for (const int count : {12, 30, 256}) {
    options.colors = count;
    Context context;
    const Image out = dither(image, options, context);
    EXPECT_EQ(out.hints.palette.size(), 12u);
    EXPECT_EQ(out.channels, image.channels);
  }
}

TEST(PaletteMade, HasAtMostSoManyColorsAndTheLightOfThePicture) {
  Image image = flat(96, {0, 0, 0}, {"R", "G", "B"});
  for (int y = 0; y < 96; ++y) {
    for (int x = 0; x < 96; ++x) {
      image.channels[0](x, y) = static_cast<float>(x) / 95;
      image.channels[1](x, y) = static_cast<float>(y) / 95;
      image.channels[2](x, y) = static_cast<float>((x + 2 * y) % 96) / 95;
    }
  }
  DitherOptions options = small_options();
  for (const int count : {2, 3, 8, 16, 64, 256}) {
    options.colors = count;
    Context context;
    const Image out = dither(image, options, context);
    EXPECT_LE(static_cast<int>(out.hints.palette.size()), count);
    EXPECT_GE(static_cast<int>(out.hints.palette.size()), count - count / 8);
    const std::set<palette::Rgb8> palette(out.hints.palette.begin(), out.hints.palette.end());
    EXPECT_EQ(palette.size(), out.hints.palette.size());
    for (std::size_t i = 0; i < out.channels[0].size(); ++i) {
      palette::Rgb8 c;
      for (std::size_t k = 0; k < 3; ++k) {
        c[k] = static_cast<std::uint8_t>(std::lround(out.channels[k].values()[i] * 255));
      }
      ASSERT_EQ(palette.count(c), 1u);
    }
    // Means of clusters alone would lose twice as much.
    for (std::size_t k = 0; count >= 8 && k < 3; ++k) {
      EXPECT_NEAR(mean(out.channels[k], light), mean(image.channels[k], light),
                  count > 8 ? 0.012 : 0.02)
          << count;
    }
  }
}

TEST(PaletteMade, OfOneColorOrNoneThatIsSeenIsAPaletteStill) {
  Context context;
  DitherOptions options = small_options();
  for (const int count : {2, 16}) {
    options.colors = count;
    Image one = flat(16, {0.2f, 0.4f, 0.6f}, {"R", "G", "B"}, PixelType::u8);
    for (auto& plane : one.channels) {
      for (float& v : plane.values()) v = static_cast<float>(std::lround(v * 255)) / 255.0f;
    }
    EXPECT_EQ(dither(one, options, context).channels, one.channels);
    Image hidden = flat(16, {0.2f, 0.4f, 0.6f, 0.0f}, {"R", "G", "B", "A"});
    EXPECT_GE(dither(hidden, options, context).hints.palette.size(), 2u);
  }
}

TEST(PaletteMade, HiddenPixelsHaveNoSay) {
  Image image = flat(64, {0.5f, 0.5f, 0.5f, 1.0f}, {"R", "G", "B", "A"});
  for (int y = 0; y < 32; ++y) {
    for (int x = 0; x < 64; ++x) {
      for (std::size_t k = 0; k < 3; ++k) image.channels[k](x, y) = k == 0 ? 1.0f : 0.0f;
      image.channels[3](x, y) = 0;
    }
  }
  DitherOptions options = small_options();
  options.colors = 8;
  Context context;
  for (const palette::Rgb8& c : dither(image, options, context).hints.palette) {
    EXPECT_NE(c, (palette::Rgb8{255, 0, 0}));
  }
}

TEST(Palette, ItsOwnColorsStayPure) {
  Context context;
  DitherOptions options = small_options();
  options.palette.path = "#0f380f,#306230,#8bac0f,#9bbc0f,#ffffff,#ff0000,#777777";
  for (const palette::Rgb8 c : palette::parse(options.palette)) {
    std::vector<float> color;
    for (const std::uint8_t v : c) color.push_back(static_cast<float>(v) / 255.0f);
    const Image out = dither(flat(64, color, {"R", "G", "B"}), options, context);
    for (std::size_t k = 0; k < 3; ++k) {
      for (const float v : out.channels[k].values()) ASSERT_EQ(v, color[k]);
    }
  }
}

TEST(Palette, MeansAreRightWhereTheyCanBeMixed) {
  Random random(5, Stream::tests);
  Context context;
  for (int round = 0; round < 12; ++round) {
    DitherOptions options = small_options();
    std::string list;
    std::vector<std::array<double, 3>> colors;
    const int count = 4 + round;
    std::array<double, 3> wanted{};
    double total = 0;
    for (int i = 0; i < count; ++i) {
      const double share = random.uniform();
      total += share;
      list += list.empty() ? "#" : ",#";
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t v = random.below(256);
        char hex[3];
        std::snprintf(hex, sizeof hex, "%02x", v);
        list += hex;
        wanted[static_cast<std::size_t>(k)] += share * light(v / 255.0);
      }
    }
    options.palette.path = list;
    options.mixing = DitherMixing::light;
    Image image = flat(64, {0, 0, 0}, {"R", "G", "B"});
    image.encoding = Encoding::linear;
    for (std::size_t k = 0; k < 3; ++k) {
      for (float& v : image.channels[k].values()) v = static_cast<float>(wanted[k] / total);
    }
    const Image out = dither(image, options, context);
    // Lightness counts more than color.
    double off = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double channel = mean(out.channels[k], light) - wanted[k] / total;
      EXPECT_NEAR(channel, 0, 0.02) << list;
      off += std::array{0.2126, 0.7152, 0.0722}[k] * channel;
    }
    EXPECT_NEAR(off, 0, 0.004) << list;
  }
}

}  // namespace
}  // namespace dapple
