// Converts a caller's data in memory to images and points, and results to columns and planes.
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "c/handles.hpp"
#include "core/point_columns.hpp"
#include "core/preconditions.hpp"
#include "dapple/error.hpp"
#include "dapple/mesh.hpp"
#include "io/points/format.hpp"

namespace dapple::c {
namespace {

using Bytes = const unsigned char*;

// Reads a value that may be unaligned.
template <class T>
double value_at(Bytes place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return static_cast<double>(value);
}

using Reader = double (*)(Bytes);

Reader reader_of(dapple_type type) {
  switch (type) {
    case DAPPLE_UINT8:
      return value_at<std::uint8_t>;
    case DAPPLE_UINT16:
      return value_at<std::uint16_t>;
    case DAPPLE_INT32:
      return value_at<std::int32_t>;
    case DAPPLE_FLOAT32:
      return value_at<float>;
    case DAPPLE_FLOAT64:
      return value_at<double>;
    default:
      throw Error(ErrorKind::usage, "value type " + std::to_string(type) + " does not exist");
  }
}

template <class T>
constexpr dapple_type type_of() {
  if constexpr (std::is_same_v<T, float>) return DAPPLE_FLOAT32;
  if constexpr (std::is_same_v<T, double>) return DAPPLE_FLOAT64;
  return DAPPLE_INT32;
}

// The column names of a point set, each with a function that adds a value to its field.
using Setter = void (*)(Points& points, double value);
constexpr std::array<std::pair<std::string_view, Setter>, 9> setters{{
    {"x", [](Points& p, double v) { p.x.push_back(v); }},
    {"y", [](Points& p, double v) { p.y.push_back(v); }},
    {"z", [](Points& p, double v) { p.z.push_back(v); }},
    {"w", [](Points& p, double v) { p.w.push_back(v); }},
    {"r", [](Points& p, double v) { p.radius.push_back(static_cast<float>(v)); }},
    {"class", [](Points& p, double v) { p.class_id.push_back(static_cast<std::int32_t>(v)); }},
    {"rank", [](Points& p, double v) { p.rank.push_back(static_cast<std::int32_t>(v)); }},
    {"size", [](Points& p, double v) { p.object_size.push_back(static_cast<float>(v)); }},
    {"rotation", [](Points& p, double v) { p.rotation.push_back(static_cast<float>(v)); }},
}};

bool is_whole(std::string_view name) {
  return name == "class" || name == "rank";
}

// Calls `take` with the index and value of each row of a column. Throws Error(usage) for an
// unusable column.
template <class Take>
void read_column(const dapple_column& column, std::size_t rows, const char* of, Take take) {
  require(column.name != nullptr, "the name of a column");
  const std::string name = column.name;
  if (column.count != rows) {
    throw Error(ErrorKind::usage, "column " + name + " has " + std::to_string(column.count) +
                                      " values for " + std::to_string(rows) + " " + of);
  }
  require(column.data != nullptr || rows == 0, "the data of a column");
  require_count(rows, of);
  require_reach("column " + name, column.data, {{column.stride, rows}});
  const Reader read = reader_of(column.type);
  for (std::size_t i = 0; i < rows; ++i) {
    take(i, read(static_cast<Bytes>(column.data) + static_cast<ptrdiff_t>(i) * column.stride));
  }
}

void take_column(Points& points, const dapple_column& column, std::size_t rows) {
  require(column.name != nullptr, "the name of a column");
  const std::string name = column.name;
  const auto* const setter = std::find_if(setters.begin(), setters.end(),
                                          [&](const auto& entry) { return entry.first == name; });
  if (setter == setters.end()) {
    throw Error(ErrorKind::usage, "points have no column '" + name +
                                      "', only x, y, z, w, r, class, rank, size, rotation");
  }
  read_column(column, rows, "points", [&](std::size_t i, double value) {
    const bool fits =
        !is_whole(name) || (value == std::floor(value) && std::abs(value) < 2147483648.0);
    if (!fits) {
      throw Error(ErrorKind::input, "column " + name + " of point " + std::to_string(i) +
                                        " is not a whole number of 32 bits");
    }
    setter->second(points, value);
  });
}

}  // namespace

void require_reach(std::string_view what, const void* first, std::initializer_list<Steps> steps) {
  // Far above the addresses of any processor, and far below the range of integers.
  constexpr double most = 0x1p58;
  double below = 0;
  double above = 0;
  for (const auto& [bytes, count] : steps) {
    const double length =
        count == 0 ? 0 : static_cast<double>(bytes) * static_cast<double>(count - 1);
    (length < 0 ? below : above) += length;
  }
  const auto place = static_cast<double>(reinterpret_cast<std::uintptr_t>(first));
  if (above <= most && -below <= place) return;
  throw Error(ErrorKind::usage, std::string(what) +
                                    " reaches beyond the address space: check its steps, " +
                                    "in bytes, and its numbers of values");
}

void require_count(std::size_t count, std::string_view what) {
  if (count <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) return;
  throw Error(ErrorKind::limit, std::to_string(count) + " " + std::string(what) +
                                    " are more than a set holds (at most 2147483647)");
}

Image image_of(const dapple_image& view, const Context& context) {
  static constexpr std::array<std::array<const char*, 4>, 4> names{
      {{"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}}};
  require(view.data != nullptr, "the data of the image");
  if (view.width < 1 || view.height < 1 || view.channels < 1 || view.channels > 4) {
    throw Error(ErrorKind::usage, "an image needs 1 to 4 channels and at least one pixel, not " +
                                      std::to_string(view.width) + "x" +
                                      std::to_string(view.height) + " pixels with " +
                                      std::to_string(view.channels) + " channels");
  }
  if (view.type == DAPPLE_INT32) {
    throw Error(ErrorKind::usage,
                "an image holds unsigned integers of 8 or 16 bits, or floats, not integers of 32 "
                "bits: convert it to the range of one of these types");
  }
  const Reader read = reader_of(view.type);
  require_reach("the image", view.data,
                {{view.pixel_stride, static_cast<std::size_t>(view.width)},
                 {view.row_stride, static_cast<std::size_t>(view.height)},
                 {view.channel_stride, static_cast<std::size_t>(view.channels)}});
  context.require_pixels(view.width, view.height, "the image");
  context.require_memory(4.0 * view.width * view.height * view.channels, "the image");
  const double full = view.type == DAPPLE_UINT8 ? 255 : view.type == DAPPLE_UINT16 ? 65535 : 1;
  Image image;
  image.encoding = full > 1 ? Encoding::srgb : Encoding::linear;
  image.type = view.type == DAPPLE_UINT8    ? PixelType::u8
               : view.type == DAPPLE_UINT16 ? PixelType::u16
                                            : PixelType::f32;
  for (int c = 0; c < view.channels; ++c) {
    auto plane = Plane<float>::unset(view.width, view.height);
    for (int y = 0; y < view.height; ++y) {
      Bytes at = static_cast<Bytes>(view.data) + c * view.channel_stride + y * view.row_stride;
      float* const row = plane.row(y);
      for (int x = 0; x < view.width; ++x, at += view.pixel_stride) {
        row[x] = static_cast<float>(read(at) / full);
      }
    }
    image.names.emplace_back(
        names[static_cast<std::size_t>(view.channels - 1)][static_cast<std::size_t>(c)]);
    image.channels.push_back(std::move(plane));
  }
  return image;
}

Points points_of(const dapple_column* columns, std::size_t count, std::span<const double> sides,
                 bool wraps) {
  require(columns != nullptr || count == 0, "the columns");
  require(sides.data() != nullptr, "the sides of their space");
  if (sides.size() < 2 || sides.size() > 4) {
    throw Error(ErrorKind::usage,
                "points need a space with 2, 3 or 4 sides, not " + std::to_string(sides.size()));
  }
  for (const double side : sides) require_above_0("a side of the space of points", side);
  Points points;
  points.domain = {sides[0], sides[1], wraps};
  bool deep = false;
  bool four = false;
  bool flat = false;
  for (std::size_t i = 0; i < count; ++i) {
    take_column(points, columns[i], columns[0].count);
    const std::string_view name = columns[i].name;
    deep = deep || name == "z";
    four = four || name == "w";
    flat = flat || name == "y";
  }
  if (points.y.size() != points.x.size() || !flat) {
    throw Error(ErrorKind::usage, "points need the columns x and y");
  }
  if (sides.size() > 2 && !deep) {
    throw Error(ErrorKind::usage,
                "points in a space of " + std::to_string(sides.size()) + " sides need a column z");
  }
  if (four != (sides.size() == 4)) {
    throw Error(ErrorKind::usage,
                four ? "column w needs a space with 4 sides, not " + std::to_string(sides.size())
                     : "points in a space of 4 sides need a column w");
  }
  if (sides.size() > 2) points.depth = sides[2];
  if (four) points.extent = sides[3];
  if (sides.size() == 2 && deep) guess_depth(points);
  if (points.radius.empty()) points.radius.assign(points.size(), 0.0F);
  validate(points);
  return points;
}

Mesh mesh_of(const dapple_column* columns, std::size_t count, const std::int32_t* triangles,
             std::size_t triangle_count, const Context& context) {
  require(columns != nullptr && count > 0, "the columns of the vertices");
  require(triangles != nullptr && triangle_count > 0, "the triangles");
  const std::size_t rows = columns[0].count;
  require_count(rows, "vertices");
  require_count(triangle_count, "triangles");
  context.require_memory(
      static_cast<double>(rows) * (sizeof(Vec3) + sizeof(float) * static_cast<double>(count)) +
          static_cast<double>(triangle_count) * sizeof(std::array<int, 3>),
      "the mesh");
  Mesh mesh;
  mesh.vertices.resize(rows);
  std::array<bool, 3> is_given{};
  for (std::size_t c = 0; c < count; ++c) {
    constexpr std::array<double Vec3::*, 3> places{&Vec3::x, &Vec3::y, &Vec3::z};
    require(columns[c].name != nullptr, "the name of a column");
    const std::string_view name = columns[c].name;
    const std::size_t axis = name.size() == 1 ? std::string_view("xyz").find(name) : 3;
    if (axis < places.size()) {
      is_given[axis] = true;
      read_column(columns[c], rows, "vertices",
                  [&](std::size_t i, double value) { mesh.vertices[i].*places[axis] = value; });
      continue;
    }
    std::vector<float>& values =
        mesh.columns.emplace_back(Mesh::Column{std::string(name), {}}).values;
    values.reserve(rows);
    read_column(columns[c], rows, "vertices", [&](std::size_t /*row*/, double value) {
      values.push_back(static_cast<float>(value));
    });
  }
  if (!is_given[0] || !is_given[1] || !is_given[2]) {
    throw Error(ErrorKind::usage, "the vertices of a mesh need the columns x, y and z");
  }
  mesh.triangles.resize(triangle_count);
  std::memcpy(mesh.triangles.data(), triangles, triangle_count * sizeof(mesh.triangles[0]));
  validate(mesh);
  return mesh;
}

std::vector<dapple_column> columns_of(const Result& result) {
  std::vector<dapple_column> columns;
  const auto add = [&]<class T>(const char* name, const std::vector<T>& values) {
    if (values.empty()) return;
    columns.push_back({name, values.data(), type_of<T>(), values.size(), sizeof(T)});
  };
  if (!result.points) return columns;
  const auto add_those = [&](bool are_coordinates) {
    for_each_column([&](std::string_view name, const auto& of) {
      const bool is_coordinate = name == "x" || name == "y" || name == "z" || name == "w";
      if (is_coordinate == are_coordinates && name != "id") add(name.data(), of(*result.points));
    });
  };
  add_those(true);
  add_those(false);
  return columns;
}

std::vector<dapple_plane> planes_of(const Result& result, std::vector<std::string>& rank_names) {
  std::vector<dapple_plane> planes;
  const ImageMade* const made = result.image();
  if (made == nullptr) return planes;
  const Image& image = made->image;
  for (std::size_t i = 0; i < image.channels.size(); ++i) {
    const Plane<float>& plane = image.channels[i];
    planes.push_back({image.names[i].c_str(), plane.values().data(), DAPPLE_FLOAT32, plane.width(),
                      plane.height(), image.slices});
  }
  for (std::size_t i = 0; i < made->ranks.size(); ++i) {
    rank_names.push_back(made->ranks.size() == 1 ? "rank" : "rank." + image.names[i]);
  }
  for (std::size_t i = 0; i < made->ranks.size(); ++i) {
    const Plane<std::int32_t>& plane = made->ranks[i];
    planes.push_back({rank_names[i].c_str(), plane.values().data(), DAPPLE_INT32, plane.width(),
                      plane.height(), image.slices});
  }
  return planes;
}

}  // namespace dapple::c
