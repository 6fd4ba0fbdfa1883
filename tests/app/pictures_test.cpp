// The real program on picture files of every kind, and its drawings as another program shows them.
// What reads and writes them here is not Dapple: portable gray maps by hand, oiiotool and
// rsvg-convert.
#include <cmath>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "dapple/extend/options.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "dapple/point_files.hpp"
#include "program_test.hpp"

namespace dapple {
namespace {

using nlohmann::json;
using test::Outcome;

class Pictures : public test::ProgramTest {
 protected:
  // The places and sizes of a stippling's dots.
  struct Dots {
    std::vector<double> x, y;
    std::vector<float> radius;
    bool operator==(const Dots&) const = default;
  };
  Dots dots(const std::string& file, std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"stipple", file, "--dots", "60", "-o", "dots.csv", "-q"});
    good(options);
    const Points read = read_points((folder / "dots.csv").string(), Limits{});
    std::filesystem::remove(folder / "dots.csv");
    return {read.x, read.y, read.radius};
  }
  // A binary gray or color map (PNM), 8 or 16 bits.
  void write_map(const std::string& name, int width, int height, int channels, int most,
                 const std::function<int(int, int, int)>& value) const {
    std::string bytes = (channels == 1 ? "P5\n" : "P6\n") + std::to_string(width) + " " +
                        std::to_string(height) + "\n" + std::to_string(most) + "\n";
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        for (int c = 0; c < channels; ++c) {
          const int v = value(x, y, c);
          if (most > 255) bytes += static_cast<char>(v >> 8);
          bytes += static_cast<char>(v & 255);
        }
      }
    }
    folder.write(name, bytes);
  }
};

// Neither symmetric nor square.
int scene(int x, int y) {
  return std::min(255, 20 + 3 * x + 2 * y + (x < 9 && y > 20 ? 40 : 0));
}
constexpr int wide = 44;
constexpr int high = 30;

// The largest from the scene.
double difference(const Image& image) {
  if (image.width() != wide || image.height() != high) return 1e9;
  double worst = 0;
  for (int y = 0; y < high; ++y) {
    for (int x = 0; x < wide; ++x) {
      const double v = static_cast<double>(image.channels[0](x, y));
      worst = std::max(worst, std::abs(v - scene(x, y) / 255.0));
    }
  }
  return worst;
}

TEST_F(Pictures, GrayColorAndEveryDepthAreTheSamePicture) {
  const auto gray = [](int x, int y, int) { return scene(x, y); };
  write_map("gray.pgm", wide, high, 1, 255, gray);
  write_map("color.ppm", wide, high, 3, 255, gray);
  write_map("deep.pgm", wide, high, 1, 65535, [](int x, int y, int) { return 257 * scene(x, y); });
  tool({"oiiotool", "gray.pgm", "-o", "gray.png"});
  tool({"oiiotool", "color.ppm", "-o", "color.png"});
  tool({"oiiotool", "deep.pgm", "-d", "uint16", "-o", "deep.png"});
  tool({"oiiotool", "deep.pgm", "-d", "uint16", "-o", "deep.tif"});
  const Dots expected = dots("gray.png");
  for (const char* file : {"gray.pgm", "color.png"}) {
    EXPECT_TRUE(dots(file) == expected) << file;
  }
  for (const char* file : {"gray.png", "color.png", "deep.png", "deep.tif"}) {
    EXPECT_LT(difference(picture(file)), 2e-5) << file;  // oiiotool rounds
  }
  // Floats are linear light: the same picture once it is encoded as such.
  tool({"oiiotool", "deep.png", "--colorconvert", "sRGB", "linear", "-d", "float", "-o",
        "light.exr"});
  const Dots light = dots("light.exr");
  ASSERT_EQ(light.x.size(), expected.x.size());
  EXPECT_NEAR(static_cast<double>(light.radius[0]), static_cast<double>(expected.radius[0]), 1e-4);
  EXPECT_FALSE(dots("gray.png", {"--tone", "linear"}) == expected);
}

