// Fields of every kind that samplers are tried on.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/sample.hpp"
#include "old_names.hpp"

namespace dapple {

struct FieldCase {
  std::string name;
  std::function<DensityField(bool wrap)> make;
};

inline Plane<float> plane(int w, int h, const std::function<double(double, double)>& r) {
  Plane<float> map(w, h);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) map(x, y) = static_cast<float>(r(x + 0.5, y + 0.5));
  }
  return map;
}

inline DensityField radii(int w, int h, bool wrap, std::optional<double> slope,
                          const std::function<double(double, double)>& r) {
  const Domain domain{static_cast<double>(w), static_cast<double>(h), wrap};
  return DensityField::from_radius(plane(w, h, r), domain, slope);
}

inline const std::vector<FieldCase>& field_cases() {
  static const std::vector<FieldCase> cases = {
      {"constant",
       [](bool wrap) {
         return DensityField::constant({100, 100, wrap}, 3.1);
       }},
      {"oblong",
       [](bool wrap) {
         return DensityField::constant({173.5, 31, wrap}, 2.3);
       }},
      {"odd_torus",
       [](bool wrap) {
         return DensityField::constant({61, 37, wrap}, 5.7);
       }},
      {"below_r",
       [](bool wrap) {
         return DensityField::constant({9, 4, wrap}, 25);
       }},
      {"about_r",
       [](bool wrap) {
         return DensityField::constant({9, 7, wrap}, 5.5);
       }},
      {"ramp_10",
       [](bool wrap) {
         return radii(120, 90, wrap, 1.0, [](double x, double) { return std::pow(10, x / 120); });
       }},
      {"ramp_100",
       [](bool wrap) {
         return radii(128, 128, wrap, 1.0,
                      [](double x, double y) { return 0.5 * std::pow(100, (x + y) / 256); });
       }},
      {"step_10",
       [](bool wrap) {
         return radii(90, 60, wrap, std::nullopt, [](double x, double) { return x < 45 ? 1 : 10; });
       }},
      {"step_100_diagonal",
       [](bool wrap) {
         return radii(80, 80, wrap, std::nullopt,
                      [](double x, double y) { return x + y < 50 ? 0.6 : 60; });
       }},
      {"forbidden",
       [](bool wrap) {
         return radii(90, 90, wrap, 1.0, [](double x, double y) {
           const double from_center = std::hypot(x - 45, y - 45);
           return from_center < 20 || (x > 60 && y > 60) ? 0.0 : 1 + from_center / 20;
         });
       }},
      {"islands",
       [](bool wrap) {
         return radii(64, 64, wrap, std::nullopt, [](double x, double y) {
           return std::fmod(x, 21) < 3 && std::fmod(y, 13) < 2 ? 0.4 : -1.0;
         });
       }},
      {"one_pixel",
       [](bool wrap) { return radii(1, 1, wrap, 1.0, [](double, double) { return 0.05; }); }},
      {"coarse_map",
       [](bool wrap) {
         // Pixels that are neither of size 1 nor square.
         return DensityField::from_radius(
             plane(7, 5, [](double x, double y) { return 1 + 0.7 * x + 0.3 * y; }), {100, 90, wrap},
             std::nullopt);
       }},
      {"pixel_noise",
       [](bool wrap) {
         Random random(11, Stream::tests);
         return radii(40, 40, wrap, std::nullopt,
                      [&](double, double) { return 0.5 * std::pow(60, random.uniform()); });
       }},
  };
  return cases;
}

// Radii of 1000:1.
inline const std::vector<FieldCase>& wide_cases() {
  static const std::vector<FieldCase> cases = {
      {"step",
       [](bool wrap) {
         return radii(40, 40, wrap, std::nullopt,
                      [](double x, double) { return x < 20 ? 0.5 : 500; });
       }},
      {"thin_line",
       [](bool wrap) {
         return radii(60, 40, wrap, std::nullopt,
                      [](double x, double) { return x > 31 && x < 33 ? 0.2 : 200; });
       }},
      {"ramp",
       [](bool wrap) {
         return radii(64, 48, wrap, 1.0,
                      [](double x, double) { return 0.4 * std::pow(1000, x / 64); });
       }},
      {"ramp_without_limit",
       [](bool wrap) {
         return radii(64, 48, wrap, std::nullopt,
                      [](double x, double) { return 0.4 * std::pow(1000, x / 64); });
       }},
      {"checker",
       [](bool wrap) {
         return radii(48, 48, wrap, 1.0, [](double x, double y) {
           return (static_cast<int>(x / 8) + static_cast<int>(y / 8)) % 2 == 0 ? 0.5 : 500;
         });
       }},
      {"noise",
       [](bool wrap) {
         Random random(17, Stream::tests);
         return radii(48, 48, wrap, 1.0,
                      [&](double, double) { return 0.7 * std::pow(1000, random.uniform()); });
       }},
  };
  return cases;
}

inline Points run(const DensityField& field, const SampleOptions& options, std::int64_t count = 0,
                  std::uint64_t seed = 1, int threads = 2) {
  Context context;
  context.seed = seed;
  context.threads = threads;
  return sample(field, options, count, context);
}

}  // namespace dapple
