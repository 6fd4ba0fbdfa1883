// Whole files in and out. A write goes to a file without a name in the target's folder (Linux
// O_TMPFILE), which vanishes by itself however the process ends; only when it is complete and
// synced is it given a name and moved over the target. Where the file system has no such files, a
// named temporary file takes its place and is removed on any error.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "io/write_all.hpp"

namespace dapple {

int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    if (n == 0) return ENOSPC;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

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
  // Closing is the last place where a network file system may report a failed write.
  int close() { return ::close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno; }

 private:
  int descriptor_;
};

// While it lives, a write past the file size limit or into a closed pipe comes back as an error
// code instead of a signal that ends the process.
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

// The path that the name leads to: writing through a symbolic link replaces the file, not the link.
fs::path behind_links(fs::path path) {
  std::error_code ignored;
  for (int i = 0; i < 40 && fs::is_symlink(path, ignored); ++i) {
    const fs::path target = fs::read_symlink(path, ignored);
    path = path.parent_path() / target;  // an absolute target replaces the folder
  }
  return path;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// A new file in a folder, without a name where possible.
class Draft {
 public:
  Draft(const std::string& shown, fs::path folder) : shown_(shown), folder_(std::move(folder)) {
    file_ = File(::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666));
    if (file_.is_open()) return;
    for (int i = 0; i < 1000 && !file_.is_open(); ++i) {
      name_ = new_name();
      file_ = File(::open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
      if (!file_.is_open() && errno != EEXIST) break;
    }
    if (file_.is_open()) return;
    const int code = errno;
    name_.clear();
    throw Error(
        ErrorKind::output,
        "cannot be written: no new file can be made in " + folder_.string() + ": " + reason(code),
        shown_);
  }
  ~Draft() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  int descriptor() const { return file_.get(); }

  void write(std::string_view bytes, const struct stat* like) {
    if (const int code = write_all(file_.get(), bytes); code != 0) not_written(shown_, code);
    finish(like);
  }

  // Once everything is written.
  void finish(const struct stat* like) {
    if (like != nullptr) {
      // Whoever may not give files away keeps them as their own; the mode is kept in any case.
      if (::fchown(file_.get(), like->st_uid, like->st_gid) != 0) errno = 0;
      if (::fchmod(file_.get(), like->st_mode & 07777) != 0) not_written(shown_, errno);
    }
    if (::fsync(file_.get()) != 0 && errno != EINVAL) not_written(shown_, errno);
  }

  // Closes the file and keeps it under its temporary name: many may wait for their own.
  void park() {
    if (name_.empty()) give_name();
    if (const int code = file_.close(); code != 0) not_written(shown_, code);
  }

  // Returns false where the target exists and may not be replaced.
  bool become(const fs::path& target, bool replace) {
    if (!replace) {
      const bool done =
          name_.empty() ? link_to(target) : ::link(name_.c_str(), target.c_str()) == 0;
      if (!done && errno != EEXIST) not_written(shown_, errno);
      const int code = file_.is_open() ? file_.close() : 0;
      if (code != 0 && done) not_written(shown_, code);
      return done;
    }
    if (file_.is_open()) park();
    if (::rename(name_.c_str(), target.c_str()) != 0) not_written(shown_, errno);
    name_.clear();
    return true;
  }

 private:
  fs::path new_name() const {
    static std::atomic<unsigned> counter{0};
    return folder_ / (".dapple-" + std::to_string(::getpid()) + "-" +
                      std::to_string(counter.fetch_add(1)) + ".tmp");
  }
  bool link_to(const fs::path& name) const {
    const std::string self = "/proc/self/fd/" + std::to_string(file_.get());
    return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }
  void give_name() {
    for (int i = 0; i < 1000; ++i) {
      const fs::path name = new_name();
      if (link_to(name)) {
        name_ = name;
        return;
      }
      if (errno != EEXIST) break;
    }
    not_written(shown_, errno);
  }

  std::string shown_;
  fs::path folder_;
  fs::path name_;  // empty while the file has none
  File file_;
};

std::string read_all(int descriptor, const std::string& path, std::int64_t max_bytes,
                     std::int64_t expected) {
  const auto too_long = [&] {
    throw Error(ErrorKind::limit,
                "is longer than the " + std::to_string(max_bytes) + " bytes that may be read here",
                path);
  };
  if (expected > max_bytes) too_long();
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(expected));
  std::vector<char> chunk(1 << 16);
  for (;;) {
    const ssize_t n = ::read(descriptor, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw Error(ErrorKind::input, "cannot be read: " + reason(errno), path);
    if (n == 0) return bytes;
    if (static_cast<std::int64_t>(bytes.size()) + n > max_bytes) too_long();
    bytes.append(chunk.data(), static_cast<std::size_t>(n));
  }
}

bool holds(const std::string& path, const struct stat& status, std::string_view bytes) {
  if (status.st_size != static_cast<off_t>(bytes.size())) return false;
  try {
    return read_file(path, static_cast<std::int64_t>(bytes.size())) == bytes;
  } catch (const Error&) {
    return false;  // what cannot be read is replaced
  }
}

// Whether an open file holds what stands at the path.
bool holds(const std::string& path, int descriptor) {
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
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
  throw Error(ErrorKind::output, "cannot be written: it is no regular file", path);
}

// Status of what stands at the path, behind links; false: nothing.
bool find_target(const std::string& path, Overwrite overwrite, struct stat& status) {
  if (path.empty()) throw Error(ErrorKind::usage, "the name of an output is empty");
  const fs::path target = behind_links(path);
  if (::stat(path.c_str(), &status) != 0) {
    std::error_code ignored;
    const fs::path folder = folder_of(target);
    if (!fs::is_directory(folder, ignored)) {
      throw Error(ErrorKind::output,
                  "cannot be written: there is no folder " + folder.string() + "; make it first",
                  path);
    }
    if (!target.has_filename()) {
      throw Error(ErrorKind::output, "cannot be written: the name of a file is missing", path);
    }
    return false;
  }
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorKind::output, "cannot be written: it is a folder; add the name of a file",
                path);
  }
  if (S_ISREG(status.st_mode) && overwrite == Overwrite::never) exists_already(path);
  if (::access(path.c_str(), W_OK) != 0) not_written(path, errno);
  return true;
}

}  // namespace

