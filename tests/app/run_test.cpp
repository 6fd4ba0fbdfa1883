// Runs of the real program: what they tell, what they write where, and what they take from presets
// and recipes.
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/help/help.hpp"
#include "app/presets/presets.hpp"
#include "app/run/runner.hpp"
#include "cli.hpp"
#include "io/digest.hpp"

namespace dapple {
namespace {

using nlohmann::json;
using test::Outcome;
using test::Spawn;
namespace fs = std::filesystem;
using test::Cli;
using test::photo;

// ---- --json -------------------------------------------------------------------------------------

TEST_F(Cli, JsonDescribesARun) {
  const Outcome outcome = good({"stipple", photo, "--dots", "200", "-o", "a.svg", "-o", "a.png",
                                "-o", "a.csv", "--json", "--seed", "5"});
  const json object = parsed(outcome);
  EXPECT_EQ(object["command"], "stipple");
  EXPECT_EQ(object["seed"], 5);
  ASSERT_EQ(object["outputs"].size(), 3u);
  EXPECT_EQ(object["outputs"][0]["path"], "a.svg");
  EXPECT_EQ(object["outputs"][0]["kind"], "drawing");
  EXPECT_EQ(object["outputs"][1]["kind"], "image");
  EXPECT_GT(object["outputs"][1]["width"], 0);
  EXPECT_GT(object["outputs"][1]["channels"], 0);
  EXPECT_EQ(object["outputs"][2]["kind"], "points");
  EXPECT_EQ(object["outputs"][2]["sidecar"], "a.csv.json");
  EXPECT_GT(object["points"], 150);
  for (const char* stage : {"read", "field", "stipple", "write", "total"}) {
    EXPECT_TRUE(object["seconds"].contains(stage)) << stage;
  }
  EXPECT_GT(object["peak_memory_mb"], 1);
  EXPECT_TRUE(object["warnings"].is_array());
  EXPECT_FALSE(object.contains("error"));
}

TEST_F(Cli, JsonDescribesAFailure) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"mask", "--sise", "3", "--json"}, "usage"},
      {{"nothing", "--json"}, "usage"},
      {{"--json"}, "usage"},
      {{"mask", "--json", "-o", "-"}, "usage"},
      {{"stipple", "missing.png", "--json"}, "input"},
      {{"mask", "-o", "no/a.png", "--json"}, "output"},
      {{"mask", "--size", "64", "--max-pixels", "9", "--json"}, "limit"}};
  for (const auto& [words, kind] : cases) {
    const Outcome outcome = run(words);
    const json object = parsed(outcome);
    EXPECT_EQ(object["error"]["kind"], kind);
    EXPECT_FALSE(object["error"]["message"].get<std::string>().empty());
    EXPECT_NE(outcome.code, 0);
  }
}

TEST_F(Cli, JsonHoldsTheReport) {
  const json mask = parsed(good({"mask", "--size", "64", "-o", "m.png", "--report", "--json"}));
  EXPECT_TRUE(mask["report"].is_object());
  const json again = parsed(good({"analyze", "m.png", "--json"}));
  EXPECT_EQ(again["report"], mask["report"]);
  const json points = parsed(
      good({"sample", "--size", "128", "--radius", "6", "-o", "p.csv", "--report", "--json"}));
  EXPECT_TRUE(points["report"].is_object());
}

// ---- outputs ------------------------------------------------------------------------------------

TEST_F(Cli, StandardOutputHoldsTheFile) {
  const Outcome points = good({"sample", "--size", "64", "--radius", "8", "-o", "-"});
  EXPECT_EQ(points.out.find("x,y,r\n"), 0u);
  const Outcome drawing = good({"stipple", photo, "--dots", "100", "-o", "-"});
  EXPECT_NE(drawing.out.find("<svg"), std::string::npos);
  EXPECT_EQ(good({"mask", "--size", "8", "-o", "-"}).out.substr(1, 3), "PNG");
  EXPECT_TRUE(folder.names().empty());
  // What one command prints the next one reads.
  Spawn how;
  how.input = points.out;
  EXPECT_FALSE(good({"analyze", "-", "--as", "points"}, how).out.empty());
}

