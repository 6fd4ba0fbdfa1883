// The real program: what it prints, what it writes, how it ends.
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/help/help.hpp"
#include "app/presets.hpp"
#include "app/run/runner.hpp"
#include "cli/program_test.hpp"
#include "core/digest.hpp"

namespace dapple {
namespace {

using nlohmann::json;
using test::Outcome;
using test::Spawn;
namespace fs = std::filesystem;

const std::string photo = DAPPLE_SOURCE_FOLDER "/samples/ascent.png";

class Cli : public test::ProgramTest {
 protected:
  // Standard output as one JSON object and nothing else.
  static json parsed(const Outcome& outcome) {
    json object = json::parse(outcome.out, nullptr, false);
    EXPECT_TRUE(object.is_object()) << outcome.out;
    return object;
  }
};

// ---- help and the pages made from it ------------------------------------------------------------

TEST_F(Cli, AloneItExplainsItself) {
  const Outcome alone = good({});
  for (const char* command :
       {"sample", "stipple", "mask", "worley", "dither", "analyze", "presets"}) {
    EXPECT_NE(alone.out.find(std::string("\n  ") + command), std::string::npos) << command;
  }
  const Outcome help = good({"--help"});
  EXPECT_EQ(help.out, alone.out);
  std::istringstream lines(help.out);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_LE(count, 24) << "a screen";
  EXPECT_EQ(good({"help"}).out, help.out);
  EXPECT_EQ(good({"-h"}).out, help.out);
}

TEST_F(Cli, VersionNamesBuildAndLibraries) {
  const Outcome version = good({"--version"});
  for (const char* word : {"dapple ", "build: ", "OpenImageIO 2", "oneTBB 20", "Eigen 3"}) {
    EXPECT_NE(version.out.find(word), std::string::npos) << word << " in\n" << version.out;
  }
  EXPECT_EQ(good({"mask", "--version"}).out, version.out);
}

TEST_F(Cli, HelpManualAndCompletionsMentionEveryOption) {
  const std::string man = good({"man"}).out;
  const std::string bash = good({"completions", "bash"}).out;
  const std::string zsh = good({"completions", "zsh"}).out;
  const std::string fish = good({"completions", "fish"}).out;
  for (const app::Command& command : app::commands()) {
    const std::string help = good({command.name, "--help", "all"}).out;
    EXPECT_EQ(good({"help", command.name, "all"}).out, help);
    const std::string docs = good({"docs", command.name}).out;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
      // Examples stay on one line, to be copied.
      if (!line.starts_with("  dapple ")) {
        EXPECT_LE(line.size(), 100u) << command.name << ": " << line;
      }
    }
    const auto invocation = command.make();
    for (const OptionList* list :
         std::initializer_list<const OptionList*>{&invocation->options(), &invocation->common}) {
      for (const auto& option : *list) {
        const std::string flag = "--" + option->name;
        EXPECT_NE(help.find(flag), std::string::npos) << command.name << " " << flag;
        EXPECT_NE(docs.find(flag), std::string::npos) << command.name << " " << flag;
        EXPECT_NE(bash.find(flag), std::string::npos) << command.name << " " << flag;
        EXPECT_NE(zsh.find(flag), std::string::npos) << command.name << " " << flag;
        EXPECT_NE(fish.find("from " + command.name + "' -l " + option->name), std::string::npos)
            << command.name << " " << flag;
        std::string escaped;  // troff's minus
        for (const char c : flag) escaped += c == '-' ? std::string("\\-") : std::string(1, c);
        EXPECT_NE(man.find(escaped), std::string::npos) << command.name << " " << flag;
        if (option->type == OptionType::flag && option->default_text == "true") {
          EXPECT_NE(help.find("--no-" + option->name), std::string::npos) << command.name;
        }
      }
    }
  }
}

TEST_F(Cli, ThePagesInDocsAreUpToDate) {
  good({"docs", "--folder", "pages"});
  std::map<std::string, std::string> made, kept;
  const auto read = [](const fs::path& from, std::map<std::string, std::string>& pages) {
    for (const auto& entry : fs::directory_iterator(from)) {
      std::ifstream file(entry.path(), std::ios::binary);
      pages[entry.path().filename()] = {std::istreambuf_iterator<char>(file), {}};
    }
  };
  read(folder / "pages", made);
  read(DAPPLE_SOURCE_FOLDER "/docs/commands", kept);
  EXPECT_GT(made.size(), app::commands().size());
  for (const auto& [name, text] : made) {
    EXPECT_TRUE(kept[name] == text)
        << "docs/commands/" << name << " is old: dapple docs --folder docs/commands";
  }
  EXPECT_EQ(kept.size(), made.size()) << "a page of a command that is no more";
}

TEST_F(Cli, ManualPagesHaveNoWarnings) {
  if (!fs::exists("/usr/bin/groff")) GTEST_SKIP();
  const auto check = [&](const Outcome& page) {
    Spawn how;
    folder.write("page.1", page.out);
    const Outcome outcome = test::run_process(
        {"/usr/bin/groff", "-man", "-ww", "-Tascii", "-z", "page.1"}, folder.path(), how);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
  };
  check(good({"man"}));
  for (const app::Command& command : app::commands()) check(good({"man", command.name}));
}

TEST_F(Cli, CompletionsAreValidShell) {
  folder.write("c.bash", good({"completions", "bash"}).out);
  EXPECT_EQ(test::run_process({"/bin/bash", "-n", "c.bash"}, folder.path()).code, 0);
  for (const std::string shell : {"zsh", "fish"}) {
    folder.write("c." + shell, good({"completions", shell}).out);
    if (!fs::exists("/usr/bin/" + shell)) continue;
    EXPECT_EQ(test::run_process({"/usr/bin/" + shell, "-n", "c." + shell}, folder.path()).code, 0);
  }
  folder.write("try.bash",
               "source ./c.bash; COMP_WORDS=(dapple mask --siz); COMP_CWORD=2; _dapple; "
               "echo \"${COMPREPLY[*]}\"\n");
  EXPECT_EQ(test::run_process({"/bin/bash", "try.bash"}, folder.path()).out, "--size\n");
  EXPECT_EQ(run({"completions", "bsh"}).code, 2);
}

// Loading OpenImageIO and the libraries behind it takes 0.2 s.
TEST_F(Cli, TheProgramDoesNotLinkOpenImageIO) {
  std::ifstream file(DAPPLE_PROGRAM, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  ASSERT_NE(bytes.find("libtbb.so"), std::string::npos);  // needed libraries can be seen
  EXPECT_EQ(bytes.find("libOpenImageIO"), std::string::npos);
}

// ---- wrong usage --------------------------------------------------------------------------------

TEST_F(Cli, PngAndJpegFilesDoNotLoadOpenImageIO) {
  test::Spawn how;
  how.environment["LD_DEBUG"] = "files";
  const auto loads = [&](const std::vector<std::string>& words) {
    return good(words, how).err.find("libOpenImageIO") != std::string::npos;
  };
  EXPECT_FALSE(loads({"mask", "--size", "8", "-o", "m.png"}));
  EXPECT_FALSE(loads({"worley", "--size", "6000", "--count", "9", "-o", "large.png"}));
  EXPECT_FALSE(loads({"dither", "m.png", "-o", "d.png"}));
  EXPECT_FALSE(loads({"reproduce", "d.png", "-o", "e.png"}));
  test::run_process({"/bin/sh", "-c", "convert m.png m.jpg"}, folder.path());
  EXPECT_FALSE(loads({"dither", "m.jpg", "-o", "d.png"}));
  EXPECT_TRUE(loads({"dither", "m.png", "-o", "d.tif"}));
}

TEST_F(Cli, TyposNameTheNearestValidName) {
  const auto says = [&](const std::vector<std::string>& words, const std::string& text) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << words.back();
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  };
  says({"stiple"}, "did you mean 'stipple'?");
  says({"help", "maks"}, "did you mean 'mask'?");
  says({"mask", "--siez", "64"}, "did you mean --size?");
  says({"sample", "--method", "bridsn"}, "did you mean 'bridson'?");
  says({"mask", "--overwrite", "alway"}, "did you mean 'always'?");
  says({"man", "maks"}, "did you mean 'mask'?");
  says({"mask", "--dots", "5"}, "--dots is an option of stipple, not of mask");
  says({"mask", "-o", "a.pgn"}, "png");
  says({"mask", "-o", "a"}, "no extension");
  says({"mask", "-o", "a.csv"}, "holds points");
  says({"mask", "-o", "{stme}.png"}, "{stem}");
  says({"mask", "extra.png"}, "takes no input");
  says({"stipple"}, "needs an input");
  says({"stipple", photo, "another.png"}, "one input too many");
  says({"--quiet"}, "a command comes first");
  says({"mask", "--seed"}, "--seed needs a value");
  says({"mask", "-Z"}, "no option -Z");
  // Words that artists know.
  says({"stipple", photo, "--color", "navy"}, "there is no option --color: --ink is the color");
  says({"worley", "--colour=red"}, "there is no option --colour: --gradient has the colors");
  says({"stipple", photo, "--width", "80"}, "--paper that of a drawing");
  says({"mask", "--width=80"}, "--size is the size of the result");
  says({"stipple", photo, "-n", "500"}, "there is no option -n: --dots is their number");
  says({"sample", "-n500"}, "--count is the number of points");
  says({"worley", "--jitter", "1"}, "--method jittered");
  says({"stipple", photo, "--scale", "2"}, "--dot-size is that of the dots");
  says({"worley", "--seamless"}, "textures tile as they are");
  says({"mask", "--scale", "2"}, "--sigma the size of its grain");
  says({"dither", photo, "--seamless"}, "the mask tiles as it is");
  says({"batch", "jobs.toml", "--regularity", "1"}, "options of jobs stand in the batch file");
  says({"sample", "--tileable"}, "--wrap makes points that tile");
  says({photo}, "a command comes first, then its file: dapple stipple " + photo);
  // What another version may have is said to be missing, and what there is instead.
  says({"sample", "--method", "voronoi"},
       "not one of darts, bridson, elimination, jittered, random, grid");
  says({"stipple", photo, "--method", "swarm"}, "not one of kernel, lbg, voronoi, poisson");
  says({"worley", "--metric", "minkowski:99"},
       "not one of euclidean, manhattan, chebyshev, nor minkowski:P with P from 0.25 to 32");
  says({"mask", "--kind", "spatiotemporal", "--size", "8"}, "--size WxHxFRAMES");
}

TEST_F(Cli, OptionsThatLeaveAnotherNothingToDoAreRefusedBothByName) {
  using Words = std::vector<std::string>;
  const Words stipple{"stipple", photo, "--dots", "50", "-o", "a.svg"};
  const Words dither{"dither", photo, "-o", "a.png"};
  const Words sample{"sample", "--size", "16", "-o", "a.csv"};
  const Words worley{"worley", "--size", "16", "-o", "a.png"};
  struct Refused {
    Words run, one, other;
  };
  // Every pair of every command is tried by the sweep Faults.PairsOfOptions.
  const std::vector<Refused> pairs = {
      {stipple, {"--regularity", "0.9"}, {"--method", "lbg"}},
      {stipple, {"--edges", "0.5"}, {"--method", "voronoi"}},
      {stipple, {"--frame", "fitted"}, {"--method", "poisson"}},
      {stipple, {"--order", "hilbert"}, {"--progressive"}},
      {stipple, {"--order", "hilbert"}, {"--path", "tsp"}},
      {stipple, {"--no-overlap"}, {"--path", "tsp"}},
      {stipple, {"--no-overlap"}, {"--gap", "1"}},
      {stipple, {"--progressive"}, {"--path", "tsp"}},
      {dither, {"--size", "64"}, {"--method", "floyd-steinberg"}},
      {dither, {"--size", "64"}, {"--mask", photo}},
      {dither, {"--levels", "4"}, {"--palette", "navy,white"}},
      {dither, {"--levels", "4"}, {"--colours", "4"}},
      {dither, {"--channels", "locked"}, {"--grey"}},
      {sample, {"--tries", "3"}, {"--method", "dense"}},
      {{"mask", "--density", photo, "-o", "a.png"}, {"--sigma", "2"}, {"--density", photo}},
      {worley, {"--points", photo}, {"--count", "9"}},
      {worley, {"--normal-y", "down"}, {"--outputs", "edge"}},
      {{"compare"}, {"--map", photo}, {"--size", "32"}},
  };
  for (const auto& [run_words, one, other] : pairs) {
    Words words = run_words;
    words.insert(words.end(), one.begin(), one.end());
    words.insert(words.end(), other.begin(), other.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << one[0] << " " << other[0];
    EXPECT_NE(outcome.err.find(one[0]), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(other[0]), std::string::npos) << outcome.err;
  }
  const auto says = [&](const Words& words, const std::string& text) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << words[0];
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  };
  says({"sample", photo, "--size", "64", "-o", "a.csv"}, "--size: does not go with MAP");
  says({"sample", "--invert", "-o", "a.csv"}, "--invert: does nothing without MAP");
  says({"mask", "--gamma", "2", "-o", "a.png"}, "--gamma: does nothing without --density");
  says({"presets", "stipple-night", "--names"}, "--names: does not go with NAME");
  // A batch says it of its jobs.
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"dither\"\ninput = \"a.png\"\nsize = 64\n"
               "method = \"floyd-steinberg\"\noutput = \"b.png\"\n");
  says({"batch", "jobs.toml"},
       "size: is for `method mask` or bayer, not for `method floyd-steinberg`");
}

