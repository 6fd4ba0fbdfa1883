// `dapple sample --on MESH` as users run it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "program_test.hpp"

namespace dapple::test {
namespace {

class OnMesh : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    // A roof: two squares of side 8 that meet at a ridge.
    std::ofstream(folder / "roof.obj") << "v -8 0 0\nv 0 6 0\nv 0 6 8\nv -8 0 8\nv 8 0 0\nv 8 0 8\n"
                                          "f 4 3 2 1\nf 3 6 5 2\n";
  }
  std::string file(const char* name) const { return folder / name; }
  void refused(std::vector<std::string> words, int code, const std::string& text) const {
    words.insert(words.begin(), {"sample", "--on", file("roof.obj")});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  }
};

TEST_F(OnMesh, MakesFilesOfEveryKindThatReproduce) {
  const Outcome outcome = good({"sample",       "--on",        file("roof.obj"),
                                "--radius",     "0.3",         "--certify",
                                "--report",     "--json",      "-o",
                                file("a.ply"),  "-o",          file("a.csv"),
                                "-o",           file("a.npy"), "-o",
                                file("a.json"), "-o",          file("a.png"),
                                "-o",           file("a.glb"), "-o",
                                file("a.usda")});
  const auto record = nlohmann::json::parse(outcome.out);
  // Twice 10 x 8, and kappa of a maximal set.
  const double kappa = record["points"].get<double>() * 0.09 / 160;
  EXPECT_NEAR(kappa, 0.71, 0.02);
  EXPECT_EQ(record["outputs"].size(), 7u);
  const std::string report = record["report"].dump();
  EXPECT_NE(report.find("violations"), std::string::npos);
  for (const std::string extension : {"ply", "glb", "usda"}) {
    const std::string before = folder.read("a." + extension);
    good({"reproduce", folder / ("a." + extension), "-o", folder / ("b." + extension)});
    EXPECT_TRUE(before == folder.read("b." + extension)) << extension;
  }
  const Image picture = read_image(file("a.png"), Limits{});
  EXPECT_EQ(picture.width(), 1600);
  const auto values = picture.channels[0].values();
  EXPECT_GT(std::count(values.begin(), values.end(), 1.0f), 100000);  // paper
  EXPECT_GT(std::count_if(values.begin(), values.end(), [](float v) { return v < 0.3f; }), 30000);
}

TEST_F(OnMesh, CountsExactlyAndLengthsArePartsOfTheDiagonal) {
  const Outcome counted =
      good({"sample", "--on", file("roof.obj"), "--count", "1000", "--json", "-o", file("a.ply")});
  EXPECT_EQ(nlohmann::json::parse(counted.out)["points"], 1000);
  const double diagonal = std::sqrt(16.0 * 16 + 6 * 6 + 8 * 8);
  const auto csv_of = [&](const std::string& radius) {
    return good({"sample", "--on", file("roof.obj"), "--radius", radius, "-o", "-"}).out;
  };
  const std::string in_percent = csv_of("2%");
  const std::string plain = csv_of(std::to_string(0.02 * diagonal));
  EXPECT_EQ(std::count(in_percent.begin(), in_percent.end(), '\n'),
            std::count(plain.begin(), plain.end(), '\n'));
  EXPECT_TRUE(in_percent.starts_with("x,y,r,z,nx,ny,nz,u,v,face\n"));
}

TEST_F(OnMesh, ObjectsStandAsAsked) {
  const std::string text =
      good({"sample", "--on", file("roof.obj"), "--radius", "1", "--align", "up", "--rotation",
            "90", "--object-size", "1:2", "--size-from", "radius", "-o", "-"})
          .out;
  EXPECT_TRUE(text.starts_with("x,y,r,z,nx,ny,nz,u,v,face,size,rotation,qx,qy,qz,qw\n"));
  EXPECT_NE(text.find(",2,90,0,0.70710677,0,0.70710677\n"), std::string::npos) << text;
  good({"sample", "--on", file("roof.obj"), "--radius", "1", "--align", "normal", "--object-size",
        "1%:2%", "-o", file("a.glb"), "-o", file("a.ply")});
  for (const std::string extension : {"ply", "glb"}) {
    good({"reproduce", folder / ("a." + extension), "-o", folder / ("b." + extension)});
    EXPECT_TRUE(folder.read("a." + extension) == folder.read("b." + extension)) << extension;
  }
  EXPECT_NE(folder.read("a.ply").find("property float qw\n"), std::string::npos);
  refused({"--object-size", "2:1", "-o", file("a.ply")}, 2, "--object-size");
  refused({"--object-size", "2mm", "-o", file("a.ply")}, 2, "no physical unit");
  const Outcome alone = run({"sample", "--align", "up", "-o", file("a.csv")});
  EXPECT_EQ(alone.code, 2);
  EXPECT_NE(alone.err.find("--on"), std::string::npos) << alone.err;
}

