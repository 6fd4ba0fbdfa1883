// Reads and writes whole files. A write goes to an unnamed file in the target's folder (Linux
// O_TMPFILE), which vanishes however the process ends. Only a complete and synced file gets a name
// and replaces the target. If the file system has no unnamed files, a named temporary file takes
// their place and is removed on any error.
//
// Pipes and terminals may block a process without limit. The code waits in short steps, so that it
// notices a cancel.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <poll.h>
#include <random>
#include <set>
#include <sys/resource.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "io/file_identity.hpp"
#include "io/utf8.hpp"
#include "io/write_all.hpp"

namespace dapple {

namespace {
namespace fs = std::filesystem;

std::string reason(int code) {
  return std::generic_category().message(code);
}

class File {
 public:
  explicit File(int descriptor = -1) : descriptor_(descriptor) {}
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~File() {
    if (descriptor_ > 2) ::close(descriptor_);
  }
  int get() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }
  // Closing is the last chance for a network file system to report a failed write. Linux closes a
  // file even if a signal interrupts the call.
  int close() { return ::close(std::exchange(descriptor_, -1)) == 0 || errno == EINTR ? 0 : errno; }

 private:
  int descriptor_;
};

// Syncs to disk. Returns 0 or the error code; also 0 if the file system cannot sync (EINVAL).
int sync(int descriptor) {
  while (::fsync(descriptor) != 0) {
    if (errno != EINTR) return errno == EINVAL ? 0 : errno;
  }
  return 0;
}

// While it lives, a write past the file size limit or into a closed pipe returns an error code.
// Otherwise a signal would end the process.
class SignalsAsErrors {
 public:
  SignalsAsErrors() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGXFSZ);
    sigaddset(&set_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  ~SignalsAsErrors() {
    const timespec now{0, 0};
    while (sigtimedwait(&set_, nullptr, &now) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SignalsAsErrors(const SignalsAsErrors&) = delete;
  SignalsAsErrors& operator=(const SignalsAsErrors&) = delete;

 private:
  sigset_t set_;
  sigset_t before_;
};

[[noreturn]] void not_written(const std::string& path, int code) {
  std::string advice;
  if (code == ENOSPC || code == EDQUOT) advice = "; free some space or write elsewhere";
  if (code == EFBIG) advice = "; the file size limit (ulimit -f) is lower than this file";
  throw Error(ErrorKind::output, "cannot be written: " + reason(code) + advice, path);
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// Waits until a pipe or terminal is readable or writable. Throws Error(cancelled).
void wait_for(int descriptor, short event, const Context& context) {
  for (int found = 0; found == 0 || (found < 0 && errno == EINTR);) {
    context.check();
    pollfd ready{descriptor, event, 0};
    found = ::poll(&ready, 1, 50);
  }
}

// Opens a stream. A named pipe can be opened for writing only while another process reads it.
int open_stream(const fs::path& path, mode_t mode, const Context& context) {
  if (!S_ISFIFO(mode)) return open_file(path, O_WRONLY);
  for (;;) {
    const int descriptor = open_file(path, O_WRONLY | O_NONBLOCK);
    if (descriptor >= 0 || errno != ENXIO) return descriptor;
    context.check();
    ::poll(nullptr, 0, 20);
  }
}

// Writes into a pipe, a device or standard output.
void write_stream(const std::string& path, std::string_view bytes, const Context& context) {
  const std::string shown = path == "-" ? "standard output" : path;
  struct stat status {};
  if (path != "-" && ::stat(fs::path(path).c_str(), &status) != 0) not_written(shown, errno);
  File file(path == "-" ? STDOUT_FILENO : open_stream(path, status.st_mode, context));
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) not_written(shown, errno);
  const bool waits = !S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode);
  while (!bytes.empty()) {
    if (waits) wait_for(file.get(), POLLOUT, context);
    // A ready pipe accepts this many bytes without blocking.
    const std::size_t size = waits ? std::min<std::size_t>(bytes.size(), PIPE_BUF) : bytes.size();
    const ssize_t n = ::write(file.get(), bytes.data(), size);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0) not_written(shown, n < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  if (path == "-") return;
  if (const int code = file.close(); code != 0) not_written(shown, code);
}

// Returns how many unnamed files may wait; each takes a descriptor. The result is half of the
// allowed number, minus 8 for other files.
int most_open() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 1 << 16) / 2) - 8;
}

