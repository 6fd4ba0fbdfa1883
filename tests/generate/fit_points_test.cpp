// Points keep their place: files say how large their domain is and whether it wraps, and pictures
// take them as they are.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/guessed_domain.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "dapple/point_files.hpp"
#include "dapple/points.hpp"
#include "subprocess.hpp"

namespace dapple {
namespace {

Points corners(double width, double height, bool wrap) {
  Points points;
  points.domain = {width, height, wrap};
  points.add({0.5, 0.25}, 2);
  points.add({width - 3.5, height - 7.75}, 2);
  return points;
}

class PlacePoints : public ::testing::Test {
 protected:
  // A file with its sidecar, where it needs one.
  std::string written(const Points& points, const std::string& name) const {
    const std::string bytes = encode_points(points, name.substr(name.rfind('.')));
    folder.write(name, bytes);
    if (has_sidecar(name.substr(name.rfind('.')))) {
      folder.write(sidecar_path(name), encode_sidecar(points, bytes));
    }
    return (folder / name).string();
  }
  Points again(const Points& points, const std::string& format) const {
    Context context;
    Points read = read_points(written(points, "p." + format), context);
    EXPECT_TRUE(context.warnings().empty());
    return read;
  }
  test::TemporaryFolder folder;
};

TEST_F(PlacePoints, FilesKeepTheDomain) {
  for (const char* format : {"csv", "tsv", "txt", "npy", "ply", "json"}) {
    SCOPED_TRACE(format);
    for (const bool wrap : {false, true}) {
      Points points = corners(512, 300.5, wrap);
      points.metadata = {{"dapple:recipe", "a \"recipe\"\n"}, {"dapple:frame", "3"}};
      const Points read = again(points, format);
      EXPECT_EQ(read.domain.width, 512);
      EXPECT_EQ(read.domain.height, 300.5);
      EXPECT_EQ(read.domain.wrap, wrap);
      EXPECT_FALSE(has_guessed_domain(read));
      EXPECT_EQ(read.metadata, points.metadata);
    }
    Points part = corners(64, 48, false);
    part.origin = {-1000, 2.5};
    const Points read = again(part, format);
    EXPECT_EQ(read.origin, part.origin);
    EXPECT_EQ(read.domain.width, 64);
    EXPECT_EQ(read.x, part.x);
    Points deep = corners(64, 48, true);
    deep.z = {1, 2};
    deep.depth = 20;
    if (std::string_view(format) != "npy") {
      EXPECT_EQ(again(deep, format).depth, 20);
    }
  }
}

// Nothing but rows stands in them: a comment would be a row to most readers.
TEST_F(PlacePoints, FilesOfNumbersHoldNumbersAlone) {
  EXPECT_EQ(encode_points(corners(512, 256, true), "csv"), "x,y,r\n0.5,0.25,2\n508.5,248.25,2\n");
  const std::string array = encode_points(corners(512, 256, true), "npy");
  EXPECT_EQ(array.find('#'), std::string::npos);
}

TEST_F(PlacePoints, SidecarsAreJson) {
  const std::string path = written(corners(512, 256, true), "p.csv");
  const auto sidecar = nlohmann::json::parse(folder.read("p.csv.json"));
  EXPECT_EQ(sidecar["domain"], (nlohmann::json{{"width", 512}, {"height", 256}, {"wraps", true}}));
  EXPECT_EQ(sidecar["file"]["points"], 2);
  EXPECT_FALSE(sidecar.contains("recipe"));
}

// Read as if it were not there, and said.
TEST_F(PlacePoints, SidecarsOfOtherBytesArePassedOver) {
  const std::string path = written(corners(512, 256, true), "p.csv");
  const std::string good = folder.read("p.csv.json");
  const auto replaced = [&](std::string_view from, std::string_view to) {
    std::string text = good;
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  const auto foreign = [&](const std::string& text, const char* why) {
    SCOPED_TRACE(text);
    folder.write("p.csv.json", text);
    Context context;
    const Points read = read_points(path, context);
    EXPECT_TRUE(has_guessed_domain(read));
    EXPECT_FALSE(read.domain.wrap);
    ASSERT_EQ(context.warnings().size(), 1u);
    EXPECT_NE(context.warnings()[0].find(why), std::string::npos) << context.warnings()[0];
  };
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[]"), std::string("null"),
        std::string("{\"dapple\": 3}"), std::string("{\"dapple\": \"points 1\"}"),
        std::string(100000, '['), replaced("true", "1"), replaced("512", "\"512\""),
        replaced("\"width\"", "\"breadth\"")}) {
    foreign(text, "is not a sidecar of points");
  }
  foreign(replaced("512", "-512"), "width");
  foreign(replaced("512", "1e999"), "sidecar");
  foreign(replaced("512", "5"), "point 2");
  folder.write("p.csv", folder.read("p.csv") + "1,2,2\n");
  foreign(good, "changed since");
}

// Comments of others are comments, but for those that name a domain.
TEST_F(PlacePoints, CommentsMayNameTheDomain) {
  for (const char* text : {"x,y\n3,4\n", "# domain\nx,y\n3,4\n", "x,y\n# domain 5 by 5\n3,4\n",
                           "x,y\n# domain 5x5 round\n3,4\n", "# domain 5x5 flat but\nx,y\n3,4\n",
                           "x,y\n# domain -5x5 flat\n3,4\n"}) {
    const Points read = decode_points(text, "csv", Limits{});
    EXPECT_TRUE(has_guessed_domain(read)) << text;
    EXPECT_EQ(read.domain.width, 4) << text;
  }
  for (const char* text : {"# domain 9x8 torus\n1,2,3\n", "x,y\r\n# domain 9x8 torus\r\n1,2\r\n",
                           "#domain 9x8\n1,2\n", "x,y\n# domain 9x8x7 flat\n1,2\n"}) {
    const Points read = decode_points(text, "csv", Limits{});
    EXPECT_FALSE(has_guessed_domain(read)) << text;
    EXPECT_EQ(read.domain.width, 9) << text;
    EXPECT_EQ(read.domain.height, 8) << text;
    EXPECT_EQ(read.domain.wrap, std::string_view(text).find("torus") != std::string_view::npos);
  }
  EXPECT_THROW(decode_points("x,y\n# domain 2x2 flat\n3,4\n", "csv", Limits{}), Error);
}

// By name, with nothing told about comments.
TEST_F(PlacePoints, PythonReadsThem) {
  const std::string python = "/usr/bin/python3";
  if (test::run_process({python, "-c", ""}, "/tmp").code != 0) GTEST_SKIP();
  written(corners(512, 256, true), "p.csv");
  const auto outcome = test::run_process(
      {python, "-c",
       "import csv, json\n"
       "rows = list(csv.DictReader(open('p.csv')))\n"
       "print([float(row['x']) for row in rows], json.load(open('p.csv.json'))['domain'])\n"},
      folder.path());
  EXPECT_EQ(outcome.out, "[0.5, 508.5] {'width': 512, 'height': 256, 'wraps': True}\n")
      << outcome.err;
}

TEST_F(PlacePoints, NumPyReadsThem) {
  const std::string python = "/usr/bin/python3";
  if (test::run_process({python, "-c", "import numpy"}, "/tmp").code != 0) GTEST_SKIP();
  written(corners(512, 256, true), "p.csv");
  written(corners(512, 256, true), "p.npy");
  const auto outcome =
      test::run_process({python, "-c",
                         "import numpy\n"
                         "a = numpy.genfromtxt('p.csv', delimiter=',', names=True)\n"
                         "c = numpy.load('p.npy')\n"
                         "print(a['x'][1], a.dtype.names, c.shape, c[1, 1])\n"},
                        folder.path());
  EXPECT_EQ(outcome.out, "508.5 ('x', 'y', 'r') (2, 3) 248.25\n") << outcome.err;
}

struct Placed {
  Points points;
  std::size_t warnings;
};
Placed place(const Points& points, const char* size, int width, int height) {
  PointsSize read;
  from_text(size, read);
  EXPECT_EQ(to_text(read), size);
  Context context;
  Points made = placed(points, read, width, height, context);
  return {std::move(made), context.warnings().size()};
}

TEST_F(PlacePoints, PixelsStayPixels) {
  const Points known = corners(512, 256, true);
  Points foreign = decode_points("x,y\n3,4\n500,200\n", "csv", Limits{});
  const auto expect = [](const Placed& made, double width, double height, std::size_t warnings) {
    EXPECT_EQ(made.points.domain.width, width);
    EXPECT_EQ(made.points.domain.height, height);
    EXPECT_EQ(made.warnings, warnings);
  };
  // Their own size, another, and none.
  expect(place(known, "auto", 512, 256), 512, 256, 0);
  expect(place(known, "auto", 1024, 512), 512, 256, 1);
  expect(place(known, "none", 1024, 512), 1024, 512, 0);
  expect(place(known, "2048x1024", 1024, 512), 2048, 1024, 1);
  expect(place(foreign, "auto", 512, 256), 512, 256, 0);
  expect(place(foreign, "auto", 1000, 1000), 1000, 1000, 0);
  expect(place(foreign, "auto", 256, 256), 501, 201, 1);
  expect(place(foreign, "1000x500", 500, 250), 1000, 500, 1);
  EXPECT_TRUE(place(known, "none", 512, 256).points.domain.wrap);
  EXPECT_THROW(place(foreign, "none", 256, 256), Error);
  EXPECT_THROW(place(foreign, "100x100", 256, 256), Error);
  PointsSize size;
  for (const char* text : {"A4", "5x5x5", "0x2", "", "pixels"}) {
    EXPECT_THROW(from_text(text, size), Error) << text;
  }
}

}  // namespace
}  // namespace dapple
