// any_first_part [COUNT]: makes exactly COUNT points in an order whose every prefix is well spread.
// This serves levels of detail, and sampling that stops when the result is good enough.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <dapple/error.hpp>
#include <dapple/sample.hpp>

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 1024;
  try {
    dapple::Context context;
    const dapple::Domain domain = {100, 100, true};
    dapple::SampleOptions options;
    options.progressive = true;
    options.count = count;
    // A count overrides the radius, so its value does not matter.
    const dapple::Points points = dapple::sample(domain, 1.0, options, context);
    bool even = points.size() == static_cast<std::size_t>(count);
    for (std::size_t n = 64; n <= points.size(); n *= 4) {
      dapple::Points part;
      part.domain = domain;
      for (std::size_t i = 0; i < n; ++i) part.append(points, i);
      const dapple::PointIndex index(part);
      std::vector<dapple::Neighbor> nearest;
      double closest = 100;
      for (std::size_t i = 0; i < n; ++i) {
        index.nearest(part[i], 1, nearest, static_cast<int>(i));
        closest = std::fmin(closest, nearest[0].distance);
      }
      // Relative to a hexagonal lattice: 1 is the best spacing of n points.
      const double of_best =
          closest / std::sqrt(domain.area() * 2 / (std::sqrt(3.0) * static_cast<double>(n)));
      std::printf("first %zu points: smallest distance %.2f of the best possible\n", n, of_best);
      even = even && of_best > 0.6;
    }
    return even ? 0 : 1;
  } catch (const dapple::Error& error) {
    std::fprintf(stderr, "any_first_part: %s\n", error.what());
    return 1;
  }
}
