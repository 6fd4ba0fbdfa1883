// Batches that take results from a cache, in a folder or behind a web server.
#include "app/batch/cache.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <sys/resource.h>
#include <thread>

#include "batch_test.hpp"
#include "dapple/context.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/extend/operation.hpp"
#include "dapple/point_files.hpp"
#include "io/digest.hpp"

namespace dapple::test {
namespace {

using Files = std::map<std::string, std::string>;

class Cache : public Batch {
 protected:
  // The files that a batch makes anew in `out`, and how many of its jobs came from the cache.
  Files make(int cached, Words words = {"--cache", "cache"}) {
    fs::remove_all(folder / "out");
    fs::remove(folder / "jobs.jsonl");
    words.insert(words.begin(), "jobs.toml");
    said = summary(words);
    if (cached >= 0) {
      EXPECT_EQ(said["cached"], cached);
    }
    return made();
  }
  Files uncached() { return make(-1, {}); }
  std::vector<fs::path> entries() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder / "cache")) {
      if (entry.is_regular_file()) all.push_back(entry.path());
    }
    return all;
  }
  std::string read(const fs::path& path) const {
    return folder.read(fs::relative(path, folder.path()).string());
  }
  void write(const fs::path& path, const std::string& bytes) const {
    folder.write(fs::relative(path, folder.path()).string(), bytes);
  }
  int warned(const std::string& text) const {
    return static_cast<int>(
        std::count_if(said["warnings"].begin(), said["warnings"].end(), [&](const json& warning) {
          return warning.get<std::string>().find(text) != std::string::npos;
        }));
  }
  json said;
};

const std::string masks = R"([[job]]
command = "mask"
size = 16
seed = { from = 1, to = 6 }
output = "out/{seed}.png"
)";

const std::string points = "x,y,r\n1,1,1\n7,2,1\n2,8,1\n9,9,1\n";

// ---- results ------------------------------------------------------------------------------------

TEST_F(Cache, ResultsAreThoseOfARunWithoutIt) {
  folder.write("map.csv", points);
  good({"sample", "--size", "24", "--radius", "3", "-o", "in.png", "-q"});
  folder.write("jobs.toml", masks + matrix + R"([[job]]
command = "stipple"
input = "in.png"
dots = [40, 60]
output = ["out/s_{dots}.svg", "out/s_{dots}.csv", "out/s_{dots}.png"]
[[job]]
command = "worley"
size = 16
points = "map.csv"
outputs = "height,color,normal"
material = ["gltf", "mtlx"]
output = "out/w_{output}.png"
[[job]]
command = "mask"
size = 16
output = ["out/m.h", "out/m.npy"]
no-recipe = true
)");
  const auto lines = [&] {
    std::map<std::string, json> all;
    for (json line : lines_of("jobs.jsonl")) {
      for (const char* name : {"seconds", "processor_seconds", "cached", "input_states"}) {
        line.erase(name);
      }
      for (json& output : line["outputs"]) output.erase("changed");
      all[line["job"].get<std::string>()] = line;
    }
    return all;
  };
  const Files right = uncached();
  const auto recorded = lines();
  EXPECT_EQ(recorded.size(), 22u);
  EXPECT_EQ(make(0, {"--cache", "cache", "--jobs", "3"}), right);
  EXPECT_EQ(lines(), recorded);
  EXPECT_EQ(make(22, {"--cache", "cache", "--threads", "1"}), right);
  EXPECT_EQ(lines(), recorded);
  EXPECT_EQ(lines_of("jobs.jsonl")[0]["cached"], true);
  EXPECT_EQ(entries().size(), 22u);
  EXPECT_EQ(said["warnings"].size(), 0u);
  // Shards, other names and other folders share them.
  fs::rename(folder / "jobs.toml", folder / "others.toml");
  int found = 0;
  for (const char* shard : {"1/2", "2/2"}) {
    fs::remove_all(folder / "out");
    const json part = summary({"others.toml", "--shard", shard, "--cache", "cache"});
    EXPECT_EQ(part["cached"], part["done"]);
    found += part["cached"].get<int>();
  }
  EXPECT_EQ(found, 22);
}

