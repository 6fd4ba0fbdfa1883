// Stores what outlives a page: photos that it sends, its state, and looks that the user saves.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dapple::studio {

// Folders of the user's files. An empty path turns its feature off.
struct UserFolders {
  std::filesystem::path photos{};  // sent photos
  std::filesystem::path states{};
  std::filesystem::path looks{};
};

// A photo that a page opens: bytes and a name, or the path of a file.
struct OpenedPhoto {
  std::string name{};
  std::string bytes{};
  std::string path{};
};

// Writes a sent photo and returns its path. A file with the same name and bytes is used again;
// other files stay.
std::string write_photo(const OpenedPhoto& photo, const std::filesystem::path& folder);

// Removes the files of a folder that were written longest ago, until at most `most_files` files
// with together `most_bytes` bytes are left. The newest file stays.
void prune(const std::filesystem::path& folder, std::size_t most_files, std::uintmax_t most_bytes);

// Marks a stored photo as used and removes the photos that were used longest ago.
void keep_photo(const std::string& path, const std::filesystem::path& folder);

// The state of the page for a set of photos. Only the page interprets `text`.
struct PageState {
  std::vector<std::string> photos{};  // absolute paths
  std::string text{};                 // "": none
};
void write_state(const std::vector<std::string>& photos, const std::string& text,
                 const std::filesystem::path& folder);
PageState read_state(const std::vector<std::string>& photos, const std::filesystem::path& folder);
// Returns the newest state whose photos still exist.
PageState newest_state(const std::filesystem::path& folder);

}  // namespace dapple::studio
