// Below each figure of the documents stands the command that makes it; what the program and the
// samples make by themselves is made here and compared.
#include <filesystem>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

#include "dapple/image_files.hpp"
#include "image_difference.hpp"
#include "program_test.hpp"
#include "source_files.hpp"

namespace dapple::test {
namespace {

namespace fs = std::filesystem;

const std::string built_samples = "build-samples/";

struct Figure {
  fs::path document;
  std::string file;                   // from docs/pictures on
  std::vector<std::string> commands;  // below it, up to the next heading
};

std::vector<Figure> figures_of(const fs::path& document) {
  static const std::regex picture(R"re((?:\]\(|src=")(?:\.\./)?pictures/([^)"]+)[)"])re");
  std::vector<Figure> figures;
  std::size_t first = 0;  // of those under this heading
  std::istringstream stream(text_of(document));
  for (std::string line; std::getline(stream, line);) {
    std::smatch found;
    if (line.starts_with('#')) {
      first = figures.size();
    } else if (line.starts_with("    ")) {
      for (std::size_t i = first; i < figures.size(); ++i) {
        figures[i].commands.push_back(line.substr(4, line.find(" # ") - 4));
      }
    } else if (std::regex_search(line, found, picture)) {
      figures.push_back({document, found[1], {}});
    }
  }
  return figures;
}

// Leaves out the tutorials, which tutorials_test.cpp runs as a whole.
std::vector<Figure> all_figures() {
  std::vector<Figure> all;
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs")) {
    if (entry.path().extension() != ".md") continue;
    if (entry.path().parent_path().filename() == "tutorials") continue;
    for (Figure& figure : figures_of(entry.path())) all.push_back(std::move(figure));
  }
  return all;
}

std::vector<std::string> words_of(const std::string& command) {
  std::istringstream stream(command);
  return {std::istream_iterator<std::string>(stream), {}};
}

bool names(const std::vector<std::string>& words, const std::string& name) {
  return std::ranges::find(words, name) != words.end();
}

// Whether that command makes the figure, as far as its words tell.
bool makes(const std::string& command, const Figure& figure) {
  const std::vector<std::string> words = words_of(command);
  const std::string name = fs::path(figure.file).filename().string();
  const std::string& program = words.front();
  if (program == "dapple") {
    if (!figure.file.starts_with("gallery/")) return words.back() == name;
    const auto preset = std::ranges::find(words, "--preset");
    return preset != words.end() && name.starts_with(preset[1]);
  }
  if (program.starts_with("scripts/")) {
    const bool is_told =
        names(words, name) || text_of(root / program).find(name) != std::string::npos;
    return is_told && fs::exists(root / program);
  }
  return program.starts_with(built_samples) && names(words, name) &&
         fs::exists(root / "samples" / (program.substr(built_samples.size()) + ".cpp"));
}

TEST(Figures, StandAboveTheCommandThatMakesThem) {
  const std::vector<Figure> figures = all_figures();
  EXPECT_GT(figures.size(), 80u);
  for (const Figure& figure : figures) {
    EXPECT_TRUE(std::ranges::any_of(figure.commands,
                                    [&](const std::string& line) { return makes(line, figure); }))
        << figure.document << ": " << figure.file;
    EXPECT_TRUE(fs::exists(root / "docs/pictures" / figure.file)) << figure.file;
  }
}

class FigureFiles : public ProgramTest {
 protected:
  void run_line(const std::string& command) const {
    std::vector<std::string> words = words_of(command);
    if (words.front() == "dapple") {
      words.erase(words.begin());
      good(words);
      return;
    }
    const fs::path built = fs::path(DAPPLE_PROGRAM).parent_path().parent_path() / "samples";
    words.front() = (built / words.front().substr(built_samples.size())).string();
    const Outcome outcome = run_process(words, folder.path(), {});
    EXPECT_EQ(outcome.code, 0) << command << ": " << outcome.err;
  }
};

// Those of how-it-works.md are compared exactly by Animate, the gallery's by scripts/figures.
TEST_F(FigureFiles, AreWhatTheProgramMakes) {
  fs::create_directory_symlink(root / "samples", folder.path() / "samples");
  int checked = 0;
  for (const Figure& figure : all_figures()) {
    if (figure.file.find('/') != std::string::npos) continue;
    std::vector<std::string> commands;  // up to that which makes it
    bool made = false;
    for (const std::string& line : figure.commands) {
      const bool runs = line.starts_with("dapple ") || line.starts_with(built_samples);
      if (made || !runs) continue;
      commands.push_back(line);
      made = makes(line, figure);
    }
    if (!made) continue;
    SCOPED_TRACE(figure.file + " is recorded by scripts/regenerate figures");
    for (const std::string& command : commands) run_line(command);
    expect_recorded(folder.path() / figure.file, root / "docs/pictures" / figure.file);
    ++checked;
  }
  EXPECT_TRUE(is_updating() || checked >= 11);
}

}  // namespace
}  // namespace dapple::test
