// The commands that the documents show are commands that the program takes.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "dapple/extend/operation.hpp"
#include "dapple/extend/options.hpp"
#include "source_files.hpp"
#include "subprocess.hpp"

namespace dapple {
namespace {

namespace fs = std::filesystem;

using test::root;

// The words of an indented line that runs an operation of the registry, or none.
std::vector<std::string> command_of(const std::string& line) {
  const bool usage = line.find("[options]") != std::string::npos;
  if (usage || !line.starts_with("    dapple ")) return {};
  std::istringstream stream(line.substr(0, line.find(" #")));
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    if (word == "|" || word == ">" || word == "&&") break;
    if (word.size() > 1 && word.front() == '\'' && word.back() == '\'') {
      word = word.substr(1, word.size() - 2);
    }
    words.push_back(word);
  }
  if (words.size() < 2 || find_operation(words[1]) == nullptr) return {};
  words[0] = DAPPLE_PROGRAM;
  return words;
}

TEST(DocumentedCommands, Resolve) {
  test::TemporaryFolder folder;
  int checked = 0;
  const auto check = [&](const fs::path& file) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
      std::vector<std::string> words = command_of(line);
      if (words.empty()) continue;
      words.emplace_back("--print-recipe");
      const test::Outcome outcome = test::run_process(words, folder.path(), {});
      EXPECT_EQ(outcome.code, 0) << file << ":\n" << line << "\n" << outcome.err;
      ++checked;
    }
  };
  check(root / "README.md");
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs")) {
    // Commands of tutorials need files of earlier ones: tutorials_test.cpp runs them.
    if (entry.path().parent_path().filename() == "tutorials") continue;
    if (entry.path().extension() == ".md") check(entry.path());
  }
  EXPECT_GT(checked, 30);
}

}  // namespace
}  // namespace dapple
