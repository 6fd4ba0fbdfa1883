// The real program on files of several frames, compared with the frames that Pillow and ImageMagick
// composite.
#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <sstream>
#include <zlib.h>

#include "dapple/image_files.hpp"
#include "program_test.hpp"

namespace dapple {
namespace {

using test::Outcome;

class Animations : public test::ProgramTest {};

// Frames of an animated PNG, with each way to draw and to remove a frame, as Pillow composites
// them.
TEST_F(Animations, FramesOfAnimatedPngArriveComposited) {
  folder.write("make.py",
               "from PIL import Image, ImageSequence\n"
               "def frame(color, box):\n"
               "    f = Image.new('RGBA', (20, 15), (0, 0, 0, 0))\n"
               "    f.paste(color, box)\n"
               "    return f\n"
               "frames = [frame((200, 220, 240, 255), (0, 0, 20, 15)),\n"
               "          frame((255, 0, 0, 255), (3, 2, 9, 9)),\n"
               "          frame((0, 128, 0, 255), (5, 5, 18, 12)),\n"
               "          frame((0, 0, 255, 255), (10, 1, 14, 14)),\n"
               "          frame((9, 9, 9, 255), (0, 12, 20, 15))]\n"
               "frames[0].save('a.png', save_all=True, append_images=frames[1:],\n"
               "               disposal=[0, 2, 1, 0, 0], blend=[0, 1, 1, 1, 0])\n"
               "for i, f in enumerate(ImageSequence.Iterator(Image.open('a.png'))):\n"
               "    f.convert('RGBA').save(f'p-{i}.png')\n");
  const auto made = test::run_process({"/usr/bin/python3", "make.py"}, folder.path());
  if (made.code != 0) GTEST_SKIP() << "needs python3-pil: " << made.err;
  const Image frames = read_frames((folder / "a.png").string(), Context());
  ASSERT_EQ(frames.slices, 5);
  ASSERT_EQ(frames.channels.size(), 4u);
  for (int i = 0; i < 5; ++i) {
    const Image wanted = picture("p-" + std::to_string(i) + ".png");
    const Image frame = slice_of(frames, i);
    for (std::size_t p = 0; p < wanted.channels[3].size(); ++p) {
      ASSERT_EQ(frame.channels[3].values()[p], wanted.channels[3].values()[p]) << i << ' ' << p;
      if (wanted.channels[3].values()[p] == 0) continue;
      for (std::size_t c = 0; c < 3; ++c) {
        ASSERT_EQ(frame.channels[c].values()[p], wanted.channels[c].values()[p]) << i << ' ' << p;
      }
    }
  }
  good({"dither", "a.png", "--levels", "256", "-o", "f-{frame}.png"});
  EXPECT_TRUE(std::filesystem::exists(folder / "f-0004.png"));
  EXPECT_NE(good({"stipple", "a.png", "--dots", "50", "-o", "s.svg"}).err.find("5 frames"),
            std::string::npos);
  const std::string bytes = folder.read("a.png");
  for (std::size_t left = 60; left < bytes.size(); left += 37) {
    folder.write("cut.png", bytes.substr(0, left));
    EXPECT_EQ(run({"dither", "cut.png", "--levels", "256", "-o", "g-{frame}.png"}).code, 3) << left;
  }
  // The program's own animation: its still picture is not a frame.
  good({"compare", "--animate", "--radius", "9", "--size", "60", "-o", "own.apng"});
  EXPECT_GT(read_frames((folder / "own.apng").string(), Context()).slices, 5);
}

// Every frame has the palette and its alpha, and the picture has the texts of the first one.
TEST_F(Animations, FramesOfAnIndexedAnimatedPngKeepTheirPalette) {
  folder.write("make.py",
               "import struct, zlib\n"
               "def chunk(name, data):\n"
               "    check = zlib.crc32(name + data)\n"
               "    return struct.pack('>I', len(data)) + name + data + struct.pack('>I', check)\n"
               "def control(number):\n"
               "    sizes = struct.pack('>5I', number, 3, 1, 0, 0)\n"
               "    return chunk(b'fcTL', sizes + struct.pack('>HHBB', 1, 10, 0, 1))\n"
               "def row(*pixels): return zlib.compress(bytes((0, *pixels)))\n"
               "open('a.png', 'wb').write(\n"
               "    b'\\x89PNG\\r\\n\\x1a\\n' +\n"
               "    chunk(b'IHDR', struct.pack('>IIBBBBB', 3, 1, 8, 3, 0, 0, 0)) +\n"
               "    chunk(b'tEXt', b'Comment\\0' + b'word ' * 1000) +\n"
               "    chunk(b'PLTE', bytes((255, 0, 0, 0, 255, 0, 0, 0, 255))) +\n"
               "    chunk(b'tRNS', bytes((0,))) + chunk(b'acTL', struct.pack('>II', 2, 0)) +\n"
               "    control(0) + chunk(b'IDAT', row(1, 1, 0)) +\n"
               "    control(1) + chunk(b'fdAT', struct.pack('>I', 2) + row(0, 2, 0)) +\n"
               "    chunk(b'IEND', b''))\n");
  ASSERT_EQ(test::run_process({"/usr/bin/python3", "make.py"}, folder.path()).code, 0);
  const Image frames = read_frames((folder / "a.png").string(), Context());
  ASSERT_EQ(frames.slices, 2);
  ASSERT_EQ(frames.channels.size(), 4u);
  const auto channel = [&](int frame, std::size_t c) {
    const Image image = slice_of(frames, frame);
    const std::span<const float> values = image.channels[c].values();
    return std::vector<float>(values.begin(), values.end());
  };
  EXPECT_EQ(channel(0, 3), (std::vector<float>{1, 1, 0}));
  EXPECT_EQ(channel(1, 3), (std::vector<float>{1, 1, 0}));
  EXPECT_EQ(channel(1, 1)[0], 1);  // the second frame is clear here
  EXPECT_EQ(channel(1, 1)[1], 0);
  EXPECT_EQ(channel(1, 2)[1], 1);
  const bool has_comment =
      std::any_of(frames.metadata.begin(), frames.metadata.end(),
                  [](const auto& text) { return text.second.starts_with("word word"); });
  EXPECT_TRUE(has_comment);
}

// Frames of part of the picture, with each disposal method, as another program composites them.
TEST_F(Animations, FramesOfAnimationsArriveComposited) {
  std::istringstream words(
      "convert-im6.q16 -size 40x30 gradient:white-navy -set dispose none "
      "( -size 12x12 xc:red -repage 40x30+4+4 -set dispose previous ) "
      "( -size 12x12 xc:lime -repage 40x30+20+10 -set dispose background ) "
      "( -size 9x9 xc:yellow -repage 40x30+28+2 -set dispose none ) "
      "( -size 30x20 radial-gradient:black-none -repage 40x30+6+6 -set dispose previous ) "
      "( -size 6x6 xc:aqua -repage 40x30+36+26 ) +dither -interlace GIF a.gif");
  std::vector<std::string> line;
  for (std::string word; words >> word;) line.push_back(word);
  tool(line);
  tool({"convert-im6.q16", "a.gif", "-define", "webp:lossless=true", "a.webp"});
  for (const std::string name : {"a.gif", "a.webp"}) {
    tool({"convert-im6.q16", name, "-coalesce", "PNG32:c-%04d.png"});
    const Image frames = read_frames((folder / name).string(), Context());
    ASSERT_EQ(frames.slices, 6) << name;
    ASSERT_EQ(frames.channels.size(), 4u) << name;
    for (int i = 0; i < 6; ++i) {
      const Image wanted = picture("c-000" + std::to_string(i) + ".png");
      const Image frame = slice_of(frames, i);
      const Plane<float>& alpha = wanted.channels[3];
      EXPECT_EQ(frame.channels[3], alpha) << name << i;
      for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t p = 0; p < alpha.size(); ++p) {
          if (alpha.values()[p] == 0) continue;
          ASSERT_NEAR(frame.channels[c].values()[p], wanted.channels[c].values()[p], 1e-6)
              << name << i << ' ' << p;
        }
      }
    }
  }
  good({"dither", "a.gif", "--levels", "256", "-o", "f-{frame}.png"});
  EXPECT_TRUE(std::filesystem::exists(folder / "f-0005.png"));
  // A file that ends early is refused.
  const std::string bytes = folder.read("a.gif");
  for (const std::size_t left : {bytes.size() / 2, bytes.size() * 2 / 3, bytes.size() - 5}) {
    folder.write("cut.gif", bytes.substr(0, left));
    const Outcome cut = run({"dither", "cut.gif", "--levels", "256", "-o", "g-{frame}.png"});
    EXPECT_NE(cut.code, 0) << left;
    EXPECT_NE(cut.err.find("is damaged or incomplete"), std::string::npos) << cut.err;
  }
  // Some writers leave the trailer out.
  folder.write("open.gif", bytes.substr(0, bytes.size() - 1));
  EXPECT_EQ(read_frames((folder / "open.gif").string(), Context()).slices, 6);
}

