// Loaded before the C library (LD_PRELOAD) into the program under test: makes the n-th call of a
// kind fail. DAPPLE_FAULT says which: "write 3 28" fails the third with ENOSPC, "write 3 short"
// takes half of what it is given. DAPPLE_FAULT_CALLS names a file that counts the calls of each
// kind.
#include "faults/shim.hpp"

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
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

}  // namespace

#define REAL(name) static const auto real = next(&name, #name)

extern "C" {

#define OPENING(name)                                          \
  int name(const char* path, int flags, ...) {                 \
    REAL(name);                                                \
    va_list rest;                                              \
    va_start(rest, flags);                                     \
    const mode_t mode = va_arg(rest, mode_t);                  \
    va_end(rest);                                              \
    return refuses(Call::open) ? -1 : real(path, flags, mode); \
  }
OPENING(open)
OPENING(open64)

// libgcrypt, which comes with OpenImageIO, ends a process for which /proc cannot be read.
static bool refuses_stream(const char* path) {
  return std::strncmp(path, "/proc/", 6) != 0 && refuses(Call::fopen);
}

FILE* fopen(const char* path, const char* mode) {
  REAL(fopen);
  return refuses_stream(path) ? nullptr : real(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  REAL(fopen64);
  return refuses_stream(path) ? nullptr : real(path, mode);
}

ssize_t read(int descriptor, void* to, size_t size) {
  REAL(read);
  return limits(Call::read, size) ? -1 : real(descriptor, to, size);
}
ssize_t pread(int descriptor, void* to, size_t size, off_t at) {
  REAL(pread);
  return limits(Call::read, size) ? -1 : real(descriptor, to, size, at);
}
ssize_t write(int descriptor, const void* from, size_t size) {
  REAL(write);
  return limits(Call::write, size) ? -1 : real(descriptor, from, size);
}
ssize_t pwrite(int descriptor, const void* from, size_t size, off_t at) {
  REAL(pwrite);
  return limits(Call::write, size) ? -1 : real(descriptor, from, size, at);
}
ssize_t writev(int descriptor, const iovec* parts, int count) {
  REAL(writev);
  return refuses(Call::write) ? -1 : real(descriptor, parts, count);
}
size_t fwrite(const void* from, size_t size, size_t count, FILE* file) {
  REAL(fwrite);
  return refuses(Call::print) ? 0 : real(from, size, count, file);
}
int fflush(FILE* file) {
  REAL(fflush);
  return refuses(Call::print) ? EOF : real(file);
}
int fsync(int descriptor) {
  REAL(fsync);
  return refuses(Call::fsync) ? -1 : real(descriptor);
}
int rename(const char* from, const char* to) noexcept {
  REAL(rename);
  return refuses(Call::rename) ? -1 : real(from, to);
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned flags) noexcept {
  REAL(renameat2);
  return refuses(Call::rename) ? -1 : real(from_folder, from, to_folder, to, flags);
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  REAL(linkat);
  return refuses(Call::link) ? -1 : real(from_folder, from, to_folder, to, flags);
}
// Closes in any case, as Linux does.
int close(int descriptor) {
  REAL(close);
  const int result = real(descriptor);
  return refuses(Call::close) ? -1 : result;
}
void* mmap(void* place, size_t size, int protection, int flags, int descriptor, off_t at) noexcept {
  REAL(mmap);
  return refuses(Call::mmap) ? MAP_FAILED : real(place, size, protection, flags, descriptor, at);
}
int fchmod(int descriptor, mode_t mode) noexcept {
  REAL(fchmod);
  return refuses(Call::mode) ? -1 : real(descriptor, mode);
}
}
