// The calls of POSIX that Dapple uses and the C library of Windows lacks. Each source is compiled
// with this header, so that code about files exists once. Names are UTF-8; paths are
// std::filesystem::path, whose characters are wide on Windows: overloads below take them.
#pragma once
#ifndef DAPPLE_NO_POSIX
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <io.h>
#include <process.h>
#include <pthread.h>
#include <string>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <vector>

// ---- files
// ---------------------------------------------------------------------------------------- Flags
// that do not apply to Windows are 0. An unnamed file is refused with EOPNOTSUPP.
constexpr int O_CLOEXEC = O_NOINHERIT;
constexpr int O_NOCTTY = 0;
constexpr int O_NONBLOCK = 0;
constexpr int O_DIRECTORY = 0;
constexpr int O_TMPFILE = 0x1000000;
#define PIPE_BUF 4096
#ifndef EDQUOT
#define EDQUOT 10069
#endif
constexpr int F_GETFD = 1;
constexpr int F_DUPFD_CLOEXEC = 2;
constexpr int AT_FDCWD = -1;
constexpr int AT_SYMLINK_FOLLOW = 0;
constexpr unsigned MFD_CLOEXEC = 0;

// A file that is open here can be replaced, renamed and removed, as on POSIX.
int open(const wchar_t* path, int flags, int mode = 0666);
int stat(const wchar_t* path, struct stat* status);
int lstat(const wchar_t* path, struct stat* status);
// Returns when the bytes, name or attributes of a file last changed, in nanoseconds since 1970, or
// -1. A program that copies a file does not set this time, and two writes in a second differ.
std::int64_t change_nanoseconds(const std::filesystem::path& path);
// Returns true if the last part of `path` is a symbolic link or a junction.
bool is_link(const std::filesystem::path& path);
int access(const wchar_t* path, int mode);  // ignores X_OK
int unlink(const wchar_t* path);
int rename(const wchar_t* from, const wchar_t* to);  // replaces `to`
// Gives a file another name; moves it on a file system without links. Fails if `to` exists.
int linkat(int, const wchar_t* from, int, const wchar_t* to, int);
ssize_t read(int descriptor, void* bytes, std::size_t size);
ssize_t write(int descriptor, const void* bytes, std::size_t size);
ssize_t pread(int descriptor, void* bytes, std::size_t size, off_t at);
int fsync(int descriptor);
// Returns 1 for a console. The isatty() of the C library returns 1 for every device, such as NUL.
int is_console(int descriptor);
#define isatty is_console
int fcntl(int descriptor, int command, int ignored = 0);
char* mkdtemp(char* pattern);                        // replaces XXXXXX at the end
int memfd_create(const char* name, unsigned flags);  // a temporary file
inline int fchown(int, int, int) {
  return 0;
}
inline int fchmod(int, int) {
  return 0;
}
int syncfs(int descriptor);  // fails: files are synced one by one

// Returns why Windows would not store a file under this name, or "". Such a name would be that of a
// device (con.png) or of a hidden part of another file (a.png:1).
std::string name_problem(const std::filesystem::path& path);

// Files are always ready; a call may wait.
struct pollfd {
  int fd;
  short events;
  short revents;
};
constexpr short POLLIN = 1;
constexpr short POLLOUT = 4;
int poll(pollfd* files, unsigned count, int milliseconds);

struct glob_t {
  std::size_t gl_pathc;
  char** gl_pathv;
  std::vector<std::string>* names;
  std::vector<char*>* pointers;
};
constexpr int GLOB_NOSORT = 0;
constexpr int GLOB_TILDE = 0;
// Supports * and ? in every folder of the pattern.
int glob(const char* pattern, int flags, void* unused, glob_t* found);
void globfree(glob_t* found);

// ---- the process
// ---------------------------------------------------------------------------------- While it
// lives, the console shows UTF-8 and obeys control sequences, and the standard streams pass bytes
// as they are.
class ConsoleInUtf8 {
 public:
  ConsoleInUtf8();
  ~ConsoleInUtf8();
  ConsoleInUtf8(const ConsoleInUtf8&) = delete;
  ConsoleInUtf8& operator=(const ConsoleInUtf8&) = delete;

 private:
  unsigned page_;
};
std::filesystem::path program_file();

constexpr int _SC_PHYS_PAGES = 0;
constexpr int _SC_PAGESIZE = 1;
long sysconf(int name);

using rlim_t = std::uint64_t;
struct rlimit {
  rlim_t rlim_cur;
};
constexpr int RLIMIT_NOFILE = 0;
int getrlimit(int resource, rlimit* limit);
struct rusage {
  long ru_maxrss;  // kilobytes
};
constexpr int RUSAGE_SELF = 0;
int getrusage(int who, rusage* usage);

constexpr int PROT_READ = 1;
constexpr int PROT_WRITE = 2;
constexpr int MAP_PRIVATE = 0;
constexpr int MAP_ANONYMOUS = 0;
constexpr int MAP_NORESERVE = 0;
inline void* const MAP_FAILED = nullptr;
void* mmap(void*, std::size_t bytes, int, int, int, int);  // only anonymous memory

// Signals end or cancel a run; there is no mask. A console that closes sends SIGBREAK.
#define SIGHUP SIGBREAK
#define SIGPIPE 13
#define SIGXFSZ 25
using sigset_t = _sigset_t;
int pause();
struct sigaction {
  void (*sa_handler)(int);
  int sa_mask;
};
int sigaction(int signal, const struct sigaction* action, struct sigaction* before);
template <class Set>
int sigemptyset(Set*) {
  return 0;
}
template <class Set>
int sigfillset(Set*) {
  return 0;
}
template <class Set>
int sigaddset(Set*, int) {
  return 0;
}
template <class Set>
int sigismember(const Set*, int) {
  return 1;
}
template <class Set>
int sigtimedwait(const Set*, std::nullptr_t, const timespec*) {
  return -1;
}
#undef pthread_sigmask
template <class Set, class Before>
int pthread_sigmask(int, const Set*, Before) {
  return 0;
}
#endif  // DAPPLE_NO_POSIX: a source that includes headers of Windows in conflict with these names
