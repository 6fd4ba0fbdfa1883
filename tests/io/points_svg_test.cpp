// Dots of SVG files: shapes that are dots, files of other tools and of ours, and hostile ones.
#include <array>
#include <cmath>
#include <gtest/gtest.h>

#include "dapple/drawing_files.hpp"
#include "dapple/limits.hpp"
#include "point_files.hpp"

namespace dapple {
namespace {

std::string svg(const std::string& attributes, const std::string& body) {
  return "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" " + attributes + ">" +
         body + "</svg>\n";
}

// Dots as (x, y, diameter), compared to within 1e-4.
void expect_dots(const std::string& file, const std::vector<std::array<double, 3>>& expected) {
  Points points;
  try {
    points = decode(file, "svg");
  } catch (const Error& error) {
    ADD_FAILURE() << file << " gives: " << error.what();
    return;
  }
  ASSERT_EQ(points.size(), expected.size()) << file;
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_NEAR(points.x[i], expected[i][0], 1e-4) << file << " dot " << i;
    EXPECT_NEAR(points.y[i], expected[i][1], 1e-4) << file << " dot " << i;
    EXPECT_NEAR(static_cast<double>(points.radius[i]), expected[i][2], 1e-4)
        << file << " dot " << i;
  }
}

TEST(Svg, ShapesThatAreDots) {
  const std::string page = "width=\"100\" height=\"50\"";
  for (const char* dot : {
           "<circle cx=\"10\" cy=\"20\" r=\"3\"/>",
           "<circle style=\"fill:red; cx: 10; cy: 20 ;r:3\" r=\"9\"/>",
           "<ellipse cx='10' cy='20' rx='4.5' ry='2'/>",
           "<line x1='10' y1='20' x2='10' y2='20' stroke-width='6' stroke='black'/>",
           "<g stroke-width='6'><path d='M10 20h0'/></g>",
           "<path style='stroke-width:6' d='M10,20l0,0'/>",
           "<path stroke-width='6px' d='m10 20z'/>",
           "<polyline stroke-width='6' points='10,20 10,20'/>",
           "<path d='M7 20a3 3 0 1 0 6 0a3 3 0 1 0-6 0z'/>",
           "<path d='M7 20a3 3 0 016 0 3 3 0 01-6 0'/>",
           "<path d='M10 17a3 3 0 1 1 -.0001 0z'/>",
           "<path d='M 10 17 A 3 3 0 0 1 13 20 A 3 3 0 0 1 10 23 A 3 3 0 0 1 7 20 A 3 3 0 0 1 10 "
           "17'/>",
           "<path d='M13 20C13 21.65685 11.65685 23 10 23S7 21.65685 7 20 8.34315 17 10 17 13 "
           "18.34315 13 20z'/>",
           "<polygon points='13 20 12.12132 22.12132 10 23 7.87868 22.12132 7 20 7.87868 17.87868 "
           "10 "
           "17 12.12132 17.87868'/>",
           "<g transform='translate(10,20)'><g transform='scale(3)'><circle r='1'/></g></g>",
           "<circle transform='rotate(90) translate(20 -10) scale(-1,1)' r='3'/>",
           "<circle transform='matrix(0 3 3 0 10 20)' r='1'/>",
           "<circle transform='rotate(180 9 18)' cx='8' cy='16' r='3'/>",
           "<defs><circle id='d' r='3'/></defs><use href='#d' x='10' y='20'/>",
           "<symbol id='s'><circle r='1'/></symbol><use transform='translate(10 20) scale(3)' "
           "xlink:href='#s'/>",
           "<svg:circle cx='10' cy='20' r='3'/>",
           "<style>.d{r:3px}.off{visibility:hidden}</style><circle class='d' cx='10' cy='20'/>"
           "<circle class='off' cx='5' cy='5' r='2'/><circle fill='none' cx='4' cy='4' r='1'/>",
           "<circle cx='1in' cy='0' r='9' display='none'/><circle cx='10' cy='20' r='3'/>",
           "<circle cx='10' cy='20' r='3'/><circle cx='500' cy='0' r='3'/><circle cx='5' cy='5' "
           "r='0'/>",
       }) {
    expect_dots(svg(page, dot), {{10, 20, 6}});
  }
}

TEST(Svg, ShapesThatAreNoDots) {
  for (const char* shape :
       {"<path d='M1 1L5 5L9 1'/>", "<rect width='9' height='9'/>", "<path d='M1 1'/>",
        "<path d='M0 0h9v9h-9z'/>", "<line x1='1' x2='3'/>", "<circle r='-1' cx='1' cy='1'/>",
        "<path d='M0 0C1 0 9 0 9 9C9 9 0 9 0 0z'/>", "<path d='M7 20a3 3 0 0 1 6 0z'/>",
        "<path d='bad'/>", "<path d='M1 nan h0'/>", "<circle cx='1' cy='1' r='0'/>"}) {
    EXPECT_NE(message(svg("width='20' height='20'", shape), "svg").find("holds no dots"),
              std::string::npos)
        << shape;
  }
}

TEST(Svg, CompactPathsHoldManyDots) {
  expect_dots(
      svg("viewBox='0 0 10 10'", "<path stroke-width='.5' d='M1 2h0M3.5.5h0m1 1h0m-.5-1h0'/>"),
      {{1, 2, .5}, {3.5, .5, .5}, {4.5, 1.5, .5}, {4, .5, .5}});
  // Strokes up to a fifth of their width still look like dots, around their middle.
  expect_dots(svg("viewBox='0 0 10 10'",
                  "<path stroke-width='1' d='M1 2h.001m1.1 0v.19M5 5h.21'/>"
                  "<line stroke-width='2' x1='8' x2='8.25' y1='9' y2='9'/>"),
              {{1.0005, 2, 1}, {2.101, 2.095, 1}, {8.125, 9, 2}});
  expect_dots(svg("viewBox='0 0 10 10'",
                  "<path d='M1 2a1 1 0 102 0 1 1 0 10-2 0M5 5a.5.5 0 101 0 .5.5 0 10-1 0'/>"),
              {{2, 2, 2}, {5.5, 5, 1}});
}

TEST(Svg, UnitsAndViewBox) {
  const std::string dot = "<circle cx='5' cy='5' r='1'/>";
  const double mm = 96 / 25.4;
  expect_dots(svg("width='20mm' height='10mm' viewBox='0 0 20 10'", dot),
              {{5 * mm, 5 * mm, 2 * mm}});
  expect_dots(svg("width='2cm' height='1cm' viewBox='-10 -10 40 20'", dot),
              {{7.5 * mm, 7.5 * mm, 1 * mm}});
  // The viewBox keeps its shape, in the middle of the page.
  expect_dots(svg("width='20' height='40' viewBox='0 0 10 10'", dot), {{10, 20, 4}});
  expect_dots(svg("width='20' height='40' preserveAspectRatio='none' viewBox='0 0 10 10'", dot),
              {{10, 20, 2 * std::sqrt(8.0)}});
  expect_dots(svg("width='100%' viewBox='0 0 10 10'", dot), {{5, 5, 2}});
  expect_dots(svg("height='20px' viewBox='0 0 10 10'", dot), {{10, 10, 4}});
  EXPECT_EQ(decode(svg("width='2in' height='72pt'", dot), "svg").domain, (Domain{192, 96, false}));
  EXPECT_EQ(decode(svg("", dot), "svg").domain, (Domain{6, 6, false}));
}

TEST(Svg, InksBecomeClasses) {
  const std::string dots =
      "<g fill='red'><circle cx='1' cy='1' r='1'/></g><circle cx='2' cy='2' r='1'/>"
      "<g style='fill:none;stroke:red'><circle cx='3' cy='3' r='1'/><path d='M4 4h0'/></g>";
  EXPECT_EQ(decode(svg("width='9' height='9'", dots), "svg").class_id,
            (std::vector<std::int32_t>{0, 1, 0, 0}));
  EXPECT_TRUE(
      decode(svg("width='9' height='9'", "<circle cx='1' cy='1' r='1'/>"), "svg").class_id.empty());
}

TEST(Svg, HostileFiles) {
  EXPECT_NE(message("<svg><circle", "svg").find("not XML"), std::string::npos);
  EXPECT_NE(message("<html/>", "svg").find("root element is <html>"), std::string::npos);
  EXPECT_NE(message("", "svg").find("not XML"), std::string::npos);
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<g>";
  EXPECT_NE(message("<svg>" + deep, "svg"), "");
  std::string closed = deep;
  for (int i = 0; i < 100'000; ++i) closed += "</g>";
  EXPECT_NE(message("<svg>" + closed + "</svg>", "svg").find("nested"), std::string::npos);
  // Ten uses of ten uses of ...: 10^12 circles in a kilobyte.
  std::string bomb = "<defs><circle id='a0' cx='1' cy='1' r='1'/>";
  for (int i = 1; i <= 12; ++i) {
    bomb += "<g id='a" + std::to_string(i) + "'>";
    for (int k = 0; k < 10; ++k) bomb += "<use href='#a" + std::to_string(i - 1) + "'/>";
    bomb += "</g>";
  }
  bomb += "</defs><use href='#a12'/>";
  EXPECT_NE(message(svg("", bomb), "svg", ErrorKind::limit).find("repeat"), std::string::npos);
  EXPECT_NE(message(svg("", "<g id='a'><use href='#a'/></g>"), "svg"), "");
}

// What encode_svg writes of a set comes back: the page, both coordinates to within a hundredth of
// a dot, also those on its edges, sizes, classes and the recipe.
TEST(Svg, PicturesOfPointsAreReadBack) {
  for (const bool one_size : {true, false}) {
    Points points;
    points.domain = {640, 480.5, false};
    for (int i = 0; i < 5000; ++i) {
      const double x = std::fmod(i * 395.51, 640), y = std::fmod(i * 271.77, 480.5);
      points.add({x, y}, one_size ? 5.0f : 1.0f + static_cast<float>(i % 7));
    }
    points.add({std::nextafter(640.0, 0.0), std::nextafter(480.5, 0.0)}, 5);
    points.add({0, 0}, 5);
    points.metadata = {{"recipe", "command = \"sample\"\n# <&>\n"}};
    const Points again = decode(encode_svg(draw_points(points)), "svg");
    EXPECT_EQ(again.domain.width, 640);
    EXPECT_NEAR(again.domain.height, 480.5, 1e-9);
    EXPECT_EQ(again.metadata, points.metadata);
    ASSERT_EQ(again.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_LE(length(again[i] - points[i]), 0.01 * std::sqrt(2.0) * 2.5) << i;
      EXPECT_NEAR(again.radius[i], points.radius[i], 0.02) << i;
    }
  }
  Points two;
  two.domain = {10, 10, false};
  two.add({1, 1}, 1);
  two.add({2, 2}, 1);
  two.add({3, 3}, 1);
  two.class_id = {0, 1, 1};
  EXPECT_EQ(decode(encode_svg(draw_points(two)), "svg").class_id, two.class_id);
}

TEST(DrawPoints, DiscsOfHalfTheRadius) {
  Points points;
  points.domain = {96, 48, false};
  points.add({48, 24}, 8);
  points.add({10, 20}, 0);
  points.class_id = {1, 0};
  points.metadata = {{"recipe", "seed = 1"}};
  const Drawing drawing = draw_points(points);
  EXPECT_DOUBLE_EQ(drawing.width, 25.4);
  EXPECT_DOUBLE_EQ(drawing.height, 12.7);
  EXPECT_EQ(drawing.metadata, points.metadata);
  ASSERT_EQ(drawing.layers.size(), 2u);
  ASSERT_EQ(drawing.layers[1].discs.size(), 1u);
  EXPECT_DOUBLE_EQ(drawing.layers[1].discs[0].center.x, 12.7);
  EXPECT_DOUBLE_EQ(drawing.layers[1].discs[0].radius, 4 * 25.4 / 96);
  ASSERT_EQ(drawing.layers[0].discs.size(), 1u);
  EXPECT_GT(drawing.layers[0].discs[0].radius, 0);
}

}  // namespace
}  // namespace dapple
