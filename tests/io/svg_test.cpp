// SVG as another reader sees it: parsed by pugixml, dots found again in millimeters.
#include "io/drawings/svg.hpp"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "dapple/drawing_files.hpp"

namespace dapple {
namespace {

Drawing sheet() {
  Drawing drawing;
  drawing.width = 210;
  drawing.height = 297;
  drawing.layers.push_back({"1 black", "black", {}, {}});
  for (int i = 0; i < 5003; ++i) {
    drawing.layers[0].discs.push_back(
        {{std::fmod(i * 13.337, 210.0), std::fmod(i * 7.7713, 297.0)}, 0.25});
  }
  return drawing;
}

pugi::xml_document parsed(const std::string& svg) {
  pugi::xml_document document;
  const auto result = document.load_buffer(svg.data(), svg.size());
  EXPECT_TRUE(result) << result.description();
  return document;
}

pugi::xml_node layer(const pugi::xml_document& document, const std::string& label) {
  return document.child("svg").find_child_by_attribute("g", "inkscape:label", label.c_str());
}

// The middles of the short strokes M x y h along m dx dy h along ... of one path.
void read_touches(const char* d, std::vector<Vec2>& out) {
  Vec2 at;
  while (*d != '\0') {
    const char command = *d++;
    char* end = nullptr;
    const double x = std::strtod(d, &end);
    const double y = std::strtod(end, &end);
    at = command == 'M' ? Vec2{x, y} : Vec2{at.x + x, at.y + y};
    ASSERT_TRUE(command == 'M' || command == 'm');
    ASSERT_EQ(*end, 'h');
    d = end + 1;
    const double along = std::strtod(d, &end);
    ASSERT_GT(along, 0) << "some viewers drop strokes without length";
    ASSERT_LE(along, 0.001);
    d = end;
    out.push_back({at.x + 0.5 * along, at.y});
    at.x += along;
  }
}

TEST(Svg, DotsOfOneSizeComeBack) {
  const Drawing drawing = sheet();
  const std::string svg = encode_svg(drawing);
  const pugi::xml_document document = parsed(svg);
  const pugi::xml_node root = document.child("svg");
  EXPECT_STREQ(root.attribute("width").value(), "210mm");
  EXPECT_STREQ(root.attribute("height").value(), "297mm");
  EXPECT_STREQ(root.attribute("viewBox").value(), "0 0 210 297");
  const pugi::xml_node black = layer(document, "1 black");
  EXPECT_STREQ(black.attribute("inkscape:groupmode").value(), "layer");
  EXPECT_STRNE(black.attribute("id").value(), "");
  const pugi::xml_node group = black.child("g");
  EXPECT_EQ(group.attribute("stroke-width").as_double(), 0.5);
  EXPECT_STREQ(group.attribute("stroke-linecap").value(), "round");
  EXPECT_STREQ(group.attribute("stroke").value(), "#000000");
  std::vector<Vec2> dots;
  for (const pugi::xml_node path : group.children("path")) {
    read_touches(path.attribute("d").value(), dots);
  }
  ASSERT_EQ(dots.size(), drawing.layers[0].discs.size());
  for (std::size_t i = 0; i < dots.size(); ++i) {
    ASSERT_NEAR(length(dots[i] - drawing.layers[0].discs[i].center), 0, 0.25 / 50) << i;
  }
  EXPECT_LT(svg.size(), 20 * dots.size()) << "compact";
}

TEST(Svg, DotsOfSeveralSizesAreCircles) {
  Drawing drawing = sheet();
  drawing.layers[0].discs = {{{10, 20}, 0.5}, {{30.123, 40.5}, 0.75}};
  const pugi::xml_document document = parsed(encode_svg(drawing));
  const pugi::xml_node first = layer(document, "1 black").child("g").child("circle");
  EXPECT_EQ(first.attribute("cx").as_double(), 10);
  EXPECT_EQ(first.attribute("cy").as_double(), 20);
  EXPECT_EQ(first.attribute("r").as_double(), 0.5);
  const pugi::xml_node second = first.next_sibling("circle");
  EXPECT_NEAR(second.attribute("cx").as_double(), 30.123, 0.01);
  EXPECT_EQ(second.attribute("r").as_double(), 0.75);
}

TEST(Svg, PlotterShapes) {
  Drawing drawing = sheet();
  drawing.pen = 0.3;
  drawing.shape = DotShape::point;
  const pugi::xml_document points = parsed(encode_svg(drawing));
  EXPECT_EQ(layer(points, "1 black").child("g").attribute("stroke-width").as_double(), 0.3);
  EXPECT_FALSE(layer(points, "% paper")) << "nothing but dots for a pen on white paper";
  drawing.shape = DotShape::circle;
  drawing.background = "#102030";
  const pugi::xml_document circles = parsed(encode_svg(drawing));
  EXPECT_TRUE(layer(circles, "% paper"));
  const pugi::xml_node group = layer(circles, "1 black").child("g");
  EXPECT_STREQ(group.attribute("fill").value(), "none");
  EXPECT_EQ(group.attribute("stroke-width").as_double(), 0.3);
  EXPECT_EQ(group.child("circle").attribute("r").as_double(), 0.25);
}

TEST(Svg, LinesAndEmptyLayers) {
  Drawing drawing = sheet();
  drawing.layers[0].discs.clear();
  drawing.layers[0].lines = {{{{1, 2}, {3, 1.5}, {0.5, 4}}, 0.1}, {{}, 0.1}, {{{5, 6}}, 0.1}};
  drawing.layers.push_back({"2 <red> & \"more\"", "#f00", {}, {}});
  const pugi::xml_document document = parsed(encode_svg(drawing));
  const pugi::xml_node path = layer(document, "1 black").child("g").child("path");
  EXPECT_STREQ(path.attribute("d").value(), "M1 2l2-.5-2.5 2.5");
  const pugi::xml_node dot = path.next_sibling("path");
  EXPECT_STREQ(dot.attribute("d").value(), "M5 6h.001") << "a line of one point is a dot";
  EXPECT_FALSE(dot.next_sibling("path"));
  EXPECT_TRUE(layer(document, "2 <red> & \"more\""));
}

TEST(Svg, MetadataRoundTrips) {
  Drawing drawing = sheet();
  const std::string recipe =
      "# <what> & \"for whom\"\ncommand = \"stipple\"\r\nsize = ']]>'\tx\n &amp;";
  drawing.metadata = {{"dapple:recipe", recipe}, {"Author", "Zoë <z@example.org>"}};
  const std::string svg = encode_svg(drawing);
  EXPECT_EQ(svg_metadata(svg), drawing.metadata);
  const pugi::xml_document document = parsed(svg);
  const pugi::xml_node text = document.child("svg").child("metadata").child("dapple:text");
  EXPECT_STREQ(text.attribute("key").value(), "dapple:recipe");
  EXPECT_EQ(text.text().get(), recipe);
  EXPECT_TRUE(svg_metadata("<svg/>").empty());
  EXPECT_TRUE(svg_metadata(svg.substr(0, svg.find("</metadata>"))).empty());
  EXPECT_TRUE(svg_metadata("<dapple:text key=\"a</metadata>").empty());
}

TEST(Svg, PrecisionFollowsTheDots) {
  Drawing drawing = sheet();
  drawing.layers[0].discs = {{{0.123456789, 1.987654321}, 1e-4}};
  std::vector<Vec2> dots;
  const pugi::xml_document document = parsed(encode_svg(drawing));
  read_touches(layer(document, "1 black").child("g").child("path").attribute("d").value(), dots);
  ASSERT_EQ(dots.size(), 1u);
  EXPECT_NEAR(dots[0].x, 0.123456789, 1e-6);
  EXPECT_NEAR(dots[0].y, 1.987654321, 1e-6);
  EXPECT_EQ(encode_svg(drawing), encode_svg(drawing));
}

}  // namespace
}  // namespace dapple
