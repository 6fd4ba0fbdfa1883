// Images of several slices: numbered files, parts, pages and strips, out and in.
#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/metadata.hpp"
#include "app/run/outputs.hpp"
#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/dither.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/mask.hpp"
#include "generate/dither/strip_slices.hpp"
#include "subprocess.hpp"

namespace dapple {
namespace {

using app::OutputKind;
using app::WrittenOutput;
using test::TemporaryFolder;
using Names = std::vector<std::string>;

// Every value of every slice is another.
Image slices(int count, PixelType type = PixelType::u16) {
  Image image;
  image.names = {"Y"};
  image.encoding = Encoding::data;
  image.type = type;
  image.slices = count;
  image.channels = {Plane<float>(5, 3 * count)};
  float next = 0;
  for (float& v : image.channels[0].values()) v = next++ / (type == PixelType::u8 ? 255 : 65535);
  return image;
}

std::vector<WrittenOutput> write(const Image& image, const std::string& path, int frame = -1,
                                 Overwrite overwrite = Overwrite::always) {
  Result result{std::nullopt, ImageMade{image}};
  Context context;
  FileGroup files(overwrite);
  auto written =
      app::write_output(result, {path, app::extension_of(path), OutputKind::image, frame}, false,
                        "command = \"mask\"\n", files, context);
  files.commit();
  return written;
}

std::string said_of(const std::string& path, bool frames = true) {
  try {
    frames ? read_frames(path, Context()) : read_image(path, Context());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "";
}

TEST(Slices, OneAloneIsItsRows) {
  const Image all = slices(4);
  const Image third = slice_of(all, 2);
  EXPECT_EQ(third.slices, 1);
  EXPECT_EQ(third.height(), 3);
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 5; ++x) EXPECT_EQ(third.channels[0](x, y), all.channels[0](x, 6 + y));
  }
}

TEST(Slices, ComeBackFromEveryWayToKeepThem) {
  const TemporaryFolder folder;
  const Image image = slices(12);
  for (const char* name :
       {"a.png", "a.exr", "a.tif", "a_{frame}.png", "b_{frame}.exr", "c{frame}.tif"}) {
    const std::string path = (folder / name).string();
    write(image, path);
    const Image again = read_frames(path, Context());
    EXPECT_EQ(again.slices, 12) << name;
    EXPECT_EQ(again.channels[0], image.channels[0]) << name;
    EXPECT_EQ(again.encoding, Encoding::data) << name;
  }
}

TEST(Slices, AStripSaysHowManyTheyAre) {
  const TemporaryFolder folder;
  const std::string path = (folder / "a.png").string();
  const auto written = write(slices(4), path);
  EXPECT_EQ(written[0].slices, 4);
  EXPECT_EQ(written[0].height, 12);
  const auto texts = read_metadata(path, Context());
  EXPECT_NE(std::find(texts.begin(), texts.end(),
                      std::pair<std::string, std::string>("dapple:slices", "4")),
            texts.end());
  EXPECT_EQ(read_image(path, Context()).slices, 1) << "a picture like any other";
  EXPECT_EQ(read_image(path, Context()).height(), 12);
}

TEST(Slices, AVolumeIsStillOne) {
  const TemporaryFolder folder;
  Image image = slices(4);
  image.volume = true;
  for (const char* name : {"a.png", "a.exr", "a.tif"}) {
    write(image, (folder / name).string());
    EXPECT_TRUE(read_frames((folder / name).string(), Context()).volume) << name;
  }
}

TEST(Slices, ACroppedStripIsRefused) {
  const TemporaryFolder folder;
  Image image = slices(4);
  image.slices = 1;
  for (const char* count : {"5", "0", "-4", "13"}) {
    image.metadata = {{"dapple:slices", count}};
    write(image, (folder / "a.png").string());
    EXPECT_NE(
        said_of((folder / "a.png").string()).find("but its height of 12 pixels is not a multiple"),
        std::string::npos)
        << count;
  }
}

TEST(Slices, NumbersHaveTheDigitsOfTheLast) {
  EXPECT_EQ(frame_name("a/m_{frame}.png", 7, 12), "a/m_0007.png");
  EXPECT_EQ(frame_name("m{frame}.png", 7, 10000), "m0007.png");
  EXPECT_EQ(frame_name("m{frame}.png", 7, 10001), "m00007.png");
}

TEST(Slices, ANumberedFileIsOneSlice) {
  const TemporaryFolder folder;
  const auto written = write(slices(3), (folder / "m_{frame}.png").string());
  EXPECT_EQ(folder.names(), (Names{"m_0000.png", "m_0001.png", "m_0002.png"}));
  ASSERT_EQ(written.size(), 3u);
  EXPECT_EQ(written[2].path, (folder / "m_0002.png").string());
  EXPECT_EQ(written[2].frame, 2);
  EXPECT_EQ(written[2].height, 3);
  const Image image = read_image(written[1].path, Context());
  EXPECT_EQ(image.channels[0], slice_of(slices(3), 1).channels[0]);
  EXPECT_NE(std::find(image.metadata.begin(), image.metadata.end(),
                      std::pair<std::string, std::string>(app::frame_key, "1")),
            image.metadata.end());
  // The same alone.
  write(slices(3), (folder / "one.png").string(), 1);
  EXPECT_EQ(folder.read("one.png"), folder.read("m_0001.png"));
}

TEST(Slices, AnImageOfOneIsNumberedToo) {
  const TemporaryFolder folder;
  write(slices(1), (folder / "m_{frame}.png").string());
  EXPECT_EQ(folder.names(), Names{"m_0000.png"});
}

TEST(Slices, NumberedFilesAppearTogetherOrNotAtAll) {
  const TemporaryFolder folder;
  folder.write("m_0002.png", "kept");
  EXPECT_THROW(write(slices(4), (folder / "m_{frame}.png").string(), -1, Overwrite::never), Error);
  EXPECT_EQ(folder.names(), Names{"m_0002.png"});
  EXPECT_EQ(folder.read("m_0002.png"), "kept");
  {
    FileGroup files(Overwrite::always);
    files.add((folder / "a").string(), "1");
    files.add((folder / "b").string(), "2");
    EXPECT_FALSE(std::filesystem::exists(folder / "a"));
  }
  EXPECT_EQ(folder.names(), Names{"m_0002.png"}) << "nothing is left of what was not committed";
}

TEST(Slices, UnchangedFilesStayUntouched) {
  const TemporaryFolder folder;
  const std::string path = (folder / "m_{frame}.png").string();
  write(slices(3), path);
  folder.write("m_0001.png", "another");
  const auto written = write(slices(3), path, -1, Overwrite::if_changed);
  EXPECT_TRUE(written[0].unchanged);
  EXPECT_FALSE(written[1].unchanged);
  EXPECT_TRUE(written[2].unchanged);
}

TEST(Slices, NumbersAreReadInTheirOrder) {
  const TemporaryFolder folder;
  for (int i = 8; i < 12; ++i) {
    write(slice_of(slices(12), i), (folder / ("f" + std::to_string(i) + ".png")).string());
  }
  folder.write("f.png", "no number");
  folder.write("f7b.png", "no number");
  folder.write("f-7.png", "no number");
  folder.write("f0x7.png", "no number");
  folder.write("f12345678901.png", "a number that is too long");
  folder.write("f8.jpg", "another ending");
  folder.write("g8.png", "another beginning");
  const Image image = read_frames((folder / "f{frame}.png").string(), Context());
  ASSERT_EQ(image.slices, 4);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(slice_of(image, i).channels[0], slice_of(slices(12), 8 + i).channels[0]);
  }
}

