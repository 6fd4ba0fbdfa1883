// Names that coincide: no second name of a file lets a run write over what it reads, or write two
// things into one file. Names that the system cannot store are errors.
#include "faults/faults.hpp"

namespace dapple::faults {
namespace {

// A run that uses a file twice: by its name, and by another one in place of @.
struct Clash {
  Words words;
  std::string file;  // which keeps its bytes
  std::string said;  // in the message
};

const std::vector<Clash>& clashes() {
  static const std::vector<Clash> all = {
      {{"dither", "in.png", "-o", "@"}, "in.png", "the input"},
      {{"stipple", "photo.png", "--weight", "in.png", "-o", "@"}, "in.png", "the file of --weight"},
      {{"stipple", "in.png", "--checkpoint", "@", "-o", "x.svg"}, "in.png", "the checkpoint"},
      {{"stipple", "in.png", "--checkpoint", "y.csv", "-o", "@"}, "y.csv", "the checkpoint"},
      {{"stipple", "in.png", "--report-sheet", "@", "-o", "x.svg"}, "in.png", "the input"},
      {{"stipple", "in.png", "--report-sheet", "y.png", "-o", "@"}, "y.png", "--report-sheet"},
      {{"stipple", "in.png", "--variants", "2x1", "-o", "@"}, "in.png", "the input"},
      {{"stipple", "photo.png", "--recipe", "kept.svg", "-o", "@"}, "kept.svg", "a recipe"},
      {{"stipple", "in.png", "-o", "y.svg", "-o", "@"}, "y.svg", "named twice"},
      {{"stipple", "in.png", "-o", "y.npy", "-o", "@"}, "y.npy.json", "the sidecar of an output"},
      {{"mask", "--size", "8", "--certificate", "-o", "m.png", "-o", "@"},
       "m.png.certificate.json",
       "a certificate"},
      {{"reproduce", "kept.svg", "-o", "@"}, "kept.svg", "a recipe"},
      {{"analyze", "kept.png", "-o", "@"}, "kept.png", "the input"},
      {{"compare", "kept.png", "-o", "@"}, "kept.png", "an input"},
      {{"batch", "jobs.toml", "--manifest", "@"}, "in.png", "an input of a job"},
      {{"batch", "jobs.toml", "--manifest", "@"}, "out.png", "an output of a job"},
      {{"batch", "jobs.toml", "--manifest", "@"}, "jobs.toml", "the batch file"},
      {{"batch", "jobs.toml", "--manifest", "@", "--force"}, "photo.png", "not a line of"},
      {{"batch", "jobs.toml", "--manifest", "@", "--force"}, "text.txt", "not a line of"},
      {{"batch", "jobs.toml", "--events", "@"}, "in.png", "an input of a job"},
      {{"batch", "jobs.toml", "--events", "@"}, "photo.png", "not a line of"},
      {{"batch", "jobs.toml", "--events", "@"}, "other.jsonl", "not a line of"},
      {{"batch", "jobs.toml", "--failures", "@"}, "jobs.toml", "the batch file"},
      {{"batch", "jobs.toml", "--failures", "@"}, "in.png", "an input of a job"},
      {{"batch", "jobs.toml", "--manifest", "all.jsonl", "--events", "@"},
       "all.jsonl",
       "the manifest"},
      {{"batch", "jobs.toml", "--manifest", "all.jsonl", "--failures", "@"},
       "all.jsonl",
       "the manifest"},
      {{"batch", "jobs.toml", "--manifest", "@", "--dry-run"}, "in.png", "an input of a job"},
      {{"batch", "plan", "jobs.toml", "-o", "@"}, "jobs.toml", "the batch file"},
      {{"batch", "merge", "all.jsonl", "-o", "@"}, "all.jsonl", "a manifest to merge"}};
  return all;
}

class Names : public testing::Test {
 protected:
  Names() {
    lay_out_inputs(folder);
    fs::copy(folder / "in.png", folder / "photo.png");
    folder.write("text.txt", "a letter\n");
    folder.write("other.jsonl", "{\"jobs\":1}\n");
    write_jobs({"out.png"});
    EXPECT_EQ(
        run({"stipple", "in.png", "--dots", "20", "-q", "-o", "kept.svg", "-o", "kept.png"}).code,
        0);
    EXPECT_EQ(run({"batch", "jobs.toml", "--manifest", "all.jsonl", "-q"}).code, 0);
    fs::create_directory(folder / "sub");
    fs::create_directory_symlink(".", folder / "here");
  }

  Outcome run(Words words) const {
    words.insert(words.begin(), DAPPLE_PROGRAM);
    return test::run_process(words, folder.path());
  }
  void write_jobs(const Words& outputs) const {
    std::string text;
    for (const std::string& output : outputs) {
      text += "[[job]]\ncommand = \"dither\"\ninput = \"in.png\"\nsize = 8\noutput = \"" + output +
              "\"\n";
    }
    folder.write("jobs.toml", text);
  }
  // Other names of a file, which may not exist yet.
  Words names_of(const std::string& file) const {
    Words names{file, "./" + file, "sub/../" + file, "here/" + file, (folder / file).string()};
    fs::create_symlink(file, folder / ("link-" + file));
    names.push_back("link-" + file);
    if (fs::exists(folder / file)) {
      fs::create_hard_link(folder / file, folder / ("hard-" + file));
      names.push_back("hard-" + file);
    }
    return names;
  }
  void forget_names_of(const std::string& file) const {
    fs::remove(folder / ("link-" + file));
    fs::remove(folder / ("hard-" + file));
  }

