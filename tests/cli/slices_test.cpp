// Slices through the real program: numbered files out and in, reproduced, in batches.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program_test.hpp"

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

}  // namespace
}  // namespace dapple
