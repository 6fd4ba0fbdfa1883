// Chooses the format of a point file and defines the helpers of all formats.
#include "io/points/format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/guessed_domain.hpp"
#include "core/point_columns.hpp"
#include "core/preconditions.hpp"
#include "core/text/lower_case.hpp"
#include "core/text/number_text.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "dapple/point_files.hpp"
#include "dapple/space.hpp"
#include "dapple/units.hpp"
#include "io/scenes/instances.hpp"

namespace dapple {
namespace {

std::string encoded(const Points& points, const Placement& place, const std::string& plain) {
  if (plain == "ply") return encode_ply(points, place);
  if (plain == "json") return encode_json(points, place);
  if (plain == "npy") return encode_npy(points);
  if (plain.empty() || is_point_format(plain)) return encode_csv(points);
  throw Error(ErrorKind::usage,
              points.space != nullptr
                  ? "points on a surface cannot be written as '." + plain +
                        "'; use .csv .ply .json .npy .glb or .usda, or .png for a picture"
                  : "points cannot be written as '." + plain +
                        "'; use .csv .ply .json or .npy, or .svg or .png for a picture");
}

// The column names, in the order of Column.
constexpr std::array<std::string_view, 11> column_names{
    "x", "y", "r", "class", "rank", "id", "size", "rotation", "z", "w", "other"};

// Guesses the format of an unnamed stream from its first bytes.
std::string_view sniff(std::string_view bytes) {
  if (bytes.starts_with("ply\n") || bytes.starts_with("ply\r\n")) return "ply";
  if (bytes.starts_with("\x93NUMPY")) return "npy";
  const auto first = bytes.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first == std::string_view::npos) return "csv";
  if (bytes[first] == '{' || bytes[first] == '[') return "json";
  return bytes[first] == '<' ? "svg" : "csv";
}

template <class Integer>
bool store_integer(std::vector<Integer>& column, double value) {
  if (!(value >= 0) || value > std::numeric_limits<Integer>::max() || value != std::floor(value)) {
    return false;
  }
  column.push_back(static_cast<Integer>(value));
  return true;
}

// Returns the floats of a column, or null if the column holds no floats.
std::vector<float>* floats_of(Points& points, Column column) {
  if (column == Column::radius) return &points.radius;
  if (column == Column::size) return &points.object_size;
  return column == Column::rotation ? &points.rotation : nullptr;
}

// Checks that ranks hold each of 0 .. n-1 once, since progressive orders use them as indices.
void check_ranks(const std::vector<std::int32_t>& ranks) {
  std::vector<bool> seen(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto rank = static_cast<std::size_t>(ranks[i]);
    if (rank < seen.size() && !seen[rank]) {
      seen[rank] = true;
      continue;
    }
    throw Error(ErrorKind::input, "column rank must hold every number from 0 to " +
                                      std::to_string(ranks.size() - 1) + " once; point " +
                                      std::to_string(i + 1) + " has " + std::to_string(rank) +
                                      (rank < seen.size() ? " again" : ""));
  }
}

// Returns a side from the origin beyond the farthest point, whole if a double can hold it.
double side_around(const std::vector<double>& values) {
  if (values.empty()) return 0;
  const double farthest = *std::max_element(values.begin(), values.end());
  return std::max(std::floor(farthest) + 1,
                  std::nextafter(farthest, std::numeric_limits<double>::infinity()));
}

void check_not_negative(const std::vector<double>& values, const char* name) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= 0) continue;
    throw Error(ErrorKind::input, "point " + std::to_string(i + 1) + " has " + name + " = " +
                                      shortest(values[i]) +
                                      ", but without a domain in the file coordinates start at "
                                      "0, 0 (top left); move the points or add a domain");
  }
}

}  // namespace

std::string plain_extension(std::string_view extension) {
  if (!extension.empty() && extension.front() == '.') extension.remove_prefix(1);
  return lower_case(extension);
}

Column column_of(std::string_view name) {
  const std::string lower = lower_case(name);
  if (lower == "radius") return Column::radius;
  const auto found = std::find(column_names.begin(), column_names.end() - 1, lower);
  return static_cast<Column>(found - column_names.begin());
}

std::string_view name_of(Column column) {
  return column_names[static_cast<std::size_t>(column)];
}

