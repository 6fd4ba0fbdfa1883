// `dapple reproduce` on pictures of strangers: what it opens, what it writes, what it tells.
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "io/digest.hpp"
#include "program_test.hpp"

namespace dapple {
namespace {

using test::Outcome;
namespace fs = std::filesystem;

using Words = std::vector<std::string>;

const std::string photo = DAPPLE_SOURCE_FOLDER "/samples/ramp.png";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

class Reproduce : public test::ProgramTest {
 protected:
  Reproduce() {
    fs::copy(photo, folder / "in.png");
    fs::copy(DAPPLE_SOURCE_FOLDER "/samples/ascent.png", folder / "other.png");
    folder.write("sites.csv", "x,y,r\n1,1,1\n7,2,1\n2,8,1\n9,9,1\n");
    good({"stipple", "in.png", "--dots", "50", "-o", "a.svg", "-q"});
    good({"dither", "in.png", "--levels", "2", "--mask", "in.png", "-o", "d.png", "-q"});
  }
  // Outcome of reproducing a.svg with another name of the input in its recipe. Ends it where it
  // hangs.
  Outcome with_input(const std::string& name) const {
    folder.write("b.svg", replaced(folder.read("a.svg"), "in.png", name));
    test::Spawn how;
    how.interrupt_after_ms = 20'000;
    how.signal = SIGKILL;
    return run({"reproduce", "b.svg", "-o", "again.svg"}, how);
  }
  void refuses(const std::string& name, const std::string& why) const {
    const Outcome outcome = with_input(name);
    EXPECT_EQ(outcome.code, 3) << name << ": " << outcome.err;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(folder / "again.svg")) << name;
  }
};

TEST_F(Reproduce, OpensNothingButFilesBesideThePicture) {
  refuses("/dev/zero", "does not exist");
  refuses("/dev/stdin", "does not exist");
  refuses("-", "standard input");
  refuses("..", "is not a regular file");
  fs::create_directory(folder / "elsewhere");
  fs::copy(photo, folder / "elsewhere/private.png");
  refuses("elsewhere/private.png", "does not exist");
  refuses("../" + folder.path().filename().string() + "/elsewhere/private.png", "does not exist");
  refuses((folder / "elsewhere/private.png").string(), "does not exist");
  if (test::tests_windows()) return;  // wine shows pipes and links of Linux as files
  mkfifo((folder / "pipe.png").c_str(), 0600);
  refuses("pipe.png", "is not a regular file");
  refuses((folder / "pipe.png").string(), "is not a regular file");
  fs::create_symlink(folder / "elsewhere/private.png", folder / "link.png");
  refuses("link.png", "is not a regular file");
  fs::create_symlink("/dev/zero", folder / "zero.png");
  refuses("zero.png", "is not a regular file");
}

TEST_F(Reproduce, OpensNoOtherFileForAnOption) {
  good({"worley", "--size", "16", "--points", "sites.csv", "-o", "w.png", "-q"});
  fs::create_directory(folder / "sub");
  fs::rename(folder / "sites.csv", folder / "sub/sites.csv");
  const Outcome outcome = run({"reproduce", "w.png", "-o", "again.png"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("--file points=PATH"), std::string::npos) << outcome.err;
  good({"reproduce", "w.png", "--file", "points=sub/sites.csv", "-o", "again.png"});
  EXPECT_EQ(folder.read("again.png"), folder.read("w.png"));
  EXPECT_EQ(run({"reproduce", "w.png", "--file", "mask=sub/sites.csv"}).code, 2);
  EXPECT_EQ(run({"reproduce", "w.png", "--file", "points"}).code, 2);
  EXPECT_EQ(run({"reproduce", "w.png", "--input", "in.png"}).code, 2);
}

// As earlier builds wrote them.
TEST_F(Reproduce, RecipesWithFoldersFindTheirFilesBeside) {
  for (const char* name : {"photos/in.png", "/home/someone/in.png", "../in.png"}) {
    const Outcome outcome = with_input(name);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(folder.read("again.svg"), folder.read("b.svg"));
  }
  fs::create_directory(folder / "moved");
  fs::rename(folder / "b.svg", folder / "moved/b.svg");
  const Outcome lost = run({"reproduce", "moved/b.svg", "-o", "again.svg"});
  EXPECT_EQ(lost.code, 3);
  EXPECT_NE(lost.err.find("name it with --input PATH"), std::string::npos) << lost.err;
  good({"reproduce", "moved/b.svg", "--input", "in.png", "-o", "again.svg"});
  fs::rename(folder / "in.png", folder / "moved/in.png");
  good({"reproduce", "moved/b.svg", "-o", "again.svg"});
  EXPECT_EQ(folder.read("again.svg"), folder.read("moved/b.svg"));
}

// A recipe that leaves the hash of its input out would otherwise learn that of the file it names.
TEST_F(Reproduce, TellsNoHashThatTheRecipeDoesNotHold) {
  const std::string hash = "sha256:" + sha256(folder.read("in.png"));
  const std::string made = folder.read("a.svg");
  ASSERT_NE(made.find(hash), std::string::npos);
  const auto from = made.rfind('\n', made.find(hash));
  folder.write("b.svg", std::string(made).erase(from, made.find('\n', from + 1) - from));
  good({"reproduce", "b.svg", "-o", "again.svg"});
  EXPECT_EQ(folder.read("again.svg"), folder.read("b.svg"));
  EXPECT_EQ(folder.read("again.svg").find("sha256:"), std::string::npos);
  // Nor does the message that another file lies there.
  folder.write("c.svg", replaced(made, hash, "sha256:" + std::string(64, '0')));
  const Outcome other = run({"reproduce", "c.svg", "-o", "again.svg"});
  EXPECT_EQ(other.code, 3);
  EXPECT_EQ(other.err.find(hash.substr(7)), std::string::npos) << other.err;
}

TEST_F(Reproduce, CommandsForMachinesNeedTrust) {
  good({"stipple", "in.png", "--dots", "5", "--pen-down", "M3 S1000 | G4 P9", "-o", "a.gcode", "-o",
        "b.svg", "-q"});
  const Outcome refused = run({"reproduce", "a.gcode", "-o", "again.gcode"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("pen-down = M3 S1000 | G4 P9"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("--trust"), std::string::npos);
  EXPECT_EQ(run({"reproduce", "b.svg", "-o", "again.nc"}).code, 2);
  EXPECT_EQ(run({"reproduce", "b.svg", "-o", "again.svg", "-o", "again.GCODE"}).code, 2);
  EXPECT_FALSE(fs::exists(folder / "again.svg"));
  good({"reproduce", "b.svg", "-o", "again.svg"});
  const Outcome trusted = good({"reproduce", "a.gcode", "--trust", "-o", "again.gcode"});
  EXPECT_EQ(folder.read("again.gcode"), folder.read("a.gcode"));
  EXPECT_NE(trusted.err.find("M3 S1000"), std::string::npos);
  // The default commands are Dapple's own.
  good({"stipple", "in.png", "--dots", "5", "-o", "c.gcode", "-q"});
  good({"reproduce", "c.gcode", "-o", "again.gcode"});
}

// ---- what a recipe holds ------------------------------------------------------------------------

TEST_F(Reproduce, BytesDoNotDependOnTheWayToTheInput) {
  fs::create_directory(folder / "sub");
  fs::copy(photo, folder / "sub/in.png");
  const Words ways{"./in.png", "sub/in.png", "sub/../sub//in.png",
                   (folder / "sub/in.png").string()};
  for (const std::string format :
       {"svg", "pdf", "dxf", "gcode", "png", "tif", "exr", "json", "ply"}) {
    if (!test::can_be_written(format)) continue;
    const std::string command = format == "json" || format == "ply" ? "sample" : "stipple";
    const std::string count = command == "sample" ? "--count" : "--dots";
    const auto made_from = [&](const std::string& input) {
      good({command, input, count, "40", "--mask", input, "-o", "x." + format, "-q"});
      return folder.read("x." + format);
    };
    const std::string first = made_from("in.png");
    EXPECT_NE(first.find("in.png"), std::string::npos) << format;
    for (const std::string& way : ways) EXPECT_EQ(made_from(way), first) << format << " " << way;
    good({"reproduce", "x." + format, "-o", "again." + format});
    EXPECT_EQ(folder.read("again." + format), first);
  }
  // What is printed for oneself keeps the folder, and so runs.
  folder.write("r.toml", good({"stipple", "sub/in.png", "--print-recipe"}).out);
  EXPECT_NE(folder.read("r.toml").find("sub/in.png"), std::string::npos);
}

// Of a file that is named like a word, the recipe still names a file.
TEST_F(Reproduce, FilesNamedLikeWordsStayFiles) {
  fs::create_directory(folder / "sub");
  folder.write("sub/pico-8", "#000000\n#ff0000\n#ffffff\n");
  folder.write("sub/#123456", "#000000\n#00ff00\n#ffffff\n");
  for (const std::string name : {"sub/pico-8", "./sub/#123456"}) {
    good({"dither", "in.png", "--palette", name, "-o", "sub/p.png", "-q"});
    fs::copy(folder / "in.png", folder / "sub/in.png", fs::copy_options::skip_existing);
    good({"reproduce", "sub/p.png", "-o", "again.png"});
    EXPECT_EQ(folder.read("again.png"), folder.read("sub/p.png"));
  }
}

TEST_F(Reproduce, NoRecipeLeavesAllOut) {
  for (const std::string format :
       {"svg", "pdf", "dxf", "gcode", "png", "tif", "exr", "json", "ply"}) {
    if (!test::can_be_written(format)) continue;
    const std::string command = format == "json" || format == "ply" ? "sample" : "stipple";
    const std::string count = command == "sample" ? "--count" : "--dots";
    good({command, "in.png", count, "40", "--no-recipe", "-o", "x." + format, "-q"});
    const std::string bytes = folder.read("x." + format);
    for (const char* word : {"in.png", "sha256:", "recipe"}) {
      EXPECT_EQ(bytes.find(word), std::string::npos) << format << " " << word;
    }
    EXPECT_EQ(run({"reproduce", "x." + format, "-o", "again." + format}).code, 3);
  }
  EXPECT_EQ(run({"mask", "--size", "8", "--certificate", "--no-recipe", "-o", "m.png"}).code, 2);
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"stipple\"\ninput = \"in.png\"\ndots = 9\nno-recipe = true\n"
               "output = \"j.svg\"\n");
  good({"batch", "jobs.toml", "-q"});
  EXPECT_EQ(folder.read("j.svg").find("in.png"), std::string::npos);
  EXPECT_NE(good({"batch", "plan", "jobs.toml"}).out.find("--no-recipe"), std::string::npos);
}

TEST_F(Reproduce, NamesThatAreNotUtf8Survive) {
  const std::string name = "na\xefve \xff\xee\xbe\x80 \xc3\xa9.png";
  fs::copy(photo, folder / name);
  for (const std::string format : {"svg", "pdf", "dxf", "gcode", "png", "tif", "exr"}) {
    good({"stipple", name, "--dots", "40", "-o", "x." + format, "-q"});
    good({"reproduce", "x." + format, "-o", "again." + format});
    EXPECT_EQ(folder.read("again." + format), folder.read("x." + format));
  }
  // And the manifest of a batch.
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"stipple\"\ninput = \"na*.png\"\ndots = 9\noutput = "
               "\"out/{stem}.svg\"\n");
  good({"batch", "jobs.toml", "-q"});
  EXPECT_TRUE(fs::exists(folder / ("out/" + name.substr(0, name.size() - 4) + ".svg")));
  EXPECT_EQ(good({"batch", "verify", "jobs.jsonl"}).err, "dapple: 1 files are unchanged\n");
  EXPECT_NE(good({"batch", "jobs.toml", "--resume"}).err.find("0 done, 1 already done"),
            std::string::npos);
}

TEST_F(Reproduce, SaysWhatDoesNotGo) {
  const auto refuses_words = [&](Words words, int code, const std::string& why) {
    words.insert(words.begin(), "reproduce");
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  };
  refuses_words({"a.svg", "--json", "-o", "-"}, 2, "--json and -o - both write to standard output");
  refuses_words({"a.svg", "--file", "points"}, 2, "--file must be OPTION=PATH");
  refuses_words({"a.svg", "--file", "=x"}, 2, "--file must be OPTION=PATH");
  refuses_words({"a.svg", "--file", "mask=x.png"}, 2, "the recipe names no file for mask");
  folder.write("c.svg", replaced(folder.read("a.svg"), "command = &quot;stipple&quot;",
                                 "command = &quot;paint&quot;"));
  refuses_words({"c.svg"}, 3, "its recipe needs the command 'paint'");
  folder.write("c.svg", replaced(folder.read("a.svg"), "dots = 50", "dots = 40"));
  refuses_words({"c.svg", "-o", "e.svg"}, 6, "its bytes differ from c.svg");
}

TEST_F(Reproduce, ShowsAndTells) {
  EXPECT_EQ(good({"reproduce", "a.svg", "--print-recipe"}).out.substr(0, 10), "command = ");
  EXPECT_EQ(good({"reproduce", "a.svg", "--print-recipe", "--json"}).out.front(), '{');
  EXPECT_EQ(good({"reproduce", "a.svg", "--json"}).out.front(), '{');
  EXPECT_TRUE(fs::exists(folder / "a-reproduce.svg"));
  EXPECT_EQ(good({"reproduce", "a.svg", "-q", "-o", "b.svg"}).err, "");
  // A picture on standard output, or in another format, is not compared.
  EXPECT_NE(good({"reproduce", "a.svg", "-q", "-o", "-"}).out.find("<svg"), std::string::npos);
  EXPECT_EQ(good({"reproduce", "a.svg", "-o", "b.png"}).err.find("the same bytes"),
            std::string::npos);
  const std::string mark = "version = &quot;";
  const std::string text = folder.read("a.svg");
  const auto at = text.find(mark) + mark.size();
  folder.write("old.svg", text.substr(0, at) + "0.0.1" + text.substr(text.find("&quot;", at)));
  const Outcome old = run({"reproduce", "old.svg", "-o", "new.svg"});
  EXPECT_EQ(old.code, 6);
  EXPECT_NE(old.err.find("made by dapple 0.0.1, but this is "), std::string::npos) << old.err;
}

// --recipe takes what files carry, and the same bytes come of it.
class CarriedRecipe : public Reproduce {};

TEST_F(CarriedRecipe, GivesTheSameBytes) {
  good({"stipple", "--recipe", "a.svg", "-o", "again.svg", "-q"});
  EXPECT_EQ(folder.read("again.svg"), folder.read("a.svg"));
  good({"dither", "--recipe", "d.png", "-o", "again.png", "-q"});
  EXPECT_EQ(folder.read("again.png"), folder.read("d.png"));
  good({"sample", "--size", "64", "--radius", "9", "--seed", "5", "-o", "p.json", "-q"});
  good({"sample", "--recipe", "p.json", "-o", "again.json", "-q"});
  EXPECT_EQ(folder.read("again.json"), folder.read("p.json"));
  // What the command line says wins, of another picture too.
  good({"stipple", "other.png", "--recipe", "a.svg", "--seed", "3", "-o", "other.svg", "-q"});
  good({"stipple", "other.png", "--dots", "50", "--seed", "3", "-o", "own.svg", "-q"});
  EXPECT_EQ(folder.read("other.svg"), folder.read("own.svg"));
}

TEST_F(CarriedRecipe, OpensNothingButWhatLiesBesideIt) {
  fs::create_directory(folder / "room");
  fs::copy(folder / "d.png", folder / "room" / "d.png");
  const Words words{"dither", "--recipe", "room/d.png", "-o", "again.png"};
  Outcome outcome = run(words);
  EXPECT_NE(outcome.code, 0);
  EXPECT_NE(outcome.err.find("./room/in.png: does not exist"), std::string::npos) << outcome.err;
  if (!test::tests_windows()) {  // wine shows links of Linux as files
    fs::create_symlink(folder / "in.png", folder / "room" / "in.png");
    outcome = run(words);
    EXPECT_NE(outcome.code, 0);
    EXPECT_NE(outcome.err.find("is not a regular file"), std::string::npos) << outcome.err;
  }
  // What the user names may lie anywhere.
  good({"dither", "in.png", "--recipe", "room/d.png", "--mask", "in.png", "-o", "again.png", "-q"});
  EXPECT_EQ(folder.read("again.png"), folder.read("d.png"));
  for (const char* name : {"/etc/hostname", "../in.png", "room/../in.png", "/dev/zero"}) {
    folder.write("b.svg", replaced(folder.read("a.svg"), "in.png", name));
    outcome = run({"stipple", "--recipe", "b.svg", "--print-recipe"});
    EXPECT_EQ(outcome.out.find("etc"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find(".."), std::string::npos) << outcome.out;
  }
}

TEST_F(CarriedRecipe, SaysWhatIsWrong) {
  const auto said = [&](const Words& words, const std::string& what) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(what), std::string::npos) << outcome.err;
  };
  said({"stipple", "in.png", "--recipe", "in.png", "-o", "b.svg"}, "carries no recipe");
  said({"mask", "--recipe", "a.svg", "-o", "b.png"}, "is for `dapple stipple`");
  folder.write("old.svg", replaced(folder.read("a.svg"), "version = &quot;", "version = &quot;9"));
  EXPECT_NE(run({"stipple", "--recipe", "old.svg", "-o", "b.svg"}).err.find("made by dapple 9"),
            std::string::npos);
  good({"stipple", "in.png", "--dots", "50", "--shape", "point", "--pen", "0.3mm", "--pen-up",
        "M999", "-o", "pen.svg", "-q"});
  said({"stipple", "--recipe", "pen.svg", "-o", "b.gcode"}, "pen-up = M999");
  good({"stipple", "--recipe", "pen.svg", "-o", "pen-again.svg", "-q"});
  EXPECT_EQ(folder.read("pen-again.svg"), folder.read("pen.svg"));
}

}  // namespace
}  // namespace dapple