// Returns a new name for a file that is to be renamed or removed. Process numbers repeat on
// machines that share a folder, and are always 42 in WebAssembly.
fs::path temporary_name(const fs::path& folder) {
  static std::atomic<unsigned> counter{std::random_device()()};
  return folder / (".dapple-" + std::to_string(::getpid()) + "-" +
                   std::to_string(counter.fetch_add(1)) + ".tmp");
}

// A new file in a folder, unnamed if possible.
class Draft {
 public:
  Draft(const std::string& shown, fs::path target)
      : shown_(shown), target_(std::move(target)), folder_(folder_of(target_)) {
    file_ = File(open_file(folder_, O_TMPFILE | O_RDWR));
    for (int i = 0; i < 1000 && !file_.is_open(); ++i) {
      name_ = temporary_name(folder_);
      file_ = File(open_file(name_, O_RDWR | O_CREAT | O_EXCL));
      if (!file_.is_open() && errno != EEXIST) break;
    }
    if (file_.is_open()) {
      ++open_count;
      return;
    }
    const int code = errno;
    name_.clear();
    throw Error(
        ErrorKind::output,
        "cannot be written: cannot create a file in " + folder_.string() + ": " + reason(code),
        shown_);
  }
  ~Draft() {
    if (file_.is_open()) --open_count;
    if (!name_.empty()) ::unlink(name_.c_str());
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  const std::string& shown() const { return shown_; }
  const fs::path& folder() const { return folder_; }
  int descriptor() const { return file_.get(); }
  std::string place() const {
    return name_.empty() ? "/proc/self/fd/" + std::to_string(file_.get()) : name_.string();
  }

  // Completes a file after its last byte. `sync_later`: a later step syncs it to disk.
  void finish(const struct stat* like, bool sync_later) {
    if (like != nullptr) {
      // If the user may not change the owner, the file is the user's; the mode is kept in any case.
      if (::fchown(file_.get(), like->st_uid, like->st_gid) != 0) errno = 0;
      if (::fchmod(file_.get(), like->st_mode & 07777) != 0) not_written(shown_, errno);
    }
    const bool must_park = open_count > most_open();
    on_disk_ = false;
    if (!sync_later || must_park) put_on_disk();
    if (must_park) park();
  }

  bool is_on_disk() const { return on_disk_; }
  void set_on_disk() { on_disk_ = true; }
  void put_on_disk() {
    if (on_disk_) return;
    if (const int code = sync(file_.get()); code != 0) not_written(shown_, code);
    on_disk_ = true;
  }

  // Renames the file to its target. If `undoable`, put_back() can undo this. Returns false if the
  // target exists and must not be replaced.
  bool become_target(bool replace, bool undoable) {
    if (name_.empty() ? link_to(target_) : !replace && link(name_, target_)) {
      undo_ = Undo::remove;
      close();
      return true;
    }
    if (errno != EEXIST && (name_.empty() || !replace)) not_written(shown_, errno);
    if (!replace) return false;
    park();
    if (undoable && keep_old()) return true;
    const bool is_new = ::access(target_.c_str(), F_OK) != 0;
    if (::rename(name_.c_str(), target_.c_str()) != 0) not_written(shown_, errno);
    name_.clear();
    undo_ = is_new ? Undo::remove : Undo::impossible;
    return true;
  }

  // Restores the target. Returns false on failure; then the old file keeps its temporary name.
  bool put_back() {
    const Undo undo = std::exchange(undo_, Undo::nothing);
    if (undo == Undo::remove) return ::unlink(target_.c_str()) == 0;
    if (undo != Undo::rename) return undo == Undo::nothing;
    const fs::path old = std::exchange(name_, fs::path());
    return ::rename(old.c_str(), target_.c_str()) == 0;
  }

 private:
  static inline std::atomic<int> open_count{0};
  // `remove` removes the target; `rename` renames the old file, which name_ names.
  enum class Undo { nothing, remove, rename, impossible };

  void close() {
    if (!file_.is_open()) return;
    --open_count;
    if (const int code = file_.close(); code != 0) not_written(shown_, code);
  }
  // Closes the file and keeps it under a temporary name.
  void park() {
    if (name_.empty()) give_name();
    close();
  }
  // Replaces the target and keeps the old file under the temporary name, if possible.
  bool keep_old() {
    struct stat status {};
    if (::lstat(target_.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
    if (!exchange(name_, target_)) {
      fs::path old = temporary_name(folder_);
      if (!link(target_, old)) return false;
      if (::rename(name_.c_str(), target_.c_str()) != 0) {
        const int code = errno;
        ::unlink(old.c_str());
        not_written(shown_, code);
      }
      name_ = std::move(old);
    }
    undo_ = Undo::rename;
    return true;
  }
  // Exchanges the names of two files at once, which only Linux can do.
  static bool exchange([[maybe_unused]] const fs::path& a, [[maybe_unused]] const fs::path& b) {
#ifdef RENAME_EXCHANGE
    return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
#else
    return false;
#endif
  }
  static bool link(const fs::path& from, const fs::path& to) {
    return ::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }
  bool link_to(const fs::path& name) const {
    return link(place(), name);
  }
  void give_name() {
    for (int i = 0; i < 1000; ++i) {
      fs::path name = temporary_name(folder_);
      if (link_to(name)) {
        name_ = std::move(name);  // a move needs no memory, so it cannot lose the name
        return;
      }
      if (errno != EEXIST) break;
    }
    not_written(shown_, errno);
  }

  std::string shown_;
  fs::path target_;
  fs::path folder_;
  fs::path name_;  // empty while the file has no name
  File file_;
  bool on_disk_ = true;
  Undo undo_ = Undo::nothing;
};

std::string read_all(int descriptor, const std::string& shown, std::int64_t max_bytes,
                     const Context& context) {
  struct stat status {};
  const auto failed = [&](int code) {
    throw Error(ErrorKind::input, "cannot be read: " + reason(code), shown);
  };
  const auto require_no_more_than_allowed = [&](std::int64_t size) {
    if (size <= max_bytes) return;
    throw Error(ErrorKind::limit,
                "is larger than the limit of " + std::to_string(max_bytes) + " bytes", shown);
  };
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) failed(errno);
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorKind::input, "is a folder; give the name of a file", shown);
  }
  // A device may be endless. A terminal is accepted, since a user can end its input.
#ifdef __EMSCRIPTEN__
  const bool device = descriptor != STDIN_FILENO && S_ISCHR(status.st_mode);  // stdin is always one
#else
  const bool device = S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode);
