// density_of_ones_own OUT.ply: places points by a density in memory, 1000 times denser in the
// middle than at the border. Proves that no two are too near and that no further point fits.
#include <cmath>
#include <cstdio>
#include <utility>

#include <dapple/error.hpp>
#include <dapple/field.hpp>
#include <dapple/files.hpp>
#include <dapple/point_files.hpp>
#include <dapple/sample.hpp>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: density_of_ones_own OUT.ply\n");
    return 2;
  }
  try {
    dapple::Context context;
    constexpr int side = 128;
    dapple::Plane<float> density(side, side);
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const double off = std::hypot(x - 63.5, y - 63.5) / 63.5;
        density(x, y) = static_cast<float>(std::pow(1000, -std::fmin(off, 1)));
      }
    }
    // r is 1 if the density is 1, and 31.6 if it is 0.001.
    const dapple::Domain domain = {side, side, false};
    const auto field = dapple::DensityField::from_density(std::move(density), domain, 1, 1.0);
    const dapple::Points points = dapple::sample(domain, field, {}, context);
    const dapple::Certificate proof = dapple::certify(points, context);
    std::printf("%zu points with r from %.2f to %.2f; %s\n", points.size(), field.radius({64, 64}),
                field.radius({0.5, 0.5}), proof.maximal() ? "no other fits" : "others fit");
    dapple::write_file(argv[1], dapple::encode_points(points, "ply"), dapple::Overwrite::always);
    return proof.violations == 0 && proof.maximal() ? 0 : 1;
  } catch (const dapple::Error& error) {
    std::fprintf(stderr, "density_of_ones_own: %s\n", error.what());
    return 1;
  }
}