// Pillow writes and reads the durations.
TEST_F(Animations, FramesKeepTheirDurations) {
  folder.write("make.py",
               "from PIL import Image\n"
               "frames = [Image.new('L', (8, 8), gray) for gray in (0, 120, 250)]\n"
               "for name in ('a.gif', 'a.png'):\n"
               "    frames[0].save(name, save_all=True, append_images=frames[1:],\n"
               "                   duration=[70, 1200, 500], loop=0)\n");
  const auto made = test::run_process({"/usr/bin/python3", "make.py"}, folder.path());
  if (made.code != 0) GTEST_SKIP() << "needs python3-pil: " << made.err;
  folder.write(
      "show.py",
      "import sys\nfrom PIL import Image, ImageSequence\n"
      "print([f.info['duration'] for f in ImageSequence.Iterator(Image.open(sys.argv[1]))])\n");
  const auto durations = [&](const std::string& name) {
    return test::run_process({"/usr/bin/python3", "show.py", name}, folder.path()).out;
  };
  for (const std::string name : {"a.gif", "a.png"}) {
    good({"dither", name, "-o", "b.gif", "-o", "strip.png"});
    EXPECT_EQ(durations("b.gif"), "[70, 1200, 500]\n") << name;
    good({"dither", "strip.png", "-o", "c.gif"});
    EXPECT_EQ(durations("c.gif"), "[70, 1200, 500]\n") << name;
  }
  tool({"convert-im6.q16", "-size", "8x8", "xc:black", "xc:white", "a.webp"});
  good({"dither", "a.webp", "-o", "d.gif"});
  EXPECT_EQ(durations("d.gif"), "[40, 40]\n");
}

