// HP-GL, G-code and DXF, read by parsers of their own.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <sstream>

#include "dapple/analyze.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/error.hpp"
#include "io/drawings/svg.hpp"

namespace dapple {
namespace {

// What a machine did: where the pen was put down and what it drew, in its own coordinates.
struct Stroke {
  int pen = 1;
  std::vector<Vec2> points;
  double circle = 0;  // its radius, about the first point
};

Drawing sheet() {
  Drawing drawing;
  drawing.width = 200;
  drawing.height = 100;
  drawing.pen = 0.5;
  drawing.shape = DotShape::point;
  drawing.layers.resize(3);
  drawing.layers[0].name = "1 black";
  drawing.layers[0].discs = {{{10, 20}, 0.25}, {{30.125, 40.5}, 0.25}};
  drawing.layers[2].name = "2 (red)";
  drawing.layers[2].lines = {
      {{{1, 2}, {3, 4}, {5, 2}, {7, 8}, {9, 8}, {9, 9}, {1, 9}, {2, 3}}, 0.5},
      {{{50, 50}}, 0.5},
      {{}, 0.5}};
  return drawing;
}

std::vector<Stroke> read_hpgl(const std::string& text) {
  std::vector<Stroke> strokes;
  std::istringstream in(text);
  std::string command;
  Vec2 at;
  int pen = 0;
  bool down = false;
  while (std::getline(in >> std::ws, command, ';')) {
    const std::string name = command.substr(0, 2);
    std::vector<double> numbers;
    std::istringstream parameters(command.substr(2));
    for (std::string number; std::getline(parameters, number, ',');) {
      numbers.push_back(std::stoi(number));
    }
    if (name == "SP") pen = static_cast<int>(numbers.at(0));
    if (name == "CI") strokes.push_back({pen, {at}, numbers.at(0) / 40});
    if (name == "PU") down = false;
    if (name == "PD") {
      if (!down) strokes.push_back({pen, {at}, 0});
      down = true;
    }
    if (name != "PU" && name != "PD") continue;
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
      at = {numbers[i] / 40, numbers[i + 1] / 40};
      if (down) strokes.back().points.push_back(at);
    }
  }
  EXPECT_FALSE(down);
  EXPECT_EQ(pen, 0);
  return strokes;
}

// A machine that is down below Z 0.5; M0 takes the next pen.
std::vector<Stroke> read_gcode(const std::string& text) {
  std::vector<Stroke> strokes;
  std::istringstream in(text);
  Vec2 at;
  double z = 0;  // until it is lifted
  int pen = 1;
  bool ended = false;
  std::string line;
  while (std::getline(in, line)) {
    line = line.substr(0, line.find(';'));
    std::istringstream words(line);
    std::string code, word;
    if (!(words >> code)) continue;
    EXPECT_FALSE(ended);
    if (code == "M2") ended = true;
    if (code == "M0") ++pen;
    if (code != "G0" && code != "G1" && code != "G2") continue;
    const double before = z;
    Vec2 to = at;
    double i = 0;
    while (words >> word) {
      const double value = std::strtod(word.c_str() + 1, nullptr);
      if (word[0] == 'X') to.x = value;
      if (word[0] == 'Y') to.y = value;
      if (word[0] == 'Z') z = value;
      if (word[0] == 'I') i = value;
      EXPECT_TRUE(word[0] != 'F' || value > 0) << line;
    }
    if (z < 0.5) {
      EXPECT_NE(code, "G0") << line;
      if (before >= 0.5) strokes.push_back({pen, {at}, 0});
      if (code == "G2") {
        EXPECT_EQ(to, at);
        strokes.back().circle = -i;
        strokes.back().points[0].x += i;
      } else if (before < 0.5) {
        strokes.back().points.push_back(to);
      }
    }
    at = to;
  }
  EXPECT_TRUE(ended);
  return strokes;
}

// The entities of a DXF file; the number of the pen is the first word of its layer.
std::vector<Stroke> read_dxf(const std::string& text) {
  std::vector<Stroke> strokes;
  std::istringstream in(text);
  std::string code, value, section, entity;
  double x = 0;
  std::vector<std::string> layers;
  bool ended = false;
  while (std::getline(in, code) && std::getline(in, value)) {
    EXPECT_FALSE(ended);
    const int group = std::stoi(code);
    if (group == 0) entity = value;
    if (group == 0 && value == "EOF") ended = true;
    if (group == 2 && entity == "SECTION") section = value;
    if (group == 2 && entity == "LAYER") layers.push_back(value);
    if (section != "ENTITIES") continue;
    if (group == 0 && (value == "POINT" || value == "CIRCLE" || value == "POLYLINE")) {
      strokes.emplace_back();
    }
    if (group == 8) {
      EXPECT_NE(std::find(layers.begin(), layers.end(), value), layers.end()) << value;
      strokes.back().pen = std::stoi(value);
    }
    const double number = group >= 10 && group < 60 ? std::stod(value) : 0;
    if (group == 10) x = number;
    if (group == 20 && entity != "POLYLINE") strokes.back().points.push_back({x, number});
    if (group == 40) strokes.back().circle = number;
    if (group == 70 && entity == "POLYLINE") {
      EXPECT_EQ(value, "1");
    }
  }
  EXPECT_TRUE(ended);
  return strokes;
}

using Reader = std::vector<Stroke> (*)(const std::string&);
struct Language {
  const char* extension;
  Reader read;
  double unit;
};
class PlotterLanguage : public ::testing::TestWithParam<Language> {
 protected:
  std::vector<Stroke> plotted(const Drawing& drawing) const {
    return GetParam().read(encode_drawing(drawing, GetParam().extension));
  }
  // y is down in a drawing and up on these machines.
  void expect_at(Vec2 machine, Vec2 paper) const {
    EXPECT_NEAR(machine.x, paper.x, GetParam().unit);
    EXPECT_NEAR(machine.y, 100 - paper.y, GetParam().unit);
  }
};
INSTANTIATE_TEST_SUITE_P(Formats, PlotterLanguage,
                         ::testing::Values(Language{"hpgl", read_hpgl, 0.0126},
                                           Language{"plt", read_hpgl, 0.0126},
                                           Language{"gcode", read_gcode, 0.00051},
                                           Language{"nc", read_gcode, 0.00051},
                                           Language{"dxf", read_dxf, 0.00006}),
                         [](const auto& row) { return std::string(row.param.extension); });

TEST_P(PlotterLanguage, PenFollowsTheDrawing) {
  const Drawing drawing = sheet();
  const std::vector<Stroke> strokes = plotted(drawing);
  ASSERT_EQ(strokes.size(), 4u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(strokes[i].pen, 1);
    ASSERT_EQ(strokes[i].points.size(), 1u);
    expect_at(strokes[i].points[0], drawing.layers[0].discs[i].center);
  }
  // Layers without anything take no pen.
  EXPECT_EQ(strokes[2].pen, 2);
  const auto& line = drawing.layers[2].lines[0].points;
  ASSERT_EQ(strokes[2].points.size(), line.size());
  for (std::size_t i = 0; i < line.size(); ++i) expect_at(strokes[2].points[i], line[i]);
  ASSERT_EQ(strokes[3].points.size(), 1u);
  expect_at(strokes[3].points[0], {50, 50});
}

TEST_P(PlotterLanguage, CirclesAndSpirals) {
  Drawing drawing = sheet();
  drawing.layers[0].discs = {{{20, 20}, 2.5}, {{40, 30}, 0.2}};
  drawing.layers.resize(1);
  drawing.shape = DotShape::circle;
  std::vector<Stroke> strokes = plotted(drawing);
  ASSERT_EQ(strokes.size(), 2u);
  EXPECT_NEAR(strokes[0].circle, 2.5, 1e-9);
  expect_at(strokes[0].points[0], {20, 20});
  EXPECT_NEAR(strokes[1].circle, 0.2, 1e-9);
  drawing.shape = DotShape::spiral;
  strokes = plotted(drawing);
  ASSERT_EQ(strokes.size(), 2u);
  EXPECT_GT(strokes[0].points.size(), 30u);
  expect_at(strokes[0].points[0], {20, 20});
  EXPECT_EQ(strokes[1].points.size(), 1u);  // no wider than the pen
}

// Marks that reach over an edge are moved in; a line larger than the paper is cut.
TEST_P(PlotterLanguage, NothingLeavesThePaper) {
  Drawing drawing = sheet();
  drawing.width = 100;
  drawing.layers.resize(1);
  drawing.layers[0].discs = {{{0.5, 20}, 2.5}, {{99.9, 99.9}, 1}, {{50, -3}, 0.2}};
  drawing.layers[0].lines = {{{{-5, 50}, {10, 50}}, 0.5}, {{{-20, 50}, {150, 50}}, 0.5}};
  const Vec2 paper{drawing.width, drawing.height};
  for (const DotShape shape : {DotShape::circle, DotShape::spiral, DotShape::point}) {
    drawing.shape = shape;
    const std::vector<Stroke> strokes = plotted(drawing);
    ASSERT_EQ(strokes.size(), 5u);
    for (const Stroke& stroke : strokes) {
      for (const Vec2 at : stroke.points) {
        EXPECT_GE(at.x - stroke.circle, 0);
        EXPECT_GE(at.y - stroke.circle, 0);
        EXPECT_LE(at.x + stroke.circle, paper.x);
        EXPECT_LE(at.y + stroke.circle, paper.y);
      }
    }
    EXPECT_EQ(strokes[3].points.size(), 2u);
    expect_at(strokes[3].points[1], {15, 50});
    EXPECT_NEAR(strokes[0].circle, shape == DotShape::circle ? 2.5 : 0, 0.03);
  }
}

TEST(PlotterLanguage, GcodeIsAsciiInShortLines) {
  Drawing drawing = sheet();
  const std::string recipe =
      "input = \"\xc3\x84gypten \xf0\x9f\x98\x80.png\"\nink = \"" + std::string(300, 'x') + "\"";
  drawing.metadata = {{"dapple:recipe", recipe}};
  drawing.layers[0].name = "Tinte \xc3\xa4";
  const std::string text = encode_gcode(drawing);
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    EXPECT_LE(line.size(), 80u) << line;
    for (const char c : line) EXPECT_TRUE(c >= 0x20 && c < 0x7f) << line;
  }
  EXPECT_NE(text.find("layer Tinte \\u00E4"), std::string::npos) << text;
  const auto texts = gcode_metadata(text);
  ASSERT_FALSE(texts.empty());
  // TOML reads these escapes as the letters.
  EXPECT_EQ(texts.back().second,
            "input = \"\\u00C4gypten \\U0001F600.png\"\nink = \"" + std::string(300, 'x') + "\"");
  for (const std::string& wrong : {std::string("M3 \xc2\xb5"), std::string(81, 'G')}) {
    drawing.plotter.pen_up = wrong;
    EXPECT_THROW(encode_gcode(drawing), Error);
  }
}

