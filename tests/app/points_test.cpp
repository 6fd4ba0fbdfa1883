// Points from file to file: where they lie, and what the program says of it; values by their depth.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "dapple/context.hpp"
#include "dapple/image_files.hpp"
#include "program_test.hpp"

namespace dapple {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::Outcome;

class PointFiles : public test::ProgramTest {
 protected:
  double hole(const std::string& file, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"analyze", file, "--json"});
    return json::parse(good(more).out)["report"]["measurements"]["hole"];
  }
  // The darkest pixel of the distances to a lone site: where it lies.
  std::string site_in(const std::string& name) const {
    const Image image = read_image((folder / name).string(), Context());
    const auto values = image.channels[0].values();
    const auto least = std::min_element(values.begin(), values.end()) - values.begin();
    return std::to_string(least % image.width()) + "," + std::to_string(least / image.width());
  }
};

// A flat one of the same points would have holes at its border.
TEST_F(PointFiles, ATorusIsMeasuredAsOne) {
  good({"sample", "--size", "200x150", "--radius", "6", "--wrap", "-o", "t.csv", "-o", "t.npy",
        "-o", "t.json"});
  const double torus = hole("t.json");
  EXPECT_LE(torus, 1);
  EXPECT_EQ(hole("t.csv"), torus);
  EXPECT_EQ(hole("t.npy"), torus);
  good({"sample", "--size", "200x150", "--radius", "6", "-o", "f.csv"});
  const double flat = hole("f.csv");
  fs::remove(folder / "t.csv.json");
  EXPECT_GT(hole("t.csv"), torus) << "the box of the points, and flat";
  EXPECT_LE(flat, 1);
}

// Files of numbers carry what made them in a sidecar.
TEST_F(PointFiles, TheyAreReproduced) {
  const auto outcome =
      good({"sample", "--size", "80", "--count", "50", "-o", "a.csv", "-o", "a.npy", "--json"});
  const json outputs = json::parse(outcome.out)["outputs"];
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(outputs[0]["sidecar"], "a.csv.json");
  EXPECT_EQ(outputs[1]["sidecar"], "a.npy.json");
  for (const char* name : {"a.csv", "a.npy"}) {
    const auto again = good({"reproduce", name, "-o", std::string("b") + (name + 1)});
    EXPECT_NE(again.err.find("the same bytes"), std::string::npos) << again.err;
  }
  EXPECT_EQ(folder.read("b.csv.json"), folder.read("a.csv.json"));
  // None with standard output, and no recipe where none is to be.
  EXPECT_TRUE(
      good({"sample", "--size", "80", "--count", "50", "-o", "-"}).out.starts_with("x,y,r"));
  good({"sample", "--size", "80", "--count", "50", "--no-recipe", "-o", "c.csv"});
  EXPECT_FALSE(json::parse(folder.read("c.csv.json")).contains("recipe"));
  const auto refused = run({"reproduce", "c.csv", "-o", "d.csv"});
  EXPECT_EQ(refused.code, 3);
  folder.write("a.csv", folder.read("a.csv") + "1,1,1\n");
  const auto stale = run({"reproduce", "a.csv", "-o", "d.csv"});
  EXPECT_EQ(stale.code, 3);
  EXPECT_NE(stale.err.find("carries no recipe"), std::string::npos) << stale.err;
}

