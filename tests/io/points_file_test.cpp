// Point files: exact round trips, files of other tools, and files that lie.
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

#include "dapple/limits.hpp"
#include "dapple/point_files.hpp"
#include "io/utf8.hpp"
#include "point_files.hpp"

namespace dapple {
namespace {

using namespace std::string_literals;

constexpr double largest = 1.7976931348623157e308;
constexpr double smallest = 4.9406564584124654e-324;

// Numbers that are hard to print and read: the ends of the range, neighbors, and 0.1 + 0.2.
Points hard_points() {
  Points points;
  points.domain = {largest, 512.5, true};
  const std::array<double, 7> xs{0,         smallest, 2.2250738585072014e-308, 1.0 / 3,
                                 0.1 + 0.2, 1e22,     8.98846567431158e307};
  const std::array<float, 7> rs{
      0.0f, 1e-45f, std::numeric_limits<float>::max(), 0.1f, 16777217.0f, 1.0f / 3, 5.877472e-39f};
  for (std::size_t i = 0; i < xs.size(); ++i) {
    points.add({xs[i], std::nextafter(512.5, 0.0) / static_cast<double>(i + 1)}, rs[i]);
    points.class_id.push_back(i == 3 ? std::numeric_limits<std::int32_t>::max() : 0);
    points.id.push_back(static_cast<std::int32_t>(100 + 2 * i));
    points.rank.push_back(static_cast<std::int32_t>((i * 3) % 7));
    points.object_size.push_back(rs[6 - i]);
    points.rotation.push_back(-rs[i]);
  }
  points.metadata = {{"recipe", "command = \"sample\"\n# a \\ comment\r\nseed = 7\n"},
                     {"a key", " value with blanks, \"quotes\" and umlauts äöü "},
                     {"empty", ""}};
  return points;
}

void expect_same_numbers(const Points& a, const Points& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.x[i]), std::bit_cast<std::uint64_t>(b.x[i])) << i;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.y[i]), std::bit_cast<std::uint64_t>(b.y[i])) << i;
    EXPECT_EQ(std::bit_cast<std::uint32_t>(a.radius[i]), std::bit_cast<std::uint32_t>(b.radius[i]))
        << i;
  }
}

class RoundTrip : public testing::TestWithParam<const char*> {};

TEST_P(RoundTrip, GivesBackEveryBit) {
  const std::string format = GetParam();
  const Points points = hard_points();
  const std::string bytes = encode_points(points, format);
  const Points again = decode(bytes, format);
  expect_same_numbers(again, points);
  if (format == "npy") {
    EXPECT_TRUE(again.class_id.empty());
    EXPECT_TRUE(again.rotation.empty());
  } else {
    EXPECT_EQ(again.class_id, points.class_id);
    EXPECT_EQ(again.rank, points.rank);
    EXPECT_EQ(again.id, points.id);
    EXPECT_EQ(again.object_size, points.object_size);
    EXPECT_EQ(again.rotation, points.rotation);
  }
  if (format == "ply" || format == "json") {
    EXPECT_EQ(again.domain, points.domain);
    EXPECT_EQ(again.metadata, points.metadata);
  }
  // Written again it is the same file, where the format holds all there is.
  if (format != "csv" && format != "npy") {
    EXPECT_EQ(encode_points(again, format), bytes);
  }
  // A stream without a name is known by its first bytes.
  expect_same_numbers(decode(bytes, ""), points);
  expect_same_numbers(decode(bytes, "." + format), points);
}

// Text and tables hold places in the plane; files that know a domain know where it lies.
TEST_P(RoundTrip, PointsInSpaceKeepTheirDepth) {
  const std::string format = GetParam();
  Points points;
  points.domain = {8, 8, false};
  points.z = {0.1 + 0.2, 0, 6.5};
  points.depth = 7;
  for (double x : {1.0, 2.0, 7.5}) points.add({x, 7.5}, 1);
  const Points again = decode(encode_points(points, format), format);
  EXPECT_EQ(again.z, points.z);
  EXPECT_EQ(again.depth, 7);
  points.w = {2, 1.0 / 3, 4};
  points.extent = 5;
  const Points four = decode(encode_points(points, format), format);
  EXPECT_EQ(four.z, points.z);
  // Tables alone do not say how far it goes: their sidecars do.
  const bool says = format == "ply" || format == "json";
  EXPECT_EQ(four.w, says ? points.w : std::vector<double>{});
  EXPECT_EQ(four.extent, says ? 5 : 0);
  points.w.clear();
  points.z = {0, 0, 0};
  EXPECT_TRUE(decode(encode_points(points, format), format).z.empty());
}