TEST_F(OnMesh, PointsStandInAProgressiveOrder) {
  const std::vector<std::string> words{"sample", "--on", file("roof.obj"), "--count", "400",
                                       "--seed", "3",    "--certify"};
  const auto lines_of = [&](bool progressive) {
    std::vector<std::string> all = words;
    if (progressive) all.emplace_back("--progressive");
    all.insert(all.end(), {"-o", "-"});
    std::istringstream text(good(all).out);
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  };
  std::vector<std::string> plain = lines_of(false);
  std::vector<std::string> ordered = lines_of(true);
  EXPECT_EQ(ordered.front(), "x,y,r,z,nx,ny,nz,u,v,face,rank");
  ASSERT_EQ(ordered.size(), plain.size());
  for (std::size_t i = 1; i < ordered.size(); ++i) {
    const std::string rank = "," + std::to_string(i - 1);
    ASSERT_TRUE(ordered[i].ends_with(rank)) << ordered[i];
    ordered[i].resize(ordered[i].size() - rank.size());
  }
  EXPECT_NE(std::vector(plain.begin() + 1, plain.end()),
            std::vector(ordered.begin() + 1, ordered.end()));
  std::sort(plain.begin() + 1, plain.end());
  std::sort(ordered.begin() + 1, ordered.end());
  EXPECT_TRUE(std::equal(plain.begin() + 1, plain.end(), ordered.begin() + 1));
}

TEST_F(OnMesh, ClassesHaveTheirRadiiAndShares) {
  const auto run_on = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"sample", "--on", file("roof.obj")});
    words.insert(words.end(), {"--json", "-o", file("a.csv")});
    const auto record = nlohmann::json::parse(good(words).out);
    EXPECT_TRUE(record["warnings"].empty()) << record["warnings"];
    std::istringstream text(folder.read("a.csv"));
    std::string line;
    std::getline(text, line);
    const bool has_rank = line.ends_with(",rank");
    EXPECT_EQ(line.substr(0, line.rfind(",rank")), "x,y,r,z,nx,ny,nz,u,v,face,class");
    std::vector<int> counts;
    while (std::getline(text, line)) {
      if (has_rank) line.erase(line.rfind(','));
      const auto c = static_cast<std::size_t>(std::stoi(line.substr(line.rfind(',') + 1)));
      counts.resize(std::max(counts.size(), c + 1));
      ++counts[c];
    }
    return counts;
  };
  const std::vector<int> radii = run_on({"--class-radius", "0.6,0.3", "--certify"});
  ASSERT_EQ(radii.size(), 2u);
  EXPECT_NEAR(radii[1], 4 * radii[0], 0.1 * radii[1]);
  EXPECT_EQ(run_on({"--class-radius", "0.6,0.3", "--progressive"}), radii);
  const std::vector<int> asked = run_on({"--class-radius", "3,2", "--class-distance", "mean",
                                         "--classes", "0.4,0.6", "--count", "1000"});
  EXPECT_EQ(asked[0] + asked[1], 1000);
  EXPECT_NEAR(asked[0], 400, 8);
  // Of one radius: exact shares.
  EXPECT_EQ(run_on({"--count", "1000", "--classes", "0.6,0.3,0.1"}),
            (std::vector<int>{600, 300, 100}));
  good({"sample", "--on", file("roof.obj"), "--class-radius", "2%,1%", "-o", file("a.glb"), "-o",
        file("a.usda")});
  for (const std::string extension : {"glb", "usda"}) {
    good({"reproduce", folder / ("a." + extension), "-o", folder / ("b." + extension)});
    EXPECT_TRUE(folder.read("a." + extension) == folder.read("b." + extension)) << extension;
  }
  const auto no = [&](std::vector<std::string> words, const std::string& text) {
    words.insert(words.end(), {"-o", file("a.ply")});
    refused(words, 2, text);
  };
  no({"--class-radius", "2,1", "--radius", "1"}, "--class-radius");
  no({"--class-radius", "2,1", "--radius-from", "curvature"}, "--radius-from");
  no({"--class-radius", "2mm,1mm"}, "no physical unit");
  no({"--class-radius", "2,1", "--classes", "3"}, "--classes");
  no({"--class-distance", "min"}, "--class-radius");
}