// Two jobs that differ in nothing but a name make what they make alone.
TEST_F(Cache, NamesThatFilesContainArePartOfTheKey) {
  const auto same = [&](const std::string& job, bool shares) {
    fs::remove_all(folder / "cache");
    std::vector<Files> right;
    for (const bool caches : {false, true}) {
      for (std::size_t i = 0; i < 2; ++i) {
        std::string text = job;
        for (auto at = text.find('@'); at != std::string::npos; at = text.find('@')) {
          text[at] = i == 0 ? 'a' : 'b';
        }
        folder.write("jobs.toml", text);
        if (!caches) {
          right.push_back(uncached());
          continue;
        }
        EXPECT_EQ(make(shares && i == 1 ? 1 : 0), right[i]) << text;
      }
    }
  };
  fs::create_directory(folder / "a");
  fs::create_directory(folder / "b");
  good({"sample", "--size", "24", "--radius", "3", "-o", "a.png", "-q"});
  for (const char* copy : {"b.png", "a/c.png", "b/c.png"}) {
    fs::copy_file(folder / "a.png", folder / copy);
  }
  const std::string sample = "[[job]]\ncommand = \"sample\"\nradius = 4\n";
  same(sample + "input = \"@.png\"\noutput = \"out/o.csv\"\n", false);
  same(sample + "input = \"@/c.png\"\noutput = \"out/o@.csv\"\n", true);
  const std::string worley = "[[job]]\ncommand = \"worley\"\nsize = 16\noutput = \"out/@.png\"\n";
  folder.write("a/p.csv", points);
  folder.write("b/p.csv", points);
  folder.write("a.csv", points);
  folder.write("b.csv", points);
  same(worley + "points = \"@/p.csv\"\n", true);
  same(worley + "points = \"@.csv\"\n", false);
  same(
      "[[job]]\ncommand = \"worley\"\nsize = 16\noutputs = \"height,color\"\n"
      "material = \"gltf\"\noutput = \"out/@_{output}.png\"\n",
      false);
  for (const std::string_view format : image_formats()) {
    const std::string name(format);
    const std::string options =
        name == "xbm" || name == "pbm"    ? "command = \"dither\"\ninput = \"a.png\"\nlevels = 2\n"
        : name == "jpg" || name == "jpeg" ? "command = \"worley\"\nsize = 16\n"
                                          : "command = \"mask\"\nsize = 16\n";
    const bool named = name == "json" || name == "xbm" || name == "h" || name == "c" ||
                       name == "rs" || name == "cs" || name.ends_with("sl");
    same("[[job]]\n" + options + "output = \"out/@." + name + "\"\n", !named);
  }
  for (const std::string_view format : drawing_formats()) {
    same("[[job]]\ncommand = \"stipple\"\ninput = \"a.png\"\ndots = 30\noutput = \"out/@." +
             std::string(format) + "\"\n",
         true);
  }
  for (const char* format : {"csv", "ply", "npy"}) {
    same("[[job]]\ncommand = \"sample\"\nsize = 16\nradius = 4\noutput = \"out/@." +
             std::string(format) + "\"\n",
         true);
  }
}

TEST_F(Cache, OptionsSeedsAndContentsArePartOfTheKey) {
  folder.write("map.csv", points);
  const std::string job =
      "[[job]]\ncommand = \"worley\"\nsize = 16\npoints = \"map.csv\"\n"
      "output = \"out/w.png\"\n";
  folder.write("jobs.toml", job);
  make(0);
  folder.write("jobs.toml", job + "seed = 2\n");
  make(0);
  folder.write("jobs.toml", job + "metric = \"manhattan\"\n");
  const Files right = make(0);
  folder.write("map.csv", points + "4,4,1\n");
  EXPECT_NE(make(0), right);
  folder.write("map.csv", points);
  EXPECT_EQ(make(1), right);
  folder.write("jobs.toml", job + "no-recipe = true\n");
  make(0);
}

TEST_F(Cache, ForceMakesAgainAndReplaces) {
  folder.write("jobs.toml", masks);
  const Files right = make(0);
  const fs::path entry = entries()[0];
  const std::string bytes = read(entry);
  write(entry, "damaged");
  EXPECT_EQ(make(0, {"--cache", "cache", "--force"}), right);
  EXPECT_EQ(said["warnings"].size(), 0u);
  EXPECT_EQ(read(entry), bytes);
  // Jobs that are done ask for nothing.
  EXPECT_EQ(summary({"jobs.toml", "--cache", "cache"})["skipped"], 6);
}

