// points_on_a_vase OUT.ply OUT.png OUT.obj: makes a vase and places points on it at least a radius
// apart. Writes the points, a picture, and the vase for `dapple sample --on`.
#include <cmath>
#include <cstdio>

#include <dapple/dapple.hpp>

#include "obj.hpp"

namespace {

constexpr double full_turn = 6.283185307179586;
constexpr int around = 96;
constexpr int rings = 64;

dapple::Mesh vase() {
  dapple::Mesh mesh;
  for (int j = 0; j <= rings; ++j) {
    const double t = static_cast<double>(j) / rings;
    const double flutes = 0.04 * t * (1 - t);
    for (int i = 0; i < around; ++i) {
      const double a = full_turn * (i + 4 * t) / around;
      const double r = 0.5 + 0.28 * std::sin(1.15 * full_turn * t - 0.4) * (1 - 0.5 * t) +
                       flutes * std::cos(12 * a);
      mesh.vertices.push_back({r * std::cos(a), 2.2 * t, r * std::sin(a)});
    }
  }
  const auto at = [](int i, int j) { return j * around + i % around; };
  for (int j = 0; j < rings; ++j) {
    for (int i = 0; i < around; ++i) {
      mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
    }
  }
  return mesh;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: points_on_a_vase OUT.ply OUT.png OUT.obj\n");
    return 2;
  }
  try {
    dapple::Context context;
    const dapple::Mesh mesh = vase();
    const dapple::Points points =
        dapple::sample(dapple::Space::on_surface(mesh), 0.035, {}, context);
    const dapple::Certificate proof = dapple::certify(points, context);
    std::printf("%zu points, the nearest two at %.4f of the radius; %s\n", points.size(),
                proof.closest, proof.maximal() ? "no further point fits" : "further points fit");
    dapple::write_file(argv[1], dapple::encode_points(points, "ply"), dapple::Overwrite::always);
    dapple::Image picture = dapple::draw_in_space(points, 420, 560, context);
    dapple::write_file(argv[2], dapple::encode_image(std::move(picture), "png", context),
                       dapple::Overwrite::always);
    dapple::write_file(argv[3], obj_of(mesh), dapple::Overwrite::always);
    return proof.violations == 0 && proof.maximal() ? 0 : 1;
  } catch (const dapple::Error& error) {
    std::fprintf(stderr, "points_on_a_vase: %s\n", error.what());
    return 1;
  }
}
