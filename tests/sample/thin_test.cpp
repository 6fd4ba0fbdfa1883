// Subsets of clouds: exact number, whole rows, even spacing in every dimension, and errors.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <string>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/point_files.hpp"
#include "dapple/sample.hpp"

namespace dapple {
namespace {

constexpr double pi = 3.14159265358979323846;

Points cloud_of(std::size_t n, double (*z_of)(double, double)) {
  Points cloud;
  Random random(3, Stream::tests);
  for (std::size_t i = 0; i < n; ++i) {
    cloud.add({random.uniform(), random.uniform()}, 0);
    if (z_of != nullptr) cloud.z.push_back(z_of(random.uniform(), random.uniform()));
  }
  cloud.domain = {1, 1, false};
  cloud.depth = 1;
  return cloud;
}

// A scanner in the middle turns evenly, so that points crowd at the poles of the sphere.
Points scanned_sphere(std::size_t n) {
  Points cloud;
  Random random(5, Stream::tests);
  for (std::size_t i = 0; i < n; ++i) {
    const double around = 2 * pi * random.uniform();
    const double down = pi * random.uniform();
    cloud.add({1 + std::sin(down) * std::cos(around), 1 + std::sin(down) * std::sin(around)}, 0);
    cloud.z.push_back(1 + std::cos(down));
  }
  return cloud;
}

Points thinned(const Points& cloud, SampleOptions options, int threads = 2) {
  Context context;
  context.threads = threads;
  return thin(cloud, options, context);
}

double closest(const Points& points, std::size_t first = 0,
               std::size_t last = std::numeric_limits<std::size_t>::max()) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = first; i < std::min(last, points.size()); ++i) {
    for (std::size_t j = first; j < i; ++j) {
      const double dz = points.z.empty() ? 0 : points.z[i] - points.z[j];
      least = std::min(least, std::hypot(points.x[i] - points.x[j], points.y[i] - points.y[j], dz));
    }
  }
  return least;
}

template <class Step>
std::string error_of(const Step& step) {
  try {
    step();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Thin, PointsAreEvenInThePlaneOnASurfaceAndInAVolume) {
  constexpr std::int64_t count = 1000;
  const double plane = std::sqrt(1.1547 / count);
  const double sphere = std::sqrt(1.1547 * 4 * pi / count);
  const double volume = std::cbrt(1.41421 / count);
  const auto at_random = [](double a, double) { return a; };
  EXPECT_GT(closest(thinned(cloud_of(10000, nullptr), {.count = count})), 0.70 * plane);
  EXPECT_GT(closest(thinned(cloud_of(60000, nullptr), {.count = count})), 0.70 * plane);
  EXPECT_GT(closest(thinned(scanned_sphere(20000), {.count = count})), 0.68 * sphere);
  EXPECT_GT(closest(thinned(cloud_of(10000, at_random), {.count = count})), 0.68 * volume);
}

TEST(Thin, ASparseHalfDoesNotLetTheDenseHalfCrowd) {
  Points cloud = cloud_of(2000, nullptr);
  for (std::size_t i = 0; i < cloud.size(); ++i) cloud.x[i] = std::pow(cloud.x[i], 12);
  const Points some = thinned(cloud, {.count = 800});
  EXPECT_EQ(some.size(), 800u);
  EXPECT_GT(closest(some), 20 * closest(cloud));
}

TEST(Thin, RowsStayWholeAndInOrder) {
  Points cloud = cloud_of(3000, nullptr);
  OtherColumn row{"row", "int"};
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    cloud.class_id.push_back(static_cast<std::int32_t>(i));
    row.values.push_back(static_cast<double>(i));
  }
  cloud.others = {row};
  const Points some = thinned(cloud, {.count = 500});
  ASSERT_EQ(some.size(), 500u);
  ASSERT_EQ(some.others.front().values.size(), 500u);
  EXPECT_TRUE(std::is_sorted(some.class_id.begin(), some.class_id.end()));
  for (std::size_t i = 0; i < some.size(); ++i) {
    const auto from = static_cast<std::size_t>(some.class_id[i]);
    EXPECT_EQ(some.x[i], cloud.x[from]);
    EXPECT_EQ(some.others.front().values[i], static_cast<double>(from));
  }
  EXPECT_EQ(thinned(cloud, {.count = 500}, 1).x, some.x);
}