TEST_F(Cache, ProofsAreMadeAgain) {
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"sample\"\nsize = 16\nradius = 4\ncertify = true\n"
               "output = \"out/p.csv\"\n");
  make(0);
  make(0);
  EXPECT_TRUE(entries().empty());
}

TEST_F(Cache, OverwriteHoldsForResultsFromTheCache) {
  folder.write("jobs.toml", masks + "overwrite = \"never\"\n");
  const Files right = make(0);
  const json refused = summary({"jobs.toml", "--cache", "cache", "--manifest", "n.jsonl"}, 1);
  EXPECT_NE(refused.dump().find("exists already"), std::string::npos);
  folder.write("jobs.toml", masks + "overwrite = \"if-changed\"\n");
  const auto time = fs::last_write_time(folder / "out/1.png");
  folder.write("out/2.png", "other");
  EXPECT_EQ(summary({"jobs.toml", "--cache", "cache", "--manifest", "i.jsonl"})["cached"], 6);
  EXPECT_EQ(fs::last_write_time(folder / "out/1.png"), time);
  EXPECT_EQ(made(), right);
}

TEST_F(Cache, ADryRunCountsAndMakesNothing) {
  folder.write("jobs.toml", masks);
  EXPECT_EQ(summary({"jobs.toml", "--dry-run", "--cache", "cache"})["cached"], 0);
  EXPECT_EQ(folder.names(), Words{"jobs.toml"});
  make(0);
  fs::remove(entries()[0]);
  EXPECT_EQ(summary({"jobs.toml", "--dry-run", "--cache", "cache"})["cached"], 5);
  EXPECT_NE(good({"batch", "jobs.toml", "--dry-run", "--cache", "cache"}).err.find("cache has 5"),
            std::string::npos);
}

TEST_F(Cache, NumberedFilesAreNotKept) {
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"mask\"\nsize = \"8x8x3\"\noutput = \"out/{frame}.png\"\n");
  const Files right = uncached();
  EXPECT_EQ(right.size(), 3u);
  make(0);
  EXPECT_EQ(make(0), right);
  EXPECT_TRUE(entries().empty());
}

TEST_F(Cache, MaterialsOfTwoJobsAreTwoFiles) {
  folder.write("jobs.toml", R"([[job]]
command = "worley"
size = 16
outputs = "height,color"
seed = [1, 2]
material = "gltf"
output = ["out/{output}_m.png"]
)");
  fails({"batch", "jobs.toml"}, 2, {"out/", "is also written by the job at line 1"});
  folder.write("jobs.toml", R"([[job]]
command = "worley"
size = 16
outputs = "height,color"
material = "gltf"
output = "out/m_{output}.png"
[[job]]
command = "worley"
size = 16
outputs = "height,color"
material = "gltf"
output = "out/m-{output}.png"
)");
  fails({"batch", "jobs.toml"}, 2, {"'out/m.gltf' is also written by the job at line 1"});
}

// A result is not kept if an input changed during its job, or if its warnings name files.
TEST_F(Cache, DoubtfulResultsAreNotKept) {
  folder.write("map.csv", points);
  folder.write("jobs.toml", "[[job]]\ncommand = \"worley\"\nsize = 16\npoints = \"" +
                                (folder / "map.csv").string() + "\"\noutput = \"" +
                                (folder / "w.png").string() + "\"\n");
  Context context;
  const auto jobs = app::read_jobs((folder / "jobs.toml").string(), context);
  app::BatchOptions options;
  options.cache = (folder / "cache").string();
  app::BatchCache cache(options, 1, context, false,
                        [](const std::string& text) { FAIL() << text; });
  const app::ManifestInputs inputs = app::inputs_of(jobs[0]);
  const std::string name = app::BatchCache::name_of(jobs[0], inputs);
  FileGroup files(Overwrite::always);
  files.add(jobs[0].outputs[0], "bytes");
  app::Record record;
  record.outputs.emplace_back();
  record.outputs[0].path = jobs[0].outputs[0];
  const auto keeps = [&] {
    cache.store(name, jobs[0], inputs, record, files);
    return cache.has(name);
  };
  for (const std::string& about : {std::string("w.png: pale"), (folder / "map.csv").string()}) {
    record.warnings = {about};
    EXPECT_FALSE(keeps()) << about;
  }
  record.warnings = {"pale"};
  folder.write("map.csv", points + "5,5,1\n");
  EXPECT_FALSE(keeps());
  folder.write("map.csv", points);
  cache.store(name, jobs[0], app::inputs_of(jobs[0]), record, files);
  EXPECT_TRUE(cache.has(name));
}