#endif
  if (device && ::isatty(descriptor) == 0) {
    throw Error(ErrorKind::input, "is a device; give the name of a file or a pipe", shown);
  }
  std::string bytes;
  if (S_ISREG(status.st_mode)) {
    require_no_more_than_allowed(status.st_size);
    bytes.reserve(static_cast<std::size_t>(status.st_size));
  }
  std::vector<char> chunk(1 << 16);
  for (;;) {
    if (!S_ISREG(status.st_mode)) wait_for(descriptor, POLLIN, context);
    const ssize_t n = ::read(descriptor, chunk.data(), chunk.size());
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0) failed(errno);
    if (n == 0) return bytes;
    require_no_more_than_allowed(static_cast<std::int64_t>(bytes.size()) + n);
    bytes.append(chunk.data(), static_cast<std::size_t>(n));
  }
}

bool holds(const std::string& path, const struct stat& status, std::string_view bytes) {
  if (status.st_size != static_cast<off_t>(bytes.size())) return false;
  try {
    return read_file(path, static_cast<std::int64_t>(bytes.size())) == bytes;
  } catch (const Error&) {
    return false;  // an unreadable file is replaced
  }
}

// Returns true if an open file holds the same bytes as the file at `path`.
bool holds(const std::string& path, int descriptor) {
  const File file(open_file(path, O_RDONLY));
  struct stat there {};
  struct stat here {};
  if (!file.is_open() || ::fstat(file.get(), &there) != 0 || ::fstat(descriptor, &here) != 0 ||
      there.st_size != here.st_size) {
    return false;
  }
  std::vector<char> a(1 << 20), b(a.size());
  for (off_t at = 0; at < here.st_size;) {
    const ssize_t n = ::pread(descriptor, a.data(), a.size(), at);
    if (n <= 0) return false;
    const auto count = static_cast<std::size_t>(n);
    if (::pread(file.get(), b.data(), count, at) != n || !std::equal(&a[0], &a[0] + n, &b[0])) {
      return false;
    }
    at += n;
  }
  return true;
}