TEST_F(Pictures, TransparentPartsHoldNoDots) {
  write_map("gray.pgm", wide, high, 1, 255, [](int, int, int) { return 90; });
  write_map("alpha.pgm", wide, high, 1, 255, [](int x, int, int) { return x < 30 ? 255 : 0; });
  tool({"oiiotool", "gray.pgm", "alpha.pgm", "--chappend", "--chnames", "Y,A", "-o", "both.png"});
  const Dots found = dots("both.png");
  ASSERT_EQ(found.x.size(), 60u);
  int right = 0;
  double farthest = 0;
  for (const double x : found.x) {
    right += x > 15 ? 1 : 0;
    farthest = std::max(farthest, x);
  }
  EXPECT_NEAR(right, 30, 3);
  EXPECT_LT(farthest, 30.5);
}

// TIFF 6.0: what the first row and the first column of the file are to the eye.
struct Place {
  int x, y;
};
Place upright(int orientation, int row, int column) {
  const int right = wide - 1;
  const int bottom = high - 1;
  switch (orientation) {
    case 2:
      return {right - column, row};
    case 3:
      return {right - column, bottom - row};
    case 4:
      return {column, bottom - row};
    case 5:
      return {row, column};
    case 6:
      return {right - row, column};
    case 7:
      return {right - row, bottom - column};
    case 8:
      return {row, bottom - column};
    default:
      return {column, row};
  }
}

TEST_F(Pictures, EveryOrientationIsTurnedUpright) {
  write_map("upright.pgm", wide, high, 1, 255, [](int x, int y, int) { return scene(x, y); });
  const Dots expected = dots("upright.pgm");
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const bool turned = orientation >= 5;
    write_map("stored.pgm", turned ? high : wide, turned ? wide : high, 1, 255,
              [&](int column, int row, int) {
                const Place place = upright(orientation, row, column);
                return scene(place.x, place.y);
              });
    const std::string number = std::to_string(orientation);
    tool({"oiiotool", "stored.pgm", "--attrib:type=int", "Orientation", number, "-o", "turned.tif",
          "--compression", "jpeg:100", "-o", "turned.jpg"});
    EXPECT_LT(difference(picture("turned.tif")), 1e-6) << "orientation " << number;
    EXPECT_LT(difference(picture("turned.jpg")), 0.06) << "orientation " << number;
    if (orientation == 6) {
      EXPECT_TRUE(dots("turned.tif") == expected);
    }
  }
}

TEST_F(Pictures, ValuesThatNoPictureHoldsAreNamed) {
  Image image;
  image.names = {"Y"};
  image.encoding = Encoding::linear;
  image.type = PixelType::f32;
  image.channels.emplace_back(wide, high, 0.25f);
  const auto refused = [&](float value) {
    image.channels[0](7, 5) = value;
    image.channels[0](3, 21) = value;
    folder.write("bad.exr", encode_image(image, "exr"));
    const Outcome outcome = run({"stipple", "bad.exr", "-o", "out.svg"});
    EXPECT_EQ(outcome.code, 3) << value;
    EXPECT_NE(outcome.err.find("x = 7, y = 5"), std::string::npos) << outcome.err;
    EXPECT_EQ(folder.names(), std::vector<std::string>{"bad.exr"});
    EXPECT_EQ(run({"stipple", "bad.exr", "--nan", "zero", "--dots", "50", "-o", "-", "-q"}).code,
              0);
  };
  refused(std::numeric_limits<float>::quiet_NaN());
  refused(std::numeric_limits<float>::infinity());
  refused(-0.5f);
}

TEST_F(Pictures, WhiteHasNothingToPlace) {
  write_map("white.pgm", wide, high, 1, 255, [](int, int, int) { return 255; });
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"stipple", "white.pgm"}, {"sample", "white.pgm", "--as", "tone"}}) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_NE(outcome.err.find("nothing to place"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("--invert"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"white.pgm"});
}

// ---- drawings as others show them ---------------------------------------------------------------