TEST_F(Cli, ProgressIsNeverOnStandardOutput) {
  const Outcome quiet = good({"mask", "--size", "256", "-o", "-"});
  EXPECT_EQ(quiet.err, "");  // no terminal: nothing moves there
  const Outcome shown = good({"mask", "--size", "256", "-o", "-", "--progress", "always"});
  EXPECT_EQ(shown.out, quiet.out);
  EXPECT_NE(shown.err.find("mask"), std::string::npos);
  EXPECT_EQ(shown.err.find("\033[1m"), std::string::npos);
}

TEST_F(Cli, NamesAreFilledIn) {
  good({"stipple", photo, "--dots", "50", "-o", "{stem}_{seed}_{preset}_{command}.svg", "--seed",
        "7"});
  EXPECT_EQ(folder.names(), std::vector<std::string>{"ascent_7_default_stipple.svg"});
}

TEST_F(Cli, NamesHaveDefaults) {
  good({"stipple", photo, "--dots", "50"});
  good({"mask", "--size", "8"});
  good({"sample", "--size", "64", "--radius", "8"});
  good({"sample", photo, "--count", "50"});
  EXPECT_EQ(folder.names(),
            (std::vector<std::string>{"ascent-sample.csv", "ascent-sample.csv.json",
                                      "ascent-stipple.png", "ascent-stipple.svg", "mask.png",
                                      "sample.csv", "sample.csv.json"}));
}

// ---- source code --------------------------------------------------------------------------------

TEST_F(Cli, EmitSetsTheFormat) {
  good({"mask", "--size", "8", "--emit", "rust"});
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"mask.rs"}));
  EXPECT_NE(folder.read("mask.rs").find("    kind scalar, seed 1\n"), std::string::npos);
  const std::string code = good({"mask", "--size", "8", "--emit", "wgsl", "-o", "-"}).out;
  EXPECT_NE(code.find("fn dapple_image("), std::string::npos);
  good({"mask", "--size", "8", "--emit", "c99", "-o", "noise.h", "-o", "noise.c"});
  EXPECT_NE(folder.read("noise.h").find("dapple_noise(uint32_t x"), std::string::npos);
}

