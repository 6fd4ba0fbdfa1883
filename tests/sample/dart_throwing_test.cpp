// Dart throwing is what its definition says: the same as throwing its darts one after the other,
// and distributed as the plainest program that does so.
#include "brute_force.hpp"
#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "distributions.hpp"
#include "fields.hpp"
#include "old_names.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

SampleOptions dart_throwing_by(ConflictRule rule) {
  SampleOptions options;
  options.method = SampleMethod::dart_throwing;
  options.conflict = rule;
  return options;
}

double least(ConflictRule rule, double later, double earlier) {
  return rule == ConflictRule::candidate ? later : rule_distance(rule, later, earlier);
}

// Taken one after the other in order of time, each kept where no earlier one that was kept is too
// near.
std::vector<Dart> one_by_one(const std::vector<Dart>& darts, const Domain& domain,
                             ConflictRule rule) {
  std::vector<Dart> kept;
  for (const Dart& dart : darts) {
    const bool refused = std::any_of(kept.begin(), kept.end(), [&](const Dart& other) {
      return plain_distance(domain, dart.at, other.at) < least(rule, dart.r, other.r);
    });
    if (!refused) kept.push_back(dart);
  }
  return kept;
}

class DartThrowing : public ::testing::TestWithParam<std::tuple<std::size_t, bool>> {};

TEST_P(DartThrowing, IsThatOfItsDartsOneByOne) {
  const DensityField f = field_cases()[std::get<0>(GetParam())].make(std::get<1>(GetParam()));
  for (const ConflictRule rule :
       {ConflictRule::mean, ConflictRule::min, ConflictRule::max, ConflictRule::candidate}) {
    Context context;
    context.seed = 5;
    context.threads = 3;
    std::vector<Dart> darts;
    const Points points = dart_throwing(f, dart_throwing_by(rule), context, &darts);
    ASSERT_TRUE(std::is_sorted(darts.begin(), darts.end(),
                               [](const Dart& a, const Dart& b) { return a.time < b.time; }));
    EXPECT_GE(darts.size(), points.size());
    const std::vector<Dart> kept = one_by_one(darts, f.domain(), rule);
    ASSERT_EQ(kept.size(), points.size());
    for (std::size_t i = 0; i < kept.size(); ++i) ASSERT_EQ(kept[i].at, points[i]) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Samplers, DartThrowing,
                         ::testing::Combine(::testing::Range(std::size_t{0}, std::size_t{14}),
                                            ::testing::Bool()),
                         [](const auto& row) {
                           return field_cases()[std::get<0>(row.param)].name +
                                  (std::get<1>(row.param) ? "_torus" : "_flat");
                         });

// One dart after the other, each uniform over a list of equal squares that leaves out nothing but
// what one point covers; now and then all squares are quartered. For domains of whole pixels.
Points plainest(const DensityField& field, std::uint64_t seed) {
  Random random(seed, Stream::tests, 77);
  const Domain& domain = field.domain();
  Points points;
  points.domain = domain;
  const auto refuses = [&](std::size_t i, Vec2 p, double r, double half) {
    const double f = rule_distance(ConflictRule::mean, r, static_cast<double>(points.radius[i]));
    const auto away = [half, &domain](double d, double period) {
      d = std::abs(d);
      return (domain.wrap ? std::min(d, period - d) : d) + half;
    };
    return std::hypot(away(p.x - points.x[i], domain.width),
                      away(p.y - points.y[i], domain.height)) < f;
  };
  const auto open = [&](Vec2 p, double half) {
    const double r = field.radius(p);
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (refuses(i, p, r, half)) return false;
    }
    return std::isfinite(r);
  };
  std::vector<Vec2> centers;
  for (double y = 0.5; y < domain.height; ++y) {
    for (double x = 0.5; x < domain.width; ++x) {
      if (std::isfinite(field.radius({x, y}))) centers.push_back({x, y});
    }
  }
  for (double half = 0.5; half > 1e-7 && !centers.empty(); half /= 2) {
    for (std::size_t i = 0; i < 2 * centers.size(); ++i) {
      const Vec2 center = centers[random.below(static_cast<std::uint32_t>(centers.size()))];
      const Vec2 p =
          center + Vec2{(2 * random.uniform() - 1) * half, (2 * random.uniform() - 1) * half};
      if (open(p, 0)) points.add(p, static_cast<float>(field.radius(p)));
    }
    std::vector<Vec2> quarters;
    for (const Vec2 c : centers) {
      for (int k = 0; k < 4; ++k) {
        const Vec2 q = c + Vec2{(k % 2 - 0.5) * half, (k / 2 - 0.5) * half};
        if (open(q, half / 2)) quarters.push_back(q);
      }
    }
    centers = std::move(quarters);
  }
  return points;
}