std::string read_file(const std::string& path, std::int64_t max_bytes) {
  if (path == "-") return read_all(STDIN_FILENO, "standard input", max_bytes, 0);
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) {
    throw Error(ErrorKind::input, "cannot be read: " + reason(errno), path);
  }
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorKind::input, "is a folder; give the name of a file", path);
  }
  const std::int64_t expected = S_ISREG(status.st_mode) ? std::int64_t{status.st_size} : 0;
  return read_all(file.get(), path, max_bytes, expected);
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

bool write_file(const std::string& path, std::string_view bytes, Overwrite overwrite) {
  const SignalsAsErrors errors;
  if (path == "-") {
    if (const int code = write_all(STDOUT_FILENO, bytes); code != 0) {
      not_written("standard output", code);
    }
    return true;
  }
  struct stat status {};
  const bool exists = find_target(path, overwrite, status);
  if (exists && !S_ISREG(status.st_mode)) {  // a device or a pipe: it must stay what it is
    File file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.is_open()) not_written(path, errno);
    if (const int code = write_all(file.get(), bytes); code != 0) not_written(path, code);
    if (const int code = file.close(); code != 0) not_written(path, code);
    return true;
  }
  if (exists && overwrite == Overwrite::if_changed && holds(path, status, bytes)) return false;

  const fs::path target = behind_links(path);
  Draft draft(path, folder_of(target));
  draft.write(bytes, exists ? &status : nullptr);
  if (!draft.become(target, overwrite != Overwrite::never)) exists_already(path);
  return true;
}

bool fill_file(const std::string& path, const std::function<int(int descriptor)>& fill,
               Overwrite overwrite) {
  const SignalsAsErrors errors;
  struct stat status {};
  const bool exists = find_target(path, overwrite, status);
  if (exists && !S_ISREG(status.st_mode)) not_regular(path);
  const fs::path target = behind_links(path);
  Draft draft(path, folder_of(target));
  if (const int code = fill(draft.descriptor()); code != 0) not_written(path, code);
  if (exists && overwrite == Overwrite::if_changed && holds(path, draft.descriptor())) return false;
  draft.finish(exists ? &status : nullptr);
  if (!draft.become(target, overwrite != Overwrite::never)) exists_already(path);
  return true;
}

struct FileGroup::Waiting {
  Waiting(const std::string& path, const fs::path& behind)
      : shown(path), target(behind), draft(path, folder_of(behind)) {}
  std::string shown;
  fs::path target;
  Draft draft;
};

FileGroup::FileGroup(Overwrite overwrite) : overwrite_(overwrite) {}
FileGroup::~FileGroup() = default;

bool FileGroup::add(const std::string& path, std::string_view bytes) {
  const SignalsAsErrors errors;
  struct stat status {};
  const bool exists = find_target(path, overwrite_, status);
  if (exists && !S_ISREG(status.st_mode)) not_regular(path);
  if (exists && overwrite_ == Overwrite::if_changed && holds(path, status, bytes)) return false;
  auto file = std::make_unique<Waiting>(path, behind_links(path));
  file->draft.write(bytes, exists ? &status : nullptr);
  file->draft.park();
  files_.push_back(std::move(file));
  return true;
}

void FileGroup::commit() {
  for (const auto& file : files_) {
    if (!file->draft.become(file->target, overwrite_ != Overwrite::never)) {
      exists_already(file->shown);
    }
  }
  files_.clear();
}

}  // namespace dapple
