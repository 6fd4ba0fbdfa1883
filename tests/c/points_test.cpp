// Points of a caller through the C interface: as sites, in space, measured, proved and put in
// order.
#include <cmath>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "c/host.hpp"
#include "subprocess.hpp"

namespace dapple {
namespace {

using namespace test;
using Json = nlohmann::json;

TEST(C, PointsInMemoryAreSites) {
  const std::vector<float> xyr{1, 1, 1, 7, 2, 1, 2, 8, 1, 9, 9, 1, 20, 22, 1};
  const dapple_column columns[]{{"x", &xyr[0], DAPPLE_FLOAT32, 5, 12},
                                {"y", &xyr[1], DAPPLE_FLOAT32, 5, 12},
                                {"r", &xyr[2], DAPPLE_FLOAT32, 5, 12}};
  const Host library = host();
  const JobHandle job = job_of(library, "worley", {{"size", "32x32"}, {"outputs", "f1,id"}});
  ASSERT_EQ(dapple_job_set_points(job.get(), "points", columns, 3, 32, 32, 1), DAPPLE_OK)
      << dapple_error_message(library.get());
  const ResultHandle result = result_of(library, job);
  dapple_plane plane{};
  ASSERT_EQ(dapple_result_plane(result.get(), 0, &plane), DAPPLE_OK);
  EXPECT_STREQ(plane.name, "F1");
  EXPECT_EQ(plane.width * plane.height, 32 * 32);
  std::vector<double> xy;
  for (std::size_t i = 0; i < xyr.size(); i += 3) xy.insert(xy.end(), {xyr[i], xyr[i + 1]});
  std::vector<float> f1(32 * 32);
  std::vector<float> f2(32 * 32);
  ASSERT_EQ(dapple_cell_distances(library.get(), xy.data(), 5, 32, 32, f1.data(), f2.data()),
            DAPPLE_OK);
  EXPECT_EQ(std::memcmp(f1.data(), plane.data, f1.size() * sizeof(float)), 0);
  EXPECT_LE(f1[100], f2[100]);
}

// Points in a volume and in four dimensions, handed back as they came out: proved, and refused
// where sides and columns do not go together.
TEST(C, PointsInASpaceHaveASideForEachColumn) {
  const Host library = host();
  for (const std::size_t dimensions : {3U, 4U}) {
    const JobHandle job = job_of(
        library, "sample",
        {{"size", dimensions == 3 ? "20x18x16" : "12x11x10x9"}, {"radius", "5"}, {"wrap", "true"}});
    const ResultHandle made = result_of(library, job);
    std::vector<dapple_column> columns;
    for (const char* name : {"x", "y", "z", "w"}) {
      if (columns.size() < dimensions) columns.push_back(column_of(made, name));
    }
    // Behind their sides stand some of the space of more dimensions that is tried.
    const std::vector<double> sides = dimensions == 3 ? std::vector<double>{20, 18, 16, 14, 13}
                                                      : std::vector<double>{12, 11, 10, 9, 8};
    const std::vector<float> r(columns[0].count, 5);
    columns.push_back({"r", r.data(), DAPPLE_FLOAT32, r.size(), sizeof(float)});
    const auto points = [&](std::size_t first, std::size_t many, dapple_result** result) {
      for (dapple_column& column : columns) column.count = r.size() - (dimensions == many ? 0 : 1);
      return dapple_points_in(library.get(), &columns[first], columns.size() - first, sides.data(),
                              many, 1, result);
    };
    dapple_result* raw = nullptr;
    ASSERT_EQ(points(0, dimensions, &raw), DAPPLE_OK) << dapple_error_message(library.get());
    const ResultHandle given(raw);
    EXPECT_EQ(dapple_result_certify(given.get()), DAPPLE_OK) << dapple_error_message(library.get());
    const char* facts = nullptr;
    ASSERT_EQ(dapple_result_facts(given.get(), &facts), DAPPLE_OK);
    EXPECT_NE(std::string(facts).find(dimensions == 3 ? "\"depth\": 16" : "\"extent\": 9"),
              std::string::npos)
        << facts;
    EXPECT_EQ(points(1, dimensions, &raw), DAPPLE_USAGE) << "no x";
    EXPECT_EQ(points(0, 7 - dimensions, &raw), DAPPLE_USAGE) << "the other space";
    EXPECT_EQ(points(0, 5, &raw), DAPPLE_USAGE);
    EXPECT_EQ(points(0, 1, &raw), DAPPLE_USAGE);
    EXPECT_EQ(raw, nullptr);
    // One less leaves room for another.
    for (dapple_column& column : columns) --column.count;
    ASSERT_EQ(dapple_points_in(library.get(), columns.data(), columns.size(), sides.data(),
                               dimensions, 1, &raw),
              DAPPLE_OK);
    const ResultHandle less(raw);
    EXPECT_EQ(dapple_result_certify(less.get()), DAPPLE_VERIFICATION);
  }

  // A z without a depth is as deep as it needs; below 0 it is of no volume.
  std::vector<double> x{1, 7, 2}, z{1, 5.5, 8};
  const dapple_column columns[]{{"x", x.data(), DAPPLE_FLOAT64, 3, 8},
                                {"y", x.data(), DAPPLE_FLOAT64, 3, 8},
                                {"z", z.data(), DAPPLE_FLOAT64, 3, 8}};
  dapple_result* raw = nullptr;
  ASSERT_EQ(dapple_points(library.get(), columns, 3, 9, 9, 0, &raw), DAPPLE_OK)
      << dapple_error_message(library.get());
  const ResultHandle guessed(raw);
  const char* facts = nullptr;
  ASSERT_EQ(dapple_result_facts(guessed.get(), &facts), DAPPLE_OK);
  EXPECT_NE(std::string(facts).find("\"depth\": 9"), std::string::npos) << facts;
  z[1] = -1;
  ASSERT_EQ(dapple_points(library.get(), columns, 3, 9, 9, 0, &raw), DAPPLE_OK);
  const ResultHandle flat(raw);
  dapple_column third{};
  EXPECT_EQ(dapple_result_column(flat.get(), 2, &third), DAPPLE_OK);
  EXPECT_STREQ(third.name, "r");
  const double sides[]{9, 9, 9};
  EXPECT_EQ(dapple_points_in(library.get(), columns, 3, sides, 3, 0, &raw), DAPPLE_INPUT);
  const double none[]{9, 0, 9};
  EXPECT_EQ(dapple_points_in(library.get(), columns, 3, none, 3, 0, &raw), DAPPLE_USAGE);
  EXPECT_EQ(dapple_points_in(library.get(), columns, 3, nullptr, 3, 0, &raw), DAPPLE_USAGE);

  // Sites of cells in space.
  z[1] = 5.5;
  const JobHandle cells = job_of(library, "worley", {{"size", "9x9x9"}, {"outputs", "f1"}});
  ASSERT_EQ(dapple_job_set_points_in(cells.get(), "points", columns, 3, sides, 3, 1), DAPPLE_OK);
  const ResultHandle texture = result_of(library, cells);
  dapple_plane plane{};
  ASSERT_EQ(dapple_result_plane(texture.get(), 0, &plane), DAPPLE_OK);
  EXPECT_EQ(plane.slices, 9);
}

// A pyramid in memory has the points of its file, and a caller's wrong numbers are refused.
TEST(C, MeshesInMemoryAreThoseOfFiles) {
  const std::vector<float> xyz{0, 0, 0, 4, 0, 0, 4, 4, 0, 0, 4, 0, 2, 2, 3};
  const std::vector<std::int32_t> corners{1, 0, 2, 2, 0, 3, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
  const TemporaryFolder folder;
  std::ofstream obj(folder / "a.obj");
  for (std::size_t i = 0; i < xyz.size(); i += 3) {
    obj << "v " << xyz[i] << ' ' << xyz[i + 1] << ' ' << xyz[i + 2] << '\n';
  }
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    obj << "f " << corners[i] + 1 << ' ' << corners[i + 1] + 1 << ' ' << corners[i + 2] + 1 << '\n';
  }
  obj.close();
  const Host library = host();
  std::vector<dapple_column> columns{{"x", &xyz[0], DAPPLE_FLOAT32, 5, 12},
                                     {"y", &xyz[1], DAPPLE_FLOAT32, 5, 12},
                                     {"z", &xyz[2], DAPPLE_FLOAT32, 5, 12}};
  const auto set = [&](const JobHandle& job, const char* name, std::size_t many) {
    return dapple_job_set_mesh(job.get(), name, columns.data(), columns.size(), corners.data(),
                               many);
  };
  for (const std::string option : {"on", "in"}) {
    const JobHandle from_file =
        job_of(library, "sample", {{option, folder / "a.obj"}, {"radius", "0.5"}});
    const JobHandle from_memory = job_of(library, "sample", {{"radius", "0.5"}});
    ASSERT_EQ(set(from_memory, option.c_str(), 6), DAPPLE_OK)
        << dapple_error_message(library.get());
    EXPECT_EQ(bytes_of(library, result_of(library, from_memory), "csv"),
              bytes_of(library, result_of(library, from_file), "csv"));
  }
  // Refused: another option, no triangles, no column z, columns of different lengths, and a
  // triangle with a vertex that does not exist.
  const JobHandle job = job_of(library, "sample", {{"radius", "0.5"}});
  EXPECT_EQ(set(job, "keep", 6), DAPPLE_USAGE);
  EXPECT_EQ(set(job, "on", 0), DAPPLE_USAGE);
  EXPECT_EQ(dapple_job_set_mesh(job.get(), "on", columns.data(), 2, corners.data(), 6),
            DAPPLE_USAGE);
  columns[1].count = 4;
  EXPECT_EQ(set(job, "on", 6), DAPPLE_USAGE);
  EXPECT_STREQ(dapple_error_message(library.get()), "column y has 4 values for 5 vertices");
  for (dapple_column& column : columns) column.count = 4;
  EXPECT_EQ(set(job, "on", 6), DAPPLE_INPUT);
}

TEST(C, WhatIsGivenIsProvedAndPutInOrder) {
  const Host library = host();
  const JobHandle job = job_of(library, "sample", {{"size", "64x32"}, {"radius", "4"}});
  const ResultHandle result = result_of(library, job);
  EXPECT_EQ(dapple_result_certify(result.get()), DAPPLE_OK);
  dapple_column columns[3]{};
  for (size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(dapple_result_column(result.get(), i, &columns[i]), DAPPLE_OK);
    columns[i].count -= 1;
  }
  dapple_result* raw = nullptr;
  ASSERT_EQ(dapple_points(library.get(), columns, 3, 64, 32, 0, &raw), DAPPLE_OK);
  const ResultHandle with_a_gap(raw);
  EXPECT_EQ(dapple_result_certify(with_a_gap.get()), DAPPLE_VERIFICATION);
  EXPECT_STRNE(dapple_error_message(library.get()), "");

  dapple_column order{};
  ASSERT_EQ(dapple_result_order(result.get(), "travel", &order), DAPPLE_OK);
  ASSERT_EQ(order.count, columns[0].count + 1);
  const auto* const places = static_cast<const int32_t*>(order.data);
  std::vector<int32_t> sorted(places, places + order.count);
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i) EXPECT_EQ(sorted[i], static_cast<int32_t>(i));
  EXPECT_EQ(dapple_result_order(result.get(), "size", &order), DAPPLE_USAGE);
  EXPECT_EQ(dapple_result_order(result.get(), nullptr, &order), DAPPLE_USAGE);
  EXPECT_EQ(dapple_result_order(nullptr, "travel", &order), DAPPLE_USAGE);
  EXPECT_EQ(dapple_result_certify(nullptr), DAPPLE_USAGE);
}

TEST(C, CurvesOfPointsAndMasks) {
  const Host library = host();
  const JobHandle job =
      job_of(library, "sample", {{"size", "128x96"}, {"radius", "3"}, {"wrap", "true"}});
  const ResultHandle result = result_of(library, job);
  const auto curve = [&](const ResultHandle& of, const char* name,
                         std::vector<const char*> options = {}) {
    options.push_back(nullptr);
    dapple_result* made = nullptr;
    EXPECT_EQ(dapple_result_curve(of.get(), name, options.data(), &made), DAPPLE_OK)
        << dapple_error_message(library.get());
    return ResultHandle(made);
  };
  const ResultHandle pairs = curve(result, "pair-correlation", {"farthest", "12", "bins", "24"});
  const dapple_column g = column_of(pairs, "g");
  ASSERT_EQ(g.count, 24U);
  EXPECT_EQ(g.type, DAPPLE_FLOAT64);
  EXPECT_EQ(column_of(pairs, "r").count, 24U);
  for (size_t k = 0; k < 6; ++k) EXPECT_EQ(static_cast<const double*>(g.data)[k], 0) << k;
  EXPECT_GT(static_cast<const double*>(g.data)[6], 1.5);

  const ResultHandle rings = curve(result, "radial-power");
  EXPECT_LT(static_cast<const double*>(column_of(rings, "power").data)[0], 0.3);

  const ResultHandle spectrum = curve(result, "power-spectrum");
  dapple_plane power{};
  ASSERT_EQ(dapple_result_plane(spectrum.get(), 0, &power), DAPPLE_OK);
  EXPECT_STREQ(power.name, "power");
  const char* text = nullptr;
  ASSERT_EQ(dapple_result_facts(spectrum.get(), &text), DAPPLE_OK);
  const Json facts = Json::parse(text);
  EXPECT_LT(facts["zero_row"].get<int>(), power.height);
  EXPECT_GT(facts["step_x"].get<double>(), 0);

  const JobHandle of_mask = job_of(library, "mask", {{"size", "32"}});
  const ResultHandle mask = result_of(library, of_mask);
  EXPECT_GT(column_of(curve(mask, "radial-power", {"least", "4"}), "power").count, 4U);

  // A curve has numbers alone; and what is asked of it is told by name.
  const void* bytes = nullptr;
  size_t count = 0;
  EXPECT_EQ(dapple_result_encode(pairs.get(), "ply", &bytes, &count), DAPPLE_USAGE);
  EXPECT_EQ(dapple_result_save(pairs.get(), "never.ply"), DAPPLE_USAGE);
  EXPECT_EQ(dapple_result_report(pairs.get(), &text), DAPPLE_USAGE);
  EXPECT_EQ(dapple_result_certify(pairs.get()), DAPPLE_USAGE);
  const auto refused = [&](const char* name, std::vector<const char*> options) {
    options.push_back(nullptr);
    dapple_result* made = nullptr;
    EXPECT_EQ(dapple_result_curve(result.get(), name, options.data(), &made), DAPPLE_USAGE);
    EXPECT_EQ(made, nullptr);
    return std::string(dapple_error_option(library.get()));
  };
  EXPECT_EQ(refused("radial-power", {"bins", "4"}), "bins");
  EXPECT_EQ(refused("radial-power", {"width", "4x"}), "width");
  EXPECT_EQ(refused("radial-power", {"least", "2.5"}), "least");
  EXPECT_EQ(refused("power-spectrum", {"channel"}), "");
  EXPECT_EQ(refused("pair-correlation", {}), "");
  EXPECT_EQ(refused("autocorrelation", {}), "");
  EXPECT_EQ(dapple_result_curve(nullptr, "radial-power", nullptr, nullptr), DAPPLE_USAGE);
}

}  // namespace
}  // namespace dapple