[[noreturn]] void exists_already(const std::string& path) {
  throw Error(ErrorKind::output,
              "exists already, and `overwrite never` was given; choose another name", path);
}

[[noreturn]] void not_regular(const std::string& path) {
  throw Error(ErrorKind::output, "cannot be written: it is not a regular file", path);
}

// Gets the status of the file at `path`, following links. Returns false if there is no file.
bool find_target(const std::string& path, Overwrite overwrite, struct stat& status) {
  require_name(path);
  const fs::path target = behind_links(path);
  if (::stat(fs::path(path).c_str(), &status) != 0) {
    std::error_code failure;
    const fs::path folder = folder_of(target);
    if (!fs::is_directory(folder, failure)) {
      const bool missing = !failure || failure == std::errc::no_such_file_or_directory;
      if (!missing) not_written(path, failure.value());
      throw Error(
          ErrorKind::output,
          "cannot be written: folder " + folder.string() + " does not exist; create it first",
          path);
    }
    if (!target.has_filename()) {
      throw Error(ErrorKind::output, "cannot be written: the file name is missing", path);
    }
    return false;
  }
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorKind::output, "cannot be written: it is a folder; add a file name", path);
  }
  if (S_ISREG(status.st_mode) && overwrite == Overwrite::never) exists_already(path);
  if (::access(target.c_str(), W_OK) != 0) not_written(path, errno);
  return true;
}

}  // namespace

std::string read_file(const std::string& path, std::int64_t max_bytes, const Context& context) {
  if (path == "-") return read_all(STDIN_FILENO, "standard input", max_bytes, context);
  // Without O_NONBLOCK, opening a named pipe would block until a process writes.
  const File file(open_file(path, O_RDONLY | O_NONBLOCK));
  return read_all(file.get(), path, max_bytes, context);
}

std::string read_file(const std::string& path, std::int64_t max_bytes) {
  return read_file(path, max_bytes, Context());
}

void check_output(const std::string& path, Overwrite overwrite) {
  if (path == "-") return;
  struct stat status {};
  if (find_target(path, overwrite, status)) return;
  const fs::path folder = folder_of(behind_links(path));
  if (::access(folder.c_str(), W_OK | X_OK) == 0) return;
  throw Error(ErrorKind::output,
              "cannot be written: the folder " + folder.string() + " is read-only", path);
}

int replace_file(const fs::path& path, std::string_view bytes) {
  const SignalsAsErrors errors;
  const fs::path name = temporary_name(path.parent_path());
  File file(open_file(name, O_WRONLY | O_CREAT | O_EXCL));
  if (!file.is_open()) return errno;
  int code = write_all(file.get(), bytes);
  if (const int closed = file.close(); code == 0) code = closed;
  if (code == 0 && ::rename(name.c_str(), path.c_str()) != 0) code = errno;
  if (code != 0) ::unlink(name.c_str());
  return code;
}

bool write_file(const std::string& path, std::string_view bytes, Overwrite overwrite) {
  FileGroup group(overwrite);
  const bool changed = group.add(path, std::string(bytes));
  group.commit();
  return changed;
}

struct FileGroup::Waiting {
  Waiting(const std::string& path) : draft(path, behind_links(path)) {}
  Draft draft;
};

struct FileGroup::Stream {
  std::string path;
  std::string bytes;
};

FileGroup::FileGroup(Overwrite overwrite, Sync sync) : overwrite_(overwrite), sync_(sync) {}
FileGroup::~FileGroup() = default;

