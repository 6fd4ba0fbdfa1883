// Drawings that are wrong, or odd and right: one for each thing that the readers of SVG and XML
// ask, and drawings of every kind in each language.
#include <gtest/gtest.h>

#include "dapple/drawing_files.hpp"
#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "io/drawings/svg.hpp"
#include "point_files.hpp"

namespace dapple {
namespace {

using namespace std::string_literals;

std::string svg(const std::string& shapes) {
  return "<svg xmlns='http://www.w3.org/2000/svg'>" + shapes + "</svg>";
}

std::size_t dots_in(const std::string& shapes) {
  const std::string all = svg(shapes + "<circle cx='90' cy='90' r='1'/>");
  return decode(all, "svg").size() - 1;
}

std::size_t dots_of_path(const std::string& data) {
  return dots_in("<path d='" + data + "' stroke='black' fill='none'/>");
}

TEST(WrongDrawings, PathsEndWhereTheyMakeNoSense) {
  for (const char* data :
       {"", "5 5", "nonsense", "M", "M5", "M0 0A1 1 0 2 0 3 3", "M0 0A1 1 0", "M0 0A1 1 0 1 2 3 3",
        "M0 0A1 1", "M0 0L", "M0 0C1 1", "M0 0Q1", "M0 0H", "M0 0V", "M0 0B 3 3"}) {
    EXPECT_EQ(dots_of_path(data), 0u) << data;
  }
  EXPECT_EQ(dots_of_path("M0 0z 5 5L9 9"), 1u);  // no numbers follow a closed path
}

TEST(WrongDrawings, PathsBeyondAllNumbersAreNoDots) {
  for (const char* data : {"M1e308 0l1e308 0", "M0 1e308l0 1e308", "M1e308 0a1e308 1 0 0 1 1e308 0",
                           "M0 0L1e308 0l1e308 1z", "M0 0a1e200 1e200 0 0 1 1 1",
                           "M0 0A1 0 0 0 1 5 5", "M0 0A0 1 0 0 1 5 5"}) {
    EXPECT_EQ(dots_of_path(data), 0u) << data;
  }
  // An arc to where it begins is left out, says the standard: what is left is a dot.
  EXPECT_EQ(dots_of_path("M3 3A1 1 0 0 1 3 3"), 1u);
  EXPECT_EQ(dots_of_path("M3 3C3 3 3 3 3 3"), 1u);
  EXPECT_EQ(dots_of_path("M3 3C5 5 5 1 3 3"), 0u);
  // Arcs of circles that are not the same make no circle.
  EXPECT_EQ(dots_of_path("M0 0A5 5 0 0 1 10 0A9 9 0 0 1 0 0z"), 0u);
  EXPECT_EQ(dots_of_path("M0 0A5 5 0 0 1 10 0A5.6 5.6 0 0 1 0 0z"), 0u);
  EXPECT_EQ(dots_of_path("M0 0A5 5 0 0 1 10 0A5 5 0 0 1 0 0z"), 1u);
  // Curves with lines between them make none either.
  EXPECT_EQ(dots_of_path("M0 0C0 5 5 5 5 0L4 0L3 0C3 -2 0 -2 0 0z"), 0u);
}

TEST(WrongDrawings, TransformsThatMakeNoSenseLeaveAllAsItIs) {
  const auto at = [](const std::string& transform) {
    return decode(svg("<circle cx='2' cy='3' r='1' transform='" + transform + "'/>"), "svg")[0];
  };
  for (const char* transform :
       {"translate()", "scale()", "rotate()", "matrix(1)", "matrix(1 2 3 4 5 6 7)", "skewX()",
        "skewX(1 2)", "skewY()", "shift(3)", "scale(2", "scale(a)"}) {
    EXPECT_EQ(at(transform), (Vec2{2, 3})) << transform;
  }
  EXPECT_EQ(at("translate (4)"), (Vec2{6, 3}));
  EXPECT_EQ(at("scale(2,4)"), (Vec2{4, 12}));
  EXPECT_NEAR(at("skewY(45)").y, 5, 1e-9);
  EXPECT_NEAR(at("skewX(45)").x, 5, 1e-9);
}

TEST(WrongDrawings, GroupsAndStylesOfAllKinds) {
  const std::string dot = "<circle cx='2' cy='3' r='1' ";
  EXPECT_EQ(dots_in("<a>" + dot + "/></a><switch>" + dot + "/></switch>"), 2u);
  const Points inner = decode(svg("<svg x='10' y='20'>" + dot + "/></svg>"), "svg");
  EXPECT_EQ(inner[0], (Vec2{12, 23}));
  // Declarations without a colon or a value say nothing.
  EXPECT_EQ(dots_in(dot + "style='display;fill: ;display:none'/>"), 0u);
  EXPECT_EQ(dots_in(dot + "style='display;fill: ;'/>"), 1u);
}

std::string utf16(const std::u16string& text, bool highest_first) {
  std::string bytes = highest_first ? "\xfe\xff" : "\xff\xfe";
  for (const char16_t unit : text) {
    const auto high = static_cast<char>(unit >> 8);
    const auto low = static_cast<char>(unit & 255);
    bytes += highest_first ? std::string{high, low} : std::string{low, high};
  }
  return bytes;
}

TEST(WrongDrawings, ProblemsOfXmlSayWhere) {
  const auto expect_line = [](const std::string& bytes, int line) {
    const std::string said = message(bytes, "svg");
    EXPECT_EQ(said.find("line " + std::to_string(line) + ": not XML: "), 0u) << bytes << said;
  };
  expect_line("<a>\n<b>\n</a>", 3);
  expect_line("<a>\n<b/>", 2);
  expect_line("\n\n<a b>", 3);
  expect_line("<a b=c>", 1);
  expect_line("<a b='c>", 1);
  expect_line("<a/><!-- ", 1);
  expect_line("no marks", 1);
  expect_line("<!DOCTYPE a [<!ELEMENT b", 1);
  expect_line("<!DOCTYPE a 'b", 1);
  for (const bool highest_first : {false, true}) {
    expect_line(utf16(u"<a \u00e4='\U0001f600\uff21'>\n\u0a0a\n</b>\n", highest_first), 3);
  }
  std::string many = "<svg";
  for (int i = 0; i < 1001; ++i) many += " b=''";
  EXPECT_EQ(message(many + "/>", "svg"), "an element <svg> has more than 1000 attributes");
}

// Entities that a document type declares stay references and open no file.
TEST(WrongDrawings, EntitiesAreNotFollowed) {
  const std::string type =
      "<!DOCTYPE svg SYSTEM '/etc/passwd' [<!-- > --> <!ENTITY a \"<b>\">"
      "<!ENTITY b SYSTEM '/etc/passwd'>]>";
  const std::string dots =
      svg("<circle r='1' fill='&a;'/><circle r='1' fill='&b;'/>"
          "<circle r='1' fill='&amp;a;'/>&b;<![CDATA[<no>]]>");
  const Points points = decode(type + dots, "svg");
  EXPECT_EQ(points.class_id, (std::vector<std::int32_t>{0, 1, 0}));
}

TEST(WrongDrawings, XmlInAnyEncoding) {
  const std::u16string text =
      u"<svg><circle id='\u00e4\U0001f600\uff21' r='1'/><use href='#\u00e4\U0001f600\uff21'/>"
      u"<use href='#&#xe4;&#x1f600;&#65313;'/><use href='#\u00e4\U0001f600A'/></svg>";
  for (const bool highest_first : {false, true}) {
    EXPECT_EQ(decode(utf16(text, highest_first), "svg").size(), 3u);
  }
  const std::string marked =
      "\xef\xbb\xbf" + svg("<circle id='\u00e4' r='1'/><use href='#&#xe4;'/>");
  EXPECT_EQ(decode(marked, "svg").size(), 2u);
}

TEST(WrongDrawings, TextsInSvgThatAreCut) {
  EXPECT_TRUE(svg_metadata("<dapple:text key=\"a\">b").empty());
  EXPECT_TRUE(svg_metadata("<dapple:text key=\"a</metadata>").empty());
  EXPECT_TRUE(svg_metadata("<dapple:text key=\"a\">b</metadata>").empty());
  EXPECT_TRUE(svg_metadata("<dapple:text key=\"a</dapple:text>\"></metadata>").empty());
  EXPECT_EQ(svg_metadata("<dapple:text key=\"a\">b</dapple:text></metadata>").size(), 1u);
}

Drawing plan() {
  Drawing drawing;
  drawing.width = 40;
  drawing.height = 30;
  drawing.metadata = {
      {"a\x01"
       "b",
       "c\x02"
       "d (e)"}};
  Layer& layer = drawing.layers.emplace_back();
  layer.name = "ink";
  layer.color = "#102030";
  layer.discs = {{{5, 5}, 2}, {{20, 10}, 1}, {{30, 20}, 0}};
  layer.lines = {{{{1, 1}, {9, 2}, {9, 9}}, 0.3}, {{{12, 12}}, 0.4}, {{}, 0.4}};
  return drawing;
}

TEST(WrongDrawings, EveryLanguageHoldsEveryKindOfMark) {
  for (const DotShape shape :
       {DotShape::disc, DotShape::circle, DotShape::spiral, DotShape::point}) {
    for (const double pen : {0.0, 0.5}) {
      Drawing drawing = plan();
      drawing.shape = shape;
      drawing.pen = pen;
      for (const std::string_view format : drawing_formats()) {
        const bool filled_by_a_pen = format != "svg" && format != "pdf";
        if (filled_by_a_pen && pen == 0) continue;
        EXPECT_GT(encode_drawing(drawing, format).size(), 100u) << format;
      }
    }
  }
}

TEST(WrongDrawings, PensThatStayAndCommandsThatAreEmpty) {
  Drawing drawing = plan();
  drawing.pen = 0.5;
  drawing.layers.push_back(drawing.layers[0]);
  drawing.layers[1].same_pen = true;
  const std::string one = encode_drawing(drawing, "hpgl");
  EXPECT_NE(one.find("SP1;"), std::string::npos);
  EXPECT_EQ(one.find("SP2;"), std::string::npos);
  drawing.layers[1].same_pen = false;
  EXPECT_NE(encode_drawing(drawing, "plt").find("SP2;"), std::string::npos);
  drawing.layers[0].fills = {{{{1, 1}, {2, 1}, {2, 2}}}};
  EXPECT_GT(encode_drawing(drawing, "pdf").size(), 100u);
  EXPECT_THROW(encode_drawing(drawing, "gcode"), Error);
  EXPECT_THROW(encode_drawing(plan(), "dwg"), Error);
}

}  // namespace
}  // namespace dapple
