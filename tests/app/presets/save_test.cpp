// `dapple presets save` and the settings file: what users keep in folders of their own.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "program_test.hpp"

namespace dapple {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

const std::string photo = std::string(DAPPLE_SOURCE_FOLDER) + "/samples/camera.png";
const std::string saved = "data/dapple/presets/";

class SavedPresets : public test::ProgramTest {
 protected:
  void SetUp() override {
    user_.environment = {{"XDG_DATA_HOME", (folder / "data").string()},
                         {"XDG_CONFIG_HOME", (folder / "config").string()}};
  }
  test::Outcome done(const Words& words) const { return good(words, user_); }
  void expect_refused(const Words& words, const std::string& part, int code = 2) const {
    const test::Outcome outcome = run(words, user_);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  }
  void make_drawing() const {
    done({"stipple", photo, "--dots", "300", "--ink", "#123456", "--seed", "7", "-o", "a.svg"});
  }

  test::Spawn user_;
};

TEST_F(SavedPresets, HoldTheOptionsOfADrawing) {
  make_drawing();
  done({"presets", "save", "my-ink", "--from", "a.svg", "--describe", "Blue.\nFor \x01me."});
  EXPECT_EQ(folder.read(saved + "my-ink.toml"),
            "# Blue.\n# For  me.\ncommand = \"stipple\"\nseed = 7\ndots = 300\n"
            "ink = \"#123456\"\n");
  EXPECT_NE(done({"presets", "--for", "stipple"}).out.find("  my-ink "), std::string::npos);
  done({"stipple", photo, "--preset", "my-ink", "-o", "b.svg"});
  done({"stipple", photo, "--recipe", "a.svg", "-o", "c.svg"});
  EXPECT_EQ(folder.read("b.svg"), folder.read("c.svg"));
}

TEST_F(SavedPresets, ComeFromPresetsRecipesAndStandardInput) {
  done({"presets", "save", "carved", "--from", "linocut"});
  EXPECT_NE(folder.read(saved + "carved.toml").find("# Like a linocut"), std::string::npos)
      << folder.read(saved + "carved.toml");
  folder.write("recipe", "command = \"mask\"\ninput = \"in.csv\"\nsize = 8\nbits = \"16\"\n");
  const json object =
      json::parse(done({"presets", "save", "tiny", "--from", "recipe", "--json"}).out);
  EXPECT_EQ(object["name"], "tiny");
  EXPECT_EQ(object["recipe"], "command = \"mask\"\nsize = \"8x8\"\nbits = \"16\"\n");
  EXPECT_EQ(object["path"], (folder / (saved + "tiny.toml")).string());
  test::Spawn piped = user_;
  piped.input = done({"mask", "--size", "16", "--print-recipe"}).out;
  good({"presets", "save", "piped", "--from", "-", "-q"}, piped);
  EXPECT_EQ(folder.read(saved + "piped.toml"), "command = \"mask\"\nsize = \"16x16\"\n");
}

TEST_F(SavedPresets, ReplaceOthersOnlyOnRequest) {
  make_drawing();
  done({"presets", "save", "mine", "--from", "a.svg"});
  const std::string first = folder.read(saved + "mine.toml");
  expect_refused({"presets", "save", "mine", "--from", "linocut"}, "--overwrite always");
  expect_refused({"presets", "save", "mine", "--from", "linocut", "--overwrite", "never"}, "mine");
  EXPECT_EQ(folder.read(saved + "mine.toml"), first);
  done({"presets", "save", "mine", "--from", "linocut", "--overwrite", "always"});
  EXPECT_NE(folder.read(saved + "mine.toml"), first);
}

TEST_F(SavedPresets, HaveNamesOfTheirOwn) {
  for (const char* name : {"../x", "a/b", ".x", "-x", "x.toml", "a b", "", "pens", "save"}) {
    expect_refused({"presets", "save", "--from", "linocut", "--", name}, "cannot be the name");
  }
  for (const char* name : {"linocut", "stipple-linocut", "x-linocut"}) {
    expect_refused({"presets", "save", name, "--from", "linocut", "--overwrite", "always"},
                   "taken by the preset 'stipple-linocut'");
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "data"));
  folder.write("x.png", "");
  expect_refused({"presets", "save", "x"}, "--from FILE");
  expect_refused({"presets", "save", "--from", "linocut"}, "needs a name");
  expect_refused({"presets", "save", "x", "--from", "linocut", "-o", "b.png"}, "--out");
  expect_refused({"presets", "save", "x", "--from", "linocut", "--names"}, "--names");
  expect_refused({"presets", "linocut", "--from", "x"}, "without save");
  expect_refused({"presets", "linocut", "x"}, "unexpected argument 'x'");
  expect_refused({"presets", "save", "x", "--from", "missing"}, "no preset 'missing'");
  expect_refused({"presets", "save", "x", "--from", photo}, "carries no recipe", 3);
  folder.write("bare.toml", "dots = 5\n");
  expect_refused({"presets", "save", "x", "--from", "bare.toml"}, "names no command");
  user_.environment = {{"XDG_DATA_HOME", ""}, {"HOME", ""}};
  expect_refused({"presets", "save", "x", "--from", "linocut"}, "XDG_DATA_HOME", 4);
}

