// Volumes and classes of `dapple sample` as users run them.
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "dapple/context.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "dapple/point_files.hpp"
#include "program_test.hpp"

namespace dapple::test {
namespace {

class InSpace : public ProgramTest {
 protected:
  std::string file(const char* name) const { return folder / name; }
  std::vector<std::string> lines_of(const char* name) const {
    std::istringstream table(folder.read(name));
    std::vector<std::string> lines;
    for (std::string line; std::getline(table, line);) lines.push_back(line);
    return lines;
  }
  // The numbers of each line of a .csv file below the first one, which names its columns.
  std::vector<std::vector<double>> rows_of(const char* name, const std::string& columns) const {
    std::vector<std::string> lines = lines_of(name);
    EXPECT_EQ(lines.at(0), columns);
    lines.erase(lines.begin());
    std::vector<std::vector<double>> rows;
    for (const std::string& line : lines) {
      EXPECT_EQ(std::count(line.begin(), line.end(), ','),
                std::count(columns.begin(), columns.end(), ','))
          << line;
      std::istringstream numbers(line);
      rows.emplace_back();
      for (std::string number; std::getline(numbers, number, ',');) {
        rows.back().push_back(std::stod(number));
      }
    }
    return rows;
  }
  void refused(std::vector<std::string> words, const std::vector<std::string>& texts) const {
    words.insert(words.begin(), "sample");
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    for (const std::string& text : texts) {
      EXPECT_NE(outcome.err.find(text), std::string::npos) << text << " in " << outcome.err;
    }
  }
};

// By figures of space: seen as a plane's, next to all of their points would be too near.
TEST_F(InSpace, VolumesAreComparedWithEachOtherAlone) {
  good({"sample", "--size", "24x24x24", "--radius", "3", "--wrap", "-o", file("a.csv")});
  good({"sample", "--size", "24x24x24", "--radius", "2.5", "--wrap", "-o", file("b.ply")});
  good({"sample", "--size", "24", "--radius", "3", "-o", file("flat.csv")});
  const auto said = nlohmann::json::parse(
      good({"compare", file("a.csv"), file("b.ply"), "--json", "-o", file("c.png")}).out);
  for (const char* name : {"a", "b"}) {
    const auto& report = said["reports"][name];
    EXPECT_NEAR(report["measurements"]["kappa"].get<double>(), 0.73, 0.03) << name;
    EXPECT_EQ(report["measurements"]["violations"], 0) << name;
    EXPECT_EQ(report["measurements"]["holes"], 0) << name;
    EXPECT_EQ(report["curves"][0]["title"], "Power in shells") << name;
  }
  for (const auto& words :
       {std::vector<std::string>{"compare", file("a.csv"), file("flat.csv"), "-o", "c.png"},
        {"compare", file("flat.csv"), file("a.csv"), "-o", "c.png"},
        {"compare", file("a.csv"), "--methods", "darts", "-o", "c.png"}}) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find("planes and volumes"), std::string::npos) << outcome.err;
  }
}

TEST_F(InSpace, ASizeWithADepthIsAVolume) {
  good({"sample", "--size", "32x24x16", "--radius", "3", "--certify", "-o", file("a.csv")});
  const Points points = read_points(file("a.csv"), Limits{});
  ASSERT_EQ(points.z.size(), points.size());
  EXPECT_GT(*std::max_element(points.z.begin(), points.z.end()), 14);
  // 64 of 94 points would be a plane's.
  EXPECT_GT(points.size(), 300u);
  good({"sample", "--dimensions", "3", "--size", "24", "--count", "500", "--wrap", "-o",
        file("b.ply")});
  const Points cube = read_points(file("b.ply"), Limits{});
  EXPECT_EQ(cube.size(), 500u);
  EXPECT_GT(*std::max_element(cube.z.begin(), cube.z.end()), 22);
}

// Files that are tables have beside them how far each side goes.
TEST_F(InSpace, FourDimensionsAreReadBack) {
  for (const char* name : {"four.csv", "four.npy", "four.ply", "four.json"}) {
    good({"sample", "--dimensions", "4", "--size", "12", "--radius", "4", "--wrap", "--certify",
          "-o", file(name)});
    const Points points = read_points(file(name), Limits{});
    EXPECT_GT(points.size(), 50u);
    EXPECT_EQ(points.w.size(), points.size()) << name;
    EXPECT_EQ(points.extent, 12) << name;
    const Outcome outcome = good({"analyze", file(name), "--certify", "--wrap"});
    EXPECT_NE(outcome.out.find("N r^4"), std::string::npos) << outcome.out;
  }
}

