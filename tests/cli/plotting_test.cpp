// What the program says and writes for plotters. What reads the files here is not Dapple.
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program_test.hpp"

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

}  // namespace
}  // namespace dapple
