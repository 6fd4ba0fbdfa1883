// Reads the metadata of scenes.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/points/format.hpp"
#include "io/scenes/instances.hpp"

namespace dapple {
namespace {

using Json = nlohmann::json;

constexpr std::size_t glb_head = 20;  // headers of the file and of its first chunk, JSON

Metadata glb_metadata(std::string_view bytes) {
  Metadata metadata;
  if (bytes.size() < glb_head) return metadata;
  const auto size = static_cast<std::size_t>(bits_of(bytes.substr(12, 4), false));
  const Json document = Json::parse(bytes.substr(glb_head, size), nullptr, false);
  if (!document.is_object() || !document.contains("asset")) return metadata;
  const Json& asset = document["asset"];
  if (!asset.is_object() || !asset.contains("extras") || !asset["extras"].is_object()) {
    return metadata;
  }
  for (const auto& [key, value] : asset["extras"].items()) {
    if (value.is_string()) metadata.emplace_back(key, value.get<std::string>());
  }
  return metadata;
}

// Reads lines string "KEY" = "VALUE", as encode_usda() writes them.
Metadata usda_metadata(std::string_view text) {
  Metadata metadata;
  constexpr std::string_view start = "        string ";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("def ")) break;
    if (!line.starts_with(start)) continue;
    line.remove_prefix(start.size());
    const std::size_t middle = line.find(" = ");
    if (middle == std::string_view::npos) continue;
    const Json key = Json::parse(line.substr(0, middle), nullptr, false);
    const Json value = Json::parse(line.substr(middle + 3), nullptr, false);
    if (key.is_string() && value.is_string()) {
      metadata.emplace_back(key.get<std::string>(), value.get<std::string>());
    }
  }
  return metadata;
}

}  // namespace

bool is_scene_format(std::string_view extension) {
  const std::string plain = plain_extension(extension);
  return plain == "glb" || plain == "usda";
}

Metadata scene_metadata(std::string_view bytes) {
  if (bytes.starts_with("glTF")) return glb_metadata(bytes);
  if (bytes.starts_with("#usda")) return usda_metadata(bytes);
  return {};
}

}  // namespace dapple
