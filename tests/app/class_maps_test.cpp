// Classes with a map each, `dapple sample --class NAME=MAP:MIN:MAX`, as users run them.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

#include "dapple/context.hpp"
#include "dapple/image_files.hpp"
#include "dapple/point_files.hpp"
#include "program_test.hpp"

namespace dapple::test {
namespace {

namespace fs = std::filesystem;

class ClassMaps : public ProgramTest {
 protected:
  ClassMaps() {
    // Oaks on the left, ferns on the right.
    write_map("oaks.png", 96, 64, [](double u, double) { return 1 - u; });
    write_map("ferns.png", 96, 64, [](double u, double) { return u; });
  }
  template <class Value>
  void write_map(const std::string& name, int width, int height, Value value) const {
    Plane<float> map(width, height);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        map(x, y) = static_cast<float>(value((x + 0.5) / width, (y + 0.5) / height));
      }
    }
    Image image;
    image.channels.push_back(std::move(map));
    image.names = {"v"};
    image.encoding = Encoding::data;
    folder.write(name, encode_image(std::move(image), "png"));
  }
  Points points_of(const std::string& name) const {
    Context context;
    return read_points(folder / name, context);
  }
  void refused(std::vector<std::string> words, const std::string& text, int code = 2) const {
    words.insert(words.begin(), "sample");
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << text << " in " << outcome.err;
  }
  std::vector<std::string> wood(const std::vector<std::string>& more) const {
    std::vector<std::string> words{
        "sample", "--class", "oak=oaks.png:5:14", "--class", "fern=ferns.png:2:6", "-q"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(ClassMaps, EachIsDenseWhereItsMapIsBright) {
  good(wood({"--class-distance", "mean", "--certify", "-o", "a.csv"}));
  const Points points = points_of("a.csv");
  ASSERT_GT(points.size(), 300U);
  std::map<std::pair<int, bool>, int> found;
  for (std::size_t i = 0; i < points.size(); ++i) ++found[{points.class_id[i], points.x[i] < 48}];
  EXPECT_GT((found[{0, true}]), 2 * (found[{0, false}]));
  EXPECT_GT((found[{1, false}]), 2 * (found[{1, true}]));
  // Crowns of diameter r never touch.
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double apart = 0.5 * static_cast<double>(points.radius[i] + points.radius[j]);
      EXPECT_GE(length(points[i] - points[j]), apart * (1 - 1e-5));
    }
  }
  good(wood({"--count", "500", "--classes", "1,6", "-o", "b.ply"}));
  const Points counted = points_of("b.ply");
  EXPECT_EQ(counted.size(), 500U);
  const auto oaks = std::count(counted.class_id.begin(), counted.class_id.end(), 0);
  EXPECT_NEAR(static_cast<double>(oaks), 71.4, 8);
}

TEST_F(ClassMaps, ASettingOfAMapHoldsForAllOfThem) {
  good(wood({"-o", "a.csv"}));
  good(wood({"--invert", "-o", "b.csv"}));
  const auto left = [&](const Points& points) {
    std::ptrdiff_t oaks = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      oaks += points.class_id[i] == 0 && points.x[i] < 48 ? 1 : 0;
    }
    return oaks;
  };
  EXPECT_LT(2 * left(points_of("b.csv")), left(points_of("a.csv")));
  good(wood({"--inset", "9", "-o", "c.csv"}));
  for (const double x : points_of("c.csv").x) EXPECT_GT(x, 8.99);
}

TEST_F(ClassMaps, NamesAreThoseOfLayersAndOfTheFile) {
  good(wood({"-o", "a.svg", "-o", "a.json"}));
  const std::string drawn = folder.read("a.svg");
  EXPECT_NE(drawn.find("\"oak\""), std::string::npos);
  EXPECT_NE(drawn.find("\"fern\""), std::string::npos);
  EXPECT_EQ(drawn.find("class 0"), std::string::npos);
  const auto file = nlohmann::json::parse(folder.read("a.json"));
  EXPECT_EQ(file["metadata"]["class-names"], "oak,fern");
  EXPECT_EQ(name_of_class(points_of("a.json"), 1), "fern");
  EXPECT_EQ(name_of_class(points_of("a.json"), 2), "class 2");
  EXPECT_EQ(name_of_class(Points{}, 0), "class 0");
}

TEST_F(ClassMaps, MoreThanThereAreColorsHaveALayerEachToo) {
  std::vector<std::string> words{"sample", "--class-distance", "mean", "-q", "-o", "a.svg"};
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h", "ninth"}) {
    words.insert(words.end(), {"--class", std::string(name) + "=oaks.png:9:20"});
  }
  good(words);
  EXPECT_NE(folder.read("a.svg").find("\"ninth\""), std::string::npos);
}

