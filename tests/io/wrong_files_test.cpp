// Files that are wrong, or odd and right, one for each thing that their readers ask: points,
// meshes, palettes, and the texts of options and lengths.
#include <gtest/gtest.h>
#include <limits>

#include "dapple/context.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/error.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "dapple/point_files.hpp"
#include "dapple/units.hpp"
#include "generate/dither/palette.hpp"
#include "io/meshes/format.hpp"
#include "io/points/format.hpp"
#include "io/text_keys.hpp"
#include "point_files.hpp"
#include "subprocess.hpp"

namespace dapple {
namespace {

using namespace std::string_literals;

void expect_said(const std::string& said, const std::string& wanted, const std::string& about) {
  EXPECT_NE(said.find(wanted), std::string::npos)
      << "of " << testing::PrintToString(about.substr(0, 200)) << ": " << said;
}

// What a call throws, as the kind it should have.
template <class Call>
std::string said_by(const Call& call, ErrorKind kind) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "";
}

struct Wrong {
  std::string bytes;
  std::string said;
};

void expect_refused(const std::vector<Wrong>& files, std::string_view extension) {
  for (const auto& [bytes, said] : files) expect_said(message(bytes, extension), said, bytes);
}

// ---- points -------------------------------------------------------------------------------------

TEST(WrongFiles, PointsAsText) {
  expect_refused(
      {{"x,y,id\n1,2,1.5\n", "line 2, column 5: expected a whole number from 0 up for id"},
       {"x,y,class\n1,2,-1\n", "expected a whole number from 0 up for class"},
       {"x,y,rank\n1,2,4294967296\n", "for rank, not '4294967296'"},
       {"x,y,z\n1,1.7976931348623157e308,2\n", "coordinates are too large"},
       {"x,y\n1.7976931348623157e308,1\n", "coordinates are too large"}},
      "csv");
  // A depth that no domain can hold is left out, as one below 0 is.
  EXPECT_TRUE(decode("x,y,z\n1,1,1.7976931348623157e308\n", "csv").z.empty());
  EXPECT_TRUE(decode("x,y,z\n1,1,-2\n", "csv").z.empty());
  EXPECT_TRUE(decode("x,y,z\n1,1,0\n", "csv").z.empty());
}

TEST(WrongFiles, PointsAsJson) {
  expect_refused({{R"({"x": [1], "y": [1], "points": [[1, 2]]})", "holds its points twice"},
                  {R"({"y": [1], "points": [[1, 2]]})", "holds its points twice"},
                  {R"({"points": [[1, 2]], "x": [1]})", "holds column x twice"},
                  {R"({"y": [1], "y": [1], "x": [1]})", "holds column y twice"},
                  {R"([{"x": 1, "y": 1, "r": 1, "r": 2}])", "point 1 needs one x and one y"},
                  {"", "line 1, column 1: the JSON ends too early"}},
                 "json");
}

std::string npy(const std::string& header, const std::string& body) {
  return "\x93NUMPY\x01\0"s + static_cast<char>(header.size()) + '\0' + header + body;
}

TEST(WrongFiles, PointsAsArrays) {
  const std::string rest = ", 'fortran_order': False, 'shape': (1, 2), }";
  const std::string body(16, '\0');
  const std::string of_type =
      "expected truth values, or plain integers or floats of at most 8 bytes";
  expect_refused({{npy("{'descr': 12345" + rest, body), of_type},
                  {npy("{'descr': '<f3'" + rest, body), of_type},
                  {npy("{'descr': '<f8x" + rest, body), of_type},
                  {npy("{'descr': '*f8'" + rest, body), of_type},
                  {npy("{'descr': '<f1'" + rest, body), of_type},
                  {npy("{'descr': '<c8'" + rest, body), of_type},
                  {npy("{'descr': ", body), of_type},
                  {npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 6), }", body),
                   "the array has shape (1, 6)"}},
                 "npy");
  // Names in double quotes are a dictionary too.
  EXPECT_EQ(decode(npy("{\"descr\": \"<f8\", \"fortran_order\": False, \"shape\": (1, 2), }", body),
                   "npy")
                .size(),
            1u);
}