TEST(PointsFile, AColumnWIsAPlaceWhereTheFileSaysHowFarItGoes) {
  EXPECT_TRUE(decode("x,y,z,w\n1,1,2,3\n", "csv").w.empty());  // a weight, for all that is known
  const Points four = decode("# domain 4x4x4x5 torus\nx,y,z,w\n1,1,2,3\n", "csv");
  EXPECT_EQ(four.w, std::vector<double>{3});
  EXPECT_EQ(four.extent, 5);
  EXPECT_THROW(decode("# domain 4x4x4x5 torus\nx,y,z,w\n1,1,2,6\n", "csv"), Error);
  for (const char* sides : {"4x4x4x1e999", "infx4", "4x1e400 torus"}) {
    try {
      decode("# domain " + std::string(sides) + "\nx,y,z,w\n1,1,2,3\n", "csv");
      ADD_FAILURE() << sides << " is taken";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(std::string("not ") + sides), std::string::npos)
          << error.what();
    }
  }
}

TEST(PointsFile, WhatGoesBelowThePlaneHasNoDepth) {
  const Points mesh = decode("x,y,z\n1,1,-2\n3,1,4\n", "csv");
  EXPECT_TRUE(mesh.z.empty());
  EXPECT_EQ(mesh.depth, 0);
  EXPECT_EQ(mesh.size(), 2u);
}

TEST_P(RoundTrip, APartOfAPlane) {
  Points points;
  points.domain = {40, 30, false};
  points.origin = {-100.5, 2000};
  points.add({3.25, 29.5}, 2);
  points.add({0, 0.125}, 2);
  const std::string format = GetParam();
  const std::string bytes = encode_points(points, format);
  if (format == "csv") {
    EXPECT_EQ(bytes, "x,y,r\n-97.25,2029.5,2\n-100.5,2000.125,2\n");
  }
  if (format == "csv" || format == "npy") return;
  const Points back = decode(bytes, format);
  EXPECT_EQ(back.origin, points.origin);
  EXPECT_EQ(back.domain, points.domain);
  expect_same_numbers(back, points);
}

TEST_P(RoundTrip, EmptySet) {
  Points points;
  points.domain = {40, 30, false};
  const Points again = decode(encode_points(points, GetParam()), GetParam());
  EXPECT_EQ(again.size(), 0u);
}

TEST_P(RoundTrip, NegativeZeroKeepsItsSign) {
  Points points;
  points.domain = {1, 1, false};
  points.add({-0.0, 0.0}, -0.0f);
  points.add({0.5, -0.0}, 1);
  expect_same_numbers(decode(encode_points(points, GetParam()), GetParam()), points);
}

