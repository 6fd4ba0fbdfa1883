// A stippling's SVG as another program reads it, against what the run says about it; and pictures
// of light beyond white.
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "dapple/point_files.hpp"
#include "program_test.hpp"

namespace dapple {
namespace {

using nlohmann::json;

class Drawings : public test::ProgramTest {
 protected:
  static constexpr int wide = 80;
  static constexpr int high = 60;

  bool says(const std::string& name, const std::string& text) const {
    return folder.read(name).find(text) != std::string::npos;
  }

  // Three channels, as values of light.
  void write_light(const std::string& name, const std::function<float(int, int)>& light) const {
    Image image;
    image.names = {"R", "G", "B"};
    image.encoding = Encoding::linear;
    image.type = PixelType::f16;
    for (int c = 0; c < 3; ++c) {
      image.channels.emplace_back(wide, high);
      for (int y = 0; y < high; ++y) {
        for (int x = 0; x < wide; ++x) image.channels.back()(x, y) = light(x, y);
      }
    }
    folder.write(name, encode_image(image, "exr"));
  }
};

float slope(int x, int y) {
  return 0.02f + 0.008f * static_cast<float>(x) + 0.002f * static_cast<float>(y);
}

// The middles of the pen's touches: M x y h along m dx dy h along ...
void read_touches(const char* d, std::vector<Vec2>& dots) {
  Vec2 at;
  while (*d != '\0') {
    const char command = *d++;
    ASSERT_TRUE(command == 'M' || command == 'm' || command == 'h') << command;
    char* end = nullptr;
    const double x = std::strtod(d, &end);
    d = end;
    if (command == 'h') {
      dots.back().x += 0.5 * x;
      at.x += x;
      continue;
    }
    const double y = std::strtod(d, &end);
    d = end;
    at = command == 'M' ? Vec2{x, y} : Vec2{at.x + x, at.y + y};
    dots.push_back(at);
  }
}

double way(const std::vector<Vec2>& dots) {
  double total = 0;
  for (std::size_t i = 1; i < dots.size(); ++i) total += length(dots[i] - dots[i - 1]);
  return total;
}

// The least tree over all pairs (Prim 1957): every way is a tree.
double least_tree(const std::vector<Vec2>& dots) {
  std::vector<double> reach(dots.size(), std::numeric_limits<double>::infinity());
  std::vector<bool> in(dots.size(), false);
  reach[0] = 0;
  double total = 0;
  for (std::size_t step = 0; step < dots.size(); ++step) {
    std::size_t best = dots.size();
    for (std::size_t i = 0; i < dots.size(); ++i) {
      if (!in[i] && (best == dots.size() || reach[i] < reach[best])) best = i;
    }
    in[best] = true;
    total += reach[best];
    for (std::size_t i = 0; i < dots.size(); ++i) {
      reach[i] = std::min(reach[i], length(dots[i] - dots[best]));
    }
  }
  return total;
}

TEST_F(Drawings, TheSvgIsWhatTheRunSays) {
  write_light("light.exr", slope);
  for (const std::string inks : {"black", "cmyk"}) {
    const json record = json::parse(
        good({"stipple", "light.exr", "--dots", "1500", "--paper", "160x120mm", "--margin", "10mm",
              "--ink", inks, "--report", "--json", "-o", "a.svg", "-o", "a.csv"})
            .out);
    pugi::xml_document document;
    ASSERT_TRUE(document.load_file((folder / "a.svg").c_str()));
    const pugi::xml_node root = document.child("svg");
    EXPECT_STREQ(root.attribute("width").value(), "160mm");
    EXPECT_STREQ(root.attribute("viewBox").value(), "0 0 160 120");
    // Every layer of dots begins with the number that plotters sort by.
    std::vector<Vec2> dots;
    double traveled = 0;
    double tree = 0;
    double width = 0;
    int layers = 0;
    for (const pugi::xml_node layer : root.children("g")) {
      const std::string label = layer.attribute("inkscape:label").value();
      if (label == "% paper") continue;
      EXPECT_TRUE(label.starts_with(std::to_string(++layers) + " ")) << label;
      width = layer.child("g").attribute("stroke-width").as_double();
      std::vector<Vec2> own;
      for (const pugi::xml_node path : layer.child("g").children("path")) {
        read_touches(path.attribute("d").value(), own);
      }
      traveled += way(own);
      tree += least_tree(own);
      dots.insert(dots.end(), own.begin(), own.end());
    }
    EXPECT_EQ(layers, inks == "cmyk" ? 4 : 1);
    ASSERT_EQ(dots.size(), 1500u);
    EXPECT_EQ(record["points"], 1500);
    // The points are in millimeters on the paper.
    const Points points = read_points((folder / "a.csv").string(), Limits{});
    ASSERT_EQ(points.size(), 1500u);
    EXPECT_EQ(points.domain, (Domain{160, 120, false}));
    EXPECT_TRUE(says("a.csv.json", "\"unit\": \"mm\""));
    EXPECT_EQ(record["outputs"][1]["unit"], "mm");
    EXPECT_EQ(record["outputs"][1]["width"], 160);
    for (std::size_t i = 0; i < dots.size(); ++i) {
      ASSERT_NEAR(dots[i].x, points.x[i], 0.01) << i;
      ASSERT_NEAR(dots[i].y, points.y[i], 0.01) << i;
    }
    const double mm = 100.0 / high;
    EXPECT_NEAR(2 * static_cast<double>(points.radius[0]), width, 0.01);
    // The report measures in pixels; the SVG rounds to some fiftieth of a dot.
    const json& figures = record["report"]["measurements"];
    EXPECT_NEAR(figures["way"].get<double>() * mm / traveled, 1, 2e-3);
    EXPECT_LT(figures["bound"].get<double>() * mm, traveled);
    EXPECT_GT(figures["bound"].get<double>() * mm, tree);
    EXPECT_LT(figures["above"], inks == "cmyk" ? 6 : 3);
    const std::string recipe = root.child("metadata").child("dapple:text").text().get();
    EXPECT_NE(recipe.find("command = \"stipple\""), std::string::npos);
    EXPECT_NE(recipe.find("dots = 1500"), std::string::npos);
  }
}

// Without paper, points are in pixels of the picture.
TEST_F(Drawings, PointsWithoutPaperAreInPixels) {
  write_light("light.exr", slope);
  const json record = json::parse(
      good({"stipple", "light.exr", "--dots", "90", "--json", "-o", "a.csv", "-o", "a.json"}).out);
  EXPECT_EQ(record["outputs"][0]["unit"], "px");
  EXPECT_FALSE(says("a.csv.json", "\"unit\""));
  EXPECT_EQ(read_points((folder / "a.csv").string(), Limits{}).domain, (Domain{wide, high, false}));
  good({"stipple", "light.exr", "--dots", "90", "--paper", "A6", "-o", "a.json"});
  EXPECT_TRUE(says("a.json", "\"unit\": \"mm\""));
}

TEST_F(Drawings, EachInkHasItsFile) {
  write_light("light.exr", slope);
  const std::vector<std::string> inks{"cyan", "magenta", "yellow", "black"};
  const std::vector<std::string> words{
      "stipple",       "light.exr", "--dots",      "900",   "--ink",   "cmyk", "--size",      "240",
      "--progressive", "-o",        "all.svg",     "-o",    "all.csv", "-o",   "p-{ink}.svg", "-o",
      "p-{ink}.csv",   "-o",        "p-{ink}.png", "--json"};
  const json record = json::parse(good(words).out);
  std::size_t dots = 0;
  for (const std::string& ink : inks) {
    const Points points = read_points((folder / ("p-" + ink + ".csv")).string(), Limits{});
    dots += points.size();
    EXPECT_TRUE(points.class_id.empty() || points.class_id.front() == points.class_id.back());
    EXPECT_TRUE(says("p-" + ink + ".svg", " " + ink + "\">"));
    EXPECT_TRUE(std::filesystem::exists(folder / ("p-" + ink + ".png")));
    // Each file makes itself again.
    for (const char* const extension : {".svg", ".csv", ".png"}) {
      const std::string name = "p-" + ink + extension;
      good({"reproduce", name, "-o", std::string("again") + extension});
      EXPECT_EQ(folder.read(std::string("again") + extension), folder.read(name)) << name;
    }
  }
  EXPECT_EQ(dots, 900u);
  std::size_t counted = 0;
  for (const json& output : record["outputs"]) {
    if (output.contains("output") && output["kind"] == "drawing") {
      counted += output["points"].get<std::size_t>();
    }
  }
  EXPECT_EQ(counted, 900u);
  good({"stipple", "light.exr", "--dots", "90", "--ink", "#d8232a,navy", "--tiles", "2x1",
        "--paper", "A5", "-o", "t-{ink}-{tile}.gcode"});
  EXPECT_TRUE(std::filesystem::exists(folder / "t-d8232a-2-1.gcode"));
  EXPECT_TRUE(std::filesystem::exists(folder / "t-navy-1-1.gcode"));
  EXPECT_EQ(run({"dither", "light.exr", "-o", "d-{ink}.png"}).code, 2);
  EXPECT_EQ(run({"stipple", "light.exr", "-o", "{ink}/a.svg"}).code, 2);
}

TEST_F(Drawings, PlatesAreBlackForInk) {
  write_light("light.exr", slope);
  good({"stipple", "light.exr", "--dots", "400", "--ink", "red,yellow", "--paper", "60x40mm",
        "--dpi", "300", "--plates", "-o", "p-{ink}.tif", "-o", "p-{ink}.png", "-o", "all.png", "-o",
        "p-{ink}.csv"});
  const Points dots = read_points((folder / "p-yellow.csv").string(), Limits{});
  double area = 0;
  for (const float r : dots.radius) area += 3.14159 * r * r * (300 / 25.4) * (300 / 25.4);
  for (const char* const name : {"p-yellow.tif", "p-yellow.png"}) {
    const Image plate = read_image((folder / name).string(), Limits{});
    ASSERT_EQ(plate.channels.size(), 1u) << name;
    EXPECT_NEAR(plate.dots_per_inch, 300, 0.01) << name;
    std::size_t inked = 0;
    for (const float v : plate.channels[0].values()) {
      ASSERT_TRUE(v == 0 || v == 1) << name;
      inked += v == 0 ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(inked) / area, 1, 0.02) << name;
    good({"reproduce", name, "--overwrite", "always", "-o", std::string("again.") + (name + 9)});
    EXPECT_EQ(folder.read(std::string("again.") + (name + 9)), folder.read(name));
  }
  EXPECT_EQ(read_image((folder / "all.png").string(), Limits{}).channels.size(), 3u);
  EXPECT_EQ(run({"stipple", "light.exr", "--plates", "-o", "p.tif"}).code, 2);
  EXPECT_EQ(run({"stipple", "light.exr", "--plates", "-o", "p-{ink}.svg"}).code, 2);
}

// A lamp in the picture is as white as paper, and no more.
TEST_F(Drawings, LightBeyondWhiteIsWhite) {
  const auto inside = [](int x, int y) { return std::abs(x - 40) < 12 && std::abs(y - 30) < 12; };
  write_light("lamp.exr", [&](int x, int y) { return inside(x, y) ? 37.5f : slope(x, y); });
  write_light("white.exr", [&](int x, int y) { return inside(x, y) ? 1.0f : slope(x, y); });
  std::string first;
  for (const char* file : {"lamp.exr", "white.exr"}) {
    good({"stipple", file, "--dots", "900", "-o", "a.csv", "-o", "a.png", "-q"});
    const Points dots = read_points((folder / "a.csv").string(), Limits{});
    ASSERT_EQ(dots.size(), 900u);
    std::string places;
    for (std::size_t i = 0; i < dots.size(); ++i) {
      places += std::to_string(dots.x[i]) + ',' + std::to_string(dots.y[i]) + ' ';
      EXPECT_FALSE(std::abs(dots.x[i] - 40.5) < 11 && std::abs(dots.y[i] - 30.5) < 11) << i;
    }
    if (first.empty()) first = places;
    EXPECT_EQ(places, first);
  }
}

}  // namespace
}  // namespace dapple
