// `dapple sample` as users run it: the shape of the domain, existing points, methods, columns.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "dapple/point_files.hpp"
#include "program_test.hpp"

namespace dapple::test {
namespace {

using nlohmann::json;

const std::string photo = DAPPLE_SOURCE_FOLDER "/samples/ascent.png";

// A table of numbers under names.
struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
};

Table table_of(const std::string& csv) {
  Table table;
  std::istringstream lines(csv);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string word;
    std::vector<double> row;
    while (std::getline(words, word, ',')) {
      if (table.rows.empty() && (word[0] < '0' || word[0] > '9') && word[0] != '-') {
        table.names.push_back(word);
      } else {
        row.push_back(std::stod(word));
      }
    }
    if (!row.empty()) table.rows.push_back(std::move(row));
  }
  return table;
}

class SampleCommand : public ProgramTest {
 protected:
  void refused(std::vector<std::string> words, int code, const std::string& text) const {
    words.insert(words.begin(), "sample");
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  }
  Table sampled(std::vector<std::string> words) const {
    words.insert(words.begin(), "sample");
    words.insert(words.end(), {"-o", "-"});
    return table_of(good(words).out);
  }
};

TEST_F(SampleCommand, WindowsSideBySideFitTogether) {
  const auto window = [&](const char* corners) {
    return sampled({std::string("--window=") + corners, "--radius", "3", "--seed", "4"}).rows;
  };
  std::vector<std::vector<double>> parts = window("-80,10,-20,60");
  for (const auto& row : window("-20,10,50,60")) parts.push_back(row);
  std::vector<std::vector<double>> whole = window("-80,10,50,60");
  std::sort(parts.begin(), parts.end());
  std::sort(whole.begin(), whole.end());
  EXPECT_GT(whole.size(), 400);
  EXPECT_EQ(parts, whole);
  refused({"--window", "0,0,10"}, 2, "two corners");
  refused({"--window", "5,0,0,10", "--radius", "2"}, 2, "two corners");
  refused({"--window", "0,0,10,10"}, 2, "--radius");
  refused({"--window", "0,0,10,10", "--radius", "1:2"}, 2, "one --radius");
  refused({"--window", "0,0,10,10", "--radius", "2", "--wrap"}, 2, "--wrap");
  refused({photo, "--window", "0,0,10,10", "--radius", "2"}, 2, "leave the map");
  refused({"--window", "0,0,1e9,10", "--radius", "2"}, 2, "million radii");
}

TEST_F(SampleCommand, InsetTakesAnyUnitOfLength) {
  const auto margin_of = [&](const std::string& inset, const char* inside = "points") {
    double least = 1e9;
    for (const auto& row :
         sampled({"--size", "200x100", "--radius", "4", "--inset", inset, "--inside", inside})
             .rows) {
      least = std::min({least, row[0], row[1], 200 - row[0], 100 - row[1]});
    }
    return least;
  };
  const auto between = [](double value, double low) { return value >= low && value < low + 1.5; };
  EXPECT_PRED2(between, margin_of("10"), 10);
  EXPECT_PRED2(between, margin_of("10%"), 10);
  EXPECT_PRED2(between, margin_of("5mm"), 5 * 96 / 25.4);  // as in the SVG file of the points
  EXPECT_PRED2(between, margin_of("10", "discs"), 12);
  refused({"--size", "100", "--inset", "50"}, 3, "nothing to place");
  refused({"--size", "100", "--inset", "-2"}, 2, "--inset");
  refused({"--size", "100", "--inside", "outside"}, 2, "points, discs");
}

TEST_F(SampleCommand, KeepFillsRoundExistingPoints) {
  good({"sample", "--size", "200", "--radius", "30", "-o", "big.csv", "-o", "big.ply"});
  const Table big = table_of(folder.read("big.csv"));
  const Table all = sampled({"--size", "200", "--radius", "6", "--keep", "big.csv", "--certify"});
  ASSERT_GT(all.rows.size(), 3 * big.rows.size());
  for (std::size_t i = 0; i < big.rows.size(); ++i) EXPECT_EQ(all.rows[i], big.rows[i]);
  const Table fresh =
      sampled({"--size", "200", "--radius", "6", "--keep", "big.ply", "--only-new"});
  EXPECT_EQ(fresh.rows.size() + big.rows.size(), all.rows.size());
  EXPECT_EQ(fresh.rows.front(), all.rows[big.rows.size()]);
  EXPECT_EQ(sampled({"--size", "200", "--count", "500", "--keep", "big.csv"}).rows.size(), 500u);
  refused({"--size", "200", "--count", "5", "--keep", "big.csv"}, 2, "--only-new");
  refused({"--size", "100", "--keep", "big.csv"}, 3, "outside the domain of 100 x 100");
  refused({"--size", "200", "--keep", "big.csv", "--method", "grid"}, 2, "keeps distances");
  refused({"--size", "200", "--keep", "none.csv"}, 3, "none.csv");
}