// Ink of a picture in a grid of cells, 0..1; `decode`: from a value to light.
std::vector<double> ink_in_cells(const Image& image, int across, int down,
                                 const std::function<double(float)>& light) {
  std::vector<double> ink(static_cast<std::size_t>(across) * static_cast<std::size_t>(down));
  std::vector<double> pixels(ink.size());
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      const int column = x * across / image.width();
      const int row = y * down / image.height();
      const auto cell = static_cast<std::size_t>(row * across + column);
      ink[cell] += 1 - light(image.channels[0](x, y));
      pixels[cell] += 1;
    }
  }
  for (std::size_t i = 0; i < ink.size(); ++i) ink[i] /= pixels[i];
  return ink;
}

TEST_F(Pictures, InvertedDarksAreNotMeasured) {
  write_map("photo.pgm", 64, 64, 1, 255, [](int x, int, int) { return 3 * x; });
  const Outcome outcome = run({"stipple", "photo.pgm", "--dots", "300", "--invert-darks", "0.75",
                               "--report", "-o", "dots.svg"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("not measured"), std::string::npos) << outcome.err;
}

TEST_F(Pictures, TheSvgAndThePictureShowTheSame) {
  write_map("photo.pgm", 160, 120, 1, 255, [](int x, int y, int) {
    return static_cast<int>(140 + 70 * std::sin(x * 0.06) * std::cos(y * 0.08) -
                            (x > 120 && y > 50 ? 60 : 0));
  });
  folder.write(
      "star.svg",
      "<svg xmlns='http://www.w3.org/2000/svg'><path d='M50 5L61 34 93 36 68 56 76 86 50 69 24 86 "
      "32 56 7 36 39 34zM44 44V56H56V44z'/><circle cx='90' cy='80' r='12'/></svg>");
  const std::vector<std::vector<std::string>> kinds{
      {},
      {"--shape", "star.svg", "--dots", "1000"},
      {"--shape", "star.svg", "--dot-size", "2:7"},
      {"--shape", "star.svg", "--paper", "80x80mm", "--pen", "0.1mm", "--dots", "200"},
      {"--dot-size", "1.5:4"},
      {"--paper", "A6-landscape", "--margin", "12mm"},
      {"--paper", "80x80mm", "--margin", "5mm", "--shape", "point", "--pen", "0.5mm"},
      {"--paper", "A6", "--margin", "5%", "--shape", "circle", "--pen", "0.3mm", "--dots", "900"},
      {"--invert-darks", "0.75", "--dot-size", "3"},
      {"--method", "poisson", "--no-overlap", "--dot-size", "3"}};
  for (std::vector<std::string> words : kinds) {
    SCOPED_TRACE(words.empty() ? "default" : words[0] + " " + words[1]);
    const bool counted = words.empty() || words.back() == "12mm";
    words.insert(words.begin(), {"stipple", "photo.pgm", "-o", "ours.svg", "-o", "ours.png",
                                 "--size", "800x800", "-q"});
    if (counted) words.insert(words.end(), {"--dots", "2000"});
    good(words);
    const Image ours = picture("ours.png");
    tool({"rsvg-convert", "-w", std::to_string(ours.width()), "-h", std::to_string(ours.height()),
          "-b", "white", "ours.svg", "-o", "theirs.png"});
    const Image theirs = picture("theirs.png");
    ASSERT_EQ(theirs.width(), ours.width());
    ASSERT_EQ(theirs.height(), ours.height());
    // Coverage is blended in linear light here and in encoded values there.
    const int across = ours.width() / 16;
    const int down = ours.height() / 16;
    const std::vector<double> a = ink_in_cells(
        ours, across, down, [](float v) { return static_cast<double>(srgb_to_linear(v)); });
    const std::vector<double> b =
        ink_in_cells(theirs, across, down, [](float v) { return static_cast<double>(v); });
    double mean = 0;
    double worst = 0;
    double ink = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      mean += (a[i] - b[i]) / static_cast<double>(a.size());
      worst = std::max(worst, std::abs(a[i] - b[i]));
      ink += a[i] / static_cast<double>(a.size());
    }
    EXPECT_GT(ink, 0.02);
    EXPECT_NEAR(mean, 0, 0.003);
    EXPECT_LT(worst, 0.025);
  }
}

