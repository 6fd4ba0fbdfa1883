// What scripts and pipelines rely on, beyond a single command: full disks, pipes, signals, hostile
// files, recipes of every option, and other programs that read what is written.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/recipe.hpp"
#include "program_test.hpp"

namespace dapple {
namespace {

using nlohmann::json;
using test::Outcome;
using test::Spawn;
namespace fs = std::filesystem;

using Words = std::vector<std::string>;

const std::string photo = DAPPLE_SOURCE_FOLDER "/samples/ascent.png";

class Contract : public test::ProgramTest {
 protected:
  // A line of bash, in which $D is the program.
  Outcome shell(const std::string& line) const {
    Spawn how;
    how.environment["D"] = test::tested_program();
    // Windows has no such signal, at which wine would end the program.
    const std::string ignore = test::tests_windows() ? "trap '' XFSZ; " : "";
    return test::run_process({"/bin/bash", "-c", ignore + line}, folder.path(), how);
  }
};

// ---- outputs that cannot be written -------------------------------------------------------------

TEST_F(Contract, AFileThatDoesNotFitLeavesNothing) {
  for (const std::string type : {"png", "jpg", "tif", "exr", "svg", "csv", "ply", "npy", "json"}) {
    if (!test::can_be_written(type)) continue;
    folder.write("a." + type, "what was there");
    const Outcome outcome = shell("ulimit -f 1; exec $D sample --size 256 --radius 4 -o a." + type);
    EXPECT_EQ(outcome.code, 4) << type << outcome.err;
    EXPECT_FALSE(outcome.err.empty());
    EXPECT_EQ(folder.names(), Words{"a." + type});
    EXPECT_EQ(folder.read("a." + type), "what was there");
    fs::remove(folder / ("a." + type));
  }
}

// The last bytes of some formats are written when their encoder ends, which forgets what fails
// then.
TEST_F(Contract, NoFileIsCut) {
  const std::vector<std::pair<std::string, std::string>> files = {
      {"mask --size 64", "m.tif"},
      {"mask --size 32x32x4", "s.tif"},
      {"mask --size 32x32x4", "s.exr"},
      {"sample --size 64 --radius 8", "t.tx"},
      {"worley --size 32 --count 9 --output f1 --bits half", "h.tx"}};
  for (const auto& [words, name] : files) {
    ASSERT_EQ(shell("exec $D " + words + " -q -o whole." + name).code, 0) << name;
    const auto size = fs::file_size(folder / ("whole." + name));
    const auto last = (size - 1) / 1024;  // the highest limit that is too low
    for (const auto limit : {last, last - 1, last / 2}) {
      const Outcome outcome =
          shell("ulimit -f " + std::to_string(limit) + "; exec $D " + words + " -o " + name);
      EXPECT_EQ(outcome.code, 4) << name << " " << limit << outcome.err;
      EXPECT_FALSE(fs::exists(folder / name)) << name << " " << limit;
    }
  }
}

TEST_F(Contract, OutputsOfARunAppearTogetherOrNotAtAll) {
  const auto nothing_new = [&](const std::string& line, int code) {
    folder.write("a.csv", "what was there");
    const Outcome outcome = shell(line);
    EXPECT_EQ(outcome.code, code) << line << outcome.err;
    EXPECT_EQ(folder.names(), Words{"a.csv"}) << line;
    EXPECT_EQ(folder.read("a.csv"), "what was there") << line;
  };
  const std::string sample = "exec $D sample --size 64 --radius 8 -o a.csv";
  nothing_new("ulimit -f 10; " + sample + " -o b.ply -o c.png --size 256 --radius 4", 4);
  nothing_new(sample + " -o - -o b.ply >/dev/full", 4);
  nothing_new("(" + sample + " -o - -o b.ply; exit $?) | true; exit ${PIPESTATUS[0]}", 4);
  nothing_new("ulimit -f 3; exec $D mask --size 32 -o m.png --certificate", 4);
  nothing_new("ulimit -f 3; exec $D mask --size 32x32x2 -o 'm.{frame}.png' --certificate", 4);
}

TEST_F(Contract, AFullDeviceIsAnOutputError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  for (const char* words : {"--help", "presets", "mask --print-recipe", "man", "mask --size 8 -o -",
                            "stipple in.png --dots 9 -o -", "sample --size 9 --json"}) {
    fs::copy(photo, folder / "in.png", fs::copy_options::skip_existing);
    EXPECT_EQ(shell("exec $D " + std::string(words) + " >/dev/full").code, 4) << words;
  }
}

TEST_F(Contract, AFolderThatMayNotBeWrittenTo) {
  EXPECT_EQ(run({"sample", "--size", "9", "-o", "/proc/p.csv"}).code, 4);  // not even by root
  if (geteuid() == 0) return;
  fs::create_directory(folder / "kept");
  fs::permissions(folder / "kept", fs::perms::owner_read | fs::perms::owner_exec);
  const Outcome outcome = run({"sample", "--size", "9", "-o", "kept/p.csv"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_NE(outcome.err.find("kept/p.csv: the folder 'kept' cannot be written to"),
            std::string::npos)
      << outcome.err;
}

// ---- pipes --------------------------------------------------------------------------------------

TEST_F(Contract, AReaderThatStopsIsAnOutputError) {
  const Outcome outcome =
      shell("$D sample --size 512 --radius 2 -o - | head -c 5; echo \" ${PIPESTATUS[0]}\"");
  EXPECT_EQ(outcome.out, "x,y,r 4\n");
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(Contract, StandardInputIsAnInput) {
  fs::copy(photo, folder / "in.png");
  good({"stipple", "in.png", "--dots", "50", "-o", "a.csv", "-q"});
  EXPECT_EQ(shell("$D stipple - --dots 50 -q -o {stem}.csv < in.png").code, 0);
  EXPECT_EQ(folder.read("stdin.csv"), folder.read("a.csv"));
  EXPECT_EQ(shell("cat in.png | $D stipple - --dots 50 -q -o piped.csv").code, 0);
  EXPECT_EQ(folder.read("piped.csv"), folder.read("a.csv"));
  // Points by an option.
  EXPECT_EQ(shell("$D worley --size 32 --points - -q -o w.png < a.csv").code, 0);
  EXPECT_EQ(run({"stipple", "-"}).code, 3);  // nothing comes
}

// ---- Ctrl-C -------------------------------------------------------------------------------------

// Minutes of work each, were it not stopped; also while files are read and written.
TEST_F(Contract, EveryCommandStops) {
  fs::copy(photo, folder / "in.png");
  const std::vector<Words> commands = {
      {"sample", "--size", "9000", "--radius", "0.9", "-o", "a.csv"},
      {"stipple", "in.png", "--dots", "5000000", "-o", "a.svg"},
      {"worley", "--size", "16000", "--count", "900000", "--outputs", "f3,edge", "-o", "a.exr"},
      {"dither", "in.png", "--size", "8192", "-o", "a.png"},
      {"mask", "--size", "8192", "-o", "a.png"},
      {"sample", "--size", "15000", "--count", "9", "-o", "a.tif"},
  };
  for (const Words& words : commands) {
    Spawn how;
    how.interrupt_after_ms = 700;
    EXPECT_EQ(run(words, how).code, 130) << words[0];
    EXPECT_EQ(folder.names(), Words{"in.png"});
  }
}

TEST_F(Contract, APipeWithANameIsAnInput) {
  fs::copy(photo, folder / "in.png");
  good({"stipple", "in.png", "--dots", "50", "-o", "a.csv", "-q"});
  EXPECT_EQ(shell("mkfifo p && (cat in.png > p & exec $D stipple p --dots 50 -q -o b.csv)").code,
            0);
  EXPECT_EQ(folder.read("b.csv"), folder.read("a.csv"));
  EXPECT_EQ(shell("$D stipple <(cat in.png) --dots 50 -q -o c.csv").code, 0);
  EXPECT_EQ(folder.read("c.csv"), folder.read("a.csv"));
}

// Nobody writes into it, nobody reads from it.
TEST_F(Contract, APipeThatKeepsItWaitingStops) {
  ASSERT_EQ(shell("mkfifo in.png out.csv").code, 0);
  const std::vector<Words> commands = {{"stipple", "in.png", "-o", "a.svg"},
                                       {"worley", "--points", "in.png", "-o", "a.png"},
                                       {"sample", "--size", "9", "-o", "a.ply", "-o", "out.csv"}};
  for (const Words& words : commands) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      Spawn how;
      how.interrupt_after_ms = 300;
      how.signal = signal;
      EXPECT_EQ(run(words, how).code, 130) << words[0] << signal;
      EXPECT_EQ(folder.names(), (Words{"in.png", "out.csv"}));
    }
  }
}

// ---- terminals ----------------------------------------------------------------------------------

// Names, values and texts that would clear a screen, set its title, turn lines around or write into
// a log what nobody said.
TEST_F(Contract, NothingThatStrangersWroteMovesACursor) {
  const std::string evil =
      "x\x1b[2J\x1b]0;t\a\rdapple: \xc2\x9b"
      "31m\xe2\x80\xae\xe2\x81\xa6\x7f";
  const auto harmless = [&](const std::string& text) {
    for (const char* bytes :
         {"\x1b", "\a", "\r", "\x7f", "\xc2\x9b", "\xe2\x80\xae", "\xe2\x81\xa6", "\xff"}) {
      EXPECT_EQ(text.find(bytes), std::string::npos) << testing::PrintToString(text);
    }
    return text;
  };
  const auto said = [&](const Words& words, int code) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.out + outcome.err, "");
    harmless(outcome.err);
    return harmless(outcome.out);
  };
  said({"stipple", evil + "\xff.png"}, 3);
  said({"sample", "--size", evil}, 2);
  said({"sample", "--" + evil, "3"}, 2);
  said({evil}, 2);
  said({"mask", "--size", "8", "-o", evil + ".png", "-v"}, 0);
  said({"mask", "--size", "8", "-o", evil + "\xff.png"}, 0);
  EXPECT_TRUE(fs::exists(folder / (evil + "\xff.png")));
  folder.write("bad.toml", "command = \"mask\"\n\"a\\u001b[2J\" = 1\n");
  said({"mask", "--recipe", "bad.toml"}, 2);
  folder.write("good.toml",
               "# \xe2\x80\xae"
               "comment\ncommand = \"mask\"\nsize = 8\n");
  EXPECT_NE(said({"presets", "./good.toml"}, 0).find("\\u202ecomment"), std::string::npos);
  // What is said stays what it is.
  const std::string name = evil + ".png";
  const json record = json::parse(said({"mask", "--size", "8", "-o", name, "--json"}, 0));
  EXPECT_EQ(record["outputs"][0]["path"], name);
  const std::string toml = said({"stipple", name, "--print-recipe"}, 0);
  EXPECT_EQ(parse_recipe(toml, "printed").input, name);
  EXPECT_EQ(json::parse(said({"stipple", evil, "--json"}, 3))["error"]["kind"], "input");
}

// A line of a log is what the program says, not what a file is called.
TEST_F(Contract, NamesBeginNoLineOfTheirOwn) {
  const std::string name = "x\nall is well\r\n.png";
  folder.write("jobs.toml", "[[job]]\ncommand = \"dither\"\nsize = 8\ninput = \"" +
                                std::string("x\\nall is well\\r\\n.png") +
                                "\"\noutput = \"b\\nall is well.png\"\n");
  const std::vector<std::pair<Words, int>> runs = {{{"stipple", name}, 3},
                                                   {{"analyze", name + ".csv"}, 3},
                                                   {{"reproduce", name + ".pdf"}, 3},
                                                   {{"mask", "--recipe", name}, 2},
                                                   {{"presets", name}, 2},
                                                   {{"sample", "--size", name}, 2},
                                                   {{"sample", "--" + name, "3"}, 2},
                                                   {{name}, 2},
                                                   {{"batch", "jobs.toml"}, 1},
                                                   {{"mask", "--size", "8", "-o", name, "-v"}, 0}};
  for (const auto& [words, code] : runs) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.err.find("all is well"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("\nall is well"), std::string::npos) << outcome.err;
  }
}

