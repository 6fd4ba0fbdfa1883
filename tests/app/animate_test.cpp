// `dapple compare --animate` as users run it, and the document that teaches with it.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "animated_png.hpp"
#include "dapple/context.hpp"
#include "dapple/image_files.hpp"
#include "program_test.hpp"

namespace dapple::test {
namespace {

namespace fs = std::filesystem;

const fs::path root = DAPPLE_SOURCE_FOLDER;

class Animate : public ProgramTest {
 protected:
  void refused(std::vector<std::string> words, const std::string& text) const {
    words.insert(words.begin(), "compare");
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  }
};

void expect_same(const Image& made, const Image& there, const fs::path& figure) {
  ASSERT_EQ(made.channels.size(), there.channels.size()) << figure;
  for (std::size_t c = 0; c < made.channels.size(); ++c) {
    EXPECT_TRUE(std::ranges::equal(made.channels[c].values(), there.channels[c].values()))
        << figure << " differs from what the program draws: run scripts/regenerate steps, and look";
  }
}

// Pixel by pixel; of a moving picture every frame.
void expect_same(const fs::path& made, const fs::path& there, const TemporaryFolder& folder) {
  if (made.extension() != ".apng") {
    return expect_same(read_image(made.string(), Context()), read_image(there.string(), Context()),
                       there);
  }
  const auto frames = [](const fs::path& movie) {
    std::ifstream stream(movie, std::ios::binary);
    return frames_of({std::istreambuf_iterator<char>(stream), {}});
  };
  const auto now = frames(made);
  const auto then = frames(there);
  ASSERT_EQ(now.size(), then.size()) << there;
  for (std::size_t f = 0; f < now.size(); ++f) {
    folder.write("now.png", now[f]);
    folder.write("then.png", then[f]);
    const auto frame = [&](const char* name) {
      return read_image((folder.path() / name).string(), Context());
    };
    expect_same(frame("now.png"), frame("then.png"), there);
  }
}

TEST_F(Animate, SameBytesForAnyNumberOfThreads) {
  const std::vector<std::string> words{"compare", "--animate", "--count",  "30",
                                       "--tries", "3,30",      "--frames", "4"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return more;
  };
  const std::string text =
      good(with({"-o", "a.png", "-o", "a.apng", "--json", "--threads", "1"})).out;
  const auto object = nlohmann::json::parse(text);
  EXPECT_EQ(object["outputs"].size(), 2u);
  EXPECT_EQ(object["outputs"][1]["slices"], 4);
  EXPECT_EQ(object["reports"].size(), 4u);
  EXPECT_EQ(object["reports"]["dart-throwing"]["measurements"]["open"], 0);
  EXPECT_GT(object["reports"]["bridson, k = 3"]["measurements"]["open"], 0);
  const std::string movie = folder.read("a.apng");
  const auto control = movie.find("acTL");
  ASSERT_NE(control, std::string::npos);
  EXPECT_EQ(movie.substr(control + 4, 4), std::string("\0\0\0\4", 4));
  good(with({"-o", "b.png", "-o", "b{seed}.apng", "--threads", "3"}));
  EXPECT_EQ(folder.read("a.png"), folder.read("b.png"));
  EXPECT_EQ(movie, folder.read("b1.apng"));
  good(with({"-o", "c.apng", "--seed", "2"}));
  EXPECT_NE(movie, folder.read("c.apng"));
}

TEST_F(Animate, SaysWhatItCannotShow) {
  folder.write("mine.csv", "x,y,r\n1,1,1\n");
  refused({"--animate", "--methods", "darts"}, "--animate cannot show darts, which");
  refused({"--animate", "mine.csv"}, "does not record how its points were placed");
  refused({"--animate", "--map", (root / "samples/ramp.png").string()}, "--map");
  refused({"--frames", "3"}, "--animate");
  refused({"--tries", "3"}, "--tries applies only to bridson");
  refused({"--tries", "3", "mine.csv"}, "--tries");
  refused({"--methods", "bridson", "--tries", "0,5"}, "must be numbers from 1 to 10000");
  refused({"--animate", "-o", "a.apng", "-o", "a.apng"}, "named twice");
  refused({"-o", "a.apng"}, "apng");
  EXPECT_EQ(run({"compare", "--animate", "-o", "none/a.apng"}).code, 4);
}

// More candidates make a set denser, and each number is a column of its own.
TEST_F(Animate, TriesAreComparedWithoutItToo) {
  const auto object =
      nlohmann::json::parse(good({"compare", "--methods", "bridson", "--tries", "2,30", "--radius",
                                  "8", "--size", "99", "--json", "-o", "a.png"})
                                .out);
  EXPECT_EQ(object["reports"].size(), 2u);
  EXPECT_NE(object["reports"]["bridson, k = 2"], object["reports"]["bridson, k = 30"]);
}

// Each figure is what the command that stands below it draws.
TEST_F(Animate, FiguresOfHowItWorksAreMadeByTheirCommands) {
  std::ifstream stream(root / "docs/how-it-works.md");
  std::string figure;
  int checked = 0;
  for (std::string line; std::getline(stream, line);) {
    const auto shown = line.find("](pictures/how/");
    if (line.starts_with("![") && shown != std::string::npos) {
      EXPECT_EQ(figure, "") << "no command stands below it";
      figure = line.substr(shown + 15, line.size() - shown - 16);
    }
    if (figure.empty() || !line.starts_with("    dapple ")) continue;
    std::istringstream text(line);
    std::vector<std::string> words;
    for (std::string word; text >> word;) {
      words.push_back(word.starts_with("samples/") ? (root / word).string() : word);
    }
    EXPECT_EQ(words.back(), figure);
    words.erase(words.begin());
    good(words);
    expect_same(folder.path() / figure, root / "docs/pictures/how" / figure, folder);
    figure.clear();
    ++checked;
  }
  EXPECT_GE(checked, 8);
  std::uintmax_t bytes = 0;
  int files = 0;
  for (const auto& entry : fs::directory_iterator(root / "docs/pictures/how")) {
    bytes += entry.file_size();
    ++files;
  }
  EXPECT_EQ(files, checked) << "a picture is shown nowhere";
  EXPECT_LT(bytes, 1'500'000u);
}

}  // namespace
}  // namespace dapple::test
