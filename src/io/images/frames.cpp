// Handles numbered files: {frame} in a name means one file per frame, <UDIM> one per tile.
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/text/number_text.hpp"
#include "dapple/error.hpp"
#include "dapple/image_files.hpp"

namespace dapple {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view part = "{frame}";
constexpr std::string_view udim_part = "<UDIM>";

struct Found {
  std::int64_t number = 0;
  std::string path;
};

bool is_number(std::string_view digits, std::int64_t& number) {
  if (digits.empty() || digits.size() > 9) return false;
  const auto parsed = parse_number<std::int64_t>(digits);
  number = parsed.value_or(0);
  return parsed && digits[0] != '-';
}

// Returns the files of a folder whose names differ only in digits.
std::vector<Found> search(const fs::path& folder, const std::string& name,
                          const std::string& shown) {
  const auto at = name.find(part);
  const std::string before = name.substr(0, at);
  const std::string after = name.substr(at + part.size());
  std::vector<Found> files;
  std::error_code failure;
  fs::directory_iterator entries(folder.empty() ? "." : folder, failure);
  if (failure) {
    throw Error(ErrorKind::input, "its folder cannot be read: " + failure.message(), shown);
  }
  for (const fs::directory_entry& entry : entries) {
    const std::string candidate = entry.path().filename().string();
    if (candidate.size() <= before.size() + after.size()) continue;
    if (!candidate.starts_with(before) || !candidate.ends_with(after)) continue;
    const std::string_view digits = std::string_view(candidate).substr(
        before.size(), candidate.size() - before.size() - after.size());
    Found found;
    if (is_number(digits, found.number)) {
      found.path = (folder / candidate).string();
      files.push_back(std::move(found));
    }
  }
  return files;
}

std::string replaced(std::string name, std::string_view what, const std::string& by) {
  for (auto at = name.find(what); at != std::string::npos; at = name.find(what, at)) {
    name.replace(at, what.size(), by);
  }
  return name;
}

}  // namespace

bool has_frame_number(std::string_view path) {
  return path.find(part) != std::string_view::npos;
}

std::string frame_name(const std::string& path, int index, int count) {
  const std::string number = std::to_string(index);
  const std::size_t digits =
      std::max({std::size_t{4}, std::to_string(count - 1).size(), number.size()});
  return replaced(path, part, std::string(digits - number.size(), '0') + number);
}

std::string with_frame_part(const std::string& path) {
  for (auto at = path.find('%'); at != std::string::npos; at = path.find('%', at + 1)) {
    auto end = at + 1;
    while (end < path.size() && path[end] >= '0' && path[end] <= '9') ++end;
    if (end < path.size() && path[end] == 'd') {
      return path.substr(0, at) + std::string(part) + path.substr(end + 1);
    }
  }
  return path;
}

std::string frame_digits(const std::string& path, const std::string& file) {
  // Compares only names, since a folder can be written in several ways.
  const std::string pattern = fs::path(path).filename().string();
  const std::string name = fs::path(file).filename().string();
  const auto before = pattern.find(part);
  if (before == std::string::npos || name.size() + part.size() < pattern.size()) {
    throw Error(ErrorKind::usage, "'" + name + "' does not match '" + pattern + "'");
  }
  const auto after = pattern.size() - before - part.size();
  return name.substr(before, name.size() - before - after);
}

std::string frame_name(const std::string& path, const std::string& digits) {
  return replaced(path, part, digits);
}

bool has_udim(std::string_view path) {
  return path.find(udim_part) != std::string_view::npos;
}

std::string udim_name(const std::string& path, int u, int v) {
  return replaced(path, udim_part, std::to_string(1001 + u + 10 * v));
}

std::vector<std::string> frame_files(const std::string& path) {
  if (!has_frame_number(path)) return {path};
  const fs::path folder = fs::path(path).parent_path();
  const std::string name = fs::path(path).filename().string();
  if (has_frame_number(folder.string()) || name.find(part) != name.rfind(part)) {
    throw Error(ErrorKind::input, "{frame} must occur once, in the file name and not in the folder",
                path);
  }
  std::vector<Found> files = search(folder, name, path);
  if (files.empty()) {
    throw Error(ErrorKind::input, "no file has this name with a number in place of {frame}", path);
  }
  std::sort(files.begin(), files.end(), [](const Found& a, const Found& b) {
    return a.number != b.number ? a.number < b.number : a.path < b.path;
  });
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto expected = files[0].number + static_cast<std::int64_t>(i);
    if (files[i].number != expected) {
      const bool twice = files[i].number < expected;
      throw Error(ErrorKind::input,
                  twice ? "frame " + std::to_string(files[i].number) +
                              " exists twice: " + files[i - 1].path + " and " + files[i].path
                        : "frame " + std::to_string(expected) + " is missing: " +
                              files[i - 1].path + " is followed by " + files[i].path,
                  path);
    }
    paths.push_back(files[i].path);
  }
  return paths;
}

}  // namespace dapple