TEST_F(SampleCommand, KeepIsPartOfTheRecipe) {
  good({"sample", "--size", "200", "--radius", "30", "-o", "big.csv"});
  good({"sample", "--size", "200", "--radius", "6", "--keep", "big.csv", "--inset", "3", "-o",
        "all.json"});
  good({"reproduce", "all.json", "-o", "again.json"});
  EXPECT_EQ(folder.read("all.json"), folder.read("again.json"));
  folder.write("big.csv", "x,y,r\n5,5,9\n");
  EXPECT_EQ(run({"reproduce", "all.json", "-o", "again.json"}).code, 3);
}

TEST_F(SampleCommand, CompareDrawsMethodsAndFilesSideBySide) {
  good({"sample", "--size", "64", "--radius", "4", "-o", "mine.csv"});
  const std::vector<std::string> words{"compare", "mine.csv", "--methods", "random,darts,r2",
                                       "--size",  "64",       "--count",   "200"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return more;
  };
  const Outcome outcome = good(with({"-o", "a.png"}));
  std::istringstream lines(outcome.out);
  std::vector<std::string> first;
  for (std::string line; std::getline(lines, line);)
    first.push_back(line.substr(0, line.find("  ")));
  EXPECT_EQ(first, (std::vector<std::string>{"", "mine", "random", "darts", "r2"}));
  good(with({"-o", "b.png", "--threads", "1"}));
  EXPECT_EQ(folder.read("a.png"), folder.read("b.png"));
  const json object = json::parse(good(with({"-o", "a.png", "--json"})).out);
  EXPECT_EQ(object["reports"]["r2"]["measurements"]["N"], 200);
  EXPECT_EQ(object["reports"]["darts"]["measurements"]["violations"], 0);
  EXPECT_EQ(run({"compare", "--methods", "dartz"}).code, 2);
  EXPECT_NE(run({"compare", "--methods", "dartz"}).err.find("did you mean 'darts'?"),
            std::string::npos);
  // On a map: no spectra, but the tone; every method once.
  good({"compare", "--map", photo, "--count", "500", "--methods", "halton,darts,dart-throwing",
        "-o", "map.png"});
}

TEST_F(SampleCommand, ObjectsGetSizesRotationsAndClasses) {
  const std::vector<std::string> words{"sample", "--size",     "100",     "--radius",
                                       "6",      "--classes",  "0.6,0.4", "--object-size",
                                       "2:5",    "--rotation", "0:360"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return more;
  };
  const Table table = table_of(good(with({"-o", "-"})).out);
  EXPECT_EQ(table.names, (std::vector<std::string>{"x", "y", "r", "class", "size", "rotation"}));
  for (const auto& row : table.rows) {
    EXPECT_TRUE(row[3] == 0 || row[3] == 1);
    EXPECT_TRUE(row[4] >= 2 && row[4] <= 5);
    EXPECT_TRUE(row[5] >= 0 && row[5] <= 360);
  }
  // The reader of the add-on for Blender finds the same in both files.
  good(with({"-o", "a.json", "-o", "a.ply", "-o", "a.svg"}));
  const Outcome python = run_process(
      {"/usr/bin/python3", "-B", "-c",
       "import sys; sys.path.insert(0, '" DAPPLE_SOURCE_FOLDER "/plugins/blender/dapple_addon')\n"
       "from exchange import *\n"
       "(a, domain), (b, same) = read_points('a.json'), read_points('a.ply')\n"
       "assert sorted(a) == sorted(set(b) - {'z'}) == ['class', 'r', 'rotation', 'size', 'x', "
       "'y']\n"
       "assert domain == same == (0, 0, 100, 100)\n"
       "for name in a: assert (a[name].astype('f4') == b[name].astype('f4')).all(), name\n"
       "for place, i in zip(on_plane(a, domain, 1.0), range(10**9)):\n"
       "    print(*place[:2], a['rotation'][i], a['size'][i], a['class'][i], sep=',')\n"},
      folder.path());
  ASSERT_EQ(python.code, 0) << python.err;
  const Table placed = table_of(python.out);
  ASSERT_EQ(placed.rows.size(), table.rows.size());
  for (std::size_t i = 0; i < placed.rows.size(); ++i) {
    EXPECT_EQ(placed.rows[i][0], table.rows[i][0] - 50);
    EXPECT_EQ(placed.rows[i][1], 50 - table.rows[i][1]);
    EXPECT_NEAR(placed.rows[i][2], table.rows[i][5], 1e-4);
    EXPECT_NEAR(placed.rows[i][3], table.rows[i][4], 1e-6);
    EXPECT_EQ(placed.rows[i][4], table.rows[i][3]);
  }
  // Columns survive being kept.
  const Table kept = sampled({"--size", "100", "--radius", "3", "--keep", "a.ply"});
  EXPECT_EQ(kept.names, table.names);
  EXPECT_EQ(kept.rows[5], table.rows[5]);
}

