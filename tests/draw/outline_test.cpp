// Shapes of dots: read from SVG files however they are written, filled as viewers fill them, and
// drawn with as much ink as a disc.
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <pugixml.hpp>
#include <random>
#include <string>
#include <vector>

#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/error.hpp"
#include "dapple/limits.hpp"

namespace dapple {
namespace {

constexpr double pi = std::numbers::pi;

Outline outline_of(const std::string& body, const std::string& attributes = "") {
  return decode_outline(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" " + attributes + ">" + body + "</svg>", Limits{});
}

std::string problem_of(const std::string& body) {
  try {
    outline_of(body);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "";
}

// The distance of p from the nearest line of the outline.
double away(const Outline& outline, Vec2 p) {
  double least = INFINITY;
  for (const Outline::Part& part : outline.parts) {
    for (const auto& ring : part.rings) {
      for (std::size_t i = 0; i < ring.size(); ++i) {
        const Vec2 a = ring[i];
        const Vec2 b = ring[(i + 1) % ring.size()] - a;
        const double t = std::clamp(dot(p - a, b) / length_squared(b), 0.0, 1.0);
        least = std::min(least, length(p - a - b * t));
      }
    }
  }
  return least;
}

// Of lines that are the boundary, less what lies inside twice.
double area_of(const Outline& outline) {
  double area = 0;
  for (const auto& [a, b] : outline.edges) area -= 0.5 * (a.x + b.x) * (b.y - a.y);
  return area;
}

TEST(Outline, HasTheAreaOfADiscAboutItsCentroid) {
  // A right triangle with legs 3 and 6: its centroid is a third along each.
  const Outline triangle = outline_of("<polygon points='10,20 13,20 10,26'/>");
  EXPECT_NEAR(area_of(triangle), pi, 1e-12);
  const double scale = std::sqrt(pi / 9);
  ASSERT_EQ(triangle.parts.size(), 1u);
  ASSERT_EQ(triangle.parts[0].rings.size(), 1u);
  const auto& ring = triangle.parts[0].rings[0];
  ASSERT_EQ(ring.size(), 3u);
  const std::vector<Vec2> expected{{-1, -2}, {2, -2}, {-1, 4}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(length(ring[i] - expected[i] * scale), 0, 1e-9) << i;
  }
  EXPECT_NEAR(triangle.reach, std::sqrt(17.0) * scale, 1e-9);
  EXPECT_NEAR(triangle.perimeter, (9 + std::sqrt(45.0)) * scale, 1e-9);
}

TEST(Outline, EveryWayToWriteASquare) {
  for (const char* body :
       {"<rect x='5' y='5' width='10' height='10'/>", "<path d='M5 5H15V15H5Z'/>",
        "<path d='M5,5h10v10h-10z'/>", "<path d='m5 5 10 0 0 10-10 0'/>",
        "<path d='M5 5L15 5 15 15 5 15'/>", "<path d='M5 5C7 5 15 5 15 5S15 15 15 15 5 15 5 15Z'/>",
        "<path d='M5 5Q10 5 15 5Q15 12 15 15H5Z'/>", "<path d='M5 5A0 3 0 0 1 15 5V15H5'/>",
        "<polygon points='5 5 15 5 15 15 5 15'/>", "<polyline points='5,5,15,5,15,15,5,15'/>",
        "<g transform='translate(5 5)'><path d='M0 0H10V10H0Z'/></g>",
        "<path transform='rotate(45)' d='M0 0L10 10 0 20-10 10z'/>",
        "<path fill='none' stroke='red' d='M5 5H15V15H5z'/>",
        "<path style='fill:none;stroke:red' d='M5 5H15V15H5L5 5'/>",
        "<path fill='none' d='M0 0H24V24H0z'/><rect width='2' height='2'/>",
        "<defs><rect id='r' width='3' height='3'/></defs><use href='#r' x='7'/>",
        "<path d='M5 5H11V15H5z'/><path d='M9 15V5H15V15'/>"}) {
    const Outline square = outline_of(body);
    EXPECT_NEAR(area_of(square), pi, 1e-9) << body;
    const double half = 0.5 * std::sqrt(pi);
    EXPECT_NEAR(square.reach, half * std::sqrt(2.0), 1e-6) << body;
    for (const Vec2 p : {Vec2{half, half}, Vec2{-half, half}, Vec2{half, 0.3}, Vec2{0.7, -half}}) {
      EXPECT_NEAR(away(square, p), 0, 1e-6) << body;
    }
  }
}

TEST(Outline, CurvesLieWhereTheyShould) {
  // Chords are within 1/2000 of the extent: a thousandth of this radius, and a little less area.
  for (const char* body :
       {"<circle cx='3' cy='4' r='10'/>", "<ellipse rx='7' ry='7'/>",
        "<rect width='8' height='8' rx='4'/>", "<path d='M0 0A5 5 0 0 1 10 0A5 5 0 0 1 0 0'/>",
        "<path d='m0 0a5 5 0 1010 0 5 5 0 10-10 0z'/>",
        "<ellipse transform='scale(2 1)' rx='3' ry='6'/>",
        "<path d='M0 0A1 1 0 0 0 10 0A1 1 0 0 0 0 0'/>",
        "<path d='M10 0C10 5.5228 5.5228 10 0 10S-10 5.5228-10 0-5.5228-10 0-10 10-5.5228 10 "
        "0'/>"}) {
    const Outline circle = outline_of(body);
    for (const Outline::Part& part : circle.parts) {
      for (const auto& ring : part.rings) {
        for (const Vec2 p : ring) EXPECT_NEAR(length(p), 1, 0.001) << body;
      }
    }
    for (int i = 0; i < 100; ++i) {
      EXPECT_LT(away(circle, {std::cos(0.0628 * i), std::sin(0.0628 * i)}), 0.0015) << body;
    }
    EXPECT_NEAR(circle.perimeter, 2 * pi, 0.005) << body;
  }
  // The parabola y = x^2 from -1 to 1 under y = 1, exactly 4/3 in area, centroid at 0.6, written in
  // several ways.
  for (const char* body : {"<path d='M-1 1Q0-1 1 1z'/>", "<path d='m-1 1q1-2 2 0'/>",
                           "<path d='M-1 1Q-.5 0 0 0T1 1z'/>", "<path d='M-1 1q.5-1 1-1t1 1'/>",
                           "<path d='M-1 1C-.3333333-.3333333 .3333333-.3333333 1 1z'/>"}) {
    const Outline parabola = outline_of(body);
    const double scale = std::sqrt(pi * 3 / 4);
    for (double x = -1; x <= 1; x += 0.05) {
      EXPECT_LT(away(parabola, Vec2{x, x * x - 0.6} * scale), 0.0025) << body << ' ' << x;
    }
  }
  // A rotated quarter of an ellipse: its middle is where the angle of the unit circle is 45
  // degrees.
  const Outline quarter = outline_of(
      "<path d='M0 0L10 0A10 4 0 0 1 0 4Z' transform='rotate(90)skewX(0)matrix(1 0 0 1 "
      "3 3)'/>");
  const double scale = std::sqrt(pi / (10 * pi));
  const Vec2 centroid{40 / (3 * pi), 16 / (3 * pi)};
  const Vec2 middle = Vec2{10, 4} * std::sqrt(0.5) - centroid;
  EXPECT_LT(away(quarter, Vec2{-middle.y, middle.x} * scale), 0.002);
}

TEST(Outline, StylesHideAndShowAsInViewers) {
  // Each leaves the same square.
  const Outline square = outline_of("<rect x='2' y='2' width='6' height='6'/>");
  const std::string dot = "<rect x='2' y='2' width='6' height='6'/>";
  const std::string frame = " x='0' y='0' width='100' height='9'/>";
  for (const std::string& body : {
           "<style>.st0{fill:none}</style><rect class='st0'" + frame + dot,
           "<style type='text/css'><![CDATA[ /* a{} */ .a , #b > c {fill:red}\n"
           " rect.st0.big{fill:none}]]></style><rect class='big st0'" +
               frame + dot,
           "<style>#off{display:none} rect{fill:red}</style><rect id='off'" + frame + dot,
           // The more specific rule wins, then the later; !important beats style="".
           "<style>.a{fill:none}rect{fill:red}</style><rect class='a'" + frame + dot,
           "<style>.a{fill:red}.b{fill:none}</style><rect class='b a'" + frame + dot,
           "<style>.a{fill:none!important}</style><rect class='a' style='fill:red'" + frame + dot,
           "<style>@media print{.a{fill:red}} .a{fill:none}</style><rect class='a'" + frame + dot,
           "<rect style='fill:red;fill:none'" + frame + dot,
           "<rect visibility='hidden'" + frame + dot,
           "<g visibility='hidden'><rect" + frame +
               "<rect visibility='visible' x='2' y='2' width='6' height='6'/></g>",
           "<g opacity='0'><rect" + frame + "</g>" + dot,
           "<rect fill-opacity='0%'" + frame + dot,
           "<rect fill='transparent'" + frame + dot,
           "<rect fill='#fff0'" + frame + dot,
           "<rect fill='rgba(1, 2, 3, 0)'" + frame + dot,
       }) {
    const Outline shape = outline_of(body);
    ASSERT_EQ(shape.parts.size(), 1u) << body;
    EXPECT_EQ(shape.parts[0].rings, square.parts[0].rings) << body;
  }
  EXPECT_EQ(outline_of("<style>.a{fill:none;stroke:red}</style><path class='a' d='M0 0L5 5'/>")
                .parts[0]
                .lines.size(),
            1u);
}

TEST(Outline, WhatIsNotHonoredIsNamed) {
  const auto notes = [](const std::string& body) {
    const auto all = outline_of(body + "<rect width='6' height='6'/>").notes;
    return all.size() == 1 ? all[0] : std::to_string(all.size());
  };
  EXPECT_EQ(notes(""), "0");
  EXPECT_EQ(notes("<style>g > path, .a{fill:none}</style>"),
            "the style rule for 'g > path' is ignored: only elements, classes and ids are "
            "understood");
  EXPECT_EQ(notes("<style>@import 'a.css';</style>"),
            "the style rule '@import 'a.css'' is ignored");
  EXPECT_EQ(notes("<style>g > path{font-size:2px}</style>"), "0") << "not about shapes";
  EXPECT_EQ(notes("<g clip-path='url(#a)'><rect width='3' height='3'/></g>"),
            "clip-path is ignored: what it hides is drawn");
  EXPECT_EQ(notes("<style>.a{mask:url(#a)}</style><g class='a'/>"),
            "mask is ignored: what it hides is drawn");
  EXPECT_EQ(notes("<g opacity='.5'><rect width='3' height='3'/></g>"),
            "opacity below 1 is ignored: what is pale there is drawn in full");
  // Ten thousand elements, to each of which ten thousand rules apply.
  std::string rules;
  std::string elements;
  for (int i = 0; i < 10'000; ++i) {
    rules += ".a{fill:red}";
    elements += "<g class='a'/>";
  }
  EXPECT_THROW(outline_of("<style>" + rules + "</style>" + elements), Error);
}

TEST(Outline, FillRulesAndOverlapsAsViewersFillThem) {
  // Sizes in units of the first shape's unit square, by the reach of a far corner.
  struct Case {
    const char* body;
    double area;
  };
  for (const auto& [body, area] : std::vector<Case>{
           {"<path d='M0 0H10V10H0zM2 2V8H8V2z'/>", 64},   // a hole
           {"<path d='M0 0H10V10H0zM2 2H8V8H2z'/>", 100},  // the same way round: none
           {"<path fill-rule='evenodd' d='M0 0H10V10H0zM2 2H8V8H2z'/>", 64},
           {"<g style='fill-rule:evenodd'><path d='M0 0H10V10H0z'/><path d='M2 2H8V8H2z'/></g>",
            100},  // elements cover each other
           {"<path d='M0 0H10V10H0z'/><path d='M5 5V0H12V5z'/>", 110},
           {"<path d='M0 0L10 10H0L10 0z'/>", 50}}) {  // crosses itself
    const Outline shape = outline_of(body);
    const auto& ring = shape.parts[0].rings[0];
    const double side =
        length(ring[0] - ring[1]) / (std::string(body).find("L10 10") < 20 ? std::sqrt(2.0) : 1);
    EXPECT_NEAR(area_of(shape) / (side * side), area / 100, 1e-9) << body;
    EXPECT_NEAR(area_of(shape), pi, 1e-9) << body;
  }
}

TEST(Outline, ErrorsSayWhatIsMissing) {
  EXPECT_NE(problem_of("").find("no shape"), std::string::npos);
  EXPECT_NE(problem_of("<text>a</text>").find("no shape"), std::string::npos);
  EXPECT_NE(problem_of("<path d='M0 0h9v9z' fill='none'/>").find("no shape"), std::string::npos);
  EXPECT_NE(problem_of("<polyline points='0 0 9 9 3 3'/>").find("no area"), std::string::npos);
  EXPECT_NE(problem_of("<path d='M0 0h10z'/>").find("no area"), std::string::npos);
  EXPECT_NE(problem_of("<path transform='scale(0)' d='M0 0h10v10z'/>").find("no area"),
            std::string::npos);
  EXPECT_THROW(decode_outline("<html/>", Limits{}), Error);
  EXPECT_THROW(decode_outline("M0 0", Limits{}), Error);
  std::string many = "<path d='M0 0";
  for (int i = 0; i < 9000; ++i) many += "l" + std::to_string(1 + i % 3) + " 1";
  EXPECT_NE(problem_of(many + "H-9z'/>").find("detailed"), std::string::npos);
  std::string combs = "<path d='M0 0";
  for (int i = 0; i < 400; ++i) combs += "L" + std::to_string(i) + (i % 2 == 0 ? " 0" : " 400");
  combs += "M0 0";
  for (int i = 0; i < 400; ++i)
    combs += "L" + std::string(i % 2 == 0 ? "0 " : "400 ") + std::to_string(i);
  EXPECT_NE(problem_of(combs + "'/>").find("cross"), std::string::npos);
}

// A star with a hole: not convex, and no line of it along an axis.
std::shared_ptr<const Outline> star() {
  Outline::Part part;
  part.even_odd = true;
  part.rings.resize(2);
  for (int i = 0; i < 10; ++i) {
    const double r = i % 2 == 0 ? 2 : 0.9;
    part.rings[0].push_back({r * std::sin(0.2 + i * pi / 5), r * std::cos(0.2 + i * pi / 5)});
  }
  for (int i = 0; i < 5; ++i) {
    part.rings[1].push_back({0.5 * std::sin(i * 2 * pi / 5), 0.5 * std::cos(i * 2 * pi / 5)});
  }
  return std::make_shared<const Outline>(make_outline({part}));
}

Drawing sheet(std::vector<Disc> discs) {
  Drawing drawing;
  drawing.width = drawing.height = 100;
  drawing.layers.push_back({"1 black", "black", std::move(discs), {}});
  drawing.shape = DotShape::outline;
  drawing.outlines = {star()};
  return drawing;
}

double ink(const Image& image) {
  double sum = 0;
  for (const float v : image.channels[0].values())
    sum += 1 - static_cast<double>(srgb_to_linear(v));
  return sum / static_cast<double>(image.channels[0].size()) * 1e4;
}

TEST(Outline, RasterHasTheInkOfDiscs) {
  Context context;
  // Far apart, at any place against the pixels, from a fraction of a pixel to many.
  std::mt19937 engine(7);
  for (const int size : {60, 237, 1000}) {
    std::vector<Disc> discs;
    double area = 0;
    for (int i = 0; i < 100; ++i) {
      const double r = 0.5 + 0.02 * i;
      discs.push_back({{5 + i % 10 * 10.0 + static_cast<double>(engine() % 1000) / 2000,
                        5 + i / 10 * 10.0 + static_cast<double>(engine() % 1000) / 2000},
                       r});
      area += pi * r * r;
    }
    EXPECT_NEAR(ink(rasterize(sheet(discs), size, size, context)) / area, 1,
                size < 100 ? 0.002 : 1e-4)
        << size;
  }
  // Cut by every side of the paper: the parts on four papers are the whole.
  for (const double x : {30.0, 70.0}) {
    for (const int size : {20, 97}) {
      double sum = 0;
      for (const double dx : {-50.0, 50.0}) {
        for (const double dy : {-50.0, 50.0}) {
          sum += ink(rasterize(sheet({{{50 + dx + (x - 50) / 9, 50 + dy - (x - 50) / 7}, 20}}),
                               size, size, context));
        }
      }
      EXPECT_NEAR(sum / (pi * 400), 1, 1e-5) << x << ' ' << size;
    }
  }
}

TEST(Outline, RasterIsInsideAndOutsideWhereTheShapeIs) {
  Context context;
  const Drawing drawing = sheet({{{50, 50}, 20}});
  const Image image = rasterize(drawing, 500, 500, context);
  const auto inside = [&](Vec2 p) {
    bool in = false;
    for (const auto& ring : drawing.outlines[0]->parts[0].rings) {
      for (std::size_t i = 0; i < ring.size(); ++i) {
        const Vec2 a = ring[i];
        const Vec2 b = ring[(i + 1) % ring.size()];
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y))
          in = !in;
      }
    }
    return in;
  };
  int tested = 0;
  for (int y = 0; y < 500; ++y) {
    for (int x = 0; x < 500; ++x) {
      const Vec2 p{((x + 0.5) / 5 - 50) / 20, ((y + 0.5) / 5 - 50) / 20};
      if (away(*drawing.outlines[0], p) < 0.01) continue;
      ++tested;
      ASSERT_EQ(image.channels[0](x, y), inside(p) ? 0.0f : 1.0f) << x << ' ' << y;
    }
  }
  EXPECT_GT(tested, 200000);
}

TEST(Outline, TurnedItHasTheSameAreaAndLines) {
  const Outline arrow = make_outline({{{{{0, 0}, {2, 6}, {0, 5}, {-2, 6}}}, false}});
  for (const double turns : {0.0, 0.25, 0.4, 0.5, 0.999}) {
    const Outline other = turned(arrow, turns);
    EXPECT_NEAR(other.reach, arrow.reach, 1e-12);
    EXPECT_NEAR(other.perimeter, arrow.perimeter, 1e-12);
    double area = 0;
    for (const auto& [a, b] : other.edges) area -= 0.5 * (a.x + b.x) * (b.y - a.y);
    EXPECT_NEAR(area, pi, 1e-12);
  }
  // Level lines, holes and parts over each other too, and whatever was resolved is what lines say.
  const Outline drawn =
      make_outline({{{{{0, 0}, {6, 0}, {6, 4}, {0, 4}}, {{1, 1}, {1, 3}, {3, 3}, {3, 1}}}, false},
                    {{{{5, 2}, {9, 2}, {9, 3}, {7, 3}, {7, 6}, {5, 6}}}, false}});
  for (const double turns : {0.0, 0.25, 0.3, 0.5, 0.8}) {
    const Outline once = turned(drawn, turns);
    const Outline again = make_outline(once.parts);
    double area = 0;
    for (const auto& [a, b] : once.edges) area -= 0.5 * (a.x + b.x) * (b.y - a.y);
    EXPECT_NEAR(area, pi, 1e-12) << turns;
    for (const double radius : {20.0, 33.0}) {
      Drawing sheets = sheet({{{50, 50}, radius, 0}});
      sheets.outlines = {std::make_shared<const Outline>(once)};
      Context context;
      const Image a = rasterize(sheets, 150, 150, context);
      sheets.outlines = {std::make_shared<const Outline>(again)};
      const Image b = rasterize(sheets, 150, 150, context);
      for (std::size_t i = 0; i < a.channels[0].size(); ++i) {
        ASSERT_NEAR(a.channels[0].values()[i], b.channels[0].values()[i], 1e-5) << turns;
      }
    }
  }
  // A quarter turn clockwise takes the top to the right.
  const Vec2 top = arrow.parts[0].rings[0][0];
  const Vec2 right = turned(arrow, 0.25).parts[0].rings[0][0];
  EXPECT_NEAR(right.x, -top.y, 1e-12);
  EXPECT_NEAR(right.y, top.x, 1e-12);
}

TEST(Outline, EachDotHasItsOwn) {
  const Outline square = make_outline({{{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}}, false}});
  Drawing drawing = sheet({{{25, 50}, 10, 0}, {{75, 50}, 10, 1}});
  drawing.outlines.push_back(std::make_shared<const Outline>(square));
  Context context;
  const Image image = rasterize(drawing, 200, 200, context);
  // The star has a hole in its middle, the square has not.
  EXPECT_EQ(image.channels[0](50, 100), 1.0f);
  EXPECT_EQ(image.channels[0](150, 100), 0.0f);
  EXPECT_NEAR(ink(image) / (2 * pi * 100), 1, 1e-3);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(encode_svg(drawing).c_str()));
  const auto svg = document.child("svg");
  EXPECT_TRUE(svg.child("defs").find_child_by_attribute("g", "id", "dot"));
  EXPECT_TRUE(svg.child("defs").find_child_by_attribute("g", "id", "dot2"));
  int second = 0;
  for (const auto& use :
       svg.find_child_by_attribute("g", "id", "layer1").child("g").children("use")) {
    second += std::string(use.attribute("xlink:href").value()) == "#dot2" ? 1 : 0;
  }
  EXPECT_EQ(second, 1);
  EXPECT_NE(encode_pdf(drawing).size(), 0u);
  drawing.layers[0].discs[1].outline = 2;
  EXPECT_THROW(rasterize(drawing, 200, 200, context), Error);
  EXPECT_THROW(encode_svg(drawing), Error);
}