TEST_F(InSpace, ItsReportIsOfTheVolume) {
  const Outcome outcome = good({"sample", "--size", "40x40x40", "--radius", "4", "--wrap",
                                "--report", "--json", "-o", file("a.csv")});
  const std::string report = nlohmann::json::parse(outcome.out)["report"].dump();
  for (const char* name : {"depth", "kappa", "holes", "LF"}) {
    EXPECT_NE(report.find(name), std::string::npos) << name;
  }
  good({"analyze", file("a.csv"), "--certify", "--wrap", "-o", file("sheet.png")});
}

TEST_F(InSpace, WhatIsForThePlaneIsRefused) {
  const std::vector<std::string> size{"--size", "32x32x32"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.begin(), size.begin(), size.end());
    return words;
  };
  refused(with({"--radius", "2:9"}), {"--radius", "one length"});
  refused(with({"--radius", "3", "--count", "9"}), {"--radius", "--count"});
  refused(with({"--radius", "0"}), {"--radius", "above 0"});
  refused(with({"--radius", "3", "--method", "bridson"}), {"--method", "darts"});
  refused(with({"--radius", "3", "--inset", "3"}), {"--inset", "plane"});
  refused(with({"--radius", "3", "--classes", "3"}), {"--classes", "--class-radius"});
  refused(with({"--radius", "3", "--dimensions", "2"}), {"--dimensions", "depth"});
  refused({"--size", "32x16", "--dimensions", "3", "--radius", "3"}, {"--dimensions", "depth"});
  refused({"--size", "32", "--dimensions", "5", "--radius", "3"}, {"--dimensions"});
  const auto in_four = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"--dimensions", "4", "--size", "16"});
    return more;
  };
  refused({"--dimensions", "4", "--size", "16x12", "--radius", "3"},
          {"--dimensions", "four sides"});
  refused({"--size", "9x9x9x9x9", "--radius", "3"}, {"--size"});
  refused(in_four({"--radius", "2:4"}), {"--radius", "one length"});
  refused(in_four({"--class-radius", "4,2"}), {"--class-radius", "one radius"});
  std::ofstream(folder / "trees.csv") << "x,y,r\n1,1,1\n";
  EXPECT_NE(run({"sample", "--dimensions", "4", "--size", "16", "--radius", "3", "--keep",
                 file("trees.csv"), "-o", file("a.csv")})
                .err.find("column z"),
            std::string::npos);
}

// Bright at the near left corner, black in the last two slices.
Image slices(int width, int height, int count) {
  Image image;
  image.names = {"Y"};
  image.encoding = Encoding::data;
  image.type = PixelType::u8;
  image.slices = count;
  image.channels = {Plane<float>(width, height * count)};
  for (int z = 0; z < count - 2; ++z) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        image.channels[0](x, z * height + y) =
            static_cast<float>(255 - 200 * (x + y + z) / (width + height + count)) / 255;
      }
    }
  }
  return image;
}

