// Reads GeoJSON (RFC 7946): a collection of features, one feature, or a geometry. Each feature is a
// region, also if it has several polygons.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "dapple/error.hpp"
#include "io/regions/formats.hpp"

namespace dapple {
namespace {

using Json = nlohmann::json;

class GeoJsonReader {
 public:
  Regions read(std::string_view bytes) {
    regions_.y_up = true;
    const Json file = parsed(bytes);
    const std::string type = type_of(file);
    if (type == "FeatureCollection") {
      const auto features = file.find("features");
      if (features == file.end() || !features->is_array()) {
        throw Error(ErrorKind::input, "is a FeatureCollection without features");
      }
      for (const Json& feature : *features) add_feature(feature);
    } else {
      add_feature(file);
    }
    if (regions_.all.empty()) throw Error(ErrorKind::input, "holds no features");
    if (has_heights_) regions_.notes.emplace_back(note_of_heights);
    return std::move(regions_);
  }

 private:
  static Json parsed(std::string_view bytes) {
    try {
      return Json::parse(bytes);
    } catch (const Json::exception& error) {
      const std::string what = error.what();
      throw Error(ErrorKind::input,
                  "is not JSON" + what.substr(std::min(what.find(" at "), what.size())));
    }
  }

  static std::string type_of(const Json& object) {
    if (!object.is_object()) return "";
    const auto type = object.find("type");
    return type == object.end() || !type->is_string() ? "" : type->get<std::string>();
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::input, name_of_region(regions_, regions_.all.size() - 1) + " " + why);
  }

  static std::string text_of(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  }

  void add_feature(const Json& object) {
    Region& region = regions_.all.emplace_back();
    if (type_of(object) != "Feature") return add_geometry(object);
    if (const auto id = object.find("id"); id != object.end()) region.name = text_of(*id);
    if (const auto properties = object.find("properties");
        properties != object.end() && properties->is_object()) {
      for (const auto& [key, value] : properties->items()) {
        if (value.is_structured() || value.is_null()) continue;
        region.properties.emplace_back(key, text_of(value));
        if (key == "name" || key == "NAME" || key == "Name") region.name = text_of(value);
      }
    }
    const auto geometry = object.find("geometry");
    if (geometry == object.end() || geometry->is_null()) fail("has no geometry");
    add_geometry(*geometry);
  }

  void add_geometry(const Json& geometry, int depth = 0) {
    if (depth > deepest_collection) fail("has collections of geometries inside each other");
    const std::string type = type_of(geometry);
    const bool is_collection = type == "GeometryCollection";
    const auto parts = geometry.is_object()
                           ? geometry.find(is_collection ? "geometries" : "coordinates")
                           : geometry.end();
    if (!is_collection && type != "Polygon" && type != "MultiPolygon") {
      fail(type.empty() ? "is not a GeoJSON feature or geometry"
                        : "is a " + type + ": regions must be a Polygon or a MultiPolygon");
    }
    if (parts == geometry.end() || !parts->is_array()) fail("has no coordinates");
    if (type == "Polygon") return add_polygon(*parts);
    for (const Json& part : *parts) {
      if (is_collection) {
        add_geometry(part, depth + 1);
      } else {
        add_polygon(part);
      }
    }
  }

  void add_polygon(const Json& rings) {
    if (!rings.is_array()) fail("has a polygon that is not a list of rings");
    for (const Json& ring : rings) {
      std::vector<Vec2> places;
      for (const Json& position : ring) {
        if (!position.is_array() || position.size() < 2 || !position[0].is_number() ||
            !position[1].is_number()) {
          fail("has a position that is not a list of numbers: " + position.dump().substr(0, 40));
        }
        has_heights_ = has_heights_ || position.size() > 2;
        places.push_back({position[0].get<double>(), position[1].get<double>()});
      }
      add_closed_ring(regions_, std::move(places));
    }
  }

  Regions regions_;
  bool has_heights_ = false;
};

}  // namespace

Regions decode_geojson(std::string_view bytes) {
  return GeoJsonReader().read(bytes);
}

}  // namespace dapple