bool FileGroup::add(const std::string& path, std::string bytes) {
  const SignalsAsErrors errors;
  struct stat status {};
  const bool exists = path != "-" && find_target(path, overwrite_, status);
  if (path == "-" || (exists && !S_ISREG(status.st_mode))) {
    streams_.push_back({path, std::move(bytes)});
    return true;
  }
  if (exists && overwrite_ == Overwrite::if_changed && holds(path, status, bytes)) return false;
  auto file = std::make_unique<Waiting>(path);
  const int code = write_all(file->draft.descriptor(), bytes);
  if (code != 0) not_written(path, code);
  file->draft.finish(exists ? &status : nullptr, sync_ == Sync::together);
  files_.push_back(std::move(file));
  return true;
}

bool FileGroup::fill(const std::string& path, const std::function<int(int descriptor)>& fill) {
  const SignalsAsErrors errors;
  struct stat status {};
  const bool exists = find_target(path, overwrite_, status);
  if (exists && !S_ISREG(status.st_mode)) not_regular(path);
  auto file = std::make_unique<Waiting>(path);
  const int descriptor = file->draft.descriptor();
  if (const int code = fill(descriptor); code != 0) not_written(path, code);
  if (exists && overwrite_ == Overwrite::if_changed && holds(path, descriptor)) return false;
  file->draft.finish(exists ? &status : nullptr, sync_ == Sync::together);
  files_.push_back(std::move(file));
  return true;
}

std::string FileGroup::place_of(const std::string& path) const {
  for (const auto& file : files_) {
    if (file->draft.shown() == path) return file->draft.place();
  }
  return path;
}

void sync_together(std::span<FileGroup* const> groups) {
  constexpr std::size_t few = 4;  // below this number, fsync() per file is as fast as syncfs()
  std::map<dev_t, std::vector<Draft*>> waiting;  // by file system
  for (FileGroup* group : groups) {
    for (const auto& file : group->files_) {
      struct stat status {};
      if (file->draft.is_on_disk() || ::fstat(file->draft.descriptor(), &status) != 0) continue;
      waiting[status.st_dev].push_back(&file->draft);
    }
  }
  for (const auto& [device, drafts] : waiting) {
    if (drafts.size() < few || ::syncfs(drafts.front()->descriptor()) != 0) continue;
    for (Draft* draft : drafts) draft->set_on_disk();
  }
}

// Syncs a folder. Skips a folder that cannot be opened because listing is not allowed.
void sync_folder(const std::string& folder) {
  const File file(open_file(folder, O_RDONLY | O_DIRECTORY));
  const int code = file.is_open() ? sync(file.get()) : 0;
  if (code == 0) return;
  throw Error(ErrorKind::output,
              "its files are complete, but the folder could not be synced to disk: " + reason(code),
              folder);
}

void FileGroup::commit(const Context& context, std::set<std::string>* synced_later) {
  const SignalsAsErrors errors;
  context.check();
  for (const auto& file : files_) file->draft.put_on_disk();
  for (const Stream& stream : streams_) write_stream(stream.path, stream.bytes, context);
  streams_.clear();
  std::set<std::string> folders;
  try {
    for (const auto& file : files_) {
      folders.insert(file->draft.folder().string());
      const bool replace = overwrite_ != Overwrite::never;
      if (!file->draft.become_target(replace, file != files_.back())) {
        exists_already(file->draft.shown());
      }
    }
  } catch (...) {
    // This code allocates no memory, since the failure may be a lack of memory.
    const Draft* lasting = nullptr;
    for (const auto& file : files_) {
      if (!file->draft.put_back()) lasting = &file->draft;
    }
    if (lasting == nullptr) throw;
    try {
      throw;
    } catch (const Error& error) {
      throw Error(ErrorKind::output,
                  "was replaced and cannot be restored, but other files could not be written: " +
                      error.problems().front().text(),
                  lasting->shown());
    }
  }
  files_.clear();
  if (synced_later != nullptr) {
    synced_later->merge(folders);
    return;
  }
  for (const std::string& folder : folders) sync_folder(folder);
}

void FileGroup::commit() {
  commit(Context());
}

}  // namespace dapple