TEST_F(InSpace, SlicesOfAMapChooseTheRadius) {
  const Image all = slices(24, 20, 16);
  const Context context;
  std::ofstream(file("all.exr"), std::ios::binary) << encode_image(all, "exr", context);
  for (int z = 0; z < all.slices; ++z) {
    const std::string number = (z < 10 ? "000" : "00") + std::to_string(z);
    std::ofstream(file(("s" + number + ".png").c_str()), std::ios::binary)
        << encode_image(slice_of(all, z), "png", context);
  }
  const std::vector<std::string> how{"--dimensions", "3", "--radius", "1.5:6", "--certify"};
  const auto made = [&](const char* map, const char* name) {
    std::vector<std::string> words{"sample", file(map), "-o", file(name)};
    words.insert(words.end(), how.begin(), how.end());
    good(words);
    return read_points(file(name), Limits{});
  };
  const Points points = made("s%04d.png", "a.csv");
  ASSERT_EQ(points.z.size(), points.size());
  EXPECT_GT(points.size(), 300u);
  EXPECT_EQ(points.domain.width, 24);
  EXPECT_EQ(points.domain.height, 20);
  const auto [least, most] = std::minmax_element(points.radius.begin(), points.radius.end());
  EXPECT_LT(*least, 1.7f);
  EXPECT_GT(*most, 1.2f * *least);
  // Nothing where it is black.
  EXPECT_LT(*std::max_element(points.z.begin(), points.z.end()), 14);
  EXPECT_EQ(made("s{frame}.png", "b.csv").x, points.x);
  made("s%04d.png", "c.ply");
  const std::string before = folder.read("c.ply");
  good({"reproduce", file("c.ply"), "--input", file("s{frame}.png"), "-o", file("d.ply")});
  EXPECT_TRUE(before == folder.read("d.ply"));
  // Parts of an .exr hold the same up to the rounding of 8 bits.
  EXPECT_NEAR(static_cast<double>(made("all.exr", "e.csv").size()),
              static_cast<double>(points.size()), 0.05 * static_cast<double>(points.size()));
  good({"sample", file("all.exr"), "--dimensions", "3", "--count", "200", "--progressive", "--as",
        "radius", "--radius", "1:3", "-o", file("f.csv")});
  EXPECT_EQ(read_points(file("f.csv"), Limits{}).size(), 200u);
  // Without a third dimension the first slice is a map as any other, which is said.
  const Outcome flat = good({"sample", file("all.exr"), "--radius", "3", "-o", file("g.csv")});
  EXPECT_NE(flat.err.find("--dimensions 3"), std::string::npos) << flat.err;
  EXPECT_TRUE(read_points(file("g.csv"), Limits{}).z.empty());
}

TEST_F(InSpace, WhatSlicesDoNotTakeIsRefused) {
  const Context context;
  std::ofstream(file("all.exr"), std::ios::binary) << encode_image(slices(8, 8, 6), "exr", context);
  const auto refuses = [&](std::vector<std::string> words, const std::vector<std::string>& texts) {
    words.insert(words.begin(), {file("all.exr"), "--dimensions", "3"});
    refused(words, texts);
  };
  refuses({"--radius", "2:4", "--mask", file("all.exr")}, {"--mask", "voxels"});
  refuses({"--radius", "2:4", "--contrast", "2"}, {"--contrast"});
  refuses({"--radius", "2:4", "--conflict", "candidate"}, {"--conflict"});
  refuses({"--radius", "2:4", "--method", "bridson"}, {"--method", "darts"});
  refuses({"--as", "radius"}, {"--radius", "2:20"});
  refuses({"--radius", "2", "--count", "9"}, {"--radius", "--count"});
  refuses({"--radius", "4:2"}, {"--radius", "MIN"});
}

TEST_F(InSpace, ClassesHaveColumnsOfTheirOwn) {
  good({"sample", "--size", "200", "--class-radius", "12,6,3", "--certify", "--wrap", "-o",
        file("a.csv")});
  const Points points = read_points(file("a.csv"), Limits{});
  ASSERT_EQ(points.class_id.size(), points.size());
  std::set<std::pair<std::int32_t, float>> kinds;
  for (std::size_t i = 0; i < points.size(); ++i)
    kinds.insert({points.class_id[i], points.radius[i]});
  EXPECT_EQ(kinds, (std::set<std::pair<std::int32_t, float>>{{0, 12}, {1, 6}, {2, 3}}));
  good({"sample", "--size", "30x30x30", "--class-radius", "8,4", "--class-distance", "mean",
        "--classes", "0.2,0.8", "--certify", "-o", file("b.csv")});
  EXPECT_FALSE(read_points(file("b.csv"), Limits{}).z.empty());
}

TEST_F(InSpace, ClassesSayWhatDoesNotGoTogether) {
  refused({"--class-radius", "9,0"}, {"--class-radius"});
  refused({"--class-radius", "9,4", "--radius", "3"}, {"--class-radius", "--radius"});
  refused({"--class-distance", "mean", "--radius", "3"}, {"--class-distance", "--class-radius"});
  refused({"--class-radius", "9,4", "--classes", "3"}, {"--classes", "--class-radius"});
}