// Every way to cut a file short is an error or a shorter list of lines, never a crash.
TEST_P(RoundTrip, TruncatedAnywhere) {
  const std::string format = GetParam();
  const std::string bytes = encode_points(hard_points(), format);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    try {
      const Points part = decode(bytes.substr(0, n), format);
      // Text lines may end early and still be lines; the rest say how much there must be.
      EXPECT_TRUE(format == "csv" || n + 2 >= bytes.size()) << n;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, RoundTrip, testing::Values("csv", "ply", "json", "npy"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(PointsFile, KnowsItsFormats) {
  for (const char* name : {"csv", ".csv", "CSV", "tsv", "txt", "ply", "json", "npy"}) {
    EXPECT_TRUE(is_point_format(name)) << name;
  }
  for (const char* name : {"", "png", "svg", "csvx"}) EXPECT_FALSE(is_point_format(name)) << name;
  EXPECT_THROW(encode_points(Points{}, "png"), Error);
  EXPECT_THROW(decode("", "png"), Error);
}

// ---- CSV ----------------------------------------------------------------------------------------

TEST(Csv, IsWrittenAsPromised) {
  Points points;
  points.domain = {10, 10, false};
  points.add({0.1, 2}, 0.3f);
  points.add({3.5, 1e-7}, 4);
  EXPECT_EQ(encode_points(points, "csv"), "x,y,r\n0.1,2,0.3\n3.5,1e-07,4\n");
  points.class_id = {0, 1};
  points.rank = {1, 0};
  EXPECT_EQ(encode_points(points, "csv"), "x,y,r,class,rank\n0.1,2,0.3,0,1\n3.5,1e-07,4,1,0\n");
}

TEST(Csv, ReadsWhatOtherProgramsWrite) {
  const char* files[] = {
      "x,y,r\n1.5,2,3\n4,5.25,6\n",
      "x,y,r\r\n1.5,2,3\r\n4,5.25,6\r\n",
      "x,y,r\r1.5,2,3\r4,5.25,6",
      "\xef\xbb\xbfx,y,r\n1.5,2,3\n4,5.25,6",
      "x;y;r\n1,5;2;3\n4;5,25;6\n",
      "x\ty\tr\n1.5\t2\t3\n4\t5,25\t6\n",
      "x y r\n1.5 2 3\n4   5.25 6\n",
      "  1.5   2  3\n  4\t5.25 6 \n",
      "1.5,2,3\n4,5.25,6\n",
      "# points\n\n \"x\" , \"y\" , \"Radius\" \n\n \"1.5\" , +2 , 3.0 \n# end\n4e0, 525e-2, 6\n\n",
      "r,name,y,x\n3,a,2,1.5\n6,b,5.25,4\n",
      "x,y,r,\n1.5,2,3,\n4,5.25,6,\n",
      "\"\",\"x\",\"y\",\"r\"\n\"1\",1.5,2,3\n\"2\",4,5.25,6\n",
      "x,y,r\n\"1\",1.5,2,3\n\"2\",4,5.25,6\n",
      "name,x,y,r\n\"a, b\",1.5,2,3\nc,4,5.25,6\n",
      "//X;Y;R;Rf\n2\n1.5;2;3;1\n4;5.25;6;.5\n",
  };
  for (const char* file : files) {
    const Points points = decode(file, "csv");
    EXPECT_EQ(points.x, (std::vector<double>{1.5, 4})) << file;
    EXPECT_EQ(points.y, (std::vector<double>{2, 5.25})) << file;
    EXPECT_EQ(points.radius, (std::vector<float>{3, 6})) << file;
    EXPECT_EQ(points.domain, (Domain{5, 6, false})) << file;
  }
}

std::string utf16(const std::string& text, bool big_endian) {
  std::string bytes = big_endian ? "\xfe\xff" : "\xff\xfe";
  for (const char c : text) {
    if (big_endian) bytes += '\0';
    bytes += c;
    if (!big_endian) bytes += '\0';
  }
  return bytes;
}

TEST(Csv, ReadsUtf16) {
  for (const bool big_endian : {false, true}) {
    const Points points = decode(utf16("x,y,name\r\n1.5,2,a\r\n4,5.25,b\r\n", big_endian), "csv");
    EXPECT_EQ(points.x, (std::vector<double>{1.5, 4}));
  }
  std::string memory;
  // U+00E4, U+20AC and U+1F600.
  EXPECT_EQ(utf8_of_text(std::string_view("\xff\xfe\xe4\0\xac\x20\x3d\xd8\x00\xde", 10), memory),
            "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_NE(message(std::string("\xff\xfe\xd8", 3), "csv")
                .find("begins as UTF-16, but is damaged at byte 2"),
            std::string::npos);
}

TEST(Csv, NamesFilesOfOtherKinds) {
  EXPECT_NE(message("\x89PNG\r\n\x1a\n", "csv").find("is a PNG picture; expected points as text"),
            std::string::npos);
  EXPECT_NE(message("PK\3\4", "csv").find("is a ZIP archive"), std::string::npos);
  EXPECT_NE(message(std::string("1,2\0,3", 6), "csv").find("is a binary file"), std::string::npos);
}

TEST(Csv, ScannedPointsAreInSpace) {
  for (const char* file :
       {"1 2 3\n4 5 6\n", "2\n1 2 3 9 9 9 9\n4 5 6 9 9 9 9\n", "1,2,3\n4,5,6\n"}) {
    const Points points = decode(file, "xyz");
    EXPECT_EQ(points.x, (std::vector<double>{1, 4})) << file;
    EXPECT_EQ(points.z, (std::vector<double>{3, 6})) << file;
    EXPECT_TRUE(points.radius.empty() || points.radius[0] == 0) << file;
  }
  EXPECT_TRUE(is_cloud_format(".PTS"));
  EXPECT_FALSE(is_point_format("xyz"));
}

TEST(Csv, RadiusMayBeMissing) {
  const Points points = decode("x,y\n0.5,0.25\n", "csv");
  EXPECT_EQ(points.radius, std::vector<float>{0});
  EXPECT_EQ(points.domain, (Domain{1, 1, false}));
  EXPECT_EQ(decode("0.5 0.25\n1 2", "txt").size(), 2u);
}

TEST(Csv, TheDomainHoldsPointsOnWholeNumbers) {
  EXPECT_EQ(decode("x,y\n512,0\n", "csv").domain, (Domain{513, 1, false}));
  // Past 2^53 adding one changes nothing.
  EXPECT_GT(decode("x,y\n1e300,0\n", "csv").domain.width, 1e300);
}

TEST(Csv, ErrorsNameLineAndColumn) {
  const std::array<std::array<const char*, 2>, 16> cases{{
      {"", "is empty"},
      {"\n# nothing\n", "is empty"},
      {"a,b\n1,2\n", "line 1, column 1: no column named x"},
      {"x,r\n1,2\n", "no column named y"},
      {"x,y,x\n", "line 1, column 5: column x occurs twice"},
      {"x,y,r,radius\n", "column r occurs twice"},
      {"7\n", "line 1, column 1: expected two or three numbers"},
      {"x,y,r\n1,2,3\n1,abc,3\n", "line 3, column 3: expected a number for y, not 'abc'"},
      {"x,y,r\n1,2\n", "line 2, column 3: 2 values, but 3 columns"},
      {"x,y\n1,2,3\n", "3 values, but 2 columns"},
      {"x,y,r\n1,nan,3\n", "line 2, column 3"},
      {"x,y,r\n1,2,-3\n", "line 2, column 5: expected a number from 0 up for r, not '-3'"},
      {"x,y,r\n1,2,inf\n", "line 2, column 5"},
      {"x,y,class\n1,2,0.5\n", "expected a whole number from 0 up for class, not '0.5'"},
      {"x,y\n-1,2\n", "point 1 has x = -1"},
      {"x,y\n1,1e999\n", "line 2, column 3"},
  }};
  for (const auto& [file, expected] : cases) {
    EXPECT_NE(message(file, "csv").find(expected), std::string::npos)
        << file << " gives: " << message(file, "csv");
  }
}

TEST(Csv, RanksAreAPermutation) {
  EXPECT_EQ(decode("x,y,rank\n1,1,1\n2,2,0\n", "csv").rank, (std::vector<std::int32_t>{1, 0}));
  EXPECT_NE(message("x,y,rank\n1,1,1\n2,2,1\n", "csv").find("point 2 has 1 again"),
            std::string::npos);
  EXPECT_NE(message("x,y,rank\n1,1,1\n2,2,2\n", "csv").find("point 2 has 2"), std::string::npos);
}

// ---- PLY ----------------------------------------------------------------------------------------

TEST(Ply, ReadsAsciiWithOtherElementsAndTypes) {
  const Points points = decode(
      "ply\r\nformat ascii 1.0\r\ncomment made by hand\r\nobj_info nothing\r\n"
      "element camera 1\r\nproperty float view_x\r\nproperty list uchar int ids\r\n"
      "element vertex 2\r\nproperty uchar red\r\nproperty float y\r\nproperty list uint8 int8 "
      "extra\r\n"
      "property int16 x\r\nproperty double radius\r\n"
      "element face 1\r\nproperty list uchar int vertex_indices\r\nend_header\r\n"
      "1.5 3 1 2 3\r\n255 0.25 0 7 0.1\r\n0 8 2 1 2 9 0\r\n3 0 1 0\r\n",
      "ply");
  EXPECT_EQ(points.x, (std::vector<double>{7, 9}));
  EXPECT_EQ(points.y, (std::vector<double>{0.25, 8}));
  EXPECT_EQ(points.radius, (std::vector<float>{0.1f, 0}));
  EXPECT_EQ(points.domain, (Domain{10, 9, false}));
}

template <class T>
std::string big_endian(T value) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), &value, sizeof value);
  return {bytes.rbegin(), bytes.rend()};  // this machine is little endian
}

