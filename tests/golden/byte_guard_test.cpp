// The byte guard: outputs of every command whose bytes are recorded in byte_guard.sha256. The list
// and its format are in byte_guard.txt.
//
// `scripts/regenerate golden` records new hashes: a commit that does so says which outputs change,
// and why.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

#include "dapple/extend/program.hpp"
#include "io/digest.hpp"
#include "simd_targets.hpp"
#include "source_files.hpp"
#include "subprocess.hpp"

namespace dapple::golden {
namespace {

struct Output {
  std::string name;
  std::string extension;
  std::vector<std::string> words;  // the command and its arguments

  bool takes_seed() const { return words.front() != "presets" && words.front() != "reproduce"; }
};

void PrintTo(const Output& output, std::ostream* out) {
  *out << output.name;
}

// The lines of byte_guard.txt that are neither empty nor comments.
std::vector<Output> listed_outputs() {
  std::ifstream file(test::root / "tests/golden/byte_guard.txt");
  std::vector<Output> outputs;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    Output output;
    fields >> output.name >> output.extension;
    for (std::string word; fields >> word;) output.words.push_back(word);
    outputs.push_back(output);
  }
  return outputs;
}

std::filesystem::path hash_file() {
  return test::root / "tests/golden/byte_guard.sha256";
}

// Recorded hashes by "NAME SEED".
std::map<std::string, std::string> read_hashes() {
  std::map<std::string, std::string> hashes;
  std::ifstream file(hash_file());
  for (std::string hash, name, seed; file >> hash >> name >> seed;) {
    hashes[name + " " + seed] = hash;
  }
  return hashes;
}

void record_hash(const std::string& key, const std::string& hash) {
  std::map<std::string, std::string> hashes = read_hashes();
  hashes[key] = hash;
  std::ofstream file(hash_file());
  for (const auto& [name, recorded] : hashes) file << recorded << "  " << name << "\n";
}

class ByteGuard : public ::testing::TestWithParam<Output> {
 protected:
  void SetUp() override {
    earlier_ = std::filesystem::current_path();
    std::filesystem::current_path(test::root);
  }
  void TearDown() override { std::filesystem::current_path(earlier_); }

  // Runs the command and returns the SHA-256 of its output.
  std::string hash_of_run(int seed, int threads) const {
    const Output& output = GetParam();
    const std::filesystem::path path = folder_.path() / ("output." + output.extension);
    std::vector<std::string> words = output.words;
    words.insert(words.end(), {"-o", path.string(), "-q", "--threads", std::to_string(threads)});
    if (output.takes_seed()) words.insert(words.end(), {"--seed", std::to_string(seed)});
    EXPECT_EQ(app::run_program(words), 0) << output.name;
    return sha256(test::text_of(path));
  }

 private:
  std::filesystem::path earlier_;
  test::TemporaryFolder folder_;
};

TEST_P(ByteGuard, BytesAreAsRecorded) {
  const std::map<std::string, std::string> hashes = read_hashes();
  struct Run {
    int seed, threads;
  };
  // The first level of vector code runs both seeds; each further level runs the next pair.
  const std::array<Run, 4> runs{{{1, 7}, {7, 1}, {7, 7}, {1, 1}}};
  std::size_t next = 0;
  for_each_simd_target([&](const char* target) {
    for (const std::size_t end = next == 0 ? 2 : next + 1; next < end; ++next) {
      const Run& run = runs[next % runs.size()];
      const std::string key = GetParam().name + " " + std::to_string(run.seed);
      const std::string hash = hash_of_run(run.seed, run.threads);
      if (test::is_updating()) {
        record_hash(key, hash);
        continue;
      }
      const auto recorded = hashes.find(key);
      ASSERT_NE(recorded, hashes.end()) << key << " has no hash: run scripts/regenerate golden";
      EXPECT_EQ(hash, recorded->second)
          << GetParam().name << " has other bytes with --seed " << run.seed << " --threads "
          << run.threads << " on " << target
          << ". If the change is meant, run scripts/regenerate golden and say why in the commit.";
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Outputs, ByteGuard, ::testing::ValuesIn(listed_outputs()),
                         [](const auto& row) {
                           std::string name = row.param.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace dapple::golden