TEST(Slices, WhatIsWrongWithNumberedFilesIsSaid) {
  const TemporaryFolder folder;
  const std::string path = (folder / "f{frame}.png").string();
  EXPECT_NE(said_of(path).find("no file has this name"), std::string::npos);
  for (const int i : {0, 1, 3})
    write(slices(1), (folder / ("f" + std::to_string(i) + ".png")).string());
  EXPECT_NE(said_of(path).find("frame 2 is missing"), std::string::npos);
  write(slices(2), (folder / "f2.png").string());
  EXPECT_NE(said_of(path).find("f2.png: has 5 x 6 pixels and 1 channels"), std::string::npos)
      << said_of(path);
  write(slices(1), (folder / "f02.png").string());
  EXPECT_NE(said_of(path).find("frame 2 exists twice"), std::string::npos);
  for (const char* name : {"{frame}/a.png", "{frame}-{frame}.png"}) {
    EXPECT_NE(said_of((folder / name).string()).find("not in the folder"), std::string::npos);
  }
  EXPECT_NE(said_of((folder / "nowhere/f{frame}.png").string()).find("folder cannot be read"),
            std::string::npos);
}

TEST(Slices, NumbersAsCWritesThem) {
  EXPECT_EQ(with_frame_part("a/f%04d.png"), "a/f{frame}.png");
  EXPECT_EQ(with_frame_part("f%d.png"), "f{frame}.png");
  for (const char* other : {"f.png", "100%.png", "f%04x.png", "f%", "f%12"}) {
    EXPECT_EQ(with_frame_part(other), other);
  }
  EXPECT_EQ(frame_digits("a/f{frame}.png", "./a/f0017.png"), "0017");
  for (const char* other : {"f.png", "f{frame}-long.png"}) {
    EXPECT_THROW(frame_digits(other, "a/f1.png"), Error) << other;
  }
}