// The first half holds half of each class, and kept points come first.
TEST_F(InSpace, ClassesComeInAnOrder) {
  for (const std::string size : {"200x120", "40x30x30"}) {
    const bool deep = size != "200x120";
    good({"sample", "--size", size, "--class-radius", "8,4", "--progressive", "--certify", "-o",
          file("a.csv")});
    const auto rows = rows_of("a.csv", deep ? "x,y,r,z,class,rank" : "x,y,r,class,rank");
    const std::size_t of_class = deep ? 4 : 3;
    std::array<double, 2> all{}, half{};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(rows[i].at(of_class + 1), i);
      const auto class_id = static_cast<std::size_t>(rows[i].at(of_class));
      ++all[class_id];
      half[class_id] += i < rows.size() / 2 ? 1 : 0;
    }
    for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(half[c], 0.5 * all[c], 1) << c;
    good({"sample", "--size", size, "--class-radius", "4,2", "--progressive", "--keep",
          file("a.csv"), "-o", file("b.csv")});
    const auto more = rows_of("b.csv", deep ? "x,y,r,z,class,rank" : "x,y,r,class,rank");
    EXPECT_GT(more.size(), rows.size());
    EXPECT_EQ(more[5], rows[5]);
  }
}

// ---- round points on a mesh ----

TEST_F(InSpace, MeshesAreFilledRoundPointsThatAreThere) {
  std::ofstream(folder / "box.obj") << "v -8 0 2\nv 0 0 2\nv 0 6 2\nv -8 0 10\nv 0 0 10\nv 0 6 10\n"
                                       "f 1 2 3\nf 6 5 4\nf 1 4 5 2\nf 2 5 6 3\nf 3 6 4 1\n";
  good({"sample", "--on", file("box.obj"), "--radius", "2", "-o", file("trees.ply")});
  good({"sample", "--on", file("box.obj"), "--radius", "0.6", "--keep", file("trees.ply"),
        "--certify", "-o", file("all.csv"), "-o", file("look.png")});
  good({"sample", "--on", file("box.obj"), "--radius", "0.6", "--keep", file("trees.ply"),
        "--only-new", "--certify", "-o", file("new.csv")});
  const auto all = lines_of("all.csv");
  const auto fresh = lines_of("new.csv");
  const auto trees = read_points(file("trees.ply"), Limits{}).size();
  ASSERT_EQ(all.size(), fresh.size() + trees);
  EXPECT_EQ(all[0], "x,y,r,z,nx,ny,nz,u,v,face");
  EXPECT_NE(all[1].find(",2,"), std::string::npos) << all[1];
  EXPECT_EQ(all[1 + trees], fresh[1]);
  good({"sample", "--on", file("box.obj"), "--count", "300", "--keep", file("trees.ply"), "-o",
        file("many.csv")});
  EXPECT_EQ(lines_of("many.csv").size(), 301u);
  // A mesh that reaches below 0 in each direction, and its own points.
  std::ofstream(folder / "low.obj")
      << "v -4 -3 -2\nv 4 -3 -2\nv 4 3 -2\nv -4 3 5\nf 1 2 3\nf 1 3 4\n";
  good({"sample", "--on", file("low.obj"), "--radius", "2", "-o", file("low.csv"), "-o",
        file("low.ply")});
  for (const char* kept : {"low.csv", "low.ply"}) {
    good({"sample", "--on", file("low.obj"), "--radius", "0.6", "--keep", file(kept), "--certify",
          "-o", file("lower.csv")});
    EXPECT_EQ(lines_of("lower.csv")[1].substr(0, 8), lines_of("low.csv")[1].substr(0, 8)) << kept;
  }
  EXPECT_NE(run({"sample", "--size", "20x20", "--radius", "2", "--keep", file("low.csv"), "-o",
                 file("plane.csv")})
                .err.find("has z ="),
            std::string::npos);
  std::ofstream(folder / "flat.csv") << "x,y,r\n1,1,1\n";
  const auto refused_with = [&](std::vector<std::string> words, const std::string& text) {
    words.insert(words.begin(), {"sample", "--on", file("box.obj"), "--radius", "1"});
    const Outcome outcome = run(words);
    EXPECT_NE(outcome.code, 0);
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  };
  refused_with({"--keep", file("flat.csv")}, "column z");
  // In an order, beside classes, and from an array of the mesh's own points.
  good({"sample", "--on", file("box.obj"), "--radius", "0.6", "--keep", file("trees.ply"),
        "--progressive", "--certify", "-o", file("order.csv")});
  EXPECT_EQ(lines_of("order.csv")[1].substr(0, 8), all[1].substr(0, 8));
  EXPECT_EQ(lines_of("order.csv").size(), all.size());
  good({"sample", "--on", file("box.obj"), "--radius", "2", "-o", file("trees.npy")});
  EXPECT_EQ(read_points(file("trees.npy"), Limits{}).size(), trees);
  good({"sample", "--on", file("box.obj"), "--class-radius", "1.2,0.6", "--keep", file("trees.npy"),
        "--certify", "-o", file("classes.csv")});
  EXPECT_NE(lines_of("classes.csv")[0].find("class"), std::string::npos);
}

