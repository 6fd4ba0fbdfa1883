// Every target over its corpus, and over the same few thousand mutations of it at every run: what
// the fuzzers found stays found, and readers meet broken files in every build.
#include <fstream>
#include <gtest/gtest.h>
#include <regex>

#include "dapple/extend/options.hpp"
#include "fuzz/mutations.hpp"
#include "fuzz/targets.hpp"

namespace dapple::fuzz {
namespace {

class Replay : public testing::TestWithParam<Target> {};

TEST_P(Replay, CorpusAndItsMutations) {
  const Target& target = GetParam();
  std::vector<std::string> files;
  for (auto& [name, bytes] : corpus(target.folder)) files.push_back(bytes);
  ASSERT_FALSE(files.empty());
  for (std::size_t i = 0; i < files.size(); ++i) {
    ASSERT_NO_THROW(target.run(files[i])) << "file " << i;
    for (int k = 0; k < target.mutations; ++k) {
      Random random(7, Stream::tests, i * 1'000'000 + static_cast<std::size_t>(k));
      std::string bytes = files[i];
      mutate(bytes, files, random);
      ASSERT_NO_THROW(target.run(bytes)) << "file " << i << ", mutation " << k << ":\n"
                                         << testing::PrintToString(bytes.substr(0, 2000));
    }
  }
}

// scripts/fuzz runs the programs of this list.
TEST(Replay, EveryTargetIsAProgramOfFuzzers) {
  std::ifstream file(DAPPLE_SOURCE_FOLDER "/tests/fuzz/CMakeLists.txt");
  std::string list;
  while (std::getline(file, list) && list.find("foreach(target") == std::string::npos) {
  }
  for (const Target& target : targets()) {
    EXPECT_TRUE(std::regex_search(list, std::regex("\\b" + std::string(target.name) + "\\b")))
        << target.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Replay, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace dapple::fuzz