// Two roofs in one, a third of a radius apart.
TEST_F(OnMesh, DistancesAlongTheSurface) {
  std::ofstream(folder / "two.obj") << "v -8 0 0\nv 0 6 0\nv 0 6 8\nv -8 0 8\nv 8 0 0\nv 8 0 8\n"
                                       "v -8 0.3 0\nv 0 6.3 0\nv 0 6.3 8\nv -8 0.3 8\n"
                                       "v 8 0.3 0\nv 8 0.3 8\n"
                                       "f 4 3 2 1\nf 3 6 5 2\nf 10 9 8 7\nf 9 12 11 8\n";
  const auto points = [&](const char* mesh, std::vector<std::string> more) {
    std::vector<std::string> words{"sample", "--on", file(mesh),    "--radius",
                                   "1",      "-o",   file("a.ply"), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return nlohmann::json::parse(good(words).out)["points"].get<double>();
  };
  const double alone = points("roof.obj", {});
  EXPECT_LT(points("two.obj", {"--metric", "euclidean"}), 1.5 * alone);
  const double both = points("two.obj", {"--metric", "surface", "--certify", "--report"});
  EXPECT_NEAR(both / (2 * alone), 1, 0.08);
  const std::string before = folder.read("a.ply");
  good({"reproduce", file("a.ply"), "-o", file("b.ply")});
  EXPECT_TRUE(before == folder.read("b.ply"));
  good({"sample", "--on", file("two.obj"), "--count", "50", "--metric", "surface", "--certify",
        "-o", file("c.csv")});
  good({"sample", "--on", file("two.obj"), "--radius", "0.5", "--metric", "surface", "--keep",
        file("c.csv"), "--certify", "-o", file("d.csv")});
  EXPECT_EQ(folder.read("d.csv").find(folder.read("c.csv").substr(0, 20)), 0u);
  const std::vector<std::string> along{"--metric", "surface", "-o", file("a.ply")};
  for (const std::vector<std::string>& other : {std::vector<std::string>{"--gate", "90"},
                                                {"--progressive"},
                                                {"--classes", "2"},
                                                {"--class-radius", "2,1"},
                                                {"--radius-from", "curvature"}}) {
    std::vector<std::string> words = other;
    words.insert(words.end(), along.begin(), along.end());
    refused(words, 2, other[0]);
    refused(words, 2, "--metric");
  }
  refused({DAPPLE_SOURCE_FOLDER "/samples/ascent.png", "--metric", "surface", "-o", file("a.ply")},
          2, "MAP");
  const Outcome plane = run({"sample", "--metric", "surface", "-o", file("a.csv")});
  EXPECT_EQ(plane.code, 2);
  EXPECT_NE(plane.err.find("--on"), std::string::npos) << plane.err;
}

TEST_F(OnMesh, WhatIsForThePlaneIsRefusedByName) {
  const std::string photo = DAPPLE_SOURCE_FOLDER "/samples/ascent.png";
  refused({"-o", file("a.svg")}, 2, ".svg holds drawings of the plane");
  const Outcome plane = run({"sample", "--size", "64", "-o", file("a.glb")});
  EXPECT_EQ(plane.code, 2);
  EXPECT_NE(plane.err.find("--on"), std::string::npos) << plane.err;
  refused({photo, "-o", file("a.ply")}, 3, "needs texture coordinates");
  refused({"--radius-from", "curvature", photo, "-o", file("a.ply")}, 2, "--radius-from");
  refused({"--conflict", "min", "-o", file("a.ply")}, 2, "--radius-from");
  refused({"--radius-from", "age", "-o", file("a.ply")}, 2, "is not a column of the mesh");
  refused({"--radius-from", "curvature", "--radius", "1", "-o", file("a.ply")}, 2, "a range");
  refused({"--wrap", "-o", file("a.ply")}, 2, "--wrap");
  refused({"--method", "dense", "-o", file("a.ply")}, 2, "--method dense");
  refused({"--radius", "2mm", "-o", file("a.ply")}, 2, "no physical unit");
  refused({"--radius", "1:2", "-o", file("a.ply")}, 2, "one length");
  refused({"--radius", "1", "--count", "10", "-o", file("a.ply")}, 2, "--count");
  const Outcome alone = run({"sample", "--gate", "90", "-o", file("a.csv")});
  EXPECT_EQ(alone.code, 2);
  EXPECT_NE(alone.err.find("--gate"), std::string::npos) << alone.err;
  EXPECT_NE(alone.err.find("--on"), std::string::npos) << alone.err;
  const Outcome missing = run({"sample", "--on", file("no.ply"), "-o", file("a.csv")});
  EXPECT_EQ(missing.code, 3) << missing.err;
  std::ofstream(folder / "bad.obj") << "v 0 0 0\nf 1 2 3\n";
  const Outcome bad = run({"sample", "--on", file("bad.obj"), "-o", file("a.csv")});
  EXPECT_EQ(bad.code, 3);
  EXPECT_NE(bad.err.find("bad.obj: line 2"), std::string::npos) << bad.err;
}

// What a stranger tries first.
TEST_F(OnMesh, MistakesWithMeshesAreNamed) {
  refused({"-o", file("a.gltf")}, 2, ".glb, which is glTF in one file");
  refused({DAPPLE_SOURCE_FOLDER "/samples/ascent.png", "-o", file("a.ply")}, 3, "roof.obj: ");
  const Outcome map = run({"sample", file("roof.obj"), "-o", file("a.csv")});
  EXPECT_EQ(map.code, 3);
  EXPECT_NE(map.err.find("with --on MESH"), std::string::npos) << map.err;
  good({"sample", "--sphere", "1", "--count", "50", "-o", file("a.csv")});
  const Outcome flat = good({"analyze", file("a.csv")});
  EXPECT_NE(flat.err.find("only x and y"), std::string::npos) << flat.err;
  std::ofstream(folder / "tiny.obj") << "v 0 0 0\nv 1e-300 0 0\nv 0 1e-300 0\nf 1 2 3\n";
  const Outcome tiny =
      run({"sample", "--on", file("tiny.obj"), "--radius", "1%", "-o", file("a.csv")});
  EXPECT_EQ(tiny.code, 3);
  EXPECT_NE(tiny.err.find("tiny.obj: is 1e-300 wide"), std::string::npos) << tiny.err;
  const std::string help = good({"sample", "--help"}).out;
  for (const char* name : {"--on MESH", "--in MESH", "--sphere R"}) {
    EXPECT_NE(help.find(name), std::string::npos) << name;
  }
}

TEST_F(OnMesh, PicturesHaveAColorForEachClass) {
  const auto picture = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"sample", "--on", file("roof.obj"), "-o", file("a.png")});
    good(words);
    return read_image(file("a.png"), Limits{});
  };
  EXPECT_EQ(picture({"--radius", "1"}).channels.size(), 1u);
  const Image colored = picture({"--class-radius", "2,1", "--class-distance", "mean"});
  ASSERT_EQ(colored.channels.size(), 3u);
  int black = 0;
  int orange = 0;
  for (std::size_t i = 0; i < colored.channels[0].size(); ++i) {
    const auto value = [&](std::size_t c) { return colored.channels[c].values()[i] * 255; };
    orange += std::abs(value(0) - 0xd5) < 2 && std::abs(value(1) - 0x5e) < 2 ? 1 : 0;
    black += value(0) < 80 && value(0) == value(2) ? 1 : 0;
  }
  EXPECT_GT(orange, 3000);
  EXPECT_GT(black, 3000);
}