// ---- in a mesh ----

class InMesh : public InSpace {
 protected:
  void SetUp() override {
    InSpace::SetUp();
    // A wedge, 8 by 6 by 8, half of which is solid.
    wedge("wedge.obj", "f 1 2 3\nf 6 5 4\nf 1 4 5 2\nf 2 5 6 3\nf 3 6 4 1\n");
    wedge("open.obj", "f 6 5 4\nf 1 4 5 2\nf 2 5 6 3\nf 3 6 4 1\n");
  }
  void wedge(const char* name, const char* faces) const {
    std::ofstream(folder / name) << "v -8 0 2\nv 0 0 2\nv 0 6 2\nv -8 0 10\nv 0 0 10\nv 0 6 10\n"
                                 << faces;
  }
  void refuses(std::vector<std::string> words, const std::vector<std::string>& texts) const {
    words.insert(words.begin(), {"--in", file("wedge.obj")});
    refused(words, texts);
  }
};

TEST_F(InMesh, MakesFilesOfEveryKindThatReproduce) {
  std::vector<std::string> words{"sample", "--in",      file("wedge.obj"), "--radius",
                                 "0.5",    "--certify", "--report",        "--json"};
  const std::vector<std::string> extensions{"ply", "csv", "npy", "json", "png", "glb", "usda"};
  for (const std::string& extension : extensions) {
    words.insert(words.end(), {"-o", folder / ("a." + extension)});
  }
  const auto record = nlohmann::json::parse(good(words).out);
  EXPECT_EQ(record["report"]["kind"], "inside");
  const std::string report = record["report"].dump();
  for (const char* name : {"volume", "kappa", "outside", "holes"}) {
    EXPECT_NE(report.find(name), std::string::npos) << name;
  }
  for (const std::string extension : {"ply", "glb", "usda"}) {
    const std::string before = folder.read("a." + extension);
    good({"reproduce", folder / ("a." + extension), "-o", folder / ("b." + extension)});
    EXPECT_TRUE(before == folder.read("b." + extension)) << extension;
  }
  const auto rows = rows_of("a.csv", "x,y,r,z");
  for (const std::vector<double>& row : rows) {
    const double x = row.at(0), y = row.at(1), z = row.at(3);
    EXPECT_TRUE(x > -8 && x < 0 && z > 2 && z < 10) << x << " " << y << " " << z;
    EXPECT_TRUE(y > 0 && y < 6 * (1 + x / 8) + 1e-9) << x << " " << y << " " << z;
    EXPECT_EQ(row.at(2), 0.5);
  }
  EXPECT_EQ(rows.size(), record["points"]);
  EXPECT_NE(folder.read("a.npy").find("(" + std::to_string(rows.size()) + ", 4)"),
            std::string::npos);
  const Image picture = read_image(file("a.png"), Limits{});
  const auto values = picture.channels[0].values();
  EXPECT_GT(std::count(values.begin(), values.end(), 1.0f), 100000);  // paper
  EXPECT_GT(std::count_if(values.begin(), values.end(), [](float v) { return v < 0.7f; }), 30000);
}

