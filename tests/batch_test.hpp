// `dapple batch` on the real program. Most jobs make points as .csv: no image library is opened.
#pragma once

#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program_test.hpp"

namespace dapple::test {

using nlohmann::json;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class Batch : public ProgramTest {
 protected:
  // What `batch ... --json` says.
  json summary(Words words, int code = 0) const {
    words.insert(words.begin(), "batch");
    words.insert(words.end(), {"--json", "-q"});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    return json::parse(outcome.out, nullptr, false);
  }
  void fails(const Words& words, int code, const Words& texts) const {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code);
    for (const std::string& text : texts) {
      EXPECT_NE(outcome.err.find(text), std::string::npos) << text << " in\n" << outcome.err;
    }
  }
  std::vector<json> lines_of(const std::string& file) const {
    std::vector<json> lines;
    std::istringstream text(folder.read(file));
    for (std::string line; std::getline(text, line);) lines.push_back(json::parse(line));
    return lines;
  }
  // Every file below `out`, by name.
  std::map<std::string, std::string> made(const std::string& below = "out") const {
    std::map<std::string, std::string> files;
    if (!fs::exists(folder / below)) return files;
    for (const auto& entry : fs::directory_iterator(folder / below)) {
      const std::string name = entry.path().filename().string();
      files[name] = folder.read(below + "/" + name);
    }
    return files;
  }
};

// Twelve jobs.
inline const std::string matrix = R"([[job]]
command = "sample"
size = ["32x32", "48x40"]
radius = [4, 6]
seed = { from = 1, to = 5, step = 2 }
output = "out/p_{size}_{radius}_{seed}.csv"
)";

}  // namespace dapple::test
