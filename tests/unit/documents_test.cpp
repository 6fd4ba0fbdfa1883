// The documents: what they link to and show is there.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path root = DAPPLE_SOURCE_FOLDER;

std::vector<fs::path> documents() {
  std::vector<fs::path> found;
  for (const char* name : {"README.md", "CONTRIBUTING.md"}) found.push_back(root / name);
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
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    const std::string all = text.str();
    for (std::sregex_iterator it(all.begin(), all.end(), link), end; it != end; ++it) {
      const std::string target = (*it)[1].matched ? (*it)[1] : (*it)[2];
      if (target.find("://") != std::string::npos) continue;
      EXPECT_TRUE(fs::exists(file.parent_path() / target)) << file << " links to " << target;
      ++checked;
    }
  }
  EXPECT_GT(checked, 10);
}

}  // namespace
