// Loaded before the C library (LD_PRELOAD) into the program under test: makes the n-th call of a
// kind fail. DAPPLE_FAULT says which: "write 3 28" fails the third with ENOSPC, "write 3 short"
// takes half of what it is given. DAPPLE_FAULT_CALLS names a file that counts the calls of each
// kind.
//
// DAPPLE_STORE is a part of the names of files on another machine. "store 5 107" lets each call
// about one of them fail from the fifth on, as when the machine goes away; DAPPLE_STORE_DELAY is
// how many milliseconds each takes.
//
// DAPPLE_CLOCK_JUMPS moves the clock of the system by some days, forward and back in turn.
#include "faults/shim.hpp"

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

using dapple::faults::Call;
using dapple::faults::call_names;

struct Fault {
  int call = -1;
  long place = 0;
  int code = 0;  // 0: short
};

Fault read_fault() {
  Fault fault;
  const char* text = std::getenv("DAPPLE_FAULT");
  if (text == nullptr) return fault;
  char name[16] = "";
  char code[16] = "";
  if (std::sscanf(text, "%15s %ld %15s", name, &fault.place, code) != 3) return fault;
  for (std::size_t i = 0; i < std::size(call_names); ++i) {
    if (std::strcmp(name, call_names[i]) == 0) fault.call = static_cast<int>(i);
  }
  fault.code = std::atoi(code);
  return fault;
}

const Fault& fault() {
  static const Fault it = read_fault();
  return it;
}

// True where this call is the one that is to fail.
bool strikes(Call call) {
  const Fault& it = fault();
  static std::atomic<long>* const counts = dapple::faults::shared_counts();
  const long place = ++counts[static_cast<int>(call)];
  return it.call == static_cast<int>(call) && it.place == place;
}

template <class Function>
Function next(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

bool refuses(Call call) {
  if (!strikes(call) || fault().code == 0) return false;
  errno = fault().code;
  return true;
}

// How much of `size` is taken: all, half, or nothing, which is an error.
bool limits(Call call, size_t& size) {
  if (!strikes(call)) return false;
  if (fault().code == 0) {
    size = size > 1 ? size / 2 : size;
    return false;
  }
  errno = fault().code;
  return true;
}

// ---- a store on another machine -----------------------------------------------------------------

bool is_in_store(const char* path) {
  static const char* const store = std::getenv("DAPPLE_STORE");
  return store != nullptr && path != nullptr && std::strstr(path, store) != nullptr;
}
bool is_in_store(int descriptor) {
  if (std::getenv("DAPPLE_STORE") == nullptr) return false;
  char link[40];
  char path[4096];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  path[size > 0 ? size : 0] = 0;
  return is_in_store(path);
}

// A call about a file, by its name or descriptor: it takes its time, and then true where the store
// is gone.
template <class File>
bool is_gone(File file) {
  if (!is_in_store(file)) return false;
  static const char* const delay = std::getenv("DAPPLE_STORE_DELAY");
  if (delay != nullptr) {
    const timespec pause{0, std::atol(delay) * 1'000'000};
    nanosleep(&pause, nullptr);
  }
  static std::atomic<long>* const counts = dapple::faults::shared_counts();
  const long place = ++counts[static_cast<int>(Call::store)];
  const Fault& it = fault();
  if (it.call != static_cast<int>(Call::store) || place < it.place) return false;
  errno = it.code;
  return true;
}

}  // namespace

#define REAL(name) static const auto real = next(&name, #name)