TEST(Ply, ReadsBigEndian) {
  std::string bytes =
      "ply\nformat binary_big_endian 1.0\nelement strip 2\nproperty list ushort float a\n"
      "property char b\nelement vertex 1\nproperty float x\nproperty char quality\nproperty double "
      "y\nproperty ushort r\nend_header\n";
  bytes += big_endian<std::uint16_t>(2) + big_endian(1.0f) + big_endian(2.0f) + "b";
  bytes += big_endian<std::uint16_t>(0) + "b";
  bytes += big_endian(1.5f) + "q" + big_endian(1e-9) + big_endian<std::uint16_t>(300);
  const Points points = decode(bytes, "ply");
  EXPECT_EQ(points.x, std::vector<double>{1.5});
  EXPECT_EQ(points.y, std::vector<double>{1e-9});
  EXPECT_EQ(points.radius, std::vector<float>{300});
}

TEST(Ply, RefusesWhatItsHeaderCannotKeep) {
  const auto with_body = [](const std::string& header, std::string_view body) {
    return "ply\n" + header + "end_header\n" + std::string(body);
  };
  const std::string xy = "property float x\nproperty float y\n";
  const std::string binary = "format binary_little_endian 1.0\n";
  const std::string promised = "that its header promises";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "line 1: the header ends"},
      {"plx\n", "a PLY file begins with"},
      {"ply\nformat ascii 1.0\n", "ends without end_header"},
      {with_body("element vertex 0\n" + xy, ""), "names no format"},
      {with_body(binary, ""), "holds no vertex element"},
      {with_body("format binary_middle_endian 1.0\n", ""), "line 2: unknown format"},
      {with_body(binary + "element vertex -1\n", ""), "expected `element NAME COUNT`"},
      {with_body(binary + "element vertex 99999999999999999999999\n", ""), "expected `element"},
      {with_body(binary + "element vertex 1\nproperty quad x\n", ""), "line 4: unknown type"},
      {with_body(binary + "element vertex 1\n" + xy + "property float x\n", ""),
       "has property x twice"},
      {with_body(binary + "property float x\n", ""), "before the first element"},
      {with_body(binary + "element vertex 1\nproperty float x\n", ""), "no properties x and y"},
      {with_body(binary + "element vertex 1000000000000\n" + xy, "12345678"), promised},
      {with_body(binary + "element vertex 18446744073709551615\n" + xy, "12345678"), promised},
      {with_body("format ascii 1.0\nelement vertex 1000000000000\n" + xy, "1 2 "), promised},
      {with_body(binary + "element a 9999999999999\nproperty int b\nelement vertex 0\n" + xy, ""),
       promised},
      {with_body(binary + "element a 1\nproperty list uint double b\nelement vertex 0\n" + xy,
                 "\xff\xff\xff\xff"),
       promised},
      {with_body("format ascii 1.0\nelement a 1\nproperty list uint int b\nelement vertex 0\n" + xy,
                 "1e300 "),
       promised},
      {with_body("format ascii 1.0\nelement vertex 1\n" + xy, "1 nan"), "vertex 1: its y"},
      {with_body(binary + "element vertex 1\nproperty list uchar int x\nproperty int y\n", "\0"),
       "no properties x and y"},
      {with_body(binary + "comment dapple.domain 3 flat\n", ""), "dapple.domain WIDTH HEIGHT"},
      {with_body("format ascii 1.0\ncomment dapple.domain 3 3 flat\nelement vertex 1\n" + xy,
                 "3 1"),
       "outside the domain"},
  };
  for (const auto& [file, expected] : cases) {
    EXPECT_NE(message(file, "ply").find(expected), std::string::npos)
        << file << " gives: " << message(file, "ply");
  }
  // Elements without properties take no bytes, however many there are.
  EXPECT_EQ(
      decode(with_body(binary + "element a 18446744073709551615\nelement vertex 0\n" + xy, ""),
             "ply")
          .size(),
      0u);
}