TEST(WrongFiles, PicturesAsArrays) {
  const test::TemporaryFolder folder;
  const auto said = [&](const std::string& shape, const std::string& order, ErrorKind kind) {
    folder.write("a.npy",
                 npy("{'descr': '<f4', 'fortran_order': " + order + ", 'shape': " + shape + ", }",
                     std::string(400100, '\0')));
    return said_by([&] { read_image((folder / "a.npy").string(), Context()); }, kind);
  };
  EXPECT_NE(said("(4, 4)", "True", ErrorKind::input).find("Fortran order"), std::string::npos);
  for (const char* shape : {"(4,)", "(0, 4)", "(1, 2, 2, 2, 2)"}) {
    EXPECT_NE(said(shape, "False", ErrorKind::input).find("is not (height, width)"),
              std::string::npos)
        << shape;
  }
  EXPECT_NE(said("(1, 2, 2, 1025)", "False", ErrorKind::limit).find("more than 1024 channels"),
            std::string::npos);
  EXPECT_NE(said("(100001, 1, 1, 1)", "False", ErrorKind::limit).find("slices"), std::string::npos);
  EXPECT_NE(
      said("(400, 800)", "False", ErrorKind::input).find("bytes are too few for 800x400 pixels"),
      std::string::npos);
}

TEST(WrongFiles, ArraysOfTruthValuesAreBlackAndWhite) {
  const test::TemporaryFolder folder;
  folder.write("a.npy", npy("{'descr': '|b1', 'fortran_order': False, 'shape': (2, 3), }",
                            std::string("\0\1\0\1\1\2", 6)));
  const Image image = read_image((folder / "a.npy").string(), Context());
  ASSERT_EQ(image.height(), 2);
  const std::vector<float> expected{0, 1, 0, 1, 1, 1};
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), image.channels[0].values().begin()));
}

std::string ply(const std::string& header, const std::string& body = "1 2\n") {
  return "ply\nformat ascii 1.0\n" + header +
         "element vertex 1\nproperty float x\nproperty float y\nend_header\n" + body;
}

TEST(WrongFiles, PointsAsPly) {
  const std::string domain = "expected `comment dapple.domain WIDTH HEIGHT flat|wrap`";
  const std::string origin = "expected `comment dapple.origin X Y`";
  expect_refused({{ply("comment dapple.domain a 5 flat\n"), "line 3: " + domain},
                  {ply("comment dapple.domain 5 b flat\n"), domain},
                  {ply("comment dapple.domain -5 5 flat\n"), domain},
                  {ply("comment dapple.domain 5 -5 flat\n"), domain},
                  {ply("comment dapple.domain 5 5 round\n"), domain},
                  {ply("comment dapple.origin a 5\n"), origin},
                  {ply("comment dapple.origin 5\n"), origin},
                  {ply("element face 1\nproperty list float int vertex_indices\n"),
                   "line 4: the length of a list must be a whole number"},
                  {ply("element face 1\nproperty list double int vertex_indices\n"),
                   "line 4: the length of a list must be a whole number"},
                  {ply("", "1 x\n"), "vertex 1: its y is not a number that can be used"},
                  {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float x\n"
                   "property float y\nend_header\n1 2 3\n",
                   "has property x twice"}},
                 "ply");
  // Texts with nothing behind their names, and a backslash at their end.
  const Points points =
      decode(ply("comment dapple.metadata empty\ncomment dapple.metadata end a\\\n"), "ply");
  EXPECT_EQ(points.metadata,
            (Metadata{{"empty", ""}, {"end", "a\\"}, {"dapple:domain-guessed", "true"}}));
  // Any number of nothing, and bytes of every type.
  EXPECT_EQ(decode(ply("element nothing 1000000000000\n"), "ply").size(), 1u);
  const std::string shorts =
      "ply\nformat binary_big_endian 1.0\nelement nothing 9\nelement vertex 1\nproperty int16 x\n"
      "property uchar y\nend_header\n\x01\x02\x07"s;
  EXPECT_EQ(decode(shorts, "ply").x.front(), 258);
}

