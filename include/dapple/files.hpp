// Reading and writing. Every write goes to a temporary file in the same folder, is synced and
// renamed: a reader never sees half a file. Paths are UTF-8; "-" is standard input or output.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/options.hpp"

namespace dapple {

enum class Overwrite { always, if_changed, never };
constexpr auto option_names(Overwrite) {
  return words_to<Overwrite::never>("always", "if-changed", "never");
}

// Whole file into memory. Throws Error(input); Error(limit) where it is longer than max_bytes;
// Error(cancelled) where it is a pipe that keeps one waiting, and the context is cancelled.
std::string read_file(const std::string& path, std::int64_t max_bytes, const Context& context);
std::string read_file(const std::string& path, std::int64_t max_bytes);
// Checks what can be known before the work is done: throws Error(output) where write_file() would
// fail for a missing or read-only folder, a folder's name, or a file that may not be replaced.
void check_output(const std::string& path, Overwrite overwrite);

// Files that appear together, or none of them. Each is written and synced without a name, or under
// a temporary one where there are many; commit() gives them all their own, one right after the
// other. Where that fails, those that have theirs lose it again, and what they replaced is back (on
// file systems that can neither exchange two names nor link a file: what they replaced before the
// last stays replaced). What is not committed leaves no trace.
//
// A process that is killed, or a machine that stops, leaves every file whole, as it was or as it is
// meant to be. In the instant of commit() it may leave some of a group replaced and others not, and
// a file named .dapple-*.tmp beside them.
//
// Permissions of a file that is replaced are kept, and symbolic links are written through. Standard
// output, devices and pipes are written once all files are complete, before any of them appears.
// One thread at a time may use a group.
class FileGroup {
 public:
  explicit FileGroup(Overwrite overwrite);
  ~FileGroup();
  FileGroup(const FileGroup&) = delete;
  FileGroup& operator=(const FileGroup&) = delete;

  // False where overwrite = if_changed found the same bytes there. Throws Error(output).
  bool add(const std::string& path, std::string bytes);
  // add() for what `fill` writes into an open file, which may be larger than memory; it returns 0
  // or the error code of the system. Regular files only.
  bool fill(const std::string& path, const std::function<int(int descriptor)>& fill);
  // Where the bytes of a file are until they are committed, for readers; else its own path.
  std::string place_of(const std::string& path) const;
  // Throws Error(output), and Error(cancelled) where a pipe keeps it waiting.
  void commit(const Context& context = Context());

 private:
  struct Waiting;
  struct Stream;
  Overwrite overwrite_;
  std::vector<std::unique_ptr<Waiting>> files_;
  std::vector<Stream> streams_;
};

// A group of one. Returns false where overwrite = if_changed found the same bytes there.
bool write_file(const std::string& path, std::string_view bytes, Overwrite overwrite);

}  // namespace dapple