// ---- JSON ---------------------------------------------------------------------------------------

TEST(Json, ReadsRowsAndColumns) {
  const char* files[] = {
      R"({"columns": {"x": [1.5, 4], "y": [2, 5.25], "r": [3, 6], "name": ["a", {"b": [1]}]}})",
      R"({"y": [2, 5.25], "radius": [3, 6], "x": [1.5, 4], "other": {"x": [9]}})",
      R"([[1.5, 2, 3], [4, 5.25, 6, "more", null]])",
      R"({"points": [{"x": 1.5, "y": 2, "r": 3, "id": 1}, {"r": 6, "y": 5.25, "x": 4}]})",
      R"( {"made": {"by": [[[]]]}, "points": [[1.5, 2, 3], {"x": 4, "y": 5.25, "r": 6}]} )",
  };
  for (const char* file : files) {
    const Points points = decode(file, "json");
    EXPECT_EQ(points.x, (std::vector<double>{1.5, 4})) << file;
    EXPECT_EQ(points.y, (std::vector<double>{2, 5.25})) << file;
    EXPECT_EQ(points.radius, (std::vector<float>{3, 6})) << file;
    EXPECT_EQ(points.domain, (Domain{5, 6, false})) << file;
  }
  EXPECT_EQ(decode("[[1, 2], [3, 4, 5]]", "json").radius, (std::vector<float>{0, 5}));
}

