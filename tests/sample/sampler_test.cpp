// What single methods promise beyond what every field shows.
#include "brute_force.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "fields.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

TEST(Samplers, AHundredThousandExactly) {
  const DensityField constant = DensityField::constant({700, 500, true}, 1);
  const DensityField ramp =
      radii(256, 256, false, 1.0, [](double x, double) { return std::pow(10, x / 256); });
  for (const DensityField& f : {constant, ramp}) {
    const Points points = run(f, {}, 100000);
    EXPECT_EQ(points.size(), 100000u);
    EXPECT_EQ(count_violations(points), 0);
  }
}

TEST(Dense, PacksCloselyAtAnyThreadCount) {
  SampleOptions options;
  options.method = SampleMethod::dense;
  const DensityField even = DensityField::constant({270, 201, true}, 1);
  const DensityField ramp =
      radii(128, 128, false, 1.0, [](double x, double) { return 0.3 * std::pow(10, x / 128); });
  for (const DensityField& f : {even, ramp}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Points points = run(f, options, 0, seed, 1);
      EXPECT_GE(static_cast<double>(points.size()) / f.integral(), 0.88);
      EXPECT_EQ(count_violations(points), 0);
      EXPECT_EQ(run(f, options, 0, seed, 5).x, points.x);
      Context context;
      EXPECT_TRUE(certify(points, f, ConflictRule::mean, context).maximal());
    }
  }
}

TEST(Polished, IsFarFromItsNearest) {
  SampleOptions options;
  options.method = SampleMethod::polished;
  const DensityField f = DensityField::constant({128, 128, true}, 1);
  const Points points = run(f, options, 16384);
  EXPECT_EQ(points.size(), 16384U);
  EXPECT_GE(smallest_ratio(points), 0.9);
  EXPECT_EQ(count_violations(points), 0);
}

TEST(Samplers, ZeroStaysEmptyWhateverTheCount) {
  const DensityField f = DensityField::from_density(
      plane(60, 50, [](double x, double y) { return x > 20 && y > 30 ? x / 60 : 0.0; }),
      {60, 50, false}, 1, 1.0);
  for (const SampleMethod method :
       {SampleMethod::darts, SampleMethod::bridson, SampleMethod::jittered, SampleMethod::random}) {
    SampleOptions options;
    options.method = method;
    for (const std::int64_t count : {1, 2, 40, 500}) {
      const Points points = run(f, options, count);
      ASSERT_EQ(points.size(), static_cast<std::size_t>(count));
      for (std::size_t i = 0; i < points.size(); ++i) {
        ASSERT_TRUE(points.x[i] >= 20 && points.y[i] >= 30) << points.x[i] << "," << points.y[i];
      }
    }
  }
}

TEST(Bridson, StartsWhereItIsTold) {
  const DensityField f = DensityField::constant({50, 40, false}, 3);
  SampleOptions options;
  options.method = SampleMethod::bridson;
  options.start = "center";
  EXPECT_EQ(run(f, options)[0], (Vec2{25, 20}));
  options.start = "12.5,39.75";
  EXPECT_EQ(run(f, options)[0], (Vec2{12.5, 39.75}));
  options.start = "random";
  EXPECT_NE(run(f, options, 0, 1)[0], run(f, options, 0, 2)[0]);
  for (const char* wrong : {"60,10", "middle", "1;2", "nan,1"}) {
    options.start = wrong;
    EXPECT_THROW(run(f, options), Error) << wrong;
  }
}

TEST(Bridson, MoreTriesPackCloser) {
  const DensityField f = DensityField::constant({100, 100, true}, 2);
  SampleOptions options;
  options.method = SampleMethod::bridson;
  std::size_t before = 0;
  for (const int tries : {1, 4, 30, 300}) {
    options.tries = tries;
    const std::size_t n = run(f, options).size();
    EXPECT_GT(n, before) << tries;
    before = n;
  }
}

// The first candidate round a lone point is always taken: its squared distance is uniform between
// r^2 and (2r)^2, its direction uniform. Kolmogorov-Smirnov at the 0.1 % level.
TEST(Bridson, TheRingIsSampledByArea) {
  const DensityField f = DensityField::constant({41, 41, false}, 10);
  SampleOptions options;
  options.method = SampleMethod::bridson;
  options.start = "center";
  std::vector<double> areas;
  std::vector<double> angles;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const Points points = run(f, options, 0, seed);
    ASSERT_GT(points.size(), 1u);
    const Vec2 d = points[1] - points[0];
    areas.push_back((length_squared(d) / 100 - 1) / 3);
    angles.push_back(std::atan2(d.y, d.x) / (2 * std::numbers::pi) + 0.5);
  }
  for (std::vector<double>* values : {&areas, &angles}) {
    std::sort(values->begin(), values->end());
    double worst = 0;
    for (std::size_t i = 0; i < values->size(); ++i) {
      const double share = static_cast<double>(i) / 600;
      worst = std::max({worst, (*values)[i] - share, share + 1.0 / 600 - (*values)[i]});
    }
    EXPECT_LT(worst, 1.95 / std::sqrt(600));
  }
}

TEST(SimpleSamplers, OnePointInEachCellOfAGrid) {
  const DensityField f = DensityField::constant({120, 80, false}, 1);
  SampleOptions options;
  options.method = SampleMethod::jittered;
  const Points jittered = run(f, options, 96);
  options.method = SampleMethod::grid;
  const Points grid = run(f, options, 96);
  options.method = SampleMethod::random;
  const Points random = run(f, options, 96);
  std::set<std::pair<int, int>> cells_of_jittered, cells_of_grid, cells_of_random;
  for (std::size_t i = 0; i < 96; ++i) {
    const auto cell = [&](const Points& points) {
      return std::pair{static_cast<int>(points.x[i] / 10), static_cast<int>(points.y[i] / 10)};
    };
    cells_of_jittered.insert(cell(jittered));
    cells_of_grid.insert(cell(grid));
    cells_of_random.insert(cell(random));
    EXPECT_NEAR(std::fmod(grid.x[i], 10), 5, 1e-9);
    EXPECT_NEAR(std::fmod(grid.y[i], 10), 5, 1e-9);
  }
  EXPECT_EQ(cells_of_jittered.size(), 96u);
  EXPECT_EQ(cells_of_grid.size(), 96u);
  EXPECT_LT(cells_of_random.size(), 80u);  // 61 are expected
}

}  // namespace
}  // namespace dapple
