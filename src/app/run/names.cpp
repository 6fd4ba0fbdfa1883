// Fills in and splits file names and templates.
#include <algorithm>
#include <array>
#include <filesystem>

#include "app/run/outputs.hpp"
#include "app/run/sheet_tiles.hpp"
#include "dapple/error.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

// The placeholders that fill_name() keeps.
constexpr std::string_view output_part = "{output}";
constexpr std::array<std::string_view, 4> kept_parts{"{frame}", output_part, tile_part, ink_part};

}  // namespace

std::string stem_of(const std::string& path) {
  return path == "-" ? "stdin" : fs::path(path).stem().string();
}

std::string extension_of(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  if (!extension.empty()) extension.erase(0, 1);
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return extension;
}

bool is_placeholder(std::string_view part) {
  return part == "stem" || part == "seed" || part == "preset" || part == "command" ||
         std::find(kept_parts.begin(), kept_parts.end(), "{" + std::string(part) + "}") !=
             kept_parts.end();
}

std::string fill_name(const std::string& name, const NameParts& parts) {
  std::string filled;
  std::string_view rest = name;
  while (true) {
    const auto open = rest.find('{');
    filled += rest.substr(0, open);
    if (open == std::string_view::npos) return filled;
    rest.remove_prefix(open + 1);
    if (rest.starts_with('{')) {
      filled += '{';
      rest.remove_prefix(1);
      continue;
    }
    const auto close = rest.find('}');
    const std::string part(rest.substr(0, close));
    if (close != std::string_view::npos && part == "stem") {
      filled += parts.input.empty() ? parts.command : stem_of(parts.input);
    } else if (close != std::string_view::npos && part == "seed") {
      filled += std::to_string(parts.seed);
    } else if (close != std::string_view::npos && part == "preset") {
      filled += parts.preset.empty() ? "default" : parts.preset;
    } else if (close != std::string_view::npos && part == "command") {
      filled += parts.command;
    } else if (close != std::string_view::npos && (part == "frame" || part == "output")) {
      filled += "{" + part + "}";
    } else if (close != std::string_view::npos && part == "tile" && parts.tiled) {
      filled += tile_part;
    } else if (close != std::string_view::npos && part == "ink" && parts.inked) {
      filled += ink_part;
    } else {
      throw Error(
          ErrorKind::usage,
          "{" + part +
              "} cannot be filled in: names may contain {stem}, {seed}, {preset}, {command}, "
              "{output}, {frame} and, for a drawing, {ink}; write {{ for a brace",
          name);
    }
    rest.remove_prefix(close + 1);
  }
}

std::string with_output(std::string path, std::string_view output) {
  for (auto at = path.find(output_part); at != std::string::npos; at = path.find(output_part, at)) {
    path.replace(at, output_part.size(), output);
    at += output.size();
  }
  return path;
}

bool has_output_part(std::string_view path) {
  return path.find(output_part) != std::string_view::npos;
}

std::string template_of(const std::string& path) {
  const auto is_kept_at = [&](std::size_t at) {
    return std::any_of(kept_parts.begin(), kept_parts.end(), [&](std::string_view part) {
      return path.compare(at, part.size(), part) == 0;
    });
  };
  std::string name;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool brace = path[i] == '{' && !is_kept_at(i);
    name += brace ? "{{" : std::string(1, path[i]);
  }
  return name;
}

}  // namespace dapple::app