// Every option that names a file, as the input does: what has no end is refused before it is read.
TEST_F(Contract, DevicesAreNoInputs) {
  const long before = run({"dither", "missing.png", "-o", "out.png"}).peak_kb;
  const auto refused = [&](const Words& words, int code = 3) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code) << words[1] << " " << words.back() << outcome.err;
    EXPECT_NE(outcome.err.find("is a device"), std::string::npos) << outcome.err;
    EXPECT_LT(outcome.peak_kb, before + (30 << 10)) << words[1];
  };
  fs::create_symlink("/dev/zero", folder / "zero.csv");
  int options_of_files = 0;
  for (const Operation& operation : operations()) {
    const std::string command(operation.name);
    const bool has_input = operation.input != InputKind::none;
    const std::unique_ptr<Job> job = operation.make();
    OptionList options;
    job->describe(options);
    for (const auto& option : options) {
      if (option->image_input == nullptr && option->points_input == nullptr &&
          option->outline_input == nullptr && option->text_input == nullptr) {
        continue;
      }
      const std::string device = option->points_input != nullptr ? "zero.csv" : "/dev/zero";
      Words words{command, "--" + option->name + "=" + device};
      if (has_input) words.push_back(option->name == "from" ? "--count=9" : photo);
      const bool of_a_map =
          option->name == "tones-from" || option->name == "mask" || option->name == "weight";
      if (of_a_map && !has_input) words.push_back("--density=" + photo);
      if (option->name == "device-palette") words.push_back("--palette=black,white");
      refused(words);
      ++options_of_files;
    }
    if (has_input) refused({command, "/dev/zero"});
  }
  EXPECT_GT(options_of_files, 5);
  for (const char* from : {"--recipe", "--preset"}) refused({"mask", from, "/dev/zero"}, 2);
  // Windows refuses a checkpoint, as any output, by the names of its own devices.
  if (!test::tests_windows()) refused({"stipple", photo, "--checkpoint", "/dev/zero"});
  refused({"reproduce", "/dev/zero"});
  refused({"batch", "/dev/zero"});
  const Outcome piped = shell("exec $D dither - -o out.png < /dev/zero");
  EXPECT_EQ(piped.code, 3) << piped.err;
}

