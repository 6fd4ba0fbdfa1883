// Reads and writes sidecars, which are JSON:
//   {"dapple": "points 1", "file": {"points", "sha256"},
//    "domain": {"width", "height", "wraps", "depth", "extent", "x", "y"}, "recipe", "metadata":
//    {...}}
// with depth for volumes, extent for points with a w, and x, y for a part of a larger plane. If the
// file has changed, its digest differs and the sidecar is ignored.
#include "io/points/sidecar.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "dapple/error.hpp"
#include "dapple/point_files.hpp"
#include "io/digest.hpp"
#include "io/points/format.hpp"
#include "io/text_keys.hpp"

namespace dapple {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kind = "points 1";

[[noreturn]] void fail(const std::string& why) {
  throw Error(ErrorKind::input, why);
}

double number_of(const Json& object, const char* key, bool signed_one) {
  const double value = object.at(key).get<double>();
  if (!std::isfinite(value) || (!signed_one && !(value >= 0))) {
    fail(std::string("has a domain without a valid ") + key);
  }
  return value;
}

Placement placement_of(const Json& object) {
  Placement place;
  place.domain = {number_of(object, "width", false), number_of(object, "height", false),
                  object.at("wraps").get<bool>()};
  if (object.contains("depth")) place.depth = number_of(object, "depth", false);
  if (object.contains("extent")) place.extent = number_of(object, "extent", false);
  if (object.contains("x"))
    place.origin = {number_of(object, "x", true), number_of(object, "y", true)};
  return place;
}

std::string sidecar_text(const Placement& place, std::size_t count, const Metadata& metadata,
                         std::string_view bytes) {
  std::string text = "{\n\"dapple\": \"" + std::string(kind) +
                     "\",\n\"file\": {\"points\": " + std::to_string(count) + ", \"sha256\": \"" +
                     sha256(bytes) +
                     "\"},\n\"domain\": {\"width\": " + shortest(place.domain.width) +
                     ", \"height\": " + shortest(place.domain.height) +
                     ", \"wraps\": " + (place.domain.wrap ? "true" : "false");
  if (place.depth > 0) text += ", \"depth\": " + shortest(place.depth);
  if (place.extent > 0) text += ", \"extent\": " + shortest(place.extent);
  if (!(place.origin == Vec2{})) {
    text += ", \"x\": " + shortest(place.origin.x) + ", \"y\": " + shortest(place.origin.y);
  }
  text += "}";
  std::string others;
  for (const auto& [key, value] : metadata) {
    if (key == recipe_key) {
      text += ",\n\"recipe\": " + json_quoted(value);
    } else if (key == unit_key) {
      text += ",\n\"unit\": " + json_quoted(value);
    } else {
      others += (others.empty() ? "" : ", ") + json_quoted(key) + ": " + json_quoted(value);
    }
  }
  if (!others.empty()) text += ",\n\"metadata\": {" + others + "}";
  return text + "\n}\n";
}

}  // namespace

bool has_sidecar(std::string_view extension) {
  const std::string plain = plain_extension(extension);
  return is_point_format(plain) && plain != "ply" && plain != "json";
}

std::string sidecar_path(const std::string& path) {
  return path + ".json";
}

std::string encode_sidecar(const Points& points, std::string_view bytes) {
  return sidecar_text(placement_of(points), points.size(), points.metadata, bytes);
}

Sidecar decode_sidecar(std::string_view text, std::string_view bytes) {
  Sidecar sidecar;
  try {
    const Json object = Json::parse(text);
    if (!object.is_object() || object.value("dapple", "") != kind)
      fail("is not a sidecar of points");
    if (object.at("file").at("sha256").get<std::string>() != sha256(bytes)) {
      fail("does not match its point file, which has changed since");
    }
    if (object.contains("domain")) sidecar.place = placement_of(object.at("domain"));
    if (object.contains("recipe")) {
      sidecar.metadata.emplace_back(recipe_key, object.at("recipe").get<std::string>());
    }
    if (object.contains("unit")) {
      sidecar.metadata.emplace_back(unit_key, object.at("unit").get<std::string>());
    }
    if (object.contains("metadata")) {
      for (const auto& [key, value] : object.at("metadata").items()) {
        sidecar.metadata.emplace_back(key, value.get<std::string>());
      }
    }
  } catch (const Json::exception&) {
    fail("is not a sidecar of points");
  }
  return sidecar;
}

}  // namespace dapple