// As of any file: its name and its hash, and another one is refused.
TEST_F(ClassMaps, RecipesHoldAllMapsWithTheirHashes) {
  good(wood({"-o", "a.json"}));
  const std::string bytes = folder.read("a.json");
  for (const char* text :
       {"oak=oaks.png:5:14", "fern=ferns.png:2:6", "class-oak_hash", "class-fern_hash"}) {
    EXPECT_NE(bytes.find(text), std::string::npos) << text;
  }
  good({"reproduce", "a.json", "-o", "again.json"});
  EXPECT_EQ(folder.read("again.json"), bytes);
  fs::create_directory(folder / "maps");
  fs::rename(folder / "ferns.png", folder / "maps/other.png");
  const Outcome lost = run({"reproduce", "a.json", "-o", "again.json"});
  EXPECT_EQ(lost.code, 3);
  EXPECT_NE(lost.err.find("--file class-fern=PATH"), std::string::npos) << lost.err;
  good({"reproduce", "a.json", "--file", "class-fern=maps/other.png", "-o", "b.json"});
  EXPECT_EQ(folder.read("b.json"), bytes);
  write_map("ferns.png", 96, 64, [](double, double v) { return v; });
  const Outcome changed = run({"reproduce", "a.json", "-o", "c.json"});
  EXPECT_EQ(changed.code, 3);
  EXPECT_NE(changed.err.find("ferns.png"), std::string::npos) << changed.err;
  EXPECT_NE(changed.err.find("--file class-fern=PATH"), std::string::npos) << changed.err;
}

// What a recipe says of one class is replaced by the command line's, and a list is a list.
TEST_F(ClassMaps, RecipesAndTheCommandLineGoTogether) {
  folder.write("wood.toml",
               "command = \"sample\"\nclass = [\"oak=oaks.png:5:14\", \"fern=ferns.png:2:6\"]\n");
  good({"sample", "--recipe", "wood.toml", "-q", "-o", "a.csv"});
  good(wood({"-o", "b.csv"}));
  EXPECT_EQ(folder.read("a.csv"), folder.read("b.csv"));
  good({"sample", "--recipe", "wood.toml", "--class", "fern=ferns.png:3:9", "-q", "-o", "c.csv"});
  good({"sample", "--class", "oak=oaks.png:5:14,fern=ferns.png:3:9", "-q", "-o", "d.csv"});
  EXPECT_EQ(folder.read("c.csv"), folder.read("d.csv"));
  EXPECT_NE(folder.read("a.csv"), folder.read("c.csv"));
}

// A map that has changed makes its job again, and no other.
TEST_F(ClassMaps, BatchesKnowEachMap) {
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"sample\"\noutput = \"{seed}.csv\"\nseed = [1, 2]\n"
               "class = [\"oak=oaks.png:5:14\", \"fern=ferns.png:2:6\"]\n");
  good({"batch", "jobs.toml", "-q"});
  EXPECT_GT(points_of("2.csv").size(), 300U);
  const auto made = [&] {
    return nlohmann::json::parse(good({"batch", "jobs.toml", "--json"}).out)["done"];
  };
  EXPECT_EQ(made(), 0);
  write_map("ferns.png", 96, 64, [](double, double v) { return v; });
  EXPECT_EQ(made(), 2);
}

TEST_F(ClassMaps, SaysWhatIsWrongWithThem) {
  refused({"--class", "oak", "-o", "o.csv"}, "must be NAME=MAP:MIN:MAX");
  refused({"--class", "oak=oaks.png", "-o", "o.csv"}, "must be NAME=MAP:MIN:MAX");
  refused({"--class", "oak=oaks.png:9:4", "-o", "o.csv"}, "class");
  refused({"--class", "oak=oaks.png:0:4", "-o", "o.csv"}, "above 0");
  refused({"--class", "o.k=oaks.png:4:9", "-o", "o.csv"}, "letters, digits");
  refused({"--class", "oak=-:4:9", "-o", "o.csv"}, "standard input");
  refused({"--class", "oak=none.png:4:9", "-o", "o.csv"}, "none.png", 3);
  refused({"--class", "oak=:4:9", "-o", "o.csv"}, "the map of oak was not read", 3);
  refused({"--class", "oak=oaks.png:4:9", "oaks.png", "-o", "o.csv"}, "MAP");
  refused({"--class", "oak=oaks.png:4:9", "--size", "64", "-o", "o.csv"},
          "cannot be combined with --size");
  refused({"--class", "oak=oaks.png:4:9", "--classes", "1,2,3", "-o", "o.csv"},
          "3 shares, but --class has 1 classes");
  write_map("wide.png", 128, 64, [](double u, double) { return u; });
  refused({"--class", "oak=oaks.png:4:9", "--class", "fern=wide.png:4:9", "-o", "o.csv"},
          "128 x 64 pixels", 3);
}

TEST_F(ClassMaps, KeptPointsHoldThemOff) {
  folder.write("k.csv", "x,y,r\n20,20,30\n");
  good(wood({"--keep", "k.csv", "--certify", "-o", "a.csv"}));
  const Points points = points_of("a.csv");
  ASSERT_GT(points.size(), 200U);
  EXPECT_EQ(points.class_id[0], 2) << "a class of its own";
  for (std::size_t i = 1; i < points.size(); ++i) {
    EXPECT_GT(length(points[i] - points[0]), 15.99);
  }
}

}  // namespace
}  // namespace dapple::test
