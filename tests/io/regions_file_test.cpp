// Files of regions: what each format holds, and what their errors say.
#include <gtest/gtest.h>

#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "dapple/regions.hpp"

namespace dapple {
namespace {

Regions read(const std::string& bytes, const std::string& extension) {
  return decode_regions(bytes, extension, Limits{});
}

std::string error_of(const std::string& bytes, const std::string& extension) {
  try {
    read(bytes, extension);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

void expect_error(const std::string& bytes, const std::string& extension, const std::string& part) {
  const std::string error = error_of(bytes, extension);
  EXPECT_NE(error.find(part), std::string::npos) << error << "\n" << bytes;
}

std::string feature(const std::string& type, const std::string& coordinates,
                    const std::string& properties = "{}") {
  return R"({"type":"Feature","properties":)" + properties + R"(,"geometry":{"type":")" + type +
         R"(","coordinates":)" + coordinates + "}}";
}

std::string collection(const std::string& features) {
  return R"({"type":"FeatureCollection","features":[)" + features + "]}";
}

constexpr const char* square = "[[[0,0],[4,0],[4,4],[0,4],[0,0]]]";

TEST(RegionFiles, ReadFeaturesWithHolesAndSeveralPolygons) {
  const Regions regions = read(
      collection(feature("Polygon",
                         "[[[0,0,7],[4,0,7],[4,4,7],[0,0,7]],[[1,0.5],[2,0.5],[2,1],[1,0.5]]]",
                         R"({"name":"Mitte","people":12,"note":null})") +
                 "," + feature("MultiPolygon", std::string("[") + square + "," + square + "]")),
      ".geojson");
  ASSERT_EQ(regions.all.size(), 2u);
  EXPECT_EQ(name_of_region(regions, 0), "region 1 (Mitte)");
  EXPECT_EQ(regions.all[0].rings.size(), 2u);
  EXPECT_EQ(regions.all[0].rings[0].size(), 3u);
  EXPECT_EQ(regions.all[1].rings.size(), 2u);
  EXPECT_TRUE(regions.y_up);
  ASSERT_EQ(regions.notes.size(), 1u);
  EXPECT_NE(regions.notes[0].find("z and m"), std::string::npos);
}

TEST(RegionFiles, ReadWellKnownText) {
  const Regions regions = read(
      "SRID=4326;POLYGON Z((0 0 1, 4 0 1, 4 4 1, 0 0 1));\n"
      "multipolygon(((0 0,1 0,1 1,0 0)),((2 2,3 2,3 3,2 2),(2.5 2.2,2.6 2.2,2.6 2.4,2.5 2.2)))\n"
      "GEOMETRYCOLLECTION(POLYGON((-1e1 0,1 0,1 +1,-1e1 0)))",
      ".wkt");
  ASSERT_EQ(regions.all.size(), 3u);
  EXPECT_EQ(regions.all[1].rings.size(), 3u);
  EXPECT_EQ(regions.all[2].rings[0][0], (Vec2{-10, 0}));
  EXPECT_EQ(regions.notes.size(), 1u);
}

TEST(RegionFiles, ReadShapesOfSvgWithTheirAttributes) {
  const Regions regions = read(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 50 50'><g transform='translate(10 0)'>"
      "<rect id='park' width='5' height='4' data-trees='30'/></g>"
      "<path trees='7' d='M0 0h9v9h-9zM2 2h2v2h-2z'/>"
      "<path fill='none' stroke='red' d='M0 0h9'/></svg>",
      ".svg");
  ASSERT_EQ(regions.all.size(), 2u);
  EXPECT_EQ(regions.all[0].rings[0][0], (Vec2{10, 0}));
  EXPECT_EQ(regions.all[1].rings.size(), 2u);
  EXPECT_FALSE(regions.y_up);
  EXPECT_EQ(counts_from(regions, "trees"), (std::vector<std::int64_t>{30, 7}));
  EXPECT_EQ(regions.notes.size(), 1u);
}

TEST(RegionFiles, NameTheFeatureThatIsWrong) {
  const auto two = [](const std::string& type, const std::string& coordinates) {
    return collection(feature("Polygon", square) + "," +
                      feature(type, coordinates, R"({"name":"Mitte"})"));
  };
  expect_error(two("Polygon", "[[[0,0],[4,0],[4,4],[0,4]]]"), "geojson",
               "region 2 (Mitte): ring 1 is open");
  expect_error(two("Polygon", "[[[0,0],[4,0],[0,0]]]"), "geojson",
               "region 2 (Mitte): ring 1 has 3");
  expect_error(two("Point", "[0,0]"), "geojson", "region 2 (Mitte) is a Point");
  expect_error(two("Polygon", "[[[0,\"x\"],[4,0],[4,4],[0,0]]]"), "geojson", "list of numbers");
  expect_error(two("Polygon", "[]"), "geojson", "region 2 (Mitte) has no rings");
  expect_error(two("Polygon", "[[[0,0],[NaN,0],[4,4],[0,0]]]"), "geojson", "not JSON");
  expect_error(R"({"type":"FeatureCollection","features":[]})", "geojson", "no features");
  expect_error(R"({"type":"Feature","geometry":null})", "geojson", "region 1 has no geometry");
  expect_error("", "geojson", "not JSON");
  expect_error("", "wkt", "no geometry");
  expect_error("POLYGON EMPTY", "wkt", "region 1 is empty");
  expect_error("POLYGON((0 0,1 0,1 1,0 1))", "wkt", "ring 1 is open");
  expect_error("POLYGON((0 0,1 0,nan 1,0 0))", "wkt", "a finite number");
  expect_error("POLYGON((0 0,1 0,1 1,0 0)", "wkt", "before the end");
  expect_error("LINESTRING(0 0,1 0)", "wkt", "is a LINESTRING");
  expect_error("POLYGON((0 0,1e300 0,1 1,0 0))", "wkt", "below 1e15");
  expect_error("<svg/>", "svg", "no shape");
  expect_error("", "shp", "not a format of regions");
}

TEST(RegionFiles, NameThePropertyThatIsWrong) {
  const auto message = [](const std::string& properties, const std::string& source) {
    const Regions regions = read(feature("Polygon", square, properties), "geojson");
    try {
      counts_from(regions, source);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const std::string people = R"({"name":"A","people":12,"share":0.5,"less":-3,"word":"many"})";
  EXPECT_EQ(message(people, "people"), "none");
  EXPECT_NE(message(people, "dogs").find("region 1 (A) has no property 'dogs'; it has people"),
            std::string::npos);
  for (const char* name : {"share", "less", "word"}) {
    EXPECT_NE(message(people, name).find("a whole number from 0 up"), std::string::npos) << name;
  }
  EXPECT_NE(message(people, "-4").find("not -4"), std::string::npos);
  EXPECT_NE(message(people, "2.5").find("not 2.5"), std::string::npos);
}

}  // namespace
}  // namespace dapple
