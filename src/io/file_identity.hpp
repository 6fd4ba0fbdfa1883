// Compares files by identity, so that no run writes over a file that it needs.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace dapple {

// Returns the path behind symbolic links: a write replaces the file, not the link.
std::filesystem::path behind_links(std::filesystem::path path);

// Returns a text that is the same for all names of a file, which need not exist yet. Returns "" for
// standard output, folders, pipes and devices.
std::string file_identity(const std::string& path);

// Returns identities of many files. Reads each folder once, so files must not change meanwhile.
class FileIdentities {
 public:
  std::string of(const std::string& path);

 private:
  struct Folder {
    bool is_listed = false;
    std::string identity = {};
    std::unordered_set<std::string> names = {};  // of the files that exist
  };
  static Folder read(const std::string& folder);

  std::unordered_map<std::string, Folder> folders_;
};

// A file of a run with its use in messages, such as "the manifest".
struct UsedFile {
  std::string path;
  std::string use;
  bool is_written = true;
};

// Throws Error(usage) if a file that is written has a second use.
void require_own_files(const std::vector<UsedFile>& files);

}  // namespace dapple
