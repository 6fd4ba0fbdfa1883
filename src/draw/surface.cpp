// Draws a mesh and the points on or in it, seen from a little to the right and above. This is
// enough to judge a set.
//
// Light paths are parallel, so that a disc around a point is exact in every pixel: its plane gives
// the depth. A pixel has nine samples.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/deterministic_math.hpp"
#include "core/parallel.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/drawing.hpp"
#include "dapple/error.hpp"
#include "dapple/mesh.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "dapple/space.hpp"
#include "draw/class_colors.hpp"

namespace dapple {
namespace {

// The axis of the shape that points up in its picture. With z up, x points to the eye: the earth
// has its north pole and the middle of its maps there.
enum class UpAxis { y, z };

constexpr int samples = 3;           // along a side of a pixel
constexpr int band_rows = 16;        // pixels; one thread draws a band
constexpr double margin = 0.04;      // share of the shorter side
constexpr double disc_radius = 0.3;  // in radii of the point
constexpr float paper = 1;
constexpr float ink = 0.06f;

// Axes of the picture: to the right, up, and out of the picture towards the eye.
struct View {
  Vec3 right, up, toward;
  double scale = 1;  // samples per unit
  double left = 0, top = 0;

  Vec3 operator()(const Vec3& p) const {
    return {dot(p, right) * scale - left, top - dot(p, up) * scale, dot(p, toward) * scale};
  }
  // Returns a direction in the picture's axes, with y down.
  Vec3 turned(const Vec3& n) const { return {dot(n, right), -dot(n, up), dot(n, toward)}; }
};

Vec3 normalized(const Vec3& a) {
  return a * (1 / length(a));
}

// Returns a view with the mesh in the middle of width x height samples.
View view_of(const Mesh& mesh, UpAxis up, int width, int height) {
  View view;
  const bool is_y = up == UpAxis::y;
  view.toward = normalized(is_y ? Vec3{0.45, 0.4, 1} : Vec3{1, 0.45, 0.4});
  view.right = normalized(cross(is_y ? Vec3{0, 1, 0} : Vec3{0, 0, 1}, view.toward));
  view.up = cross(view.toward, view.right);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double low_x = infinity, high_x = -infinity, low_y = infinity, high_y = -infinity;
  for (const auto& triangle : mesh.triangles) {
    for (const std::int32_t corner : triangle) {
      const Vec3& p = mesh.vertices[static_cast<std::size_t>(corner)];
      low_x = std::min(low_x, dot(p, view.right));
      high_x = std::max(high_x, dot(p, view.right));
      low_y = std::min(low_y, dot(p, view.up));
      high_y = std::max(high_y, dot(p, view.up));
    }
  }
  const double room = 1 - 2 * margin;
  view.scale = room * std::min(width / std::max(high_x - low_x, 1e-300),
                               height / std::max(high_y - low_y, 1e-300));
  view.left = 0.5 * ((low_x + high_x) * view.scale - width);
  view.top = 0.5 * ((low_y + high_y) * view.scale + height);
  return view;
}

// The samples of a band.
struct Canvas {
  int width = 0, first_row = 0, rows = 0;
  std::vector<float> depth;
  std::vector<float> value;  // linear light, or below 0 the number of a color: -1, -2 and so on

