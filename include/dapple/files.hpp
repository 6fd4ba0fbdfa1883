// Reading and writing. Every write goes to a temporary file in the same folder, is synced and
// renamed: a reader never sees half a file. Paths are UTF-8; "-" is standard input or output.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/options.hpp"

namespace dapple {

enum class Overwrite { always, if_changed, never };
constexpr auto option_names(Overwrite) {
  return words_to<Overwrite::never>("always", "if-changed", "never");
}

// Whole file into memory. Throws Error(input); Error(limit) where it is longer than max_bytes.
std::string read_file(const std::string& path, std::int64_t max_bytes);
// Checks what can be known before the work is done: throws Error(output) where write_file() would
// fail for a missing or read-only folder, a folder's name, or a file that may not be replaced.
void check_output(const std::string& path, Overwrite overwrite);
// Atomic; returns false where overwrite = if_changed found the same bytes there. Throws
// Error(output), and leaves neither a temporary file nor a damaged target. Keeps the permissions of
// a file it replaces, writes through symbolic links, and writes devices and pipes directly.
bool write_file(const std::string& path, std::string_view bytes, Overwrite overwrite);

// write_file() for what `fill` writes into an open file, which may be larger than memory; it
// returns 0 or the error code of the system. Regular files only.
bool fill_file(const std::string& path, const std::function<int(int descriptor)>& fill,
               Overwrite overwrite);

// Files that appear together: each is written and synced under a temporary name, and commit() gives
// them all their own. What is not committed leaves no trace. One thread at a time may use a group.
class FileGroup {
 public:
  explicit FileGroup(Overwrite overwrite);
  ~FileGroup();
  FileGroup(const FileGroup&) = delete;
  FileGroup& operator=(const FileGroup&) = delete;
  // False where overwrite = if_changed found the same bytes there. Throws Error(output).
  bool add(const std::string& path, std::string_view bytes);
  void commit();

 private:
  struct Waiting;
  Overwrite overwrite_;
  std::vector<std::unique_ptr<Waiting>> files_;
};

}  // namespace dapple
