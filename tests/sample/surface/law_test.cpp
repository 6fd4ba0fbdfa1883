// The law of points on meshes: figures of columns and rings on a flat square are those of the
// plane, of however many triangles the square is.
#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/points.hpp"
#include "dapple/sample.hpp"
#include "dapple/spectra.hpp"
#include "meshes.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

constexpr double r = 0.024;
constexpr int seeds = 100;

// How far figures are from others at the most, as a part of these.
struct Worst {
  double packing, columns, within, rings;
};

// Of many sets in a unit square, on the average.
class Figures {
 public:
  template <class Make>
  explicit Figures(const Make& make) {
    for (int seed = 1; seed <= seeds; ++seed) {
      Context context;
      context.threads = 1;
      context.seed = static_cast<std::uint64_t>(seed);
      add(make(context), context);
    }
  }

  double packing() const { return packing_ / seeds; }
  // How far the numbers of points in columns and in rows of 1/50 are apart: standard deviation.
  double columns() const { return std::sqrt(squares_ / (2 * even * seeds)); }
  // How many points lie in a tenth of a column or of a row of triangles, of n in the square.
  std::array<double, 10> within_triangles(int n) const {
    std::array<double, 10> part{};
    for (const double v : along_) {
      const double at = v * n - std::floor(v * n);
      part[std::min<std::size_t>(9, static_cast<std::size_t>(at * 10))] += 1;
    }
    return part;
  }
  // Power of the bands of a fifth of sqrt(points / area), from the second on, up to twice that.
  std::array<double, 10> rings() const {
    std::array<double, 10> mean{};
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] = power_[k] / weight_[k];
    return mean;
  }

  // `n`: columns of triangles.
  Worst compared(const Figures& other, int n) const {
    return {std::abs(other.packing() / packing() - 1), std::abs(other.columns() / columns() - 1),
            farthest(within_triangles(n), other.within_triangles(n)),
            farthest(rings(), other.rings())};
  }

 private:
  static constexpr std::size_t even = 50;

  static double farthest(const std::array<double, 10>& a, const std::array<double, 10>& b) {
    double worst = 0;
    for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, std::abs(b[k] / a[k] - 1));
    return worst;
  }

  void add(const Points& points, Context& context) {
    packing_ += static_cast<double>(points.size()) * r * r;
    for (const auto* along : {&points.x, &points.y}) {
      std::vector<double> count(even);
      for (const auto place : *along) {
        const double v = place;
        ++count[std::min(even - 1, static_cast<std::size_t>(v * even))];
        along_.push_back(v);
      }
      const double mean = static_cast<double>(points.size()) / even;
      for (const double c : count) squares_ += (c - mean) * (c - mean);
    }
    for (const Ring& ring : radial_power(power_spectrum(points, context))) {
      const auto band = static_cast<std::size_t>(ring.frequency * 5);
      if (band < 1 || band > power_.size()) continue;
      power_[band - 1] += ring.power * ring.count;
      weight_[band - 1] += ring.count;
    }
  }

  double packing_ = 0;
  double squares_ = 0;
  std::vector<double> along_;
  std::array<double, 10> power_{}, weight_{};
};

Points in_unit_square(const Points& of) {
  Points points;
  points.domain = {1, 1, false};
  for (std::size_t i = 0; i < of.size(); ++i) {
    points.add({of.x[i], of.y[i]}, static_cast<float>(r));
  }
  return points;
}

Figures on_mesh(const Mesh& mesh) {
  return Figures(
      [&](Context& context) { return in_unit_square(sample_surface(mesh, r, {}, context)); });
}

// The plane's own sampler.
const Figures& in_plane() {
  static const DensityField field = DensityField::constant({1, 1, false}, r);
  SampleOptions options;
  options.method = SampleMethod::dart_throwing;
  static const Figures figures(
      [&](Context& context) { return sample(field.domain(), field, options, context); });
  return figures;
}

TEST(SurfaceLaw, TrianglesDoNotShow) {
  const Figures& plane = in_plane();
  EXPECT_NEAR(plane.packing(), 0.715, 0.005);  // .697, and what the border adds
  for (const int n : {1, 60, 150}) {
    const Worst worst = plane.compared(on_mesh(square(n, 0)), std::max(n, 60));
    EXPECT_LT(worst.packing, 0.003) << n;
    EXPECT_LT(worst.columns, 0.05) << n;
    EXPECT_LT(worst.within, 0.05) << n;
    EXPECT_LT(worst.rings, 0.05) << n;
  }
}

// Each triangle is filled before darts fall on the next.
Points triangle_after_triangle(const Mesh& mesh, Context& context) {
  constexpr auto side = static_cast<std::size_t>(1 / r);
  std::vector<std::vector<Vec2>> found(side * side);  // by squares of r
  const auto cell = [](double v) {
    return std::min(side - 1, static_cast<std::size_t>(v * static_cast<double>(side)));
  };
  const auto is_near = [&](Vec2 p) {
    const std::size_t x = cell(p.x);
    const std::size_t y = cell(p.y);
    for (std::size_t j = y - std::min<std::size_t>(y, 1); j <= std::min(side - 1, y + 1); ++j) {
      for (std::size_t i = x - std::min<std::size_t>(x, 1); i <= std::min(side - 1, x + 1); ++i) {
        for (const Vec2 q : found[j * side + i]) {
          if (length_squared(p - q) < r * r) return true;
        }
      }
    }
    return false;
  };
  Random random(context.seed, Stream::tests);
  Points points;
  points.domain = {1, 1, false};
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (int miss = 0; miss < 100; ++miss) {
      double u = random.uniform();
      double v = random.uniform();
      if (u + v > 1) u = 1 - u, v = 1 - v;
      const Vec3 at =
          corner(mesh, t, 0) * (1 - u - v) + corner(mesh, t, 1) * u + corner(mesh, t, 2) * v;
      const Vec2 p{at.x, at.y};
      if (is_near(p)) continue;
      found[cell(p.y) * side + cell(p.x)].push_back(p);
      points.add(p, static_cast<float>(r));
      miss = 0;
    }
  }
  return points;
}

// The figures can tell: what fills triangles in their order misses each of them.
TEST(SurfaceLaw, TrianglesThatAreFilledInTheirOrderDoShow) {
  const Mesh mesh = square(60, 0);
  const Worst worst = in_plane().compared(
      Figures([&](Context& context) { return triangle_after_triangle(mesh, context); }), 60);
  EXPECT_GT(worst.packing, 0.003);
  EXPECT_GT(worst.columns, 0.05);
  EXPECT_GT(worst.within, 0.05);
  EXPECT_GT(worst.rings, 0.05);
}

}  // namespace
}  // namespace dapple
