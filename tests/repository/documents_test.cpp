// The documents: what they link to and show is there.
#include <filesystem>
#include <gtest/gtest.h>
#include <regex>
#include <string>
#include <vector>

#include "source_files.hpp"

namespace {

namespace fs = std::filesystem;

using dapple::test::root;
using dapple::test::text_of;

std::vector<fs::path> documents() {
  std::vector<fs::path> found;
  for (const char* name : {"README.md", "CONTRIBUTING.md", "SECURITY.md"})
    found.push_back(root / name);
  for (const char* folder : {"docs", "samples"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() == ".md") found.push_back(entry.path());
    }
  }
  return found;
}

TEST(Documents, LinksLeadToFilesThatExist) {
  static const std::regex link(R"(\]\(([^)#]+)\)|src="([^"]+)\")");
  int checked = 0;
  for (const fs::path& file : documents()) {
    const std::string all = text_of(file);
    for (std::sregex_iterator it(all.begin(), all.end(), link), end; it != end; ++it) {
      const std::string target = (*it)[1].matched ? (*it)[1] : (*it)[2];
      if (target.find("://") != std::string::npos) continue;
      EXPECT_TRUE(fs::exists(file.parent_path() / target)) << file << " links to " << target;
      ++checked;
    }
  }
  EXPECT_GT(checked, 10);
}

// Each promise stands beside a test that there is.
TEST(Documents, PromisesNameTestsThatExist) {
  std::string tests;
  for (const auto& entry : fs::recursive_directory_iterator(root / "tests")) {
    if (entry.path().extension() == ".cpp") tests += text_of(entry.path());
  }
  static const std::regex name(R"(`([A-Z]\w+)\.([A-Z]\w+)`)");
  int checked = 0;
  const std::string all = text_of(root / "docs/reliability.md");
  for (std::sregex_iterator it(all.begin(), all.end(), name), end; it != end; ++it) {
    const std::string test = "(" + (*it)[1].str() + ", " + (*it)[2].str() + ")";
    EXPECT_NE(tests.find(test), std::string::npos) << "there is no test " << test;
    ++checked;
  }
  EXPECT_GT(checked, 30);
}

}  // namespace