// A corner of three edges of an eighth of a meter.
constexpr const char* corner_as_gltf =
    R"({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}],
  "nodes": [{"mesh": 0}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
  "accessors": [{"bufferView": 0, "componentType": 5126, "count": 12, "type": "VEC3"}],
  "bufferViews": [{"buffer": 0, "byteLength": 144}],
  "buffers": [{"byteLength": 144, "uri": "data:application/octet-stream;base64,)"
    "AAAAAAAAAAAAAAAAAAAAAAAAAD4AAAAAAAAAPgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPgAAAAAAAAAA"
    "AAAAAAAAAAAAAAA+AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA+AAAAAAAAAD4AAAAAAAAAPgAAAAAAAAAA"
    "AAAAAAAAAD4AAAAAAAAAAAAAAAAAAAA+"
    "\"}]}";

TEST_F(OnMesh, LengthsOnPaperAreThoseOfAGltfInMeters) {
  std::ofstream(folder / "corner.gltf") << corner_as_gltf;
  const auto points = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "sample");
    words.insert(words.end(), {"-o", file("a.csv"), "-o", file("a.usda")});
    good(words);
    return folder.read("a.csv");
  };
  const std::string mesh = file("corner.gltf");
  const std::string plain = points({"--on", mesh, "--radius", "0.005"});
  EXPECT_GT(std::count(plain.begin(), plain.end(), '\n'), 500);
  EXPECT_EQ(points({"--on", mesh, "--radius", "5mm"}), plain);
  EXPECT_EQ(points({"--on", mesh, "--radius", "0.5cm"}), plain);
  EXPECT_NE(folder.read("a.usda").find("metersPerUnit = 1\n"), std::string::npos);
  EXPECT_EQ(points({"--on", mesh, "--radius", "0.5in"}),
            points({"--on", mesh, "--radius", "0.0127"}));
  EXPECT_EQ(points({"--on", mesh, "--radius", "0.5cm", "--object-size", "2mm:3mm"}),
            points({"--on", mesh, "--radius", "0.005", "--object-size", "0.002:0.003"}));
  EXPECT_EQ(points({"--on", mesh, "--class-radius", "10mm,5mm"}),
            points({"--on", mesh, "--class-radius", "0.01,0.005"}));
  EXPECT_EQ(points({"--on", mesh, "--radius-from", "curvature", "--radius", "5mm:1cm"}),
            points({"--on", mesh, "--radius-from", "curvature", "--radius", "0.005:0.01"}));
  EXPECT_EQ(points({"--in", mesh, "--radius", "5mm"}), points({"--in", mesh, "--radius", "0.005"}));
  // The others do not say how long their unit is.
  for (const char* option : {"--on", "--in"}) {
    const Outcome outcome =
        run({"sample", option, file("roof.obj"), "--radius", "5mm", "-o", file("a.csv")});
    EXPECT_EQ(outcome.code, 2);
    for (const char* text : {"--radius", "is 5mm", "a number in the unit", "% of the diagonal"}) {
      EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
    }
  }
}

// A square of side 8 in triangles, left to right: values and reds from 0 to 1, places in a texture.
class WithValues : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    constexpr int n = 8;
    std::ofstream ply(folder / "plate.ply");
    ply << "ply\nformat ascii 1.0\nelement vertex 81\nproperty float x\nproperty float y\n"
           "property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n"
           "property float heat\nelement face 64\nproperty list uchar int vertex_indices\n"
           "end_header\n";
    std::ofstream obj(folder / "plate.obj");
    for (int y = 0; y <= n; ++y) {
      for (int x = 0; x <= n; ++x) {
        const int gray = 255 * x / n;
        ply << x << ' ' << y << " 0 " << gray << ' ' << gray << ' ' << gray << ' ' << 3 * x << '\n';
        obj << "v " << x << ' ' << y << " 0\nvt " << x / 8.0 << ' ' << y / 8.0 << '\n';
      }
    }
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        const int a = y * (n + 1) + x;
        ply << "4 " << a << ' ' << a + 1 << ' ' << a + n + 2 << ' ' << a + n + 1 << '\n';
        obj << "f";
        for (const int corner : {a, a + 1, a + n + 2, a + n + 1}) {
          obj << ' ' << corner + 1 << '/' << corner + 1;
        }
        obj << '\n';
      }
    }
  }
  std::string file(const char* name) const { return folder / name; }

  struct Row {
    double x, y, r;
  };
  std::vector<Row> rows_of(std::vector<std::string> words) const {
    words.insert(words.begin(), "sample");
    words.insert(words.end(), {"--certify", "-o", "-"});
    std::istringstream text(good(words).out);
    std::string line;
    std::getline(text, line);
    std::vector<Row> rows;
    while (std::getline(text, line)) {
      Row row{};
      EXPECT_EQ(std::sscanf(line.c_str(), "%lf,%lf,%lf", &row.x, &row.y, &row.r), 3) << line;
      rows.push_back(row);
    }
    return rows;
  }
  // Radii of points at that x, on the mean.
  static double near_x(const std::vector<Row>& rows, double x) {
    double sum = 0;
    int count = 0;
    for (const Row& row : rows) {
      if (std::abs(row.x - x) > 0.25) continue;
      sum += row.r;
      ++count;
    }
    EXPECT_GT(count, 0) << x;
    return sum / std::max(count, 1);
  }
};

