// Every target over its corpus, and over the same few thousand mutations of it at every run: what
// the fuzzers found stays found, and readers meet broken files in every build.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "fuzz/targets.hpp"

namespace dapple::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> corpus(std::string_view name) {
  std::vector<fs::path> paths;
  for (const auto& entry :
       fs::directory_iterator(fs::path(DAPPLE_SOURCE_FOLDER) / "tests/fuzz/corpus" / name)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> files;
  for (const fs::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return files;
}

std::uint32_t below(Random& random, std::size_t n) {
  return random.below(static_cast<std::uint32_t>(std::max<std::size_t>(n, 1)));
}

// One change of the kinds that break readers: bits, lost and doubled pieces, huge numbers, early
// ends, and pieces of other files.
void mutate(std::string& bytes, const std::vector<std::string>& others, Random& random) {
  static const std::string_view pieces[] = {"999999999999999999999",
                                            "-1",
                                            "0",
                                            "1e308",
                                            "1e-320",
                                            "nan",
                                            "inf",
                                            "",
                                            "\n",
                                            "\r",
                                            std::string_view("\0", 1),
                                            "\xff",
                                            "\"",
                                            "{",
                                            "[",
                                            "]",
                                            "}",
                                            "<",
                                            ">",
                                            ",",
                                            ";",
                                            "=",
                                            "#",
                                            "\\",
                                            "\x7f\xff\xff\xff",
                                            "\x80\x00"};
  const std::size_t at = below(random, bytes.size() + 1);
  const std::size_t length = std::min<std::size_t>(bytes.size() - at, 1 + below(random, 16));
  switch (random.below(7)) {
    case 0:
      if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
      break;
    case 1:
      if (at < bytes.size()) bytes[at] = static_cast<char>(random.below(256));
      break;
    case 2:
      bytes.erase(at, length);
      break;
    case 3:
      bytes.insert(at, bytes.substr(at, length));
      break;
    case 4:
      bytes.replace(at, random.below(2) * length, pieces[random.below(std::size(pieces))]);
      break;
    case 5:
      bytes.resize(at);
      break;
    default: {
      const std::string& other = others[below(random, others.size())];
      bytes.insert(at, other.substr(below(random, other.size()), 1 + below(random, 64)));
    }
  }
}

class Replay : public testing::TestWithParam<Target> {};

TEST_P(Replay, CorpusAndItsMutations) {
  const Target& target = GetParam();
  const std::vector<std::string> files = corpus(target.name);
  ASSERT_FALSE(files.empty());
  for (std::size_t i = 0; i < files.size(); ++i) {
    ASSERT_NO_THROW(target.run(files[i])) << "file " << i;
    for (int k = 0; k < target.mutations; ++k) {
      Random random(7, Stream::tests, i * 1'000'000 + static_cast<std::size_t>(k));
      std::string bytes = files[i];
      for (std::uint32_t n = 1 + random.below(4); n > 0; --n) mutate(bytes, files, random);
      ASSERT_NO_THROW(target.run(bytes)) << "file " << i << ", mutation " << k << ":\n"
                                         << testing::PrintToString(bytes.substr(0, 2000));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Replay, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace dapple::fuzz
