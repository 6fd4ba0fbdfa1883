// Slices through the real program: numbered files out and in, reproduced, in batches.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program_test.hpp"
#include "dapple/context.hpp"
#include "dapple/files.hpp"

namespace dapple {
namespace {

using nlohmann::json;
using Names = std::vector<std::string>;

class SlicesProgram : public test::ProgramTest {};

TEST_F(SlicesProgram, NumberedFilesAreOutputsOfTheirOwn) {
  const json record =
      json::parse(good({"mask", "--size", "16", "-o", "m_{frame}.png", "--json"}).out);
  ASSERT_EQ(record["outputs"].size(), 1u);
  EXPECT_EQ(record["outputs"][0]["path"], "m_0000.png");
  EXPECT_EQ(record["outputs"][0]["frame"], 0);
  EXPECT_EQ(folder.names(), Names{"m_0000.png"});
}

TEST_F(SlicesProgram, ANumberedFileIsReproduced) {
  good({"mask", "--size", "16", "-o", "m_{frame}.png"});
  good({"reproduce", "m_0000.png", "-o", "again.png"});
  EXPECT_EQ(folder.read("again.png"), folder.read("m_0000.png"));
}

TEST_F(SlicesProgram, BatchesWriteNumberedFilesAndKnowThemAgain) {
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"mask\"\nsize = 16\nseed = [1, 2]\n"
               "output = \"m{seed}_{frame}.png\"\n");
  good({"batch", "jobs.toml", "--manifest", "done.jsonl"});
  EXPECT_TRUE(std::filesystem::exists(folder / "m2_0000.png"));
  good({"batch", "verify", "done.jsonl"});
  const auto resumed =
      good({"batch", "jobs.toml", "--manifest", "done.jsonl", "--resume", "--json"});
  EXPECT_EQ(json::parse(resumed.out)["skipped"], 2) << resumed.out;
  folder.write("m1_0000.png", "spoilt");
  const auto mended =
      good({"batch", "jobs.toml", "--manifest", "done.jsonl", "--resume", "--json"});
  EXPECT_EQ(json::parse(mended.out)["skipped"], 1) << mended.out;
}

TEST_F(SlicesProgram, WhatCannotBeNumberedIsRefused) {
  EXPECT_EQ(run({"sample", "--size", "16", "-o", "p_{frame}.csv"}).code, 2);
  EXPECT_EQ(run({"sample", "--size", "16", "-o", "p_{frame}.svg"}).code, 2);
  EXPECT_EQ(run({"mask", "--size", "16", "-o", "{frame}/m.png"}).code, 2);
  EXPECT_EQ(folder.names(), Names{});
}

TEST_F(SlicesProgram, ANumberedMaskIsMeasured) {
  good({"mask", "--size", "32", "-o", "m_{frame}.png"});
  std::filesystem::copy(folder / "m_0000.png", folder / "m_0001.png");
  const json report =
      json::parse(good({"analyze", "m_{frame}.png", "--json"}).out)["report"]["measurements"];
  EXPECT_EQ(report["slices"], 2);
  EXPECT_EQ(report["grey_2"], report["grey_2.worst"]);
}

// ---- animations ---------------------------------------------------------------------------------

class Animation : public test::ProgramTest {
 protected:
  // Three frames a_0.png .. a_2.png of a photo, and three masks m_0.png .. m_2.png.
  void SetUp() override {
    const Image photo = read_image(DAPPLE_SOURCE_FOLDER "/samples/ascent.png", Limits{});
    for (int i = 0; i < 3; ++i) {
      Image frame;
      frame.names = {"Y"};
      frame.channels = {Plane<float>(40, 30)};
      for (int y = 0; y < 30; ++y) {
        for (int x = 0; x < 40; ++x) {
          frame.channels[0](x, y) = photo.channels[0](100 + x + 9 * i, 80 + y);
        }
      }
      folder.write("a_" + std::to_string(i) + ".png", encode_image(frame, "png"));
      good({"mask", "--size", "16", "--seed", std::to_string(i + 1), "-q", "-o",
            "m_" + std::to_string(i) + ".png"});
    }
  }
};

TEST_F(Animation, EveryFrameMeetsTheSliceOfItsMask) {
  good({"dither", "a_{frame}.png", "--mask", "m_{frame}.png", "--levels", "2", "-o",
        "d_{frame}.png"});
  const Image all = read_frames((folder / "d_{frame}.png").string(), Context());
  ASSERT_EQ(all.slices, 3);
  for (int i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i);
    good({"dither", "a_" + n + ".png", "--mask", "m_" + n + ".png", "--levels", "2", "-o",
          "one.png"});
    const Image one = read_image((folder / "one.png").string(), Limits{});
    EXPECT_EQ(slice_of(all, i).channels[0], one.channels[0]) << i;
  }
}

TEST_F(Animation, AllWaysToKeepFramesAreTheSame) {
  const test::Outcome outcome =
      good({"dither", "a_{frame}.png", "--levels", "2", "--json", "-o", "d_{frame}.png", "-o",
            "d.png", "-o", "d.tif", "-o", "d.exr"});
  const json outputs = json::parse(outcome.out)["outputs"];
  ASSERT_EQ(outputs.size(), 6u);
  EXPECT_EQ(outputs[2]["frame"], 2);
  EXPECT_EQ(outputs[3]["slices"], 3);
  EXPECT_EQ(outputs[3]["height"], 90);
  EXPECT_EQ(outputs[4]["height"], 30);
  const auto pixels = [&](const char* name) {
    return read_frames((folder / name).string(), Context()).channels[0];
  };
  EXPECT_EQ(pixels("d.png"), pixels("d_{frame}.png"));
  EXPECT_EQ(pixels("d.tif"), pixels("d_{frame}.png"));
  EXPECT_EQ(pixels("d.exr").height(), 90);
}

TEST_F(Animation, FramesAreReproducedFromTheSameFrames) {
  good(
      {"dither", "a_{frame}.png", "--mask", "m_{frame}.png", "-o", "d_{frame}.png", "-o", "d.tif"});
  good({"reproduce", "d_0002.png", "-o", "again.png"});
  EXPECT_EQ(folder.read("again.png"), folder.read("d_0002.png"));
  good({"reproduce", "d.tif", "-o", "again.tif"});
  EXPECT_EQ(folder.read("again.tif"), folder.read("d.tif"));
  // Any frame that is another makes another result.
  std::filesystem::copy(folder / "a_0.png", folder / "a_2.png",
                        std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(run({"reproduce", "d.tif", "-o", "third.tif"}).code, 3);
}

TEST_F(Animation, BatchesTakeFrames) {
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"dither\"\ninput = \"a_{frame}.png\"\n"
               "mask = \"m_{frame}.png\"\noutput = \"d_{frame}.png\"\n");
  const std::vector<std::string> again{"batch",      "jobs.toml", "--manifest",
                                       "done.jsonl", "--resume",  "--json"};
  good({"batch", "jobs.toml", "--manifest", "done.jsonl"});
  good({"batch", "verify", "done.jsonl"});
  EXPECT_EQ(json::parse(good(again).out)["skipped"], 1);
  std::filesystem::copy(folder / "a_0.png", folder / "a_1.png",
                        std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(json::parse(good(again).out)["skipped"], 0) << "an input has changed";
}

TEST_F(Animation, FramesOverTheirInputAreRefused) {
  EXPECT_EQ(run({"dither", "a_{frame}.png", "-o", "a_{frame}.png"}).code, 2);
  EXPECT_EQ(run({"dither", "b_{frame}.png", "-o", "c.png"}).code, 3);
}

}  // namespace
}  // namespace dapple