TEST_F(WithValues, RadiiFollowNumbersOfVertices) {
  const auto rows = rows_of(
      {"--on", file("plate.ply"), "--radius-from", "heat", "--radius", "0.1:1", "--as", "radius"});
  EXPECT_NEAR(near_x(rows, 1), 0.1 + 0.9 / 8, 0.02);
  EXPECT_NEAR(near_x(rows, 4), 0.55, 0.03);
  // A density: r = 0.1 / sqrt(share), linear between vertices.
  const auto dense =
      rows_of({"--on", file("plate.ply"), "--radius-from", "heat", "--radius", "0.1:1"});
  EXPECT_NEAR(near_x(dense, 7.8), 0.1, 0.01);
  EXPECT_NEAR(near_x(dense, 2), 0.2, 0.02);
  const auto dark = rows_of(
      {"--on", file("plate.ply"), "--radius-from", "color", "--radius", "0.1:1", "--as", "tone"});
  EXPECT_NEAR(near_x(dark, 0.2), 0.1, 0.01);
  EXPECT_GT(near_x(dark, 7), 2 * near_x(dark, 1));
}

TEST_F(WithValues, RadiiFollowATextureAndReproduce) {
  std::ofstream(folder / "ramp.pgm") << "P2 4 2 100  0 0 100 100  0 0 25 25\n";  // rows from above
  const auto rows = rows_of({file("ramp.pgm"), "--on", file("plate.obj"), "--radius", "0.1:0.8",
                             "--interpolation", "nearest", "--slope", "none"});
  EXPECT_NEAR(near_x(rows, 2), 0.8, 0.01);  // black
  double low = 0;
  double high = 0;
  int low_count = 0;
  int high_count = 0;
  for (const auto& row : rows) {
    if (row.x < 5 || row.x > 7 || std::abs(row.y - 4) > 3 || std::abs(row.y - 4) < 1) continue;
    (row.y < 4 ? low : high) += row.r;
    ++(row.y < 4 ? low_count : high_count);
  }
  EXPECT_NEAR(high / high_count, 0.1, 0.002);  // v counts up: the upper row of pixels
  EXPECT_NEAR(low / low_count, 0.2, 0.004);
  good({"sample", file("ramp.pgm"), "--on", file("plate.obj"), "--count", "900", "-o",
        file("a.ply")});
  good({"reproduce", file("a.ply"), "-o", file("b.ply")});
  EXPECT_TRUE(folder.read("a.ply") == folder.read("b.ply"));
  const auto nine = rows_of({file("ramp.pgm"), "--on", file("plate.obj"), "--count", "900"});
  EXPECT_EQ(nine.size(), 900u);
}

}  // namespace
}  // namespace dapple::test