// ---- damage -------------------------------------------------------------------------------------

TEST_F(Cache, DamagedEntriesAreRefusedAndReplaced) {
  folder.write("jobs.toml", masks);
  const Files right = make(0);
  std::map<fs::path, std::string> whole;
  for (const fs::path& entry : entries()) whole[entry] = read(entry);
  const std::string other = whole.begin()->second;
  const std::vector<std::function<void(std::string&)>> damages = {
      [](std::string& bytes) { bytes.clear(); },
      [](std::string& bytes) { bytes.resize(40); },
      [](std::string& bytes) { bytes.pop_back(); },
      [](std::string& bytes) { bytes += "more"; },
      [](std::string& bytes) { bytes[3] ^= 1; },
      [](std::string& bytes) { bytes[50] ^= 1; },
      [](std::string& bytes) { bytes[bytes.find('\n')] ^= 1; },
      [](std::string& bytes) { bytes[bytes.find("width")] ^= 1; },
      [](std::string& bytes) { bytes[bytes.size() - 20] ^= 1; },
      [&](std::string& bytes) { bytes = bytes == other ? whole.rbegin()->second : other; }};
  for (std::size_t i = 0; i < damages.size(); ++i) {
    for (const auto& [path, bytes] : whole) {
      std::string changed = bytes;
      damages[i](changed);
      write(path, changed);
    }
    EXPECT_EQ(make(0), right) << i;
    EXPECT_EQ(warned("is damaged"), 1) << i;
    for (const auto& [path, bytes] : whole) EXPECT_EQ(read(path), bytes) << i;
  }
  // A link and a folder are no entries. The link is replaced, not what it leads to.
  const fs::path link = whole.begin()->first;
  fs::rename(link, folder / "elsewhere");
  fs::create_symlink(folder / "elsewhere", link);
  write(folder / "elsewhere", "other");
  EXPECT_EQ(make(5), right);
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(link)));
  EXPECT_EQ(folder.read("elsewhere"), "other");
  fs::remove(link);
  fs::create_directory(link);
  EXPECT_EQ(make(5), right);
}

// Whoever can write to a cache decides about bytes, but not about paths, memory or the program.
TEST_F(Cache, PoisonedEntriesReachNoOtherFiles) {
  folder.write("jobs.toml", masks);
  const Files right = make(0);
  const auto poison = [&](const std::function<void(json&)>& change) {
    for (const fs::path& entry : entries()) {
      const std::string bytes = read(entry);
      const auto first = bytes.find('\n') + 1;
      const auto second = bytes.find('\n', first) + 1;
      json head = json::parse(bytes.substr(first, second - first));
      change(head);
      const std::string line = head.dump() + "\n";
      write(entry, "dapple cache 1 sha256:" + sha256(line) + "\n" + line + bytes.substr(second));
    }
    EXPECT_EQ(make(0), right);
    EXPECT_EQ(warned("is damaged"), 1);
  };
  poison([](json& head) { head["files"][0]["file"] = 1; });
  poison([](json& head) { head["files"][0]["file"] = -1; });
  poison([](json& head) { head["files"][0]["file"] = "../../other.png"; });
  poison([](json& head) { head["files"][0]["kind"] = 17; });
  poison([](json& head) { head["files"][0]["bytes"] = std::uint64_t{1} << 63; });
  poison([](json& head) { head["files"].push_back(head["files"][0]); });
  poison([](json& head) { head["files"] = json::array(); });
  poison([](json& head) { head["warnings"] = 3; });
  poison([](json& head) { head = json::array(); });
  poison([](json& head) { head["job"] = "other"; });
}

// ---- folders ------------------------------------------------------------------------------------

