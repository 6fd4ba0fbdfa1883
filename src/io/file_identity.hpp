// Compares files by identity, so that no run writes over a file that it needs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dapple {

// Returns the path behind symbolic links: a write replaces the file, not the link.
std::filesystem::path behind_links(std::filesystem::path path);

// Returns a text that is the same for all names of a file, which need not exist yet. Returns "" for
// standard output, folders, pipes and devices.
std::string file_identity(const std::string& path);

// A file of a run with its use in messages, such as "the manifest".
struct UsedFile {
  std::string path;
  std::string use;
  bool is_written = true;
};

// Throws Error(usage) if a file that is written has a second use.
void require_own_files(const std::vector<UsedFile>& files);

}  // namespace dapple