TEST_F(Animations, TheFirstFrameIsUsedAndTold) {
  for (const std::string name : {"a.gif", "a.webp"}) {
    tool({"convert-im6.q16", "-size", "40x30", "gradient:", "plasma:", "xc:gray", name});
    const std::string said = good({"stipple", name, "--dots", "60", "-o", "dots.svg"}).err;
    EXPECT_NE(said.find("warning: " + name + " has 3 frames; only the first is used"),
              std::string::npos)
        << said;
  }
  // The chunk acTL behind the header announces the frames of an animated PNG.
  tool({"convert-im6.q16", "-size", "40x30", "gradient:", "still.png"});
  std::string chunk("acTL\0\0\0\5\0\0\0\0", 12);
  const auto check = static_cast<std::uint32_t>(
      ::crc32(0, reinterpret_cast<const Bytef*>(chunk.data()), static_cast<uInt>(chunk.size())));
  chunk.insert(0, std::string("\0\0\0\10", 4));
  for (const int shift : {24, 16, 8, 0}) chunk += static_cast<char>(check >> shift & 255);
  folder.write("a.png", folder.read("still.png").insert(33, chunk));
  EXPECT_NE(good({"stipple", "a.png", "--dots", "60", "-o", "dots.svg"}).err.find("5 frames"),
            std::string::npos);
  EXPECT_EQ(good({"stipple", "still.png", "--dots", "60", "-o", "dots.svg"}).err.find("warning"),
            std::string::npos);
}

}  // namespace
}  // namespace dapple