// ---- reports ------------------------------------------------------------------------------------

TEST_F(Pictures, TheSheetOfAReportStandsBesideTheOutputs) {
  write_map("photo.pgm", 160, 120, 1, 255, [](int x, int y, int) { return 60 + x + y / 2; });
  const auto stipple = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"stipple", "photo.pgm", "--dots", "500", "-o", "a.svg"});
    return run(more);
  };
  const Outcome made = stipple({"--report-sheet", "{stem}-sheet.png", "--json"});
  ASSERT_EQ(made.code, 0) << made.err;
  const json record = json::parse(made.out);
  ASSERT_EQ(record["outputs"].size(), 2u);
  EXPECT_EQ(record["outputs"][1]["path"], "photo-sheet.png");
  EXPECT_EQ(record["outputs"][1]["kind"], "sheet");
  EXPECT_EQ(record["outputs"][1]["width"], 1984);
  EXPECT_EQ(picture("photo-sheet.png").width(), 1984);
  EXPECT_GT(record["report"]["measurements"]["worst"], 0);
  // The same sheet of the drawing, but for the rounding of an SVG.
  good({"analyze", "a.svg", "--map", "photo.pgm", "-o", "again.png", "-q"});
  const Image first = picture("photo-sheet.png");
  const Image again = picture("again.png");
  ASSERT_EQ(again.height(), first.height());
  double difference = 0;
  for (std::size_t i = 0; i < first.channels[0].size(); ++i) {
    difference += std::abs(static_cast<double>(first.channels[0].values()[i]) -
                           static_cast<double>(again.channels[0].values()[i]));
  }
  EXPECT_LT(difference / static_cast<double>(first.channels[0].size()), 0.006);
  // A disc's radius is that of its dot, whatever file it comes from.
  const json measured = json::parse(good({"analyze", "a.svg", "--map", "photo.pgm", "--json"}).out);
  EXPECT_NEAR(measured["report"]["measurements"]["ink"].get<double>(), 100, 1);

  EXPECT_EQ(stipple({"--report-sheet", "photo-sheet.png", "--overwrite", "never"}).code, 4);
  EXPECT_EQ(stipple({"--report-sheet", "missing/sheet.png"}).code, 4);
  EXPECT_EQ(stipple({"--report-sheet", "-"}).code, 2);
  EXPECT_EQ(stipple({"--report-sheet", "sheet.csv"}).code, 2);
  EXPECT_EQ(stipple({"--report-sheet", "a.png", "-o", "a.png"}).code, 2);
  EXPECT_EQ(stipple({"--report-sheet", "photo.pgm"}).code, 2) << "the input";
  EXPECT_EQ(run({"dither", "photo.pgm", "--report-sheet", "s.png"}).code, 2) << "has no report";
  const Outcome kept = stipple(
      {"--report-sheet", "photo-sheet.png", "--overwrite", "if-changed", "--json", "--seed", "1"});
  EXPECT_EQ(json::parse(kept.out)["outputs"][1]["unchanged"], true);
}

TEST_F(Pictures, AnySizeInAnyFormat) {
  write_map("photo.pgm", wide, high, 1, 255, [](int x, int y, int) { return scene(x, y); });
  double ink = 0;
  for (const char* size : {"60", "300x77", "1000"}) {
    good({"stipple", "photo.pgm", "--dots", "90", "--size", size, "-o", "a.png", "-o", "a.tif",
          "-o", "a.exr", "-q"});
    for (const char* name : {"a.png", "a.tif", "a.exr"}) {
      const Image image = picture(name);
      // Fitted into the size, in the shape of the photo.
      const bool low = std::string(size) == "300x77";
      EXPECT_EQ(low ? image.height() : image.width(), low ? 77 : std::stoi(size));
      const double other = low ? 77.0 * wide / high : image.width() * high / double{wide};
      EXPECT_NEAR(low ? image.width() : image.height(), other, 0.51);
      double sum = 0;
      for (const float v : image.channels[0].values()) {
        sum += 1 - static_cast<double>(image.encoding == Encoding::linear ? v : srgb_to_linear(v));
      }
      sum /= static_cast<double>(image.channels[0].size());
      if (ink == 0) ink = sum;
      EXPECT_NEAR(sum / ink, 1, 0.01) << name << ' ' << size;
    }
  }
}

