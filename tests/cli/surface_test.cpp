// `dapple sample --on MESH` as users run it.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program_test.hpp"
#include "dapple/image_files.hpp"

namespace dapple::test {
namespace {

class OnMesh : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    // A roof: two squares of side 8 that meet at a ridge.
    std::ofstream(folder / "roof.obj") << "v -8 0 0\nv 0 6 0\nv 0 6 8\nv -8 0 8\nv 8 0 0\nv 8 0 8\n"
                                          "f 4 3 2 1\nf 3 6 5 2\n";
  }
  std::string file(const char* name) const { return folder / name; }
  void refused(std::vector<std::string> words, int code, const std::string& text) const {
    words.insert(words.begin(), {"sample", "--on", file("roof.obj")});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  }
};

TEST_F(OnMesh, MakesFilesOfEveryKindThatReproduce) {
  const Outcome outcome = good({"sample", "--on", file("roof.obj"), "--radius", "0.3", "--certify",
                                "--report", "--json", "-o", file("a.ply"), "-o", file("a.csv"),
                                "-o", file("a.npy"), "-o", file("a.json"), "-o", file("a.png")});
  const auto record = nlohmann::json::parse(outcome.out);
  // Twice 10 x 8, and kappa of a maximal set.
  const double kappa = record["points"].get<double>() * 0.09 / 160;
  EXPECT_NEAR(kappa, 0.71, 0.02);
  EXPECT_EQ(record["outputs"].size(), 5u);
  const std::string report = record["report"].dump();
  EXPECT_NE(report.find("violations"), std::string::npos);
  const std::string before = folder.read("a.ply");
  good({"reproduce", file("a.ply"), "-o", file("b.ply")});
  EXPECT_TRUE(before == folder.read("b.ply"));
  const Image picture = read_image(file("a.png"), Limits{});
  EXPECT_EQ(picture.width(), 1600);
  const auto values = picture.channels[0].values();
  EXPECT_GT(std::count(values.begin(), values.end(), 1.0f), 100000);  // paper
  EXPECT_GT(std::count_if(values.begin(), values.end(), [](float v) { return v < 0.3f; }), 30000);
}

TEST_F(OnMesh, CountsExactlyAndLengthsArePartsOfTheDiagonal) {
  const Outcome counted =
      good({"sample", "--on", file("roof.obj"), "--count", "1000", "--json", "-o", file("a.ply")});
  EXPECT_EQ(nlohmann::json::parse(counted.out)["points"], 1000);
  const double diagonal = std::sqrt(16.0 * 16 + 6 * 6 + 8 * 8);
  const auto csv_of = [&](const std::string& radius) {
    return good({"sample", "--on", file("roof.obj"), "--radius", radius, "-o", "-"}).out;
  };
  const std::string in_percent = csv_of("2%");
  const std::string plain = csv_of(std::to_string(0.02 * diagonal));
  EXPECT_EQ(std::count(in_percent.begin(), in_percent.end(), '\n'),
            std::count(plain.begin(), plain.end(), '\n'));
  EXPECT_TRUE(in_percent.starts_with("x,y,r,z,nx,ny,nz,u,v,face\n"));
}

TEST_F(OnMesh, WhatIsForThePlaneIsRefusedByName) {
  const std::string photo = DAPPLE_SOURCE_FOLDER "/samples/ascent.png";
  refused({"-o", file("a.svg")}, 2, ".svg holds drawings of the plane");
  refused({photo, "-o", file("a.ply")}, 2, "MAP");
  refused({"--wrap", "-o", file("a.ply")}, 2, "--wrap");
  refused({"--method", "dense", "-o", file("a.ply")}, 2, "--method dense");
  refused({"--radius", "2mm", "-o", file("a.ply")}, 2, "unit is its own");
  refused({"--radius", "1:2", "-o", file("a.ply")}, 2, "one length");
  refused({"--radius", "1", "--count", "10", "-o", file("a.ply")}, 2, "--count");
  const Outcome alone = run({"sample", "--gate", "90", "-o", file("a.csv")});
  EXPECT_EQ(alone.code, 2);
  EXPECT_NE(alone.err.find("--gate"), std::string::npos) << alone.err;
  EXPECT_NE(alone.err.find("--on"), std::string::npos) << alone.err;
  const Outcome missing = run({"sample", "--on", file("no.ply"), "-o", file("a.csv")});
  EXPECT_EQ(missing.code, 3) << missing.err;
  std::ofstream(folder / "bad.obj") << "v 0 0 0\nf 1 2 3\n";
  const Outcome bad = run({"sample", "--on", file("bad.obj"), "-o", file("a.csv")});
  EXPECT_EQ(bad.code, 3);
  EXPECT_NE(bad.err.find("bad.obj: line 2"), std::string::npos) << bad.err;
}

}  // namespace
}  // namespace dapple::test