TEST(Slices, AStripInAFormatWithoutTextsIsWarnedOf) {
  const TemporaryFolder folder;
  Result result{std::nullopt, ImageMade{slices(3, PixelType::u8)}};
  Context context;
  const std::string path = (folder / "a.tga").string();
  FileGroup files(Overwrite::always);
  app::write_output(result, {path, "tga", OutputKind::image, -1}, false, "", files, context);
  ASSERT_EQ(context.warnings().size(), 1u);
  EXPECT_NE(context.warnings()[0].find("strip of 3 slices"), std::string::npos);
}

// ---- strips of frames ---------------------------------------------------------------------------

// Frame i has the value i + column / 10 + row / 100.
Image strip_of(int frames, int width, int height, bool beside) {
  Image image;
  image.names = {"Y"};
  image.channels.emplace_back(beside ? frames * width : width, beside ? height : frames * height);
  for (int i = 0; i < frames; ++i) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        image.channels[0](x + (beside ? i * width : 0), y + (beside ? 0 : i * height)) =
            static_cast<float>(i) + 0.1f * static_cast<float>(x) + 0.01f * static_cast<float>(y);
      }
    }
  }
  return image;
}

TEST(Slices, StripsOfRowsAndOfColumnsAreSplit) {
  const Image expected = strip_of(6, 4, 4, false);
  for (const bool beside : {false, true}) {
    const Image image = slices_of_strip(strip_of(6, 4, 4, beside), 6, "s.png");
    EXPECT_EQ(image.slices, 6);
    EXPECT_EQ(image.channels[0], expected.channels[0]) << beside;
  }
  try {
    slices_of_strip(strip_of(6, 4, 4, false), 7, "s.png");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(std::string(error.what()),
              "s.png: has 4 x 24 pixels, of which neither side is a multiple of `slices 7`");
  }
  Image own = strip_of(6, 4, 4, false);
  own.slices = 3;
  EXPECT_THROW(slices_of_strip(own, 6, "s.png"), Error);
}

// A strip without the text of its number of slices, as other programs write it.
TEST(Slices, AnalyzeAndDitherReadStripsOfOthers) {
  const TemporaryFolder folder;
  const auto dapple = [&](std::vector<std::string> words) {
    words.insert(words.begin(), test::tested_program());
    return test::run_process(words, folder.path());
  };
  ASSERT_EQ(dapple({"mask", "--size", "16x16x8", "--kind", "spatiotemporal", "-q", "-o", "m.png",
                    "--seed", "3"})
                .code,
            0);
  Image foreign = read_frames((folder / "m.png").string(), Context());
  ASSERT_EQ(foreign.slices, 8);
  const Image slices = foreign;
  foreign.slices = 1;
  foreign.metadata.clear();
  folder.write("rows.png", encode_image(foreign, "png"));
  const auto whole = dapple({"analyze", "m.png", "--json"});
  const auto strip = dapple({"analyze", "rows.png", "--slices", "8", "--json"});
  const auto report = [](const std::string& text) {
    return nlohmann::json::parse(text).at("report").dump();
  };
  EXPECT_EQ(report(strip.out), report(whole.out)) << strip.err;
  EXPECT_EQ(dapple({"analyze", "rows.png", "--slices", "5"}).code, 3);

  // Frame i of an animation is dithered with frame i of the mask.
  Image gray = strip_of(2, 16, 16, false);
  gray.slices = 2;
  for (float& v : gray.channels[0].values()) v = 0.5f;
  DitherOptions options;
  Context context;
  options.mask.image = std::make_shared<const Image>(slices);
  const Image expected = dither(gray, options, context);
  options.mask.image = std::make_shared<const Image>(foreign);
  options.slices = 8;
  EXPECT_EQ(dither(gray, options, context).channels[0], expected.channels[0]);
  options.slices = 1;
  EXPECT_FALSE(dither(gray, options, context).channels[0] == expected.channels[0]);
}

