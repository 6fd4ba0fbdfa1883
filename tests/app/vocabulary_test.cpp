// The words of a first hour: numbers of dots, help that fits, names that nobody chose, sheets to
// choose from.
#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "app/command.hpp"
#include "dapple/context.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/image_files.hpp"
#include "program_test.hpp"

namespace dapple {
namespace {

using test::Outcome;
using test::Spawn;

class Words : public test::ProgramTest {
 protected:
  // Wrong usage, told with these words.
  void expect_refused(const std::vector<std::string>& words,
                      const std::vector<std::string>& told) const {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    for (const std::string& word : told) {
      EXPECT_NE(outcome.err.find(word), std::string::npos) << word << " in " << outcome.err;
    }
  }
  Image image(const std::string& name) const {
    Context context;
    return read_image((folder / name).string(), context);
  }

  const std::string photo = DAPPLE_SOURCE_FOLDER "/samples/ascent.png";
};

TEST_F(Words, AStippleHasDots) {
  expect_refused({"stipple", photo, "--count", "300", "-o", "a.csv"}, {"--count", "--dots"});
  expect_refused({"stipple", photo, "--radius", "3", "-o", "a.csv"}, {"--radius", "--dot-size"});
  good({"stipple", photo, "--dots", "1,200", "-o", "a.csv", "--no-recipe"});
  good({"stipple", photo, "--dots", "1.2k", "-o", "b.csv", "--no-recipe"});
  good({"stipple", photo, "--dots", "12e2", "-o", "c.csv", "--no-recipe"});
  const std::string dots = folder.read("a.csv");
  EXPECT_GT(dots.size(), 1200u);
  EXPECT_EQ(folder.read("b.csv"), dots);
  EXPECT_EQ(folder.read("c.csv"), dots);
}

TEST_F(Words, TheColorThatIsNoneIsNamed) {
  expect_refused(
      {"stipple", photo, "--ink", "red,bleu,green", "-o", "a.csv"},
      {"--ink: 'bleu' is not a color, did you mean 'blue'?", "cmyk", "'red,bleu,green'"});
  expect_refused({"stipple", photo, "--ink", "red,#12345", "-o", "a.csv"},
                 {"--ink: '#12345' is not a color: must be"});
  expect_refused({"stipple", photo, "--ink", "red,red", "-o", "a.csv"},
                 {"must be cmyk, different colors"});
  expect_refused({"stipple", photo, "--background", "gren", "-o", "a.csv"},
                 {"(did you mean 'green'?), not 'gren'"});
}

TEST_F(Words, WeightsAskForMoreAndFewer) {
  folder.write("weight.pgm", "P2 3 1 255 0 128 255\n");
  folder.write("even.pgm", "P2 3 1 255 128 128 128\n");
  good({"stipple", "even.pgm", "--contrast", "none", "--dots", "600", "--weight", "weight.pgm",
        "--interpolation", "nearest", "-o", "a.json"});
  const auto points = nlohmann::json::parse(folder.read("a.json"));
  int left = 0;
  int right = 0;
  for (const double x : points["columns"]["x"]) {
    left += x < 1;
    right += x > 2;
  }
  EXPECT_LT(left, 20);
  EXPECT_GT(right, 350);  // of 600: twice as many as in the middle
  expect_refused({"sample", "even.pgm", "--as", "radius", "--radius", "0.1:0.2", "--weight",
                  "weight.pgm", "-o", "b.csv"},
                 {"--weight", "radius"});
}

TEST_F(Words, HelpShowsWhatMattersAndTheRestWhenAsked) {
  const std::string help = good({"stipple", "--help"}).out;
  const std::string all = good({"stipple", "--help", "all"}).out;
  EXPECT_EQ(good({"help", "stipple", "all"}).out, all);
  EXPECT_EQ(good({"stipple", "-h", "all"}).out, all);
  for (const char* option : {"--dots", "--dot-size", "--paper", "--ink", "--contrast", "--out"}) {
    EXPECT_NE(help.find(option), std::string::npos) << option;
  }
  for (const char* option : {"--white-cutoff", "--acceleration", "--max-pixels"}) {
    EXPECT_EQ(help.find(std::string(option) + " "), std::string::npos) << option;
    EXPECT_NE(all.find(option), std::string::npos) << option;
  }
  EXPECT_NE(help.find("dapple stipple --help all"), std::string::npos);
  EXPECT_EQ(all.find("--help all`"), std::string::npos);
  EXPECT_LE(2 * std::count(help.begin(), help.end(), '\n'),
            std::count(all.begin(), all.end(), '\n') + 20);
  // A command without a choice of its own shows all.
  EXPECT_EQ(good({"presets", "--help"}).out, good({"presets", "--help", "all"}).out);
  // Two screens; examples come first.
  for (const app::Command& command : app::commands()) {
    const std::string text = good({command.name, "--help"}).out;
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 80) << command.name;
    EXPECT_LT(text.find("Examples:"), text.find("Output:")) << command.name;
  }
}

TEST_F(Words, ADefaultNameReplacesNothing) {
  const std::vector<std::string> words{"stipple", photo, "--dots", "60"};
  good(words);
  const std::string first = folder.read("ascent-stipple.svg");
  const Outcome second = good({"stipple", photo, "--dots", "70"});
  EXPECT_NE(second.err.find("ascent-stipple-2.svg"), std::string::npos) << second.err;
  EXPECT_EQ(folder.read("ascent-stipple.svg"), first);
  EXPECT_EQ(folder.names(),
            (std::vector<std::string>{"ascent-stipple-2.png", "ascent-stipple-2.svg",
                                      "ascent-stipple.png", "ascent-stipple.svg"}));
  // One that is left of a pair keeps its number taken.
  std::filesystem::remove(folder / "ascent-stipple-2.svg");
  good(words);
  EXPECT_TRUE(std::filesystem::exists(folder / "ascent-stipple-3.svg"));
  // A build that asks for identical files to stay names the first.
  good({"stipple", photo, "--dots", "60", "--overwrite", "if-changed"});
  EXPECT_EQ(folder.names().size(), 5u);
  EXPECT_EQ(folder.read("ascent-stipple.svg"), first);
  // A name that is given does replace.
  good({"stipple", photo, "--dots", "70", "-o", "ascent-stipple.svg"});
  EXPECT_NE(folder.read("ascent-stipple.svg"), first);
}

TEST_F(Words, TheFirstPictureIsLargeEnoughToLookAt) {
  folder.write("small.pgm", "P2 4 2 255 0 60 120 180 200 100 50 0\n");
  const Outcome outcome = good({"stipple", "small.pgm", "--dots", "300"});
  EXPECT_NE(outcome.err.find("--open"), std::string::npos) << outcome.err;
  const Image picture = image("small-stipple.png");
  EXPECT_EQ(picture.width(), 1600);
  EXPECT_EQ(picture.height(), 800);
  const std::string bytes = folder.read("small-stipple.png");
  good({"reproduce", "small-stipple.png", "-o", "again.png"});
  EXPECT_EQ(folder.read("again.png"), bytes);
  // A size or a name of one's own is kept.
  good({"stipple", "small.pgm", "--dots", "300", "--size", "200"});
  EXPECT_EQ(image("small-stipple-2.png").width(), 200);
  good({"stipple", "small.pgm", "--dots", "300", "-o", "own.png"});
  EXPECT_EQ(image("own.png").width(), 4);
}

TEST_F(Words, OpenShowsTheResultWhereADesktopIs) {
  folder.write("xdg-open", "#!/bin/sh\nprintf %s \"$1\" > shown.part && mv shown.part shown.txt\n");
  std::filesystem::permissions(folder / "xdg-open", std::filesystem::perms::owner_all);
  Spawn desktop;
  desktop.environment = {{"DISPLAY", ":7"}, {"PATH", folder.path().string() + ":/usr/bin:/bin"}};
  const Outcome outcome = good({"stipple", photo, "--dots", "60", "--open"}, desktop);
  EXPECT_EQ(outcome.err.find("warning"), std::string::npos) << outcome.err;
  for (int i = 0; i < 200 && !std::filesystem::exists(folder / "shown.txt"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_EQ(folder.read("shown.txt"),
            (std::filesystem::canonical(folder.path()) / "ascent-stipple.png").string());

  Spawn bare;
  bare.environment = {{"DISPLAY", ":7"}, {"PATH", "/nowhere"}};
  EXPECT_NE(good({"mask", "--size", "8", "--open"}, bare).err.find("xdg-open"), std::string::npos);
  Spawn none;
  none.before = [] {
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
  };
  none.environment = {};
  const Outcome points =
      good({"sample", "--size", "64", "--radius", "8", "-o", "a.csv", "--open"}, none);
  EXPECT_NE(points.err.find("warning: --open"), std::string::npos) << points.err;
}

TEST_F(Words, VariantsAreASheetToChooseFrom) {
  const Outcome outcome = good({"stipple", photo, "--dots", "400", "--variants", "3x2"});
  EXPECT_NE(outcome.err.find("ascent-stipple-variants.png"), std::string::npos) << outcome.err;
  EXPECT_EQ(folder.names(), std::vector<std::string>{"ascent-stipple-variants.png"});
  const Image grid = image("ascent-stipple-variants.png");
  EXPECT_GT(grid.width(), 3 * 560);
  EXPECT_LT(grid.height(), grid.width());

  good({"stipple", photo, "--variants", "dots=100,400", "--variants", "ink=navy;red", "-o",
        "b.png"});
  const Image colors = image("b.png");
  EXPECT_LT(colors.width(), grid.width());
  ASSERT_EQ(colors.channels.size(), 3u);
  EXPECT_NE(colors.channels[0], colors.channels[2]);
  good({"mask", "--size", "32", "--variants", "seed=1,2,3", "-o", "c.png"});

  expect_refused({"stipple", photo, "--variants", "3by3"}, {"--variants", "3x3"});
  expect_refused({"mask", "--variants", "3x3"}, {"--variants", "seed=1,2,3"});
  expect_refused({"stipple", photo, "--variants", "dotz=1,2"}, {"dotz", "dots"});
  expect_refused({"stipple", photo, "--variants", "dots=1,many"}, {"--dots", "many"});
  expect_refused({"stipple", photo, "--variants", "dots=1,,2"}, {"empty"});
  expect_refused({"stipple", photo, "--variants", "99x99"}, {"at most 100"});
  expect_refused({"stipple", photo, "--variants", "2x2", "--variants", "seed=1,2"},
                 {"at most two"});
}

TEST_F(Words, PresetsOfOnesOwnPhoto) {
  Spawn own;
  folder.write("stipple-few.toml", "# Few dots. For a test.\ncommand = \"stipple\"\ndots = 50\n");
  folder.write("dither-two.toml", "# Two\n# tones. For a test.\ncommand = \"dither\"\n");
  folder.write("mask-tiny.toml", "# Tiny.\ncommand = \"mask\"\nsize = 8\n");
  folder.write("stipple-felt.toml",
               "# Felt. A pen by its name.\ncommand = \"stipple\"\npaper = \"A6\"\n"
               "shape = \"point\"\npen = \"stabilo-88\"\nmachine = \"axidraw-v3\"\n");
  folder.write("dither-broken.toml",
               "# Not of this photo.\ncommand = \"dither\"\nmask = \"missing.png\"\n");
  own.environment = {{"DAPPLE_PRESET_PATH", folder.path().string()}};
  const std::string list = good({"presets"}, own).out;
  EXPECT_NE(list.find("Few dots.\n"), std::string::npos) << list;
  EXPECT_NE(list.find("Two tones.\n"), std::string::npos) << list;
  const std::string names = good({"presets", "--for", "mask", "--names"}, own).out;
  EXPECT_NE(names.find("mask-tiny"), std::string::npos);
  EXPECT_EQ(names.find("stipple-few"), std::string::npos);
  expect_refused({"presets", "--for", "masks"}, {"--for", "masks"});
  expect_refused({"presets", "--for", "stipple", "-o", "sheet.png"}, {"photo"});

  const Outcome sheet = good({"presets", photo, "--for", "dither", "-o", "sheet.png"}, own);
  EXPECT_NE(sheet.err.find("dither-broken is left out"), std::string::npos) << sheet.err;
  EXPECT_GT(image("sheet.png").width(), 1000);
  // Pens and machines by name are known here too: what is wrong is the photo.
  const Outcome missing = run({"presets", "none.png", "--for", "stipple", "-o", "s.png"}, own);
  EXPECT_EQ(missing.code, 3) << missing.err;
  good({"presets", photo, "--for", "dither", "-q"}, own);
  EXPECT_EQ(image("ascent-presets.png").width(), image("sheet.png").width());
}

// More dots would look gray in small pictures, and take their time.
TEST_F(Words, SheetsOfPresetsHaveFewDots) {
  // Presets of other commands take the names of those that come with the program.
  std::istringstream names(good({"presets", "--for", "stipple", "--names"}).out);
  for (std::string name; std::getline(names, name);) {
    folder.write(name + ".toml", "# Nothing.\ncommand = \"mask\"\nsize = 8\n");
  }
  const auto sheet_of = [&](const std::string& settings) {
    folder.write("stipple-one.toml", "# One.\ncommand = \"stipple\"\n" + settings);
    Spawn own;
    own.environment = {{"DAPPLE_PRESET_PATH", folder.path().string()}};
    const Outcome made = good(
        {"presets", photo, "--for", "stipple", "--overwrite", "always", "-o", "sheet.png"}, own);
    return std::pair(image("sheet.png").channels, made.err);
  };
  const auto [few, quiet] = sheet_of("dots = 12000\n");
  EXPECT_EQ(sheet_of("dots = 40000\n").first, few);
  EXPECT_EQ(quiet.find("stipple-one: "), std::string::npos) << quiet;
  EXPECT_NE(sheet_of("dots = 2000\n").first, few);
  // Lines of a style keep their number. A warning names its preset.
  const auto [pale, warning] =
      sheet_of("style = \"text\"\npen = \"0.1mm\"\npaper = \"A4\"\ndots = 13000\n");
  EXPECT_NE(pale, few);
  EXPECT_NE(warning.find("warning: stipple-one: "), std::string::npos) << warning;
}

// Nobody wrote what a preset says: a refusal names it, and what takes it back.
TEST_F(Words, ValuesOfPresetsAreRefusedByTheirName) {
  folder.write("mine.toml", "command = \"stipple\"\nregularity = 0.8\norder = \"hilbert\"\n");
  const auto refused = run({"stipple", photo, "--preset", "./mine.toml", "--method", "poisson",
                            "--progressive", "-o", "a.svg"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find(
                "--regularity: (set by preset './mine.toml') works only with --method kernel"),
            std::string::npos)
      << refused.err;
  EXPECT_NE(refused.err.find("override preset './mine.toml' with --regularity 0.35"),
            std::string::npos)
      << refused.err;
  EXPECT_NE(refused.err.find("with --order travel"), std::string::npos) << refused.err;
  // What is given by flag comes from its user.
  const auto own = run({"stipple", photo, "--preset", "./mine.toml", "--regularity", "0.9",
                        "--method", "poisson", "--order", "travel", "-o", "a.svg"});
  EXPECT_EQ(own.err.find("preset"), std::string::npos) << own.err;
  EXPECT_EQ(run({"stipple", photo, "--preset", "./mine.toml", "--regularity", "0.35", "--order",
                 "travel", "--dots", "50", "--method", "poisson", "-o", "a.svg"})
                .code,
            0);
}

}  // namespace
}  // namespace dapple