TEST(Json, SaysWhatIsWrong) {
  const std::array<std::array<const char*, 2>, 18> cases{{
      {"", "ends too early"},
      {"{\"x\": [1,\n 2,, 3]}", "line 2, column 4"},
      {"{\"x\": [1], \"y\": [1]", "ends too early"},
      {"5", "no columns x and y"},
      {"{}", "no columns x and y"},
      {"{\"x\": [1]}", "no columns x and y"},
      {"{\"x\": [1], \"y\": [1, 2]}", "column y has 2 values"},
      {"{\"x\": [1], \"y\": [1], \"x\": [2]}", "twice"},
      {"{\"x\": [1, \"two\"], \"y\": [1, 2]}", "point 2: its x 'two'"},
      {"{\"x\": [1, [2]], \"y\": [1, 2]}", "not another list"},
      {"{\"x\": [null], \"y\": [1]}", "point 1: its x 'null'"},
      {"[1, 2, 3]", "expected points such as"},
      {"[[1, 2], [3]]", "point 2 needs one x and one y"},
      {"[{\"x\": 1, \"x\": 2, \"y\": 0}]", "needs one x and one y"},
      {"[[1, 1e999]]", "not JSON at '1e999'"},
      {"{\"x\": [1], \"y\": [1], \"r\": [-1]}", "point 1: its r '-1'"},
      {"{\"x\": [1], \"y\": [1], \"domain\": {\"width\": 0}}", "width and a height above 0"},
      {"{\"x\": [5], \"y\": [1], \"domain\": {\"width\": 5, \"height\": 2}}", "outside the domain"},
  }};
  for (const auto& [file, expected] : cases) {
    EXPECT_NE(message(file, "json").find(expected), std::string::npos)
        << file << " gives: " << message(file, "json");
  }
}

TEST(Json, DepthTakesNoStack) {
  const std::string deep(2'000'000, '[');
  EXPECT_NE(message(deep, "json"), "");
  EXPECT_NE(message("{\"a\": " + deep, "json"), "");
}

// ---- NPY ----------------------------------------------------------------------------------------

std::string npy(const std::string& dictionary, const std::string& body, char version = 1) {
  std::string bytes = "\x93NUMPY"s + version + '\0';
  bytes += static_cast<char>(dictionary.size());
  bytes += std::string(version == 1 ? 1 : 3, '\0');
  return bytes + dictionary + body;
}

std::string dictionary(const std::string& type, bool fortran, const std::string& shape) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }\n";
}

template <class T>
std::string raw(std::initializer_list<T> values) {
  std::string bytes;
  for (const T value : values) {
    char buffer[sizeof(T)];
    std::memcpy(buffer, &value, sizeof value);
    bytes.append(buffer, sizeof buffer);
  }
  return bytes;
}