  test::TemporaryFolder folder;
};

// Runs each clash by each name of its file. Nothing changes; a manifest may have begun, empty.
TEST_F(Names, ThatCoincideDestroyNothing) {
  Tally tally("names that coincide");
  for (const Clash& clash : clashes()) {
    const Words names = names_of(clash.file);
    for (const std::string& name : names) {
      Words words = clash.words;
      std::replace(words.begin(), words.end(), std::string("@"), name);
      auto before = files_in(folder.path());
      const Outcome outcome = run(words);
      auto after = files_in(folder.path());
      std::erase_if(after, [&](const auto& file) {
        return file.second.empty() && !before.contains(file.first);
      });
      tally.add(1);
      const bool refused = outcome.code == 2 || outcome.code == 4;
      if (!refused || outcome.err.find(clash.said) == std::string::npos || before != after) {
        std::string line;
        for (const std::string& word : words) line += word + " ";
        tally.fail(line + text_of(outcome.code) + (before == after ? "" : ", files changed"),
                   outcome.err);
      }
    }
    forget_names_of(clash.file);
  }
}

TEST_F(Names, TwoJobsWriteNoFileThroughALink) {
  for (const std::string& name : names_of("out.png")) {
    if (name == "out.png") continue;
    write_jobs({"out.png", name});
    const Outcome outcome = run({"batch", "jobs.toml", "-q"});
    EXPECT_EQ(outcome.code, 2) << name;
    EXPECT_NE(outcome.err.find("also written by the job at line 1"), std::string::npos)
        << outcome.err;
  }
  forget_names_of("out.png");
  write_jobs({"out.png", "here/in.png"});
  const Outcome outcome = run({"batch", "jobs.toml", "-q"});
  EXPECT_NE(outcome.err.find("its input 'in.png' is written by"), std::string::npos) << outcome.err;
}

// Numbers are known only when the work is done, but nothing is in place yet.
TEST_F(Names, NumberedOutputsSpareTheInput) {
  fs::copy(folder / "in.png", folder / "f_0000.png");
  const auto before = files_in(folder.path());
  const Outcome outcome = run({"dither", "f_0000.png", "-q", "-o", "f_{frame}.png"});
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_EQ(files_in(folder.path()), before);
}

TEST_F(Names, DevicesHaveAnyNumberOfUses) {
  const Outcome outcome = run(
      {"batch", "jobs.toml", "--manifest", "/dev/null", "--events", "/dev/null", "--force", "-q"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

// A full disk may have cut the only line of a manifest.
TEST_F(Names, AManifestThatWasCutGoesOn) {
  for (const char* start : {"{", "{\"jo", "{\"jo\n", "\n", ""}) {
    folder.write("cut.jsonl", start);
    for (int i = 0; i < 2; ++i) {
      const Outcome outcome = run({"batch", "jobs.toml", "--manifest", "cut.jsonl", "-q"});
      EXPECT_EQ(outcome.code, 0) << start << outcome.err;
    }
  }
}

TEST_F(Names, ThatNoSystemStoresAreErrors) {
  const std::string name(300, 'x');
  const std::vector<std::pair<Words, int>> runs = {
      {{"mask", "--size", "8", "-o", name + ".png"}, 4},
      {{"dither", name + ".png", "-o", "x.png"}, 3},
      {{"dither", "in.png", "--mask", name + ".png", "-o", "x.png"}, 3},
      {{"dither", "in.png", "--recipe", name + ".toml", "-o", "x.png"}, 2},
      {{"dither", "in.png", "--preset", name, "-o", "x.png"}, 2},
      {{"stipple", "in.png", "--checkpoint", name, "-o", "x.svg"}, 4},
      {{"stipple", "in.png", "--report-sheet", name + ".png", "-o", "x.svg"}, 4},
      {{"sample", "--on", name + ".obj", "-o", "x.ply"}, 3},
      {{"reproduce", name + ".png"}, 3},
      {{"analyze", name + ".csv"}, 3},
      {{"batch", name + ".toml"}, 3},
      {{"batch", "jobs.toml", "--manifest", name}, 3},
      {{"batch", "jobs.toml", "--events", name}, 4},
      {{"batch", "jobs.toml", "--failures", name}, 4},
      {{"batch", "verify", name}, 3},
      {{"batch", "merge", name, "-o", "x.jsonl"}, 3}};
  for (const auto& [words, code] : runs) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code) << words[0] << outcome.err;
    if (words.size() > 2 && words[2] == "--preset") continue;  // such a preset does not exist
    EXPECT_NE(outcome.err.find("too long"), std::string::npos) << words[0] << outcome.err;
  }
  // A name does not end at a NUL character, and none is made.
  const auto before = files_in(folder.path());
  folder.write("nul.toml",
               "[[job]]\ncommand = \"mask\"\nsize = 8\noutput = \"in.png\\u0000x.png\"\n");
  folder.write("recipe.toml", "command = \"dither\"\nmask = \"photo.png\\u0000\"\n");
  for (const Words& words : {Words{"batch", "nul.toml"},
                             Words{"dither", "in.png", "--recipe", "recipe.toml", "-o", "x.png"}}) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("contains a NUL character"), std::string::npos) << outcome.err;
  }
  fs::remove(folder / "nul.toml");
  fs::remove(folder / "recipe.toml");
  EXPECT_EQ(files_in(folder.path()), before);
}

}  // namespace
}  // namespace dapple::faults