  std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y - first_row) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
};

// Samples whose centers lie in [low, high), within `count` samples from `from` on.
struct Span {
  int first, end;
};
Span span_of(double low, double high, int from, int count) {
  const double first = std::clamp(std::ceil(low - 0.5), static_cast<double>(from),
                                  static_cast<double>(from + count));
  const double end = std::clamp(std::ceil(high - 0.5), first, static_cast<double>(from + count));
  return {static_cast<int>(first), static_cast<int>(end)};
}

void draw_triangle(const std::array<Vec3, 3>& p, float value, Canvas& canvas) {
  const double area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
  if (area == 0) return;
  const auto [low_y, high_y] = std::minmax({p[0].y, p[1].y, p[2].y});
  const auto [low_x, high_x] = std::minmax({p[0].x, p[1].x, p[2].x});
  const Span rows = span_of(low_y, high_y, canvas.first_row, canvas.rows);
  const Span columns = span_of(low_x, high_x, 0, canvas.width);
  for (int y = rows.first; y < rows.end; ++y) {
    for (int x = columns.first; x < columns.end; ++x) {
      const double px = x + 0.5;
      const double py = y + 0.5;
      const double b =
          ((px - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (py - p[0].y)) / area;
      const double c =
          ((p[1].x - p[0].x) * (py - p[0].y) - (px - p[0].x) * (p[1].y - p[0].y)) / area;
      if (b < 0 || c < 0 || b + c > 1) continue;
      const auto depth = static_cast<float>(p[0].z + b * (p[1].z - p[0].z) + c * (p[2].z - p[0].z));
      const std::size_t i = canvas.at(x, y);
      if (depth <= canvas.depth[i]) continue;
      canvas.depth[i] = depth;
      canvas.value[i] = value;
    }
  }
}

// Draws a disc. `normal` has length 1, in the picture's axes, and points towards the eye.
void draw_disc(const Vec3& center, const Vec3& normal, double radius, float value, Canvas& canvas) {
  const Span rows = span_of(center.y - radius, center.y + radius, canvas.first_row, canvas.rows);
  const Span columns = span_of(center.x - radius, center.x + radius, 0, canvas.width);
  for (int y = rows.first; y < rows.end; ++y) {
    for (int x = columns.first; x < columns.end; ++x) {
      const double dx = x + 0.5 - center.x;
      const double dy = y + 0.5 - center.y;
      const double dz = -(normal.x * dx + normal.y * dy) / normal.z;
      if (dx * dx + dy * dy + dz * dz > radius * radius) continue;
      const std::size_t i = canvas.at(x, y);
      // A curved surface rises in front of the plane of a disc on it.
      if (center.z + dz + 0.5 * radius < static_cast<double>(canvas.depth[i])) continue;
      canvas.value[i] = value;
    }
  }
}

// Returns a shade that is brighter towards the light, which stands behind the eye on the left.
float shade(const Vec3& normal) {
  const Vec3 light = normalized({-0.4, -0.5, 1});
  return static_cast<float>(0.62 + 0.34 * std::max(0.0, dot(normal, light)));
}

// Draws a ball, paler with distance, from 0 in front to 1. Points in a solid hide each other.
void draw_ball(const Vec3& center, double radius, double distance, Canvas& canvas) {
  const Span rows = span_of(center.y - radius, center.y + radius, canvas.first_row, canvas.rows);
  const Span columns = span_of(center.x - radius, center.x + radius, 0, canvas.width);
  for (int y = rows.first; y < rows.end; ++y) {
    for (int x = columns.first; x < columns.end; ++x) {
      const double dx = (x + 0.5 - center.x) / radius;
      const double dy = (y + 0.5 - center.y) / radius;
      const double square = dx * dx + dy * dy;
      if (square > 1) continue;
      const double dz = std::sqrt(1 - square);
      const auto depth = static_cast<float>(center.z + dz * radius);
      const std::size_t i = canvas.at(x, y);
      if (depth <= canvas.depth[i]) continue;
      canvas.depth[i] = depth;
      // The ball is dark, with a brighter top left, in linear light.
      const float lit = shade({dx, dy, dz}) - 0.62f;
      const auto far = static_cast<float>(distance);
      canvas.value[i] = (1 - far) * (0.02f + lit) + far * (0.45f + lit);
    }
  }
}

struct Scene {
  const Mesh& mesh;
  const Points& points;
  bool inside;
  View view;
  std::vector<Vec3> corners;  // of the mesh, in samples
};

void draw_balls(const Scene& scene, Canvas& canvas) {
  std::fill(canvas.depth.begin(), canvas.depth.end(), -std::numeric_limits<float>::infinity());
  const auto [low, high] =
      std::minmax_element(scene.corners.begin(), scene.corners.end(),
                          [](const Vec3& a, const Vec3& b) { return a.z < b.z; });
  for (std::size_t i = 0; i < scene.points.size(); ++i) {
    const double radius =
        disc_radius * static_cast<double>(scene.points.radius[i]) * scene.view.scale;
    const Vec3 center = scene.view({scene.points.x[i], scene.points.y[i], scene.points.z[i]});
    const double distance = (high->z - center.z) / std::max(high->z - low->z, 1e-300);
    draw_ball(center, radius, std::clamp(distance, 0.0, 1.0), canvas);
  }
}

void draw_band(const Scene& scene, Canvas& canvas) {
  for (const auto& triangle : scene.mesh.triangles) {
    std::array<Vec3, 3> p;
    for (std::size_t i = 0; i < 3; ++i) {
      p[i] = scene.corners[static_cast<std::size_t>(triangle[i])];
    }
    const auto [low, high] = std::minmax({p[0].y, p[1].y, p[2].y});
    if (high < canvas.first_row || low > canvas.first_row + canvas.rows) continue;
    Vec3 normal = cross(p[2] - p[0], p[1] - p[0]);  // y points down
    const double size = length(normal);
    if (!(size > 0)) continue;
    normal = normal * (1 / size);
    if (scene.inside) {
      // This is the wall behind the points, drawn pale.
      for (Vec3& corner : p) corner.z = -corner.z;
      draw_triangle(p, static_cast<float>(0.55 + 0.35 * std::abs(normal.z)), canvas);
    } else {
      draw_triangle(p, normal.z >= 0 ? shade(normal) : 0.8f * shade(normal * -1), canvas);
    }
  }
  if (scene.inside) return draw_balls(scene, canvas);
  for (std::size_t i = 0; i < scene.points.size(); ++i) {
    const auto r = static_cast<double>(scene.points.radius[i]);
    const double radius = disc_radius * r * scene.view.scale;
    const Vec3 center = scene.view({scene.points.x[i], scene.points.y[i], scene.points.z[i]});
    if (center.y + radius < canvas.first_row ||
        center.y - radius > canvas.first_row + canvas.rows) {
      continue;
    }
    const Vec3 normal = scene.view.turned({static_cast<double>(scene.points.nx[i]),
                                           static_cast<double>(scene.points.ny[i]),
                                           static_cast<double>(scene.points.nz[i])});
    if (normal.z <= 0.05) continue;
    constexpr auto colors = static_cast<std::int32_t>(class_colors.size());
    const std::vector<std::int32_t>& class_id = scene.points.class_id;
    draw_disc(center, normal, radius,
              class_id.empty() ? ink : -1.0f - static_cast<float>(class_id[i] % colors), canvas);
  }
}

// Returns the light that each color has in that channel. Black is as dark as ink.
std::array<float, class_colors.size()> lights_of(std::size_t channel) {
  std::array<float, class_colors.size()> lights{};
  for (std::size_t i = 0; i < lights.size(); ++i) {
    lights[i] = std::max(ink, srgb_to_linear(parse_color(class_colors[i])[channel]));
  }
  return lights;
}

void average(const Canvas& canvas, int first_row, int rows, std::size_t channel,
             Plane<float>& plane) {
  constexpr float each = 1.0f / (samples * samples);
  const auto lights = lights_of(channel);
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < plane.width(); ++x) {
      float sum = 0;
      for (int sy = 0; sy < samples; ++sy) {
        for (int sx = 0; sx < samples; ++sx) {
          const float v =
              canvas.value[canvas.at(x * samples + sx, canvas.first_row + y * samples + sy)];
          sum += v >= 0 ? v : lights[static_cast<std::size_t>(-1 - v)];
        }
      }
      plane(x, first_row + y) = linear_to_srgb(sum * each);
    }
  }
}