extern "C" {

#define OPENING(name)                                    \
  int name(const char* path, int flags, ...) {           \
    REAL(name);                                          \
    va_list rest;                                        \
    va_start(rest, flags);                               \
    const mode_t mode = va_arg(rest, mode_t);            \
    va_end(rest);                                        \
    if (is_gone(path) || refuses(Call::open)) return -1; \
    return real(path, flags, mode);                      \
  }
OPENING(open)
OPENING(open64)

// libgcrypt, which comes with OpenImageIO, ends a process for which /proc cannot be read.
static bool refuses_stream(const char* path) {
  return std::strncmp(path, "/proc/", 6) != 0 && refuses(Call::fopen);
}

FILE* fopen(const char* path, const char* mode) {
  REAL(fopen);
  return is_gone(path) || refuses_stream(path) ? nullptr : real(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  REAL(fopen64);
  return is_gone(path) || refuses_stream(path) ? nullptr : real(path, mode);
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  static const auto real = next(&clock_gettime, "clock_gettime");
  static const bool jumps = std::getenv("DAPPLE_CLOCK_JUMPS") != nullptr;
  static std::atomic<long> calls;
  const int code = real(clock, time);
  if (jumps && clock == CLOCK_REALTIME) time->tv_sec += (++calls % 2 == 0 ? 5 : -5) * 86400;
  return code;
}
ssize_t read(int descriptor, void* to, size_t size) {
  REAL(read);
  return is_gone(descriptor) || limits(Call::read, size) ? -1 : real(descriptor, to, size);
}
ssize_t pread(int descriptor, void* to, size_t size, off_t at) {
  REAL(pread);
  return is_gone(descriptor) || limits(Call::read, size) ? -1 : real(descriptor, to, size, at);
}
ssize_t write(int descriptor, const void* from, size_t size) {
  REAL(write);
  return is_gone(descriptor) || limits(Call::write, size) ? -1 : real(descriptor, from, size);
}
ssize_t pwrite(int descriptor, const void* from, size_t size, off_t at) {
  REAL(pwrite);
  return is_gone(descriptor) || limits(Call::write, size) ? -1 : real(descriptor, from, size, at);
}
ssize_t writev(int descriptor, const iovec* parts, int count) {
  REAL(writev);
  return is_gone(descriptor) || refuses(Call::write) ? -1 : real(descriptor, parts, count);
}
size_t fwrite(const void* from, size_t size, size_t count, FILE* file) {
  REAL(fwrite);
  return is_gone(fileno(file)) || refuses(Call::print) ? 0 : real(from, size, count, file);
}
int fflush(FILE* file) {
  REAL(fflush);
  return refuses(Call::print) ? EOF : real(file);
}
int syncfs(int descriptor) {
  REAL(syncfs);
  return is_gone(descriptor) || refuses(Call::fsync) ? -1 : real(descriptor);
}

int fsync(int descriptor) {
  REAL(fsync);
  return is_gone(descriptor) || refuses(Call::fsync) ? -1 : real(descriptor);
}
int rename(const char* from, const char* to) noexcept {
  REAL(rename);
  return is_gone(to) || refuses(Call::rename) ? -1 : real(from, to);
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned flags) noexcept {
  REAL(renameat2);
  return is_gone(to) || refuses(Call::rename) ? -1 : real(from_folder, from, to_folder, to, flags);
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  REAL(linkat);
  return is_gone(to) || refuses(Call::link) ? -1 : real(from_folder, from, to_folder, to, flags);
}
// Closes in any case, as Linux does.
int close(int descriptor) {
  REAL(close);
  const bool gone = is_gone(descriptor);
  const int result = real(descriptor);
  return gone || refuses(Call::close) ? -1 : result;
}
void* mmap(void* place, size_t size, int protection, int flags, int descriptor, off_t at) noexcept {
  REAL(mmap);
  return refuses(Call::mmap) ? MAP_FAILED : real(place, size, protection, flags, descriptor, at);
}
int fchmod(int descriptor, mode_t mode) noexcept {
  REAL(fchmod);
  return refuses(Call::mode) ? -1 : real(descriptor, mode);
}
size_t fread(void* to, size_t size, size_t count, FILE* file) {
  REAL(fread);
  return is_gone(fileno(file)) ? 0 : real(to, size, count, file);
}
#define LOOKING(name, result)                                 \
  int name(const char* path, struct result* found) noexcept { \
    REAL(name);                                               \
    return is_gone(path) ? -1 : real(path, found);            \
  }
LOOKING(stat, stat)
LOOKING(lstat, stat)
LOOKING(stat64, stat64)
LOOKING(lstat64, stat64)
int mkdir(const char* path, mode_t mode) noexcept {
  REAL(mkdir);
  return is_gone(path) ? -1 : real(path, mode);
}
int access(const char* path, int mode) noexcept {
  REAL(access);
  return is_gone(path) ? -1 : real(path, mode);
}
int unlink(const char* path) noexcept {
  REAL(unlink);
  return is_gone(path) ? -1 : real(path);
}
}
