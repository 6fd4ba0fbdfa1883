#include "studio/page_files.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <system_error>
#include <tuple>

#include "app/json.hpp"
#include "app/presets/preset_folders.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "io/digest.hpp"

namespace dapple::studio {
namespace {

namespace fs = std::filesystem;
using app::Json;

constexpr std::int64_t most_state = 64 << 20;  // bytes
constexpr std::size_t most_photos = 500;
constexpr std::uintmax_t most_photo_bytes = 2048u << 20;  // four times what a page may send at once
constexpr std::size_t most_states = 200;
constexpr std::uintmax_t most_state_bytes = 256 << 20;

// Returns the bytes of a file, or "" if it cannot be read.
std::string bytes_of(const fs::path& path, std::int64_t most) {
  try {
    return read_file(path.string(), most);
  } catch (const Error&) {
    return "";
  }
}

std::vector<std::string> absolute(const std::vector<std::string>& photos) {
  std::vector<std::string> paths;
  for (const std::string& photo : photos) {
    std::error_code failure;
    paths.push_back(fs::absolute(photo, failure).lexically_normal().string());
  }
  return paths;
}

fs::path file_of(const std::vector<std::string>& photos, const fs::path& folder) {
  std::string all;
  for (const std::string& photo : absolute(photos)) all += photo + "\n";
  return folder / (sha256(all).substr(0, 16) + ".json");
}

PageState state_in(const fs::path& file) {
  const Json json = Json::parse(bytes_of(file, most_state), nullptr, false);
  if (!json.is_object() || !json.contains("photos") || !json.contains("page")) return {};
  try {
    return {json["photos"].get<std::vector<std::string>>(), json["page"].get<std::string>()};
  } catch (const Json::exception&) {
    return {};
  }
}

// Returns the file name in a path of any system; characters that files cannot have become _.
std::string safe_name(const std::string& name) {
  std::string safe = name.substr(name.find_last_of("/\\") + 1);
  for (char& c : safe) {
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0 ||
        std::string_view(":*?\"<>|").find(c) != std::string_view::npos)
      c = '_';
  }
  safe.erase(0, safe.find_first_not_of(".-"));
  return safe.empty() ? "photo" : safe.substr(0, 200);
}

}  // namespace

std::string write_photo(const OpenedPhoto& photo, const fs::path& folder) {
  if (folder.empty()) {
    throw Error(ErrorKind::output,
                "the studio has no folder for photos: set HOME, or name the "
                "photo on the command line");
  }
  app::make_user_folder(folder);
  const fs::path name = safe_name(photo.name);
  for (int number = 1;; ++number) {
    const std::string end = number > 1 ? "-" + std::to_string(number) : "";
    const fs::path path = folder / (name.stem().string() + end + name.extension().string());
    std::error_code missing;
    if (fs::file_size(path, missing) == photo.bytes.size() && !missing &&
        bytes_of(path, static_cast<std::int64_t>(photo.bytes.size())) == photo.bytes) {
      return path.string();
    }
    if (fs::exists(path, missing)) continue;
    write_file(path.string(), photo.bytes, Overwrite::never);
    return path.string();
  }
}

void prune(const fs::path& folder, std::size_t most_files, std::uintmax_t most_bytes) {
  struct File {
    fs::file_time_type written;
    std::uintmax_t bytes;
    fs::path path;
  };
  std::vector<File> files;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    if (!entry.is_regular_file(failure)) continue;
    const File file{entry.last_write_time(failure), entry.file_size(failure), entry.path()};
    if (!failure) files.push_back(file);
  }
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) {
    return std::tie(b.written, a.path) < std::tie(a.written, b.path);
  });
  std::uintmax_t sum = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    sum += files[i].bytes;
    if (i > 0 && (i >= most_files || sum > most_bytes)) fs::remove(files[i].path, failure);
  }
}

void keep_photo(const std::string& path, const fs::path& folder) {
  if (folder.empty() || fs::path(path).parent_path() != folder) return;  // it belongs to the user
  std::error_code failure;
  fs::last_write_time(path, fs::file_time_type::clock::now(), failure);
  prune(folder, most_photos, most_photo_bytes);
}

void write_state(const std::vector<std::string>& photos, const std::string& text,
                 const fs::path& folder) {
  if (folder.empty()) return;
  app::make_user_folder(folder);
  const Json json{{"photos", absolute(photos)}, {"page", text}};
  write_file(file_of(photos, folder).string(), app::text_of(json, -1), Overwrite::always);
  prune(folder, most_states, most_state_bytes);
}

PageState read_state(const std::vector<std::string>& photos, const fs::path& folder) {
  return folder.empty() ? PageState{} : state_in(file_of(photos, folder));
}

PageState newest_state(const fs::path& folder) {
  PageState newest;
  fs::file_time_type when{};
  std::error_code missing;
  if (folder.empty()) return newest;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    const auto written = entry.last_write_time(missing);
    if (missing || (written <= when && !newest.photos.empty())) continue;
    PageState state = state_in(entry.path());
    const bool complete =
        !state.photos.empty() &&
        std::all_of(state.photos.begin(), state.photos.end(),
                    [&](const std::string& photo) { return fs::is_regular_file(photo, missing); });
    if (!complete) continue;
    newest = std::move(state);
    when = written;
  }
  return newest;
}

}  // namespace dapple::studio