// Returns a sphere of triangles.
Mesh picture_sphere(double radius) {
  constexpr int rings = 90;
  constexpr int sides = 2 * rings;
  Mesh mesh;
  for (int ring = 0; ring <= rings; ++ring) {
    const double depth = 0.5 * ring / rings;
    for (int side = 0; side < sides; ++side) {
      const Vec2 way = direction(static_cast<double>(side) / sides);
      const double rho = radius * portable_sine(depth);
      mesh.vertices.push_back({rho * way.x, rho * way.y, radius * portable_cosine(depth)});
    }
  }
  const auto at = [](int ring, int side) { return ring * sides + side % sides; };
  for (int ring = 0; ring < rings; ++ring) {
    for (int side = 0; side < sides; ++side) {
      mesh.triangles.push_back({at(ring, side), at(ring + 1, side), at(ring + 1, side + 1)});
      mesh.triangles.push_back({at(ring, side), at(ring + 1, side + 1), at(ring, side + 1)});
    }
  }
  return mesh;
}

Image draw(const Mesh& mesh, const Points& points, bool inside, UpAxis up, int width, int height,
           Context& context) {
  validate(mesh);
  require_lengths(points);
  if (points.radius.size() != points.size() || points.z.size() != points.size()) {
    throw Error(ErrorKind::usage, "each point needs a z and a radius to be drawn");
  }
  if (!inside && points.nx.size() != points.size()) {
    throw Error(ErrorKind::usage, "each point on a surface needs a normal to be drawn");
  }
  if (!points.class_id.empty() &&
      (points.class_id.size() != points.size() ||
       *std::min_element(points.class_id.begin(), points.class_id.end()) < 0)) {
    throw Error(ErrorKind::usage, "each point needs a class of at least 0 to be drawn");
  }
  require_number("the width of a picture", width, 1);
  require_number("the height of a picture", height, 1);
  context.require_pixels(width, height, "the picture of a surface");
  const auto stage = context.stage("draw");
  Scene scene{mesh, points, inside, view_of(mesh, up, width * samples, height * samples), {}};
  scene.corners.reserve(mesh.vertices.size());
  for (const Vec3& p : mesh.vertices) scene.corners.push_back(scene.view(p));
  Image image;
  image.names = {"Y"};
  if (!inside && !points.class_id.empty()) image.names = {"R", "G", "B"};
  for (std::size_t c = 0; c < image.names.size(); ++c) image.channels.emplace_back(width, height);
  const int bands = (height + band_rows - 1) / band_rows;
  parallel_for(context, static_cast<std::size_t>(bands), [&](std::size_t band) {
    const int first = static_cast<int>(band) * band_rows;
    const int rows = std::min(band_rows, height - first);
    Canvas canvas{width * samples, first * samples, rows * samples, {}, {}};
    const auto count =
        static_cast<std::size_t>(canvas.width) * static_cast<std::size_t>(canvas.rows);
    canvas.depth.assign(count, -std::numeric_limits<float>::infinity());
    canvas.value.assign(count, paper);
    draw_band(scene, canvas);
    for (std::size_t c = 0; c < image.channels.size(); ++c) {
      average(canvas, first, rows, c, image.channels[c]);
    }
  });
  return image;
}

}  // namespace

Image draw_in_space(const Points& points, int width, int height, Context& context) {
  if (points.space == nullptr) {
    throw Error(ErrorKind::usage, "only points of a surface, a solid or a sphere can be drawn so");
  }
  const Space& space = *points.space;
  if (space.kind == SpaceKind::cloud) {
    throw Error(ErrorKind::usage,
                "a cloud with coordinates below 0 has no picture: write .ply, .csv, .json or .npy");
  }
  if (space.kind == SpaceKind::sphere) {
    // The poles are at top and bottom.
    return draw(picture_sphere(space.radius), points, false, UpAxis::z, width, height, context);
  }
  return draw(*space.mesh, points, space.kind == SpaceKind::solid, UpAxis::y, width, height,
              context);
}

}  // namespace dapple