TEST_F(SavedPresets, OfEarlierBuildsAreFound) {
  std::filesystem::create_directories(folder / "config/dapple/presets/tools");
  folder.write("config/dapple/presets/old.toml", "# Old.\ncommand = \"mask\"\nsize = 8\n");
  folder.write("config/dapple/presets/tools/pens.toml", "[old-pen]\npen = \"9mm\"\n");
  EXPECT_EQ(done({"presets", "old"}).out, "# Old.\ncommand = \"mask\"\nsize = 8\n");
  EXPECT_NE(done({"presets", "pens"}).out.find("[old-pen]"), std::string::npos);
  expect_refused({"presets", "save", "old", "--from", "mask-64"}, "a preset 'old' already");
  done({"presets", "save", "old", "--from", "mask-64", "--overwrite", "always"});
  EXPECT_EQ(done({"presets", "old"}).out, folder.read(saved + "old.toml"));
}

// A stranger's file may move a plotter, or name files that are elsewhere.
TEST_F(SavedPresets, NameFilesAndCommandsOfStrangers) {
  done({"stipple", photo, "--dots", "50", "--weight", photo, "-o", "a.svg"});
  EXPECT_NE(done({"presets", "save", "weighed", "--from", "a.svg"}).err.find("'camera.png'"),
            std::string::npos);
  done({"stipple", photo, "--dots", "50", "--pen-down", "M3 S90", "--paper", "A6", "-o", "b.svg",
        "-o", "b.gcode"});
  expect_refused({"presets", "save", "moves", "--from", "b.svg"}, "machine commands");
  EXPECT_FALSE(std::filesystem::exists(folder / (saved + "moves.toml")));
}

TEST_F(SavedPresets, SettingsOfTheMachineHoldForEachRun) {
  std::filesystem::create_directories(folder / "config/dapple");
  const auto settle = [&](const std::string& text) {
    folder.write("config/dapple/settings.toml", text);
  };
  settle("# of this machine\nmax-pixels = 100\n");
  expect_refused({"mask", "--size", "16", "-o", "a.png"}, "256 pixels", 5);
  done({"mask", "--size", "16", "--max-pixels", "256", "-o", "a.png"});
  done({"schema", "mask"});
  settle("threads = 2\nseed = 3\n");
  expect_refused({"mask", "--size", "16", "-o", "a.png"}, "put 'seed' into a preset");
  settle("size = 16\n");
  expect_refused({"mask", "-o", "a.png"}, "settings.toml: may set only threads, max-pixels");
  settle("threads = 2\nsandbox = \"perhaps\"\n");
  expect_refused({"mask", "-o", "a.png"}, "settings.toml:2:1: sandbox: 'perhaps' is not one of");
  done({"mask", "--help"});
}

}  // namespace
}  // namespace dapple