bool store(Points& points, Column column, double value) {
  if (column == Column::other) return true;
  if (!std::isfinite(value)) return false;
  if (std::vector<float>* floats = floats_of(points, column)) {
    constexpr auto most = static_cast<double>(std::numeric_limits<float>::max());
    if (std::abs(value) > most || (column == Column::radius && value < 0)) return false;
    floats->push_back(static_cast<float>(value));
    return true;
  }
  if (column == Column::class_id) return store_integer(points.class_id, value);
  if (column == Column::id) return store_integer(points.id, value);
  if (column == Column::rank) return store_integer(points.rank, value);
  (column == Column::x   ? points.x
   : column == Column::y ? points.y
   : column == Column::z ? points.z
                         : points.w)
      .push_back(value);
  return true;
}

bool store(Points& points, Column column, std::string_view text) {
  if (column == Column::other) return true;
  std::vector<float>* floats = floats_of(points, column);
  if (floats != nullptr && text.starts_with('+')) text.remove_prefix(1);
  float value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = read_number(text.data(), last, value);
  // A number outside the range of floats, such as 1e-60, is still valid.
  if (floats == nullptr || error == std::errc::result_out_of_range) {
    const auto wide = take_number(text);
    return wide && text.empty() && store(points, column, *wide);
  }
  if (error != std::errc{} || end != last || !std::isfinite(value)) return false;
  if (column == Column::radius && !(value >= 0)) return false;
  floats->push_back(value);
  return true;
}

void store(OtherColumn& other, std::string_view text) {
  std::string_view rest = text;
  const auto value = take_number(rest);
  if (other.type != "text" && value && rest.empty()) return other.values.push_back(*value);
  if (other.type != "text") {
    for (const double number : other.values) other.texts.push_back(shortest(number));
    other.values.clear();
    other.type = "text";
  }
  other.texts.emplace_back(text);
}

void require_points(double count, const Limits& limits) {
  if (count > std::numeric_limits<std::int32_t>::max()) {
    throw Error(ErrorKind::limit, "holds " + shortest(std::ceil(count)) +
                                      " points, more than the limit of 2147483647");
  }
  Context context;
  context.limits = limits;
  context.require_memory(count * (2 * sizeof(double) + sizeof(float) + 2 * sizeof(std::int32_t)),
                         "a set of " + shortest(std::ceil(count)) + " points");
}

void reserve(Points& points, double count, const Limits& limits) {
  require_points(count, limits);
  points.x.reserve(static_cast<std::size_t>(count));
  points.y.reserve(static_cast<std::size_t>(count));
  points.radius.reserve(static_cast<std::size_t>(count));
}

void guess_depth(Points& points) {
  if (points.z.empty()) {
    points.depth = 0;
    return;
  }
  const auto [lowest, highest] = std::minmax_element(points.z.begin(), points.z.end());
  if (!(points.depth > *highest)) points.depth = side_around(points.z);
  if (*lowest < 0 || *highest == 0 || !std::isfinite(points.depth)) {
    if (*lowest < 0) points.height = std::move(points.z);
    points.z.clear();
    points.depth = 0;
  }
}

Points finished(Points points, bool has_domain, bool whole_rows) {
  if (points.radius.empty()) points.radius.assign(points.size(), 0.0f);
  for (double& x : points.x) x -= points.origin.x;
  for (double& y : points.y) y -= points.origin.y;
  const auto below_0 = [](double value) { return value < 0; };
  if (!has_domain && whole_rows &&
      (std::any_of(points.x.begin(), points.x.end(), below_0) ||
       std::any_of(points.y.begin(), points.y.end(), below_0))) {
    Space cloud;
    cloud.kind = SpaceKind::cloud;
    points.space = std::make_shared<const Space>(cloud);
    if (!points.rank.empty()) check_ranks(points.rank);
    return points;
  }
  if (!has_domain) {
    check_not_negative(points.x, "x");
    check_not_negative(points.y, "y");
    points.domain = {side_around(points.x), side_around(points.y), false};
    note_guessed_domain(points);
  }
  if (!std::isfinite(points.domain.width) || !std::isfinite(points.domain.height)) {
    throw Error(ErrorKind::input, "coordinates are too large");
  }
  guess_depth(points);
  if (points.z.empty() || !(points.extent > 0)) points.w.clear();
  if (points.w.empty()) points.extent = 0;
  validate(points);
  if (!points.rank.empty()) check_ranks(points.rank);
  return points;
}