TEST(Outline, PartsAreShapesOfTheirOwn) {
  const Outline pair = make_outline(
      {{{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}}, false}, {{{{9, 0}, {12, 0}, {9, 3}}}, false}});
  const std::vector<Outline> parts = parts_of(pair);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].parts[0].rings[0].size(), 4u);
  EXPECT_EQ(parts[1].parts[0].rings[0].size(), 3u);
  EXPECT_NEAR(parts[0].reach, std::sqrt(pi / 2), 1e-12) << "as large as alone";
}

TEST(Outline, OpenLinesAreForPens) {
  // As long as the unit circle, about the middle.
  const Outline tick = outline_of("<polyline points='0,0 3,4 6,0' fill='none' stroke='black'/>");
  ASSERT_EQ(tick.parts.size(), 1u);
  EXPECT_TRUE(tick.edges.empty());
  EXPECT_NEAR(tick.perimeter, 2 * pi, 1e-12);
  const std::vector<Vec2>& line = tick.parts[0].lines.at(0);
  ASSERT_EQ(line.size(), 3u);
  EXPECT_NEAR(line[0].x, -line[2].x, 1e-12);
  EXPECT_NEAR(tick.reach, length(line[0]), 1e-12);

  Drawing drawing = sheet({{{50, 50}, 20}});
  drawing.outlines = {std::make_shared<const Outline>(tick)};
  drawing.pen = 0.5;
  Context context;
  // And its round ends.
  const double wanted = 2 * pi * 20 * 0.5 + pi * 0.25 * 0.25;
  EXPECT_NEAR(ink(rasterize(drawing, 1000, 1000, context)) / wanted, 1, 0.02);
  const PlotForecast plot = forecast(drawing);
  EXPECT_NEAR(plot.drawn, 2 * pi * 20, 1e-6);
  EXPECT_EQ(plot.lines, 1);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(encode_svg(drawing).c_str()));
  const std::string path = document.child("svg")
                               .find_child_by_attribute("g", "id", "layer1")
                               .child("g")
                               .child("path")
                               .attribute("d")
                               .value();
  EXPECT_EQ(path.find('z'), std::string::npos) << path;

  // Beside an area they belong to it.
  const Outline leaf =
      outline_of("<rect width='2' height='2'/><line x1='1' y1='2' x2='1' y2='5' stroke='red'/>");
  EXPECT_NEAR(leaf.reach, length(leaf.parts[1].lines.at(0)[1]), 1e-12);
  EXPECT_FALSE(leaf.edges.empty());
  EXPECT_NE(problem_of("<path d='M1 1h0' fill='none' stroke='red'/>"), "");
}

