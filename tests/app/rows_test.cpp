// Large textures are written while they are made: files of the whole in a part of its memory.
#include "program_test.hpp"

namespace dapple {
namespace {

using Words = std::vector<std::string>;

class Rows : public test::ProgramTest {
 protected:
  Words worley(const Words& more) const {
    Words words{"worley", "--size", "4096x2048", "--count", "2000"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(Rows, FilesAreThoseOfTheWhole) {
  const std::vector<std::pair<Words, Words>> cases{
      {{"a.exr"}, {"--bits", "half"}},
      {{"a.exr"}, {"--outputs", "f1,id", "--layer", "cell", "--ids", "uint"}},
      {{"a.exr", "b.png"}, {"--outputs", "f2-f1"}},
      {{"a.tif"}, {"--bits", "float"}},
      {{"a.png", "sites.csv"}, {"--pack", "R=edge,G=id", "--curve", "2"}},
  };
  for (const auto& [files, options] : cases) {
    if (!test::can_be_written(files[0].substr(2))) continue;
    Words words = worley(options);
    for (const std::string& file : files) words.insert(words.end(), {"-o", file});
    good(words);
    std::vector<std::string> whole;
    for (const std::string& file : files) whole.push_back(folder.read(file));
    // Libraries that write the others take 140 MB.
    words.insert(words.end(), {"--max-memory", files[0] == "a.png" ? "110M" : "250M"});
    good(words);
    for (std::size_t i = 0; i < files.size(); ++i) {
      EXPECT_TRUE(folder.read(files[i]) == whole[i]) << files[i];
    }
  }
}

TEST_F(Rows, WhatIsNotWrittenByRowsNeedsTheWhole) {
  const auto refused = [&](Words more) {
    const bool png = more.back() == "a.png";
    more.insert(more.end(), {"--max-memory", png ? "110M" : "250M"});
    const test::Outcome outcome = run(worley(more));
    EXPECT_EQ(outcome.code, 5) << outcome.err;
    EXPECT_NE(outcome.err.find("--max-memory"), std::string::npos) << outcome.err;
  };
  refused({"-o", "a.tx"});
  refused({"-o", "a.exr", "-o", "b.dds"});
  refused({"--outputs", "f2-f1,area", "-o", "a.exr"});
  refused({"--relief", "1", "-o", "a.png"});
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(Rows, AFileThatDoesNotFitLeavesNothing) {
  for (const std::string type : {"exr", "tif", "png"}) {
    if (!test::can_be_written(type)) continue;
    test::Spawn how;
    how.environment["D"] = test::tested_program();
    // Windows has no such signal, at which wine would end the program.
    const std::string ignore = test::tests_windows() ? "trap '' XFSZ; " : "";
    const auto outcome = test::run_process(
        {"/bin/bash", "-c",
         ignore + "ulimit -f 1000; exec $D worley --size 4096x2048 --max-memory 250M -o a." + type},
        folder.path(), how);
    EXPECT_EQ(outcome.code, 4) << outcome.err;
    // Windows has no limit that the program could name.
    const std::string reason = test::tests_windows() ? "cannot be written" : "ulimit -f";
    EXPECT_NE(outcome.err.find(reason), std::string::npos) << outcome.err;
    EXPECT_TRUE(folder.names().empty());
  }
}

}  // namespace
}  // namespace dapple