TEST(PlotterLanguage, OriginAndUnitOfHpgl) {
  Drawing drawing = sheet();
  drawing.plotter.hpgl_origin = HpglOrigin::center;
  drawing.plotter.hpgl_unit = HpglUnit::hp7475;
  drawing.width = 100;
  drawing.layers.resize(1);
  drawing.layers[0].discs = {{{50, 50}, 1}, {{10, 20}, 1}};
  const std::string text = encode_drawing(drawing, "hpgl");
  EXPECT_NE(text.find("PU0,0;PD;PU;\n"), std::string::npos) << text;
  // 40 mm to the left and 30 mm up, in units of 0.02488 mm.
  EXPECT_NE(text.find("PU-1608,1205;PD;PU;\n"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("PU-2010,-2010;SP0;\n")) << text;
}

TEST(PlotterLanguage, OptionsOfGcode) {
  Drawing drawing = sheet();
  drawing.plotter.pen_up = "M5 | G4 P0.2";
  drawing.plotter.pen_down = "M3 S90";
  drawing.plotter.speed = 25;
  drawing.metadata = {{"dapple:recipe", "ink = \"a (b)\"\nseed = 1\n"}};
  const std::string text = encode_gcode(drawing);
  EXPECT_NE(text.find("G0 X10 Y80\nM3 S90\nM5\nG4 P0.2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("G1 X3 Y96 F1500\n"), std::string::npos) << text;
  EXPECT_NE(text.find(";   ink = \"a \\u0028b\\u0029\"\n;   seed = 1\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("\nG21\nG90\n"), std::string::npos);
  EXPECT_EQ(text.find("Z5"), std::string::npos);
  EXPECT_THROW(encode_drawing(drawing, "dwg"), Error);
}

TEST(PlotterLanguage, LaserIsOnOnlyWhereItDraws) {
  Drawing drawing = sheet();
  drawing.plotter.laser = LaserPower::dynamic;
  drawing.plotter.laser_power = 25;
  drawing.plotter.laser_full = 255;
  drawing.plotter.dwell = 0.015;
  drawing.plotter.speed = 20;
  const std::string text = encode_gcode(drawing);
  // Dots stand still, where M4 has no power, so they are of constant power.
  EXPECT_NE(text.find("G0 X10 Y80\nG1 F1200\nM3 S63.75\nG4 P0.015\nM5\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("G0 X1 Y98\nM4 S63.75\nG1 X3 Y96 F1200\n"), std::string::npos) << text;
  EXPECT_EQ(text.find('Z'), std::string::npos);
  bool on = false;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("M3") || line.starts_with("M4")) on = true;
    if (line.starts_with("M5")) on = false;
    EXPECT_FALSE(on && line.starts_with("G0")) << line;
  }
  EXPECT_FALSE(on);
  drawing.plotter.laser = LaserPower::constant;
  EXPECT_EQ(encode_gcode(drawing).find("M4"), std::string::npos);
  EXPECT_NE(text.find("M0\n"), std::string::npos);
  // Layers with their own power and dwell follow without a stop.
  drawing.layers[2].laser_power = 50;
  drawing.layers[2].dwell = 0.5;
  const std::string own = encode_gcode(drawing);
  EXPECT_NE(own.find("G0 X50 Y50\nG1 F1200\nM3 S127.5\nG4 P0.5\nM5\n"), std::string::npos) << own;
  EXPECT_EQ(own.find("M0\n"), std::string::npos);
  // A laser does not lift, so only its dwell and its ways take time.
  drawing.plotter.pen_lift = 100;
  EXPECT_LT(forecast(drawing).seconds, 90);
}

TEST(Dxf, HoldsDotsShapesAndColors) {
  Drawing drawing = sheet();
  drawing.layers[0].name = "1 d\xc3\xa9j\xc3\xa0 #vu";
  drawing.layers[2].color = "#ff3f00";
  drawing.metadata = {{"dapple:recipe", "seed = 1\nink = \"" + std::string(200, 'x') + "\"\n"}};
  const std::string text = encode_drawing(drawing, "dxf");
  EXPECT_EQ(text, encode_drawing(drawing, "dxf"));
  EXPECT_NE(text.find("9\n$ACADVER\n1\nAC1009\n"), std::string::npos);
  EXPECT_NE(text.find("\n2\n1_D__J____VU\n70\n0\n62\n7\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n2\n2__RED_\n70\n0\n62\n20\n"), std::string::npos) << text;
  const auto texts = dxf_metadata(text);
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(texts[0].second, "seed = 1\nink = \"" + std::string(200, 'x') + "\"");
  // Filled dots are circles of their size, without a pen.
  drawing.shape = DotShape::disc;
  drawing.pen = 0;
  std::vector<Stroke> strokes = read_dxf(encode_dxf(drawing));
  EXPECT_EQ(strokes[0].circle, 0.25);
  // Closed outlines are closed polylines, without their first point again.
  Outline::Part square;
  square.rings = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
  drawing.shape = DotShape::outline;
  drawing.outlines = {std::make_shared<const Outline>(make_outline({square}))};
  strokes = read_dxf(encode_dxf(drawing));
  EXPECT_EQ(strokes[0].points.size(), 4u);
  EXPECT_NE(encode_dxf(drawing).find("\n70\n1\n0\nVERTEX\n"), std::string::npos);
  drawing.layers[0].fills = {{{0, 0}, {9, 0}, {9, 9}}};
  EXPECT_THROW(encode_drawing(drawing, "dxf"), Error);
}

// Splitting a line draws nothing else: each part begins where the one before ends.
TEST(LongLines, GoOnInAnother) {
  Drawing drawing = sheet();
  drawing.layers.resize(1);
  drawing.layers[0].discs.clear();
  Polyline line{{}, 0.5};
  for (int i = 0; i < 1201; ++i) line.points.push_back({0.1 * i, 50.0 + i % 7});
  drawing.layers[0].lines = {line};
  const auto paths = [](const std::string& svg) {
    std::size_t count = 0;
    for (auto at = svg.find("<path"); at != svg.npos; at = svg.find("<path", at + 1)) ++count;
    return count;
  };
  const std::vector<Stroke> parts = read_dxf(encode_dxf(drawing));
  ASSERT_EQ(parts.size(), 3u);
  std::vector<Vec2> joined = parts[0].points;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    EXPECT_LE(parts[i].points.size(), 500u);
    EXPECT_EQ(parts[i].points.front(), joined.back());
    joined.insert(joined.end(), parts[i].points.begin() + 1, parts[i].points.end());
  }
  EXPECT_EQ(joined.size(), line.points.size());
  EXPECT_EQ(paths(encode_svg(drawing)), 3u);
  drawing.plotter.line_corners = 0;
  EXPECT_EQ(read_dxf(encode_dxf(drawing)).size(), 1u);
  EXPECT_EQ(paths(encode_svg(drawing)), 1u);
  // Languages of commands need no parts: the pen stays down.
  drawing.plotter.line_corners = 500;
  EXPECT_EQ(read_gcode(encode_gcode(drawing)).size(), 1u);
  EXPECT_EQ(read_hpgl(encode_hpgl(drawing)).size(), 1u);
  drawing.plotter.line_corners = 1;
  EXPECT_THROW(encode_svg(drawing), Error);
}

TEST(Spiral, FillsTheDiscAndNoMore) {
  for (const double pen : {0.1, 0.35, 0.9, 1.5}) {
    const Disc disc{{5, 5}, 1};
    const std::vector<Vec2> points = spiral(disc, pen);
    const auto away = [&](Vec2 p) {
      double least = 1e9;
      for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec2 a = points[i];
        const Vec2 b = points[std::min(i + 1, points.size() - 1)] - a;
        const double square = b.x * b.x + b.y * b.y;
        const Vec2 d = p - a;
        const double t = square > 0 ? std::clamp((d.x * b.x + d.y * b.y) / square, 0.0, 1.0) : 0.0;
        least = std::min(least, length(d - b * t));
      }
      return least;
    };
    for (int i = 0; i < 60; ++i) {
      for (int k = 0; k < 60; ++k) {
        const Vec2 p{3.8 + 2.4 * i / 59, 3.8 + 2.4 * k / 59};
        const double r = length(p - disc.center);
        const double distance = away(p);
        EXPECT_TRUE(r >= 0.98 || distance <= 0.5 * pen + 0.021)
            << pen << " at " << p.x << " " << p.y;
        EXPECT_TRUE(r <= 1.001 || distance >= 0.5 * pen) << pen << " at " << p.x << " " << p.y;
      }
    }
  }
  EXPECT_EQ(spiral({{5, 5}, 1}, 2).size(), 1u);
}

// Rounded to the nearest place, dots of a hexagonal lattice would lie up to 0.035 mm nearer.
TEST(Hpgl, KeepsThePromisedGap) {
  constexpr double gap = 0.3;
  constexpr double pen = 0.41;
  for (const DotShape shape : {DotShape::point, DotShape::circle}) {
    Drawing drawing = sheet();
    drawing.height = 100.013;
    drawing.shape = shape;
    drawing.pen = pen;
    drawing.gap = gap;
    drawing.layers[0].discs.clear();
    drawing.layers[2].lines.clear();
    const double rim = shape == DotShape::circle ? 0.613 + 0.5 * pen : 0.5 * pen;
    const double apart = 2 * rim + gap + 0.02;
    for (int y = 0; y < 16; ++y) {
      for (int x = 0; x < 16; ++x) {
        const Vec2 place{(x + 0.5 * (y % 2)) * apart + 10, y * 0.8661 * apart + 10};
        drawing.layers[y % 3 == 0 ? 2 : 0].discs.push_back({place, 0.613});
      }
    }
    const std::vector<Stroke> strokes = read_hpgl(encode_hpgl(drawing));
    ASSERT_EQ(strokes.size(), 256u);
    double least = INFINITY;
    double away = 0;
    for (std::size_t i = 0; i < strokes.size(); ++i) {
      const double own = strokes[i].circle + 0.5 * pen;
      double nearest = INFINITY;
      for (std::size_t k = 0; k < strokes.size(); ++k) {
        const double distance = length(strokes[i].points[0] - strokes[k].points[0]);
        if (k != i) least = std::min(least, distance - own - strokes[k].circle - 0.5 * pen);
      }
      for (const Layer& layer : drawing.layers) {
        for (const Disc& disc : layer.discs) {
          const Vec2 there{disc.center.x, drawing.height - disc.center.y};
          nearest = std::min(nearest, length(strokes[i].points[0] - there));
        }
      }
      away = std::max(away, nearest);
    }
    EXPECT_GE(least, gap - 1e-6);
    EXPECT_LT(away, 0.09);
  }
}

}  // namespace
}  // namespace dapple