// What a set shows of the order and the places of its points.
std::array<double, 6> traits(const Points& points) {
  const auto distance = [&](std::size_t i, std::size_t j) {
    return plain_distance(points.domain, points[i], points[j]);
  };
  double sum = 0;
  double nearest = 1e300;
  for (std::size_t i = 1; i < points.size(); ++i) {
    sum += distance(0, i);
    nearest = std::min(nearest, distance(0, i));
  }
  const std::size_t last = points.size() - 1;
  return {static_cast<double>(points.size()),   points.x[0], points.y[1], distance(0, 1), nearest,
          distance(last, last - 1) + 1e-3 * sum};
}

void expect_same_distribution(const DensityField& field) {
  constexpr std::uint64_t sets = 3000;
  std::array<std::vector<double>, 6> ours, plain;
  for (std::uint64_t seed = 1; seed <= sets; ++seed) {
    const auto a = traits(run(field, dart_throwing_by(ConflictRule::mean), 0, seed, 1));
    const auto b = traits(plainest(field, seed));
    for (std::size_t k = 0; k < 6; ++k) {
      ours[k].push_back(a[k]);
      plain[k].push_back(b[k]);
    }
  }
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_LT(distribution_difference(ours[k], plain[k]), one_in_a_thousand) << "trait " << k;
}

TEST(DartThrowingInLaw, IsThePlainestProgramWithOneRadius) {
  expect_same_distribution(DensityField::constant({10, 9, true}, 2.9));
}

TEST(DartThrowingInLaw, IsThePlainestProgramWhereTheRadiusVaries) {
  expect_same_distribution(radii(12, 8, false, std::nullopt, [](double x, double y) {
    return x > 9 && y > 6 ? 0.0 : x < 5 ? 1.5 + 0.2 * y : 5.0;
  }));
}

// The test can tell: sets that grow from their start are something else.
TEST(DartThrowingInLaw, BridsonIsAnother) {
  const DensityField field = DensityField::constant({10, 9, true}, 2.9);
  std::vector<double> ours, other;
  SampleOptions bridson;
  bridson.method = SampleMethod::bridson;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    ours.push_back(traits(run(field, dart_throwing_by(ConflictRule::mean), 0, seed, 1))[0]);
    other.push_back(traits(run(field, bridson, 0, seed, 1))[0]);
  }
  EXPECT_GT(distribution_difference(ours, other), 3);
}

// Radial power up to three times the principal frequency, of several sets.
class Power {
 public:
  template <class Make>
  explicit Power(const Make& make) {
    for (std::uint64_t seed = 1; seed <= sets; ++seed) {
      Context context;
      context.seed = seed;
      const QualityReport report = analyze_points(make(context), context);
      for (const Curve& curve : report.curves) {
        if (curve.title == "Radial power") add(curve);
      }
    }
  }

  // Largest difference of two means in any of 30 bands.
  double difference(const Power& other) const {
    double worst = 0;
    for (std::size_t k = 0; k < sum_.size(); ++k) {
      worst = std::max(worst, std::abs(mean(k) - other.mean(k)));
    }
    return worst;
  }

 private:
  static constexpr std::uint64_t sets = 4;

  void add(const Curve& curve) {
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      const auto band = static_cast<std::size_t>(10 * curve.x[i]);
      if (band >= sum_.size()) continue;
      sum_[band] += curve.y[i];
      count_[band] += 1;
    }
  }
  double mean(std::size_t band) const { return count_[band] == 0 ? 0 : sum_[band] / count_[band]; }

  std::array<double, 30> sum_{};
  std::array<double, 30> count_{};
};

// What the fast samplers make differs from dart throwing by less than one would see: white is 1.
TEST(DartThrowingInLaw, TheSpectraOfDartsComeClose) {
  const DensityField field = DensityField::constant({100, 100, true}, 0.93);  // 8,000 points
  const Power ours([&](Context& context) {
    return sample(field, dart_throwing_by(ConflictRule::mean), 0, context);
  });
  const Power even([&](Context& context) { return sample(field.domain(), field, {}, context); });
  // An empty list of obstacles asks for the sampler for radii that vary.
  const Points none;
  const Power varied(
      [&](Context& context) { return darts(field, ConflictRule::mean, nullptr, context, &none); });
  // Two means of ours differ by 0.03; the peak is 1.74 high.
  EXPECT_LT(ours.difference(even), 0.08);
  EXPECT_LT(ours.difference(varied), 0.08);
  const Power other([&](Context& context) {
    SampleOptions options;
    options.method = SampleMethod::bridson;
    return sample(field.domain(), field, options, context);
  });
  EXPECT_GT(ours.difference(other), 0.2);
}

}  // namespace
}  // namespace dapple
