// fractal_plane OUT.png: draws a lit plane up to the horizon, dithered by dots that stick to it.
// fractal_dither.glsl does the same on a graphics card. The two halves of the picture show the
// camera before and after a step forward: dots keep their places, and more appear between them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include <dapple/dapple.hpp>

namespace {

constexpr int side = 128;
constexpr int layers = 24;
constexpr double first_dots = 64;

struct Place {
  double u, v;
};

// Samples the texture like a graphics card: repeated in u and v, linear in all three directions.
double filtered(const dapple::Plane<float>& texture, double u, double v, double layer) {
  const auto along = [](double at, int& first, int& second, int size) {
    const double place = (at - std::floor(at)) * size - 0.5;
    const double whole = std::floor(place);
    first = (static_cast<int>(whole) + size) % size;
    second = (first + 1) % size;
    return place - whole;
  };
  int x0, x1, y0, y1;
  const double fx = along(u, x0, x1, side);
  const double fy = along(v, y0, y1, side);
  const int z0 = std::clamp(static_cast<int>(layer), 0, layers - 1);
  const int z1 = std::min(z0 + 1, layers - 1);
  const double fz = std::clamp(layer - z0, 0.0, 1.0);
  const auto slice = [&](int z) {
    const auto at = [&](int x, int y) { return static_cast<double>(texture(x, z * side + y)); };
    const double above = at(x0, y0) + fx * (at(x1, y0) - at(x0, y0));
    const double below = at(x0, y1) + fx * (at(x1, y1) - at(x0, y1));
    return above + fy * (below - above);
  };
  return slice(z0) + fz * (slice(z1) - slice(z0));
}

// Computes the same as the shader. `tiles` is the number of texture tiles under a pixel.
double dithered(const dapple::Plane<float>& texture, Place at, double tiles, double light,
                double radius) {
  const double b = std::clamp(light, 0.001, 1.0);
  const double wanted = b / (3.14159265 * radius * radius * tiles);
  const double scale = std::exp2(std::floor(std::log2(wanted / first_dots) / 2));
  const double shown = wanted / (first_dots * scale * scale);
  const double near = filtered(texture, at.u * scale, at.v * scale, (shown - 1) / 3 * (layers - 1));
  const double part = 0.525 * std::sqrt(b) * (1 + 0.5 * std::pow(b, 6.0));
  const double spacing = radius / (0.525 * std::sqrt(b));
  return std::clamp((near - 1 + part) * spacing + 0.5, 0.0, 1.0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: fractal_plane OUT.png\n");
    return 2;
  }
  try {
    dapple::Context context;
    dapple::MaskOptions options;
    options.kind = dapple::MaskKind::fractal;
    options.size = {side, side, layers};
    options.bits = dapple::MaskBits::f32;
    const dapple::Plane<float> texture = dapple::make_mask(options, context).channels[0];

    constexpr int width = 480;
    constexpr int height = 540;
    dapple::Image image;
    image.names = {"Y"};
    image.encoding = dapple::Encoding::data;  // display values, not light
    image.type = dapple::PixelType::u8;
    image.channels.emplace_back(2 * width + 8, height, 1.0f);
    for (int half = 0; half < 2; ++half) {
      const double forward = 0.35 * half;
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          // Returns the place on the ground, which is one unit below the eye.
          const auto ground = [&](double px, double py) {
            const double depth = 0.62 * width / (py + 40);
            return Place{(px - width / 2.0) * depth / (0.62 * width), depth + forward};
          };
          const Place at = ground(x + 0.5, y + 0.5);
          const Place right = ground(x + 1.5, y + 0.5);
          const Place below = ground(x + 0.5, y + 1.5);
          const double tiles =
              std::abs((right.u - at.u) * (below.v - at.v) - (right.v - at.v) * (below.u - at.u));
          const double light =
              0.04 + 0.9 * std::pow(0.5 + 0.5 * std::sin(2.2 * at.u) * std::cos(1.6 * at.v), 2.0);
          image.channels[0](half * (width + 8) + x, y) =
              static_cast<float>(dithered(texture, at, tiles, light, 2.2));
        }
      }
    }
    dapple::write_file(argv[1], dapple::encode_image(std::move(image), "png"),
                       dapple::Overwrite::always);
  } catch (const dapple::Error& error) {
    std::fprintf(stderr, "fractal_plane: %s\n", error.what());
    return 1;
  }
  return 0;
}