TEST(WrongFiles, PointsAsSvg) {
  const auto dots = [](const std::string& page, const std::string& shapes) {
    return "<svg xmlns='http://www.w3.org/2000/svg' " + page + ">" + shapes + "</svg>";
  };
  const std::string none = "holds no dots";
  expect_refused(
      {{dots("viewBox='0 0 9 9'", "<circle cx='1e308' cy='1' r='1' transform='scale(9)'/>"), none},
       {dots("", "<circle cx='1' cy='1e308' r='1' transform='scale(9)'/>"), none},
       {dots("", "<circle cx='1' cy='1e308' r='1' transform='matrix(1 0 0 9 0 0)'/>"), none},
       {dots("", "<circle cx='1' cy='1' r='1e31'/>"), none},
       {dots("viewBox='0 0 9 9'", "<circle cx='1' cy='12' r='1'/>"), none},
       {dots("viewBox='0 0 9 9'", "<circle cx='1' cy='-3' r='1'/>"), none}},
      "svg");
  // A viewBox without a side is none; one side is enough beside a good one.
  const std::string dot = "<circle cx='3' cy='2' r='1'/>";
  EXPECT_EQ(decode(dots("viewBox='0 0 -5 9' width='20' height='10'", dot), "svg").x.front(), 3);
  EXPECT_EQ(decode(dots("viewBox='0 0 5 0' width='20' height='10'", dot), "svg").x.front(), 3);
  EXPECT_EQ(decode(dots("viewBox='0 0 10 5' width='20'", dot), "svg").domain,
            (Domain{20, 10, false}));
  EXPECT_EQ(decode(dots("viewBox='0 0 10 5' height='20'", dot), "svg").domain,
            (Domain{40, 20, false}));
  // More colors than pens are a gradient, not classes.
  std::string many;
  for (int i = 0; i < 70; ++i) {
    many += "<circle cx='" + std::to_string(i) + "' cy='1' r='.4' fill='#0000" +
            std::to_string(10 + i) + "'/>";
  }
  EXPECT_TRUE(decode(dots("", many), "svg").class_id.empty());
}

TEST(WrongFiles, PointsOfAStreamAreKnownByTheirFirstBytes) {
  EXPECT_EQ(decode("ply\r\n" + ply("").substr(4), "").size(), 1u);
  EXPECT_EQ(decode("[[1, 2]]", "").size(), 1u);
  EXPECT_EQ(decode(" {\"x\": [1], \"y\": [2]}", "").size(), 1u);
  EXPECT_EQ(decode("<svg xmlns='http://www.w3.org/2000/svg'><circle r='1'/></svg>", "").size(), 1u);
  EXPECT_EQ(decode("1 2\n", "").size(), 1u);
  expect_said(message(" \n", ""), "is empty: expected a first line", "blanks");
  EXPECT_EQ(encode_points(decode("1,2,3\n", "csv"), ""), "x,y,r\n1,2,3\n");
  expect_said(said_by([] { require_points(3e9, Limits{}); }, ErrorKind::limit),
              "holds 3e+09 points, more than the limit of 2147483647", "3e9");
}

TEST(WrongFiles, PointsAsAPicture) {
  Points points = decode("x,y,r,size\n1,2,3,8\n", "csv");
  EXPECT_DOUBLE_EQ(draw_points(points).layers[0].discs[0].radius, 4 * 25.4 / 96);
  points.class_id = {-1};
  expect_said(said_by([&] { draw_points(points); }, ErrorKind::input),
              "the class of a point must be at least 0", "-1");
  EXPECT_TRUE(draw_points(decode("x,y\n", "csv")).layers[0].discs.empty());
}