TEST_F(InMesh, CountsOrdersAndStandsObjects) {
  const std::string text =
      good({"sample", "--in", file("wedge.obj"), "--count", "300", "--progressive", "--align", "up",
            "--rotation", "0:360", "--object-size", "1%:2%", "--seed", "4", "-o", "-"})
          .out;
  EXPECT_TRUE(text.starts_with("x,y,r,z,rank,size,rotation,qx,qy,qz,qw\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 301);
}

TEST_F(InMesh, SaysWhatIsWrong) {
  const Outcome open = run({"sample", "--in", file("open.obj"), "--radius", "1", "-o", "-"});
  EXPECT_EQ(open.code, 3) << open.err;
  for (const std::string& text : {file("open.obj"), std::string("3 edges are open"),
                                  std::string("fill its holes"), std::string("--on")}) {
    EXPECT_NE(open.err.find(text), std::string::npos) << text << " in " << open.err;
  }
  refuses({"--radius", "1", "--count", "9"}, {"--count", "--radius"});
  refuses({"--radius", "1:2"}, {"--radius", "one length"});
  refuses({"--radius", "1mm"}, {"--radius", "diagonal"});
  refuses({"--radius", "1", "--on", file("wedge.obj")}, {"--in", "--on"});
  refuses({"--radius", "1", "--size", "9"}, {"--in", "--size"});
  refuses({"--radius", "1", "--wrap"}, {"--in", "--wrap"});
  refuses({"--radius", "1", "--gate", "90"}, {"--gate", "--on"});
  refuses({"--radius", "1", "--align", "normal"}, {"--in", "--align"});
  refuses({"--radius", "1", "--classes", "3"}, {"--classes", "--class-radius"});
  refuses({"--class-radius", "1,2", "--classes", "3"}, {"--classes", "--class-radius"});
  std::ofstream(file("flat.png"), std::ios::binary)
      << encode_image(slices(8, 8, 1), "png", Context());
  refuses({file("flat.png"), "--radius", "1:2"}, {"--in", "8 x 6 x 8 voxels", "not 8 x 8 x 1"});
  refuses({"--radius", "1", "--method", "bridson"}, {"--in", "--method"});
}

TEST_F(InMesh, TakesSlicesAndClasses) {
  const Context context;
  std::ofstream(file("all.exr"), std::ios::binary) << encode_image(slices(8, 6, 8), "exr", context);
  const std::vector<std::vector<std::string>> ways{
      {file("all.exr"), "--radius", "0.6:2", "--conflict", "max"},
      {file("all.exr"), "--count", "200"},
      {"--class-radius", "1.4,0.7"},
      {"--class", "a=" + file("all.exr") + ":0.7:2", "--class", "b=" + file("all.exr") + ":1:2",
       "--progressive"}};
  for (const std::vector<std::string>& way : ways) {
    std::vector<std::string> words{"sample",      "--in", file("wedge.obj"), "--certify", "-o",
                                   file("a.ply"), "-o",   file("a.csv")};
    words.insert(words.begin() + 1, way.begin(), way.end());
    good(words);
    const Points points = read_points(file("a.csv"), Limits{});
    EXPECT_GT(points.size(), 50U);
    EXPECT_EQ(points.class_id.empty(), way[0] == file("all.exr"));
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double x = points.x[i] + points.origin.x;
      EXPECT_TRUE(x > -8 && x < 0) << x;
    }
    const std::string before = folder.read("a.ply");
    good({"reproduce", file("a.ply"), "-o", file("b.ply")});
    EXPECT_TRUE(before == folder.read("b.ply"));
  }
}

// ---- on a sphere ----

TEST_F(InSpace, ClassesHaveMapsOnSpheresAndMeshesAndInVolumes) {
  const Context context;
  std::string pixels = "P5 16 8 255\n";
  for (int i = 0; i < 16 * 8; ++i) pixels += static_cast<char>(60 + 8 * (i % 16));
  std::ofstream(file("map.pgm"), std::ios::binary) << pixels;
  std::ofstream(file("all.exr"), std::ios::binary) << encode_image(slices(9, 8, 7), "exr", context);
  std::ofstream(file("square.obj")) << "v 0 0 0\nv 9 0 0\nv 9 9 0\nv 0 9 0\nvt 0 0\nvt 1 0\nvt 1 "
                                       "1\nvt 0 1\nf 1/1 2/2 3/3\nf 1/1 3/3 4/4\n";
  const auto maps = [&](const char* name, const char* of_a, const char* of_b) {
    return std::vector<std::string>{"--class", "a=" + file(name) + of_a, "--class",
                                    "b=" + file(name) + of_b};
  };
  const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> ways{
      {{"--sphere", "5"}, {"--class-radius", "20%,10%"}},
      {{"--sphere", "5"}, maps("map.pgm", ":0.6:2", ":8%:20%")},
      {{"--on", file("square.obj")}, maps("map.pgm", ":0.5:1", ":3%:9%")},
      {{"--dimensions", "3"}, maps("all.exr", ":1.2:3", ":1:2")}};
  for (const auto& [where, what] : ways) {
    std::vector<std::string> words{"sample",       "--certify", "-o",
                                   file("a.json"), "-o",        file("a.ply")};
    words.insert(words.begin() + 1, where.begin(), where.end());
    words.insert(words.begin() + 1, what.begin(), what.end());
    good(words);
    const Points points = read_points(file("a.json"), Limits{});
    EXPECT_GT(points.size(), 60U);
    EXPECT_GT(std::count(points.class_id.begin(), points.class_id.end(), 0), 5) << where[0];
    EXPECT_GT(std::count(points.class_id.begin(), points.class_id.end(), 1), 5) << where[0];
    if (what[0] == "--class") {
      EXPECT_EQ(name_of_class(points, 1), "b");
    }
    const std::string before = folder.read("a.ply");
    good({"reproduce", file("a.ply"), "-o", file("b.ply")});
    EXPECT_TRUE(before == folder.read("b.ply")) << where[0];
  }
}

TEST_F(InSpace, SpheresHaveDirections) {
  std::vector<std::string> words{"sample", "--sphere",  "5",        "--radius",
                                 "20%",    "--certify", "--report", "--json"};
  for (const char* name : {"a.ply", "a.csv", "a.npy", "a.json", "a.png", "a.glb", "a.usda"}) {
    words.insert(words.end(), {"-o", file(name)});
  }
  const auto record = nlohmann::json::parse(good(words).out);
  EXPECT_EQ(record["report"]["kind"], "sphere");
  const auto rows = rows_of("a.csv", "x,y,r,z,nx,ny,nz");
  for (const std::vector<double>& row : rows) {
    const double x = row.at(0), y = row.at(1), z = row.at(3);
    EXPECT_NEAR(x * x + y * y + z * z, 25, 1e-9);
    EXPECT_NEAR(x, 5 * row.at(4), 1e-5);
    EXPECT_NEAR(z, 5 * row.at(6), 1e-5);
    EXPECT_EQ(row.at(2), 1);
  }
  EXPECT_EQ(rows.size(), record["points"]);
  EXPECT_NE(folder.read("a.npy").find("(" + std::to_string(rows.size()) + ", 7)"),
            std::string::npos);
  for (const std::string extension : {"ply", "glb", "usda"}) {
    const std::string before = folder.read("a." + extension);
    good({"reproduce", folder / ("a." + extension), "-o", folder / ("b." + extension)});
    EXPECT_TRUE(before == folder.read("b." + extension)) << extension;
  }
}

TEST_F(InSpace, SpheresAreFilledRoundPointsThatAreThere) {
  good({"sample", "--sphere", "5", "--radius", "2", "-o", file("big.csv")});
  const std::size_t there = rows_of("big.csv", "x,y,r,z,nx,ny,nz").size();
  const std::vector<std::string> words{"sample", "--sphere",      "5",
                                       "--keep", file("big.csv"), "--certify"};
  const auto made = [&](std::vector<std::string> more, const char* columns) {
    more.insert(more.begin(), words.begin(), words.end());
    more.insert(more.end(), {"-o", file("a.csv")});
    good(more);
    return rows_of("a.csv", columns);
  };
  const auto all = made({"--radius", "0.4"}, "x,y,r,z,nx,ny,nz");
  const auto fresh = made({"--radius", "0.4", "--only-new"}, "x,y,r,z,nx,ny,nz");
  EXPECT_EQ(all.size(), there + fresh.size());
  auto both = rows_of("big.csv", "x,y,r,z,nx,ny,nz");
  both.insert(both.end(), fresh.begin(), fresh.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    // Directions of those that were there are made again from their places.
    for (std::size_t k = 0; k < all[i].size(); ++k) EXPECT_NEAR(all[i][k], both[i][k], 1e-6);
  }
  const auto ranked = made({"--count", "400", "--progressive"}, "x,y,r,z,nx,ny,nz,rank");
  ASSERT_EQ(ranked.size(), 400u);
  EXPECT_EQ(ranked[there].at(7), there);
  EXPECT_NE(run({"sample", "--sphere", "50", "--radius", "4", "--keep", file("big.csv"), "-o",
                 file("a.csv")})
                .err.find("times the radius of the sphere, which is 50"),
            std::string::npos);
}

TEST_F(InSpace, MapsLieRoundSpheres) {
  // Columns and rows of 40x20 pixels, dense in the north.
  Image map;
  map.names = {"Y"};
  map.channels.emplace_back(40, 20);
  for (int y = 0; y < 20; ++y) {
    for (int x = 0; x < 40; ++x) map.channels[0](x, y) = y < 10 ? 1.0f : 0.1f;
  }
  const Context context;
  std::ofstream(file("map.png"), std::ios::binary) << encode_image(map, "png", context);
  std::vector<std::string> words{"sample", file("map.png"), "--sphere", "5",     "--radius",
                                 "8%:60%", "--certify",     "--report", "--json"};
  for (const char* name : {"a.ply", "a.csv", "a.npy", "a.png", "a.glb"}) {
    words.insert(words.end(), {"-o", file(name)});
  }
  const auto record = nlohmann::json::parse(good(words).out);
  EXPECT_EQ(record["report"]["kind"], "sphere");
  int north = 0, south = 0;
  for (const std::vector<double>& row : rows_of("a.csv", "x,y,r,z,nx,ny,nz")) {
    const double x = row.at(0), y = row.at(1), r = row.at(2), z = row.at(3);
    EXPECT_NEAR(x * x + y * y + z * z, 25, 1e-9);
    EXPECT_GE(r, 0.4 * 0.999);
    EXPECT_LE(r, 3);
    ++(z > 0 ? north : south);
  }
  EXPECT_EQ(north + south, record["points"]);
  EXPECT_GT(north, 3 * south);
  const std::string before = folder.read("a.ply");
  good({"reproduce", folder / "a.ply", "-o", folder / "b.ply"});
  EXPECT_TRUE(before == folder.read("b.ply"));
  good({"sample", file("map.png"), "--sphere", "1", "--count", "300", "--progressive", "-o",
        file("c.csv")});
  const std::string counted = folder.read("c.csv");
  EXPECT_TRUE(counted.starts_with("x,y,r,z,nx,ny,nz,rank\n"));
  EXPECT_EQ(std::count(counted.begin(), counted.end(), '\n'), 301);

  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {file("map.png"), "--sphere", "1"});
    return more;
  };
  refused(with({"--radius", "0.1"}), {"--radius", "range"});
  refused(with({"--radius", "0.1:0.3", "--conflict", "candidate"}), {"--sphere", "--conflict"});
  refused(with({"--radius", "0.1:0.3", "--interpolation", "nearest"}), {"--interpolation"});
  refused(with({"--radius", "0.1:0.3", "--on", file("a.ply")}), {"--sphere", "--on"});
  refused({DAPPLE_SOURCE_FOLDER "/samples/ascent.png", "--sphere", "1", "--count", "9"},
          {"--sphere", "twice as wide as high", "512x512"});
}

TEST_F(InSpace, SpheresSayWhatDoesNotGoTogether) {
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"--sphere", "1"});
    return words;
  };
  refused({"--sphere", "-1"}, {"--sphere"});
  refused({"--sphere", "1e18"}, {"--sphere", "1e+17"});
  refused({"--sphere", "1e-30"}, {"--sphere", "from 1e-20 to 1e+17"});
  refused({"--sphere", "0"}, {"--sphere", "from 1e-20 to 1e+17", "not 0"});
  refused(with({"--radius", "0.1", "--count", "9"}), {"--count", "--radius"});
  refused(with({"--radius", "0.1:0.2"}), {"--radius", "one length", "sphere"});
  refused(with({"--radius", "1mm"}), {"--radius", "sphere"});
  refused(with({"--radius", "0.1", "--size", "9"}), {"--sphere", "--size"});
  refused(with({"--radius", "0.1", "--gate", "90"}), {"--gate", "--on"});
  refused(with({"--radius", "0.1", "--classes", "3"}), {"--classes", "--class-radius"});
  refused(with({"--radius", "0.1", "--wrap"}), {"--sphere", "--wrap"});
}

}  // namespace
}  // namespace dapple::test