TEST_F(Cli, WordsOfOtherProgramsMeanTheSame) {
  const auto bytes = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all{"worley", "--size", "32", "--count", "5", "--out", "w.png"};
    all.insert(all.end(), words.begin(), words.end());
    good(all);
    return folder.read("w.png");
  };
  EXPECT_EQ(bytes({"--output", "f2"}), bytes({"--outputs", "f2"}));
  EXPECT_EQ(bytes({"--outputs", "normal", "--normal-y", "directx"}),
            bytes({"--outputs", "normal", "--normal-y", "down"}));
  EXPECT_EQ(bytes({"--outputs", "normal", "--normal-y", "opengl"}), bytes({"--outputs", "normal"}));
}

TEST_F(Cli, EveryProblemIsReportedAtOnce) {
  const Outcome outcome = run({"mask", "--size", "0", "--seed", "-1", "--thread", "2",
                               "--threads=x", "-o", "a.svg", "-o", "b.xyz"});
  EXPECT_EQ(outcome.code, 2);
  for (const char* text : {"--size: expected", "--seed: expected", "did you mean --threads?",
                           "--threads: expected", "a.svg:"}) {
    EXPECT_NE(outcome.err.find(text), std::string::npos) << text << " in\n" << outcome.err;
  }
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(Cli, OptionsTakeEveryUsualForm) {
  good({"mask", "--size=16", "-omask.png", "-qv", "--seed", "3"});
  good({"worley", "--size", "16", "--count", "5", "--no-wrap", "-o", "w.png", "-q"});
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"mask.png", "w.png"}));
  folder.write("-odd.csv", "x,y,r\n1,1,1\n3,2,1\n2,4,1\n5,5,1\n");
  EXPECT_EQ(good({"analyze", "-q", "--", "-odd.csv"}).err, "");
}