TEST_F(SampleCommand, TilesComeWithTheirTable) {
  good({"sample", "--wang", "2", "--size", "64", "--radius", "5", "-o", "tiles.json"});
  const json file = json::parse(folder.read("tiles.json"));
  EXPECT_EQ(file["domain"]["width"], 256);
  const json table = json::parse(file["metadata"]["tiles"].get<std::string>());
  EXPECT_EQ(table["size"], 64);
  ASSERT_EQ(table["tiles"].size(), 16u);
  for (const json& tile : table["tiles"]) {
    const json& c = tile["corners"];
    EXPECT_EQ(tile["class"],
              c[0].get<int>() * 8 + c[1].get<int>() * 4 + c[2].get<int>() * 2 + c[3].get<int>());
  }
  const json& columns = file["columns"];
  for (std::size_t i = 0; i < columns["x"].size(); ++i) {
    bool found = false;
    for (const json& tile : table["tiles"]) {
      found |= tile["class"] == columns["class"][i] &&
               tile["column"] == static_cast<int>(columns["x"][i].get<double>() / 64) &&
               tile["row"] == static_cast<int>(columns["y"][i].get<double>() / 64);
    }
    ASSERT_TRUE(found) << i;
  }
  good({"reproduce", "tiles.json", "-o", "again.json"});
  EXPECT_EQ(folder.read("tiles.json"), folder.read("again.json"));
  refused({"--wang", "2", "--size", "64x32"}, 2, "--wang works only with square tiles");
  refused({"--wang", "2", "--size", "16", "--radius", "6"}, 5, "too small for a radius of 6");
  refused({photo, "--wang", "2"}, 2, "leave the map");
}

TEST_F(SampleCommand, PicksAnEvenSubsetOfACloudWithItsColumns) {
  // A grid of 20 x 20 points, with a column that names each of them.
  std::string csv = "x,y,label\n";
  for (int i = 0; i < 400; ++i) {
    csv += std::to_string(i % 20) + "," + std::to_string(i / 20) + "," + std::to_string(i) + "\n";
  }
  folder.write("cloud.csv", csv);
  const Table picked = sampled({"--from", "cloud.csv", "--count", "100", "--certify"});
  ASSERT_EQ(picked.rows.size(), 100u);
  const auto column = std::find(picked.names.begin(), picked.names.end(), "label");
  ASSERT_NE(column, picked.names.end());
  const auto label = static_cast<std::size_t>(column - picked.names.begin());
  double before = -1;
  for (std::size_t i = 0; i < picked.rows.size(); ++i) {
    const std::vector<double>& row = picked.rows[i];
    EXPECT_EQ(row[label], row[0] + 20 * row[1]) << "rows stay whole";
    EXPECT_GT(row[label], before) << "in the order of the cloud";
    before = row[label];
    for (std::size_t k = 0; k < i; ++k) {
      EXPECT_GT(std::hypot(row[0] - picked.rows[k][0], row[1] - picked.rows[k][1]), 1.2);
    }
  }
  refused({"--from", "cloud.csv", "--count", "401", "-o", "a.csv"}, 2, "400");
  refused({"--from", "cloud.csv", "-o", "a.csv"}, 2, "--count");
  refused({"--from", "cloud.csv", "--count", "9", "--radius", "3", "-o", "a.csv"}, 2, "--radius");
  folder.write("bad.csv", "x,y\n1,2\nnan,3\n");
  refused({"--from", "bad.csv", "--count", "1", "-o", "a.csv"}, 3, "nan");
}