TEST_F(PointFiles, SidecarsAreFilesOfTheirRun) {
  const auto twice = run({"stipple", DAPPLE_SOURCE_FOLDER "/samples/ascent.png", "--dots", "100",
                          "-o", "a.csv", "-o", "a.csv.json"});
  EXPECT_EQ(twice.code, 2) << twice.err;
  EXPECT_NE(twice.err.find("a.csv.json"), std::string::npos) << twice.err;
  folder.write("a.csv.json", "mine");
  EXPECT_EQ(run({"sample", "--size", "80", "--overwrite", "never", "-o", "a.csv"}).code, 4);
  EXPECT_EQ(folder.read("a.csv.json"), "mine");
  EXPECT_FALSE(fs::exists(folder / "a.csv"));
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"sample\"\nsize = 64\ncount = 40\nseed = [1, 2]\n"
               "output = \"s{seed}.csv\"\n");
  good({"batch", "jobs.toml", "--manifest", "m.jsonl"});
  good({"batch", "verify", "m.jsonl"});
  fs::remove(folder / "s2.csv.json");
  const auto missing = run({"batch", "verify", "m.jsonl"});
  EXPECT_EQ(missing.code, 6) << missing.err;
  EXPECT_NE((missing.out + missing.err).find("s2.csv.json"), std::string::npos) << missing.err;
  good({"batch", "jobs.toml", "--manifest", "m.jsonl", "--resume"});
  EXPECT_TRUE(fs::exists(folder / "s2.csv.json"));
}

TEST_F(PointFiles, AForeignFileIsInPixels) {
  folder.write("p.csv", "x,y\n12.5,40.5\n");
  const auto outcome = good({"worley", "--points", "p.csv", "--size", "64", "-o", "a.npy"});
  EXPECT_EQ(outcome.err.find("warning"), std::string::npos) << outcome.err;
  EXPECT_EQ(site_in("a.npy"), "12,40");
  const auto scaled = good(
      {"worley", "--points", "p.csv", "--size", "64", "--points-size", "128x128", "-o", "b.npy"});
  EXPECT_NE(scaled.err.find("scaled by 0.5"), std::string::npos) << scaled.err;
  EXPECT_EQ(site_in("b.npy"), "6,20");
  // What does not fit is scaled, and said to be.
  const auto large = good({"worley", "--points", "p.csv", "--size", "32", "-o", "c.npy"});
  EXPECT_NE(large.err.find("--points are scaled by"), std::string::npos) << large.err;
  const auto refused =
      run({"worley", "--points", "p.csv", "--size", "32", "--points-size", "none", "-o", "c.npy"});
  EXPECT_EQ(refused.code, 3) << refused.err;
  EXPECT_NE(refused.err.find("--points-size"), std::string::npos) << refused.err;
  EXPECT_EQ(run({"worley", "--size", "32", "--points-size", "none", "-o", "c.npy"}).code, 2);
  EXPECT_EQ(run({"mask", "--size", "32", "--points-size", "none", "-o", "c.npy"}).code, 2);
}

// Ranks are measured as the mask that they make.
TEST_F(PointFiles, RanksAreRead) {
  good({"mask", "--size", "32", "--seed", "4", "-o", "ranks.npy", "-o", "ranks.png", "--json"});
  good({"mask", "--size", "32", "--seed", "4", "--bits", "float", "-o", "values.npy"});
  const auto figures = [&](const char* file) {
    return json::parse(good({"analyze", file, "--json"}).out)["report"]["measurements"];
  };
  EXPECT_EQ(figures("ranks.npy"), figures("values.npy"));
  // Its line of the spectrum is none that a pen draws.
  EXPECT_EQ(good({"analyze", "ranks.npy"}).out.find("on paper"), std::string::npos);
  const Image ranks = read_image((folder / "ranks.npy").string(), Context());
  const Image values = read_image((folder / "values.npy").string(), Context());
  EXPECT_TRUE(std::ranges::equal(ranks.channels[0].values(), values.channels[0].values()));
}

// The pixel of a mask's first rank is that of the point.
TEST_F(PointFiles, MasksTakeThemAsTheyAre) {
  folder.write("p.csv", "x,y\n12.5,40.5\n");
  good({"mask", "--points", "p.csv", "--size", "64", "--bits", "float", "-o", "m.npy"});
  EXPECT_EQ(site_in("m.npy"), "12,40");
  good({"mask", "--points", "p.csv", "--size", "64", "--bits", "float", "--points-size", "128",
        "-o", "n.npy"});
  EXPECT_EQ(site_in("n.npy"), "6,20");
}