// ---- exit codes ---------------------------------------------------------------------------------

TEST_F(Cli, EveryExitCode) {
  EXPECT_EQ(run({"mask", "--size", "16", "-o", "a.png"}).code, 0);
  EXPECT_EQ(run({"mask", "--nothing"}).code, 2);
  EXPECT_EQ(run({"stipple", "missing.png"}).code, 3);
  folder.write("broken.png", "\x89PNG\r\n\x1a\nnot really");
  EXPECT_EQ(run({"stipple", "broken.png"}).code, 3);
  EXPECT_EQ(run({"mask", "-o", "no/such/folder/a.png"}).code, 4);
  fs::create_directory(folder / "a-folder.png");
  EXPECT_EQ(run({"mask", "-o", "a-folder.png"}).code, 4);
  EXPECT_EQ(run({"mask", "--size", "64", "--max-pixels", "1000"}).code, 5);
  EXPECT_EQ(run({"sample", "--size", "4000", "--radius", "1", "--max-memory", "1M"}).code, 5);
  EXPECT_EQ(run({"stipple", photo, "--max-pixels", "1000"}).code, 5);
}

TEST_F(Cli, AFailedVerificationIsSix) {
  good({"mask", "--size", "16", "-o", "a.png", "-q"});
  // The same picture and recipe in other bytes: IEND gets a companion that no reader minds.
  folder.write("a.png", folder.read("a.png") + "trailing bytes");
  const Outcome outcome = run({"reproduce", "a.png", "-o", "again.png"});
  EXPECT_EQ(outcome.code, 6) << outcome.err;
  EXPECT_NE(outcome.err.find("differ"), std::string::npos);
}

