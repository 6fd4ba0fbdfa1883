// points_on_a_scroll OUT.obj OUT.png: rolls up a sheet with 0.3 radii between its turns. Places
// points once by distances in space and once by distances along the sheet, and draws both unrolled.
#include <cmath>
#include <cstdio>

#include <dapple/dapple.hpp>

#include "obj.hpp"

namespace {

constexpr double full_turn = 6.283185307179586;
constexpr double radius = 0.08;
constexpr double apart = 0.3 * radius;  // distance between turns
constexpr double turns = 3.5;
constexpr double core = 0.2;
constexpr double width = 1.1;
constexpr int along = 420;
constexpr int across = 8;

dapple::Vec3 rolled(double turn) {
  const double r = core + apart * turn;
  return {r * std::cos(full_turn * turn), 0, -r * std::sin(full_turn * turn)};
}

// The directions of the view that draw_in_space() uses.
const dapple::Vec3 toward =
    dapple::Vec3{0.45, 0.4, 1} * (1 / dapple::length(dapple::Vec3{0.45, 0.4, 1}));
const dapple::Vec3 right =
    dapple::Vec3{1, 0, -0.45} * (1 / dapple::length(dapple::Vec3{1, 0, -0.45}));
const dapple::Vec3 up = dapple::cross(toward, right);

// Returns the sheet rolled up, or flat and facing the viewer. Both have the same triangles.
dapple::Mesh sheet(bool flat) {
  dapple::Mesh mesh;
  double length = 0;
  for (int i = 0; i <= along; ++i) {
    const dapple::Vec3 at = rolled(turns * i / along);
    if (i > 0) length += dapple::length(at - rolled(turns * (i - 1) / along));
    for (int j = 0; j <= across; ++j) {
      const double y = width * j / across;
      mesh.vertices.push_back(flat ? right * length + up * y : dapple::Vec3{at.x, y, at.z});
    }
  }
  const auto at = [](int i, int j) { return i * (across + 1) + j; };
  for (int i = 0; i < along; ++i) {
    for (int j = 0; j < across; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return mesh;
}

// Moves the points to the same triangles of the other mesh.
dapple::Points moved(dapple::Points points, const dapple::Mesh& to) {
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto& t = to.triangles[static_cast<std::size_t>(points.triangle[k])];
    const auto corner = [&](std::size_t c) { return to.vertices[static_cast<std::size_t>(t[c])]; };
    const double u = points.u[k];
    const double v = points.v[k];
    const dapple::Vec3 p = corner(0) * (1 - u - v) + corner(1) * u + corner(2) * v;
    points.x[k] = p.x;
    points.y[k] = p.y;
    points.z[k] = p.z;
    points.nx[k] = static_cast<float>(toward.x);
    points.ny[k] = static_cast<float>(toward.y);
    points.nz[k] = static_cast<float>(toward.z);
  }
  points.space = std::make_shared<const dapple::Space>(dapple::Space::on_surface(to));
  return points;
}

void put(const dapple::Image& part, int x0, int y0, dapple::Image& into) {
  for (int y = 0; y < part.height(); ++y) {
    for (int x = 0; x < part.width(); ++x) {
      into.channels[0](x0 + x, y0 + y) = part.channels[0](x, y);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: points_on_a_scroll OUT.obj OUT.png\n");
    return 2;
  }
  try {
    dapple::Context context;
    const dapple::Mesh scroll = sheet(false);
    const dapple::Mesh flat = sheet(true);
    const dapple::Points in_space =
        dapple::sample(dapple::Space::on_surface(scroll), radius, {}, context);
    const dapple::Points on_it = dapple::sample(
        dapple::Space::on_surface(scroll, {dapple::SurfaceMetric::surface}), radius, {}, context);
    const dapple::Certificate proof = dapple::certify(on_it, context);
    std::printf(
        "%zu points by distances in space, %zu along the scroll, the nearest two at %.4f "
        "of the radius; %s\n",
        in_space.size(), on_it.size(), proof.closest,
        proof.maximal() ? "no further point fits" : "further points fit");
    dapple::Image picture = dapple::draw_in_space(on_it, 260, 440, context);
    const dapple::Image roll = picture;
    picture.channels[0] = dapple::Plane<float>(860, 440, roll.channels[0](0, 0));
    put(roll, 0, 0, picture);
    put(dapple::draw_in_space(moved(in_space, flat), 600, 220, context), 260, 0, picture);
    put(dapple::draw_in_space(moved(on_it, flat), 600, 220, context), 260, 220, picture);
    dapple::write_file(argv[2], dapple::encode_image(std::move(picture), "png", context),
                       dapple::Overwrite::always);
    dapple::write_file(argv[1], obj_of(scroll), dapple::Overwrite::always);
    return proof.violations == 0 && proof.maximal() ? 0 : 1;
  } catch (const dapple::Error& error) {
    std::fprintf(stderr, "points_on_a_scroll: %s\n", error.what());
    return 1;
  }
}