TEST_F(PointFiles, EveryCommandHasEveryDepth) {
  const auto type = [&](const std::string& name) {
    return read_image((folder / name).string(), Context()).type;
  };
  for (const auto& [bits, expected] :
       {std::pair{"8", PixelType::u8}, std::pair{"16", PixelType::u16},
        std::pair{"half", PixelType::f16}, std::pair{"float", PixelType::f32}}) {
    SCOPED_TRACE(bits);
    good({"mask", "--size", "16", "--bits", bits, "-o", "m.npy"});
    EXPECT_EQ(type("m.npy"), expected);
    good({"worley", "--size", "16", "--count", "9", "--bits", bits, "-o", "w.npy"});
    EXPECT_EQ(type("w.npy"), expected);
    good({"analyze", "m.npy"});
    good({"analyze", "w.npy"});
    // Volumes too.
    good({"worley", "--size", "12x10x8", "--count", "20", "--bits", bits, "-o", "v.npy", "-o",
          "v.ktx2", "-o", "v.dds"});
    EXPECT_EQ(type("v.npy"), expected);
    EXPECT_EQ(read_frames((folder / "v.npy").string(), Context()).slices, 8);
    good({"mask", "--size", "12x10x8", "--bits", bits, "-o", "u.dds"});
  }
  good({"sample", "--size", "40", "--count", "30", "-o", "p.npy"});
  EXPECT_EQ(json::parse(good({"analyze", "p.npy", "--json"}).out)["points"], 30);
}

TEST_F(PointFiles, ADepthThatNoFileHoldsIsRefused) {
  const auto refused = [&](std::vector<std::string> words) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << words.back();
    EXPECT_NE(outcome.err.find("bits"), std::string::npos) << outcome.err;
  };
  refused({"mask", "--size", "16", "--bits", "float", "-o", "a.bmp"});
  refused({"mask", "--size", "16", "--bits", "16", "-o", "a.bmp", "-o", "a.tga"});
  refused({"mask", "--size", "16", "--bits", "half", "-o", "a.tif"});
  refused({"worley", "--size", "16", "--count", "9", "--bits", "8", "-o", "a.exr"});
  refused({"worley", "--size", "16", "--count", "9", "--bits", "16", "-o", "sites.csv"});
  refused({"worley", "--size", "16", "--count", "9", "--outputs", "id", "--ids", "uint", "--bits",
           "half", "-o", "a.exr"});
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"mask\"\nsize = 16\nbits = \"float\"\noutput = \"a.bmp\"\n");
  refused({"batch", "jobs.toml"});
  // One that holds it is enough, and a preset's are for formats that do.
  good({"mask", "--preset", "mask-samples-128", "--size", "16", "-o", "a.png"});
  good({"mask", "--size", "16", "--bits", "float", "-o", "a.npy", "-o", "a.png"});
}

TEST_F(PointFiles, AVolumeKeepsItsDepth) {
  good({"sample", "--size", "20x20x30", "--count", "50", "-o", "v.csv"});
  EXPECT_TRUE(folder.read("v.csv").starts_with("x,y,r,z\n"));
  EXPECT_EQ(json::parse(folder.read("v.csv.json"))["domain"]["depth"], 30);
}

TEST_F(PointFiles, ADepthWhereNothingIsDeepIsRefused) {
  const std::string photo = DAPPLE_SOURCE_FOLDER "/samples/ascent.png";
  const std::vector<std::vector<std::string>> lines{
      {"stipple", photo, "--size", "70x70x2", "-o", "a.png"},
      {"stipple", photo, "--paper", "70x70x2mm", "-o", "a.svg"},
      {"dither", photo, "--size", "16x16x4", "-o", "a.png"},
      {"compare", "--size", "40x40x4", "-o", "a.png"}};
  for (const std::vector<std::string>& words : lines) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << words[0] << " " << words[2];
    EXPECT_NE(outcome.err.find(words[1] == "--size" ? words[1] : words[2]), std::string::npos)
        << outcome.err;
  }
}

}  // namespace
}  // namespace dapple
