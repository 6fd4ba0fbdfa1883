// The real program: what it prints, what it writes, how it ends.
#include "cli.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>

#include "app/command.hpp"
#include "app/exit_code.hpp"
#include "app/help/help.hpp"
#include "app/presets/presets.hpp"
#include "app/run/runner.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/version.hpp"
#include "io/digest.hpp"

namespace dapple {
namespace {

using nlohmann::json;
using test::Outcome;
using test::Spawn;
namespace fs = std::filesystem;
using test::Cli;
using test::photo;

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
  const bool own = test::tests_windows();  // this build has no OpenImageIO and no oneTBB
  for (const char* word : {"dapple ", "build: ", own ? "OpenImageIO none" : "OpenImageIO 2",
                           own ? "threads of its own" : "oneTBB 20", "Eigen 3"}) {
    EXPECT_NE(version.out.find(word), std::string::npos) << word << " in\n" << version.out;
  }
  EXPECT_EQ(good({"mask", "--version"}).out, version.out);
}

TEST_F(Cli, HelpManualAndCompletionsMentionEveryOption) {
  const std::string bash = good({"completions", "bash"}).out;
  const std::string zsh = good({"completions", "zsh"}).out;
  const std::string fish = good({"completions", "fish"}).out;
  for (const app::Command& command : app::commands()) {
    const std::string help = good({command.name, "--help", "all"}).out;
    EXPECT_EQ(good({"help", command.name, "all"}).out, help);
    const std::string docs = good({"docs", command.name}).out;
    const std::string man = good({"man", command.name}).out;
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
        << "docs/commands/" << name << " is out of date: run scripts/regenerate docs";
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

TEST_F(Cli, ManualPagesHaveTheUsualSections) {
  const auto check = [&](const std::string& page, const std::string& name, bool has_examples) {
    std::size_t at = 0;
    for (const char* section : {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES",
                                "EXIT STATUS", "ENVIRONMENT", "SEE ALSO"}) {
      if (std::string_view(section) == "EXAMPLES" && !has_examples) continue;
      at = page.find(".SH " + std::string(section) + "\n", at);
      ASSERT_NE(at, std::string::npos) << section << " in the page of " << name;
    }
    EXPECT_TRUE(page.starts_with(".TH dapple")) << name;
    EXPECT_NE(page.find("\"dapple " DAPPLE_VERSION "\""), std::string::npos) << name;
  };
  const std::string program = good({"man"}).out;
  const std::string help = good({"--help"}).out;
  check(program, "dapple", true);
  for (const app::Command& command : app::commands()) {
    const std::string page = good({"man", command.name}).out;
    check(page, command.name, !command.examples.empty());
    EXPECT_NE(page.find(".BR dapple (1)"), std::string::npos) << command.name;
    EXPECT_NE(program.find(".BR dapple\\-" + command.name + " (1)"), std::string::npos);
  }
  // The codes are those that runs end with.
  for (const ErrorKind kind :
       {ErrorKind::internal, ErrorKind::usage, ErrorKind::input, ErrorKind::output,
        ErrorKind::limit, ErrorKind::verification, ErrorKind::cancelled}) {
    const std::string code = std::to_string(app::exit_code(kind));
    EXPECT_NE(program.find("\n.B " + code + "\n"), std::string::npos) << code;
    EXPECT_TRUE(std::regex_search(help, std::regex("\\s" + code + "\\s[a-z]"))) << code;
  }
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
  std::ifstream file(test::tested_program(), std::ios::binary);
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
  says({"mask", "-o", "a"}, "needs an extension");
  says({"mask", "-o", "a.csv"}, "holds points");
  says({"mask", "-o", "{stme}.png"}, "{stem}");
  says({"mask", "extra.png"}, "takes no input");
  says({"stipple"}, "needs an input");
  says({"stipple", photo, "another.png"}, "unexpected second input");
  says({"--quiet"}, "expected a command before the options");
  says({"mask", "--seed"}, "--seed needs a value");
  says({"mask", "-Z"}, "no option -Z");
  // Words that artists know.
  says({"stipple", photo, "--color", "navy"}, "there is no option --color: --ink is the color");
  says({"worley", "--colour=red"}, "there is no option --colour: --gradient sets the colors");
  says({"stipple", photo, "--width", "80"}, "--paper the size of a drawing");
  says({"mask", "--width=80"}, "--size is the size of the result");
  says({"stipple", photo, "-n", "500"}, "there is no option -n: --dots is the number of dots");
  says({"sample", "-n500"}, "--count is the number of points");
  says({"worley", "--jitter", "1"}, "--randomness");
  says({"stipple", photo, "--edges", "0.5"}, "there is no option --edges: use --sharpen");
  says({"stipple", photo, "--scale", "2"}, "--dot-size is the diameter of the dots");
  says({"worley", "--seamless"}, "textures tile by default");
  says({"mask", "--scale", "2"}, "--sigma the size of its grain");
  says({"dither", photo, "--seamless"}, "the mask always tiles");
  says({"batch", "jobs.toml", "--regularity", "1"}, "the batch file sets the options of jobs");
  says({"sample", "--tileable"}, "--wrap makes points that tile");
  says({photo}, "expected a command before the file: dapple stipple " + photo);
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
      {stipple, {"--frame", "fitted"}, {"--method", "poisson"}},
      {stipple, {"--order", "hilbert"}, {"--progressive"}},
      {stipple, {"--order", "hilbert"}, {"--path", "tsp"}},
      {stipple, {"--no-overlap"}, {"--path", "tsp"}},
      {stipple, {"--no-overlap"}, {"--gap", "1"}},
      {stipple, {"--progressive"}, {"--path", "tsp"}},
      {stipple, {"--shape", "point"}, {"--style", "tree"}},
      {stipple, {"--regularity", "0.9"}, {"--style", "hatch"}},
      {stipple, {"--report"}, {"--style", "sine"}},
      {stipple, {"--words", "blue"}, {"--style", "flow"}},
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
  says({"sample", photo, "--size", "64", "-o", "a.csv"}, "--size: cannot be combined with MAP");
  says({"sample", "--invert", "-o", "a.csv"}, "--invert: has no effect without MAP");
  says({"mask", "--gamma", "2", "-o", "a.png"}, "--gamma: has no effect without --density");
  says({"presets", "stipple-night", "--names"}, "--names: cannot be combined with NAME");
  // A batch says it of its jobs.
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"dither\"\ninput = \"a.png\"\nsize = 64\n"
               "method = \"floyd-steinberg\"\noutput = \"b.png\"\n");
  says({"batch", "jobs.toml"},
       "size: works only with `method mask` or bayer, not with `method floyd-steinberg`");
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
      test::tested_program() + " sample --size 64 --radius 4 -o - >/dev/full";
  EXPECT_EQ(test::run_process({"/bin/sh", "-c", command}, folder.path()).code, 4);
}

TEST_F(Cli, SignalsStopItWithoutAPartialOutput) {
  for (const int signal : {SIGINT, SIGTERM}) {
    if (test::tests_windows() && signal != SIGINT) continue;  // no other signal exists there
    Spawn how;
    how.interrupt_after_ms = test::tests_windows() ? 2000 : 300;  // wine starts slowly
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
  const std::string command = test::tested_program() +
                              " mask --size 8192 -o m.png & sleep 0.5; prlimit --pid $! --as=1000; "
                              "kill -ABRT $!; wait $!";
  const Outcome outcome = test::run_process({"/bin/sh", "-c", command}, folder.path());
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  EXPECT_NE(outcome.err.find("not enough memory"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace dapple