TEST_F(Cli, EmitRefusesWhatIsNotItsLanguage) {
  using Words = std::vector<std::string>;
  const std::vector<std::pair<Words, std::string>> cases = {
      {{"--emit", "rust", "-o", "a.rs", "-o", "a.png"}, "writes .rs, not .png"},
      {{"--emit", "c98", "-o", "a.h"}, "'c98' is not one of c99, wgsl, glsl"},
      {{"--emit", "glsl", "--variants", "seed=1,2"}, "--variants draws several"},
      {{"--size", "257x256", "-o", "a.wgsl"}, "at most 65536 values of this depth, not 65792"},
      {{"--size", "257x128", "--bits", "16", "-o", "a.wgsl"}, "at most 32768 values"},
      {{"--size", "64x64x17", "-o", "a.hlsl", "-o", "a.h"}, "at most 65536 values"}};
  for (const auto& [words, message] : cases) {
    Words all{"mask"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_TRUE(folder.names().empty()) << message;
  }
}

// The program is compiled and run: the bytes are those of .npy, at most 300 lines make them.
TEST_F(Cli, GeneratorsMakeTheMask) {
  if (!fs::exists("/usr/bin/cc")) GTEST_SKIP();
  using Words = std::vector<std::string>;
  const std::vector<Words> cases = {
      {"--size", "64"}, {"--size", "32x32x32"}, {"--size", "96x40", "--bits", "16", "--seed", "7"}};
  for (Words words : cases) {
    words.insert(words.begin(), "mask");
    if (words.back() != "7") words.insert(words.end(), {"--bits", "8"});
    Words array = words;
    array.insert(array.end(), {"-o", "noise.npy"});
    words.insert(words.end(), {"--generator", "-o", "noise.h"});
    good(array);
    good(words);
    const std::string code = folder.read("noise.h");
    EXPECT_LE(std::count(code.begin(), code.end(), '\n'), 300);
    const std::string npy = folder.read("noise.npy");
    const std::string values = npy.substr(npy.find('\n') + 1);
    const std::string type = words.size() > 8 ? "uint16_t" : "uint8_t";
    folder.write("main.c", "#include <stdio.h>\n#include \"noise.h\"\nstatic " + type +
                               " values[65536];\nint main(void) {\n"
                               "  dapple_noise_generate(values);\n  fwrite(values, 1, " +
                               std::to_string(values.size()) + ", stdout);\n  return 0;\n}\n");
    const Outcome built =
        test::run_process({"/usr/bin/cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wshadow",
                           "-Wconversion", "-Werror", "-O1", "main.c", "-o", "main"},
                          folder.path());
    ASSERT_EQ(built.code, 0) << built.err;
    EXPECT_TRUE(test::run_process({(folder / "main").string()}, folder.path()).out == values)
        << words[2];
  }
}

TEST_F(Cli, GeneratorsRefuseWhatTheyCannotMake) {
  using Words = std::vector<std::string>;
  const std::vector<std::pair<Words, std::string>> cases = {
      {{"-o", "a.rs"}, "writes C99"},
      {{"-o", "a.h", "-o", "a.npy"}, "writes C99"},
      {{"--size", "64x64x2", "-o", "a-{frame}.h"}, "writes C99"},
      {{"--size", "50x37", "-o", "a.h"}, "a multiple of 16"},
      {{"--channels", "2", "-o", "a.h"}, "one channel"},
      {{"--bits", "float", "-o", "a.h"}, "8 or 16 bits"},
      {{"--kind", "vector2", "-o", "a.h"}, "one channel"},
      {{"--variants", "seed=1,2"}, "--variants draws several"},
      {{"--size", "64", "--sigma", "2", "-o", "a.h"}, "only masks of --kind scalar"},
      {{"--size", "64", "--values", "triangular", "-o", "a.h"}, "only masks of --kind scalar"},
      {{"--size", "64", "--method", "white", "-o", "a.h"}, "only masks of --kind scalar"}};
  for (const auto& [words, message] : cases) {
    Words all{"mask", "--generator"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_TRUE(folder.names().empty()) << message;
  }
}

// ---- files that exist ---------------------------------------------------------------------------

TEST_F(Cli, OverwriteDecidesAboutFilesThatExist) {
  const std::vector<std::string> words{"mask", "--size", "16", "-o", "m.png", "-q", "--overwrite"};
  const auto with = [&](const char* mode) {
    std::vector<std::string> all = words;
    all.emplace_back(mode);
    return run(all).code;
  };
  EXPECT_EQ(with("never"), 0);
  const auto past = fs::last_write_time(folder / "m.png") - std::chrono::hours(1);
  const std::string bytes = folder.read("m.png");
  fs::last_write_time(folder / "m.png", past);
  EXPECT_EQ(with("if-changed"), 0);
  EXPECT_EQ(fs::last_write_time(folder / "m.png"), past);
  EXPECT_EQ(with("never"), 4);
  EXPECT_EQ(fs::last_write_time(folder / "m.png"), past);
  EXPECT_EQ(with("always"), 0);
  EXPECT_NE(fs::last_write_time(folder / "m.png"), past);
  EXPECT_EQ(folder.read("m.png"), bytes);
  folder.write("m.png", "something else");
  EXPECT_EQ(with("if-changed"), 0);
  EXPECT_EQ(folder.read("m.png"), bytes);
}

TEST_F(Cli, TheInputIsNeverReplaced) {
  fs::copy(photo, folder / "a.png");
  EXPECT_EQ(run({"dither", "a.png", "-o", "./a.png"}).code, 2);
  EXPECT_EQ(run({"mask", "--size", "8", "-o", "m.png", "-o", "m.png"}).code, 2);
}

// ---- recipes and presets ------------------------------------------------------------------------

TEST_F(Cli, LaterSourcesWin) {
  folder.write("one.toml", "command = \"mask\"\nseed = 4\nsize = 16\nsigma = 1.25\nchannels = 2\n");
  folder.write("two.toml", "size = 32\nsigma = 1.0\n");
  const std::vector<std::string> words{"mask",     "--preset", "one.toml", "--recipe",
                                       "two.toml", "--sigma",  "1.75",     "--print-recipe"};
  const Outcome printed = good(words);
  EXPECT_NE(printed.out.find("size = \"32x32\"\n"), std::string::npos) << printed.out;
  EXPECT_NE(printed.out.find("sigma = 1.75\n"), std::string::npos);
  EXPECT_NE(printed.out.find("channels = 2\n"), std::string::npos);
  EXPECT_NE(printed.out.find("seed = 4\n"), std::string::npos);
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"one.toml", "two.toml"}));
  // What is printed is a recipe, and says the same again.
  folder.write("three.toml", printed.out);
  EXPECT_EQ(good({"mask", "--recipe", "three.toml", "--print-recipe"}).out, printed.out);
}