// Tone against the prepared picture, and against the photo where it was prepared.
TEST_F(Pictures, AReportShowsBothTones) {
  const auto shades = [](int from, int to) {
    return [=](int x, int, int) { return from + (to - from) * x / (wide - 1); };
  };
  write_map("dull.pgm", wide, high, 1, 255, shades(100, 160));
  write_map("full.pgm", wide, high, 1, 255, shades(0, 255));
  const auto report = [&](const std::string& file, const std::vector<std::string>& options) {
    std::vector<std::string> words{"stipple", file, "--dots", "200", "-o", "d.csv", "--report"};
    words.insert(words.end(), options.begin(), options.end());
    words.emplace_back("--json");
    return json::parse(good(words).out)["report"]["measurements"];
  };
  EXPECT_GT(report("dull.pgm", {})["P2"], 20 + report("dull.pgm", {})["P2_photo"].get<double>());
  EXPECT_FALSE(report("dull.pgm", {"--contrast", "none"}).contains("P2_photo"));
  EXPECT_FALSE(report("full.pgm", {}).contains("P2_photo"));
}

// A mat with holes is what no one wants of a night.
TEST_F(Pictures, NightsAreTold) {
  const auto with_rest = [](int rest) {
    return [=](int x, int y, int) { return y < 3 && x % 11 == 5 ? 255 : rest * x / (wide - 1); };
  };
  write_map("night.pgm", wide, high, 1, 255, with_rest(20));
  write_map("evening.pgm", wide, high, 1, 255, with_rest(120));
  write_map("black.pgm", wide, high, 1, 255, [](int, int, int) { return 0; });
  const auto warnings = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--dots", "100", "-o", "d.csv"});
    return good(words).err;
  };
  EXPECT_NE(warnings({"stipple", "night.pgm"}).find("--preset stipple-night"), std::string::npos);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"stipple", "evening.pgm"},
        {"stipple", "black.pgm"},
        {"stipple", "night.pgm", "--invert"},
        {"stipple", "night.pgm", "--ink", "white", "--background", "black"},
        {"stipple", "night.pgm", "--invert-darks", ".8"}}) {
    EXPECT_EQ(warnings(words).find("most of the picture is dark"), std::string::npos)
        << words.back();
  }
  // Lights of a night are what is left between its dots: these are finer.
  const auto count = [&](const std::string& file) {
    return json::parse(good({"stipple", file, "-o", "d.csv", "--json"}).out)["points"];
  };
  EXPECT_EQ(count("night.pgm"), 30000);
  EXPECT_EQ(count("evening.pgm"), 10000);
}

TEST_F(Pictures, TheFileStatesTheSizeOnPaper) {
  write_map("plain.pgm", 60, 30, 1, 255, [](int x, int y, int) { return 4 * x + y; });
  const auto said = [&](const std::string& file, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"stipple", file, "--dots", "60", "-o", "dots.svg"});
    return good(options).err;
  };
  // 60 pixels at 300, at 118.11 per cm and at 72 per inch, as far as the formats can say so.
  for (const std::string name : {"a.png", "a.jpg", "a.tif"}) {
    tool({"convert-im6.q16", "plain.pgm", "-units", "PixelsPerInch", "-density", "300", name});
    EXPECT_NE(said(name).find("5.1 x 2.5 mm, 60 points, 300 dpi as the picture states"),
              std::string::npos)
        << said(name);
  }
  tool({"convert-im6.q16", "plain.pgm", "-units", "PixelsPerCentimeter", "-density", "100",
        "b.jpg"});
  EXPECT_NE(said("b.jpg").find("6.0 x 3.0 mm, 60 points, 254 dpi"), std::string::npos);
  // An option wins, and a paper has its own size.
  EXPECT_NE(said("a.png", {"--dpi", "96"}).find("15.9 x 7.9 mm, 60 points\n"), std::string::npos);
  EXPECT_NE(said("a.png", {"--paper", "A6"}).find("148.0 x 105.0 mm, 60 points\n"),
            std::string::npos);
  EXPECT_NE(said("plain.pgm").find("15.9 x 7.9 mm, 60 points\n"), std::string::npos);
  // The recipe leads to the same drawing.
  const std::string drawing = (said("a.png"), folder.read("dots.svg"));
  good({"reproduce", "dots.svg", "--input", "a.png", "-o", "again.svg", "-q"});
  EXPECT_EQ(folder.read("again.svg"), drawing);
}