TEST_F(Cli, AFullDiskIsAnOutputError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  const std::string command =
      std::string(DAPPLE_PROGRAM) + " sample --size 64 --radius 4 -o - >/dev/full";
  EXPECT_EQ(test::run_process({"/bin/sh", "-c", command}, folder.path()).code, 4);
}

TEST_F(Cli, SignalsStopItWithoutAPartialOutput) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Spawn how;
    how.interrupt_after_ms = 300;
    how.signal = signal;
    // Minutes of work, were it not stopped.
    const Outcome outcome = run({"mask", "--size", "8192", "-o", "m.png", "--json"}, how);
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_EQ(parsed(outcome)["error"]["kind"], "cancelled");
    EXPECT_TRUE(folder.names().empty());
  }
}

TEST_F(Cli, AnAbortThatIsNotForMemoryStaysOne) {
  Spawn how;
  how.interrupt_after_ms = 300;
  how.signal = SIGABRT;
  how.before = [] {
    const rlimit none{0, 0};  // no core file
    setrlimit(RLIMIT_CORE, &none);
  };
  EXPECT_EQ(run({"mask", "--size", "8192", "-o", "m.png"}, how).code, -SIGABRT);
  EXPECT_TRUE(folder.names().empty());
  // Where a thread finds no room it is a limit: this one is set when the program is under way.
  const std::string command = std::string(DAPPLE_PROGRAM) +
                              " mask --size 8192 -o m.png & sleep 0.5; prlimit --pid $! --as=1000; "
                              "kill -ABRT $!; wait $!";
  const Outcome outcome = test::run_process({"/bin/sh", "-c", command}, folder.path());
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  EXPECT_NE(outcome.err.find("not enough memory"), std::string::npos) << outcome.err;
}

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
            (std::vector<std::string>{"ascent-sample.csv", "ascent-stipple.png",
                                      "ascent-stipple.svg", "mask.png", "sample.csv"}));
}

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
    apply(app::load_preset(preset["path"], command).recipe, run.options, name);
    const std::string format = app::default_extension(*run.operation, run.job->data_channels());
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
  refused(long_work, "a.jpg", "a.jpg: .jpg holds at most 3 channels, not 4; write .exr or .tif");
  refused({"worley", "--outputs", "f1,f2,normal", "-o"}, "a.png", "holds at most 4 channels");
  refused(long_work, "a.webp", "no format known here");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"worley.exr"});
}

TEST_F(Cli, ReproduceMakesTheSameBytes) {
  fs::copy(photo, folder / "in.png");
  good({"stipple", "in.png", "--dots", "300", "--seed", "9", "-o", "a.svg", "-o", "a.png", "-o",
        "a.tif", "-o", "a.exr", "-o", "a.jpg"});
  good({"worley", "--size", "48", "--count", "20", "--outputs", "f1,id", "-o", "w.exr"});
  good({"sample", "in.png", "--count", "99", "-o", "p.json", "-o", "p.ply"});
  fs::create_directory(folder / "elsewhere");
  fs::rename(folder / "in.png", folder / "elsewhere/in.png");
  for (const std::string name :
       {"a.svg", "a.png", "a.tif", "a.exr", "a.jpg", "w.exr", "p.json", "p.ply"}) {
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
  EXPECT_NE(changed.err.find("not what the recipe was made with"), std::string::npos)
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
  EXPECT_EQ(run({"analyze", "s.svg", "--as", "stippling"}).code, 2);
  EXPECT_EQ(run({"analyze"}).code, 2);
  EXPECT_EQ(run({"analyze", "missing.csv"}).code, 3);
}

}  // namespace
}  // namespace dapple
