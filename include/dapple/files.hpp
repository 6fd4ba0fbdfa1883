// Reading and writing. Every write goes to a temporary file in the same folder, is synced and
// renamed: a reader never sees half a file. Paths are UTF-8; "-" is standard input or output.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/option_words.hpp"

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
  // When files are put on the disk: as each is complete; or, of many groups of small files, by
  // sync_together(), and in commit() at the latest.
  enum class Sync { each, together };
  explicit FileGroup(Overwrite overwrite, Sync sync = Sync::each);
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
  // Whether something of it goes into standard output, a device or a pipe.
  bool has_streams() const { return !streams_.empty(); }
  // Throws Error(output), and Error(cancelled) where a pipe keeps it waiting. `folders`: gets those
  // of the files, which are then the caller's to sync_folder(), so that the names last.
  void commit(const Context& context, std::set<std::string>* folders = nullptr);
  void commit();  // in a run that nobody cancels

 private:
  friend void sync_together(std::span<FileGroup* const> groups);
  struct Waiting;
  struct Stream;
  Overwrite overwrite_;
  Sync sync_;
  std::vector<std::unique_ptr<Waiting>> files_;
  std::vector<Stream> streams_;
};

// Puts the files of several groups on the disk, many of them with one call a file system: a call a
// file waits for the disk each time. What fails is found out, file by file, in commit().
void sync_together(std::span<FileGroup* const> groups);
// So that the names in a folder last. Throws Error(output).
void sync_folder(const std::string& folder);

// A group of one. Returns false where overwrite = if_changed found the same bytes there.
bool write_file(const std::string& path, std::string_view bytes, Overwrite overwrite);

}  // namespace dapple
