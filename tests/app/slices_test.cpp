// Slices through the real program: numbered files out and in, reproduced, in batches.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dapple/context.hpp"
#include "dapple/image_files.hpp"
#include "program_test.hpp"

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

// ---- kinds of masks -----------------------------------------------------------------------------

std::vector<int> words_of(const std::string& bytes) {
  std::vector<int> words;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    words.push_back(static_cast<unsigned char>(bytes[i]) +
                    256 * static_cast<unsigned char>(bytes[i + 1]));
  }
  return words;
}

TEST_F(SlicesProgram, RanksOfAVolumeAreAPermutation) {
  good({"mask", "--size", "8x6x5", "-o", "v.raw", "-o", "v.npy", "-o", "v_{frame}.raw"});
  const std::string raw = folder.read("v.raw");
  std::vector<int> ranks = words_of(raw);
  ASSERT_EQ(ranks.size(), 240u);
  std::sort(ranks.begin(), ranks.end());
  for (int i = 0; i < 240; ++i) ASSERT_EQ(ranks[static_cast<std::size_t>(i)], i);
  EXPECT_NE(folder.read("v.npy").find("(5, 6, 8)"), std::string::npos);
  EXPECT_TRUE(folder.read("v.npy").ends_with(raw));
  std::string frames;
  for (int i = 0; i < 5; ++i) frames += folder.read("v_000" + std::to_string(i) + ".raw");
  EXPECT_EQ(frames, raw);
}

TEST_F(SlicesProgram, FramesAreArraysAndVolumesAreVolumes) {
  good({"mask", "--size", "16x16x4", "-o", "v.ktx2", "-o", "v.png"});
  good({"mask", "--size", "16x16x4", "--kind", "spatiotemporal", "-o", "s.ktx2", "-o", "s.png"});
  const auto byte = [&](const char* file, std::size_t at) { return folder.read(file).at(at); };
  EXPECT_EQ(byte("v.ktx2", 28), 4);  // depth
  EXPECT_EQ(byte("v.ktx2", 32), 0);  // layers
  EXPECT_EQ(byte("s.ktx2", 28), 0);
  EXPECT_EQ(byte("s.ktx2", 32), 4);
  EXPECT_TRUE(read_frames((folder / "v.png").string(), Context()).volume);
  EXPECT_FALSE(read_frames((folder / "s.png").string(), Context()).volume);
  const json report = json::parse(good({"analyze", "v.png", "--json"}).out)["report"];
  EXPECT_EQ(report["measurements"]["slices"], 4);
  EXPECT_EQ(report["measurements"]["missing"], 0) << "counted over all layers";
}

TEST_F(SlicesProgram, DistancesAreArraysAsTheyAre) {
  good({"worley", "--size", "32", "--count", "4", "-o", "w.raw", "-o", "w.exr"});
  const Image exr = read_image((folder / "w.exr").string(), Limits{});
  const std::string raw = folder.read("w.raw");
  ASSERT_EQ(raw.size(), 32u * 32 * 4 * exr.channels.size());
  float value = 0;
  std::memcpy(&value, raw.data() + 4 * (5 * 32 + 7), 4);
  EXPECT_EQ(value, exr.channels[0](7, 5));
  EXPECT_GT(*std::max_element(exr.channels[0].values().begin(), exr.channels[0].values().end()), 1);
}

TEST_F(SlicesProgram, VolumesTakePointsInSpace) {
  const Names volume{"worley", "--size", "32x24x8", "--outputs", "f1,edge,id"};
  const auto with = [&](std::initializer_list<std::string> more) {
    Names words = volume;
    words.insert(words.end(), more);
    return words;
  };
  const auto channels = [&](const std::string& name) {
    return read_frames((folder / name).string(), Context()).channels;
  };
  good(with({"--count", "40", "-o", "own.exr", "-o", "a.ply", "-o", "a.json", "-o", "a.csv"}));
  for (const std::string points : {"a.ply", "a.json"}) {
    good(with({"--points", points, "-o", "b.exr"}));
    EXPECT_EQ(channels("b.exr"), channels("own.exr")) << points;
  }
  // A table names no domain: the points say it.
  folder.write("b.csv", "x,y,z\n1,1,0.5\n31.5,1,3.5\n1,23.5,6\n");
  good(with({"--points", "b.csv", "-o", "b.exr"}));
  const std::vector<Plane<float>> found = channels("b.exr");
  EXPECT_EQ(found[0](1, 1), std::sqrt(0.5f));  // from (1, 1, 0.5) to the pixel's center
  EXPECT_EQ(found[2](31, 3 * 24), 1);
  EXPECT_EQ(found[2](1, 5 * 24 + 23), 2);
  // Flat cells take no notice.
  good({"worley", "--size", "32x24", "--points", "b.csv", "-o", "flat.exr"});
  folder.write("b.csv", "x,y\n1,1\n31.5,1\n1,23.5\n");
  good({"worley", "--size", "32x24", "--points", "b.csv", "-o", "plain.exr"});
  EXPECT_EQ(channels("flat.exr"), channels("plain.exr"));
  const auto refused = run(with({"--points", "b.csv", "-o", "c.exr"}));
  EXPECT_EQ(refused.code, 3) << refused.err;
  EXPECT_NE(refused.err.find("no column z"), std::string::npos) << refused.err;
}

TEST_F(SlicesProgram, SheetsAreNoArrays) {
  good({"mask", "--size", "32", "-o", "m.png"});
  EXPECT_EQ(run({"analyze", "m.png", "-o", "sheet.json"}).code, 2);
  EXPECT_EQ(run({"analyze", "m.png", "-o", "sheet.c"}).code, 2);
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