TEST_F(Cli, BadRecipesNameThePlace) {
  folder.write("bad.toml", "command = \"mask\"\nsiez = 3\nsigma = 99\n");
  const Outcome outcome = run({"mask", "--recipe", "bad.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("bad.toml:2:1: there is no option 'siez'; did you mean 'size'?"),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("bad.toml:3:1: sigma: must be"), std::string::npos);
  EXPECT_EQ(run({"mask", "--recipe", "missing.toml"}).code, 2);
}

TEST_F(Cli, PresetsAreFoundByName) {
  fs::create_directory(folder / "mine");
  folder.write("mine/own-mask.toml", "# A mask of my own\ncommand = \"mask\"\nsize = 8\n");
  Spawn how;
  how.environment["DAPPLE_PRESET_PATH"] = (folder / "mine").string();
  EXPECT_NE(good({"presets"}, how).out.find("A mask of my own"), std::string::npos);
  EXPECT_NE(good({"presets", "own-mask"}, how).out.find("size = 8"), std::string::npos);
  EXPECT_TRUE(parsed(good({"presets", "--json"}, how))["presets"].is_array());
  good({"mask", "--preset", "own-mask", "-o", "{preset}.png"}, how);
  EXPECT_TRUE(fs::exists(folder / "own-mask.png"));
  const Outcome typo = run({"mask", "--preset", "own-msk"}, how);
  EXPECT_EQ(typo.code, 2);
  EXPECT_NE(typo.err.find("did you mean 'own-mask'?"), std::string::npos);
  // Without their first words; of several that are left the one of the command.
  good({"mask", "--preset", "mask", "-o", "{preset}-short.png"}, how);
  EXPECT_TRUE(fs::exists(folder / "own-mask-short.png"));
  EXPECT_NE(good({"presets", "cobbles"}).out.find("worley"), std::string::npos);
  EXPECT_NE(good({"dither", photo, "--preset", "newspaper", "--print-recipe"}).out.find("dither"),
            std::string::npos);
  const Outcome several = run({"presets", "newspaper"});
  EXPECT_EQ(several.code, 2);
  EXPECT_NE(several.err.find("did you mean 'dither-newspaper' or 'stipple-newspaper'?"),
            std::string::npos)
      << several.err;
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"mask\"\npreset = \"mask\"\noutput = \"{preset}-job.png\"\n");
  good({"batch", "jobs.toml"}, how);
  EXPECT_TRUE(fs::exists(folder / "own-mask-job.png"));
  EXPECT_NE(run({"worley", "--preset", "cobles"}).err.find("did you mean 'cobbles'?"),
            std::string::npos);
  const Outcome other = run({"dither", photo, "--preset", "own-mask"}, how);
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("is for `dapple mask`"), std::string::npos) << other.err;
}