TEST(WrongFiles, PointsOnASurfaceWithoutAny) {
  Points none;
  none.metadata = {{"a", "1"}, {"b", "2"}};
  EXPECT_NE(encode_points(none, "ply").find("comment dapple.domain 0 0 flat"), std::string::npos);
  EXPECT_NE(encode_points(none, "json").find(R"("metadata": {"a": "1", "b": "2"})"),
            std::string::npos);
  EXPECT_EQ(encode_points(none, "").find('\n'), encode_points(none, "csv").size() - 1);
}

TEST(WrongFiles, TextsInOneTextWithoutAColon) {
  EXPECT_TRUE(unpack_texts("dapple: 1\nno colon\n").empty());
  EXPECT_EQ(unpack_texts("dapple: 1\n 2"), (Metadata{{"dapple", "1\n2"}}));
}

// ---- meshes -------------------------------------------------------------------------------------

std::string mesh_said(const std::string& bytes, std::string_view extension,
                      ErrorKind kind = ErrorKind::input, const Limits& limits = {}) {
  return said_by([&] { decode_mesh(bytes, extension, limits); }, kind);
}

TEST(WrongFiles, Meshes) {
  // A file that begins with solid and promises no triangle is text, whatever else it holds.
  const std::string solid = "solid of nothing" + std::string(100, '\0');
  EXPECT_NE(mesh_said(solid, "stl"), "");
  const std::string tabs =
      "solid a\r\nfacet\tnormal 0 0 1\r\nouter loop\r\nvertex\t0 0 0\r\nvertex 1 0 0\r\n"
      "vertex 0 1 0\r\nendloop\r\nendfacet\r\nendsolid\r\n";
  EXPECT_EQ(decode_mesh(tabs, "stl", Limits{}).triangles.size(), 1u);
  // Lines of OBJ that go on for three lines, one of them the last of the file.
  const std::string joined = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 \\\r\n2 \\\r\n3 # \\";
  EXPECT_EQ(decode_mesh(joined, "obj", Limits{}).triangles.size(), 1u);
  expect_said(mesh_said("v 0 0\\\n", "obj"), "line 1: expected v X Y Z", "v 0 0");
  expect_said(said_by([] { require_mesh(3e9, 1, Context{}); }, ErrorKind::limit),
              "has 3e+09 vertices and 1 triangles", "3e9 vertices");
  expect_said(said_by([] { require_mesh(1, 3e9, Context{}); }, ErrorKind::limit),
              "and 3e+09 triangles, more than", "3e9 triangles");
  expect_said(mesh_said("v 0 0 0\n", "3mf", ErrorKind::usage),
              "'.3mf' is not a mesh format; use .ply .stl .obj", "glb");
}

// Faces may have other lists beside their corners; a second element of vertices is stepped over.
TEST(WrongFiles, MeshesWithMoreThanAMesh) {
  const std::string header =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
      "property float z\nelement vertex 1\nproperty float x\nelement face 1\n"
      "property list uchar float texcoord\nproperty list uint int vertex_indices\nend_header\n"
      "0 0 0\n1 0 0\n0 1 0\n7\n";
  EXPECT_EQ(decode_mesh(header + "2 .5 .5 3 0 1 2\n", "ply", Limits{}).triangles.size(), 1u);
  // A face of more corners than its file seemed to hold triangles counts against the limit.
  std::string corners = "0 1100000 0";
  for (int i = 2; i < 1'100'000; ++i) corners += " 1";
  corners += " 2";
  Limits little;
  little.max_memory = 20 << 20;
  expect_said(mesh_said(header + corners + "\n", "ply", ErrorKind::limit, little),
              "a mesh of 2097152 triangles", "a fan");
}

// ---- palettes, lengths --------------------------------------------------------------------------