TEST_F(Cache, TheLeastRecentlyUsedGoFirst) {
  folder.write("jobs.toml", masks);
  make(0);
  folder.write("cache/notes.txt", std::string(1 << 20, 'n'));  // not ours
  folder.write("cache/ab.txt", "n");
  const auto ages = [&] {
    const auto now = fs::file_time_type::clock::now();
    int hours = 0;
    for (const fs::path& entry : entries()) {
      if (entry.extension() == ".txt") continue;
      fs::last_write_time(entry, now - std::chrono::hours(hours += 10));
    }
  };
  ages();
  // One that is used counts as new.
  const auto all = entries();
  const fs::path oldest =
      *std::min_element(all.begin(), all.end(), [](const fs::path& a, const fs::path& b) {
        return fs::last_write_time(a) < fs::last_write_time(b);
      });
  const std::string kept = read(oldest);
  make(6);
  for (const fs::path& entry : entries()) {
    EXPECT_LT(fs::file_time_type::clock::now() - fs::last_write_time(entry), std::chrono::hours(1));
  }
  ages();
  fs::last_write_time(oldest, fs::file_time_type::clock::now());
  const std::uintmax_t size = kept.size();
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"mask\"\nsize = 16\nseed = 7\noutput = \"out/{seed}.png\"\n");
  make(0, {"--cache", "cache", "--cache-size", std::to_string(4 * size)});
  EXPECT_EQ(read(oldest), kept);
  std::uintmax_t total = 0;
  for (const fs::path& entry : entries()) {
    if (entry.extension() != ".txt") total += fs::file_size(entry);
  }
  EXPECT_LE(total, 4 * size);
  EXPECT_GE(total, 2 * size);
  EXPECT_TRUE(fs::exists(folder / "cache/notes.txt"));
  make(1);
}

TEST_F(Cache, ProcessesShareAFolder) {
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"mask\"\nsize = 8\nseed = { from = 1, to = 150 }\n"
               "output = \"{seed}.png\"\n");
  const std::string text = folder.read("jobs.toml");
  for (const char* size : {"1GB", "20KB"}) {
    std::vector<std::thread> users;
    for (int i = 0; i < 4; ++i) {
      const std::string name = std::to_string(i);
      std::string own = text;
      own.replace(own.find("{seed}.png"), 0, name + "/");
      folder.write(name + ".toml", own);
      users.emplace_back([this, name, size] {
        good({"batch", name + ".toml", "--cache", "cache", "--cache-size", size, "--force", "-q",
              "--jobs", "2"});
        fs::remove(folder / (name + ".jsonl"));
        good({"batch", name + ".toml", "--cache", "cache", "--cache-size", size, "-q"});
      });
    }
    for (std::thread& user : users) user.join();
    const Files right = made("0");
    EXPECT_EQ(right.size(), 150u);
    for (const char* name : {"1", "2", "3"}) EXPECT_EQ(made(name), right);
  }
  for (const fs::path& entry : entries()) {
    EXPECT_NE(entry.extension(), ".tmp");
  }
}

TEST_F(Cache, ThreadsThatCreateOneFolderAllStoreTheirEntries) {
  const auto store = app::folder_store(folder.path().string(), 0, 1 << 20);
  for (int part = 0x10; part < 0x80; ++part) {
    std::atomic<int> waiting{4};
    std::atomic<int> failed{0};
    std::vector<std::thread> users;
    for (int i = 0; i < 4; ++i) {
      char name[8];
      std::snprintf(name, sizeof name, "%02x/%d", static_cast<unsigned>(part), i);
      users.emplace_back([&, name = std::string(name)] {
        for (--waiting; waiting > 0;) {
        }
        try {
          store->put(name, "x");
        } catch (const Error&) {
          ++failed;
        }
      });
    }
    for (std::thread& user : users) user.join();
    ASSERT_EQ(failed, 0) << "in folder " << part;
  }
}

TEST_F(Cache, AFolderThatFailsIsNamedOnce) {
  folder.write("jobs.toml", masks);
  const Files right = uncached();
  folder.write("file", "");
  fails({"batch", "jobs.toml", "--cache", "file/cache"}, 4, {"file/cache: the cache cannot be"});
  fails({"batch", "jobs.toml", "--cache", "file"}, 4, {"file: the cache cannot be created"});
  // Nothing can be written where files stand in the way of the folders.
  fs::create_directory(folder / "cache");
  for (int i = 0; i < 256; ++i) {
    char name[16];
    std::snprintf(name, sizeof name, "cache/%02x", static_cast<unsigned>(i));
    folder.write(name, "");
  }
  EXPECT_EQ(make(0), right);
  EXPECT_EQ(said["warnings"].size(), 1u);
  EXPECT_EQ(warned("the cache cache cannot be "), 1);
}