TEST(Thin, PrefixesOfAProgressiveSubsetAreSpread) {
  const Points some = thinned(cloud_of(20000, nullptr), {.count = 2000, .progressive = true});
  ASSERT_EQ(some.rank.size(), 2000u);
  EXPECT_EQ(some.rank[7], 7);
  for (const std::size_t count : {125u, 500u, 1000u}) {
    EXPECT_GT(closest(some, 0, count), 0.5 * std::sqrt(1.1547 / static_cast<double>(count)));
  }
}

TEST(Thin, RepeatedPlacesComeLast) {
  Points cloud = cloud_of(100, nullptr);
  for (std::size_t i = 0; i < 1000; ++i) cloud.add(cloud[0], 0);
  EXPECT_GT(closest(thinned(cloud, {.count = 100})), 0.0);
  EXPECT_EQ(thinned(cloud, {.count = 150}).size(), 150u);
  Points equal;
  for (int i = 0; i < 10; ++i) equal.add({0.5, 0.5}, 0);
  EXPECT_EQ(thinned(equal, {.count = 4}).size(), 4u);
  EXPECT_EQ(thinned(equal, {.count = 4, .progressive = true}).size(), 4u);
}

TEST(Thin, FixedPointsCountAndRepel) {
  auto kept = std::make_shared<Points>();
  kept->add({0.5, 0.5}, 0);
  SampleOptions options{.count = 100};
  options.keep.points = kept;
  const Points all = thinned(cloud_of(5000, nullptr), options);
  ASSERT_EQ(all.size(), 100u);
  EXPECT_EQ(all[0], (Vec2{0.5, 0.5}));
  EXPECT_GT(closest(all), 0.6 * std::sqrt(1.1547 / 100));
  options.only_new = true;
  EXPECT_EQ(thinned(cloud_of(5000, nullptr), options).size(), 100u);
}

TEST(Thin, ErrorsSayWhatIsThere) {
  Points cloud = cloud_of(20, nullptr);
  EXPECT_NE(error_of([&] { thinned(cloud, {.count = 21}); }).find("cloud of 20"),
            std::string::npos);
  EXPECT_NE(error_of([&] { thinned(cloud, {}); }).find("at least 1"), std::string::npos);
  cloud.y[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(error_of([&] { thinned(cloud, {.count = 3}); }).find("not finite"), std::string::npos);
  Context context;
  context.limits.max_memory = 1000;
  EXPECT_NE(error_of([&] { thin(cloud_of(2000, nullptr), {.count = 3}, context); }), "");
}

TEST(Thin, AProofNotesTheSpacing) {
  Context context;
  const Points some = thin(cloud_of(2000, nullptr), {.count = 50, .certify = true}, context);
  ASSERT_EQ(context.notes().size(), 1u);
  EXPECT_NE(context.notes().front().find("all 50 points"), std::string::npos);
}

TEST(Thin, FilesKeepColorsNormalsAndCoordinatesBelow0) {
  Limits limits;
  limits.decoding.whole_rows = true;
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
      "property float z\nproperty float nx\nproperty uchar red\nend_header\n"
      "-1 2 -3 0.5 200\n4 -5 6 0.25 7\n";
  const Points points = decode_points(ply, "ply", limits);
  ASSERT_EQ(points.others.size(), 2u);
  EXPECT_EQ(points.others[1].name, "red");
  const std::string bytes = encode_points(points, "ply");
  EXPECT_NE(bytes.find("property uchar red\n"), std::string::npos);
  EXPECT_NE(bytes.find("property float nx\n"), std::string::npos);
  const std::string csv = encode_points(points, "csv");
  EXPECT_EQ(csv, "x,y,r,z,nx,red\n-1,2,0,-3,0.5,200\n4,-5,0,6,0.25,7\n");
  const Points words = decode_points("x,y,kind,h\n1,2,oak,0.5\n3,4,\"a,b\",1.5\n", "csv", limits);
  EXPECT_EQ(encode_points(words, "csv"), "x,y,r,kind,h\n1,2,0,oak,0.5\n3,4,0,\"a,b\",1.5\n");
  const Points again = decode_points(encode_points(words, "json"), "json", limits);
  EXPECT_EQ(again.others[0].texts, words.others[0].texts);
  EXPECT_EQ(again.others[1].values, words.others[1].values);
}

}  // namespace
}  // namespace dapple
