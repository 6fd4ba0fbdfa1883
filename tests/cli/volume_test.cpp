// Volumes and classes of `dapple sample` as users run them.
#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/program_test.hpp"
#include "dapple/point_files.hpp"

namespace dapple::test {
namespace {

class InSpace : public ProgramTest {
 protected:
  std::string file(const char* name) const { return folder / name; }
  void refused(std::vector<std::string> words, const std::vector<std::string>& texts) const {
    words.insert(words.begin(), "sample");
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    for (const std::string& text : texts) {
      EXPECT_NE(outcome.err.find(text), std::string::npos) << text << " in " << outcome.err;
    }
  }
};

TEST_F(InSpace, ASizeWithADepthIsAVolume) {
  good({"sample", "--size", "32x24x16", "--radius", "3", "--certify", "-o", file("a.csv")});
  const PointSet points = read_points(file("a.csv"), Limits{});
  ASSERT_EQ(points.z.size(), points.size());
  EXPECT_GT(*std::max_element(points.z.begin(), points.z.end()), 14);
  // 64 of 94 points would be a plane's.
  EXPECT_GT(points.size(), 300u);
  good({"sample", "--dimensions", "3", "--size", "24", "--count", "500", "--wrap", "-o",
        file("b.ply")});
  const PointSet cube = read_points(file("b.ply"), Limits{});
  EXPECT_EQ(cube.size(), 500u);
  EXPECT_GT(*std::max_element(cube.z.begin(), cube.z.end()), 22);
}

TEST_F(InSpace, ItsReportIsOfTheVolume) {
  const Outcome outcome = good({"sample", "--size", "40x40x40", "--radius", "4", "--wrap",
                                "--report", "--json", "-o", file("a.csv")});
  const std::string report = nlohmann::json::parse(outcome.out)["report"].dump();
  for (const char* name : {"depth", "kappa", "holes", "LF"}) {
    EXPECT_NE(report.find(name), std::string::npos) << name;
  }
  good({"analyze", file("a.csv"), "--certify", "--wrap", "-o", file("sheet.png")});
}

TEST_F(InSpace, WhatIsForThePlaneIsRefused) {
  const std::vector<std::string> size{"--size", "32x32x32"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.begin(), size.begin(), size.end());
    return words;
  };
  refused(with({"--radius", "2:9"}), {"--radius", "one length"});
  refused(with({"--radius", "3", "--count", "9"}), {"--radius", "--count"});
  refused(with({"--radius", "3", "--method", "bridson"}), {"--method", "darts"});
  refused(with({"--radius", "3", "--inset", "3"}), {"--inset", "plane"});
  refused(with({"--radius", "3", "--classes", "3"}), {"--classes", "--class-radius"});
  refused(with({"--radius", "3", "--dimensions", "2"}), {"--dimensions", "depth"});
  refused({"--size", "32x16", "--dimensions", "3", "--radius", "3"}, {"--dimensions", "depth"});
  refused({"--size", "32", "--dimensions", "5", "--radius", "3"}, {"--dimensions"});
}

TEST_F(InSpace, ClassesHaveColumnsOfTheirOwn) {
  good({"sample", "--size", "200", "--class-radius", "12,6,3", "--certify", "--wrap", "-o",
        file("a.csv")});
  const PointSet points = read_points(file("a.csv"), Limits{});
  ASSERT_EQ(points.klass.size(), points.size());
  std::set<std::pair<std::int32_t, float>> kinds;
  for (std::size_t i = 0; i < points.size(); ++i) kinds.insert({points.klass[i], points.radius[i]});
  EXPECT_EQ(kinds, (std::set<std::pair<std::int32_t, float>>{{0, 12}, {1, 6}, {2, 3}}));
  good({"sample", "--size", "30x30x30", "--class-radius", "8,4", "--class-distance", "mean",
        "--classes", "0.2,0.8", "--certify", "-o", file("b.csv")});
  EXPECT_FALSE(read_points(file("b.csv"), Limits{}).z.empty());
}

TEST_F(InSpace, ClassesSayWhatDoesNotGoTogether) {
  refused({"--class-radius", "9,0"}, {"--class-radius"});
  refused({"--class-radius", "9,4", "--radius", "3"}, {"--class-radius", "--radius"});
  refused({"--class-distance", "mean", "--radius", "3"}, {"--class-distance", "--class-radius"});
  refused({"--class-radius", "9,4", "--classes", "3"}, {"--classes", "--class-radius"});
  refused({"--class-radius", "9,4", "--progressive"}, {"--class-radius", "--progressive"});
}

}  // namespace
}  // namespace dapple::test