TEST(Npy, ReadsTypesOrdersAndVersions) {
  const Points floats = decode(
      npy(dictionary("<f4", false, "(2, 3)"), raw({1.5f, 2.f, .1f, 4.f, 5.25f, 6.f})), "npy");
  EXPECT_EQ(floats.x, (std::vector<double>{1.5, 4}));
  EXPECT_EQ(floats.radius, (std::vector<float>{.1f, 6}));
  const Points fortran =
      decode(npy(dictionary("<f8", true, "(2, 3)"), raw({1.5, 4., 2., 5.25, 3., 6.}), 2), "npy");
  EXPECT_EQ(fortran.y, (std::vector<double>{2, 5.25}));
  EXPECT_EQ(fortran.radius, (std::vector<float>{3, 6}));
  const Points ints =
      decode(npy(dictionary("<i4", false, "(2, 2)"), raw<std::int32_t>({1, 2, 4, 5}), 3), "npy");
  EXPECT_EQ(ints.y, (std::vector<double>{2, 5}));
  EXPECT_EQ(ints.radius, (std::vector<float>{0, 0}));
  const Points big =
      decode(npy(dictionary(">f8", false, "(1, 2)"), big_endian(0.1) + big_endian(7.0)), "npy");
  EXPECT_EQ(big.x, std::vector<double>{0.1});
  const Points bytes = decode(npy(dictionary("|u1", false, "(1, 2)"), "\xff\x02"), "npy");
  EXPECT_EQ(bytes.x, std::vector<double>{255});
  EXPECT_NE(message(npy(dictionary("|i1", false, "(1, 2)"), "\xff\x02"), "npy").find("x = -1"),
            std::string::npos);
  // Of a mesh: with a normal behind the place.
  const Points mesh = decode(npy(dictionary("<f8", false, "(2, 7)"),
                                 raw({1., 2., .5, 3., 0., 0., 1., 4., 5., .5, 6., 1., 0., 0.})),
                             "npy");
  EXPECT_EQ(mesh.x, (std::vector<double>{1, 4}));
  EXPECT_EQ(mesh.z, (std::vector<double>{3, 6}));
  EXPECT_EQ(mesh.radius, (std::vector<float>{.5f, .5f}));
}

TEST(Npy, HeaderIsWhatNumPyExpects) {
  Points points;
  points.domain = {10, 10, false};
  for (int i = 0; i < 1234; ++i) points.add({1, 2}, 3);
  const std::string bytes = encode_points(points, "npy");
  EXPECT_EQ(bytes.substr(0, 8), "\x93NUMPY\x01\0"s);
  const auto length =
      static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  EXPECT_EQ((10 + length) % 64, 0u);
  EXPECT_EQ(bytes[9 + length], '\n');
  EXPECT_EQ(bytes.size(), 10 + length + 1234 * 24);
  EXPECT_NE(bytes.find("'shape': (1234, 3)"), std::string::npos);
}

TEST(Npy, SaysWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "not an NPY file"},
      {"\x93NUMPY\x09\0\x01\0 "s, "version 9"},
      {"\x93NUMPY\x01\0\xff\xff "s, "within its NPY header"},
      {npy("{}", ""), "no 'descr'"},
      {npy(dictionary("<c16", false, "(1, 2)"), ""),
       "expected truth values, or plain integers or floats"},
      {npy(dictionary("<c8", false, "(1, 2)"), ""),
       "expected truth values, or plain integers or floats"},
      {npy("{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (1,)}", ""), "has type"},
      {npy(dictionary("<f8", false, "(2,)"), ""), "has shape (2,); expected"},
      {npy(dictionary("<f8", false, "(2, 6)"), ""), "expected (N, 2) to (N, 5)"},
      {npy(dictionary("<f8", false, "(2, 3, 1)"), ""), "expected (N, 2) to (N, 5)"},
      {npy(dictionary("<f8", false, "(1000000000000, 3)"), "12345678"), "header promises"},
      {npy(dictionary("<f8", false, "(18446744073709551615, 3)"), "12345678"), "header promises"},
      {npy(dictionary("<f8", false, "(1, 2)"), raw({1.0, std::nan("")})), "row 1: its y"},
  };
  for (const auto& [file, expected] : cases) {
    EXPECT_NE(message(file, "npy").find(expected), std::string::npos)
        << file << " gives: " << message(file, "npy");
  }
}

// ---- limits -------------------------------------------------------------------------------------

TEST(PointsFile, MemoryIsAskedForBeforeItIsTaken) {
  Limits limits;
  limits.max_memory = 100'000;
  Points points;
  points.domain = {10, 10, false};
  for (int i = 0; i < 50'000; ++i) points.add({1, 2}, 3);
  for (const char* format : {"csv", "ply", "json", "npy"}) {
    const std::string bytes = encode_points(points, format);
    EXPECT_NE(message(bytes, format, ErrorKind::limit, limits).find("`max-memory"),
              std::string::npos)
        << format;
    EXPECT_EQ(decode(bytes, format).size(), 50'000u);
  }
}

}  // namespace
}  // namespace dapple