TEST_F(Cli, ABrokenPresetIsSkippedUnlessItIsNamed) {
  folder.write("stipple-broken.toml", "command = \"stipple\"\ndots = ");
  Spawn how;
  how.environment["DAPPLE_PRESET_PATH"] = folder.path().string();
  const Outcome list = good({"presets"}, how);
  EXPECT_NE(list.out.find("stipple-linocut"), std::string::npos);
  EXPECT_NE(list.err.find("stipple-broken.toml"), std::string::npos) << list.err;
  const json object = parsed(good({"presets", "--json"}, how));
  EXPECT_NE(object["warnings"].dump().find("stipple-broken.toml"), std::string::npos);
  EXPECT_EQ(good({"presets", "--names", "-q"}, how).err, "");
  const Outcome named = run({"stipple", photo, "--preset", "broken", "-o", "a.svg"}, how);
  EXPECT_EQ(named.code, 2);
  EXPECT_NE(named.err.find("stipple-broken.toml"), std::string::npos) << named.err;
  EXPECT_EQ(named.err.find("there is no preset"), std::string::npos) << named.err;
}

TEST_F(Cli, PalettesBesidePresetsAreWrittenOut) {
  const std::string recipe = good({"dither", photo, "--preset", "epaper-7", "--print-recipe"}).out;
  EXPECT_NE(recipe.find("palette = \"#393039,#ffffff,#3a5b46,"), std::string::npos) << recipe;
}

// One batch of them all: a process for each would open OpenImageIO thirty times.
TEST_F(Cli, EveryPresetRunsAsAThumbnail) {
  std::vector<std::string> names;
  std::string jobs;
  const json listed = parsed(good({"presets", "--json"}));
  for (const json& preset : listed["presets"]) {
    const std::string name = preset["name"];
    const std::string command = preset["command"];
    const std::string recipe = parsed(good({"presets", name, "--json"}))["recipe"];
    EXPECT_EQ(recipe.find("# "), 0u) << name << " opens with what it makes, for whom";
    app::Run run(*find_operation(command));
    apply(parse_recipe(recipe, name), run.options, name);
    const std::string format = app::default_extension(*run.operation, run.job->data_channels());
    if (!test::can_be_written(format)) continue;
    jobs += "[[job]]\ncommand = \"" + command + "\"\npreset = \"" + name + "\"\n";
    jobs += "output = \"{preset}." + format + "\"\n";
    if (command == "stipple" || command == "dither") jobs += "input = \"" + photo + "\"\n";
    jobs += command == "stipple" ? "dots = 200\n" : "size = 32\n";
    names.push_back(name);
  }
  folder.write("all.toml", jobs);
  const json ran = parsed(good({"batch", "all.toml", "--keep-going", "--json", "-q"}));
  EXPECT_EQ(ran["done"], names.size());
  for (const std::string& name : names) {
    EXPECT_TRUE(fs::exists(folder / (name + ".svg")) || fs::exists(folder / (name + ".png")) ||
                fs::exists(folder / (name + ".exr")))
        << name;
  }
  EXPECT_GE(names.size(), 15u);
}

TEST_F(Cli, ARunWithoutANameGetsAFormatThatHoldsItsChannels) {
  good({"worley", "--preset", "texture-cell-data", "--size", "32"});
  EXPECT_EQ(folder.names(), std::vector<std::string>{"worley.exr"});
  // A format that cannot is refused before the work, which would take an hour.
  const std::vector<std::string> long_work{"mask", "--size", "16384", "--channels", "4", "-o"};
  const auto refused = [&](std::vector<std::string> words, const char* file, const char* text) {
    words.emplace_back(file);
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  };
  refused(long_work, "a.bmp", "a.bmp: .bmp holds at most 3 channels, not 4; write .exr or .tif");
  refused({"worley", "--outputs", "f1,f2,normal", "-o"}, "a.png", "holds at most 4 channels");
  refused(long_work, "a.webp", "not a known format");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"worley.exr"});
}