// ---- hostile files ------------------------------------------------------------------------------

std::uint32_t crc_of(const std::string& bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const unsigned char byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
  return bytes;
}

std::string chunk(const std::string& name, const std::string& data) {
  return big_endian(static_cast<std::uint32_t>(data.size())) + name + data +
         big_endian(crc_of(name + data));
}

// A gray PNG of a few bytes that claims a size.
std::string tiny_png(std::uint32_t width, std::uint32_t height) {
  const std::string deflated("\x78\x9c\x63\x60\x80\x01\x00\x00\x0a\x00\x01", 11);
  return "\x89PNG\r\n\x1a\n" +
         chunk("IHDR", big_endian(width) + big_endian(height) + std::string("\x08\0\0\0\0", 5)) +
         chunk("IDAT", deflated) + chunk("IEND", "");
}

// With 2 GB of address space: nothing of the claimed 10^10 pixels may be allocated.
TEST_F(Contract, LimitsAreCheckedOnTheHeader) {
  folder.write("huge.png", tiny_png(100000, 100000));
  EXPECT_LT(fs::file_size(folder / "huge.png"), 80u);
  folder.write("p.csv", "x,y,r\n1,1,1\n7,2,1\n2,8,1\n9,9,1\n");
  const auto refused = [&](const std::string& words, int code, const std::string& text) {
    const Outcome outcome = shell("ulimit -v 2000000; exec $D " + words);
    EXPECT_EQ(outcome.code, code) << words << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  };
  const std::string pixels =
      "huge.png: an image of 100000x100000 has 10000000000 pixels, more than the limit of "
      "268435456; raise it with --max-pixels";
  refused("stipple huge.png", 5, pixels);
  refused("sample huge.png", 5, pixels);
  refused("dither huge.png", 5, pixels);
  refused("worley --density huge.png", 5, pixels);
  refused("analyze huge.png", 5, pixels);
  refused("analyze p.csv --map huge.png", 5, pixels);
  refused("stipple huge.png --max-pixels 20000000000 --max-memory 1G", 5,
          "needs 76294 MB of memory, more than the limit of 1024 MB; raise it with --max-memory");
  refused("stipple huge.png --max-pixels 20000000000 --max-memory 100T", 3,
          "bytes are too few for 100000x100000 pixels");
  EXPECT_EQ(folder.names(), (Words{"huge.png", "p.csv"}));
}

