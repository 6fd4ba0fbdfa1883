// Textures for renderers: .tx as maketx makes them, 32-bit ids, sets of tiles.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "program_test.hpp"

namespace dapple {
namespace {

using nlohmann::json;
using Names = std::vector<std::string>;

bool has_tools() {
  return std::filesystem::exists("/usr/bin/oiiotool") &&
         std::filesystem::exists("/usr/bin/maketx") && std::filesystem::exists("/usr/bin/idiff");
}

class Textures : public test::ProgramTest {
 protected:
  std::string tool(const std::vector<std::string>& words) const {
    return test::run_process(words, folder.path()).out;
  }
  std::string info(const std::string& name) const {
    return tool({"/usr/bin/oiiotool", "--info", "-v", name});
  }
  // The value of a line such as `wrapmodes: "periodic,periodic"`.
  static std::string line(const std::string& text, const std::string& key) {
    const auto at = text.find("    " + key + ": ");
    if (at == std::string::npos) return "missing";
    const auto start = at + key.size() + 6;
    return text.substr(start, text.find('\n', start) - start);
  }
  bool same(const std::string& a, const std::string& b) const {
    return folder.read(a) == folder.read(b);
  }
  Image read(const std::string& name) const {
    return read_image((folder / name).string(), Limits{});
  }
};

TEST_F(Textures, AreTiledMipmappedAndTagged) {
  if (!has_tools()) GTEST_SKIP();
  good({"worley", "--size", "200x100", "--count", "40", "-o", "a.tx", "-o", "a.exr"});
  const std::string text = info("a.tx");
  EXPECT_NE(text.find("half openexr"), std::string::npos) << text;
  EXPECT_EQ(line(text, "MIP-map levels"), "200x100 100x50 50x25 25x12 12x6 6x3 3x1 1x1");
  EXPECT_EQ(line(text, "tile size"), "64 x 64");
  EXPECT_EQ(line(text, "wrapmodes"), "\"periodic,periodic\"");
  EXPECT_EQ(line(text, "textureformat"), "\"Plain Texture\"");
  EXPECT_EQ(line(text, "fovcot"), "2");
  EXPECT_EQ(line(text, "oiio:ColorSpace"), "\"Linear\"");
  EXPECT_EQ(line(text, "DateTime"), "missing");
  EXPECT_NE(text.find("dapple:recipe"), std::string::npos);
  good({"worley", "--size", "64", "--wrap=false", "-o", "flat.tx"});
  EXPECT_EQ(line(info("flat.tx"), "wrapmodes"), "\"black,black\"");
  // OpenImageIO's own reader of textures takes it.
  EXPECT_EQ(test::run_process({"/usr/bin/maketx", "--wrap", "periodic", "a.tx", "-o", "b.tx"},
                              folder.path())
                .code,
            0);
}

TEST_F(Textures, AreWhatMaketxMakesOfTheSameFloats) {
  if (!has_tools()) GTEST_SKIP();
  good({"worley", "--size", "256x128", "--count", "40", "--outputs", "f1,edge,normal", "-o",
        "a.exr", "-o", "a.tx", "-o", "c.tx"});
  tool({"/usr/bin/maketx", "--format", "exr", "-d", "half", "--wrap", "periodic", "a.exr", "-o",
        "b.tx"});
  const std::string ours = info("a.tx");
  const std::string theirs = info("b.tx");
  for (const char* key : {"MIP-map levels", "channel list", "tile size", "fovcot", "textureformat",
                          "wrapmodes", "oiio:ColorSpace", "oiio:SHA-1", "openexr:roundingmode"}) {
    EXPECT_EQ(line(ours, key), line(theirs, key)) << key;
    EXPECT_NE(line(ours, key), "missing") << key;
  }
  EXPECT_NE(line(ours, "oiio:AverageColor"), "missing");
  // Distances of up to 16 px have halves 2^-7 apart.
  const std::string difference =
      tool({"/usr/bin/idiff", "-a", "-fail", "0.01", "-warn", "0.01", "a.tx", "b.tx"});
  EXPECT_NE(difference.find("PASS"), std::string::npos) << difference;
  // The first level is the file of halves, to the bit.
  good({"worley", "--size", "256x128", "--count", "40", "--outputs", "f1,edge,normal", "--bits",
        "half", "-o", "h.exr"});
  EXPECT_EQ(read("a.tx").channels, read("h.exr").channels);
  EXPECT_TRUE(same("a.tx", "c.tx"));
}

TEST_F(Textures, OfFloatsAreTheExrToTheBit) {
  good(
      {"worley", "--size", "100", "--count", "40", "--bits", "float", "-o", "a.tx", "-o", "a.exr"});
  EXPECT_EQ(read("a.tx").channels, read("a.exr").channels);
  if (!has_tools()) GTEST_SKIP();
  EXPECT_NE(info("a.tx").find("float openexr"), std::string::npos);
}

TEST_F(Textures, AreTheSameBytesForAnyThreads) {
  for (const std::string threads : {"1", "2", "5"}) {
    good({"worley", "--size", "300", "--count", "90", "--outputs", "f1,id", "--threads", threads,
          "-o", "t" + threads + ".tx", "-o", "t" + threads + ".exr"});
  }
  EXPECT_TRUE(same("t1.tx", "t2.tx"));
  EXPECT_TRUE(same("t1.tx", "t5.tx"));
  EXPECT_TRUE(same("t1.exr", "t5.exr"));
  good({"reproduce", "t1.tx", "-o", "again.tx"});
  EXPECT_TRUE(same("again.tx", "t1.tx"));
}

TEST_F(Textures, OfIntegersAreTiff) {
  good({"mask", "--size", "64", "--bits", "16", "-o", "m.tx", "-o", "m.png"});
  EXPECT_EQ(read("m.tx").channels[0], read("m.png").channels[0]);
  good({"reproduce", "m.tx", "-o", "again.tx"});
  EXPECT_TRUE(same("again.tx", "m.tx"));
  good({"dither", DAPPLE_SOURCE_FOLDER "/samples/ascent.png", "--levels", "2", "-o", "d.tx", "-o",
        "d.png"});
  EXPECT_EQ(read("d.tx").channels[0], read("d.png").channels[0]);
  if (!has_tools()) GTEST_SKIP();
  const std::string mask = info("m.tx");
  EXPECT_NE(mask.find("uint16 tiff"), std::string::npos) << mask;
  EXPECT_EQ(line(mask, "MIP-map levels"), "64x64 32x32 16x16 8x8 4x4 2x2 1x1");
  EXPECT_EQ(line(mask, "wrapmodes"), "\"periodic,periodic\"");
  EXPECT_NE(line(mask, "oiio:AverageColor"), "missing") << mask;
  EXPECT_NE(line(mask, "oiio:SHA-1"), "missing") << mask;
  EXPECT_EQ(line(mask, "DateTime"), "missing");
  EXPECT_EQ(line(info("d.tx"), "wrapmodes"), "\"black,black\"");
}

TEST_F(Textures, PrecisionIsAsAsked) {
  if (!has_tools()) GTEST_SKIP();
  good({"worley", "--size", "32", "--outputs", "f1,id", "--bits", "half", "-o", "h.exr"});
  EXPECT_EQ(line(info("h.exr"), "channel list"), "F1.V (half), id.V (float)");
  good({"worley", "--size", "32", "--outputs", "f1,id", "--ids", "uint", "-o", "u.exr"});
  EXPECT_EQ(line(info("u.exr"), "channel list"), "F1.V (float), id.V (uint)");
  good({"worley", "--size", "32", "--pack", "R=f1,G=id", "--layer", "cell", "--bits", "half",
        "--ids", "uint", "-o", "p.exr"});
  EXPECT_EQ(line(info("p.exr"), "channel list"), "cell.R (half), cell.G (uint), cell.B (half)");
  good({"worley", "--size", "32", "--outputs", "f1,id", "--ids", "uint", "-o", "u.tx"});
  EXPECT_EQ(line(info("u.tx"), "channel list"), "F1.V (half), id.V (float)");
  EXPECT_NE(
      run({"worley", "--size", "32", "--outputs", "f1,id", "--ids", "uint", "-o", "u.tif"}).code,
      0);
}

TEST_F(Textures, IdsAreTheSameAsIntegers) {
  if (!has_tools()) GTEST_SKIP();
  good({"worley", "--size", "8x4", "--count", "12", "--outputs", "id", "-o", "f.exr"});
  good({"worley", "--size", "8x4", "--count", "12", "--outputs", "id", "--ids", "uint", "-o",
        "u.exr", "-o", "u.tif"});
  const Image floats = read("f.exr");
  for (const char* name : {"u.exr", "u.tif"}) {
    const std::string dump = tool({"/usr/bin/oiiotool", "--dumpdata", name});
    for (int x = 0; x < 8; ++x) {
      const int id = static_cast<int>(floats.channels[0](x, 3));
      const std::string pixel = "Pixel (" + std::to_string(x) + ", 3): " + std::to_string(id) + " ";
      EXPECT_NE(dump.find(pixel), std::string::npos) << pixel << "\n" << dump;
    }
  }
}

// ---- sets of tiles ------------------------------------------------------------------------------

// The tiles put together, the rows of the highest numbers on top.
std::vector<Plane<float>> together(const std::vector<std::vector<Image>>& rows) {
  const int w = rows[0][0].width();
  const int h = rows[0][0].height();
  std::vector<Plane<float>> planes(
      rows[0][0].channels.size(),
      Plane<float>(w * static_cast<int>(rows[0].size()), h * static_cast<int>(rows.size())));
  for (std::size_t v = 0; v < rows.size(); ++v) {
    for (std::size_t u = 0; u < rows[v].size(); ++u) {
      const int left = static_cast<int>(u) * w;
      const int top = static_cast<int>(rows.size() - 1 - v) * h;
      for (std::size_t c = 0; c < planes.size(); ++c) {
        for (int y = 0; y < h; ++y) {
          for (int x = 0; x < w; ++x) {
            planes[c](left + x, top + y) = rows[v][u].channels[c](x, y);
          }
        }
      }
    }
  }
  return planes;
}

TEST_F(Textures, TilesOfASetAreOneTexture) {
  const Names common{"worley", "--count", "60", "--outputs", "f1,edge,id"};
  const auto with = [&](Names more) {
    more.insert(more.begin(), common.begin(), common.end());
    return more;
  };
  const json outputs = json::parse(good(with({"--size", "40x24", "--udim", "3x2", "--json", "-o",
                                              "c.<UDIM>.exr", "-o", "c.<UDIM>.tx"}))
                                       .out)["outputs"];
  ASSERT_EQ(outputs.size(), 12u);
  EXPECT_EQ(outputs[0]["path"], "c.1001.exr");
  EXPECT_EQ(outputs[3]["path"], "c.1011.exr");
  EXPECT_EQ(outputs[3]["udim"], 1011);
  EXPECT_EQ(outputs[3]["width"], 40);
  EXPECT_EQ(outputs[11]["path"], "c.1013.tx");
  EXPECT_EQ(folder.names().size(), 12u);
  good(with({"--size", "120x48", "-o", "whole.exr"}));
  std::vector<std::vector<Image>> rows(2);
  for (int v = 0; v < 2; ++v) {
    for (int u = 0; u < 3; ++u) {
      rows[static_cast<std::size_t>(v)].push_back(
          read("c." + std::to_string(1001 + u + 10 * v) + ".exr"));
    }
  }
  EXPECT_EQ(together(rows), read("whole.exr").channels);
  good({"reproduce", "c.1012.exr", "-o", "again.exr"});
  EXPECT_TRUE(same("again.exr", "c.1012.exr"));
  if (!has_tools()) GTEST_SKIP();
  EXPECT_EQ(line(info("c.1012.tx"), "wrapmodes"), "\"black,black\"");
}

TEST_F(Textures, TilesOfIntegersAreScaledAlike) {
  good({"worley", "--count", "30", "--size", "32", "--udim", "2", "-o", "c_<UDIM>.png"});
  good({"worley", "--count", "30", "--size", "64", "-o", "whole.png"});
  EXPECT_EQ(together({{read("c_1001.png"), read("c_1002.png")},
                      {read("c_1011.png"), read("c_1012.png")}}),
            read("whole.png").channels);
}

TEST_F(Textures, SetsAreAskedForAndNamed) {
  const auto refused = [&](const Names& words, const std::string& why) {
    const test::Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  };
  refused({"worley", "-o", "c.<UDIM>.exr"}, "--udim");
  refused({"mask", "-o", "c.<UDIM>.png"}, "--udim");
  refused({"worley", "--udim", "2x2", "-o", "c.exr"}, "put <UDIM> into the name");
  refused({"worley", "--udim", "11x1", "-o", "c.<UDIM>.exr"}, "at most 10 tiles across");
  refused({"worley", "--udim", "2x2", "-o", "c.<UDIM>.csv"}, "leave <UDIM> out");
  for (const char* set : {"0x2", "2x0", "1.5x2", "2x2mm", "many"}) {
    const auto outcome = run({"worley", "--udim", set, "-o", "c.<UDIM>.exr"});
    EXPECT_EQ(outcome.code, 2) << set;
    EXPECT_NE(outcome.err.find("must be whole numbers of tiles"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("set their number"), std::string::npos) << outcome.err;
  }
  refused({"worley", "--udim", "2x2x2", "-o", "c.<UDIM>.exr"}, "without a depth");
  refused({"worley", "--udim", "2x2", "-o", "<UDIM>/c.exr"}, "folder");
  refused({"worley", "--udim", "2x2", "-o", "c.<UDIM>.{frame}.exr"}, "{frame}");
  EXPECT_EQ(folder.names(), Names{});
  good({"worley", "--size", "16", "--count", "9", "--udim", "2x1", "-o", "p.csv", "-o",
        "p.<UDIM>.png"});
  EXPECT_EQ(folder.names(), (Names{"p.1001.png", "p.1002.png", "p.csv", "p.csv.json"}));
}

// All of them appear, or none: the folder of the name cannot take the last.
TEST_F(Textures, ASetAppearsAsAWhole) {
  std::filesystem::create_directory(folder / "c.1012.exr");
  EXPECT_EQ(
      run({"worley", "--size", "16", "--count", "9", "--udim", "2x2", "-o", "c.<UDIM>.exr"}).code,
      4);
  EXPECT_EQ(folder.names(), Names{"c.1012.exr"});
}

// A recipe is printed of what a run would take: both say the same of what none does.
TEST_F(Textures, PrintsNoRecipeOfWhatItWouldNotMake) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--pack", "R=x"},
                                                {"--pack", "R=f1,R=f2"},
                                                {"--pack", "R=f1.x"},
                                                {"--pack", "Q=f1"},
                                                {"--gradient", "#zz"},
                                                {"--gradient", "red,#12345"},
                                                {"--line-color", "blu"}}) {
    std::vector<std::string> line{"worley", "--size", "8"};
    line.insert(line.end(), words.begin(), words.end());
    const auto with = [&](const std::vector<std::string>& more) {
      std::vector<std::string> all = line;
      all.insert(all.end(), more.begin(), more.end());
      return run(all);
    };
    const test::Outcome made = with({"-o", "a.png"});
    const test::Outcome printed = with({"--print-recipe"});
    EXPECT_EQ(printed.code, 2) << words[1];
    EXPECT_EQ(made.code, 2) << words[1];
    EXPECT_EQ(printed.out, "");
    EXPECT_EQ(printed.err, made.err);
    EXPECT_NE(made.err.find(words[0]), std::string::npos) << made.err;
  }
  EXPECT_EQ(good({"worley", "--size", "8", "--pack", "R=f1,G=normal.R", "--gradient", "red,#12f",
                  "--print-recipe"})
                .err,
            "");
}

// Levels without a unit are values of the output: pixels of a distance, or parts of 1.
TEST_F(Textures, TakeLevelsOfAGradientAsValuesOfItsOutput) {
  const auto painted = [&](const std::string& levels) {
    good({"worley", "--size", "64", "--count", "30", "--color-of", "random", "--levels", levels,
          "--no-recipe", "-o", "a.png"});
    return folder.read("a.png");
  };
  EXPECT_EQ(painted("0.2:0.6"), painted("20%:60%"));
}

}  // namespace
}  // namespace dapple