TEST_F(SampleCommand, PlacesTheNumberOfEachPolygonInside) {
  folder.write("map.geojson", R"({"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"name": "west", "people": 120}, "geometry": {"type": "Polygon",
     "coordinates": [[[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]],
                     [[3, 3], [7, 3], [7, 7], [3, 7], [3, 3]]]}},
    {"type": "Feature", "properties": {"name": "east", "people": 7}, "geometry": {"type": "Polygon",
     "coordinates": [[[10, 0], [20, 0], [20, 10], [10, 10], [10, 0]]]}}]})");
  const Table made = sampled({"--region", "map.geojson", "--count-from", "people", "--certify"});
  ASSERT_EQ(made.rows.size(), 127u);
  const auto column = std::find(made.names.begin(), made.names.end(), "region");
  ASSERT_NE(column, made.names.end());
  const auto region = static_cast<std::size_t>(column - made.names.begin());
  int west = 0;
  for (const std::vector<double>& row : made.rows) {
    const bool is_west = row[region] == 0;
    west += is_west;
    EXPECT_EQ(is_west, row[0] < 10);
    EXPECT_FALSE(row[0] > 3 && row[0] < 7 && row[1] > 3 && row[1] < 7) << "the hole stays empty";
  }
  EXPECT_EQ(west, 120);
  good({"sample", "--region", "map.geojson", "--count-from", "people", "-o", "map.svg", "-o",
        "map.png"});
  const Image map = read_image(folder / "map.png", Limits{});
  EXPECT_EQ(map.width(), 1024);
  EXPECT_EQ(map.height(), 512) << "twice as wide as high";
  // Ranks from the command line, and the same file for any number of threads.
  good({"sample", "--region", "map.geojson", "--count", "50", "--progressive", "--threads", "1",
        "-o", "a.csv"});
  good({"sample", "--region", "map.geojson", "--count", "50", "--progressive", "--threads", "2",
        "-o", "b.csv"});
  EXPECT_EQ(folder.read("a.csv"), folder.read("b.csv"));
  EXPECT_NE(folder.read("a.csv").find("rank"), std::string::npos);
  folder.write("a.wkt", "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))");
  EXPECT_EQ(sampled({"--region", "a.wkt", "--count-from", "9"}).rows.size(), 9u);
  refused({"--region", "map.geojson", "--count-from", "cats", "-o", "a.csv"}, 3, "cats");
  refused({"--region", "map.geojson", "--sphere", "1", "-o", "a.csv"}, 2, "--sphere");
  refused({"--count-from", "people", "-o", "a.csv"}, 2, "--region");
  folder.write("open.wkt", "POLYGON ((0 0, 4 0, 4 4, 0 4))");
  refused({"--region", "open.wkt", "--count", "9", "-o", "a.csv"}, 3, "is open");
  // Collections in collections end in an error, not in the end of the stack.
  std::string deep;
  for (int i = 0; i < 50000; ++i) deep += R"({"type": "GeometryCollection", "geometries": [)";
  for (int i = 0; i < 50000; ++i) deep += "]}";
  folder.write("deep.geojson", deep);
  deep.clear();
  for (int i = 0; i < 500000; ++i) deep += "GEOMETRYCOLLECTION(";
  folder.write("deep.wkt", deep);
  refused({"--region", "deep.wkt", "--count", "9", "-o", "a.csv"}, 3, "inside each other");
  deep.clear();
  for (int i = 0; i < 500000; ++i) deep += "SRID;";
  folder.write("srid.wkt", deep);
  refused({"--region", "srid.wkt", "--count", "9", "-o", "a.csv"}, 3, "needs POLYGON");
  refused({"--region", "deep.geojson", "--count", "9", "-o", "a.csv"}, 3, "inside each other");
}

}  // namespace
}  // namespace dapple::test