TEST_F(Cache, MistakesAreNamed) {
  folder.write("jobs.toml", masks);
  fails({"batch", "jobs.toml", "--cache", "https://host/"}, 2, {"https://", "a proxy"});
  fails({"batch", "jobs.toml", "--cache", "ftp://host/"}, 2, {"--cache", "http://"});
  for (const char* address :
       {"http://", "http://a:b/", "http://u@h/", "http://h/?q", "http://h:1 "})
    fails({"batch", "jobs.toml", "--cache", address}, 2, {"http://HOST[:PORT][/PATH]"});
  fails({"batch", "jobs.toml", "--cache-size", "2G"}, 2, {"--cache-size", "add --cache"});
  fails({"batch", "jobs.toml", "--cache", "http://h/", "--cache-size", "2G"}, 2, {"web server"});
  fails({"batch", "jobs.toml", "--cache", "c", "--cache-size", "2X"}, 2, {"--cache-size", "512M"});
  fails({"batch", "plan", "jobs.toml", "--cache", "c"}, 2, {"--cache has no effect"});
}

// ---- web servers --------------------------------------------------------------------------------

class WebCache : public Cache {
 protected:
  void SetUp() override {
    server_ = popen(("cd '" + folder.path().string() +
                     "' && exec " DAPPLE_SOURCE_FOLDER "/tests/app/batch/cache_server")
                        .c_str(),
                    "w");
    for (int i = 0; i < 1000 && !fs::exists(folder / "port"); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    port_ = folder.read("port");
    folder.write("jobs.toml", masks);
    right = uncached();
  }
  void TearDown() override {
    if (server_ != nullptr) pclose(server_);
  }
  std::string at(const std::string& how) const { return "http://127.0.0.1:" + port_ + "/" + how; }
  // Makes the batch with a server that behaves like this.
  void expect(const std::string& how, int cached, const std::string& warning = "") {
    EXPECT_EQ(make(cached, {"--cache", at(how)}), right) << how;
    EXPECT_EQ(said["warnings"].size(), warning.empty() ? 0u : 1u) << said["warnings"].dump();
    if (!warning.empty()) {
      EXPECT_EQ(warned(warning), 1) << said["warnings"].dump();
      EXPECT_EQ(warned("http://127.0.0.1:" + port_), 1);
    }
  }
  Files right;

 private:
  FILE* server_ = nullptr;
  std::string port_;
};

TEST_F(WebCache, GivesWhatWasPut) {
  expect("ok/some/place/", 0);
  expect("ok/some/place", 6);
  expect("ok/other", 0);
  EXPECT_EQ(summary({"jobs.toml", "--force", "--dry-run", "--cache", at("ok/other")})["cached"], 6);
  expect("closing/other", 6);  // and ends each connection
  folder.write("many.toml",
               "[[job]]\ncommand = \"sample\"\nsize = 8\nradius = 2\n"
               "seed = { from = 1, to = 1001 }\noutput = \"{seed}.csv\"\n");
  EXPECT_FALSE(summary({"many.toml", "--dry-run", "--cache", at("hang")}).contains("cached"));
}

TEST_F(WebCache, FaultsAreNamedOnce) {
  expect("ok", 0);
  expect("cut", 0, "cut its answer off");
  expect("lie", 0, "is damaged");
  expect("ok", 6);  // the lies were replaced
  expect("garbage", 0, "is not valid HTTP");
  expect("fail", 0, "status 500");
  expect("redirect", 0, "a redirect, which is not followed");
  expect("long", 0, "is longer than");
  expect("read-only", 6);
  expect("read-only/empty", 0, "cannot be written: it answers with status 405");
}

TEST_F(WebCache, ServersThatDoNotAnswerAreGivenUp) {
  expect("hang", 0, "did not answer in time");
  EXPECT_EQ(make(0, {"--cache", "http://127.0.0.1:1/"}), right);
  EXPECT_EQ(warned("Connection refused"), 1);
  Spawn how;
  how.interrupt_after_ms = 700;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(run({"batch", "jobs.toml", "--force", "--dry-run", "--cache", at("hang")}, how).code,
            130);
  fs::remove(folder / "jobs.jsonl");
  EXPECT_EQ(run({"batch", "jobs.toml", "--cache", at("hang")}, how).code, 130);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(9));
}

}  // namespace
}  // namespace dapple::test
