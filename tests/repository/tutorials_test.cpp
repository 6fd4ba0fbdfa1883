// Runs the commands of each tutorial in their order, as a reader does, and compares its pictures.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/image_files.hpp"
#include "image_difference.hpp"
#include "source_files.hpp"
#include "subprocess.hpp"

namespace dapple::test {
namespace {

namespace fs = std::filesystem;

const fs::path tutorials = root / "docs/tutorials";

// A command of a page, or a file that the page shows and the reader writes.
struct Step {
  std::string command;  // empty for a file
  std::string file;
  std::string content;
};

// Returns the steps of a page in their order. A file is a fenced block that begins with its name as
// a comment; a command is an indented line.
std::vector<Step> steps_of(const std::string& page) {
  static const std::regex name(R"((?:#|//) ([\w.-]+\.\w+))");
  std::vector<Step> steps;
  std::istringstream stream(page);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("    ")) steps.push_back({line.substr(4), "", ""});
    if (!line.starts_with("```")) continue;
    std::smatch found;
    std::getline(stream, line);
    const std::string first = line;
    Step step;
    if (std::regex_match(first, found, name)) step.file = found[1];
    for (; stream && !line.starts_with("```"); std::getline(stream, line)) {
      step.content += line + "\n";
    }
    if (!step.file.empty()) steps.push_back(step);
  }
  return steps;
}

std::vector<std::string> pictures_of(const std::string& page) {
  static const std::regex picture(R"(\]\(pictures/([^)]+)\))");
  std::vector<std::string> names;
  for (std::sregex_iterator i(page.begin(), page.end(), picture), end; i != end; ++i) {
    names.push_back((*i)[1]);
  }
  return names;
}

// Returns the names of the pages, without their extension.
std::vector<std::string> pages() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(tutorials)) {
    if (entry.path().extension() == ".md") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

// Joins the lines of a page, so that a quotation may be wrapped.
std::string on_one_line(const std::string& text) {
  return std::regex_replace(text, std::regex(R"(\s+)"), " ");
}

class Tutorials : public ::testing::TestWithParam<std::string> {
 protected:
  // Runs a line by a shell, in the folder of the line before. Requires exit code 0, and no warning
  // that the page does not quote.
  void run_line(const std::string& line) {
    const Outcome outcome = run_process({"/bin/sh", "-c", line}, work, with_dapple());
    EXPECT_EQ(outcome.code, 0) << line << "\n" << outcome.err;
    static const std::string warning = "dapple: warning: ";
    std::istringstream stream(outcome.err);
    for (std::string said; std::getline(stream, said);) {
      if (!said.starts_with(warning)) continue;
      EXPECT_NE(on_one_line(page).find(said.substr(warning.size())), std::string::npos)
          << line << "\n"
          << said;
    }
  }

  // Pictures may be stored in fewer colors. After DAPPLE_UPDATE=1 reduce the colors of those that
  // are too large: convert -strip +dither -colors 48 PICTURE png8:PICTURE
  void compare(const std::string& name) const {
    const fs::path made = work / name;
    const fs::path stored = tutorials / "pictures" / name;
    ASSERT_TRUE(fs::exists(made)) << "no command of the page makes " << name;
    expect_recorded(made, stored);
    if (is_updating()) return;
    EXPECT_LE(fs::file_size(stored), 120'000u) << name;
    const int width = read_image(stored.string(), Context()).width();
    EXPECT_GE(width, 420) << name;
    EXPECT_LE(width, 860) << name;
  }

  const std::string page = text_of(tutorials / (GetParam() + ".md"));
  TemporaryFolder folder;
  fs::path work = folder.path();
};

TEST_P(Tutorials, RunFromTheFirstToTheLastCommand) {
  fs::copy(root / "samples", folder.path() / "samples", fs::copy_options::recursive);
  int commands = 0;
  for (const Step& step : steps_of(page)) {
    if (step.command.empty()) {
      std::ofstream(work / step.file) << step.content;
      continue;
    }
    run_line(step.command);
    static const std::string change = "&& cd ";
    const auto at = step.command.find(change);
    if (at != std::string::npos) work /= step.command.substr(at + change.size());
    ++commands;
  }
  EXPECT_GE(commands, 10);
  const std::vector<std::string> pictures = pictures_of(page);
  EXPECT_GE(pictures.size(), 3u);
  for (const std::string& name : pictures) compare(name);
}

INSTANTIATE_TEST_SUITE_P(Pages, Tutorials, ::testing::ValuesIn(pages()),
                         [](const auto& test) { return test.param; });

TEST(TutorialPages, ShowEveryPictureOfTheirFolder) {
  std::vector<std::string> shown;
  for (const std::string& name : pages()) {
    const std::vector<std::string> pictures = pictures_of(text_of(tutorials / (name + ".md")));
    shown.insert(shown.end(), pictures.begin(), pictures.end());
  }
  for (const auto& entry : fs::directory_iterator(tutorials / "pictures")) {
    const std::string name = entry.path().filename().string();
    EXPECT_NE(std::ranges::find(shown, name), shown.end()) << name << " is on no page";
  }
}

}  // namespace
}  // namespace dapple::test