TEST(Outline, PensDrawItsLines) {
  Drawing drawing = sheet({{{50, 50}, 20}});
  drawing.pen = 0.5;
  Context context;
  const double line = drawing.outlines[0]->perimeter * 20;
  EXPECT_NEAR(ink(rasterize(drawing, 1000, 1000, context)) / (line * 0.5), 1, 0.02);
  const PlotForecast plot = forecast(drawing);
  EXPECT_NEAR(plot.drawn, line, 1e-6);
  EXPECT_EQ(plot.lifts, 2);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(encode_svg(drawing).c_str()));
  const auto group = document.child("svg").child("g").child("g");
  EXPECT_STREQ(group.attribute("fill").value(), "none");
  EXPECT_EQ(group.child("path").attribute("stroke-width").as_double(), 0.5);
  EXPECT_FALSE(document.child("svg").child("defs"));
}

TEST(Outline, SvgHoldsItOnce) {
  std::vector<Disc> discs;
  for (int i = 0; i < 10000; ++i) discs.push_back({{i % 100 + 0.5, i / 100 + 0.5}, 0.4});
  Drawing drawing = sheet(discs);
  for (const bool one_size : {true, false}) {
    if (!one_size) drawing.layers[0].discs[5].radius = 0.5;
    const std::string svg = encode_svg(drawing);
    EXPECT_LT(svg.size(), 70 * discs.size());
    pugi::xml_document document;
    ASSERT_TRUE(document.load_string(svg.c_str()));
    const auto root = document.child("svg");
    EXPECT_EQ(std::string(root.child("defs").child("g").attribute("transform").value()),
              one_size ? "scale(0.0004)" : "scale(0.001)");
    const std::string d = root.child("defs").child("g").child("path").attribute("d").value();
    EXPECT_EQ(std::count(d.begin(), d.end(), 'z'), 2);
    std::size_t uses = 0;
    for (const auto use :
         root.find_child_by_attribute("inkscape:label", "1 black").child("g").children("use")) {
      if (one_size) {
        EXPECT_NEAR(use.attribute("x").as_double(), discs[uses].center.x, 0.005);
        EXPECT_NEAR(use.attribute("y").as_double(), discs[uses].center.y, 0.005);
      }
      ++uses;
    }
    EXPECT_EQ(uses, discs.size());
  }
}

}  // namespace
}  // namespace dapple