// ---- other programs -----------------------------------------------------------------------------

std::string shell(const std::string& line, const TemporaryFolder& folder) {
  const test::Outcome outcome = test::run_process({"/bin/sh", "-c", line}, folder.path(), {});
  EXPECT_EQ(outcome.code, 0) << line << outcome.err;
  return outcome.out;
}

TEST(Slices, AnimationsAndPagesOfOthersAreRead) {
  const std::string convert = "/usr/bin/convert-im6.q16";
  if (!std::filesystem::exists(convert)) GTEST_SKIP();
  const TemporaryFolder folder;
  shell(convert + " -size 6x4 xc:red xc:lime xc:blue a.gif && " + convert +
            " -size 6x4 xc:red xc:lime xc:blue -depth 8 a.tif && " + convert +
            " -size 6x4 xc:red -size 3x2 xc:blue -depth 8 thumbnail.tif",
        folder);
  for (const char* name : {"a.gif", "a.tif"}) {
    const Image image = read_frames((folder / name).string(), Context());
    ASSERT_EQ(image.slices, 3) << name;
    ASSERT_EQ(image.slice_height(), 4) << name;
    EXPECT_EQ(image.channels.size(), 3u) << name;
    for (int i = 0; i < 3; ++i) {
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_EQ(image.channels[c](2, 4 * i + 1), c == static_cast<std::size_t>(i) ? 1.0f : 0.0f)
            << name << " frame " << i << " channel " << c;
      }
    }
    EXPECT_EQ(read_image((folder / name).string(), Context()).height(), 4) << name;
  }
  EXPECT_EQ(read_frames((folder / "thumbnail.tif").string(), Context()).slices, 1);
  EXPECT_EQ(read_frames((folder / "thumbnail.tif").string(), Context()).width(), 6);
}

TEST(Slices, OthersReadPartsAndPages) {
  if (!std::filesystem::exists("/usr/bin/oiiotool")) GTEST_SKIP();
  const TemporaryFolder folder;
  write(slices(3), (folder / "a.exr").string());
  write(slices(3), (folder / "a.tif").string());
  const std::string parts = shell("oiiotool --info -a -v a.exr", folder);
  EXPECT_NE(parts.find("3 subimages: 5x3"), std::string::npos) << parts;
  EXPECT_NE(parts.find("oiio:subimagename: \"0002\""), std::string::npos) << parts;
  EXPECT_NE(shell("oiiotool --info -a -v a.tif", folder).find("3 subimages: 5x3"),
            std::string::npos);
  if (!std::filesystem::exists("/usr/bin/convert-im6.q16")) return;
  EXPECT_EQ(
      shell("/usr/bin/convert-im6.q16 a.tif -format '%wx%h %[fx:p{1,2}*65535];' info:", folder),
      "5x3 11;5x3 26;5x3 41;");
}

// ---- measuring ----------------------------------------------------------------------------------

TEST(Slices, EveryOneOfAMaskIsMeasured) {
  MaskOptions options;
  options.size = Size{32, 32};
  options.bits = MaskBits::u16;
  Context context;
  const Plane<float> good = make_mask(options, context).channels[0];
  options.method = MaskMethod::white;
  const Plane<float> noise = make_mask(options, context).channels[0];
  Image mask = make_mask(options, context);
  mask.slices = 2;
  mask.channels[0] = Plane<float>(32, 64);
  std::copy(good.values().begin(), good.values().end(), mask.channels[0].row(0));
  std::copy(noise.values().begin(), noise.values().end(), mask.channels[0].row(32));
  const QualityReport report = analyze_mask(mask, context);
  EXPECT_EQ(report.find("height")->value, 32);
  EXPECT_EQ(report.find("slices")->value, 2);
  Image first = slice_of(mask, 0);
  Image second = slice_of(mask, 1);
  for (const char* name : {"p32", "grey_2"}) {
    EXPECT_EQ(report.find(name)->value, analyze_mask(first, context).find(name)->value);
    EXPECT_EQ(report.find(std::string(name) + ".worst")->value,
              analyze_mask(second, context).find(name)->value);
  }
  EXPECT_EQ(report.find("d256.worst")->value, analyze_mask(second, context).find("d256")->value);
}

}  // namespace
}  // namespace dapple