TEST_F(Cli, ReproduceMakesTheSameBytes) {
  fs::copy(photo, folder / "in.png");
  std::vector<std::string> stipple{"stipple", "in.png", "--dots", "300", "--seed", "9"};
  std::vector<std::string> names{"p.json", "p.ply"};
  for (const std::string format : {"svg", "png", "tif", "exr", "jpg"}) {
    if (!test::can_be_written(format)) continue;
    names.push_back("a." + format);
    stipple.insert(stipple.end(), {"-o", names.back()});
  }
  good(stipple);
  if (test::can_be_written("exr")) {
    names.emplace_back("w.exr");
    good({"worley", "--size", "48", "--count", "20", "--outputs", "f1,id", "-o", "w.exr"});
  }
  good({"sample", "in.png", "--count", "99", "-o", "p.json", "-o", "p.ply"});
  fs::create_directory(folder / "elsewhere");
  fs::rename(folder / "in.png", folder / "elsewhere/in.png");
  for (const std::string& name : names) {
    std::vector<std::string> words{"reproduce", name, "-o", "again-" + name};
    if (name[0] != 'w') {
      if (name == "a.svg") {
        EXPECT_EQ(run(words).code, 3) << "the input has moved";
      }
      words.insert(words.end(), {"--input", "elsewhere/in.png"});
    }
    good(words);
    EXPECT_EQ(folder.read("again-" + name), folder.read(name)) << name;
  }
  // An input that has changed is refused.
  fs::copy(DAPPLE_SOURCE_FOLDER "/samples/ramp.png", folder / "in.png");
  const Outcome changed = run({"reproduce", "a.svg", "-o", "b.svg"});
  EXPECT_EQ(changed.code, 3);
  EXPECT_NE(changed.err.find("has changed since the recipe was made"), std::string::npos)
      << changed.err;
  EXPECT_FALSE(fs::exists(folder / "b.svg"));
  EXPECT_EQ(run({"reproduce", photo}).code, 3);  // carries no recipe
}

// The files that the first builds made hold hashes of another kind.
TEST_F(Cli, ReproduceKnowsEarlierHashes) {
  fs::copy(photo, folder / "in.png");
  good({"stipple", "in.png", "--dots", "300", "-o", "a.svg"});
  std::string made = folder.read("a.svg");
  const std::string hash = "sha256:" + sha256(folder.read("in.png"));
  Digest earlier("fnv1a64:");
  earlier.add(folder.read("in.png"));
  ASSERT_NE(made.find(hash), std::string::npos);
  made.replace(made.find(hash), hash.size(), earlier.text());
  folder.write("a.svg", made);
  good({"reproduce", "a.svg", "-o", "again.svg"});
  EXPECT_EQ(folder.read("again.svg"), made);
  fs::copy(DAPPLE_SOURCE_FOLDER "/samples/ramp.png", folder / "in.png",
           fs::copy_options::overwrite_existing);
  EXPECT_EQ(run({"reproduce", "a.svg", "-o", "b.svg"}).code, 3);
}

// ---- analyze ------------------------------------------------------------------------------------

TEST_F(Cli, AnalyzeReadsWhatTheOthersWrite) {
  good({"mask", "--size", "64", "-o", "m.png", "-q"});
  good({"sample", photo, "--count", "400", "-o", "p.csv", "-q"});
  good({"stipple", photo, "--dots", "300", "-o", "s.svg", "-q"});
  EXPECT_FALSE(good({"analyze", "m.png", "-o", "sheet.png"}).out.empty());
  EXPECT_TRUE(fs::exists(folder / "sheet.png"));
  EXPECT_FALSE(good({"analyze", "p.csv"}).out.empty());
  EXPECT_FALSE(good({"analyze", "p.csv", "--map", photo}).out.empty());
  EXPECT_FALSE(good({"analyze", "s.svg", "--map", photo}).out.empty());
  for (const std::string border : {"--margin=30mm", "--paper=A5"}) {  // of a square picture
    good({"stipple", photo, "--dots", "300", border, "-o", "paper.svg", "-q"});
    const Outcome with_paper = run({"analyze", "paper.svg", "--map", photo});
    EXPECT_EQ(with_paper.code, 3);
    EXPECT_NE(with_paper.err.find("stipple --report"), std::string::npos) << with_paper.err;
  }
  EXPECT_EQ(run({"analyze", "s.svg", "--as", "stippling"}).code, 2);
  EXPECT_EQ(run({"analyze"}).code, 2);
  EXPECT_EQ(run({"analyze", "missing.csv"}).code, 3);
}

}  // namespace
}  // namespace dapple