TextInput palette_of(std::string content, std::string path) {
  return {std::move(path), std::make_shared<const std::string>(std::move(content))};
}

TEST(WrongFiles, Palettes) {
  const auto said = [](const std::string& content, const std::string& path) {
    return said_by([&] { palette::parse(palette_of(content, path)); }, ErrorKind::usage);
  };
  // As long as a color table, and text.
  std::string text = "ff8800\n";
  while (text.size() < 768) text += "0000" + std::to_string(10 + text.size() % 80) + "\n";
  text.resize(768);
  EXPECT_NE(said(text.substr(0, 762) + "hello\n", "a.hex").find("expected a color such as ff8800"),
            std::string::npos);
  expect_said(said("; paint.net Palette\nff8800zz\n", "a.txt"), "expected a color such as ffff8800",
              "");
  expect_said(said("; other\nzz\n", "a.txt"), "expected a color such as ff8800 (or", "");
  expect_said(said("too short", "a.ACT"), "must have 768 or 772 bytes, this file has 9", "");
  const std::vector<palette::Rgb8> two{{255, 136, 0}, {0, 0, 17}};
  EXPECT_EQ(
      palette::parse(palette_of("\xef\xbb\xbf"s + "; paint.net\nffff8800\n000011\n", "a.txt")),
      two);
}

TEST(WrongFiles, LengthsAndSizes) {
  const auto said = [](const auto& call) { return said_by(call, ErrorKind::usage); };
  Length length;
  Size size;
  for (const char* text : {"-1", "2e9", "-1mm"}) {
    expect_said(said([&] { from_text(text, length); }), "expected a length from 0 to 1000000000",
                text);
  }
  for (const char* text : {"A11", "A-1", "Ax", "A4-landscapes", "0x5", "5x5x5x5x5", "5%"}) {
    expect_said(said([&] { from_text(text, size); }), "expected a size such as", text);
  }
  const std::string whole = "a side must be a whole number of pixels";
  for (const double side : {0.25, 3e9, 1.5}) {
    expect_said(said([&] { (void)Size{side, 1, 1, Unit::px}.pixel_width(0); }), whole, "");
  }
  expect_said(said([] {
                (void)Size{5, 5, 1, Unit::px}.width_mm();
              }),
              "expected a physical size such as 210x297mm or A4, not 5px", "px");
  expect_said(said([] {
                (void)Size{5, 5, 1, Unit::mm}.pixel_height(0);
              }),
              "expected a size in pixels such as 512x256, not a size in mm", "mm");
  for (const double value : {-1.0, 2e9, std::numeric_limits<double>::quiet_NaN()}) {
    expect_said(said([&] {
                  (void)Length{value, Unit::px}.pixels({});
                }),
                "a length must be from 0 to 1000000000", "");
  }
  EXPECT_EQ(to_text(Length{3, static_cast<Unit>(77)}), "3?");
}

TEST(MeshReaders, CheckForACancel) {
  Context context;
  context.cancel();
  const std::string vertices = "0 0 0\n1 0 0\n0 1 0\n";
  const auto expect_cancelled = [&](auto decode, const std::string& bytes) {
    MeshNotes notes(context);
    try {
      decode(bytes, context, notes);
      ADD_FAILURE() << "was read: " << bytes.substr(0, 20);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled) << error.what();
    }
  };
  expect_cancelled(decode_gltf_mesh, "{}");
  expect_cancelled(decode_obj_mesh, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  expect_cancelled(decode_off_mesh, "OFF\n3 1 0\n" + vertices + "3 0 1 2\n");
  expect_cancelled(decode_stl_mesh,
                   "solid\nfacet\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendfacet\n");
  expect_cancelled(decode_ply_mesh,
                   "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
                   "property float y\nproperty float z\nelement face 1\n"
                   "property list uchar int vertex_indices\nend_header\n" +
                       vertices + "3 0 1 2\n");
}

}  // namespace
}  // namespace dapple
