// What the program says and writes for plotters. What reads the files here is not Dapple.
#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/program_test.hpp"
#include "dapple/files.hpp"

namespace dapple {
namespace {

using nlohmann::json;

const std::string photo = std::string(DAPPLE_SOURCE_FOLDER) + "/samples/raccoon.png";

class Plotting : public test::ProgramTest {
 protected:
  // Of 400 dots on a postcard.
  json record(std::vector<std::string> options) const {
    options.insert(options.begin(), {"stipple", photo, "--dots", "400", "--paper", "148x105mm",
                                     "--margin", "10mm", "--json"});
    return json::parse(good(options).out);
  }
};

TEST_F(Plotting, ForecastsFollowTheOptions) {
  const json plot = record({"--shape", "point", "--pen", "0.5mm", "-o", "a.svg"})["plot"];
  EXPECT_EQ(plot["lifts"], 400);
  EXPECT_EQ(plot["drawn_mm"], 0);
  EXPECT_EQ(plot["pen_changes"], 0);
  const double travel = plot["travel_mm"];
  EXPECT_GT(travel, 1000);
  // Nothing but travel at 1 mm/s.
  const json slow = record({"--shape", "point", "--pen", "0.5mm", "-o", "a.svg", "--pen-lift", "0",
                            "--travel-speed", "1", "--acceleration", "1000000"})["plot"];
  EXPECT_NEAR(slow["seconds"], travel, 0.01 * travel);
  const json line = record({"--path", "tsp", "-o", "b.svg", "--report"});
  EXPECT_EQ(line["plot"]["lifts"], 1);
  EXPECT_GT(line["plot"]["drawn_mm"], 1000);
  EXPECT_LT(line["plot"]["travel_mm"], 400);
  const double above = line["report"]["measurements"]["above"];
  EXPECT_GE(above, 0);
  EXPECT_LT(above, 5);
  const auto outcome = good({"stipple", photo, "--dots", "50", "-v", "-o", "c.svg"});
  EXPECT_NE(outcome.err.find("50 lifts"), std::string::npos) << outcome.err;
}

// hp2xx measures from the corner of what was drawn.
TEST_F(Plotting, AnotherProgramReadsHpgl) {
  good({"stipple", photo, "--dots", "300", "--path", "tsp", "--dpi", "254", "-o", "a.plt", "-o",
        "a.csv"});
  const auto outcome = test::run_process(
      {"/usr/bin/hp2xx", "-q", "-t", "-m", "cad", "-f", "-", "a.plt"}, folder.path());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  PointSet dots = read_points((folder / "a.csv").string(), Limits{});
  const double left = *std::min_element(dots.x.begin(), dots.x.end());
  const double bottom = *std::max_element(dots.y.begin(), dots.y.end());
  std::istringstream lines(outcome.out);
  std::size_t edges = 0;
  for (std::string line; std::getline(lines, line);) {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    int a = 0, b = 0;
    if (std::sscanf(line.c_str(), "\\emline{%lf}{%lf}{%d}{%lf}{%lf}{%d}", &x0, &y0, &a, &x1, &y1,
                    &b) != 6) {
      continue;
    }
    ASSERT_LT(edges + 1, dots.size());
    EXPECT_NEAR(x0, 0.1 * (dots.x[edges] - left), 0.03);
    EXPECT_NEAR(y0, 0.1 * (bottom - dots.y[edges]), 0.03);
    ++edges;
    EXPECT_NEAR(x1, 0.1 * (dots.x[edges] - left), 0.03);
    EXPECT_NEAR(y1, 0.1 * (bottom - dots.y[edges]), 0.03);
  }
  EXPECT_EQ(edges, 299u);
}

}  // namespace
}  // namespace dapple