TEST_F(Contract, CellTexturesSayWhatDoesNotGoTogether) {
  shell("$D mask --size 8 -o a.png");
  const auto refused = [&](const std::string& words, const std::string& text) {
    const Outcome outcome = shell("$D worley -o w.png " + words);
    EXPECT_EQ(outcome.code, 2) << words << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  };
  refused("--pack R=f1 --outputs edge", "leave --outputs out");
  refused("--colors a.png", "add color to --outputs");
  refused("--output perimeter --metric manhattan", "use edge");
  refused("--power 1 --metric manhattan", "power cells work only with Euclidean distance");
  refused("--antialias --warp 3", "--antialias");
  refused("--count 3 --output area --bits half -o w.exr", "--bits float");
  refused("--smooth 10000", "--smooth: must be at most half of the shorter side, which is 256 px");
  refused("--output occlusion --occlusion-radius 1000", "--occlusion-radius");
  refused("--size 32x32x2.5", "whole number of slices");
  refused("--size 32x32x4 --frames 3", "--frames");
  refused("--size 32x32x4 --density a.png", "--density");
  refused("--size 32x32x4 --method random", "--method");
  refused("--size 32 --udim 2x2 --frames 3 -o 'w.<UDIM>.png'", "--frames");
}

TEST_F(Contract, CellTexturesSayWhatChangesNothing) {
  const auto refused = [&](const std::string& words, const std::string& text) {
    const Outcome outcome = shell("$D worley --size 32 -o w.png " + words);
    EXPECT_EQ(outcome.code, 2) << words << outcome.err;
    EXPECT_NE(outcome.err.find(words.substr(words.rfind("--"), 5)), std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  };
  refused("--motion 3", "--frames");
  refused("--outputs height --bevel 3", "--height-of edge");
  refused("--outputs height --height-of edge --bevel-profile smooth", "--bevel");
  refused("--outputs edge --smooth 3", "--outputs");
  refused("--antialias", "--outputs random");
  refused("--pack R=f1,G=id --gradient '#000,#fff'", "--pack ..=color");
  refused("--pack R=color.R,G=id --gradient '#000,#fff' --normal-y down", "--pack ..=normal");
  refused("--outputs height --occlusion-radius 3", "--outputs occlusion");
  refused("--line-width 4", "--outputs lines or --line-color");
  refused("--ids uint", "--outputs id");
  refused("--points p.csv --count 9", "--count");
  const Outcome even = shell("$D worley --size 32 --count 9 -o w.png --method random --power 1");
  EXPECT_NE(even.err.find("--power has no effect"), std::string::npos) << even.err;
  const Outcome used = shell(
      "$D worley --size 32 --count 9 --frames 2 --motion 3 --smooth 2 --output f1,occlusion,lines "
      "--antialias --height-of edge --bevel 3 --bevel-profile smooth --occlusion-radius 3 "
      "--line-width 2 -o 'u_{output}.npy'");
  EXPECT_EQ(used.code, 0) << used.err;
  EXPECT_EQ(used.err.find("has no effect"), std::string::npos) << used.err;
}

TEST_F(Contract, LimitsHoldForWhatIsAskedFor) {
  const auto refused = [&](const std::string& words, const std::string& text) {
    const Outcome outcome = shell("ulimit -v 2000000; exec $D " + words);
    EXPECT_EQ(outcome.code, 5) << words << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  };
  refused("mask --size 100000", "--max-pixels");
  refused("worley --size 100000", "--max-pixels");
  refused("worley --size 64x64x1000000", "1000000 slices of 64x64, stacked");
  refused("worley --size 64x64x1e12", "too many");
  refused("worley --size 16000 --outputs area --max-memory 100M", "--max-memory");
  refused("mask --size 8000 --max-memory 100M", "--max-memory");
  refused("sample --size 100000 --radius 0.1 --max-memory 100M", "--max-memory");
}

// ---- recipes ------------------------------------------------------------------------------------

// Values that an option takes, other than its default.
Words values_of(Option& option) {
  Words candidates = {
      "true",          "false",   "none",       "0",         "1",           "2",        "3",
      "0.25",          "0.5",     "1.5",        "7px",       "12%",         "1:5",      "2%:8%",
      "3,4",           "33",      "64x48",      "A4",        "gauss:1.5",   "#123456",  "#fff,#000",
      "some file.png", "0.2:0.6", "0,-1,10,20", "R=f1,G=f2", "a=b.png:4:9", "a=c.png:3"};
  candidates.insert(candidates.end(), option.choices.begin(), option.choices.end());
  Words values;
  for (const std::string& text : candidates) {
    try {
      option.set(text);
    } catch (const Error&) {
      continue;
    }
    const std::string value = option.get();
    if (option.is_default() || value.empty()) continue;
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

// The C library takes other ways to its functions there.
TEST_F(Contract, ProcessorsWithoutFusedMultiplyAddMakeTheSameBytes) {
  const std::vector<std::vector<std::string>> runs{
      {"sample", photo, "--radius", "3:12", "--method", "dense", "-o", "dense.csv"},
      {"sample", "--size", "300", "--radius", "4", "--method", "bridson", "-o", "bridson.csv"},
      {"sample", photo, "--radius", "2:20", "--gamma", "1.7", "-o", "darts.csv"},
      {"sample", "--size", "300", "--radius", "4", "--classes", "3", "-o", "classes.csv"},
      {"stipple", photo, "--dots", "700", "--dot-size", "0.3:2", "--shape", "spiral", "--pen",
       "0.3mm", "-o", "s.svg"},
      {"stipple", photo, "--dots", "300", "--ink", "cmyk", "-o", "inks.png"},
      {"dither", photo, "--palette", "#000,#fff,#d62", "-o", "dither.png"},
      {"worley", "--size", "200", "--count", "300", "--outputs", "f1,normal,edge,random", "-o",
       "w.exr"},
  };
  test::Spawn other;
  other.environment["GLIBC_TUNABLES"] = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F";
  for (std::vector<std::string> words : runs) {
    good(words);
    const std::string name = words.back();
    const std::string bytes = folder.read(name);
    good(words, other);
    EXPECT_EQ(folder.read(name), bytes) << name;
  }
}

// Two planes of 2048x2048 floats are 34 MB, OpenImageIO 120: nothing is held twice.
TEST_F(Contract, LargeTexturesAreHeldOnce) {
  const Outcome outcome = good({"worley", "--size", "2048", "--count", "4096", "--outputs", "f1,f2",
                                "-o", "cells.exr", "--json"});
  EXPECT_LT(json::parse(outcome.out)["peak_memory_mb"].get<double>(), 220);
}

// So that ten million fit into 4 GB: 600,000 dots of 400 bytes take 229 MB beside the rest.
TEST_F(Contract, DotsTakeFiveHundredBytesEach) {
  const Outcome outcome = good({"stipple", photo, "--dots", "600000", "-o", "dots.svg", "--json"});
  EXPECT_LT(json::parse(outcome.out)["peak_memory_mb"].get<double>(), 350);
}

// Every option of every command, in rounds that give each another of its values.
TEST_F(Contract, PrintedRecipesSayTheSameAgain) {
  for (const Operation& operation : operations()) {
    const std::string command(operation.name);
    for (std::size_t round = 0; round < 12; ++round) {
      const std::unique_ptr<Job> job = operation.make();
      OptionList options;
      job->describe(options);
      Words words = {command, "--seed", std::to_string(41 + round), "--print-recipe"};
      std::map<std::string, std::string> given;
      for (const auto& option : options) {
        const Words values = values_of(*option);
        ASSERT_FALSE(values.empty()) << command << " " << option->name << ": none fits";
        given[option->name] = values[round % values.size()];
        words.push_back("--" + option->name + "=" + given[option->name]);
      }
      const Outcome printed = good(words);
      folder.write("r.toml", printed.out);
      EXPECT_EQ(good({command, "--recipe", "r.toml", "--print-recipe"}).out, printed.out);

      const std::unique_ptr<Job> other = operation.make();
      OptionList read;
      other->describe(read);
      const Recipe recipe = parse_recipe(printed.out, "r.toml");
      EXPECT_EQ(recipe.seed, 41 + round);
      apply(recipe, read, "r.toml");
      // Plain lengths are printed with the units that they stand for.
      for (const auto& option : options) option->set(given[option->name]);
      job->settle_units();
      for (const auto& option : read) {
        EXPECT_EQ(option->get(), options.find(option->name)->get())
            << command << " --" << option->name;
      }
    }
  }
}

// ---- the terminal -------------------------------------------------------------------------------

TEST_F(Contract, ColorOnATerminalUnlessItIsNotWanted) {
  if (!fs::exists("/usr/bin/script")) GTEST_SKIP();
  const auto shown = [&](const std::string& environment) {
    return shell("script -qec \"env " + environment +
                 " $D mask --size 128 -o m.png --progress always\" /dev/null </dev/null")
        .out;
  };
  const std::string bold = "\033[1m";
  EXPECT_NE(shown("NO_COLOR=").find(bold), std::string::npos);
  const std::string plain = shown("NO_COLOR=1");
  EXPECT_EQ(plain.find(bold), std::string::npos);
  EXPECT_NE(plain.find("mask"), std::string::npos);
}

// ---- other programs -----------------------------------------------------------------------------

TEST_F(Contract, OtherProgramsReadWhatIsWritten) {
  fs::copy(photo, folder / "in.png");
  Words files;
  const auto make = [&](Words words, const std::string& stem, const Words& types) {
    for (const std::string& type : types) {
      files.push_back(stem + "." + type);
      words.insert(words.end(), {"-o", files.back()});
    }
    words.emplace_back("-q");
    good(words);
  };
  make({"stipple", "in.png", "--dots", "300"}, "s", {"svg", "png", "tif", "exr", "jpg"});
  make({"dither", "in.png", "--palette", "#000,#f00,#fff"}, "d",
       {"png", "tif", "exr", "jpg", "bmp", "tga", "ppm", "hdr"});
  make({"mask", "--size", "32", "--channels", "4", "--bits", "16"}, "m", {"png", "tif", "exr"});
  make({"worley", "--size", "32", "--outputs", "f1,edge,normal,id"}, "w", {"exr", "tif"});
  make({"sample", "in.png", "--count", "99"}, "p", {"svg", "png"});
  int checks = 0;
  const auto reads = [&](const char* program, Words words) {
    words.insert(words.begin(), program);
    if (!fs::exists(program)) return;
    const Outcome outcome = test::run_process(words, folder.path());
    EXPECT_EQ(outcome.code, 0) << words.back() << ": " << outcome.err;
    EXPECT_EQ(outcome.err, "") << words.back();
    ++checks;
  };
  Words images, pixels;
  for (const std::string& file : files) {
    const bool exr = file.ends_with(".exr");
    if (file.ends_with(".svg")) {
      reads("/usr/bin/rsvg-convert", {"-o", "drawn.png", file});
      continue;
    }
    images.push_back(file);
    // Debian's ImageMagick has no EXR, and warns of a TIFF with seven channels.
    if (!exr && file != "w.tif") pixels.push_back(file);
  }
  images.insert(images.begin(), "--stats");
  reads("/usr/bin/oiiotool", images);
  reads("/usr/bin/identify-im6.q16", pixels);
  reads("/usr/bin/maketx", {"-o", "m.tx", "m.png"});
  reads("/usr/bin/maketx", {"-o", "w.tx", "w.exr"});
  if (checks == 0) GTEST_SKIP();
}

// ---- proofs ------------------------------------------------------------------------------------

TEST_F(Contract, ASetThatWasDamagedIsFoundAndThePlaceNamed) {
  good({"sample", "--size", "100", "--radius", "3", "--wrap", "--certify", "-o", "s.csv"});
  const auto proof = [&](const std::string& edit) {
    return shell(edit + " s.csv >t.csv && exec $D analyze t.csv --wrap --domain 100 --certify -q");
  };
  EXPECT_EQ(proof("cat").code, 0);
  const Outcome hole = proof("sed 7d");
  EXPECT_EQ(hole.code, 6);
  EXPECT_NE(hole.err.find("not maximal"), std::string::npos) << hole.err;
  const Outcome pair = proof("sed '$a 50,50,3'");
  EXPECT_EQ(pair.code, 6);
  EXPECT_NE(pair.err.find("closer than the rule"), std::string::npos) << pair.err;
  const std::size_t place = pair.err.find("distance, at (");
  ASSERT_NE(place, std::string::npos) << pair.err;
  double x = 0, y = 0;
  ASSERT_EQ(std::sscanf(&pair.err[place], "distance, at (%lf, %lf)", &x, &y), 2) << pair.err;
  EXPECT_LT(std::hypot(x - 50, y - 50), 3) << pair.err;
}

}  // namespace
}  // namespace dapple
