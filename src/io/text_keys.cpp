// Packs texts like the header of a letter (RFC 822): readable, and every text reads back unchanged.
#include "io/text_keys.hpp"

#include <nlohmann/json.hpp>

namespace dapple {

std::string pack_texts(const Metadata& metadata) {
  std::string packed;
  for (const auto& [key, text] : metadata) {
    packed += key + ": ";
    for (const char c : text) {
      packed += c;
      if (c == '\n') packed += ' ';
    }
    packed += '\n';
  }
  return packed;
}

Metadata unpack_texts(std::string_view text) {
  Metadata metadata;
  if (!text.starts_with("dapple:")) return metadata;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.starts_with(' ')) {
      metadata.back().second += '\n';
      metadata.back().second += line.substr(1);
      continue;
    }
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) return {};
    metadata.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }
  return metadata;
}

std::string json_quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace dapple