std::uint64_t bits_of(std::string_view bytes, bool big_endian) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char next = bytes[big_endian ? i : bytes.size() - 1 - i];
    bits = bits << 8 | static_cast<unsigned char>(next);
  }
  return bits;
}

std::optional<double> take_number(std::string_view& text) {
  std::string_view rest = text;
  if (rest.starts_with('+')) rest.remove_prefix(1);
  // read_number() also accepts "inf" and "nan".
  const std::size_t digit = rest.starts_with('-') ? 1 : 0;
  if (digit >= rest.size() || !((rest[digit] >= '0' && rest[digit] <= '9') || rest[digit] == '.')) {
    return std::nullopt;
  }
  double value = 0;
  if (take_number(rest, value) != std::errc{}) return std::nullopt;
  text = rest;
  return value;
}

bool is_point_format(std::string_view extension) {
  const std::string plain = plain_extension(extension);
  return plain == "csv" || plain == "tsv" || plain == "txt" || plain == "ply" || plain == "json" ||
         plain == "npy";
}

bool is_cloud_format(std::string_view extension) {
  const std::string plain = plain_extension(extension);
  return plain == "xyz" || plain == "pts" || plain == "asc";
}

Points decode_placed(std::string_view bytes, std::string_view extension, const Limits& limits,
                     const Placement* place) {
  const std::string plain = plain_extension(extension);
  const std::string_view format = plain.empty() ? sniff(bytes) : std::string_view(plain);
  if (format == "ply") return decode_ply(bytes, limits);
  if (format == "npy") return decode_npy(bytes, limits, place);
  if (format == "json") return decode_json(bytes, limits);
  if (format == "svg") return decode_svg(bytes, limits);
  if (is_point_format(format)) return decode_csv(bytes, limits, place);
  if (is_cloud_format(format)) return decode_cloud(bytes, limits);
  throw Error(ErrorKind::usage, "'." + plain +
                                    "' is not a point format; use .csv .tsv .txt .ply .json .npy "
                                    ".svg .xyz .pts or .asc");
}

Points decode_points(std::string_view bytes, std::string_view extension, const Limits& limits) {
  return decode_placed(bytes, extension, limits, nullptr);
}

std::vector<NamedColumn> columns_of(const Points& points) {
  std::vector<NamedColumn> columns;
  for_each_column([&](std::string_view name, const auto& of) {
    const bool always = name == "x" || name == "y" || name == "r";
    if (always || !of(points).empty()) columns.push_back({name, &of(points)});
  });
  for (const OtherColumn& other : points.others) columns.push_back({other.name, &other});
  return columns;
}

const std::vector<std::string>* texts_of(const NamedColumn& column) {
  const auto* const* other = std::get_if<4>(&column.values);
  return other != nullptr && (*other)->type == "text" ? &(*other)->texts : nullptr;
}

bool is_coordinate(const NamedColumn& column) {
  return column.name == "x" || column.name == "y" || column.name == "z" || column.name == "w";
}

Placement placement_of(const Points& points) {
  if (points.space == nullptr) {
    return {points.domain, points.z.empty() ? 0 : points.depth, points.origin,
            points.w.empty() ? 0 : points.extent};
  }
  Placement bounds;
  const auto extend = [](const std::vector<double>& values, double& low, double& size) {
    if (values.empty()) return;
    low = *std::min_element(values.begin(), values.end());
    const double high = *std::max_element(values.begin(), values.end());
    size = std::nextafter(high - low, std::numeric_limits<double>::infinity());
  };
  extend(points.x, bounds.origin.x, bounds.domain.width);
  extend(points.y, bounds.origin.y, bounds.domain.height);
  bounds.domain.wrap = false;
  return bounds;
}

std::string encode_points(const Points& points, std::string_view extension) {
  const bool in_space = points.space != nullptr;
  if (in_space) {
    require_lengths(points);
  } else {
    validate(points);
  }
  const std::string plain = plain_extension(extension);
  if (in_space && plain == "glb") return encode_glb(points);
  if (in_space && plain == "usda") return encode_usda(points);
  if (!in_space && !(points.origin == Vec2{})) {
    Points placed = points;
    for (double& x : placed.x) x += points.origin.x;
    for (double& y : placed.y) y += points.origin.y;
    placed.origin = {};
    return encoded(placed, placement_of(points), plain);
  }
  return encoded(points, placement_of(points), plain);
}

}  // namespace dapple
