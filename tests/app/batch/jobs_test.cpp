// From batch files to jobs: what they expand to, and what is refused.
#include <set>

#include "batch_test.hpp"

namespace dapple::test {
namespace {

TEST_F(Batch, ListsAndRangesMakeAMatrix) {
  folder.write("jobs.toml", matrix);
  EXPECT_EQ(good({"batch", "jobs.toml"}).err, "dapple: 12 done; recorded in jobs.jsonl\n");
  const auto files = made();
  EXPECT_EQ(files.size(), 24u) << "each with a sidecar";
  for (const char* size : {"32x32", "48x40"}) {
    for (const char* radius : {"4", "6"}) {
      for (const char* seed : {"1", "3", "5"}) {
        const std::string name = std::string("p_") + size + "_" + radius + "_" + seed + ".csv";
        ASSERT_TRUE(files.contains(name)) << name;
        EXPECT_EQ(
            files.at(name),
            good({"sample", "--size", size, "--radius", radius, "--seed", seed, "-o", "-"}).out);
      }
    }
  }
}

// The names of a table are checked by example, but not those that differ.
TEST_F(Batch, EveryExtensionOfATableIsChecked) {
  const auto fails_with = [&](const std::string& output, const std::string& says) {
    folder.write("jobs.toml",
                 "[[job]]\ncommand = \"mask\"\nsize = [8, 16]\nseed = { from = 1, to = 9 }\n"
                 "output = \"" +
                     output + "\"\n");
    fails({"batch", "jobs.toml", "--dry-run"}, 2, {says});
  };
  fails_with("a.{seed}", ".1 is not a known format");
  fails_with("{size}.{seed}png", ".9png is not a known format");
  fails_with("{seed}.png", "is also written by the job at line 1");
  fails_with("./{size}/../{seed}.png", "is also written by the job at line 1");
}

TEST_F(Batch, AListForAnOptionThatIsAListIsOneValue) {
  folder.write("jobs.toml", R"([[job]]
command = "worley"
outputs = ["f1", "edge"]
output = "one.exr"
[[job]]
command = "worley"
outputs = ["f1,edge", "id"]
output = "two_{outputs}.exr"
)");
  const json plan = summary({"jobs.toml", "--dry-run"})["plan"];
  ASSERT_EQ(plan.size(), 3u);
  EXPECT_EQ(plan[0]["outputs"], json({"one.exr"}));
  EXPECT_EQ(plan[1]["outputs"], json({"two_f1,edge.exr"}));
  EXPECT_EQ(plan[2]["outputs"], json({"two_id.exr"}));
}

// A job writes the files that the same run on the command line writes, also with a preset and a
// material.
TEST_F(Batch, OutputsOfATextureGetAFileEach) {
  folder.write("jobs.toml", R"([[job]]
command = "worley"
size = 32
count = 20
outputs = ["height", "normal"]
output = "out/a-{output}.png"
[[job]]
command = "worley"
preset = "texture-cobbles"
size = 32
material = ["gltf", "blender"]
output = "out/b-{output}.png"
)");
  EXPECT_EQ(summary({"jobs.toml"})["done"], 2);
  const auto files = made();
  fs::create_directory(folder / "one");
  good({"worley", "--size", "32", "--count", "20", "--outputs", "height,normal", "-o",
        "one/a-{output}.png"});
  good({"worley", "--preset", "texture-cobbles", "--size", "32", "--material", "gltf,blender", "-o",
        "one/b-{output}.png"});
  EXPECT_EQ(files, made("one"));
  EXPECT_TRUE(files.contains("a-height.png"));
  EXPECT_TRUE(files.contains("b.gltf"));
  // Made once: a second run finds all of them, and a plan names them.
  EXPECT_EQ(summary({"jobs.toml"})["skipped"], 2);
  const json plan = summary({"jobs.toml", "--dry-run"})["plan"];
  EXPECT_EQ(plan[0]["outputs"], json({"out/a-height.png", "out/a-normal.png"}));
  const std::string ninja = good({"batch", "plan", "jobs.toml", "--emit", "ninja"}).out;
  EXPECT_NE(ninja.find("build out/a-height.png out/a-normal.png: dapple"), std::string::npos);
  EXPECT_NE(ninja.find("--material=gltf"), std::string::npos);
  // Two jobs that would write the same files are refused.
  folder.write("two.toml",
               "[[job]]\ncommand = \"worley\"\noutputs = \"f1,f2\"\n"
               "output = \"a-{output}.exr\"\n[[job]]\ncommand = \"worley\"\n"
               "output = \"a-f2.exr\"\n");
  fails({"batch", "two.toml"}, 2, {"'a-f2.exr' is also written by the job at line 1"});
}

TEST_F(Batch, AGlobMakesAJobAFile) {
  fs::create_directory(folder / "photos");
  for (const char* name : {"b", "a"}) {
    fs::copy(DAPPLE_SOURCE_FOLDER "/samples/ramp.png",
             folder / ("photos/" + std::string(name) + ".png"));
  }
  folder.write("jobs.toml", R"([[job]]
command = "stipple"
input = "photos/*.png"
dots = 20
output = ["out/{stem}.svg", "out/{stem}_{dots}.csv"]
)");
  EXPECT_EQ(summary({"jobs.toml"})["done"], 2);
  Words names;
  for (const auto& [name, bytes] : made()) names.push_back(name);
  EXPECT_EQ(names,
            (Words{"a.svg", "a_20.csv", "a_20.csv.json", "b.svg", "b_20.csv", "b_20.csv.json"}));
  folder.write("none.toml",
               "[[job]]\ncommand = \"stipple\"\ninput = \"no/*.png\"\noutput = \"a.svg\"\n");
  fails({"batch", "none.toml"}, 2, {"none.toml:3:", "no file matches 'no/*.png'"});
}

// A brace in the name of a picture is no place to fill in: not in the batch, nor in what repeats
// its jobs.
// Files by their names without folders, and nothing that a name of a file could not hold.
TEST_F(Batch, ValuesOfOptionsBecomePartsOfNames) {
  fs::create_directory(folder / "maps");
  for (const char* name : {"maps/dark.png", "maps/light.png"}) {
    ASSERT_EQ(run({"mask", "--size", "16", "-q", "-o", name}).code, 0);
  }
  folder.write("sites.csv", "x,y\n1,1\n9,9\n");
  folder.write("star.svg", "<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0H4V4z'/></svg>");
  folder.write("own.toml", "command = \"sample\"\nseed = 5\nradius = 3\n");
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"sample\"\ninput = \"maps/dark.png\"\nradius = [\"2:4\"]\n"
               "mask = [\"maps/dark.png\", \"maps/light.png\"]\noutput = \"{mask}-{radius}.csv\"\n"
               "[[job]]\ncommand = \"worley\"\nsize = 16\npoints = \"sites.csv\"\n"
               "output = \"cells-{points}.png\"\n"
               "[[job]]\ncommand = \"stipple\"\ninput = \"maps/dark.png\"\ndots = 9\n"
               "shape = [\"star.svg\", \"circle\"]\noutput = \"{stem}-{shape}.svg\"\n"
               "[[job]]\ncommand = \"sample\"\npreset = \"./own.toml\"\nsize = \"20x30\"\n"
               "output = \"{preset}-{seed}.csv\"\n");
  const json plan = summary({"jobs.toml", "--dry-run"})["plan"];
  std::set<std::string> names;
  for (const auto& entry : plan) names.insert(entry["outputs"][0].get<std::string>());
  EXPECT_EQ(names, (std::set<std::string>{"cells-sites.png", "dark-2-4.csv", "dark-circle.svg",
                                          "dark-star.svg", "light-2-4.csv", "own-5.csv"}));
}

TEST_F(Batch, BracesInNamesOfPicturesAreBraces) {
  const Words stems{"a{b}", "a{", "{seed}", "{{stem}}", "}{"};
  for (const std::string& stem : stems) {
    fs::copy(DAPPLE_SOURCE_FOLDER "/samples/ramp.png", folder / (stem + ".png"));
  }
  folder.write("jobs.toml", R"([[job]]
command = "stipple"
input = "*.png"
dots = 5
output = "out/{stem}{{x}_{dots}.csv"
)");
  EXPECT_EQ(summary({"jobs.toml"})["done"], 5);
  const auto right = made();
  ASSERT_EQ(right.size(), 10u) << "each with a sidecar";
  for (const std::string& stem : stems) EXPECT_TRUE(right.contains(stem + "{x}_5.csv")) << stem;
  EXPECT_EQ(summary({"jobs.toml"})["skipped"], 5);
  good({"batch", "plan", "jobs.toml", "-o", "jobs.sh"});
  fs::remove_all(folder / "out");
  EXPECT_EQ(run_process({"/bin/sh", "-e", "jobs.sh"}, folder.path(), with_dapple()).code, 0);
  EXPECT_EQ(made(), right);
  // Those that failed are written as jobs of the same names.
  for (const std::string& stem : stems) folder.write(stem + ".png", "no picture");
  const Words again{"jobs.toml", "--force", "--keep-going", "--failures", "failed.toml"};
  EXPECT_EQ(summary(again, 1)["failed"], 5);
  EXPECT_EQ(summary({"failed.toml", "--dry-run"})["plan"],
            summary({"jobs.toml", "--dry-run"})["plan"]);
}

TEST_F(Batch, TwoJobsMayNotWriteOneFile) {
  folder.write("a.toml", R"([[job]]
command = "sample"
radius = 4
seed = [1, 2]
output = "p.csv"
)");
  fails({"batch", "a.toml"}, 2,
        {"a.toml:1", "'p.csv' is also written by the job at line 1", "{seed}"});
  folder.write("b.toml", R"([[job]]
command = "sample"
radius = 4
output = "p.csv"
[[job]]
command = "worley"
points = "x/../p.csv"
output = "w.png"
)");
  fails({"batch", "b.toml"}, 2, {"b.toml:5", "is written by the job at line 1"});
  EXPECT_EQ(folder.names(), (Words{"a.toml", "b.toml"}));
}

TEST_F(Batch, MistakesNameTheirPlaceAndTheNearestName) {
  folder.write("bad.toml", R"([[job]]
command = "smaple"
output = "a.csv"
[[job]]
command = "sample"
raduis = 4
output = "b.csv"
[[job]]
command = "sample"
  method = "bridsn"
output = "c.csv"
[[job]]
command = "sample"
radius = 4
output = "d.pgn"
[[job]]
command = "sample"
radius = 4
output = "{sede}.csv"
[[job]]
command = "stipple"
output = "e.svg"
[[job]]
radius = 4
[[job]]
command = "mask"
size = 8
[[job]]
command = "mask"
preset = "mask-65"
output = "f.png"
)");
  fails({"batch", "bad.toml"}, 2,
        {"bad.toml:2:1: a job cannot run the command 'smaple'; did you mean 'sample'?",
         "bad.toml:6:1: there is no option 'raduis'; did you mean 'radius'?",
         "bad.toml:10:3: method: ", "did you mean 'bridson'?", "bad.toml:15:1: ", "d.pgn",
         "bad.toml:19:1: ", "{sede}", "bad.toml:20: ", "stipple needs an input",
         "bad.toml:23: the job needs a command", "bad.toml:25: the job needs an output",
         "bad.toml:30:1: ", "did you mean 'mask-64'?"});
  folder.write("empty.toml", "# nothing\n");
  fails({"batch", "empty.toml"}, 2, {"contains no jobs"});
  folder.write("syntax.toml", "[[job]]\ncommand = \n");
  fails({"batch", "syntax.toml"}, 2, {"syntax.toml:2:"});
  EXPECT_EQ(run({"batch", "missing.toml"}).code, 3);
  EXPECT_EQ(run({"batch"}).code, 2);
  const std::string no_run = "there is no `batch run`; to run a batch file, use dapple batch ";
  fails({"batch", "run", "a.toml"}, 2, {no_run + "a.toml"});
  fails({"batch", "run"}, 2, {no_run + "JOBS.toml"});
  fails({"batch", "verfy", "a.jsonl"}, 2, {"did you mean `batch verify`?"});
  fails({"batch", "a.toml", "b.toml"}, 2, {"unexpected argument 'b.toml'"});
}

}  // namespace
}  // namespace dapple::test
