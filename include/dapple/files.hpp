// Reads and writes files. Every write goes to a temporary file in the same folder, which is synced
// and renamed: a reader never sees half a file. Paths are UTF-8; "-" is standard input or output.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/extend/option_words.hpp"
#include "dapple/forward.hpp"

namespace dapple {

struct QualityReport;  // dapple/analyze.hpp

enum class Overwrite { always, if_changed, never };
constexpr auto option_names(Overwrite) {
  return words_to<Overwrite::never>("always", "if-changed", "never");
}

// Returns a whole file. Throws Error(input), Error(limit) if it is longer than max_bytes, and
// Error(cancelled) if the context is cancelled while a pipe waits.
std::string read_file(const std::string& path, std::int64_t max_bytes, const Context& context);
std::string read_file(const std::string& path, std::int64_t max_bytes);
// Checks an output before the work starts. Throws Error(output) for a missing or read-only folder,
// for the name of a folder, and for a file that must not be replaced.
void check_output(const std::string& path, Overwrite overwrite);

// A group of files that appear together, or not at all. Each file is written and synced without a
// name, or under a temporary name if there are many. commit() then gives all files their names, one
// right after the other. If that fails, it removes new files and restores replaced ones. On file
// systems that can neither exchange two names nor link a file, replaced files stay replaced.
// Uncommitted files leave no trace.
//
// A killed process or a stopped machine leaves every file whole, either old or new. During commit()
// it may leave only part of a group replaced, and a file named .dapple-*.tmp.
//
// A replaced file keeps its permissions, and symbolic links are written through. Standard output,
// devices and pipes are written once all files are complete, before any file appears. Only one
// thread at a time may use a group.
class FileGroup {
 public:
  // The time at which files are synced to disk. `each`: as each file is complete. `together`: by
  // sync_together(), for many groups of small files, and in commit() at the latest.
  enum class Sync { each, together };
  explicit FileGroup(Overwrite overwrite, Sync sync = Sync::each);
  ~FileGroup();
  FileGroup(const FileGroup&) = delete;
  FileGroup& operator=(const FileGroup&) = delete;

  // Adds a file. Returns false if overwrite = if_changed and the file holds the same bytes already.
  // Throws Error(output).
  bool add(const std::string& path, std::string bytes);
  // Adds a file as add() does, but `fill` writes into an open file, which may be larger than
  // memory. It returns 0 or the system's error code. Regular files only.
  bool fill(const std::string& path, const std::function<int(int descriptor)>& fill);
  // Returns the path of the bytes of a file that waits for commit(); otherwise `path` itself.
  std::string place_of(const std::string& path) const;
  // Returns true if a file of the group is standard output, a device or a pipe.
  bool has_streams() const { return !streams_.empty(); }
  // Gives the files their names. Throws Error(output), and Error(cancelled) during a wait for a
  // pipe. `folders` receives the folders of the files, which the caller then passes to
  // sync_folder().
  void commit(const Context& context, std::set<std::string>* folders = nullptr);
  void commit();  // for a run that cannot be cancelled

 private:
  friend void sync_together(std::span<FileGroup* const> groups);
  struct Waiting;
  struct Stream;
  Overwrite overwrite_;
  Sync sync_;
  std::vector<std::unique_ptr<Waiting>> files_;
  std::vector<Stream> streams_;
};

// Syncs the files of several groups to disk, with one call per file system if there are many; one
// call per file would wait for the disk each time. commit() reports errors, file by file.
void sync_together(std::span<FileGroup* const> groups);
// Syncs a folder, so that the names in it survive a crash. Throws Error(output).
void sync_folder(const std::string& folder);

// Writes one file. Returns false if overwrite = if_changed and the file already holds these bytes.
bool write_file(const std::string& path, std::string_view bytes, Overwrite overwrite);

// Returns the JSON of `dapple analyze --json`: kind, verdict, measurements with units and targets,
// notes and curves. A value that is not finite is null.
std::string report_json(const QualityReport& report);

}  // namespace dapple