// Writers leave a fourth byte at 0 that the header does not call alpha.
TEST_F(Pictures, AlphaThatNoHeaderDeclaresIsOpaque) {
  const auto little = [](unsigned value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 255);
    return text;
  };
  std::string pixels;
  for (int i = 0; i < 16; ++i) pixels += little(static_cast<unsigned>(i) * 0x0f0f0f, 4);
  const std::string bmp = "BM" + little(54 + 64, 4) + little(0, 4) + little(54, 4) + little(40, 4) +
                          little(4, 4) + little(4, 4) + little(1, 2) + little(32, 2) +
                          little(0, 4) + little(64, 4) + std::string(16, '\0');
  const auto targa = [&](unsigned attributes) {
    return little(2 << 16, 3) + std::string(9, '\0') + little(4, 2) + little(4, 2) + little(32, 1) +
           little(attributes, 1);
  };
  folder.write("a.bmp", bmp + pixels);
  folder.write("a.tga", targa(0) + pixels);
  folder.write("b.tga", targa(8) + pixels);
  EXPECT_EQ(picture("a.bmp").names, (std::vector<std::string>{"R", "G", "B"}));
  EXPECT_EQ(picture("a.tga").names, (std::vector<std::string>{"R", "G", "B"}));
  EXPECT_NEAR(picture("a.tga").channels[0](3, 0), 225 / 255.0, 1e-6);
  EXPECT_EQ(picture("b.tga").names.size(), 4u);
}

// Photos of phones are read as they are, with their colors.
TEST_F(Pictures, PhotosOfPhonesAreRead) {
  if (!std::filesystem::exists("/usr/bin/heif-enc")) GTEST_SKIP();
  const std::string sources = DAPPLE_SOURCE_FOLDER "/samples/astronaut.jpg";
  tool({"convert-im6.q16", sources, "-resize", "96x96", "plain.png"});
  tool({"heif-enc", "-q", "95", "plain.png", "-o", "a.heic"});
  tool({"heif-enc", "-A", "-q", "95", "plain.png", "-o", "a.avif"});
  const Image plain = picture("plain.png");
  for (const char* const name : {"a.heic", "a.avif"}) {
    const Image read = picture(name);
    ASSERT_EQ(read.width(), plain.width()) << name;
    double off = 0;
    for (std::size_t i = 0; i < plain.channels[1].size(); ++i) {
      off += std::abs(read.channels[1].values()[i] - plain.channels[1].values()[i]);
    }
    EXPECT_LT(off / static_cast<double>(plain.channels[1].size()), 0.02) << name;
    EXPECT_EQ(run({"dither", name, "--sandbox", "never", "-o", "b.png"}).code, 3) << name;
    EXPECT_EQ(run({"dither", name, "--max-pixels", "100", "-o", "b.png"}).code, 5) << name;
  }
  folder.write("a.jxl", std::string("\xff\x0a\0\0\0\0", 6));
  EXPECT_NE(run({"dither", "a.jxl", "-o", "b.png"}).err.find("libjxl-tools"), std::string::npos);
}

}  // namespace
}  // namespace dapple
